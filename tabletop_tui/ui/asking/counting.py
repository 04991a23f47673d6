"""Which counter moves? Digits stand on the counters themselves; the question is asked in the band."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from ...rules import Action, Counter
from ..commands import Command, Layer
from ..panels.bars import Said
from .host import Asked

MOST = 9
"""Counters that a digit reaches."""


class Counting(Asked):
    """One of the counters, by its digit: on by one, or back."""

    title = "clocks"
    about = "A digit moves the counter that it stands on; the minus sign turns the way round."
    inline = False

    def __init__(self, counters: Sequence[Counter], move: Callable[[Action], Awaitable[None]]) -> None:
        self.counters = [c for c in counters if c.more is not None or c.less is not None][:MOST]
        self.move = move
        self.back = False

    def layer(self) -> Layer:
        """A digit each, and the way."""
        out = []
        for i, counter in enumerate(self.counters):
            action = counter.less if self.back else counter.more
            why = (
                "" if action is not None else f"{counter.name} is at its {'least' if self.back else 'most'} already."
            )
            run = partial(self._take, i)
            label = f"{counter.name} {'back' if self.back else 'on'} by one"
            group = "back by one" if self.back else "on by one"
            out.append(Command(f"count.{i + 1}", (str(i + 1),), label, run, why, "play", "band", group, section=""))
        turn = "on again" if self.back else "back instead"
        out.append(Command("count.back", ("-", "−"), turn, self._turn, effect="look", where="band", section=""))
        return Layer("counting", tuple(out))

    def _turn(self) -> None:
        self.back = not self.back
        self.host.redraw()

    async def _take(self, place: int) -> None:
        counter = self.counters[place]
        action = counter.less if self.back else counter.more
        self.host.close()
        if action is not None:
            await self.move(action)

    def said(self) -> Said:
        """The question."""
        return Said("Which one goes back by one?" if self.back else "Which one moves on by one?", loud=True)
