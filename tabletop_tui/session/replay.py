"""Replay: a session that was played, looked at entry by entry. Every state is kept, so seeking costs nothing."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import Any, Literal

from ..rules import Engine, TableView
from .entries import AnyEntry, Header, Named
from .table import Step, Table
from .timeline import Progress

Mark = Literal["roll", "scene", "seizure", "outcome", "moment"]
MARKS: tuple[Mark, ...] = ("roll", "scene", "seizure", "outcome", "moment")


class Shut:
    """The journal of something that is only looked at."""

    header = None

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

    def __init__(
        self,
        engine: Engine,
        header: Header,
        entries: Iterable[AnyEntry] = (),
        *,
        seat: str = "",
        progress: Progress | None = None,
    ) -> None:
        super().__init__(engine, header, entries, journal=Shut("this is a replay"), seat=seat, progress=progress)
        self.place = 0
        self.every = False
        """Does it also stand at what was undone, and at the undoing?"""
        self._shown: tuple[bool, Sequence[int], tuple[int, ...]] | None = None

    @property
    def stops(self) -> Sequence[int]:
        """The entries at which it can stand, 0 for the beginning: a seat steps over what it may not know."""
        return self._places()[0]

    @property
    def scenes(self) -> tuple[int, ...]:
        """The places at which scenes began."""
        return self._places()[1]

    @cached_property
    def undone(self) -> int:
        """How many entries there are beside those that lasted."""
        return len(self._known()) - len(self._lasting())

    def show_all(self, every: bool) -> None:
        """Stand at what was undone too, or no more; it stays where it is, or goes back to what lasted before it."""
        here, self.every = self.last, every
        self.place = self.place_of(here)

    def _known(self) -> Sequence[int]:
        return self.reader.seqs if self.seat else range(1, self.timeline.last + 1)

    def _lasting(self) -> list[int]:
        return [seq for seq in self.timeline.past()[1:] if self.reader.knows(seq)]

    def _places(self) -> tuple[Sequence[int], tuple[int, ...]]:
        if self._shown is None or self._shown[0] is not self.every:
            stops: Sequence[int] = (0, *(self._known() if self.every else self._lasting()))
            scenes = tuple(place for place in range(1, len(stops)) if self._is_mark(stops[place], "scene"))
            self._shown = (self.every, stops, scenes)
        return self._shown[1:]

    @property
    def last(self) -> int:
        """The entry that is shown: what came after it has not happened yet."""
        return self.stops[self.place]

    @property
    def world(self) -> Any:
        """The state after the entry that is shown."""
        return self.timeline.worlds[self.last]

    @property
    def head(self) -> int:
        """The entry whose state it is."""
        return self.timeline.head_at(self.last)

    @property
    def entry(self) -> AnyEntry | None:
        """What was done last; None at the beginning."""
        return self.timeline.entries[self.last - 1] if self.place else None

    @property
    def length(self) -> int:
        """How many entries there are in all that this seat may know."""
        return len(self.stops) - 1

    def place_of(self, seq: int) -> int:
        """Where an entry is shown, or the one before it."""
        return bisect_right(self.stops, seq) - 1

    def seek(self, place: int) -> bool:
        """Show the state after an entry; False where it is shown already."""
        wanted = min(max(place, 0), self.length)
        moved = wanted != self.place
        self.place = wanted
        return moved

    def _due(self, view: TableView) -> tuple[str, ...]:
        """Nobody is reminded by the clock of what is over."""
        del view
        return ()

    def history(self, since: int = 0) -> list[Step]:
        """Everything up to here, in words; what was undone and the undoing only where it stands at them too."""
        line, path = self.timeline, [self.head]
        while path[-1] > since:
            path.append(line.parents[path[-1]])
        past = set(path)
        shown = line.entries[max(since, 0) : self.last]
        return self._steps(shown if self.every else [e for e in shown if e.seq in past], past)

    # ---- finding

    def is_mark(self, place: int, mark: Mark) -> bool:
        """Is an entry a roll, a change of scene or of the Initiative, an outcome, or a moment that was named?"""
        return self._is_mark(self.stops[place], mark)

    def _is_mark(self, seq: int, mark: Mark) -> bool:
        entry = self.timeline.entries[seq - 1]
        if mark == "roll":
            return any(not h.secret or not self.seat for h in entry.dice)
        if mark == "moment":
            return isinstance(entry.action, Named)
        if mark == "outcome":
            return bool(self.engine.outcome(entry.events)) and not self.engine.waits(self.timeline.worlds[seq])
        before, after = (self.timeline.worlds[n].now for n in (self.timeline.parents[seq], seq))
        if mark == "scene":
            return bool(after.scene) and after.scene != before.scene
        return bool(before.turns.holder and after.turns.holder) and before.turns.holder != after.turns.holder

    def find(self, wanted: Callable[[int], bool], *, forward: bool = True) -> int:
        """The next entry that is wanted, or the one before; 0 where there is none."""
        way = range(self.place + 1, self.length + 1) if forward else range(self.place - 1, 0, -1)
        return next((place for place in way if wanted(place)), 0)

    def find_mark(self, mark: Mark, *, forward: bool = True) -> int:
        """The next roll, scene, seizure, outcome or moment."""
        return self.find(lambda place: self.is_mark(place, mark), forward=forward)

    def find_text(self, text: str, *, forward: bool = True) -> int:
        """The next entry in whose words a text stands, as far as this seat may read them; then from the start."""
        wanted = text.casefold()

        def has(place: int) -> bool:
            known = self.reader.told(self.timeline.entries[self.stops[place] - 1])
            words = (*known.said, *known.whispered, known.by)
            return any(wanted in line.casefold() for line in words)

        found = self.find(has, forward=forward)
        if found or not wanted:
            return found
        around = range(1, self.place) if forward else range(self.length, self.place, -1)
        return next((place for place in around if has(place)), 0)
