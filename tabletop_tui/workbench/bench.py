"""The dice workbench: expressions that need no table, read by whichever game knows them.

A game brings a `Bench`, which says whether an expression is its own and reads it; a `Reading` can work out its exact
chances and throw its dice. `Benches` asks the games in turn, and falls back to plain sums.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ..rules.dice import Dice
from ..rules.errors import Refused, TableError
from ..rules.model import Model, World
from ..rules.odds import Group, Pmf, add
from ..rules.text import HOSTILE, name_of
from .scan import BadDice, Scan

if TYPE_CHECKING:
    from ..rules.engine import Engine

MOST_TEXT = 1_000
"""Characters of an expression; whoever pastes more has pasted something else."""
MOST_NUMBER = 1_000_000
MOST_WORK = 20_000_000
"""Pairs of values that are multiplied for one answer: some seconds of work."""
PLAIN = "plain"
"""The word that asks for a plain sum where a game would read the dice otherwise."""


# ---- what an expression comes to


class Chances(Model):
    """Exact chances of a whole number, from the lowest value on, and of what the game makes of it."""

    low: int
    table: tuple[float, ...]
    """Of low, low + 1, …"""
    reach: tuple[float, ...]
    """Of at least low, low + 1, …"""
    mean: float
    spread: float
    """The standard deviation."""
    groups: tuple[Group, ...] = ()

    @classmethod
    def of(cls, pmf: Pmf, groups: Sequence[Group] = ()) -> "Chances":
        """From the chance of each value."""
        possible = [v for v, p in pmf.items() if p > 0.0]
        low, high = min(possible), max(possible)
        table = tuple(max(pmf.get(v, 0.0), 0.0) for v in range(low, high + 1))
        # added up from the small end, so that rare values keep their digits
        reach = tuple(accumulate(reversed(table)))[::-1]
        mean = sum(p * v for v, p in enumerate(table, low))
        spread = sum(p * (v - mean) ** 2 for v, p in enumerate(table, low)) ** 0.5
        return cls(low, table, reach, mean, spread, tuple(groups))

    @property
    def high(self) -> int:
        """The largest value in the table."""
        return self.low + len(self.table) - 1

    @property
    def pmf(self) -> dict[int, float]:
        """The chance of each value."""
        return {self.low + i: p for i, p in enumerate(self.table) if p > 0.0}

    def at_least(self, number: int) -> float:
        """The chance of meeting a number."""
        if number <= self.low:
            return 1.0
        return min(self.reach[number - self.low], 1.0) if number <= self.high else 0.0

    def within(self, tail: float) -> tuple[int, int]:
        """The values that are left when so much is cut off at either end."""
        below = bisect_right(self.reach, -1 + tail, key=lambda p: -p) - 1
        above = bisect_left(self.reach, -tail, key=lambda p: -p) - 1
        return self.low + max(below, 0), self.low + max(above, below, 0)

    def against(self, other: "Chances") -> tuple[float, float, float]:
        """The chances of more than the other, of the same, of less; the two fall independently."""
        more = sum(p * (1 - other.at_least(v)) for v, p in enumerate(self.table, self.low))
        begin, end = max(self.low, other.low), min(self.high, other.high)
        tie = sum(self.table[v - self.low] * other.table[v - other.low] for v in range(begin, end + 1))
        return more, tie, max(1 - more - tie, 0.0)


class Fell(Model):
    """Dice that fell: what they come to, and how they lie, in words."""

    value: int
    words: str


class Reading(Model):
    """An expression, understood."""

    words: str
    """How it was read."""
    number: str
    """What the number is called that it comes to: total, hits, highest die. Empty where it comes to words: its groups
    of chances are all there is to show."""
    work: Callable[[], Chances]
    """Exact chances; may take a while, so it is called off the UI thread. May raise Refused."""
    throw: Callable[[Dice], Fell]
    """The dice fall."""
    goal: int | None = None
    """The number to meet: written behind the dice as `>= 12`, or the game's own."""
    game: str = ""
    """Whose reading it is; empty for a plain sum."""
    table: str = ""
    """The campaign's rollable table that it rolls on."""


class Bench:
    """How a game reads expressions. Subclass it and hand one out from `Engine.bench`."""

    examples: tuple[str, ...] = ()
    """Expressions that show what the game can read."""
    words: tuple[str, ...] = ()
    """Words of its own, for completion and for guessing what was meant."""

    def claims(self, text: str) -> bool:
        """Is there a sign in it that it is this game's, so that the game need not be named?"""
        del text
        return False

    def read(self, text: str) -> Reading:
        """Understand an expression, or raise BadDice."""
        del text
        raise BadDice("this game reads no dice", 0, f"Write 3d6 {PLAIN}, say.")

    def names(self) -> Sequence[str]:
        """Names of the campaign that can stand in an expression."""
        return ()


# ---- for working it out


def less(first: Pmf, second: Pmf) -> dict[int, float]:
    """The difference of two independent results."""
    if len(first) * len(second) > MOST_WORK:
        raise Refused("exact chances of so many dice would take too long", remedy="Ask for fewer or smaller dice.")
    still_wanted()
    return add(first, {-v: p for v, p in second.items()})


class Unwanted(Exception):
    """Nobody waits for these chances any more."""


_WANTED: ContextVar[Callable[[], bool]] = ContextVar("wanted")


@contextmanager
def while_wanted(check: Callable[[], bool]) -> Iterator[None]:
    """Long work inside this ends with Unwanted once the check fails."""
    token = _WANTED.set(check)
    try:
        yield
    finally:
        _WANTED.reset(token)


def still_wanted() -> None:
    """To be called now and then by work that can take long."""
    check = _WANTED.get(None)
    if check is not None and not check():
        raise Unwanted


# ---- whose expression is it?


def public(world: Any) -> Any:
    """A world as a player's seat may use it on the workbench: players' characters, and nothing prepared."""
    if not isinstance(world, World):
        return world
    return replace(world, sheets={who: s for who, s in world.sheets.items() if s.player}, scenes={}, tables={})


class Benches:
    """Every game that reads dice; that of the campaign is asked first, and before it its rollable tables."""

    def __init__(
        self,
        engines: Sequence["Engine"],
        own: "Engine | None" = None,
        world: Any = None,
        tables: Bench | None = None,
    ) -> None:
        from .plain import Plain

        self.tables = tables or Bench()
        self.all: dict[str, tuple[str, Bench]] = {}
        self.own = own.name if own else ""
        self.failed: list[str] = []
        """The games whose dice cannot be read, each with the reason."""
        for engine in ((own,) if own else ()) + tuple(e for e in engines if own is None or e.name != own.name):
            try:
                bench = engine.bench(world if engine is own else None)
                if not isinstance(bench, Bench | None):
                    raise TypeError(f"its bench is a {type(bench).__name__}")
            except TableError as error:  # as the guard around an engine tells it
                self.failed.append(error.what)
                bench = None
            except Exception as error:  # a stranger's game that fails here is a game without a bench
                self.failed.append(f"the engine {engine.name!r} failed in bench: {type(error).__name__}: {error}")
                bench = None
            if bench is not None:
                self.all[engine.name] = (engine.title, bench)
        self.plain = Plain(self.known)

    @property
    def known(self) -> list[str]:
        """Every word that means something."""
        found = [w for name, (_, bench) in self.all.items() for w in (*bench.words, name)]
        return list(dict.fromkeys([*found, "vs", PLAIN]))

    @property
    def examples(self) -> list[tuple[str, str]]:
        """Expressions, each with the title of its game: that of the campaign first, plain sums last."""
        found = [(text, "a table of the campaign") for text in self.tables.examples]
        found += [(text, title) for title, bench in self.all.values() for text in bench.examples]
        return [*found, *((text, "a plain sum") for text in self.plain.examples)]

    def read(self, text: str) -> Reading:
        """Understand an expression, or raise BadDice."""
        if len(text) > MOST_TEXT:
            raise BadDice("this is too long for dice", MOST_TEXT, f"At most {MOST_TEXT:,} characters.")
        if bad := HOSTILE.search(text):
            raise BadDice(f"the character {name_of(bad[0])} does not belong in dice", bad.start(), "Take it out.")
        text = text.replace("\t", " ").replace("\n", " ")
        if self.tables.claims(text):
            return self.tables.read(text)
        text, goal = _goal(text)
        name, text = self._named(text)
        if not text.strip():
            raise BadDice("there are no dice here", 0, f"Write {self.examples[0][0]}, say.")
        found = self._one(name, text)
        return found if goal is None else replace(found, goal=goal)

    def _named(self, text: str) -> tuple[str, str]:
        """The game that the last word names, and the rest."""
        match = re.search(r"(\S+)\s*$", text)
        word = match[1].lower() if match else ""
        return (word, text[: match.start()]) if match and (word in self.all or word == PLAIN) else ("", text)

    def _one(self, name: str, text: str) -> Reading:
        if name == PLAIN:
            return self.plain.read(text)
        if name:
            return self._by(name, text)
        wrong: BadDice | None = None
        if self.own in self.all:
            try:
                return self._by(self.own, text)
            except BadDice as error:
                wrong = error
        claims = [n for n in self.all if n != self.own and self._claims(n, text)]
        if len(claims) == 1 and not (wrong and self._claims(self.own, text)):
            return self._by(claims[0], text)
        try:
            return self.plain.read(text)
        except BadDice as error:
            if wrong is not None and (wrong.at >= error.at or self._claims(self.own, text)):
                raise wrong from None
            if len(claims) > 1:
                remedy = f"End it with {' or '.join(claims)}."
                raise BadDice("more than one game reads this", len(text.rstrip()), remedy) from None
            raise

    def _claims(self, name: str, text: str) -> bool:
        try:
            return self.all[name][1].claims(text)
        except Exception:  # a stranger's code
            return False

    def _by(self, name: str, text: str) -> Reading:
        title, bench = self.all[name]
        try:
            return replace(bench.read(text), game=title)
        except BadDice:
            raise
        except TableError as error:
            raise BadDice(error.what, 0, error.remedy) from None
        except Exception as error:  # a stranger's code
            what = f"{title} fails to read this: {type(error).__name__}"
            raise BadDice(what, 0, f"Write {PLAIN} behind it for a plain sum.") from error

    def complete(self, text: str, cursor: int) -> tuple[int, list[str]]:
        """From which character on a word can be completed, and to what."""
        before = text[:cursor].casefold()
        benches = (self.tables, *(bench for _, bench in self.all.values()))
        names = dict.fromkeys(n for bench in benches for n in bench.names())
        known = [*names, *(w for w in self.known if w not in names)]
        # the longest beginning counts: names may have blanks in them
        for match in re.finditer(r"(?<![^\W_])(?=[^\W\d_])", before):
            begin = before[match.start() :]
            found = [name for name in known if name.casefold().startswith(begin) and len(name) > len(begin)]
            if found:
                return match.start(), found
        return cursor, []


def _goal(text: str) -> tuple[str, int | None]:
    """The number behind `>=`, and the rest."""
    match = re.search(r"(>=|≥)", text)
    if match is None:
        return text, None
    scan = Scan(text, match.end())
    minus = scan.skip().take("-−")
    number = scan.number(match[0], 0, MOST_NUMBER)
    if not scan.done:
        # the game may be named behind the number
        rest = text[scan.at :]
        if not re.fullmatch(r"\s*[^\W\d_]\w*\s*", rest):
            raise BadDice(f"{text[scan.at]!r} does not belong here", scan.at, "The number to meet comes last.")
        return text[: match.start()].ljust(scan.at) + rest, -number if minus else number
    return text[: match.start()], -number if minus else number
