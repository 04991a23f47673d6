"""How much the tests try: TABLETOP_TESTS=quick, ci or all.

quick, the default, tries one case of each test, for while one works; ci tries all cases, and is what .ci/run proves;
all are the large figures, for a night. What is left out is the same in every run.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
LEVELS = ("quick", "ci", "all")
LEVEL = os.environ.get("TABLETOP_TESTS", "quick")
if LEVEL not in LEVELS:
    raise ValueError(f"TABLETOP_TESTS is {LEVEL!r}, not one of {', '.join(LEVELS)}")


def many(quick: int, ci: int, all: int) -> int:
    """How many of something that there could be any number of."""
    return {"quick": quick, "ci": ci, "all": all}[LEVEL]


def some(items: Sequence[T], quick: int, ci: int = 0, turn: int = 0) -> list[T]:
    """At most so many, spread evenly (with no number, all); every turn has others, and together they have all."""
    most = many(quick, ci, 0) or len(items)
    step = max(math.ceil(len(items) / max(most, 1)), 1)
    return list(items[turn % step :: step])
