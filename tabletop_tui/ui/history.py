"""History: everything that was done, to browse, to go back to and forward again."""

from __future__ import annotations

from typing import Any

from textual.app import ComposeResult
from textual.content import Content

from ..records import series
from ..session import Step
from .page import KeyItem, Page
from .panel import Panel
from .plot import PlotPanel
from .text import ACCENT, DIM, FAINT, INK, fit, heading, line


class HistoryPanel(Panel):
    """The steps around the cursor, the newest at the bottom. Shown: steps, cursor, head."""

    DEFAULT_CSS = "HistoryPanel { height: 1fr; }"

    def lines(self, width: int) -> list[Content]:
        """A line a step; its dice below the one under the cursor."""
        steps, cursor, head = self.shown or ((), 0, 0)
        out = [heading(f"history · entry {head} is now" if head else "history", width)]
        for step in steps:
            here = step.seq == cursor
            self.rows[len(out)] = ("step", step.seq)
            out.append(self._step(step, here, step.seq == head, width))
            if here:
                out += [line((f"            {dice}", FAINT)) for dice in step.dice]
                out += [line((f"            {more}", DIM)) for more in step.said[1:]]
        return out

    def _step(self, step: Step, here: bool, now: bool, width: int) -> Content:
        words = step.said[0] if step.said else step.action
        sign = "▶" if now else "↶" if step.undone else "✎" if step.edit else " "
        name = f"★ {step.name}  " if step.name else ""
        text = fit(
            f"{sign} {step.seq:>5}  {step.at[11:16]}  {step.by + ': ' if step.by else ''}{name}{words}", width - 2
        )
        style = "bold $on-accent on $tone-accent" if here else FAINT if step.undone else f"bold {INK}" if now else INK
        return line(("▸" if here else " ", ACCENT), (text, style))


class HistoryPage(Page):
    """The same for every engine."""

    DEFAULT_CSS = """
    HistoryPage { height: 20; }
    """
    title = "History"

    def compose(self) -> ComposeResult:
        """How the counters went, then the list."""
        self.panel, self.plot = HistoryPanel(), PlotPanel()
        self.plotted = -1
        yield self.plot
        yield self.panel

    def on_mount(self) -> None:
        """Start at now."""
        self.cursor = self.game.table.last

    def on_resize(self) -> None:
        """It shows as many steps as there is room for: also when it comes back from under a question."""
        self.call_after_refresh(self.update_view)

    def show_entry(self, seq: int) -> None:
        """Put the cursor on it."""
        self.cursor = seq

    def update_view(self) -> None:
        """The steps around the cursor."""
        table = self.game.table
        all_ = table.timeline.last  # of a replay too: the list is for jumping ahead as well
        room = max(self.panel.size.height - 4, 6)
        self.cursor = min(max(self.cursor, min(1, all_)), all_)
        last = min(max(self.cursor + room // 2, room), all_)
        first = max(last - room, 0)
        # a number would tell players of entries that they may not know
        self.panel.show(tuple(table.steps(first, last)), self.cursor, 0 if table.seat else table.head)
        if all_ != self.plotted:
            self.plotted = all_
            found = series(table, 60)
            self.plot.show(found)
            self.plot.display = any(one.moved for one in found)

    def keys(self) -> list[KeyItem]:
        """What can be pressed here."""
        line_ = self.game.table.timeline
        going = "redo to here" if self.cursor in line_.ahead else "undo to here"
        return [
            ("↑↓", "browse", False, False),
            ("enter", going, self.cursor == line_.head, False),
            ("m", "name this moment", False, False),
            ("w", "what if from here", not self.cursor, False),
        ]

    async def key(self, key: str, character: str | None) -> bool:
        """Browse, or go there."""
        steps = {"up": -1, "down": 1, "pageup": -15, "pagedown": 15, "home": -(10**9), "end": 10**9}
        if key in steps:
            self.cursor += steps[key]
            self._skip(1 if steps[key] > 0 else -1)
            self.update_view()
            return True
        if key == "enter":
            await self._go()
            return True
        if character == "m":
            self.play.ask_name(self.cursor)
            return True
        if character == "w":
            await self.play.what_if(self.cursor)
            return True
        return False

    def _skip(self, way: int) -> None:
        """Past entries of which this seat may not know."""
        table = self.game.table
        entries = table.timeline.entries
        while 0 < self.cursor <= len(entries) and not table.may_know(entries[self.cursor - 1]):
            self.cursor += way

    async def _go(self) -> None:
        line_ = self.game.table.timeline
        if self.cursor in line_.ahead:
            await self.play.step_to(self.cursor, forward=True)
        elif self.cursor in line_.past() and self.cursor != line_.head:
            await self.play.step_to(self.cursor, forward=False)
        else:
            self.game.tell(
                "That entry was undone and something else was done since; it can be read, not gone to.", "warning"
            )

    async def click(self, meaning: Any) -> None:
        """A click puts the cursor there."""
        if isinstance(meaning, tuple) and meaning[0] == "step":
            self.cursor = meaning[1]
            self.update_view()
