"""House rules, sheets, scenes and live state of Drama in History.

Numbers on sheets and in live state carry no bounds of their own: `problems.py` looks at them, so that a slip of the
pen is answered with a sentence and not with a type error.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from ...rules import Model, Now, Rules, Scene, Sheet, World

ATTRIBUTES = ("Physical", "Agility", "Mental", "Social")
POOLS = ("flesh", "fortitude", "grit", "composure")
"""The currency pools: what a person can use up."""
COMPOSURE = "Composure"
"""What an NPC argues with in place of attribute and skill."""
SUCCESSES = 2
"""Net successes that every test asks for."""
MOST_PENALTIES = 99
"""Penalty dice that one person can carry; gains beyond it are lost."""
MOST_POOL = 100
"""Dice of one kind in one pool; beyond it somebody has mistyped a number."""
MOST_ATTRIBUTE = 10
MOST_CHAIN = 100
"""Further drama dice that 6s can bring in one roll; a chain that long is a story of its own."""


class LineKind(Model):
    """A kind of advantage that role-play brings into a contest."""

    label: str
    dice: Literal["base", "drama"] = "base"
    passion: bool = False
    """Its text names a passion on the sheet, and it can backfire."""


LINE_KINDS: dict[str, LineKind] = {
    "character": LineKind("in character"),
    "fact": LineKind("fact or leverage"),
    "bond": LineKind("bond"),
    "passion": LineKind("passion", "drama", True),
    "place": LineKind("place or company"),
    "risk": LineKind("bold risk", "drama"),
}


class DramaRules(Rules):
    """The rulings that a table may want otherwise."""

    price: Annotated[int, Meta(ge=0, le=10)] = 1
    """Penalty dice that turn a marginal result into a success."""
    weak_attribute: Literal["lower", "half"] = "lower"
    """When an attribute is weak beside its skill: below it, or at most half of it."""
    split_resistance: Literal["full", "divided"] = "full"
    """Resistance in each part of a split pool: all of it, or divided as the base is."""
    hours_per_die: Annotated[int, Meta(ge=1, le=100)] = 3
    """Hours of sleep that take one penalty die away."""
    drama_dice_each: Annotated[int, Meta(ge=0, le=10)] = 1
    """Drama dice that one person may give to one test."""
    narrative_cap: Literal["mechanical", "none"] = "mechanical"
    """Dice from role-play are at most as many as those from attribute and skill, or as many as you like."""
    contest_penalty: Annotated[int, Meta(ge=0, le=10)] = 1
    """The fewest penalty dice that losing a round of a contest brings."""
    lines: dict[str, LineKind] = {}
    """Further kinds of line for contests, or other words for the usual ones."""


# ---- written by hand


class Skill(Model):
    """Training, and the attribute that it usually goes with."""

    value: int
    attribute: str = "Mental"


class DramaSheet(Sheet):
    """A character of Drama in History."""

    attributes: dict[str, int] = {}
    """Physical, Agility, Mental, Social; one that is not written is 0."""
    skills: dict[str, Skill] = {}
    backgrounds: dict[str, int] = {}
    """A way of life, and how many times it was lived."""
    passions: dict[str, int] = {}
    """What moves them, and how many drama dice it is worth."""
    advantages: tuple[str, ...] = ()
    """What makes a Drama Point worth three dice."""
    drama_points: int = 0
    """Drama Points at the start of the campaign."""
    flesh: int = 0
    fortitude: int = 0
    grit: int = 0
    composure: int = 0
    """For an NPC also the base pool of a social contest."""


class LinePlan(Model):
    """A line of a contest that is ready beforehand."""

    kind: str
    text: str
    dice: int = 1
    hidden: bool = False


class PartyPlan(Model):
    """What a party of a prepared contest wants and risks."""

    who: str
    wants: str = ""
    risks: str = ""
    lines: tuple[LinePlan, ...] = ()


class ContestPlan(Model):
    """A prepared social contest: who begins it, and with whom."""

    name: str
    first: PartyPlan
    second: PartyPlan


class Price(Model):
    """What something costs: in words, in penalty dice, or both."""

    words: str = ""
    penalty: int = 0


class Dimension(Model):
    """One link of a complex test."""

    name: str
    resistance: int = 0
    first: Price = Price()
    """The price of the first attempt."""
    second: Price = Price()
    failure: Price = Price()
    """What it costs when no attempt is left."""
    attempts: int = 2
    hint: str = ""
    """Skills that fit."""


class ComplexPlan(Model):
    """A prepared complex test: its dimensions in their order."""

    name: str
    dimensions: tuple[Dimension, ...]
    stakes: str = ""


class DramaScene(Scene):
    """A prepared scene with its contests and complex tests."""

    contests: dict[str, ContestPlan] = {}
    complex: dict[str, ComplexPlan] = {}
    cast: tuple[str, ...] = ()
    """Who is in it."""


# ---- live


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


RollKind = Literal["test", "together", "opposed", "contest", "complex"]


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
    turn: str = ""
    """The turn in which it fell."""


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


class ContestLine(Model):
    """A line of a party's pool that role-play brought."""

    kind: str
    text: str
    dice: int = 1
    hidden: bool = False


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
    """Who has an advantage that the GM named."""
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


class DramaNow(Now):
    """Live state."""

    people: dict[str, Person] = {}
    momentum: str = ""
    """Who won the last opposed test of the encounter that runs."""
    favour: str = ""
    task: Task | None = None
    complex: Complex | None = None
    contest: Contest | None = None
    roll: Roll | None = None


DramaWorld = World[DramaRules, DramaSheet, DramaScene, DramaNow]


def fresh(sheet: DramaSheet) -> Person:
    """Somebody who has just come to the table."""
    return Person({}, sheet.drama_points, sheet.flesh, sheet.fortitude, sheet.grit, sheet.composure)


def person(world: DramaWorld, who: str) -> Person:
    """Live state; somebody who has none yet is fresh."""
    return world.now.people.get(who) or fresh(world.sheets[who])


def line_kinds(rules: DramaRules) -> dict[str, LineKind]:
    """Every kind of line at this table."""
    return {**LINE_KINDS, **rules.lines}


def many(count: int, what: str) -> str:
    """A number of things: 1 penalty die, 2 penalty dice."""
    return f"{count} {what} {'die' if count == 1 else 'dice'}"
