"""Before a roll, where there is room: what each outcome will mean, and what another Lead would bring."""

from __future__ import annotations

from textwrap import wrap

from msgspec.structs import replace
from textual.content import Content

from ...rules import Line, Model, percent
from ..drawing.text import DIM, INK, TONES, cells, fit, heading, line, safe, share, with_more
from .panel import Panel

MOST = 7
"""Of those who could lead, that are listed."""
BAR = 24
"""Cells of a bar."""
LONGEST = 76
"""Columns of a sentence that is read easily."""


class LeadLine(Model):
    """Somebody who could lead, and the chance with them."""

    name: str
    hope: float
    leads: bool = False
    """Is it who leads now?"""


class Prospect(Model):
    """What the roll may come to."""

    means: tuple[Line, ...] = ()
    leads: tuple[LeadLine, ...] = ()
    able: int = 0
    """How many could lead: their rows are kept free until the chances are known."""
    waiting: str = ""


class ProspectPanel(Panel[Prospect]):
    """Two short lists."""

    DEFAULT_CSS = "ProspectPanel { display: none; height: 0; }"

    def show(self, part: Prospect) -> None:
        """As high as it will be once the chances are known: nothing below it moves when they come."""
        known = part.leads or (LeadLine("", 0.0),) * part.able
        self.styles.height = len(self._all(replace(part, leads=known), self.size.width or LONGEST))
        super().show(part)

    def lines(self, width: int) -> list[Content]:
        """What it will mean, then who else could lead."""
        return self._all(self.part or Prospect(), width)

    def _all(self, part: Prospect, width: int) -> list[Content]:
        means, leads = _means(part.means, width), _leads(part, width)
        return [*means, *leads, *([line(("", ""))] if leads else [])]


def _means(means: tuple[Line, ...], width: int) -> list[Content]:
    if not means:
        return []
    out, label = [heading("~ what it will mean", width)], max(cells(x.label) for x in means)
    for x in means:
        for i, piece in enumerate(wrap(safe(x.value), max(min(width - label - 4, LONGEST), 20))):
            out.append(line((f" {fit(x.label if not i else '', label)}  ", f"bold {TONES[x.tone]}"), (piece, INK)))
    return [*out, line(("", ""))]


def _leads(part: Prospect, width: int) -> list[Content]:
    leads, title = part.leads, "with another Lead"
    if len(leads) < 2:
        return [heading(title, width, note=part.waiting)] if part.waiting and part.able > 1 else []
    name = min(max(cells(x.name) for x in leads), max(width - BAR - 24, 12))
    rows = []
    for x in leads[:MOST]:
        rows.append(
            line(
                (f" {fit(x.name, name)} ", f"bold {INK}" if x.leads else INK),
                (f"{percent(x.hope):>6} ", f"bold {INK}"),
                *share(x.hope, BAR, "$good" if x.leads else DIM),
                ("  leads now" if x.leads else "", DIM),
            )
        )
    return [heading(title, width), *with_more(rows, 0, len(leads) - len(rows), width)]
