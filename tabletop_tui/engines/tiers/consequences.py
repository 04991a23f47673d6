"""Consequences: what a character carries away, for a session or two or for good."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit.acting import ToSomebody
from ...kit.asking import of, said
from ...kit.common import anybody, unseen
from ...kit.told import ToldOf
from ...rules import Action, Ask, Choice, Dice, Event, Line
from .world import Consequence, Person, TiersWorld, person, put


class ConsequenceChanged(ToldOf, tag="consequence_changed"):
    """A Consequence began, was reworded or ended."""

    rule = "Consequences: temporary for a session or two (5 points), lasting (10 points), or from outright failure"
    id: str
    consequence: Consequence | None = None

    def apply(self, world: TiersWorld) -> TiersWorld:
        held = {k: c for k, c in person(world, self.who).consequences.items() if k != self.id}
        if self.consequence:
            held[self.id] = self.consequence
        return put(world, self.who, consequences=held)

    def words(self, world: TiersWorld) -> str:
        name = world.name(self.who)
        if self.consequence is None:
            return f"{name}: a Consequence ends: {person(world, self.who).consequences[self.id].what}"
        return f"{name}: Consequence ({lasts(self.consequence)}): {self.consequence.what}"


def lasts(carried: Consequence) -> str:
    """How long it lasts, in words."""
    return "lasting" if carried.lasting else f"{carried.sessions} session{'s' if carried.sessions != 1 else ''}"


def carried_lines(world: TiersWorld) -> tuple[Line, ...]:
    """What people carry, for the table; that of the unseen stands in the GM's roster alone."""
    return tuple(
        Line(label=world.name(w), value=c.what, because=lasts(c), tone="warn")
        for w in world.present()
        if not unseen(world, w)
        for c in person(world, w).consequences.values()
    )


def consequence(world: TiersWorld, who: str, what: str, *, lasting: bool, sessions: int) -> ConsequenceChanged:
    """A new Consequence under a number of its own."""
    held = person(world, who).consequences
    free = next(str(i) for i in range(1, len(held) + 2) if str(i) not in held)
    return ConsequenceChanged(who, free, Consequence(what, lasting, sessions))


def held_by(world: TiersWorld, who: str) -> Sequence[Choice]:
    """The Consequences that somebody carries."""
    return [Choice(i, c.what) for i, c in person(world, who).consequences.items()] if who in world.sheets else []


def carriers(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who carries a Consequence."""
    return [Choice(w, world.name(w)) for w in world.present() if person(world, w).consequences]


def needs_words(what: str) -> str:
    """What a Consequence is, in words."""
    return said(what, "a Consequence needs words", "Say what happens to them.")


class RecordConsequence(ToSomebody, tag="consequence"):
    """Record a Consequence that the story brought, without paying for it."""

    title = "record a Consequence"
    key = "s"
    who: Annotated[str, Ask(anybody)]
    what: Annotated[str, Meta(max_length=200)]
    lasting: bool = False
    sessions: Annotated[int, Meta(ge=1, le=100)] = 1

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        what = needs_words(self.what)
        return (consequence(world, self.who, what, lasting=self.lasting, sessions=self.sessions),)


class RewordConsequence(Action, tag="reword"):
    """Say a Consequence in other words; how long it lasts stays."""

    title = "reword a Consequence"
    who: Annotated[str, Ask(carriers)]
    consequence: Annotated[str, Ask(of("who", held_by))]
    what: Annotated[str, Meta(max_length=200)]

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        held = person(world, self.who).consequences[self.consequence]
        return (ConsequenceChanged(self.who, self.consequence, replace(held, what=needs_words(self.what))),)


class EndConsequence(Action, tag="shed"):
    """Lift a Consequence: its time is over, or a side quest resolved it."""

    title = "lift a Consequence"
    key = "k"
    screens = ("table",)
    who: Annotated[str, Ask(carriers)]
    consequence: Annotated[str, Ask(of("who", held_by))]

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        return (ConsequenceChanged(self.who, self.consequence),)


def next_session(world: TiersWorld) -> dict[str, Person]:
    """When a session begins, temporary Consequences have one session less, and end after their last."""
    out = {}
    for who in world.sheets:
        them = person(world, who)
        held = {
            i: c if c.lasting else replace(c, sessions=c.sessions - 1)
            for i, c in them.consequences.items()
            if c.lasting or c.sessions > 1
        }
        out[who] = replace(them, consequences=held)
    return out
