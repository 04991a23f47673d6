"""Complication Points: gained, spent, forced; and what they buy."""

from __future__ import annotations

from typing import Any

import pytest
from playing import sure
from tiers_worlds import challenged, do, events_of, hero, lost, npc, table, world

from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.engines.tiers.attack import Attack
from tabletop_tui.engines.tiers.challenge_roll import Reroll, RollChallenge
from tabletop_tui.engines.tiers.consequences import EndConsequence
from tabletop_tui.engines.tiers.opposed import Oppose
from tabletop_tui.engines.tiers.points import Boost, Boosted, ForcedSpend, Spend
from tabletop_tui.engines.tiers.settle import Buy, Claim, ForceReroll, Settle, Strike, how_long, strikeable
from tabletop_tui.engines.tiers.views import challenge_view
from tabletop_tui.engines.tiers.world import (
    Consequence,
    Person,
    TiersWorld,
)
from tabletop_tui.rules import ChallengeView, Refused, TableView, choices, fields


def test_a_player_who_turns_a_failure_into_a_success_gives_the_gm_2() -> None:
    here = do(lost(), Buy())
    assert here.now.complications == 2
    assert (sure(here.now.roll).winner, sure(here.now.roll).margin) == ("first", 1)
    assert sure(do(here, Settle()).now.roll).outcome == "wins"


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
    assert (sure(here.now.roll).winner, sure(here.now.roll).margin) == ("second", 1)
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
    here = do(here, Boost("guard", "B"))
    assert here.now.complications == 0
    here = do(here, Oppose("guard", "B", "mira", "A"), 1, 2, 3)
    assert here.now.roll is not None
    assert len(here.now.roll.first.dice) == 2
    here = do(do(here, Settle()), Oppose("guard", "B", "mira", "A"), 1, 3)
    assert here.now.roll is not None
    assert len(here.now.roll.first.dice) == 1
    with pytest.raises(Refused, match="who cannot be 'mira'"):
        do(here.live(complications=2), Boost("mira", "A"))


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
        assert do(here, Spend(1, "a wind")).now.due == size - 1  # what was paid counts
    here = do(here, Spend(size, "a storm"))
    assert (here.now.due, here.now.complications) == (0, 12 - size)


def test_what_is_paid_counts_against_a_forced_spend_and_never_makes_it_more() -> None:
    here = do(owed(10), Strike("mira", "a fall"))
    assert (here.now.due, here.now.complications) == (5, 7)
    assert offered(here) == [Strike("", ""), Spend(5)]
    here = do(here, Spend(2, "a wind"))
    assert (here.now.due, here.now.complications) == (3, 5)


@pytest.mark.parametrize(("face", "said"), [(1, "a 1"), (8, "an 8"), (10, "a 10")])
def test_the_d10_of_a_forced_spend_is_read_out_as_it_is_spoken(face: int, said: str) -> None:
    before = do(lost(10), Buy())
    (told,), _ = events_of(before, ForcedSpend(), face)
    assert told.says(before).startswith(f"forced spend: {said}, so ")


def test_a_forced_spend_is_rolled_only_where_one_is_owed() -> None:
    with pytest.raises(Refused, match="no forced spend is owed"):
        do(lost(10), ForcedSpend())


def test_the_letter_of_a_roll_rolls_the_d10_that_is_owed_before_a_challenge() -> None:
    here = table().live(complications=12, owed=True)
    asked = sure(challenge_view(here).prompt)
    assert [(o.key, o.action) for o in asked.options] == [("r", ForcedSpend())]


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


# ---- a forced spend offers the effects of its size


def owed(due: int) -> TiersWorld:
    here = world(mira=hero("Mira", A={"alpha": 1}), guard=npc("Guard", B={"alpha": 1}))
    return here.live(complications=12, due=due)


def offered(here: TiersWorld) -> list[Any]:
    view = ENGINE.view("table", here)
    assert isinstance(view, TableView)
    assert view.prompt is not None
    return [option.action for option in view.prompt.options]


@pytest.mark.parametrize(
    ("due", "actions"),
    [
        (1, [Spend(1)]),
        (2, [Boost(""), Spend(2)]),
        (5, [Strike("", ""), Spend(5)]),
        (10, [Strike("", "", lasting=True), Spend(10)]),
        (3, [Spend(3)]),
    ],
)
def test_a_forced_spend_offers_the_effects_of_its_size_and_words(due: int, actions: list[Any]) -> None:
    assert offered(owed(due)) == actions


def test_each_effect_of_a_forced_spend_meets_it() -> None:
    for due, action in (
        (2, Boost("guard", "B")),
        (5, Strike("mira", "a fall")),
        (10, Strike("mira", "a fall", lasting=True)),
    ):
        here = do(owed(due), action)
        assert (here.now.due, here.now.complications) == (0, 12 - due)
    here = do(owed(1), Oppose("mira", "A", "guard", "B"), 3, 2)
    assert ForceReroll("first/0") in offered(here)
    here = do(here, ForceReroll("first/0"), 1)
    assert (here.now.due, here.now.complications) == (0, 11)


def test_a_forced_spend_is_offered_on_the_roll_that_it_can_turn() -> None:
    here = do(owed(5), Oppose("mira", "A", "guard", "B"), 3, 2)
    assert offered(here) == [Settle(), ForceReroll("first/0"), Strike("mira", ""), Spend(5)]
    here = do(here, Strike("mira", "a fall"))
    assert here.now.due == 0
    assert here.now.roll is not None
    assert here.now.roll.winner == "second"


def test_nobody_is_struck_while_their_dice_can_be_rerolled_and_a_catastrophe_needs_10() -> None:
    here = challenged("beta", 2, "alpha", 3, rerolls=1).live(complications=9)
    here = do(here, RollChallenge(), 1, 2, 3, 4, 5)
    lead = here.now.challenge.lead if here.now.challenge else ""
    assert {c.value: c.closed for c in strikeable(here, {})}[lead] == "their dice can still be rerolled"
    assert [c.closed for c in how_long(here, {})] == ["", "it costs 10 Complication Points and the GM has 9"]


def test_points_are_spent_by_their_number() -> None:
    """A digit that is typed means itself."""
    (points, *_) = fields(Spend)
    assert (points.kind, points.low) == ("number", 1)
    assert do(owed(0), Spend(5, "the bridge burns")).now.complications == 7
    with pytest.raises(Refused, match="costs 13 Complication Points and the GM has 12"):
        do(owed(0), Spend(13, "everything"))
    with pytest.raises(Refused, match="points are spent on something"):
        do(owed(0), Spend(5, " "))


def test_effects_that_cannot_be_had_now_are_not_offered() -> None:
    alone = world(mira=hero("Mira")).live(complications=12, due=2)
    assert offered(alone) == [Spend(2)]
    bare = world(mira=hero("Mira"), guard=npc("Guard")).live(complications=12, due=2)
    assert offered(bare) == [Spend(2)]
    with pytest.raises(Refused, match="has nothing to boost"):
        do(bare, Boost("guard", "Spear"))
    foes = world(guard=npc("Guard")).live(complications=12, due=5)
    assert offered(foes) == [Spend(5)]


# ---- a boost names one skill; a die is rerolled once


def test_a_boost_counts_for_the_skill_it_names_and_waits_for_it() -> None:
    here = world(mira=hero("Mira", A={"alpha": 1}), guard=npc("Guard", B={"alpha": 1}, items={"Mail": {"alpha": 1}}))
    here = do(here.live(complications=4), Boost("guard", "Mail"))
    other = do(here, Oppose("guard", "B", "mira", "A"), 1, 2)
    assert other.now.people["guard"].boosts == {"Mail": 1}
    used = do(do(other, Settle()), Oppose("mira", "A", "guard", "Mail"), 3, 1, 2)
    assert used.now.roll is not None
    assert len(used.now.roll.second.dice) == 2
    assert used.now.people["guard"].boosts == {}
    with pytest.raises(Refused, match="skill cannot be ''"):
        do(here, Boost("guard"))


def test_a_boost_of_an_older_log_counts_for_any_skill() -> None:
    here = world(mira=hero("Mira", A={"alpha": 1}), guard=npc("Guard", B={"alpha": 1}))
    here = Boosted("guard", 1).apply(here)
    after = do(here, Oppose("guard", "B", "mira", "A"), 1, 2, 3)
    assert after.now.people["guard"].boost == 0


def test_a_die_that_the_lead_rerolled_is_not_rerolled_again() -> None:
    here = do(challenged("beta", 1, "beta", 2, rerolls=1), RollChallenge(), 2, 5, 3).live(complications=3)
    here = do(here, Reroll((0,)), 4)
    with pytest.raises(Refused, match="rerolled already"):
        do(here, ForceReroll("first/0"))
    fortunate = do(challenged("beta", 1, "beta", 1, fortunate=True), RollChallenge(), 1, 3, 2).live(complications=3)
    assert ForceReroll("first/0") not in offered_in_challenge(fortunate)
    with pytest.raises(Refused, match="rerolled already"):
        do(fortunate, ForceReroll("first/0"))


def offered_in_challenge(here: TiersWorld) -> list[Any]:
    view = ENGINE.view("challenge", here)
    assert isinstance(view, ChallengeView)
    assert view.prompt is not None
    return [option.action for option in view.prompt.options]


# ---- a reroll is offered where it can turn the roll


def fought(*faces: int, kind: type[Oppose] = Oppose, mine: int = 2, by: str = "mira") -> TiersWorld:
    """Mira and a guard have rolled, and the GM has points."""
    here = world(mira=hero("Mira", A={"beta": mine}), guard=npc("Guard", B={"beta": 1})).live(complications=3)
    sides = ("mira", "A", "guard", "B") if by == "mira" else ("guard", "B", "mira", "A")
    return do(here, kind(*sides), *faces)


def rerolls(here: TiersWorld) -> list[Any]:
    """The rerolls that the prompt proposes."""
    return [action for action in offered(here) if isinstance(action, ForceReroll)]


def test_the_die_that_wins_is_offered_and_once_it_was_rerolled_and_still_wins_none_is() -> None:
    here = fought(5, 2, 3)
    assert rerolls(here) == [ForceReroll("first/0")]
    here = do(here, ForceReroll("first/0"), 4)
    assert rerolls(here) == []
    assert [c.closed for c in choices(fields(ForceReroll)[0], here, {})] == ["rerolled already", ""]


@pytest.mark.parametrize(
    ("here", "found"),
    [
        (lambda: fought(5, 4, 3), []),  # the 4 would win as well
        (lambda: fought(2, 1, 3), []),  # lost already: it can only get better
        (lambda: fought(5, 4, 3, kind=Attack), [ForceReroll("first/0")]),  # the margin is damage
        (lambda: fought(2, 1, 3, kind=Attack), []),
        (lambda: fought(5, 3, 1, kind=Attack, by="guard"), [ForceReroll("second/0")]),  # it would hurt more
        (lambda: fought(5, 3, 3, kind=Attack, by="guard"), []),  # the other 3 stays
    ],
)
def test_a_reroll_is_offered_only_where_it_could_come_out_worse_for_the_player(here: Any, found: list[Any]) -> None:
    assert rerolls(here()) == found


@pytest.mark.parametrize(
    ("faces", "found"), [((5, 2, 3), ["first/0"]), ((3, 2, 4), []), ((3, 1, 5), ["first/0"]), ((1, 1, 5), [])]
)
def test_in_a_challenge_a_reroll_is_offered_where_the_outcome_could_be_worse(
    faces: tuple[int, ...], found: list[str]
) -> None:
    here = do(challenged("beta", 1, "beta", 2), RollChallenge(), *faces).live(complications=1)
    assert [a.die for a in offered_in_challenge(here) if isinstance(a, ForceReroll)] == found


def test_the_failure_that_points_buy_is_named_for_both_of_its_sizes() -> None:
    assert Strike.title == "force a failure"
