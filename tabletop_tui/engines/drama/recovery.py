"""Recovering from penalty dice: sleep, of one or of all, and the recovery test."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ...kit.acting import ToSomebody
from ...kit.order import turn_of
from ...rules import Action, Ask, Dice, Event, Refused
from .building import side
from .outcome import waiting
from .penalties import burdened, lose
from .settle import thrown
from .world import DramaWorld, Entry, Roll, Side, person

Hours = Annotated[int, Meta(ge=1, le=1000)]


def rested(world: DramaWorld) -> str:
    """Why nobody can recover now; empty where somebody carries penalty dice."""
    return "" if burdened(world, {}) else "nobody carries penalty dice"


def slept(world: DramaWorld, hours: int) -> int:
    """The penalty dice that so many hours of sleep take away."""
    each = world.rules.hours_per_die
    if hours < each:
        raise Refused(f"{hours} hours are too short", remedy=f"A penalty die takes {each} hours of sleep.")
    return hours // each


class Rest(ToSomebody, tag="rest"):
    """Somebody sleeps: every few hours take a penalty die away, the oldest cause first."""

    title = "rest"
    key = "z"
    when = staticmethod(rested)
    who: Annotated[str, Ask(burdened)]
    hours: Hours = 8

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        return lose(world, self.who, slept(world, self.hours))


class RestAll(Action, tag="rest_all"):
    """The whole party sleeps: every player's character who carries penalty dice loses some."""

    title = "the party rests"
    key = "a"
    screens = ("table",)
    hours: Hours = 8

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        tired = any(person(world, who).carried for who in world.players())
        return "" if tired else "nobody of the party carries penalty dice"

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        gone = slept(world, self.hours)
        return tuple(event for who in world.players() for event in lose(world, who, gone))


class Recover(ToSomebody, tag="recovery"):
    """A recovery test: Physical alone, with nothing but penalty dice against it; success takes a die away."""

    title = "recovery test"
    key = "c"
    who: Annotated[str, Ask(burdened)]

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return waiting(world) or rested(world)

    def sides(self, world: DramaWorld) -> dict[str, Side]:
        """The pool before it falls."""
        return {self.who: side(world, self.who, Entry("Physical"))}

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        what = f"{world.name(self.who)} recovers"
        return thrown(world, dice, Roll("recovery", self.sides(world), what=what, turn=turn_of(world)))


ACTIONS: tuple[type[Action], ...] = (Rest, RestAll, Recover)
