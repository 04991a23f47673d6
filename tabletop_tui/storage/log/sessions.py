"""The sessions of a campaign: their logs in the order in which they were begun, and the one that is played."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

from ...rules import TableError
from ...session import AnyEntry, Codec, Header
from ..disk import Disk
from .file import LogFile

SESSIONS = "sessions"
_NUMBERED = re.compile(r"(\d{3,})-\d{4}-\d{2}-\d{2}(?=\.|$)")
"""007-2026-11-16: the number alone says the order, whatever the clock said; the day is there for people."""
_DATED = re.compile(r"(\d{4}-\d{2}-\d{2})-(\d{1,4})(?=\.|$)")
"""2026-11-16-2: how they were named earlier; they come before all that are numbered."""


def order(name: str) -> tuple[int, str, int] | None:
    """The place of a session among all, by its name; None where this is no session's name."""
    if found := _NUMBERED.match(name):
        return int(found[1]), "", 0
    if found := _DATED.match(name):
        return 0, found[1], int(found[2])
    return None


def sessions(root: Path) -> list[Path]:
    """The logs of a campaign, the oldest first."""
    names = (root / SESSIONS).glob("*.jsonl")  # a pipe of such a name would never end
    found = [(place, path) for path in names if (place := order(path.stem)) and path.is_file()]
    return [path for _, path in sorted(found)]


def next_session(root: Path, at: datetime, known: Iterable[str] = ()) -> Path:
    """A name that comes after all that there are or were: also of those set aside, and of those in `known`."""
    try:
        names = [*os.listdir(root / SESSIONS), *known]
    except FileNotFoundError:
        names = [*known]
    places = [place for name in names if (place := order(name))]
    dated = {place[1:] for place in places if not place[0]}
    number = max([len(dated), *(place[0] for place in places)]) + 1
    return root / SESSIONS / f"{number:03d}-{at.astimezone():%Y-%m-%d}.jsonl"


class SessionLog:
    """The journal of an open campaign: the log of its last session, also when another process begins the next."""

    def __init__(self, root: Path, path: Path, codec: Codec, disk: Disk, *, write: bool) -> None:
        self.root, self.codec, self.disk, self.writing = root, codec, disk, write
        self.log = self._open(path)
        self._unfollowed: Path | None = None

    def _open(self, path: Path) -> LogFile:
        log = LogFile(path, self.codec, self.disk, write=self.writing)
        if log.header.engine != self.codec.engine.name:
            raise TableError(
                f"the session was played with {log.header.engine!r}, the campaign names {self.codec.engine.name!r}",
                where=str(path),
                remedy="Name the old engine in campaign.toml, or go on from the state in now.toml: "
                "tabletop session CAMPAIGN --from-now.",
            )
        return log

    @property
    def closed(self) -> str:
        """Why nothing can be written; empty where it can."""
        return self.log.closed

    @property
    def header(self) -> Header:
        """The header of the session that is played now."""
        return self.log.header

    def lock(self) -> AbstractContextManager[None]:
        """One lock for the whole campaign: log, now.toml and new sessions."""
        return self.log.lock()

    def news(self) -> Sequence[AnyEntry]:
        """What others wrote: in this session, or all of a newer one, which is followed."""
        newest = sessions(self.root)[-1:]
        if not newest or newest[0] == self._unfollowed or not _after(newest[0], self.log.path):
            return self.log.news()
        try:
            log = self._open(newest[0])
        except TableError as error:
            self._unfollowed = newest[0]
            self.log.wrong = f"session {newest[0].stem} was begun elsewhere and cannot be followed: {error.what}"
            return ()
        log.notes[:0] = [*self.log.notes, f"session {log.header.session} was begun elsewhere: the table is in it now"]
        self.log.close()
        self.log = log
        return log.entries

    def append(self, entry: AnyEntry) -> None:
        """Returns when the entry is safe; raises when it is not."""
        self.log.append(entry)

    def close(self) -> None:
        """Give the file back."""
        self.log.close()


def _after(one: Path, other: Path) -> bool:
    return (order(one.stem) or (0, "", 0)) > (order(other.stem) or (0, "", 0))
