"""Counters: squares where they have an end, a number always, dropped whole where room is short."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from textual.content import Content

from ...rules import Counter
from ..commands import key_for
from .text import ACCENT, DIM, FAINT, INK, TONES, cells, fit, line

MOST_SQUARES = 12
"""A counter with more steps is told by its number alone."""
KNOWN = 8
"""Letters by which a counter is known."""


def meter(counter: Counter, slim: bool = False, *, signs: str = "■·") -> Content:
    """A counter: its name, squares where it has an end, its number, and what is to be said of it.

    The signs of what is full and what is empty may be others: somebody's own counters are drawn as lines.
    """
    spans = [("~ " if counter.secret else "", DIM), (f"{counter.name} ", DIM)]
    if counter.most and counter.most <= MOST_SQUARES and not slim:
        full = min(max(counter.value, 0), counter.most)
        spans += [
            (signs[0] * full, TONES[counter.tone] if counter.tone else DIM),
            (signs[1] * (counter.most - full), FAINT),
            (" ", ""),
        ]
    elif counter.most is None and counter.tone and not slim:  # no end: a square each, as far as they can be counted
        spans.append((signs[0] * min(max(counter.value, 0), 8), TONES[counter.tone]))
        spans.append((" ", "") if counter.value > 0 else ("", ""))
    spans.append((f"{counter.value}", f"bold {INK}"))
    if counter.most is not None and (slim or counter.most > MOST_SQUARES):
        spans.append((f"/{counter.most}", DIM))
    if counter.note and counter.tone == "warn":
        spans.append((f" ▲ {counter.note}", f"bold {TONES[counter.tone]}"))
    elif counter.note:
        spans.append((f" {counter.note}", DIM))
    return line(*spans)


def counter_line(counters: Sequence[Counter], width: int) -> Content:
    """Counters beside each other: squares are dropped before names, then whole counters from the right, with "+2"."""
    for slim in (False, True):
        shown = [meter(c, slim) for c in counters]
        if _width(shown) <= width:
            return Content("   ").join(shown)
    while shown:
        shown.pop()
        more = line((f"+{len(counters) - len(shown)}", f"bold {INK}"))
        if _width([*shown, more]) <= width:
            return Content("   ").join([*shown, more])
    return Content("")


def asked_pieces(counters: Sequence[Counter], width: int) -> list[Content]:
    """The counters of which one is asked for, each behind its digit: all of them.

    Names are cut as far as they can be known by it, then numbers give way.
    """
    shown = [meter(c, slim=True) for c in counters]
    longest = max((cells(c.name) for c in counters), default=0)
    tries = [(most, True) for most in range(longest - 1, KNOWN, -1)] + [
        (most, False) for most in range(longest, 1, -1)
    ]
    for most, numbers in tries:
        if _width(shown) + 2 * len(shown) <= width:
            break
        shown = [
            meter(replace(c, name=_cut(c.name, most), note=""), slim=True) if numbers else _name(c, most)
            for c in counters
        ]
    return [line((f"{key_for(f'count.{i}', str(i))} ", f"bold {ACCENT}")) + one for i, one in enumerate(shown, 1)]


def _cut(name: str, most: int) -> str:
    return fit(name, min(most, cells(name)))


def _name(counter: Counter, most: int) -> Content:
    return line(("~ " if counter.secret else "", DIM), (_cut(counter.name, most), INK))


def _width(pieces: Sequence[Content]) -> int:
    return sum(piece.cell_length + 3 for piece in pieces) - 3
