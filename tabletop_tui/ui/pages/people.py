"""People: everybody, filtered as you type, and one of them in full with how each number came to be."""

from __future__ import annotations

from functools import partial
from typing import Any

from textual.app import ComposeResult
from textual.events import Resize

from ...rules import Person, tag_of
from ...session import Step
from ...session.meant import Meant
from ..asking.field import TextField
from ..commands import Command, Layer
from ..commands.catalogue import command
from ..commands.record import UP_DOWN, moves
from ..editor import editor
from ..panels.bars import Said
from ..panels.card import Name, NameList, Names, Sheet, SheetPanel
from ..panels.ground import Columns
from ..playing import Playing
from .page import Page

JUMP = 10
SCROLL = 4


LOOKED_BACK = 400
"""Entries in which somebody's last action is looked for."""
SHOWN = 20
"""Of what they did, as much as there may be room for."""


class PeoplePage(Page):
    """Every engine has sheets."""

    DEFAULT_CSS = """
    PeoplePage .work, PeoplePage AskPanel { height: 1fr; }
    PeoplePage LogPanel { height: auto; min-height: 0; max-height: 50%; }
    """
    kind = "sheet"

    def __init__(self, play: Playing, **kwargs: Any) -> None:
        super().__init__(play, **kwargs)
        self.names, self.sheet = NameList(), SheetPanel()
        self.cursor = self.stood = self.start = 0
        self.field = TextField(most=40)
        self.reading = False
        """Is a name being typed?"""
        self.found: list[str] = []
        self._did: tuple[object, tuple[Step, ...]] = (None, ())

    def compose(self) -> ComposeResult:
        """Names left, the sheet right."""
        yield self.ask_panel
        with Columns(classes="work"):
            yield self.names
            yield self.sheet
        yield self.log_panel

    def on_resize(self, _event: Resize) -> None:
        """Whether the sheet has more than fits is known only with its size."""
        self.call_after_refresh(self.play.draw_bars)

    def update_view(self) -> None:
        """Everybody whose name fits the filter."""
        world, seat = self.game.world, self.game.table.seat
        people = self.game.at_table().people
        known = {p.group: p for p in people if p.group} | {p.id: p for p in people}
        everybody = [*world.present(), *(w for w in world.now.retired if w in world.sheets)]
        if seat:
            everybody = [w for w in everybody if world.sheets[w].player]
            everybody.sort(key=lambda w: world.sheets[w].player != seat)  # their own first
        wanted = self.field.text.casefold()
        before = self.who if self.cursor == self.stood else ""
        self.found = [w for w in everybody if wanted in world.name(w).casefold() or wanted in w.casefold()]
        if before in self.found:  # the list changed its order: stay with the same one
            self.cursor = self.found.index(before)
        self.cursor = self.stood = min(self.cursor, max(len(self.found) - 1, 0))
        away = set(world.now.retired)
        there = ((w, known.get(w) or Person(id=w, name="")) for w in self.found)
        rows = tuple(
            Name(w, world.name(w), p.secret_note or p.note, w in away, p.allegiance, p.secret) for w, p in there
        )
        self.names.show(Names(rows, self.cursor, self.field.text, self.reading))
        self.sheet.show(Sheet(self.game.sheet(self.who), self.start, self._problems(), self._steps()))

    def _steps(self) -> tuple[Step, ...]:
        """What they did last; looked for once for each entry."""
        table = self.game.table
        asked = (table.timeline, table.last, table.head, self.who)
        if self._did[0] != asked:
            self._did = asked, tuple(table.steps_of(self.who, table.last - LOOKED_BACK, SHOWN)) if self.who else ()
        return self._did[1]

    def _problems(self) -> tuple[str, ...]:
        return self.game.problems_of(f"characters/{self.who}.toml") if self.who else ()

    @property
    def who(self) -> str:
        """Whoever is under the cursor."""
        return self.found[self.cursor] if self.cursor < len(self.found) else ""

    @property
    def unit(self) -> tuple[str, ...]:
        """Their sheet."""
        return ("sheets", self.game.world.original(self.who)) if self.who else ()

    def go_to(self, who: str) -> None:
        """Show somebody."""
        self.field.set("")
        self.reading, self.start = False, 0
        self.update_view()
        if who in self.found:
            self.cursor = self.stood = self.found.index(who)
        self.update_view()

    def said(self) -> Said:
        """Whose sheet it is, who plays them, and what they did last."""
        if not self.who:
            return Said("Nobody of that name" if self.field.text else "Nobody is there yet")
        world = self.game.world
        player = world.sheets[self.who].player
        return Said(world.name(self.who), tail=self._at_the_table(player) if player else ())

    def meant(self) -> Meant:
        """Whoever's sheet is read."""
        people = self.game.at_table().people
        return Meant(next((p.id for p in people if p.current), ""), self.who, people, pointed=bool(self.who))

    def _at_the_table(self, player: str) -> tuple[str, ...]:
        here = f"{player} is at the table" if player in self.play.here else player
        table = self.game.table
        entries = table.timeline.entries[max(table.last - LOOKED_BACK, 0) : table.last]
        last = next((e for e in reversed(entries) if e.by == player and table.may_know(e)), None)
        return (here, f"last: {type(last.action).title or tag_of(type(last.action))}") if last else (here,)

    # ---- commands

    def asks(self) -> Layer | None:
        """A name that is being typed takes the letters."""
        if not self.reading:
            return None
        done = Command("people.done", ("enter",), "done", self._done, effect="look", where="band", section="")
        everybody = Command("people.all", ("escape",), "all", self._all, effect="look", where="band", section="")
        return Layer("filter", (done, everybody, *self._moves()), self._rest, solid=True, text_first=True)

    async def _rest(self, key: str, character: str | None) -> bool:
        before = self.field.text
        used = self.field.key(key, character)
        if self.field.text != before:
            self.cursor = self.stood = self.start = 0
        self.update_view()
        return used

    def commands(self) -> tuple[Command, ...]:
        """Filter, move, and what the screen does with a sheet."""
        who = self.who
        none = "" if who else "nobody is chosen"
        back = who in self.game.world.now.retired
        no_files = "" if self.game.has_files else "files are changed at the campaign's own table"
        out = [
            *self._moves(),
            *self._scrolls(),
            command("people.find", self._read),
            *([Command("people.all", ("escape",), "all", self._all, effect="look")] if self.field.text else []),
            command("people.edit", self._edit, none or no_files),
            command("people.copy", self._more, none or no_files),
            command("people.retire", self._retire, none, label="bring back" if back else "retire"),
            Command("people.point", (), "", effect="look", where="hidden", point=self._point),
        ]
        return tuple(out)

    def _scrolls(self) -> list[Command]:
        ways = (("scroll_back", "left", -SCROLL, self.start > 0), ("scroll", "right", SCROLL, self.sheet.below > 0))
        return [
            Command(f"people.{id}", (key,), "scroll", partial(self._scroll, by), effect="look", group="scroll")
            for id, key, by, works in ways
            if works
        ]

    def _moves(self) -> list[Command]:
        if len(self.found) < 2:
            return []
        return moves("people", "who", self._move, {**UP_DOWN, "pageup": -JUMP, "pagedown": JUMP})

    async def _edit(self) -> None:
        """In the user's own editor; where none is set, as a form."""
        who = self.game.world.original(self.who)
        if editor():
            await self.play.open_editor(f"characters/{who}.toml")
        else:
            self.play.edit(("sheets", who))

    def _more(self) -> None:
        self.play.add(self.game.world.original(self.who))

    async def _retire(self) -> None:
        await self.play.retire(self.who)

    def _read(self) -> None:
        self.reading = True
        self.update_view()

    def _done(self) -> None:
        self.reading = False
        self.update_view()

    def _all(self) -> None:
        self.field.set("")
        self._done()

    def _move(self, step: int) -> None:
        self.cursor = min(max(self.cursor + step, 0), max(len(self.found) - 1, 0))
        self.start = 0
        self.update_view()

    def _scroll(self, step: int) -> None:
        self.start = max(self.start + min(step, self.sheet.below), 0)
        self.update_view()

    def _point(self, place: tuple[int, ...]) -> None:
        self.cursor, self.start = place[0], 0
        self.update_view()
