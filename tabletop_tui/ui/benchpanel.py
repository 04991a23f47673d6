"""What the dice workbench draws: expressions, charts, chances and rolls."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.content import Content

from ..rules import Odds, percent
from .chart import axis_of, columns
from .panel import Panel
from .pools import chance_lines
from .text import ACCENT, DIM, FAINT, INK, cells, fit, heading, line

if TYPE_CHECKING:
    from .workbench import Workbench

TALLEST = 16
"""Rows of a chart."""


class BenchPanel(Panel):
    """All of the workbench between its two bars."""

    DEFAULT_CSS = "BenchPanel { height: 1fr; }"

    def lines(self, width: int) -> list[Content]:
        """Expressions, chart, facts, rolls."""
        screen = cast("Workbench", self.screen)
        out: list[Content] = []
        for entry in screen.shown_entries:
            waiting = "another one, to compare" if out else "dice, as you would write them"
            body = entry.lines(width, entry is screen.active, waiting)
            self.rows |= dict.fromkeys(range(len(out), len(out) + len(body)), entry.name)
            out += body
        room = self.size.height - len(out)
        rolls = _rolls(screen, width, 4 if room < 24 else 9)
        out += _chances(screen, width, room - len(rolls))
        return [*out[: self.size.height - len(rolls)], *rolls]


def _rolls(screen: Workbench, width: int, most: int) -> list[Content]:
    """The last rolls of this visit, the newest first."""
    if not screen.rolls:
        return []
    out = [heading("rolled here, in no log", width)]
    for i, (value, words) in enumerate(list(screen.rolls)[: most - 1]):
        new = i < screen.fresh
        out.append(line((f" {value}  ", f"bold {ACCENT if new else DIM}"), (words, INK if new else DIM)))
    return out


def _chances(screen: Workbench, width: int, room: int) -> list[Content]:
    """Chart, mean and chances; two charts beside each other share axis and scale."""
    shown = screen.shown_entries
    out: list[Content] = []
    for entry in shown:
        if entry.refused:
            out.append(line((f" {entry.name}: ", DIM), (entry.refused, "$warn")))
        elif entry.slow:
            out.append(line((f" {entry.name}: working …", DIM)))
    if not any(entry.text for entry in shown):
        return _examples(screen, width)
    known = [(e, e.chances, e.reading) for e in screen.known]
    goal = screen.goal
    if not known or goal is None:
        return out
    each = width if len(known) == 1 else width // 2 - 1
    several = [found for _, found, _ in known if found is not None]
    axis = axis_of(several, each - 2)
    top = max(max(axis.chances(found)) for found in several)
    groups = chance_lines(Odds(several[0].groups), width) if len(known) == 1 else []
    groups = groups[: max(room - 9, 0)]
    height = max(min(room - len(out) - len(groups) - 5 - (len(known) > 1), TALLEST), 2)
    blocks = []
    for entry, found, reading in known:
        assert found is not None
        assert reading is not None
        low, high = found.within(0.05)
        name = f"{entry.name}: {reading.number}" if len(known) > 1 else reading.number
        facts = f" mean {found.mean:,.2f}  spread {found.spread:,.2f}"
        most = f"nine of ten from {low:,} to {high:,}" if each > 55 else f"90 % {low:,} to {high:,}"
        facts += f"  {most}" if each > 55 else ""
        meets = line((f" at least {goal:,}  ", DIM), (percent(found.at_least(goal)), f"bold {INK}"))
        once = f"exactly {percent(found.at_least(goal) - found.at_least(goal + 1))}"
        meets += line((f"   {once if each > 55 else most}", FAINT))
        blocks.append([heading(name, each), *columns(found, axis, top, height, goal), line((facts, DIM)), meets])
    out += blocks[0] if len(blocks) == 1 else [_beside(a, b, each) for a, b in zip(*blocks, strict=True)]
    versus = screen.versus
    if len(several) == 2 and versus is not None and versus[0] is several[0] and versus[1] is several[1]:
        more, tie, fewer = versus[2]
        out.append(
            line((" A > B ", DIM), (percent(more), f"bold {INK}"), ("   tie ", DIM), (percent(tie), f"bold {INK}"))
            + line(("   B > A ", DIM), (percent(fewer), f"bold {INK}"))
        )
    return [*out, *groups]


def _examples(screen: Workbench, width: int) -> list[Content]:
    """What can be written."""
    examples = screen.benches.examples
    room = max(cells(text) for text, _ in examples)
    out = [heading("examples", width)]
    return out + [line((f"     {fit(text, room)}  ", INK), (title, DIM)) for text, title in examples]


def _beside(left: Content, right: Content, width: int) -> Content:
    return left.truncate(width, ellipsis=True, pad=True) + Content("  ") + right.truncate(width, ellipsis=True)
