"""Complex tests: a chain of dimensions, each with its resistance, its attempts and their prices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from ...rules import Action, Ask, Choice, Dice, Event
from .reading import waiting
from .verdict import attempt_task
from .world import Complex, ComplexPlan, DramaWorld, Task


def plans(world: DramaWorld) -> dict[str, ComplexPlan]:
    """Prepared complex tests: of the scene that is on, or of all scenes where none is."""
    return {
        f"{scene_id}/{plan_id}": plan
        for scene_id, scene in world.scenes.items()
        if world.now.scene in ("", scene_id)
        for plan_id, plan in scene.complex.items()
    }


def plan_choices(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Prepared complex tests."""
    return [Choice(i, p.name, "" if p.dimensions else "it has no dimensions") for i, p in plans(world).items()]


class ChainChanged(Event, tag="complex_changed"):
    """A complex test was opened or closed."""

    complex: Complex | None
    task: Task | None
    what: str

    def apply(self, world: DramaWorld) -> DramaWorld:
        return world.live(complex=self.complex, task=self.task)

    def says(self, world: DramaWorld) -> str:
        return self.what


class OpenChain(Action, tag="complex"):
    """Open a prepared complex test: its first dimension is tried."""

    title = "complex test"
    key = "x"
    screens = ("challenge",)
    leads_to = "challenge"
    plan: Annotated[str, Ask(plan_choices, "complex test")]

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        chain = world.now.complex
        return waiting(world) or ("a complex test is under way" if chain and not chain.outcome else "")

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        chain = Complex(plans(world)[self.plan])
        first = chain.plan.dimensions[0]
        return (ChainChanged(chain, attempt_task(chain), f"{chain.plan.name}: {first.name} comes first"),)


class GiveUp(Action, tag="give_up"):
    """Give the complex test up: what was done stays done."""

    title = "give up"
    key = "g"
    screens = ("challenge",)

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        chain = world.now.complex
        return waiting(world) or ("" if chain and not chain.outcome else "no complex test is under way")

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        chain = world.now.complex
        assert chain is not None
        ended = replace(chain, outcome="partial" if chain.at else "failed")
        return (ChainChanged(ended, None, f"{chain.plan.name} is given up: {ended.outcome}"),)


ACTIONS: tuple[type[Action], ...] = (OpenChain, GiveUp)
EVENTS: tuple[type[Event], ...] = (ChainChanged,)
