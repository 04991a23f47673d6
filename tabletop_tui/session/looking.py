"""What a seat sees of a session: the one place where secrets are taken out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import Any, cast

import msgspec

from ..plugins import EngineFault, Guarded, for_players, guarded
from ..rules import (
    Action,
    ChallengeView,
    Choice,
    ContestView,
    Dice,
    DiceNeeded,
    Engine,
    Field,
    Kind,
    Model,
    Odds,
    Offer,
    Option,
    Refused,
    TableView,
    View,
    strip,
    strip_odds,
    values,
)
from .entries import BESIDE, AnyEntry, Edited, Header, Redo, Undo, codec_of
from .journal import Journal, Memory
from .proposals import Proposal, open_proposals, proposal
from .reader import Known, Reader
from .remembered import Remembered
from .seats import Players, Rights, Standing
from .timeline import Progress, Timeline

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The time of day; tests pass another."""
    return datetime.now(UTC)


def stamp(at: datetime) -> str:
    """A moment as the log writes it."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@lru_cache(maxsize=4_096)
def local(at: str) -> tuple[str, str]:
    """The day and the time of a moment of the log, which has UTC, by the calendar and the clock on the wall.

    As it stands there where it is no moment.
    """
    try:
        there = datetime.fromisoformat(at).astimezone()
    except (ValueError, OSError, OverflowError):
        return at[:10], at[11:16]
    return f"{there:%Y-%m-%d}", f"{there:%H:%M}"


def local_day(at: str) -> str:
    """The day of a moment of the log, where we are."""
    return local(at)[0]


def local_time(at: str) -> str:
    """The time of day of a moment of the log, where we are."""
    return local(at)[1]


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
    number: int = 0
    """What this seat calls it: the entry's own number for the GM, a player's line by line."""


class Preview(Model):
    """What an action would do: refused or not, and its odds."""

    refused: str = ""
    odds: Odds | None = None
    said: tuple[str, ...] = ()
    fault: str = ""
    """The engine failed to say: the action itself may work."""


class Looking:
    """A session as one seat sees it."""

    def __init__(
        self,
        engine: Engine,
        header: Header,
        entries: Iterable[AnyEntry] = (),
        *,
        journal: Journal | None = None,
        clock: Clock = utc_now,
        seat: str = "",
        players: Players = "act",
        progress: Progress | None = None,
    ) -> None:
        self.engine: Guarded = for_players(guarded(engine)) if seat else guarded(engine)
        self.journal, self.clock = journal or Memory(), clock
        self.seat = seat
        """Empty for the GM; a player's name for theirs, or SPECTATOR."""
        self.players: Players = players
        """What players do from their seats."""
        self._rights: tuple[Any, Rights] | None = None
        self._remembered = Remembered()
        self.timeline = Timeline(self.engine, header)
        self._reader, self._reader_of = self._new_reader(), self.timeline
        self._codec = codec_of(self.engine)
        self.timeline.extend(entries, progress)

    @property
    def world(self) -> Any:
        """The present state."""
        return self.timeline.world

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return self.timeline.last

    @property
    def fault(self) -> EngineFault | None:
        """Why the present state is not known: the engine fails at an entry. What is shown is from before it."""
        return self.timeline.fault

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
        """Every action with whether it can be done now, and what it is to this seat."""
        here = self.world

        def ask() -> list[Offer]:
            return self.rights().offers() if self.seat else self.engine.offers(here)

        return self._remembered.get(here, ("offers", *self._asker), ask)

    @property
    def _asker(self) -> tuple[str, Players]:
        """On whom an answer depends besides the state: whose seat it is, and what players may do by now."""
        return self.seat, self.players

    def choices(self, kind: type[Action], field: Field, so_far: Mapping[str, Any]) -> Sequence[Choice]:
        """The answers to one field of an action, as this seat knows them."""

        def ask() -> Sequence[Choice]:
            if self.seat:
                return self.rights().choices(kind, field, so_far)
            return self.engine.choices(kind, field, here, so_far)

        here = self.world
        return self._remembered.get(here, (kind, field.name, *self._asker, *so_far.items()), ask)

    def shaped(self, kind: type[Action], field: Field, so_far: Mapping[str, Any]) -> Field | None:
        """A field as it is asked after the answers before it; None where it is left out or is not for this seat."""
        if self.seat and field.of is not None and not field.of.free and not self.rights().answers(field, so_far):
            return None
        return self.engine.shaped(kind, field, self.seen(), so_far)

    def seen(self, world: Any = None) -> Any:
        """The world as this seat knows it; the GM knows all of it."""
        here = self.world if world is None else world
        return self.rights(here).seen if self.seat else here

    def rights(self, world: Any = None) -> Rights:
        """What this seat may do."""
        here = self.world if world is None else world
        kept = self._rights
        if kept is not None and kept[0] is here and (kept[1].seat, kept[1].players) == (self.seat, self.players):
            return kept[1]
        try:
            seen = self.engine.seen_by(here, self.seat)
        except EngineFault:  # the least that a seat can know
            seen = Engine.seen_by(self.engine, here, self.seat)
        found = Rights(self.engine, self.seat, self.players, seen)
        if here is self.world:
            self._rights = (here, found)
        return found

    def standing(self, kind: type[Action], answers: Mapping[str, Any]) -> Standing:
        """What an action is to this seat: done at once, asked for, or not its business."""
        return self.rights().standing(kind, answers) if self.seat else Standing("do")

    def view(self, kind: Kind, about: str = "", world: Any = None) -> View | None:
        """What a screen of this seat draws: the one place where secrets are taken out."""
        here = self.world if world is None else world

        def ask() -> View | None:
            view = self.engine.view(kind, here, about)
            return self._seen_view(kind, view, self.rights(here)) if self.seat else view

        question, now = (kind, about, *self._asker), here is self.world
        view = self._remembered.get(here, ("view", *question), ask) if now else ask()
        if not isinstance(view, TableView) or not view.later:
            return view
        due = self._due(view)
        told = partial(msgspec.structs.replace, view, reminders=(*view.reminders, *due), later=())
        return self._remembered.get(here, ("reminded", *question, due), told) if now else told()

    def _seen_view(self, kind: Kind, view: View | None, rights: Rights) -> View | None:
        """A view without its secrets, with what this seat could do: found out from the world as it knows it."""
        told: View | None = strip(view)
        if isinstance(told, TableView) and told.prompt is None and not rights.looks_on:
            told = msgspec.structs.replace(told, acts=self._acts(rights))
        elif isinstance(told, ChallengeView | ContestView) and told.roll is None and not rights.looks_on:
            told = msgspec.structs.replace(told, roll=self._own_roll(kind, rights))
        if not rights.looks_on:
            return cast("View | None", rights.close_options(told))
        if isinstance(told, ContestView):  # what could be put in is a list of keys
            parties = tuple(msgspec.structs.replace(party, adds=()) for party in told.parties)
            return msgspec.structs.replace(told, parties=parties, extras=())
        if isinstance(told, ChallengeView):
            return msgspec.structs.replace(told, leads=() if told.lead else told.leads, extras=())
        return told  # whoever only looks on is told what others could do, not that it is not theirs

    def _known_view(self, kind: Kind, rights: Rights) -> View | None:
        try:
            return self.engine.view(kind, rights.seen)
        except EngineFault:
            return None

    def _acts(self, rights: Rights) -> tuple[Option, ...]:
        known = self._known_view("table", rights)
        if not isinstance(known, TableView):
            return ()
        acts: tuple[Option, ...] = strip((known.seen or known).acts)
        return acts

    def _own_roll(self, kind: Kind, rights: Rights) -> Action | None:
        """A roll whose chances are the GM's, where it is this seat's to roll."""
        known = self._known_view(kind, rights)
        if not isinstance(known, ChallengeView | ContestView) or known.roll is None or known.roll_closed:
            return None
        mine = rights.standing(type(known.roll), values(known.roll)).how != "no"
        return known.roll if mine else None

    def _due(self, view: TableView) -> tuple[str, ...]:
        """Reminders whose time has come."""
        now, line = self.clock(), self.timeline
        return tuple(r.text for r in view.later if line.minutes_since(r.since, now) >= r.minutes)

    def odds(self, action: Action, world: Any = None) -> Odds | None:
        """Exact chances, as far as this seat may know them."""
        here = self.world if world is None else world
        odds = self.engine.odds(here, action)
        if odds is None or not self.seat:
            return odds
        told = strip_odds(odds)
        try:
            known = self.engine.odds(self.seen(here), action)
        except Refused:
            return None
        # chances that follow from what the seat does not know are told to nobody, rather than told wrong
        return told if known is not None and strip_odds(known) == told else None

    def preview(self, action: Action) -> Preview:
        """What an action would do, without doing it: no die of the table's is touched."""
        try:
            self.engine.check(action, self.seen())
            return Preview(odds=self.odds(action), said=self._certain(action))
        except EngineFault as fault:
            return Preview(fault=str(fault))
        except Refused as no:
            return Preview(refused=str(no))

    def _certain(self, action: Action) -> tuple[str, ...]:
        """What would be told of an action that rolls nothing; a player's seat tries nothing out."""
        if self.seat:
            return ()
        try:
            said, whispered = self.engine.tell(self.world, self.engine.resolve(action, self.world, Dice()))
        except DiceNeeded:
            return ()
        return (*said, *whispered)

    def after(self, action: Action, world: Any = None) -> Any:
        """The world as an action without dice would leave it; None where it is refused or rolls."""
        here = self.world if world is None else world
        try:
            self.engine.check(action, here)
            return self.engine.apply(here, self.engine.resolve(action, here, Dice()))
        except (Refused, DiceNeeded):
            return None

    def history(self, since: int = 0) -> list[Step]:
        """Every entry in words, as this seat may read it."""
        return self.steps(since, self.timeline.last)

    def steps(self, first: int, last: int) -> list[Step]:
        """The entries after `first` up to `last`, of all that there are and of which this seat may know."""
        past = set(self.timeline.past(max(first, 0)))
        return self._steps(self.timeline.entries[max(first, 0) : last], past)

    def steps_of(self, who: str, since: int, most: int) -> list[Step]:
        """The last things that somebody did or had done to them since an entry, of what was not undone. The GM's:
        whom an action names may be a secret."""
        if self.seat:
            return []
        line, since = self.timeline, max(since, 0)
        past = set(line.past(since, self.head))
        found = [e for e in line.entries[since:] if e.seq in past and _concerns(e, who)]
        return self._steps(found[-most:], past)

    def undone_by(self, to: int) -> list[Step]:
        """What going back to an entry would undo."""
        gone = set(self.timeline.past(to)[1:])
        return [step for step in self.history(to) if step.seq in gone]

    @property
    def reader(self) -> Reader:
        """What this seat may know of the log."""
        line = self.timeline
        if self._reader_of is not line:  # a newer session was followed
            self._reader, self._reader_of = self._new_reader(), line
        if self.seat:  # the GM knows everything without going along it
            self._reader.take(line.entries[self._reader.taken :])
        return self._reader

    def _new_reader(self) -> Reader:
        return Reader(players=bool(self.seat), seat=self.seat)

    def may_know(self, entry: AnyEntry) -> bool:
        """What was only whispered did not happen, as far as a player's seat can tell."""
        return self.reader.knows(entry.seq)

    def _steps(self, entries: Iterable[AnyEntry], past: set[int]) -> list[Step]:
        reader = self.reader
        return [self._step(entry, reader.told(entry), past) for entry in entries if reader.knows(entry.seq)]

    def _step(self, entry: AnyEntry, known: Known, past: set[int]) -> Step:
        name, giver = ("", 0) if self.seat else self.timeline.names.get(entry.seq, ("", 0))
        return Step(
            entry.seq,
            known.at,
            known.by,
            known.action,
            (*known.said, *known.whispered),
            tuple(f"{h.why}: {' '.join(map(str, h.faces))}" for h in known.dice),
            "" if giver in self.timeline.unnamed else name,
            entry.seq not in past and not isinstance(entry.action, (Undo, Redo, *BESIDE)),
            isinstance(entry.action, Edited),
            len(known.whispered),
            known.number,
        )

    def proposals(self) -> list[Proposal]:
        """What players ask the GM for and nobody has answered, the oldest first."""
        return open_proposals(self.timeline)

    def asked(self, seat: str = "") -> Proposal | None:
        """What a seat, this one unless another is named, asked for last, and what became of it."""
        seq = self.timeline.asked.get(seat or self.seat, 0)
        return proposal(self.timeline, seq) if seq else None


def _concerns(entry: AnyEntry, who: str) -> bool:
    """Is somebody among an action's answers, or did one of its events change something of theirs?"""
    named = values(entry.action).values()
    if any(value == who or (isinstance(value, tuple) and who in value) for value in named):
        return True
    # of an event's lists, a turn order, say, nobody in particular is meant
    held = (getattr(event, name) for event in entry.events for name in event.__struct_fields__)
    return any(value == who or (isinstance(value, dict) and who in value) for value in held)
