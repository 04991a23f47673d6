"""What stands on every screen: the top line, the counters, the log and the keys."""

from __future__ import annotations

from functools import lru_cache
from textwrap import wrap
from typing import Any

from textual.content import Content

from ..rules import Counter
from ..session import Step
from .panel import Panel
from .text import ACCENT, DIM, FAINT, INK, TONES, cells, heading, join, keycap, line, safe, spread


class TopLine(Panel):
    """Where we are, and the facts of it. Shown: campaign, title, facts, warning."""

    DEFAULT_CSS = "TopLine { height: 1; background: $bar; }"

    def lines(self, width: int) -> list[Content]:
        """One line."""
        campaign, title, facts, warning = self.shown or ("", "", "", "")
        left = (
            line((f" {campaign}", DIM), (" ▸ ", FAINT), (title, f"bold {INK}"))
            if title
            else line((f" {campaign}", INK))
        )
        right = line((f"▲ {warning} ", "bold $bad")) if warning else line((f"{facts} ", DIM))
        if warning and facts and left.cell_length + right.cell_length + cells(facts) + 3 <= width:
            right = line((f"{facts}  ", DIM)) + right
        return [spread(left, right, width)]


class Counters(Panel):
    """The numbers that matter, as meters, with the banner in the middle. Shown: counters, banner."""

    DEFAULT_CSS = "Counters { height: 1; background: $bar; }"

    def lines(self, width: int) -> list[Content]:
        """One line; counters that do not fit are left out whole."""
        counters, banner = self.shown or ((), "")
        head = line((f" {banner} ", "bold $on-accent on $tone-accent"), ("  ", INK)) if banner else line((" ", INK))
        room = width - head.cell_length
        shown: list[Content] = []
        for counter in counters:
            piece = meter(counter)
            if piece.cell_length + 3 > room:
                piece = meter(counter, slim=True)
            if piece.cell_length + 3 <= room:
                shown.append(piece)
                room -= piece.cell_length + 3
        return [head + join(shown, "   ")]


def meter(counter: Counter, slim: bool = False) -> Content:
    """A counter: its name, a bar where it has an end, its number, and what is to be said of it."""
    spans = [(f"{counter.name} ", DIM)]
    if counter.most and counter.most <= 12 and not slim:
        full = min(counter.value, counter.most)
        spans += [
            ("■" * full, TONES[counter.tone] if counter.tone else ACCENT),
            ("·" * (counter.most - full), FAINT),
            (" ", ""),
        ]
    elif counter.most is None and counter.tone and not slim:  # no end: a block each, as far as they can be counted
        spans.append(("■" * min(max(counter.value, 0), 8), TONES[counter.tone]))
        spans.append((" ", "") if counter.value > 0 else ("", ""))
    number = f"{counter.value}" if counter.most is None or not slim else f"{counter.value}/{counter.most}"
    spans.append((number, f"bold {INK}"))
    if counter.note and counter.tone == "warn":
        spans.append((f" ▲ {counter.note}", f"bold {TONES[counter.tone]}"))
    elif counter.note:
        spans.append((f" {counter.note}", FAINT))
    return line(*spans)


class LogPanel(Panel):
    """What just happened, the newest first. Shown: steps."""

    DEFAULT_CSS = "LogPanel { height: 1fr; min-height: 2; }"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.step_lines = lru_cache(maxsize=256)(step_lines)
        """Most of the steps in sight were there a moment ago."""

    def lines(self, width: int) -> list[Content]:
        """A step a line or more. Of what was undone and redone in a row the last is told: it says what it came to."""
        out = [heading("log", width)]
        back = 0
        for step in reversed((self.shown or ((),))[0]):
            moot = step.undone or step.action in ("undo", "redo")
            back = back + 1 if moot else 0
            if back > 1:
                if back == 2:
                    out.append(Content(""))
                out[-1] = line((f"        ↶ {back - 1} more: H has all of it", FAINT))
                continue
            out += self.step_lines(step, width, len(out) == 1)
            if len(out) > self.size.height:
                break
        return out


def step_lines(step: Step, width: int, first: bool = False) -> tuple[Content, ...]:
    """One step of the history."""
    style = FAINT if step.undone else INK if first else DIM
    sign = "↶ " if step.undone else "✎ " if step.edit else ""
    words = step.said or (step.action,)
    name = f"  ★ {step.name}" if step.name else ""
    out: list[Content] = []
    for i, text in enumerate(words):
        gm = "(GM) " if i >= len(step.said) - step.whispers else ""
        for piece in wrap(safe(f"{sign}{gm}{text}{name if not i else ''}"), max(width - 9, 20)) or [""]:
            time = f" {step.at[11:16]}  " if not out else " " * 8
            out.append(line((time, FAINT), (piece, style)))
    return tuple(out)


class KeyBar(Panel):
    """What can be pressed: whole items or none, never letters cut off; undo and help always stay.

    Shown: items as (key, label, closed, keep), and a message that stands in their place.
    """

    DEFAULT_CSS = "KeyBar { height: 1; background: $bar; }"

    def lines(self, width: int) -> list[Content]:
        """One line."""
        items, message = self.shown or ((), "")
        if message:
            return [line((f" {message}", "bold $warn"))]
        room = width - 1 - sum(cells(f"{k} {label}") + 2 for k, label, _, keep in items if keep)
        shown = []
        for key, label, closed, keep in items:
            size = cells(f"{key} {label}") + 2
            if keep or size <= room:
                shown.append(keycap(key, label, closed))
                room -= 0 if keep else size
        return [Content(" ") + join(shown)]
