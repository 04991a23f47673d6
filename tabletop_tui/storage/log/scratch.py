"""What if: a table of its own from any entry, with a log of its own outside the campaign until it is kept."""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from msgspec.structs import replace

from ...rules import TableError, clean
from ...session import Codec, Table
from ...session.table import stamp
from ..disk import Disk, private_folder, write_file
from ..log import PLAYED, WHAT_IF, LogFile, create
from ..user.paths import data_home, slug

FOLDER = "what-if"


def left_behind(root: Path) -> list[Path]:
    """Logs of what-ifs of a campaign that were neither kept nor thrown away: a crash, or one that is being played.

    Those of earlier versions are known by the folder's name alone.
    """
    earlier = f"{slug(root.resolve().name)}-????-??-??-??????-????.jsonl"
    place = data_home() / FOLDER
    return sorted({*place.glob(f"*-{_mark(root)}-????.jsonl"), *place.glob(earlier)})


def _mark(root: Path | None) -> str:
    """By what a campaign is known again: several may have one title."""
    return sha256(str(root.resolve() if root else "").encode("utf-8", "surrogateescape")).hexdigest()[:8]


class Scratch:
    """A what-if. It can be thrown away, or kept among the logs that a campaign has to look at."""

    def __init__(self, origin: Table, at: int, root: Path | None, *, folder: Path | None = None) -> None:
        self.at, self.root = at, root
        fork = origin.fork(at)
        day = fork.clock().astimezone().strftime("%Y-%m-%d-%H%M%S")
        self.path = (
            folder or data_home() / FOLDER
        ) / f"{slug(fork.header.campaign)}-{day}-{_mark(root)}-{os.urandom(2).hex()}.jsonl"
        name = f"what if, from entry {at} of {fork.header.session}"
        header = replace(fork.header, session=clean(name), began=stamp(fork.clock()))
        try:
            private_folder(self.path.parent)
            create(self.path, header)
            self.log = LogFile(self.path, Codec(origin.engine))
        except OSError as error:
            raise TableError(
                f"a what-if cannot be begun: {error.strerror}", where=str(self.path.parent), remedy="Make room there."
            ) from None
        self.table = Table(
            origin.engine, self.log.header, self.log.entries, journal=self.log, clock=origin.clock, seat=origin.seat
        )
        self.table.taken_from = (origin, origin.timeline.head_at(at))

    def keep(self) -> Path:
        """Put its log among those that the campaign has to look at; the campaign goes on from its own."""
        if self.root is None:
            self.close()
            return self.path
        target = self.root / PLAYED / f"{WHAT_IF}{self.path.name}"
        try:
            private_folder(target.parent)
            write_file(target, self.path.read_bytes(), Disk())
        except OSError as error:
            raise TableError(
                f"the what-if could not be kept: {error.strerror}",
                where=str(target.parent),
                remedy="It goes on. Mend that, then leave it again.",
            ) from None
        self.throw_away()
        return target

    def throw_away(self) -> None:
        """Forget it."""
        self.close()
        with suppress(OSError):  # it stays among those that can be watched
            self.path.unlink()

    def close(self) -> None:
        """Give the file back."""
        self.log.close()
