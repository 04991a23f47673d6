"""A log on the disk, as one process has it open."""

from __future__ import annotations

import gc
import os
import stat
from array import array
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from weakref import finalize
from zlib import crc32

import msgspec

from ... import plugins
from ...rules import TableError
from ...session import AnyEntry, Codec, Header
from ..disk import PRIVATE_FOLDER, Disk, Unlocked, locked, write_file
from .chain import Scan, scan, unix_lines, with_crc
from .plain import UNREADABLE, how, log_bytes, no_header, plain_header, read_header, torn_words

LOCK = ".lock"
REPLACED, GONE = "replaced", "gone"
"""Why what a log held is kept beside it."""
MANY = 1 << 20
"""A log of more bytes than this is long enough for the garbage collector to matter."""


class Unsaved(TableError):
    """An action could not be put on the disk; the table is as it was before it."""


class LogFile:
    """A session's log on the disk: the journal of a `Table`."""

    def __init__(self, path: Path, codec: Codec | None, disk: Disk | None = None, *, write: bool = True) -> None:
        """Without a codec its header says which engine reads it."""
        self.path, self.disk = path, disk or Disk()
        self.writing = write
        self.wrong = ""
        """What is the matter with it, so that nothing more is written; empty where it is sound."""
        self.notes: list[str] = []
        """What was found and mended."""
        self.entries: Sequence[AnyEntry] = ()
        """What it held when it was opened."""
        self._fd = -1
        self._open(codec)

    @property
    def closed(self) -> str:
        """Why nothing can be written; empty where it can."""
        return self.wrong or ("" if self.writing else "it was opened to look at only")

    @property
    def lines(self) -> int:
        """How many lines were read or written, the header's among them."""
        return len(self.chain)

    def _open(self, codec: Codec | None) -> None:
        found = self._take()
        if found.damage:
            self.wrong = f"{self.path.name}: {found.damage}. Run tabletop doctor"
        if not found.header:
            raise TableError(
                no_header(found), where=str(self.path), remedy="tabletop doctor CAMPAIGN --mend sets it aside."
            )
        self._good, self.chain = found.good, array("I", found.chain)
        """The checksum of each line, the header's first."""
        if found.torn and self.closed:
            self.notes.append(torn_words(self.path, len(found.torn)))
        self.codec = codec or Codec(plugins.load(plain_header(found.header, self.path).engine))
        self.header: Header = read_header(found.header, self.codec, self.path)
        self.entries = self._decode(found.body, 1)

    def _take(self) -> Scan:
        """Read the file that has the log's name; where it is written to, hold it and mend what can be."""
        if not self.closed:
            try:
                with self.lock():
                    return self._hold()
            except OSError as error:
                self.wrong = f"{self.path.name} cannot be written: {os.strerror(error.errno or 0)}"
            except Unlocked as error:
                self.wrong = error.what
        data = log_bytes(self.path)
        self._hold_open(os.O_RDONLY)
        return scan(data)

    def _hold(self) -> Scan:
        data = self.path.read_bytes()
        straight = unix_lines(data)
        found = scan(straight)
        if len(straight) != len(data) and found.header and not found.damage:
            write_file(self.path, straight, self.disk, mode=self.path.stat().st_mode & 0o777)
            self.notes.append(
                f"the line ends of {self.path.name} had been changed to CRLF, as git and some editors do: "
                "they are put right and nothing is lost"
            )
        self._hold_open(os.O_RDWR | os.O_APPEND)
        if found.torn and found.header and not found.damage:
            self._cut_off(found.torn, found.good)
        return found

    def _hold_open(self, flags: int) -> None:
        """While it is held no other file can have its number."""
        fd = os.open(self.path, flags | os.O_CLOEXEC)
        self.close()
        self._fd, self._closer = fd, finalize(self, os.close, fd)
        self._file = _identity(os.fstat(fd))

    def _decode(self, body: bytes, first: int) -> Sequence[AnyEntry]:
        was = gc.isenabled()
        gc.disable()  # decoding makes nothing but what is kept: collecting meanwhile takes three times as long
        try:
            found = self.codec.entries(body) if body else ()
            if len(body) > MANY:
                gc.freeze()  # entries stay as long as the table does: the collector need not look at them again
            return found
        except UNREADABLE:
            return self._decode_until(body, first)
        finally:
            if was:
                gc.enable()

    def _decode_until(self, body: bytes, first: int) -> Sequence[AnyEntry]:
        """Entries up to the first that this version cannot read; the table is read-only from there."""
        out: list[AnyEntry] = []
        for number, line in enumerate(body.splitlines(), first):
            try:
                out += self.codec.entries(line)
            except UNREADABLE as error:
                self.wrong = (
                    f"{self.path.name}: entry {number} is of a kind that this version does not know ({how(error)})"
                )
                break
        return out

    def _cut_off(self, torn: bytes, good: int) -> None:
        """Keep an unfinished last line beside the log, then cut it off. Safe to be killed at any step."""
        aside = self._keep("torn", torn)
        self.disk.cut(self._fd, good)
        self.disk.sync(self._fd)
        self.notes.append(
            f"the last line of {self.path.name} was never finished: its {len(torn)} bytes are kept in {aside}"
        )

    def _keep(self, why: str, data: bytes) -> str:
        """Put bytes beside the log, under a name of their own."""
        aside = self.path.with_name(f"{self.path.stem}.{why}-{crc32(data):08x}")
        write_file(aside, data, self.disk)
        return aside.name

    # ---- the journal

    def lock(self) -> AbstractContextManager[None]:
        """One lock for the whole campaign: log, now.toml and new sessions."""
        if self.writing and self._fd >= 0 and not self.path.parent.exists():
            with suppress(OSError):  # the folder was deleted: what the log held is kept in a new one
                self.path.parent.mkdir(PRIVATE_FOLDER)
        return locked(self.path.parent / LOCK, disk=self.disk)

    def news(self) -> Sequence[AnyEntry]:
        """What others appended since the last look; only what ends in a newline."""
        try:
            state = os.stat(self.path)
            if stat.S_ISFIFO(state.st_mode):  # it would be read without end
                what = "it cannot be read: this is not a regular file"
                raise TableError(what, where=str(self.path), remedy="Put the log itself there.")
            if _identity(state) != self._file:
                return self._take_up()
            if state.st_size == self._good:
                return ()
            if state.st_size < self._good:
                self.wrong = f"{self.path.name} has become shorter than what was saved. Run tabletop doctor"
                return ()
            found = scan(_tail(self.path, self._good), self.chain[-1], self.lines + 1)
        except FileNotFoundError:
            return ()  # a program that replaces it may take it away first; nothing is appended meanwhile
        except OSError as error:
            why = os.strerror(error.errno or 0)
            self.wrong = f"{self.path.name} cannot be read: {why}. Put it back, then open the table again"
            return ()
        if found.damage:
            self.wrong = f"{self.path.name}: {found.damage}. Run tabletop doctor"
        return self._add(found.body, found)

    def _add(self, body: bytes, found: Scan) -> Sequence[AnyEntry]:
        fresh = self._decode(body, self.lines)
        self._good += len(body)
        self.chain.extend(found.chain)
        return fresh

    def _take_up(self) -> Sequence[AnyEntry]:
        """Another file has the log's name, from a sync program, git or an editor.

        Where it holds all that this one did it is the log from now on; otherwise nothing is written to either.
        """
        held = os.pread(self._fd, self._good, 0)
        found = self._take()
        if found.chain[: self.lines] != self.chain:
            kept = f"; what was saved is kept in {self._keep(REPLACED, held)}" if self.writing else ""
            self.wrong = (
                f"{self.path.name} was replaced by another file that does not hold all that was saved{kept}. "
                "Run tabletop doctor, then open the table again"
            )
            return ()
        if found.damage:
            self.wrong = f"{self.path.name}: {found.damage}. Run tabletop doctor"
        body = found.header + b"\n" + found.body
        return self._add(body[self._good :], Scan(b"", b"", 0, found.chain[self.lines :]))

    def append(self, entry: AnyEntry) -> None:
        """One write, checked, then synced; only then does this return. The lock is held by the caller."""
        if self.closed:
            raise Unsaved(f"nothing can be saved: {self.closed}")
        self._in_place()
        try:
            if (size := os.fstat(self._fd).st_size) > self._good:  # a line that a killed process never finished
                self._cut_off(_tail(self.path, self._good), self._good)
            elif size < self._good:
                raise OSError(5, "the log has become shorter")
        except OSError as error:
            self.wrong = f"{self.path.name}: {error.strerror}"
            raise Unsaved(f"this was not saved: {error.strerror}", remedy="Run tabletop doctor.") from None
        line, crc = with_crc(self.codec.line(entry), self.chain[-1])
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
            self.wrong = f"the disk did not confirm a save ({error.strerror}): close and open the table again"
            raise self._unsaved(error.strerror or "the disk did not confirm it") from None
        self._in_place()  # replaced at this very moment: the line is in a file that has no name any more
        self._good += len(line)
        self.chain.append(crc)

    def _in_place(self) -> None:
        """Is the open file still the one that has the log's name? Sync programs, git and `sed -i` replace files."""
        try:
            if _identity(os.stat(self.path)) == self._file:
                return
            why = "the log was replaced by another file at this moment"
        except OSError:
            why = f"the log was moved or deleted while it was open; {self._rescued()}"
        raise Unsaved(
            f"this was not saved: {why}", where=self.path.name, remedy="Look whether it is there, then do it again."
        )

    def _rescued(self) -> str:
        try:
            return f"what it held is kept in {self._keep(GONE, os.pread(self._fd, self._good, 0))}"
        except OSError as error:
            return f"what it held could not be kept: {error.strerror}"

    def _cut_back(self) -> None:
        try:
            self.disk.cut(self._fd, self._good)
        except OSError as error:
            self.wrong = f"an unfinished line could not be taken back ({error.strerror}): open the table again"

    def _unsaved(self, why: str) -> Unsaved:
        return Unsaved(
            f"this was not saved: {why}", where=self.path.name, remedy="Make room or mend the disk, then do it again."
        )

    def close(self) -> None:
        """Give the file back."""
        if self._fd >= 0:
            self._closer()
            self._fd = -1


def _identity(state: os.stat_result) -> tuple[int, int]:
    return state.st_dev, state.st_ino


def _tail(path: Path, start: int) -> bytes:
    with path.open("rb") as file:
        file.seek(start)
        return file.read()


def create(path: Path, header: Header, disk: Disk | None = None) -> None:
    """Write a new log with its header; it appears whole or not at all."""
    line, _ = with_crc(msgspec.json.encode(header), 0)
    write_file(path, line, disk or Disk())


def open_log(path: Path) -> LogFile:
    """A log alone, without its campaign, to look at only; its header says which engine reads it."""
    return LogFile(path, None, write=False)
