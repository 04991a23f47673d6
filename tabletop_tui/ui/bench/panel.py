"""What the dice workbench draws: expressions, charts, chances and rolls."""

from __future__ import annotations

from textwrap import wrap

from textual.content import Content

from ...rules import Group, Model, Odds, percent
from ...workbench import Chances
from ..commands import Press
from ..drawing.chart import axis_of, columns
from ..drawing.pools import chance_lines
from ..drawing.text import DIM, INK, abreast, cells, fit, heading, line, safe, told
from ..panels.panel import Panel
from .expression import Expression

BAR = 12
"""Cells of the bar beside a row of a table."""
LOGGED = "in the log"
"""Stands before what was rolled into the log."""
TALLEST = 24
"""Rows of a chart."""


class Bench(Model):
    """All that the workbench shows."""

    entries: tuple[Expression, ...]
    active: Expression
    known: tuple[Expression, ...]
    """Those whose chances are known."""
    rolls: tuple[tuple[str, str], ...]
    fresh: int
    goal: int | None
    versus: tuple[Chances, Chances, tuple[float, float, float]] | None
    examples: tuple[tuple[str, str], ...]
    message: str = ""
    first_row: int = 0
    """Of a rollable table that is longer than its room."""

    @property
    def tables(self) -> list[Group]:
        """The chances of rollable tables."""
        found = [e.chances for e in self.entries if e.reading is not None and e.reading.table]
        return [group for chances in found if chances is not None for group in chances.groups]


class BenchPanel(Panel[Bench]):
    """All of the workbench between its bars."""

    DEFAULT_CSS = "BenchPanel { height: 1fr; }"

    def lines(self, width: int) -> list[Content]:
        """Expressions, chart, facts, rolls."""
        part = self.part
        if part is None:
            return []
        out: list[Content] = []
        for place, entry in enumerate(part.entries):
            waiting = "another one, to compare" if out else "dice, as you would write them"
            body = entry.lines(width, entry is part.active, waiting)
            for row in range(len(out), len(out) + len(body)):
                self.spot(row, Press("bench.line", (place,)))
            out += body
        if part.message:
            out += told(part.message, "bold $bad", width, sign="✗ ")
        room = self.size.height - len(out)
        most = 4 if room < 24 else 9
        rolls = _rolls(part, width, most)
        out += _chances(part, width, room - most)
        return [*out[: max(self.size.height - len(rolls), 3)], *rolls][: max(self.size.height, 1)]


def _rolls(part: Bench, width: int, most: int) -> list[Content]:
    """The last rolls of this visit, the newest first; their place is there before them."""
    if not part.rolls and not part.known:
        return []
    logged = any(LOGGED in value for value, _ in part.rolls)
    out = [heading("rolled here" if logged else "rolled here, in no log", width)]
    out += [] if part.rolls else [line((" nothing yet", DIM))]
    for i, (value, words) in enumerate(part.rolls):
        tone = INK if i < part.fresh else DIM
        first, *more = wrap(safe(words), max(width - cells(value) - 4, 20)) or [""]
        out.append(line((f" {value}  ", f"bold {tone}"), (first, tone)))
        out += [line((" " * (cells(value) + 3) + piece, tone)) for piece in more]
        if len(out) >= most:
            break
    return out[: max(most, 2)]


def _chances(part: Bench, width: int, room: int) -> list[Content]:
    """Chart, mean and chances; two charts beside each other share axis and scale."""
    shown = part.entries
    out: list[Content] = []
    for entry in shown:
        if entry.refused:
            out.append(line((f" {entry.name}: ", DIM), (entry.refused, "$warn")))
        elif entry.slow:
            out.append(line((f" {entry.name}: working …", DIM)))
    if not any(entry.text for entry in shown):
        return _examples(part, width)
    known = [(e, e.chances, e.reading) for e in part.known]
    goal = part.goal
    for group in part.tables:
        out += _table(group, width, max(room - len(out), 3), part.first_row)
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
        most = f"90 % from {low:,} to {high:,}"
        facts += f"  {most}" if each > 55 else ""
        meets = line((f" at least {goal:,}  ", DIM), (percent(found.at_least(goal)), f"bold {INK}"))
        once = f"exactly {percent(found.at_least(goal) - found.at_least(goal + 1))}"
        rest = f"   {once if each > 55 else most}"
        meets += line((rest if meets.cell_length + cells(rest) <= each else "", DIM))  # whole or not at all
        blocks.append([heading(name, each), *columns(found, axis, top, height, goal), line((facts, DIM)), meets])
    out += blocks[0] if len(blocks) == 1 else abreast(blocks[0], blocks[1], each, 2)
    versus = part.versus
    if len(several) == 2 and versus is not None and versus[0] is several[0] and versus[1] is several[1]:
        more, tie, fewer = versus[2]
        out.append(
            line((" A > B ", DIM), (percent(more), f"bold {INK}"), ("   tie ", DIM), (percent(tie), f"bold {INK}"))
            + line(("   B > A ", DIM), (percent(fewer), f"bold {INK}"))
        )
    return [*out, *groups]


def _table(group: Group, width: int, room: int, first: int) -> list[Content]:
    """A rollable table: each row with its chance, as many as there is room for."""
    rows: list[Content] = []
    most = max((c.chance for c in group.chances), default=1.0)
    for one in group.chances:
        bar = "━" * max(round(one.chance / most * BAR), 1)
        pieces = wrap(safe(one.label), max(width - BAR - 12, 20)) or [""]
        head = line((f" {percent(one.chance):>5} ", f"bold {INK}"), (f"{bar:<{BAR}}  ", DIM), (pieces[0], INK))
        rows += [head, *(line((" " * (BAR + 9) + piece, INK)) for piece in pieces[1:])]
    first = min(first, max(len(rows) - room + 1, 0))
    shown = rows[first : first + room - 1]
    left = len(rows) - first - len(shown)
    return [heading(group.name, width, note=f"{left} more below" if left else ""), *shown]


def _examples(part: Bench, width: int) -> list[Content]:
    """What can be written."""
    examples = part.examples
    room = max(cells(text) for text, _ in examples)
    out = [heading("examples", width)]
    return out + [line((f"     {fit(text, room)}  ", INK), (title, DIM)) for text, title in examples]
