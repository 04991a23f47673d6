"""Prepared scenes, and notes."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ..rules import ANYBODY, Action, Ask, Choice, Dice, Event
from .asking import said
from .told import Told


def in_order(world: Any) -> list[str]:
    """The scenes as they could come: first those to which none leads, then what they lead to."""
    named = {other for scene in world.scenes.values() for other in scene.next}
    out: dict[str, None] = {}
    waiting = [*(id for id in world.scenes if id not in named), *world.scenes][::-1]
    while waiting:
        id = waiting.pop()
        if id in world.scenes and id not in out:
            out[id] = None
            waiting += reversed(world.scenes[id].next)
    return list(out)


def scene_choices(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every prepared scene but the one that is on."""
    return [
        Choice(i, world.scenes[i].title, "it is the scene that is on" if i == world.now.scene else "")
        for i in in_order(world)
    ]


def _not_over(world: Any) -> str:
    """The question before a scene is set; empty where nothing is being played."""
    found = world.now.under_way()
    what = " and ".join(found)
    are = "are" if len(found) > 1 else "is"
    goes = "they go" if len(found) > 1 else "it goes"
    return f"{what[0].upper()}{what[1:]} {are} not over. Set the scene? Then {goes} on there." if what else ""


class SceneEntered(Event, tag="scene_entered"):
    """The table moved to a prepared scene."""

    scene: str

    def apply(self, world: Any) -> Any:
        """The scene is on."""
        return replace(world, now=replace(world.now.moved_on(), scene=self.scene))

    def says(self, world: Any) -> str:
        """The scene's title."""
        scene = world.scenes.get(self.scene)
        return f"Scene: {scene.title if scene else self.scene}"


class Noted(Told, tag="noted"):
    """Somebody wrote something down."""

    text: str
    secret: bool = False

    def apply(self, world: Any) -> Any:
        """A note changes nothing."""
        return world

    def words(self, world: Any) -> str:
        """The note."""
        return self.text

    def is_secret(self, world: Any) -> bool:
        """Where it is the GM's own."""
        return self.secret


class EnterScene(Action, tag="scene"):
    """Move to a prepared scene."""

    title = "set the scene"
    leads_to = "scene"
    warns = staticmethod(_not_over)
    scene: Annotated[str, Ask(scene_choices)]

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """The scene is on."""
        return (SceneEntered(self.scene),)


class Note(Action, tag="note"):
    """Write something into the log, for everybody or for the GM alone."""

    title = "note"
    text: Annotated[str, Meta(max_length=2_000)]
    secret: bool = False

    @classmethod
    def actor(cls, world: Any, fields: Mapping[str, Any]) -> str:
        """Everybody writes notes."""
        return ANYBODY

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """The note stands in the log."""
        text = said(self.text, "an empty note says nothing", "Write a word or two.")
        return (Noted(text, self.secret),)


ACTIONS: tuple[type[Action], ...] = (EnterScene, Note)
EVENTS: tuple[type[Event], ...] = (SceneEntered, Noted)
