"""Which session a campaign is played in: the last one, or a new one that begins where that ended."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ...rules import Model, TableError, clean
from ...session import Change, Codec, Table, apply_changes, begin
from ..disk import Disk, locked, private_folder
from ..log import LOCK, SESSIONS, LogFile, create, next_session, sessions
from ..toml.reading import read
from . import folder
from .folder import Campaign
from .now import NowFile, read_now


class Session(Model):
    """The session that a campaign is played in."""

    path: Path
    begun: bool = False
    """Was it begun just now?"""
    seen: bytes | None = None
    """What now.toml held, where the session was begun from it."""


def shown_session(root: Path) -> str:
    """The session that now.toml belongs to; empty where it does not say."""
    shown = (read(root, folder.NOW).data or {}).get("picture")
    session = shown.get("session") if isinstance(shown, dict) else None
    return session if isinstance(session, str) else ""


def missing(root: Path, found: Sequence[Path]) -> None:
    """Raises where now.toml belongs to a session whose log is not there: that is for people to decide about."""
    session = shown_session(root)
    if not os.path.lexists(root / folder.NOW) or (found and not session) or session in [path.stem for path in found]:
        return
    what = "the campaign has been played, and its sessions folder has no log any more"
    if session:
        what = f"now.toml belongs to session {clean(session)}, and sessions/{clean(session)}.jsonl is gone"
    name = root.resolve().name
    raise TableError(
        what,
        where=str(root),
        remedy=f"Put the log back; tabletop doctor {name} --mend does where there is a copy of it. "
        f"To go on without it from the state in now.toml: tabletop session {name} --from-now. "
        "To begin at the beginning, delete now.toml.",
    )


def last_session(root: Path, *, write: bool) -> Session | None:
    """The session that was played last; None where none was, or where the next one may be begun."""
    found = sessions(root)
    if write:
        missing(root, found)
    elif not found:
        name = clean(root.resolve().name)  # not the whole path: a player reads this
        raise TableError(
            "no session has been played yet",
            where=name,
            remedy=f"The GM begins the first: tabletop play {name}. Then sit down again.",
        )
    return Session(found[-1]) if found else None


class Beginning:
    """A new session of a campaign."""

    def __init__(self, root: Path, codec: Codec, clock: Callable[[], datetime], disk: Disk) -> None:
        self.root, self.codec, self.clock, self.disk = root, codec, clock, disk

    def first(self) -> Session:
        """Begin the first session, unless another process just did."""
        return self._locked(lambda before: Session(before[-1]) if before else self._create(None, None))

    def next(self) -> Session:
        """Begin a session where the last one ended."""
        return self._locked(lambda before: self._create(self._last(before[-1]) if before else None, None))

    def from_now(self) -> Session:
        """Begin a session with the state in now.toml, where it has to stand in for a log."""
        return self._locked(lambda _before: self._create(None, self._live_state()))

    def _locked(self, work: Callable[[Sequence[Path]], Session]) -> Session:
        try:
            private_folder(self.root / SESSIONS)
            with locked(self.root / SESSIONS / LOCK, disk=self.disk):
                self.campaign: Campaign = folder.load(self.root)  # nobody changes it for us meanwhile
                return work(sessions(self.root))
        except OSError as error:
            raise TableError(
                f"no session can be begun: {error.strerror}",
                where=str(self.root),
                remedy="Check that the folder is yours.",
            ) from None

    def _create(self, last: Any, live: tuple[Any, bytes] | None) -> Session:
        if last is None and live is None and self.campaign.errors:
            first = self.campaign.errors[0]
            raise TableError(
                f"{len(self.campaign.errors)} problem(s) must be mended before the first session; the first: {first}",
                remedy="tabletop check lists them all.",
            )
        now = live[0] if live else last.now if last else None
        world = self._with_unread(self.campaign.world(now), last)
        path = next_session(self.root, self.clock(), self._shown())
        title = clean(self.campaign.title or self.root.absolute().name)
        header = begin(self.codec.engine, world, campaign=title, session=path.stem, at=self.clock())
        create(path, header, self.disk)
        return Session(path, True, live[1] if live else None)

    def _last(self, path: Path) -> Any:
        log = LogFile(path, self.codec, self.disk, write=False)
        if log.wrong:
            raise TableError(
                f"the last session cannot be read to its end: {log.wrong}",
                remedy="Go on from the state in now.toml: tabletop session CAMPAIGN --from-now.",
            )
        return Table(self.codec.engine, log.header, log.entries).world

    def _shown(self) -> list[str]:
        """The session of now.toml: its number is not given again, whether its log is there or not."""
        file = read_now(self.root)
        shown = NowFile(file.raw, self.codec.engine).picture if file and file.raw else None
        return [shown.session] if shown else []

    def _with_unread(self, world: Any, last: Any) -> Any:
        """What cannot be read today stays as it was in the last session."""
        if last is None:
            return world
        if self.campaign.documents[("rules",)].broken:
            world = replace(world, rules=last.rules)
        for part in folder.FOLDERS:
            kept = {
                name: one
                for name, one in getattr(last, part).items()
                if part in self.campaign.unread | self.campaign.missing
                or ((document := self.campaign.documents.get((part, name))) and document.broken)
            }
            world = replace(world, **{part: {**getattr(world, part), **kept}})
        return world

    def _live_state(self) -> tuple[Any, bytes]:
        """The state in now.toml, and the file."""
        engine = self.codec.engine
        found = read_now(self.root)
        if found is None:
            raise TableError(
                "there is no now.toml to begin from", where=str(self.root), remedy="Leave out --from-now."
            )
        file = NowFile(found.raw, engine) if found.raw is not None else None
        if found.raw is None or file is None or file.data is None:
            problem = (file.document if file else found).problems[0]
            raise TableError(f"now.toml cannot be read: {problem.what}", where=problem.place, remedy=problem.remedy)
        now = apply_changes(engine, self.campaign.world(), [Change(("now",), None, file.data)]).now
        for wrong in engine.problems(self.campaign.world(now)):
            if not wrong.warning:
                raise TableError(f"now.toml cannot count: {wrong.what}", where=folder.NOW, remedy=wrong.remedy)
        return now, found.raw
