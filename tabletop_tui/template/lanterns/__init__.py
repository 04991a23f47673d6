"""Lanterns: two dice and a skill against a number, and nerve to press on with."""

from .engine import ENGINE

__all__ = ["ENGINE"]
