"""What can be done where play is, as a list to number."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from ..rules import Action, ChallengeView, ContestView, Option, Prompt, Refused, TableView, View
from ..session import Table
from ..session.scenes import coming
from .words import sentence


class Offered(NamedTuple):
    """A line that can be chosen by its number."""

    words: str
    action: Action
    """What it does; where it leaves something open that must be said, that is asked."""
    pick: str = ""
    """The field that takes the places of dice picked; empty for none."""
    closed: str = ""
    group: str = ""
    """What it is one of: who could lead, say."""
    chosen: bool = False


class Gathered(NamedTuple):
    """A number of the list: one line, or several of a kind that are told when it is chosen."""

    words: tuple[str, ...]
    offered: tuple[Offered, ...]


MOST = 99
"""The highest number of a list that lives on; whoever typed for what it was told as long ago has typed by then."""
SHORT = 4
"""So many of a kind are told one by one."""


def gathered(some: list[Offered]) -> list[Gathered]:
    """A list that is short enough to be heard: many of a kind are one number."""
    out = []
    alone = len({one.group for one in some}) == 1  # there is nothing else to hear
    for group, kind in groupby(some, lambda one: one.group):
        these = tuple(kind)
        if group and len(these) > SHORT and not alone:
            now = "; ".join(one.words for one in these if one.chosen)
            out.append(Gathered((group, f"{len(these)} to choose from", f"now {now}" if now else ""), these))
        else:
            before = f"{group}: " if group else ""
            out += [Gathered((before + one.words, "chosen now" if one.chosen else ""), (one,)) for one in these]
    return out


class Numbered:
    """The list whose numbers can be typed.

    While it lives, a number means what it was told as, whatever others do meanwhile: what they make possible comes
    after the last number, and the number of what has gone is nobody else's.
    """

    def __init__(self) -> None:
        self.lines: dict[int, Gathered] = {}
        self._gone: dict[int, str] = {}

    def take(self, some: list[Gathered], fresh: bool) -> None:
        """Another list, numbered from 1; or the same one after somebody else has acted."""
        free = max((*self.lines, *self._gone), default=0) + 1
        if fresh or free + len(some) > MOST:
            self.lines, self._gone, free = {}, {}, 1
        before, self.lines = self.lines, {}
        for one in some:
            number = next((n for n, old in before.items() if _meaning(old) == _meaning(one)), 0)
            if number:
                del before[number]
            else:
                number, free = free, free + 1
            self.lines[number] = one
        self._gone |= {number: old.words[0] for number, old in before.items()}

    def told(self) -> list[str]:
        """A line a number."""
        return [f"{number}. {sentence(*self.lines[number].words)}" for number in sorted(self.lines)]

    def at(self, number: int) -> tuple[Offered, ...]:
        """What a number means."""
        if number in self._gone:
            raise Refused(f"{number} has gone: {self._gone[number]}", remedy="list tells what can be done now.")
        if number not in self.lines:
            raise Refused(f"there is no number {number}", remedy="list tells the list again.")
        return self.lines[number].offered


def _meaning(one: Gathered) -> object:
    """What makes a line the same, however it is told: what it does, or what it has several of."""
    first = one.offered[0]
    return first.action if len(one.offered) == 1 else first.group


def offered(view: View | None) -> list[Offered]:
    """Everything on a page that could be pressed, open or closed; of a page with a prompt, its answers alone."""
    if isinstance(view, TableView | ChallengeView | ContestView) and view.prompt:
        return list(_prompt(view.prompt))
    if isinstance(view, TableView):
        named = any(one.action == view.roll for one in view.acts)
        return [*(() if named else _roll(view.roll, "")), *map(_option, view.acts)]
    if isinstance(view, ChallengeView):
        return [*_roll(view.roll, view.roll_closed), *_challenge(view)]
    if isinstance(view, ContestView):
        return [*_roll(view.roll, view.roll_closed), *_contest(view)]
    return []


def prepared(table: Table, view: View | None) -> list[Offered]:
    """At the table, while nobody is up and nothing is asked: what could be begun."""
    idle = isinstance(view, TableView) and view.prompt is None and not any(p.current for p in view.people)
    return [Offered(sentence(p.name, p.what, p.note).rstrip("."), p.action) for p in (coming(table) if idle else ())]


def _prompt(prompt: Prompt) -> Iterator[Offered]:
    for place, option in enumerate(prompt.options):
        yield _option(option)._replace(pick="" if place else prompt.pick)


def _option(option: Option, group: str = "") -> Offered:
    label = option.secret_label or option.label
    note = option.secret_note or option.note
    words = sentence(label, note, "asks the GM" if option.asks else "").rstrip(".")
    return Offered(words, option.action, closed=option.closed, group=group, chosen=option.chosen)


def _roll(action: Action | None, closed: str) -> Iterator[Offered]:
    if action is not None:
        yield Offered("Roll", action, closed=closed)


def _challenge(view: ChallengeView) -> Iterator[Offered]:
    for option in view.leads:
        yield _option(option, view.words.lead)
    if view.support:
        for row in view.support.rows:
            for column, cell in zip(view.support.columns, row.cells, strict=False):
                one = _option(cell, view.words.support)
                yield one._replace(words=f"{row.who}, {column}: {one.words}")
    for option in (*view.extras, *view.parts):
        yield _option(option)
    for option in view.open:
        yield _option(option, "Open")


def _contest(view: ContestView) -> Iterator[Offered]:
    for party in view.parties:
        for option in party.adds:
            yield _option(option, party.name)
        for bid in party.bids:
            if bid.remove is not None:
                yield Offered(bid.source, bid.remove, group=f"{party.name}: take out")
    for option in view.extras:
        yield _option(option)
    for option in view.open:
        yield _option(option, "Open")
