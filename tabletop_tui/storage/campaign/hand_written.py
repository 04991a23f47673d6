"""The hand-written files of an open campaign: what is different in them from what the table has read."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...rules import COPY, Action
from ...session import Change, Edited, Redo, Table, Timeline, Undo, differences, picture, value_at
from ..toml.reading import FileProblem
from . import folder
from .folder import Campaign
from .putback import patches
from .writeback import Patch

_SETTLED = 100_000_000
"""Nanoseconds. A file saved a shorter time ago may be saved again without a later time."""

Stands = tuple[tuple[str | int, ...], ...]
"""Names, times, sizes and numbers of files: while they stay the same nobody has saved one."""


def stands(paths: Iterable[Path | str]) -> Stands:
    """How some files stand."""
    found: list[tuple[str | int, ...]] = []
    for path in map(str, paths):
        try:
            state = os.stat(path)
            found.append((path, state.st_mtime_ns, state.st_size, state.st_ino))
        except OSError:
            found.append((path,))
    return tuple(found)


def is_settled(some: Stands) -> bool:
    """Would a later save be seen? Not where one came within the same tick of the file system's clock."""
    latest = max((int(times[1]) for times in some if len(times) > 1), default=0)
    return abs(time.time_ns() - latest) > _SETTLED


def files_stand(root: Path) -> Stands:
    """How the hand-written files of a campaign stand.

    Asking takes 0.1 ms for 20 files and 1 ms for 200, so it is asked every second; a watcher would be one more
    dependency and one more thread for nothing.
    """
    paths = [f"{root}/{folder.MAIN}"]
    for place in folder.FOLDERS.values():
        paths.append(f"{root}/{place}")
        with suppress(OSError):  # that it is not there is told by how it stands itself
            paths += sorted(f"{root}/{place}/{name}" for name in os.listdir(paths[-1]) if name.endswith(".toml"))
    return stands(paths)


class HandWritten:
    """campaign.toml, the sheets and the scenes of an open campaign."""

    def __init__(self, campaign: Campaign, table: Table, stood: Stands) -> None:
        """`stood` is how the files stood before they were read."""
        self.campaign, self.table = campaign, table
        self._stood: Stands = stood if is_settled(stood) else ()
        """How they stood when they were last read."""
        self._read_at: Stands = self._stood
        """How the files stood when they were last compared: while they stand so they need not be read again."""
        self._started = (table.header, self._known(campaign))
        """Clocks and tracks of campaign.toml as they were last read, as far as the table has them."""
        self._done: tuple[Timeline, int] = (table.timeline, 0)
        """The session, and its entry up to which sheets that actions changed have been written."""
        self._earlier: dict[tuple[str, ...], tuple[Any, bytes | None]] = {}
        """Each file as it was before it was last saved."""

    def stands(self) -> Stands:
        """How the files stand."""
        return files_stand(self.campaign.root)

    def read(self) -> Campaign:
        """The files as they are now."""
        now = self.stands()
        if now == self._read_at:
            return self.campaign
        fresh = folder.load(self.campaign.root)
        if fresh.documents[("rules",)].data is None:  # what cannot be read changes nothing
            fresh.title, fresh.theme, fresh.players = self.campaign.title, self.campaign.theme, self.campaign.players
        self._stood = now if is_settled(now) else ()
        return fresh

    def remember(self, fresh: Campaign) -> None:
        """What was compared with the table is what the next files are compared with."""
        self._read_at = self._stood
        for unit, document in self.campaign.documents.items():
            now = fresh.documents.get(unit)
            if not now or now.raw != document.raw:
                self._earlier[unit] = (self.campaign.parts.get(unit), document.raw)
        for unit in fresh.documents:
            if unit not in self.campaign.documents:
                self._earlier[unit] = (None, None)
        if not fresh.documents[("rules",)].broken:
            for part, held in fresh.start.items():
                there = getattr(self.table.world.now, part)
                kept = {name: one for name, one in self._start()[part].items() if name in there}
                self._start()[part] = kept | {name: picture(one) for name, one in held.items()}
        self.campaign = fresh

    def changes(self, fresh: Campaign, files: Collection[str] = ()) -> list[list[Change]]:
        """For each file, or for some files alone: what is different from when it was last read."""
        units = [u for u in self.file_changes(fresh) if not files or file_of_path(u[0].path) in files]
        if fresh.engine is self.campaign.engine and (not files or folder.MAIN in files):
            units += [started] if (started := self._start_changes(fresh)) else []
        return units

    def file_changes(self, fresh: Campaign) -> list[list[Change]]:
        """The same, of records alone: without the clocks and tracks that campaign.toml begins with."""
        if fresh.engine is None or fresh.engine is not self.campaign.engine:
            return []
        seen = self.table.timeline.seen
        units: list[list[Change]] = []
        broken = {u for u, d in fresh.documents.items() if d.broken}
        if ("rules",) not in broken:
            units.append(differences(picture(seen.rules), picture(fresh.parts[("rules",)]), ("rules",)))
        for part in folder.FOLDERS:
            if part in fresh.unread or part in fresh.missing:
                continue
            held = {name: one for name, one in getattr(seen, part).items() if COPY not in name}
            have = {u[1]: r for u, r in fresh.parts.items() if u[0] == part and len(u) == 2}
            for name in [*held, *(n for n in have if n not in held)]:
                if (part, name) in broken:
                    continue
                before = picture(held[name]) if name in held else None
                after = picture(have[name]) if name in have else None
                units.append(differences(before, after, (part, name)))
        return [u for u in units if u]

    def odd(self, fresh: Campaign) -> tuple[FileProblem, ...]:
        """What an edit brought that counts for nothing; of files that cannot be used there is more to say."""
        known = {(p.file, p.what) for p in self.campaign.problems}
        broken = {p.file for p in fresh.errors}
        return tuple(
            p for p in fresh.problems if p.warning and p.file not in broken and (p.file, p.what) not in known
        )

    def problems(self, fresh: Campaign) -> tuple[FileProblem, ...]:
        """What is wrong with the files, and folders that are gone while the table has something out of them.

        Nobody removes everybody at once: that is a folder that cannot be reached for a moment.
        """
        seen = self.table.timeline.seen
        gone = [
            FileProblem(
                place,
                0,
                0,
                f"the folder is gone, and the table has {len(getattr(seen, part))} of its files",
                "Put it back. Files that are deleted one by one leave the table.",
            )
            for part, place in folder.FOLDERS.items()
            if part in fresh.missing and getattr(seen, part)
        ]
        return (*[p for p in fresh.problems if not p.warning], *gone)

    def changed_by_actions(self) -> set[str]:
        """The files of sheets that an action changed at the table since this was last asked.

        What was undone is only offered, and what was edited stands in the file already.
        """
        line = self.table.timeline
        done = self._done[1] if self._done[0] is line else 0
        latest: dict[str, type[Action]] = {}
        for seq in (seq for seq in reversed(line.moved) if seq > done):
            before, after = line.worlds[seq - 1].sheets, line.worlds[seq].sheets
            action = line.entries[seq - 1].action
            if isinstance(action, Redo):  # it counts as what it does again
                action = line.entries[action.to - 1].action
            for who in after if after is not before else ():
                if who in before and COPY not in who and after[who] is not before[who]:
                    latest.setdefault(folder.file_of(("sheets", who)), type(action))
        self._done = (line, line.last)
        return {file for file, kind in latest.items() if kind not in (Undo, Edited)}

    def put_back(self) -> list[Patch]:
        """How the files that say something else than the table after an undo would be made to agree."""
        return patches(self.campaign, self.table.timeline.seen, self.table.world, self._earlier)

    def _known(self, campaign: Campaign) -> dict[str, dict[str, Any]]:
        """Those that the session began with, or has by now: what else stands in the file is new."""
        known: dict[str, dict[str, Any]] = {}
        for part, held in campaign.start.items():
            there = (getattr(self.table.header.world.now, part), getattr(self.table.world.now, part))
            known[part] = {name: picture(one) for name, one in held.items() if any(name in t for t in there)}
        return known

    def _start_changes(self, fresh: Campaign) -> list[Change]:
        """Clocks and tracks that were put into campaign.toml or changed there while the table goes on."""
        start = self._start()
        here, changes = picture(self.table.world.now), []
        for part, held in fresh.start.items():
            for name, one in held.items():
                path, new, old = ("now", part, name), picture(one), start[part].get(name)
                there = value_at(here, path[1:])
                if old is None and there is None:
                    changes.append(Change(path, None, new))
                elif old is not None and there is not None:
                    found = [Change(c.path, value_at(here, c.path[1:]), c.after) for c in differences(old, new, path)]
                    changes += [c for c in found if c.before != c.after]
        return changes

    def _start(self) -> dict[str, dict[str, Any]]:
        if self._started[0] is not self.table.header:  # a newer session was followed
            self._started = (self.table.header, self._known(self.campaign))
        return self._started[1]


def file_of_path(path: Sequence[str | int]) -> str:
    """The hand-written file that a value stands in."""
    part = str(path[0])
    return folder.file_of((part, str(path[1])) if part in folder.FOLDERS else ("rules",))
