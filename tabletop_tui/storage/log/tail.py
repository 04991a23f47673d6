"""A log that is read while others write it: as text, so it needs no engine."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from ...rules import TableError
from ...session import PlainEntry
from .chain import scan, unix_lines
from .plain import UNREADABLE, how, log_bytes, no_header, plain_header


class PlainTail:
    """One log, entry by entry as they come; only what ends in a newline, and in a sound checksum."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.damage = ""
        """Why nothing more can be read; empty where it can."""
        self._file = (0, 0)
        self._good, self._crc, self._lines = 0, 0, 0
        self._last = 0
        """The number of the last entry that was given."""

    def news(self) -> list[PlainEntry]:
        """The entries since this was last asked; at first all that there are."""
        try:
            state = os.stat(self.path)
        except FileNotFoundError:
            return []  # a program that replaces it may take it away first
        file = (state.st_dev, state.st_ino)
        if file != self._file or state.st_size < self._good:  # replaced: what is new in it comes after what was given
            self._file, self._good, self._crc, self._lines = file, 0, 0, 0
        if self.damage or state.st_size == self._good:
            return []
        if self._lines:
            with self.path.open("rb") as log:
                log.seek(self._good)
                data = unix_lines(log.read())
        else:
            data = log_bytes(self.path)
        found = scan(data, self._crc, self._lines + 1)
        if not self._lines:
            if not found.header:
                raise TableError(no_header(found), where=str(self.path), remedy="tabletop doctor CAMPAIGN says more.")
            plain_header(found.header, self.path)
        if found.chain:
            self._good, self._crc = self._good + found.good, found.chain[-1]
            self._lines += found.lines
        self.damage = found.damage
        return self._fresh(found.body)

    def _fresh(self, body: bytes) -> list[PlainEntry]:
        out = []
        for line in body.splitlines():
            try:
                entry = msgspec.json.decode(line, type=PlainEntry)
            except UNREADABLE as error:
                self.damage = f"entry {self._last + 1} cannot be read: {how(error)}"
                break
            if entry.seq > self._last:
                self._last = entry.seq
                out.append(entry)
        return out
