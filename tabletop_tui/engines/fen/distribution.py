"""Exact chances of Fen's throws: sums of dice that explode without limit. Pure: no table is needed.

How far it is exact. Every explosion of a die of d sides has the chance 1/d, so the number of explosions in n dice is
negative binomial, and a total is at most d times (dice + explosions). A table of chances ends where that bound
leaves less than 1e-13 to all larger totals; below its end each entry is exact but for rounding, as nothing
larger can flow back. Comparing two throws therefore errs by less than 3e-13, far inside 1e-9.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from operator import sub

from msgspec.structs import replace

from ...rules import Refused
from ...workbench import still_wanted
from .dice import Throw

TAIL = 1e-13
"""The chance of all totals that a table leaves out."""
RARE = 1e-25
"""Totals at the low end that are rarer than this are left out; all of them together do not reach TAIL."""
MOST_WORK = 40_000_000
"""Dice times length of a table: beyond it exact chances would keep the table waiting."""

Table = tuple[float, ...]
"""The chance of each total 0, 1, …"""


def distribution(throw: Throw) -> Table:
    """The chance of each total of a throw."""
    if throw.also:
        return _both(replace(throw, also=None), throw.also)
    plain = _sums(throw.sizes, throw.explosive)
    if not throw.twice:
        return plain
    # the lower of two equal throws is at least t when both are
    reach = [r * r for r in survival(plain)]
    return tuple(map(sub, reach, [*reach[1:], 0.0]))


def survival(table: Sequence[float]) -> list[float]:
    """P(total ≥ t) for t = 0, 1, …, added up from the small end so that rare totals keep their digits."""
    return list(accumulate(reversed(table)))[::-1]


def mean(throw: Throw) -> float:
    """The average total. A die's own is (d + 1) / 2, and d / (d - 1) times as much where it explodes."""
    if throw.also:
        return mean(replace(throw, also=None)) + mean(throw.also)
    if not throw.twice:
        return sum((d + 1) / 2 * (d / (d - 1) if throw.explosive else 1) for d in throw.sizes)
    return sum(total * p for total, p in enumerate(distribution(throw)))


def at_least(throw: Throw, number: int) -> float:
    """The chance of meeting a number."""
    table = _survival(throw)
    return 1.0 if number <= len(throw.sizes) else table[number] if number < len(table) else 0.0


def beats(first: Throw, second: Throw) -> float:
    """The chance that the aggressor's total is higher: a tie is the defender's."""
    mine = distribution(first)
    return sum(p * q for p, q in zip(mine, lower(second, len(mine)), strict=True))


def lower(throw: Throw, size: int) -> list[float]:
    """P(total < t) for t = 0 … size - 1."""
    table = [0.0, *accumulate(distribution(throw))][:size]
    return table + [1.0] * (size - len(table))


def many(first: Throw, defenders: Sequence[Throw]) -> list[float]:
    """The chance of beating exactly k of the defenders, k = 0 … n, with one roll for all of them.

    The defenders are independent only once the aggressor's total lies on the table, so it is mixed over it.
    """
    mine = distribution(first)
    theirs = [lower(d, len(mine)) for d in defenders]
    out = [0.0] * (len(defenders) + 1)
    for total, p in enumerate(mine):
        if p < 1e-18:
            continue
        counts = [p]
        for table in theirs:
            q = table[total]
            counts = [a * (1 - q) + b * q for a, b in zip([*counts, 0.0], [0.0, *counts], strict=True)]
        out = [a + b for a, b in zip(out, counts, strict=True)]
    return out


@lru_cache(maxsize=256)
def _both(first: Throw, second: Throw) -> Table:
    """Two throws in one sum."""
    mine, theirs = distribution(first), distribution(second)
    if len(mine) * len(theirs) > MOST_WORK:
        raise Refused("exact chances of so many dice would take too long", remedy="Ask for fewer or smaller dice.")
    out = [0.0] * (len(mine) + len(theirs) - 1)
    for total, p in enumerate(mine):
        if p > RARE:
            still_wanted()
            for more, q in enumerate(theirs, total):
                out[more] += p * q
    return tuple(out)


@lru_cache(maxsize=256)
def _survival(throw: Throw) -> list[float]:
    return survival(distribution(throw))


@lru_cache(maxsize=256)
def _sums(sizes: tuple[int, ...], explosive: bool) -> Table:
    counts = Counter(sizes)
    beyond = sum(d * _explosions(n, d, TAIL / len(counts)) for d, n in counts.items()) if explosive else 0
    if len(sizes) * (sum(sizes) + beyond) > MOST_WORK:
        raise Refused(
            f"exact chances of {len(sizes):,} such dice would take too long", remedy="Ask for fewer or smaller dice."
        )
    least, most, table = 0, 0, [1.0]
    for d in sizes:
        still_wanted()
        least, most = least + 1, most + d
        table = _with_die(table, d, explosive, most + beyond + 1 - least)
        rare = next(i for i, p in enumerate(table) if p > RARE)
        least, table = least + rare, table[rare:]
    return (*[0.0] * least, *table)


def _explosions(n: int, d: int, tail: float) -> int:
    """A number of explosions that n dice of d sides exceed with a chance below `tail`."""
    p = (1 - 1 / d) ** n
    k = 0
    # the terms after k shrink by `ratio` or faster, so that all of them sum to less than a geometric series
    while True:
        ratio = (n + k) / ((k + 1) * d)
        left = p * ratio / (1 - ratio) if ratio < 1 else 1.0
        if left < tail:
            return k
        k += 1
        p *= (n + k - 1) / (k * d)


def _with_die(table: list[float], d: int, explosive: bool, size: int) -> list[float]:
    """One more die on a sum, in time proportional to the table, which then begins one total later.

    A die that does not reach its maximum adds 1 … d-1: a window over running sums. Each explosion adds d with the
    chance 1/d before that: out[t] = in[t] + out[t - d] / d, which holds all explosions at once.
    """
    share = 1 / d
    running = list(accumulate(table))[:size]
    running += [running[-1]] * (size - len(running))
    top = d - 1 if explosive else d
    out = [share * (a - b) for a, b in zip(running, [0.0] * top + running, strict=False)]
    if explosive:
        for r in range(min(d, size)):
            out[r::d] = accumulate(out[r::d], lambda before, here: before * share + here)
    return out
