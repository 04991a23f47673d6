"""The game in progress, as the screen drives it: actions and disk off the UI thread, chances as they come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..plugins import hurry
from ..rules import Kind, Refused, SheetView, TableError, TableView, View
from ..session import AnyEntry, Table
from ..storage.log import Unsaved
from ..storage.open_campaign import Edits, OpenCampaign
from .panels.log import Tone

if TYPE_CHECKING:
    from ..storage.campaign.preparing import Preparation
    from ..storage.log.scratch import Scratch

Grave = Tone | Literal["stop"]
"""How bad something is; what stops play is worse than any other message."""
Tell = Callable[[str, Grave], None]
"""Words, and how bad it is."""
PATIENCE = 1.0
"""Seconds that an engine has left to answer when somebody leaves."""


Work = Callable[[OpenCampaign | Table], AnyEntry]
"""What is done to a campaign, or to a table that has none."""


def _nothing(words: str, tone: Grave) -> None:
    """Before there is a screen nobody can be told."""
    del words, tone


def _undo_or_ask(on: OpenCampaign | Table) -> AnyEntry:
    try:
        return on.undo()
    except Refused as no:
        if not no.remedy:
            raise
        return on.propose_undo()


class Game:
    """A table, and one thread that does all of its disk work in order.

    It has an open campaign where one is played; a replay and a what-if have none.
    """

    def __init__(
        self,
        table: Table,
        title: str,
        *,
        campaign: OpenCampaign | None = None,
        scratch: Scratch | None = None,
    ) -> None:
        self.table, self._title, self.campaign, self.scratch = table, title, campaign, scratch
        self._driven: OpenCampaign | Table = campaign or table
        self.origin: Table | None = None
        """Of a what-if: the table that it was taken from."""
        self.home: Path | None = campaign.root if campaign else None
        """The campaign's folder, where there is one: a what-if is kept there."""
        self.log_path: Path | None = None
        """Of a replay: the log that is watched."""
        self.tell: Tell = _nothing
        self._disk = ThreadPoolExecutor(1, "disk")
        self._left = False
        self.failed: set[Kind] = set()
        """Kinds of view that the engine failed to give."""

    @property
    def title(self) -> str:
        """What it is called; of a campaign as its file says now."""
        return self.campaign.title if self.campaign is not None else self._title

    @property
    def world(self) -> Any:
        """The present state."""
        return self.table.world

    @property
    def log(self) -> Path | None:
        """The log of what is on the screen."""
        if self.campaign is not None:
            return self.campaign.log.path
        return self.scratch.path if self.scratch is not None else self.log_path

    def view(self, kind: Kind, about: str = "") -> View | None:
        """What a page draws; nothing, and a sentence, where the engine fails to give it: play goes on."""
        try:
            return self.table.view(kind, about)
        except Refused as fault:
            self.failed.add(kind)
            self.tell(str(fault), "bad")
            return None

    def sheet(self, who: str) -> SheetView | None:
        """Somebody's sheet; None where there is none."""
        found = self.view("sheet", who) if who else None
        return found if isinstance(found, SheetView) else None

    def sheets(self, whose: Iterable[str]) -> tuple[SheetView, ...]:
        """The sheets of those who have one."""
        return tuple(sheet for sheet in map(self.sheet, whose) if sheet is not None)

    def at_table(self) -> TableView:
        """The view of the table; an empty one where there is none."""
        found = self.view("table")
        return found if isinstance(found, TableView) else TableView()

    @property
    def has_files(self) -> bool:
        """Can the campaign's files be changed from here?"""
        return self.campaign is not None and not self.table.seat

    def problems_of(self, file: str) -> tuple[str, ...]:
        """What is wrong with a file of the campaign."""
        if self.campaign is None or self.table.seat:
            return ()
        return tuple(str(p) for p in self.campaign.campaign.problems if p.file == file)

    async def _off(self, work: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._disk, work)

    async def drive(self, work: Work, tell: Tell | None = None) -> AnyEntry | None:
        """Do something; None where it was refused or not saved, and a sentence: to `tell`, or to the screen."""
        try:
            entry: AnyEntry = await self._off(lambda: work(self._driven))
        except Unsaved as error:
            self.tell(str(error), "stop")
            return None
        except TableError as error:
            (tell or self.tell)(str(error), "bad")
            return None
        finally:
            self._tell_news()
        return entry

    async def tried(self, work: Work) -> AnyEntry | str:
        """The same, for whoever says it elsewhere: the entry, or why there is none."""
        reasons: list[str] = []
        entry = await self.drive(work, lambda words, _tone: reasons.append(words))
        return entry or (*reasons, "it was not saved")[0]

    async def undo(self, to: int | None = None) -> AnyEntry | None:
        """Take something back; a seat that may not asks the GM to."""
        return await self.drive(_undo_or_ask if self.table.seat else lambda on: on.undo(to))

    async def redo(self, to: int | None = None) -> AnyEntry | None:
        """Do something again."""
        return await self.drive(lambda on: on.redo(to))

    def preparing(self, what: Preparation) -> Work:
        """To change the campaign's files as one step at the table."""
        assert self.campaign is not None
        campaign = self.campaign
        return lambda _on: campaign.prepare(what)

    def _tell_news(self) -> None:
        """What happened to the log: a newer session was followed, say. A seat is told of no files."""
        for words in self.campaign.news() if self.campaign and not self.table.seat else ():
            self.tell(words, "")

    async def look(self, *, force: bool = False) -> Edits | None:
        """What others did: entries by another terminal, and hand edits of the files. None where nothing changed."""
        if (campaign := self.campaign) is None or self._left:
            return None  # a screen's clock may tick once more after the table was left
        session = self.table.header.session
        found: Edits = await self._off(lambda: campaign.look(force=force))
        for words in found.notes:
            self.tell(words, "")
        if self.table.seat and self.table.header.session != session:
            self.tell("A new session has begun.", "")
        return found if found.any or found.moved or found.came else None

    async def what_if(self, at: int) -> Game:
        """A table of its own from an entry, with a log of its own; this one is not touched."""
        from ..storage.log.scratch import Scratch

        if self.table.seat:
            raise Refused("a what-if is the GM's", remedy="A player's seat looks on.")
        scratch: Scratch = await self._off(lambda: Scratch(self.table, at, self.home))
        game = Game(scratch.table, self.title, scratch=scratch)
        game.origin = self.table
        return game

    def close(self) -> None:
        """Give the files back."""
        self._left = True
        hurry(PATIENCE)
        self._disk.shutdown(wait=True)
        if self.campaign:
            self.campaign.close()
        if self.scratch:
            self.scratch.close()
