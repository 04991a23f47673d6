"""A row of the table, and how times are taken."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import mean, median
from typing import Literal

from msgspec import structs

from tabletop_tui.rules import Model

Unit = Literal["ms", "bytes", "MB", "% CPU"]
Pair = tuple[float, float]
"""Ours, and the reference right after it."""


class Row(Model):
    """One thing that was measured, and what it stands beside."""

    what: str
    ours: float
    unit: Unit = "ms"
    beside: float | None = None
    """The reference, in the same unit and the same run."""
    reference: str = ""
    most: float | None = None
    """The budget: of the ratio where there is a reference, else of the value itself."""
    over: bool = False
    """The budget is of what we have above the reference, rather than of the ratio."""
    middle: float | None = None
    """Of a percentile of many, each in turn with the reference: the ratio, the middle one of several processes."""

    def among(self, others: Sequence[Row]) -> Row:
        """Of the same thing measured by several processes: what took least; of percentiles the middle of each figure,
        as a process keeps what luck it had with its place in memory, and a slow machine strikes both."""
        if self.middle is not None:
            ours, beside, middle = (
                median(getattr(row, name) for row in (self, *others)) for name in ("ours", "beside", "middle")
            )
            return structs.replace(self, ours=ours, beside=beside, middle=middle)
        ours, beside = ([getattr(row, name) for row in (self, *others)] for name in ("ours", "beside"))
        return structs.replace(self, ours=min(ours), beside=None if None in beside else min(beside))

    @property
    def ratio(self) -> float | None:
        """Ours in units of the reference."""
        return self.middle or (self.ours / self.beside if self.beside else None)

    @property
    def weighed(self) -> float:
        """What the budget is about."""
        if self.over and self.beside is not None:
            return self.ours - self.beside
        return self.ours if self.ratio is None else self.ratio

    @property
    def kept(self) -> bool:
        """Is it within its budget?"""
        return self.most is None or self.weighed <= self.most

    @property
    def budget(self) -> str:
        """In words."""
        if self.most is None:
            return ""
        if self.over:
            return f"≤ {self.most:g} {self.unit} above"
        return f"≤ {self.most:g}×" if self.ratio is not None else f"≤ {self.most:g} {self.unit}"


def number(value: float, unit: str) -> str:
    """Three digits that matter."""
    shown = f"{value:,.0f}" if value >= 100 or unit == "bytes" else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
    return f"{shown} {unit}"


def timed(work: Callable[[], object]) -> float:
    """Milliseconds; what was made is thrown away outside the time, and the collector goes on."""
    begun = time.perf_counter()
    made = work()
    took = (time.perf_counter() - begun) * 1000
    gc.enable()
    del made
    return took


def best(work: Callable[[], object], times: int = 5) -> float:
    """The shortest of a few runs, in milliseconds."""
    took = []
    for _ in range(times):
        gc.collect()
        took.append(timed(work))
    return min(took)


def in_turn(one: Callable[[], float], other: Callable[[], float], times: int) -> Pair:
    """The shortest of a few of each, taken in turn."""
    mine, theirs = (min(some) for some in zip(*pairs_of(one, other, times, 0), strict=True))
    return mine, theirs


def best_of_both(work: Callable[[], object], other: Callable[[], object], times: int) -> Pair:
    """The shortest of a few runs of two pieces of work."""
    return in_turn(partial(best, work, 1), partial(best, other, 1), times)


def afresh(work: Callable[[], object], similar: Callable[[], object]) -> float:
    """Milliseconds of a run that knows nothing of those before it, in a process of its own.

    Something similar is done there first: a process takes its time when it uses for the first time what it was given.
    """
    out, into = os.pipe()
    if not (child := os.fork()):
        similar()
        os.write(into, str(best(work, 1)).encode())
        os._exit(0)
    os.close(into)
    took = float(os.read(out, 64))
    os.close(out)
    os.waitpid(child, 0)
    return took


def on_one_core() -> None:
    """Keep this process and those that it starts on one core: which of them wakes on a core that sleeps would move
    figures of a few milliseconds by a quarter."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def cut(times: Sequence[float], percent: int) -> float:
    """A percentile; the middle one as the mean of the middle half: of times that have two usual values, it jumps."""
    last, about = len(times) - 1, 25 if percent == 50 else 0
    low, high = (last * (percent + by) // 100 for by in (-about, about))
    return mean(sorted(times)[low : high + 1])


def ranked(what: str, pairs: Sequence[Pair], percent: int, reference: str, most: float | None) -> Row:
    """A percentile of each of two that took turns: whatever slows the machine down strikes both alike."""
    mine, theirs = (cut(some, percent) for some in zip(*pairs, strict=True))
    return Row(what, mine, "ms", theirs, reference, most, middle=mine / theirs)


def pairs_of(one: Callable[[], float], other: Callable[[], float], times: int, seconds: float) -> list[Pair]:
    """Some of each, taken in turn, so that a slow moment strikes both; for so long at least."""
    pairs, end = list[Pair](), time.perf_counter() + seconds
    while len(pairs) < times or time.perf_counter() < end:
        pairs.append((one(), other()))
    return pairs
