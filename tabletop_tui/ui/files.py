"""What the screens do with a campaign's files: edit, add and copy sheets, and tell of what people changed by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..rules import TableError, tag_of
from ..session import Edited, Timeline
from ..storage.desk import Desk, Edits
from .overlays import Lister, Question

if TYPE_CHECKING:
    from ..storage.writeback import Patch
    from .play import PlayScreen


class Files:
    """The files of the campaign on a screen."""

    def __init__(self, screen: PlayScreen) -> None:
        self.screen = screen
        self.pending: list[Patch] = []
        """Files that still say what was undone, and how they would be put back."""

    @property
    def desk(self) -> Desk:
        """Only asked for where there is one."""
        assert self.screen.game.desk is not None
        return self.screen.game.desk

    @property
    def root(self) -> Path:
        """The campaign's folder."""
        return self.desk.root

    # ---- sheets

    async def sheet_key(self, key: str, who: str) -> None:
        """Edit, add, copy, retire."""
        screen = self.screen
        world = screen.game.world
        if key == "x" and who:
            tag = "bring_back" if who in world.now.retired else "retire"
            kind = next((k for k in screen.game.table.engine.actions if tag_of(k) == tag), None)
            if kind is not None:
                await screen.perform(kind(who))
        elif screen.game.desk is None:
            screen.tell("Files are changed at the campaign's own table.", "warning")
        elif key == "e" and who:
            await self._edit(who)
        elif key == "a":
            screen.ask(
                Question("a new NPC", hint="its name; the numbers are the starter's, yours to edit"), self._add
            )
        elif key == "c" and who:

            async def copy(text: Any) -> None:
                await self._copy(who, text)

            screen.ask(Question("copy", "1", f"how many copies of {world.name(who)}: 1 to 100"), copy)

    async def _edit(self, who: str) -> None:
        from .editor import edit

        if problem := edit(self.screen.app, self.root / "characters" / f"{who}.toml"):
            self.screen.tell(problem, "warning")
        await self.screen.look_now()

    async def _add(self, name: Any) -> None:
        from ..storage.sheetfiles import add_npc

        await self._make(lambda: [add_npc(self.root, self.screen.game.table.engine, str(name))])

    async def _copy(self, who: str, text: Any) -> None:
        from ..storage.sheetfiles import copy_sheet

        count = int(text) if str(text).isdecimal() and len(str(text)) < 5 else 0
        await self._make(lambda: copy_sheet(self.root, who, count))

    async def _make(self, work: Callable[[], list[str]]) -> None:
        try:
            made = await asyncio.to_thread(work)
        except (TableError, OSError) as error:
            self.screen.tell(str(error), "warning")
            return
        await self.screen.look_now()
        from .sheets import SheetsPage

        page = self.screen.pages["sheets"]
        assert isinstance(page, SheetsPage)
        page.go_to(made[0])

    # ---- hand edits

    def noticed(self, edits: Edits) -> None:
        """Tell what was found in the files, and ask where both sides changed a value."""
        screen = self.screen
        for change in edits.done[:4]:
            screen.tell(f"Edited by hand: {change.words()}", "information")
        if len(edits.done) > 4:
            screen.tell(f"… and {len(edits.done) - 4} more changes; see the history.", "information")
        wrong = (*edits.refused, *(str(p) for p in edits.problems))
        for words in wrong:
            screen.tell(words, "warning")
        # it stays in the top line until the file is mended: the line with the reason goes at the next key
        screen.trouble = f"{wrong[0].split(': ')[0]} is not read" if wrong else ""
        if edits.conflicts and screen.overlay is None:
            self._settle(edits)
        screen.changed()
        if edits.done:
            screen.run_worker(screen.game.publish(), group="publish")

    # ---- what was undone, and a file still says

    async def moved(self, before: int) -> None:
        """After undo or redo over a hand edit: does a file say otherwise now? It is offered, never pressed upon."""
        line = self.screen.game.table.timeline
        if self.screen.game.desk is None or not (self.pending or _has_edits(line, before)):
            return
        self.pending = await asyncio.to_thread(self.desk.put_back)
        if self.pending:
            names = ", ".join(patch.file for patch in self.pending)
            self.screen.message = f"{names} still says otherwise: press B to put it back"

    def ask_put_back(self) -> None:
        """Show the differences, then write them or not."""
        if not self.pending:
            self.screen.tell("Every file says what the table has.", "warning")
            return
        shown = [line for patch in self.pending for line in patch.diff().splitlines()]
        items = [("put back", "the old file is kept as .bak", ""), ("leave the file as it is", "", "")]
        items += [(line, "", "") for line in shown]

        async def answered(answer: Any) -> None:
            if answer:
                await self._put_back()

        values = [True, False, *[False] * len(shown)]
        self.screen.ask(Lister("the file as it would be", items, values), answered)

    async def _put_back(self) -> None:
        for patch in self.pending:
            try:
                await asyncio.to_thread(self.desk.write, patch)
                self.screen.tell(f"{patch.file} is put back.", "information")
            except (TableError, OSError) as error:
                self.screen.tell(str(error), "warning")
        self.pending = []
        await self.screen.look_now()

    def _settle(self, edits: Edits) -> None:
        """The table changed the same value meanwhile: ask, never decide."""
        words = "; ".join(c.words() for c in edits.conflicts[:3])
        items = [("take the file's", words, ""), ("keep the table's", "", "")]

        async def settle(side: Any) -> None:
            found = await asyncio.to_thread(self.desk.look, take=side)
            self.noticed(found)
            await self.screen.game.publish()

        self.screen.ask(Lister("now.toml and the table disagree", items, ["file", "table"]), settle)


def _has_edits(line: Timeline, before: int) -> bool:
    """Was a hand edit among what was just undone or done again?"""
    high, low = max(before, line.head), min(before, line.head)
    while high > low:
        if isinstance(line.entries[high - 1].action, Edited):
            return True
        high = line.parents[high]
    return False
