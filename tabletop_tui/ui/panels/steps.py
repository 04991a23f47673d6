"""The whole log, to browse."""

from __future__ import annotations

from textwrap import wrap

from textual.content import Content

from ...rules import Model
from ...session import Step, local_time
from ..commands import Press
from ..drawing.text import ACCENT, DIM, FAINT, INK, cells, fit, heading, line, safe
from .panel import Panel

BEFORE = 18
"""Cells before a step's words: cursor, sign, number and time."""


class Steps(Model):
    """Steps, the one under the cursor, which is now, and how many entries are folded before each."""

    steps: tuple[Step, ...] = ()
    cursor: int = 0
    head: int = 0
    folded: tuple[int, ...] = ()
    """For each step, and for the end, how many undone ones lie before it."""


def _words(step: Step) -> str:
    """A step on one line: who, its name, what was said first; ~ where only the GM reads it."""
    said = step.said[0] if step.said else step.action
    secret = "~ " if step.whispers and step.whispers == len(step.said) else ""
    return f"{secret}{step.by + ': ' if step.by else ''}{f'★ {step.name}  ' if step.name else ''}{said}"


class StepsPanel(Panel[Steps]):
    """The steps around the cursor, the newest at the bottom."""

    DEFAULT_CSS = "StepsPanel { height: 1fr; }"

    def lines(self, width: int) -> list[Content]:
        """A line a step; its dice below the one under the cursor."""
        part = self.part or Steps()
        steps, cursor, head, folded = part.steps, part.cursor, part.head, part.folded
        out = [heading("what happened", width, note=f"entry {head} is now" if head else "")]
        for place, step in enumerate(steps):
            here = step.seq == cursor
            self._fold(out, folded[place] if folded else 0)
            self.spot(len(out), Press("log.point", (step.seq,)))
            text = _words(step)
            out.append(self._step(step, text, here, step.seq == head, width))
            if here:
                whole = (text,) if cells(text) > width - BEFORE else ()  # what was cut is told in full
                for more in (*whole, *step.dice, *step.said[1:]):
                    out += [line((f"{'':12}{one}", DIM)) for one in wrap(safe(more.strip()), max(width - 13, 20))]
        self._fold(out, folded[-1] if folded else 0)
        return out

    def _fold(self, out: list[Content], count: int) -> None:
        if count:
            self.spot(len(out), Press("log.all"))
            words = "1 step was taken back" if count == 1 else f"{count} steps were taken back"
            out.append(line((f" ↶{'':15}{words}", FAINT)))

    def _step(self, step: Step, words: str, here: bool, now: bool, width: int) -> Content:
        sign = "▶" if now else "↶" if step.undone else "✎" if step.edit else " "
        text = fit(f"{sign} {step.number:>5}  {local_time(step.at)}  {words}", width - 2)
        base = DIM if step.undone else INK
        style = f"{'bold ' if here or now else ''}{base}{' on $raised' if here else ''}"
        return line(("▸" if here else " ", f"{ACCENT}{' on $raised' if here else ''}"), (text, style))
