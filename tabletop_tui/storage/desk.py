"""An open campaign: its table, its files, and what people changed in them by hand."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from ..rules import Model, Refused, TableError
from ..session import Change, Codec, Table, apply_changes, begin, differences, picture, utc_now, value_at
from . import campaign as folder
from .backups import back_up
from .campaign import Campaign, file_of
from .disk import Disk, locked, write_file
from .log import LOCK, LogFile, create
from .now import NowFile, render
from .putback import patches
from .reading import Document, FileProblem, read
from .writeback import Patch, plan, save

SESSIONS = "sessions"
_SESSION = re.compile(r"(\d{4}-\d{2}-\d{2})-(\d{1,4})\.jsonl")


class Conflict(Model):
    """A value that was changed by hand and, since then, at the table."""

    change: Change
    table: Any = None
    """What the table has now."""

    def words(self) -> str:
        """Both sides of it."""
        return f"{self.change.words()}; the table has meanwhile made it {self.table}"


class Edits(Model):
    """What was found when the files were compared with the table."""

    done: tuple[Change, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    refused: tuple[str, ...] = ()
    problems: tuple[FileProblem, ...] = ()

    @property
    def any(self) -> bool:
        """Is there anything to tell?"""
        return bool(self.done or self.conflicts or self.refused or self.problems)


def sessions(root: Path) -> list[Path]:
    """The logs of a campaign, the oldest first."""
    names = (root / SESSIONS).glob("*.jsonl")  # a pipe of such a name would never end
    found = [(m, p) for p in names if (m := _SESSION.fullmatch(p.name)) and p.is_file()]
    return [p for m, p in sorted(found, key=lambda mp: (mp[0][1], int(mp[0][2])))]


class Desk:
    """A campaign that is open. `table` is what front ends drive; the desk looks after the files."""

    def __init__(
        self,
        root: Path,
        *,
        write: bool = True,
        seat: str = "",
        clock: Callable[[], datetime] = utc_now,
        disk: Disk | None = None,
        new_session: bool = False,
    ) -> None:
        self.root, self.clock, self.disk = root, clock, disk or Disk()
        self._read_at = self.signature()
        """How the files stood when they were last read: while they stand so, `look` need not read them again."""
        self.campaign: Campaign = folder.load(root)
        if self.campaign.engine is None:
            where = str(root / folder.MAIN)
            why = self.campaign.engine_missing or next((p.what for p in self.campaign.errors), "no engine is named")
            raise TableError(
                f"the campaign can only be looked at: {why}",
                where=where,
                remedy="tabletop log shows its sessions; tabletop check says more.",
            )
        if self.campaign.newer:
            raise TableError(self.campaign.newer, where=str(root / folder.MAIN), remedy="Update tabletop-tui.")
        self.engine = self.campaign.engine
        self.codec = Codec(self.engine)
        self.writing = write
        self._begun = False
        path = self._session(new_session)
        self.log = LogFile(path, self.codec, self.disk, write=write)
        if self.log.header.engine != self.engine.name:
            raise TableError(
                f"the session was played with {self.log.header.engine!r}, the campaign names {self.engine.name!r}",
                where=str(path),
                remedy="Name the old engine in campaign.toml, or begin a new session.",
            )
        self.table = Table(self.engine, self.log.header, self.log.entries, journal=self.log, clock=clock, seat=seat)
        self._now_seen: bytes | None = None
        self._now_read: bytes | None = None
        self._start = self._known(self.campaign)
        """Clocks and tracks of campaign.toml as they were last read, as far as the table has them."""
        self._earlier: dict[tuple[str, ...], tuple[Any, bytes | None]] = {}
        """Each hand-written file as it was before it was last saved."""
        if write and not self.log.closed:
            self._back_up()

    # ---- sessions

    def _back_up(self) -> None:
        try:
            back_up(self.root, self.clock(), begun=self._begun)
        except TableError as error:  # play goes on without one
            self.log.notes.append(f"no backup was made: {error.what}")
        except OSError as error:
            self.log.notes.append(f"no backup was made: backups: {error.strerror}")

    def _session(self, new: bool) -> Path:
        found = sessions(self.root)
        if found and not new:
            return found[-1]
        if not self.writing:
            raise TableError("no session has been played yet", where=str(self.root), remedy="Open it for play first.")
        try:
            (self.root / SESSIONS).mkdir(exist_ok=True)
            with locked(self.root / SESSIONS / LOCK):
                again = sessions(self.root)
                if again and not new:
                    return again[-1]
                return self._begin(again)
        except OSError as error:
            raise TableError(
                f"no session can be begun: {error.strerror}",
                where=str(self.root),
                remedy="Check that the folder is yours.",
            ) from None

    def _begin(self, before: Sequence[Path]) -> Path:
        now = None
        if before:
            last = LogFile(before[-1], self.codec, self.disk, write=False)
            now = Table(self.engine, last.header, last.entries).world.now
        elif self.campaign.errors:
            first = self.campaign.errors[0]
            raise TableError(
                f"{len(self.campaign.errors)} problem(s) must be mended before the first session; the first: {first}",
                remedy="tabletop check lists them all.",
            )
        day = self.clock().astimezone().strftime("%Y-%m-%d")
        number = 1
        while os.path.lexists(path := self.root / SESSIONS / f"{day}-{number}.jsonl"):
            number += 1
        world = self.campaign.world(now)
        header = begin(self.engine, world, campaign=self.root.name, session=path.stem, at=self.clock())
        create(path, header, self.disk)
        self._begun = True
        return path

    # ---- hand edits

    def look(self, *, apply: bool = True, take: str = "") -> Edits:
        """Compare the files with the table, and log what was changed by hand.

        `take` settles conflicts: "file" or "table"; left empty they are reported and nothing is done about them.
        """
        stands = self.signature()
        try:
            fresh = self.campaign if stands == self._read_at else folder.load(self.root)
        except TableError as error:  # some editors take a file away for a moment while they save it
            return Edits(problems=(FileProblem(folder.MAIN, 0, 0, error.what, error.remedy),))
        self._read_at = stands
        self.table.catch_up()
        units = self._file_changes(fresh)
        if fresh.engine is self.engine and (started := self._start_changes(fresh)):
            units.append(started)
        now_changes, conflicts, problems = self._now_changes(take)
        if now_changes:
            units.append(now_changes)
        problems = [*[p for p in fresh.problems if not p.warning], *problems]
        self._remember(fresh)
        if not apply or self.table.journal.closed:
            return Edits(tuple(c for u in units for c in u), tuple(conflicts), (), tuple(problems))
        done: list[Change] = []
        refused: list[str] = []
        for changes in units:
            try:
                here = self.table.world
                self.table.edited(changes)
                # a file that now says what the table has already is noted in the log, and is no news
                done += changes if self.table.world != here else []
            except Refused as no:
                unit = (
                    str(changes[0].path[0]),
                    *([str(changes[0].path[1])] if changes[0].path[0] in folder.FOLDERS else []),
                )
                refused.append(f"{file_of(unit)}: {no}")
        if (
            not conflicts
            and not any(p.file == folder.NOW for p in problems)
            and not any(r.startswith(folder.NOW) for r in refused)
        ):
            self._now_seen = self._now_read  # not what it holds by now: somebody may have saved it again
        return Edits(tuple(done), tuple(conflicts), tuple(refused), tuple(problems))

    def _known(self, campaign: Campaign) -> dict[str, dict[str, Any]]:
        """Those that the session began with, or has by now: what else stands in the file is new."""
        known: dict[str, dict[str, Any]] = {}
        for part, held in campaign.start.items():
            there = (getattr(self.table.header.world.now, part), getattr(self.table.world.now, part))
            known[part] = {name: picture(one) for name, one in held.items() if any(name in t for t in there)}
        return known

    def _start_changes(self, fresh: Campaign) -> list[Change]:
        """Clocks and tracks that were put into campaign.toml or changed there while the table goes on."""
        here, changes = picture(self.table.world.now), []
        for part, held in fresh.start.items():
            for name, one in held.items():
                path, new, old = ("now", part, name), picture(one), self._start[part].get(name)
                there = value_at(here, path[1:])
                if old is None and there is None:
                    changes.append(Change(path, None, new))
                elif old is not None and there is not None:
                    found = [Change(c.path, value_at(here, c.path[1:]), c.after) for c in differences(old, new, path)]
                    changes += [c for c in found if c.before != c.after]
                self._start[part][name] = new
        return changes

    def _remember(self, fresh: Campaign) -> None:
        for unit, document in self.campaign.documents.items():
            now = fresh.documents.get(unit)
            if not now or now.raw != document.raw:
                self._earlier[unit] = (self.campaign.parts.get(unit), document.raw)
        for unit in fresh.documents:
            if unit not in self.campaign.documents:
                self._earlier[unit] = (None, None)
        self.campaign = fresh

    def put_back(self) -> list[Patch]:
        """After an undo or redo: the hand-written files that say something else than the table, and how they would
        be made to agree. Nothing is written until `write` is asked."""
        return patches(self.campaign, self.table.timeline.seen, self.table.world, self._earlier)

    def change(self, file: str, path: str, value: str) -> Patch:
        """What setting one value of a hand-written file would change, after the game has looked at it."""
        patch = plan(self.root, file, path, value)
        fresh = folder.load(self.root, {file: patch.new or b""})
        for changes in self._file_changes(fresh):
            world = apply_changes(self.engine, self.table.world, changes)
            for problem in self.engine.problems(world):
                if not problem.warning:
                    raise Refused(f"the table cannot take it now: {problem.what}", where=file, remedy=problem.remedy)
        return patch

    def write(self, patch: Patch) -> Edits:
        """Write a hand-written file, keep the old one as `.bak`, and tell the table."""
        save(self.root, patch, self.disk)
        self._read_at = ()
        return self.look()

    def _file_changes(self, fresh: Campaign) -> list[list[Change]]:
        """For each hand-written file: what is different from when it was last read."""
        if fresh.engine is None or fresh.engine is not self.engine:
            return []
        seen = self.table.timeline.seen
        units: list[list[Change]] = []
        broken = {u for u, d in fresh.documents.items() if d.broken}
        if ("rules",) not in broken:
            units.append(differences(picture(seen.rules), picture(fresh.parts[("rules",)]), ("rules",)))
        for part in folder.FOLDERS:
            held = getattr(seen, part)
            have = {u[1]: r for u, r in fresh.parts.items() if u[0] == part and len(u) == 2}
            for name in [*held, *(n for n in have if n not in held)]:
                if (part, name) in broken:
                    continue
                before = picture(held[name]) if name in held else None
                after = picture(have[name]) if name in have else None
                units.append(differences(before, after, (part, name)))
        return [u for u in units if u]

    def _now_file(self) -> Document | None:
        return read(self.root, folder.NOW) if os.path.lexists(self.root / folder.NOW) else None

    def _now_changes(self, take: str) -> tuple[list[Change], list[Conflict], list[FileProblem]]:
        document = self._now_file()
        self._now_read = document.raw if document else None
        if document is None or (document.raw is not None and document.raw == self._now_seen):
            return [], [], []
        if document.raw is None:
            return [], [], document.problems
        file = NowFile(document.raw, self.engine)
        if file.data is None or file.picture is None:
            return [], [], list(file.document.problems)
        shown = file.picture
        if shown.session != self.table.header.session or not 0 <= shown.entry <= self.table.timeline.last:
            what = (
                f"it is a picture of session {shown.session}, entry {shown.entry}, which is not the one on the table"
            )
            return [], [], [FileProblem(folder.NOW, 1, 1, what, "Delete it: it is written anew from the log.", True)]
        base = picture(self.table.at(shown.entry).now)
        here = picture(self.table.world.now)
        changes, conflicts = [], []
        for change in differences(base, file.data):
            current = value_at(here, change.path)
            if current == change.after:
                continue
            full = Change(("now", *change.path), current, change.after)
            if current == change.before or take == "file":
                changes.append(full)
            elif take != "table":
                conflicts.append(Conflict(Change(("now", *change.path), change.before, change.after), current))
        return changes, conflicts, []

    def signature(self) -> tuple[tuple[str | int, ...], ...]:
        """Names, times, sizes and numbers of the files: while it stays the same nobody has saved one.

        Asking for it takes 0.1 ms for 20 files and 1 ms for 200, so it is asked every second; a watcher would be one
        more dependency and one more thread for nothing.
        """
        paths = [self.root / folder.MAIN, self.root / folder.NOW]
        for place in folder.FOLDERS.values():
            paths += sorted((self.root / place).glob("*.toml"))
        found: list[tuple[str | int, ...]] = []
        for path in paths:
            try:
                state = path.stat()
                found.append((str(path), state.st_mtime_ns, state.st_size, state.st_ino))
            except OSError:
                found.append((str(path),))
        return tuple(found)

    # ---- now.toml

    def publish(self) -> bool:
        """Write now.toml, unless somebody has edited it meanwhile: then `look` has to be asked first."""
        if self.table.journal.closed:
            return False
        raw = render(self.table.world.now, self.table.header.session, self.table.timeline.last)
        try:
            with self.log.lock():
                found = self._now_file()
                if found and found.raw == raw:
                    self._now_seen = raw
                    return True
                if found and (found.raw is None or (found.raw != self._now_seen and self._edited(found.raw))):
                    return False
                write_file(self.root / folder.NOW, raw, self.disk, sync=False)
                self._now_seen = raw
        except OSError:
            return False  # the log has everything: now.toml is only its picture
        return True

    def _edited(self, raw: bytes) -> bool:
        """Does the file hold anything that the log does not know?"""
        file = NowFile(raw, self.engine)
        if file.data is None or file.picture is None:
            return True
        if file.picture.session != self.table.header.session:
            return False  # an older session's picture: its log has all of it
        if not 0 <= file.picture.entry <= self.table.timeline.last:
            self.table.catch_up()
            if not 0 <= file.picture.entry <= self.table.timeline.last:
                return True
        return bool(differences(picture(self.table.at(file.picture.entry).now), file.data))

    def close(self) -> None:
        """Give the files back."""
        self.log.close()
