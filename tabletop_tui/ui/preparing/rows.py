"""The rows of the editor: a key of a file with its value, or a file with its path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.content import Content

from ...rules import Model
from ...storage.toml.layout import Path as Keys
from ..commands import key_for
from ..drawing.text import ACCENT, DIM, INK, cells, fit, line

MARGIN = 5
"""Cells before the label and between it and the words."""
OPENS = " ›"


class Row(Model):
    """A key of a file, or a file."""

    label: str
    path: Keys
    kind: Any = None
    value: Any = None
    """None where it is not written."""
    words: str = ""
    note: str = ""
    open: bool = False
    unit: tuple[str, ...] = ()


def row_lines(rows: Sequence[Row], first: int, after: int, cursor: int, width: int) -> list[Content]:
    """Some of the rows. Labels have what they need beside the words; of paths a whole part goes before a letter."""
    label = max((cells(row.label) for row in rows), default=0)
    words = _paths(rows, width - MARGIN - label) if any(row.unit for row in rows) else [row.words for row in rows]
    need = max(
        (cells(text) + (cells(OPENS) if row.open else 0) for row, text in zip(rows, words, strict=True)), default=0
    )
    label = min(label, max(width - MARGIN - need, width // 3, 12))
    room = max(width - MARGIN - label, 4)
    return [
        _row(rows[place], words[place], place, label, room, here=place == cursor) for place in range(first, after)
    ]


def _paths(rows: Sequence[Row], room: int) -> list[str]:
    """The paths of files: whole, else their folders, else none. The band has the one under the cursor."""
    whole = [row.words for row in rows]
    folders = [path.partition("/")[0] for path in whole]
    fits = (some for some in (whole, folders) if max(map(cells, some), default=0) + cells(OPENS) <= room)
    return next(fits, [""] * len(rows))


def _row(row: Row, words: str, place: int, label: int, room: int, *, here: bool) -> Content:
    number = f"{key_for(f'editing.{place + 1}', str(place + 1)) if place < 9 else ' '} "
    written = row.value is not None or bool(row.unit)
    opens = OPENS if row.open else ""
    words = fit(words, min(cells(words), room - cells(opens)))
    return line(
        ("▸" if here else " ", ACCENT),
        (number, f"bold {ACCENT}"),
        (fit(row.label, label), (f"bold {INK}" if here else INK) if written else DIM),
        ("  ", ""),
        (f"{words}{opens}".lstrip(), f"bold {INK}" if written and not row.unit else DIM),
    )
