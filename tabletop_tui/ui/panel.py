"""Panels: plain widgets that are handed their part of a view and do nothing when it is equal to the last one."""

from __future__ import annotations

from typing import Any

from textual.content import Content
from textual.events import Click
from textual.widget import Widget

from .text import stack


class Panel(Widget, can_focus=False):
    """Draws lines from what it was shown last. Not focusable: the screen owns the keys."""

    DEFAULT_CSS = """
    Panel { height: auto; width: 1fr; background: $background; color: $ink; }
    """

    shown: Any = None
    rows: dict[int, Any]
    """What a click on a row means; filled while drawing."""

    def show(self, *parts: Any) -> None:
        """Draw this, unless it is what is drawn already."""
        if parts != self.shown:
            self.shown = parts
            self.refresh()

    def lines(self, width: int) -> list[Content]:
        """The lines to draw."""
        return []

    def render(self) -> Content:
        """As many lines as there is room for."""
        width = self.size.width
        self.rows = {}
        return stack(self.lines(width), width, max(self.size.height, 1))

    def meaning(self, x: int, y: int) -> Any:
        """What a click there means to the page; None for nothing."""
        del x
        return self.rows.get(y) if hasattr(self, "rows") else None

    async def _on_click(self, event: Click) -> None:
        meaning = self.meaning(event.x, event.y)
        pressed = getattr(self.screen, "pressed", None)
        if meaning is not None and pressed is not None:
            event.stop()
            await pressed(meaning)
