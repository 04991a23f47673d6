"""A challenge of several parts: which of them is looked at, which is tried, what each offers."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from ...rules import ChallengeView, Option
from ..commands import Command
from ..commands.record import moves
from ..panels.parts import Parts, PartsPanel
from ..playing import Playing
from .picking import PickPage
from .supporting import open_part

Choosing = Literal["", "challenge", "lead"]


class PartsPage(PickPage[ChallengeView]):
    """What a challenge page does with the parts of a challenge."""

    def __init__(self, play: Playing, **kwargs: Any) -> None:
        super().__init__(play, **kwargs)
        self.parts, self.part = PartsPanel(), 0
        self._parts: tuple[Option, ...] = ()

    def want(self, what: Choosing) -> None:
        """Somebody asks to choose."""
        raise NotImplementedError

    def update_parts(self) -> None:
        """The cursor follows what is open."""
        parts = self.view.parts
        if parts != self._parts:
            self._parts = parts
            self.part = open_part(parts, self.part)
        self.part = min(self.part, max(len(parts) - 1, 0))

    def draw_parts(self, shown: bool) -> None:
        """The row of them."""
        self.parts.display = shown
        self.parts.show(Parts(self.view.parts, -1 if self.play.keyless else self.part))

    def part_commands(self) -> list[Command]:
        """Moving among them, and trying the one under the cursor."""
        parts = self.view.parts
        out: list[Command] = []
        if len(parts) > 1:
            out += moves("challenge", "parts", self._part, {"left": -1, "right": 1})
        here = parts[self.part]
        if not self.view.outcome and not (self.view.lead and self.part == open_part(parts, self.part)):
            label, press = here.secret_label or here.label, self._press_part
            out.append(Command("challenge.part", ("enter",), label, press, here.closed, point=self._point_part))
        else:
            out.append(self.part_looked_at())
        out += [
            Command(f"challenge.part.{i + 1}", (o.key,), o.label, partial(self.play.press, o), o.closed)
            for i, o in enumerate(parts)
            if o.key
        ]
        return out

    def part_looked_at(self) -> Command:
        """A click on a part, while none can be tried."""
        return Command("challenge.part", (), "", effect="look", where="hidden", point=self._look_at_part)

    def _look_at_part(self, place: tuple[int, ...]) -> None:
        self.part = min(place[0], max(len(self.view.parts) - 1, 0))
        self.draw()

    def _part(self, step: int) -> None:
        self.part = (self.part + step) % max(len(self.view.parts), 1)
        self.draw()

    async def _point_part(self, place: tuple[int, ...]) -> None:
        self._look_at_part(place)
        await self._press_part()

    async def _press_part(self) -> None:
        """A part: what it offers, or how it stands."""
        part = self.view.parts[self.part]
        if part.closed:
            self.draw()
            self.play.tell(f"{part.label}: {part.closed}.")
        elif self.view.leads:  # the list with everybody's chances says more than a form
            self.want("lead")
        else:
            await self.play.press(part)
