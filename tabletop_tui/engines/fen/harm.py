"""Being hurt and getting better: HP, temporary points, wounds, shields and armour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit.acting import ToSomebody
from ...kit.common import anybody, is_secret
from ...kit.hurt import shows
from ...kit.told import Told
from ...rules import Ask, Choice, Dice, Event, Refused
from .asking import proposing
from .hiding import for_the_gm, out_of_sight
from .world import PARTS, FenWorld, Part, Person, guard, is_down, most_wounds, person, with_person


class Harmed(Told, tag="harmed"):
    """Somebody's HP, temporary points or wounds changed."""

    rule = "temporary points are spent before HP; the tally of wounds ends at half the vigor die"
    who: str
    hp: int
    temporary: int = 0
    wounds: int = 0

    def apply(self, world: FenWorld) -> FenWorld:
        return with_person(world, self.who, hp=self.hp, temporary=self.temporary, wounds=self.wounds)

    def words(self, world: FenWorld) -> str:
        before = person(world, self.who)
        parts = []
        if self.temporary != before.temporary:
            parts.append(f"temporary {before.temporary} → {self.temporary}")
        if self.hp != before.hp:
            parts.append(f"HP {before.hp} → {self.hp}")
        if self.wounds != before.wounds:
            parts.append(f"wounds {before.wounds} → {self.wounds} of {most_wounds(world, self.who)}")
        return f"{world.name(self.who)}: {', '.join(parts)}" if parts else ""

    def is_secret(self, world: FenWorld) -> bool:
        return for_the_gm(world, self.who)

    def open_words(self, world: FenWorld) -> str:
        if out_of_sight(world, self.who) or self.hp <= 0:  # that somebody is down is told by itself
            return ""
        was, most = person(world, self.who).hp, world.sheets[self.who].hp
        return shows(world.name(self.who), before=was, after=self.hp, most=most)


class WentDown(Told, tag="went_down"):
    """Somebody is down, or up again: it follows from their HP and wounds, and is only told here."""

    rule = "being down follows from HP"
    who: str
    down: bool = True

    def apply(self, world: FenWorld) -> FenWorld:
        return world

    def words(self, world: FenWorld) -> str:
        return f"{world.name(self.who)} is {'down' if self.down else 'up again'}"

    def is_secret(self, world: FenWorld) -> bool:
        return out_of_sight(world, self.who)


class GuardChanged(Event, tag="guard_changed"):
    """A shield or armour lost defense, or was mended."""

    rule = "what was exceeded loses 1 defense and breaks at 0"
    who: str
    part: Part
    defense: int

    def apply(self, world: FenWorld) -> FenWorld:
        if self.who not in world.sheets:
            return world
        guards = {**person(world, self.who).guards, self.part: self.defense}
        return with_person(world, self.who, guards=guards)

    def _words(self, world: FenWorld, *, numbers: bool) -> str:
        item = guard(world, self.who, self.part)
        name = f"{world.name(self.who)}'s {item.name if item else self.part}"
        if self.defense == 0:
            return f"{name} breaks"
        if item and self.defense == item.defense:
            return f"{name} is whole again"
        return f"{name} has {self.defense} defense left" if numbers else ""

    def says(self, world: FenWorld) -> str:
        return "" if out_of_sight(world, self.who) else self._words(world, numbers=not is_secret(world, self.who))

    def whispers(self, world: FenWorld) -> str:
        return "" if self.says(world) else self._words(world, numbers=True)


# ---- what harm does


def harm(world: FenWorld, who: str, damage: int, wounds: int = 0) -> tuple[Event, ...]:
    """Damage comes off temporary points and HP."""
    them = person(world, who)
    if world.rules.temporary_first:
        spent = min(damage, them.temporary)
        hp = max(them.hp - (damage - spent), 0)
    else:
        hp = max(them.hp - damage, 0)
        spent = min(damage - (them.hp - hp), them.temporary)
    if world.rules.wound_at_zero and hp == 0 < them.hp:
        wounds += 1
    tally = max(min(them.wounds + wounds, most_wounds(world, who)), 0)
    return changed(world, who, replace(them, hp=hp, temporary=them.temporary - spent, wounds=tally))


def changed(world: FenWorld, who: str, them: Person) -> tuple[Event, ...]:
    """The event for a new state, and whether they go down by it or are up again."""
    if them == person(world, who):
        return ()
    event = Harmed(who, them.hp, them.temporary, them.wounds)
    down = is_down(event.apply(world), who)
    return (event,) if down == is_down(world, who) else (event, WentDown(who, down))


def down_at(world: FenWorld, who: str) -> int:
    """How much damage brings them down; 0 where they are down already."""
    them = person(world, who)
    if is_down(world, who):
        return 0
    return them.hp + (them.temporary if world.rules.temporary_first else 0)


# ---- actions


def hurtable(world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody, closed where they have nothing left to lose."""
    left = {w: person(world, w).hp + person(world, w).temporary for w in world.present()}
    return [Choice(w, world.name(w), "" if left[w] else "nothing left to lose") for w in left]


class Hurt(ToSomebody, tag="hurt"):
    """Take HP from somebody: a fall, a fire, a trap."""

    title = "hurt"
    key = "e"
    who: Annotated[str, Ask(hurtable)]
    damage: Annotated[int, Meta(ge=1, le=10_000)]

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        return harm(world, self.who, self.damage)


def missing(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """All that somebody has lost; nothing where they are whole."""
    who = fields.get("who", "")
    lost = world.sheets[who].hp - person(world, who).hp if who in world.sheets else 0
    return [Choice(lost)] if lost > 0 else []


class Heal(ToSomebody, tag="heal"):
    """Give HP back, never beyond what the sheet says, or temporary points on top."""

    title = "heal"
    key = "h"
    who: Annotated[str, Ask(anybody)]
    hp: Annotated[int, proposing(missing, "HP", most=10_000)] = 0
    temporary: Annotated[int, Meta(ge=0, le=10_000)] = 0

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        them, most = person(world, self.who), world.sheets[self.who].hp
        hp = max(min(them.hp + self.hp, most), them.hp)
        temporary = min(them.temporary + self.temporary, 100_000)
        found = changed(world, self.who, replace(them, hp=hp, temporary=temporary))
        if not found:
            raise Refused(f"{world.name(self.who)} gains nothing by that", remedy=f"They are at {them.hp} of {most}.")
        return found


class Wound(ToSomebody, tag="wound"):
    """Mark wounds on somebody, or take some off with a negative number."""

    title = "wound"
    key = "w"
    who: Annotated[str, Ask(anybody)]
    by: Annotated[int, Meta(ge=-20, le=20)] = 1

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        them, most = person(world, self.who), most_wounds(world, self.who)
        found = changed(world, self.who, replace(them, wounds=max(min(them.wounds + self.by, most), 0)))
        if not found:
            raise Refused(f"{world.name(self.who)}'s wounds stay at {them.wounds}", remedy=f"From 0 to {most}.")
        return found


def damaged(world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Whoever has a shield or armour, closed where it is whole."""
    return [
        Choice(who, world.name(who), "" if worn_parts(world, who) else "nothing of theirs is damaged")
        for who in world.present()
        if any(guard(world, who, part) for part in PARTS)
    ]


def worn_parts(world: FenWorld, who: str) -> list[Part]:
    """What has less defense than the sheet says."""
    held = person(world, who).guards
    return [p for p in PARTS if (g := guard(world, who, p)) and held.get(p, g.defense) < g.defense]


def parts_of(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What of theirs can be mended."""
    who = fields.get("who", "")
    worn = worn_parts(world, who) if who in world.sheets else []
    return [Choice(part, getattr(world.sheets[who], part).name) for part in worn]


class Mend(ToSomebody, tag="mend"):
    """Make a shield or armour whole again."""

    title = "mend"
    who: Annotated[str, Ask(damaged)]
    part: Annotated[Part, Ask(parts_of)]

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        item = guard(world, self.who, self.part)
        if item is None:
            raise Refused(f"{world.name(self.who)} has no {self.part}")
        return (GuardChanged(self.who, self.part, item.defense),)
