"""What the GM does by hand: moves a meter or a counter, puts a condition on somebody and takes it away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit import common
from ...kit.common import ConditionTicked, anybody
from ...rules import Action, Ask, Choice, Dice, Event, Field, Of, Refused
from .asking import NONE, say_owner, say_shape, says_at, stat_choices
from .effects import Doing
from .making import SAVES, Order, make
from .mentions import mentions
from .meters import meter_title
from .rolls import spoken, waits
from .scope import Scope, meter_value, shared_value
from .world import HomebrewWorld, group_title


def meter_choices(world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Somebody's meters, with what they show."""
    who = fields.get("who", "")
    return [Choice(m, f"{meter_title(world, m)} {meter_value(world, who, m)}") for m in world.rules.meters]


def shared_choices(world: HomebrewWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The table's counters, with what they show."""
    return [Choice(m, f"{meter_title(world, m)} {shared_value(world, m)}") for m in world.rules.shared]


class Adjust(Action, tag="adjust"):
    """Move somebody's meter by hand: up, or down with a negative number."""

    title, key, screens = "adjust", "j", ("table",)
    who: Annotated[str, Ask(anybody)]
    meter: Annotated[str, Ask(meter_choices)]
    by: Annotated[int, Meta(ge=-10_000, le=10_000)] = 1

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return "" if world.rules.meters else "this game has no meters"

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        return Doing(world, dice).move(self.who, self.meter, meter_value(world, self.who, self.meter) + self.by)


class AdjustShared(Action, tag="adjust_shared"):
    """Move a counter of the table by hand."""

    title = "adjust a counter"
    meter: Annotated[str, Ask(shared_choices, "counter")]
    by: Annotated[int, Meta(ge=-10_000, le=10_000)] = 1

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return "" if world.rules.shared else "this game has no counters of the table"

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        return Doing(world, dice).move("", self.meter, shared_value(world, self.meter) + self.by)


def known(world: HomebrewWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The game's own conditions."""
    return [Choice(name, rule.title) for name, rule in world.rules.lasting.items()]


class PutCondition(Action, tag="condition"):
    """Put a condition on somebody: one of the game's own, or any other word."""

    title = "condition"
    who: Annotated[str, Ask(common.anybody)]
    what: Annotated[str, Ask(known, other=True), Meta(max_length=120)]

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        if not self.what.strip():
            raise Refused("a condition needs a name", remedy="Say what it is: prone, burning, afraid.")
        events = Doing(world, dice).do({"condition": self.what.strip()}, Scope(world, self.who))
        if not events:
            raise Refused(f"{world.name(self.who)} is {self.what.strip()} already")
        return events


class EndCondition(common.EndCondition, tag="recover"):
    """Take a condition away."""

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        doing = Doing(world, dice)
        doing.happen(ConditionTicked(self.condition, 0))
        doing.heed(world.now.conditions[self.condition].who)
        return tuple(doing.events)


# ---- saves


def due_saves(world: HomebrewWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Conditions that a save can end."""
    return [
        Choice(i, f"{world.name(c.who)}: {c.what}")
        for i, c in world.now.conditions.items()
        if c.ends == "save" and c.what in world.rules.lasting
    ]


def save_group(world: HomebrewWorld, condition: str) -> str:
    """The group of stats that the save against a condition mentions."""
    found = world.now.conditions.get(condition)
    rule = world.rules.lasting.get(found.what) if found else None
    return next(iter(mentions(world.rules, rule.roll).groups), "") if rule and rule.roll in world.rules.rolls else ""


def save_stats(world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """With what somebody can save."""
    condition = fields.get("condition", "")
    group = save_group(world, condition)
    return stat_choices(world, world.now.conditions[condition].who, group) if group else ()


def save_stat_shape(field: Field, world: HomebrewWorld, fields: Mapping[str, Any]) -> Field | None:
    """Only where the save mentions a group of stats."""
    group = save_group(world, fields.get("condition", ""))
    return replace(field, label=group_title(world.rules, group), required=True) if group else None


def _save_roll(world: HomebrewWorld, fields: Mapping[str, Any]) -> dict[str, Any]:
    found = world.now.conditions.get(fields.get("condition", ""))
    rule = world.rules.lasting.get(found.what) if found else None
    return {**fields, "roll": rule.roll if rule else "", "who": found.who if found else ""}


def save_says(world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What the save asks."""
    return says_at(0, world, _save_roll(world, fields))


def save_say_shape(field: Field, world: HomebrewWorld, fields: Mapping[str, Any]) -> Field | None:
    """The same, as a field."""
    return say_shape(0, field, world, _save_roll(world, fields))


def save_say_owner(world: HomebrewWorld, fields: Mapping[str, Any]) -> str:
    """Who answers it: whoever saves, or the GM."""
    return say_owner(0, world, _save_roll(world, fields))


class Save(Action, tag="save"):
    """Roll to end a condition."""

    title, key, screens = "save", "s", ("table",)

    @classmethod
    def actor(cls, world: HomebrewWorld, fields: Mapping[str, Any]) -> str:
        """Whoever is under the condition."""
        found = world.now.conditions.get(str(fields.get("condition", "")))
        return found.who if found else ""

    condition: Annotated[str, Ask(due_saves)]
    stat: Annotated[str, Ask(save_stats, "stat", first=True, shape=save_stat_shape)] = ""
    say: Annotated[int | str, Ask(save_says, "say", first=True, shape=save_say_shape), Of(owner=save_say_owner)] = ""

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return waits(world) or ("" if due_saves(world, {}) else "nobody is under something that a save ends")

    def order(self, world: HomebrewWorld) -> Order:
        """What is rolled."""
        condition = world.now.conditions[self.condition]
        roll = world.rules.lasting[condition.what].roll
        group = save_group(world, self.condition)
        if group and not self.stat:
            raise Refused(f"it is not said which {group_title(world.rules, group)}", remedy="Say stat=…")
        says = spoken(world.rules.rolls[roll].asks, (self.say,))
        chosen = {group: self.stat} if group and self.stat != NONE else {}
        return Order(roll, condition.who, "", chosen, says, of=f"{SAVES}{self.condition}")

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        doing = Doing(world, dice)
        make(doing, self.order(world))
        return tuple(doing.events)
