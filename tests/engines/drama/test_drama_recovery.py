"""Recovering from penalty dice, and what the last Grit costs."""

from __future__ import annotations

from typing import Any

import pytest
from drama_abbey import abbey, do

from tabletop_tui.conformance import check_odds
from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.penalties import GainPenalty, Relieve
from tabletop_tui.engines.drama.points import MovePool
from tabletop_tui.engines.drama.recovery import Recover, Rest, RestAll
from tabletop_tui.engines.drama.settle import Pay, Raise
from tabletop_tui.engines.drama.world import DramaWorld, Penalty, Person, person
from tabletop_tui.rules import Refused


def weary(dice: int = 2, **rules: Any) -> DramaWorld:
    world = abbey(**rules)
    for who in ("joan", "william", "hugh"):
        world = do(world, GainPenalty(who, "cold", dice))
    return world


def test_the_whole_party_rests_at_once() -> None:
    world = do(weary(3), RestAll(6))
    assert [person(world, who).carried for who in ("joan", "william", "edmund", "hugh")] == [1, 1, 0, 3]
    assert RestAll.when(abbey()) == "nobody of the party carries penalty dice"
    with pytest.raises(Refused, match="too short"):
        do(weary(), RestAll(2))


def test_a_recovery_test_is_physical_alone_against_nothing_but_penalties() -> None:
    (pool,) = Recover("william").sides(weary()).values()
    assert (pool.count("base"), pool.count("resistance"), pool.count("drama")) == (4, 2, 0)


def test_success_at_recovering_takes_one_die_more() -> None:
    recovered = do(weary(), Recover("william"), 6, 6, 1, 1, 3, 3)
    assert person(recovered, "william").penalties == {"penalty-1": Penalty("cold", 1)}
    assert person(do(weary(), Recover("william"), *[1] * 4, 3, 3), "william").carried == 2
    both = do(weary(recovery_dice=2), Recover("william"), 6, 6, 1, 1, 3, 3)
    assert person(both, "william").carried == 0


def test_a_price_that_costs_what_recovering_brings_is_not_offered() -> None:
    marginal = do(weary(), Recover("joan"), 6, 1, 3, 3)
    assert ENGINE.policy(marginal) is None
    assert ENGINE.policy(do(weary(recovery_dice=2), Recover("joan"), 6, 1, 3, 3)) is not None
    lifted = do(weary(), Recover("william"), 6, 4, 1, 1, 3, 3)
    assert person(do(lifted, Raise("william")), "william").carried == 1


@pytest.mark.long
def test_the_odds_of_recovering_equal_the_walk() -> None:
    check_odds(ENGINE, weary(1), Recover("joan"))
    check_odds(ENGINE, weary(2), Recover("william"))


def test_spending_the_last_grit_brings_fatigue() -> None:
    world = do(abbey(), MovePool("william", "grit", -3))
    assert person(world, "william").carried == 0
    spent = do(world, MovePool("william", "grit", -1))
    assert person(spent, "william").penalties == {"penalty-1": Penalty("fatigue", 1)}
    assert person(do(abbey(grit_penalty=0), MovePool("william", "grit", -4)), "william").carried == 0
    assert person(do(abbey(), MovePool("william", "flesh", -4)), "william").carried == 0


def drinker(dice: int) -> DramaWorld:
    world = abbey()
    return world.live(people={"joan": Person({"penalty-1": Penalty("drink", dice)}, 2)})


def test_rest_takes_a_die_every_three_hours_and_a_cause_can_go() -> None:
    world = do(drinker(2), GainPenalty("joan", "cold", 3))
    rested = do(world, Rest("joan", 8))
    assert rested.now.people["joan"].penalties == {"penalty-2": Penalty("cold", 3)}
    assert do(rested, Relieve("joan", "penalty-2")).now.people["joan"].carried == 0
    with pytest.raises(Refused, match="dice 0 is out of range"):
        do(rested, Relieve("joan", "penalty-2", 0))
    with pytest.raises(Refused, match="too short"):
        do(world, Rest("joan", 2))


def test_a_price_smaller_than_what_recovering_brings_can_be_paid_and_a_point_may_lead_to_it() -> None:
    marginal = do(weary(3, recovery_dice=2), Recover("william"), 6, 1, 1, 1, 3, 3, 3)
    assert person(do(marginal, Pay("william")), "william").carried == 2
    raised = do(do(weary(3, recovery_dice=2), Recover("william"), 4, 1, 1, 1, 3, 3, 3), Raise("william"))
    assert person(do(raised, Pay("william")), "william").carried == 2


def test_no_point_is_offered_for_a_recovery_that_takes_nothing_away() -> None:
    rolled = do(weary(recovery_dice=0), Recover("william"), 6, 4, 1, 1, 3, 3)
    assert rolled.now.roll is not None
    assert rolled.now.roll.stage == "done"
