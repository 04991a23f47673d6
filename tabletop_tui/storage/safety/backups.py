"""Backups that make themselves: a packed campaign when a session begins, the last ten kept."""

from __future__ import annotations

import re
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path

from ...rules import Refused, TableError
from ..disk import PRIVATE_FOLDER, Disk, locked, write_file
from ..log import LOCK, SESSIONS
from ..toml.shape import near

BACKUPS = "backups"
KEPT = 10
_NUMBERED = re.compile(r"(\d{3,})-(\d{4}-\d{2}-\d{2})-\d{6}\.zip")
"""012-2026-11-16-190203.zip: the number alone says the order, whatever the clock said."""
_DATED = re.compile(r"(\d{4}-\d{2}-\d{2})-\d{6}\.zip")
"""How they were named earlier; they come before all that are numbered."""


def _order(path: Path) -> tuple[int, str]:
    found = _NUMBERED.fullmatch(path.name)
    return (int(found[1]), "") if found else (0, path.name)


def backups(root: Path) -> list[Path]:
    """The backups of a campaign, the oldest first."""
    found = (root / BACKUPS).glob("*.zip")
    return sorted((p for p in found if _NUMBERED.fullmatch(p.name) or _DATED.fullmatch(p.name)), key=_order)


def back_up(root: Path, at: datetime, *, begun: bool, disk: Disk | None = None) -> Path | None:
    """Make one where it is due: when a session's log is begun, and when a table is first opened on a day.

    Not at every opening: each command of the command line opens the table, and the last ten would all be of one hour.
    """
    day = f"{at.astimezone():%Y-%m-%d}"
    found = backups(root)
    if found and not begun and day in found[-1].name:
        return None
    place = root / BACKUPS
    if place.is_symlink():
        raise Refused("the folder for backups is a link", where=str(place), remedy="Make it a folder.")
    place.mkdir(PRIVATE_FOLDER, exist_ok=True)
    from .packing import pack  # late: most openings make none

    data = pack(root).data
    lock = root / SESSIONS / LOCK
    with locked(lock) if lock.exists() else nullcontext():  # two that make one at once would give both one number
        found = backups(root)
        number = max([len(found), *(_order(path)[0] for path in found)])
        same = bool(found) and found[-1].read_bytes() == data  # nothing happened since: the same one, as of now
        path = place / f"{number + (not same):03d}-{at.astimezone():%Y-%m-%d-%H%M%S}.zip"
        if same:
            found[-1].rename(path)
            return path
        write_file(path, data, disk or Disk())
        for old in backups(root)[:-KEPT]:
            old.unlink()
    return path


def restore(root: Path, name: str) -> Path:
    """Bring a backup back beside the campaign, under a name of its own; the campaign itself is not touched."""
    from .packing import folder_name, unpack

    root = root.resolve()
    names = {p.stem: p for p in backups(root)}
    stem = name.removesuffix(".zip")
    if stem not in names:
        raise TableError(f"there is no backup {name!r}", remedy=near(stem, reversed(names)) or "None was made yet.")
    return unpack(names[stem], root.parent, f"{folder_name(root)[: 99 - len(stem)]}-{stem}")
