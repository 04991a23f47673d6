"""Somebody who plays in linear mode: hears lines, and types numbers and words."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable
from pathlib import Path

from ptys import Terminal

from tabletop_tui.session import verify
from tabletop_tui.storage.log import open_log, sessions

QUESTION = re.compile(r"(^>|:) \Z", re.MULTILINE)
DRAWN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2190-\u2bff]")
"""Whatever moves a cursor or is a drawing; a terminal ends its lines with \\r\\n."""


class Lines:
    """`tabletop play … --linear` on a terminal that can do nothing."""

    def __init__(self, *words: str | Path, term: str = "dumb", terminal: Terminal | None = None) -> None:
        """`terminal` is one where it runs already, at the other end of a line, say."""
        argv = [sys.executable, "-m", "tabletop_tui", "play", *map(str, words)]
        self.terminal = terminal or Terminal(argv, {"TERM": term}, (200, 50))
        self._from = 0

    @property
    def heard(self) -> str:
        """Everything since something was last typed."""
        return self.terminal.raw[self._from :].decode("utf-8", "replace").replace("\r\n", "\n")

    def until(self, done: Callable[[], object], what: str) -> None:
        self.terminal.until(lambda: bool(done()), f"{what}; it said: {self.heard}")

    def hears(self, words: str) -> str:
        """Wait for words, and for the question after them; all that was heard."""
        self.until(lambda: words in self.heard and self.asked, words)
        return self.heard

    @property
    def asked(self) -> bool:
        """Does it wait for something to be typed?"""
        return bool(QUESTION.search(self.heard))

    def types(self, line: str) -> None:
        """Type a line, when it is asked for."""
        self.until(lambda: self.asked or self.terminal.status is not None, "a question")
        self._from = len(self.terminal.raw)
        self.terminal.send(line + "\n")

    def number(self, words: str) -> int:
        """The number of a line of the list that is told now."""
        line = re.compile(rf"^(\d+)\. .*{re.escape(words)}", re.MULTILINE)
        self.until(lambda: self.asked and line.search(self.heard), f"a number for {words!r}")
        return int(line.findall(self.heard)[-1])

    def chooses(self, words: str) -> None:
        """Type the number of a line."""
        self.types(str(self.number(words)))

    def answers(self, wanted: dict[str, str], most: int = 25) -> None:
        """Answer every question up to the next prompt: as wanted, or with the first that there is."""
        for _ in range(most):
            self.until(lambda: self.asked, "a question")
            question = self.heard.splitlines()[-1]
            if question.startswith(">"):
                return
            asked = [line for line in self.heard.splitlines() if line.endswith("?")][-1:] or [question]
            mine = next((answer for key, answer in wanted.items() if key in asked[0] or key in question), None)
            if "nothing" in question and not (mine and "nothing for" in question):
                self.types(mine if mine and "they show" in question else "")
            elif mine is not None and re.search(rf"^\d+\. .*{re.escape(mine)}", self.heard, re.MULTILINE):
                self.chooses(mine)
            else:
                self.types(mine or ("a word" if "words:" in question and "number" not in question else "1"))
        raise AssertionError(f"still asking: {self.heard}")

    @property
    def transcript(self) -> str:
        """All that was ever heard."""
        return self.terminal.raw.decode("utf-8", "replace").replace("\r\n", "\n")

    def quits(self) -> int:
        self.types("quit")
        self.until(lambda: self.terminal.status is not None, "the end")
        assert self.terminal.status is not None
        return self.terminal.status

    @property
    def drawn(self) -> str:
        """Whatever it ever wrote that a plain line does not have."""
        return "".join(DRAWN.findall(self.terminal.raw.decode("utf-8", "replace").replace("\r\n", "")))

    def close(self) -> None:
        self.terminal.close()


def wander(one: Lines, seed: int, steps: int) -> None:
    """Type numbers and words as they are asked for, any of them."""
    chance = random.Random(seed)
    for _ in range(steps):
        one.until(lambda: one.asked, "a question")
        asked = one.heard.rstrip("\n").splitlines()[-1]
        numbers = re.findall(r"^(\d+)\. ", one.heard, re.MULTILINE)
        if asked.startswith(">"):
            word = chance.choice([*numbers, "all", "list", "roll", "undo", "read", *numbers])
        elif "nothing" in asked:
            word = chance.choice(["", "", "", *numbers])
        elif "yes" in asked:
            word = chance.choice(["1", "2"])
        elif numbers and "number" in asked:
            word = chance.choice(numbers)
        else:
            word = chance.choice(["2", "a word", "3", "."])
        one.types(word)


def checked(root: Path) -> list[str]:
    """What was done in the last session, which verifies."""
    log = open_log(sessions(root)[-1])
    assert not verify(log.codec.engine, log.header, log.entries).wrong
    return [str(entry.action.__struct_config__.tag) for entry in log.entries]
