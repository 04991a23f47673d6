"""Drama Points and the currency pools: flesh, fortitude, grit, composure."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from ...rules import Action, Ask, Dice, Event, Refused
from ...rules.common import anybody
from .world import POOLS, DramaWorld, person

MOST = 99
"""In any pool, and of Drama Points."""


class PointsChanged(Event, tag="drama_points_changed"):
    """Somebody has another number of Drama Points."""

    rule = "a Drama Point before the roll brings 1, 2 or 3 drama dice; after it, one base 4 counts as a 5"
    who: str
    left: int
    why: str = ""

    def apply(self, world: DramaWorld) -> DramaWorld:
        if self.who not in world.sheets:
            return world
        them = replace(person(world, self.who), drama_points=self.left)
        return world.live(people={**world.now.people, self.who: them})

    def says(self, world: DramaWorld) -> str:
        why = f": {self.why}" if self.why else ""
        return f"{world.name(self.who)}{why} (now {self.left} Drama Point{'' if self.left == 1 else 's'})"


class PoolChanged(Event, tag="pool_changed"):
    """A currency pool went up or down."""

    who: str
    pool: str
    left: int
    why: str = ""
    quiet: bool = False
    """Only the GM is told: an NPC's pool."""

    def apply(self, world: DramaWorld) -> DramaWorld:
        if self.who not in world.sheets or self.pool not in POOLS:
            return world
        them = replace(person(world, self.who), **{self.pool: self.left})
        return world.live(people={**world.now.people, self.who: them})

    def _words(self, world: DramaWorld) -> str:
        before = getattr(person(world, self.who), self.pool)
        why = f": {self.why}" if self.why else ""
        return f"{world.name(self.who)}'s {self.pool} {before} → {self.left}{why}"

    def says(self, world: DramaWorld) -> str:
        return "" if self.quiet else self._words(world)

    def whispers(self, world: DramaWorld) -> str:
        return self._words(world) if self.quiet else ""


def spend(world: DramaWorld, who: str, why: str) -> PointsChanged:
    """One Drama Point less."""
    return PointsChanged(who, max(person(world, who).drama_points - 1, 0), why)


class Award(Action, tag="award"):
    """Give somebody Drama Points, or take some away."""

    title = "Drama Points"
    screens = ("table",)
    who: Annotated[str, Ask(anybody)]
    by: Annotated[int, Meta(ge=-10, le=10)] = 1

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        before = person(world, self.who).drama_points
        left = before + self.by
        if not 0 <= left <= MOST or not self.by:
            raise Refused(
                f"{world.name(self.who)} has {before} Drama Points: {self.by:+d} does not fit",
                remedy=f"They go from 0 to {MOST}.",
            )
        gained = f"gains {self.by}" if self.by > 0 else f"loses {-self.by}"
        return (PointsChanged(self.who, left, gained),)


class MovePool(Action, tag="pool"):
    """Use up or restore flesh, fortitude, grit or composure."""

    title = "currency pool"
    key = "f"
    screens = ("table",)
    who: Annotated[str, Ask(anybody)]
    pool: Literal["flesh", "fortitude", "grit", "composure"]
    by: Annotated[int, Meta(ge=-99, le=99)] = -1
    why: Annotated[str, Meta(max_length=80)] = ""

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        before = int(getattr(person(world, self.who), self.pool))
        most = max(int(getattr(world.sheets[self.who], self.pool)), before)  # as full as the sheet has it
        left = min(max(before + self.by, 0), most)
        if left == before:
            full = " of its most" if before == most and self.by > 0 else ""
            raise Refused(
                f"{world.name(self.who)}'s {self.pool} stays at {before}{full}", remedy="Say by how much it changes."
            )
        quiet = not world.sheets[self.who].player
        return (PoolChanged(self.who, self.pool, left, self.why.strip(), quiet),)


ACTIONS: tuple[type[Action], ...] = (Award, MovePool)
EVENTS: tuple[type[Event], ...] = (PointsChanged, PoolChanged)
