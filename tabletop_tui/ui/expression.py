"""A line of the workbench: what is typed, how it reads, and its chances once they are known."""

from __future__ import annotations

from textwrap import wrap

from textual.content import Content

from ..rules import BadDice, Chances, Reading, clean
from ..rules.bench import MOST_TEXT
from .text import ACCENT, DIM, FAINT, INK, cells, line, safe, spread


class Expression:
    """One expression: its text, how it reads, and its chances once they are known."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.text = ""
        self.cursor = 0
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

    def type(self, text: str) -> None:
        """Text at the cursor, as far as there is room."""
        text = "".join(c for c in clean(text).replace("\n", " ").replace("\t", " ") if c.isprintable())
        text = text[: MOST_TEXT - len(self.text)]
        self.text = self.text[: self.cursor] + text + self.text[self.cursor :]
        self.cursor += len(text)

    def edit(self, key: str) -> bool:
        """Move or delete; False where the key means something else."""
        at, end = self.cursor, len(self.text)
        moves = {"left": max(at - 1, 0), "right": min(at + 1, end), "home": 0, "end": end}
        word = len(self.text[:at].rstrip().rpartition(" ")[0])
        cuts = {"backspace": (max(at - 1, 0), at), "delete": (at, at + 1), "ctrl+u": (0, at), "ctrl+w": (word, at)}
        if key in moves:
            self.cursor = moves[key]
        elif key in cuts:
            begin, stop = cuts[key]
            self.text = self.text[:begin] + self.text[stop:]
            self.cursor = begin
        return key in moves or key in cuts

    def lines(self, width: int, active: bool, waiting: str) -> list[Content]:
        """The text with its cursor, a caret under what is wrong, and how it reads."""
        room = max(width - 6, 10)
        at = self.cursor if active or self.wrong is None else self.wrong.at
        first = max(at - room + 1, 0)
        part = self.text[first : first + room]
        place = self.cursor - first
        head = (f" {self.name} {'▸' if active else ' '} ", f"bold {ACCENT}" if active else DIM)
        if active:
            under = part[place : place + 1] or " "
            body = line(head, (part[:place], f"bold {INK}"), (under, "reverse"), (part[place + 1 :], f"bold {INK}"))
        else:
            body = line(head, (part, INK))
        if self.wrong is not None and self.text.strip():
            caret = min(max(self.wrong.at - first, 0), len(part))
            mark = line((" " * (5 + cells(part[:caret])), ""), ("^", "bold $bad"))
            what = f"✗ {self.wrong.what}."
            if cells(f"{what} {self.wrong.remedy}") <= width - 6:
                return [body, mark, line((f"     {what} ", "$bad"), (self.wrong.remedy, DIM))]
            remedy = wrap(safe(self.wrong.remedy), max(width - 8, 20))[:2]
            return [body, mark, line((f"     {what}", "$bad")), *(line((f"       {one}", DIM)) for one in remedy)]
        if self.reading is None:
            return [body, line((f"     {waiting}", FAINT)), line(("", ""))]
        game = line((f"{self.reading.game} ", FAINT)) if self.reading.game else line(("", ""))
        words = [*wrap(safe(self.reading.words), max(width - 7 - game.cell_length, 20)), ""]
        rest = " ".join(words[1:])
        return [body, spread(line((f"     {words[0]}", DIM)), game, width), line((f"     {rest}", DIM))]
