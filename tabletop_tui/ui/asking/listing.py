"""A list to choose from: digits choose the first nine, arrows and Enter any. Its rows are commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Generic, TypeVar

from textual.content import Content

from ...rules import Model, percent
from ...session import Step
from ..commands import Command, Press, key_for
from ..commands.record import Done, moves
from ..drawing.text import (
    ACCENT,
    DIM,
    INK,
    Span,
    cells,
    fit,
    line,
    scrolled,
    share,
    told,
    with_enter,
    with_more,
)

T = TypeVar("T")
Hit = Callable[[int, Press], None]
"""Tells a panel what a click on a row presses."""
JUMP = 8
CHANCE, BAR = 8, 24
"""Cells of a chance beside a row, and of the line that shows it."""
DIGITS = 9
TOLD = 2
"""Rows below a list for what has no room beside a label."""


class Pick(Model, Generic[T]):
    """A row: what it says, and what choosing it gives."""

    value: T
    label: str
    note: str = ""
    closed: str = ""
    group: str = ""
    key: str = ""
    """What does the same without the list."""
    hope: float | None = None
    """The chance with it."""


def undoing(steps: Sequence[Step]) -> Pick[bool]:
    """A yes to undoing some steps, with what goes."""
    told = "; ".join(step.said[0] if step.said else step.action for step in steps[:6])
    return Pick(True, f"undo {len(steps)} step{'s' if len(steps) > 1 else ''}", told)


class Listing(Generic[T]):
    """Rows with a cursor; the part of them around it is drawn."""

    def __init__(self, title: str, picks: Sequence[Pick[T]], cursor: int = 0, name: str = "list") -> None:
        self.title, self.name = title, name
        self.picks = list(picks)
        self.cursor = min(max(cursor, 0), max(len(self.picks) - 1, 0))
        self.top = 0
        self.keyed = self.pointed = True
        """Are the keys of its rows drawn, and its cursor? Where nobody chooses there are none."""
        self.proposed = False
        """Is the first row what Enter proposes, and stands among the others, too? It has no digit then."""

    @property
    def here(self) -> Pick[T] | None:
        """What is under the cursor."""
        return self.picks[self.cursor] if self.picks else None

    def digit(self, place: int) -> int:
        """The digit that takes a row; 0 for none."""
        at = place + (not self.proposed)
        return at if at <= DIGITS else 0

    def move(self, step: int) -> None:
        """Another row; from the last to the first by single steps only."""
        if self.picks and abs(step) == 1:
            self.cursor = (self.cursor + step) % len(self.picks)
        elif self.picks:
            self.cursor = min(max(self.cursor + step, 0), len(self.picks) - 1)

    def commands(
        self,
        take: Callable[[Pick[T]], Done],
        moved: Callable[[], None],
        *,
        verb: str = "choose",
        enter: str = "",
        digits: bool = True,
    ) -> tuple[Command, ...]:
        """Its rows and its moves. `take` gets the row that was chosen, `moved` is told of another cursor.

        Enter has the name of the row, or is called what it does.
        """

        def choose(place: int) -> Done:
            self.cursor = place
            moved()
            return take(self.picks[place])

        def step(by: int) -> None:
            self.move(by)
            moved()

        def point(place: tuple[int, ...]) -> Done:
            at = place[0]
            if at >= len(self.picks) or self.picks[at].closed:
                self.cursor = min(at, max(len(self.picks) - 1, 0))
                moved()
                return None
            return choose(at)

        here, first = self.here, self.top + (self.top > 0)  # a row that says how many are above is not in sight
        out = [
            Command(
                f"{self.name}.{self.digit(at)}",
                (str(self.digit(at)),),
                pick.label,
                partial(choose, at),
                pick.closed,
                "play",
                "footer" if at >= first else "list",
                verb,
                section="",
            )
            for at, pick in enumerate(self.picks if digits else ())
            if self.digit(at)
        ]
        if here is not None:
            closed, label = here.closed, enter or fit(here.label, min(cells(here.label), 28)).rstrip()
            run = partial(self._enter, choose)
            out.append(Command(f"{self.name}.take", ("enter",), label, run, closed, "play", "band", point=point))
        if len(self.picks) > 1:
            out += moves(self.name, "move", step)
        if len(self.picks) > JUMP:
            far = {"pageup": -JUMP, "pagedown": JUMP, "home": -(10**6), "end": 10**6}
            out += moves(self.name, "", step, far)
        return tuple(out)

    def _enter(self, choose: Callable[[int], Done]) -> Done:
        return choose(self.cursor) if self.picks else None

    def _name(self, width: int) -> int:
        """Cells of the labels."""
        beside = 22 if any(p.note or p.closed or p.hope is not None for p in self.picks) else 4
        return min(max((cells(p.label) for p in self.picks), default=0), max(width - beside, 12))

    def _bar(self, width: int, name: int) -> int:
        """Cells of the line beside each chance, where all that is said of a row has room behind it."""
        if all(pick.hope is None for pick in self.picks):
            return 0
        left = width - name - CHANCE - max(cells(pick.closed or pick.note) for pick in self.picks) - 6
        return min(left, BAR) if left >= BAR // 3 else 0

    def _fits(self, pick: Pick[T], width: int) -> bool:
        """Has what stands beside a row's label room there?"""
        chance = CHANCE if pick.hope is not None else 0
        return cells(pick.closed or pick.note) <= width - self._name(width) - chance - 5

    def told(self, width: int) -> list[Content]:
        """What the row under the cursor has no room for, as lines below the list; as many for each row."""
        if self.here is None or all(self._fits(pick, width) for pick in self.picks):
            return []
        here = "" if self._fits(self.here, width) else self.here.closed or self.here.note
        return (told(here, DIM, width, TOLD) + [Content("")] * TOLD)[:TOLD]

    def lines(self, width: int, height: int, hit: Hit, offset: int = 0, *, whole: bool = False) -> list[Content]:
        """The part of the list around the cursor. Whole: a note that has no room is left to `told`."""
        room = max(height, 1)
        self.top = scrolled(self.top, self.cursor, len(self.picks), room)
        name = self._name(width)
        bar = self._bar(width, name)
        end = min(self.top + room, len(self.picks))
        out: list[Content] = []
        for place in range(self.top, end):
            hit(offset + len(out), Press(f"{self.name}.take", (place,)))
            number = self.key(place) if self.keyed else " "
            pick = self.picks[place]
            notes = not whole or self._fits(pick, width)
            if pick.closed and cells(pick.closed + pick.note) + name + 8 > width:
                notes = False  # the reason comes first, and neither is cut for the other
            out.append(self.row(place, name, number, notes=notes, bar=bar))
        return with_more(out, self.top, len(self.picks) - end, width)

    def key(self, place: int) -> str:
        """What takes a row, as it stands before it."""
        if self.proposed and not place:
            return with_enter("", f"{self.name}.take")
        digit = self.digit(place)
        return key_for(f"{self.name}.{digit}", str(digit)) if digit else " "

    def row(
        self, place: int, name: int, number: str = "", *, notes: bool = True, works: bool = True, bar: int = 0
    ) -> Content:
        """One row: closed ones begin with a dash and give the reason. Does the key before it work now?"""
        pick = self.picks[place]
        here = place == self.cursor and self.pointed
        sign = fit("–", max(cells(number), 1)) if pick.closed else number
        style = DIM if pick.closed else f"bold {INK}" if here else INK
        chance: list[Span] = []
        if pick.hope is not None:
            chance = [(f"{percent(pick.hope):>{CHANCE - 1}} ", style), *share(pick.hope, bar)]
        return line(
            ("▸" if here else " ", ACCENT),
            (f"{sign} ", f"bold {ACCENT}" if works and not pick.closed else DIM),
            (fit(pick.label, name), style),
            *chance,
            (f"  {pick.closed}" if pick.closed else "", DIM),
            (f"  {pick.note}" if pick.note and notes else "", DIM),
        )
