"""Penalty dice: causes, levels, being broken, gaining them and recovering from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta

from ...kit.acting import ToSomebody
from ...kit.ahead import after, next_id
from ...kit.asking import said
from ...kit.common import anybody
from ...kit.told import ToldOf
from ...rules import Action, Ask, Choice, Dice, Event, Refused
from .world import MOST_PENALTIES, DramaWorld, Penalty, many, person, with_person

LEVELS = ((10, "broken"), (7, "stressed"), (4, "shaken"), (1, "distracted"))


BROKEN, STRESSED = LEVELS[0][0], LEVELS[1][0]


def level(dice: int) -> str:
    """The word for how much somebody carries."""
    return next((word for least, word in LEVELS if dice >= least), "")


def able(world: DramaWorld, who: str) -> str:
    """Empty, or why somebody cannot act."""
    if not world.is_here(who):
        return "not here"
    them = person(world, who)
    if them.carried >= BROKEN and not them.acts_broken:
        return f"broken by {many(them.carried, 'penalty')}; the GM may let them act"
    return ""


class PenaltyChanged(ToldOf, tag="penalty_changed"):
    """Somebody carries other penalty dice for a cause."""

    rule = "penalty dice are added to the resistance of every test until their cause goes or rest takes them away"
    id: str
    cause: str
    dice: int
    """What is left; 0 takes the cause away."""
    by: int = 0

    def apply(self, world: DramaWorld) -> DramaWorld:
        if self.who not in world.sheets:
            return world
        them = person(world, self.who)
        kept = {i: p for i, p in them.penalties.items() if i != self.id or self.dice > 0}
        if self.dice > 0:
            kept[self.id] = Penalty(self.cause, self.dice)
        return with_person(world, self.who, penalties=kept)

    def words(self, world: DramaWorld) -> str:
        if self.who not in world.sheets:
            return ""
        before = person(world, self.who).carried
        total = before + self.by
        word = level(total)
        now = f" (now {total}: {word})" if word else " (none left)"
        change = f"gains {many(self.by, 'penalty')}" if self.by >= 0 else f"loses {many(-self.by, 'penalty')}"
        return f"{world.name(self.who)} {change}: {self.cause}{now}"


class Overridden(ToldOf, tag="overridden"):
    """The GM let somebody act who is broken, or no longer does."""

    rule = "ten or more penalty dice break a character; the GM may let them act all the same"
    acts: bool

    def apply(self, world: DramaWorld) -> DramaWorld:
        return with_person(world, self.who, acts_broken=self.acts)

    def words(self, world: DramaWorld) -> str:
        if person(world, self.who).carried < BROKEN:
            return ""  # it lapsed with the dice that made it needed
        return f"{world.name(self.who)} {'acts although broken' if self.acts else 'is broken and cannot act'}"


def gain(world: DramaWorld, who: str, cause: str, dice: int) -> tuple[Event, ...]:
    """More penalty dice for a cause; the same cause adds up."""
    them = person(world, who)
    dice = min(dice, MOST_PENALTIES - them.carried)
    if dice <= 0:
        return ()
    found = next((i for i, p in them.penalties.items() if p.cause.casefold() == cause.casefold()), "")
    if found:
        return (PenaltyChanged(who, found, them.penalties[found].cause, them.penalties[found].dice + dice, dice),)
    return (PenaltyChanged(who, next_id("penalty", them.penalties), cause, dice, dice),)


def lose(world: DramaWorld, who: str, dice: int) -> tuple[Event, ...]:
    """Rest takes dice away, the oldest cause first."""
    events: list[Event] = []
    for i, penalty in person(world, who).penalties.items():
        gone = min(dice, penalty.dice)
        if gone > 0:
            events.append(PenaltyChanged(who, i, penalty.cause, penalty.dice - gone, -gone))
            dice -= gone
    return (*events, *lapse(world, who, events))


def lapse(world: DramaWorld, who: str, events: Sequence[Event]) -> tuple[Event, ...]:
    """Whoever is no longer broken needs the GM's leave no more, and will need it anew."""
    them = person(after(world, events), who)
    return (Overridden(who, False),) if them.acts_broken and them.carried < BROKEN else ()


def burdened(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who carries penalty dice."""
    return [
        Choice(w, world.name(w), note=f"{n} penalty {'die' if n == 1 else 'dice'}")
        for w in world.present()
        if (n := person(world, w).carried)
    ]


def causes(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What somebody carries."""
    who = fields.get("who", "")
    carried = person(world, who).penalties if who in world.sheets else {}
    return [Choice(i, p.cause, note=f"{p.dice} {'die' if p.dice == 1 else 'dice'}") for i, p in carried.items()]


def broken_ones(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody with ten penalty dice or more."""
    return [Choice(w, world.name(w)) for w in world.present() if person(world, w).carried >= BROKEN]


class GainPenalty(ToSomebody, tag="penalty"):
    """Give somebody penalty dice, with their cause."""

    title = "penalty dice"
    key = "p"
    who: Annotated[str, Ask(anybody)]
    cause: Annotated[str, Meta(max_length=80)]
    dice: Annotated[int, Meta(ge=1, le=10)] = 1

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        cause = said(self.cause, "penalty dice need a cause", "Say what it is: cold, drink, fear.")
        found = gain(world, self.who, cause, self.dice)
        if not found:
            raise Refused(f"{world.name(self.who)} carries {MOST_PENALTIES} penalty dice, and no more can be carried")
        return found


class Relieve(ToSomebody, tag="relieve"):
    """A cause is gone, or weaker: take its penalty dice away, all of them or some."""

    title = "relieve a cause"
    who: Annotated[str, Ask(burdened)]
    cause: Annotated[str, Ask(causes)]
    dice: Annotated[int, Meta(ge=1, le=MOST_PENALTIES, description="all of them")] = MOST_PENALTIES

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        penalty = person(world, self.who).penalties[self.cause]
        gone = min(self.dice, penalty.dice)
        less = PenaltyChanged(self.who, self.cause, penalty.cause, penalty.dice - gone, -gone)
        return (less, *lapse(world, self.who, [less]))


class Override(ToSomebody, tag="override"):
    """Let somebody act who is broken, or hold them to it again."""

    title = "let the broken act"
    who: Annotated[str, Ask(broken_ones)]

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        return (Overridden(self.who, not person(world, self.who).acts_broken),)


ACTIONS: tuple[type[Action], ...] = (GainPenalty, Relieve, Override)


EVENTS: tuple[type[Event], ...] = (PenaltyChanged, Overridden)
