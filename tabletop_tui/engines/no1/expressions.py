"""The closed little language of manoeuvres: conditions such as `momentum > entropy and timer == 1`, and d20 checks.

    condition  = either
    either     = both { "or" both }
    both       = negated { "and" negated }
    negated    = "not" negated | comparison
    comparison = sum [ comparator sum ]
    sum        = product { ("+" | "-") product }
    product    = factor { "*" factor }
    factor     = number | name | "-" factor | "(" either ")"
    check      = [ "d20" ] comparator sum

A comparator is > >= < <= == !=, or in words: greater than, at least, less than, at most, equal to. The names are
those in `NAMES`. There are no calls, no attributes and no assignment: a text can compare numbers, nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import add, eq, ge, gt, le, lt, mul, ne, sub
from typing import NoReturn

from ...kit.reader import Reader, matches
from ...rules import Model, nearest

NAMES = ("momentum", "entropy", "challenge", "timer", "round")
NO_LIMIT = 999
"""What `timer` counts as where an encounter has no limit."""

COMPARE: dict[str, Callable[[int, int], bool]] = {">": gt, ">=": ge, "<": lt, "<=": le, "==": eq, "!=": ne}
COUNT: dict[str, Callable[[int, int], int]] = {"+": add, "-": sub, "*": mul}
WORDED = {"greater than": ">", "at least": ">=", "less than": "<", "at most": "<=", "equal to": "=="}
_TOKEN = re.compile(r"\s*(?:(?P<number>[0-9]+)|(?P<word>[A-Za-z_][A-Za-z_0-9]*)|(?P<sign>>=|<=|==|!=|[-+*()<>]))")


class TermError(Exception):
    """A text that is not of this language: what is wrong, and what to write."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what, remedy)
        self.what, self.remedy = what, remedy


class Term(Model):
    """A node of a parsed text: a sign and what it joins, a name, or a number."""

    sign: str
    parts: tuple[Term, ...] = ()
    number: int = 0

    @property
    def truth(self) -> bool:
        """Is it true or false, rather than a number?"""
        return self.sign in COMPARE or self.sign in ("and", "or", "not")

    def count(self, values: Mapping[str, int]) -> int:
        """The number that it comes to."""
        if self.sign == "number":
            return self.number
        if self.sign in COUNT:
            return COUNT[self.sign](self.parts[0].count(values), self.parts[1].count(values))
        return values[self.sign]

    def holds(self, values: Mapping[str, int]) -> bool:
        """Is it true?"""
        if self.sign in COMPARE:
            return COMPARE[self.sign](self.parts[0].count(values), self.parts[1].count(values))
        if self.sign == "not":
            return not self.parts[0].holds(values)
        held = (part.holds(values) for part in self.parts)
        return all(held) if self.sign == "and" else any(held)

    def names(self) -> list[str]:
        """The names in it, in the order of `NAMES`."""
        found = {self.sign} | {name for part in self.parts for name in part.names()}
        return [name for name in NAMES if name in found]


class _Reader(Reader):
    """Recursive descent over one text."""

    def __init__(self, text: str) -> None:
        super().__init__(text, _tokens, TermError)

    def error(self, wanted: str) -> TermError:
        where = f"at character {self.tokens[self.place][1]}" if self.token else "at the end"
        found = f"instead of {self.token!r}" if self.token else "is missing"
        return TermError(f"{wanted} {found} {where}", "Write it like momentum > entropy, or timer == 1.")

    def whole(self, term: Term, truth: bool) -> Term:
        """What was read, where nothing follows it."""
        if self.token:
            raise self.error("the end")
        return self._wants(term, truth)

    def either(self) -> Term:
        return self._joined(("or",), self._both, True)

    def _both(self) -> Term:
        return self._joined(("and",), self._negated, True)

    def sum(self) -> Term:
        return self._joined(("+", "-"), self._product, False)

    def _product(self) -> Term:
        return self._joined(("*",), self._factor, False)

    def _joined(self, signs: tuple[str, ...], part: Callable[[], Term], truth: bool) -> Term:
        """Parts of one kind, true or false or numbers, joined from left to right."""
        first = part()
        while sign := self.take(*signs):
            first = Term(sign, (self._wants(first, truth), self._wants(part(), truth)))
        return first

    def _negated(self) -> Term:
        if not self.take("not"):
            return self._comparison()
        return Term("not", (self._wants(self.deeper(self._negated), True),))

    def _comparison(self) -> Term:
        left = self.sum()
        sign = self.comparator()
        return Term(sign, (self._wants(left, False), self._wants(self.sum(), False))) if sign else left

    def comparator(self) -> str:
        if sign := self.take(*COMPARE):
            return sign
        sign = WORDED.get(" ".join(token for token, _ in self.tokens[self.place : self.place + 2]), "")
        self.place += 2 if sign else 0
        return sign

    def _factor(self) -> Term:
        if self.take("-"):
            return Term("-", (Term("number"), self._wants(self.deeper(self._factor), False)))
        if self.take("("):
            inner = self.deeper(self.either)
            if not self.take(")"):
                raise self.error("a closing bracket")
            return inner
        token = self.token
        if token.isdecimal():
            if len(token) > 6:
                raise TermError(f"the number {token} is too large", "Six digits are the most.")
            self.place += 1
            return Term("number", number=int(token))
        if token in NAMES:
            self.place += 1
            return Term(token)
        if token.isidentifier() and token not in ("and", "or", "not"):
            near = nearest(token, NAMES)
            hint = f"Did you mean {near}?" if near else f"Choose from: {', '.join(NAMES)}."
            raise TermError(f"{token!r} is not a number of the table", hint)
        raise self.error("a number or a name")

    def _wants(self, term: Term, truth: bool) -> Term:
        if term.truth != truth:
            what = "a comparison stands where a number belongs" if term.truth else "a number is not a comparison"
            raise TermError(what, "Compare two numbers: momentum > entropy. Join comparisons with and, or, not.")
        return term


def _tokens(text: str) -> list[tuple[str, int]]:
    found = []
    for match in matches(_TOKEN, text, _strange):
        kind = match.lastgroup or ""
        word = match[kind]
        found.append((word.lower() if kind == "word" else word, match.start(kind) + 1))
    return found


def _strange(_character: str, what: str) -> NoReturn:
    names = ", ".join(NAMES)
    raise TermError(what, f"Use numbers, {names}, + - *, brackets, > >= < <= == != and and, or, not.")


@lru_cache(maxsize=512)
def condition(text: str) -> Term:
    """A condition, parsed. Raises TermError."""
    reader = _Reader(text)
    return reader.whole(reader.either(), True)


@lru_cache(maxsize=512)
def check(text: str) -> tuple[str, Term]:
    """A check on a d20, parsed: the comparator, and what the die is compared with. Raises TermError."""
    reader = _Reader(text)
    reader.take("d20")
    sign = reader.comparator()
    if not sign:
        hint = "Write it like greater than challenge + entropy, or d20 >= 12."
        raise TermError("a check begins with a comparison", hint)
    return sign, reader.whole(reader.sum(), False)


def passes(text: str, face: int, values: Mapping[str, int]) -> bool:
    """Does a face of the d20 pass a check?"""
    sign, against = check(text)
    return COMPARE[sign](face, against.count(values))


def needed(text: str, values: Mapping[str, int]) -> str:
    """What a check asks of the d20, with its number: "more than 9"."""
    sign, against = check(text)
    words = {">": "more than", ">=": "at least", "<": "less than", "<=": "at most", "==": "just", "!=": "not"}
    return f"{words[sign]} {against.count(values)}"
