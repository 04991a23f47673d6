"""Exact chances, and the arithmetic that most dice games share."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from .model import Model

Tone = Literal["", "good", "warn", "bad", "muted"]
"""How something reads; every tone has a second sign on the screen besides its colour."""

Pmf = Mapping[int, float]
"""The chance of each value of a whole-numbered result."""


class Chance(Model):
    """How likely one thing is."""

    label: str
    chance: float
    tone: Tone = ""
    value: int | None = None
    """In a group of "at least": at least this."""


class Group(Model):
    """Chances that belong together; they sum to 1 unless they are "at least"s."""

    name: str
    chances: tuple[Chance, ...]
    at_least: bool = False
    overall: bool = False
    """Not settled by this roll alone: the chance to win the whole challenge or contest, and labelled so."""


class Part(Model, kw_only=True):
    """Some dice of a pool and where they come from."""

    source: str
    dice: str
    note: str = ""
    tone: Tone = ""
    secret: bool = False


class Pool(Model, kw_only=True):
    """Everything that one side rolls."""

    who: str
    parts: tuple[Part, ...]
    secret: bool = False


class Odds(Model):
    """What an action would roll, and the exact chances of all that can come of it.

    The first group is the outcome.
    """

    groups: tuple[Group, ...]
    pools: tuple[Pool, ...] = ()
    secret: bool = False
    hopes: tuple[str, ...] | None = None
    """The labels of the first group that the acting side hopes for; the first of them where nothing is said."""

    @property
    def hope(self) -> float:
        """*The* chance, which lists show: that of what the acting side hopes for."""
        hoped = self.hoped
        return sum(c.chance for c in self.groups[0].chances if c.label in hoped) if self.groups else 0.0

    @property
    def hoped(self) -> tuple[str, ...]:
        """The labels of the first group that the acting side hopes for."""
        if self.hopes is not None:
            return self.hopes
        return tuple(c.label for c in self.groups[0].chances[:1]) if self.groups else ()

    @property
    def hoped_words(self) -> str:
        """What the chance is of, in words: success; complications or failure, where the GM hopes for those."""
        able = {c.label for c in self.groups[0].chances if c.chance > 0} if self.groups else set()
        return " or ".join([label for label in self.hoped if label in able] or self.hoped[:1])


FEW = 1_000
"""Pairs of values up to which results are added one by one."""


def cumulative(pmf: Pmf) -> list[float]:
    """P(result ≤ t) for t = 0 … the largest value."""
    total, out = 0.0, []
    for value in range(max(pmf) + 1):
        total += pmf.get(value, 0.0)
        out.append(total)
    return out


def below(table: Sequence[float], value: int) -> float:
    """P(result ≤ value) from a cumulative table, for any value."""
    return 0.0 if value < 0 else table[min(value, len(table) - 1)]


def from_cumulative(table: Sequence[float]) -> dict[int, float]:
    """Chances of single values from a cumulative table."""
    return {v: p for v in range(len(table)) if (p := table[v] - (table[v - 1] if v else 0.0)) > 0.0}


def add(first: Pmf, second: Pmf) -> dict[int, float]:
    """The sum of two independent results."""
    if len(first) * len(second) > FEW and _is_dense(first) and _is_dense(second):
        return _add_rows(first, second)
    out: dict[int, float] = {}
    for a, p in first.items():
        for b, q in second.items():
            out[a + b] = out.get(a + b, 0.0) + p * q
    return out


def _is_dense(pmf: Pmf) -> bool:
    return max(pmf) - min(pmf) < 3 * len(pmf)


def _add_rows(first: Pmf, second: Pmf) -> dict[int, float]:
    """The same of many values: a row of sums at a time, which is several times as fast."""
    least, low, high = min(first), min(second), max(second)
    row = [second.get(value, 0.0) for value in range(low, high + 1)]
    sums = [0.0] * (max(first) - least + len(row))
    for value, p in first.items():
        at = value - least
        sums[at : at + len(row)] = [before + p * q for before, q in zip(sums[at : at + len(row)], row, strict=True)]
    return {value: p for value, p in enumerate(sums, least + low) if p}


def add_all(results: Iterable[Pmf]) -> dict[int, float]:
    """The sum of independent results."""
    total: dict[int, float] = {0: 1.0}
    for one in results:
        total = add(total, one)
    return total


def percent(chance: float) -> str:
    """A chance for people: never 0 % for what can happen, never 100 % for what can fail."""
    if 0 < chance < 0.005:
        return "<1 %"
    if 0.995 < chance < 1 - 1e-12:
        return ">99 %"
    return f"{chance * 100:.0f} %"
