"""Add somebody or something: letters find, digits say how many, Enter adds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from textual.content import Content

from ...rules import Model
from ..asking.field import TextField
from ..asking.host import Asked
from ..asking.listing import Hit, Listing, Pick
from ..commands import Layer
from ..drawing.text import DIM, INK, heading, line
from ..panels.bars import Said

MOST_FILTER, MOST_DIGITS = 40, 2


class Addable(Model):
    """What can be added: more of somebody, or something new that a form asks for."""

    label: str
    note: str
    run: Callable[[int, bool], Awaitable[None]]
    """With how many, and whether only the GM is to see them."""
    many: bool = False
    hides: bool = False
    """Can it come in unseen?"""
    closed: str = ""
    group: str = ""


class Adding(Asked):
    """A list that is searched by what is typed."""

    title = "Add somebody or something"
    about = "Letters find, digits say how many, Enter adds. One undo takes all of it back, files included."

    def __init__(self, some: Sequence[Addable], at: str = "") -> None:
        self.some = list(some)
        self.field = TextField(most=MOST_FILTER)
        self.count = ""
        self.hidden = False
        self.list: Listing[Addable] = Listing(self.title, [], name="adding")
        self._filter()
        self.list.cursor = next((n for n, p in enumerate(self.list.picks) if p.label == at), self.list.cursor)

    @property
    def number(self) -> int:
        """How many."""
        return int(self.count or 1)

    def _filter(self) -> None:
        wanted = self.field.text.casefold().split()

        def rank(one: Addable) -> int:
            """Words that begin so come before those that have it inside."""
            words = one.label.casefold().split()
            return 0 if all(any(w.startswith(t) for w in words) for t in wanted) else 1

        fits = [a for a in self.some if all(t in a.label.casefold() for t in wanted)]
        fits.sort(key=lambda a: (bool(a.closed), rank(a)))
        self.list = Listing(self.title, [Pick(a, a.label, a.note, a.closed, a.group) for a in fits], name="adding")
        self.list.keyed = False  # digits say how many

    # ---- keys

    def layer(self) -> Layer:
        """Moves, Enter, and everything that is typed."""
        moves = self.list.commands(self._take, self.host.redraw, verb="", enter="add", digits=False)
        return Layer("adding", moves, self._rest, text_first=True)

    async def _take(self, pick: Pick[Addable]) -> None:
        self.host.close()
        await pick.value.run(self.number, self.hidden and pick.value.hides)

    async def _rest(self, key: str, character: str | None) -> bool:
        before = self.field.text
        if character and character.isdecimal() and character.isascii():
            self.count = (self.count + character).lstrip("0")[:MOST_DIGITS]
        elif character == "~":
            self.hidden = not self.hidden
        elif key == "backspace" and self.count:
            self.count = self.count[:-1]
        elif not self.field.key(key, character):
            return False
        if self.field.text != before:
            self._filter()
        self.host.redraw()
        return True

    def paste(self, text: str) -> None:
        """A name."""
        self.field.type(text)
        self._filter()

    # ---- looks

    def said(self) -> Said:
        """What Enter would do."""
        here = self.list.here
        if here is None:
            return Said("Nothing of that name", loud=True)
        one = here.value
        if not one.many:
            return Said(f"Add {one.label}", loud=True)
        several = f"{self.number} × " if self.number > 1 else ""
        return Said(f"Add {several}{one.label}{', unseen' if self.hidden and one.hides else ''}", loud=True)

    def lines(self, width: int, height: int, hit: Hit) -> list[Content]:
        """What is typed, what fits, how many."""
        out = [heading(self.title, width, active=True, note="letters find, digits count")]
        out.append(line((" who or what  ", DIM), *self.field.spans(max(width - 26, 10)), ("", "")))
        here = self.list.here
        tail: list[Content] = []
        if here and here.value.many:
            tail.append(line((" how many     ", DIM), (str(self.number), f"bold {INK}"), ("   a digit", DIM)))
            if here.value.hides:
                seen = "only you" if self.hidden else "by everybody"
                tail.append(line((" seen         ", DIM), (seen, f"bold {INK}"), ("   ~ changes it", DIM)))
        below = self.list.told(width)
        room = max(height - len(out) - len(tail) - len(below), 2)
        body = self.list.lines(width, room, hit, len(out), whole=True)
        nothing = line((" nothing of that name: backspace widens the search", DIM))
        return [*out, *(body or [nothing]), *below, *tail]
