"""Rolling: explosions, what 1s cost, choices after the dice, momentum, splits, penalties, pools."""

from __future__ import annotations

import pytest
from drama_abbey import abbey, do
from msgspec.structs import replace

from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.after import Favour, LetStand, Pay, Raise
from tabletop_tui.engines.drama.building import DIFFICULTIES, foundation, side
from tabletop_tui.engines.drama.dice import net, side_words, throw
from tabletop_tui.engines.drama.lines import EndEncounter, NameAdvantage
from tabletop_tui.engines.drama.penalties import GainPenalty, Override, Relieve, Rest, level
from tabletop_tui.engines.drama.points import Award, MovePool
from tabletop_tui.engines.drama.trial import MakeTest, Oppose, Split
from tabletop_tui.engines.drama.world import (
    DramaSheet,
    DramaWorld,
    Entry,
    Penalty,
    Person,
    Piece,
    Roll,
    Side,
    Skill,
)
from tabletop_tui.rules import Dice, Refused, TableView, check
from tabletop_tui.rules.order import BeginEncounter


def roll_of(world: DramaWorld) -> Roll:
    assert world.now.roll is not None
    return world.now.roll


def test_a_drama_6_rolls_on_again_and_again() -> None:
    fallen = throw(Dice((6, 6, 6, 2)), Side("x", "X", (Piece("risk", drama=1),)))
    assert fallen.dice[0].again == (6, 6, 2)
    assert net(fallen) == 3
    assert "6→6→6→2" in side_words(fallen)


def test_a_chain_of_6s_stops_at_100_dice_and_says_so() -> None:
    fallen = throw(Dice((6,) * 103), Side("x", "X", (Piece("risk", drama=3),)))
    assert sum(len(d.again) for d in fallen.dice) == 100
    assert "the chain of 6s stops at 100 dice" in side_words(fallen)


def test_dice_that_a_cut_chain_leaves_lying_are_told_too() -> None:
    faces = (*[6] * 60, *[6] * 60, *[2] * 40)
    assert throw(Dice(faces), Side("x", "X", (Piece("risk", drama=60),))).chain_cut


def test_a_pool_of_too_many_dice_is_refused_in_a_sentence() -> None:
    with pytest.raises(Refused, match="1000 base dice for X are too many"):
        throw(Dice(()), Side("x", "X", (Piece("typo", 1000),)))


def test_a_passion_backfires_on_two_1s() -> None:
    after = do(abbey(), MakeTest("joan", "Insight", passion="justice"), 5, 5, 5, 5, 1, 1, 1)
    assert after.now.people["joan"].penalties["penalty-1"] == Penalty("passion backfired", 4)


def test_two_1s_without_a_passion_cost_one_each() -> None:
    after = do(abbey(), MakeTest("joan", "Insight", more_drama=2), 5, 5, 5, 5, 1, 1, 1)
    assert after.now.people["joan"].carried == 2


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


def test_drama_points_before_the_roll() -> None:
    world = abbey()
    for point, dice in (("plain", 1), ("connection", 2), ("advantage:The bishop's letter", 3)):
        assert side(world, "joan", Entry("Insight", point=point)).count("drama") == dice
    after = do(world, MakeTest("joan", "Insight", point="plain"), 5, 5, 3, 3, 3, 3)
    assert after.now.people["joan"].drama_points == 1
    with pytest.raises(Refused, match="cannot be spent"):
        side(world, "joan", Entry("Insight", point="advantage:A dragon"))


def test_the_table_of_difficulties() -> None:
    found = {name: (p.base, p.resistance) for name, p in DIFFICULTIES.items()}
    assert found == {
        "very easy": (4, 0),
        "straightforward": (2, 0),
        "some": (0, 0),
        "troublesome": (0, 2),
        "difficult": (0, 4),
        "very challenging": (0, 6),
        "extremely hard": (0, 8),
        "formidable": (0, 10),
    }


@pytest.mark.parametrize(
    ("attribute", "skill", "rule", "dice"),
    [
        (3, 3, "lower", 0),
        (2, 3, "lower", 1),
        (2, 3, "half", 0),
        (1, 3, "half", 1),
        (0, 3, "lower", 2),
        (-1, 1, "half", 2),
    ],
)
def test_weak_attributes(attribute: int, skill: int, rule: str, dice: int) -> None:
    sheet = DramaSheet("X", attributes={"Agility": attribute}, skills={"Dance": Skill(skill, "Agility")})
    world = replace(abbey(weak_attribute=rule), sheets={"x": sheet})
    pieces, _ = foundation(world, "x", Entry("Dance"))
    assert sum(p.resistance for p in pieces) == dice


@pytest.mark.parametrize(
    ("count", "attribute", "how", "want"),
    [(1, 2, "direct", (3, 0)), (5, 3, "direct", (6, 0)), (3, 2, "indirect", (5, 4)), (2, 0, "direct", (2, 2))],
)
def test_backgrounds(count: int, attribute: int, how: str, want: tuple[int, int]) -> None:
    sheet = DramaSheet("X", attributes={"Mental": attribute}, backgrounds={"Court": count})
    pieces, _ = foundation(replace(abbey(), sheets={"x": sheet}), "x", Entry(f"{how}:Court", "Mental"))
    assert (sum(p.base for p in pieces), sum(p.resistance for p in pieces)) == want


def test_a_resisted_test_takes_the_targets_skill_as_resistance() -> None:
    action = MakeTest("joan", "Insight", difficulty="troublesome", resisted_by="hugh", resist="Authority")
    with pytest.raises(Refused, match="cannot resist with"):
        do(abbey(), replace(action, resist="Juggling"))
    after = do(abbey(), action, *[3] * 5, *[3] * 5)
    assert roll_of(after).sides["joan"].count("resistance") == 5


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


def test_rest_takes_a_die_every_three_hours_and_a_cause_can_go() -> None:
    world = do(drinker(2), GainPenalty("joan", "cold", 3))
    rested = do(world, Rest("joan", 8))
    assert rested.now.people["joan"].penalties == {"penalty-2": Penalty("cold", 3)}
    assert do(rested, Relieve("joan", "penalty-2")).now.people["joan"].carried == 0
    with pytest.raises(Refused, match="too short"):
        do(world, Rest("joan", 2))


def test_the_same_cause_adds_up() -> None:
    world = do(drinker(2), GainPenalty("joan", "Drink", 1))
    assert world.now.people["joan"].penalties == {"penalty-1": Penalty("drink", 3)}


def test_points_and_pools_move_within_their_bounds() -> None:
    world = do(do(abbey(), Award("joan", 2)), MovePool("joan", "grit", -9))
    assert (world.now.people["joan"].drama_points, world.now.people["joan"].grit) == (4, 0)
    with pytest.raises(Refused, match="does not fit"):
        do(world, Award("joan", -5))


# ---- momentum

ARGUE = Oppose("joan", "Social", "hugh", "Social")
LEVEL = (5, 5, 1, 1, 1, 1, 6, 6, 1, 1, 1, 1)


def test_a_draw_level_in_everything_waits_for_the_gm() -> None:
    waits = do(abbey(), ARGUE, *LEVEL)
    assert roll_of(waits).stage == "choose"
    assert roll_of(do(waits, LetStand())).verdicts["joan"].winner == "joan"
    given = do(waits, Favour("hugh", "the prior's chair"))
    assert roll_of(given).verdicts["joan"].winner == "hugh"
    assert "the GM picks" in roll_of(given).verdicts["joan"].by


def test_a_draw_goes_to_the_higher_attribute() -> None:
    action = Oppose("joan", "Insight", "william", "Awareness")
    after = do(abbey(), action, 5, 5, 1, 1, 1, 6, 6, 1, 1)
    assert roll_of(after).verdicts["joan"].by == "momentum: the higher attribute"


def test_a_draw_goes_to_an_advantage_that_the_gm_named() -> None:
    after = do(do(abbey(), NameAdvantage("hugh", "his own parlour")), ARGUE, *LEVEL)
    assert roll_of(after).verdicts["joan"].winner == "hugh"


def test_in_an_encounter_the_last_winner_has_momentum_and_loses_it_at_its_end() -> None:
    world = do(abbey(), BeginEncounter(("joan", "hugh")))
    world = do(world, ARGUE, *[1] * 6, 6, 6, 1, 1, 1, 1)
    assert world.now.momentum == "hugh"
    view = ENGINE.view("table", world)
    assert isinstance(view, TableView)
    assert view.facts == ("round 1", "momentum: Prior Hugh")
    drawn = do(world, ARGUE, *LEVEL)
    assert roll_of(drawn).verdicts["joan"].by == "momentum: won the last round"
    assert do(drawn, EndEncounter()).now.momentum == ""


# ---- splitting


def test_a_split_pool_meets_each_opponent_with_its_part_and_all_resistance() -> None:
    world = do(abbey(), GainPenalty("william", "cold", 2))
    sides = Split("william", "Hunting", ("hugh", "porter"), shares="4 2").sides(world)
    assert [(s.count("base"), s.count("resistance")) for s in sides.values() if s.who == "william"] == [
        (4, 2),
        (2, 2),
    ]
    after = do(world, Split("william", "Hunting", ("hugh", "porter")), *[6, 6, 6, 3, 3], *[1] * 6, *[1] * 5, *[6] * 6)
    assert [v.winner for v in roll_of(after).verdicts.values()] == ["william-1", "porter"]


def test_resistance_can_be_divided_by_house_rule() -> None:
    world = do(abbey(split_resistance="divided"), GainPenalty("william", "cold", 3))
    sides = Split("william", "Hunting", ("hugh", "porter")).sides(world)
    assert [s.count("resistance") for s in sides.values() if s.who == "william"] == [2, 1]


@pytest.mark.parametrize(
    ("against", "shares", "sentence"),
    [
        (("hugh",), "", "two opponents or more"),
        (("hugh", "porter"), "5 0", "does not split"),
        (("hugh", "porter"), "-1 7", "whole numbers"),
        (("hugh", "porter"), "1000 2", "whole numbers"),
        (("hugh", "porter", "joan"), "3 3", "does not split"),
    ],
)
def test_bad_shares(against: tuple[str, ...], shares: str, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        Split("william", "Hunting", against, shares=shares).sides(abbey())
