"""Sums and dice: what can be written, what it comes to, and what is wrong with the rest."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import level
import pytest
from brews import game, world_of
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop_tui.engines.homebrew.dice import spelled
from tabletop_tui.engines.homebrew.language import TermError, amount, limit, pool, reading
from tabletop_tui.engines.homebrew.scope import NOWHERE, Scope

WORDS = ["2d6", "+", "-", "*", "/", "(", ")", "1", "7", "d", "d6", "hard", "their", "lead", "all", "keep", "highest"]
WORDS += [
    "lowest",
    "exploding",
    "once",
    "at",
    "if",
    "else",
    "and",
    "or",
    "not",
    "is",
    "of",
    "sides",
    "count",
    ">",
    "!=",
]


def number(text: str, **facts: int) -> int:
    return Scope(NOWHERE, facts=facts).number(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("7 / 2", 3),
        ("-7 / 2", -4),
        ("7 / 0", 0),
        ("1 - -1", 2),
        ("2 * -3 - -(1 + 1)", -4),
        ("3 > 2", 1),
        ("3 is 2", 0),
        ("not 3 is 2", 1),
        ("2 if margin > 1 else 5", 2),
        ("1 if margin is 0 else 2 if margin is 4 else 3", 2),
        ("margin >= 4 and ones < 1 or 0", 1),
        ("999999 * 999999", 1_000_000),
        ("1 − 3", -2),
    ],
)
def test_a_sum_comes_to_a_number(text: str, value: Any) -> None:
    assert number(text, margin=4) == value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2d6 + 1", "2d6 + 1"),
        ("d20", "1d20"),
        ("d20 - 1d4", "1d20 − 1d4"),
        ("-1d4", "−1d4"),
        ("-d6", "−1d6"),
        ("-(1 + 1) d6 - 1", "−2d6 − 1"),
        ("2 + -1d4", "−1d4 + 2"),
        ("-2d6 keep lowest 1", "−2d6 keep lowest 1"),
        ("--1d4", "1d4"),
        ("(1 + 1) d(4 + 2)", "2d6"),
        ("3d6 keep highest 2 + 1", "3d6 keep highest 2 + 1"),
        ("2d6 exploding once at 5", "2d6 exploding once at 5"),
        ("2d6 exploding keep lowest 1", "2d6 keep lowest 1 exploding"),
        ("4", "4"),
    ],
)
def test_dice_are_read_and_told(text: str, words: str) -> None:
    assert spelled(Scope(NOWHERE).spec_of(text)) == words


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("2d6 +", "a number or a name is missing at the end"),
        ("2d6 2", "expected the end, found '2' at character 5"),
        ("(1", "a closing bracket is missing at the end"),
        ("1 if 2", "'else' is missing at the end"),
        ("2d6 keep 3", "expected 'highest' or 'lowest', found '3' at character 10"),
        ("sides skill", "expected 'of', found 'skill' at character 7"),
        ("1 & 2", "'&' at character 3 means nothing here"),
        ("1234567", "the number 1234567 is too large"),
        ("1 + " * 60 + "1", "it is longer than 200 characters"),
        ("(" * 30 + "1" + ")" * 30, "it is nested more than 20 deep"),
        ("-" * 30 + "1", "it is nested more than 20 deep"),
        ("their", "a number or a name is missing at the end"),
    ],
)
def test_what_cannot_be_read_is_pointed_at(text: str, what: str) -> None:
    with pytest.raises(TermError) as caught:
        amount(text)
    assert caught.value.what == what


def test_dice_may_have_others_in_their_place() -> None:
    first, none = pool("0d6, or if none 2d6 keep lowest 1")
    assert none is not None
    assert spelled(Scope(NOWHERE).spec(none)) == "2d6 keep lowest 1"
    assert Scope(NOWHERE).spec(first).count == 0
    with pytest.raises(TermError):
        pool("0d6, or if none 1d6, or if none 1d4")


def test_how_dice_are_read_and_how_often_something_is_allowed() -> None:
    assert reading("sum") == ("sum", None)
    assert reading("hits at 5")[0] == "hits"
    assert limit("2 + complex a challenge")[1] == "challenge"
    for wrong in ("hits", "median", ""):
        with pytest.raises(TermError):
            reading(wrong)
    for wrong in ("1", "1 an evening", "a roll"):
        with pytest.raises(TermError):
            limit(wrong)


def test_names_stand_for_stats_meters_conditions_options_and_what_was_said() -> None:
    world = world_of(game("pool"), prowl=3, wreck=0)
    scope = Scope(
        world.live(meters={"ana": {"stress": 4}}),
        "ana",
        whom="bo",
        roll="action",
        stats={"action": "prowl"},
        says={"position": "desperate", "effect": "great"},
        taken={"push": 1},
    )
    assert scope.number("prowl + action") == 6
    assert scope.number("body") == 1  # worked out: prowl has dots, wreck has none
    assert scope.number("stress") == 4
    assert scope.number("their stress") == 0
    assert scope.number("push") == 1
    assert scope.number("position is desperate") == 1
    assert scope.number("position is risky") == 0
    assert scope.number("effect + 1") == 4
    assert scope.number("hero") == 1


@given(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
@settings(max_examples=level.many(60, 400, 5_000), deadline=None)
def test_any_words_are_read_or_refused(text: str) -> None:
    with suppress(TermError):
        Scope(NOWHERE).spec(amount(text))


@given(st.text(max_size=60))
@settings(max_examples=level.many(60, 300, 5_000), deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(TermError):
        amount(text)


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("1d10! + hard", "Write 1d6 exploding."),
        ("2d20kh1", "Write 4d6 keep highest 3, or keep lowest 1."),
        ("d% + hard", "Write d100."),
    ],
)
def test_what_other_games_of_dice_write_is_told_in_this_language(text: str, remedy: str) -> None:
    with pytest.raises(TermError) as told:
        amount(text)
    assert told.value.remedy == remedy
