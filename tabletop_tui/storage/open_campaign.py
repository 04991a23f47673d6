"""The one owner of an open campaign: table, files, now.toml, sessions, backups, and the watch for edits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import structs

from ..rules import Action, Engine, Model, Problem, Refused, TableError
from ..session import AnyEntry, Change, Codec, Edited, EditRefused, Progress, Redo, Table, Undo, Written, utc_now
from . import campaign as folder
from .campaign import Campaign
from .campaign.beginning import Beginning, last_session
from .campaign.hand_written import HandWritten, Stands, files_stand, is_settled, stands
from .campaign.now import Conflict, LiveFile
from .campaign.preparing import Preparation
from .campaign.writeback import Patch, plan, save, warnings
from .disk import Disk, Unlocked, refused, set_aside
from .log import LogFile, SessionLog, Unsaved
from .presence import GM, Presence
from .safety.backups import back_up
from .toml.reading import FileProblem, read
from .toml.splice import change as spliced
from .toml.splice import toml, without


class Edits(Model):
    """What there is to tell: what people changed in the files, and what others did at the table."""

    done: tuple[Change, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    refused: tuple[FileProblem, ...] = ()
    """Edits that cannot count: the files stay as they are until they are mended or the edit is dropped."""
    problems: tuple[FileProblem, ...] = ()
    notes: tuple[str, ...] = ()
    """What happened to the log: mended, followed into a newer session, no backup."""
    moved: bool = False
    """Is there anything new at the table: entries of others, another session, a file that is in order again, a log
    that cannot be written any more?"""
    came: tuple[str, ...] = ()
    """Who sat down and who got up: told to those who sit at the table."""
    odd: tuple[FileProblem, ...] = ()
    """What an edit brought that counts for nothing, and was probably meant otherwise: a key that is not known."""

    @property
    def any(self) -> bool:
        """Is there anything to tell?"""
        return bool(self.done or self.conflicts or self.refused or self.problems or self.notes or self.odd)


class OpenCampaign:
    """A campaign that is open: what every front end drives.

    Whatever is done at the table is in the log when this returns, and now.toml shows it. Several processes may have
    one campaign open: each follows what the others do.
    """

    def __init__(
        self,
        root: Path,
        *,
        write: bool = True,
        seat: str = "",
        clock: Callable[[], datetime] = utc_now,
        disk: Disk | None = None,
        new_session: bool = False,
        from_now: bool = False,
        progress: Progress | None = None,
    ) -> None:
        """`progress` is told how far the log is read."""
        self.root, self.clock, self.disk = root, clock, disk or Disk()
        stood = files_stand(root)
        campaign = folder.load(root)
        self.engine = playable(campaign)
        codec = Codec(self.engine)
        found = None if from_now else last_session(root, write=write and not seat)
        if found is None or new_session or from_now:
            new = Beginning(root, codec, clock, self.disk)
            found = new.from_now() if from_now else new.next() if new_session else new.first()
        self.journal = SessionLog(root, found.path, codec, self.disk, write=write)
        log = self.journal.log
        self.table = Table(
            self.engine, log.header, log.entries, journal=self.journal, clock=clock, seat=seat, progress=progress
        )
        self.table.players = campaign.players
        self._main_stood: Stands = ()
        self.now = LiveFile(root, self.table, self.journal, found.seen)
        self.files = HandWritten(campaign, self.table, stood)
        self._looked: tuple[Stands, Stands] = ((), ())
        """How the hand-written files and now.toml stood when they were last looked at."""
        self._untold: list[Edits] = []
        """What was found when nobody had asked."""
        self._wrong = Edits()
        """What was wrong when it was last looked at: that nothing is any more is news."""
        self.chair: Presence | None = None
        """Where somebody sits at the table here, and hears who comes and goes."""
        if found.begun:
            self.publish()
        if write and not seat and not log.closed:
            self._back_up(found.begun)

    @property
    def log(self) -> LogFile:
        """The log of the session that is played now."""
        return self.journal.log

    @property
    def campaign(self) -> Campaign:
        """The hand-written files as they were last read."""
        return self.files.campaign

    @property
    def title(self) -> str:
        """What the campaign is called."""
        return self.campaign.title

    def _back_up(self, begun: bool) -> None:
        try:
            back_up(self.root, self.clock(), begun=begun)
        except TableError as error:  # play goes on without one
            self.log.notes.append(f"no backup was made: {error.what}")
        except OSError as error:
            self.log.notes.append(f"no backup was made: backups: {error.strerror}")

    # ---- acting

    def do(self, action: Action, dice: Sequence[int] = (), *, roll: bool = True, by: str = "") -> AnyEntry:
        """Perform an action: when this returns, it is safe. See `Table.do`."""
        return self._act(lambda: self.table.do(action, dice, roll=roll, by=by))

    def propose(self, kind: type[Action], answers: Mapping[str, Any]) -> AnyEntry:
        """Ask the GM for an action."""
        return self._act(lambda: self.table.propose(kind, answers))

    def propose_undo(self) -> AnyEntry:
        """Ask the GM to take back what this seat did last."""
        return self._act(self.table.propose_undo)

    def accept(
        self, seq: int, action: Action | None = None, dice: Sequence[int] = (), *, roll: bool = True
    ) -> AnyEntry:
        """Do what a player asked for."""
        return self._act(lambda: self.table.accept(seq, action, dice, roll=roll))

    def decline(self, seq: int, why: str = "") -> AnyEntry:
        """Say no to what a player asked for, or take it back."""
        return self._act(lambda: self.table.decline(seq, why))

    def word(self, to: str, text: str, *, secret: bool = False) -> AnyEntry:
        """Turn to one player."""
        return self._act(lambda: self.table.word(to, text, secret=secret))

    def undo(self, to: int | None = None, by: str = "") -> AnyEntry:
        """Take back the last thing done, or everything after an entry."""
        return self._act(lambda: self.table.undo(to, by=by))

    def redo(self, to: int | None = None, by: str = "") -> AnyEntry:
        """Do again what was undone last, or all of it up to an entry."""
        return self._act(lambda: self.table.redo(to, by=by))

    def name(self, name: str, at: int = 0, by: str = "") -> AnyEntry:
        """Give this moment, or that of an entry, a name, to find it again."""
        return self._act(lambda: self.table.name(name, by=by, at=at))

    def _act(self, work: Callable[[], AnyEntry]) -> AnyEntry:
        self._read_rights()
        try:
            with self._alone():
                entry = work()
                if self.table.seat:
                    return entry  # files are the GM's: their process writes them
                if isinstance(entry.action, Undo | Redo):
                    self._follow_files(entry)
                self._write_back()
                self.publish()
        except Unlocked as error:
            raise Unsaved(f"this was not saved: {error.what}", where=error.where, remedy=error.remedy) from None
        return entry

    def _alone(self) -> AbstractContextManager[None]:
        """No other process looks or writes meanwhile, so that each edit is logged once."""
        return nullcontext() if self.journal.closed else self.journal.lock()

    def sit_down(self) -> None:
        """Take a chair until this is closed."""
        self.chair = self.chair or Presence(self.root, self.table.seat or GM)

    # ---- looking

    def look(self, *, take: str = "", force: bool = False) -> Edits:
        """Follow what others did, compare the files with the table, and log what was changed by hand.

        While no file was saved nothing is read, unless it is forced. `take` settles conflicts: "file" or "table";
        left empty they are reported and nothing is done about them. A seat is told of no files: those are the GM's.
        What cannot be looked at or logged now is a problem, and is looked at again the next time.
        """
        before, came = self._place(), self.chair.comings() if self.chair and not take else ()
        try:
            self._look(before, take, force=force)
        except (TableError, OSError) as failed:
            error = failed if isinstance(failed, TableError) else refused(folder.NOW, failed)
            self._looked = ((), ())
            if not self.table.seat:
                where = error.where.removeprefix(f"{self.root}/") or folder.NOW
                self._wrong = Edits(problems=(FileProblem(where, 0, 0, error.what, error.remedy),))
                self._untold.append(self._wrong)
        return structs.replace(self.untold(moved=self._place() != before), came=came)

    def _look(self, before: tuple[str, int, str, str], take: str, *, force: bool) -> None:
        self.table.catch_up()
        self._read_rights()
        if not self.table.seat:
            here = self._stands()
            if force or take or self._saved_by_hand(here):
                self._looked = _settled(here)
                self._untold.append(self._compare(take))
                self._write_back()  # what a process that was killed left undone
            elif self._place() != before:  # whatever is drawn again says what is still wrong, too
                self._write_back()  # what players did from their seats is in the files, too
                self.publish()
                self._untold.append(self._wrong)

    def _read_rights(self) -> None:
        """What players may do is as campaign.toml says now: a seat follows it without looking at any other file."""
        path = self.root / folder.MAIN
        here = stands([path])
        if self.table.seat and here != self._main_stood:
            self._main_stood = here
            if (data := read(self.root, folder.MAIN).data) is not None:  # what cannot be read changes nothing
                self.table.players = folder.players_in(data)

    def untold(self, *, moved: bool = False) -> Edits:
        """What has been found since this was last asked."""
        found, self._untold = self._untold, []
        notes = self.news()
        last = found[-1] if found else Edits()
        return Edits(
            tuple(change for one in found for change in one.done),
            last.conflicts,
            tuple(dict.fromkeys(words for one in found for words in one.refused)),
            last.problems,
            () if self.table.seat else tuple(notes),
            moved or any(one.moved for one in found),
            odd=tuple(dict.fromkeys(words for one in found for words in one.odd)),
        )

    def news(self) -> list[str]:
        """Of that, what happened to the log and was written into files: what is told at once."""
        told, self.log.notes = self.log.notes, []
        return told

    def _place(self) -> tuple[str, int, str, str]:
        return self.table.header.session, self.table.timeline.last, self.log.wrong, self.table.players

    def _stands(self) -> tuple[Stands, Stands]:
        return self.files.stands(), stands([self.now.path, *set_aside(self.now.path)])

    def _saved_by_hand(self, here: tuple[Stands, Stands]) -> bool:
        """May somebody have saved a file? That now.toml was written by this very process is no reason to look."""
        if not self.now.settled or here[0] != self._looked[0]:
            return True
        if here[1] == self._looked[1]:
            return False
        if self._wrong.any or not self.now.is_as_written():
            return True
        self._looked = _settled(here)
        return False

    def _compare(self, take: str) -> Edits:
        with self._alone():
            self.table.catch_up()
            try:
                fresh = self.files.read()
            except TableError as error:  # some editors take a file away for a moment while they save it
                self._wrong = Edits(problems=(FileProblem(folder.MAIN, 0, 0, error.what, error.remedy),))
                return self._wrong
            renamed = (fresh.title, fresh.theme) != (self.campaign.title, self.campaign.theme)
            units = self.files.changes(fresh)
            odd = self.files.odd(fresh)
            now = self.now.edits(take)
            units += [list(unit) for unit in now.units]
            problems = (*self.files.problems(fresh), *now.problems)
            if self.journal.closed:
                self.files.remember(fresh)
                return Edits(tuple(c for unit in units for c in unit), now.conflicts, (), problems)
            done, refused = self._log(units, fresh, drop=take == "table")
            self.files.remember(fresh)  # not before all of it is in the log: what was not saved is found again
            self.now.refused = any(p.file == folder.NOW for p in (*refused, *now.problems))
            if self.now.refused and take == "table":
                self.now.drop(self.disk)
                refused = [problem for problem in refused if problem.file != folder.NOW]
                problems = self.files.problems(fresh)
            elif not now.conflicts and not self.now.refused:
                self.now.taken_in()
                self._write_now()
            elif self.now.refused:
                self._write_now()  # beside it
        wrong = Edits((), now.conflicts, tuple(refused), problems)
        mended, self._wrong = self._wrong.any and not wrong.any, wrong
        return Edits(tuple(done), now.conflicts, tuple(refused), problems, moved=mended or renamed, odd=odd)

    def _log(
        self, units: Sequence[Sequence[Change]], fresh: Campaign, *, drop: bool
    ) -> tuple[list[Change], list[FileProblem]]:
        """Log the edits that can count, and say why the others cannot; `drop` takes those out of the files."""
        done: list[Change] = []
        refused: list[FileProblem] = []
        for changes in units:
            try:
                here = self.table.world
                self.table.edited(changes)
                # a file that now says what the table has already is noted in the log, and is no news
                done += changes if self.table.world != here else []
            except Refused as no:
                if not (drop and changes[0].path[0] != "now" and self._drop(changes, fresh)):
                    refused.append(self._refusal(no, changes, fresh))
        return done, refused

    def _refusal(self, no: Refused, changes: Sequence[Change], fresh: Campaign) -> FileProblem:
        """Why an edit cannot count, with the line of the value, and how to be rid of it."""
        way_out = f"Mend it, or drop it: tabletop edits {self.root.resolve().name} --take table."
        remedy = f"{no.remedy} {way_out}".strip()
        path = changes[0].path
        if isinstance(no, EditRefused) and no.problem.path[0] == path[0] and no.problem.path[1:2] == path[1:2]:
            path = no.problem.path  # it is in the file that was edited, and closer to the point
        if path[0] == "now":
            return self.now.place(path[1:], no.what, remedy)
        return fresh.place(Problem(path, no.what, remedy))

    def _drop(self, changes: Sequence[Change], fresh: Campaign) -> bool:
        """Write the table's values back into a file whose edit cannot count; the edit is kept as `.bak`."""
        path = changes[0].path
        unit = (str(path[0]), str(path[1])) if path[0] in folder.FOLDERS else (str(path[0]),)
        document = fresh.documents.get(unit)
        if document is None or document.raw is None:
            return False
        raw, above = document.raw, ("rules",) if unit == ("rules",) else ()
        for change in changes:
            inner = (*above, *change.path[len(unit) :])
            if not inner:
                return False  # a whole file that was added or taken away: that is for people to decide
            if change.before is None:
                raw = without(raw, document.name, inner)
            else:
                raw = spliced(raw, document.name, inner, toml(change.before))
        save(self.root, Patch(document.name, document.raw, raw), self.disk)
        return True

    # ---- now.toml

    def publish(self) -> bool:
        """Bring now.toml up to date. Where somebody has edited it, that has to be looked at first: False says so."""
        if self.journal.closed or self.table.seat:
            return False
        try:
            with self.journal.lock():
                self.table.catch_up()
                if self._write_now():
                    return True
                if set_aside(self.now.path):  # saved at this very moment
                    self._untold.append(self._compare(""))
                    return self._write_now()
                return False
        except TableError:
            return False

    def _write_now(self) -> bool:
        try:
            return self.now.publish(self.disk)
        except OSError:
            return False  # the log has everything: now.toml is only its picture

    # ---- the hand-written files

    def put_back(self) -> list[Patch]:
        """After an undo or redo: the hand-written files that say something else than the table, and how they would
        be made to agree. Nothing is written until `write` is asked."""
        return self.files.put_back()

    def change(self, file: str, path: str, value: str) -> Patch:
        """What setting one value of a hand-written file would change, after the game has looked at it."""
        patch = plan(self.root, file, path, value)
        try:
            self.table.would_be(self._changes(folder.load(self.root, {file: patch.new}), [patch]))
        except EditRefused as no:
            what = f"the table cannot take it now: {no.problem.what}"
            raise Refused(what, where=file, remedy=no.remedy) from None
        return patch

    def write(self, patch: Patch) -> Edits:
        """Write a hand-written file, keep the old one as `.bak`, and tell the table."""
        save(self.root, patch, self.disk)
        return self.look(force=True)

    def prepare(self, what: Preparation, by: str = "") -> AnyEntry:
        """Write hand-written files as one step at the table, told in its own words: all of them or none.

        The log has them as they were, and undo puts them back to the byte.
        """
        with self._alone():
            self.table.catch_up()
            self._untold.append(self._compare(""))  # what people have saved meanwhile is theirs
            patches = what.patches
            fresh = folder.load(self.root, {p.file: p.new for p in patches}) if patches else self.campaign
            warnings(self.campaign, fresh)
            changes = [*(self._changes(fresh, patches) if patches else ()), *what.live]
            self.table.would_be(changes)
            done: list[Patch] = []
            try:
                for patch in patches:
                    save(self.root, patch, self.disk, keep=False)
                    done.append(patch)
                wrote = [patch.written() for patch in patches]
                entry = self.table.edited(changes, by, words=what.words, wrote=wrote)
            except (TableError, OSError):
                for patch in reversed(done):
                    save(self.root, Patch(patch.file, patch.new, patch.old), self.disk, keep=False)
                raise
            self.files.remember(fresh)
            self.publish()
        return entry

    def _changes(self, fresh: Campaign, patches: Sequence[Patch]) -> list[Change]:
        return [c for unit in self.files.changes(fresh, [p.file for p in patches]) for c in unit]

    def _follow_files(self, travel: AnyEntry) -> None:
        """After undo or redo: the files that the program wrote are as they were then, but for those that somebody
        has changed since."""
        line = self.table.timeline
        back, again = line.crossed(travel.seq)
        patches = [Patch.of(one, back=True) for seq in back for one in reversed(_wrote(line.entries[seq - 1]))]
        patches += [Patch.of(one) for seq in again for one in _wrote(line.entries[seq - 1])]
        done: dict[str, Patch] = {}
        for patch in patches:
            with suppress(TableError, OSError):  # it stays, and is offered
                save(self.root, patch, self.disk, keep=False)
                done[patch.file] = patch
        if done:
            gone = [file for file, patch in done.items() if patch.new is None]
            kept = [file for file in done if file not in gone]
            told = (("Put back", kept), ("Taken away", gone))
            words = "; ".join(f"{what}: {', '.join(files)}" for what, files in told if files)
            with suppress(TableError):  # it was undone; what else is wrong with the files is told of them
                self._note(words, list(done.values()))

    def _write_back(self) -> None:
        """Write what actions changed on sheets, a rank learned, say, into their files: that and nothing else."""
        mine = set() if self.journal.closed else self.files.changed_by_actions()
        for patch in self.put_back() if mine else ():
            if patch.file in mine and patch.new != patch.old:
                try:
                    save(self.root, patch, self.disk, keep=False)
                    self._note(f"{patch.file} is written", [patch], [patch.written()])
                    self.log.notes.append(f"{patch.file} is written")
                except (TableError, OSError) as error:
                    self.log.notes.append(f"{patch.file} is not written: {error}")

    def _note(self, words: str, patches: Sequence[Patch], wrote: Sequence[Written] = ()) -> None:
        """Tell the log that files were made to say what the table has."""
        fresh = self.files.read()
        if changes := self._changes(fresh, patches):
            with suppress(Refused):  # whoever looks next finds out what is wrong
                self.table.edited(changes, words=words, wrote=wrote)
        self.files.remember(fresh)

    def close(self) -> None:
        """Give the files back, and the chair."""
        if self.chair:
            self.chair.close()
        self.journal.close()


def _settled(here: tuple[Stands, Stands]) -> tuple[Stands, Stands]:
    """As far as a later save would be seen."""
    return here[0] if is_settled(here[0]) else (), here[1] if is_settled(here[1]) else ()


def playable(campaign: Campaign) -> Engine:
    """The engine of a campaign that can be played; raises in words where it cannot."""
    where = str(campaign.root / folder.MAIN)
    if campaign.engine is None:
        why = campaign.engine_missing or next((p.what for p in campaign.errors), "no engine is named")
        raise TableError(
            f"the campaign can only be looked at: {why}",
            where=where,
            remedy="tabletop log shows its sessions; tabletop check says more.",
        )
    if campaign.newer:
        raise TableError(campaign.newer, where=where, remedy="Update tabletop-tui.")
    return campaign.engine


def _wrote(entry: AnyEntry) -> tuple[Written, ...]:
    return entry.action.wrote if isinstance(entry.action, Edited) else ()
