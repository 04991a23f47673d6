"""Help for where you are: its keys, and the game's rules at a glance."""

from __future__ import annotations

from textwrap import wrap
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Markdown, Static

from .text import ACCENT, DIM, INK, fit, heading, join, line


class HelpScreen(ModalScreen[None]):
    """Keys first, then the reference."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; }
    HelpScreen VerticalScroll { width: 90%; max-width: 100; height: 90%; background: $surface; padding: 0 1; }
    HelpScreen Markdown { background: $surface; padding: 0; margin: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q", "leave", "leave", id="help.leave"),
    ]

    def __init__(self, title: str, keys: list[tuple[str, str]], reference: str, about: str = "") -> None:
        super().__init__()
        self.subject, self.keys, self.reference, self.about = title, keys, reference, about

    def compose(self) -> ComposeResult:
        """One scroll."""
        with VerticalScroll():
            rows = [heading(f"{self.subject}: keys", 70, active=True)]
            rows += [line((f"  {text}", INK)) for text in wrap(self.about, 68)]
            rows += [line((f"  {fit(key, 14)}", f"bold {ACCENT}"), (label, INK)) for key, label in self.keys]
            rows += [line(("  esc closes this; ↑↓ scroll", DIM)), line(("", ""))]
            yield Static(join(rows, "\n"))
            yield Markdown(self.reference or "This game brings no reference.", open_links=False)

    def action_leave(self) -> None:
        """Back."""
        self.dismiss(None)
