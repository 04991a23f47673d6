"""What is wrong with a game's rules is told where it stands, with what to do."""

from __future__ import annotations

from typing import Any

import pytest
from brews import NAMES, game, problems, rules_of

from tabletop_tui.engines.homebrew.checks import rule_problems

HEAD = """
[rules.stats.trait]
names = ["hard", "hot"]
least = -1
most = 3
[rules.meters.harm]
most = 6
[rules.conditions.dying]
out = true
"""
X = '[rules.rolls.a]\ndice = "2d6"\n'
ROLL = """
[rules.rolls.act]
dice = "2d6 + trait"
bands = [{ at = 10, title = "yes" }, { at = 7, title = "but" }, { title = "no" }]
"""


def told(text: str) -> list[tuple[str, str, str]]:
    return [(".".join(map(str, p.path[1:])), p.what, p.remedy) for p in problems(HEAD + text)]


@pytest.mark.parametrize("name", NAMES)
def test_the_seven_games_are_sound(name: str) -> None:
    assert not list(rule_problems(game(name)))


def test_a_small_game_is_sound() -> None:
    assert not told(ROLL)


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ('[rules.rolls.a]\ndice = "2d6 + trate"', "rolls.a.dice", "the game has no 'trate' here"),
        ('[rules.rolls.a]\ndice = "hard"', "rolls.a.dice", "there are no dice in it"),
        ('[rules.rolls.a]\ndice = ""', "rolls.a.dice", "a number or a name is missing at the end"),
        ('[rules.rolls.a]\ndice = "100000d6"', "rolls.a.dice", "100000 dice are too many"),
        ('[rules.rolls.a]\ndice = "(harm * 1000) d6"', "rolls.a.dice", "it could be 6000 dice"),
        ('[rules.rolls.a]\ndice = "2d1"', "rolls.a.dice", "a die could have 1 sides"),
        ('[rules.rolls.a]\ndice = "2d(4 + 2 * hard)"', None, ""),
        ('[rules.rolls.a]\ndice = "2d(1 + hard)"', "rolls.a.dice", "a die could have 0 sides"),
        ('[rules.rolls.a]\ndice = "2d6 exploding at 1"', "rolls.a.dice", "dice that explode at 1 would never end"),
        ('[rules.rolls.a]\ndice = "2d6 * 2"', "rolls.a.dice", "dice stand where a number belongs"),
        (
            '[rules.rolls.a]\ndice = "2d6 - 1d4"\nread = "highest"',
            "rolls.a.dice",
            "dice cannot be taken away where highest counts",
        ),
        (X + 'read = "median"', "rolls.a.read", "dice cannot be read as 'median'"),
        (X + 'read = "under"', "rolls.a.read", "it is not said what the dice have to stay under"),
        (X + 'key = "n"', "rolls.a.key", "'n' is the letter of 'next'"),
        (X + 'key = "T"', "rolls.a.key", "'T' cannot be the letter of something"),
        (
            ROLL + '[rules.rolls.b]\ndice = "2d6"\nkey = "b"\n[rules.rolls.c]\ndice = "2d6"\nkey = "b"',
            "rolls.c.key",
            "b has the letter 'b' already",
        ),
        (
            X + 'bands = [{ at = 3, title = "x" }]',
            "rolls.a.bands.0",
            "what is below 3? The last band has neither at nor when",
        ),
        (
            X + 'bands = [{ at = 7, title = "x" }, { at = 10, title = "y" }, { title = "z" }]',
            "rolls.a.bands.1",
            "the band 'y' can never come up",
        ),
        (
            X + 'bands = [{ title = "x" }, { at = 10, title = "y" }]',
            "rolls.a.bands.1",
            "the band 'y' can never come up",
        ),
        (
            X + 'bands = [{ title = "x", does = { ham = 1 } }]',
            "rolls.a.bands.0.does.ham",
            "the game has nothing called 'ham' that could change",
        ),
        (
            X + 'bands = [{ title = "x", does = { condition = "dead" } }]',
            "rolls.a.bands.0.does.condition",
            "'dead' is not a condition of the game",
        ),
        (
            X + 'bands = [{ title = "x", does = { ask = ["flee"] } }]',
            "rolls.a.bands.0.does.ask",
            "there is no option 'flee'",
        ),
        (X + 'costs = { harm = "1d4" }', "rolls.a.costs.harm", "a price cannot be rolled"),
        (X + 'asks = { far = "a lot" }', "rolls.a.asks.far", "'a lot' is nothing that can be asked"),
        (X + 'asks = { harm = "1 to 3" }', "rolls.a.asks.harm", "'harm' is in meters already"),
        ("[rules.meters.hard]\nmost = 3", "meters.hard", "'hard' is in stats.trait already"),
        ("[rules.meters.times]\nmost = 3", "meters.times", "'times' is a word of the language"),
        (
            '[rules.meters."two words"]\nmost = 3',
            "meters.two words",
            "'two words' is not a name that a sum could use",
        ),
        ("[rules.meters.luck]\nfull = { harm = 1 }", "meters.luck.full", "it is never full: it has no most"),
        ('[rules.meters.luck]\nmost = "harm"', "meters.luck.most", "the game has no 'harm' here"),
        (
            '[rules.meters.luck]\nmost = "trait"',
            "meters.luck.most",
            "'trait' is a group of stats, and nobody chooses one here",
        ),
        ('[rules.conditions.prone]\nends = "soon"', "conditions.prone.ends", "a condition cannot end by 'soon'"),
        (
            '[rules.options.o]\noffered = "after"\ngives = { reroll = "all" }',
            "options.o",
            "it could be taken for ever",
        ),
        ('[rules.options.o]\nlimit = "once"', "options.o.limit", "'once' is not a limit"),
        ('[rules.options.o]\nlimit = "once a scene"', "options.o.limit", "'once a scene' is not a limit"),
        ('[rules.options.o]\ngives = { reroll = "miss" }', "options.o.gives.reroll", "'miss' cannot be rolled again"),
        ("[rules.options.o]\ngives = { luck = 1 }", "options.o.gives.luck", "a roll cannot be given 'luck'"),
        ('[rules.turns]\norder = "number"', "turns.order", "it is not said what is rolled for the numbers"),
        ('[rules.challenges.c]\nroll = "climb"', "challenges.c.roll", "'climb' is not a roll"),
        (
            '[rules.stats.body]\nis = { a = "b + 1", b = "a" }',
            "stats.body.is.a",
            "it is worked out from itself, by 'b'",
        ),
    ],
)
def test_what_is_wrong_is_named_where_it_stands(text: str, where: Any, what: str) -> None:
    found = told(text)
    if where is None:
        assert not [one for one in found if "sides" not in one[1]]
        return
    assert (where, what) in [one[:2] for one in found]


def test_questions_that_lead_back_to_themselves_are_found() -> None:
    text = """
    [rules.rolls.resist]
    offered = "asked"
    dice = "1d6"
    bands = [{ title = "x", does = { ask = ["again"] } }]
    [rules.options.again]
    offered = "asked"
    roll = "resist"
    """
    assert ("rolls.resist", "it never ends: it leads to the option 'again', and so back to it") in [
        one[:2] for one in told(text)
    ]


def test_meters_whose_ends_move_each_other_in_a_ring_are_found() -> None:
    text = """
    [rules.meters.stress]
    most = 9
    full = { trauma = 1 }
    [rules.meters.trauma]
    most = 4
    full = { stress = "to 0" }
    empty = { stress = 1 }
    """
    assert ("meters.stress", "its end moves 'trauma', which comes back to it") in [one[:2] for one in told(text)]


def test_what_was_probably_meant_is_told() -> None:
    (problem,) = problems(HEAD + '[rules.rolls.a]\ndice = "2d6 + trate"')
    assert problem.found == "trate"
    assert "trait" in problem.known


def test_too_many_of_anything_are_too_many() -> None:
    text = "".join(f"[rules.meters.m{i}]\nmost = 3\n" for i in range(61))
    assert ("meters", "61 of these are too many", "At most 60.") in [
        (".".join(map(str, p.path[1:])), p.what, p.remedy) for p in problems(text)
    ]
    assert rules_of(text)
