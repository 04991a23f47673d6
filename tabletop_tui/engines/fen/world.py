"""House rules, sheets, scenes and live state of Fen."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from ...rules import Model, Now, Rules, Scene, Sheet, World
from .dice import MISSING, ORDER, Fallen, Mods, Step, Throw, change, parse_dice

SKILLS = ("articulate", "cognition", "dodge", "fight", "notice", "shoot", "vigor", "will")
"""The skills that the rules themselves name."""
Part = Literal["shield", "armour"]
PARTS: tuple[Part, ...] = ("shield", "armour")
"""What stands between a blow and the skin, in the order in which it meets it."""
UNARMED = "unarmed"


class FenRules(Rules):
    """The rulings that a table may want otherwise."""

    order: tuple[Step, ...] = ORDER
    """The order in which changes are made to dice."""
    skills: tuple[str, ...] = SKILLS
    """Skills that are offered even where no sheet has them; a missing one rolls 1d4."""
    initiative_skills: tuple[str, ...] = ("notice", "dodge")
    """What the one who stands up for a side may roll."""
    rotation: bool = True
    """Each of a side stands up once before anyone does so again."""
    tie_to_players: bool = True
    """Equal initiative: the players' side acts first; false puts it after the others."""
    surprised: Literal["no turn", "last", "nothing"] = "no turn"
    """What surprise costs a side in round one: its turn, its place, or nothing."""
    minor_actions: Annotated[int, Meta(ge=0, le=10)] = 1
    major_actions: Annotated[int, Meta(ge=0, le=10)] = 1
    reactions: Annotated[int, Meta(ge=0, le=10)] = 1
    """A round."""
    temporary_first: bool = True
    """Temporary points are spent before HP; false spends HP first."""
    wound_skill: str = "vigor"
    wound_limit: Literal["half", "whole"] = "half"
    """The tally of wounds ends at half, or all, of that skill's largest die."""
    wound_at_zero: bool = True
    """Whoever is brought to 0 HP takes a wound."""
    attack_skills: tuple[str, ...] = ("fight", "shoot")
    dodge_skill: str = "dodge"
    attack_explodes: bool = True
    breakage: bool = True
    """A shield or armour that was exceeded loses 1 defense."""
    social_skills: tuple[str, ...] = ("articulate", "will", "cognition", "notice")
    """A contest of two of these, with articulate or will among them, is a social one."""
    pairs_once: bool = True
    """A social contest never uses a pair of skills twice; false forbids only the round before."""
    open_npcs: bool = False
    """The dice, HP and chances of the GM's characters are for everybody."""


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

    contest: str
    """Two skills: "dodge/notice"."""
    title: str = ""
    who: str = ""
    """The aggressor; empty where it is asked when the contest is opened."""
    against: tuple[str, ...] = ()
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


class Person(Model):
    """The live state of one character."""

    hp: int
    temporary: int = 0
    wounds: int = 0
    guards: dict[Part, int] = {}
    """Defense that is left, where it is no longer what the sheet says; 0 is broken."""
    mods: Mods = Mods()
    """What is done to their next throw."""
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

    @property
    def pair(self) -> str:
        """As it is written."""
        return f"{self.skill}/{self.using}"

    @property
    def beaten(self) -> list[str]:
        """The defenders who lost."""
        return [who for who, d in self.defenders.items() if d.beaten]


class Blow(Model):
    """The last attack, as it lies on the table."""

    who: str
    against: str
    weapon: str
    attack: Fallen
    dodge: Fallen
    result: Literal["through", "stopped", "dodged"]
    damage: int = 0
    turn: str = ""
    """The turn in which it fell."""


class Standing(Model):
    """Who stands up for a side in this round, and what they rolled."""

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


FenWorld = World[FenRules, FenSheet, FenScene, FenNow]


def person(world: FenWorld, who: str) -> Person:
    """Live state; somebody who has none yet is fresh."""
    return world.now.people.get(who) or Person(world.sheets[who].hp)


def with_person(world: FenWorld, who: str, them: Person) -> FenWorld:
    """The world with one of its people changed."""
    return world.live(people={**world.now.people, who: them})


def is_secret(world: FenWorld, who: str) -> bool:
    """Are this one's numbers the GM's alone?"""
    sheet = world.sheets.get(who)
    return not world.rules.open_npcs and not (sheet and sheet.player)


def is_hidden(world: FenWorld, who: str) -> bool:
    """Is somebody in the fight unseen?"""
    fighter = world.now.turns.fighters.get(who)
    return bool(fighter and fighter.hidden)


def lies_in_wait(world: FenWorld, who: str) -> bool:
    """Is somebody unseen: in the fight, or in the scene that is on before any fight has begun?"""
    scene = world.scenes.get(world.now.scene)
    waiting = bool(scene and who in scene.hidden) and who not in world.now.turns.fighters
    return waiting or is_hidden(world, who)


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


def skill_throw(world: FenWorld, who: str, skill: str) -> Throw:
    """What somebody would throw for a skill now, with all that is done to it."""
    return change(parse_dice(skill_dice(world, who, skill)), person(world, who).mods, world.rules.order)


def known_skills(world: FenWorld) -> list[str]:
    """Every skill that the rules name or a sheet has, each once."""
    found: dict[str, str] = {}
    for name in (*world.rules.skills, *(s for sheet in world.sheets.values() for s in sheet.skills)):
        found.setdefault(name.casefold(), name)
    return list(found.values())


def most_wounds(world: FenWorld, who: str) -> int:
    """Where the tally of wounds ends."""
    largest = parse_dice(skill_dice(world, who, world.rules.wound_skill)).largest
    return largest // 2 if world.rules.wound_limit == "half" else largest


def is_down(world: FenWorld, who: str) -> bool:
    """At 0 HP, or at the end of the tally of wounds."""
    them = person(world, who)
    return them.hp <= 0 or them.wounds >= most_wounds(world, who)


def guard(world: FenWorld, who: str, part: Part) -> Guard | None:
    """A shield or armour as the sheet has it."""
    found: Guard | None = getattr(world.sheets[who], part)
    return found


def defense(world: FenWorld, who: str, part: Part) -> int:
    """What it takes off a blow now; nothing where there is none."""
    item = guard(world, who, part)
    return 0 if item is None else person(world, who).guards.get(part, item.defense)
