"""Real dice, typed in as they lie on the table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from msgspec.structs import replace

from ...plugins import Guarded
from ...rules import Action, DiceNeeded, Refused
from ..commands import Command, Layer
from ..panels.bars import Said
from ..panels.stage import Typing
from .host import Asked

Throw = Callable[[Action, tuple[int, ...], bool], Awaitable[None]]
"""Does an action with these faces; True where the rest is to be rolled."""


Needed = Callable[[Action, Sequence[int]], DiceNeeded | None]
"""What is still to be typed for an action after these faces; a player types their own dice."""


class Tray(Asked):
    """Real dice, typed on the dice: a face goes on by itself where no second digit can follow.

    Enter ends it, also where all dice are entered: a slip can be mended until then, and one digit more does nothing.
    """

    title = "dice"
    inline = False

    def __init__(self, action: Action, world: Any, engine: Guarded, throw: Throw, needed: Needed) -> None:
        self.action, self.world, self.engine, self.throw, self.needed = action, world, engine, throw, needed
        self.faces: list[int] = []
        self.typing = ""
        self.why = ""
        self.sides: tuple[int, ...] = ()
        self.wrong = ""
        self.complete = False
        self._look()

    def _look(self) -> None:
        """Which dice are asked for next."""
        try:
            need = self.needed(self.action, self.faces)
        except Refused as no:
            self.wrong = str(no)
            return
        self.complete = need is None
        self.why, self.sides = (need.why, need.sides) if need else ("all dice entered", ())

    def stale(self, world: Any) -> bool:
        """Could the action no longer be done in another world?"""
        try:
            self.engine.check(self.action, world)
        except Refused:
            return True
        self.world = world
        return False

    @property
    def typed(self) -> bool:
        """Do faces lie there?"""
        return bool(self.faces or self.typing)

    def layer(self) -> Layer:
        """Faces are typed; Enter takes them."""
        why = "all dice entered. Enter takes them, Backspace mends" if self.complete else ""
        face = Command("", (), "the faces", closed=why, group="the faces", section="")
        digits = [
            replace(face, id=f"tray.{n}", keys=(n,), run=_typing(self, n), closed=why or self._cannot(n))
            for n in "1234567890"
        ]
        out = [Command("tray.enter", ("enter",), self.enters, self._enter, where="band", section="")]
        if any(side >= 10 for side in self.sides):
            out.append(Command("tray.end", ("space", ","), "ends a 1", self._space, section=""))
        if self.typed:
            out.append(Command("tray.back", ("backspace",), "back", self.back, effect="look", section=""))
        return Layer("tray", (*(digits if self.sides or self.complete else ()), *out))

    def _cannot(self, digit: str) -> str:
        """Why a digit is no part of the face that is typed next."""
        side = self.sides[0] if self.sides else 0
        return f"a d{side} cannot show {digit}" if 0 < side < 10 and not 1 <= int(digit) <= side else ""

    async def _enter(self) -> None:
        self._end()
        self.host.close()
        await self.throw(self.action, tuple(self.faces), not self.complete)

    def _space(self) -> None:
        self._end()
        self.host.redraw()

    def back(self) -> None:
        """The last die again."""
        self.wrong = ""
        if self.typing:
            self.typing = ""
        elif self.faces:
            self.faces.pop()
            self.complete = False
            self._look()
        self.host.redraw()

    def digit(self, digit: str) -> None:
        """A digit of a face."""
        if self.sides:
            self._digit(digit)
        self.host.redraw()

    def said(self) -> Said:
        """Which dice are typed next."""
        return Said(self.why, loud=True)

    @property
    def part(self) -> Typing:
        """As the stage draws it."""
        return Typing(self.why, self.sides, tuple(self.faces), self.typing, self.wrong)

    def _digit(self, digit: str) -> None:
        sides = self.sides[0]
        self.wrong = ""
        text = self.typing + digit
        if text == "0" and sides == 10:
            text = "10"
        number = int(text)
        if self.typing and number > sides and len(self.sides) == 1:
            self.wrong = f"a d{sides} cannot show {text}: space or Enter takes the {self.typing}"
            return
        if self.typing and number > sides:  # the second digit is the next die's
            self._end()
            if self.sides and not self.complete:
                self._digit(digit)
            return
        if not 1 <= number <= sides:
            self.wrong = f"a d{sides} cannot show {text}"
            self.typing = ""
            return
        self.typing = text
        if number * 10 > sides:  # no second digit can follow
            self._end()

    def _end(self) -> None:
        if self.typing:
            self.faces.append(int(self.typing))
            self.typing = ""
            self._look()

    @property
    def enters(self) -> str:
        """What Enter does."""
        if self.typing and len(self.sides) == 1:
            return f"take the {self.typing}"
        return "take them" if self.complete else "roll the rest" if self.faces or self.typing else "roll"


def _typing(tray: Tray, digit: str) -> Callable[[], None]:
    return lambda: tray.digit(digit)
