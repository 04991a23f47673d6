"""`tabletop export`: a logged session as a record to read, print or count."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from .. import plugins
from ..records.data import as_csv, as_json
from ..records.markdown import markdown
from ..records.page import page
from ..records.record import Reader, Record, plain_record, record
from ..rules import TableError
from ..session import Codec, Timeline
from ..storage.disk import Disk, write_file
from ..storage.log import LogFile, read_plain
from .commands import find_log
from .words import complain, say

FORMS: dict[str, Callable[[Record], str]] = {"md": markdown, "html": page, "json": as_json, "csv": as_csv}
LONG = 20_000
"""Steps from which on the work takes long enough to wonder."""


def export(args: Namespace) -> int:
    """Write the record of a log; 1 where the log is not sound, with a record of what is."""
    path = find_log(args.log)
    target = Path(args.to).expanduser() if args.to else None
    if target:
        check_target(target, path)
    made, wrong = make(path, args.reader)
    text = FORMS[args.form](made).encode()
    if target:
        save(target, text)
        say(f"{target}: {made.beats} steps, {len(text):,} bytes", "good")
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(text)
    # a table has no place for remarks
    for words in dict.fromkeys([*wrong, *(made.notes if args.form == "csv" else ())]):
        complain(words)
    return 1 if wrong else 0


def make(path: Path, reader: Reader) -> tuple[Record, list[str]]:
    """The record of a log, with what is wrong with the log in sentences."""
    plain = read_plain(path)
    wrong = []
    if plain.damage:
        wrong.append(f"{path.name}: {plain.damage}. The record ends before it. Run tabletop doctor.")
    elif plain.torn:
        wrong.append(f"{path.name}: its last line was never finished ({plain.torn} bytes). The record is without it.")
    try:
        codec = Codec(plugins.load(plain.header.engine))
        file = LogFile(path, codec, write=False)
    except TableError as error:
        # without its place: a record is read elsewhere
        missing = f"This record has no counters and no totals of rolls: {error.what}."
        return plain_record(plain.header, plain.entries, reader, notes=[*wrong, missing]), wrong
    line = Timeline(codec.engine, file.header)
    unread = len(plain.entries) - len(file.entries)
    try:
        line.extend(file.entries)
    except Exception as error:  # the checksums hold, so another version of the engine wrote what does not fit
        unread = len(plain.entries) - line.last
        reason = error.what if isinstance(error, TableError) else type(error).__name__
    else:
        reason = "its kind is not known"
    if unread:
        number = line.last + 1
        wrong.append(
            f"{path.name}: entry {number} does not fit this version of {codec.engine.title} ({reason}). "
            "Counters and totals are missing; the text is whole."
        )
        return plain_record(plain.header, plain.entries, reader, notes=wrong), wrong
    progress = Progress() if sys.stderr.isatty() else None
    try:
        return record(line, reader, notes=wrong, progress=progress), wrong
    finally:
        if progress:
            progress.end()


def check_target(target: Path, log: Path) -> None:
    """Refuse what must not be written over, before any work is done."""
    if target.is_dir():
        raise TableError("this is a folder", where=str(target), remedy="Name a file: --to FILE.")
    if target.exists() and target.samefile(log):
        raise TableError(
            "this is the log itself, and a record would destroy it", where=str(target), remedy="Name another file."
        )
    if not target.parent.is_dir():
        raise TableError("its folder does not exist", where=str(target), remedy="Make the folder first.")


def save(target: Path, data: bytes) -> None:
    """Write the record at once: at any moment the old file or the new one is there."""
    try:
        write_file(target.resolve() if target.is_symlink() else target, data, Disk())
    except OSError as error:
        remedy = (
            "Choose a place that you may write to." if isinstance(error, PermissionError) else "Try another place."
        )
        raise TableError(
            f"it cannot be written: {os.strerror(error.errno or 0)}", where=str(target), remedy=remedy
        ) from None


class Progress:
    """How far long work is, on a terminal's last line."""

    shown = False

    def __call__(self, done: int, of: int) -> None:
        """Say it, where the work is long."""
        if of >= LONG:
            self.shown = True
            print(f"\r{done * 100 // of:3d} % of {of:,} steps", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Take the line away again."""
        if self.shown:
            print("\r" + " " * 40 + "\r", end="", file=sys.stderr, flush=True)
