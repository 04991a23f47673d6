"""Live state edited by hand, at random: where the engine finds no problem, play goes on."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from drama_abbey import BEGINNINGS
from msgspec.structs import replace

from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.world import DramaWorld
from tabletop_tui.rules import KINDS
from tabletop_tui.rules.conformance import play

NUMBERS = (-1, 0, 1, 2, 3, 7, 10, 99, 1000)
WORDS = ("", "joan", "hugh", "nemo", "Social", "Insight", "direct:Town life", "plain", "line-1", "choose", "x")


def edited(data: Any, chance: random.Random) -> bool:
    """Change, or take out, one value somewhere in a table; False where there was none."""
    places = [(data, key) for key in data] if isinstance(data, dict) else [(data, i) for i in range(len(data))]
    if not places:
        return False
    table, key = chance.choice(places)
    value = table[key]
    if isinstance(value, dict | list) and chance.random() < 0.85:
        return edited(value, chance)
    if chance.random() < 0.2:
        del table[key]
    elif isinstance(value, bool):
        table[key] = not value
    elif isinstance(value, int):
        table[key] = chance.choice(NUMBERS)
    elif isinstance(value, str):
        table[key] = chance.choice(WORDS)
    return True


def variant(world: DramaWorld, chance: random.Random) -> DramaWorld | None:
    """The world after a few hand edits of its live state, where they can be read and fit."""
    data = msgspec.to_builtins(world.now)
    for _ in range(chance.randint(1, 3)):
        edited(data, chance)
    try:
        found = replace(world, now=msgspec.convert(data, ENGINE.now))
    except msgspec.ValidationError:
        return None
    return found if not any(not p.warning for p in ENGINE.problems(found)) else None


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_an_edit_without_problems_can_be_played(beginning: str) -> None:
    chance, fitted = random.Random(beginning), 0
    for seed in range(12):
        for *_, world in play(ENGINE, BEGINNINGS[beginning](), seed, 12):
            other = variant(world, chance)
            if other is None:
                continue
            fitted += 1
            for kind in KINDS:
                ENGINE.view(kind, other, "joan")
            for *_, _after in play(ENGINE, other, seed, 2):
                pass
    assert fitted > 20
