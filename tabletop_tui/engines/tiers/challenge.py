"""A co-operative challenge until the dice fall: it is opened, one leads, the Lead may add a Bonus Die."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...rules import Action, Ask, Choice, Dice, Event, Refused
from .contest import abilities, bonus_choices, standing
from .world import KEYWORDS, Challenge, Keyword, Plan, Support, Tier, TiersWorld, rating

# ---- a challenge is opened


def plans(world: TiersWorld) -> dict[str, Plan]:
    """Every prepared challenge as scene/challenge, those of the scene that is on first."""
    scenes = sorted(world.scenes.items(), key=lambda kv: kv[0] != world.now.scene)
    return {f"{s}/{c}": plan for s, scene in scenes for c, plan in scene.challenges.items()}


def prepared(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The prepared challenges."""
    return [Choice(i, p.name) for i, p in plans(world).items()]


def keyword_choices(_world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The four keywords."""
    return [Choice(k) for k in KEYWORDS]


class ChallengeOpened(Event, tag="challenge_opened"):
    """A challenge lies before the party."""

    rule = "a challenge's difficulty is an opposing pool: a tier and a number of dice"
    plan: Plan

    def apply(self, world: TiersWorld) -> TiersWorld:
        return world.live(challenge=Challenge(self.plan), roll=None)

    def _words(self, *, hide: bool) -> str:
        hard = "" if hide else f" ({self.plan.tier}, {self.plan.dice} dice)"
        words = f"Challenge: {self.plan.name}{hard}"
        return " · ".join([words, *self.plan.keywords]) + (
            f". At stake: {self.plan.stakes}" if self.plan.stakes else ""
        )

    def says(self, world: TiersWorld) -> str:
        return self._words(hide=self.plan.hidden)

    def whispers(self, world: TiersWorld) -> str:
        return self._words(hide=False) if self.plan.hidden else ""


class ChallengeClosed(Event, tag="challenge_closed"):
    """The challenge was put away."""

    other_roll: bool = False
    """The dice on the table are not its own, and stay."""

    def apply(self, world: TiersWorld) -> TiersWorld:
        return world.live(challenge=None, roll=world.now.roll if self.other_roll else None)

    def says(self, world: TiersWorld) -> str:
        challenge = world.now.challenge
        if challenge is None:
            return ""
        return f"{challenge.plan.name} is {'over' if challenge.outcome else 'put aside'}"


def _free(world: TiersWorld) -> str:
    roll = world.now.roll
    return "" if roll is None or roll.stage == "done" else "a roll on the table is not settled yet"


class Open(Action, tag="open"):
    """Open a prepared challenge."""

    title = "open a challenge"
    key = "o"
    screens = ("challenge",)
    leads_to = "challenge"
    challenge: Annotated[str, Ask(prepared)]

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return _free(world)

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        return (ChallengeOpened(plans(world)[self.challenge]),)


class Improvise(Action, tag="improvise"):
    """Open a challenge that nobody prepared."""

    title = "new challenge"
    key = "n"
    screens = ("challenge",)
    leads_to = "challenge"
    name: Annotated[str, Meta(max_length=120)]
    tier: Tier
    dice: Annotated[int, Meta(ge=1, le=20)]
    stakes: Annotated[str, Meta(max_length=400)] = ""
    keywords: Annotated[tuple[Keyword, ...], Ask(keyword_choices)] = ()
    hidden: bool = False

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return _free(world)

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        if not self.name.strip():
            raise Refused("a challenge needs a name", remedy="Say what is in the way.")
        return (ChallengeOpened(Plan(self.name, self.tier, self.dice, self.stakes, self.keywords, self.hidden)),)


class Close(Action, tag="close"):
    """Put the challenge away."""

    title = "put away"
    key = "x"
    screens = ("challenge",)

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        roll = world.now.roll
        if world.now.challenge and roll and roll.kind == "challenge" and roll.stage != "done":
            return "its roll waits: let it count, or undo it"
        return "" if world.now.challenge else "no challenge is open"

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        roll = world.now.roll
        return (ChallengeClosed(roll is not None and roll.kind != "challenge"),)


def is_hidden(world: TiersWorld) -> bool:
    """Does the GM keep the difficulty of the open challenge from the players?"""
    return bool(world.now.challenge and world.now.challenge.plan.hidden)


# ---- one leads


def planning(world: TiersWorld) -> str:
    """Why a challenge cannot be prepared now; empty where it can."""
    challenge = world.now.challenge
    if challenge is None:
        return "no challenge is open"
    if challenge.outcome:
        return "this challenge is over"
    roll = world.now.roll
    if roll is None or (roll.kind != "challenge" and roll.stage == "done"):
        return ""  # a fight in between is over
    return "the dice have fallen" if roll.kind == "challenge" else "a roll on the table is not settled yet"


def lead_skills(world: TiersWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What the Lead can roll."""
    return abilities(world, fields.get("who", ""), items=False)


class LeadChosen(Event, tag="lead_chosen"):
    """Somebody leads; supports that still fit stay."""

    rule = "one Lead rolls; everybody else supports, with exactly one action and no dice"
    who: str
    skill: str
    supports: dict[str, Support] = {}

    def apply(self, world: TiersWorld) -> TiersWorld:
        challenge = world.now.challenge
        if challenge is None:
            return world
        changed = replace(challenge, lead=self.who, skill=self.skill, supports=self.supports, bonus=False)
        return world.live(challenge=changed)

    def says(self, world: TiersWorld) -> str:
        found = rating(world, self.who, self.skill) if world.sheets[self.who].player else None
        challenge = world.now.challenge
        before = challenge.supports if challenge else {}
        gone = [world.name(w) for w in before if w not in self.supports and w != self.who]
        without = f", without the support of {', '.join(gone)}" if gone else ""
        return f"{world.name(self.who)} leads with {found.words if found else self.skill}{without}"


class Lead(Action, tag="lead"):
    """Choose who leads the challenge, and with which skill."""

    title = "lead"
    key = "l"
    screens = ("challenge",)
    who: Annotated[str, Ask(standing)]
    skill: Annotated[str, Ask(lead_skills)]

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return planning(world)

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        challenge = world.now.challenge
        assert challenge is not None
        if (paid := challenge.supports.get(self.who)) and paid.how == "prepare":
            raise Refused(
                f"{world.name(self.who)} has prepared for failure, and it is paid for", remedy="Undo that first."
            )
        name = self.skill.partition(":")[0]
        for who, s in challenge.supports.items():
            if s.how == "prepare" and s.skill == name:
                raise Refused(
                    f"{world.name(who)} has prepared for failure with {name}",
                    remedy="Lead with another skill, or undo it.",
                )
        fits = {
            who: s
            for who, s in challenge.supports.items()
            if who != self.who and (s.how in ("encourage", "prepare") or (s.skill == name) == (s.how == "direct"))
        }
        return (LeadChosen(self.who, self.skill, fits),)


# ---- and may add a Bonus Die


def lead_bonus(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """A Bonus Die for the Lead, or none."""
    challenge = world.now.challenge
    return bonus_choices(world, challenge.lead if challenge else "")


class BonusDeclared(Event, tag="bonus_declared"):
    """The Lead will add a Bonus Die, or will not."""

    rule = "a Bonus Die is declared before the roll and adds one die of the next tier up"
    on: bool

    def apply(self, world: TiersWorld) -> TiersWorld:
        challenge = world.now.challenge
        return world.live(challenge=replace(challenge, bonus=self.on)) if challenge else world

    def says(self, world: TiersWorld) -> str:
        challenge = world.now.challenge
        name = world.name(challenge.lead) if challenge else ""
        return f"{name} {'adds' if self.on else 'keeps'} a Bonus Die"


class DeclareBonus(Action, tag="bonus"):
    """The Lead adds a Bonus Die to the pool, or takes it back before the roll."""

    title = "Bonus Die"
    key = "b"
    screens = ("challenge",)
    on: Annotated[bool, Ask(lead_bonus)] = True

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        if why := planning(world):
            return why
        challenge = world.now.challenge
        if challenge is None or not challenge.lead:
            return "nobody leads yet"
        if not world.rules.lead_bonus_die:
            return "the house rules keep Bonus Dice out of challenges"
        return "" if challenge.bonus else next((c.closed for c in lead_bonus(world, {}) if c.value), "")

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        return (BonusDeclared(self.on),)
