"""Complication Points, the GM's pool: gained, spent at will or by force, and the boost that 2 of them buy."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit.acting import ToSomebody
from ...kit.asking import said
from ...kit.common import plural, unseen
from ...rules import Action, Ask, Choice, Dice, Event, Refused, Required
from .skills import abilities, boost_of
from .world import MOST_BOOST, MOST_POINTS, TiersWorld, is_out, person, put, signed


class PointsChanged(Event, tag="points_changed"):
    """The pool of Complication Points moved, or a forced spend was owed, named or met."""

    rule = "gain 2 for a bought success or a preparation, 1 for an upset; a gain at 10 forces a spend"
    points: int
    why: str
    owed: bool = False
    due: int = 0

    def apply(self, world: TiersWorld) -> TiersWorld:
        return world.live(complications=self.points, owed=self.owed, due=self.due)

    def says(self, world: TiersWorld) -> str:
        moved = self.points - world.now.complications
        words = f"Complications {signed(moved)} = {self.points}: {self.why}" if moved else self.why
        return words + ("; a forced spend is owed" if self.owed and not world.now.owed else "")


class Boosted(Event, tag="boosted"):
    """An NPC's next roll of a skill has more dice, or used them."""

    rule = "2 Complication Points: +1 rank to one skill or item of an NPC, for its next roll"
    who: str
    boost: int
    skill: str = ""
    """Empty for any skill: in logs of older versions."""

    def apply(self, world: TiersWorld) -> TiersWorld:
        if not self.skill:
            return put(world, self.who, boost=self.boost)
        rest = {skill: n for skill, n in person(world, self.who).boosts.items() if skill != self.skill}
        return put(world, self.who, boosts={**rest, self.skill: self.boost} if self.boost else rest)

    def whispers(self, world: TiersWorld) -> str:
        of = f" of {self.skill}" if self.skill else ""
        return f"{world.name(self.who)}: +{self.boost} rank for the next roll{of}" if self.boost else ""


def gain(world: TiersWorld, points: int, why: str) -> PointsChanged:
    """Points for the pool; at 10 or more a gain forces a spend."""
    now = world.now
    total = min(now.complications + points, MOST_POINTS)
    if not world.rules.points_above_ten:
        total = min(total, max(10, now.complications))
    return PointsChanged(total, why, now.owed or now.complications >= 10, now.due)


def spend(world: TiersWorld, points: int, why: str) -> PointsChanged:
    """Points out of the pool; they count against what a forced spend asks for."""
    now = world.now
    if points > now.complications:
        raise Refused(
            f"that costs {plural(points, 'Complication Point')} and the GM has {now.complications or 'none'}"
        )
    left = now.complications - points
    return PointsChanged(left, why, now.owed, min(max(now.due - points, 0), left))


def lacks(world: TiersWorld, points: int) -> str:
    """Why the pool does not suffice; empty where it does."""
    have = world.now.complications
    return (
        "" if have >= points else f"it costs {plural(points, 'Complication Point')} and the GM has {have or 'none'}"
    )


def npcs(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The GM's characters, those who are out last; closed where nothing of theirs can be boosted."""
    theirs = sorted((w for w in world.present() if not world.sheets[w].player), key=lambda w: is_out(world, w))
    able = [any(not c.closed for c in boostable(world, {"who": w})) for w in theirs]
    return [
        Choice(w, world.name(w), "" if a else "has nothing to boost", "out" if is_out(world, w) else "")
        for w, a in zip(theirs, able, strict=True)
    ]


def boostable(world: TiersWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What of an NPC can be boosted: one skill or item."""
    who = fields.get("who", "")
    found = [c for c in abilities(world, who) if ":" not in c.value]
    enough = [boost_of(world, who, c.value) >= MOST_BOOST for c in found]
    return [replace(c, closed=f"+{MOST_BOOST} is the most" if e else "") for c, e in zip(found, enough, strict=True)]


class Boost(ToSomebody, tag="boost"):
    """Spend 2 Complication Points: +1 rank to one skill or item of an NPC, for its next roll."""

    title = "boost an NPC"
    key = "v"
    who: Annotated[str, Ask(npcs)]
    skill: Annotated[str, Required(), Ask(boostable)] = ""

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return lacks(world, 2)

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        who = "one of the GM's own" if unseen(world, self.who) else world.name(self.who)
        why = f"a boost for {who}"
        boost = person(world, self.who).boosts.get(self.skill, 0) + 1
        return (spend(world, 2, why), Boosted(self.who, boost, self.skill))


class Spend(Action, tag="spend"):
    """Spend Complication Points on a turn of the story, told in words; also meets a forced spend."""

    title = "spend complications"
    key = "c"
    screens = ("table", "challenge")
    points: Annotated[int, Meta(ge=1, le=MOST_POINTS)]
    on: Annotated[str, Required(), Meta(max_length=200)] = ""

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return lacks(world, 1)

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        on = said(self.on, "points are spent on something", "Say what happens in the story.")
        return (spend(world, self.points, on),)


class ForcedSpend(Action, tag="forced_spend"):
    """Roll the d10 that says how many Complication Points the GM must spend now."""

    title = "forced spend"
    key = "f"
    screens = ("table", "challenge")

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        if world.now.due:
            return f"the {world.now.due} of the last one are not spent yet"
        return "" if world.now.owed else "no forced spend is owed"

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        (face,) = dice.roll("forced spend", 10)
        size = 1 if face <= 3 else 2 if face <= 6 else 5 if face <= 9 else 10
        due = min(size, world.now.complications)
        words = f"forced spend: {'an' if face == 8 else 'a'} {face}, so {plural(due, 'point')} must be spent"
        return (PointsChanged(world.now.complications, words, False, due),)
