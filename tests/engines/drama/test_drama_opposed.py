"""Opposed tests: aid and extras for either side."""

from __future__ import annotations

from typing import Any

import pytest
from drama_abbey import do
from msgspec.structs import replace

from tabletop_tui.conformance import check_odds
from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.campaign import DramaRules, DramaSheet, Skill
from tabletop_tui.engines.drama.dice import net
from tabletop_tui.engines.drama.opposed import Oppose, aides, other_givers
from tabletop_tui.engines.drama.outcome import payable, successes
from tabletop_tui.engines.drama.penalties import GainPenalty
from tabletop_tui.engines.drama.settle import Pay
from tabletop_tui.engines.drama.world import DramaNow, DramaWorld, Roll
from tabletop_tui.rules import Refused


def small(**skills: int) -> DramaWorld:
    """Four people with one base die each and a skill of their own on top: pools small enough to walk."""
    sheets = {
        who: DramaSheet(name, player, attributes={"Social": 1}, skills={"Wits": Skill(skills.get(who, 0), "Social")})
        for who, name, player in (("a", "Ann", "Ana"), ("b", "Bo", ""), ("c", "Cy", "Cleo"), ("d", "Di", ""))
    }
    return DramaWorld(DramaRules(), DramaNow(), sheets)


DUEL = Oppose("a", "Wits", "b", "Wits")


def roll_of(world: DramaWorld) -> Roll:
    assert world.now.roll is not None
    return world.now.roll


def test_a_hand_joins_either_side_of_an_opposed_test() -> None:
    sides = replace(DUEL, hands=("c",), their_hands=("d",)).sides(small())
    assert [(key, s.count("base")) for key, s in sides.items()] == [("a", 2), ("b", 2)]
    assert sides["a"].pieces[1].source == "Cy lends a hand: Social"
    alone = Oppose("a", "Social", "b", "Social", hands=("c",)).sides(small())
    assert alone["a"].count("base") == 4, "twice, in a test of the attribute alone"


def test_those_who_work_together_on_one_side_add_their_nets_negatives_too() -> None:
    world = do(small(a=1), GainPenalty("c", "cold", 1))
    action = replace(DUEL, together="c", more_resistance=1)
    sides = action.sides(world)
    assert (sides["c"].joins, sides["c"].count("base"), sides["c"].count("resistance")) == ("a", 1, 2)
    after = do(world, action, 6, 6, 3, 1, 5, 1, 3)
    roll = roll_of(after)
    assert (net(roll.sides["a"]), net(roll.sides["c"]), successes(roll, "a")) == (2, 0, 2)
    assert roll.verdicts["a"].winner == "a"
    worse = roll_of(do(world, action, 6, 6, 3, 1, 1, 1, 3))
    assert successes(worse, "a") == 1, "2 and −1"


def test_either_of_two_players_who_work_together_pays_the_price_for_both() -> None:
    world = small(a=1)
    waits = do(world, replace(DUEL, together="c"), 6, 1, 1, 1)
    assert payable(waits, roll_of(waits)) == ["a", "c"]
    paid = do(waits, Pay("c"))
    assert roll_of(paid).verdicts["a"].winner == "a"
    assert paid.now.people["c"].carried == 1


def test_a_mate_without_the_skill_says_which_one_they_use() -> None:
    world = small()
    sheets = {**world.sheets, "c": DramaSheet("Cy", "Cleo", attributes={"Mental": 2})}
    other = replace(world, sheets=sheets)
    with pytest.raises(Refused, match="Cy does not have Wits"):
        replace(DUEL, together="c").sides(other)
    assert replace(DUEL, together="c", together_using="Mental").sides(other)["c"].count("base") == 4


def test_nobody_does_two_things_in_one_test() -> None:
    for action in (replace(DUEL, hands=("c",), together="c"), replace(DUEL, hands=("c",), their_hands=("c",))):
        with pytest.raises(Refused, match="Cy cannot do two things in one test"):
            action.sides(small())
    with pytest.raises(Refused, match="gives to one side"):
        replace(DUEL, given_by=("c",), their_given_by=("c",), reason="a song").sides(small())


def test_whoever_does_one_thing_in_a_test_is_not_offered_another() -> None:
    so_far = {"who": "a", "against": "b", "hands": ("c",), "given_by": ("d",)}
    assert "c" not in [choice.value for choice in aides(small(), so_far)]
    assert {choice.value: choice.closed for choice in other_givers(small(), so_far)}["d"] == "gives to the other side"


def test_drama_dice_and_a_penalty_that_helps_are_open_to_the_other_side_too() -> None:
    world = do(small(), GainPenalty("b", "drink", 2))
    action = replace(DUEL, their_given_by=("c", "d"), reason="a song", their_turned="penalty-1")
    sides = action.sides(world)
    assert (sides["b"].count("drama"), sides["b"].count("resistance")) == (4, 0)


@pytest.mark.parametrize(
    "more",
    [{"hands": ("c",)}, {"together": "c"}, {"their_together": "d"}, {"together": "c", "more_resistance": 1}],
    ids=str,
)
def test_the_odds_of_opposed_tests_with_aid_equal_the_walk(more: dict[str, Any]) -> None:
    check_odds(ENGINE, small(), replace(DUEL, **more))
