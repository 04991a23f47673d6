"""Where a table's entries are kept: a log on disk, or nowhere."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from .entries import AnyEntry, Header


class Journal(Protocol):
    """Where a table's entries are kept."""

    @property
    def closed(self) -> str:
        """Why nothing can be written; empty where it can."""
        ...

    @property
    def header(self) -> Header | None:
        """The header of the session that it keeps now; another one where a newer session was begun and followed.

        None where there is only one.
        """
        ...

    def lock(self) -> AbstractContextManager[None]:
        """Keeps other processes out while it is held."""
        ...

    def news(self) -> Sequence[AnyEntry]:
        """Entries that others wrote since the last look; all of a session that was followed to."""
        ...

    def append(self, entry: AnyEntry) -> None:
        """Returns when the entry is safe; raises when it is not."""
        ...


class Memory:
    """A journal that keeps nothing: for what-if tables and tests."""

    header = None

    def __init__(self) -> None:
        self.closed = ""

    def lock(self) -> AbstractContextManager[None]:
        """Nobody else is there."""
        return nullcontext()

    def news(self) -> Sequence[AnyEntry]:
        """Nobody else writes."""
        return ()

    def append(self, entry: AnyEntry) -> None:
        """The timeline has it already."""
