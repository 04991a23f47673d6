"""Where in a TOML text each value stands: line and column for every path, and where it begins and ends.

The text has been accepted by `tomllib` before, so this scanner only has to follow it, not to judge it.
"""

from __future__ import annotations

import re
import tomllib
from typing import NamedTuple

Path = tuple[str | int, ...]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_SCALAR = re.compile(r"[^,\]}#\n]*")
_ENDS = {
    '"""': re.compile(r'(?:[^"\\]|\\.|"{1,2}(?!"))*?"{3,5}', re.DOTALL),
    "'''": re.compile(r".*?'{3,5}", re.DOTALL),
    '"': re.compile(r'(?:[^"\\]|\\.)*"'),
    "'": re.compile(r"[^']*'"),
}


class Place(NamedTuple):
    """Line and column, both from 1."""

    line: int
    column: int


class Span(NamedTuple):
    """From the first character to the one after the last."""

    start: int
    end: int


class Places:
    """The places of every key and value of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.values: dict[Path, Place] = {}
        self.keys: dict[Path, Place] = {}
        self.spans: dict[Path, Span] = {}
        """Every value that is written after a key or in a list."""
        self.headings: dict[Path, Span] = {}
        """Every `[heading]`."""
        self.pairs: dict[Path, Span] = {}
        """Every `key = value`, by the path of its value."""
        self.last: dict[Path, Path] = {}
        """What stands last in each table and list that has anything in it; of a dotted key, in each of its parts."""
        self._breaks = [i for i, c in enumerate(text) if c == "\n"]
        self._tables: dict[Path, int] = {}
        """Arrays of tables and the number of their last element."""
        self._scan()

    def of(self, path: Path, *, key: bool = False) -> Place:
        """Where a path stands; its nearest parent where it does not stand there itself."""
        first, second = (self.keys, self.values) if key else (self.values, self.keys)
        for end in range(len(path), 0, -1):
            part = path[:end]
            if found := first.get(part) or second.get(part):
                return found
        return Place(1, 1)

    def _place(self, index: int) -> Place:
        from bisect import bisect_left

        line = bisect_left(self._breaks, index)
        begin = self._breaks[line - 1] + 1 if line else 0
        return Place(line + 1, index - begin + 1)

    def _skip(self, i: int) -> int:
        found = _BLANK.match(self.text, i)
        return found.end() if found else i

    def _scan(self) -> None:
        table: Path = ()
        i = self._skip(0)
        while i < len(self.text):
            if self.text[i] == "[":
                double = self.text.startswith("[[", i)
                start = i
                parts, i = self._key(i + (2 if double else 1))
                table = self._enter(parts, double)
                for end in range(1, len(table) + 1):  # `[a.b]` may be all that there is of `a`
                    self.keys.setdefault(table[:end], self._place(start))
                i = self.text.index("]", i) + (2 if double else 1)
                self.headings[table] = Span(start, i)
            else:
                i = self._pair(i, table)
            i = self._skip(i)

    def _enter(self, parts: list[str], double: bool) -> Path:
        path: Path = ()
        for n, part in enumerate(parts):
            path = (*path, part)
            if double and n == len(parts) - 1:
                self._tables[path] = self._tables.get(path, -1) + 1
            if path in self._tables:
                path = (*path, self._tables[path])
        return path

    def _key(self, i: int) -> tuple[list[str], int]:
        parts = []
        while True:
            i = self._skip(i)
            quote = self.text[i]
            if quote in "\"'":
                end = self._string(i)
                parts.append(str(tomllib.loads(f"k = {self.text[i:end]}")["k"]))
            else:
                bare = _BARE.match(self.text, i)
                end = bare.end() if bare else i + 1
                parts.append(self.text[i:end])
            i = self._skip(end)
            if self.text[i] != ".":
                return parts, i
            i += 1

    def _pair(self, i: int, table: Path) -> int:
        start = i
        parts, i = self._key(i)
        path = (*table, *parts)
        for end in range(len(table) + 1, len(path) + 1):
            self.keys.setdefault(path[:end], self._place(start))
            self.last[path[: end - 1]] = path
        i = self._value(self._skip(self.text.index("=", i) + 1), path)
        self.pairs[path] = Span(start, self.spans[path].end)
        return i

    def _string(self, i: int) -> int:
        for quote in ('"""', "'''", '"', "'"):
            if self.text.startswith(quote, i):
                found = _ENDS[quote].match(self.text, i + len(quote))
                return found.end() if found else len(self.text)
        return i

    def _value(self, i: int, path: Path) -> int:
        self.values[path] = self._place(i)
        end = self._value_end(i, path)
        self.spans[path] = Span(i, i + len(self.text[i:end].rstrip(" \t\r")))
        return end

    def _value_end(self, i: int, path: Path) -> int:
        opening = self.text[i] if i < len(self.text) else ""
        if opening in ("'", '"'):
            return self._string(i)
        if opening == "[":
            return self._items(i + 1, path)
        if opening == "{":
            return self._pairs(i + 1, path)
        found = _SCALAR.match(self.text, i)
        return found.end() if found else i

    def _items(self, i: int, path: Path) -> int:
        number = 0
        i = self._skip(i)
        while self.text[i] != "]":
            i = self._skip(self._value(i, (*path, number)))
            self.last[path] = (*path, number)
            number += 1
            if self.text[i] == ",":
                i = self._skip(i + 1)
        return i + 1

    def _pairs(self, i: int, path: Path) -> int:
        i = self._skip(i)
        while self.text[i] != "}":
            i = self._skip(self._pair(i, path))
            if self.text[i] == ",":
                i = self._skip(i + 1)
        return i + 1
