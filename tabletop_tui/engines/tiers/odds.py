"""Exact odds of opposed rolls and challenges, in closed form: products of cumulative chances.

A pool is n dice of one tier and at most one Bonus Die. What a reroll does depends only on how many dice are at
their maximum, how many may be rerolled, whether the Bonus Die is among the lowest, and the best face when none is
at its maximum; so the chance of each such case is counted, and each case is a product of single dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb

from ...rules import add, below, cumulative, from_cumulative
from .dice import top
from .world import SIDES, Tier, TiersRules

Table = tuple[float, ...]
"""P(≤ t) for t = 0, 1, …"""


@lru_cache(maxsize=64)
def faces(tier: Tier) -> dict[int, float]:
    """The chance of each face of one die."""
    total: dict[int, float] = {0: 1.0}
    for sides in SIDES[tier]:
        total = add(total, dict.fromkeys(range(1, sides + 1), 1 / sides))
    return total


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
    tables = [fresh(t, top(rules, t)) for t in tiers]
    size = max((len(t) for t in tables), default=1)
    out = []
    for value in range(size):
        p = 1.0
        for table in tables:
            p *= below(table, value)
        out.append(p)
    return from_cumulative(out)


def led(
    rules: TiersRules, tier: Tier, count: int, bonus: Tier | None, rerolls: int, fortunate: bool
) -> dict[int, float]:
    """The Lead's result: Fortunate first, then the default rerolls, then explosions."""
    key = (tier, count, bonus, rerolls, fortunate, rules.omega_explodes_at)
    return _led(*key)


@lru_cache(maxsize=4096)
def _led(
    tier: Tier, count: int, bonus: Tier | None, rerolls: int, fortunate: bool, omega_top: int
) -> dict[int, float]:
    tops = {t: omega_top if t == "omega" else SIDES[t][0] for t in (tier, bonus or tier)}
    lone = count == 1 and bonus is None
    if lone:
        return _lone(tier, tops[tier], rerolls, fortunate)
    cases: dict[tuple[int, int, int, int, int], float] = {}
    # a case: best kept face (0 when irrelevant), dice at maximum, dice rerolled, and for the Bonus Die
    # whether it exploded (1) or is rerolled (2), with its kept face taken into the best face
    for g, locked, p_bonus in _states(bonus, fortunate):
        for case, p in _cases(tier, tops, count, bonus, g, locked, rerolls, fortunate):
            cases[case] = cases.get(case, 0.0) + p * p_bonus
    return _mix(cases, tier, tops, bonus)


def _states(bonus: Tier | None, fortunate: bool) -> list[tuple[int, bool, float]]:
    """Face and whether it was rerolled already, with its chance; (0, True) stands for no Bonus Die."""
    if bonus is None:
        return [(0, True, 1.0)]
    return [(f, lock, p) for (f, lock), p in _die(bonus, fortunate).items()]


def _die(tier: Tier, fortunate: bool) -> dict[tuple[int, bool], float]:
    """One die after Fortunate: a natural 1 was rerolled once and may not be rerolled again."""
    pmf = faces(tier)
    one = pmf.get(1, 0.0) if fortunate else 0.0
    out = {(f, False): p for f, p in pmf.items() if not (fortunate and f == 1)}
    if one:
        out.update({(f, True): p * one for f, p in pmf.items()})
    return out


def _cases(
    tier: Tier,
    tops: dict[Tier, int],
    n: int,
    bonus: Tier | None,
    g: int,
    g_locked: bool,
    rerolls: int,
    fortunate: bool,
) -> list[tuple[tuple[int, int, int, int, int], float]]:
    """Every case of n dice beside a Bonus Die that shows g."""
    die = _die(tier, fortunate)
    maximum = tops[tier]
    p_max = sum(p for (f, _), p in die.items() if f >= maximum)
    bonus_max = bonus is not None and g >= tops[bonus]
    bonus_free = bonus is not None and not bonus_max and not g_locked

    def low(limit: int, locked: bool, start: int = 1) -> float:
        return sum(die.get((f, locked), 0.0) for f in range(start, min(limit, maximum - 1) + 1))

    out: list[tuple[tuple[int, int, int, int, int], float]] = []
    # at least one die at its maximum: every free die below it may go
    for m in range(0 if bonus_max else 1, n + 1):
        for u_low in range(n - m + 1):  # free dice that show less than the Bonus Die: they go before it
            for u_high in range(n - m - u_low + 1):
                held = n - m - u_low - u_high
                ways = comb(n, m) * comb(n - m, u_low) * comb(n - m - u_low, u_high)
                p = ways * p_max**m * low(g - 1, False) ** u_low * low(maximum, False, max(g, 1)) ** u_high
                p *= low(maximum, True) ** held
                if p:
                    gone, bonus_gone = _gone(u_low, u_high, bonus_free, rerolls)
                    state = 1 if bonus_max else 2 if bonus_gone else 0
                    out.append(((0 if state else g, m, gone, state, 0), p))
    if bonus_max:
        return out
    # none at its maximum: the best face stays
    for best in range(1, maximum):
        for u_low in range(n + 1):
            for u_high in range(n - u_low + 1):
                held = n - u_low - u_high
                ways = comb(n, u_low) * comb(n - u_low, u_high)
                if best < g:
                    if u_high:
                        continue
                    p = ways * (
                        low(best, False) ** u_low * low(best, True) ** held
                        - low(best - 1, False) ** u_low * low(best - 1, True) ** held
                    )
                    if p:  # the Bonus Die is the best and stays
                        out.append(((g, 0, min(rerolls, u_low), 0, 0), p))
                    continue
                free_low = low(g - 1, False) ** u_low
                high_at, high_under = low(best, False, max(g, 1)), low(best - 1, False, max(g, 1))
                held_at, held_under = low(best, True), low(best - 1, True)
                by_held = free_low * high_at**u_high * (held_at**held - held_under**held)
                by_free = free_low * (high_at**u_high - high_under**u_high) * held_under**held
                for p, kept in ((by_held, 0), (by_free, 1)):
                    if p > 0.0:
                        gone, bonus_gone = _gone(u_low, u_high - kept, bonus_free, rerolls)
                        out.append(((best, 0, gone, 2 if bonus_gone else 0, 0), ways * p))
    return out


def _gone(u_low: int, u_high: int, bonus_free: bool, rerolls: int) -> tuple[int, bool]:
    """How many plain dice are rerolled, and whether the Bonus Die is: the lowest first, the larger of equals."""
    plain = min(u_low, rerolls)
    left = rerolls - plain
    bonus = bonus_free and left > 0
    return plain + min(u_high, left - bonus), bonus


def _mix(
    cases: dict[tuple[int, int, int, int, int], float], tier: Tier, tops: dict[Tier, int], bonus: Tier | None
) -> dict[int, float]:
    burst, again = exploded(tier, tops[tier]), fresh(tier, tops[tier])
    b_burst = exploded(bonus, tops[bonus]) if bonus else burst
    b_again = fresh(bonus, tops[bonus]) if bonus else again
    size = max(len(burst), len(again), len(b_burst), len(b_again))
    out = [0.0] * size
    for (best, m, gone, state, _), p in cases.items():
        for value in range(best, size):
            q = p * below(burst, value) ** m * below(again, value) ** gone
            if state:
                q *= below(b_burst if state == 1 else b_again, value)
            out[value] += q
    return from_cumulative(out)


def _lone(tier: Tier, maximum: int, rerolls: int, fortunate: bool) -> dict[int, float]:
    """A pool of one die is rerolled when it shows half its faces or fewer."""
    half = sum(SIDES[tier]) // 2
    again = from_cumulative(fresh(tier, maximum))
    burst = from_cumulative(exploded(tier, maximum))
    out: dict[int, float] = {}
    for (face, locked), p in _die(tier, fortunate).items():
        if face >= maximum:
            continue
        values = again if rerolls and not locked and face <= half else {face: 1.0}
        for value, q in values.items():
            out[value] = out.get(value, 0.0) + p * q
    p_max = sum(p for (f, _), p in _die(tier, fortunate).items() if f >= maximum)
    for value, q in burst.items():
        out[value] = out.get(value, 0.0) + p_max * q
    return out


def margins(first: dict[int, float], second: dict[int, float]) -> dict[int, float]:
    """The chance of each gap between two results."""
    out: dict[int, float] = {}
    for a, p in first.items():
        for b, q in second.items():
            out[a - b] = out.get(a - b, 0.0) + p * q
    return out
