"""Where play goes on: the page of the prompt, of what was done last, or of what is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeGuard

from ..rules import KINDS, ChallengeView, ContestView, Kind, Model, View
from .entries import AnyEntry, Edited, Named
from .table import Table

LOOKED_BACK = 12
"""Entries among which the page of an action is looked for that belongs to several."""


class Place(Model):
    """Where play is."""

    page: str = ""
    """The page on which it goes on, so that coming back, undoing and looking on mean going on; or none."""
    asks: frozenset[str] = frozenset()
    """Those on which an answer is waited for."""
    open: Mapping[str, str] = {}
    """Those of a challenge or a contest that is not over, with its name."""


def place_of_play(table: Table, names: Sequence[str], view: Callable[[Kind], View | None]) -> Place:
    """Where play is. `view` is how the front end looks at a page: one that the engine fails to give is none."""
    kinds: list[Kind] = [k for k in KINDS if k in names and k != "sheet"]
    views = {k: view(k) for k in kinds}
    asks = [k for k, found in views.items() if found is not None and getattr(found, "prompt", None)]
    going_on: dict[str, str] = {k: found.title for k, found in views.items() if goes_on(found)}
    at = _played(table)
    entry = table.timeline.entries[at - 1] if at else None
    told = entry is not None and (not table.seat or table.may_know(entry))  # what is whispered moves no player's page
    last = (page_of_entry(entry, names) or _page_before(table, at, names, asks)) if entry is not None and told else ""
    # what is being done comes before what merely could be
    done = last if last in asks or last in going_on else ""
    page = done or next(iter(asks), "") or last or next(iter(going_on), "")
    return Place(page, frozenset(asks), going_on)


def _played(table: Table) -> int:
    """The last entry in which somebody played: a file that is edited and a moment that is named are on no page."""
    line, at = table.timeline, table.head
    while at and isinstance(line.entries[at - 1].action, Edited | Named):
        at = line.parents[at]
    return at


def _page_before(table: Table, at: int, names: Sequence[str], asks: Sequence[str]) -> str:
    """The page of what was done before an action of several pages: the roll of a fight is settled there.

    An action that no page lists, as what a view rolls, is of one of those on which an answer is waited for now.
    """
    line, first = table.timeline, max(at - LOOKED_BACK, 0)
    past = set(line.past(first, at))
    pages = getattr(type(line.entries[at - 1].action), "screens", ()) or asks
    found = (page_of_entry(one, names) for one in reversed(line.entries[first : at - 1]) if one.seq in past)
    return next((page for page in found if page in pages), "")


def goes_on(view: View | None) -> TypeGuard[ChallengeView | ContestView]:
    """Is it a challenge or a contest that has not come out yet, or of which only a part, a try or a round has?"""
    if not isinstance(view, ChallengeView | ContestView) or not view.title:
        return False
    return view.outcome is None or view.outcome.goes_on


def page_of_entry(entry: AnyEntry, names: Sequence[str]) -> str:
    """Where an action leads to, or the only page that offers it; empty where that says nothing."""
    kind = type(entry.action)
    leads = getattr(kind, "leads_to", "")
    if leads in names:
        return str(leads)
    offered = [page for page in getattr(kind, "screens", ()) if page in names and page in KINDS and page != "sheet"]
    return offered[0] if len(offered) == 1 else ""
