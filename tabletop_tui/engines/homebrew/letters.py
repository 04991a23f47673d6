"""The letters of a game's rolls and options on the table page."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules import LETTERS, Problem
from .game import HomebrewRules

OWN = {"g": "begin turns", "n": "next", "x": "end turns", "j": "adjust", "r": "roll", "s": "save"}
"""Letters that the table page of every home-brew game has for itself."""
FREE = sorted(LETTERS - set(OWN))


def keyed(rules: HomebrewRules) -> list[tuple[str, str, str, str]]:
    """What stands on the table with a letter: its kind, its name, its title and the letter that it wants."""
    rolls = [("rolls", n, r.title or n, r.key) for n, r in rules.rolls.items() if r.offered == "any time"]
    options = [("options", n, o.title or n, o.key) for n, o in rules.options.items() if o.offered == "any time"]
    return [*rolls, *options]


def letters(rules: HomebrewRules) -> dict[tuple[str, str], str]:
    """The letter of each: its own, else the first free one of its title, else any; none where all are taken."""
    some = keyed(rules)
    taken = {key for _, _, _, key in some if key}
    out: dict[tuple[str, str], str] = {}
    for kind, name, title, key in some:
        if not key:
            wanted = [c for c in title.lower() if c in FREE] + FREE
            key = next((c for c in wanted if c not in taken), "")
            taken.add(key)
        out[kind, name] = key
    return out


def letter_problems(rules: HomebrewRules) -> Iterator[Problem]:
    """Letters that are the screen's own, or that two want."""
    owners: dict[str, str] = {}
    for kind, name, _, key in keyed(rules):
        if not key:
            continue
        at = ("rules", kind, name, "key")
        if key in OWN:
            yield Problem(at, f"{key!r} is the letter of {OWN[key]!r}", f"Choose from: {' '.join(FREE)}.")
        elif key not in FREE:
            yield Problem(at, f"{key!r} cannot be the letter of something", f"Choose from: {' '.join(FREE)}.")
        elif key in owners:
            yield Problem(at, f"{owners[key]} has the letter {key!r} already", "Give one of them another.")
        owners.setdefault(key, name)
