"""The play screen: one screen for all pages, so that keys reach whatever is in front in the order they were typed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.events import Resize

from ...rules import Refused, tag_of
from ...session import Proposal, Replay, outlook
from ..asking.counting import Counting
from ..asking.form import Form
from ..asking.tray import Tray
from ..drawing.text import begun
from ..files import Files
from ..game import Game, Grave
from ..modes.answering import Answering
from ..modes.mode import Mode, ReadOnly
from ..modes.seat import Seat
from ..pages import Pages
from ..pages.page import Chances
from ..pages.view_page import ViewPage
from ..panels.bars import CounterLine, Counters, Said, Tab, Tabs
from ..panels.ground import Columns, Rows
from ..panels.log import Happened, LogPanel
from ..thinking import think
from .base import FROM_DISK, FROM_FILES, FROM_KEY, FROM_LOG, FROM_OTHERS
from .commands import TableCommands

if TYPE_CHECKING:
    from ..live import Live
    from ..preparing.prepare import Preparing

MODES = ("asked", "seat")
"""Layers of what lies between players and the GM."""
STEPS = 60
"""Of the log, below the page."""


class PlayScreen(TableCommands):
    """A campaign on the screen."""

    HORIZONTAL_BREAKPOINTS = [(0, "-slim"), (76, "-narrow"), (96, "-medium"), (124, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-tiny"), (22, "-short"), (28, "-middling"), (34, "-tall")]

    def __init__(self, game: Game) -> None:
        super().__init__()
        # Textual sets these only after the first frame, which would be drawn for another size
        for points, room in zip((self.HORIZONTAL_BREAKPOINTS, self.VERTICAL_BREAKPOINTS), self.app.size, strict=True):
            self.add_class(next(name for least, name in reversed(points) if room >= least))
        self.game = game
        game.tell = self.tell_game
        self.files = Files(self)
        self.pages = Pages(self)
        self.mode = self._mode()
        self.front = self.place.page or next(n for n in self.names if n != "scene")
        self.live: Live | None = None
        """What others do, as soon as they do it."""
        self.meters, self.side = CounterLine(), LogPanel(id="side")

    def _mode(self) -> Mode:
        table = self.game.table
        if isinstance(table, Replay):
            from ..modes.replay import Playback

            return Playback(self, table)
        if self.game.scratch is not None:
            from ..modes.what_if import WhatIf

            return WhatIf(self, self.game.scratch)
        return Seat(self) if table.seat else Answering(self)

    @cached_property
    def preparing(self) -> Preparing:
        """What changes the campaign's files; its modules are read when it is first asked for."""
        from ..preparing.prepare import Preparing

        return Preparing(self)

    def compose(self) -> ComposeResult:
        """Tabs, counters, the page with the log, the band, the footer."""
        yield self.top
        if self.mode.bar is not None:
            yield self.mode.bar
        yield self.meters
        with Columns(id="body"):
            with Rows(id="pages"):
                yield self.page  # the others are mounted when they are first looked at
            yield self.side
        yield self.band
        yield self.footer

    def on_mount(self) -> None:
        """Draw, then keep looking at the files."""
        self.ready = True
        self.changed()
        self.call_after_refresh(self._watch)

    def _watch(self) -> None:
        if self.game.campaign and self.is_attached:
            from ..live import Live  # late: nobody else does anything before the first frame

            self.live = Live(self, self.game.campaign, self._look)
            self.run_worker(self.files.remember())

    def on_unmount(self) -> None:
        """Nobody looks any more."""
        if self.live is not None:
            self.live.close()

    # ---- what others may ask

    @property
    def keyless(self) -> bool:
        """Does nobody type here? A large screen shows neither keys nor a cursor."""
        return self.app.has_class("-show")

    @property
    def plays(self) -> bool:
        """Does somebody play here?"""
        return self.allows("play") and not self.keyless

    @property
    def here(self) -> Sequence[str]:
        """Who sits at the table."""
        chair = self.game.campaign.chair if self.game.campaign is not None else None
        return chair.here if chair is not None else ()

    @property
    def entry_under(self) -> int:
        """The entry under the cursor of the log page."""
        return self.pages["log"].entry

    def tell_game(self, words: str, tone: Grave) -> None:
        """What the game says; what stops play stays until something was saved."""
        self.tell(words, "bad" if tone == "stop" else tone, FROM_DISK if tone == "stop" else FROM_KEY)

    def parting(self, words: str) -> None:
        """A sentence for the screen that comes next."""
        self.tabletop.part(words)

    # ---- drawing

    def changed(self) -> None:
        """The table changed: draw what differs, then work out the chances."""
        self._table_moved_on()
        self._log_went_wrong()
        if not self.page.is_attached:
            return  # it is just being put up, and is drawn when it is
        self.page.update_view()
        self.mode.changed()
        self.draw_bars()
        self.draw_messages()
        self._think()

    def draw_bars_now(self) -> None:
        """And the counters."""
        super().draw_bars_now()
        asked = self.host.asked
        moved = tuple(asked.counters) if isinstance(asked, Counting) else ()
        self.meters.show(Counters(self.page.counters(), moved))

    def draw_messages(self) -> None:
        """The log, and what is said below it."""
        page = self.pages.made.get(self.front) if self.ready else None
        if page is None:  # a page that fails while it is made tells of it before it is there
            return
        table = self.game.table
        said = tuple(self.messages.values())
        steps = tuple(table.history(max(table.last - STEPS, 0))) or ()
        wide = self.has_class("-wide") and self.front != "log"
        short = self.front in ("log", "people")
        asked = tuple((p.by, p.words) for p in self.mode.waiting())
        happened = Happened(steps, said, asked=asked)
        self.side.show(happened)
        page.log_panel.show(Happened((), () if wide else said) if short or not steps else happened)
        page.make_room()

    def tabs(self) -> Tabs:
        """The pages of this game."""
        shown = {i.id: i for i in self.deck.items}
        tabs = tuple(
            Tab(
                n,
                begun(n),
                shown[n].keys[0] if n in shown and shown[n].keys and not self.keyless else "",
                n == self.front,
                self._waits(n),
            )
            for n in self.names
        )
        return Tabs(self.game.title, tabs, self.page.facts(), self.mode.badge)

    def _waits(self, name: str) -> str:
        """A sign on the tab of a page where somebody must answer, or how much is asked for there, or that something
        is open there."""
        place = self.place
        if name != self.front and name == place.page and name in place.asks and self.allows("play"):
            return "▲"
        if asked := sum(self._page_of(p) == name for p in self.mode.waiting()):
            return str(asked)
        return "●" if name != self.front and name in place.open else ""

    def _page_of(self, asked: Proposal) -> str:
        """The page to which what a player asks for belongs."""
        kind = next((k for k in self.game.table.engine.actions if tag_of(k) == asked.action), None)
        return next((page for page in (kind.screens if kind else ()) if page in self.names), "")

    def said(self) -> Said:
        """What the page must have an answer to, the mode's sentence, or the page's."""
        page = self.page.said()
        if page.loud and not page.keys:  # the mode's own keys are not its answers
            band = self.deck.shown("band")
            page = replace(page, keys=frozenset(item.id for item in band if item.layer not in MODES))
        if not page.loud:
            return self.mode.said() or page
        asks = tuple(f"{one.by} asks" for one in self.mode.waiting()[:1])
        return replace(page, tail=(*asks, *page.tail)) if asks else page

    def draw_asked(self) -> None:
        """In the page's own place for it, or on its dice."""
        asked = self.host.asked
        page = self.page
        page.show_tray(asked if isinstance(asked, Tray) else None)
        page.show_form(asked if isinstance(asked, Form) else None)
        inline = asked is not None and asked.inline and not page.draws(asked)
        if page.has_class("-asking") != inline:
            page.set_class(inline, "-asking")
            page.call_after_refresh(page.update_view)  # what it shows depends on the room that it has
        if page.has_class("-tall-asking") != (tall := asked is not None and asked.tall):
            page.set_class(tall, "-tall-asking")
            page.make_room()
            page.call_after_refresh(page.ask_panel.redraw)
        page.set_class(asked is not None and asked.long, "-long-asking")
        if asked is not None and inline:
            page.ask_panel.show(asked)
            page.ask_panel.redraw()
        self.draw_bars()

    def _table_moved_on(self) -> None:
        """Somebody did something at another terminal, or edited a file: what is asked belongs to the state shown, and
        dice that are not asked for any more are not waited for."""
        over, world = self.host.asked, self.game.world
        if isinstance(over, Form):
            over.moved_on()
        if over is not None and over.inline:
            self.page.ask_panel.redraw()
        if isinstance(over, Tray) and over.world is not world and over.stale(world):
            self.host.close()
            self.tell("The table has moved on: no dice are asked for now.")

    def _log_went_wrong(self) -> None:
        """A log that is damaged, or was replaced under the open table: from then on one can only look."""
        why = self.game.campaign.log.wrong if self.game.campaign else ""
        if not why or FROM_LOG in self.messages:
            return
        if self.game.table.seat:
            self.tell("The table cannot be followed any more. Tell the GM.", "bad", FROM_LOG)
        else:
            self.mode = ReadOnly()
            self.tell(f"Read-only: {why}.", "bad", FROM_LOG)

    def _think(self) -> None:
        """Chances are worked out off the UI thread, and belong to the state that they were worked out for."""
        page, world = self.page, self.game.world
        if not isinstance(page, ViewPage) or page.kind is None or not page.thinking:
            return
        kind, view = page.kind, page.view

        async def weigh() -> None:
            try:
                found = await asyncio.to_thread(outlook, self.game.table, kind, world, view)
            except Refused as no:  # the engine fails: no chances
                self.tell(str(no))
                return
            page.take_chances(Chances(world, found))
            if page is self.page and world is self.game.world:
                self.draw_bars()

        think(self, "outlook", weigh)

    def on_resize(self, _event: Resize) -> None:
        """The log may stand beside the page now, or below it, and other keys in the band."""
        self.call_after_refresh(self.draw_messages)
        self.call_after_refresh(self.draw_bars)

    # ---- others

    async def _look(self) -> None:
        """Other terminals and hand edits, once a second."""
        await self._looked(force=False)

    async def look_now(self) -> None:
        """The same, at once."""
        await self._looked(force=True)

    async def open_editor(self, file: str) -> None:
        """The user's own editor on a file of the campaign."""
        from ..editor import edit

        if problem := edit(self.app, self.files.root / file):
            self.tell(problem)
        await self.look_now()

    async def _looked(self, *, force: bool) -> None:
        stood = (self.place.page if not force else "") or self.front
        campaign = self.game.campaign
        worn = campaign.campaign.theme if campaign is not None else ""
        edits = await self.game.look(force=force)
        if edits is None:
            return
        if edits.came:
            self.tell(" · ".join(edits.came), "", FROM_OTHERS)
        if not (edits.any or edits.moved):
            return
        if not edits.came:
            self.untell(FROM_OTHERS)  # play went on: it is no news any more
        if self.front == stood and self.host.asked is None:
            await self._follow()
        if campaign is not None and campaign.campaign.theme != worn:
            self.tabletop.wear(campaign.campaign.theme)
        self.files.noticed(edits)

    def tell_files(self, words: Sequence[str]) -> None:
        """What is wrong with files stays until they are mended."""
        if words:
            more = f" · {len(words) - 3} more: see tabletop check" if len(words) > 3 else ""
            self.tell(" · ".join(words[:3]) + more, "bad", FROM_FILES)
        else:
            self.untell(FROM_FILES)
