"""Momentum: who has it between two, advantages that the GM names, and what ends both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from ...kit import scenes
from ...kit.asking import said
from ...kit.common import anybody
from ...kit.told import Told
from ...rules import Action, Ask, Choice, Dice, Event
from .world import DramaWorld, Roll, Side, Verdict, hides, of_contest


def pair_of(first: str, second: str) -> str:
    """The key of two opponents, whoever began."""
    return "/".join(sorted((first, second)))


def holder(world: DramaWorld, kind: str, first: Side, second: Side) -> tuple[Literal["", "first", "second"], str]:
    """Who has momentum, and why: the last round between these two, the higher attribute, an advantage; or nobody."""
    contest = world.now.contest if kind == "contest" else None
    last = world.now.won.get(pair_of(first.who, second.who), "") or (contest.momentum if contest else "")
    favour = advantage(world)
    if last in (first.who, second.who):
        return ("first" if last == first.who else "second"), "won the last round"
    if first.attribute != second.attribute:
        return ("first" if first.attribute > second.attribute else "second"), "the higher attribute"
    if favour in (first.who, second.who):
        return ("first" if favour == first.who else "second"), "an advantage that the GM named"
    return "", ""


# ---- events


class MomentumMoved(Told, tag="momentum_moved"):
    """Somebody has the momentum against somebody else; in logs of older rules, that of the encounter."""

    rule = "whoever won the last round between two has momentum between them, until the scene changes"
    who: str
    against: str = ""

    def apply(self, world: DramaWorld) -> DramaWorld:
        if not self.against:
            return world.live(momentum=self.who)
        return world.live(won={**world.now.won, pair_of(self.who, self.against): self.who})

    def words(self, world: DramaWorld) -> str:
        over = f" over {world.name(self.against)}" if self.against else ""
        return f"Momentum: {world.name(self.who)}{over}" if self.who else ""

    def is_secret(self, world: DramaWorld) -> bool:
        return hides(world, (self.who, self.against))


class MomentumEnded(Event, tag="momentum_ended"):
    """Another scene: nobody has momentum any more, and no named advantage holds."""

    rule = "momentum and named advantages end with the scene"

    def apply(self, world: DramaWorld) -> DramaWorld:
        contest = world.now.contest
        ended = replace(contest, momentum="", favour="") if contest else None
        return world.live(won={}, momentum="", favour="", contest=ended)


class Favoured(Told, tag="favoured"):
    """The GM named somebody's advantage, or took it back: it decides draws where nothing else does."""

    rule = "momentum: the last round's winner, else the higher attribute, else an advantage the GM names"
    who: str
    reason: str

    def apply(self, world: DramaWorld) -> DramaWorld:
        contest = world.now.contest
        return world.live(favour=self.who, contest=replace(contest, favour=self.who) if contest else None)

    def words(self, world: DramaWorld) -> str:
        if self.who:
            return f"{world.name(self.who)} has the advantage: {self.reason}"
        before = advantage(world)
        return f"{world.name(before)} no longer has the advantage" if before else ""

    def is_secret(self, world: DramaWorld) -> bool:
        return hides(world, (self.who or advantage(world), *of_contest(world.now.contest)))


def advantage(world: DramaWorld) -> str:
    """Who has the advantage that was named last, in a contest or outside."""
    contest = world.now.contest
    return (contest.favour if contest else "") or world.now.favour


def won(world: DramaWorld, roll: Roll, verdicts: Iterable[Verdict]) -> list[Event]:
    """Momentum goes to the winner of each pair."""
    pairs = [(roll.sides[v.winner], roll.sides[roll.sides[v.winner].against]) for v in verdicts if v.winner]
    return [
        MomentumMoved(winner.who, loser.who)
        for winner, loser in pairs
        if world.now.won.get(pair_of(winner.who, loser.who)) != winner.who
    ]


# ---- actions


def may_have_it(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody; while a contest is open, its parties."""
    contest = world.now.contest
    parties = contest.parties if contest else {}
    why = "is not a party of the contest"
    found = [replace(c, closed=why if parties and c.value not in parties else "") for c in anybody(world, fields)]
    return sorted(found, key=lambda c: bool(c.closed))


class NameAdvantage(Action, tag="advantage"):
    """Name an advantage: it gives somebody the momentum where round and attribute are level, in this scene."""

    title = "name an advantage"
    key = "m"
    screens = ("contest", "table")
    who: Annotated[str, Ask(may_have_it)]
    reason: Annotated[str, Meta(max_length=120)]

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        remedy = "Say what it is: the high ground, the bishop's ear."
        return (Favoured(self.who, said(self.reason, "an advantage needs words", remedy)),)


class DropAdvantage(Action, tag="drop_advantage"):
    """Take a named advantage back."""

    title = "take the advantage back"
    key = "w"
    screens = ("table",)

    @classmethod
    def when(cls, world: DramaWorld) -> str:
        return "" if advantage(world) else "nobody has an advantage that was named"

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        return (Favoured("", ""),)


class EnterScene(scenes.EnterScene, tag="scene"):
    """Move to a prepared scene: momentum and named advantages end."""

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        now, contest = world.now, world.now.contest
        held = now.won or now.momentum or now.favour or (contest and (contest.momentum or contest.favour))
        return (*super().resolve(world, dice), *([MomentumEnded()] if held else []))


ACTIONS: tuple[type[Action], ...] = (NameAdvantage, DropAdvantage, EnterScene)
EVENTS: tuple[type[Event], ...] = (MomentumMoved, MomentumEnded, Favoured)
