"""Random and hostile rules: each is refused with a reason or can be played; never a traceback, never without end.

TABLETOP_TESTS=all python -m pytest tests/engines/homebrew/test_homebrew_hostile.py
"""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import level
import msgspec
import pytest
from brews import ENGINE, GAMES, NAMES, problems, world_of

from tabletop_tui.conformance.edits import leaves, played_on, put
from tabletop_tui.plugins import guarded
from tabletop_tui.rules import World
from tabletop_tui.storage.campaign import load
from tabletop_tui.storage.toml.shape import misfits

MUTATIONS = level.many(210, 1_500, 100_000)
WORDS: list[Any] = [
    "", "to 0", "to 999999", "-1", "2d6", "999999d6", "1d999999", "99d99 exploding at 2", "their", "ask",
    "hard + hard", "((((((((((1))))))))))", "1 if 2 else 3", "sides of skill", "not not not 1", "margin * margin",
    "hits at 1", "under", "any time", "asked", "after", "support", "before", "1 a roll", "999 a session", "save",
    "result", "ones", "\x1b[2J", "x" * 500, "1 / 0", "d", "keep highest", "count of", "all", "their harm", "clock x",
    0, -1, 1, 7, 10**9, -(10**9), True, [], ["resist"], {}, {"harm": 1}, {"ask": ["resist"]}, {"condition": "dying"},
]  # fmt: skip


def mutated(data: Any, chance: random.Random, pool: list[Any]) -> Any:
    """The same rules with one to three values changed, taken out, or put elsewhere."""
    for _ in range(chance.randint(1, 3)):
        places = list(leaves(data))
        path, value = chance.choice(places)
        if not path:
            continue
        other = chance.choice([None, chance.choice(WORDS), chance.choice(pool), value])
        if chance.random() < 0.1 and isinstance(value, dict):
            other = {**value, str(chance.choice(WORDS)): chance.choice(pool)}
        data = put(data, path, other)
    return data


def tried(data: Any, chance: random.Random) -> bool:
    """Rules that fit their records are looked at, and played where nothing is wrong with them."""
    if any(not misfit.warning for misfit in misfits(data, ENGINE.rules)):
        return False
    rules = msgspec.convert(data, ENGINE.rules)
    if any(not problem.warning for problem in ENGINE.problems(World(rules, ENGINE.now()))):
        return False
    world = world_of(rules)
    if any(not problem.warning for problem in ENGINE.problems(world)):
        return False
    wrong = played_on(guarded(ENGINE), world, chance)
    assert not wrong, wrong
    return True


@pytest.mark.timeout(level.many(600, 600, 0))
@pytest.mark.parametrize("name", NAMES)
def test_mutated_rules_are_refused_or_played(name: str) -> None:
    data = tomllib.loads((GAMES / f"{name}.toml").read_text())["rules"]
    chance = random.Random(NAMES.index(name))
    pool = [value for _, value in leaves(data)]
    played = sum(tried(mutated(data, chance, pool), chance) for _ in range(MUTATIONS // len(NAMES)))
    assert played > MUTATIONS // len(NAMES) // 20  # some of it is a game


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[rules.rolls.a]\ndice = "1000000000d6"', 4),
        ('[rules.rolls.a]\ndice = "999999d6"', 4),
        ('[rules.meters.m]\nleast = 0\n[rules.rolls.a]\ndice = "m d6"', 6),
        ('[rules.rolls.a]\ndice = "1d6 exploding at 1"', 4),
    ],
)
def test_what_could_explode_is_a_problem_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    (tmp_path / "campaign.toml").write_text(f'title = "x"\nengine = "homebrew"\n{text}\n')
    (found,) = load(tmp_path).errors
    assert (found.file, found.line) == ("campaign.toml", line)
    assert found.what


def test_bands_and_meters_that_loop_are_problems() -> None:
    loop = """
    [rules.rolls.a]
    dice = "1d6"
    bands = [{ title = "x", does = { ask = ["o"] } }]
    [rules.options.o]
    offered = "asked"
    does = { ask = ["o"] }
    """
    assert any("never ends" in problem.what for problem in problems(loop))
