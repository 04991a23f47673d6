"""How a log of each format is read: one module a version, all of them giving the header and entries of today.

A module stays as it is for good, with a log of its version among the tests: what was played once can be replayed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ...session import AnyEntry, Codec, Header, PlainEntry
from . import v1


class Reader(Protocol):
    """What a format's module has."""

    def header(self, line: bytes, codec: Codec) -> Header:
        """The header with its world as the engine's own records."""
        ...

    def entries(self, lines: bytes, codec: Codec) -> Sequence[AnyEntry]:
        """Many entries at once; raises msgspec.DecodeError where one does not fit."""
        ...

    def plain(self, line: bytes) -> PlainEntry:
        """An entry as far as it can be read without its engine."""
        ...


READERS: dict[int, Reader] = {1: v1}
"""By the number that stands in the header."""
