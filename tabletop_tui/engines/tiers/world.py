"""Tiers, sheets, scenes and live state of Tiers of Power."""

from typing import Annotated, Literal

from msgspec import Meta

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

Rank = Annotated[int, Meta(ge=1, le=5)]
Ranks = dict[Tier, Rank]


class TiersRules(Rules):
    """The rulings that a table may want otherwise."""

    omega_hp: Annotated[int, Meta(ge=1, le=1_000_000)] = 31_250
    omega_multiplier: Annotated[int, Meta(ge=1, le=1_000_000)] = 3_125
    omega_explodes_at: Annotated[int, Meta(ge=10, le=26)] = 26
    """An omega die is d6 + d20; from this sum on it explodes. Below 10 a kept gamma die could beat an exploded one,
    which the odds do not count."""
    most_rank: Annotated[int, Meta(ge=5, le=10)] = 5
    """Where rank with legacy stops."""
    tie_rank: Literal["written", "pool"] = "written"
    """What breaks a tie between equal tiers: the rank as written, or the number of dice rolled."""
    points_above_ten: bool = True
    """The pool keeps counting above 10 until the forced spend."""
    unlisted_skills: bool = False
    """A skill that is not on the sheet may be used as alpha 1."""
    order_skill: str = ""
    """The skill that is rolled for the turn order; the first that a form proposes. Without it the GM orders turns."""
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

    levels: dict[Tier, Annotated[int, Meta(ge=0, le=100)]] = {}
    skills: dict[str, Ranks] = {}
    items: dict[str, Ranks] = {}
    bonus_dice: Annotated[int, Meta(ge=0, le=99)] = 0
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


class TiersScene(Scene):
    """A prepared scene with its challenges."""

    challenges: dict[str, Plan] = {}
    cast: tuple[str, ...] = ()
    """Who is in it."""


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
    """Ranks that an NPC's next roll gains."""
    consequences: dict[str, Consequence] = {}


class Support(Model):
    """What a supporter gives."""

    how: How
    skill: str = ""
    gives: int = 0
    """The N of Reroll N or Reduce N."""


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
    fixed: Literal["", "bought", "struck"] = ""
    """The winner no longer depends on the dice: success was bought, or the GM paid for a failure."""
    claimed: bool = False
    hidden: bool = False
    """The second side's dice are for the GM's eyes."""
    outcome: str = ""
    damage: int = 0
    turn: str = ""
    """The turn in which it fell."""


class TiersNow(Now):
    """Live state."""

    people: dict[str, Person] = {}
    complications: Annotated[int, Meta(ge=0, le=10_000)] = 0
    owed: bool = False
    """A forced spend is owed: the d10 has not been rolled."""
    due: Annotated[int, Meta(ge=0, le=10)] = 0
    """What the d10 of a forced spend said must be spent."""
    challenge: Challenge | None = None
    roll: Roll | None = None


TiersWorld = World[TiersRules, TiersSheet, TiersScene, TiersNow]


class Rating(Model):
    """A skill or item as it is used."""

    skill: str
    tier: Tier
    rank: int
    legacy: bool = False

    @property
    def words(self) -> str:
        """As it is spoken of."""
        return f"{self.skill} {self.tier} {self.rank}".strip()


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


def most_hp(world: TiersWorld, who: str) -> int:
    """Health Points: levels of every tier count."""
    return sum(n * hp_per_level(world.rules, tier) for tier, n in world.sheets[who].levels.items())


def tier_of(world: TiersWorld, who: str) -> Tier:
    """A character's tier: the highest in which they have a level."""
    levels = world.sheets[who].levels
    return max((tier for tier, n in levels.items() if n > 0), key=number, default="alpha")


def person(world: TiersWorld, who: str) -> Person:
    """Live state; somebody who has none yet is fresh."""
    found = world.now.people.get(who)
    return found or Person(most_hp(world, who), world.sheets[who].bonus_dice)


def rating(world: TiersWorld, who: str, skill: str) -> Rating | None:
    """A skill or item by name, at its highest tier or at the one named after a colon; with legacy."""
    name, _, wanted = skill.partition(":")
    sheet = world.sheets[who]
    ranks = sheet.skills.get(name)
    legacy = ranks is not None
    ranks = ranks or sheet.items.get(name)
    if not ranks:
        unlisted = world.rules.unlisted_skills and not wanted and name in known_skills(world)
        return Rating(name, "alpha", 1) if unlisted else None
    held = [t for t in ranks if wanted in ("", t)]
    if not held:
        return None
    tier = max(held, key=number)
    below = TIERS[number(tier) - 1] if number(tier) else None
    inherits = legacy and below is not None and ranks.get(below, 0) >= 5
    rank = min(ranks[tier] + 1, world.rules.most_rank) if inherits else ranks[tier]
    return Rating(name, tier, rank, inherits)


def known_skills(world: TiersWorld) -> list[str]:
    """Every skill that anybody has."""
    return sorted({name for sheet in world.sheets.values() for name in sheet.skills})
