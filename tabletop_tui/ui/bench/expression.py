"""A line of the workbench: what is typed, how it reads, and its chances once they are known."""

from __future__ import annotations

from textwrap import wrap

from textual.content import Content

from ...workbench import BadDice, Chances, Reading
from ...workbench.bench import MOST_TEXT
from ..asking.field import TextField
from ..drawing.text import ACCENT, DIM, FAINT, INK, cells, line, safe, spread, told


class Expression:
    """One expression: its text, how it reads, and its chances once they are known."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.field = TextField(most=MOST_TEXT)
        self.turn = 0
        """Counts changes, so that chances which come late are known to be old."""
        self.reading: Reading | None = None
        self.wrong: BadDice | None = None
        self.chances: Chances | None = None
        self.refused = ""
        self.waiting = False
        """Chances are being worked out,"""
        self.slow = False
        """and it takes long enough to say so."""

    @property
    def text(self) -> str:
        """What is typed."""
        return self.field.text

    def lines(self, width: int, active: bool, waiting: str) -> list[Content]:
        """The text with its cursor, a caret under what is wrong, and how it reads."""
        room = max(width - 6, 10)
        at = self.field.cursor if active or self.wrong is None else self.wrong.at
        first = max(at - room + 1, 0)
        part = self.text[first : first + room]
        head = (f" {self.name} {'▸' if active else ' '} ", f"bold {ACCENT}" if active else DIM)
        body = line(head, *self.field.spans(room + 1, active)) if active else line(head, (part, INK))
        if self.wrong is not None and self.text.strip():
            caret = min(max(self.wrong.at - first, 0), len(part))
            mark = line((" " * (5 + cells(part[:caret])), ""), ("^", "bold $bad"))
            what = f"✗ {self.wrong.what}."
            if cells(f"{what} {self.wrong.remedy}") <= width - 6:
                return [body, mark, line((f"     {what} ", "$bad"), (self.wrong.remedy, DIM))]
            remedy = told(self.wrong.remedy, DIM, width, sign=" " * 6)[:2]
            return [body, mark, line((f"     {what}", "$bad")), *remedy]
        if self.reading is None:
            return [body, line((f"     {waiting}", FAINT)), line(("", ""))]
        game = line((f"{self.reading.game} ", FAINT)) if self.reading.game else line(("", ""))
        words = [*wrap(safe(self.reading.words), max(width - 7 - game.cell_length, 20)), ""]
        rest = " ".join(words[1:])
        return [body, spread(line((f"     {words[0]}", DIM)), game, width), line((f"     {rest}", DIM))]
