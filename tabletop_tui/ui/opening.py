"""A log that is being opened: what takes long tells how far it is, and can be left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol, TypeVar

from textual.screen import Screen

from ..rules import TableError
from ..session import Progress
from .panels.log import Happened, LogPanel, Message
from .screens.base import CommandScreen

SOON = 0.3
"""Seconds after which somebody who waits is told how far it is; and between two times."""
T = TypeVar("T")


class Left(TableError):
    """Somebody did not want to wait."""


class HowFar:
    """How far it is."""

    share = 0.0
    left = False
    """Does nobody wait for it any more?"""

    def __call__(self, done: int, of: int) -> None:
        """So far."""
        self.share = done / max(of, 1)
        if self.left:
            raise Left("it was not opened")


class Opener(Protocol):
    """The app, as far as this needs it."""

    reading: HowFar | None
    """What is being opened: whoever leaves meanwhile says so there."""

    @property
    def screen(self) -> Screen[object]:
        """The one in front."""


async def opened(app: Opener, name: str, work: Callable[[Progress], T]) -> T:
    """What some work off the thread reads."""
    app.reading = reading = HowFar()
    going = asyncio.ensure_future(asyncio.to_thread(work, reading))
    try:
        while not (await asyncio.wait([going], timeout=SOON))[0]:
            far = f" {reading.share:.0%}" if reading.share else ""
            await _tell(app.screen, f"Opening {name} …{far}, esc leaves")
    finally:
        app.reading = None
    return going.result()


async def _tell(screen: Screen[object], words: str) -> None:
    if isinstance(screen, CommandScreen):
        screen.tell(words, "")
        return
    if not screen.query(LogPanel):  # the first screen, which has nothing on it
        await screen.mount(LogPanel())
    screen.query_one(LogPanel).show(Happened(messages=(Message(words, ""),)))
