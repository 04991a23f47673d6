"""The game in progress, as the screen drives it: actions and disk off the UI thread, chances as they come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ..rules import Action, TableError
from ..session import AnyEntry, Table
from ..storage.desk import Desk, Edits

Tell = Callable[[str, str], None]
"""Words and their severity: information, warning or error."""


class Game:
    """A desk, and one thread that does all of its disk work in order."""

    def __init__(self, desk: Desk, tell: Tell) -> None:
        self.desk, self.tell = desk, tell
        self._disk = ThreadPoolExecutor(1, "disk")
        self._signature: object = None
        self.fresh = asyncio.Event()
        self.publishing = False

    @property
    def table(self) -> Table:
        """The table."""
        return self.desk.table

    @property
    def world(self) -> Any:
        """The present state."""
        return self.desk.table.world

    async def _off(self, work: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._disk, work)

    async def do(self, action: Action, dice: Sequence[int] = (), *, roll: bool = True) -> AnyEntry | None:
        """Perform an action; None, and a sentence on the screen, where it was refused or not saved."""
        return await self._try(lambda: self.table.do(action, dice, roll=roll))

    async def undo(self, to: int | None = None) -> AnyEntry | None:
        """Take something back."""
        return await self._try(lambda: self.table.undo(to))

    async def redo(self, to: int | None = None) -> AnyEntry | None:
        """Do something again."""
        return await self._try(lambda: self.table.redo(to))

    async def name(self, name: str) -> AnyEntry | None:
        """Name this moment."""
        return await self._try(lambda: self.table.name(name))

    async def _try(self, work: Callable[[], AnyEntry]) -> AnyEntry | None:
        try:
            entry: AnyEntry = await self._off(work)
        except TableError as error:
            self.tell(str(error), "error" if "not saved" in str(error) else "warning")
            return None
        return entry

    async def publish(self) -> None:
        """Bring now.toml up to date; after a burst of actions once."""
        if not self.publishing:
            self.publishing = True
            try:
                await self._off(self.desk.publish)
            finally:
                self.publishing = False

    async def look(self, *, force: bool = False) -> Edits | None:
        """What others did: entries by another terminal, and hand edits of the files. None where nothing changed."""
        found: Edits | None = await self._off(lambda: self._look(force))
        return found

    def _look(self, force: bool) -> Edits | None:
        before = self.table.timeline.last
        self.table.catch_up()
        signature = self.desk.signature()
        if signature == self._signature and not force:
            return Edits() if self.table.timeline.last != before else None
        self._signature = signature
        edits = self.desk.look()
        return edits if edits.any or self.table.timeline.last != before else None

    def close(self) -> None:
        """Bring now.toml up to date and give the files back."""
        self._disk.submit(self.desk.publish)
        self._disk.shutdown(wait=True)
        self.desk.close()
