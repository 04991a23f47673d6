"""The world after each entry of a timeline: the latest are all there, of those before them one in a few."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any, overload

EVERY = 32
"""Of older worlds that follow from one another one in so many is kept; the others are folded again from it."""
LATEST = 512
"""So many are all there: more than an evening has."""
PART = 64
"""Those before them are thinned out by so many at once."""
MOST = LATEST + PART


class Worlds(Sequence[Any]):
    """A world for each entry, and the header's first. Other threads may look on while one adds."""

    def __init__(
        self, first: Any, source: Callable[[int], int], again: Callable[[Sequence[int], Any], list[Any]]
    ) -> None:
        """`source` gives the entry whose world another one's follows from; `again` folds some entries once more."""
        self._source, self._again = source, again
        self._latest: tuple[int, list[Any]] = (0, [first])
        """The first of them, and all of them from there on: replaced together."""
        self.lasting: set[int] = set()
        """Entries whose worlds are kept in any case."""
        self._kept: dict[int, Any] = {}
        self._depths = array("B")
        """For each older entry, how many have to be folded again from one that is kept."""
        self._made: dict[int, Any] = {}
        """Those that were folded again not long ago."""

    @property
    def latest(self) -> list[Any]:
        """The worlds at the end, the present one last. Whoever adds to it thins them out where there are `MOST`."""
        return self._latest[1]

    def __len__(self) -> int:
        first, latest = self._latest
        return first + len(latest)

    @overload
    def __getitem__(self, seq: int) -> Any: ...

    @overload
    def __getitem__(self, seq: slice) -> list[Any]: ...

    def __getitem__(self, seq: int | slice) -> Any:
        if isinstance(seq, slice):
            return [self[n] for n in range(*seq.indices(len(self)))]
        first, latest = self._latest
        seq = range(first + len(latest))[seq]
        if seq >= first:
            return latest[seq - first]
        path = []
        while (world := self._kept.get(seq) or self._made.get(seq)) is None:
            path.append(seq)
            seq = self._source(seq)
        if not path:
            return world
        later = path[::-1]
        worlds = self._again(later, world)
        if len(self._made) >= LATEST:
            self._made = {}
        self._made.update(zip(later, worlds, strict=True))
        return worlds[-1]

    def __setitem__(self, seq: int, world: Any) -> None:
        first, latest = self._latest
        seq = range(first + len(latest))[seq]
        self.lasting.add(seq)
        if seq >= first:
            latest[seq - first] = world
        else:
            self._kept[seq] = world

    def append(self, world: Any) -> None:
        """The world after the next entry, which is in the timeline already."""
        self.latest.append(world)
        if len(self.latest) == MOST:
            self.thin()

    def thin(self) -> list[Any]:
        """Keep one in a few of the older ones; the latest."""
        first, latest = self._latest
        depths, kept = self._depths, self._kept
        for seq, world in enumerate(latest[:PART], first):
            depth = (depths[self._source(seq)] + 1) % EVERY if seq and seq not in self.lasting else 0
            if not depth:
                kept[seq] = world
            depths.append(depth)
        self._latest = (first + PART, latest[PART:])
        return self.latest
