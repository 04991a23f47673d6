"""The log page: everything that was done, to browse, to go back to and forward again."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from textual.app import ComposeResult
from textual.events import Resize

from ...records import series
from ...session import Redo, Replay, Undo
from ...session.entries import BESIDE
from ..commands import Command
from ..commands.catalogue import command
from ..commands.record import moves
from ..panels.bars import Said
from ..panels.ground import Rows
from ..panels.plot import PlotPanel
from ..panels.steps import Steps, StepsPanel
from ..playing import Playing
from .page import Page

MOVES = {"up": -1, "down": 1, "pageup": -15, "pagedown": 15, "home": -(10**9), "end": 10**9}


class LogPage(Page):
    """The same for every engine."""

    DEFAULT_CSS = """
    LogPage .work, LogPage AskPanel { height: 1fr; }
    LogPage LogPanel { height: auto; min-height: 0; }
    LogPage PlotPanel { display: none; }
    """

    def __init__(self, play: Playing, **kwargs: Any) -> None:
        super().__init__(play, **kwargs)
        self.panel, self.plot = StepsPanel(), PlotPanel()
        self.plotted = -1
        self.cursor = self.game.table.last
        self.unfolded = False
        """Does what was undone stand in the list too?"""
        self._rows: tuple[Any, int, bool, list[int], list[int]] = (None, 0, False, [], [])

    def compose(self) -> ComposeResult:
        """How the counters went, then the list."""
        yield self.ask_panel
        with Rows(classes="work"):
            yield self.plot
            yield self.panel
        yield self.log_panel

    def on_resize(self, _event: Resize) -> None:
        """It shows as many steps as there is room for: also when it comes back from under a question."""
        self.call_after_refresh(self.update_view)

    @property
    def entry(self) -> int:
        """The one under the cursor."""
        return self.cursor

    def show_entry(self, seq: int) -> None:
        """Put the cursor on it."""
        self.cursor = seq

    def update_view(self) -> None:
        """The steps around the cursor."""
        table = self.game.table
        seqs, folded = self.rows  # of a replay all of them: the list is for jumping ahead as well
        room = max(self.panel.size.height - 1, 6)
        at = self._at()
        self.cursor = seqs[at] if seqs else 0
        last = min(max(at + room // 2, room), len(seqs))
        first = max(last - room, 0)
        shown = set(seqs[first:last])
        steps = table.steps(min(shown) - 1, max(shown)) if shown else []
        # a number would tell players of entries that they may not know
        head = 0 if table.seat else table.head
        kept = tuple(step for step in steps if step.seq in shown)
        self.panel.show(
            Steps(kept, self.cursor, head, (*folded[first:last], folded[last] if last == len(seqs) else 0))
        )
        if table.head != self.plotted:
            self.plotted = table.head
            found = tuple(series(table, 60))
            self.plot.show(found)
            self.plot.display = any(one.moved for one in found)

    def said(self) -> Said:
        """Which entry is under the cursor."""
        return Said("Nothing happened yet" if not self.cursor else "The log")

    @property
    def rows(self) -> tuple[list[int], list[int]]:
        """The entries in the list, and how many undone ones are folded before each, and after the last."""
        table = self.game.table
        line, every = table.timeline, table.every if isinstance(table, Replay) else self.unfolded
        if self._rows[0] is not line or self._rows[1:3] != (line.last, every):
            kept = {*line.past(), *line.ahead}  # what can be done again is not hidden
            seqs, folded = [], [0]
            for entry in line.entries:
                if not table.may_know(entry):
                    continue
                if every or entry.seq in kept or isinstance(entry.action, BESIDE):
                    seqs.append(entry.seq)
                    folded.append(0)
                elif not isinstance(entry.action, Undo | Redo):
                    folded[-1] += 1
            self._rows = (line, line.last, every, seqs, folded)
        return self._rows[3:]

    def _at(self) -> int:
        """The cursor's place in the list: on its entry, or on the one before it."""
        return max(bisect_right(self.rows[0], self.cursor) - 1, 0)

    # ---- commands

    def commands(self) -> tuple[Command, ...]:
        """Browse, go there, name it, play on from it."""
        line_ = self.game.table.timeline
        ahead, now = self.cursor in line_.ahead, self.cursor == line_.head
        behind = not now and line_.past(self.cursor)[0] == self.cursor
        why = "" if ahead or behind else "this is now"
        if why and not now:
            why = "it was undone and something else was done since; it can be read, not gone to"
        out = [
            *(moves("log", "browse", self._move, MOVES) if len(self.rows[0]) > 1 else ()),
            command("log.go", self._go, why, label="redo to here" if ahead else "undo to here"),
            command("log.name", self._name_it),
            command("log.what_if", self._what_if),
            Command("log.point", (), "", effect="look", where="hidden", point=self._point),
        ]
        if self.unfolded or any(self.rows[1]):
            label = "fold what was undone" if self.unfolded else "unfold what was undone"
            out.append(command("log.all", self._unfold, label=label))
        if not self.game.table.seat:
            out.append(command("log.export", self._export))
        return tuple(out)

    async def _go(self) -> None:
        await self.play.go_to(self.cursor)

    def _name_it(self) -> None:
        self.play.ask_name(self.cursor)

    async def _what_if(self) -> None:
        await self.play.what_if(self.cursor)

    def _unfold(self) -> None:
        self.unfolded = not self.unfolded
        self.update_view()

    def _export(self) -> None:
        from ..export import ask_export

        ask_export(self.play)

    def _move(self, step: int) -> None:
        seqs = self.rows[0]
        if seqs:
            self.cursor = seqs[min(max(self._at() + step, 0), len(seqs) - 1)]
        self.update_view()

    def _point(self, place: tuple[int, ...]) -> None:
        self.cursor = place[0]
        self.update_view()
