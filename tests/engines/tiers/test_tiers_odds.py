"""Odds are exact: against the walk over `resolve`, plain enumeration after the words of the rules, and icepool."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Any

import icepool
import level
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers_worlds import challenged, do, hero, npc, world

from tabletop_tui.conformance import check_odds
from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.engines.tiers.attack import Attack
from tabletop_tui.engines.tiers.challenge_roll import Reroll, RollChallenge
from tabletop_tui.engines.tiers.chances import highest, led
from tabletop_tui.engines.tiers.opposed import Oppose
from tabletop_tui.engines.tiers.settle import ForceReroll, Settle
from tabletop_tui.engines.tiers.world import TiersRules
from tabletop_tui.rules import ChallengeView

TIERS: Any = ("alpha", "beta", "charlie", "delta", "gamma", "omega")
SIZES = {"alpha": (4,), "beta": (6,), "charlie": (8,), "delta": (10,), "gamma": (12,), "omega": (6, 20)}

# ---- against the walk

GRID = [
    dict(zip(("tier", "dice", "lead_tier", "rank", "rerolls", "fortunate", "bonus"), case, strict=True))
    for case in [
        *product(["alpha"], [1], ["alpha"], [1, 2], [0, 1, 2], [False, True], [False]),
        *product(["beta"], [1, 2], ["alpha"], [1], [0, 1], [False, True], [False]),
        *product(["alpha"], [1], ["alpha"], [1], [0, 1, 2], [False, True], [True]),
        ("alpha", 1, "alpha", 2, 1, False, True),
        ("alpha", 2, "alpha", 2, 1, False, False),
        ("beta", 1, "beta", 2, 1, False, False),
        ("omega", 1, "alpha", 1, 1, True, False),
        ("alpha", 1, "omega", 1, 0, False, False),
    ]
]


@pytest.mark.parametrize("case", level.some(GRID, 12), ids=lambda c: "-".join(str(v) for v in c.values()))
def test_a_challenges_odds_are_those_of_walking_down_every_face(case: dict[str, Any]) -> None:
    check_odds(ENGINE, challenged(**case), RollChallenge(), most=600_000)


@pytest.mark.parametrize("keywords", [(), ("unstable",)])
@pytest.mark.parametrize("prepared", [0, 1])
@pytest.mark.parametrize("tie", ["written", "pool"])
def test_preparation_keywords_and_rulings_are_in_the_odds(keywords: Any, prepared: int, tie: Any) -> None:
    rules = TiersRules(tie_rank=tie)
    here = challenged("beta", 1, "alpha", 2, prepared=prepared, keywords=keywords, rules=rules)
    check_odds(ENGINE, here, RollChallenge())


def test_a_challenge_without_dice_is_in_the_odds() -> None:
    here = challenged("beta", 1, "alpha", 2, reduce=2, rules=TiersRules(least_opposition=0))
    check_odds(ENGINE, here, RollChallenge())


@pytest.mark.parametrize("kind", [Oppose, Attack])
@pytest.mark.parametrize(
    ("mine", "theirs", "bonus"),
    [
        ({"alpha": 2}, {"alpha": 2}, False),
        ({"alpha": 1}, {"beta": 2}, True),
        ({"beta": 2}, {"charlie": 1}, False),
        ({"alpha": 1}, {"omega": 1}, False),
    ],
)
def test_the_odds_of_opposed_rolls_and_attacks_are_those_of_the_walk(
    kind: Any, mine: Any, theirs: Any, bonus: bool
) -> None:
    here = world(
        mira=hero("Mira", bonus=1, levels={"beta": 1}, A=mine), guard=npc("Guard", levels={"alpha": 2}, B=theirs)
    )
    check_odds(ENGINE, here, kind("mira", "A", "guard", "B", bonus=bonus))


def test_the_chance_of_an_attack_is_that_of_hurting_and_a_tie_that_is_won_stands_beside_it() -> None:
    here = world(mira=hero("Mira", A={"beta": 1}), guard=npc("Guard", B={"alpha": 1}))
    odds = ENGINE.odds(here, Attack("mira", "A", "guard", "B"))
    assert odds is not None
    hurts, tie, loses = odds.groups[0].chances
    assert (hurts.label, tie.label, loses.label) == ("hurts", "wins, no harm", "loses")
    assert odds.hope == hurts.chance == odds.groups[2].chances[0].chance
    opposed = ENGINE.odds(here, Oppose("mira", "A", "guard", "B"))
    assert opposed is not None
    assert opposed.hope == pytest.approx(hurts.chance + tie.chance)
    theirs = ENGINE.odds(here, Attack("guard", "B", "mira", "A"))
    assert theirs is not None
    assert [c.label for c in theirs.groups[0].chances] == ["hurts", "loses"], "ties go to the higher tier"


# ---- against plain enumeration, after the words of the rules

State = tuple[int, bool]
"""A face, and whether Fortunate has rerolled it."""


def one_die(tier: str) -> dict[int, float]:
    """The faces of one die; an omega die is a d6 and a d20 added together."""
    found: Counter[int] = Counter()
    for faces in product(*(range(1, s + 1) for s in SIZES[tier])):
        found[sum(faces)] += 1
    return {face: n / found.total() for face, n in found.items()}


def is_max(tier: str, face: int, omega: int) -> bool:
    return face >= (omega if tier == "omega" else sum(SIZES[tier]))


def after_fortunate(tier: str, fortunate: bool) -> dict[State, float]:
    """ "Fortunate rerolls the Lead's natural 1s, once"; and none is rerolled twice."""
    out: dict[State, float] = {}
    for face, p in one_die(tier).items():
        if fortunate and face == 1:
            for again, q in one_die(tier).items():
                out[again, True] = out.get((again, True), 0.0) + p * q
        else:
            out[face, False] = out.get((face, False), 0.0) + p
    return out


def final(tier: str, face: int | None, omega: int) -> dict[int, float]:
    """What a die comes to: kept at a face, or rolled anew; at its maximum it explodes once."""
    out: dict[int, float] = {}
    for shown, p in one_die(tier).items() if face is None else [(face, 1.0)]:
        if is_max(tier, shown, omega):
            for more, q in one_die(tier).items():
                out[shown + more] = out.get(shown + more, 0.0) + p * q
        else:
            out[shown] = out.get(shown, 0.0) + p
    return out


def to_reroll(dice: list[tuple[str, State]], n: int, omega: int) -> set[int]:
    """ "Keep the best die …; of the rest leave those at their maximum; reroll the N lowest …"."""
    size = [sum(SIZES[tier]) for tier, _ in dice]
    face = [state[0] for _, state in dice]
    done = [state[1] for _, state in dice]
    top = [is_max(tier, state[0], omega) for tier, state in dice]
    places = range(len(dice))
    if len(dice) == 1:
        return {0} if n and not done[0] and not top[0] and face[0] <= size[0] / 2 else set()
    # of equal faces the smaller die is kept; of equal dice the one that may not be rerolled anyhow
    best = max(places, key=lambda i: (top[i], face[i], -size[i], done[i]))
    rest = [i for i in places if i != best and not done[i] and not top[i]]
    return set(sorted(rest, key=lambda i: (face[i], -size[i]))[:n])


def highest_of(finals: list[dict[int, float]]) -> dict[int, float]:
    """The single highest of independent dice."""
    values = sorted({v for one in finals for v in one})
    under, out = 0.0, {}
    for value in values:
        upto = prod(sum(p for v, p in one.items() if v <= value) for one in finals)
        out[value] = upto - under
        under = upto
    return out


def by_enumeration(
    tier: str, rank: int, bonus: str | None, rerolls: int, fortunate: bool, omega: int = 26
) -> dict[int, float]:
    states = after_fortunate(tier, fortunate)
    extra = after_fortunate(bonus, fortunate) if bonus else {None: 1.0}
    finals = {(t, f): final(t, f, omega) for t in {tier, bonus or tier} for f in [None, *one_die(t)]}
    cases: Counter[tuple[Any, ...]] = Counter()
    for some in combinations_with_replacement(sorted(states), rank):
        ways = factorial(rank) / prod(factorial(n) for n in Counter(some).values())
        p = ways * prod(states[s] for s in some)
        for other, q in extra.items():
            dice = [(tier, s) for s in some] + ([(bonus, other)] if bonus and other else [])
            gone = to_reroll(dice, rerolls, omega)
            case = tuple(sorted(((t, None if i in gone else s[0]) for i, (t, s) in enumerate(dice)), key=str))
            cases[case] += p * q  # type: ignore[assignment]  # a Counter of chances
    out: dict[int, float] = {}
    for case, p in cases.items():
        for value, q in highest_of([finals[die] for die in case]).items():
            out[value] = out.get(value, 0.0) + p * q
    return out


LARGE = [
    ("beta", 5, "charlie", 2, True),
    ("beta", 5, None, 2, True),
    ("beta", 4, "charlie", 1, True),
    ("alpha", 5, "beta", 2, True),
    ("alpha", 5, "beta", 2, False),
    ("charlie", 4, "delta", 2, False),
    ("charlie", 3, "delta", 2, True),
    ("delta", 3, "gamma", 2, False),
    ("gamma", 2, "omega", 2, True),
    ("gamma", 3, None, 1, True),
    ("omega", 2, None, 2, True),
    ("omega", 1, "omega", 1, False),
    ("beta", 1, "charlie", 2, True),
    ("beta", 1, None, 2, True),
    ("beta", 6, None, 2, False),
]


@pytest.mark.parametrize(("tier", "rank", "bonus", "rerolls", "fortunate"), level.some(LARGE, 8))
def test_the_leads_result_is_that_of_plain_enumeration(
    tier: Any, rank: int, bonus: Any, rerolls: int, fortunate: bool
) -> None:
    ours = led(TiersRules(), tier, rank, bonus, rerolls, fortunate)
    truth = by_enumeration(tier, rank, bonus, rerolls, fortunate)
    assert set(ours) <= set(truth)
    for value, p in truth.items():
        assert ours.get(value, 0.0) == pytest.approx(p, abs=1e-9)


PLEDGED = list(
    product([("alpha", 2), ("beta", 3), ("delta", 2), ("gamma", 2), ("omega", 1)], TIERS, range(3), (False, True))
)


@pytest.mark.parametrize(
    ("tier", "rank", "bonus", "rerolls", "fortunate"), [(*lead, *more) for lead, *more in level.some(PLEDGED, 26)]
)
def test_a_bonus_die_of_any_tier_is_that_of_plain_enumeration(
    tier: Any, rank: int, bonus: Any, rerolls: int, fortunate: bool
) -> None:
    ours = led(TiersRules(), tier, rank, bonus, rerolls, fortunate)
    truth = by_enumeration(tier, rank, bonus, rerolls, fortunate)
    assert set(ours) <= set(truth)
    for value, p in truth.items():
        assert ours.get(value, 0.0) == pytest.approx(p, abs=1e-9)


@pytest.mark.parametrize(
    ("character", "lead"), level.some(list(product(["alpha", "beta", "charlie"], ["alpha", "beta"])), 2, turn=1)
)
def test_the_bonus_die_of_a_characters_tier_is_in_the_odds(character: Any, lead: Any) -> None:
    here = challenged("alpha", 1, lead, 1, rerolls=1, bonus=True, character=character)
    check_odds(ENGINE, here, RollChallenge(), most=600_000)


# ---- dice that lie on the table


@pytest.mark.parametrize("dice", [(), (0,), (1,), (2,)])
@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("fell", [(1, 2, 3, 4, 1), (6, 2, 6, 6, 3), (1, 5, 5, 5, 5)])
def test_the_odds_at_the_reroll_prompt_are_those_of_the_dice_picked(
    dice: tuple[int, ...], hidden: bool, fell: tuple[int, ...]
) -> None:
    here = do(challenged("beta", 2, "beta", 3, rerolls=1, hidden=hidden), RollChallenge(), *fell)
    check_odds(ENGINE, here, Reroll(dice), most=600_000)
    odds = ENGINE.odds(here, Reroll(dice))
    assert odds is not None
    assert odds.secret is hidden


def test_two_dice_picked_have_odds_of_their_own_and_omega_dice_too() -> None:
    here = do(challenged("alpha", 1, "beta", 2, rerolls=2), RollChallenge(), 1, 2, 3)
    check_odds(ENGINE, here, Reroll((0, 1)), most=600_000)
    here = do(challenged("alpha", 1, "omega", 1, rerolls=1), RollChallenge(), 6, 20, 4)
    for dice in ((), (0,)):
        check_odds(ENGINE, here, Reroll(dice), most=600_000)


def test_the_default_is_never_worse_than_keeping_and_the_prompt_offers_both() -> None:
    here = do(challenged("beta", 2, "beta", 3, rerolls=1), RollChallenge(), 1, 2, 3, 4, 1)
    view = ENGINE.view("challenge", here)
    assert isinstance(view, ChallengeView)
    assert view.prompt is not None
    actions = [option.action for option in view.prompt.options]
    assert actions == [Reroll((0,)), Reroll()]
    chances = [odds.hope for a in actions if (odds := ENGINE.odds(here, a))]
    assert chances[0] > chances[1] == 0.0


@pytest.mark.parametrize("kind", [Oppose, Attack])
@pytest.mark.parametrize("die", ["first/0", "first/1"])
def test_the_odds_of_a_forced_reroll_are_those_of_the_walk(kind: Any, die: str) -> None:
    here = world(
        mira=hero("Mira", levels={"beta": 1}, A={"beta": 2}), guard=npc("Guard", levels={"alpha": 2}, B={"alpha": 2})
    ).live(complications=1)
    here = do(here, kind("mira", "A", "guard", "B"), 3, 5, 2, 3)
    check_odds(ENGINE, here, ForceReroll(die))
    odds = ENGINE.odds(here, ForceReroll(die))
    assert odds is not None
    assert odds.secret
    assert odds.hopes == (("loses", "wins, no harm") if kind is Attack else ("loses",))


def test_the_odds_of_a_forced_reroll_in_a_challenge_are_those_of_the_walk() -> None:
    here = do(challenged("beta", 1, "beta", 2), RollChallenge(), 3, 5, 2).live(complications=1)
    check_odds(ENGINE, here, ForceReroll("first/1"))


@pytest.mark.parametrize(
    ("faces", "hoped"),
    [
        ((1, 5, 2), {"failure", "reduced complications", "with complications"}),
        ((3, 1, 5), {"failure"}),
    ],
)
def test_letting_it_count_has_the_chance_of_what_a_forced_reroll_is_for(
    faces: tuple[int, ...], hoped: set[str]
) -> None:
    here = do(challenged("beta", 1, "beta", 2), RollChallenge(), *faces).live(complications=1)
    for action in (Settle(), ForceReroll("first/0")):
        check_odds(ENGINE, here, action)
    stays, falls = ENGINE.odds(here, Settle()), ENGINE.odds(here, ForceReroll("first/0"))
    assert stays is not None
    assert falls is not None
    assert set(stays.hoped) == set(falls.hoped) == hoped
    assert stays.hope == 0
    assert stays.secret
    assert ENGINE.odds(here.live(complications=0), Settle()) is None, "there is nothing to compare it with"


@pytest.mark.parametrize("explodes_at", [10, 13, 20, 25, 26])
@pytest.mark.parametrize(("tier", "rank", "bonus"), [("omega", 1, None), ("omega", 2, None), ("gamma", 2, "omega")])
def test_the_sum_from_which_omega_explodes_is_in_the_odds(tier: Any, rank: int, bonus: Any, explodes_at: int) -> None:
    ours = led(TiersRules(omega_explodes_at=explodes_at), tier, rank, bonus, 1, True)
    for value, p in by_enumeration(tier, rank, bonus, 1, True, explodes_at).items():
        assert ours.get(value, 0.0) == pytest.approx(p, abs=1e-9)


# ---- against icepool


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("count", [1, 2, 5, 12, 20])
def test_the_highest_die_of_a_plain_pool_is_that_of_icepool(tier: Any, count: int) -> None:
    die = sum((icepool.d(s) for s in SIZES[tier][1:]), icepool.d(SIZES[tier][0]))
    truth = die.explode(depth=1).highest(count, 1)
    ours = highest(TiersRules(), [tier] * count)
    for value in truth.outcomes():
        assert ours.get(value, 0.0) == pytest.approx(float(truth.probability(value)), abs=1e-9)


def test_a_pool_without_dice_results_in_0_for_certain() -> None:
    assert highest(TiersRules(), []) == {0: 1.0}


# ---- always


@given(
    st.sampled_from(TIERS),
    st.integers(1, 20),
    st.sampled_from(TIERS),
    st.integers(1, 5),
    st.booleans(),
    st.integers(0, 2),
    st.booleans(),
    st.integers(0, 4),
    st.integers(0, 2),
)
def test_odds_sum_to_1_and_none_is_negative(
    tier: Any, dice: int, lead: Any, rank: int, bonus: bool, rerolls: int, fortunate: bool, reduce: int, prepared: int
) -> None:
    here = challenged(
        tier, dice, lead, rank, bonus=bonus, rerolls=rerolls, fortunate=fortunate, reduce=reduce, prepared=prepared
    )
    odds = ENGINE.odds(here, RollChallenge())
    assert odds is not None
    chances = [c.chance for c in odds.groups[0].chances]
    assert sum(chances) == pytest.approx(1, abs=1e-9)
    assert min(chances) >= 0


@given(st.sampled_from(TIERS), st.integers(1, 5), st.integers(0, 1), st.booleans())
def test_help_never_makes_success_less_likely(tier: Any, rank: int, rerolls: int, bonus: bool) -> None:
    def success(**help: Any) -> float:
        odds = ENGINE.odds(challenged("charlie", 4, tier, rank, **help), RollChallenge())
        assert odds is not None
        return odds.hope

    plain = success(rerolls=rerolls, bonus=bonus)
    assert success(rerolls=rerolls, bonus=bonus, fortunate=True) >= plain - 1e-9
    assert success(rerolls=rerolls, bonus=bonus, reduce=1) >= plain - 1e-9
    assert success(rerolls=rerolls, bonus=True) >= plain - 1e-9
