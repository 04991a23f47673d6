"""Dice with an outcome that is told in full: what it costs whom is what the table waits for."""

from __future__ import annotations

from textwrap import wrap

from msgspec import structs
from textual.content import Content

from .page import Stage
from .pools import hand_lines, outcome_lines
from .text import DIM, INK, cells, heading, line, safe


class ToldStage(Stage):
    """As any stage; words that one line cannot hold go on below it. Shown: as a Stage."""

    def lines(self, width: int) -> list[Content]:
        """Dice, then the question, or the outcome and all that is said of it."""
        hands, prompt, outcome, *_ = self.shown or ((), None, None)
        if self.tray or prompt or not outcome:
            return super().lines(width)
        room = width - 2
        if cells(outcome.title) + cells(outcome.detail) + 9 <= room and cells(outcome.next) <= room:
            return super().lines(width)
        said = [(piece, INK) for piece in wrap(safe(outcome.detail), room)]
        said += [(piece, DIM) for piece in wrap(safe(outcome.next), room)]
        out = [heading("dice", width), *hand_lines(hands, set(), -1, width)]
        large = self.size.height - len(out) >= 3 + len(said)
        out += outcome_lines(structs.replace(outcome, detail="", next=""), width, large=large)[:3]
        return out + [line((f" {piece}", style)) for piece, style in said]
