"""Format 1: a line an entry, dice by the handful, what only the GM is told beside what everybody is."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ...session import AnyEntry, Codec, Header, PlainEntry


def header(line: bytes, codec: Codec) -> Header:
    """The header with its world as the engine's own records."""
    return codec.header(line)


def entries(lines: bytes, codec: Codec) -> Sequence[AnyEntry]:
    """Many entries at once."""
    return codec.entries(lines)


def plain(line: bytes) -> PlainEntry:
    """An entry as far as it can be read without its engine."""
    return msgspec.json.decode(line, type=PlainEntry)
