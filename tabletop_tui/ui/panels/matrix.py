"""People × actions: what each of them could do to help."""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content

from ...rules import Matrix, Model, Option
from ..commands import Press, key_for
from ..drawing.pools import TINTS
from ..drawing.text import ACCENT, DIM, INK, TONES, cells, change, fit, heading, line
from .panel import Panel


class Support(Model):
    """Who could help how."""

    matrix: Matrix | None = None
    changes: Mapping[tuple[int, int], float] = {}
    """By row and column: what it would change in the chance."""
    row: int = 0
    active: bool = False
    keyed: bool = True
    """Do digits choose? Where nobody plays they do not."""
    asked: frozenset[tuple[int, int]] = frozenset()
    """By row and column: what a player asks for."""
    led: bool = False
    """Does somebody lead?"""


class MatrixPanel(Panel[Support]):
    """Supporter × action: what each gives and changes, or why it is refused."""

    DEFAULT_CSS = "MatrixPanel { height: 6; }"

    names = 10
    column = 16

    def lines(self, width: int) -> list[Content]:
        """A row a supporter."""
        part = self.part or Support()
        matrix, here, active = part.matrix, part.row, part.active
        if matrix is None:
            why = "" if not active else " nobody can help with this" if part.led else " nobody leads yet"
            return [heading("who helps how", width), line((why, DIM))]
        chosen = sum(any(cell.chosen for cell in row.cells) for row in matrix.rows)
        note = f"{chosen} of {len(matrix.rows)} chosen" if matrix.rows else ""
        if active and here < len(matrix.rows):  # the skill that is meant, which no cell has room for
            row = matrix.rows[here]
            meant = [o.secret_note or o.note for o in row.cells if not o.closed and (o.secret_note or o.note)]
            note = f"{row.who}: {' or '.join(dict.fromkeys(meant))} · {note}" if meant else note
        self.names = min(max((cells(r.who) for r in matrix.rows), default=6), 14) + 2
        self.column = max((width - self.names) // max(len(matrix.columns), 1), 8)
        head = [(" " * self.names, "")]
        for i, column in enumerate(matrix.columns, 1):
            key = key_for(f"challenge.support.{i}", str(i)) if active and part.keyed else " "
            head += [(f"{key} ", f"bold {ACCENT}"), (fit(column, self.column - cells(key) - 1), DIM)]
        out = [heading("who helps how", width, note=note), line(*head)]
        for r, row in enumerate(matrix.rows):
            at = active and r == here
            spans = [("▸" if at else " ", ACCENT), (fit(row.who, self.names - 1), f"bold {INK}" if at else INK)]
            self.spot(len(out), Press("challenge.row", (r,)), 0, self.names)
            for c, option in enumerate(row.cells):
                spans += self._cell(option, part.changes.get((r, c)), (r, c) in part.asked)
                first = self.names + c * self.column
                self.spot(len(out), Press("challenge.cell", (r, c)), first, first + self.column)
            out.append(line(*spans))
        if not matrix.rows:
            out.append(line((" nobody else is here to help", DIM)))
        return out

    def _cell(self, option: Option, delta: float | None, asked: bool) -> list[tuple[str, str]]:
        room = self.column - 1
        if option.closed and not option.chosen:
            why = option.closed if cells(option.closed) + 2 <= room else option.closed.partition(":")[0]
            return [(fit(f"– {why}", room), DIM), (" ", "")]
        label = option.secret_label or option.label
        sign = "●" if option.chosen else "?" if asked else " "
        number = "" if delta is None else change(delta)
        gap = " " if cells(f"{sign} {label} {number}") <= room else ""
        if number and cells(f"{sign}{gap}{label} {number}") > room:
            label = ""  # the column says how, the number what it is worth
        text = fit(f"{sign}{gap}{label}", room - cells(number) - (1 if number else 0))
        if option.chosen:
            return [(f"{text}{' ' if number else ''}{number}", f"bold $good on {TINTS['good']}"), (" ", "")]
        tone = "good" if number[:1] == "+" else "bad" if number[:1] == "−" else "muted"
        return [
            (text, f"bold {ACCENT}" if asked else INK),
            (f"{' ' if number else ''}{number}", TONES[tone]),
            (" ", ""),
        ]
