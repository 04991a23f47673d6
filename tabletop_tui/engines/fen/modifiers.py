"""What is done to somebody's next throw: increments, doubled, additional, fewer and non-explosive dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...rules import Action, Ask, Choice, Dice, Event, Refused
from ...rules.common import anybody
from .dice import Mods
from .world import FenWorld, is_down, is_secret, person, with_person


class Modified(Event, tag="modified"):
    """Something is done to somebody's next throw, or no longer."""

    rule = "increments, then doubled, then additional, then fewer, then non-explosive dice, unless the table rules so"
    who: str
    mods: Mods = Mods()

    def apply(self, world: FenWorld) -> FenWorld:
        if self.who not in world.sheets:
            return world
        return with_person(world, self.who, replace(person(world, self.who), mods=self.mods))

    def _words(self, world: FenWorld) -> str:
        return f"{world.name(self.who)}, next throw: {', '.join(self.mods.parts)}" if self.mods.parts else ""

    def says(self, world: FenWorld) -> str:
        return "" if is_secret(world, self.who) else self._words(world)

    def whispers(self, world: FenWorld) -> str:
        return self._words(world) if is_secret(world, self.who) else ""


def spent(world: FenWorld, *who: str) -> tuple[Event, ...]:
    """What was done to a throw is gone once it has fallen."""
    return tuple(Modified(w) for w in who if person(world, w).mods != Mods())


class Modify(Action, tag="modify"):
    """Say what is done to somebody's next throw; it replaces what was said before."""

    title = "modify dice"
    key = "m"
    screens = ("contest", "table")
    who: Annotated[str, Ask(anybody)]
    increments: Annotated[int, Meta(ge=-5, le=5)] = 0
    additional: Annotated[int, Meta(ge=0, le=100)] = 0
    fewer: Annotated[int, Meta(ge=0, le=100)] = 0
    non_explosive: Annotated[int, Meta(ge=0, le=100)] = 0
    doubled: bool = False

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        mods = Mods(self.increments, self.doubled, self.additional, self.fewer, self.non_explosive)
        if mods == person(world, self.who).mods:
            raise Refused(f"nothing changes for {world.name(self.who)}", remedy="Give a number, or leave it.")
        return (Modified(self.who, mods),)


def helped(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Whom somebody can help: not themselves, and nobody whose dice are doubled already."""
    return [
        Choice(w, world.name(w), "their dice are doubled already" if person(world, w).mods.doubled else "")
        for w in world.present()
        if w != fields.get("who")
    ]


class Help(Action, tag="help"):
    """Help somebody: their next throw has twice the number of each die, never more than twice."""

    title = "help"
    key = "h"
    screens = ("contest",)
    who: Annotated[str, Ask(anybody)]
    whom: Annotated[str, Ask(helped)]

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        mods = person(world, self.whom).mods
        if is_down(world, self.who):
            raise Refused(f"{world.name(self.who)} is down and cannot help", remedy="Somebody who stands can.")
        if mods.doubled or self.whom == self.who:
            raise Refused(f"{world.name(self.whom)}'s dice are doubled already", remedy="One helper is enough.")
        return (Modified(self.whom, replace(mods, doubled=True)),)
