"""Hand edits of the live state: what the engine accepts can be looked at and played on, the rest is refused."""

from __future__ import annotations

from typing import Any

import level
import msgspec
import playing
import pytest
from msgspec.structs import replace
from tiers_worlds import challenged, do, hero, npc, world

from tabletop_tui.conformance import check_edits, worlds
from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.engines.tiers.attack import Attack
from tabletop_tui.engines.tiers.challenge_roll import RollChallenge
from tabletop_tui.engines.tiers.world import TiersWorld

STATES = level.many(200, 2_000, 50_000)


def test_no_edit_that_is_accepted_breaks_the_table() -> None:
    (sample,) = playing.samples("tiers")
    found = check_edits(ENGINE, worlds(ENGINE, playing.world(sample), STATES), most=STATES, each=25)
    assert found.states == STATES


def attacked() -> TiersWorld:
    here = world(
        mira=hero("Mira", bonus=1, Blade={"beta": 2}, levels={"beta": 1}), guard=npc("Guard", Spear={"alpha": 1})
    )
    return do(here, Attack("mira", "Blade", "guard", "Spear"), 5, 2, 1)


def rerolling() -> TiersWorld:
    return do(challenged("beta", 2, "beta", 2, rerolls=1), RollChallenge(), 2, 5, 3, 1)


def edited(here: TiersWorld, path: tuple[str | int, ...], value: Any) -> TiersWorld:
    """The world with one value of its live state changed as in a file; None takes it out."""
    data: Any = msgspec.to_builtins(here.now, str_keys=True)
    *above, last = path
    held = data
    for key in above:
        held = held[key]
    if value is None:
        del held[last]
    else:
        held[last] = value
    return replace(here, now=msgspec.convert(data, ENGINE.now, str_keys=True))


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("roll", "first", "who"), None, "nobody is called ''"),
        (("roll", "second", "who"), "somebody", "nobody is called 'somebody'"),
        (("roll", "first", "dice"), [], "the number of dice cannot be 0"),
        (("roll", "first", "dice", 0, "face"), 400, "a face of beta cannot be 400"),
        (("roll", "first", "dice", 0, "face"), 0, "a face of beta cannot be 0"),
        (("roll", "first", "dice", 0, "again"), -3, "a face of beta cannot be -3"),
        (("roll", "first", "dice", 0, "again"), 3, "a beta die that shows 5 does not explode"),
        (("roll", "margin"), -50, "a margin cannot be -50"),
        (("roll", "rerolls"), -3, "the number of rerolls cannot be -3"),
        (("roll", "winner"), "", "dice that have fallen have a winner"),
        (("roll", "stage"), "reroll", "only a Lead chooses rerolls"),
        (("roll", "first", "rank"), 0, "a rank cannot be 0"),
        (("people", "guard", "boost"), 2**31, "a boost cannot be 2147483648"),
        (("people", "mira", "bonus_dice"), 100, "the number of Bonus Dice cannot be 100"),
        (("people", "mira", "hp"), -1, "HP cannot be -1"),
        (("due",), 5, "5 points are due and there are fewer"),
    ],
)
def test_a_number_that_the_rules_cannot_make_is_refused(path: tuple[str | int, ...], value: Any, told: str) -> None:
    assert told in [p.what for p in ENGINE.problems(edited(attacked(), path, value)) if not p.warning]


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("challenge", "lead"), "nobody", "nobody is called 'nobody'"),
        (("challenge", "skill"), "Waring", "'mira' cannot lead with 'Waring'"),
        (("challenge", "outcome"), "triumph", "'triumph' is not an outcome"),
        (("roll", "rerolls"), 400, "the number of rerolls cannot be 400"),
        (("challenge", "supports", "direct", "gives"), 9, "what a support gives cannot be 9"),
    ],
)
def test_an_edit_of_a_challenge_that_cannot_be_played_is_refused(
    path: tuple[str | int, ...], value: Any, told: str
) -> None:
    problems = [p for p in ENGINE.problems(edited(rerolling(), path, value)) if not p.warning]
    assert told in [p.what for p in problems]


def test_an_unknown_word_is_told_with_the_words_that_are_known() -> None:
    (problem,) = ENGINE.problems(edited(rerolling(), ("challenge", "skill"), "Waring"))
    assert (problem.found, problem.known) == ("Waring", ("Warding",))


def test_states_that_play_makes_are_accepted() -> None:
    for here in (attacked(), rerolling()):
        assert not ENGINE.problems(here)
