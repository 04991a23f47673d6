"""What a roll mentions has to be asked: one of each group of stats, whom it is against, which clock it moves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from .game import Band, Effects, HomebrewRules, OptionRule, RollRule, Says
from .language import Term, TermError, amount, owned, pool, reading, target

MOST_ASKED = 3
"""Groups of stats, or questions of its own, that one roll asks."""


class Mentions(NamedTuple):
    """What has to be asked."""

    groups: tuple[str, ...]
    whom: bool
    clock: bool


def terms_of_effects(effects: Effects) -> Iterator[Term]:
    """The sums in some effects; those that cannot be read are left out."""
    for key, value in effects.items():
        if isinstance(value, int | str) and owned(key)[1] not in ("condition", "cure", "initiative", "ask"):
            try:
                yield target(value)[1]
            except TermError:
                continue


def terms_of(rule: RollRule) -> Iterator[Term]:
    """Every sum in a roll; those that cannot be read are left out."""
    found: list[object] = []
    for text in (rule.dice, rule.against):
        try:
            found += pool(text) if text != "" else ()
        except TermError:
            continue
    with suppress(TermError):
        found += reading(rule.read)
    yield from (term for term in found if isinstance(term, Term))
    for text in [rule.when, *(band.when for band in (*rule.bands, *rule.also))]:
        try:
            if text:
                yield amount(text)
        except TermError:
            continue
    for effects in effects_of(rule):
        yield from terms_of_effects(effects)


def effects_of(rule: RollRule) -> Iterator[Effects]:
    """Every table of effects in a roll."""
    yield rule.costs
    bands: tuple[Band, ...] = (*rule.bands, *rule.also)
    for band in bands:
        yield band.does


def mentions(rules: HomebrewRules, roll: str) -> Mentions:
    """What has to be asked before a roll."""
    rule = rules.rolls[roll]
    names = [one for term in terms_of(rule) for one in term.names()]
    keys = [owned(key) for effects in effects_of(rule) for key in effects]
    groups = tuple(dict.fromkeys(name for _, name in names if name in rules.stats))
    theirs = any(owner == "their" for owner, _ in (*names, *keys))
    return Mentions(groups[:MOST_ASKED], theirs, ("", "clock") in keys)


def is_nobodys(rules: HomebrewRules, roll: str) -> bool:
    """Is a roll the GM's own, without a number of whoever makes it, and with nothing that is done to them?"""
    rule = rules.rolls[roll]
    if rule.by != "gm" or mentions(rules, roll).groups:
        return False
    stats = {name for group in rules.stats.values() for name in (*group.names, *group.worked)}
    own = {*stats, *rules.meters, *rules.lasting, "hero", "initiative", "condition", "cure", "ask"}
    names = [one for term in terms_of(rule) for one in term.names()]
    keys = [owned(key) for effects in effects_of(rule) for key in effects]
    return not any(owner in ("", "lead") and name in own for owner, name in (*names, *keys))


def speaks_of_others(option: OptionRule) -> bool:
    """Does an option do something to somebody else?"""
    texts = [*option.does, *option.costs, option.when, *(v for v in option.does.values() if isinstance(v, str))]
    return any("their " in f"{text} " for text in texts)


def asks_of(asks: Says) -> list[str]:
    """The names of what is asked."""
    return list(asks)[:MOST_ASKED]


def span_of(ask: str) -> tuple[int, int] | None:
    """The ends of `5 to 30`; None where it is something else."""
    low, found, high = ask.partition(" to ")
    both = [text.strip() for text in (low, high)]
    if not found or not all(t.removeprefix("-").isdecimal() and t.isascii() and len(t) < 8 for t in both):
        return None
    return int(both[0]), int(both[1])
