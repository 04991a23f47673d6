"""Real dice, typed in as they lie on the table."""

from __future__ import annotations

from typing import Any

from textual.content import Content

from ..rules import Action, Dice, DiceNeeded, Refused, check
from .overlays import CANCEL, DONE, ROLL
from .text import DIM, INK, flow, keycap, line


class Tray:
    """Real dice, typed on the dice: a face goes on by itself where no second digit can follow.

    Enter ends it, also where every die lies: a slip can be mended until then, and a digit too many does nothing.
    """

    def __init__(self, action: Action, world: Any) -> None:
        self.action, self.world = action, world
        self.faces: list[int] = []
        self.typing = ""
        self.why = ""
        self.sides: tuple[int, ...] = ()
        self.wrong = ""
        self.complete = False
        self._look()

    def _look(self) -> None:
        """Which dice are asked for next; `resolve` is pure, so it is simply run again."""
        try:
            self.action.resolve(self.world, Dice(self.faces))
            self.complete, self.why, self.sides = True, "every die lies", ()
        except DiceNeeded as need:
            self.why, self.sides = need.why, need.sides
        except Refused as no:
            self.wrong = str(no)

    def stale(self, world: Any) -> bool:
        """Could the action no longer be done in another world?"""
        try:
            check(self.action, world)
        except Refused:
            return True
        self.world = world
        return False

    def key(self, key: str, character: str | None) -> str:
        """DONE when every die lies, ROLL when the rest is to be rolled."""
        if key == "escape":
            return CANCEL
        if key == "enter":
            self._end()
            return DONE if self.complete else ROLL
        if key == "backspace":
            self.wrong = ""
            if self.typing:
                self.typing = ""
            elif self.faces:
                self.faces.pop()
                self.complete = False
                self._look()
        elif key == "space" or character == ",":
            self._end()
        elif character and character.isdecimal() and self.complete:
            self.wrong = "every die lies: Enter takes them, Backspace mends"
        elif character and character.isdecimal() and self.sides:
            self._digit(character)
        return ""

    def _digit(self, digit: str) -> None:
        sides = self.sides[0]
        self.wrong = ""
        text = self.typing + digit
        if text == "0" and sides == 10:
            text = "10"
        number = int(text)
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

    def lines(self, width: int) -> list[Content]:
        """The dice so far and the slots that are left."""
        title = [(f" {self.why}  ", f"bold {INK}")]
        if len(self.sides) > 1:
            title.append((f"{len(self.sides)} to go  ", DIM))
        slots = []
        for i, side in enumerate(self.sides):
            text = f"{self.typing}_ of d{side}" if i == 0 else f"d{side}"
            style = "bold $on-accent on $tone-accent" if i == 0 else f"{DIM} on $bar"
            slots.append(line((f" {text} ", style), (" ", "")))
        done = " ".join(map(str, self.faces))
        out = flow(slots, width, line(*title))
        out.append(line((" typed ", DIM), (done or "nothing yet", f"bold {INK}" if done else DIM)))
        if self.wrong:
            out.append(line((f" ✗ {self.wrong}", "$bad")))
        keys = [keycap("enter", self.enters), keycap("backspace", "back"), keycap("esc", "leave")]
        if any(side >= 10 for side in self.sides):
            keys.insert(0, keycap("space", "ends a 1"))
        return out + flow([Content(" ") + key + Content("  ") for key in keys], width)

    @property
    def enters(self) -> str:
        """What Enter does."""
        return "take them" if self.complete else "roll the rest" if self.faces or self.typing else "roll"
