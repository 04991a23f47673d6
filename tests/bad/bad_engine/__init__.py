"""A small game that fails on purpose: `BAD=hook:way` in the environment says where and how.

Hooks: every method that the contract asks an engine, its actions, events and records; choices and import.
Ways: raise, recurse, exit, cancel, slow, spin, stay, lie.
"""

from __future__ import annotations

import os
import time
from asyncio import CancelledError
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, ClassVar, Self

from msgspec.structs import replace

from tabletop_tui.kit import common
from tabletop_tui.rules import (
    Action,
    Ask,
    Choice,
    Dice,
    Engine,
    Event,
    Kind,
    Now,
    Odds,
    Person,
    Prepared,
    Problem,
    Scene,
    TableView,
    World,
)

LIES: dict[str, Any] = {
    "view": TableView(title="Bad", people=(3,)),  # type: ignore[arg-type]
    "odds": "fifty fifty",
    "when": 7,
    "choices": ["ann"],
    "resolve": ("something",),
    "apply": "no world at all",
    "says": 7,
    "policy": "let it be",
    "problems": ["something is wrong"],
    "start": {"points": 0},
    "bench": 3,
    "warns": 7,
    "whispers": 7,
    "outcome": "well",
    "aside": 7,
    "actor": 7,
    "prepared": ["something"],
    "seen_by": "nothing",
    "people": 7,
    "under_way": 7,
    "moved_on": 7,
    "in_sight": 7,
}


def fails(hook: str) -> Any:
    """Do what the environment says, if it says so of this hook."""
    wanted, _, way = os.environ.get("BAD", "").partition(":")
    if wanted != hook:
        return None
    if way == "raise":
        raise KeyError(f"{hook} on purpose")
    if way == "recurse":
        return fails(hook)
    if way == "exit":
        raise SystemExit(f"{hook} leaves")
    if way == "cancel":
        raise CancelledError(f"{hook} is not an Exception")
    if way == "slow":
        time.sleep(3_600)
    with suppress(BaseException):
        while way == "stay":  # whoever stops this has to do so again
            pass
    while way in ("spin", "stay"):
        pass
    return LIES.get(hook, 7)


fails("import")


class BadNow(Now):
    """Points so far."""

    points: int = 0
    owed: int | None = 0

    def under_way(self) -> tuple[str, ...]:
        return fails("under_way") or ()

    def moved_on(self) -> Self:
        return fails("moved_on") or self

    def in_sight(self) -> tuple[str, ...]:
        return fails("in_sight") or ()


class BadScene(Scene):
    """A scene."""

    def people(self) -> tuple[str, ...]:
        return fails("people") or self.cast

    def bringing(self, who: str, count: int) -> Any:
        return fails("bringing") or super().bringing(who, count)


def people(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The players' characters."""
    return fails("choices") or [Choice(who, world.name(who)) for who in world.players()]


class Scored(Event, tag="scored"):
    """Somebody scored."""

    who: str
    points: int

    def apply(self, world: Any) -> Any:
        if lie := fails("apply"):
            return lie
        if os.environ.get("BAD") == "state:none" and world.now.points:
            return replace(world, now=replace(world.now, owed=None))
        if os.environ.get("BAD") == "state:type" and world.now.points:
            return replace(world, now=replace(world.now, points="many"))
        return replace(world, now=replace(world.now, points=self.points))

    def says(self, world: Any) -> str:
        return fails("says") or f"{world.name(self.who)} has {self.points}"

    def whispers(self, world: Any) -> str:
        return fails("whispers") or ""

    def outcome(self) -> Mapping[str, str | int]:
        return fails("outcome") or {"outcome": "scored"}

    def aside(self) -> bool:
        return bool(fails("aside"))


class Unlisted(Scored, tag="unlisted"):
    """An event that the engine does not list."""


class Score(Action, tag="score"):
    """Score a point."""

    title = "score"
    key = "s"
    screens = ("table",)
    who: Annotated[str, Ask(people)]

    @classmethod
    def when(cls, world: Any) -> str:
        return fails("when") or ""

    @classmethod
    def actor(cls, world: Any, fields: Mapping[str, Any]) -> str:
        return fails("actor") or str(fields.get("who", ""))

    @classmethod
    def warns(cls, world: Any) -> str:
        return fails("warns") or ""

    def resolve(self, world: Any, dice: Dice) -> Any:
        (face,) = dice.roll("a die", 6)
        if lie := fails("resolve"):
            return lie
        how = os.environ.get("BAD")
        if how == "event:unlisted":
            return (Unlisted(self.who, 1),)
        if how == "event:type":
            return (Scored(self.who, "one"),)  # type: ignore[arg-type]
        return (Scored(self.who, world.now.points + face),)


class Bad(Engine):
    """The game."""

    name = "bad"
    title = "Bad"
    version = "1"
    now = BadNow
    scene = BadScene
    actions: ClassVar[tuple[type[Action], ...]] = (Score, *common.ACTIONS)
    events: ClassVar[tuple[type[Event], ...]] = (Scored, *common.EVENTS)
    reference = "# Bad\n\nIt fails."
    starter: ClassVar[dict[str, str]] = {
        "campaign.toml": 'title = "{title}"\nengine = "bad"\n',
        "characters/ann.toml": 'name = "Ann"\nplayer = "Ann"\n',
        "characters/ben.toml": 'name = "Ben"\n',
        "scenes/inn.toml": 'title = "The inn"\ncast = ["ben"]\n',
    }

    def start(self, world: Any) -> Any:
        return fails("start") or world.now

    def problems(self, world: Any) -> Sequence[Problem]:
        return fails("problems") or ()

    def policy(self, world: Any) -> Any:
        return fails("policy")

    def odds(self, world: Any, action: Action) -> Odds | None:
        return fails("odds") or super().odds(world, action)

    def prepared(self, world: Any, scene: str) -> Sequence[Prepared]:
        return fails("prepared") or ()

    def seen_by(self, world: Any, seat: str) -> Any:
        return fails("seen_by") or world

    def schemas(self, schemas: dict[str, Any], rules: Any) -> dict[str, Any]:
        return fails("schemas") or schemas

    def bench(self, world: Any = None) -> Any:
        return fails("bench")

    def view(self, kind: Kind, world: Any, about: str = "") -> Any:
        if lie := fails("view"):
            return lie
        if kind != "table":
            return None
        people = tuple(Person(id=who, name=world.name(who)) for who in world.present())
        return TableView(title=f"Bad {world.now.points}", people=people)


ENGINE = Bad()
BadWorld = World
