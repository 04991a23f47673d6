"""Changes to somebody's next throw: increments, doubled, additional, fewer and non-explosive dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit.common import anybody
from ...kit.told import Told
from ...rules import Action, Ask, Choice, Dice, Event, Refused
from .asking import proposing
from .dice import Mods, Of
from .hiding import change_is_whispered
from .world import ANY, SCOPES, FenWorld, Throws, changes_of, is_down, person, with_person

MOST_STEPS, MOST_CHANGED = 5, 100
"""Increments, and dice of one change: from end to end of the scale, and more than any table owns."""


def next_throw(scope: str) -> str:
    """What a change is for, in words."""
    of, _, throw = scope.partition(" ")
    words = "next throw" if throw == "any" else f"next {throw}"
    return words if of == "all" else f"{words}, {of} dice"


def set_already(world: FenWorld, who: str) -> list[str]:
    """Everything that is done to somebody's next throws, in words."""
    return [f"{next_throw(scope)}: {', '.join(mods.parts)}" for scope, mods in changes_of(world, who).items()]


class Modified(Told, tag="modified"):
    """Something is done to somebody's next throw, or no longer."""

    rule = "increments, then doubled, then additional, then fewer, then non-explosive dice, unless the table rules so"
    who: str
    mods: Mods = Mods()
    of: Of = "all"
    throw: Throws = "any"

    def apply(self, world: FenWorld) -> FenWorld:
        if self.who not in world.sheets:
            return world
        them, scope = person(world, self.who), f"{self.of} {self.throw}"
        if scope == ANY:
            return with_person(world, self.who, mods=self.mods)
        rest = {s: m for s, m in them.changes.items() if s != scope}
        more = {scope: self.mods} if self.mods != Mods() else {}
        return with_person(world, self.who, changes={**rest, **more})

    def words(self, world: FenWorld) -> str:
        done = ", ".join(self.mods.parts)
        return f"{world.name(self.who)}, {next_throw(f'{self.of} {self.throw}')}: {done}" if done else ""

    def is_secret(self, world: FenWorld) -> bool:
        return change_is_whispered(world, self.who, f"{self.of} {self.throw}")


def modified(who: str, scope: str, mods: Mods) -> Modified:
    """The event for one scope."""
    of, _, throw = scope.partition(" ")
    return Modified(who, mods, of, throw)  # type: ignore[arg-type]  # a scope is made of these words


def spent(world: FenWorld, who: str, throw: Throws, *, weapon: bool = False) -> tuple[Event, ...]:
    """What was done to a throw is gone once it has fallen; what was for other dice or throws stays."""
    used = [f"{of} {kind}" for of in ("all", "skill", *(["weapon"] if weapon else [])) for kind in ("any", throw)]
    return tuple(modified(who, scope, Mods()) for scope in changes_of(world, who) if scope in used)


def put_in(world: FenWorld) -> tuple[Event, ...]:
    """What was done to the dice of a contest that was never rolled is no other throw's."""
    contest = world.now.contest
    if contest is None or contest.fallen:
        return ()
    scopes = ("all contest", "skill contest")
    return tuple(modified(w, s, Mods()) for w in contest.parties for s in scopes if s in changes_of(world, w))


def people(world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody, with what is set already."""
    return [Choice(w, world.name(w), note="; ".join(set_already(world, w))) for w in world.present()]


def parts(_world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Which dice."""
    return [Choice("all", "all the dice"), Choice("weapon", "the weapon's dice"), Choice("skill", "the skill's dice")]


def throws(_world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Which throw; a weapon is thrown in attacks alone."""
    of = fields.get("of", "all")
    elsewhere = "a weapon is thrown in attacks" if of == "weapon" else ""
    return [
        Choice("any", "the next throw"),
        Choice("attack", "the next attack"),
        Choice("dodge", "the next dodge", elsewhere),
        Choice("contest", "the next contest", elsewhere),
    ]


def one_more(_world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """One more die, until something else is said: a change has to change something."""
    return [] if any(value for name, value in fields.items() if name != "who") else [Choice(1)]


class Modify(Action, tag="modify"):
    """Say what is done to somebody's next throw; it adds to what was said before."""

    title = "modify dice"
    key = "m"
    screens = ("contest", "table")
    who: Annotated[str, Ask(people)]
    clear: Annotated[bool, Meta(title="replaces earlier ones")] = False
    increments: Annotated[int, Meta(ge=-MOST_STEPS, le=MOST_STEPS, title="up or down")] = 0
    fewer: Annotated[int, Meta(ge=0, le=MOST_CHANGED)] = 0
    non_explosive: Annotated[int, Meta(ge=0, le=MOST_CHANGED, title="non-explosive")] = 0
    doubled: bool = False
    additional: Annotated[int, proposing(one_more, most=MOST_CHANGED)] = 0
    of: Annotated[Of, Ask(parts, "which dice")] = "all"
    throw: Annotated[Throws, Ask(throws, "which throw")] = "any"

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        scope = "weapon attack" if self.of == "weapon" else f"{self.of} {self.throw}"
        if scope not in SCOPES:
            raise Refused(f"there are no {self.of} dice in a {self.throw}", remedy="Choose another throw.")
        before = {} if self.clear else changes_of(world, self.who)
        more = Mods(self.increments, self.doubled, self.additional, self.fewer, self.non_explosive)
        after = before.get(scope, Mods()).plus(more)
        if why := beyond(after):
            raise Refused(why, remedy="Take something back first.")
        wanted = {**before, scope: after}
        events = [
            modified(self.who, s, wanted.get(s, Mods()))
            for s in SCOPES
            if wanted.get(s, Mods()) != changes_of(world, self.who).get(s, Mods())
        ]
        if not events:
            raise Refused(f"nothing changes for {world.name(self.who)}", remedy="Give a number, or leave it.")
        return tuple(events)


def beyond(mods: Mods) -> str:
    """Why so much cannot be done to one throw; empty where it can."""
    if abs(mods.increments) > MOST_STEPS:
        return f"{abs(mods.increments)} increments are more than the scale has"
    most = max(mods.additional, mods.fewer, mods.non_explosive)
    return f"{most} dice are more than {MOST_CHANGED}" if most > MOST_CHANGED else ""


def helped(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Whom somebody can help: not themselves, and nobody whose dice are doubled already."""
    return [
        Choice(w, world.name(w), "their dice are doubled already" if person(world, w).mods.doubled else "")
        for w in world.present()
        if w != fields.get("who")
    ]


def helpers(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody, closed where they are down."""
    return [Choice(c.value, c.label, "down" if is_down(world, c.value) else "") for c in anybody(world, fields)]


class Help(Action, tag="help"):
    """Help somebody: their next throw has twice the number of each die, never more than twice."""

    title = "help somebody"
    key = "h"
    screens = ("contest",)
    done_by = "who"
    who: Annotated[str, Ask(helpers)]
    whom: Annotated[str, Ask(helped)]

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        return (Modified(self.whom, replace(person(world, self.whom).mods, doubled=True)),)
