"""Live state of Drama in History, and the world that the engine looks at.

Numbers carry no bounds of their own: `problems.py` looks at them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeVar

from msgspec.structs import replace

from ...rules import Model, Now, World
from .campaign import ComplexPlan, DramaRules, DramaScene, DramaSheet, LinePlan

T = TypeVar("T")
SUCCESSES = 2
"""Net successes that every test asks for."""


MOST_PENALTIES = 99
"""Penalty dice that one person can carry; gains beyond it are lost."""


MOST_POOL = 100
"""Dice of one kind in one pool; beyond it somebody has mistyped a number."""


MOST_CHAIN = 100
"""Further drama dice that 6s can bring in one roll; a chain that long is a story of its own."""


class Penalty(Model):
    """Penalty dice, and what they come from."""

    cause: str
    dice: int


class Person(Model):
    """The live state of one character."""

    penalties: dict[str, Penalty] = {}
    drama_points: int = 0
    flesh: int = 0
    fortitude: int = 0
    grit: int = 0
    composure: int = 0
    acts_broken: bool = False
    """The GM lets them act although they are broken."""

    @property
    def carried(self) -> int:
        """All penalty dice."""
        return sum(p.dice for p in self.penalties.values())


class Piece(Model):
    """A source of dice in a pool."""

    source: str
    base: int = 0
    resistance: int = 0
    drama: int = 0
    note: str = ""


Which = Literal["base", "resistance", "drama"]


WHICH: tuple[Which, ...] = ("base", "resistance", "drama")


class Die(Model):
    """A die on the table."""

    pool: Which
    face: int
    again: tuple[int, ...] = ()
    """The further drama dice that its 6s brought."""
    raised: bool = False
    """A base 4 that a Drama Point made a 5."""


class Side(Model):
    """One pool, before or after its dice fall."""

    who: str
    name: str
    pieces: tuple[Piece, ...] = ()
    dice: tuple[Die, ...] = ()
    attribute: int = 0
    """The attribute in play: it can hold the momentum."""
    passion: bool = False
    player: bool = False
    against: str = ""
    """The key of the side that it is opposed to."""
    joins: str = ""
    """The key of the side with which it works together: its net successes are added to that side's."""
    paid: bool = False
    """The price was paid: one net success counts as two."""
    chain_cut: bool = False
    """The chain of drama dice was stopped."""

    def count(self, which: Which) -> int:
        """Dice of one kind in the pool."""
        return sum(int(getattr(p, which)) for p in self.pieces)


class Verdict(Model):
    """How one test came out."""

    outcome: str
    winner: str = ""
    """The key of the side that won; empty where none did, and in tests without opponent."""
    level: int = 0
    by: str = ""
    """How a draw was decided."""


RollKind = Literal["test", "together", "opposed", "contest", "complex", "recovery"]


class Roll(Model):
    """Dice on the table until the next roll."""

    kind: RollKind
    sides: dict[str, Side]
    stage: Literal["choose", "done"] = "choose"
    what: str = ""
    picks: dict[str, str] = {}
    """Draws that the GM decided: the first side's key, and the key of the one who has it."""
    verdicts: dict[str, Verdict] = {}
    """By the key of the side that began."""
    after: tuple[str, ...] = ()
    """What it led to, in words."""
    whispered: tuple[str, ...] = ()
    """Which of these words are for the GM alone."""
    turn: str = ""
    """The turn in which it fell."""
    also: tuple[str, ...] = ()
    """Who is in it without a pool: whoever resists, those who lend a hand, those who give a drama die."""


class Entry(Model):
    """Somebody's own part in a test: what they use and what they put in."""

    using: str = ""
    attribute: str = ""
    passion: str = ""
    point: str = ""
    """A Drama Point spent before the roll: "plain", "connection", or "advantage:…"."""
    turned: str = ""
    """A penalty that helps for once: its dice are drama dice."""


class Gift(Model):
    """A drama die that somebody gives."""

    to: str
    reason: str
    dice: int = 1


class Task(Model):
    """A test that is being prepared, alone or with others."""

    name: str
    stakes: str = ""
    difficulty: str = "some"
    target: str = ""
    """Whoever resists it."""
    resist: str = ""
    """With which attribute or skill."""
    lead: str = ""
    crew: dict[str, Entry] = {}
    """Everybody who rolls: the lead, and those who work with them."""
    hands: dict[str, str] = {}
    """Those who lend a hand, and the attribute that they add."""
    gifts: dict[str, Gift] = {}
    more: Piece = Piece("situation")
    chain: bool = False
    """It is the next attempt of the complex test under way."""


class ContestLine(LinePlan):
    """A line of a party's pool that role-play brought."""


class Party(Model):
    """One party of a contest, in the round that is being built."""

    wants: str = ""
    risks: str = ""
    using: str = ""
    attribute: str = "Social"
    point: str = ""
    turned: str = ""
    lines: dict[str, ContestLine] = {}
    gifts: dict[str, Gift] = {}
    used: dict[str, int] = {}
    """Skills and advantages of earlier rounds, and the round that used each."""
    hands: dict[str, str] = {}
    """Those who lend a hand, and the attribute that they add."""
    crew: dict[str, Entry] = {}
    """Those who work with them: each rolls a pool of their own."""
    kept: dict[str, ContestLine] = {}
    """Lines that had no room when the dice fell: they wait for the next round."""


class Contest(Model):
    """A social contest under way."""

    name: str
    first: str
    second: str
    parties: dict[str, Party]
    round: int = 1
    momentum: str = ""
    """Who won the last round."""
    favour: str = ""
    """Who has an advantage that the GM named while it was open; it outlasts the contest."""
    rolled: bool = False
    """This round's dice have fallen."""
    yielded: str = ""


class Complex(Model):
    """A complex test under way."""

    plan: ComplexPlan
    at: int = 0
    """The dimension that is tried."""
    tried: int = 0
    """Attempts made at it."""
    outcome: Literal["", "full", "partial", "failed"] = ""


def of_task(task: Task | None) -> tuple[str, ...]:
    """Everybody who takes part in a test."""
    return (task.target, *task.crew, *task.hands, *task.gifts) if task else ()


def of_contest(contest: Contest | None) -> tuple[str, ...]:
    """The parties of a contest, and whoever helps them."""
    parties = contest.parties if contest else {}
    return tuple(one for who, p in parties.items() for one in (who, *p.hands, *p.crew, *p.gifts))


def of_roll(roll: Roll | None) -> tuple[str, ...]:
    """Everybody who is in a roll."""
    return (*(side.who for side in roll.sides.values()), *roll.also) if roll else ()


class DramaNow(Now):
    """Live state."""

    people: dict[str, Person] = {}
    momentum: str = ""
    """Of logs of older rules, which kept one momentum for a whole encounter."""
    won: dict[str, str] = {}
    """Who won the last round between two, by the ids of both in their order: "hugh/joan" → joan."""
    favour: str = ""
    """Who has an advantage that the GM named, until the scene changes."""
    task: Task | None = None
    complex: Complex | None = None
    contest: Contest | None = None
    roll: Roll | None = None
    unseen_roll: bool = False
    """It fell while somebody in it was hidden: its dice stay the GM's."""

    def under_way(self) -> tuple[str, ...]:
        """The contest, the complex test and the test that is being prepared too."""
        chain, task = self.complex, self.task
        names = [self.contest.name] if self.contest else []
        names += [chain.plan.name] if chain and not chain.outcome else [task.name] if task else []
        return (*super().under_way(), *names)

    def in_sight(self) -> tuple[str, ...]:
        """The parties of a contest, who takes part in a test, and whoever has an advantage that was named."""
        return (*of_contest(self.contest), *of_task(self.task), *of_roll(self.roll), self.favour)


DramaWorld = World[DramaRules, DramaSheet, DramaScene, DramaNow]


def fresh(sheet: DramaSheet) -> Person:
    """Somebody who has just come to the table."""
    return Person({}, sheet.drama_points, sheet.flesh, sheet.fortitude, sheet.grit, sheet.composure)


def person(world: DramaWorld, who: str) -> Person:
    """Live state; somebody who has none yet is fresh."""
    return world.now.people.get(who) or fresh(world.sheets[who])


def with_person(world: DramaWorld, who: str, **changes: Any) -> DramaWorld:
    """The world with some of somebody's live state changed; as it is where they have no sheet."""
    if who not in world.sheets:
        return world
    return world.live(people={**world.now.people, who: replace(person(world, who), **changes)})


def in_scenes(world: DramaWorld, plans: Callable[[DramaScene], dict[str, T]]) -> dict[str, T]:
    """What is prepared, as scene/plan: of the scene that is on, or of all scenes where none is."""
    scenes = {i: scene for i, scene in world.scenes.items() if world.now.scene in ("", i)}
    return {f"{i}/{name}": plan for i, scene in scenes.items() for name, plan in plans(scene).items()}


def hides(world: DramaWorld, who: Iterable[str]) -> bool:
    """Is one of these somebody whom only the GM knows of? Then what they do is told to the GM alone."""
    return any(world.is_hidden(one) for one in who)


def hides_roll(world: DramaWorld) -> bool:
    """Is the roll that lies there for the GM alone: because somebody in it is hidden, or was when it fell?"""
    return world.now.unseen_roll or hides(world, of_roll(world.now.roll))


def many(count: int, what: str) -> str:
    """A number of things: 1 penalty die, 2 penalty dice."""
    return f"{count} {what} {'die' if count == 1 else 'dice'}"
