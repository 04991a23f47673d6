"""The roster: everybody by side, identical ones in one row, and the places where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from textwrap import wrap
from typing import Any

from textual.content import Content

from ..rules import Counter, Person
from .panel import Panel
from .text import ACCENT, DIM, FAINT, INK, TONES, cells, fit, heading, line, safe, with_more


class Row:
    """A row of the roster: one person, or several who differ in nothing but their number."""

    def __init__(self, people: tuple[Person, ...], opened: bool = False) -> None:
        self.people = people
        self.opened = opened
        """One of several who are shown singly because somebody asked."""

    @cached_property
    def name(self) -> str:
        """The name, without its number where the row is of several."""
        if len(self.people) == 1:
            return self.people[0].name
        shared = []
        for words in zip(*(p.name.split() for p in self.people), strict=False):
            if len(set(words)) > 1:
                break
            shared.append(words[0])
        return " ".join(shared) or self.people[0].name

    @property
    def count(self) -> str:
        """How many there are, where there are several."""
        return f" ×{len(self.people)}" if len(self.people) > 1 else ""

    def fitted(self, width: int) -> str:
        """The name and the count in so many cells: a long name is cut, never the count."""
        name = min(cells(self.name), max(width - cells(self.count), 1))
        return fit(fit(self.name, name) + self.count, width)

    @property
    def person(self) -> Person:
        """Who stands for the row: whoever may go, else the first."""
        return next((p for p in self.people if p.may_go), self.people[0])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Row) and (self.people, self.opened) == (other.people, other.opened)


def rows(people: Sequence[Person], opened: frozenset[str]) -> list[Row]:
    """People as rows. Those of a group who are alike in all that is shown share one, unless it was opened."""
    found: dict[object, list[Person]] = {}
    for p in people:
        alone = not p.group or p.current or p.group in opened
        alike = (p.side, p.group, p.note, p.secret_note, p.marks, p.acted, p.out, p.may_go, p.secret)
        found.setdefault(p.id if alone else alike, []).append(p)
    return [Row(tuple(some), some[0].group in opened) for some in found.values()]


class Roster(Panel):
    """Only rows in sight are drawn: two hundred cost what twenty do. Shown: rows, cursor, places, their title."""

    DEFAULT_CSS = "Roster { width: 34; height: 1fr; background: $surface; }"

    top = 0

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.place_lines = lru_cache(maxsize=16)(place_lines)
        """Places seldom change, and wrapping what is said of them takes a while."""

    def lines(self, width: int) -> list[Content]:
        """A heading a side, a row a person or a group, then the places."""
        shown, cursor, places, title = self.shown or ((), 0, (), "")
        spare = self.size.height - len(shown) - len({row.people[0].side for row in shown})
        below = list(self.place_lines(places, title, width, spare))
        room = max(self.size.height - len(below), 3)
        entries: list[tuple[str, int]] = []
        side = None
        for i, row in enumerate(shown):
            if row.people[0].side != side:
                side = row.people[0].side
                entries.append((side or "everybody", -1))
            entries.append(("", i))
        at = next((n for n, (_, i) in enumerate(entries) if i == cursor), 0)
        self.top = max(min(self.top, max(at - 1, 0), max(len(entries) - room, 0)), at - room + 1, 0)
        out = []
        seen = [shown[i] for _, i in entries[self.top : self.top + room] if i >= 0]
        above = sum(i >= 0 for _, i in entries[: self.top])
        beneath = sum(i >= 0 for _, i in entries[self.top + room :])
        # the number that matters comes before the end of a long name
        notes = max((cells(_note(row.people[0])) for row in seen), default=0)
        name = min(max((cells(row.name + row.count) for row in seen), default=8), max(width - 4 - notes, 12))
        for side_name, i in entries[self.top : self.top + room]:
            if i < 0:
                out.append(heading(side_name, width))
            else:
                self.rows[len(out)] = ("person", i)
                out.append(_row(shown[i], i == cursor, name, width))
        return with_more(out, above, beneath, width) + below


def place_lines(places: tuple[Counter, ...], title: str, width: int, spare: int) -> tuple[Content, ...]:
    """A line a place; all that is to be said of them where there is room to spare."""
    if not places:
        return ()
    name = min(max(cells(p.name) for p in places), width // 2)
    out, full = [], []
    for p in places:
        said, style = safe(p.note) or str(p.value or "–"), TONES[p.tone] if p.value else DIM
        out.append(line((f"  {fit(p.name, name)} ", INK), (f" {said}", style)))
        for i, piece in enumerate(wrap(said, max(width - name - 5, 12))):
            full.append(line((f"  {fit('' if i else p.name, name)} ", INK), (f" {piece}", style)))
    return (heading(title, width), *(full if len(full) < spare else out))


def _note(p: Person) -> str:
    return p.secret_note or p.note


def _row(row: Row, here: bool, name: int, width: int) -> Content:
    p = row.people[0]
    sign = "✗" if p.out else "▶" if p.current else "✓" if p.acted else "▸" if p.may_go else " "
    note = _note(p)
    base = FAINT if p.out or p.acted else INK
    room = max(width - 3 - name, 0)
    tail = ""
    # a remark is left out whole rather than cut: the card of whoever is under the cursor has all of them
    for piece in (note, *p.marks):
        if piece and cells(tail) + cells(piece) + 1 <= room:
            tail += f" {piece}"
    text = row.fitted(name)
    if here:
        return line((f"{sign} {fit(text + tail, width - 2)}", "bold $on-accent on $tone-accent"))
    return line(
        (f"{sign} ", ACCENT if not p.out else FAINT),
        (text, f"bold {base}" if p.current else base),
        (tail, DIM if base == INK else FAINT),
    )
