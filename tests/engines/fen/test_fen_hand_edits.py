"""Hand edits at random: whatever `problems` lets pass can be looked at and played on."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import level
import msgspec
import pytest
from fen_table import Make

from tabletop_tui.conformance import check_edits, play, worlds
from tabletop_tui.engines.fen import ENGINE
from tabletop_tui.engines.fen.world import FenScene, FenSheet, FenWorld
from tabletop_tui.rules import KINDS

EDITS = level.many(200, 2_000, 50_000)
TEXTS = ("", "wren", "wight", "foes", "heroes", "nobody", "fight", "9d20", "1000d4", "x/y", "vigor", "no turn")
PARTS: dict[str, Any] = {
    "rules": ENGINE.rules,
    "now": ENGINE.now,
    "sheets": dict[str, FenSheet],
    "scenes": dict[str, FenScene],
}


def places(data: Any, path: Any = ()) -> Iterator[Any]:
    """Every place in nested tables and arrays."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


def slip(data: Any, chance: random.Random) -> None:
    """One slip of somebody's fingers."""
    path = chance.choice(list(places(data)))
    inside = data
    for key in path[:-1]:
        inside = inside[key]
    key, value = path[-1], inside[path[-1]]
    if chance.random() < 0.3:
        del inside[key]
    elif isinstance(value, bool):
        inside[key] = not value
    elif isinstance(value, int):
        inside[key] = chance.choice([0, -1, 1, 5, 1000, value + 1])
    elif isinstance(value, str):
        inside[key] = chance.choice(TEXTS)
    elif isinstance(value, list) and value:
        inside[key] = chance.choice([value[:-1], [*value, value[0]]])
    elif isinstance(value, dict) and value:
        value[chance.choice(["wren", "nobody", "foes"])] = value.pop(chance.choice(list(value)))


def edited(world: FenWorld, chance: random.Random) -> FenWorld | None:
    raw = {part: msgspec.to_builtins(getattr(world, part)) for part in PARTS}
    raw = copy.deepcopy(raw)
    for _ in range(chance.randint(1, 3)):
        part = chance.choice([p for p in ("now", "now", "sheets", "scenes", "rules") if raw[p]])
        slip(raw[part], chance)
    try:
        return FenWorld(**{part: msgspec.convert(raw[part], kind) for part, kind in PARTS.items()})
    except msgspec.ValidationError:
        return None  # storage says so, with file and line


@pytest.mark.parametrize("seed", range(600, 600 + level.many(4, 20, 200)))
def test_what_has_no_problems_can_be_played(table: Make, seed: int) -> None:
    chance, world = random.Random(seed), table(reactions=2, surprised="last")
    for *_, after in play(ENGINE, world, seed, steps=chance.randint(3, 40)):
        world = after
    for _ in range(8):
        other = edited(world, chance)
        if other is None or any(not p.warning for p in ENGINE.problems(other)):
            continue
        for kind in KINDS:
            for about in ("", *other.sheets):
                ENGINE.view(kind, other, about)
        for before, action, _events, _after in play(ENGINE, other, seed, steps=4):
            ENGINE.odds(before, action)


def test_no_edit_of_the_live_state_that_is_accepted_breaks_the_table(table: Make) -> None:
    found = check_edits(ENGINE, worlds(ENGINE, table(), EDITS), most=EDITS, each=25)
    assert found.states == EDITS
    assert found.accepted > EDITS // 3
