"""A co-operative challenge until the dice fall: it is opened, one leads, the Lead may add a Bonus Die."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit.asking import said
from ...kit.told import Told, altered
from ...rules import Action, Ask, Choice, Dice, Event
from .bonus import bonus_choices
from .health import standing
from .opposed import waits
from .skills import abilities, rating
from .world import KEYWORDS, Challenge, Keyword, Plan, Support, Tier, TiersWorld

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


class ChallengeOpened(Told, tag="challenge_opened"):
    """A challenge lies before the party."""

    rule = "a challenge's difficulty is an opposing pool: a tier and a number of dice"
    plan: Plan

    def apply(self, world: TiersWorld) -> TiersWorld:
        return world.live(challenge=Challenge(self.plan), roll=None)

    def words(self, world: TiersWorld) -> str:
        return self._told(f" ({self.plan.tier}, {self.plan.pool})")

    def is_secret(self, world: TiersWorld) -> bool:
        return self.plan.hidden

    def open_words(self, world: TiersWorld) -> str:
        return self._told("")

    def _told(self, difficulty: str) -> str:
        stakes = f". At stake: {self.plan.stakes}" if self.plan.stakes else ""
        return " · ".join([f"Challenge: {self.plan.name}{difficulty}", *self.plan.keywords]) + stakes


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
        return f"{challenge.plan.name} is {'over' if challenge.outcome else 'dropped'}"


def still_open(world: TiersWorld) -> str:
    """What would be lost with a challenge that is not over; empty where there is none."""
    challenge = world.now.challenge
    return f"{challenge.plan.name} is not over. Drop it?" if challenge and not challenge.outcome else ""


def opened(world: TiersWorld, plan: Plan) -> tuple[Event, ...]:
    """A challenge is opened; one that is not over is dropped, and the log says so."""
    return (ChallengeClosed(), ChallengeOpened(plan)) if still_open(world) else (ChallengeOpened(plan),)


class Open(Action, tag="open"):
    """Open a prepared challenge."""

    title = "open a challenge"
    key = "o"
    screens = ("challenge",)
    leads_to = "challenge"
    when = staticmethod(waits)
    warns = staticmethod(still_open)
    challenge: Annotated[str, Ask(prepared)]

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        return opened(world, plans(world)[self.challenge])


class Improvise(Action, tag="improvise"):
    """Open a challenge that nobody prepared."""

    title = "new challenge"
    key = "n"
    screens = ("challenge",)
    leads_to = "challenge"
    when = staticmethod(waits)
    warns = staticmethod(still_open)
    name: Annotated[str, Meta(max_length=120)]
    tier: Tier
    dice: Annotated[int, Meta(ge=1, le=20)]
    stakes: Annotated[str, Meta(max_length=400)] = ""
    keywords: Annotated[tuple[Keyword, ...], Ask(keyword_choices)] = ()
    hidden: bool = False
    complication: Annotated[str, Meta(max_length=400, description="what may go wrong; for the GM")] = ""
    failure: Annotated[str, Meta(max_length=200, description="what the Lead suffers on outright failure")] = ""

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        name = said(self.name, "a challenge needs a name", "Say what is in the way.")
        texts = (self.keywords, self.hidden, self.complication.strip(), self.failure.strip())
        return opened(world, Plan(name, self.tier, self.dice, self.stakes, *texts))


class Close(Action, tag="close"):
    """Put the challenge away."""

    title = "put away"
    key = "x"
    screens = ("challenge",)
    warns = staticmethod(still_open)

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


def leader(world: TiersWorld, fields: Mapping[str, Any] | None = None) -> str:
    """Who leads the open challenge, whatever an action's fields are; empty where nobody does."""
    return world.now.challenge.lead if world.now.challenge else ""


def supports(world: TiersWorld) -> dict[str, Support]:
    """Who supports the Lead of the open challenge, and how."""
    return world.now.challenge.supports if world.now.challenge else {}


# ---- one leads


def planning(world: TiersWorld) -> str:
    """Why a challenge cannot be prepared now; empty where it can."""
    challenge = world.now.challenge
    if challenge is None:
        return "no challenge is open"
    if challenge.outcome:
        return "this challenge is over"
    roll = world.now.roll
    # a fight in between is over once it is settled
    return "the dice have fallen" if roll and roll.kind == "challenge" else waits(world)


def led(world: TiersWorld) -> str:
    """Why nothing can be done about a challenge that somebody leads; empty where it can."""
    return planning(world) or ("" if leader(world) else "nobody leads yet")


def able(world: TiersWorld) -> list[Choice]:
    """Everybody who can take part; a challenge is taken on in everybody's sight."""
    found = standing(world, {})
    return [replace(c, closed="hidden: reveal them first") if world.is_hidden(c.value) else c for c in found]


def prepared_with(world: TiersWorld) -> dict[str, str]:
    """Who has prepared for failure, and with which skill: it is paid for, and only undo takes it back."""
    return {w: s.skill for w, s in supports(world).items() if s.how == "prepare"}


def leaders(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who can take part, closed where they have prepared for failure."""
    paid = prepared_with(world)
    return [replace(c, closed="has prepared for failure") if c.value in paid else c for c in able(world)]


def lead_skills(world: TiersWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What the Lead can roll; not what somebody has prepared for failure with."""
    paid = {skill: world.name(who) for who, skill in prepared_with(world).items()}
    found = abilities(world, fields.get("who", ""), items=False)
    taken = [paid.get(c.value.partition(":")[0], "") for c in found]
    return [replace(c, closed=f"{t} has prepared with it") if t else c for c, t in zip(found, taken, strict=True)]


class LeadChosen(Event, tag="lead_chosen"):
    """Somebody leads; supports that still fit stay."""

    rule = "one Lead rolls; everybody else supports, with exactly one action and no dice"
    who: str
    skill: str
    supports: dict[str, Support] = {}

    def apply(self, world: TiersWorld) -> TiersWorld:
        return altered(world, "challenge", lead=self.who, skill=self.skill, supports=self.supports, bonus=False)

    def says(self, world: TiersWorld) -> str:
        found = rating(world, self.who, self.skill) if world.sheets[self.who].player else None
        gone = [world.name(w) for w in supports(world) if w not in self.supports and w != self.who]
        without = f", without the support of {', '.join(gone)}" if gone else ""
        return f"{world.name(self.who)} leads with {found.words if found else self.skill}{without}"


def lost_with_lead(world: TiersWorld) -> str:
    """What another Lead would cost of that which is prepared; empty where nothing is. A preparation stays."""
    challenge = world.now.challenge
    lost = ["the Bonus Die"] if challenge and challenge.bonus else []
    lost += ["help that no longer fits"] if any(s.how != "prepare" for s in supports(world).values()) else []
    return f"Change the Lead? That drops {' and '.join(lost)}." if lost else ""


class Lead(Action, tag="lead"):
    """Choose who leads the challenge, and with which skill."""

    title = "lead"
    key = "l"
    screens = ("challenge",)
    done_by = "who"
    when = staticmethod(planning)
    warns = staticmethod(lost_with_lead)
    who: Annotated[str, Ask(leaders)]
    skill: Annotated[str, Ask(lead_skills)]

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        name = self.skill.partition(":")[0]
        fits = {
            who: s
            for who, s in supports(world).items()
            if who != self.who and (s.how in ("encourage", "prepare") or (s.skill == name) == (s.how == "direct"))
        }
        return (LeadChosen(self.who, self.skill, fits),)


# ---- and may add a Bonus Die


def lead_bonus(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """A Bonus Die for the Lead, or none."""
    return bonus_choices(world, leader(world))


class BonusDeclared(Event, tag="bonus_declared"):
    """The Lead will add a Bonus Die, or will not."""

    rule = "a Bonus Die is declared before the roll and adds one die of the next tier up"
    on: bool

    def apply(self, world: TiersWorld) -> TiersWorld:
        return altered(world, "challenge", bonus=self.on)

    def says(self, world: TiersWorld) -> str:
        return f"{world.name(leader(world))} {'adds a' if self.on else 'takes back the'} Bonus Die"


class DeclareBonus(Action, tag="bonus"):
    """The Lead adds a Bonus Die to the pool, or takes it back before the roll."""

    title = "Bonus Die"
    key = "b"
    screens = ("challenge",)
    actor = staticmethod(leader)
    on: Annotated[bool, Ask(lead_bonus)] = True

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        challenge = world.now.challenge
        if why := led(world):
            return why
        if not world.rules.lead_bonus_die:
            return "the house rules keep Bonus Dice out of challenges"
        on = challenge is not None and challenge.bonus
        return "" if on else next((c.closed for c in lead_bonus(world, {}) if c.value), "")

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        return (BonusDeclared(self.on),)
