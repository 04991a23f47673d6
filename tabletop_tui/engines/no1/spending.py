"""Momentum and Entropy: how they move, what Entropy buys; Waypoints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from ...kit.asking import said
from ...kit.common import ClockMoved, clock_choices
from ...kit.problems import MOST
from ...rules import Action, Ask, Choice, Dice, Event, Refused
from .able import TableAction, waits
from .challenge import ChallengeSet
from .world import MOST_CHALLENGE, No1World

# ---- the counters


class CountersMoved(Event, tag="counters_moved"):
    """Momentum or Entropy went up or down."""

    rule = "a clean action adds 1 Momentum, a roll with a 1 left adds 1 Entropy; nothing goes below 0"
    momentum: int
    entropy: int
    why: str = ""
    quiet: bool = False
    """Only the GM is told why."""

    def apply(self, world: No1World) -> No1World:
        now = world.now
        return world.live(
            momentum=self.momentum,
            entropy=self.entropy,
            momentum_moved=self.momentum - now.momentum,
            entropy_moved=self.entropy - now.entropy,
            verdict=now.verdict if now.turns.running else "",  # an old comparison is not of these numbers
        )

    def _words(self, world: No1World, why: str) -> str:
        now = world.now
        moves = [("Momentum", now.momentum, self.momentum), ("Entropy", now.entropy, self.entropy)]
        words = ", ".join(f"{name} {old} → {new}" for name, old, new in moves if old != new)
        return f"{why}: {words}" if why and words else words or why

    def says(self, world: No1World) -> str:
        return self._words(world, "" if self.quiet else self.why)

    def whispers(self, world: No1World) -> str:
        return self._words(world, self.why) if self.quiet and self.why else ""


def moved(world: No1World, momentum: int = 0, entropy: int = 0, why: str = "") -> CountersMoved:
    """The counters moved by so much, never below 0."""
    now = world.now
    momentum, entropy = (min(max(n, 0), MOST) for n in (now.momentum + momentum, now.entropy + entropy))
    return CountersMoved(momentum, entropy, why)


class Adjust(Action, tag="adjust"):
    """Move Momentum or Entropy by hand: a reward, a slip of the pen, a ruling."""

    title = "adjust a counter"
    counter: Literal["momentum", "entropy"]
    by: Annotated[int, Meta(ge=-1_000, le=1_000)]
    why: Annotated[str, Meta(max_length=200)] = ""

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        why = self.why.strip() or "By the BAMF's word"
        return (moved(world, **{self.counter: self.by}, why=why),)


# ---- the BAMF spends Entropy


def entropy_uses(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What Entropy can buy now."""
    now, rules = world.now, world.rules
    full = "Challenge is as high as it goes" if now.challenge >= MOST_CHALLENGE else ""
    left = any(c.filled < c.size for c in now.clocks.values())
    clocks = "" if left else "every clock is full" if now.clocks else "there are no clocks"

    def priced(use: str, words: str, cost: int, closed: str) -> Choice:
        short = "" if now.entropy >= cost else f"{now.entropy} of {cost} Entropy"
        return Choice(use, f"{words} ({cost})", closed or short)

    return [
        priced("challenge", "+1 Challenge", rules.challenge_cost, full),
        priced("clock", "tick a clock", rules.clock_cost, clocks),
        Choice("story", "something else, in words"),
    ]


def clock_to_tick(world: No1World, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The clocks, where one is to be ticked; a full one is worth nothing more."""
    if fields.get("on") != "clock":
        return ()
    clocks = world.now.clocks
    found = [
        replace(c, closed="it is full" if clocks[c.value].filled >= clocks[c.value].size else "")
        for c in clock_choices(world, fields)
    ]
    return sorted(found, key=lambda c: bool(c.closed))


class SpendEntropy(TableAction, tag="spend"):
    """The BAMF spends Entropy, with a reason: raise Challenge, tick a plot clock, or turn the story."""

    title = "spend Entropy"
    key = "e"
    on: Annotated[str, Ask(entropy_uses)]
    reason: Annotated[str, Meta(max_length=200)]
    clock: Annotated[str, Ask(clock_to_tick, first=True)] = ""
    points: Annotated[int, Meta(ge=0, le=1_000, description="the usual cost; more may be paid")] = 0

    @classmethod
    def when(cls, world: No1World) -> str:
        return waits(world) or ("" if world.now.entropy else "there is no Entropy to spend")

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        now, rules = world.now, world.rules
        reason = said(self.reason, "Entropy is spent with a reason", "Say what happens in the story.")
        usual = {"challenge": rules.challenge_cost, "clock": rules.clock_cost}.get(self.on, 1)
        if 0 < self.points < usual:
            raise Refused(f"it costs {usual} Entropy", remedy="A table's own price is a key under [rules].")
        cost = self.points or usual
        if cost > now.entropy:
            raise Refused(f"it costs {cost} Entropy, and there is {now.entropy or 'none'}", remedy="Spend less.")
        paid = moved(world, entropy=-cost, why=reason)
        if self.on == "challenge":
            return (paid, ChallengeSet(now.challenge + 1, now.turns.timer))
        if self.on == "story":
            return (paid,)
        clock = now.clocks.get(self.clock)
        if clock is None:
            names = ", ".join(c.name for c in now.clocks.values())
            raise Refused("no clock was named", remedy=f"Choose from: {names}.")
        paid = replace(paid, quiet=clock.secret)  # the reason would tell of a clock that players do not know
        return (paid, ClockMoved(self.clock, min(clock.filled + 1, clock.size)))


# ---- Waypoints


class WaypointReached(Event, tag="waypoint_reached"):
    """A Waypoint began."""

    rule = "spent ranks come back when a Waypoint begins"

    def apply(self, world: No1World) -> No1World:
        return world.live(spent={})

    def says(self, world: No1World) -> str:
        return "A Waypoint: every rank is back"


class Waypoint(TableAction, tag="waypoint"):
    """Begin a Waypoint: all spent ranks come back."""

    title = "waypoint"
    key = "w"

    @classmethod
    def warns(cls, world: No1World) -> str:
        return "An encounter is running. Give every rank back now?" if world.now.turns.running else ""

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        return (WaypointReached(),)
