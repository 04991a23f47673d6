"""Backups that make themselves: a packed campaign when a session begins, the last ten kept."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

from ..rules import Refused, TableError
from .disk import Disk, write_file
from .packing import BACKUPS, pack, unpack
from .shape import near

KEPT = 10
_BACKUP = re.compile(r"(\d{4}-\d{2}-\d{2})-(\d{6})\.zip")


def backups(root: Path) -> list[Path]:
    """The backups of a campaign, the oldest first."""
    return sorted(p for p in (root / BACKUPS).glob("*.zip") if _BACKUP.fullmatch(p.name))


def back_up(root: Path, at: datetime, *, begun: bool, disk: Disk | None = None) -> Path | None:
    """Make one where it is due: when a session's log is begun, and when a table is first opened on a day.

    Not at every opening: each command of the command line opens the table, and the last ten would all be of one hour.
    """
    found = backups(root)
    name = f"{at.astimezone():%Y-%m-%d-%H%M%S}.zip"
    if found and not begun and found[-1].name[:10] >= name[:10]:
        return None
    place = root / BACKUPS
    if place.is_symlink():
        raise Refused("the folder for backups is a link", where=str(place), remedy="Make it a folder.")
    place.mkdir(exist_ok=True)
    data = pack(root).data
    if found and found[-1].read_bytes() == data:  # nothing happened since: the same one, as of now
        found[-1].rename(place / name)
        return place / name
    write_file(place / name, data, disk or Disk())
    for old in backups(root)[:-KEPT]:
        old.unlink()
    return place / name


def restore(root: Path, name: str) -> Path:
    """Bring a backup back beside the campaign, under a name of its own; the campaign itself is not touched."""
    root = root.resolve()
    names = {p.stem: p for p in backups(root)}
    stem = name.removesuffix(".zip")
    if stem not in names:
        raise TableError(f"there is no backup {name!r}", remedy=near(stem, reversed(names)) or "None was made yet.")
    return unpack(names[stem], root.parent, f"{root.name}-{stem}"[:100])
