"""Tests of an attribute or a skill, resisted or not: prepared with others, or rolled in one go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit.asking import said
from ...kit.order import turn_of
from ...rules import Action, Ask, Choice, Dice, Event
from .aid import gifts, givers, others
from .building import (
    able_ones,
    attribute_choices,
    difficulty_choices,
    own_approaches,
    own_passions,
    own_penalties,
    own_points,
    resist_choices,
    resisting,
    side,
    used_attribute,
)
from .complex import OpensTest
from .outcome import waiting
from .points import spend
from .settle import thrown
from .task import TaskChanged, WithLead, WithTask, aside, crew, task_now, task_sides, unable, without
from .world import DramaWorld, Entry, Piece, Roll, RollKind, Task

Some = Annotated[int, Meta(ge=0, le=20)]
"""Situational dice: for one test."""


Words = Annotated[str, Meta(max_length=120)]


def bystanders(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody else, broken or not."""
    return [Choice("", "nobody"), *(Choice(w, world.name(w)) for w in world.present() if w != fields.get("who"))]


def free_hands(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody else who can act, or nobody."""
    return [Choice("", "nobody"), *others(world, fields)]


def targets(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Whoever could resist."""
    return [Choice("", "nobody"), *(Choice(w, world.name(w)) for w in world.present())]


class OpenTask(OpensTest, tag="task"):
    """Prepare a test that several may take part in."""

    title = "open a test"
    key = "o"
    name: Annotated[str, Meta(max_length=80)]
    difficulty: Annotated[str, Ask(difficulty_choices)] = "some"
    stakes: Annotated[str, Meta(max_length=200)] = ""
    target: Annotated[str, Ask(targets, "resisted by")] = ""
    resist: Annotated[str, Ask(resist_choices, "resists with", first=True)] = ""

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        name = said(self.name, "a test needs a name", "Say what is tried.")
        if self.target:
            resisting(world, self.target, self.resist)
        task = Task(name, self.stakes.strip(), self.difficulty, self.target, self.resist)
        return (TaskChanged(task, f"{task.name}: {task.difficulty}"),)


class Lead(WithTask, tag="lead"):
    """Say who leads the test and with what; everybody else can help."""

    title = "lead"
    done_by = "who"
    key = "l"
    who: Annotated[str, Ask(able_ones)]
    using: Annotated[str, Ask(own_approaches)]
    attribute: Annotated[str, Ask(attribute_choices, first=True)] = ""

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        task, entry = task_now(world), Entry(self.using, self.attribute)
        side(world, self.who, entry)
        # a new lead takes the old one's place; a helper who takes the lead no longer helps
        rest = without(task, self.who)
        crew = {self.who: entry, **{w: e for w, e in rest.crew.items() if w != task.lead}}
        gifts = {w: g for w, g in task.gifts.items() if g.to in crew}
        led = replace(rest, lead=self.who, crew=crew, gifts=gifts)
        return (TaskChanged(led, f"{world.name(self.who)} leads with {self.using.rpartition(':')[2]}"),)


class PutIn(WithLead, tag="put_in"):
    """Put a passion, a Drama Point or a penalty that helps for once into a test before it is rolled."""

    title = "passion or point"
    done_by = "who"
    key = "p"
    who: Annotated[str, Ask(crew)]
    passion: Annotated[str, Ask(own_passions)] = ""
    point: Annotated[str, Ask(own_points, "Drama Point")] = ""
    turned: Annotated[str, Ask(own_penalties, "penalty that helps")] = ""

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        task = task_now(world)
        entry = replace(task.crew[self.who], passion=self.passion, point=self.point, turned=self.turned)
        side(world, self.who, entry)
        what = [
            self.passion and f"passion {self.passion}",
            self.point and "a Drama Point",
            self.turned and "a penalty",
        ]
        words = ", ".join(w for w in what if w) or "nothing more"
        put = replace(task, crew={**task.crew, self.who: entry})
        return (TaskChanged(put, f"{world.name(self.who)} puts in {words}"),)


class Situation(WithTask, tag="situation"):
    """Situational dice, for this one test."""

    title = "situation"
    key = "m"
    because: Words
    base: Some = 0
    resistance: Some = 0
    drama: Some = 0

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        piece = Piece(self.because.strip() or "situation", self.base, self.resistance, self.drama)
        return (TaskChanged(replace(task_now(world), more=piece), f"The situation: {piece.source}"),)


def task_roll(world: DramaWorld, task: Task, kind: RollKind) -> Roll:
    """The pools of a test, before they fall."""
    return Roll(kind, task_sides(world, task), what=task.name, turn=turn_of(world), also=aside(task))


class RollTask(WithLead, tag="roll_task"):
    """Roll the test that was prepared."""

    title = "roll the test"
    screens = ()

    @classmethod
    def actor(cls, world: DramaWorld, fields: Mapping[str, Any]) -> str:
        return world.now.task.lead if world.now.task else ""

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return super().when(world) or unable(world, task_now(world))

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        task = task_now(world)
        kind: RollKind = "complex" if task.chain else "together" if len(task.crew) > 1 else "test"
        spent = [spend(world, who) for who, entry in task.crew.items() if entry.point]
        return thrown(world, dice, task_roll(world, task, kind), [*spent, TaskChanged(None)])


class CloseTask(WithTask, tag="close_task"):
    """Take the prepared test off the table without rolling it."""

    title = "close"
    key = "c"

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        task = world.now.task
        return super().when(world) or ("it belongs to the complex test" if task and task.chain else "")

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        return (TaskChanged(None, f"{task_now(world).name} is left alone"),)


class MakeTest(Action, tag="test"):
    """Roll a test: an attribute or a skill against a difficulty, resisted by somebody or not."""

    title = "test"
    key = "e"
    screens = ("table",)
    done_by, done_with = "who", "using"
    asks = True
    when = staticmethod(waiting)
    who: Annotated[str, Ask(able_ones)]
    using: Annotated[str, Ask(own_approaches)]
    attribute: Annotated[str, Ask(attribute_choices, first=True)] = ""
    difficulty: Annotated[str, Ask(difficulty_choices)] = "some"
    resisted_by: Annotated[str, Ask(bystanders)] = ""
    resist: Annotated[str, Ask(resist_choices, "resists with", first=True)] = ""
    hand: Annotated[str, Ask(free_hands, "lends a hand")] = ""
    passion: Annotated[str, Ask(own_passions)] = ""
    point: Annotated[str, Ask(own_points, "Drama Point")] = ""
    turned: Annotated[str, Ask(own_penalties, "penalty that helps")] = ""
    more_base: Some = 0
    more_resistance: Some = 0
    more_drama: Some = 0
    because: Words = ""
    given_by: Annotated[tuple[str, ...], Ask(givers, "drama dice from")] = ()
    reason: Words = ""

    def task(self, world: DramaWorld) -> Task:
        """The same test as one that was prepared."""
        more = Piece(self.because.strip() or "situation", self.more_base, self.more_resistance, self.more_drama)
        entry = Entry(self.using, self.attribute, self.passion, self.point, self.turned)
        hands = {self.hand: used_attribute(world, self.who, entry)} if self.hand else {}
        name = f"{world.name(self.who)}, {self.using.rpartition(':')[2]}"
        return Task(
            name,
            "",
            self.difficulty,
            self.resisted_by,
            self.resist,
            self.who,
            {self.who: entry},
            hands,
            gifts(self.given_by, self.who, self.reason),
            more,
        )

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        spent = [spend(world, self.who)] if self.point else []
        return thrown(world, dice, task_roll(world, self.task(world), "test"), spent)


ACTIONS: tuple[type[Action], ...] = (OpenTask, Lead, PutIn, Situation, RollTask, CloseTask, MakeTest)
