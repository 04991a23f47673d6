"""What once started an argument: whose draw it is, who still counts, what a point is spent on."""

from __future__ import annotations

import pytest
from drama_abbey import abbey, arguing, by_night, do, fresh

from tabletop_tui.engines.drama.after import Favour, LetStand, Pay
from tabletop_tui.engines.drama.arguments import plan_closed
from tabletop_tui.engines.drama.contest import RollContest
from tabletop_tui.engines.drama.fallen import prompt
from tabletop_tui.engines.drama.lines import EndEncounter, NameAdvantage
from tabletop_tui.engines.drama.penalties import GainPenalty
from tabletop_tui.engines.drama.points import MovePool
from tabletop_tui.engines.drama.reading import raisable
from tabletop_tui.engines.drama.task import LendHand, RollTask
from tabletop_tui.engines.drama.trial import Oppose
from tabletop_tui.engines.drama.verdict import chain_words
from tabletop_tui.engines.drama.world import Complex, ComplexPlan, Dimension, person
from tabletop_tui.rules import Refused
from tabletop_tui.rules.common import Retire
from tabletop_tui.rules.order import BeginEncounter


def test_the_log_says_whether_the_gm_gave_the_draw_or_left_it() -> None:
    drawn = do(abbey(), Oppose("joan", "Social", "hugh", "Social"), 5, 5, 1, 1, 1, 1, 6, 6, 1, 1, 1, 1)
    asked = prompt(drawn)
    assert asked is not None
    assert asked.options[0].label == "let it stand, the draw to Joan"
    left = do(drawn, LetStand()).now.roll
    given = do(drawn, Favour("hugh")).now.roll
    assert left is not None
    assert given is not None
    assert "leaves it with whoever began" in left.verdicts["joan"].by
    assert "the GM picks" in given.verdicts["joan"].by


def test_a_named_advantage_ends_with_the_encounter() -> None:
    world = do(do(fresh(), BeginEncounter()), NameAdvantage("hugh", "holds the stairs"))
    assert world.now.favour == "hugh"
    assert do(world, EndEncounter()).now.favour == ""


def test_no_drama_point_is_spent_on_what_the_price_has_bought() -> None:
    paid = do(fresh(), Oppose("joan", "Social", "hugh", "Social"), 5, 4, 3, 3, 3, 3, *[1] * 6)
    roll = paid.now.roll
    assert roll is not None
    assert raisable(paid, roll) == ["joan"]
    after = do(paid, Pay("joan")).now
    assert after.roll is not None
    assert raisable(paid, after.roll) == []


def test_nobody_broken_or_gone_lends_a_hand() -> None:
    lent = do(by_night(), LendHand("joan"))
    for world in (do(lent, GainPenalty("joan", "exhaustion", 10)), do(lent, Retire("joan"))):
        with pytest.raises(Refused, match="Joan is"):
            do(world, RollTask(), *[1] * 20)


def test_a_contest_with_somebody_who_left_is_not_opened() -> None:
    plan = fresh().scenes["the-parlour"].contests["ledger"]
    assert plan_closed(fresh(), plan) == ""
    assert plan_closed(do(fresh(), Retire("hugh")), plan) == "Prior Hugh is not here"


def test_composure_brought_to_0_by_hand_yields() -> None:
    world = do(arguing(), MovePool("hugh", "composure", -99))
    with pytest.raises(Refused, match="no Composure left and yields"):
        do(world, RollContest(), *[1] * 30)


def test_a_pool_is_never_fuller_than_its_sheet() -> None:
    world = do(fresh(), MovePool("hugh", "composure", -2))
    assert person(do(world, MovePool("hugh", "composure", 20)), "hugh").composure == 6
    with pytest.raises(Refused, match="stays at 6 of its most"):
        do(fresh(), MovePool("hugh", "composure", 1))


@pytest.mark.parametrize(
    ("resistance", "words"),
    [
        (4, "lock: one attempt left, with 2 resistance dice less"),
        (1, "lock: one attempt left, with 1 resistance die less"),
        (0, "lock: one attempt left"),
    ],
)
def test_the_second_attempt_is_spared_what_there_is(resistance: int, words: str) -> None:
    lock = Dimension("lock", resistance)
    assert chain_words(Complex(ComplexPlan("night", (lock,)), tried=1), lock, False) == words
