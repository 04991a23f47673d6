"""The chances of a contest, and beside them what the active party could put in."""

from __future__ import annotations

from msgspec import structs
from textual.content import Content

from ...rules import Group, Model, Odds, SheetView, percent
from ..commands import Press
from ..drawing.pools import chance_lines
from ..drawing.text import DIM, INK, abreast, cells, fit, heading, line, told, with_enter, with_more
from .card import sheet_lines
from .panel import Panel
from .parties import GAP

MOST_WAITING = 4
"""Rows in which it is said why there are no chances."""


class Add(Model):
    """What a party could put in."""

    key: str
    label: str
    note: str
    closed: str
    best: bool = False
    """Is it what Enter takes?"""


class Bidding(Model):
    """Chances, what to say while there are none, and what the active party could put in."""

    odds: Odds | None = None
    waiting: str = ""
    whose: str = ""
    adds: tuple[Add, ...] = ()
    compact: bool = False
    asks: str = ""
    """What has to be chosen from them, where that is so."""


class ContestChances(Panel[Bidding]):
    """Chances left, additions right."""

    DEFAULT_CSS = "ContestChances { height: 8; }"

    split = 0

    def lines(self, width: int) -> list[Content]:
        """Chances left, additions right."""
        part = self.part or Bidding()
        odds, adds = part.odds, part.adds
        labels = [cells(c.label) for g in odds.groups if not g.at_least for c in g.chances] if odds else []
        need = max(*labels, 24) + 16 if labels else max(cells(part.waiting) + 2, 28)
        self.split = min(need, width - 36) if adds else width
        if part.asks and odds is None:  # there are no chances before it is answered
            self.split = -GAP
        room = width - self.split - GAP
        right = [heading(part.asks or f"{part.whose} could add", room, active=bool(part.asks))] if adds else []
        for i, add in enumerate(adds):
            self.spot(len(right), Press(f"contest.add.{i + 1}"), self.split + 1)
            right.append(add_line(add, room, marked=bool(part.asks)))
        height = max(self.size.height, 2)
        # what has a letter stands on the footer, too
        right = with_more(right[:height], 0, sum(add.key.isdigit() for add in adds[height - 1 :]), room)
        if self.split < 0:
            return right
        left = [heading("chances", self.split), *self._chances(part)]
        if not adds:
            return left
        return abreast(left, right, self.split, GAP)

    def _chances(self, part: Bidding) -> list[Content]:
        """Outcomes, then how far each could go; or why there are none."""
        odds = part.odds
        if odds is None:
            return told(part.waiting, DIM, self.split, MOST_WAITING)
        outcomes = structs.replace(odds, groups=tuple(g for g in odds.groups if not g.at_least))
        out = chance_lines(outcomes, self.split, "", part.compact)
        return [*out, *(one for g in odds.groups if g.at_least for one in reach_lines(g, self.split))]


class Cards(Panel[tuple[SheetView, ...]]):
    """The sheets of the parties in short, each of them whole but the first."""

    DEFAULT_CSS = "Cards { height: 1fr; }"

    def lines(self, width: int) -> list[Content]:
        """As many as there is room for."""
        out: list[Content] = []
        for sheet in self.part or ():
            rows = sheet_lines(sheet, width, short=True)
            out += rows if not out or len(out) + len(rows) <= self.size.height else []
        return out


def reach_lines(group: Group, width: int) -> list[Content]:
    """The chances of so much or more, each of them whole, on as many lines as they need."""
    name = f" {group.name}"
    out = [line((name, DIM))]
    for c in group.chances:
        piece = line((f"  {c.label} ", DIM), (percent(c.chance), f"bold {INK}"))
        if out[-1].cell_length + piece.cell_length > width:
            out.append(line((" " * cells(name), "")))
        out[-1] = out[-1] + piece
    return out


def add_line(add: Add, width: int, marked: bool = False) -> Content:
    """A key, what it puts in, and what that would do at the right edge; marked, where Enter takes one of them."""
    key, label, note, closed = add.key, add.label, add.note, add.closed
    if marked:
        key = with_enter(key, "contest.best") if add.best else f"{key} "
    if closed:
        sign = fit("–", cells(key))
        return line((f" {sign} {fit(label, min(cells(label), max(width - cells(closed) - 6, 6)))}  {closed}", DIM))
    room = max(width - cells(key) - cells(note) - 4, 6)
    return line((f" {key} ", "bold $tone-accent"), (f"{fit(label, room)} ", INK), (note, f"bold {INK}"))
