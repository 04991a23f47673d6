"""A small table for Fen: two of the players' and three of the GM's."""

from __future__ import annotations

import msgspec
import pytest
from fen_table import Do, Make

from tabletop_tui.engines.fen import ENGINE
from tabletop_tui.engines.fen.world import Effect, FenNow, FenRules, FenScene, FenSheet, FenWorld, Guard, Plan, Weapon
from tabletop_tui.rules import Action

SHEETS = {
    "wren": FenSheet(
        "Wren",
        "Ana",
        hp=14,
        skills={"fight": "2d8", "dodge": "1d4+1d8", "notice": "2d6", "vigor": "1d8", "articulate": "1d6"},
        weapons={"spear": Weapon("1d6"), "bow": Weapon("1d8", "shoot")},
        shield=Guard("Targe", 3),
        armour=Guard("Coat", 2),
    ),
    "teal": FenSheet(
        "Teal", "Ben", hp=11, skills={"shoot": "2d6", "dodge": "2d8", "notice": "3d6", "articulate": "2d8"}
    ),
    "wight": FenSheet(
        "Wight",
        hp=9,
        skills={"fight": "2d6", "dodge": "1d4", "notice": "1d6", "vigor": "1d8", "will": "1d8"},
        weapons={"claws": Weapon("1d4")},
        armour=Guard("Bark", 2),
    ),
    "thief": FenSheet("Thief", hp=6, skills={"fight": "1d8", "dodge": "1d6", "will": "1d6"}),
    "second": FenSheet("Thief", hp=6, skills={"fight": "1d8", "dodge": "1d10"}),
}
SCENES = {
    "ford": FenScene(
        "The ford",
        sides={"heroes": ("wren", "teal"), "foes": ("wight", "thief", "second")},
        surprised=("heroes",),
        contests={
            "sneak": Plan("dodge/notice", "Past them", "wren", ("wight", "thief", "second"), hidden=True),
            "scare": Plan(
                "fight/will", "A roar", "wren", ("wight", "thief"), effect=Effect("shaken", 2, 1), stakes="they run"
            ),
            "plea": Plan("articulate/will", "A plea", "teal", ("thief",), stakes="he lets go", risk="the boat"),
        },
    ),
    "bank": FenScene("The bank", cast=("wight", "thief", "second")),
    "weir": FenScene("The weir", sides={"heroes": ("wren", "teal"), "foes": ("wight", "thief")}, hidden=("thief",)),
}


@pytest.fixture
def world() -> FenWorld:
    return make()


def make(**rules: object) -> FenWorld:
    house = msgspec.convert(rules, FenRules)
    fresh = FenWorld(house, FenNow(), SHEETS, SCENES)
    return FenWorld(house, ENGINE.start(fresh), SHEETS, SCENES)


@pytest.fixture
def table() -> Make:
    """Makes a world with house rules of one's own."""
    return make


@pytest.fixture
def do() -> Do:
    """Performs actions one after the other with fixed dice; the front end's own check comes first."""
    from tabletop_tui.rules import Dice, check

    def perform(world: FenWorld, action: Action, *faces: int) -> FenWorld:
        check(action, world)
        dice = Dice(faces)
        for event in action.resolve(world, dice):
            event.says(world), event.whispers(world)
            world = event.apply(world)
        assert not dice.unused, f"dice left over: {dice.unused}"
        assert not [p for p in ENGINE.problems(world) if not p.warning]
        return world

    return perform
