"""The engine of Drama in History: what it is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from ...rules import Action, Bench, Engine, Event, Kind, Odds, Problem, View, common, order
from . import after, chain, chances, contest, lines, penalties, points, problems, reading, task, trial, verdict
from .bench import DramaBench
from .challenge_view import challenge_view
from .contest_view import contest_view
from .reference import REFERENCE
from .starter import STARTER
from .table_view import sheet_view, table_view
from .world import DramaNow, DramaRules, DramaScene, DramaSheet, DramaWorld, person


class Drama(Engine):
    """Drama in History."""

    name = "drama"
    title = "Drama in History"
    version = "2"
    rules = DramaRules
    sheet = DramaSheet
    scene = DramaScene
    now = DramaNow
    reference = REFERENCE
    starter = STARTER
    actions: ClassVar[tuple[type[Action], ...]] = (
        order.NextTurn,
        *trial.ACTIONS,
        *task.ACTIONS,
        *chain.ACTIONS,
        *contest.ACTIONS,
        *lines.ACTIONS,
        *after.ACTIONS,
        *penalties.ACTIONS,
        *points.ACTIONS,
        *(kind for kind in order.ACTIONS if kind not in (order.EndEncounter, order.NextTurn)),
        lines.EndEncounter,  # momentum ends with the encounter
        *common.ACTIONS,
    )
    events: ClassVar[tuple[type[Event], ...]] = (
        *verdict.EVENTS,
        *task.EVENTS,
        *chain.EVENTS,
        *contest.EVENTS,
        *lines.EVENTS,
        *penalties.EVENTS,
        *points.EVENTS,
        *order.EVENTS,
        *common.EVENTS,
    )

    def start(self, world: DramaWorld) -> DramaNow:
        """Everybody is there; who came since the last session is fresh."""
        return replace(world.now, people={**world.now.people, **{w: person(world, w) for w in world.sheets}})

    def problems(self, world: DramaWorld) -> Sequence[Problem]:
        """What does not fit after a hand edit."""
        return problems.problems(world)

    def policy(self, world: DramaWorld) -> Action | None:
        """Let the dice stand: no price is paid and no point spent unless somebody says so."""
        return after.LetStand() if reading.pending(world) else None

    def odds(self, world: DramaWorld, action: Action) -> Odds | None:
        """Exact odds of every roll."""
        return chances.odds(world, action)

    def bench(self, world: DramaWorld | None = None) -> Bench:
        """Dice expressions of this game."""
        return DramaBench(world)

    def view(self, kind: Kind, world: DramaWorld, about: str = "") -> View | None:
        """All four screens."""
        if kind == "contest":
            return contest_view(world)
        if kind == "challenge":
            return challenge_view(world)
        return table_view(world) if kind == "table" else sheet_view(world, about)


ENGINE = Drama()
