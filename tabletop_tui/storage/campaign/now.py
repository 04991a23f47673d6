"""now.toml: the live state as people read and edit it, and which entry of which session it is a picture of."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from ...rules import Engine, Model, Refused, TableError
from ...session import Change, Codec, Edited, Table, Timeline, differences, picture, value_at
from ..disk import Disk, is_being_written, put_in_place, set_aside, write_file
from ..log import LogFile, SessionLog, sessions
from ..toml.reading import Document, FileProblem, held, parse
from ..toml.shape import Misfit
from . import folder

HEAD = """\
# The live state of the table, written by the program after every action and yours to edit at any time.
# Save, and the change is shown, logged and applied; undo takes it back. Leave [picture] as it is.

"""


BESIDE = "now.table.toml"
"""The table's own state, while now.toml holds an edit that cannot count."""


class Picture(Model):
    """Which moment the file shows."""

    session: str
    entry: int
    check: str = ""
    """The checksum of that entry's line: a log that was cut may have another entry of that number by now."""


Tables = dict[tuple[str, ...], tuple[bytes, str]]
"""By its name: a table's own values, without the tables in it, and how it was written."""


class Writer:
    """The file's bytes. One of its tables that is as it was is not made again: 200 people are 200 tables."""

    def __init__(self) -> None:
        self._known: Tables = {}

    def render(self, now: Any, shown: Picture) -> bytes:
        """All of it."""
        known, self._known = self._known, {}
        self._add((), {"picture": msgspec.to_builtins(shown), **picture(now)}, known)
        return (HEAD + "\n".join(text for _, text in self._known.values())).encode()

    def _add(self, name: tuple[str, ...], table: dict[str, Any], known: Tables) -> None:
        own = {key: value for key, value in table.items() if not isinstance(value, dict)}
        if own or not table:
            before, values = known.get(name), msgspec.json.encode(own)
            if before is None or before[0] != values:
                before = values, tomli_w.dumps(reduce(lambda inner, key: {key: inner}, reversed(name), own))
            self._known[name] = before
        for key, value in table.items():
            if isinstance(value, dict):
                self._add((*name, key), value, known)


class NowFile:
    """now.toml as it was read."""

    def __init__(self, raw: bytes, engine: Engine) -> None:
        self.raw = raw
        document = parse(folder.NOW, raw)
        self.document: Document = document
        self.picture: Picture | None = None
        self.data: dict[str, Any] | None = None
        """The live state as plain data, normalised by the engine's record; None where the file is broken."""
        if document.data is None:
            return
        body = dict(document.data)
        shown = body.pop("picture", None)
        document.data = body
        document.fit(engine.now)
        document.problems = [
            p if not p.warning else msgspec.structs.replace(p, warning=False) for p in document.problems
        ]
        try:
            self.picture = msgspec.convert(shown, Picture)
        except msgspec.ValidationError:
            document.problems.append(_no_picture())
        if not document.broken:
            self.data = picture(msgspec.convert(body, engine.now, str_keys=True))


def _no_picture() -> FileProblem:
    return FileProblem(
        folder.NOW,
        1,
        1,
        "[picture] is missing or changed, so nobody can tell which moment this was",
        "Put it back as it was, or delete the file: it is written anew from the log.",
    )


def read_now(root: Path) -> Document | None:
    """The file's bytes; None where there is none."""
    return held(root, folder.NOW) if os.path.lexists(root / folder.NOW) else None


def live_problems(campaign: folder.Campaign) -> list[FileProblem]:
    """What is wrong with now.toml: it cannot be read, or holds what the rules cannot make."""
    document = read_now(campaign.root)
    if document is None or campaign.engine is None:
        return []
    if document.raw is None:
        return list(document.problems)
    file = NowFile(document.raw, campaign.engine)
    if file.data is None:
        return list(file.document.problems)
    now = msgspec.convert(file.data, campaign.engine.now, str_keys=True)
    try:
        found = campaign.engine.problems(campaign.world(now))
    except Refused:  # a stranger's engine fails at it: that is told of its files already
        return []
    campaign.documents[("now",)] = parse(folder.NOW, document.raw)
    mine = [p for p in found if p.path[:1] == ("now",) and not folder.is_unread(campaign, p)]
    return [campaign.place(problem) for problem in mine]


class Conflict(Model):
    """A value that was changed by hand and, since then, at the table."""

    change: Change
    table: Any = None
    """What the table has now."""

    def words(self) -> str:
        """Both sides of it."""
        return f"{self.change.words()}; the table has meanwhile made it {self.table}"


class NowEdits(Model):
    """What people changed in the file."""

    units: tuple[tuple[Change, ...], ...] = ()
    """The changes of each time that it was saved, the earliest first."""
    conflicts: tuple[Conflict, ...] = ()
    problems: tuple[FileProblem, ...] = ()


class Moment(Model):
    """What a log knows of the moment of a picture."""

    now: Any
    """The live state, as plain data; None where the engine fails at it."""
    saved: dict[tuple[str | int, ...], Any]
    """By path: the values that people have saved since then in this session, the last of each."""


class LiveFile:
    """now.toml of an open campaign. Whoever calls this holds the campaign's lock."""

    def __init__(self, root: Path, table: Table, journal: SessionLog, seen: bytes | None = None) -> None:
        self.root, self.table, self.journal = root, table, journal
        self.path = root / folder.NOW
        self.settled = True
        """False where it was being saved when it was last read: then it has to be read again soon."""
        self._seen = seen
        """What it held when it was last written or all that it says was last taken in: nobody has edited that."""
        self._read: bytes | None = None
        self.refused = False
        """Does it hold an edit that cannot count? Then the table's own state is written beside it."""
        self._writer = Writer()
        self._taken: list[Path] = []
        """Edits that were found aside and are being taken in."""

    def edits(self, take: str) -> NowEdits:
        """What was changed by hand: in the file, and in what `publish` found in its place at the last moment."""
        self.settled, self._taken = True, []
        units: list[tuple[Change, ...]] = []
        problems: list[FileProblem] = []
        for aside in set_aside(self.path):
            if is_being_written(aside, self.path):
                self.settled = False
                continue
            found = self._edits_in(aside.read_bytes(), take)
            if found.conflicts or found.problems:
                problems += self._show(aside)
            else:
                units += found.units
                self._taken.append(aside)
        document = read_now(self.root)
        self._read = document.raw if document else None
        if document is None or (document.raw is not None and document.raw == self._seen):
            return NowEdits(tuple(units), (), tuple(problems))
        if document.being_saved:
            self.settled = False
            return NowEdits(tuple(units), (), tuple(problems))
        if document.raw is None:
            return NowEdits(tuple(units), (), (*problems, *document.problems))
        last = self._edits_in(document.raw, take)
        return NowEdits((*units, *last.units), last.conflicts, (*problems, *last.problems))

    def _edits_in(self, raw: bytes, take: str) -> NowEdits:
        """The difference between the file and the moment of which it is a picture."""
        file = NowFile(raw, self.table.engine)
        if file.data is None or file.picture is None:
            return NowEdits(problems=tuple(file.document.problems))
        base = self.moment(file.picture)
        if base is None:
            return NowEdits(problems=(self._no_moment(file.picture),))
        if base.now is None:
            return NowEdits()  # the engine fails at that moment: what was changed since cannot be told
        here = picture(self.table.world.now)
        saved = self._saved_since(file.picture, base)
        changes, conflicts = [], []
        for change in differences(base.now, file.data):
            current = value_at(here, change.path)
            path = ("now", *change.path)
            if current == change.after or (not take and path in saved and saved[path] == change.after):
                continue  # the log knows of it; it may even have been undone since
            # a value that the table has from an earlier save is no conflict: the later save is what is meant
            if take == "file" or current == change.before or (path in saved and saved[path] == current):
                changes.append(Change(path, current, change.after))
            elif take != "table":
                conflicts.append(Conflict(Change(path, change.before, change.after), current))
        return NowEdits((tuple(changes),) if changes else (), tuple(conflicts))

    def _saved_since(self, shown: Picture, base: Moment) -> dict[tuple[str | int, ...], Any]:
        """The values that were last saved by hand since the moment of a picture."""
        if shown.session == self.table.header.session:
            return base.saved
        return base.saved | _saved(self.table.timeline, 0)

    def _show(self, aside: Path) -> list[FileProblem]:
        """An edit that cannot be taken in goes back to where people see it."""
        found = read_now(self.root)
        if found is None or (found.raw is not None and not self.is_edited(found.raw)):
            os.replace(aside, self.path)
            return []
        kept = self.path.with_name(folder.NOW + ".bak")
        os.replace(aside, kept)
        return [FileProblem(kept.name, 0, 0, "it was saved as now.toml, and cannot be taken in", "Look at it.")]

    def taken_in(self) -> None:
        """All that the file said when it was last read is known to the log."""
        for aside in self._taken:
            aside.unlink(missing_ok=True)
        if self.settled:
            self._seen = self._read  # not what it holds by now: somebody may have saved it again

    def moment(self, shown: Picture) -> Moment | None:
        """The moment of a picture; None where no log has it."""
        if shown.session == self.table.header.session:
            return _at(shown, self.journal.log, self.table.timeline)
        try:
            return moment_in_log(self.root, self.journal.codec, shown)
        except TableError:
            return None

    def _no_moment(self, shown: Picture) -> FileProblem:
        what = f"it shows entry {shown.entry} of session {shown.session}, which is not the one on the table"
        if shown.session == self.table.header.session:
            what = (
                f"it shows entry {shown.entry} of session {shown.session}, and the log has no such entry: "
                "the end of the log is gone"
            )
        remedy = "tabletop doctor CAMPAIGN --mend goes on from what there is, and keeps this file."
        return FileProblem(folder.NOW, 1, 1, what, remedy, True)

    def publish(self, disk: Disk) -> bool:
        """Write the present state, unless somebody has edited the file meanwhile; False: look at it first."""
        line = self.table.timeline
        if line.fault:
            return True  # what the file shows is better than a state that nobody knows
        shown = Picture(line.header.session, line.last, f"{self.journal.log.chain[line.last]:08x}")
        raw = self._writer.render(line.world.now, shown)
        found = read_now(self.root)
        if found and found.raw == raw:
            self._seen = raw
            return True
        if found and (found.raw is None or (found.raw != self._seen and self.is_edited(found.raw))):
            if self.refused:
                write_file(self.path.with_name(BESIDE), raw, disk, sync=False)
            return False
        self.path.with_name(BESIDE).unlink(missing_ok=True)
        aside = put_in_place(self.path, raw, disk, sync=False)
        self._seen = raw
        if aside and not is_being_written(aside, self.path) and found and aside.read_bytes() == found.raw:
            aside.unlink()
            return True
        return aside is None

    def is_as_written(self) -> bool:
        """Does it hold what was written or taken in last, and was nothing put aside?"""
        try:
            return self.path.read_bytes() == self._seen and not set_aside(self.path)
        except OSError:
            return False

    def is_edited(self, raw: bytes) -> bool:
        """Does it hold anything that the log does not know?"""
        file = NowFile(raw, self.table.engine)
        if file.data is None or file.picture is None:
            return True
        base = self.moment(file.picture)
        if base is not None and base.now is None:
            return False  # nobody can tell: what it holds is the state before the engine failed, or older
        return base is None or bool(differences(base.now, file.data))

    def place(self, path: Sequence[str | int], what: str, remedy: str) -> FileProblem:
        """What is wrong with a value of the file, with its line."""
        document = parse(folder.NOW, self._read or b"")
        return document.problem(Misfit(tuple(path), what, remedy))

    def drop(self, disk: Disk) -> None:
        """Give up what was edited: the file is kept as `.bak`, and the table's own state takes its place."""
        kept = self.path.with_name(folder.NOW + ".bak")
        if edited := os.path.lexists(self.path):
            os.replace(self.path, kept)
        before = self._seen, self.refused
        self._seen, self.refused = None, False
        try:
            self.publish(disk)
        except OSError:
            self._seen, self.refused = before
            if edited and not os.path.lexists(self.path):
                os.replace(kept, self.path)
            raise


def moment_in_log(root: Path, codec: Codec, shown: Picture) -> Moment | None:
    """The moment of a picture; None where no log of the campaign has it."""
    path = next((p for p in sessions(root) if p.stem == shown.session), None)
    if path is None:
        return None
    log = LogFile(path, codec, write=False)
    line = Timeline(codec.engine, log.header)
    line.extend(log.entries)
    return _at(shown, log, line)


def _at(shown: Picture, log: LogFile, line: Timeline) -> Moment | None:
    if not 0 <= shown.entry <= line.last:
        return None
    if shown.check and shown.check != f"{log.chain[shown.entry]:08x}":
        return None
    known = picture(line.worlds[shown.entry].now) if line.knows(shown.entry) else None
    return Moment(known, _saved(line, shown.entry))


def _saved(line: Timeline, since: int) -> dict[tuple[str | int, ...], Any]:
    edits = [entry.action for entry in line.entries[since:] if isinstance(entry.action, Edited)]
    return {change.path: change.after for edit in edits for change in edit.changes}
