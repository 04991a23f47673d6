"""The game in progress, as the screen drives it: actions and disk off the UI thread, chances as they come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..rules import Action, TableError
from ..session import AnyEntry, Replay, Table
from ..storage.desk import Desk, Edits
from ..storage.log import Unsaved

if TYPE_CHECKING:
    from ..storage.scratch import Scratch

Severity = Literal["information", "warning", "error"]
Tell = Callable[[str, Severity], None]
"""Words, and how bad it is."""


def _nothing(words: str, severity: Severity) -> None:
    """Before there is a screen nobody can be told."""
    del words, severity


class Game:
    """A table, and one thread that does all of its disk work in order.

    It has a desk where a campaign is played; a replay and a what-if have none.
    """

    def __init__(self, table: Table, title: str, *, desk: Desk | None = None, scratch: Scratch | None = None) -> None:
        self.table, self.title, self.desk, self.scratch = table, title, desk, scratch
        self.origin: Table | None = None
        """Of a what-if: the table that it was taken from."""
        self.home: Path | None = desk.root if desk else None
        """The campaign's folder, where there is one: a what-if is kept there."""
        self.tell: Tell = _nothing
        self._disk = ThreadPoolExecutor(1, "disk")
        self._signature: object = None
        self._trouble = False
        """Was something wrong with a file when it was last looked at? Then it is news when nothing is."""
        self.publishing = False

    @property
    def world(self) -> Any:
        """The present state."""
        return self.table.world

    @property
    def badge(self) -> str:
        """What the top line says of it on every page: that it is no real table, or that it cannot be changed."""
        if isinstance(self.table, Replay):
            return "REPLAY, read-only"
        if self.scratch is not None:
            return f"WHAT IF, from entry {self.scratch.at}"
        if self.table.seat:
            return f"SEAT OF {self.table.seat}"
        return "READ-ONLY" if self.table.journal.closed else ""

    async def _off(self, work: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._disk, work)

    async def do(
        self, action: Action, dice: Sequence[int] = (), *, roll: bool = True, tell: Tell | None = None
    ) -> AnyEntry | None:
        """Perform an action; None where it was refused or not saved, and a sentence: to `tell`, or to the screen."""
        return await self._try(lambda: self.table.do(action, dice, roll=roll), tell)

    async def undo(self, to: int | None = None) -> AnyEntry | None:
        """Take something back."""
        return await self._try(lambda: self.table.undo(to))

    async def redo(self, to: int | None = None) -> AnyEntry | None:
        """Do something again."""
        return await self._try(lambda: self.table.redo(to))

    async def name(self, name: str, at: int) -> AnyEntry | None:
        """Name the moment of an entry."""
        return await self._try(lambda: self.table.name(name, at=at))

    async def _try(self, work: Callable[[], AnyEntry], tell: Tell | None = None) -> AnyEntry | None:
        try:
            entry: AnyEntry = await self._off(work)
        except Unsaved as error:
            self.tell(str(error), "error")
            return None
        except TableError as error:
            (tell or self.tell)(str(error), "warning")
            return None
        return entry

    async def publish(self) -> None:
        """Bring now.toml up to date; after a burst of actions once."""
        if self.desk and not self.publishing and not self.table.seat:
            self.publishing = True
            try:
                await self._off(self.desk.publish)
            finally:
                self.publishing = False

    async def look(self, *, force: bool = False) -> Edits | None:
        """What others did: entries by another terminal, and hand edits of the files. None where nothing changed."""
        desk = self.desk
        found: Edits | None = await self._off(lambda: self._look(desk, force)) if desk else None
        return found

    def _look(self, desk: Desk, force: bool) -> Edits | None:
        before = self.table.timeline.last
        self.table.catch_up()
        if self.table.seat:  # the files are the GM's: a seat neither tells of them nor logs what was changed in them
            return Edits() if self.table.timeline.last != before else None
        signature = desk.signature()
        if signature == self._signature and not force:
            return Edits() if self.table.timeline.last != before else None
        self._signature = signature
        edits = desk.look()
        news = edits.any or self.table.timeline.last != before or self._trouble
        self._trouble = bool(edits.problems or edits.refused)
        return edits if news else None

    async def what_if(self, at: int) -> Game:
        """A table of its own from an entry, with a log of its own; this one is not touched."""
        from ..storage.scratch import Scratch

        scratch: Scratch = await self._off(lambda: Scratch(self.table, at, self.home))
        game = Game(scratch.table, self.title, scratch=scratch)
        game.origin = self.table
        return game

    def close(self) -> None:
        """Bring now.toml up to date and give the files back."""
        if self.desk and not self.table.seat:
            self._disk.submit(self.desk.publish)
        self._disk.shutdown(wait=True)
        if self.desk:
            self.desk.close()
        if self.scratch:
            self.scratch.close()
