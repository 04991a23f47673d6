"""After the roll: a base 4 raised, the price paid, a draw given, or all left as it lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...rules import Action, Ask, Choice, Dice, Event
from .penalties import gain
from .points import spend
from .reading import payable, pending, raisable, undecided
from .verdict import finish, settle
from .world import DramaWorld, Roll, Side

HERE = ("table", "challenge", "contest")


def _none() -> str:
    return "no dice wait for a choice"


def _with(roll: Roll, key: str, side: Side) -> Roll:
    return replace(roll, sides={**roll.sides, key: side})


def raisers(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Who could make a 5 of a 4."""
    roll = pending(world)
    return [Choice(k, roll.sides[k].name) for k in raisable(world, roll)] if roll else []


def payers(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Who could pay the price."""
    roll = pending(world)
    return [Choice(k, roll.sides[k].name) for k in payable(roll)] if roll else []


def level_ones(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody in a draw that nothing decides."""
    roll = pending(world)
    if roll is None:
        return []
    return [Choice(k, roll.sides[k].name) for pair in undecided(world, roll) for k in pair]


class LetStand(Action, tag="let_stand"):
    """Let the dice count as they lie; a draw that is still level goes to whoever began."""

    title = "let it stand"
    key = "k"
    screens = HERE

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return "" if pending(world) else _none()

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        roll = pending(world)
        assert roll is not None
        return settle(world, roll)


class Raise(Action, tag="raise"):
    """Spend a Drama Point: one base 4 counts as a 5."""

    title = "raise a 4"
    key = "b"
    screens = HERE
    side: Annotated[str, Ask(raisers, "whose")]

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return "" if pending(world) else _none()

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        roll = pending(world)
        assert roll is not None
        side = roll.sides[self.side]
        place = next(i for i, d in enumerate(side.dice) if d.pool == "base" and d.face == 4 and not d.raised)
        raised = tuple(replace(d, raised=True) if i == place else d for i, d in enumerate(side.dice))
        spent = spend(world, side.who, "a Drama Point makes a 5 of a 4")
        changed = _with(roll, self.side, replace(side, dice=raised))
        return (spent, *finish(spent.apply(world), changed, "A 4 counts as a 5", fell=False))


class Pay(Action, tag="pay"):
    """Pay the price: one net success counts as two, for penalty dice."""

    title = "pay the price"
    key = "y"
    screens = HERE
    side: Annotated[str, Ask(payers, "whose")]

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return "" if pending(world) else _none()

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        roll = pending(world)
        assert roll is not None
        side = roll.sides[self.side]
        cost = gain(world, side.who, "paid the price", world.rules.price)
        for event in cost:
            world = event.apply(world)
        changed = _with(roll, self.side, replace(side, paid=True))
        return (*cost, *finish(world, changed, f"{side.name} pays the price", fell=False))


class Favour(Action, tag="favour_draw"):
    """A draw that is level in everything: the GM picks who has it."""

    title = "give the draw"
    key = "v"
    screens = ("table", "contest")
    side: Annotated[str, Ask(level_ones, "to whom")]
    reason: Annotated[str, Meta(max_length=120)] = ""

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return "" if pending(world) else _none()

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        roll = pending(world)
        assert roll is not None
        key = next(first for first, second in undecided(world, roll) if self.side in (first, second))
        changed = replace(roll, picks={**roll.picks, key: self.side})
        why = f": {self.reason.strip()}" if self.reason.strip() else ""
        return finish(world, changed, f"The GM gives the draw to {roll.sides[self.side].name}{why}", fell=False)


ACTIONS: tuple[type[Action], ...] = (LetStand, Raise, Pay, Favour)
