"""A skill rolled alone."""

from __future__ import annotations

from typing import Any

import pytest
from fen_table import Do, odds_of
from msgspec.structs import replace

from tabletop_tui.conformance import check_odds
from tabletop_tui.engines.fen import ENGINE
from tabletop_tui.engines.fen.changes import Modify
from tabletop_tui.engines.fen.hiding import EnterScene
from tabletop_tui.engines.fen.rounds import BeginFight
from tabletop_tui.engines.fen.skill import RollSkill, skills
from tabletop_tui.engines.fen.world import FenWorld, changes_of
from tabletop_tui.rules import Dice, Refused, check, parse


def rolled(world: FenWorld, action: Any, *faces: Any) -> Any:
    check(action, world)
    dice = Dice(faces)
    event = action.resolve(world, dice)[0]
    assert not dice.unused
    return event, dice


def test_a_skill_is_rolled_alone_into_the_log(world: FenWorld) -> None:
    event, _ = rolled(world, RollSkill("wren", "fight"), 8, 3, 2)
    assert event.says(world) == "Wren rolls fight: 8→2 3 = 13"
    assert event.outcome() == {"total": 13}


def test_a_skill_can_be_rolled_non_explosive(world: FenWorld) -> None:
    event, _ = rolled(world, RollSkill("wren", "fight", non_explosive=1), 8)
    assert event.says(world) == "Wren rolls fight: 8 = 8"


def test_a_skill_that_nobody_has_rolls_1d4(world: FenWorld) -> None:
    action = parse(RollSkill, {"who": "wren", "skill": "boat lore"})
    event, dice = rolled(world, action, 3)
    assert [h.sides for h in dice.rolled] == [(4,)]
    assert event.says(world) == "Wren rolls boat lore: 3 = 3"
    with pytest.raises(Refused, match="cannot be a skill"):
        rolled(world, RollSkill("wren", "fight/vigor"), 3)


def test_changes_for_the_next_throw_count_and_are_gone(world: FenWorld, do: Do) -> None:
    world = do(do(world, Modify("wren", additional=1)), Modify("wren", additional=1, throw="contest"))
    world = do(world, RollSkill("wren", "fight"), 1, 1, 1)
    assert list(changes_of(world, "wren")) == ["all contest"]


def test_what_the_unseen_roll_is_whispered(world: FenWorld, do: Do) -> None:
    event, dice = rolled(world, RollSkill("thief", "dodge"), 3)  # the GM's own, not on the table yet
    assert (event.says(world), event.whispers(world)) == ("", "Thief rolls dodge: 3 = 3")
    assert all(h.secret for h in dice.rolled)
    fight = do(do(world, EnterScene("weir")), BeginFight())
    event, _ = rolled(fight, RollSkill("thief", "dodge"), 3)
    assert event.says(fight) == ""
    event, _ = rolled(fight, RollSkill("wight", "dodge"), 3)
    assert event.says(fight) == "Wight rolls dodge: 3 = 3"
    event, _ = rolled(fight, RollSkill("wight", "dodge", hidden=True), 3)
    assert event.says(fight) == ""


def test_the_skills_on_the_sheet_are_offered_first_with_their_dice(world: FenWorld) -> None:
    offered = skills(world, {"who": "teal"})
    assert [(c.value, c.note) for c in offered][:4] == [
        ("articulate", "2d8"),
        ("dodge", "2d8"),
        ("notice", "3d6"),
        ("shoot", "2d6"),
    ]


@pytest.mark.parametrize("non_explosive", [1, 2])
def test_odds_of_a_skill_are_those_of_the_walk(world: FenWorld, do: Do, non_explosive: bool) -> None:
    check_odds(ENGINE, world, RollSkill("wren", "fight", non_explosive=non_explosive))


def test_odds_of_an_explosive_skill_are_those_of_independent_arithmetic(world: FenWorld) -> None:
    """2d8 that explode: at least 9 is one minus every way to stay below it, worked out by hand."""
    odds = odds_of(world, RollSkill("wren", "vigor"))
    chances = {c.value: c.chance for c in odds.groups[0].chances}
    assert chances[8] == pytest.approx(1 / 8)
    assert chances[12] == pytest.approx(1 / 8 * 5 / 8)
    assert odds.groups[0].at_least
    assert odds_of(replace(world), RollSkill("wight", "vigor")).secret
