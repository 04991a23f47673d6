"""People × actions: what each of them could do to help."""

from __future__ import annotations

from typing import Any

from textual.content import Content

from ..rules import Option
from .panel import Panel
from .text import ACCENT, DIM, FAINT, INK, TONES, cells, change, fit, heading, line

NOTHING: tuple[Any, dict[tuple[int, int], float], int, bool] = (None, {}, 0, False)


class MatrixPanel(Panel):
    """Supporter × action: what each gives and changes, or why it is refused. Shown: matrix, cells, row, active."""

    DEFAULT_CSS = "MatrixPanel { height: 6; }"

    names = 10
    column = 16

    def lines(self, width: int) -> list[Content]:
        """A row a supporter."""
        matrix, deltas, here, active = self.shown or NOTHING
        if matrix is None:
            return [heading("support", width), line((" nobody leads yet" if active else "", DIM))]
        self.names = min(max((cells(r.who) for r in matrix.rows), default=6), 14) + 3
        self.column = max((width - self.names) // max(len(matrix.columns), 1), 8)
        head = [(" " * self.names, "")]
        for i, column in enumerate(matrix.columns, 1):
            head += [(f" {i} ", f"bold {ACCENT}"), (fit(column, self.column - 3), DIM)]
        out = [heading("support", width, active), line(*head)]
        for r, row in enumerate(matrix.rows):
            at = active and r == here
            spans = [("▸ " if at else "  ", ACCENT), (fit(row.who, self.names - 2), f"bold {INK}" if at else INK)]
            for c, option in enumerate(row.cells):
                spans += self._cell(option, deltas.get((r, c)))
            self.rows[len(out)] = ("row", r)
            out.append(line(*spans))
        if not matrix.rows:
            out.append(line((" there is nobody else to help", DIM)))
        return out

    def _cell(self, option: Option, delta: float | None) -> list[tuple[str, str]]:
        room = self.column - 1
        if option.closed and not option.chosen:
            return [(fit(f" – {option.closed}", room), FAINT), (" ", "")]
        label = option.secret_label or option.label
        sign = "●" if option.chosen else " "
        number = "" if delta is None else change(delta)
        text = fit(f"{sign}{label}", room - cells(number) - (1 if number else 0))
        if option.chosen:
            return [(f"{text}{' ' if number else ''}{number}", "bold $on-accent on $good"), (" ", "")]
        tone = "good" if number[:1] == "+" else "bad" if number[:1] == "−" else "muted"
        return [(text, INK), (f"{' ' if number else ''}{number}", TONES[tone]), (" ", "")]

    def meaning(self, x: int, y: int) -> Any:
        """The cell that was clicked."""
        row = self.rows.get(y)
        if row is None:
            return None
        return ("cell", row[1], (x - self.names) // self.column) if x >= self.names else row
