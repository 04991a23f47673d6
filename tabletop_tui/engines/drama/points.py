"""Drama Points and the currency pools: flesh, fortitude, grit, composure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from ...kit.acting import ToSomebody
from ...kit.common import anybody, is_secret
from ...kit.told import ToldOf
from ...rules import Action, Ask, Choice, Dice, Event, Refused, Required
from .campaign import POOLS
from .penalties import gain
from .world import DramaWorld, person, with_person

MOST = 99
"""In any pool, and of Drama Points."""
FATIGUE = "fatigue"
"""What the last Grit costs."""


class PointsChanged(ToldOf, tag="drama_points_changed"):
    """Somebody has another number of Drama Points."""

    rule = "a Drama Point before the roll brings 1, 2 or 3 drama dice; after it, one base 4 counts as a 5"
    left: int
    why: str = ""

    def apply(self, world: DramaWorld) -> DramaWorld:
        return with_person(world, self.who, drama_points=self.left)

    def words(self, world: DramaWorld) -> str:
        why = f": {self.why}" if self.why else ""
        return f"{world.name(self.who)}{why} (now {self.left} Drama Point{'' if self.left == 1 else 's'})"


class PoolChanged(ToldOf, tag="pool_changed"):
    """A currency pool went up or down."""

    pool: str
    left: int
    why: str = ""
    quiet: bool = False
    """Only the GM is told: an NPC's pool."""

    def apply(self, world: DramaWorld) -> DramaWorld:
        return with_person(world, self.who, **{self.pool: self.left}) if self.pool in POOLS else world

    def words(self, world: DramaWorld) -> str:
        before = getattr(person(world, self.who), self.pool)
        why = f": {self.why}" if self.why else ""
        return f"{world.name(self.who)}'s {self.pool} {before} → {self.left}{why}"

    def is_secret(self, world: DramaWorld) -> bool:
        return self.quiet or super().is_secret(world)


def spend(world: DramaWorld, who: str, why: str = "a Drama Point for drama dice") -> PointsChanged:
    """One Drama Point less."""
    return PointsChanged(who, max(person(world, who).drama_points - 1, 0), why)


class Award(ToSomebody, tag="award"):
    """Give somebody Drama Points, or take some away."""

    title = "Drama Points"
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


def pools_of(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The currency pools, with what is left of each; closed where the sheet has none."""
    who = fields.get("who", "")
    if who not in world.sheets:
        return [Choice(pool) for pool in POOLS]
    full = {pool: int(getattr(world.sheets[who], pool)) for pool in POOLS}
    left = {pool: int(getattr(person(world, who), pool)) for pool in POOLS}
    why = "not on the sheet"
    found = [Choice(p, f"{p} {left[p]}/{full[p]}", "" if full[p] or left[p] else why) for p in POOLS]
    return sorted(found, key=lambda c: bool(c.closed))


class MovePool(ToSomebody, tag="pool"):
    """Use up or restore flesh, fortitude, grit or composure."""

    title = "currency pool"
    key = "f"
    who: Annotated[str, Ask(anybody)]
    pool: Annotated[Literal["flesh", "fortitude", "grit", "composure"], Ask(pools_of)]
    by: Annotated[int, Required(), Meta(ge=-99, le=99)] = -1
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
        changed = PoolChanged(self.who, self.pool, left, self.why.strip(), is_secret(world, self.who))
        spent = self.pool == "grit" and left == 0 and world.rules.grit_penalty
        return (changed, *(gain(world, self.who, FATIGUE, world.rules.grit_penalty) if spent else ()))


ACTIONS: tuple[type[Action], ...] = (Award, MovePool)


EVENTS: tuple[type[Event], ...] = (PointsChanged, PoolChanged)
