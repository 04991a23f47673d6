"""Panels: plain widgets that are handed their part of a view and draw only the lines that differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from rich.segment import Segment
from rich.style import Style
from textual.content import Content, Span
from textual.events import Click
from textual.geometry import Region, Size
from textual.strip import Strip

from ...rules import Model
from ..commands import Press
from .ground import Ground

Drawn = tuple[str, tuple[Span, ...]]
"""A line as far as it can be compared: two Contents are equal when their text is, whatever their styles."""
MOST_LINES = 500
"""That a panel keeps in memory."""


T = TypeVar("T")


@runtime_checkable
class Clickable(Protocol):
    """A screen that takes clicks on its panels."""

    async def pressed(self, press: Press) -> None:
        """Do what the click means."""


class Spot(Model):
    """A part of a panel that can be clicked."""

    row: int
    first: int
    after: int
    press: Press


class Clicks:
    """What a click on a line presses, wherever the line comes to stand in the end."""

    def __init__(self) -> None:
        self._presses: dict[int, tuple[Content, Press]] = {}

    def on(self, drawn: Content, id: str) -> Content:
        """A line, and the command that a click on it runs; none where that is empty."""
        if id:
            self._presses[id_of(drawn)] = (drawn, Press(id))  # kept: nothing else can have its number meanwhile
        return drawn

    def press(self, drawn: Content) -> Press | None:
        """What a click on a line presses."""
        return self._presses.get(id_of(drawn), (drawn, None))[1]


id_of = id
"""Of an object: `id` is what commands are called by."""


class Panel(Ground, Generic[T], can_focus=False):
    """Draws lines from the one record that it was shown last. Not focusable: the screen owns the keys.

    Drawing is by the line: moving a cursor repaints two lines, not the panel.
    """

    DEFAULT_CSS = """
    Panel { height: auto; width: 1fr; background: $background; color: $ink; }
    """

    ALLOW_SELECT = False
    """What is drawn by the line cannot be marked with the mouse; terminals do it with Shift."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.part: T | None = None
        """What it shows."""
        self.spots: list[Spot] = []
        """What clicks mean; filled while drawing."""
        self._contents: list[Content] | None = None
        self._strips: dict[Drawn, Strip] = {}
        self._drawn_for: object = None
        self._base: object = None
        self._looks: dict[str, Style] = {}

    def show(self, part: T) -> None:
        """Draw this, unless it is what is drawn already."""
        if part != self.part:
            self.part = part
            self.redraw()

    def spot(self, row: int, press: Press, first: int = 0, after: int = 10_000) -> None:
        """A click there presses this."""
        self.spots.append(Spot(row, first, after, press))

    def redraw(self) -> None:
        """Draw the lines that have changed."""
        old = self._contents
        if old is None or self._stale():
            self._contents = None
            self.refresh()
            return
        new = self._build()
        changed = [y for y in range(max(len(old), len(new))) if _drawn(old, y) != _drawn(new, y)]
        if changed:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in changed))

    def lines(self, width: int) -> list[Content]:
        """The lines to draw."""
        return []

    def _stale(self) -> bool:
        return self._drawn_for != (self.size, self.app.theme)

    def _build(self) -> list[Content]:
        self.spots = []
        width, height = self.size
        self._contents = [one.truncate(width, ellipsis=True) for one in self.lines(width)[: max(height, 1)]]
        self._drawn_for = (self.size, self.app.theme)
        return self._contents

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines in a region. A panel has neither border nor padding: nothing has to be put around them."""
        if self._contents is None or self._stale():
            self._strips.clear()
            self._build()
        strips = [self.render_line(y) for y in crop.line_range]
        left, right = crop.column_span
        return strips if (left, right) == (0, self.size.width) else [one.crop(left, right) for one in strips]

    def render_line(self, y: int) -> Strip:
        """One line, from memory where it was drawn before, there or on another row."""
        line = _drawn(self._contents or [], y) or ("", ())
        strip = self._strips.get(line)
        if strip is None:
            if len(self._strips) > MOST_LINES:
                self._strips.clear()
            strip = self._strips[line] = self._strip(*line)
        return strip

    def _strip(self, plain: str, spans: Sequence[Span]) -> Strip:
        """A line that fits already: wrapping it and looking for links in it would take longer than all the rest."""
        at, pieces = 0, []
        for start, end, style in spans:
            if start > at:
                pieces.append(Segment(plain[at:start], self._look("")))
            if end > start:
                pieces.append(Segment(plain[max(start, at) : end], self._look(str(style))))
            at = max(end, at)
        if at < len(plain):
            pieces.append(Segment(plain[at:], self._look("")))
        strip = Strip(pieces).extend_cell_length(self.size.width, self._look(""))
        for one in self.get_line_filters():
            strip = strip.apply_filter(one, self.background_colors[1])
        return strip

    def _look(self, style: str) -> Style:
        """A style over the panel's own; the few that there are stay in memory until another theme comes."""
        base = self.visual_style
        if base is not self._base:
            self._base = base
            self._looks = {"": base.rich_style}
        found = self._looks.get(style)
        if found is None:
            found = self._looks[style] = (base + self.app.stylesheet.parse_style(style)).rich_style
        return found

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as there are, where the stylesheet leaves it open."""
        return len(self.lines(width))

    def notify_style_update(self) -> None:
        """Another theme or another class: nothing drawn before counts."""
        self._contents = None
        self._strips.clear()
        super().notify_style_update()

    def meaning(self, x: int, y: int) -> Press | None:
        """What a click there presses; the last spot that was made is the uppermost."""
        return next((s.press for s in reversed(self.spots) if s.row == y and s.first <= x < s.after), None)

    async def _on_click(self, event: Click) -> None:
        press = self.meaning(event.x, event.y)
        if press is not None and isinstance(self.screen, Clickable):
            event.stop()
            await self.screen.pressed(press)


def _drawn(contents: list[Content], y: int) -> Drawn | None:
    return (contents[y].plain, tuple(contents[y].spans)) if y < len(contents) else None
