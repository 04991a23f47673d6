"""What opening something prepared would bring, to be looked at below the list before it is opened."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from msgspec.structs import replace
from textual.worker import WorkType

from ...rules import Action, ChallengeView, ContestView, Kind, Option, Refused, SheetView, View, percent
from ...session import Outlook, outlook
from ..asking.listing import Pick
from ..panels.picks import Coming
from .page import Page


class Foreseen:
    """The page as it would stand, and its chances as soon as they are worked out. The GM's alone."""

    def __init__(self, page: Page, kind: Kind, arrived: Callable[[], None]) -> None:
        self.page, self.kind, self.arrived = page, kind, arrived
        self._about: tuple[object, Action | None] = (None, None)
        self._view: View | None = None
        self._outlook: Outlook | None = None

    def look(self, pick: Pick[Option] | None) -> Coming | None:
        """What opening whatever is under the cursor would bring; nothing where that cannot be done now."""
        table, world = self.page.game.table, self.page.game.world
        if pick is None or pick.closed or table.seat:
            return None
        opening = pick.value.action
        if self._about[0] is not world or self._about[1] != opening:
            self._about, self._view, self._outlook = (world, opening), None, None
            try:
                after = table.after(opening, world)
                self._view = table.view(self.kind, world=after) if after is not None else None
            except Refused:  # the engine fails: there is nothing to look at
                return None
            if self._view is not None:
                weigh: WorkType[None] = partial(self._weigh, after, self._view)
                self.page.run_worker(weigh, group="foreseen", exclusive=True)
        found = coming(self._view, self._outlook) if self._view is not None else None
        if isinstance(self._view, ContestView) and found:
            sheets = [self.page.game.view("sheet", party.id) for party in self._view.parties]
            found = replace(found, sheets=tuple(sheet for sheet in sheets if isinstance(sheet, SheetView)))
        return found

    async def _weigh(self, after: object, view: View) -> None:
        try:
            found = await asyncio.to_thread(outlook, self.page.game.table, self.kind, after, view)
        except Refused:
            return
        if view is self._view:
            self._outlook = found
            self.arrived()


def coming(view: View, known: Outlook | None) -> Coming | None:
    """A view in a few lines: what is at stake, who could lead or who stands against whom."""
    if isinstance(view, ChallengeView):
        hopes = known.leads if known else {}
        ranked = sorted(enumerate(view.leads), key=lambda one: -hopes.get(one[0], 0))
        leads = [(o.secret_label or o.label, _chance(hopes.get(i), o.note, known)) for i, o in ranked if not o.closed]
        facts = (*(fact.text for fact in view.facts), view.secret_facts)
        told = [(view.words.stakes, view.stakes)] if view.stakes else []
        told += [("here", view.about)] if view.about else []
        return Coming(view.title, " · ".join(filter(None, facts)), tuple(told), "who could lead", tuple(leads))
    if isinstance(view, ContestView):
        told = [(f"{p.name} wants", p.wants) for p in view.parties if p.wants]
        told += [(f"{p.name} risks", p.risks) for p in view.parties if p.risks]
        rows = tuple((p.name, p.secret_total or p.total) for p in view.parties)
        return Coming(view.title, " · ".join(fact.text for fact in view.facts), tuple(told), "who brings what", rows)
    return None


def _chance(hope: float | None, note: str, known: Outlook | None) -> str:
    return percent(hope) if hope is not None else note if known else note or "…"
