"""What the screens do with a campaign's files: tell of what people changed by hand, and put back what was undone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ..rules import Refused, TableError, tag_of
from ..session import Change, Edited, Timeline
from ..storage.campaign import NOW
from ..storage.open_campaign import Edits, OpenCampaign
from .asking.host import Choose
from .asking.listing import Pick
from .commands import key_for
from .playing import Playing

if TYPE_CHECKING:
    from ..storage.campaign.now import Conflict
    from ..storage.campaign.writeback import Patch


class Files:
    """The files of the campaign on a screen."""

    def __init__(self, screen: Playing) -> None:
        self.screen = screen
        self.pending: list[Patch] = []
        """Files that still say what was undone, and how they would be put back."""
        self.refused: list[str] = []
        """Edits that cannot count, and why."""
        self.broken = False
        """Is a file wrong in a way that only its author can mend?"""
        self.conflicts: tuple[Conflict, ...] = ()
        """Values that a file and the table have changed, each in its own way."""

    @property
    def why_none(self) -> str:
        """Why there is no edit to drop."""
        return "mend the file by hand" if self.broken else "no edit is refused"

    @property
    def campaign(self) -> OpenCampaign:
        """Only asked for where there is one."""
        assert self.screen.game.campaign is not None
        return self.screen.game.campaign

    @property
    def root(self) -> Path:
        """The campaign's folder."""
        return self.campaign.root

    # ---- sheets

    async def retire(self, who: str) -> None:
        """Take somebody out of the cast, or bring them back."""
        screen = self.screen
        tag = "bring_back" if who in screen.game.world.now.retired else "retire"
        kind = next((k for k in screen.game.table.engine.actions if tag_of(k) == tag), None)
        if kind is not None and who:
            before = screen.game.table.last
            await screen.attempt(msgspec.convert({"who": who}, kind))
            if screen.game.table.last > before:
                gone = "is away and takes part in nothing" if tag == "retire" else "is back"
                screen.tell(f"{screen.game.world.name(who)} {gone} · {key_for('undo', 'u')} takes it back", "good")

    # ---- hand edits

    def noticed(self, edits: Edits) -> None:
        """Tell what was found in the files, and ask where both sides changed a value."""
        screen = self.screen
        # what is wrong with a file stays in sight until the file is mended, and no longer
        mine = [p for p in edits.problems if p.file == NOW]
        self.refused = [str(p) for p in (*edits.refused, *mine)]
        self.broken = bool(edits.problems)
        asks = f"{key_for('drop_edit', 'X')} asks which counts"
        disagree = [f"{NOW} and the table disagree: {asks}"] if edits.conflicts else []
        said = [p for p in edits.problems if not any(p.what in other.what for other in edits.refused)]
        screen.tell_files([*disagree, *map(str, (*edits.refused, *said))])
        unknown = " ".join(map(str, edits.odd[:2]))
        if edits.done:
            more = f"; {len(edits.done) - 2} more are in the log" if len(edits.done) > 2 else ""
            told = f"Edited by hand: {'; '.join(c.words() for c in edits.done[:2])}{more}"
            odd = " ".join(filter(None, (self._odd(edits.done), unknown)))
            back = f"{key_for('undo', 'u')} takes it back" if screen.host.asked is None else ""
            screen.tell(odd or back, "bad" if odd else "good", logged=told)
        elif unknown:
            screen.tell(unknown)
        self.conflicts = edits.conflicts  # X asks: what comes unasked must not catch a key that was meant for play
        screen.changed()
        if edits.done:
            screen.saved()

    def _odd(self, done: Sequence[Change]) -> str:
        """What the game says of values that were just edited and do not count as they were meant."""
        table, paths = self.screen.game.table, {change.path for change in done}
        try:
            found = [p for p in table.engine.problems(table.world) if p.warning and p.path in paths]
        except Refused:
            return ""
        return " ".join(f"{p.what}. {p.remedy}".strip() for p in found[:2])

    def ask_drop(self) -> None:
        """Show the edits that cannot count, then give them up or not; or ask which of two values counts."""
        if self.conflicts:
            self._settle()
            return
        picks = [Pick(True, "drop the edit", "the file is kept as .bak"), Pick(False, "leave it: I mend it by hand")]

        async def answered(answer: bool) -> None:
            if answer:
                self.noticed(await asyncio.to_thread(self.campaign.look, take="table"))

        self.screen.host.ask(Choose("edits that cannot count", picks, answered, told=self.refused))

    # ---- what was undone, and a file still says

    async def remember(self) -> None:
        """Coming back: was a hand edit undone that a file still has?"""
        line = self.screen.game.table.timeline
        if any(isinstance(one.action, Edited) for one in line.entries) and not self.screen.game.table.seat:
            await self._find_pending()

    async def moved(self, before: int) -> None:
        """After undo or redo over a hand edit: does a file say otherwise now? It is offered, never pressed upon."""
        line = self.screen.game.table.timeline
        if self.screen.game.campaign is None or not (self.pending or _has_edits(line, before)):
            return
        await self._find_pending()

    async def _find_pending(self) -> None:
        self.pending = await asyncio.to_thread(self.campaign.put_back)
        if self.pending:
            kept = [patch.file for patch in self.pending if patch.new is not None]
            gone = [patch.file for patch in self.pending if patch.new is None]
            lost = [file for file in kept if not (self.root / file).exists()]
            other = [file for file in kept if file not in lost]
            key = key_for("put_back", "B")
            told = [f"{', '.join(other)} still says something else: {key} puts it back"] if other else []
            told += [f"{', '.join(lost)} is not there: {key} writes it again"] if lost else []
            told += [f"{', '.join(gone)} is still there: {key} takes it away"] if gone else []
            self.screen.tell("; ".join(told), "undo")
            self.screen.draw_bars()

    def ask_put_back(self) -> None:
        """Show the differences, then write them or not."""
        shown = [line for patch in self.pending for line in patch.diff().splitlines()]
        gone = [patch.file for patch in self.pending if patch.new is None]
        verb = f"take away {', '.join(gone)}" if len(gone) == len(self.pending) else "put back"
        verb += f" and take away {', '.join(gone)}" if gone and len(gone) < len(self.pending) else ""
        picks = [Pick(True, verb), Pick(False, "leave the file as it is")]

        async def answered(answer: bool) -> None:
            if answer:
                await self._put_back()

        title = "the file as it would be; the old one is kept as .bak"
        self.screen.host.ask(Choose(title, picks, answered, told=shown))

    async def _put_back(self) -> None:
        for patch in self.pending:
            try:
                await asyncio.to_thread(self.campaign.write, patch)
                done = "put back" if patch.new is not None else "taken away, and kept as .bak"
                self.screen.tell(f"{patch.file} is {done}.", "good")
            except (TableError, OSError) as error:
                self.screen.tell(str(error))
        self.pending = []
        await self.screen.look_now()
        self.screen.changed()  # the look may find nothing new, and the table has moved on all the same

    def _settle(self) -> None:
        """The table changed the same value meanwhile: ask, never decide."""
        first, *more = self.conflicts  # Enter leaves it: neither side is written over by a key that comes too soon
        count = f" and {len(more)} more" if more else ""
        file, table = ("none" if one is None else one for one in (first.change.after, first.table))
        picks = [
            Pick("file", f"take the file's: {file}{count}"),
            Pick("table", f"keep the table's: {table}{count}"),
            Pick("", "neither now"),
        ]
        told = [c.words() for c in self.conflicts]

        async def settle(side: str) -> None:
            if side:
                self.noticed(await asyncio.to_thread(self.campaign.look, take=side))

        self.screen.host.ask(Choose(f"which counts, {NOW} or the table?", picks, settle, 2, told=told))


def _has_edits(line: Timeline, before: int) -> bool:
    """Was a hand edit among what was just undone or done again?"""
    high, low = max(before, line.head), min(before, line.head)
    while high > low:
        if isinstance(line.entries[high - 1].action, Edited):
            return True
        high = line.parents[high]
    return False
