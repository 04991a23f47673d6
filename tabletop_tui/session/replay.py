"""Replay: a session that was played, looked at entry by entry. Every state is kept, so seeking costs nothing."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import Any, Literal

from ..rules import Engine
from .entries import AnyEntry, Header, Named, Redo, Undo
from .table import Step, Table

Mark = Literal["roll", "scene", "seizure", "outcome", "moment"]
MARKS: tuple[Mark, ...] = ("roll", "scene", "seizure", "outcome", "moment")


class Shut:
    """The journal of something that is only looked at."""

    def __init__(self, closed: str) -> None:
        self.closed = closed

    def lock(self) -> AbstractContextManager[None]:
        """Nothing is written."""
        return nullcontext()

    def news(self) -> tuple[AnyEntry, ...]:
        """It is over: nothing comes."""
        return ()

    def append(self, entry: AnyEntry) -> None:
        """Never asked for: `closed` is looked at first."""
        raise AssertionError(f"entry {entry.seq} of a replay")


class Replay(Table):
    """A table that stands where its `place` is; nothing can be done at it."""

    def __init__(self, engine: Engine, header: Header, entries: Iterable[AnyEntry] = (), *, seat: str = "") -> None:
        super().__init__(engine, header, entries, journal=Shut("this is a replay"), seat=seat)
        self.place = 0

    @property
    def world(self) -> Any:
        """The state after the entry that is shown."""
        return self.timeline.worlds[self.place]

    @property
    def last(self) -> int:
        """The entry that is shown: what came after it has not happened yet."""
        return self.place

    @property
    def head(self) -> int:
        """The entry whose state it is: undo and redo name it, all others are it themselves."""
        entry = self.entry
        return entry.action.to if entry and isinstance(entry.action, Undo | Redo) else self.place

    @property
    def entry(self) -> AnyEntry | None:
        """What was done last; None at the beginning."""
        return self.timeline.entries[self.place - 1] if self.place else None

    @property
    def length(self) -> int:
        """How many entries there are in all."""
        return self.timeline.last

    def seek(self, place: int) -> bool:
        """Show the state after an entry; False where it is shown already."""
        wanted = min(max(place, 0), self.length)
        moved = wanted != self.place
        self.place = wanted
        return moved

    def history(self, since: int = 0) -> list[Step]:
        """Everything up to here, in words."""
        line, path = self.timeline, [self.head]
        while path[-1] > since:
            path.append(line.parents[path[-1]])
        past = set(path)
        return [self._step(entry, past) for entry in line.entries[since : self.place] if self.may_know(entry)]

    # ---- finding

    def is_mark(self, seq: int, mark: Mark) -> bool:
        """Is an entry a roll, a change of scene or of the Initiative, an outcome, or a moment that was named?"""
        entry = self.timeline.entries[seq - 1]
        if mark == "roll":
            return any(not h.secret or not self.seat for h in entry.dice)
        if mark == "moment":
            return isinstance(entry.action, Named)
        if mark == "outcome":
            settled = any(event.outcome() for event in entry.events)
            return settled and self.engine.policy(self.timeline.worlds[seq]) is None  # nothing more is waited for
        before, after = (self.timeline.worlds[n].now for n in (seq - 1, seq))
        if mark == "scene":
            return bool(after.scene) and after.scene != before.scene
        return bool(before.turns.holder and after.turns.holder) and before.turns.holder != after.turns.holder

    def find(self, wanted: Callable[[int], bool], *, forward: bool = True) -> int:
        """The next entry that is wanted, or the one before; 0 where there is none."""
        way = range(self.place + 1, self.length + 1) if forward else range(self.place - 1, 0, -1)
        return next((seq for seq in way if wanted(seq)), 0)

    def find_mark(self, mark: Mark, *, forward: bool = True) -> int:
        """The next roll, scene, seizure, outcome or moment."""
        return self.find(lambda seq: self.is_mark(seq, mark), forward=forward)

    def find_text(self, text: str, *, forward: bool = True) -> int:
        """The next entry in whose words a text stands, as far as this seat may read them; then from the start."""
        wanted = text.casefold()

        def has(seq: int) -> bool:
            entry = self.timeline.entries[seq - 1]
            words = entry.said if self.seat else (*entry.said, *entry.whispered)
            return any(wanted in line.casefold() for line in words) or wanted in entry.by.casefold()

        found = self.find(has, forward=forward)
        if found or not wanted:
            return found
        around = range(1, self.place) if forward else range(self.length, self.place, -1)
        return next((seq for seq in around if has(seq)), 0)

    @cached_property
    def scenes(self) -> tuple[int, ...]:
        """The entries with which scenes began."""
        return tuple(seq for seq in range(1, self.length + 1) if self.is_mark(seq, "scene"))
