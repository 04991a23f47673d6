"""Fen: exploding sums, contests of skill against skill, one against many, and sides that act whole."""

from .engine import ENGINE

__all__ = ["ENGINE"]
