"""Reading the little languages of games: the tokens of one text, where the reader stands, and how deep it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NoReturn, TypeVar

MOST_CHARACTERS = 200
MOST_NESTED = 20
"""Keeps a text full of brackets from running the reader out of stack."""

T = TypeVar("T")
Wrong = Callable[[str, str], Exception]
"""From what is wrong and what to write to the language's own error."""


class Reader:
    """Recursive descent over one text; a language adds what stands in it."""

    def __init__(self, text: str, tokens: Callable[[str], list[tuple[str, int]]], wrong: Wrong) -> None:
        if len(text) > MOST_CHARACTERS:
            raise wrong(f"it is longer than {MOST_CHARACTERS} characters", "Write less.")
        self.tokens = tokens(text)
        """Each with the character at which it begins, counted from 1."""
        self.place = 0
        self.nested = 0
        self._wrong = wrong

    @property
    def token(self) -> str:
        """What comes next; empty at the end."""
        return self.tokens[self.place][0] if self.place < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        """What comes next, where it is one of these."""
        token = self.token
        if token and token in wanted:
            self.place += 1
            return token
        return ""

    def deeper(self, read: Callable[[], T]) -> T:
        """What stands in brackets, or behind a sign that can stand again."""
        self.nested += 1
        if self.nested > MOST_NESTED:
            raise self._wrong(f"it is nested more than {MOST_NESTED} deep", "Write it simpler.")
        found = read()
        self.nested -= 1
        return found


def matches(pattern: re.Pattern[str], text: str, strange: Callable[[str, str], NoReturn]) -> Iterator[re.Match[str]]:
    """A text cut into what the pattern finds, one behind the other; `strange` is told of anything else."""
    place = 0
    while text[place:].strip():
        match = pattern.match(text, place)
        if match is None:
            at = len(text) - len(text[place:].lstrip())
            strange(text[at], f"{text[at]!r} at character {at + 1} means nothing here")
        yield match
        place = match.end()
