"""Records of logs on the disk: read one, write one, and what happened last time. The rest of the room is pure."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from .. import plugins
from ..rules import TableError
from ..session import Codec, Progress, Timeline
from ..storage.disk import PRIVATE, Disk, usual_mode, write_file
from ..storage.log import LogFile, read_plain, sessions
from .recap import Recap, recap
from .record import Reader, Record, plain_record, record

FORMS = {
    "md": "Markdown: the story by scene, with plots and totals",
    "html": "one page for a browser or a printer",
    "json": "everything, for programs",
    "csv": "a row an entry, for a spreadsheet",
}
"""What a record can be written as."""


def written(made: Record, form: str) -> bytes:
    """A record in one of the `FORMS`."""
    from .data import as_csv, as_json  # late: the screens read this room for what happened last time
    from .markdown import markdown
    from .page import page

    forms: dict[str, Callable[[Record], str]] = {"md": markdown, "html": page, "json": as_json, "csv": as_csv}
    return forms[form](made).encode()


def in_short(path: Path) -> Recap | None:
    """A session in short, without the chances of its rolls; None where its log cannot be read."""
    try:
        return recap(_timeline(path), rolls=())
    except (TableError, OSError):
        return None


def last_time(root: Path, *, players: bool = False) -> Recap | None:
    """What happened in the last session of a campaign in which anything did; None where there is none to tell.

    Reads and folds that session's log: some ten milliseconds for an evening, so it is asked off the UI thread. A log
    that cannot be read gives None, as whoever opens the campaign is told why.
    """
    for path in reversed(sessions(root)):
        try:
            line = _timeline(path)
        except (TableError, OSError):
            return None
        if line.last and line.head:
            return None if line.broken else recap(line, players=players)
    return None


def _timeline(path: Path) -> Timeline:
    file = LogFile(path, None, write=False)
    line = Timeline(file.codec.engine, file.header)
    line.extend(file.entries)
    return line


def record_of(
    path: Path, reader: Reader, *, undone: bool = False, progress: Progress | None = None
) -> tuple[Record, list[str]]:
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
        notes = [*wrong, missing]
        return plain_record(plain.header, plain.entries, reader, undone=undone, notes=notes), wrong
    line = Timeline(codec.engine, file.header)
    unread = len(plain.entries) - len(file.entries)
    reason = "its kind is not known"
    try:
        line.extend(file.entries)
    except TableError as error:
        unread, reason = len(plain.entries) - line.last, error.what
    if unread or line.broken:  # the checksums hold, so another version of the engine wrote what does not fit
        number, fault = next(iter(line.broken.items()), (line.last + 1, None))
        reason = fault.why if fault else reason
        wrong.append(
            f"{path.name}: entry {number} does not fit this version of {codec.engine.title} ({reason}). "
            "Counters and totals are missing; the text is whole."
        )
        return plain_record(plain.header, plain.entries, reader, undone=undone, notes=wrong), wrong
    return record(line, reader, undone=undone, notes=wrong, progress=progress), wrong


def check_target(target: Path, log: Path) -> None:
    """Refuse what must not be written over, before any work is done."""
    if target.is_dir():
        raise TableError("this is a folder", where=str(target), remedy="Name a file in it.")
    if target.exists() and target.samefile(log):
        raise TableError(
            "this is the log itself, and a record would destroy it", where=str(target), remedy="Name another file."
        )
    if not target.parent.is_dir():
        raise TableError("its folder does not exist", where=str(target), remedy="Make the folder first.")


def save(target: Path, data: bytes, *, players: bool = False) -> None:
    """Write the record at once: at any moment the old file or the new one is there. The GM's is for the GM alone."""
    mode = usual_mode() if players else PRIVATE
    try:
        write_file(target.resolve() if target.is_symlink() else target, data, Disk(), mode=mode)
    except OSError as error:
        remedy = (
            "Choose a place that you may write to." if isinstance(error, PermissionError) else "Try another place."
        )
        raise TableError(
            f"it cannot be written: {os.strerror(error.errno or 0)}", where=str(target), remedy=remedy
        ) from None
