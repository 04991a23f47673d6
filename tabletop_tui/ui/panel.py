"""Panels: plain widgets that are handed their part of a view and draw only the lines that differ."""

from __future__ import annotations

from typing import Any

from rich.segment import Segment
from textual.content import Content
from textual.events import Click
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

Drawn = tuple[str, Any]
"""A line as far as it can be compared: two Contents are equal when their text is, whatever their styles."""


class Panel(Widget, can_focus=False):
    """Draws lines from what it was shown last. Not focusable: the screen owns the keys.

    Drawing is by the line: moving a cursor repaints two lines, not the panel.
    """

    DEFAULT_CSS = """
    Panel { height: auto; width: 1fr; background: $background; color: $ink; }
    """

    ALLOW_SELECT = False
    """What is drawn by the line cannot be marked with the mouse; terminals do it with Shift."""

    shown: Any = None

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rows: dict[int, Any] = {}
        """What a click on a row means; filled while drawing."""
        self._contents: list[Content] | None = None
        self._strips: dict[int, Strip] = {}
        self._drawn_for: object = None

    def show(self, *parts: Any) -> None:
        """Draw this, unless it is what is drawn already."""
        if parts != self.shown:
            self.shown = parts
            self.redraw()

    def redraw(self) -> None:
        """Draw the lines that have changed."""
        old = self._contents
        if old is None or self._stale():
            self._contents = None
            self.refresh()
            return
        new = self._build()
        changed = [y for y in range(max(len(old), len(new))) if _drawn(old, y) != _drawn(new, y)]
        for y in changed:
            self._strips.pop(y, None)
        if changed:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in changed))

    def lines(self, width: int) -> list[Content]:
        """The lines to draw."""
        return []

    def _stale(self) -> bool:
        return self._drawn_for != (self.size, self.app.theme)

    def _build(self) -> list[Content]:
        self.rows = {}
        width, height = self.size
        self._contents = [one.truncate(width, ellipsis=True) for one in self.lines(width)[: max(height, 1)]]
        self._drawn_for = (self.size, self.app.theme)
        return self._contents

    def render_line(self, y: int) -> Strip:
        """One line, from memory where it has not changed."""
        if self._contents is None or self._stale():
            self._strips.clear()
            self._build()
        strip = self._strips.get(y)
        if strip is None:
            contents = self._contents or []
            strip = self._strips[y] = self._strip(contents[y] if y < len(contents) else Content(""))
        return strip

    def _strip(self, content: Content) -> Strip:
        """A line that fits already: wrapping it and looking for links in it would take longer than all the rest."""
        base = self.visual_style
        pieces = content.render(base, end="", parse_style=self.app.stylesheet.parse_style)
        strip = Strip([Segment(text, (base + style).rich_style) for text, style in pieces], content.cell_length)
        return strip.extend_cell_length(self.size.width, base.rich_style)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as there are, where the stylesheet leaves it open."""
        return len(self.lines(width))

    def notify_style_update(self) -> None:
        """Another theme or another class: nothing drawn before counts."""
        self._contents = None
        self._strips.clear()
        super().notify_style_update()

    def meaning(self, x: int, y: int) -> Any:
        """What a click there means to the page; None for nothing."""
        del x
        return self.rows.get(y)

    async def _on_click(self, event: Click) -> None:
        meaning = self.meaning(event.x, event.y)
        pressed = getattr(self.screen, "pressed", None)
        if meaning is not None and pressed is not None:
            event.stop()
            await pressed(meaning)


def _drawn(contents: list[Content], y: int) -> Drawn | None:
    return (contents[y].plain, contents[y].spans) if y < len(contents) else None
