"""A distribution as columns: a value each, or a few values where there are many."""

from __future__ import annotations

from textual.content import Content

from ...rules import percent
from ...workbench import Chances
from .text import DIM, FAINT, INK, TONES, Glyphs, Span, line

TAIL = 5e-4
"""What is rarer than this at either end is not drawn."""
EIGHTHS = " ▁▂▃▄▅▆▇"
WIDEST = 7
"""Cells of one column."""
LABELLED, NUMBERED = 6, 4
"""Cells that a column needs to have its chance written under it, and to have it as a number alone."""


class Axis:
    """Which values the columns stand for. Two charts that share an axis can be compared by eye."""

    def __init__(self, low: int, high: int, width: int) -> None:
        self.low = low
        count = high - low + 1
        self.step = -(-count // max(width, 1))
        self.columns = -(-count // self.step)
        self.cells = max(min(width // self.columns, WIDEST), 1)

    def values(self, column: int) -> tuple[int, int]:
        """The first value of a column and the first of the next."""
        begin = self.low + column * self.step
        return begin, begin + self.step

    def chances(self, found: Chances) -> list[float]:
        """The chance of each column."""
        return [found.at_least(a) - found.at_least(b) for a, b in map(self.values, range(self.columns))]


def axis_of(several: list[Chances], width: int) -> Axis:
    """An axis for one or more distributions."""
    ends = [found.within(TAIL) for found in several]
    return Axis(min(low for low, _ in ends), max(high for _, high in ends), width)


def columns(found: Chances, axis: Axis, top: float, height: int, goal: int) -> list[Content]:
    """So many rows of columns, the axis under them, and their chances; those that meet the goal are full."""
    heights = [p / top * height if top > 0 else 0.0 for p in axis.chances(found)]
    gap = 1 if axis.cells > 2 else 0
    out = []
    for row in range(height, 0, -1):
        spans: list[Span] = [(" ", "")]
        for column, tall in enumerate(heights):
            meets = axis.values(column)[1] > goal
            text = _cell(tall - (row - 1), meets, lowest=row == 1) * (axis.cells - gap) + " " * gap
            style = TONES["good"] if meets else DIM
            if len(spans) > 1 and spans[-1][1] == style:
                spans[-1] = (spans[-1][0] + text, style)
            else:
                spans.append((text, style))
        out.append(line(*spans))
    out.append(_labels(axis, goal))
    if axis.cells >= NUMBERED:
        out.append(line((f" {_chances(axis, axis.chances(found))}", DIM)))
    return out


def _chances(axis: Axis, chances: list[float]) -> str:
    """The chance of each column under it; in narrow ones the sign stands once, at the end."""
    short = axis.cells < LABELLED
    words = [percent(p) if p > 0 else "" for p in chances]
    shown = (word.removesuffix(" %") if short else word for word in words)
    return "".join(f"{word:<{axis.cells}}" for word in shown) + ("%" if short else "")


def _cell(part: float, meets: bool, *, lowest: bool) -> str:
    """One cell of a column, of which so much is filled. There is no part of a shade: only a whole one or none."""
    full = "█" if meets else "▒"
    if Glyphs.plain or not (meets or lowest):
        return full if part >= 0.5 else " "
    eighths = round(part * 8)
    return full if eighths >= (8 if meets else 4) else EIGHTHS[max(eighths, 0)]


def _every(axis: Axis) -> int:
    """The round number at whose multiples a value is written, so that they do not touch."""
    widest = max(len(f"{axis.values(column)[0]:,}") for column in (0, axis.columns - 1)) + 2
    every = 1
    while every * axis.cells < widest * axis.step:
        every = every * 2 if str(every)[0] in "15" else every // 2 * 5
    return every


def _labels(axis: Axis, goal: int) -> Content:
    """Values under their columns, as many as there is room for; the goal's own always."""
    size = axis.columns * axis.cells
    marks: dict[int, str] = {}
    every = _every(axis)
    aim = next((c for c in range(axis.columns) if axis.values(c)[0] <= goal < axis.values(c)[1]), -1)
    taken: list[tuple[int, int]] = []

    def put(column: int) -> None:
        first, after = axis.values(column)
        multiple = -(-first // every) * every
        text = f"{goal if column == aim else multiple if multiple < after else first:,}"
        at = min(column * axis.cells, max(size - len(text), 0))
        if all(at + len(text) < a or at > b for a, b in taken):
            taken.append((at, at + len(text)))
            marks[at] = text

    if aim >= 0:
        put(aim)
    here = min(marks, default=-1)
    for column in range(axis.columns):
        first, after = axis.values(column)
        if -(-first // every) * every < after:
            put(column)
    spans: list[Span] = [(" ", "")]
    place = 0
    for at in sorted(marks):
        spans += [(" " * (at - place), ""), (marks[at], f"bold {INK}" if at == here else FAINT)]
        place = at + len(marks[at])
    return line(*spans)
