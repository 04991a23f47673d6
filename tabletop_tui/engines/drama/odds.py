"""Exact chances of net successes, in closed form: binomials, and one recursion for drama dice."""

from __future__ import annotations

from functools import lru_cache
from math import comb

from ...rules import Pmf, add, add_all
from .world import SUCCESSES

TAIL = 24
"""A drama die's value beyond which nothing is kept: the chance of more is below 6**-24 (2e-19), and it is put on the
last value, so that every table sums to 1 and is exact far beyond 1e-12."""


@lru_cache(maxsize=1)
def drama_die() -> dict[int, float]:
    """One drama die with all that its 6s bring.

    Its value is −1 for a 1, 0 for 2 and 3, 1 for 4 and 5, and for a 6 one more than another such die:
    p(v) = first(v) + p(v − 1) / 6, solved upwards from the lowest value.
    """
    first = {-1: 1 / 6, 0: 1 / 3, 1: 1 / 3}
    table: dict[int, float] = {}
    for value in range(-1, TAIL):
        table[value] = first.get(value, 0.0) + table.get(value - 1, 0.0) / 6
    table[TAIL] = 1.0 - sum(table.values())
    return table


@lru_cache(maxsize=256)
def binomial(count: int, chance: float) -> dict[int, float]:
    """How many of some dice succeed."""
    return {k: comb(count, k) * chance**k * (1 - chance) ** (count - k) for k in range(count + 1)}


@lru_cache(maxsize=256)
def drama_pool(count: int) -> dict[int, float]:
    """Several drama dice; what is less likely than 1e-18 is left out."""
    if count == 0:
        return {0: 1.0}
    half = drama_pool(count // 2)
    whole = add(half, half)
    if count % 2:
        whole = add(whole, drama_die())
    return {v: p for v, p in whole.items() if p > 1e-18}


@lru_cache(maxsize=1024)
def nets(base: int, resistance: int, drama: int) -> dict[int, float]:
    """The chance of each number of net successes."""
    minus = {-k: p for k, p in binomial(resistance, 1 / 3).items()}
    return add_all((binomial(base, 1 / 3), minus, drama_pool(drama)))


def ones(drama: int) -> dict[int, float]:
    """How many drama dice show a 1: a chain of 6s ends in a 1 with chance (1/6) / (5/6) = 1/5, and only there."""
    return binomial(drama, 1 / 5)


def read(pmf: Pmf) -> tuple[float, float, float]:
    """Success, marginal, failure."""
    success = sum(p for v, p in pmf.items() if v >= SUCCESSES)
    marginal = pmf.get(SUCCESSES - 1, 0.0)
    return success, marginal, sum(p for v, p in pmf.items() if v < SUCCESSES - 1)


def meet(first: Pmf, second: Pmf) -> tuple[dict[int, float], float, float, float]:
    """Two pools against each other: the chances of the first's lead, of a draw, of the other, of neither."""
    below = sum(p for v, p in second.items() if v < SUCCESSES)
    leads: dict[int, float] = {}
    draw = other = 0.0
    for a, p in first.items():
        for b, q in second.items():
            if a >= SUCCESSES and a > b:
                leads[a - b] = leads.get(a - b, 0.0) + p * q
            elif b >= SUCCESSES and b > a:
                other += p * q
            elif a >= SUCCESSES:
                draw += p * q
    neither = sum(p for v, p in first.items() if v < SUCCESSES) * below
    return leads, draw, other, neither
