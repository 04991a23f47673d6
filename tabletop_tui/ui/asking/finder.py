"""Everything by name: a long list in groups, filtered by whatever is typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.content import Content

from ..commands import Layer, Press
from ..commands.record import Done
from ..drawing.text import DIM, cells, fit, heading, line, scrolled, told, with_more
from ..panels.bars import Said
from .field import TextField
from .host import Asked
from .listing import Hit, Listing, Pick

Run = Callable[[], Done]
MOST_FILTER = 60
"""Characters that a search takes."""
SECTIONS = ("here", "do", "go to", "sheet", "players", "program")
"""What is looked for most stands first; sections of a mode's own come after the page's."""
LEAST_NOTE = 24
"""Cells in which a note says something."""
TOLD = 2
"""Rows that the note of the row under the cursor has at least."""


class Finder(Asked):
    """What fits the filter, each group under its name."""

    title = "everything"
    tall = True
    about = "All that can be done, gone to and looked at, and why the rest cannot. Type a part of its name."

    def __init__(self, found: Sequence[Pick[Run]]) -> None:
        self.found = list(found)
        self.field = TextField(most=MOST_FILTER)
        self.list: Listing[Run] = Listing(self.title, [])
        self._filter()

    def _filter(self) -> None:
        words = self.field.text.casefold().split()
        names = {id(f): f"{f.group} {f.label}".casefold() for f in self.found}
        fits = [f for f in self.found if all(w in names[id(f)] for w in words)]
        if not fits:  # it may be told of where it is not named
            fits = [f for f in self.found if all(w in names[id(f)] + f.note.casefold() for w in words)]
        order = {group: place for place, group in enumerate(SECTIONS)}
        fits.sort(key=lambda f: (bool(f.closed), order.get(f.group, 0.5), not f.key))
        self.list = Listing(self.title, fits)

    def layer(self) -> Layer:
        """Moves and Enter; whatever is typed filters."""
        moves = self.list.commands(self._take, self.host.redraw, verb="", digits=False)
        return Layer("finder", moves, self._rest, text_first=True)

    def _take(self, pick: Pick[Run]) -> Done:
        self.host.close()
        return pick.value()

    async def _rest(self, key: str, character: str | None) -> bool:
        before = self.field.text
        used = self.field.key(key, character)
        if self.field.text != before:
            self._filter()
        self.host.redraw()
        return used

    def paste(self, text: str) -> None:
        """A filter too."""
        self.field.type(text)
        self._filter()

    def said(self) -> Said:
        """What typing does."""
        return Said("Type to find")

    def lines(self, width: int, height: int, hit: Hit) -> list[Content]:
        """The filter, then the rows."""
        head = [heading(self.title, width, active=True), line((" find  ", DIM), *self.field.spans(width - 8))]
        if not self.list.picks:
            return [*head, *told("nothing of that name: backspace widens the search", DIM, width, TOLD)]
        picks, here = self.list.picks, self.list.here
        entries: list[int] = []
        for place, pick in enumerate(picks):
            group = "not now" if pick.closed else pick.group
            before = picks[place - 1] if place else None
            if before is None or ("not now" if before.closed else before.group) != group:
                entries.append(-1 - place)
            entries.append(place)
        keys = min(max(cells(p.key) for p in picks), 6)
        name = min(max(cells(p.label) for p in picks), max(width - keys - 12, 12))
        notes = width - name - keys - 5 >= LEAST_NOTE
        left = width - name - keys - 5 if notes else 0
        foot: list[Content] = []  # what is cut in a row is said whole of the one under the cursor
        if here and any(cells(p.closed or p.note) > left for p in picks):
            most = max(height - len(head) - len(entries), TOLD)
            foot = told(here.closed or here.note, DIM, width, most)
            foot += [line(("", ""))] * (TOLD - len(foot))
        room = max(height - len(head) - len(foot), 1)
        at = entries.index(self.list.cursor)
        top = self.list.top = scrolled(min(self.list.top, max(at - 1, 0)), at, len(entries), room)
        body: list[Content] = []
        for entry in entries[top : top + room]:
            if entry < 0:
                pick = picks[-1 - entry]
                body.append(line((f" {'not now' if pick.closed else pick.group}", DIM)))
                continue
            hit(len(head) + len(body), Press(f"{self.list.name}.take", (entry,)))
            # a letter that is typed here filters: its key is the one outside
            body.append(self.list.row(entry, name, fit(picks[entry].key, keys), notes=notes, works=False))
        seen = [e for e in entries[top : top + room] if e >= 0]
        above, below = (seen[0], len(picks) - 1 - seen[-1]) if seen else (0, 0)
        return [*head, *with_more(body, above, below, width), *foot]
