"""Sheets, scenes and live state of a home-brew game, and how its numbers are looked up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, Self, TypeVar

from msgspec import Meta
from msgspec.structs import replace

from ...kit.cast import anybody
from ...kit.order import PAST, side_of
from ...rules import Ask, Choice, Clock, Model, Now, Scene, Sheet, World
from .game import HomebrewRules, Meter, RollRule, StatGroup
from .language import MOST

MOST_DICE = 60
"""In one roll. Beyond it somebody has mistyped a number."""
MOST_SIDES = 1_000
MOST_CHAIN = 20
"""How often one die explodes at most where nothing says once."""
MOST_TAKEN = 20
"""Options taken on one roll."""

T = TypeVar("T")
Stat = Annotated[int, Meta(ge=-MOST, le=MOST)] | Annotated[str, Meta(max_length=120)]
Counts = dict[str, int]


class HomebrewSheet(Sheet):
    """A character."""

    stats: dict[str, dict[str, Stat]] = {}
    """By group, then by name: [stats.trait] hard = 2."""


def challenge_kinds(world: HomebrewWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The kinds of challenges that the game has."""
    return [Choice(name, rule.title, note=rule.about) for name, rule in world.rules.challenges.items()]


def contest_kinds(world: HomebrewWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The kinds of contests that the game has."""
    return [Choice(name, rule.title, note=rule.about) for name, rule in world.rules.contests.items()]


class Plan(Model):
    """A prepared challenge."""

    challenge: Annotated[str, Ask(challenge_kinds), Meta(title="kind of challenge")]
    """Which of [rules.challenges] it is."""
    name: str = ""
    """What this one is called."""
    stakes: str = ""
    """What is at stake, for everybody to read."""
    says: dict[str, int | str] = {}
    """What its roll asks: difficulty = 15. What is left out is asked when it is opened."""
    keywords: tuple[str, ...] = ()
    """Those of its kind that fit this one."""
    hidden: bool = False
    """The players do not know what it asks."""


class Bout(Model):
    """A prepared contest."""

    contest: Annotated[str, Ask(contest_kinds), Meta(title="kind of contest")]
    """Which of [rules.contests] it is."""
    who: Annotated[str, Ask(anybody)]
    """Who begins it."""
    against: Annotated[tuple[str, ...], Ask(anybody)]
    """One or many."""
    name: str = ""
    """What this one is called."""
    stakes: str = ""
    """What is at stake."""


class HomebrewScene(Scene):
    """A prepared scene."""

    challenges: dict[str, Plan] = {}
    contests: dict[str, Bout] = {}
    clocks: dict[str, Clock] = {}
    """Clocks that are put on the table when it begins."""


class Group(Model):
    """Dice of one kind in a roll."""

    count: int
    sides: int
    sign: int = 1
    keep: int = 0
    """How many of the highest count; below 0, of the lowest; 0 for all."""
    explodes: int = 0
    """How often each may explode."""
    at: int = 0
    """The face from which it explodes; 0 for its highest."""
    beside: bool = False
    """They were given to the roll and are of another size than its own: they add up and are neither tops nor ones."""


class Spec(Model):
    """Dice to be rolled, and what is added."""

    groups: tuple[Group, ...] = ()
    plus: int = 0

    @property
    def count(self) -> int:
        """All dice of it."""
        return sum(max(g.count, 0) for g in self.groups)


class Die(Model):
    """A die on the table."""

    sides: int
    face: int
    group: int = 0
    more: tuple[int, ...] = ()
    """What it showed each time that it exploded."""
    rerolled: int = 0

    @property
    def value(self) -> int:
        """What it counts."""
        return self.face + sum(self.more)


class Throw(Model):
    """Dice that lie there, and how they were meant."""

    spec: Spec
    dice: tuple[Die, ...] = ()


class Made(Model):
    """A roll on the table, until the next one."""

    roll: str
    who: str
    mine: Throw
    stage: Literal["open", "done"] = "open"
    """open: something may still be done before it counts."""
    whom: str = ""
    stats: dict[str, str] = {}
    """The stat that was chosen of each group."""
    says: dict[str, str] = {}
    """What was said to what it asks; `clock` is the clock that it moves."""
    taken: Counts = {}
    """Options, and how often."""
    helpers: dict[str, str] = {}
    """Who helps, by option."""
    against: int | None = None
    theirs: Throw | None = None
    hits: int = 0
    """The face from which a die is a hit, where hits are counted."""
    steps: int = 0
    """Bands up, or down."""
    band: str = ""
    tone: str = ""
    result: int = 0
    margin: int = 0
    told: str = ""
    """What else came of it."""
    of: str = ""
    """The challenge that it belongs to, or the condition that it may end."""
    turn: str = ""
    """The turn in which it fell."""


class Question(Model):
    """A choice that somebody has to make."""

    who: str
    options: tuple[str, ...]
    whom: str = ""
    roll: str = ""
    """The roll that led to it."""
    stats: dict[str, str] = {}
    says: dict[str, str] = {}
    facts: Counts = {}
    """The result, margin and so on of that roll."""


class Supporter(Model):
    """What somebody does for the lead."""

    how: str
    stat: str = ""


class Challenge(Model):
    """A challenge under way."""

    plan: Plan
    lead: str = ""
    stats: dict[str, str] = {}
    """What the lead rolls with, by group."""
    using: tuple[str, ...] = ()
    """What the lead has chosen before the roll."""
    supports: dict[str, Supporter] = {}
    thrown: dict[str, Throw] = {}
    """Everybody's dice, where everybody has rolled."""
    rolled: dict[str, str] = {}
    """Who has rolled, and how it went."""
    last: str = ""
    """Who rolled last."""
    wins: int = 0
    losses: int = 0
    outcome: str = ""


class Side(Model):
    """One party of a contest."""

    stat: str = ""
    lines: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    """Stats and lines that have served."""
    won: int = 0
    throw: Throw | None = None
    result: int = 0
    out: bool = False


class Contest(Model):
    """A contest under way: the first of its sides against the others."""

    bout: Bout
    sides: dict[str, Side]
    round: int = 1
    stage: Literal["build", "fallen", "over"] = "build"
    winner: str = ""


class HomebrewNow(Now):
    """Live state."""

    meters: dict[str, Counts] = {}
    """By person, then by meter."""
    shared: Counts = {}
    used: dict[str, dict[str, Counts]] = {}
    """How often options were taken, by span, option and person."""
    last: dict[str, dict[str, str]] = {}
    """What was answered last, by roll: proposed the next time."""
    roll: Made | None = None
    asked: tuple[Question, ...] = ()
    """What the game waits for, the first one first."""
    challenge: Challenge | None = None
    contest: Contest | None = None

    def moved_on(self) -> Self:
        """With the last roll as one of another turn."""
        roll = self.roll
        return replace(self, roll=replace(roll, turn=PAST)) if roll and roll.stage == "done" else self

    def in_sight(self) -> tuple[str, ...]:
        """Whose dice lie on the table, and who takes part in a challenge or a contest."""
        rolled = (self.roll.who, self.roll.whom) if self.roll else ()
        some = (self.challenge.lead, *self.challenge.supports, *self.challenge.rolled) if self.challenge else ()
        return (*rolled, *some, *(self.contest.sides if self.contest else ()))


HomebrewWorld = World[HomebrewRules, HomebrewSheet, HomebrewScene, HomebrewNow]


# ---- looking things up


def titled(name: str, title: str) -> str:
    """What the table calls something: its title, else its id."""
    return title or name


def group_of(rules: HomebrewRules, stat: str) -> str:
    """The group that names a stat; empty where none does."""
    return next((g for g, group in rules.stats.items() if stat in group.names or stat in group.worked), "")


def stats_of(world: HomebrewWorld, who: str, group: str) -> list[str]:
    """The stats of a group that somebody has."""
    rule, sheet = world.rules.stats[group], world.sheets.get(who)
    if rule.worked:
        return [*rule.worked, *rule.names]
    if rule.names:
        return list(rule.names)
    return list(sheet.stats.get(group, {})) if sheet else []


def written(world: HomebrewWorld, who: str, group: str, stat: str) -> int | str:
    """What the sheet says of a stat, else what is usual."""
    sheet = world.sheets.get(who)
    found = sheet.stats.get(group, {}).get(stat) if sheet else None
    return world.rules.stats[group].usual if found is None else found


def side(world: HomebrewWorld, who: str) -> str:
    """The side that somebody is on."""
    fighter = world.now.turns.fighters.get(who)
    return fighter.side if fighter else side_of(world, who)


def conditions_of(world: HomebrewWorld, who: str) -> Iterator[tuple[str, str]]:
    """Somebody's conditions: the id and the name in the rules."""
    for one, condition in world.now.conditions.items():
        if condition.who == who:
            yield one, condition.what


def has_condition(world: HomebrewWorld, who: str, name: str) -> bool:
    """Is somebody under a condition?"""
    return any(what == name for _, what in conditions_of(world, who))


def is_out(world: HomebrewWorld, who: str) -> bool:
    """Whoever is out neither rolls nor takes turns."""
    rules = world.rules.lasting
    return any(what in rules and rules[what].out for _, what in conditions_of(world, who))


GM_NAME = "the GM"


def roller_name(world: HomebrewWorld, who: str) -> str:
    """Whose roll it is, at the head of a line: somebody's, or the GM's where it is nobody's."""
    return world.name(who) if who else GM_NAME[0].upper() + GM_NAME[1:]


def roll_title(rules: HomebrewRules, roll: str) -> str:
    """What a roll is called."""
    found: RollRule | None = rules.rolls.get(roll)
    return titled(roll, found.title) if found else roll


def group_title(rules: HomebrewRules, group: str) -> str:
    """What a group of stats is called."""
    found: StatGroup | None = rules.stats.get(group)
    return titled(group, found.title) if found else group


def meter_rule(rules: HomebrewRules, name: str) -> Meter | None:
    """The rule of somebody's meter, or of a shared one."""
    return rules.meters.get(name) or rules.shared.get(name)


def of_scene(world: HomebrewWorld, found: dict[str, T]) -> dict[str, T]:
    """Of what is prepared, by scene/name, that of the scene that is on; all of it where none is."""
    return {name: one for name, one in found.items() if world.now.scene in ("", name.partition("/")[0])}


def uses(world: HomebrewWorld, span: str, option: str, who: str) -> int:
    """How often an option was taken in a span: by somebody, or in a challenge or contest by anybody."""
    counts = world.now.used.get(span, {}).get(option, {})
    return sum(counts.values()) if span in ("challenge", "contest") else counts.get(who, 0)
