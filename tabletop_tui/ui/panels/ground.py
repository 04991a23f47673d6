"""What panels stand on: containers that draw one empty line of their colour, for as many rows as they have."""

from __future__ import annotations

from functools import lru_cache

from rich.style import Style
from textual.color import Color
from textual.containers import Horizontal, Vertical
from textual.filter import LineFilter
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget


class Ground(Widget):
    """Something without border and padding."""

    @property
    def size(self) -> Size:
        """Its room; hidden, the room that it had. Textual would lay the whole screen out again to look for it."""
        return self.outer_size

    def render_lines(self, crop: Region) -> list[Strip]:
        """Lines without anything on them. Textual would make each of them anew, only to have panels drawn over it."""
        look = self.visual_style
        return [_empty(crop.width, look.rich_style, look.background, tuple(self.get_line_filters()))] * crop.height


@lru_cache(64)
def _empty(width: int, style: Style, colour: Color | None, filters: tuple[LineFilter, ...]) -> Strip:
    strip = Strip.blank(width, style)
    for one in filters:
        strip = strip.apply_filter(one, colour or Color(0, 0, 0, 0))
    return strip


class Columns(Horizontal, Ground):
    """Side by side."""


class Rows(Vertical, Ground):
    """One below the other."""
