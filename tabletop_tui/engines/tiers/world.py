"""Tiers, sheets, scenes and live state of Tiers of Power."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from msgspec import Meta
from msgspec.structs import replace

from ...kit.order import PAST
from ...kit.remembered import remembered
from ...rules import Model, Now, Rules, Scene, Sheet, World

Tier = Literal["alpha", "beta", "charlie", "delta", "gamma", "omega"]
TIERS: tuple[Tier, ...] = ("alpha", "beta", "charlie", "delta", "gamma", "omega")
SIDES: dict[Tier, tuple[int, ...]] = {
    "alpha": (4,),
    "beta": (6,),
    "charlie": (8,),
    "delta": (10,),
    "gamma": (12,),
    "omega": (6, 20),
}
"""The physical dice that make one die of a tier."""

Keyword = Literal["time-sensitive", "delicate", "complex", "unstable"]
KEYWORDS: tuple[Keyword, ...] = ("time-sensitive", "delicate", "complex", "unstable")
How = Literal["direct", "indirect", "prepare", "encourage"]
HOWS: tuple[How, ...] = ("direct", "indirect", "prepare", "encourage")

TieBreak = Literal["", "tier", "rank", "first"]

MOST_BONUS = 99
MOST_BOOST = 20
MOST_POINTS = 10_000

Level = Annotated[int, Meta(ge=0, le=100)]
Rank = Annotated[int, Meta(ge=1, le=5)]
Ranks = dict[Tier, Rank]


class TiersRules(Rules):
    """The rulings that a table may want to change."""

    omega_hp: Annotated[int, Meta(ge=1, le=1_000_000)] = 31_250
    """HP for each omega level: the pattern of the other tiers goes on."""
    omega_multiplier: Annotated[int, Meta(ge=1, le=1_000_000)] = 3_125
    """What the margin of an omega attacker is multiplied by."""
    omega_explodes_at: Annotated[int, Meta(ge=10, le=26)] = 26
    """An omega die is d6 + d20; from this sum on it explodes."""
    most_rank: Annotated[int, Meta(ge=5, le=10)] = 5
    """Where rank with legacy stops."""
    legacy_chains: bool = True
    """A rank 5 that was reached with legacy counts as rank 5 for the next tier."""
    tie_rank: Literal["written", "pool"] = "written"
    """What breaks a tie between equal tiers: the rank as written, or the number of dice rolled."""
    points_above_ten: bool = True
    """The pool keeps counting above 10 until the forced spend."""
    reroll_once: bool = True
    """A die is rerolled once, whoever asks for it; false: Complication Points may reroll one again."""
    bonus_die_from: Literal["character", "skill"] = "character"
    """Whose next tier up a Bonus Die is of: the character's, or the skill's."""
    bonus_every: Annotated[int, Meta(ge=0, le=1_000)] = 60
    """Minutes of play without an award after which the GM is reminded of Bonus Dice; 0 for no reminder."""
    unlisted_skills: bool = False
    """A skill that is not on the sheet may be used as alpha 1."""
    order_skill: str = ""
    """The skill that is rolled for the turn order; the first that a form proposes. Whoever lacks it goes last."""
    least_opposition: Annotated[int, Meta(ge=0, le=1)] = 1
    """The number of dice below which a challenge cannot be reduced."""
    lead_bonus_die: bool = True
    """The Lead of a challenge may add a Bonus Die."""
    buy_in_challenge: bool = False
    """The Lead may buy success for 2 Complication Points."""
    bought_margin: Annotated[int, Meta(ge=0, le=10)] = 1
    """The margin of a success that was bought."""


class TiersSheet(Sheet):
    """A character of Tiers of Power."""

    levels: dict[Tier, Level | dict[str, Level]] = {}
    """A number for each tier, or a number for each calling in it: only their sum counts."""
    skills: dict[str, Ranks] = {}
    items: dict[str, Ranks] = {}
    bonus_dice: Annotated[int, Meta(ge=0, le=MOST_BONUS)] = 0
    """Bonus Dice at the start of the campaign."""


class Plan(Model):
    """A prepared challenge."""

    name: str
    tier: Tier
    dice: Annotated[int, Meta(ge=1, le=20)]
    stakes: str = ""
    keywords: tuple[Keyword, ...] = ()
    hidden: bool = False
    """The players do not know tier and dice."""
    complication: str = ""
    """What a complication would be; for the GM."""
    failure: str = ""
    """What the Lead suffers on outright failure."""

    @property
    def pool(self) -> str:
        """How many dice it has, in words."""
        return "1 die" if self.dice == 1 else f"{self.dice} dice"


class TiersScene(Scene):
    """A prepared scene with its challenges."""

    challenges: dict[str, Plan] = {}


class Consequence(Model):
    """Something that a character carries away."""

    what: str
    lasting: bool = False
    sessions: int = 1
    """Sessions left, for one that is not lasting."""


class Person(Model):
    """The live state of one character."""

    hp: int
    bonus_dice: int = 0
    boost: int = 0
    """Ranks that an NPC's next roll gains, whatever the skill: in logs of older versions."""
    boosts: dict[str, int] = {}
    """Ranks that the next roll of a skill or item of an NPC gains."""
    consequences: dict[str, Consequence] = {}


class Support(Model):
    """What a supporter gives."""

    how: How
    skill: str = ""
    gives: int = 0
    """The N of Reroll N or Reduce N, in logs of older versions: it follows from the sheet."""


class Challenge(Model):
    """A challenge under way."""

    plan: Plan
    lead: str = ""
    skill: str = ""
    bonus: bool = False
    supports: dict[str, Support] = {}
    outcome: str = ""


class Die(Model):
    """A die on the table."""

    tier: Tier
    face: int
    again: int = 0
    """The second roll of a die that exploded."""
    rerolled: bool = False

    @property
    def value(self) -> int:
        """What it counts."""
        return self.face + self.again

    @property
    def words(self) -> str:
        """As it lies: 6→4 exploded."""
        return f"{self.face}→{self.again}" if self.again else str(self.face)


class Side(Model):
    """One side of an opposed roll."""

    name: str
    skill: str
    tier: Tier
    rank: int
    """Rank for breaking ties."""
    dice: tuple[Die, ...] = ()
    who: str = ""
    player: bool = False

    @property
    def result(self) -> int:
        """The single highest die; nothing rolled is 0."""
        return max((die.value for die in self.dice), default=0)


class Roll(Model):
    """An opposed roll: on the table until the next one."""

    kind: Literal["opposed", "attack", "challenge"]
    stage: Literal["reroll", "settle", "done"]
    first: Side
    """Who began it."""
    second: Side
    rerolls: int = 0
    """How many dice the Lead may still reroll."""
    winner: Literal["", "first", "second"] = ""
    margin: int = 0
    tie: TieBreak = ""
    """What broke a tie: the higher tier, the higher rank, or that the first side began it."""
    fixed: Literal["", "bought", "struck"] = ""
    """The winner no longer depends on the dice: success was bought, or the GM paid for a failure."""
    claimed: bool = False
    hidden: bool = False
    """The second side's dice are for the GM's eyes."""
    outcome: str = ""
    damage: int = 0
    turn: str = ""
    """The turn in which it fell."""

    @property
    def won(self) -> Side:
        """Who won, as the dice lie."""
        return self.first if self.winner == "first" else self.second

    @property
    def lost(self) -> Side:
        """Who lost, as the dice lie."""
        return self.second if self.winner == "first" else self.first


class TiersNow(Now):
    """Live state."""

    people: dict[str, Person] = {}
    complications: Annotated[int, Meta(ge=0, le=MOST_POINTS)] = 0
    owed: bool = False
    """A forced spend is owed: the d10 has not been rolled."""
    due: Annotated[int, Meta(ge=0, le=10)] = 0
    """What the d10 of a forced spend said must be spent."""
    challenge: Challenge | None = None
    roll: Roll | None = None

    def under_way(self) -> tuple[str, ...]:
        """The challenge too, until its outcome is known."""
        challenge = self.challenge
        return (*super().under_way(), *((challenge.plan.name,) if challenge and not challenge.outcome else ()))

    def moved_on(self) -> Self:
        """With the last roll as one of another turn."""
        roll = self.roll
        return replace(self, roll=replace(roll, turn=PAST)) if roll and roll.stage == "done" else self

    def in_sight(self) -> tuple[str, ...]:
        """Who takes on a challenge, and whose dice lie on the table."""
        rolled = (self.roll.first.who, self.roll.second.who) if self.roll else ()
        return (*rolled, self.challenge.lead, *self.challenge.supports) if self.challenge else rolled


TiersWorld = World[TiersRules, TiersSheet, TiersScene, TiersNow]


def number(tier: Tier) -> int:
    """The N of a tier, alpha being 0."""
    return TIERS.index(tier)


def next_tier(tier: Tier) -> Tier:
    """One tier up; omega stays."""
    return TIERS[min(number(tier) + 1, len(TIERS) - 1)]


def multiplier(rules: TiersRules, tier: Tier) -> int:
    """What a margin is multiplied by."""
    return rules.omega_multiplier if tier == "omega" else int(5 ** number(tier))


def hp_per_level(rules: TiersRules, tier: Tier) -> int:
    """Health Points for each level in a tier."""
    return rules.omega_hp if tier == "omega" else int(10 * 5 ** number(tier))


def level(sheet: TiersSheet, tier: Tier) -> int:
    """Levels in a tier, whatever the callings."""
    held = sheet.levels.get(tier, 0)
    return held if isinstance(held, int) else sum(held.values())


def most_hp(world: TiersWorld, who: str) -> int:
    """Health Points: levels of every tier count. A table asks often; they follow from sheets and rules alone."""
    return _most_hp(world.rules, world.sheets)[who]


@remembered
def _most_hp(rules: TiersRules, sheets: Mapping[str, TiersSheet]) -> dict[str, int]:
    return {
        who: sum(level(sheet, tier) * hp_per_level(rules, tier) for tier in sheet.levels)
        for who, sheet in sheets.items()
    }


def tier_of(world: TiersWorld, who: str) -> Tier:
    """A character's tier: the highest in which they have a level."""
    sheet = world.sheets[who]
    return max((tier for tier in sheet.levels if level(sheet, tier)), key=number, default="alpha")


def person(world: TiersWorld, who: str) -> Person:
    """Live state; somebody who has none yet is fresh. HP are held at what the levels give now."""
    found = world.now.people.get(who)
    most = most_hp(world, who)
    if found is None:
        return Person(most, world.sheets[who].bonus_dice)
    return found if found.hp <= most else replace(found, hp=most)


def is_out(world: TiersWorld, who: str) -> bool:
    """Whoever has no HP left neither rolls nor takes turns."""
    return person(world, who).hp <= 0


def signed(moved: int) -> str:
    """How far a number moved, with its sign: +2, −1."""
    return f"{moved:+d}".replace("-", "−")


def put(world: TiersWorld, who: str, **changes: Any) -> TiersWorld:
    """The world with one person's live state changed."""
    them = world.now.people.get(who) or person(world, who)
    return world.live(people={**world.now.people, who: replace(them, **changes)})
