"""What can be done to somebody's dice from the contest screen, and how a contest can go on."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ...rules import Option
from .contest import fresh_pairs, is_social
from .dice import Mods, parse_pair
from .effects import NextRound
from .modifiers import Modify
from .world import Contest, FenWorld, has_skill, is_secret, person

MOST_PAIRS = 4
"""Pairs of skills that are offered for the next round of a social contest; the others are in the list."""


def adds(world: FenWorld, who: str) -> tuple[Option, ...]:
    """By digits what can be done to somebody's next throw; what is done already to a secret one's is secret too."""
    mods, secret = person(world, who).mods, is_secret(world, who)
    return tuple(
        Option(label, Modify(who, *_fields(then)), str(number), closed, secret=secret)
        for number, (label, then, closed) in enumerate(_changes(mods), 1)
    )


def _changes(mods: Mods) -> Iterator[tuple[str, Mods, str]]:
    """In words, what they would come to, and why not."""
    more, fewer = mods.additional + 1, mods.fewer + 1
    up, down = mods.increments + 1, mods.increments - 1
    yield "one more die", replace(mods, additional=more), "" if more <= 100 else "no more"
    yield "one die fewer", replace(mods, fewer=fewer), "" if fewer <= 100 else "no fewer"
    yield "a step up", replace(mods, increments=up), "" if up <= 5 else "no higher"
    yield "a step down", replace(mods, increments=down), "" if down >= -5 else "no lower"
    yield "somebody helps: twice the dice", replace(mods, doubled=True), "doubled already" if mods.doubled else ""


def _fields(mods: Mods) -> tuple[int, int, int, int, bool]:
    return mods.increments, mods.additional, mods.fewer, mods.non_explosive, mods.doubled


def go_on(world: FenWorld, contest: Contest) -> list[Option]:
    """The same pair again; a social contest needs another one, of skills that both sides of it have."""
    if not is_social(world, contest.pair):
        return [Option(f"again, {contest.pair}", NextRound(contest.pair), "g")]
    found = []
    for choice in fresh_pairs(world, {}):
        mine, theirs = parse_pair(choice.value)
        known = has_skill(world, contest.who, mine) and any(has_skill(world, w, theirs) for w in contest.defenders)
        if known and not choice.closed and is_social(world, choice.value):
            found.append(Option(f"go on, {choice.value}", NextRound(choice.value), secret=True))
    return found[:MOST_PAIRS]
