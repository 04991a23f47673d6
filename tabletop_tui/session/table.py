"""The table: the one object that every front end drives."""

import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from typing import Any, Protocol

import msgspec

from ..rules import (
    Action,
    Dice,
    Engine,
    Kind,
    Model,
    Odds,
    Offer,
    Refused,
    View,
    check,
    clean,
    offers,
    roller,
    strip,
    strip_odds,
)
from .edits import apply_changes
from .entries import FORMAT, AnyEntry, Change, Codec, Edited, Entry, Header, Named, Redo, Undo
from .timeline import Timeline

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The time of day; tests pass another."""
    return datetime.now(UTC)


def stamp(at: datetime) -> str:
    """A moment as the log writes it."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Journal(Protocol):
    """Where a table's entries are kept."""

    @property
    def closed(self) -> str:
        """Why nothing can be written; empty where it can."""
        ...

    def lock(self) -> AbstractContextManager[None]:
        """Keeps other processes out while it is held."""
        ...

    def news(self) -> Sequence[AnyEntry]:
        """Entries that others wrote since the last look."""
        ...

    def append(self, entry: AnyEntry) -> None:
        """Returns when the entry is safe; raises when it is not."""
        ...


class Memory:
    """A journal that keeps nothing: for what-if tables and tests."""

    closed = ""

    def lock(self) -> AbstractContextManager[None]:
        """Nobody else is there."""
        return nullcontext()

    def news(self) -> Sequence[AnyEntry]:
        """Nobody else writes."""
        return ()

    def append(self, entry: AnyEntry) -> None:
        """The timeline has it already."""


class Step(Model):
    """A line of the history."""

    seq: int
    at: str
    by: str
    action: str
    said: tuple[str, ...]
    dice: tuple[str, ...] = ()
    name: str = ""
    undone: bool = False
    edit: bool = False
    whispers: int = 0
    """How many of the lines, the last ones, only the GM reads."""


class Preview(Model):
    """What an action would do: refused or not, and its odds."""

    refused: str = ""
    odds: Odds | None = None
    said: tuple[str, ...] = ()


class Table:
    """A session that is being played: look at it, act, undo, follow what others do."""

    def __init__(
        self,
        engine: Engine,
        header: Header,
        entries: Iterable[AnyEntry] = (),
        *,
        journal: Journal | None = None,
        clock: Clock = utc_now,
        seat: str = "",
    ) -> None:
        self.engine, self.journal, self.clock = engine, journal or Memory(), clock
        self.seat = seat
        """Empty for the GM; a player's name for theirs."""
        self.timeline = Timeline(engine, header)
        self.timeline.extend(entries)

    # ---- looking

    @property
    def world(self) -> Any:
        """The present state."""
        return self.timeline.world

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return self.timeline.last

    @property
    def head(self) -> int:
        """The entry whose state is the present one."""
        return self.timeline.head

    @property
    def header(self) -> Header:
        """What was played and from where."""
        return self.timeline.header

    def at(self, seq: int) -> Any:
        """The state after an entry; 0 is the beginning."""
        if not 0 <= seq <= self.timeline.last:
            raise Refused(f"there is no entry {seq}", remedy=f"From 0 to {self.timeline.last}.")
        return self.timeline.worlds[seq]

    def offers(self) -> list[Offer]:
        """Every action with whether it can be done now."""
        return offers(self.engine.actions, self.world)

    def view(self, kind: Kind, about: str = "", world: Any = None) -> View | None:
        """What a screen of this seat draws: the one place where secrets are taken out."""
        view = self.engine.view(kind, self.world if world is None else world, about)
        return view if not self.seat else strip(view)

    def odds(self, action: Action, world: Any = None) -> Odds | None:
        """Exact chances, as far as this seat may know them."""
        odds = self.engine.odds(self.world if world is None else world, action)
        return strip_odds(odds) if odds and self.seat else odds

    def preview(self, action: Action) -> Preview:
        """What an action would do, without doing it: no die of the table's is touched."""
        try:
            check(action, self.world)
            return Preview(odds=self.odds(action))
        except Refused as no:
            return Preview(refused=str(no))

    def after(self, action: Action, world: Any = None) -> Any:
        """The world as an action without dice would leave it; None where it is refused or rolls."""
        from ..rules.dice import DiceNeeded

        here = self.world if world is None else world
        try:
            check(action, here)
            for event in action.resolve(here, Dice()):
                here = event.apply(here)
        except (Refused, DiceNeeded):
            return None
        return here

    def history(self, since: int = 0) -> list[Step]:
        """Every entry in words, as this seat may read it."""
        return self.steps(since, self.timeline.last)

    def steps(self, first: int, last: int) -> list[Step]:
        """The entries after `first` up to `last`, of all that there are and of which this seat may know."""
        past = set(self.timeline.past(first))
        return [self._step(entry, past) for entry in self.timeline.entries[first:last] if self.may_know(entry)]

    def may_know(self, entry: AnyEntry) -> bool:
        """What was only whispered did not happen, as far as a player's seat can tell."""
        return not self.seat or bool(entry.said) or not entry.whispered

    def _step(self, entry: AnyEntry, past: set[int]) -> Step:
        action = entry.action
        gm = not self.seat
        log_only = isinstance(action, Undo | Redo)
        said = (*entry.said, *entry.whispered) if gm else entry.said
        dice = tuple(
            f"{h.why}: {' '.join(map(str, h.faces))}" for h in entry.dice if gm or not h.secret
        )  # fmt: skip
        return Step(
            entry.seq,
            entry.at,
            entry.by,
            str(action.__struct_config__.tag),
            said,
            dice,
            self.timeline.names.get(entry.seq, ""),
            entry.seq not in past and not log_only,
            isinstance(action, Edited),
            len(entry.whispered) if gm else 0,
        )

    # ---- acting

    def do(self, action: Action, dice: Sequence[int] = (), *, roll: bool = True, by: str = "") -> AnyEntry:
        """Perform an action: when this returns, it is safe.

        `dice` are faces typed in. With `roll` the rest is rolled here; without it DiceNeeded says what is missing.
        """
        if type(action) not in self.engine.actions:
            raise Refused(f"{type(action).__name__} is not an action of {self.engine.title}")
        with self._turn():
            world = self.world
            check(action, world)
            source = roller(self.header.seed, self.timeline.last + 1) if roll else None
            tray = Dice(dice, source)
            events = action.resolve(world, tray)
            if tray.unused:
                raise Refused(
                    f"{len(tray.unused)} of the dice given were not asked for: {' '.join(map(str, tray.unused))}",
                    remedy="Type only the dice that this action rolls.",
                )
            said, whispered = tell(world, events)
            rolled = tuple(tray.rolled)
            if not roll:  # without a roller every face was given, so all of them were typed in
                rolled = tuple(msgspec.structs.replace(h, typed=len(h.faces)) for h in rolled)
            return self._write(action, by, rolled, events, said, whispered)

    def undo(self, to: int | None = None, by: str = "") -> AnyEntry:
        """Take back the last thing done, or everything after an entry."""
        with self._turn():
            line = self.timeline
            if not line.head:
                raise Refused("there is nothing to undo: this is the beginning of the session")
            target = line.parents[line.head] if to is None else to
            past = line.past(target) if 0 <= target < line.head else []
            if not past or past[0] != target:
                raise Refused(f"entry {to} is not among what can be undone", remedy="See tabletop log.")
            undone = past[1:]
            said, whispered = self._words("Undone", undone[0])
            if len(undone) > 1:
                said, whispered = (f"Undone: {len(undone)} steps, back to {target}",), ()
            return self._write(Undo(target), by, (), (), said, whispered)

    def redo(self, to: int | None = None, by: str = "") -> AnyEntry:
        """Do again what was undone last, or all of it up to an entry."""
        with self._turn():
            line = self.timeline
            if not line.ahead:
                raise Refused("there is nothing to redo")
            target = line.ahead[-1] if to is None else to
            if target not in line.ahead:
                raise Refused(f"entry {to} is not among what was undone", remedy="See tabletop log.")
            return self._write(Redo(target), by, (), (), *self._words("Done again", target))

    def edited(self, changes: Sequence[Change], by: str = "") -> AnyEntry:
        """Log changes that a person made to the files by hand, after the engine has looked at them."""
        with self._turn():
            world = apply_changes(self.engine, self.world, changes)
            serious = [p for p in self.engine.problems(world) if not p.warning]
            if serious:
                where = ".".join(map(str, serious[0].path))
                raise Refused(f"the edit cannot count: {serious[0].what}", where=where, remedy=serious[0].remedy)
            # the players' own sheets are theirs to read; everything else may hold a secret
            public = [c.words() for c in changes if _is_players(c, self.world, world)]
            private = [c.words() for c in changes if not _is_players(c, self.world, world)]
            head = "Edited by hand" if world != self.world else "The file agrees again"
            lines = [f"{head}: {words}" for words in public]
            whispers = [f"{head}: {words}" for words in private]
            return self._write(Edited(tuple(changes)), by, (), (), tuple(lines), tuple(whispers))

    def name(self, name: str, by: str = "", at: int = 0) -> AnyEntry:
        """Give this moment, or that of an entry, a name, to find it again."""
        with self._turn():
            name = clean(name).strip()
            if not name:
                raise Refused("a moment needs a name", remedy="Say what it was: before the bridge.")
            self.at(at)
            return self._write(Named(name, at), by, (), (), (f"Moment: {name}",), ())

    def catch_up(self) -> int:
        """Fold what other processes wrote; how many entries there were."""
        if not (news := self.journal.news()):
            return 0
        self.timeline.extend(news)
        return len(news)

    def fork(self, at: int | None = None, seed: str = "") -> "Table":
        """A table of its own, in memory, from any point: what if? The real one is not touched."""
        seq = self.timeline.last if at is None else at
        world = self.at(seq)
        header = msgspec.structs.replace(self.header, world=world, seed=seed or secrets.token_hex(8))
        return Table(self.engine, header, clock=self.clock, seat=self.seat)

    # ---- inside

    def _turn(self) -> AbstractContextManager[None]:
        return _Turn(self)

    def _words(self, head: str, seq: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """An entry told again: what was whispered is whispered again."""
        entry = self.timeline.entries[seq - 1]
        whispered = tuple(f"{head}: {line}" for line in entry.whispered[:1])
        if whispered and not entry.said:
            return (), whispered  # players are not to know that there was anything
        lines = entry.said[:1] or (str(entry.action.__struct_config__.tag),)
        return (f"{head}: {lines[0]}",), whispered

    def _write(
        self,
        action: Action,
        by: str,
        dice: tuple[Any, ...],
        events: tuple[Any, ...],
        said: tuple[str, ...],
        whispered: tuple[str, ...],
    ) -> AnyEntry:
        entry: AnyEntry = Entry(
            self.timeline.last + 1, stamp(self.clock()), action, by or self.seat, dice, events, said, whispered
        )
        self.journal.append(entry)
        self.timeline.add(entry)
        return entry


class _Turn:
    """The lock is held and all that others wrote is folded in."""

    def __init__(self, table: "Table") -> None:
        self.table = table

    def __enter__(self) -> None:
        if self.table.journal.closed:
            raise Refused(f"this table is read-only: {self.table.journal.closed}")
        self.lock = self.table.journal.lock()
        self.lock.__enter__()
        try:
            self.table.catch_up()
        except BaseException:
            self.lock.__exit__(None, None, None)
            raise

    def __exit__(self, *_exc: object) -> None:
        self.lock.__exit__(None, None, None)


def _is_players(change: Change, *worlds: Any) -> bool:
    who = str(change.path[1]) if change.path[0] == "sheets" else ""
    held = [world.sheets[who] for world in worlds if who in world.sheets]
    return bool(held) and all(sheet.player for sheet in held)


def tell(world: Any, events: Iterable[Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What everybody is told of some events, and what only the GM is."""
    said, whispered = [], []
    for event in events:
        if words := event.says(world):
            said.append(clean(words))
        if words := event.whispers(world):
            whispered.append(clean(words))
        world = event.apply(world)
    return tuple(said), tuple(whispered)


def begin(engine: Engine, world: Any, *, campaign: str, session: str, at: datetime, seed: str = "") -> Header:
    """The header of a new session: the engine sets up the live state from what the last session left."""
    started = msgspec.structs.replace(world, now=engine.start(world))
    return Header(
        "tabletop",
        FORMAT,
        engine.name,
        engine.version,
        campaign,
        session,
        stamp(at),
        seed or secrets.token_hex(8),
        started,
    )


__all__ = ["Codec", "Journal", "Memory", "Preview", "Step", "Table", "begin", "stamp", "tell", "utc_now"]
