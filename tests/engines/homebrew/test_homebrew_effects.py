"""What rules do to meters: plain numbers, sums and dice, also those with a minus before them."""

from __future__ import annotations

from typing import Any

import playing
import pytest
from brews import rules_of, world_of

from tabletop_tui.engines.homebrew.effects import Doing
from tabletop_tui.engines.homebrew.scope import Scope, meter_value
from tabletop_tui.rules import Dice
from tabletop_tui.session import Table

GAME = """
[meters.hp]
most = 20
usual = 10
[rolls.strike]
dice = "1d20"
"""


@pytest.mark.parametrize(
    ("effect", "left"),
    [
        ("-1d4", 7),
        ("0 - 1d4", 7),
        ("-1d4 - 1", 6),
        ("-(1d4 + 1)", 6),
        ("1d4", 13),
        ("to 1d4", 3),
        (-3, 7),
        ("-3", 7),
    ],
)
def test_dice_of_an_effect_are_added_or_taken_away_as_their_sign_says(effect: Any, left: int) -> None:
    world = world_of(rules_of(GAME))
    doing = Doing(world, Dice((3,)))
    doing.do({"hp": effect}, Scope(world, "ana"))
    assert meter_value(doing.world, "ana", "hp") == left


def test_dice_of_an_effect_on_the_whole_party_are_rolled_for_each_of_them() -> None:
    world = world_of(rules_of(GAME))
    doing = Doing(world, Dice((1, 2, 4)))
    doing.do({"all hp": "-1d4"}, Scope(world, "ana"))
    assert [meter_value(doing.world, who, "hp") for who in world.players()] == [9, 8, 6]


def sample(name: str) -> Table:
    """A sample at the beginning of its first evening."""
    (root,) = [path for path in playing.samples("homebrew") if path.name == name]
    return playing.table(root)


def test_the_bite_of_the_eel_hurts() -> None:
    table = sample("broken-causeway")
    before = meter_value(table.world, "orla", "hp")
    playing.act(table, "roll roll=bite who=eel whom=orla", (18, 3))
    assert meter_value(table.world, "orla", "hp") == before - 3
    assert [condition.what for condition in table.world.now.conditions.values()] == ["poisoned"]


def test_a_vice_takes_stress_away() -> None:
    table = sample("lamplighters")
    who = table.world.players()[0]
    playing.act(table, f"adjust who={who} meter=stress by=6")
    before = meter_value(table.world, who, "stress")
    playing.act(table, f"use option=indulge who={who}", (4,))
    assert meter_value(table.world, who, "stress") == before - 4
