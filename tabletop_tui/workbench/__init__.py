"""The dice workbench: dice expressions that need no table, read by whichever game knows them."""

from .bench import Bench, Benches, Chances, Fell, Reading, less, public, still_wanted
from .scan import BadDice, Scan, halves

__all__ = [
    "BadDice",
    "Bench",
    "Benches",
    "Chances",
    "Fell",
    "Reading",
    "Scan",
    "halves",
    "less",
    "public",
    "still_wanted",
]
