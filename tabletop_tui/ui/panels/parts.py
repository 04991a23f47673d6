"""What a challenge falls into, in a row: done, open and locked, each with its attempts and prices."""

from __future__ import annotations

from textual.content import Content

from ...rules import Model, Option
from ..commands import Press
from ..drawing.text import DIM, INK, cells, line, told
from .panel import Panel

GAP = "   "


class Parts(Model):
    """The parts of a challenge, and which is under the cursor; none where nobody types."""

    parts: tuple[Option, ...] = ()
    cursor: int = 0


class PartsPanel(Panel[Parts]):
    """The parts in one row, wrapped where it is narrow; below it what is to be said of the one under the cursor."""

    DEFAULT_CSS = "PartsPanel { display: none; height: auto; background: $surface; }"

    def lines(self, width: int) -> list[Content]:
        """The row of parts, then the remark."""
        shown = self.part or Parts()
        parts, cursor = shown.parts, shown.cursor
        rows: list[Content] = [Content("")]
        for i, part in enumerate(parts):
            name = f"{sign(part)} {part.secret_label or part.label}"
            text = f"[{name}]" if i == cursor else f" {name} "
            if rows[-1].cell_length and rows[-1].cell_length + cells(text) > width:
                rows.append(Content(""))
            start = rows[-1].cell_length
            style = f"bold underline {INK}" if i == cursor else tone(part)
            rows[-1] = rows[-1] + line((text, style), (GAP, ""))
            self.spot(len(rows) - 1, Press("challenge.part", (i,)), start, start + cells(text))
        for part in parts[cursor : cursor + 1] if cursor >= 0 else ():
            rows += told(" · ".join(filter(None, (part.closed, part.secret_note or part.note))), DIM, width)
        return rows


def sign(part: Option) -> str:
    """How a part stands, without a colour."""
    return "✓" if part.chosen else "–" if part.closed else "▶"


def tone(part: Option) -> str:
    """How a part stands, in colour."""
    return "$good" if part.chosen else DIM if part.closed else f"bold {INK}"
