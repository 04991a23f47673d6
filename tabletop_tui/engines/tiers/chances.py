"""Exact chances of what a pool comes to, in closed form: products of cumulative chances.

A pool is n dice of one tier and at most one Bonus Die. What a reroll does depends only on how many dice are at
their maximum, how many may be rerolled, whether the Bonus Die is among the lowest, and the best face when none is
at its maximum; so the chance of each such case is counted, and each case is a product of single dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import comb, prod

from ...rules import add, add_all, below, cumulative, from_cumulative
from .dice import top
from .world import SIDES, Tier, TiersRules

Table = tuple[float, ...]
"""P(≤ t) for t = 0, 1, …"""
Case = tuple[int, int, int, int]
"""The best kept face (0 where it does not matter), dice at their maximum, dice rerolled, and the Bonus Die: kept (0),
at its maximum (1) or rerolled (2)."""


@lru_cache(maxsize=64)
def faces(tier: Tier) -> dict[int, float]:
    """The chance of each face of one die."""
    return add_all(dict.fromkeys(range(1, sides + 1), 1 / sides) for sides in SIDES[tier])


@lru_cache(maxsize=64)
def exploded(tier: Tier, explodes_at: int) -> Table:
    """What a die at its maximum comes to, weighted by how it got there (omega may explode from several sums)."""
    tops = {f: p for f, p in faces(tier).items() if f >= explodes_at}
    whole = sum(tops.values())
    return tuple(cumulative(add({f: p / whole for f, p in tops.items()}, faces(tier))))


@lru_cache(maxsize=64)
def fresh(tier: Tier, explodes_at: int) -> Table:
    """What one die comes to, explosion included."""
    pmf = faces(tier)
    values = {f: p for f, p in pmf.items() if f < explodes_at}
    whole = sum(p for f, p in pmf.items() if f >= explodes_at)
    for value, p in from_cumulative(exploded(tier, explodes_at)).items():
        values[value] = values.get(value, 0.0) + whole * p
    return tuple(cumulative(values))


def highest(rules: TiersRules, tiers: Sequence[Tier]) -> dict[int, float]:
    """The result of a plain pool; an empty one is 0."""
    known = {tier: fresh(tier, top(rules, tier)) for tier in {*tiers}}
    return highest_of([known[tier] for tier in tiers])


def highest_of(tables: Sequence[Table]) -> dict[int, float]:
    """The single highest of dice, each by what it can come to."""
    size = max(map(len, tables), default=1)
    alike = [[p ** tables.count(t) for p in t] + [t[-1]] * (size - len(t)) for t in dict.fromkeys(tables)]
    return from_cumulative([prod(each) for each in zip(*alike, strict=True)] or [1.0])


@lru_cache(maxsize=1024)
def strength(rules: TiersRules, tiers: tuple[Tier, ...]) -> float:
    """What a plain pool comes to on average: the stronger of two has more."""
    return sum(value * p for value, p in highest(rules, tiers).items())


@lru_cache(maxsize=4096)
def duel(rules: TiersRules, mine: tuple[Tier, ...], theirs: tuple[Tier, ...]) -> tuple[float, float]:
    """The chances that the first of two plain pools is the higher one, and that they are level."""
    gaps = margins(highest(rules, mine), highest(rules, theirs))
    return sum(p for gap, p in gaps.items() if gap > 0), gaps.get(0, 0.0)


@lru_cache(maxsize=4096)
def led(
    rules: TiersRules, tier: Tier, count: int, bonus: Tier | None, rerolls: int, fortunate: bool
) -> dict[int, float]:
    """The Lead's result: Fortunate first, then the default rerolls, then explosions."""
    if bonus == tier:
        count, bonus = count + 1, None
    tops = {t: top(rules, t) for t in (tier, bonus or tier)}
    if count == 1 and bonus is None:
        return _lone(tier, tops[tier], rerolls, fortunate)
    cases: dict[Case, float] = {}
    # no Bonus Die is one that shows nothing and may not be rerolled
    extra = _die(bonus, fortunate) if bonus else {(0, True): 1.0}
    for (g, locked), p_bonus in extra.items():
        for case, p in _cases(tier, tops, count, bonus, g, locked, rerolls, fortunate):
            cases[case] = cases.get(case, 0.0) + p * p_bonus
    return _mix(cases, tier, tops, bonus)


def _die(tier: Tier, fortunate: bool) -> dict[tuple[int, bool], float]:
    """One die after Fortunate: a natural 1 was rerolled once and may not be rerolled again."""
    pmf = faces(tier)
    if not fortunate or 1 not in pmf:
        return {(f, False): p for f, p in pmf.items()}
    return {(f, False): p for f, p in pmf.items() if f != 1} | {(f, True): p * pmf[1] for f, p in pmf.items()}


def _cases(
    tier: Tier, tops: dict[Tier, int], n: int, bonus: Tier | None, g: int, locked: bool, rerolls: int, fortunate: bool
) -> Iterator[tuple[Case, float]]:
    """Every case of n dice beside a Bonus Die that shows g."""
    die, maximum = _die(tier, fortunate), tops[tier]
    p_max = sum(p for (f, _), p in die.items() if f >= maximum)
    bonus_max = bonus is not None and g >= tops[bonus]
    bonus_free = bonus is not None and not bonus_max and not locked

    def low(limit: int, locked: bool, start: int = 1) -> float:
        return sum(die.get((f, locked), 0.0) for f in range(start, min(limit, maximum - 1) + 1))

    # plain dice up to here go before the Bonus Die: of equal faces the larger die does
    cut = g if bonus and sum(SIDES[bonus]) < sum(SIDES[tier]) else g - 1
    # at least one plain die at its maximum: every free die below it may go
    for m in range(1, n + 1):
        for u_low in range(n - m + 1):
            for u_high in range(n - m - u_low + 1):
                held = n - m - u_low - u_high
                ways = comb(n, m) * comb(n - m, u_low) * comb(n - m - u_low, u_high)
                p = ways * p_max**m * low(cut, False) ** u_low * low(maximum, False, max(cut + 1, 1)) ** u_high
                gone, bonus_gone = _gone(u_low, u_high, bonus_free, rerolls)
                state = 1 if bonus_max else 2 * bonus_gone
                yield (0 if state else g, m, gone, state), p * low(maximum, True) ** held
    # only the Bonus Die at its maximum: any plain die may go, and one that is kept may be the highest all the same
    for u in range(n + 1 if bonus_max else 0):
        for best in range(maximum):
            held = n - u
            at, under = (low(b, True) ** held if b >= 0 else 0.0 for b in (best, best - 1))
            if u <= rerolls:
                p = low(maximum, False) ** u * (at - under)
            else:
                p = low(best, False) ** u * at - low(best - 1, False) ** u * under
            yield (best, 0, min(u, rerolls), 1), comb(n, u) * p
    # none at its maximum: the best face stays
    for best in range(1, 0 if bonus_max else maximum):
        for u_low in range(n + 1):
            for u_high in range(n - u_low + 1):
                held = n - u_low - u_high
                ways = comb(n, u_low) * comb(n - u_low, u_high)
                held_at, held_under = low(best, True) ** held, low(best - 1, True) ** held
                if best <= cut:
                    if not u_high:  # the Bonus Die is the best and stays
                        p = low(best, False) ** u_low * held_at - low(best - 1, False) ** u_low * held_under
                        yield (g, 0, min(rerolls, u_low), 0), ways * p
                    continue
                ways_low = ways * low(cut, False) ** u_low
                high_at, high_under = (low(b, False, max(cut + 1, 1)) ** u_high for b in (best, best - 1))
                by_held, by_free = high_at * (held_at - held_under), (high_at - high_under) * held_under
                for p, kept in ((by_held, 0), (by_free, 1)):
                    if p > 0.0:
                        gone, bonus_gone = _gone(u_low, u_high - kept, bonus_free, rerolls)
                        yield (best, 0, gone, 2 * bonus_gone), ways_low * p


def _gone(u_low: int, u_high: int, bonus_free: bool, rerolls: int) -> tuple[int, bool]:
    """How many plain dice are rerolled, and whether the Bonus Die is: the lowest first, the larger of equals."""
    plain = min(u_low, rerolls)
    left = rerolls - plain
    bonus = bonus_free and left > 0
    return plain + min(u_high, left - bonus), bonus


def _mix(cases: dict[Case, float], tier: Tier, tops: dict[Tier, int], bonus: Tier | None) -> dict[int, float]:
    burst, again = exploded(tier, tops[tier]), fresh(tier, tops[tier])
    extra = bonus or tier
    states = [(1.0,), exploded(extra, tops[extra]), fresh(extra, tops[extra])]
    size = max(len(burst), len(states[1]))
    out = [0.0] * size
    for (best, m, gone, state), p in cases.items():
        for value in range(best, size):
            out[value] += p * below(burst, value) ** m * below(again, value) ** gone * below(states[state], value)
    return from_cumulative(out)


def _lone(tier: Tier, maximum: int, rerolls: int, fortunate: bool) -> dict[int, float]:
    """A pool of one die is rerolled when it shows half its faces or fewer."""
    again = from_cumulative(fresh(tier, maximum))
    burst = from_cumulative(exploded(tier, maximum))
    out: dict[int, float] = {}
    for (face, locked), p in _die(tier, fortunate).items():
        goes = rerolls and not locked and 2 * face <= sum(SIDES[tier])
        for value, q in (burst if face >= maximum else again if goes else {face: 1.0}).items():
            out[value] = out.get(value, 0.0) + p * q
    return out


def margins(first: dict[int, float], second: dict[int, float]) -> dict[int, float]:
    """The chance of each gap between two results."""
    return add(first, {-value: p for value, p in second.items()})
