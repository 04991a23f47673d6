"""A roll with everything answered as a form would propose it."""

from __future__ import annotations

from typing import Any

import msgspec

from ...rules import choices, fields, shaped
from .asking import cannot
from .mentions import mentions
from .rolls import Roll
from .world import HomebrewWorld


def usual_roll(world: HomebrewWorld, who: str) -> Roll | None:
    """What somebody would roll now: what was rolled last, else the first of the game; all answers are proposals."""
    rules = world.rules
    names = [name for name, rule in rules.rolls.items() if rule.offered == "any time" and rule.by != "gm"]
    if who not in world.sheets or cannot(world, who) or not names:
        return None
    last = [name for name in names if any(key.endswith(f" of {who}") for key in world.now.last.get(name, {}))]
    return answered(world, (last or names)[0], who)


def answered(world: HomebrewWorld, roll: str, who: str) -> Roll | None:
    """A roll with the first open answer to each question; None where one has none."""
    said: dict[str, Any] = {"roll": roll, "who": who}
    for static in fields(Roll):
        field = shaped(static, world, said)
        if field is None or static.name in ("roll", "who", "using"):
            continue
        free = [choice.value for choice in choices(field, world, said) if not choice.closed]
        if free:
            said[static.name] = free[0]
    if mentions(world.rules, roll).whom and not said.get("whom"):
        return None
    return msgspec.convert(said, Roll)
