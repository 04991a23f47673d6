"""The world after each entry of a timeline: some are kept, the rest are folded again when they are asked for."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any, overload

EVERY = 32
"""Of the worlds that follow from one another so many lie between two that are kept."""
RECENT = 256
"""So many that were made or asked for last are kept too, twice over: an evening is all there."""


class Worlds(Sequence[Any]):
    """A world for each entry, and the header's first. Safe to ask from several threads while one adds."""

    def __init__(self, first: Any, source: Callable[[int], int], again: Callable[[int, Any], Any]) -> None:
        """`source` gives the entry that a world is the one after, or came from; `again` folds an entry once more."""
        self._source, self._again = source, again
        self.kept: dict[int, Any] = {0: first}
        self.depths = array("B", [0])
        """For each entry, how many have to be folded again from one that is kept."""
        self.latest: tuple[int, Any] = (0, first)
        """The last entry and the world after it, together: other threads look on."""
        self._recent: dict[int, Any] = {}
        self._older: dict[int, Any] = {}

    def __len__(self) -> int:
        return len(self.depths)

    @overload
    def __getitem__(self, seq: int) -> Any: ...

    @overload
    def __getitem__(self, seq: slice) -> list[Any]: ...

    def __getitem__(self, seq: int | slice) -> Any:
        if isinstance(seq, slice):
            return [self[n] for n in range(*seq.indices(len(self)))]
        seq = range(len(self))[seq]
        last, world = self.latest
        if seq == last:
            return world
        path = []
        while (world := self._known(seq)) is None:
            path.append(seq)
            seq = self._source(seq)
        for later in reversed(path):
            world = self._again(later, world)
            self._remember(later, world)
        return world

    def __setitem__(self, seq: int, world: Any) -> None:
        seq = range(len(self))[seq]
        self.kept[seq] = world
        if seq == self.latest[0]:
            self.latest = (seq, world)

    def append(self, world: Any, source: int, *, keep: bool = False) -> None:
        """The world after the next entry, which follows from that after `source`."""
        seq, depth = len(self.depths), self.depths[source] + 1
        if keep or depth == EVERY:
            self.kept[seq] = world
            depth = 0
        else:
            self._remember(seq, world)
        self.depths.append(depth)
        self.latest = (seq, world)

    def _known(self, seq: int) -> Any:
        found = self.kept.get(seq)
        if found is None:
            found = self._recent.get(seq)
        return self._older.get(seq) if found is None else found

    def _remember(self, seq: int, world: Any) -> None:
        recent = self._recent
        if len(recent) >= RECENT:
            self._older, recent = recent, {}
            self._recent = recent
        recent[seq] = world
