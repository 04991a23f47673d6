"""The sentences and numbers that every written form shares."""

from __future__ import annotations

import re

from ..session import local
from .luck import Luck, Tally
from .record import Chapter, Record

SMALL = ("a", "and", "at", "in", "of", "on", "the", "to")

EXPLAINED = (
    "Chances are exact and those of the moment before the dice fell, with the game's own default for every choice "
    "after them. Luck is the share of all sessions with the same chances that would have gone worse, those that "
    "went as well counted half: 50 % is as expected."
)


def span(record: Record) -> str:
    """When it was played."""
    (day, time), (other, end) = local(record.began), local(record.ended)
    return f"{day}, {time} to {end if day == other else f'{other}, {end}'}"


def title(record: Record) -> str:
    """What the record is called."""
    return title_of(record.campaign)


def title_of(campaign: str) -> str:
    """A campaign's title; older logs have the name of its folder."""
    if not re.fullmatch(r"[^\W_A-Z]+(-[^\W_A-Z]+)*", campaign):
        return campaign or "A session"
    head, *rest = campaign.split("-")
    return " ".join([head.capitalize(), *(word if word in SMALL else word.capitalize() for word in rest)])


def heading(record: Record, chapter: Chapter) -> str:
    """What a chapter is called: its scene, or the session before any."""
    return chapter.title or (f"Session {record.session}" if record.session else "The session")


def for_whom(record: Record) -> str:
    """Who may read it."""
    return "For the GM: secrets and all" if record.reader == "gm" else "For the players"


def taken_back(record: Record) -> str:
    """How many steps were undone; empty for none."""
    n = record.taken_back
    return "" if not n else "1 step was taken back." if n == 1 else f"{n} steps were taken back."


IN_SHORT = "In short"
"""The heading of the recap."""
UNDONE = "(taken back)"
"""Stands before a step that was undone, in a record that tells those too."""


TOGETHER = "The players' characters together"


def who(name: str) -> str:
    """A person, or the whole table."""
    return name or "The table"


def share(chance: float) -> str:
    """A percentile for people."""
    return f"{chance * 100:.0f} %"


def verdict(luck: Luck) -> str:
    """Luck in a word; a word only for what fewer than one session in ten would show."""
    shown = round(luck.luck, 2)
    for limit, words in ((0.99, "very lucky"), (0.9, "lucky")):
        if shown >= limit:
            return words
    for limit, words in ((0.01, "very unlucky"), (0.1, "unlucky")):
        if shown <= limit:
            return words
    return "as expected"


def ways(tally: Tally) -> str:
    """How a group came out, in words."""
    found = [f"{word} {n}×" for word, n in sorted(tally.counts.items(), key=lambda c: -c[1])]
    if tally.numbers:
        found.append(f"above 0 in {tally.above} of {tally.numbers}, {tally.total} in all, at most {tally.most}")
    return ", ".join(found)


def dice_words(sides: tuple[int, ...]) -> str:
    """The dice of a handful: "3d6 + d8"."""
    counts: dict[int, int] = {}
    for side in sides:
        counts[side] = counts.get(side, 0) + 1
    return " + ".join(f"{n if n > 1 else ''}d{side}" for side, n in counts.items())
