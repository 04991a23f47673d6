"""A task that several take on together: one leads, the others help for a nerve each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from tabletop_tui.rules import Action, Ask, Choice, Dice, Event, Refused

from .acting import everybody, settle, skills
from .world import LanternWorld, Roll, Task, nerve, waits


class TaskChanged(Event, tag="task_changed"):
    """A task is opened, or somebody joins it."""

    task: Task
    words: str

    def apply(self, world: LanternWorld) -> LanternWorld:
        # the dice of another task are no longer of interest
        return world.live(task=self.task, roll=None)

    def says(self, world: LanternWorld) -> str:
        return self.words


class OpenTask(Action, tag="task"):
    """Put a task before the party."""

    title, key, screens, leads_to = "task", "k", ("table", "challenge"), "challenge"
    name: Annotated[str, Meta(max_length=60)]
    number: Annotated[int, Meta(ge=2, le=20)] = 10

    @classmethod
    def when(cls, world: LanternWorld) -> str:
        return waits(world)

    def resolve(self, world: LanternWorld, dice: Dice) -> tuple[Event, ...]:
        if not self.name.strip():
            raise Refused("a task needs a name", remedy="Say what is to be done.")
        return (TaskChanged(Task(self.name, self.number), f"Task: {self.name}, {self.number}"),)


def open_task(world: LanternWorld) -> str:
    """Why nobody can join; empty while a task waits for its roll."""
    task = world.now.task
    return waits(world) or ("" if task and not task.done else "there is no task")


class Lead(Action, tag="lead"):
    """Take the lead in the task."""

    title = "lead"
    done_by = "who"
    who: Annotated[str, Ask(everybody)]
    skill: Annotated[str, Ask(skills)]

    @classmethod
    def when(cls, world: LanternWorld) -> str:
        return open_task(world)

    def resolve(self, world: LanternWorld, dice: Dice) -> tuple[Event, ...]:
        task = world.now.task
        assert task is not None, "when says so"
        led = replace(task, lead=self.who, skill=self.skill, helpers=())
        return (TaskChanged(led, f"{world.name(self.who)} leads with {self.skill}"),)


def helpers(world: LanternWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody but the one who leads, closed where they have no nerve left."""
    task = world.now.task
    others = [who for who in world.present() if task and who != task.lead]
    return [Choice(who, world.name(who), "" if nerve(world, who) else "no nerve left") for who in others]


class Help(Action, tag="help"):
    """Help with the task, or stop helping: each helper adds 1, and spends a nerve when it is rolled."""

    title = "help"
    done_by = "who"
    who: Annotated[str, Ask(helpers)]

    @classmethod
    def when(cls, world: LanternWorld) -> str:
        return open_task(world) or ("" if world.now.task and world.now.task.lead else "nobody leads yet")

    def resolve(self, world: LanternWorld, dice: Dice) -> tuple[Event, ...]:
        task = world.now.task
        assert task is not None, "when says so"
        name = world.name(self.who)
        if self.who in task.helpers:
            left = tuple(who for who in task.helpers if who != self.who)
            return (TaskChanged(replace(task, helpers=left), f"{name} steps back"),)
        return (TaskChanged(replace(task, helpers=(*task.helpers, self.who)), f"{name} helps"),)


class NerveOfHelpers(Event, tag="nerve_of_helpers"):
    """Everybody who helped spent a nerve."""

    rule = "helping costs one nerve"
    spent: dict[str, int]

    def apply(self, world: LanternWorld) -> LanternWorld:
        return world.live(spent={**world.now.spent, **self.spent})


class RollTask(Action, tag="roll_task"):
    """Roll for the task."""

    title = "roll"

    @classmethod
    def actor(cls, world: LanternWorld, fields: Mapping[str, Any]) -> str:
        return world.now.task.lead if world.now.task else ""

    @classmethod
    def when(cls, world: LanternWorld) -> str:
        return open_task(world) or ("" if world.now.task and world.now.task.lead else "nobody leads yet")

    def resolve(self, world: LanternWorld, dice: Dice) -> tuple[Event, ...]:
        task = world.now.task
        assert task is not None, "when says so"
        able = [who for who in task.helpers if nerve(world, who)]
        first, second = dice.roll(f"{world.name(task.lead)}: {task.name}", 6, 6, of=task.lead)
        bonus = world.sheets[task.lead].skills.get(task.skill, 0) + len(able)
        paid = NerveOfHelpers({who: world.now.spent.get(who, 0) + 1 for who in able})
        roll = Roll(task.lead, task.skill, task.number, (first, second), bonus)
        return (*((paid,) if able else ()), *settle(paid.apply(world), roll))


ACTIONS: tuple[type[Action], ...] = (OpenTask, Lead, Help, RollTask)
EVENTS: tuple[type[Event], ...] = (TaskChanged, NerveOfHelpers)
