"""What a challenge falls into, in a row: done, open and locked, each with its attempts and prices."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from textual.content import Content

from ..rules import Option
from .panel import Panel
from .text import DIM, FAINT, INK, cells, line, safe

GAP = "   "


class PartsPanel(Panel):
    """The parts in one row, wrapped where it is narrow; below it all that is to be said of the one under the cursor.

    Shown: parts, the place of the cursor.
    """

    DEFAULT_CSS = "PartsPanel { display: none; height: 3; background: $surface; }"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.spots: list[tuple[int, int, int]] = []
        """Row, first and last column of each part."""

    def lines(self, width: int) -> list[Content]:
        """The row of parts, then the remark."""
        parts, cursor = self.shown or ((), 0)
        self.spots = []
        rows: list[Content] = [Content("")]
        for i, part in enumerate(parts):
            name = f"{sign(part)} {part.secret_label or part.label}"
            text = f"[{name}]" if i == cursor else f" {name} "
            if rows[-1].cell_length and rows[-1].cell_length + cells(text) > width:
                rows.append(Content(""))
            start = rows[-1].cell_length
            style = "bold $on-accent on $tone-accent" if i == cursor else tone(part)
            rows[-1] = rows[-1] + line((text, style), (GAP, ""))
            self.spots.append((len(rows) - 1, start, start + cells(text)))
        return rows + [line((f" {piece}", DIM)) for piece in self._said(parts, cursor, width)]

    @staticmethod
    def _said(parts: tuple[Option, ...], cursor: int, width: int) -> list[str]:
        if cursor >= len(parts):
            return []
        part = parts[cursor]
        words = [part.closed, part.secret_note or part.note]
        return wrap(safe(" · ".join(w for w in words if w)), max(width - 2, 20))

    def meaning(self, x: int, y: int) -> Any:
        """The part that was clicked."""
        return next((("part", i) for i, (row, a, b) in enumerate(self.spots) if row == y and a <= x < b), None)


def sign(part: Option) -> str:
    """How a part stands, without a colour."""
    return "✓" if part.chosen else "–" if part.closed else "▶"


def tone(part: Option) -> str:
    """How a part stands, in colour."""
    return "$good" if part.chosen else FAINT if part.closed else f"bold {INK}"
