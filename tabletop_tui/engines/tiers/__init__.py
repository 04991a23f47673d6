"""Tiers of Power: opposed highest die, explode once, co-operative challenges, Complication Points."""

from .engine import ENGINE

__all__ = ["ENGINE"]
