"""Dice: rolled from a seed, typed in, fixed or taken from a log; always recorded."""

from collections.abc import Callable, Container, Sequence

import msgspec

from .errors import Refused

MOST_DICE = 1_000
"""In one handful. Beyond it somebody has mistyped a number."""


class Handful(msgspec.Struct, frozen=True, omit_defaults=True):
    """Dice that fell together: who or what they were for, their sides and their faces."""

    why: str
    sides: tuple[int, ...]
    faces: tuple[int, ...]
    typed: int = 0
    """How many of them, from the first, were typed in; the rest were rolled here."""
    secret: bool = False
    of: str = ""
    """Whose dice they are, so whose player may type them; empty for the GM's."""


class DiceNeeded(Exception):
    """The dice ran dry: what is asked for next. `resolve` is pure, so it can simply be run again."""

    def __init__(self, why: str, sides: tuple[int, ...], had: int) -> None:
        super().__init__(why, sides, had)
        self.why, self.sides, self.had = why, sides, had


Roller = Callable[[int, int], int]
"""From the die's place in the action (0, 1, …) and its sides to its face."""


_ALL = 1 << 64


def roller(seed: str, seq: int) -> "Roller":
    """Faces that depend on seed, entry and place alone, so that every entry verifies by itself."""
    from hashlib import blake2b  # late: what only looks at a table rolls nothing

    begun, read = blake2b(f"{seed}/{seq}/".encode(), digest_size=8).copy, int.from_bytes

    def face(place: int, sides: int) -> int:
        tries, fair = 0, _ALL - sides
        while True:
            word = begun()
            word.update(b"%d/%d" % (place, tries))
            number = read(word.digest(), "big")
            # beyond the last multiple of the sides a remainder would favour low faces; hardly any number comes near
            if number < fair or number < _ALL - _ALL % sides:
                return number % sides + 1
            tries += 1

    return face


class Dice:
    """The dice of one action: first the faces that were given, then the roller's, if there is one."""

    def __init__(
        self,
        given: Sequence[int] = (),
        rest: Roller | None = None,
        *,
        typed_for: Container[str] | None = None,
        others: Roller | None = None,
    ) -> None:
        self._given = tuple(given)
        self._rest = rest
        self._place = 0
        self._used = 0
        """How many of the faces given have been asked for."""
        self._typed_for, self._others = typed_for, others
        """Whose open dice the faces are for, where they are not for all; and what rolls the others."""
        self.rolled: list[Handful] = []
        """Everything that fell, in order."""

    def roll(self, why: str, *sides: int, secret: bool = False, of: str = "") -> tuple[int, ...]:
        """A handful at once; the faces in the order of the sides asked for. `of` says whose dice they are."""
        if len(sides) > MOST_DICE:
            raise Refused(f"{len(sides)} dice in one handful are too many", remedy=f"At most {MOST_DICE}.")
        begin, self._place = self._place, self._place + len(sides)
        is_given = self._typed_for is None or (not secret and of in self._typed_for)
        typed = self._given[self._used : self._used + len(sides)] if is_given else ()
        self._used += len(typed)
        for face, side in zip(typed, sides, strict=False):
            if not 1 <= face <= side:
                raise Refused(f"a d{side} cannot show {face} ({why})", remedy="Type the face that lies on the table.")
        missing = sides[len(typed) :]
        roller = self._rest if is_given else self._others
        if missing and roller is None:
            raise DiceNeeded(why, missing, self._used)
        roller = roller or (lambda _place, _sides: 0)
        faces = (*typed, *map(roller, range(begin + len(typed), self._place), missing))
        if sides:
            self.rolled.append(Handful(why, sides, faces, len(typed), secret, of))
        return faces

    @property
    def unused(self) -> tuple[int, ...]:
        """Faces that were given and that nobody asked for."""
        return self._given[self._used :]
