"""A page whose place a list takes while something is to be picked: before all, what is prepared.

What opening it would bring can be looked at below the list before it is opened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar, TypeVar

from msgspec.structs import replace

from ...rules import Action, ChallengeView, ContestView, Kind, Option, Refused, View, percent
from ...session import Outlook, outlook
from ..asking.listing import Listing, Pick
from ..commands import Command
from ..commands.catalogue import command
from ..commands.record import Done
from ..panels.picks import Coming, PickPanel, Picks
from ..playing import Playing
from ..thinking import think
from .view_page import ViewPage

P = TypeVar("P", ChallengeView, ContestView)


class PickPage(ViewPage[P]):
    """A page that can do nothing before something prepared is opened."""

    DEFAULT_CSS = """
    PickPage .work { height: auto; }
    PickPage PickPanel { display: none; }
    PickPage.-pick .work, PickPage.-pick PickPanel { display: block; height: 1fr; }
    PickPage.-pick LogPanel { height: 4; }
    PickPage.-pick #doing, PickPage.-pick #contest { display: none; }
    PickPage.-pick.-asking .work { display: none; }
    """
    kind: ClassVar[Kind]

    def __init__(self, play: Playing, **kwargs: Any) -> None:
        super().__init__(play, **kwargs)
        self.pick = PickPanel()
        self.list: Listing[Option] | None = None
        self._opening: tuple[object, Action | None] = (None, None)
        """The state that is looked ahead from, and what would open it;"""
        self._opened: View | None = None
        """the page as it would stand then,"""
        self._hoped: Outlook | None = None
        """and its chances as soon as they are worked out."""

    @property
    def prepared(self) -> str:
        """The title of the list of what is prepared."""
        return f"prepared {self.kind}s"

    def foremost(self) -> tuple[type[Action], ...]:
        """While nothing is open or prepared: what opens one."""
        if self.view.title or self.view.open:
            return ()
        own = (k for k in self.game.table.engine.actions if self.kind in k.screens)
        return tuple(k for k in own if k.leads_to == self.kind or k.screens == (self.kind,))

    def show_list(
        self, title: str, picks: Sequence[Pick[Option]], cursor: int, *, stays: bool = True, proposed: bool = False
    ) -> None:
        """A list of the same title may be there already, and its cursor stays."""
        before = self.list if self.list is not None and self.list.title == title else None
        if before is not None and stays:
            cursor = before.cursor + proposed - before.proposed
        self.set_class(True, "-pick")
        self.list = Listing(title, picks, cursor, f"{self.kind}.choose")
        self.list.top = before.top if before else 0
        self.list.keyed, self.list.pointed = self.play.plays, not self.play.keyless
        self.list.proposed = proposed
        self._draw_list()

    def going(self) -> Command | None:
        """Enter, where somebody must answer on another page before anything can be done here."""
        there = self.waits()
        return command(f"{self.kind}.on", partial(self.play.show_page, there), label="go there") if there else None

    def rows_of(self, listing: Listing[Option], verb: str) -> tuple[Command, ...]:
        """The commands of the list; Enter goes where an answer is waited for."""
        rows: tuple[Command, ...] = listing.commands(self._chosen, self._moved, verb=verb)
        if (going := self.going()) is None:
            return rows
        return (*(replace(c, keys=(), where="list") if "enter" in c.keys else c for c in rows), going)

    def _chosen(self, pick: Pick[Option]) -> Done:
        """Somebody chose from the list."""
        raise NotImplementedError

    def _moved(self) -> None:
        """The cursor of the list was moved."""
        raise NotImplementedError

    def hide_list(self) -> None:
        """Nothing is to be picked any more."""
        self.set_class(False, "-pick")
        self.list = None

    def _draw_list(self) -> None:
        if self.list is not None:
            here, ahead = self.list.here, self.list.title == self.prepared
            by = getattr(here.value.action, type(here.value.action).done_by, "") if here and not ahead else ""
            sheet = self.game.sheet(str(by)) if by else None
            self.pick.show(Picks(self.list, "none is prepared", self._ahead(here) if ahead else None, sheet))
            self.pick.redraw()

    def _ahead(self, pick: Pick[Option] | None) -> Coming | None:
        """What opening this would bring, which is the GM's to see; nothing where that cannot be done now."""
        table, world = self.game.table, self.game.world
        if pick is None or pick.closed or table.seat:
            return None
        opening = pick.value.action
        if self._opening[0] is not world or self._opening[1] != opening:
            self._opening, self._opened, self._hoped = (world, opening), None, None
            try:
                after = table.after(opening, world)
                self._opened = table.view(self.kind, world=after) if after is not None else None
            except Refused:  # the engine fails: there is nothing to look at
                return None
            if self._opened is not None:
                think(self, "foreseen", partial(self._weigh, after, self._opened))
        found = coming(self._opened, self._hoped) if self._opened is not None else None
        if isinstance(self._opened, ContestView) and found:
            found = replace(found, sheets=self.game.sheets(party.id for party in self._opened.parties))
        return found

    async def _weigh(self, after: object, view: View) -> None:
        try:
            found = await asyncio.to_thread(outlook, self.game.table, self.kind, after, view)
        except Refused:
            return
        if view is self._opened:
            self._hoped = found
            self._draw_list()


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
