"""House rules, sheets, scenes and live state of Fen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from msgspec import Meta
from msgspec.structs import replace

from ...kit.cast import anybody
from ...kit.order import FOES, PAST
from ...kit.remembered import remembered
from ...rules import Ask, Model, Now, Rules, Scene, Sheet, Turns, World
from .dice import MISSING, ORDER, Fallen, Mods, Of, Step, Throw, change, parse_dice

SKILLS = ("articulate", "cognition", "dodge", "fight", "notice", "shoot", "vigor", "will")
"""The skills that the rules themselves name."""
Part = Literal["shield", "armour"]
PARTS: tuple[Part, ...] = ("shield", "armour")
"""What stands between a blow and the skin, in the order in which it meets it."""
UNARMED = "unarmed"
Throws = Literal["any", "attack", "dodge", "contest"]
"""Kinds of throws that a change can be for; a skill that is rolled alone, and initiative, are only "any"."""
SCOPES = (
    *(f"{of} {throw}" for of in ("all", "skill") for throw in ("any", "attack", "dodge", "contest")),
    "weapon attack",
)
"""Which dice a change is for, and of which next throw."""
ANY = "all any"


class FenRules(Rules):
    """The rulings that a table may want to change."""

    order: tuple[Step, ...] = ORDER
    """The order in which changes are made to dice."""
    skills: tuple[str, ...] = SKILLS
    """Skills that are offered even where no sheet has them; a missing one rolls 1d4."""
    initiative_skills: tuple[str, ...] = ("notice", "dodge")
    """What the one who rolls for a side may choose from."""
    rotation: bool = True
    """Each of a side rolls for it once before anyone does so again."""
    tie_to_players: bool = True
    """Equal initiative: the players' side acts first; false puts it after the others."""
    surprised: Literal["no turn", "last", "nothing"] = "no turn"
    """What surprise costs a side in round one: its turn, its place, or nothing."""
    minor_actions: Annotated[int, Meta(ge=0, le=10)] = 1
    """Minor actions in a turn."""
    major_actions: Annotated[int, Meta(ge=0, le=10)] = 1
    """Major actions in a turn."""
    reactions: Annotated[int, Meta(ge=0, le=10)] = 1
    """Reactions in a round."""
    temporary_first: bool = True
    """Temporary points are spent before HP; false spends HP first."""
    wound_skill: str = "vigor"
    """The skill by which the tally of wounds ends."""
    wound_limit: Literal["half", "whole"] = "half"
    """The tally of wounds ends at half, or all, of that skill's largest die."""
    wound_at_zero: bool = True
    """Whoever is brought to 0 HP takes a wound."""
    attack_skills: tuple[str, ...] = ("fight", "shoot")
    """What weapons are used with; bare hands use the first."""
    dodge_skill: str = "dodge"
    """What the target of an attack rolls."""
    attack_explodes: bool = True
    """Dice of attacks explode."""
    breakage: bool = True
    """A shield or armour that was exceeded loses 1 defense."""
    social_skills: tuple[str, ...] = ("articulate", "will", "cognition", "notice")
    """A contest of two of these, with articulate or will among them, is a social one."""
    pairs_once: bool = True
    """A social contest never uses a pair of skills twice; false forbids only the round before."""


class Weapon(Model):
    """Something to attack with."""

    dice: str
    skill: str = "fight"
    about: str = ""


class Guard(Model):
    """A shield, or armour."""

    name: str
    defense: Annotated[int, Meta(ge=0, le=1_000)]


class FenSheet(Sheet):
    """A character of Fen."""

    hp: Annotated[int, Meta(ge=1, le=100_000)] = 10
    skills: dict[str, str] = {}
    """Dice by skill: fight = "3d8", dodge = "1d4+1d8"."""
    weapons: dict[str, Weapon] = {}
    shield: Guard | None = None
    armour: Guard | None = None


class Effect(Model):
    """What a loser of a contest suffers."""

    condition: str = ""
    hurt: Annotated[int, Meta(ge=0, le=1_000)] = 0
    wounds: Annotated[int, Meta(ge=0, le=100)] = 0

    @property
    def words(self) -> str:
        """All of it on a line."""
        parts = [self.condition] if self.condition else []
        parts += [f"{self.hurt} damage"] if self.hurt else []
        parts += [f"{self.wounds} wound{'s' if self.wounds != 1 else ''}"] if self.wounds else []
        return ", ".join(parts)


class Plan(Model):
    """A prepared contest."""

    contest: Annotated[str, Meta(title="two skills, as dodge/notice")]
    """Two skills: "dodge/notice"."""
    title: str = ""
    who: Annotated[str, Ask(anybody)] = ""
    """The aggressor; empty where it is asked when the contest is opened."""
    against: Annotated[tuple[str, ...], Ask(anybody)] = ()
    stakes: str = ""
    """What the aggressor wins."""
    risk: str = ""
    """What the aggressor loses."""
    effect: Effect = Effect()
    hidden: bool = False
    """The dice of the GM's characters are for the GM's eyes."""


class FenScene(Scene):
    """A prepared scene: its sides, who is surprised, its contests."""

    sides: dict[str, tuple[str, ...]] = {}
    """Who fights on which side."""
    surprised: tuple[str, ...] = ()
    """Sides that do not see it coming."""
    hidden: tuple[str, ...] = ()
    """Who is in the turn order unseen, until revealed."""
    contests: dict[str, Plan] = {}

    def people(self) -> tuple[str, ...]:
        """Everybody who fights on a side of it, too."""
        return (*self.cast, *(who for side in self.sides.values() for who in side))

    def bringing(self, who: str, count: int) -> FenScene:
        """Against the first of its sides; where it names none, its cast is what fights."""
        if not self.sides:
            return super().bringing(who, count)
        if any(who in members for members in self.sides.values()):
            return self
        side = [*self.sides, FOES][1]
        return replace(self, sides={**self.sides, side: (*self.sides.get(side, ()), who)})


class Person(Model):
    """The live state of one character."""

    hp: int
    temporary: int = 0
    wounds: int = 0
    guards: dict[Part, int] = {}
    """Defense that is left, where it is no longer what the sheet says; 0 is broken."""
    mods: Mods = Mods()
    """What is done to all dice of their next throw, of whatever kind."""
    changes: dict[str, Mods] = {}
    """What is done to some of the dice, or for a kind of throw: "weapon attack", "all dodge", "skill contest"."""
    minor: int = 0
    """Actions used in this round."""
    major: int = 0
    reactions: int = 0


class Defender(Model):
    """One of those whom a contest is against."""

    fallen: Fallen | None = None
    beaten: bool = False
    applied: bool = False
    """The effect has struck them."""


class Contest(Model):
    """A contest: being built while nothing has fallen, over when it has."""

    who: str
    skill: str
    using: str
    title: str = ""
    defenders: dict[str, Defender] = {}
    stakes: str = ""
    risk: str = ""
    effect: Effect = Effect()
    hidden: bool = False
    round: int = 1
    used: dict[str, int] = {}
    """Pairs of skills that were rolled, and in which round."""
    fallen: Fallen | None = None
    struck: bool = False
    """Has the aggressor, who lost to somebody, suffered the effect?"""
    unseen: tuple[str, ...] = ()
    """Who came into it lying in wait: until they are found it is for the GM alone."""

    @property
    def pair(self) -> str:
        """As it is written."""
        return f"{self.skill}/{self.using}"

    @property
    def parties(self) -> tuple[str, ...]:
        """The aggressor, then the defenders."""
        return (self.who, *self.defenders)

    @property
    def beaten(self) -> list[str]:
        """The defenders who lost."""
        return [who for who, d in self.defenders.items() if d.beaten]

    @property
    def then(self) -> str:
        """What it comes to, once rolled: the stakes where all are beaten, the risk where nobody is."""
        return self.risk if not self.beaten else self.stakes if len(self.beaten) == len(self.defenders) else ""

    @property
    def unstruck(self) -> list[str]:
        """Defenders who lost and whom the effect has not struck yet."""
        return [who for who in self.beaten if not self.defenders[who].applied]


class Blow(Model):
    """The last attack, as it lies on the table."""

    who: str
    against: str
    weapon: str
    attack: Fallen
    dodge: Fallen
    """Without dice where the target was down."""
    result: Literal["through", "stopped", "dodged"]
    damage: int = 0
    turn: str = ""
    """The turn in which it fell."""


class Standing(Model):
    """Who rolls for a side in this round, and what they rolled."""

    who: str
    skill: str
    fallen: Fallen | None = None


class Rounds(Model):
    """Side initiative."""

    standing: dict[str, Standing] = {}
    """By side."""
    sequence: tuple[str, ...] = ()
    """The sides in the order in which they act; empty until initiative is rolled."""
    surprised: tuple[str, ...] = ()


class FenNow(Now):
    """Live state."""

    people: dict[str, Person] = {}
    rounds: Rounds = Rounds()
    contest: Contest | None = None
    blow: Blow | None = None
    found: tuple[str, ...] = ()
    """Who lay in wait in a scene and has been seen since."""

    def under_way(self) -> tuple[str, ...]:
        """The contest too, until it is rolled."""
        contest = self.contest
        return (*super().under_way(), *((contest.title or contest.pair,) if contest and not contest.fallen else ()))

    def moved_on(self) -> Self:
        """With the last attack as one of another turn."""
        return replace(self, blow=replace(self.blow, turn=PAST)) if self.blow else self

    def in_sight(self) -> tuple[str, ...]:
        """The parties of a contest, but for those who hide in it, and of the last attack."""
        contest, blow = self.contest, self.blow
        struck = (blow.who, blow.against) if blow else ()
        return (*struck, *(w for w in contest.parties if w not in contest.unseen)) if contest else struck


FenWorld = World[FenRules, FenSheet, FenScene, FenNow]


def person(world: FenWorld, who: str) -> Person:
    """Live state; somebody who has none yet is fresh."""
    return world.now.people.get(who) or Person(world.sheets[who].hp)


def with_person(world: FenWorld, who: str, **changes: Any) -> FenWorld:
    """The world with some of somebody's live state changed; as it is where they have no sheet."""
    if who not in world.sheets:
        return world
    return world.live(people={**world.now.people, who: replace(person(world, who), **changes)})


def skill_dice(world: FenWorld, who: str, skill: str) -> str:
    """A skill's dice as the sheet writes them; capitals do not matter."""
    skills = world.sheets[who].skills
    if skill in skills:
        return skills[skill]
    wanted = skill.casefold()
    return next((dice for name, dice in skills.items() if name.casefold() == wanted), MISSING)


def has_skill(world: FenWorld, who: str, skill: str) -> bool:
    """Is it on the sheet?"""
    return skill.casefold() in {name.casefold() for name in world.sheets[who].skills}


def changes_of(world: FenWorld, who: str) -> dict[str, Mods]:
    """All that is done to somebody's next throws, by which dice and which throw it is for."""
    them = person(world, who)
    return {scope: mods for scope, mods in {ANY: them.mods, **them.changes}.items() if mods != Mods()}


def changes_for(world: FenWorld, who: str, throw: Throws) -> dict[Of, Mods]:
    """What of it counts in one throw, added up for each part of the dice."""
    found: dict[Of, Mods] = {"all": Mods(), "weapon": Mods(), "skill": Mods()}
    for of in found:
        for scope, mods in changes_of(world, who).items():
            if scope in (f"{of} any", f"{of} {throw}"):
                found[of] = found[of].plus(mods)
    return found


def skill_mods(world: FenWorld, who: str, throw: Throws) -> Mods:
    """What is done to a throw of a skill without a weapon."""
    found = changes_for(world, who, throw)
    return found["all"].plus(found["skill"])


def skill_throw(world: FenWorld, who: str, skill: str, throw: Throws = "any") -> Throw:
    """What somebody would throw for a skill now, with all that is done to it."""
    return change(parse_dice(skill_dice(world, who, skill)), skill_mods(world, who, throw), world.rules.order)


def known_skills(world: FenWorld) -> list[str]:
    """Every skill that the rules name or a sheet has, each once."""
    found: dict[str, str] = {}
    for name in (*world.rules.skills, *(s for sheet in world.sheets.values() for s in sheet.skills)):
        found.setdefault(name.casefold(), name)
    return list(found.values())


def most_wounds(world: FenWorld, who: str) -> int:
    """Where the tally of wounds ends: a table asks often, and it follows from sheets and rules alone."""
    known = _most_wounds(world.rules, world.sheets)
    if who not in known:
        largest = parse_dice(skill_dice(world, who, world.rules.wound_skill)).largest
        known[who] = largest // 2 if world.rules.wound_limit == "half" else largest
    return known[who]


@remembered
def _most_wounds(_rules: FenRules, _sheets: Mapping[str, FenSheet]) -> dict[str, int]:
    return {}


def is_down(world: FenWorld, who: str) -> bool:
    """At 0 HP, or at the end of the tally of wounds."""
    them = person(world, who)
    return them.hp <= 0 or them.wounds >= most_wounds(world, who)


def fight(world: FenWorld) -> Turns:
    """The turn order as it stands: who is down takes no turn, and who is not does, however their HP changed."""
    return _fight(world.rules, world.sheets, world.now.people, world.now.turns)


@remembered
def _fight(rules: FenRules, sheets: dict[str, FenSheet], people: dict[str, Person], turns: Turns) -> Turns:
    world = FenWorld(rules, FenNow(people=people), sheets)
    down = {w: w in sheets and is_down(world, w) for w in turns.fighters}
    fighters = {w: f if f.out == down[w] else replace(f, out=down[w]) for w, f in turns.fighters.items()}
    up = turns.current if turns.current in fighters and not fighters[turns.current].out else ""
    return replace(turns, fighters=fighters, current=up)


def guard(world: FenWorld, who: str, part: Part) -> Guard | None:
    """A shield or armour as the sheet has it."""
    found: Guard | None = getattr(world.sheets[who], part)
    return found


def defense(world: FenWorld, who: str, part: Part) -> int:
    """What it takes off a blow now; nothing where there is none."""
    item = guard(world, who, part)
    return 0 if item is None else person(world, who).guards.get(part, item.defense)
