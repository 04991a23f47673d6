"""The fold: the state after every entry, and where undo and redo lead from here."""

from __future__ import annotations

import gc
from collections.abc import Iterable
from typing import Any

from ..rules import Engine, TableError
from .edits import PARTS, apply_changes
from .entries import AnyEntry, Edited, Header, Named, Redo, Undo

MANY = 10_000
"""Entries at once, from which on the garbage collector matters."""


class Timeline:
    """Everything that follows from a header and its entries. Keeps every state: seeking costs nothing.

    States share what did not change, so 100,000 of them are some 40 MB.
    """

    def __init__(self, engine: Engine, header: Header) -> None:
        self.engine, self.header = engine, header
        self.entries: list[AnyEntry] = []
        self.worlds: list[Any] = [header.world]
        """The world after each entry; the first is the header's."""
        self.head = 0
        """The entry whose state is the present one; undo moves it back."""
        self.parents: list[int] = [0]
        """For each entry, the head before it."""
        self.ahead: tuple[int, ...] = ()
        """Entries that were undone, the next one to redo last."""
        self.seen: Any = header.world
        """The hand-written files as last read: unlike the world, undo does not change it."""
        self.names: dict[int, str] = {}

    @property
    def world(self) -> Any:
        """The present state."""
        return self.worlds[-1]

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return len(self.entries)

    def extend(self, entries: Iterable[AnyEntry]) -> None:
        """Fold many entries; the garbage collector is paused, as it doubles the time."""
        was, before = gc.isenabled(), self.last
        gc.disable()
        try:
            for entry in entries:
                self.add(entry)
            if self.last - before > MANY:
                gc.freeze()  # states stay as long as the table does: the collector need not look at them again
        finally:
            if was:
                gc.enable()

    def add(self, entry: AnyEntry) -> None:
        """Fold one entry."""
        if entry.seq != len(self.worlds):
            raise TableError(
                f"entry {len(self.worlds)} is missing; {entry.seq} stands in its place",
                remedy="Run tabletop doctor.",
            )
        action = entry.action
        world = self.worlds[-1]
        parent = self.head
        kind = type(action)
        if kind is Undo:
            world = self._go_back(action.to)
        elif kind is Redo:
            world = self._go_forward(action.to)
        else:
            if kind is Edited:
                world = apply_changes(self.engine, world, action.changes)
                self._saw(action)
            elif kind is Named:
                self.names[action.at or parent] = action.name
            else:
                for event in entry.events:
                    world = event.apply(world)
            self.head = entry.seq
            if kind is not Named and (kind is not Edited or world != self.worlds[-1]):
                # a name, and a file that was made to say what the table has, change nothing: redo leads where it did
                self.ahead = ()
        self.parents.append(parent)
        self.entries.append(entry)
        self.worlds.append(world)

    def _go_back(self, to: int) -> Any:
        undone, here = [], self.head
        while here != to:
            if not here:
                raise TableError(f"an undo names entry {to}, which is not in its past", remedy="Run tabletop doctor.")
            undone.append(here)
            here = self.parents[here]
        self.ahead = (*self.ahead, *undone)
        self.head = to
        return self.worlds[to]

    def _go_forward(self, to: int) -> Any:
        if to not in self.ahead:
            raise TableError(f"a redo names entry {to}, which was not undone", remedy="Run tabletop doctor.")
        self.ahead = self.ahead[: self.ahead.index(to)]
        self.head = to
        return self.worlds[to]

    def _saw(self, action: Edited) -> None:
        files = [c for c in action.changes if c.path[0] != PARTS[-1]]
        if files:
            self.seen = apply_changes(self.engine, self.seen, files)

    def past(self, since: int = 0) -> list[int]:
        """The entries that made the present state, from `since` (0 is the beginning) to the head."""
        path = [self.head]
        while path[-1] > since:
            path.append(self.parents[path[-1]])
        return path[::-1]
