"""Co-operative challenges: support, the roll, the outcome."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from playing import sure
from tiers_worlds import challenged, do, events_of, granted, hero, table, world

from tabletop_tui.engines.tiers.challenge import Close, DeclareBonus, Improvise, Lead, Open
from tabletop_tui.engines.tiers.challenge_roll import Reroll, RollChallenge, default_reroll, result_of
from tabletop_tui.engines.tiers.dice import default_rerolls
from tabletop_tui.engines.tiers.settle import Buy, Settle
from tabletop_tui.engines.tiers.support import GiveSupport, Supported, Withdraw, closed, opposing
from tabletop_tui.engines.tiers.views import challenge_view
from tabletop_tui.engines.tiers.views.roll import prompt as roll_prompt
from tabletop_tui.engines.tiers.world import (
    Challenge,
    Die,
    Plan,
    Side,
    Support,
    TiersRules,
    TiersScene,
)
from tabletop_tui.rules import Refused


@pytest.mark.parametrize(
    ("who", "how", "gives"),
    [
        ("rook", "direct", 1),
        ("sil", "direct", 2),  # charlie is above beta
        ("rook", "indirect", 1),
        ("sil", "indirect", 2),
        ("tam", "indirect", 1),
        ("tam", "prepare", 0),
        ("dov", "encourage", 0),
    ],
)
def test_what_each_support_gives(who: str, how: Any, gives: int) -> None:
    here = do(table(), GiveSupport(who, how))
    assert granted(here, who) == gives


def test_another_support_of_the_same_one_is_told_as_a_change() -> None:
    here = do(table(), GiveSupport("rook", "indirect"))
    other = Supported("rook", Support("encourage"))
    assert other.says(table()) == "Rook encourages the Lead: Fortunate"
    assert other.says(here) == "Rook now encourages the Lead: Fortunate"


def test_an_assist_counts_2_only_above_the_challenges_tier() -> None:
    assert granted(do(table("charlie"), GiveSupport("sil", "direct")), "sil") == 1
    assert granted(do(table("alpha"), GiveSupport("rook", "direct")), "rook") == 2


@pytest.mark.parametrize(
    ("who", "how"), [("tam", "direct"), ("dov", "direct"), ("dov", "indirect"), ("dov", "prepare")]
)
def test_a_supporter_must_have_the_skill(who: str, how: Any) -> None:
    with pytest.raises(Refused, match=r"no (Warding|other skill)"):
        do(table(), GiveSupport(who, how))


def test_indirect_assistance_and_preparation_need_another_skill_than_the_leads() -> None:
    with pytest.raises(Refused, match="skill cannot be 'Warding'"):
        do(table(), GiveSupport("rook", "indirect", "Warding"))
    with pytest.raises(Refused, match="skill cannot be 'Lore'"):
        do(table(), GiveSupport("rook", "direct", "Lore"))


def test_the_lead_cannot_support_and_everybody_supports_once() -> None:
    with pytest.raises(Refused, match="leads"):
        do(table(), GiveSupport("mira", "encourage"))
    here = do(do(table(), GiveSupport("rook", "direct")), GiveSupport("rook", "encourage"))
    assert {w: s.how for w, s in sure(here.now.challenge).supports.items()} == {"rook": "encourage"}


def test_indirect_assistance_is_twice_a_challenge_and_three_times_in_a_complex_one() -> None:
    here = do(do(table(), GiveSupport("rook", "indirect")), GiveSupport("sil", "indirect"))
    assert "twice" in closed(here, "tam", "indirect")
    here = do(do(table(keywords=("complex",)), GiveSupport("rook", "indirect")), GiveSupport("sil", "indirect"))
    here = do(here, GiveSupport("tam", "indirect"))
    assert "three times" in closed(here, "una", "indirect")


def test_failure_preparation_is_increase_1_and_2_points_at_once_and_is_not_taken_back() -> None:
    here = do(table(), GiveSupport("tam", "prepare"))
    assert here.now.complications == 2
    assert opposing(here, sure(here.now.challenge)) == 5
    with pytest.raises(Refused, match="paid for"):
        do(here, Withdraw("tam"))
    with pytest.raises(Refused, match="prepared"):
        do(here, GiveSupport("tam", "encourage"))
    with pytest.raises(Refused, match="prepared for failure"):
        do(here, Lead("tam", "Lore"))


def test_a_time_sensitive_challenge_takes_no_preparation() -> None:
    with pytest.raises(Refused, match="time-sensitive"):
        do(table(keywords=("time-sensitive",)), GiveSupport("tam", "prepare"))


def test_in_a_delicate_challenge_reduce_is_always_1() -> None:
    here = do(table(keywords=("delicate",)), GiveSupport("sil", "indirect"))
    assert granted(here, "sil") == 1
    assert granted(do(table(keywords=("delicate",)), GiveSupport("sil", "direct")), "sil") == 2


def test_reroll_does_not_stack_and_reduce_and_increase_are_netted() -> None:
    here = do(do(table(), GiveSupport("rook", "direct")), GiveSupport("sil", "direct"))
    here = do(here, RollChallenge(), 1, 2, 3, 1, 1, 1, 1)
    assert sure(here.now.roll).rerolls == 2
    here = challenged("beta", 4, "beta", 3, reduce=3, prepared=2)
    assert here.now.challenge is not None
    assert opposing(here, sure(here.now.challenge)) == 3


@pytest.mark.parametrize(("least", "dice"), [(1, 1), (0, 0)])
def test_the_opposing_pool_never_falls_below_the_least(least: int, dice: int) -> None:
    here = challenged("beta", 2, "beta", 3, reduce=4, rules=TiersRules(least_opposition=least))
    assert here.now.challenge is not None
    assert opposing(here, sure(here.now.challenge)) == dice
    here = do(here, RollChallenge(), 3, 2, 1, *([2] * dice))
    assert here.now.roll is not None
    assert here.now.roll.margin == (1 if dice else 3)


def test_the_order_of_a_roll_fortunate_then_reroll_then_explosions_then_compare() -> None:
    here = challenged("beta", 2, "beta", 3, rerolls=1, fortunate=True)
    # 1 is natural and falls again as 6; 2 is rerolled by choice to 6; both explode, with the gate's own 6
    here = do(here, RollChallenge(), 1, 2, 3, 6, 4, 6)
    assert here.now.roll is not None
    assert (here.now.roll.stage, [d.face for d in here.now.roll.first.dice]) == ("reroll", [6, 2, 3])
    with pytest.raises(Refused, match="rerolled already"):
        do(here, Reroll((0,)))
    with pytest.raises(Refused, match="too many to reroll"):
        do(here, Reroll((1, 2)))
    here = do(here, Reroll((1,)), 6, 2, 3, 5)
    assert here.now.roll is not None
    assert [d.value for d in here.now.roll.first.dice] == [8, 9, 3]
    assert [d.value for d in here.now.roll.second.dice] == [11, 4]
    assert (here.now.roll.winner, here.now.roll.margin) == ("second", 2)


def test_fortunate_rerolls_natural_ones_once_only() -> None:
    here = do(challenged("beta", 1, "beta", 2, fortunate=True), RollChallenge(), 1, 3, 5, 1)
    assert here.now.roll is not None
    assert [d.face for d in here.now.roll.first.dice] == [1, 3]


def test_an_omega_die_shows_no_natural_one() -> None:
    here = do(challenged("beta", 1, "omega", 1, fortunate=True), RollChallenge(), 1, 1, 5)
    assert here.now.roll is not None
    assert [d.face for d in here.now.roll.first.dice] == [2]


D = Die


@pytest.mark.parametrize(
    ("dice", "n", "goes"),
    [
        ([D("beta", 2), D("beta", 5), D("beta", 3)], 1, (0,)),
        ([D("beta", 2), D("beta", 5), D("beta", 3)], 2, (0, 2)),
        ([D("beta", 6), D("beta", 6), D("beta", 3)], 2, (2,)),  # those at their maximum stay
        ([D("beta", 5), D("beta", 5)], 1, (1,)),  # of equals one is kept
        ([D("beta", 4), D("charlie", 4)], 1, (1,)),  # of equal faces the smaller die is kept
        ([D("beta", 6), D("charlie", 7)], 1, (1,)),  # a die at its maximum counts above any other
        ([D("beta", 5), D("beta", 2), D("charlie", 2)], 1, (2,)),  # of equal faces the larger goes first
        ([D("beta", 1, rerolled=True), D("beta", 2), D("beta", 3)], 2, (1,)),  # none twice
        ([D("beta", 3)], 1, (0,)),  # a lone die: half its faces or fewer
        ([D("beta", 4)], 1, ()),
        ([D("beta", 3, rerolled=True)], 2, ()),
        ([D("omega", 13)], 1, (0,)),
        ([D("omega", 14)], 1, ()),
        ([D("beta", 1), D("beta", 2)], 0, ()),
    ],
)
def test_the_reroll_that_is_offered_first(dice: list[Die], n: int, goes: tuple[int, ...]) -> None:
    assert default_rerolls(TiersRules(), Side("Mira", "A", "beta", 3, tuple(dice)), n) == goes


def test_the_lead_may_reroll_other_dice_than_those_offered_or_none() -> None:
    here = do(challenged("beta", 1, "beta", 2, rerolls=1), RollChallenge(), 2, 5, 3)
    assert here.now.roll is not None
    assert default_reroll(here, here.now.roll) == Reroll((0,))
    kept, other = do(here, Reroll()), do(here, Reroll((1,)), 1)
    assert kept.now.roll is not None
    assert other.now.roll is not None
    assert (kept.now.roll.first.result, other.now.roll.first.result) == (5, 2)


@pytest.mark.parametrize(
    ("won", "margin", "prepared", "keywords", "result", "complication"),
    [
        (True, 3, False, (), "success", ""),
        (True, 0, True, ("unstable",), "success", ""),
        (False, 0, False, (), "with complications", "full"),
        (False, 3, False, (), "with complications", "full"),
        (False, 3, True, (), "reduced complications", "reduced"),
        (False, 4, False, (), "failure", ""),
        (False, 9, True, (), "failure", ""),
        (False, 3, True, ("unstable",), "with complications", "full"),
        (False, 3, False, ("unstable",), "with complications", "full"),
        (False, 4, True, ("unstable",), "failure", "full"),
    ],
)
def test_the_outcomes(
    won: bool, margin: int, prepared: bool, keywords: tuple[Any, ...], result: str, complication: str
) -> None:
    supports = {"tam": Support("prepare", "Lore")} if prepared else {}
    challenge = Challenge(Plan("Hold", "beta", 4, keywords=keywords), "mira", "Warding", supports=supports)
    assert result_of(challenge, won, margin) == (result, complication)


def test_an_outright_failure_leaves_the_lead_a_temporary_penalty() -> None:
    here = challenged("beta", 1, "alpha", 1)
    here = do(do(here, RollChallenge(), 1, 5), Settle())
    assert here.now.challenge is not None
    assert here.now.challenge.outcome == "failure"
    (carried,) = here.now.people["mira"].consequences.values()
    assert not carried.lasting
    for faces, outcome in (((1, 4), "with complications"), ((3, 2), "success")):
        after = do(do(challenged("beta", 1, "alpha", 1), RollChallenge(), *faces), Settle())
        assert after.now.challenge is not None
        assert after.now.challenge.outcome == outcome
        assert not after.now.people["mira"].consequences


def test_a_tie_in_a_challenge_counts_its_dice_as_written() -> None:
    reduced = challenged("beta", 4, "beta", 3, reduce=2)
    after = do(reduced, RollChallenge(), 5, 1, 1, 5, 1)
    assert after.now.roll is not None
    assert after.now.roll.winner == "second"  # rank 3 against 4 dice as written, though only 2 fall
    pooled = replace(reduced, rules=TiersRules(tie_rank="pool"))
    after = do(pooled, RollChallenge(), 5, 1, 1, 5, 1)
    assert after.now.roll is not None
    assert after.now.roll.winner == "first"


def test_the_lead_cannot_buy_success_but_may_add_a_bonus_die() -> None:
    here = do(table(), DeclareBonus(True))
    here = do(here, RollChallenge(), 1, 1, 1, 2, 5, 5, 5, 5)
    assert here.now.people["mira"].bonus_dice == 0
    with pytest.raises(Refused, match="cannot buy success"):
        do(here, Buy())


def test_prepared_challenges_are_opened_from_their_scene_and_put_away() -> None:
    plan = Plan("Hold", "beta", 4, "the gate", hidden=True)
    here = world({"gate": TiersScene("Gate", challenges={"hold": plan})}, mira=hero("Mira", A={"alpha": 1}))
    here = do(here, Open("gate/hold"))
    assert here.now.challenge == Challenge(plan)
    assert do(here, Close()).now.challenge is None


def test_nothing_of_a_challenge_can_be_changed_once_the_dice_have_fallen() -> None:
    here = do(table(), RollChallenge(), 1, 1, 1, 2, 2, 2, 2)
    for action in (Lead("rook", "Warding"), GiveSupport("rook", "direct"), DeclareBonus(True), RollChallenge()):
        with pytest.raises(Refused, match="the dice have fallen"):
            do(here, action)


# ---- nothing open is dropped unasked


def test_an_open_challenge_is_dropped_only_after_a_question_and_with_a_line() -> None:
    here = table()
    for kind in (Open, Improvise, Close):
        assert kind.warns(here) == "Hold is not over. Drop it?"
    events, after = events_of(here, Improvise("Climb", "alpha", 2))
    assert [e.says(here) for e in events] == ["Hold is dropped", "Challenge: Climb (alpha, 2 dice)"]
    assert after.now.challenge is not None
    assert after.now.challenge.plan.name == "Climb"


def test_a_challenge_that_is_over_is_replaced_without_a_word() -> None:
    here = do(do(table(), RollChallenge(), 5, 5, 5, 1, 1, 1, 1), Settle())
    for kind in (Open, Improvise, Close):
        assert kind.warns(here) == ""
    events, _ = events_of(here, Improvise("Climb", "alpha", 2))
    assert len(events) == 1


# ---- supports follow the sheet


def test_supports_follow_the_sheet_when_it_is_edited() -> None:
    here = do(do(table(), GiveSupport("rook", "direct")), GiveSupport("sil", "indirect"))
    assert (granted(here, "rook"), granted(here, "sil"), opposing(here, sure(here.now.challenge))) == (1, 2, 2)
    better = replace(here.sheets["rook"], skills={"Warding": {"charlie": 1}})
    worse = replace(here.sheets["sil"], skills={"Lore": {"alpha": 1}})
    edited = replace(here, sheets={**here.sheets, "rook": better, "sil": worse})
    assert (granted(edited, "rook"), granted(edited, "sil")) == (2, 1)
    assert opposing(edited, sure(edited.now.challenge)) == 3


def test_a_support_whose_skill_is_gone_closes_the_roll() -> None:
    here = do(table(), GiveSupport("rook", "direct"))
    gone = replace(here, sheets={**here.sheets, "rook": replace(here.sheets["rook"], skills={})})
    assert granted(gone, "rook") == 0
    with pytest.raises(Refused, match="Rook no longer has Warding: withdraw their support"):
        do(gone, RollChallenge())


# ---- what went wrong is in the log


def test_an_improvised_challenge_has_everything_that_a_prepared_one_has() -> None:
    here = world(mira=hero("Mira", A={"alpha": 1}))
    here = do(here, Improvise("Hold", "beta", 1, "the gate", ("unstable",), True, "a hinge gives", "a sprain"))
    assert here.now.challenge is not None
    plan = Plan("Hold", "beta", 1, "the gate", ("unstable",), True, "a hinge gives", "a sprain")
    assert here.now.challenge.plan == plan


@pytest.mark.parametrize(
    ("faces", "prepared", "keywords", "told"),
    [
        ((3, 1), 0, (), "Hold: SUCCESS (margin 2)"),
        ((1, 3), 0, (), "Hold: SUCCESS WITH COMPLICATIONS (margin 2): a hinge gives"),
        ((1, 3, 1), 1, (), "Hold: SUCCESS WITH REDUCED COMPLICATIONS (margin 2): a hinge gives (softened)"),
        ((1, 5), 0, (), "Hold: FAILURE (margin 4)"),
        ((1, 5), 0, ("unstable",), "Hold: FAILURE and a full complication (margin 4): a hinge gives"),
    ],
)
def test_what_a_complication_was_is_in_the_log(faces: Any, prepared: int, keywords: Any, told: str) -> None:
    here = challenged("beta", 1, "alpha", 1, prepared=prepared)
    assert here.now.challenge is not None
    plan = Plan("Hold", "beta", 1, "", keywords, False, "a hinge gives", "a sprain")
    here = do(here.live(challenge=replace(here.now.challenge, plan=plan)), RollChallenge(), *faces)
    events, _ = events_of(here, Settle())
    said = [words for e in events if (words := e.says(here))]
    assert said[0] == told
    if "FAILURE" in told:
        assert said[1] == "Mira: Consequence (1 session): a sprain"


@pytest.mark.parametrize(("face", "labels"), [(5, ["keep the dice"]), (2, ["reroll and go on", "keep the dice"])])
def test_what_enter_does_at_the_reroll_is_called_what_it_is(face: int, labels: list[str]) -> None:
    here = do(challenged("beta", 1, "beta", 1, rerolls=1), RollChallenge(), face, 3)
    prompt = sure(roll_prompt(here))
    assert [option.label for option in prompt.options] == labels
    assert prompt.pick == "dice", "another choice is open"


# ---- another Lead


def test_what_is_prepared_is_not_dropped_with_the_lead_before_a_question() -> None:
    here = table()
    assert not Lead.warns(here)
    assert not Lead.warns(do(here, GiveSupport("sil", "prepare"))), "what is paid for stays"
    with_die = do(here, DeclareBonus())
    assert Lead.warns(with_die) == "Change the Lead? That drops the Bonus Die."
    helped = do(with_die, GiveSupport("rook", "direct"))
    assert Lead.warns(helped) == "Change the Lead? That drops the Bonus Die and help that no longer fits."


def test_whoever_leads_already_is_not_offered_as_the_lead_with_the_same_skill() -> None:
    shut = {o.action: o.closed for o in challenge_view(table()).leads}
    assert shut[Lead("mira", "Warding")] == "leads already"
    assert not shut[Lead("rook", "Warding")]
