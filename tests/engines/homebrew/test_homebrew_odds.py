"""Odds: against the walk, against enumeration and against icepool."""

from __future__ import annotations

from itertools import product
from typing import Any

import icepool
import level
import pytest
from brews import ENGINE, NAMES, game, rules_of, world_of
from playing import sure

from tabletop_tui.conformance import check_odds, play
from tabletop_tui.conformance.checks import differences
from tabletop_tui.engines.homebrew.by_hand import PutCondition
from tabletop_tui.engines.homebrew.challenge import Improvise
from tabletop_tui.engines.homebrew.contest import ChooseStat, NewContest, PutIn
from tabletop_tui.engines.homebrew.leading import Lead, Support
from tabletop_tui.engines.homebrew.rolls import Roll, Take
from tabletop_tui.engines.homebrew.rounds import RollContest
from tabletop_tui.engines.homebrew.together import RollChallenge
from tabletop_tui.rules import Dice
from tabletop_tui.rules.walk import TooMany

ELSEWHERE = ("social", "tiers")
"""Their rolls stand in contests and challenges: below."""
ROLLS = ("roll", "take", "save", "roll_challenge", "roll_contest")


def run(world: Any, *actions: Any, faces: tuple[int, ...] = ()) -> Any:
    tray = Dice(faces)
    for action in actions:
        for event in action.resolve(world, tray):
            world = event.apply(world)
    return world


def chances(text: str, **stats: Any) -> Any:
    """The chances of the only roll of some rules."""
    world = world_of(rules_of(text), **stats)
    (name,) = world.rules.rolls
    group = sure(ENGINE.odds(world, Roll(name, "ana", stat="knots" if stats else ""))).groups[0]
    return {c.label if c.value is None else c.value: c.chance for c in group.chances}


@pytest.mark.parametrize("name", NAMES)
def test_the_odds_of_every_game_are_those_of_walking_down_every_face(name: str) -> None:
    compared, seeds = 0, level.many(1, 6, 60)
    for seed in range(60):
        if seed >= seeds and (compared or name in ELSEWHERE):
            break
        for before, action, _, _ in play(ENGINE, world_of(game(name)), seed, 40):
            if type(action).__struct_config__.tag in ROLLS and compared < 25:
                if ENGINE.odds(before, action) is None:
                    continue
                try:
                    assert not differences(ENGINE, before, action, 2_000, 2.0)
                    compared += 1
                except TooMany:
                    continue
    assert compared or name in ELSEWHERE


@pytest.mark.parametrize(
    ("dice", "theirs"),
    [
        ("3d6 + 1", icepool.d(6) @ 1 + icepool.d(6) + icepool.d(6) + 1),
        ("4d6 keep highest 3", icepool.d6.highest(4, 3)),
        ("5d8 keep lowest 2", icepool.d8.lowest(5, 2)),
        ("2d20 keep highest 1 + 1d4", icepool.d20.highest(2) + icepool.d4),
        ("2d6 exploding once", 2 @ icepool.d6.explode(depth=1)),
        ("3d6 exploding once at 5", 3 @ icepool.d6.explode([5, 6], depth=1)),
        ("1d12 - 1d4", icepool.d12 - icepool.d4),
        ("-1d4 + 1d12", icepool.d12 - icepool.d4),
        ("-2d6 keep lowest 1", -icepool.d6.lowest(2)),
        ("3d6 exploding once keep highest 2", icepool.d6.explode(depth=1).highest(3, 2)),
    ],
)
def test_sums_are_those_of_icepool(dice: Any, theirs: Any) -> None:
    found = chances(f'[rules.rolls.x]\ndice = "{dice}"')
    for value in theirs.outcomes():
        assert found[value] == pytest.approx(float(theirs.probability(">=", value)), abs=1e-12)


@pytest.mark.parametrize(("read", "best"), [("highest", max), ("lowest", min)])
def test_the_highest_and_the_lowest_die_are_those_of_enumeration(read: str, best: Any) -> None:
    found = chances(f'[rules.rolls.x]\ndice = "3d6 + 1d8"\nread = "{read}"')
    all_ways = list(product(range(1, 7), range(1, 7), range(1, 7), range(1, 9)))
    for value in found:
        assert found[value] == pytest.approx(sum(best(way) >= value for way in all_ways) / len(all_ways))


def test_bands_may_ask_how_many_dice_show_their_top() -> None:
    text = """
    [rules.rolls.x]
    dice = "3d6"
    read = "highest"
    bands = [{ when = "tops >= 2", title = "critical" }, { at = 6, title = "six" }, { title = "less" }]
    """
    found = chances(text)
    ways = list(product(range(1, 7), repeat=3))
    assert found["critical"] == pytest.approx(sum(w.count(6) >= 2 for w in ways) / 216)
    assert found["six"] == pytest.approx(sum(w.count(6) == 1 for w in ways) / 216)


def test_a_die_of_another_size_than_the_rolls_own_makes_no_critical_and_no_fumble() -> None:
    world = run(world_of(game("d20"), might=3, ac=16), PutCondition("ana", "blessed"))
    strike = Roll("attack", "ana", whom="ogre", stat="knots")
    check_odds(ENGINE, world, strike)
    found = {c.label: c.chance for c in sure(ENGINE.odds(world, strike)).groups[0].chances}
    assert (found["critical hit"], found["fumble"]) == pytest.approx((1 / 20, 1 / 20))
    for faces, band in (((15, 1), "hit"), ((6, 4), "miss"), ((20, 1), "critical hit"), ((1, 4), "fumble")):
        settled = [e.outcome() for e in strike.resolve(world, Dice((*faces, 1, 1, 1, 1, 1, 1))) if e.outcome()]
        assert settled[0]["outcome"] == band, faces


@pytest.mark.parametrize("offered", ["before", "after"])
@pytest.mark.parametrize(("more", "ones"), [("1d6", 2), ("1d4", 1), ("1d8", 1)])
def test_a_die_that_is_added_counts_as_one_of_the_rolls_own_where_it_is_of_their_size(
    offered: str, more: str, ones: int
) -> None:
    text = f"""
    [rules.rolls.x]
    dice = "1d6"
    bands = [{{ when = "ones >= 2", title = "two" }}, {{ when = "ones", title = "one" }}, {{ title = "none" }}]
    [rules.options.more]
    offered = "{offered}"
    limit = "1 a roll"
    usual = "1"
    gives = {{ dice = "{more}" }}
    """
    world = world_of(rules_of(text))
    roll = Roll("x", "ana", using=("more",) if offered == "before" else ())
    if offered == "before":
        check_odds(ENGINE, world, roll)
        world = run(world, roll, faces=(1, 1))
    else:
        world = run(world, roll, Take("more"), faces=(1, 1))
    assert world.now.roll.band == {1: "one", 2: "two"}[ones]


def test_under_a_number_is_good_and_the_margin_is_how_far() -> None:
    text = """
    [rules.stats.skill]
    most = 20
    [rules.rolls.x]
    dice = "1d20"
    read = "under"
    against = "skill"
    bands = [{ at = 5, title = "easily" }, { at = 0, title = "yes" }, { title = "no" }]
    """
    assert chances(text, knots=12) == pytest.approx({"easily": 7 / 20, "yes": 5 / 20, "no": 8 / 20})


def test_a_push_of_ten_dice_is_known_at_once_and_of_two_dice_as_the_walk_has_it() -> None:
    world = world_of(game("hits"), strength=2, fight=0)
    roll = Roll("test", "ana", stat="strength", stat2="fight", say=1)
    check_odds(ENGINE, world, roll)
    strong = world_of(game("hits"), strength=5, fight=5)
    group = sure(ENGINE.odds(strong, Roll("test", "ana", stat="strength", stat2="fight", say=3))).groups[0]
    assert sum(c.chance for c in group.chances) == pytest.approx(1)


def test_what_is_picked_by_number_has_the_odds_of_the_walk() -> None:
    text = """
    [rules.rolls.x]
    dice = "2d6"
    bands = [{ at = 9, title = "yes", tone = "good" }, { title = "no", tone = "bad" }]
    [rules.options.again]
    offered = "after"
    limit = "1 a roll"
    usual = "result < 9"
    gives = { reroll = 1 }
    """
    world = world_of(rules_of(text))
    check_odds(ENGINE, world, Roll("x", "ana"))
    fallen = world
    for event in Roll("x", "ana").resolve(world, Dice((2, 5))):
        fallen = event.apply(fallen)
    check_odds(ENGINE, fallen, Take("again"))
    assert sure(ENGINE.odds(fallen, Take("again", (0,)))).hope == pytest.approx(3 / 6)


def test_rolling_all_again_takes_the_dice_that_are_not_kept_too() -> None:
    text = """
    [rules.shared.luck]
    usual = 2
    [rules.rolls.x]
    dice = "1dSIDES"
    bands = [{ at = 5, title = "yes", tone = "good" }, { title = "no", tone = "bad" }]
    [rules.options.edge]
    offered = "before"
    gives = { advantage = 1 }
    [rules.options.again]
    offered = "after"
    limit = "1 a roll"
    costs = { luck = -1 }
    when = "result < 5"
    usual = "result < 5"
    gives = { reroll = "all" }
    """
    world, roll = world_of(rules_of(text.replace("SIDES", "6"))), Roll("x", "ana", using=("edge",))
    check_odds(ENGINE, world, roll)
    fallen = world
    for event in roll.resolve(world, Dice((2, 3))):
        fallen = event.apply(fallen)
    check_odds(ENGINE, fallen, Take("again"))
    assert sure(ENGINE.odds(fallen, Take("again"))).hope == pytest.approx(1 - (4 / 6) ** 2)
    tray = Dice((5, 1))
    assert Take("again").resolve(fallen, tray)[-1].outcome()["outcome"] == "yes"
    assert not tray.unused, "both of them are rolled again"
    large = sure(ENGINE.odds(world_of(rules_of(text.replace("SIDES", "20"))), roll))
    assert large.hope == pytest.approx(1 - (4 / 20) ** 4), "known in time, of two d20 as well"


def test_a_lead_with_support_has_the_odds_of_the_walk() -> None:
    world = world_of(game("tiers"), knots="2d4", songs="1d6")
    world = run(world, Improvise("together", "Hold", "2d4", keywords=("complex",)), Lead("ana", "knots"))
    check_odds(ENGINE, world, RollChallenge())
    plain = sure(ENGINE.odds(world, RollChallenge())).hope
    world = run(world, Support("bo", "indirect"), Support("cy", "encourage"))
    check_odds(ENGINE, world, RollChallenge())
    assert sure(ENGINE.odds(world, RollChallenge())).hope > plain


def test_the_best_of_all_has_the_odds_of_the_walk() -> None:
    world = world_of(game("pool"), prowl=1)
    world = run(world, Improvise("group", "", "risky", "standard"), Lead("ana", "prowl"))
    group = sure(ENGINE.odds(world, RollChallenge())).groups[0]
    each = [{6: 1 / 6, 4: 2 / 6, 0: 3 / 6}] * 3
    miss = (3 / 6) ** 3
    assert sum(p for p in each[0].values()) == 1
    assert {c.label: c.chance for c in group.chances}["bad"] == pytest.approx(miss)
    assert {c.label: c.chance for c in group.chances}["success"] == pytest.approx(1 - (5 / 6) ** 3)


@pytest.mark.long
def test_a_contest_has_the_odds_of_the_walk_against_one_and_against_two() -> None:
    world = world_of(game("social"), charm=2, menace=1, reason=1)
    one = run(world, NewContest("debate", "ana", ("bo",)), ChooseStat("ana", "charm"), ChooseStat("bo", "menace"))
    check_odds(ENGINE, one, RollContest())
    more = run(one, PutIn("ana", "leverage"))
    check_odds(ENGINE, more, RollContest())
    assert sure(ENGINE.odds(more, RollContest())).hope > sure(ENGINE.odds(one, RollContest())).hope
    two = run(world, NewContest("debate", "ana", ("bo", "cy")))
    two = run(two, *(ChooseStat(who, "menace") for who in ("ana", "bo", "cy")))
    check_odds(ENGINE, two, RollContest())


def test_where_the_chances_take_too_long_there_are_none() -> None:
    text = """
    [rules.rolls.x]
    dice = "30d100"
    bands = [{ when = "tops > ones", title = "a" }, { title = "b" }]
    """
    world = world_of(rules_of(text))
    assert ENGINE.odds(world, Roll("x", "ana")) is None
