"""A table on which the sample evenings are played: people, dice, a clock and the program's own actions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from tabletop_tui.rules import DiceNeeded, choices, fields, roller, tag_of
from tabletop_tui.session import AnyEntry, Change, Codec, Table, begin
from tabletop_tui.storage.campaign import load
from tabletop_tui.storage.disk import Disk
from tabletop_tui.storage.log import LogFile, create

CAMPAIGNS = Path(__file__).resolve().parents[2] / "campaigns"
GM = ""


class Quick(Disk):
    """A disk that does not wait: the evening is kept only when it is over."""

    def sync(self, fd: int) -> None:
        """Nothing to wait for."""


class Evening(ABC):
    """A table on which people play; each game's evening extends it."""

    campaign: ClassVar[str]
    slug: ClassVar[str]
    began: ClassVar[datetime]
    seed: ClassVar[str]

    def __init__(self, place: Path) -> None:
        found = load(CAMPAIGNS / self.campaign)
        assert found.engine is not None, found.engine_missing
        assert not found.errors, found.errors
        self.engine = found.engine
        session = f"{self.began:%Y-%m-%d}-1"
        header = begin(
            self.engine, found.world(), campaign=self.campaign, session=session, at=self.began, seed=self.seed
        )
        self.path = place / f"{self.slug}.jsonl"
        create(self.path, header, Quick())
        self.log = LogFile(self.path, Codec(self.engine), Quick())
        self.at = self.began
        self.table = Table(self.engine, self.log.header, journal=self.log, clock=lambda: self.at)
        self.kinds = {tag_of(kind): kind for kind in self.engine.actions}

    @abstractmethod
    def play(self) -> None:
        """The evening, scene by scene."""

    # ---- looking

    @property
    def world(self) -> Any:
        """The table as it stands."""
        return self.table.world

    @property
    def now(self) -> Any:
        """Its live state."""
        return self.table.world.now

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return self.table.timeline.last

    def player(self, who: str) -> str:
        """Who plays somebody; empty for the GM's own, as the log writes it."""
        sheet = self.world.sheets.get(who)
        return str(sheet.player) if sheet else GM

    def can(self, tag: str) -> bool:
        """Can this be done now?"""
        return not next(offer.closed for offer in self.table.offers() if offer.tag == tag)

    def open(self, tag: str, field: str, **so_far: Any) -> list[Any]:
        """The open answers to one field of an action."""
        asked = next(f for f in fields(self.kinds[tag]) if f.name == field)
        return [c.value for c in choices(asked, self.world, so_far) if not c.closed]

    # ---- acting: first who does it, then what

    def make(self, tag: str, /, **values: Any) -> Any:
        """An action from its word and its fields."""
        return msgspec.convert(values, self.kinds[tag], str_keys=True)

    def act(self, by: str, tag: str, /, **values: Any) -> AnyEntry:
        """Somebody does something; the program rolls."""
        return self._written(self.table.do(self.make(tag, **values), by=by))

    def typed(self, by: str, tag: str, /, **values: Any) -> AnyEntry:
        """Somebody rolls real dice and types the faces in, handful by handful."""
        action = self.make(tag, **values)
        faces: list[int] = []
        hand = roller(f"{self.seed}/hand", self.last + 1)
        while True:
            try:
                return self._written(self.table.do(action, faces, roll=False, by=by))
            except DiceNeeded as need:
                faces += [hand(need.had + i, sides) for i, sides in enumerate(need.sides)]

    def note(self, by: str, text: str) -> None:
        """Something is written down for everybody."""
        self.act(by, "note", text=text)

    def whisper(self, text: str) -> None:
        """The GM writes something down that the players do not read."""
        self.act(GM, "note", text=text, secret=True)

    def take_back(self, to: int | None = None, by: str = GM) -> None:
        """Undo the last thing, or all after an entry."""
        self._written(self.table.undo(to, by))

    def after_all(self, by: str = GM) -> None:
        """Redo what was undone."""
        self._written(self.table.redo(by=by))

    def moment(self, name: str) -> None:
        """Name this moment."""
        self._written(self.table.name(name))

    def edit(self, *changes: tuple[tuple[str | int, ...], Any, Any]) -> None:
        """The GM saves a file in an editor: path, before, after."""
        self._written(self.table.edited([Change(*change) for change in changes]))

    def pause(self, minutes: int) -> None:
        """People talk, or eat."""
        self.at += timedelta(minutes=minutes)

    def _written(self, entry: AnyEntry) -> AnyEntry:
        """Time goes by: some seconds to a minute or so, longer where something was told."""
        chance = roller(f"{self.seed}/clock", entry.seq)
        long = tag_of(type(entry.action)) in ("note", "scene", "undo")
        self.at += timedelta(seconds=(20 if long else 5) + chance(0, 100 if long else 55))
        return entry
