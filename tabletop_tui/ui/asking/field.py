"""The one text field: a cursor, word moves and deletes, Home and End, paste, and history where it helps.

Plain and without focus, so that a burst of keys over a slow line does what slow typing does.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...rules import clean
from ..drawing.text import INK, Span

MOST = 500
"""Characters that a field takes."""
NEAR = 30
"""Characters behind the cursor that one line of the screen shows."""


class TextField:
    """A line of text being typed."""

    def __init__(
        self, text: str = "", *, only: str = "", most: int = MOST, history: Sequence[str] = (), fresh: bool = False
    ) -> None:
        self.text, self.cursor = text, len(text)
        self.only, self.most = only, most
        """The characters that it takes, where it does not take all; and how many."""
        self.history = list(history)
        self.fresh = fresh
        """What stands there was proposed: the first thing that is typed takes its place."""
        self._back = 0

    @property
    def near(self) -> str:
        """What stands before the cursor, the cursor, and what comes next."""
        return f"{self.text[: self.cursor]}▏{self.text[self.cursor : self.cursor + NEAR]}"

    def set(self, text: str) -> None:
        """Another text, the cursor at its end."""
        self.text, self.cursor = text[: self.most], len(text[: self.most])

    def type(self, text: str) -> None:
        """Typed or pasted text at the cursor, as far as there is room."""
        text = "".join(c for c in clean(text).replace("\n", " ").replace("\t", " ") if c.isprintable())
        if self.only:
            text = "".join(c for c in text if c in self.only)
        if self.fresh and text:
            self.set("")
            self.fresh = False
        text = text[: max(self.most - len(self.text), 0)]
        self.text = self.text[: self.cursor] + text + self.text[self.cursor :]
        self.cursor += len(text)

    def key(self, key: str, character: str | None) -> bool:
        """Type, move or delete; False where the key means something else."""
        if self._edit(key):
            return True
        if self.history and key in ("up", "down"):
            self._recall(1 if key == "up" else -1)
            return True
        if character and character.isprintable():
            self.type(character)
            return True
        return False

    def _edit(self, key: str) -> bool:
        at, end = self.cursor, len(self.text)
        moves = {"left": max(at - 1, 0), "right": min(at + 1, end), "home": 0, "end": end, "ctrl+a": 0, "ctrl+e": end}
        moves |= {"ctrl+left": self._word(-1), "ctrl+right": self._word(1)}
        if key in moves:
            self.cursor, self.fresh = moves[key], False
            return True
        cuts = {
            "backspace": (max(at - 1, 0), at),
            "delete": (at, at + 1),
            "ctrl+d": (at, at + 1),
            "ctrl+u": (0, at),
            "ctrl+k": (at, end),
            "ctrl+w": (self._word_cut(), at),
            "ctrl+backspace": (self._word_cut(), at),
            "ctrl+delete": (at, self._word(1)),
        }
        if key not in cuts:
            return False
        self.fresh = False
        begin, stop = cuts[key]
        self.text = self.text[:begin] + self.text[stop:]
        self.cursor = begin
        return True

    def _word(self, way: int) -> int:
        """Where the word before the cursor begins, or the one after it ends."""
        if way < 0:
            before = self.text[: self.cursor].rstrip()
            return before.rfind(" ") + 1
        rest = self.text[self.cursor :]
        skipped = len(rest) - len(rest.lstrip())
        after = rest.lstrip().find(" ")
        return len(self.text) if after < 0 else self.cursor + skipped + after

    def _word_cut(self) -> int:
        """The same with the space before it: a word that is deleted leaves none behind."""
        return len(self.text[: self._word(-1)].rstrip())

    def _recall(self, step: int) -> None:
        self._back = min(max(self._back + step, 0), len(self.history))
        self.set(self.history[-self._back] if self._back else "")

    def spans(self, width: int, active: bool = True) -> list[Span]:
        """The part around the cursor, which stands under a reversed cell."""
        room = max(width - 1, 4)
        first = max(self.cursor - room + 1, 0)
        part, place = self.text[first : first + room], self.cursor - first
        if not active:
            return [(part, INK)]
        bold = f"bold {INK}"
        return [(part[:place], bold), (part[place : place + 1] or " ", f"{bold} reverse"), (part[place + 1 :], bold)]
