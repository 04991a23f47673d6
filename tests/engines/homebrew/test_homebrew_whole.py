"""The chance of a whole challenge: against the sum of the textbook, and against playing every face to its end."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import Any

import msgspec
import pytest
from brews import ENGINE, rules_of, world_of
from playing import sure

from tabletop_tui.engines.homebrew.challenge import Improvise
from tabletop_tui.engines.homebrew.leading import Lead, Support
from tabletop_tui.engines.homebrew.together import RollChallenge, UseBefore
from tabletop_tui.rules import Action, Dice, DiceNeeded, Refused

PLAIN = """
[rolls.push]
dice = "1d6"
bands = [{ at = 5, title = "yes", tone = "good" }, { title = "no", tone = "bad" }]
[challenges.wall]
roll = "push"
wins = 4
losses = 3
"""
PRICES = """
[meters.breath]
most = 2
usual = 2
[shared.luck]
most = 3
usual = 1
[rolls.push]
dice = "1d4 + breath"
bands = [
  { at = 5, title = "far", tone = "good", wins = 2 },
  { at = 4, title = "yes", tone = "good", does = { luck = 1 } },
  { at = 3, title = "well", wins = 0, losses = 0, does = { breath = -1 } },
  { title = "no", tone = "bad", does = { breath = -1 } },
]
[options.lucky]
offered = "after"
when = "result < 3"
limit = "1 a roll"
costs = { luck = -1 }
usual = "1"
gives = { reroll = "all" }
[options.rope]
offered = "support"
costs = { luck = -1 }
gives = { bonus = 1 }
[options.gasp]
offered = "before"
costs = { breath = -1 }
gives = { bonus = 2 }
[challenges.wall]
roll = "push"
wins = 3
losses = 2
"""


def begun(rules: Any, *more: Action, people: dict[str, str] | None = None, **stats: Any) -> Any:
    world = world_of(rules, people, **stats)
    kind = next(iter(rules.challenges))
    for action in (Improvise(kind), Lead("ana"), *more):
        for event in action.resolve(world, Dice()):
            world = event.apply(world)
    return world


def whole(world: Any) -> float | None:
    groups = [group for group in sure(ENGINE.odds(world, RollChallenge())).groups if group.overall]
    return groups[0].chances[0].chance if groups else None


def outcomes(world: Any, action: Action, faces: tuple[int, ...] = ()) -> Iterator[tuple[Any, float]]:
    """Every way that an action comes out, face by face."""
    try:
        after = world
        for event in action.resolve(world, Dice(faces)):
            after = event.apply(after)
        yield after, 1.0
    except DiceNeeded as needed:
        for face in range(1, needed.sides[0] + 1):
            for after, chance in outcomes(world, action, (*faces, face)):
                yield after, chance / needed.sides[0]


def played(world: Any, again: tuple[Action, ...]) -> float:
    """The chance to win by playing on, fifty steps deep."""
    return _played(world, again, 50, {})


def _played(world: Any, again: tuple[Action, ...], deep: int, known: dict[Any, float]) -> float:
    """The default answer to every choice, then the same people once more."""
    now = world.now
    key = (msgspec.json.encode((now.meters, now.shared, now.challenge, now.roll)), deep)
    if key not in known:
        known[key] = _went_on(world, again, deep, known)
    return known[key]


def _went_on(world: Any, again: tuple[Action, ...], deep: int, known: dict[Any, float]) -> float:
    if world.now.challenge.outcome:
        return float(world.now.challenge.outcome == "won")
    if not deep:
        return 0.0
    answer = ENGINE.policy(world)
    if answer is None and not world.now.challenge.lead:
        for action in again:
            for event in action.resolve(world, Dice()):
                world = event.apply(world)
    went = outcomes(world, answer or RollChallenge())
    return sum(p * _played(after, again, deep - 1, known) for after, p in went)


def test_tries_that_are_alike_give_the_sum_of_the_textbook() -> None:
    p, wins, losses = 1 / 3, 4, 3
    told = sum(comb(wins - 1 + x, x) * p**wins * (1 - p) ** x for x in range(losses))
    world = begun(rules_of(PLAIN))
    assert whole(world) == pytest.approx(told, abs=1e-12)
    assert played(world, (Lead("ana"),)) == pytest.approx(told, abs=1e-12)


@pytest.mark.parametrize("again", [(), (UseBefore("gasp"),)])
def test_what_tries_cost_and_bring_is_followed_to_the_end(again: Any) -> None:
    if again:
        text = PRICES.replace("costs = { breath = -1 }\ngives = { bonus = 2 }", "gives = { bonus = 2 }")
    else:
        text = PRICES
    world = begun(rules_of(text), *again)
    assert whole(world) == pytest.approx(played(world, (Lead("ana"), *again)), abs=1e-9)


def test_help_that_could_not_be_paid_for_again_is_not_known() -> None:
    world = begun(rules_of(PRICES), Support("bo", "rope"))
    assert whole(world) is None
    with pytest.raises(Refused):
        played(world, (Lead("ana"), Support("bo", "rope")))


def test_the_last_try_has_no_whole() -> None:
    rules = rules_of(PLAIN.replace("wins = 4", "wins = 1").replace("losses = 3", "losses = 1"))
    assert whole(begun(rules)) is None


def test_in_turn_the_next_try_is_somebody_elses_and_the_whole_is_known_to_one_alone() -> None:
    rules = rules_of(PLAIN + 'who = "in turn"\n')
    assert whole(begun(rules)) is None
    alone = begun(rules_of(PLAIN))
    assert whole(begun(rules, people={"ana": "Ines", "ogre": ""})) == pytest.approx(whole(alone), abs=1e-12)


def test_dice_that_everybody_rolls_are_not_rolled_again_in_the_chances() -> None:
    text = PLAIN + 'who = "best of all"\n[options.lucky]\noffered = "after"\nusual = "1"\nlimit = "1 a roll"\n'
    world = begun(rules_of(text + 'gives = { reroll = "all" }\n'))
    yes = sure(ENGINE.odds(world, RollChallenge())).groups[0].chances[0].chance
    assert yes == pytest.approx(1 - (2 / 3) ** 3, abs=1e-12)
    told = sum(comb(3 + x, x) * yes**4 * (1 - yes) ** x for x in range(3))
    assert whole(world) == pytest.approx(told, abs=1e-12)
