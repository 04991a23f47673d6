"""The engine of Drama in History: what it is made of."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from ...kit import common, order
from ...rules import Action, Engine, Event, Kind, View
from . import (
    aid,
    challenge,
    complex,
    contest,
    contest_lines,
    contest_round,
    momentum,
    opposed,
    penalties,
    points,
    recovery,
    settle,
    split,
    task,
)
from .bench import DramaBench
from .campaign import DramaRules, DramaScene, DramaSheet
from .odds import odds
from .outcome import pending
from .problems import problems
from .reference import REFERENCE
from .scene import prepared
from .seats import seen_by
from .starter import STARTER
from .views.challenge import challenge_view
from .views.contest import contest_view
from .views.sheet import sheet_view
from .views.table import table_view
from .world import DramaNow, DramaWorld, person


class Drama(Engine):
    """Drama in History."""

    name = "drama"
    title = "Drama in History"
    version = "6"
    rules = DramaRules
    sheet = DramaSheet
    scene = DramaScene
    now = DramaNow
    reference = REFERENCE
    starter = STARTER
    problems = staticmethod(problems)
    odds = staticmethod(odds)
    prepared = staticmethod(prepared)
    seen_by = staticmethod(seen_by)
    bench = staticmethod(DramaBench)
    actions: ClassVar[tuple[type[Action], ...]] = (
        order.NextTurn,
        *challenge.ACTIONS,
        *aid.ACTIONS,
        *opposed.ACTIONS,
        *split.ACTIONS,
        *complex.ACTIONS,
        *contest.ACTIONS,
        *contest_lines.ACTIONS,
        *momentum.ACTIONS,
        *settle.ACTIONS,
        *penalties.ACTIONS,
        *recovery.ACTIONS,
        *points.ACTIONS,
        *(kind for kind in order.ACTIONS if kind is not order.NextTurn),
        *(kind for kind in common.ACTIONS if kind is not common.EnterScene),  # its own ends momentum
    )
    events: ClassVar[tuple[type[Event], ...]] = (
        *settle.EVENTS,
        *task.EVENTS,
        *complex.EVENTS,
        *contest.EVENTS,
        *contest_round.EVENTS,
        *momentum.EVENTS,
        *penalties.EVENTS,
        *points.EVENTS,
        *order.EVENTS,
        *common.EVENTS,
    )

    def start(self, world: DramaWorld) -> DramaNow:
        """Everybody is there; who came since the last session is fresh."""
        return replace(world.now, people={**world.now.people, **{w: person(world, w) for w in world.sheets}})

    def policy(self, world: DramaWorld) -> Action | None:
        """Let the dice stand: no price is paid and no point spent unless somebody says so."""
        return settle.LetStand() if pending(world) else None

    def view(self, kind: Kind, world: DramaWorld, about: str = "") -> View | None:
        """All four screens."""
        if kind == "contest":
            return contest_view(world)
        if kind == "challenge":
            return challenge_view(world)
        return table_view(world) if kind == "table" else sheet_view(world, about)


ENGINE = Drama()
