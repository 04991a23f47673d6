"""The whole log, to browse."""

from __future__ import annotations

from textwrap import wrap

from textual.content import Content

from ...rules import Model
from ...session import Step, local_time
from ...session.reader import TALK
from ..commands import Press
from ..drawing.text import ACCENT, DIM, FAINT, INK, cells, fit, heading, line, safe
from .panel import Panel


class Steps(Model):
    """Steps, the one under the cursor, which is now, and how many entries are folded before each."""

    steps: tuple[Step, ...] = ()
    cursor: int = 0
    head: int = 0
    folded: tuple[int, ...] = ()
    """For each step, and for the end, how many undone ones lie before it."""


def _words(step: Step) -> tuple[str, ...]:
    """A step in lines: who did it, its name and what was said; ~ before what only the GM reads."""
    said = step.said or (step.action,)
    first, *more = [f"{'~ ' if i >= len(said) - step.whispers else ''}{text}" for i, text in enumerate(said)]
    who = f"{step.by}: " if step.by and step.action not in TALK else ""  # talk says itself who talks
    return (f"{who}{f'★ {step.name}  ' if step.name else ''}{first}", *more)


class StepsPanel(Panel[Steps]):
    """The steps around the cursor, the newest at the bottom."""

    DEFAULT_CSS = "StepsPanel { height: 1fr; }"

    def lines(self, width: int) -> list[Content]:
        """Every step whole while there is room, else a line each; the one under the cursor always, its dice below it.
        Nothing of that is ever cut off."""
        part, room = self.part or Steps(), max(self.size.height - 1, 1)
        rows, under = self._rows(part, width, whole=True)
        if len(rows) > room:
            rows, under = self._rows(part, width, whole=False)
        first = max(min(under.start, under.stop - room), 0)  # what is under the cursor stays in sight
        for at, (_, press) in enumerate(rows[first : first + room], 1):
            if press is not None:
                self.spot(at, press)
        here = f"you are at entry {part.head}" if part.head else ""
        return [heading("what happened", width, note=here), *(one for one, _ in rows[first : first + room])]

    def _rows(self, part: Steps, width: int, *, whole: bool) -> tuple[list[tuple[Content, Press | None]], range]:
        """The rows with what a click on them does, and those of the step under the cursor."""
        rows: list[tuple[Content, Press | None]] = []
        under = range(0)
        for place, step in enumerate(part.steps):
            rows += _folded(part.folded[place] if part.folded else 0)
            drawn = self._step(step, step.seq == part.cursor, step.seq == part.head, width, whole=whole)
            if step.seq == part.cursor:
                under = range(len(rows), len(rows) + len(drawn))
            rows += [(one, Press("log.point", (step.seq,))) for one in drawn]
        return [*rows, *_folded(part.folded[-1] if part.folded else 0)], under

    def _step(self, step: Step, here: bool, now: bool, width: int, *, whole: bool) -> list[Content]:
        sign = "▶" if now else "↶" if step.undone else "✎" if step.edit else " "
        before = f"{sign} {step.number:>5}  {local_time(step.at)}  "
        first, *more = _words(step)
        base, room = DIM if step.undone else INK, width - cells(before) - 2
        style = f"{'bold ' if here or now else ''}{base}{' on $raised' if here else ''}"
        pieces = wrap(safe(first), max(room, 20)) or [""] if here or whole else [first]
        indent = " " * (cells(before) + 1)
        out = [line(("▸" if here else " ", f"{ACCENT}{' on $raised' if here else ''}"), (before, style))]
        out += [line((indent, style)) for _ in pieces[1:]]
        out = [begins + line((fit(piece, room), style)) for begins, piece in zip(out, pieces, strict=True)]
        details = (*(step.dice if here else ()), *more) if here or whole else ()
        told = [piece for one in details for piece in wrap(safe(one.strip()), max(room, 20))]
        return out + [line((indent + piece, DIM)) for piece in told]


def _folded(count: int) -> list[tuple[Content, Press | None]]:
    """How many steps were taken back there."""
    words = "1 step was taken back" if count == 1 else f"{count} steps were taken back"
    return [(line((f" ↶{'':15}{words}", FAINT)), Press("log.all"))] if count else []
