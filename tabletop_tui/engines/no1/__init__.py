"""The No1 system: Challenge dice, hits, a 1 that hands over the Initiative, Momentum and Entropy, Hazards."""

from .engine import ENGINE

__all__ = ["ENGINE"]
