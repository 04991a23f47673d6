"""House rules, sheets and scenes of Drama in History, as they are written by hand.

Numbers on sheets carry no bounds of their own: `problems.py` looks at them, so that a slip of the pen is answered
with a sentence and not with a type error.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from ...kit.cast import anybody
from ...rules import Ask, Model, Rules, Scene, Sheet

ATTRIBUTES = ("Physical", "Agility", "Mental", "Social")


POOLS = ("flesh", "fortitude", "grit", "composure")
"""The currency pools: what a person can use up."""


COMPOSURE = "Composure"
"""What an NPC argues with in place of attribute and skill."""


MOST_ATTRIBUTE = 10


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
    grit_penalty: Annotated[int, Meta(ge=0, le=10)] = 1
    """Penalty dice, cause fatigue, that spending the last Grit brings."""
    recovery_dice: Annotated[int, Meta(ge=0, le=10)] = 1
    """Penalty dice that a successful recovery test takes away, beside what rest does."""
    pool_test: Literal["present", "full"] = "present"
    """The base dice of a currency pool test: what is left in the pool, or what the sheet has."""
    lines: dict[str, LineKind] = {}
    """Further kinds of line for contests, or other words for the usual ones."""


def line_kinds(rules: DramaRules) -> dict[str, LineKind]:
    """Every kind of line at this table."""
    return {**LINE_KINDS, **rules.lines}


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

    who: Annotated[str, Ask(anybody)]
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
