"""Tables for every heading of the rules."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tiers_worlds import challenged, do, events_of, hero, npc, world

from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.engines.tiers.after import Buy, Claim, ForceReroll, Settle, Strike
from tabletop_tui.engines.tiers.challenge import Close, DeclareBonus, Improvise, Lead, Open
from tabletop_tui.engines.tiers.climax import Reroll, RollChallenge, default_reroll, result_of
from tabletop_tui.engines.tiers.contest import Attack, Oppose
from tabletop_tui.engines.tiers.dice import default_rerolls
from tabletop_tui.engines.tiers.points import AwardBonus, Boost, EndConsequence, ForcedSpend, Heal, Hurt, Spend
from tabletop_tui.engines.tiers.support import GiveSupport, Withdraw, closed, opposing
from tabletop_tui.engines.tiers.world import (
    Challenge,
    Consequence,
    Die,
    Person,
    Plan,
    Side,
    Support,
    TiersRules,
    TiersScene,
    hp_per_level,
    most_hp,
    multiplier,
    next_tier,
    rating,
    tier_of,
)
from tabletop_tui.rules import Refused

TIERS: Any = ("alpha", "beta", "charlie", "delta", "gamma", "omega")

# ---- dice


@pytest.mark.parametrize(
    ("tier", "top", "hp", "times"),
    [
        ("alpha", 4, 10, 1),
        ("beta", 6, 50, 5),
        ("charlie", 8, 250, 25),
        ("delta", 10, 1_250, 125),
        ("gamma", 12, 6_250, 625),
        ("omega", 26, 31_250, 3_125),
    ],
)
def test_each_tier_has_its_die_its_hp_and_its_multiplier(tier: Any, top: int, hp: int, times: int) -> None:
    rules = TiersRules()
    assert (hp_per_level(rules, tier), multiplier(rules, tier)) == (hp, times)
    here = world(mira=hero("Mira", levels={tier: 2}, A={tier: 1}), rook=hero("Rook", B={"alpha": 1}))
    assert most_hp(here, "mira") == 2 * hp
    # a die at its maximum is rolled once more, and the second roll never explodes
    faces = (6, 20) if tier == "omega" else (top,)
    here = do(here, Oppose("mira", "A", "rook", "B"), *faces, 1, *faces)
    assert here.now.roll is not None
    assert here.now.roll.first.result == 2 * top
    # one below its maximum it does not explode
    under = (6, 19) if tier == "omega" else (top - 1,)
    here = do(do(here, Settle()), Oppose("mira", "A", "rook", "B"), *under, 1)
    assert here.now.roll is not None
    assert here.now.roll.first.result == top - 1


def test_an_empty_pool_results_in_0() -> None:
    assert Side("nobody", "", "alpha", 1).result == 0


def test_items_roll_as_skills_do() -> None:
    here = world(mira=hero("Mira", A={"alpha": 1}), guard=npc("Guard", items={"Mail": {"beta": 2}}))
    here = do(here, Oppose("mira", "A", "guard", "Mail"), 3, 5, 1)
    assert here.now.roll is not None
    assert here.now.roll.second.result == 5


def test_a_lower_tier_of_a_skill_can_be_named() -> None:
    here = world(mira=hero("Mira", A={"alpha": 4, "beta": 1}))
    low, high = rating(here, "mira", "A:alpha"), rating(here, "mira", "A")
    assert low is not None
    assert high is not None
    assert (low.tier, low.rank) == ("alpha", 4)
    assert (high.tier, high.rank) == ("beta", 1)
    assert rating(here, "mira", "A:gamma") is None


# ---- opposed rolls


@pytest.mark.parametrize(
    ("mine", "theirs", "faces", "winner", "margin"),
    [
        (("alpha", 1), ("alpha", 1), (3, 2), "first", 1),
        (("alpha", 1), ("alpha", 1), (1, 3), "second", 2),
        (("alpha", 2), ("beta", 1), (3, 1, 3), "second", 0),  # higher tier
        (("beta", 1), ("alpha", 2), (3, 3, 1), "first", 0),
        (("alpha", 1), ("alpha", 2), (3, 3, 1), "second", 0),  # then higher rank
        (("alpha", 2), ("alpha", 1), (3, 1, 3), "first", 0),
        (("alpha", 2), ("alpha", 2), (3, 1, 1, 3), "first", 0),  # then the initiator
    ],
)
def test_the_higher_result_wins_and_ties_break_by_tier_rank_and_initiator(
    mine: tuple[str, int], theirs: tuple[str, int], faces: tuple[int, ...], winner: str, margin: int
) -> None:
    here = world(mira=hero("Mira", A=dict([mine])), guard=npc("Guard", B=dict([theirs])))
    here = do(here, Oppose("mira", "A", "guard", "B"), *faces)
    assert here.now.roll is not None
    assert (here.now.roll.winner, here.now.roll.margin) == (winner, margin)


def test_a_tie_counts_rank_with_legacy() -> None:
    here = world(mira=hero("Mira", A={"alpha": 5, "beta": 1}), guard=npc("Guard", B={"beta": 2}))
    here = do(here, Oppose("guard", "B", "mira", "A"), 3, 1, 3, 1)
    assert here.now.roll is not None
    assert here.now.roll.winner == "first"  # 2 against 1 + 1: the initiator


def test_a_tie_counts_rank_as_written_and_not_the_pool() -> None:
    here = world(mira=hero("Mira", bonus=1, A={"alpha": 2}), guard=npc("Guard", B={"alpha": 3}))
    pooled = replace(here, rules=TiersRules(tie_rank="pool"))
    action = Oppose("mira", "A", "guard", "B", bonus=True)
    for these, winner in ((here, "second"), (pooled, "first")):
        after = do(these, action, 1, 1, 3, 3, 1, 1)
        assert after.now.roll is not None
        assert after.now.roll.winner == winner


# ---- characters


def test_a_characters_tier_is_the_highest_in_which_they_have_a_level() -> None:
    here = world(
        mira=hero("Mira", levels={"beta": 1, "alpha": 5, "gamma": 0}), rook=hero("Rook", levels={"omega": 1})
    )
    assert (tier_of(here, "mira"), tier_of(here, "rook")) == ("beta", "omega")


@pytest.mark.parametrize(
    ("ranks", "tier", "rank"),
    [
        ({"alpha": 5, "beta": 1}, "beta", 2),
        ({"alpha": 4, "beta": 1}, "beta", 1),
        ({"alpha": 5, "beta": 5}, "beta", 5),  # the cap
        ({"alpha": 5, "charlie": 1}, "charlie", 1),  # one tier up only
        ({"beta": 5, "charlie": 3, "alpha": 5}, "charlie", 4),
        ({"alpha": 5}, "alpha", 5),
        ({"gamma": 5, "omega": 2}, "omega", 3),
    ],
)
def test_legacy(ranks: dict[str, int], tier: str, rank: int) -> None:
    found = rating(world(mira=hero("Mira", A=ranks)), "mira", "A")
    assert found is not None
    assert (found.tier, found.rank) == (tier, rank)


def test_legacy_is_a_matter_of_skills_and_not_of_items() -> None:
    found = rating(world(mira=hero("Mira", items={"Mail": {"alpha": 5, "beta": 1}})), "mira", "Mail")
    assert found is not None
    assert found.rank == 1


def test_hp_stop_at_0_and_healing_stops_at_the_most() -> None:
    here = world(mira=hero("Mira"))
    here = do(here, Hurt("mira", 1_000))
    assert here.now.people["mira"].hp == 0
    here = do(here, Heal("mira", 1_000))
    assert here.now.people["mira"].hp == 50


def test_whoever_is_out_cannot_roll() -> None:
    here = do(world(mira=hero("Mira", A={"alpha": 1}), rook=hero("Rook", B={"alpha": 1})), Hurt("mira", 50))
    with pytest.raises(Refused, match="out"):
        do(here, Oppose("mira", "A", "rook", "B"))


def test_damage_uses_the_attackers_own_tier_and_not_the_skills() -> None:
    here = world(
        mira=hero("Mira", levels={"alpha": 1}, A={"gamma": 1}),
        guard=npc("Guard", levels={"alpha": 2}, B={"alpha": 1}),
    )
    here = do(do(here, Attack("mira", "A", "guard", "B"), 11, 1), Settle())
    assert here.now.people["guard"].hp == 10


def test_a_lost_attack_and_a_win_on_a_tie_break_do_no_damage() -> None:
    here = world(mira=hero("Mira", A={"alpha": 1}), guard=npc("Guard", B={"alpha": 1}))
    for faces in ((1, 3), (2, 2)):
        after = do(do(here, Attack("mira", "A", "guard", "B"), *faces), Settle())
        assert after.now.people["guard"].hp == 50


# ---- Bonus Dice


@pytest.mark.parametrize(("tier", "up"), zip(TIERS, (*TIERS[1:], "omega"), strict=True))
def test_a_bonus_die_is_of_the_next_tier_up_and_omega_adds_omega(tier: Any, up: str) -> None:
    assert next_tier(tier) == up


def test_bonus_dice_are_awarded_to_all_players_or_to_those_named() -> None:
    here = world(mira=hero("Mira"), rook=hero("Rook"), guard=npc("Guard"))
    here = do(do(here, AwardBonus()), AwardBonus(("rook",), 2))
    assert {w: p.bonus_dice for w, p in here.now.people.items()} == {"mira": 1, "rook": 3, "guard": 0}


def test_a_bonus_die_that_nobody_has_is_refused() -> None:
    here = world(mira=hero("Mira", A={"alpha": 1}), guard=npc("Guard", B={"alpha": 1}))
    with pytest.raises(Refused, match="no Bonus Dice left"):
        do(here, Oppose("mira", "A", "guard", "B", bonus=True))
    with pytest.raises(Refused, match="are the players'"):
        do(here, Oppose("mira", "A", "guard", "B", their_bonus=True))


# ---- Complication Points


def lost(points: int = 0, **rules: Any) -> Any:
    """Mira has lost an opposed roll by 2."""
    here = world(rules=TiersRules(**rules), mira=hero("Mira", A={"alpha": 1}), guard=npc("Guard", B={"alpha": 1}))
    return do(here.live(complications=points), Oppose("mira", "A", "guard", "B"), 1, 3)


def test_a_player_who_turns_a_failure_into_a_success_gives_the_gm_2() -> None:
    here = do(lost(), Buy())
    assert here.now.complications == 2
    assert (here.now.roll.winner, here.now.roll.margin) == ("first", 1)
    assert do(here, Settle()).now.roll.outcome == "wins"


def test_only_a_players_failure_can_be_bought_off() -> None:
    here = world(mira=hero("Mira", A={"alpha": 1}), guard=npc("Guard", B={"alpha": 1}))
    here = do(here, Oppose("guard", "B", "mira", "A"), 1, 3)
    with pytest.raises(Refused, match="not a player's"):
        do(here, Buy())


@pytest.mark.parametrize(
    ("mine", "theirs", "faces", "may"),
    [
        ("alpha", "beta", (3, 1), True),
        ("alpha", "beta", (2, 1), False),  # by 1 is no upset
        ("alpha", "gamma", (3, 1), True),
        ("alpha", "alpha", (3, 1), False),
        ("beta", "alpha", (3, 1), False),
        ("alpha", "beta", (1, 3), False),
    ],
)
def test_a_lower_tier_that_wins_an_attack_by_2_or_more_lets_the_gm_claim_1(
    mine: str, theirs: str, faces: tuple[int, int], may: bool
) -> None:
    here = world(
        mira=hero("Mira", levels={mine: 1}, A={"alpha": 1}), guard=npc("Guard", levels={theirs: 1}, B={"alpha": 1})
    )
    here = do(here, Attack("mira", "A", "guard", "B"), *faces)
    assert (Claim.when(here) == "") is may
    if may:
        here = do(here, Claim())
        assert here.now.complications == 1
        with pytest.raises(Refused, match="claimed already"):
            do(here, Claim())


def test_1_point_makes_a_players_die_fall_again() -> None:
    here = world(mira=hero("Mira", A={"alpha": 1}), guard=npc("Guard", B={"alpha": 1})).live(complications=1)
    here = do(here, Oppose("mira", "A", "guard", "B"), 3, 2)
    here = do(here, ForceReroll("first/0"), 1)
    assert here.now.complications == 0
    assert here.now.roll is not None
    assert (here.now.roll.winner, here.now.roll.margin) == ("second", 1)
    with pytest.raises(Refused, match="costs 1"):
        do(here, ForceReroll("first/0"))


def test_a_die_that_falls_again_can_explode_and_the_gms_dice_cannot_be_named() -> None:
    here = world(mira=hero("Mira", A={"alpha": 1}), guard=npc("Guard", B={"alpha": 1})).live(complications=3)
    here = do(here, Oppose("mira", "A", "guard", "B"), 3, 2)
    with pytest.raises(Refused, match="die cannot be 'second/0'"):
        do(here, ForceReroll("second/0"))
    after = do(here, ForceReroll("first/0"), 4, 4)
    assert after.now.roll is not None
    assert after.now.roll.first.result == 8


def test_2_points_give_an_npc_a_rank_for_one_roll() -> None:
    here = world(mira=hero("Mira", A={"alpha": 1}), guard=npc("Guard", B={"alpha": 1})).live(complications=2)
    here = do(here, Boost("guard"))
    assert here.now.complications == 0
    here = do(here, Oppose("guard", "B", "mira", "A"), 1, 2, 3)
    assert here.now.roll is not None
    assert len(here.now.roll.first.dice) == 2
    here = do(do(here, Settle()), Oppose("guard", "B", "mira", "A"), 1, 3)
    assert here.now.roll is not None
    assert len(here.now.roll.first.dice) == 1
    with pytest.raises(Refused, match="who cannot be 'mira'"):
        do(here.live(complications=2), Boost("mira"))


@pytest.mark.parametrize(("lasting", "cost"), [(False, 5), (True, 10)])
def test_5_or_10_points_are_a_failure_and_a_consequence(lasting: bool, cost: int) -> None:
    here = world(mira=hero("Mira", A={"alpha": 1}), guard=npc("Guard", B={"alpha": 1})).live(complications=cost)
    here = do(here, Oppose("mira", "A", "guard", "B"), 3, 1)
    here = do(here, Strike("mira", "a broken oath", lasting=lasting, sessions=2))
    assert here.now.complications == 0
    assert here.now.roll is not None
    assert here.now.roll.winner == "second"
    assert list(here.now.people["mira"].consequences.values()) == [Consequence("a broken oath", lasting, 2)]
    with pytest.raises(Refused, match="has paid for this failure"):
        do(here, Buy())


def test_a_strike_that_costs_more_than_there_is_is_refused() -> None:
    here = world(mira=hero("Mira"))
    with pytest.raises(Refused, match="costs 5"):
        do(here.live(complications=4), Strike("mira", "x"))
    with pytest.raises(Refused, match="costs 10"):
        do(here.live(complications=9), Strike("mira", "x", lasting=True))


@pytest.mark.parametrize(
    ("points", "after", "owed"), [(7, 9, False), (8, 10, False), (9, 11, False), (10, 12, True), (13, 15, True)]
)
def test_a_gain_at_10_owes_a_forced_spend_and_the_pool_counts_on(points: int, after: int, owed: bool) -> None:
    here = do(lost(points), Buy())
    assert (here.now.complications, here.now.owed) == (after, owed)


@pytest.mark.parametrize(
    ("face", "size"), [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 2), (7, 5), (8, 5), (9, 5), (10, 10)]
)
def test_the_d10_of_a_forced_spend(face: int, size: int) -> None:
    here = do(do(lost(10), Buy()), ForcedSpend(), face)
    assert (here.now.due, here.now.owed, here.now.complications) == (size, False, 12)
    if size > 1:
        assert do(here, Spend(1)).now.due == size  # less does not meet it
    here = do(here, Spend(size))
    assert (here.now.due, here.now.complications) == (0, 12 - size)


def test_a_forced_spend_is_rolled_only_where_one_is_owed() -> None:
    with pytest.raises(Refused, match="no forced spend is owed"):
        do(lost(10), ForcedSpend())


def test_temporary_consequences_run_out_with_the_sessions_and_lasting_ones_stay() -> None:
    here = world(mira=hero("Mira"))
    held = {
        "1": Consequence("a limp", sessions=2),
        "2": Consequence("a scar", lasting=True),
        "3": Consequence("a cold"),
    }
    here = here.live(people={"mira": Person(50, consequences=held)})
    here = here.live(people=ENGINE.start(here).people)
    assert {c.what: c.sessions for c in here.now.people["mira"].consequences.values()} == {"a limp": 1, "a scar": 1}
    here = here.live(people=ENGINE.start(here).people)
    assert [c.what for c in here.now.people["mira"].consequences.values()] == ["a scar"]
    assert not do(here, EndConsequence("mira", "2")).now.people["mira"].consequences


# ---- co-operative challenges


def table(tier: Any = "beta", dice: int = 4, keywords: tuple[Any, ...] = (), **rules: Any) -> Any:
    """Mira leads with Warding; Rook, Sil and Tam can help in many ways, and Dov has no skill at all."""
    sheets = {
        "mira": hero("Mira", bonus=1, Warding={"beta": 3}),
        "rook": hero("Rook", Warding={"beta": 1}, Lore={"beta": 2}),
        "sil": hero("Sil", Warding={"charlie": 1}, Lore={"charlie": 1}),
        "tam": hero("Tam", Lore={"alpha": 1}, Song={"alpha": 1}),
        "una": hero("Una", Song={"alpha": 1}),
        "dov": hero("Dov"),
    }
    here = do(world(rules=TiersRules(**rules), **sheets), Improvise("Hold", tier, dice, "", keywords))
    return do(here, Lead("mira", "Warding"))


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
    assert here.now.challenge.supports[who].gives == gives


def test_an_assist_counts_2_only_above_the_challenges_tier() -> None:
    assert do(table("charlie"), GiveSupport("sil", "direct")).now.challenge.supports["sil"].gives == 1
    assert do(table("alpha"), GiveSupport("rook", "direct")).now.challenge.supports["rook"].gives == 2


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
    assert {w: s.how for w, s in here.now.challenge.supports.items()} == {"rook": "encourage"}


def test_indirect_assistance_is_twice_a_challenge_and_three_times_in_a_complex_one() -> None:
    here = do(do(table(), GiveSupport("rook", "indirect")), GiveSupport("sil", "indirect"))
    assert "twice" in closed(here, "tam", "indirect")
    here = do(do(table(keywords=("complex",)), GiveSupport("rook", "indirect")), GiveSupport("sil", "indirect"))
    here = do(here, GiveSupport("tam", "indirect"))
    assert "three times" in closed(here, "una", "indirect")


def test_failure_preparation_is_increase_1_and_2_points_at_once_and_is_not_taken_back() -> None:
    here = do(table(), GiveSupport("tam", "prepare"))
    assert here.now.complications == 2
    assert opposing(here, here.now.challenge) == 5
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
    assert here.now.challenge.supports["sil"].gives == 1
    assert do(table(keywords=("delicate",)), GiveSupport("sil", "direct")).now.challenge.supports["sil"].gives == 2


def test_reroll_does_not_stack_and_reduce_and_increase_are_netted() -> None:
    here = do(do(table(), GiveSupport("rook", "direct")), GiveSupport("sil", "direct"))
    here = do(here, RollChallenge(), 1, 2, 3, 1, 1, 1, 1)
    assert here.now.roll.rerolls == 2
    here = challenged("beta", 4, "beta", 3, reduce=3, prepared=2)
    assert here.now.challenge is not None
    assert opposing(here, here.now.challenge) == 3


@pytest.mark.parametrize(("least", "dice"), [(1, 1), (0, 0)])
def test_the_opposing_pool_never_falls_below_the_least(least: int, dice: int) -> None:
    here = challenged("beta", 2, "beta", 3, reduce=4, rules=TiersRules(least_opposition=least))
    assert here.now.challenge is not None
    assert opposing(here, here.now.challenge) == dice
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


# ---- each house ruling changes what it says


def test_omega_hp_and_multiplier_are_rulings() -> None:
    rules = TiersRules(omega_hp=40_000, omega_multiplier=4_000)
    here = world(rules=rules, mira=hero("Mira", levels={"omega": 1}, A={"alpha": 1}), guard=npc("G", B={"alpha": 1}))
    assert most_hp(here, "mira") == 40_000
    here = do(do(here, Attack("mira", "A", "guard", "B"), 2, 1), Settle())
    assert here.now.roll is not None
    assert here.now.roll.damage == 4_000


def test_the_sum_from_which_omega_explodes_is_a_ruling() -> None:
    here = world(
        rules=TiersRules(omega_explodes_at=20), mira=hero("M", A={"omega": 1}), guard=npc("G", B={"alpha": 1})
    )
    here = do(here, Oppose("mira", "A", "guard", "B"), 5, 15, 1, 6, 20)
    assert here.now.roll is not None
    assert here.now.roll.first.result == 46


def test_where_rank_with_legacy_stops_is_a_ruling() -> None:
    found = rating(world(rules=TiersRules(most_rank=6), m=hero("M", A={"alpha": 5, "beta": 5})), "m", "A")
    assert found is not None
    assert found.rank == 6


def test_whether_points_count_above_ten_is_a_ruling() -> None:
    here = do(lost(9, points_above_ten=False), Buy())
    assert (here.now.complications, here.now.owed) == (10, False)
    here = do(lost(10, points_above_ten=False), Buy())
    assert (here.now.complications, here.now.owed) == (10, True)


def test_whether_an_unlisted_skill_counts_as_alpha_1_is_a_ruling() -> None:
    here = do(table(unlisted_skills=True), GiveSupport("dov", "direct"))
    assert here.now.challenge.supports["dov"].gives == 1
    found = rating(here, "dov", "Warding")
    assert found is not None
    assert (found.tier, found.rank) == ("alpha", 1)


def test_whether_the_lead_may_add_a_bonus_die_is_a_ruling() -> None:
    with pytest.raises(Refused, match="house rules"):
        do(table(lead_bonus_die=False), DeclareBonus(True))


def test_whether_success_can_be_bought_in_a_challenge_and_its_margin_are_rulings() -> None:
    here = do(table(buy_in_challenge=True, bought_margin=2), RollChallenge(), 1, 1, 1, 5, 5, 5, 5)
    here = do(here, Buy())
    assert (here.now.roll.winner, here.now.roll.margin) == ("first", 2)
    assert do(here, Settle()).now.challenge.outcome == "success"


def test_every_house_ruling_has_a_test_above() -> None:
    tested = {
        "omega_hp", "omega_multiplier", "omega_explodes_at", "most_rank", "tie_rank", "points_above_ten",
        "unlisted_skills", "least_opposition", "lead_bonus_die", "buy_in_challenge", "bought_margin",
        "order_skill",  # in test_tiers_initiative
    }  # fmt: skip
    assert set(TiersRules.__struct_fields__) == tested


def test_every_event_says_which_rule_made_it_where_a_rule_did() -> None:
    events, _ = events_of(challenged("beta", 1, "alpha", 1), RollChallenge(), 1, 5)
    assert all(event.rule for event in events)
