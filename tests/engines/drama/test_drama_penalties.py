"""Penalty dice: levels, causes, being broken."""

from __future__ import annotations

import pytest
from drama_abbey import abbey, do

from tabletop_tui.engines.drama.building import side
from tabletop_tui.engines.drama.challenge import MakeTest
from tabletop_tui.engines.drama.penalties import GainPenalty, Override, level
from tabletop_tui.engines.drama.world import DramaWorld, Entry, Penalty, Person
from tabletop_tui.rules import Refused, check


def drinker(dice: int) -> DramaWorld:
    world = abbey()
    return world.live(people={"joan": Person({"penalty-1": Penalty("drink", dice)}, 2)})


def test_penalties_weigh_on_every_test_and_may_help_for_once() -> None:
    assert side(drinker(2), "joan", Entry("Social")).count("resistance") == 2
    helped = side(drinker(2), "joan", Entry("Social", turned="penalty-1"))
    assert (helped.count("resistance"), helped.count("drama")) == (0, 2)


@pytest.mark.parametrize(
    ("dice", "word"), [(0, ""), (1, "distracted"), (3, "distracted"), (4, "shaken"), (7, "stressed"), (10, "broken")]
)
def test_levels_of_penalty(dice: int, word: str) -> None:
    assert level(dice) == word


def test_the_broken_cannot_act_until_the_gm_says_so() -> None:
    world = drinker(10)
    with pytest.raises(Refused, match="broken by 10 penalty dice"):
        check(MakeTest("joan", "Insight"), world)
    check(MakeTest("joan", "Insight"), do(world, Override("joan")))


def test_the_same_cause_adds_up() -> None:
    world = do(drinker(2), GainPenalty("joan", "Drink", 1))
    assert world.now.people["joan"].penalties == {"penalty-1": Penalty("drink", 3)}
