"""A small plot of the session: the counters over time, one row each on one scale."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from ...records import Series
from ..drawing.text import DIM, FAINT, INK, cells, fit, heading, line
from .panel import Panel

STEPS = "▁▂▃▄▅▆▇█"


def plot_lines(found: Sequence[Series], width: int) -> list[Content]:
    """A row a counter: its name, how it went, where it stands."""
    shown = [s for s in found if s.moved]
    if not shown:
        return [line((" no counter has moved yet", FAINT))]
    name = min(max(cells(s.name) for s in shown), width // 3)
    top = max([v for s in shown for v in s.values if v is not None] + [1])
    room = max(width - name - 8, 8)
    out = []
    for one in shown:
        marks = "".join(_mark(value, top) for value in _squeeze(one.values, room))
        now = next((v for v in reversed(one.values) if v is not None), 0)
        out.append(
            line((f" {fit(one.name, name)} ", DIM), (marks, DIM), (f" {now}", f"bold {INK}")),
        )
    return out


def _mark(value: int | None, top: int) -> str:
    if value is None:
        return " "
    return STEPS[min(max(round(value / top * (len(STEPS) - 1)), 0), len(STEPS) - 1)]


def _squeeze(values: Sequence[int | None], room: int) -> list[int | None]:
    """As many values as there is room for: the last of each stretch, so that the end is now."""
    if len(values) <= room:
        return list(values)
    return [values[(i + 1) * len(values) // room - 1] for i in range(room)]


class PlotPanel(Panel[tuple[Series, ...]]):
    """How the counters went."""

    DEFAULT_CSS = "PlotPanel { height: 4; }"

    def lines(self, width: int) -> list[Content]:
        """Under a heading."""
        found = self.part or ()
        return [heading("the session", width), *plot_lines(found, width)]
