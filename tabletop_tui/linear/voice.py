"""Lines out and lines in, and what others do between them."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable

from .words import plain

LOOK = 150
"""Milliseconds between two looks at what others do."""
LONGEST = 4000
"""Characters of a line that is taken."""


class Left(Exception):
    """The input has ended: whoever typed it has gone."""


class Voice:
    """Speaks on standard output, listens on standard input."""

    def __init__(self) -> None:
        self._in = sys.stdin.fileno()
        self._waiting = select.poll()
        self._waiting.register(self._in, select.POLLIN | select.POLLHUP)
        self._echoes = sys.stdin.isatty()
        self._buffer = b""
        self._ended = False
        self._ahead = False
        """Was something typed before the question was put?"""
        self._asked = ""
        """The question that stands at the beginning of an unfinished line."""

    def say(self, *lines: str) -> None:
        """A line each, unless there is nothing to say."""
        for words in filter(None, map(plain, lines)):
            print(("\n" if self._asked and self._echoes else "") + words)
            self._asked = ""

    def ask(self, question: str, idle: Callable[[], None]) -> str:
        """A line that somebody types; `idle` is called while nobody does."""
        self._question(question)
        while (found := self._line()) is None:
            idle()
            if not self._asked:  # something was said meanwhile: the question is asked again below it
                self._question(question)
        if self._ahead:
            print()  # what was typed stands above the question: the answer begins a line of its own
        self._asked = ""
        return found

    def _question(self, question: str) -> None:
        self._asked = plain(question) or ">"
        # a terminal shows what is typed on the same line; nothing else does
        print(self._asked, end=" " if self._echoes else "\n", flush=True)
        self._ahead = self._echoes and (b"\n" in self._buffer or bool(self._waiting.poll(0)))

    def _line(self) -> str | None:
        """The next line; None where none comes within a moment."""
        sys.stdout.flush()
        if b"\n" not in self._buffer and not self._ended:
            if not self._waiting.poll(LOOK):
                return None
            try:
                data = os.read(self._in, 65536)
            except OSError:
                data = b""  # the terminal has gone
            self._buffer, self._ended = (self._buffer + data)[-16 * LONGEST :], not data
        line, end, rest = self._buffer.partition(b"\n")
        if not end and not self._ended:
            return None
        if not end and not line:
            raise Left
        self._buffer = rest
        return plain(line.decode("utf-8", "replace")[:LONGEST])
