"""Acting: two dice and a skill against a number; nerve rolls the lower die again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from tabletop_tui.rules import Action, Ask, Choice, Dice, Event

from .world import LanternWorld, Roll, kept, nerve, waits


def everybody(world: LanternWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Who can act: whoever is up first."""
    up = world.now.turns.current
    return [Choice(who, world.name(who)) for who in sorted(world.present(), key=lambda who: who != up)]


def skills(world: LanternWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The skills of whoever was chosen in the field before."""
    sheet = world.sheets.get(fields.get("who", ""))
    return [Choice(name, note=f"+{bonus}") for name, bonus in sheet.skills.items()] if sheet else []


class Rolled(Event, tag="rolled"):
    """Dice lie on the table."""

    rule = "two dice and the skill have to reach the number"
    roll: Roll

    def apply(self, world: LanternWorld) -> LanternWorld:
        return world.live(roll=self.roll)

    def says(self, world: LanternWorld) -> str:
        return "" if kept(world, self.roll.who) else self._words(world)

    def whispers(self, world: LanternWorld) -> str:
        return self._words(world) if kept(world, self.roll.who) else ""

    def _words(self, world: LanternWorld) -> str:
        roll = self.roll
        faces = " ".join(map(str, roll.faces))
        return f"{world.name(roll.who)}, {roll.skill}: {faces} + {roll.bonus} = {roll.total} against {roll.number}"


class Settled(Event, tag="settled"):
    """The roll counts."""

    rule = "what lies on the table counts when nobody presses on"
    success: bool

    def apply(self, world: LanternWorld) -> LanternWorld:
        roll, task = world.now.roll, world.now.task
        done = replace(task, done=True) if task and task.lead else task
        return world.live(roll=replace(roll, pending=False) if roll else None, task=done)

    def says(self, world: LanternWorld) -> str:
        return "It works" if self.success else "It fails"

    def outcome(self) -> Mapping[str, str | int]:
        return {"outcome": "success" if self.success else "failure"}


def settle(world: LanternWorld, roll: Roll) -> tuple[Event, ...]:
    """A roll is on the table; one that nothing could change counts at once."""
    can_press = not roll.succeeds and nerve(world, roll.who) > 0
    rolled = Rolled(replace(roll, pending=can_press))
    return (rolled,) if can_press else (rolled, Settled(roll.succeeds))


class Act(Action, tag="act"):
    """Try something: two dice and a skill against a number."""

    title, key, screens = "act", "a", ("table",)
    done_by, done_with = "who", "skill"
    who: Annotated[str, Ask(everybody)]
    skill: Annotated[str, Ask(skills)]
    number: Annotated[int, Meta(ge=2, le=20)] = 8

    @classmethod
    def when(cls, world: LanternWorld) -> str:
        return waits(world)

    def resolve(self, world: LanternWorld, dice: Dice) -> tuple[Event, ...]:
        first, second = dice.roll(f"{world.name(self.who)}: {self.skill}", 6, 6, of=self.who)
        bonus = world.sheets[self.who].skills[self.skill]
        return settle(world, Roll(self.who, self.skill, self.number, (first, second), bonus))


class NerveSpent(Event, tag="nerve_spent"):
    """Somebody pressed on."""

    rule = "one nerve rolls the lower die again"
    who: str
    spent: int

    def apply(self, world: LanternWorld) -> LanternWorld:
        return world.live(spent={**world.now.spent, self.who: self.spent})

    def says(self, world: LanternWorld) -> str:
        return f"{world.name(self.who)} presses on"


def pending(world: LanternWorld) -> str:
    """Why there is nothing to answer; empty while a roll waits."""
    return "" if world.now.roll and world.now.roll.pending else "no roll waits"


class PressOn(Action, tag="press_on"):
    """Spend one nerve and roll the lower die again."""

    title = "press on"

    @classmethod
    def actor(cls, world: LanternWorld, fields: Mapping[str, Any]) -> str:
        return world.now.roll.who if world.now.roll else ""

    @classmethod
    def when(cls, world: LanternWorld) -> str:
        return pending(world)

    def resolve(self, world: LanternWorld, dice: Dice) -> tuple[Event, ...]:
        roll = world.now.roll
        assert roll is not None, "when says so"
        (again,) = dice.roll(f"{world.name(roll.who)} presses on", 6, of=roll.who)
        spent = NerveSpent(roll.who, world.now.spent.get(roll.who, 0) + 1)
        better = replace(roll, faces=(max(roll.faces), again))
        return (spent, *settle(spent.apply(world), better))


class LetStand(Action, tag="let_stand"):
    """Let the dice count as they lie."""

    title = "let it count"

    @classmethod
    def actor(cls, world: LanternWorld, fields: Mapping[str, Any]) -> str:
        return world.now.roll.who if world.now.roll else ""

    @classmethod
    def when(cls, world: LanternWorld) -> str:
        return pending(world)

    def resolve(self, world: LanternWorld, dice: Dice) -> tuple[Event, ...]:
        assert world.now.roll is not None, "when says so"
        return (Settled(world.now.roll.succeeds),)


ACTIONS: tuple[type[Action], ...] = (Act, PressOn, LetStand)
EVENTS: tuple[type[Event], ...] = (Rolled, Settled, NerveSpent)
