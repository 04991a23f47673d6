"""A list that a page has to choose from, and what the row under the cursor would bring."""

from __future__ import annotations

from textwrap import wrap

from textual.content import Content

from ...rules import Model, Option, SheetView
from ..asking.listing import Listing
from ..drawing.text import DIM, INK, cells, fit, heading, line, safe
from .card import sheet_lines
from .panel import Panel

LEAST = 4
"""Rows that are worth a look ahead."""
LONGEST = 76
"""Columns of a sentence that is read easily."""


class Coming(Model):
    """What would be opened: what is known of it, what is told of it, and who could do what."""

    title: str
    facts: str = ""
    told: tuple[tuple[str, str], ...] = ()
    who: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    sheets: tuple[SheetView, ...] = ()
    """Of whom it is about, where there is room for them in short."""


class Picks(Model):
    """A list, what to say where it is empty, and what would be opened."""

    list: Listing[Option]
    hint: str = ""
    coming: Coming | None = None
    sheet: SheetView | None = None
    """Of whoever the row under the cursor is about."""


class PickPanel(Panel[Picks]):
    """The list under its title."""

    DEFAULT_CSS = "PickPanel { height: 1fr; min-height: 6; }"

    def lines(self, width: int) -> list[Content]:
        """The part around its cursor; below it, where there is room, what would be opened or who it is about."""
        if self.part is None:
            return []
        listing = self.part.list
        body = listing.lines(width, self.size.height - 2, self.spot, 1)
        out = [heading(listing.title, width, active=True)]
        out += body or [line((f" {self.part.hint or 'nothing to choose from'}", DIM))]
        room = self.size.height - len(out) - 1
        if self.part.coming and room >= LEAST:
            out += [line(("", "")), *coming_lines(self.part.coming, width, room)]
        sheet = sheet_lines(self.part.sheet, width, short=True) if self.part.sheet else []
        return [*out, line(("", "")), *sheet] if 0 < len(sheet) <= room else out


def coming_lines(coming: Coming, width: int, most: int) -> list[Content]:
    """The title, then sentences under what they are about, then as many rows as there is room for."""
    out = [heading(coming.title, width, note=coming.facts)]
    label = max((cells(about) for about, _ in coming.told), default=0)
    for about, words in coming.told:
        pieces = wrap(safe(words), max(min(width - label - 4, LONGEST), 20))
        out += [
            line((f" {fit(about if not i else '', label)}  ", DIM), (piece, INK)) for i, piece in enumerate(pieces)
        ]
    room = most - len(out) - 2
    if not coming.rows or room < min(len(coming.rows), 2):  # a title without a row says nothing
        return out[:most]
    name = max(cells(who) for who, _ in coming.rows)
    shown = coming.rows if len(coming.rows) <= room else coming.rows[: room - 1]
    more = f" and {len(coming.rows) - len(shown)} more" if len(shown) < len(coming.rows) else ""
    out += [line(("", "")), line((f" {coming.who}", DIM))]
    out += [line((f"   {fit(who, name)}  ", INK), (note, f"bold {INK}")) for who, note in shown]
    out += [line((f"  {more}", DIM))] if more else []
    for sheet in coming.sheets:
        shown_short = sheet_lines(sheet, width, short=True)
        if len(out) + len(shown_short) < most:
            out += [line(("", "")), *shown_short]
    return out
