"""Coinflip: somebody calls heads or tails, and a coin falls. Knows nothing of ours but the contract and the kit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec.structs import replace

from tabletop_tui.kit import common
from tabletop_tui.rules import (
    Action,
    Ask,
    Chance,
    Choice,
    Counter,
    Dice,
    Engine,
    Event,
    Group,
    Kind,
    Now,
    Odds,
    Person,
    Problem,
    Rules,
    Sheet,
    TableView,
    View,
    World,
)

Side = Literal["heads", "tails"]


class CoinRules(Rules):
    """House rules."""

    best_of: int = 3
    """How many right calls win."""


class CoinSheet(Sheet):
    """Somebody who calls."""

    motto: str = ""


class CoinNow(Now):
    """Right calls so far."""

    right: dict[str, int] = {}


CoinWorld = World[CoinRules, CoinSheet, Any, CoinNow]


def callers(world: CoinWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who has not won yet."""
    return [
        Choice(who, world.name(who), "has won already" if world.now.right.get(who, 0) >= world.rules.best_of else "")
        for who in world.present()
    ]


class Fell(Event, tag="fell"):
    """The coin lies there."""

    rule = "call it right and you have a point"
    who: str
    called: Side
    side: Side
    right: int

    def apply(self, world: CoinWorld) -> CoinWorld:
        return replace(world, now=replace(world.now, right={**world.now.right, self.who: self.right}))

    def says(self, world: CoinWorld) -> str:
        return f"{world.name(self.who)} calls {self.called}: {self.side}"

    def outcome(self) -> Mapping[str, str | int]:
        return {"outcome": "right" if self.called == self.side else "wrong"}


class Flip(Action, tag="flip"):
    """Call heads or tails and flip."""

    title = "flip"
    who: Annotated[str, Ask(callers)]
    call: Side

    def resolve(self, world: CoinWorld, dice: Dice) -> tuple[Event, ...]:
        (face,) = dice.roll("the coin", 2)
        side: Side = "heads" if face == 1 else "tails"
        had = world.now.right.get(self.who, 0)
        return (Fell(self.who, self.call, side, had + (side == self.call)),)


class Coinflip(Engine):
    """The game."""

    name = "coinflip"
    title = "Coinflip"
    version = "1"
    rules = CoinRules
    sheet = CoinSheet
    now = CoinNow
    actions: ClassVar[tuple[type[Action], ...]] = (Flip, *common.ACTIONS)
    events: ClassVar[tuple[type[Event], ...]] = (Fell, *common.EVENTS)
    reference = "# Coinflip\n\nCall it."
    starter: ClassVar[dict[str, str]] = {
        "campaign.toml": 'title = "{title}"\nengine = "coinflip"\n\n[rules]\nbest_of = 3\n',
        "characters/ann.toml": 'name = "Ann"\nplayer = "Ann"\nmotto = "Tails never fails."\n',
    }

    def problems(self, world: CoinWorld) -> Sequence[Problem]:
        return [
            Problem(("now", "right", who), f"{n} right calls are too few", "0 or more.")
            for who, n in world.now.right.items()
            if n < 0
        ]

    def odds(self, world: CoinWorld, action: Action) -> Odds | None:
        if not isinstance(action, Flip):
            return None
        return Odds((Group("outcome", (Chance("right", 0.5, "good"), Chance("wrong", 0.5, "bad"))),))

    def view(self, kind: Kind, world: CoinWorld, about: str = "") -> View | None:
        if kind != "table":
            return None
        people = tuple(Person(id=who, name=world.name(who)) for who in world.present())
        return TableView(
            title="Coinflip", counters=(Counter(name="best of", value=world.rules.best_of),), people=people
        )


ENGINE = Coinflip()
