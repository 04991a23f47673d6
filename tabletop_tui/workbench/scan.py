"""Reading dice expressions: from left to right, and every complaint points at a character."""

import re
from collections.abc import Sequence

from ..rules.ask import Choice, suggest
from ..rules.dice import MOST_DICE
from ..rules.errors import Refused

MOST_SIDES = 1_000
_WORD = re.compile(r"[^\W\d_][^\W\d_-]*(?:-[^\W\d_]+)*")
_DIGITS = re.compile("[0-9]+")


class BadDice(Refused):
    """Dice text that does not read; `at` is the place of the character, from 0."""

    def __init__(self, what: str, at: int, remedy: str = "") -> None:
        super().__init__(what, where=f"character {at + 1}", remedy=remedy)
        self.at = at


class Scan:
    """Reads a text from left to right; every complaint points at a character."""

    def __init__(self, text: str, at: int = 0) -> None:
        self.text, self.at = text, at

    def skip(self) -> "Scan":
        """Past blanks."""
        while self.text[self.at : self.at + 1] == " ":
            self.at += 1
        return self

    @property
    def done(self) -> bool:
        """Is nothing left?"""
        return self.skip().at >= len(self.text)

    def take(self, signs: str) -> str:
        """The next character if it is one of these, else nothing."""
        sign = self.text[self.at : self.at + 1]
        if sign and sign in signs:
            self.at += 1
            return sign
        return ""

    def word(self) -> str:
        """Letters and hyphens, in small letters; the place stays where there are none."""
        match = _WORD.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return match[0].lower() if match else ""

    def digits(self) -> int | None:
        """A whole number; what is beyond every cap is read as beyond every cap."""
        match = _DIGITS.match(self.text, self.at)
        if match is None:
            return None
        self.at = match.end()
        return int(match[0][:9]) if len(match[0].lstrip("0")) <= 9 else 10**9

    def number(self, word: str, least: int, most: int) -> int:
        """The number that a word asks for."""
        after = self.at
        begin, found = self.skip().at, self.digits()
        if found is None:
            raise BadDice(f"a number is missing after {word!r}", after, f"Write {word} {max(least, 1)}, say.")
        if not least <= found <= most:
            raise BadDice(f"{word} {found:,} is out of range", begin, f"From {least:,} to {most:,}.")
        return found

    def dice(self, room: int = MOST_DICE, sizes: Sequence[int] = ()) -> tuple[int, int]:
        """How many dice of how many sides: 3d6, or d20 for one."""
        begin, count = self.skip().at, self.digits()
        mark = self.at
        if not self.take("dD"):
            what = f"{self.text[mark]!r} where a d was expected" if mark < len(self.text) else "dice are missing here"
            raise BadDice(what, mark, "Write dice such as 3d6 or 1d20.")
        if count == 0:
            raise BadDice("there are no dice in it", begin, "Write 1d6, say.")
        if count is not None and count > room:
            raise BadDice(f"more than {MOST_DICE:,} dice are too many", begin, f"At most {MOST_DICE:,} in one throw.")
        place = self.at
        sides = 100 if self.take("%") else self.digits()
        if sides is None:
            raise BadDice("the number of sides is missing after the d", place, "Write d8, say.")
        if sizes and sides not in sizes:
            raise BadDice(f"the game has no d{sides}", place, f"Use {', '.join(f'd{s}' for s in sizes)}.")
        if not 2 <= sides <= MOST_SIDES:
            raise BadDice(f"a die of {sides:,} sides cannot be thrown", place, f"From 2 to {MOST_SIDES:,} sides.")
        return (1 if count is None else count), sides

    def stray(self, known: Sequence[str]) -> BadDice:
        """What to say of something that does not belong here."""
        begin = self.skip().at
        if (word := self.word()).casefold() in known:
            return BadDice(f"{word!r} does not belong here", begin, "Write dice before it, and it once.")
        if word:
            return BadDice(f"{word!r} is not understood", begin, suggest(word, [Choice(k) for k in known]))
        return BadDice(f"{self.text[begin]!r} does not belong here", begin, "Take it out.")


def halves(text: str, sign: str = r"\bvs\b") -> tuple[str, str]:
    """Both sides of an opposed expression, the second blank up to its place; it is empty where there is none."""
    found = list(re.finditer(sign, text, re.IGNORECASE))
    if not found:
        return text, ""
    if len(found) > 1:
        raise BadDice("only two can stand against each other", found[1].start(), "Take the third out.")
    first, second = text[: found[0].start()], text[found[0].end() :]
    if not first.strip():
        raise BadDice("there is nothing before this", found[0].start(), "Write dice on both sides.")
    if not second.strip():
        raise BadDice("there is nothing after this", found[0].end(), "Write dice on both sides.")
    return first, " " * found[0].end() + second
