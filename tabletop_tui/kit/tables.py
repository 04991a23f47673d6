"""Rollable tables: weather, names, complications; by weights or by dice, and one may call another.

A row's text may hold calls in braces: `{names}` rolls on another table, `{2d6}` throws dice. `problems` holds every
table to bounds that `roll` then cannot leave, however a hostile file is written.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from ..rules import Action, Ask, Chance, Choice, Dice, Event, Group, Model, RandomTable, Refused
from .told import Told

if TYPE_CHECKING:
    from ..workbench import Bench
    from ..workbench.plain import Term

MOST_ROWS = 1_000
MOST_WEIGHT = 10_000
MOST_DICE = 20
"""In one throw of a table."""
MOST_ROLLS = 50
"""Throws that one roll can lead to, through all tables that it calls."""
MOST_DEEP = 8
"""Tables that call each other in a row."""
MOST_TEXT = 1_000
"""Characters that one roll can give, through all tables that it calls."""

_BRACES = re.compile(r"\{([^{}]*)\}")
_DICE = re.compile(r"\s*[0-9]*[dD][0-9%]")
_SPAN = re.compile(r"\s*(-?[0-9]{1,6})\s*(?:[-–]\s*(-?[0-9]{1,6})|(\+))?\s*")
_FAR = 10**9

Tables = Mapping[str, RandomTable]


class Call(Model):
    """What stands in braces: another table, or dice."""

    table: str = ""
    dice: tuple[Term, ...] = ()


# ---- reading


def parts(text: str) -> list[str | Call]:
    """A row's text and its calls, in order; refuses dice that do not read and braces without a partner."""
    found: list[str | Call] = []
    at = 0
    for call in _BRACES.finditer(text):
        found += [text[at : call.start()], _call(call[1])]
        at = call.end()
    found.append(text[at:])
    if any("{" in part or "}" in part for part in found if isinstance(part, str)):
        raise Refused("a brace has no partner", remedy="Write {names} or {2d6}, and no other braces.")
    return [part for part in found if part != ""]


def _call(inside: str) -> Call:
    if _DICE.match(inside):
        return Call(dice=dice_of(inside))
    return Call(inside.strip())


def dice_of(text: str) -> tuple[Term, ...]:
    """Dice as the workbench reads them, at most a handful."""
    from ..workbench.plain import terms  # late: engines load this, and most tables need no dice

    found = terms(text)
    if sum(term.count for term in found if term.sides) > MOST_DICE:
        raise Refused(f"{text.strip()} are too many dice for a table", remedy=f"At most {MOST_DICE}.")
    return found


def span_of(on: int | str) -> tuple[int, int]:
    """The totals that a row is for: 7, "2-4", or "12+" for that and more."""
    match = _SPAN.fullmatch(str(on))
    if match is None:
        raise Refused(f"{str(on)[:20]!r} is not a range", remedy='Write on = 7, on = "2-4" or on = "12+".')
    low = int(match[1])
    high = _FAR if match[3] else int(match[2]) if match[2] else low
    if high < low:
        raise Refused(f"{on!r} ends before it begins", remedy=f'Write on = "{high}-{low}".')
    return low, high


def chances(table: RandomTable) -> list[float]:
    """How likely each row is, exactly."""
    if not table.dice:
        total = sum(row.weight for row in table.rows)
        return [row.weight / total for row in table.rows]
    from ..workbench.plain import sums

    totals = sums(dice_of(table.dice))
    spans = [span_of(row.on) for row in table.rows]
    return [sum(p for value, p in totals.items() if low <= value <= high) for low, high in spans]


def odds_of(table: RandomTable) -> Group:
    """A table's chances, row by row; what a row calls stands in braces, as it is written."""
    labels = [f"{row.on}: {row.text}" if table.dice else row.text for row in table.rows]
    found = zip(labels, chances(table), strict=True)
    return Group(table.title, tuple(Chance(label, p) for label, p in found))


# ---- rolling


HIDDEN = "…"
"""What everybody reads in place of what a secret table gave."""


class Fallen(Model):
    """What fell on a table."""

    text: str
    """All of it."""
    open: str
    """As far as everybody may read it: nothing of what secret tables gave."""
    row: int = 0
    """The place of the row on the table that was rolled on first."""


def roll(tables: Tables, name: str, dice: Dice, *, secret: bool = False) -> Fallen:
    """What falls on a table, calls and all. Pure: the same dice give the same text."""
    left = [MOST_ROLLS]

    def thrown(name: str, deep: int, secret: bool) -> Fallen:
        table = tables.get(name)
        left[0] -= 1
        if table is None or not table.rows or deep > MOST_DEEP or left[0] < 0:
            raise Refused(f"the table {name!r} cannot be rolled on", remedy="tabletop check says what is wrong.")
        secret = secret or table.secret
        row = _row(table, dice, secret)
        text = seen = ""
        for part in parts(table.rows[row].text):
            if isinstance(part, str):
                found = Fallen(part, part)
            elif part.dice:
                total = str(_total(dice, part.dice, table.title, secret))
                found = Fallen(total, total)
            else:
                found = thrown(part.table, deep + 1, secret)
            text, seen = text + found.text, seen + found.open
        return Fallen(text, HIDDEN if secret else seen, row)

    fell = thrown(name, 1, secret)
    text, seen = (" ".join(words.split()) for words in (fell.text, fell.open))
    if len(text) > MOST_TEXT:
        raise Refused(f"the table {name!r} gives too long a text", remedy="tabletop check says what is wrong.")
    return Fallen(text, "" if secret or tables[name].secret else seen, fell.row)


def _row(table: RandomTable, dice: Dice, secret: bool) -> int:
    """The place of the row that the dice choose."""
    if table.dice:
        total = _total(dice, dice_of(table.dice), table.title, secret)
        for place, row in enumerate(table.rows):
            low, high = span_of(row.on)
            if low <= total <= high:
                return place
        raise Refused(
            f"the table {table.title!r} has no row for {total}", remedy="tabletop check says what is wrong."
        )
    heights = list(accumulate(max(row.weight, 0) for row in table.rows))
    if not 1 <= heights[-1] <= MOST_ROWS * MOST_WEIGHT:
        raise Refused(f"the weights of {table.title!r} are wrong", remedy="tabletop check says how.")
    face = dice.roll(table.title, heights[-1], secret=secret)[0] if len(table.rows) > 1 else 1
    return bisect_left(heights, face)


def _total(dice: Dice, terms: tuple[Term, ...], why: str, secret: bool) -> int:
    """What dice come to; the total of those that count."""
    faces = iter(dice.roll(why, *(t.sides for t in terms if t.sides for _ in range(t.count)), secret=secret))
    total = 0
    for term in terms:
        fell = [next(faces) for _ in range(term.count)] if term.sides else [term.count]
        kept = sorted(fell, reverse=term.keep >= 0)[: abs(term.keep) or len(fell)]
        total += term.sign * sum(kept)
    return total


def bench(tables: Tables) -> Bench:
    """The tables on the dice workbench: each is read by its name, and completed."""
    from ..workbench import Bench, Chances, Fell, Reading

    class OnTables(Bench):
        examples = tuple(tables)

        def claims(self, text: str) -> bool:
            return self._named(text) in tables

        def read(self, text: str) -> Reading:
            name = self._named(text)
            table = tables[name]
            how = f"{table.dice}, " if table.dice else ""
            words = f"{table.title}: {how}{len(table.rows)} rows{'. ' + table.about if table.about else ''}"

            def throw(dice: Dice) -> Fell:
                fell = roll(tables, name, dice)
                return Fell(fell.row + 1, fell.text)

            return Reading(words, "", lambda: _work(table), throw, table=name)

        def names(self) -> Sequence[str]:
            return [*tables]

        def _named(self, text: str) -> str:
            wanted = " ".join(text.split()).casefold()
            return next((n for n, t in tables.items() if wanted in (n.casefold(), t.title.casefold())), "")

    def _work(table: RandomTable) -> Chances:
        pmf = dict(enumerate(chances(table), 1))
        return Chances.of(pmf, (odds_of(table),))

    return OnTables()


def table_choices(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The campaign's tables, with how many rows each has."""
    found = []
    for name, table in world.tables.items():
        rows = f"{len(table.rows)} rows" + (f", {table.dice}" if table.dice else "")
        found.append(Choice(name, table.title, note=rows))
    return found


class TableRolled(Told, tag="table_rolled"):
    """Something fell on a table."""

    rule = "a table of the campaign's own"
    table: str
    title: str
    text: str
    open: str = ""
    """The text as far as everybody may read it; empty where all of it is for the GM's eyes."""

    def apply(self, world: Any) -> Any:
        """What it means is for people to say."""
        return world

    def words(self, world: Any) -> str:
        """The table and what fell."""
        return f"{self.title}: {self.text}"

    def is_secret(self, world: Any) -> bool:
        """Where not everybody may read all of it."""
        return self.open != self.text

    def open_words(self, world: Any) -> str:
        """What is left of it."""
        return f"{self.title}: {self.open}" if self.open else ""


class RollTable(Action, tag="roll_table"):
    """Roll on one of the campaign's tables, for everybody or for the GM alone."""

    title = "roll on a table"
    table: Annotated[str, Ask(table_choices)]
    secret: Annotated[bool, Meta(title="for the GM's eyes")] = False

    @classmethod
    def when(cls, world: Any) -> str:
        """Where there are any."""
        return "" if world.tables else "the campaign has no tables: write tables/weather.toml, say"

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """It stands in the log, dice and all."""
        fell = roll(world.tables, self.table, dice, secret=self.secret)
        return (TableRolled(self.table, world.tables[self.table].title, fell.text, fell.open),)


ACTIONS: tuple[type[Action], ...] = (RollTable,)
EVENTS: tuple[type[Event], ...] = (TableRolled,)
