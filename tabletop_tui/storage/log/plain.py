"""Logs that are only read: as text without their engine, or to be looked at again."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from ... import plugins
from ...rules import Model, TableError
from ...session import FORMAT, Codec, Header, PlainEntry
from .chain import Scan, scan, unix_lines

UNREADABLE = (msgspec.DecodeError, RecursionError)
"""What a line that is sound can still do to whoever reads it: not fit, or be nested without end."""


class PlainHeader(Model):
    """A header as far as it can be read without its engine."""

    log: str
    format: int
    engine: str
    campaign: str = ""
    session: str = ""
    began: str = ""


class PlainLog(Model):
    """A log read without its engine: what was said, and what is wrong with the file."""

    header: PlainHeader
    entries: tuple[PlainEntry, ...]
    torn: int
    damage: str


def log_bytes(path: Path) -> bytes:
    """A log as it was written; raises in words where it cannot be read."""
    try:
        return unix_lines(path.read_bytes())
    except OSError as error:
        raise TableError(
            f"it cannot be read: {os.strerror(error.errno or 0)}",
            where=str(path),
            remedy="Check that it is a file, and yours to read.",
        ) from None


def no_header(found: Scan) -> str:
    """Why a log cannot be opened at all."""
    if found.damage or found.torn:
        return "this is not a log of tabletop, or its first line is damaged"
    return "this log is empty"


def torn_words(path: Path, size: int) -> str:
    """That a log's end is missing, where it is only looked at."""
    return f"the last line of {path.name} was never finished: its {size} bytes are left out"


def how(error: Exception) -> str:
    """What is wrong with a line, in a few words."""
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)


def plain_header(line: bytes, path: Path) -> PlainHeader:
    """Whose log this is; raises where it is none."""
    try:
        plain = msgspec.json.decode(line, type=PlainHeader)
    except UNREADABLE:
        plain = None
    if plain is None or plain.log != "tabletop":
        raise TableError(
            "this is not a log of tabletop", where=str(path), remedy="Name a .jsonl of a sessions folder."
        )
    return plain


def read_header(line: bytes, codec: Codec, path: Path) -> Header:
    """The header, with its world; raises where this program cannot read it."""
    plain = plain_header(line, path)
    if plain.format != FORMAT:
        raise TableError(
            f"the log is of format {plain.format} and this program reads {FORMAT}",
            where=str(path),
            remedy="Update tabletop-tui; tabletop log still shows its text.",
        )
    try:
        return codec.header(line)
    except (msgspec.ValidationError, RecursionError) as error:
        raise TableError(
            f"the world in its header does not fit: {how(error)}",
            where=str(path),
            remedy="tabletop log still shows its text. "
            "To go on from the state in now.toml: tabletop session CAMPAIGN --from-now.",
        ) from None


def read_plain(path: Path) -> PlainLog:
    """A log's text, whatever its engine and version."""
    found = scan(log_bytes(path))
    if not found.header:
        raise TableError(no_header(found), where=str(path), remedy="tabletop doctor CAMPAIGN says what can be done.")
    header = plain_header(found.header, path)
    entries = []
    damage = found.damage
    for number, line in enumerate(found.body.splitlines(), 1):
        try:
            # what a newer format says is most likely in the same place
            entries.append(msgspec.json.decode(line, type=PlainEntry))
        except UNREADABLE as error:
            damage = damage or f"entry {number} cannot be read: {how(error)}"
            break
    return PlainLog(header, tuple(entries), len(found.torn), damage)


def unreadable(path: Path) -> str:
    """Why a log can be read as text only: it is newer than this program, or its engine is not installed.

    Its first line says so: the rest, which may be long, is not read for that.
    """
    try:
        with path.open("rb") as file:
            found = scan(unix_lines(file.readline()))
    except OSError:
        return ""  # whoever opens it says so
    if not found.header:
        return ""
    try:
        read_header(found.header, Codec(plugins.load(plain_header(found.header, path).engine)), path)
    except TableError as error:
        return str(error)
    return ""


WHAT_IF = "what-if-"
"""How the names of kept what-ifs begin; they stand before what was really played."""
PLAYED = "played"
"""Logs to look at: samples, and what-ifs that were kept. The campaign does not go on from them."""


def played(root: Path) -> list[Path]:
    """The logs of a campaign that are only to be looked at."""
    return sorted((root / PLAYED).glob("*.jsonl"), key=lambda p: (not p.name.startswith(WHAT_IF), p.name))
