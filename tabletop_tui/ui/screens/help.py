"""Help for where you are: its keys, and the game's rules at a glance."""

from __future__ import annotations

from functools import partial
from textwrap import wrap

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Markdown, Static

from ..commands import Command, Layer, UserKeys
from ..drawing.text import ACCENT, INK, cells, fit, heading, join, line, told
from ..panels.bars import Said, Tabs
from .base import CommandScreen

WIDEST = 18
"""Cells that keys get before what they do."""


WIDTH = 70
"""Cells of a line that is read easily."""


class Scroll(VerticalScroll, can_focus=False):
    """The screen owns the keys."""


class HelpScreen(CommandScreen):
    """Keys first, then the reference."""

    DEFAULT_CSS = """
    HelpScreen { background: $background; }
    HelpScreen Scroll { height: 1fr; }
    HelpScreen Markdown { background: $background; padding: 0 1; margin: 0; }
    HelpScreen MarkdownTableContent { keyline: none; grid-gutter: 0 2; }
    HelpScreen MarkdownTableContent > .cell { padding: 0; }
    HelpScreen MarkdownTableContent > .header { padding: 0; color: $dim; }
    """

    def __init__(self, title: str, keys: list[tuple[str, str]], reference: str, about: str = "") -> None:
        super().__init__()
        self.subject, self.rows, self.reference, self.about = title, keys, reference, about
        self.scroll = Scroll()

    def compose(self) -> ComposeResult:
        """One scroll between the bars."""
        yield self.top
        with self.scroll:
            width = min(WIDTH, self.app.size.width - 4)
            lines = [heading(f"{self.subject}: keys", width)]
            lines += told(self.about, INK, width)
            for keys, label in self.rows:
                name = fit(keys, max(WIDEST, cells(keys)))
                for i, text in enumerate(wrap(label, max(width - WIDEST - 2, 8)) or [""]):
                    head = name if not i else " " * WIDEST
                    lines.append(line((f" {head} ", f"bold {ACCENT}"), (text, INK)))
            yield Static(join([*lines, line(("", ""))], "\n"))
            yield Markdown(self.reference or "This game brings no reference.", open_links=False)
        yield self.band
        yield self.footer

    def on_mount(self) -> None:
        """Draw the bars."""
        self.ready = True
        self.draw_bars()

    def tabs(self) -> Tabs:
        """What it is about."""
        return Tabs("help", facts=(self.subject,))

    def said(self) -> Said:
        """Where it comes from."""
        return Said(self.subject)

    def stack(self) -> tuple[Layer, ...]:
        """Scroll, and away."""
        own = (UserKeys.by_id[id] for id in ("help", "home.help") if id in UserKeys.by_id)
        keys = ("escape", "?", "f1", "q", *own)
        out = [Command("help.leave", keys, "close", self.close_screen, effect="look", where="band")]
        moves = {"up": -1, "down": 1, "pageup": -15, "pagedown": 15, "home": -(10**6), "end": 10**6}
        for key, step in moves.items():
            run = partial(self._scroll_by, step)
            out.append(Command(f"help.{key}", (key,), key, run, effect="look", group="scroll"))
        return (Layer("help", tuple(out)),)

    def _scroll_by(self, step: int) -> None:
        self.scroll.scroll_relative(y=step, animate=False)
