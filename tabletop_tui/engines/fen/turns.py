"""Turns: who is up next, and what a turn is made of: a minor and a major action, and a reaction a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from ...kit.common import moment
from ...kit.told import Told
from ...kit.turn_events import RoundBegan, TurnBegan
from ...rules import Ask, Choice, Dice, Event, Refused
from .rounds import InFight, RoundReadied, is_unseen
from .world import FenWorld, fight, is_down, person, with_person

Cost = Literal["minor", "major", "reaction"]
COSTS: tuple[Cost, ...] = ("minor", "major", "reaction")


def upcoming(world: FenWorld) -> tuple[str, list[str]]:
    """The side that acts next and who of it has not acted; empty at the end of the round."""
    turns, sequence = fight(world), world.now.rounds.sequence
    begin = sequence.index(turns.holder) if turns.holder in sequence else 0
    for side in sequence[begin:]:
        if waiting := turns.waiting(side):
            return side, waiting
    return "", []


def next_up(world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Who of the side that acts can take the next turn."""
    return [Choice(w, world.name(w)) for w in upcoming(world)[1]]


class SideActs(Told, tag="side_acts"):
    """It is another side's turn."""

    side: str

    def apply(self, world: FenWorld) -> FenWorld:
        return world.live(turns=replace(world.now.turns, holder=self.side))

    def words(self, world: FenWorld) -> str:
        return f"The {self.side} act" + (", unseen" if self.is_secret(world) else "")

    def is_secret(self, world: FenWorld) -> bool:
        return is_unseen(world, self.side)


class NextTurn(InFight, tag="next"):
    """End the turn; another of the side is up, then the next side, then a new round begins."""

    swift = True
    title = "next"
    key = "n"
    who: Annotated[str, Ask(next_up)] = ""

    @classmethod
    def actor(cls, world: FenWorld, fields: Mapping[str, Any]) -> str:
        return world.now.turns.current or str(fields.get("who", ""))

    @classmethod
    def when(cls, world: FenWorld) -> str:
        return super().when(world) or ("" if world.now.rounds.sequence else "initiative has not been rolled")

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        turns = world.now.turns
        events: list[Event] = [*moment(world, "end", turns.current)] if turns.current else []
        side, waiting = upcoming(world)
        if not waiting:
            timer = None if turns.timer is None else max(turns.timer - 1, 0)
            events += moment(world, "round")
            return (*events, RoundBegan(turns.round + 1, timer), RoundReadied())
        up = self.who or waiting[0]
        if side != turns.holder:
            events.append(SideActs(side))
        return (*events, TurnBegan(up), *moment(world, "start", up))


def cannot_pay(world: FenWorld, who: str, cost: str) -> str:
    """Why somebody cannot spend an action or a reaction; empty where they can, or where no fight is on."""
    turns, rules, them = world.now.turns, world.rules, person(world, who)
    if who not in turns.fighters:
        return "they are not in the fight" if turns.running else ""
    if is_down(world, who):
        return "they are down"
    if cost == "reaction":
        return "" if them.reactions < rules.reactions else "no reaction left in this round"
    if turns.current != who:
        return "it is not their turn"
    used, most = (them.minor, rules.minor_actions) if cost == "minor" else (them.major, rules.major_actions)
    return "" if used < most else f"no {cost} action left in this turn"


def paid(world: FenWorld, who: str, cost: str, what: str = "") -> tuple[Event, ...]:
    """The event of spending it; nothing is counted outside a fight."""
    if who not in world.now.turns.fighters:
        return ()
    them = person(world, who)
    more = (them.minor + (cost == "minor"), them.major + (cost == "major"), them.reactions + (cost == "reaction"))
    return (ActionSpent(who, *more, what),)


def spent_of_turn(world: FenWorld, who: str) -> str:
    """Which actions of a turn are spent, as short as a roster needs it; nothing before one is."""
    them, rules = person(world, who), world.rules
    used = {"major": (them.major, rules.major_actions), "minor": (them.minor, rules.minor_actions)}
    gone = [cost for cost, (n, most) in used.items() if n >= most > 0]
    return f"{'both' if len(gone) == 2 else gone[0]} spent" if gone else ""


class ActionSpent(Told, tag="action_spent"):
    """Somebody used an action or a reaction."""

    who: str
    minor: int = 0
    major: int = 0
    reactions: int = 0
    what: str = ""

    def apply(self, world: FenWorld) -> FenWorld:
        return with_person(world, self.who, minor=self.minor, major=self.major, reactions=self.reactions)

    def words(self, world: FenWorld) -> str:
        return f"{world.name(self.who)}: {self.what}" if self.what else ""

    def is_secret(self, world: FenWorld) -> bool:
        return world.is_hidden(self.who)


def in_the_fight(world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Whoever is up first, then the others who can still act."""
    turns = world.now.turns
    here = sorted(turns.order, key=lambda w: w != turns.current)
    return [Choice(w, world.name(w), "down" if is_down(world, w) else "") for w in here]


def costs(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Minor, major or reaction, closed where it is used up."""
    who = fields.get("who", "")
    return [Choice(c, "", cannot_pay(world, who, c)) for c in COSTS] if who in world.sheets else []


class Act(InFight, tag="act"):
    """Spend a minor or major action on one's turn, or a reaction at any time."""

    title = "act"
    key = "c"
    done_by = "who"
    who: Annotated[str, Ask(in_the_fight)]
    cost: Annotated[Cost, Ask(costs)]
    what: Annotated[str, Meta(max_length=200)] = ""

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        if why := cannot_pay(world, self.who, self.cost):
            raise Refused(f"{world.name(self.who)} cannot do that: {why}")
        word = "reaction" if self.cost == "reaction" else f"{self.cost} action"
        return paid(world, self.who, self.cost, f"{word}, {self.what.strip()}" if self.what.strip() else word)
