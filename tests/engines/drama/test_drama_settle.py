"""A roll on the table: what 1s cost, and what can still be done about it where it helps."""

from __future__ import annotations

from drama_abbey import abbey, do, fresh, table

from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.campaign import DramaRules, DramaSheet, Skill
from tabletop_tui.engines.drama.challenge import MakeTest
from tabletop_tui.engines.drama.momentum import NameAdvantage
from tabletop_tui.engines.drama.opposed import Oppose
from tabletop_tui.engines.drama.outcome import payable, raisable
from tabletop_tui.engines.drama.settle import LetStand, Pay, Raise
from tabletop_tui.engines.drama.world import (
    DramaNow,
    DramaWorld,
    Penalty,
    Roll,
)
from tabletop_tui.kit.order import BeginEncounter
from tabletop_tui.rules import TableView


def roll_of(world: DramaWorld) -> Roll:
    assert world.now.roll is not None
    return world.now.roll


def view_of(world: DramaWorld) -> TableView:
    view = ENGINE.view("table", world)
    assert isinstance(view, TableView)
    return view


def small(**skills: int) -> DramaWorld:
    """Four people with one base die each and a skill of their own on top: pools small enough to walk."""
    sheets = {
        who: DramaSheet(name, player, attributes={"Social": 1}, skills={"Wits": Skill(skills.get(who, 0), "Social")})
        for who, name, player in (("a", "Ann", "Ana"), ("b", "Bo", ""), ("c", "Cy", "Cleo"), ("d", "Di", ""))
    }
    return DramaWorld(DramaRules(), DramaNow(), sheets)


DUEL = Oppose("a", "Wits", "b", "Wits")


def test_a_passion_backfires_on_two_1s() -> None:
    after = do(abbey(), MakeTest("joan", "Insight", passion="justice"), 5, 5, 5, 5, 1, 1, 1)
    assert after.now.people["joan"].penalties["penalty-1"] == Penalty("passion backfired", 4)


def test_the_outcome_names_who_rolled_whoever_is_up() -> None:
    world = do(abbey(), BeginEncounter(("joan", "hugh")))
    view = view_of(do(world, MakeTest("edmund", "Social"), 6, 6, 1, 1))
    assert view.banner == "Joan is up"
    assert view.outcome
    assert (view.outcome.title, view.outcome.detail) == ("success", "Brother Edmund, net 2")


def test_a_net_below_0_is_told_with_a_minus_sign() -> None:
    play = table(fresh())
    entry = play.do(MakeTest("edmund", "Social", more_resistance=2), [1, 1, 1, 1, 2, 2])
    assert [said.rpartition("net ")[2] for said in entry.said] == ["−2", "−2)"]
    view = view_of(play.world)
    assert view.outcome
    assert ([hand.total for hand in view.hands], view.outcome.detail) == (["net −2"], "Brother Edmund, net −2")


def test_two_1s_without_a_passion_cost_one_each() -> None:
    after = do(abbey(), MakeTest("joan", "Insight", more_drama=2), 5, 5, 5, 5, 1, 1, 1)
    assert after.now.people["joan"].carried == 2


def test_the_outcome_says_first_who_takes_which_penalty() -> None:
    test = MakeTest("joan", "Insight", passion="justice")
    view = view_of(do(abbey(), test, 5, 5, 5, 5, 1, 1, 1))
    assert view.outcome
    assert view.outcome.detail == "Joan: 4 penalty dice (passion backfired); Joan, net 2"
    waits = view_of(do(abbey(), test, 5, 5, 4, 3, 1, 1, 2))
    assert waits.prompt
    assert waits.prompt.text == "Net 1: marginal. Joan: 1 penalty die.", "before it counts, too"
    duel = Oppose("joan", "Insight", "hugh", "Social", more_drama=1, their_drama=1)
    both = view_of(do(abbey(), duel, 5, 5, 5, 5, 1, 1, *[1] * 6, 1))
    assert both.outcome
    assert both.outcome.detail == "Joan: 1 penalty die (drama); Prior Hugh: 1 penalty die (drama)"


def test_a_marginal_result_waits_and_the_price_makes_it_a_success() -> None:
    waits = do(abbey(), MakeTest("edmund", "Latin"), 5, 1, 1, 1, 1, 6)
    assert ENGINE.policy(waits) == LetStand()
    assert roll_of(do(waits, LetStand())).verdicts["edmund"].outcome == "marginal"
    paid = do(waits, Pay("edmund"))
    assert roll_of(paid).verdicts["edmund"].outcome == "success"
    assert paid.now.people["edmund"].carried == 1


def test_an_npc_has_nobody_to_pay_for_it() -> None:
    after = do(abbey(), MakeTest("porter", "Awareness"), 5, 1, 1, 6)
    assert roll_of(after).stage == "done"


def test_a_drama_point_makes_a_5_of_a_base_4_after_the_roll() -> None:
    world = abbey(price=0)
    waits = do(world, MakeTest("joan", "Insight"), 5, 4, 3, 1, 1)
    raised = do(waits, Raise("joan"))
    assert roll_of(raised).verdicts["joan"].outcome == "success"
    assert raised.now.people["joan"].drama_points == 1


def test_no_drama_point_is_spent_on_what_the_price_has_bought() -> None:
    paid = do(fresh(), Oppose("joan", "Social", "hugh", "Social"), 5, 4, 3, 3, 3, 3, *[1] * 6)
    roll = paid.now.roll
    assert roll is not None
    assert raisable(paid, roll) == ["joan"]
    after = do(paid, Pay("joan")).now
    assert after.roll is not None
    assert raisable(paid, after.roll) == []


def test_a_price_that_cannot_change_who_wins_is_not_offered() -> None:
    world = small(a=1, b=2)
    ahead = do(world, DUEL, 6, 1, 6, 6, 6, 3)
    assert roll_of(ahead).stage == "done", "two would lose against three"
    lost = do(do(world, NameAdvantage("b", "the high seat")), DUEL, 6, 1, 6, 6, 1, 3)
    assert roll_of(lost).stage == "done", "two to two, and the draw would be the other's"
    level = do(world, DUEL, 6, 1, 6, 6, 1, 3)
    assert payable(level, roll_of(level)) == ["a"], "the GM might pick her"
    mine = do(do(world, NameAdvantage("a", "the high seat")), DUEL, 6, 1, 6, 6, 1, 3)
    assert payable(mine, roll_of(mine)) == ["a"]


def test_a_drama_point_that_cannot_change_who_wins_is_not_offered() -> None:
    world = abbey()
    opposed = Oppose("joan", "Insight", "porter", "Mental")
    winning = do(world, opposed, 6, 6, 4, 1, 1, 1, 1)
    assert roll_of(winning).stage == "done", "she wins already"
    hopeless = do(world, Oppose("joan", "Insight", "hugh", "Authority"), 4, 1, 1, 1, 1, 6, 6, 6, 1, 1, 1)
    assert roll_of(hopeless).stage == "done", "a point and the price make two, and two lose against three"
    close = do(world, opposed, 6, 4, 4, 1, 1, 6, 6)
    assert raisable(close, roll_of(close)) == ["joan"], "Social 3 holds the draw at two"
    once = do(close, Raise("joan"))
    assert roll_of(once).verdicts["joan"].winner == "joan"


def test_a_point_on_a_test_that_stays_a_failure_is_not_offered() -> None:
    from tabletop_tui.engines.drama.challenge import MakeTest

    test = MakeTest("william", "Riding", difficulty="difficult")
    assert roll_of(do(abbey(), test, 4, 1, 1, 1, 1, 1, 3, 3, 3)).stage == "done", "−1 and one 4 make 0"
    waits = do(abbey(), test, 4, 1, 1, 1, 1, 3, 3, 3, 3)
    assert raisable(waits, roll_of(waits)) == ["william"], "0 and one 4 make a marginal result"


def test_let_it_stand_still_counts_what_lies_there() -> None:
    waits = do(small(a=1), DUEL, 6, 1, 1)
    assert roll_of(do(waits, LetStand())).verdicts["a"].outcome == "neither"


def test_the_reference_says_that_the_price_of_a_marginal_result_is_for_players() -> None:
    assert "a player may take a penalty die and it counts as 2" in " ".join(ENGINE.reference.split())
