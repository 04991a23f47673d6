"""Drama in History: base, resistance and drama dice, two net successes, penalty dice, social contests."""

from .engine import ENGINE

__all__ = ["ENGINE"]
