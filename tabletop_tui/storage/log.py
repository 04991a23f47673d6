"""The log file: a header line, then a line an action, each with a chained checksum as its last key."""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from weakref import finalize
from zlib import crc32

import msgspec

from .. import plugins
from ..rules import Model, TableError
from ..session import FORMAT, AnyEntry, Codec, Header, PlainEntry
from .disk import Disk, locked, write_file
from .formats import READERS

SUFFIX = len(b',"crc":"00000000"}')
LOCK = ".lock"
MANY = 1 << 20
"""A log of more bytes than this is long enough for the garbage collector to matter."""


class Unsaved(TableError):
    """An action could not be put on the disk; the table is as it was before it."""


class Scan(Model):
    """The bytes of a log, as far as they are sound."""

    header: bytes
    body: bytes
    """Every sound entry line, newlines included."""
    good: int
    """How many bytes are sound."""
    crc: int
    torn: bytes = b""
    """What stands after the last newline: a line that was never finished."""
    damage: str = ""
    """What is wrong in the middle, and where."""
    lines: int = 0


def scan(data: bytes, crc: int = 0, first: int = 1) -> Scan:
    """Follow the chain of checksums; stop at the first line that breaks it."""
    end = data.rfind(b"\n") + 1
    lines = data[:end].split(b"\n")[:-1]
    sound, chain, damage = len(lines), crc, ""
    for index, line in enumerate(lines):
        found = crc32(line[:-SUFFIX], chain)
        if line[-SUFFIX:] != b',"crc":"%08x"}' % found:
            sound = index
            damage = f"line {first + index} is damaged, or lines before it are missing, doubled or out of order"
            break
        chain = found
    good = sum(map(len, lines[:sound])) + sound
    head = lines[0] if sound and first == 1 else b""
    body = data[len(head) + 1 if head else 0 : good]
    return Scan(head, body, good, chain, b"" if damage else data[end:], damage, sound)


def with_crc(line: bytes, crc: int) -> tuple[bytes, int]:
    """A line with its checksum and newline, and the checksum to chain the next one to."""
    body = line[:-1]
    chained = crc32(body, crc)
    return body + b',"crc":"%08x"}\n' % chained, chained


class LogFile:
    """A session's log on the disk: the journal of a `Table`."""

    def __init__(self, path: Path, codec: Codec, disk: Disk | None = None, *, write: bool = True) -> None:
        self.path, self.codec, self.disk = path, codec, disk or Disk()
        self.closed = "" if write else "it was opened to look at only"
        """Why nothing can be written; empty where it can."""
        self.notes: list[str] = []
        """What was found and mended while opening."""
        self.entries: Sequence[AnyEntry] = ()
        self._fd = -1
        self._open()

    def _open(self) -> None:
        if not self.closed:
            try:
                with self.lock():
                    self._fd = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
                    self._closer = finalize(self, os.close, self._fd)
                    found = scan(self.path.read_bytes())
                    if found.torn and found.header and not found.damage:
                        self._set_aside(found.torn, found.good)
            except OSError as error:
                self.closed = f"{self.path.name} cannot be written: {os.strerror(error.errno or 0)}"
        if self.closed:
            found = scan(_bytes(self.path))
        if found.damage:
            self.closed = f"{self.path.name}: {found.damage}. Run tabletop doctor"
        if not found.header:
            raise TableError(_no_header(found), where=str(self.path), remedy="Run tabletop doctor on the campaign.")
        self._good, self._crc, self.lines = found.good, found.crc, found.lines
        if found.torn and self.closed:
            self.notes.append(torn_words(self.path, len(found.torn)))
        self.header = read_header(found.header, self.codec, self.path)
        self._reader = READERS[self.header.format]
        if self.header.format != FORMAT and not self.closed:
            self.closed = f"{self.path.name} is of format {self.header.format}: begin a new session to play on"
        self.entries = self._decode(found.body, 1)

    def _decode(self, body: bytes, first: int) -> Sequence[AnyEntry]:
        was = gc.isenabled()
        gc.disable()  # decoding makes nothing but what is kept: collecting meanwhile takes three times as long
        try:
            found = self._reader.entries(body, self.codec) if body else ()
            if len(body) > MANY:
                gc.freeze()  # entries stay as long as the table does: the collector need not look at them again
            return found
        except msgspec.DecodeError:
            return self._decode_until(body, first)
        finally:
            if was:
                gc.enable()

    def _decode_until(self, body: bytes, first: int) -> Sequence[AnyEntry]:
        """Entries up to the first that this version cannot read; the table is read-only from there."""
        out: list[AnyEntry] = []
        for number, line in enumerate(body.splitlines(), first):
            try:
                out += self._reader.entries(line, self.codec)
            except msgspec.DecodeError as error:
                self.closed = (
                    f"{self.path.name}: entry {number} is of a kind that this version does not know ({error})"
                )
                break
        return out

    def _set_aside(self, torn: bytes, good: int) -> None:
        """Keep an unfinished last line beside the log, then cut it off. Safe to be killed at any step."""
        aside = self.path.with_name(f"{self.path.stem}.torn-{crc32(torn):08x}")
        write_file(aside, torn, self.disk)
        self.disk.cut(self._fd, good)
        self.disk.sync(self._fd)
        self.notes.append(
            f"the last line of {self.path.name} was never finished: its {len(torn)} bytes are kept in {aside.name}"
        )

    # ---- the journal

    def lock(self) -> AbstractContextManager[None]:
        """One lock for the whole campaign: log, now.toml and new sessions."""
        return locked(self.path.parent / LOCK)

    def news(self) -> Sequence[AnyEntry]:
        """What others appended since the last look; only what ends in a newline."""
        try:
            size = os.stat(self.path).st_size
            if size == self._good:
                return ()
            if size < self._good:
                self.closed = f"{self.path.name} has become shorter than what was saved. Run tabletop doctor"
                return ()
            with self.path.open("rb") as file:
                file.seek(self._good)
                found = scan(file.read(), self._crc, self.lines + 1)
        except OSError as error:
            self.closed = f"{self.path.name} cannot be read: {os.strerror(error.errno or 0)}"
            return ()
        if found.damage:
            self.closed = f"{self.path.name}: {found.damage}. Run tabletop doctor"
        fresh = self._decode(found.body, self.lines)
        self._good, self._crc, self.lines = self._good + found.good, found.crc, self.lines + found.lines
        return fresh

    def append(self, entry: AnyEntry) -> None:
        """One write, checked, then synced; only then does this return. The lock is held by the caller."""
        if self.closed:
            raise Unsaved(f"nothing can be saved: {self.closed}")
        try:
            if (size := os.fstat(self._fd).st_size) > self._good:  # a line that a killed process never finished
                self._set_aside(_tail(self.path, self._good), self._good)
            elif size < self._good:
                raise OSError(5, "the log has become shorter")
        except OSError as error:
            self.closed = f"{self.path.name}: {error.strerror}"
            raise Unsaved(f"this was not saved: {error.strerror}", remedy="Run tabletop doctor.") from None
        line, crc = with_crc(self.codec.line(entry), self._crc)
        try:
            wrote = self.disk.write(self._fd, line)
        except OSError as error:
            self._cut_back()
            raise self._unsaved(error.strerror or "the disk refused it") from None
        if wrote != len(line):
            self._cut_back()
            raise self._unsaved("the disk is full")
        try:
            self.disk.sync(self._fd)
        except OSError as error:
            # after a failed sync nobody knows what is on the disk, and a second sync would lie
            self.closed = f"the disk did not confirm a save ({error.strerror}): close and open the table again"
            raise self._unsaved(error.strerror or "the disk did not confirm it") from None
        self._good, self._crc, self.lines = self._good + len(line), crc, self.lines + 1

    def _cut_back(self) -> None:
        try:
            self.disk.cut(self._fd, self._good)
        except OSError as error:
            self.closed = f"an unfinished line could not be taken back ({error.strerror}): open the table again"

    def _unsaved(self, why: str) -> Unsaved:
        return Unsaved(
            f"this was not saved: {why}", where=self.path.name, remedy="Make room or mend the disk, then do it again."
        )

    def close(self) -> None:
        """Give the file back."""
        if self._fd >= 0:
            self._closer()
            self._fd = -1


def torn_words(path: Path, size: int) -> str:
    """That a log's end is missing, where it is only looked at."""
    return f"the last line of {path.name} was never finished: its {size} bytes are left out"


def _tail(path: Path, start: int) -> bytes:
    with path.open("rb") as file:
        file.seek(start)
        return file.read()


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TableError(f"it cannot be read: {os.strerror(error.errno or 0)}", where=str(path)) from None


def _no_header(found: Scan) -> str:
    if found.damage or found.torn:
        return "this is not a log of tabletop, or its first line is damaged"
    return "this log is empty"


def create(path: Path, header: Header, disk: Disk | None = None) -> None:
    """Write a new log with its header; it appears whole or not at all."""
    line, _ = with_crc(msgspec.json.encode(header), 0)
    write_file(path, line, disk or Disk())


class PlainHeader(Model):
    """A header as far as it can be read without its engine."""

    log: str
    format: int
    engine: str
    campaign: str = ""
    session: str = ""
    began: str = ""


def plain_header(line: bytes, path: Path) -> PlainHeader:
    """Whose log this is; raises where it is none."""
    try:
        plain = msgspec.json.decode(line, type=PlainHeader)
    except msgspec.DecodeError:
        plain = None
    if plain is None or plain.log != "tabletop":
        raise TableError(
            "this is not a log of tabletop", where=str(path), remedy="Name a .jsonl of a sessions folder."
        )
    return plain


def read_header(line: bytes, codec: Codec, path: Path) -> Header:
    """The header, with its world; raises where this program cannot read it."""
    plain = plain_header(line, path)
    if plain.format not in READERS:
        raise TableError(
            f"the log is of format {plain.format} and this program reads {', '.join(map(str, READERS))}",
            where=str(path),
            remedy="Update tabletop-tui; tabletop log still shows its text.",
        )
    try:
        return READERS[plain.format].header(line, codec)
    except msgspec.ValidationError as error:
        raise TableError(f"the world in its header does not fit: {error}", where=str(path)) from None


class PlainLog(Model):
    """A log read without its engine: what was said, and what is wrong with the file."""

    header: PlainHeader
    entries: tuple[PlainEntry, ...]
    torn: int
    damage: str


def read_plain(path: Path) -> PlainLog:
    """A log's text, whatever its engine and version."""
    found = scan(_bytes(path))
    if not found.header:
        raise TableError(_no_header(found), where=str(path), remedy="Name a .jsonl of a sessions folder.")
    header = plain_header(found.header, path)
    reader = READERS.get(header.format, READERS[FORMAT])  # what a newer one says is most likely in the same place
    entries = []
    damage = found.damage
    for number, line in enumerate(found.body.splitlines(), 1):
        try:
            entries.append(reader.plain(line))
        except msgspec.DecodeError as error:
            damage = damage or f"entry {number} cannot be read: {error}"
            break
    return PlainLog(header, tuple(entries), len(found.torn), damage)


WHAT_IF = "what-if-"
"""How the names of kept what-ifs begin; they stand before what was really played."""
PLAYED = "played"
"""Logs to look at: samples, and what-ifs that were kept. The campaign does not go on from them."""


def played(root: Path) -> list[Path]:
    """The logs of a campaign that are only to be looked at."""
    return sorted((root / PLAYED).glob("*.jsonl"), key=lambda p: (not p.name.startswith(WHAT_IF), p.name))


def open_log(path: Path) -> LogFile:
    """A log alone, without its campaign, to look at only; its header says which engine reads it."""
    found = scan(_bytes(path))
    if not found.header:
        raise TableError(_no_header(found), where=str(path), remedy="Name a .jsonl of a sessions folder.")
    return LogFile(path, Codec(plugins.load(plain_header(found.header, path).engine)), write=False)


def unreadable(path: Path) -> str:
    """Why a log can be read as text only: it is newer than this program, or its engine is not installed."""
    found = scan(_bytes(path))
    if not found.header:
        raise TableError(_no_header(found), where=str(path), remedy="Name a .jsonl of a sessions folder.")
    try:
        read_header(found.header, Codec(plugins.load(plain_header(found.header, path).engine)), path)
    except TableError as error:
        return str(error)
    return ""
