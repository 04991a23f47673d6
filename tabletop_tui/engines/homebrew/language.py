"""The closed little language of sums and dice: `2d6 + hard`, `effect + 1`, `1 if how is help else -1`.

    amount  = either [ "if" either "else" amount ]
    either  = both { "or" both }
    both    = negated { "and" negated }
    negated = "not" negated | sum [ ( > >= < <= != is ) sum ]
    sum     = product { ( + | - ) product }
    product = dice { ( * | / ) dice }
    dice    = - dice | factor [ "d" factor ] { "keep" (highest|lowest) factor | "exploding" ["once"] ["at" factor] }
    factor  = number | [their|lead] NAME | (sides|count) "of" [their] NAME | - factor | "d" factor | "(" amount ")"

The dice of a roll may go on with `, or if none` and other dice. There are no calls, no attributes and no assignment:
a text can count and compare, nothing else. A yes or no counts 1 or 0, and / rounds down.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NoReturn

from ...kit.reader import Reader, matches
from ...rules import Model, Refused

MOST = 1_000_000
"""No number on a table is larger."""
COMPARING = (">", ">=", "<", "<=", "!=", "is")
COUNTING = ("+", "-", "*", "/")
OWNERS = ("their", "lead", "all")
KEPT = {"highest": 1, "lowest": -1}
WORDS = frozenset(
    (*OWNERS, *KEPT, "and", "or", "not", "if", "else", "is", "d", "keep", "exploding", "once", "at", "of")
)
WORDS |= {"sides", "count", "none", "to"}
"""Words of the language, which nothing in a game can be called."""
NAME = re.compile(r"[^\W\d][\w'-]*")
_DIE = re.compile(r"d([0-9]+)$")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9]+)(?P<stuck>d[0-9]*(?![\w'-]))?|(?P<word>[^\W\d][\w'-]*)|(?P<sign>>=|<=|!=|[-+*/()<>−]))"
)
_NONE = re.compile(r"\s*,\s*or if none\s+")
EXAMPLE = "Write it like 2d6 + hard, or effect + 1."
KEEP = "Write 4d6 keep highest 3, or keep lowest 1."
_SHORT = re.compile(r"d[0-9]+k[hl]?[0-9]+")
_OTHERS = {
    "!": "Write 1d6 exploding.",
    "%": "Write d100.",
    "=": "Write is.",
    "&": "Write and.",
}
"""Signs of other languages of dice, and what they are here."""


class TermError(Refused):
    """A text that is not of this language, or a sum that cannot be worked out: what is wrong, and what to write."""

    def __init__(self, what: str, remedy: str, found: str = "", known: tuple[str, ...] = ()) -> None:
        super().__init__(what, remedy=remedy)
        self.found, self.known = found, known


class Term(Model):
    """A node of a parsed text: a sign and what it joins, a name, or a number."""

    sign: str
    parts: tuple[Term, ...] = ()
    number: int = 0
    name: str = ""
    owner: str = ""

    def walk(self) -> Iterator[Term]:
        """This node and all below it."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def names(self) -> list[tuple[str, str]]:
        """The owners and names in it, each once."""
        return list(dict.fromkeys((t.owner, t.name) for t in self.walk() if t.sign in ("name", "sides", "count")))


def number(value: int) -> Term:
    """A plain number as a term."""
    return Term("number", number=value)


class _Reader(Reader):
    """Recursive descent over one text."""

    def __init__(self, text: str) -> None:
        super().__init__(text, _tokens, TermError)

    def error(self, wanted: str) -> TermError:
        if not self.token:
            return TermError(f"{wanted} is missing at the end", EXAMPLE)
        found = f"expected {wanted}, found {self.token!r} at character {self.tokens[self.place][1]}"
        return TermError(found, KEEP if _SHORT.fullmatch(self.token) else EXAMPLE)

    def whole(self, read: Callable[[], Term]) -> Term:
        """What is read, where nothing follows it."""
        found = read()
        if self.token:
            raise self.error("the end")
        return found

    def amount(self) -> Term:
        first = self._either()
        if not self.take("if"):
            return first
        condition = self._either()
        if not self.take("else"):
            raise self.error("'else'")
        return Term("if", (first, condition, self.deeper(self.amount)))

    def _either(self) -> Term:
        return self._joined(("or",), self._both)

    def _both(self) -> Term:
        return self._joined(("and",), self._negated)

    def _negated(self) -> Term:
        if self.take("not"):
            return Term("not", (self.deeper(self._negated),))
        left = self.sum()
        sign = self.take(*COMPARING)
        return Term(sign, (left, self.sum())) if sign else left

    def sum(self) -> Term:
        return self._joined(("+", "-"), self._product)

    def _product(self) -> Term:
        return self._joined(("*", "/"), self._dice)

    def _joined(self, signs: tuple[str, ...], part: Callable[[], Term]) -> Term:
        first = part()
        while sign := self.take(*signs):
            first = Term(sign, (first, part()))
        return first

    def _dice(self) -> Term:
        if self.take("-"):  # of the whole sum: fewer than no dice would be none
            return Term("-", (number(0), self.deeper(self._dice)))
        found = number(1) if self.token == "d" or _DIE.match(self.token) else self._factor()
        if sides := self._sides():
            found = Term("dice", (found, sides))
        while word := self.take("keep", "exploding"):
            found = self._kept(found) if word == "keep" else self._exploding(found)
        return found

    def _sides(self) -> Term | None:
        if match := _DIE.match(self.token):
            self.place += 1
            return self._number(match[1])
        return self._factor() if self.take("d") else None

    def _kept(self, dice: Term) -> Term:
        which = self.take("highest", "lowest")
        if not which:
            raise self.error("'highest' or 'lowest'")
        return Term("keep", (dice, self._factor()), KEPT[which])

    def _exploding(self, dice: Term) -> Term:
        once = self.take("once")
        at = (self._factor(),) if self.take("at") else ()
        return Term("explode", (dice, *at), name=once)

    def _factor(self) -> Term:
        if self.take("-"):
            return Term("-", (number(0), self.deeper(self._factor)))
        if self.take("("):
            inner = self.deeper(self.amount)
            if not self.take(")"):
                raise self.error("a closing bracket")
            return inner
        if self.token.isdecimal():
            found = self._number(self.token)
            self.place += 1
            return found
        if of := self.take("sides", "count"):
            if not self.take("of"):
                raise self.error("'of'")
            return self._name(of)
        return self._name("name")

    def _name(self, sign: str) -> Term:
        owner = self.take("their", "lead")
        token = self.token
        if not NAME.fullmatch(token) or token in WORDS:
            raise self.error("a number or a name")
        self.place += 1
        return Term(sign, name=token, owner=owner)

    def _number(self, text: str) -> Term:
        if len(text) > 6 or not text.isascii():
            raise TermError(f"the number {text[:12]} is too large", "Six digits are the most.")
        return number(int(text))


def _tokens(text: str) -> list[tuple[str, int]]:
    return [
        (match[kind].replace("−", "-"), match.start(kind) + 1)
        for match in matches(_TOKEN, text, _strange)
        for kind in ("number", "stuck", "word", "sign")
        if match[kind]
    ]


def _strange(character: str, what: str) -> NoReturn:
    signs = "Use numbers, names, dice such as 2d6, + - * /, brackets, > >= < <= != and is."
    raise TermError(what, _OTHERS.get(character, signs))


@lru_cache(maxsize=4096)
def _amount(text: str) -> Term:
    reader = _Reader(text)
    return reader.whole(reader.amount)


def amount(value: int | str) -> Term:
    """A sum, parsed. Raises TermError."""
    if isinstance(value, int):
        if abs(value) > MOST:
            raise TermError(f"the number {str(value)[:12]} is too large", f"At most {MOST}.")
        return number(value)
    return _amount(value)


def pool(value: int | str) -> tuple[Term, Term | None]:
    """The dice of a roll, and those in their place where there are none. Raises TermError."""
    if isinstance(value, int):
        return amount(value), None
    first, *rest = _NONE.split(value)
    if len(rest) > 1:
        raise TermError("', or if none' stands in it twice", "Once is enough.")
    return amount(first), amount(rest[0]) if rest else None


def reading(value: str) -> tuple[str, Term | None]:
    """How dice are read: the word, and for hits the face from which a die is one. Raises TermError."""
    words = value.split(None, 2)
    if words[:2] == ["hits", "at"] and len(words) == 3:
        return "hits", amount(words[2])
    if value in ("sum", "highest", "lowest", "under"):
        return value, None
    known = ("sum", "highest", "lowest", "hits at 5", "under")
    raise TermError(f"dice cannot be read as {value!r}", "", value, known)


def limit(value: str) -> tuple[Term, str]:
    """How often something may be taken: a sum, and in what. Raises TermError."""
    count, found, span = value.rpartition(" a ")
    wrong = TermError(f"{value!r} is not a limit", f"Write 1 a roll; the spans are {', '.join(SPANS)}.")
    if not found or span not in SPANS:
        raise wrong
    try:
        return amount(count), span
    except TermError:
        raise wrong from None


SPANS = ("roll", "turn", "round", "scene", "session", "challenge", "contest")


def target(value: int | str) -> tuple[bool, Term]:
    """What an effect does to a number: is it set (`to 3`), and the sum. Raises TermError."""
    if isinstance(value, str) and value.startswith("to "):
        return True, amount(value[3:])
    return False, amount(value)


def owned(key: str) -> tuple[str, str]:
    """The owner and the name in the key of an effect: `their hp`."""
    owner, _, name = key.partition(" ")
    return (owner, name) if owner in OWNERS and name else ("", key)
