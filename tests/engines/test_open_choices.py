"""What the choices of a field leave open is not refused: random answers to every form of all four games."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import level
import playing
import pytest

from tabletop_tui import plugins
from tabletop_tui.conformance import random_action
from tabletop_tui.rules import Action, Dice, Event, Refused, roller

SAMPLES = [(engine, sample) for engine in ("tiers", "no1", "drama", "fen") for sample in playing.samples(engine)]
GAMES, STEPS = level.many(4, 12, 120), 70

TYPED = (
    r"is more than",  # numbers that somebody types
    r"is one of a kind",
    r"costs \d+",
    r"there is no Timer",
    r"hours are too short",
    r"Drama Points: .* does not fit",
    r"stays? at \d+",
    r"gains nothing by that",
    r"worth \d+ dice, not",
    r"brings at most as many dice",
    r"there is no .* in ",  # words that somebody types
    r"a zone called .* already",
    r"have no callings",
    r"has no passion",
    r"has that line already",
    r"used '.*' in round",
    r"shares are whole numbers",
    r"cannot be a skill",
    r"two skills with one stroke",
    r"among two opponents or more",  # how many of a list are taken
    r"\d+ dice are too many to reroll",
    r"cannot be split among",
    r"answers once",
    r"nobody who takes part has",
    r"a side must have seen it coming",
    r"nobody here stands against them",
    r"\d+ dice are too many",
    r"dice for .* are too many",
    r"go to somebody else",
    r"is a background: it needs an attribute",  # a form proposes one
    r"cannot resist with ''",
    r"does not have .* Say which skill",
    r"needs an attribute to go with",
)
"""Refusals of what no list of choices can close: a number, a word, or too many and too few of a list."""


@pytest.mark.parametrize(("name", "sample"), SAMPLES, ids=[sample.name for _, sample in SAMPLES])
def test_what_is_open_to_choose_is_not_refused(name: str, sample: Path) -> None:
    begin = playing.world(sample)
    engine = plugins.load(name)
    done = 0
    for game in range(GAMES):
        world, chance = begin, random.Random(game)
        for step in range(STEPS):
            action = random_action(engine, world, chance)
            assert action is not None
            events, refused = resolved(action, world, f"{game} {step}")
            assert not refused or any(re.search(typed, refused) for typed in TYPED), f"{refused}\n{action!r}"
            done += not refused
            for event in events:
                world = event.apply(world)
    assert done > GAMES * STEPS // 2


def resolved(action: Action, world: Any, seed: str) -> tuple[tuple[Event, ...], str]:
    """What comes of an action, or why it is refused."""
    try:
        return action.resolve(world, Dice((), roller(seed, 1))), ""
    except Refused as no:
        return (), str(no)
