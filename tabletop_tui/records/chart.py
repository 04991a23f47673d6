"""Counters as inline SVG: each line has its own dashes and marks, so that colour is never the only sign."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from .counters import Series, sample

WIDTH, HEIGHT = 720, 230
LEFT, RIGHT, TOP, BOTTOM = 34, 12, 20, 24
LINES = 4
"""So many lines can be told apart in one chart."""
ALIKE = 4
"""Counters whose largest values differ by more than this factor stand in charts of their own."""
COLUMNS = 240
LABEL = 24
"""The room that a scene's number needs."""
MARKS = 8
"""Marks along a line."""

Chart = list[Series]


def charts(series: Sequence[Series]) -> list[Chart]:
    """The counters that moved, those of like size together."""
    found: list[Chart] = []
    for one in series:
        if not one.moved:
            continue
        room = next((c for c in found if len(c) < LINES and all(_alike(one, other) for other in c)), None)
        if room is None:
            found.append([one])
        else:
            room.append(one)
    return found


def _alike(first: Series, second: Series) -> bool:
    low, high = sorted((max(_top(first), 1), max(_top(second), 1)))
    return high <= low * ALIKE


def _top(one: Series) -> int:
    return max((abs(v) for v in one.values if v is not None), default=0)


def svg(chart: Chart, scenes: Sequence[int] = ()) -> str:
    """One chart; `scenes` are the entries with which a scene begins."""
    return "".join(_svg(chart, scenes))


def sign(place: int) -> str:
    """A line's dashes, colour and mark, for the legend."""
    return (
        f'<svg class="sign" viewBox="0 0 34 12" width="34" height="12" aria-hidden="true">'
        f'<path class="line l{place}" d="M1 6H33"/>{_mark(place, 17, 6)}</svg>'
    )


def _svg(chart: Chart, scenes: Sequence[int]) -> Iterator[str]:
    entries = chart[0].entries
    known = [v for one in chart for v in one.values if v is not None]
    grid = ticks(min((*known, 0)), max((*known, 1)))
    low, high = grid[0], grid[-1]
    last = max(len(entries) - 1, 1)

    def x(place: int) -> float:
        return LEFT + place * (WIDTH - LEFT - RIGHT) / last

    def y(value: int) -> float:
        return HEIGHT - BOTTOM - (value - low) * (HEIGHT - TOP - BOTTOM) / (high - low)

    names = ", ".join(one.name for one in chart)
    yield f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(names)} over time">'
    for value in grid:
        yield f'<path class="grid" d="M{LEFT} {y(value):.1f}H{WIDTH - RIGHT}"/>'
        yield f'<text class="tick" x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value}</text>'
    free = 0.0
    for number, entry in enumerate(scenes, 1):
        at = x(next((i for i, e in enumerate(entries) if e >= entry), last))
        yield f'<path class="scene" d="M{at:.1f} {TOP - 4}V{HEIGHT - BOTTOM}"/>'
        if at >= free and at < WIDTH - RIGHT - LABEL:
            yield f'<text class="tick" x="{at + 3:.1f}" y="{TOP - 6}">§{number}</text>'
            free = at + LABEL
    for place in sorted({round(last * i / 4) for i in range(5)} & set(range(len(entries)))):
        anchor = "end" if place == last else "start" if not place else "middle"
        words = f"entry {entries[place]}" if not place else str(entries[place])
        yield f'<text class="tick" x="{x(place):.1f}" y="{HEIGHT - 8}" text-anchor="{anchor}">{words}</text>'
    for number, one in enumerate(chart):
        shown = sample(range(len(entries)), COLUMNS)
        points = [(x(i), None if (v := one.values[i]) is None else y(v)) for i in shown]
        yield f'<path class="line l{number}" d="{_steps(points)}"/>'
        for index in range(MARKS):
            # marks of different lines stand at different places, so that lines on top of each other are seen
            at, height = points[round((index + (number + 0.5) / LINES) * (len(points) - 1) / MARKS)]
            if height is not None:
                yield _mark(number, at, height)
    yield "</svg>"


def _steps(points: Sequence[tuple[float, float | None]]) -> str:
    """A counter keeps its value until it changes, so the line is a stair; gaps stay open."""
    out, drawing = [], False
    for at, height in points:
        if height is None:
            drawing = False
            continue
        out.append(f"H{at:.1f}V{height:.1f}" if drawing else f"M{at:.1f} {height:.1f}")
        drawing = True
    return "".join(out)


def ticks(low: int, high: int) -> range:
    """A few round numbers, the lowest and the highest between them."""
    step = 1
    while (high - low) / step > 5:
        step = {"1": 2, "2": 5, "5": 10}[str(step)[0]] * 10 ** (len(str(step)) - 1)
    return range(low // step * step, -(-high // step) * step + 1, step)


def _mark(place: int, x: float, y: float) -> str:
    shape = (
        f"M{x - 3.5:.1f} {y:.1f}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
        f"M{x - 3.2:.1f} {y - 3.2:.1f}h6.4v6.4h-6.4z",
        f"M{x:.1f} {y - 4.2:.1f}l4.2 7.4h-8.4z",
        f"M{x:.1f} {y - 4.5:.1f}l4.5 4.5l-4.5 4.5l-4.5 -4.5z",
    )[place]
    return f'<path class="mark m{place}" d="{shape}"/>'
