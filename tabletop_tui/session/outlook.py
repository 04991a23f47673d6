"""What each option would change: the odds of the roll that a view offers, now and after each choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from ..rules import Kind, Model, Odds
from .table import Table

K = TypeVar("K")
C = TypeVar("C")


class Outlook(Model):
    """Odds of the roll on the screen, and the change in hope that each option would bring."""

    odds: Odds | None = None
    cells: dict[tuple[int, int], float] = {}
    """By row and column of the support matrix: what a chosen one brings, or an open one would change."""
    leads: dict[int, float] = {}
    """By place: the hope with that lead."""
    extras: dict[int, float] = {}
    prompt: dict[int, tuple[float, str]] = {}
    """By place: the chance of an option of the prompt that rolls, or that lets a roll count, and what it is of."""

    @property
    def best_lead(self) -> int:
        """The place of the lead with the best hope; -1 where nothing is known."""
        return max(self.leads, key=lambda i: self.leads[i], default=-1)


def outlook(table: Table, kind: Kind, world: Any, view: Any) -> Outlook:
    """Everything that a screen shows of chances. Pure and slow enough to be kept off the UI thread.

    A seat is told what follows from the world as it knows it, too: anything else would be a secret, or wrong.
    """
    found = _outlook(table, kind, world, view)
    if not table.seat:
        return found
    seen = table.seen(world)
    known = _outlook(table, kind, seen, table.view(kind, world=seen))
    return Outlook(
        found.odds,
        _agreed(found.cells, known.cells),
        _agreed(found.leads, known.leads),
        _agreed(found.extras, known.extras),
        _agreed(found.prompt, known.prompt),
    )


def _agreed(found: dict[K, C], known: dict[K, C]) -> dict[K, C]:
    return {place: chance for place, chance in found.items() if known.get(place) == chance}


def _outlook(table: Table, kind: Kind, world: Any, view: Any) -> Outlook:
    roll = getattr(view, "roll", None)
    base = table.odds(roll, world) if roll is not None else None
    prompt = getattr(view, "prompt", None)
    asked = prompt.options if prompt and (prompt.pick or getattr(view, "hands", ())) else ()  # dice lie there
    hopes = _hopes(
        {
            i: odds
            for i, option in enumerate(asked)
            if not option.closed and (odds := table.odds(option.action, world)) and odds.hoped
        }
    )
    if prompt and not prompt.pick and all(hope in (0.0, 1.0) for hope, _ in hopes.values()):
        hopes = {}  # nothing is left to chance
    leads = {
        i: hope for i, o in enumerate(getattr(view, "leads", ())) if (hope := _hope(table, kind, o.action, world))
    }
    if base is None:
        return Outlook(None, {}, leads, {}, hopes)
    cells = {}
    matrix = getattr(view, "support", None)
    for r, row in enumerate(matrix.rows if matrix else ()):
        for c, cell in enumerate(row.cells):
            if not cell.closed and (hope := _hope(table, kind, cell.action, world)) is not None:
                cells[r, c] = base.hope - hope if cell.chosen else hope - base.hope
    extras = {}
    for i, option in enumerate(getattr(view, "extras", ())):
        if not option.closed and (hope := _hope(table, kind, option.action, world)) is not None:
            extras[i] = base.hope - hope if option.chosen else hope - base.hope
    return Outlook(base, cells, leads, extras, hopes)


def _hopes(odds: Mapping[int, Odds]) -> dict[int, tuple[float, str]]:
    """The chance of each answer and what it is of, in the same words: what any of them can still lead to."""
    able = {c.label for one in odds.values() for c in one.groups[0].chances if c.chance > 0}
    words = {i: " or ".join(label for label in one.hoped if label in able) for i, one in odds.items()}
    return {i: (one.hope, words[i] or one.hoped_words) for i, one in odds.items()}


def _hope(table: Table, kind: Kind, action: Any, world: Any) -> float | None:
    after = table.after(action, world)
    if after is None:
        return None
    roll = getattr(table.view(kind, world=after), "roll", None)
    odds = table.odds(roll, after) if roll is not None else None
    return odds.hope if odds else None
