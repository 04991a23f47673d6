"""A test that is being prepared: who takes part in it, and their pools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from ...kit.ahead import refusal
from ...kit.told import Told
from ...rules import Action, Choice, Event, Refused
from .building import DIFFICULTIES, attribute, gift_pieces, resisting, side
from .campaign import ATTRIBUTES
from .complex import dimension_piece
from .outcome import waiting
from .penalties import able
from .world import DramaWorld, Piece, Side, Task, hides, of_task


class TaskChanged(Told, tag="task_changed"):
    """The test that is being prepared is another, or none."""

    task: Task | None
    what: str = ""

    def apply(self, world: DramaWorld) -> DramaWorld:
        return world.live(task=self.task)

    def words(self, world: DramaWorld) -> str:
        return self.what

    def is_secret(self, world: DramaWorld) -> bool:
        return hides(world, (*of_task(self.task), *of_task(world.now.task)))


def task_now(world: DramaWorld) -> Task:
    """The test that is being prepared."""
    if world.now.task is None:
        raise Refused("no test is being prepared", remedy="Open one first.")
    return world.now.task


def without(task: Task, who: str) -> Task:
    """A test in which somebody no longer takes part, nor do drama dice that were given to them."""
    hands = {w: a for w, a in task.hands.items() if w != who}
    crew = {w: e for w, e in task.crew.items() if w != who}
    return replace(task, hands=hands, crew=crew, gifts={w: g for w, g in task.gifts.items() if g.to in crew})


def unable(world: DramaWorld, task: Task) -> str:
    """Why a prepared test cannot be rolled: somebody in it is broken or gone, or what was put in is spent."""
    reasons = ((who, able(world, who)) for who in (*task.crew, *task.hands))
    broken = next((f"{world.name(who)} is {why}" for who, why in reasons if why), "")
    return broken or refusal(task_sides, world, task)


def aside(task: Task) -> tuple[str, ...]:
    """Who is in a test without a pool: whoever resists, those who lend a hand, those who give a drama die."""
    return tuple(dict.fromkeys(who for who in (task.target, *task.hands, *task.gifts) if who))


class WithTask(Action):
    """What is done to a test that is being prepared."""

    screens: ClassVar[tuple[str, ...]] = ("challenge",)

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return waiting(world) or ("" if world.now.task else "no test is being prepared")


class WithLead(WithTask):
    """What is done once somebody leads it."""

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        task = world.now.task
        return super().when(world) or ("" if task and task.lead else "nobody leads yet")


def opposition(world: DramaWorld, task: Task) -> list[Piece]:
    """What everybody who rolls has against them: difficulty, whoever resists, the dimension."""
    found = [DIFFICULTIES[task.difficulty]] if task.difficulty in DIFFICULTIES else []
    if task.target and (piece := resisting(world, task.target, task.resist)):
        found.append(piece)
    chain = world.now.complex
    if task.chain and chain is not None and not chain.outcome:
        found.append(dimension_piece(chain))
    return found


def hand_piece(world: DramaWorld, who: str, which: str, using: str) -> Piece:
    """A helper's attribute, doubled as the other's is in an attribute test."""
    twice = 2 if using in ATTRIBUTES else 1
    value = attribute(world.sheets[who], which)
    return Piece(f"{world.name(who)} lends a hand: {which}", max(value * twice, 0), note=f"{twice} × {value}")


def task_sides(world: DramaWorld, task: Task) -> dict[str, Side]:
    """Everybody's pool before it falls; the lead's has the helping hands in it."""
    against = opposition(world, task)
    sides = {}
    for who in sorted(task.crew, key=lambda w: w != task.lead):
        extra = [task.more] if who == task.lead else [Piece(task.more.source, resistance=task.more.resistance)]
        if who == task.lead:
            extra += [hand_piece(world, w, which, task.crew[who].using) for w, which in task.hands.items()]
        extra += gift_pieces(world, task.gifts, who)
        sides[who] = side(world, who, task.crew[who], [*against, *extra])
    return sides


def crew(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who rolls."""
    task = world.now.task
    return [Choice(w, world.name(w)) for w in task.crew] if task else []


EVENTS: tuple[type[Event], ...] = (TaskChanged,)
