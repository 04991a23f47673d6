"""The Initiative: who goes next, who steps back or does without a turn, and what becomes of a side that is gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from ...kit.common import moment
from ...kit.order import changed, whoever_is_up
from ...kit.told import Told
from ...kit.turn_events import FighterChanged, TurnBegan
from ...rules import Ask, Choice, Dice, Event, Turns
from .able import EncounterAction, out_of_time, running, turn_used
from .world import No1World, other_side, side


def may_go(world: No1World) -> list[str]:
    """Who can take the next turn: the side with the Initiative, or the other when all of it have acted.

    Hidden ones go by the same rule but are no help to their side: who may go must not tell the players that somebody
    is there.
    """
    turns = world.now.turns
    waiting = turns.waiting()
    seen = [w for w in waiting if not turns.fighters[w].hidden]
    holding = [w for w in seen if turns.fighters[w].side == turns.holder]
    unseen = [w for w in waiting if turns.fighters[w].hidden]
    return [*(holding or seen), *(w for w in unseen if not holding or turns.fighters[w].side == turns.holder)]


def pickable(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Those who can go next, then those who cannot, with the reason."""
    turns, ready = world.now.turns, may_go(world)
    rest = [w for w in turns.order if w not in ready and not turns.fighters[w].out]
    return [*(Choice(w, world.name(w)) for w in ready), *(Choice(w, world.name(w), _why_not(turns, w)) for w in rest)]


def _why_not(turns: Turns, who: str) -> str:
    if turns.fighters[who].acted:
        return "has acted this round"
    return "is up now" if who == turns.current else f"the {turns.holder} hold the Initiative"


def time_left(world: No1World) -> str:
    """Why no turn can be taken now; empty where one can."""
    return running(world) or out_of_time(world)


class InitiativePassed(Event, tag="initiative_passed"):
    """The side that held the Initiative has nobody left to hold it."""

    rule = "a side of which nobody is left in the fight holds nothing"
    holder: str

    def apply(self, world: No1World) -> No1World:
        return world.live(turns=replace(world.now.turns, holder=self.holder))

    def says(self, world: No1World) -> str:
        return f"Nobody of the {other_side(self.holder)} is left: the {self.holder} hold the Initiative"


def passes_on(turns: Turns) -> tuple[Event, ...]:
    """The Initiative goes over where nobody of its side is seen in the fight, and somebody of the other is."""
    left = {f.side for f in turns.fighters.values() if not f.out and not f.hidden}
    return () if turns.holder in left or not left else (InitiativePassed(other_side(turns.holder)),)


def steps_back(world: No1World) -> FighterChanged:
    """Whoever is up has not rolled, and may still go in this round."""
    return changed(world, world.now.turns.current, "delays")


class Next(EncounterAction, tag="next"):
    """Pick who goes next: of the side that holds the Initiative, nobody twice in a round.

    Whoever is up and has not rolled yet steps back and may still go in this round.
    """

    swift = True
    title = "next"
    key = "n"
    done_by = "who"
    who: Annotated[str, Ask(pickable)]

    @classmethod
    def actor(cls, world: No1World, fields: Mapping[str, Any]) -> str:
        current = world.now.turns.current
        return current if current and not turn_used(world, current) else str(fields.get("who", ""))

    @classmethod
    def when(cls, world: No1World) -> str:
        return time_left(world) or ("" if may_go(world) else "everybody has acted: end the round")

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        current = world.now.turns.current
        began = (TurnBegan(self.who), *moment(world, "start", self.who))
        if current and not turn_used(world, current):
            return (steps_back(world), *began)
        return (*(moment(world, "end", current) if current else ()), *began)


class Delay(EncounterAction, tag="delay"):
    """Whoever is up steps back and goes later in the round."""

    title = "delay"
    key = "z"
    actor = staticmethod(whoever_is_up)

    @classmethod
    def when(cls, world: No1World) -> str:
        turns = world.now.turns
        if why := running(world):
            return why
        if not turns.current:
            return "nobody is up"
        if turn_used(world, turns.current):
            return "their turn has begun"
        mine = side(world, turns.current)
        return "" if turns.waiting(mine) else f"nobody else of the {mine} is left to go first"

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        return (steps_back(world),)


class Passed(Told, tag="passed"):
    """Somebody does without the rest of their turn, or without all of it."""

    rule = "nobody goes twice in a round"
    who: str

    def apply(self, world: No1World) -> No1World:
        turns = world.now.turns.with_acted([self.who])
        return world.live(turns=replace(turns, current="" if turns.current == self.who else turns.current))

    def words(self, world: No1World) -> str:
        return f"{world.name(self.who)} is done for this round" + (", unseen" if self.is_secret(world) else "")

    def is_secret(self, world: No1World) -> bool:
        return world.is_hidden(self.who)


def waiting(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Whoever is up, and those who have not acted."""
    turns = world.now.turns
    up = [turns.current] if turns.current else []
    return [Choice(w, world.name(w)) for w in [*up, *turns.waiting()]]


class Skip(EncounterAction, tag="skip"):
    """End somebody's turn, or let them do without one this round."""

    title = "skip"
    key = "k"
    done_by = "who"
    who: Annotated[str, Ask(waiting)]

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        ended = moment(world, "end", self.who) if self.who == world.now.turns.current else ()
        return (*ended, Passed(self.who))
