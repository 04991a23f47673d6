"""The engine: what the game is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from tabletop_tui.kit import common, order, problems
from tabletop_tui.rules import Action, Engine, Event, Kind, Problem, View

from . import acting, together
from .starter import STARTER
from .views import challenge_view, sheet_view, table_view
from .world import LanternNow, LanternRules, LanternSheet, LanternWorld


class Lanterns(Engine):
    """The game."""

    name, title, version = "lanterns", "Lanterns", "1"
    rules, sheet, now = LanternRules, LanternSheet, LanternNow
    hopes = ("success",)
    actions: ClassVar[tuple[type[Action], ...]] = (
        *acting.ACTIONS,
        *together.ACTIONS,
        *order.ACTIONS,
        *common.ACTIONS,
    )
    events: ClassVar[tuple[type[Event], ...]] = (
        *acting.EVENTS,
        *together.EVENTS,
        *order.EVENTS,
        *common.EVENTS,
    )
    starter = STARTER
    reference = "# Lanterns\n\nRoll two dice and add a skill: reach the number. One nerve rolls the lower die again."

    def policy(self, world: LanternWorld) -> Action | None:
        """What is assumed in chances, and what Enter does: nobody presses on."""
        return acting.LetStand() if world.now.roll and world.now.roll.pending else None

    def problems(self, world: LanternWorld) -> Sequence[Problem]:
        """What a hand edit must not leave behind."""
        return [*problems.problems(world, (order.HEROES, order.FOES)), *self._own(world)]

    def _own(self, world: LanternWorld) -> Iterator[Problem]:
        now = world.now
        for who in now.spent:
            if who not in world.sheets:
                yield problems.nobody(("now", "spent", who), who, world)
        if now.roll and now.roll.who not in world.sheets:
            yield problems.nobody(("now", "roll", "who"), now.roll.who, world)
        if now.task:
            for place, who in (("lead", now.task.lead), *(("helpers", h) for h in now.task.helpers)):
                if who and who not in world.sheets:
                    yield problems.nobody(("now", "task", place), who, world)

    def view(self, kind: Kind, world: LanternWorld, about: str = "") -> View | None:
        """The screens that this game has."""
        if kind == "table":
            return table_view(world)
        if kind == "challenge":
            return challenge_view(world)
        return sheet_view(world, about) if kind == "sheet" and about in world.sheets else None


ENGINE = Lanterns()
