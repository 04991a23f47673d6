"""What a turn is made of: a minor and a major action, and a reaction a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from ...rules import Action, Ask, Choice, Dice, Event, Refused
from .rounds import fighting
from .world import FenWorld, is_hidden, person, with_person

Cost = Literal["minor", "major", "reaction"]
COSTS: tuple[Cost, ...] = ("minor", "major", "reaction")


def cannot_pay(world: FenWorld, who: str, cost: str) -> str:
    """Why somebody cannot spend an action or a reaction; empty where they can, or where no fight is on."""
    turns, rules, them = world.now.turns, world.rules, person(world, who)
    if who not in turns.fighters:
        return "they are not in the fight" if turns.running else ""
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


class ActionSpent(Event, tag="action_spent"):
    """Somebody used an action or a reaction."""

    who: str
    minor: int = 0
    major: int = 0
    reactions: int = 0
    what: str = ""

    def apply(self, world: FenWorld) -> FenWorld:
        if self.who not in world.sheets:
            return world
        them = person(world, self.who)
        spent_now = replace(them, minor=self.minor, major=self.major, reactions=self.reactions)
        return with_person(world, self.who, spent_now)

    def says(self, world: FenWorld) -> str:
        return "" if is_hidden(world, self.who) or not self.what else f"{world.name(self.who)}: {self.what}"

    def whispers(self, world: FenWorld) -> str:
        return f"{world.name(self.who)}: {self.what}" if is_hidden(world, self.who) and self.what else ""


def in_the_fight(world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Whoever is up first, then the others who can still act."""
    turns = world.now.turns
    here = sorted(turns.order, key=lambda w: w != turns.current)
    return [Choice(w, world.name(w), "down" if turns.fighters[w].out else "") for w in here]


def costs(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Minor, major or reaction, closed where it is used up."""
    who = fields.get("who", "")
    return [Choice(c, "", cannot_pay(world, who, c)) for c in COSTS] if who in world.sheets else []


class Act(Action, tag="act"):
    """Spend a minor or major action on one's turn, or a reaction at any time."""

    title = "act"
    key = "c"
    screens = ("table",)
    who: Annotated[str, Ask(in_the_fight)]
    cost: Annotated[Cost, Ask(costs)]
    what: Annotated[str, Meta(max_length=200)] = ""

    @classmethod
    def when(cls, world: FenWorld) -> str:
        return fighting(world)

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        if why := cannot_pay(world, self.who, self.cost):
            raise Refused(f"{world.name(self.who)} cannot do that: {why}")
        word = "reaction" if self.cost == "reaction" else f"{self.cost} action"
        return paid(world, self.who, self.cost, f"{word}, {self.what.strip()}" if self.what.strip() else word)
