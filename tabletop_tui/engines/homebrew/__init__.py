"""A game written as TOML: the `[rules]` of the campaign are the game."""

from .engine import ENGINE

__all__ = ["ENGINE"]
