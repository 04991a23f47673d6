"""Zones, the hazards in them, and who stands where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit.asking import said
from ...kit.told import Told
from ...rules import Ask, Choice, Dice, Event, Refused
from .able import TableAction
from .world import HERE, MOST_HAZARD, No1World, Zone, cast, is_about, sheet_of, zone_name, zone_of

UNSEEN = "something unseen"
"""What a hazard is called that nobody has seen, in a house where it counts all the same."""


def hazards_in(world: No1World, zone: str, roller: str = "") -> dict[str, int]:
    """Every hazard of a zone: its own, and the characters in it who are hazards; for somebody who rolls, or at large.

    Somebody who is hidden adds none until they are seen, unless the house says so: the dice would give them away.
    Whoever rolls is seen.
    """
    found = dict(world.now.zones[zone].hazards) if zone in world.now.zones else {}
    rules = world.rules
    for who, where in world.now.positions.items():
        sheet = sheet_of(world, who) if where == zone else None
        if sheet is None or sheet.hazard <= 0:
            continue
        counts = rules.own_hazard if who == roller else rules.hidden_hazards or not world.is_hidden(who)
        if counts and is_about(world, who):
            name = UNSEEN if world.is_hidden(who) and who != roller else world.name(who)
            found[name] = found.get(name, 0) + sheet.hazard
    return {name: rating for name, rating in found.items() if rating > 0}


def hazards_against(world: No1World, who: str) -> dict[str, int]:
    """The hazards that somebody rolls with, before what they have defied."""
    return hazards_in(world, zone_of(world, who), who)


def hazard_words(found: Mapping[str, int]) -> str:
    """Hazards with their ratings: falling span 2, Ogre 1."""
    return ", ".join(f"{name} {rating}" for name, rating in found.items())


def zone_choices(world: No1World, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every zone, closed where they stand in it already."""
    here = zone_of(world, fields["who"]) if fields.get("who") else ""
    return [Choice(i, z.name, "they stand there already" if i == here else "") for i, z in world.now.zones.items()]


def any_zone(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every zone."""
    return [Choice(i, z.name) for i, z in world.now.zones.items()]


def everybody(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who is about, whoever's turn it is."""
    return [Choice(w, world.name(w)) for w in cast(world)]


class Moved(Told, tag="moved"):
    """Somebody stands in another zone."""

    rule = "a character stands in one zone; one who is a hazard brings it along"
    who: str
    zone: str

    def apply(self, world: No1World) -> No1World:
        return world.live(positions={**world.now.positions, self.who: self.zone})

    def words(self, world: No1World) -> str:
        unseen = ", unseen" if self.is_secret(world) else ""
        return f"{world.name(self.who)} moves to {zone_name(world, self.zone)}{unseen}"

    def is_secret(self, world: No1World) -> bool:
        return world.is_hidden(self.who)


class ZoneChanged(Event, tag="zone_changed"):
    """A zone was added, or its hazards are others."""

    rule = "zones are named areas; the hazards in one add up"
    id: str
    zone: Zone
    what: str

    def apply(self, world: No1World) -> No1World:
        return world.live(zones={**world.now.zones, self.id: self.zone})

    def says(self, world: No1World) -> str:
        return self.what


class ZoneAction(TableAction):
    """The BAMF's hand on a scene that has zones, encounter or not."""

    @classmethod
    def when(cls, world: No1World) -> str:
        return super().when(world) or ("" if world.now.zones else "there are no zones: enter a scene that has some")


class Place(ZoneAction, tag="place"):
    """Put anybody into any zone, without a roll: the BAMF's hand. They are in sight there, unless they hide."""

    title = "move anyone"
    key = "g"
    done_to = "who"
    who: Annotated[str, Ask(everybody)]
    zone: Annotated[str, Ask(zone_choices)]

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        return (Moved(self.who, self.zone),)


class SetHazard(ZoneAction, tag="hazard"):
    """Put a hazard into a zone, change its rating, or take it out with a rating of 0."""

    title = "hazard"
    key = "h"
    zone: Annotated[str, Ask(any_zone)]
    name: Annotated[str, Meta(max_length=60)]
    rating: Annotated[int, Meta(ge=0, le=MOST_HAZARD)] = 1

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        name = said(self.name, "a hazard needs a name", "Say what threatens them: fire, a falling span.")
        zone = world.now.zones[self.zone]
        rest = {n: r for n, r in zone.hazards.items() if n != name}
        if not self.rating and name not in zone.hazards:
            raise Refused(f"there is no {name} in {zone.name}", remedy="Give it a rating of 1 or more.")
        changed = replace(zone, hazards={**rest, name: self.rating} if self.rating else rest)
        gone = f"{name} no longer threatens {zone.name}"
        return (ZoneChanged(self.zone, changed, f"{zone.name}: {name} {self.rating}" if self.rating else gone),)


class AddZone(ZoneAction, tag="zone"):
    """Add a zone that nobody prepared."""

    title = "add a zone"
    name: Annotated[str, Meta(max_length=40)]

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        name = said(" ".join(self.name.split()), "a zone needs a name", "Say where it is: bridge, far bank.")
        taken = {HERE} | {z.name.lower() for z in world.now.zones.values()} | set(world.now.zones)
        new = name.lower().replace(" ", "-")
        if new in taken or name.lower() in taken:
            raise Refused(f"there is a zone called {name} already", remedy="Give it another name.")
        return (ZoneChanged(new, Zone(name), f"A new zone: {name}"),)
