"""Co-operative challenges, in the order in which they happen at the table."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...rules import Action, Ask, Choice, Dice, Event, Refused
from .contest import Rolled, Settled, abilities, bonus_choices, standing, used_up
from .dice import at_top, compare, default_rerolls, explode, reroll, throw_side
from .points import consequence, gain
from .world import (
    HOWS,
    KEYWORDS,
    Challenge,
    How,
    Keyword,
    Plan,
    Roll,
    Side,
    Support,
    Tier,
    TiersWorld,
    next_tier,
    number,
    person,
    rating,
)

SUCCESS, COMPLICATIONS, REDUCED, FAILURE = "success", "with complications", "reduced complications", "failure"
OUTCOMES = (SUCCESS, COMPLICATIONS, REDUCED, FAILURE)

# ---- 1. a challenge is opened


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

    def apply(self, world: TiersWorld) -> TiersWorld:
        return world.live(challenge=None, roll=None)

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
        return "" if world.now.challenge else "no challenge is open"

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        return (ChallengeClosed(),)


# ---- 2. one leads


def planning(world: TiersWorld) -> str:
    """Why a challenge cannot be prepared now; empty where it can."""
    challenge = world.now.challenge
    if challenge is None:
        return "no challenge is open"
    if challenge.outcome:
        return "this challenge is over"
    return "the dice have fallen" if world.now.roll else ""


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
        return f"{world.name(self.who)} leads with {found.words if found else self.skill}"


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
        fits = {
            who: s
            for who, s in challenge.supports.items()
            if who != self.who and (s.how in ("encourage", "prepare") or (s.skill == name) == (s.how == "direct"))
        }
        return (LeadChosen(self.who, self.skill, fits),)


# ---- 3. everybody else supports


def supporters(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who can help; the Lead cannot."""
    challenge = world.now.challenge
    lead = challenge.lead if challenge else ""
    return [
        replace(c, closed="leads" if c.value == lead else c.closed)
        for c in standing(world, {})
        if world.sheets[c.value].player or c.value == lead or (challenge and c.value in challenge.supports)
    ] + [c for c in standing(world, {}) if not world.sheets[c.value].player and c.value != lead
         and not (challenge and c.value in challenge.supports)]  # fmt: skip


def ways(world: TiersWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The four support actions, each with the reason where it is closed to this supporter."""
    return [Choice(how, how, closed(world, fields.get("who", ""), how)) for how in HOWS]


def closed(world: TiersWorld, who: str, how: How) -> str:
    """Why a supporter cannot take a support action; empty where they can."""
    challenge = world.now.challenge
    if challenge is None or not challenge.lead:
        return "nobody leads yet"
    if who not in world.sheets:
        return "not here"
    mine = challenge.supports.get(who)
    if mine and mine.how == "prepare" and how != "prepare":
        return "prepared already"
    lead_skill = challenge.skill.partition(":")[0]
    if how == "direct":
        return "" if rating(world, who, lead_skill) else f"no {lead_skill}"
    if how == "encourage":
        return ""
    if how == "prepare" and "time-sensitive" in challenge.plan.keywords:
        return "time-sensitive"
    if how == "indirect":
        most = 3 if "complex" in challenge.plan.keywords else 2
        used = sum(s.how == "indirect" for w, s in challenge.supports.items() if w != who)
        if used >= most:
            return "used twice" if most == 2 else "used three times"
    return "" if other_skills(world, who) else "no other skill"


def other_skills(world: TiersWorld, who: str) -> list[str]:
    """The supporter's skills but the Lead's, the highest tier first."""
    challenge = world.now.challenge
    lead_skill = challenge.skill.partition(":")[0] if challenge else ""
    names = [c.value for c in abilities(world, who, items=False) if ":" not in c.value]
    found = [r for n in names if n != lead_skill and (r := rating(world, who, n))]
    return [r.skill for r in sorted(found, key=lambda r: (-number(r.tier), -r.rank, r.skill))]


def support_skills(world: TiersWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The skills that fit the way in which somebody supports; none where it needs no skill."""
    challenge = world.now.challenge
    who, how = fields.get("who", ""), fields.get("how", "")
    if challenge is None or who not in world.sheets or how == "encourage":
        return []
    if how == "direct":
        name = challenge.skill.partition(":")[0]
        return [Choice(name)] if rating(world, who, name) else []
    return [Choice(n, r.words if (r := rating(world, who, n)) else n) for n in other_skills(world, who)]


def gives(world: TiersWorld, who: str, how: How, skill: str) -> int:
    """The N that a supporter grants: 2 above the challenge's tier, else 1; delicate holds Reduce at 1."""
    challenge = world.now.challenge
    found = rating(world, who, skill) if skill else None
    if challenge is None or found is None or how not in ("direct", "indirect"):
        return 0
    if how == "indirect" and "delicate" in challenge.plan.keywords:
        return 1
    return 2 if number(found.tier) > number(challenge.plan.tier) else 1


class Supported(Event, tag="supported"):
    """Somebody supports the Lead, or no longer does."""

    rule = "direct: Reroll; indirect: Reduce; prepare: Increase 1 and 2 points, softer failure; encourage: Fortunate"
    who: str
    support: Support | None

    def apply(self, world: TiersWorld) -> TiersWorld:
        challenge = world.now.challenge
        if challenge is None:
            return world
        supports = {w: s for w, s in challenge.supports.items() if w != self.who}
        if self.support:
            supports[self.who] = self.support
        return world.live(challenge=replace(challenge, supports=supports))

    def _words(self, world: TiersWorld, *, hide: bool) -> str:
        name = world.name(self.who)
        if self.support is None:
            return f"{name} no longer supports"
        s = self.support
        effect = {"direct": "Reroll", "indirect": "Reduce", "prepare": "Increase 1", "encourage": "Fortunate"}[s.how]
        n = f" {s.gives}" if s.gives and not hide else ""
        skill = f" with {s.skill}" if s.skill else ""
        verb = {
            "direct": "assists",
            "indirect": "assists indirectly",
            "prepare": "prepares for failure",
            "encourage": "encourages the Lead",
        }[s.how]
        return f"{name} {verb}{skill}: {effect}{n}"

    def says(self, world: TiersWorld) -> str:
        challenge = world.now.challenge
        return self._words(world, hide=bool(challenge and challenge.plan.hidden))

    def whispers(self, world: TiersWorld) -> str:
        return self._words(world, hide=False) if _hidden(world) and self.support and self.support.gives else ""


class GiveSupport(Action, tag="support"):
    """Support the Lead: direct, indirect, prepare for failure, or encourage."""

    title = "support"
    screens = ("challenge",)
    who: Annotated[str, Ask(supporters)]
    how: Annotated[How, Ask(ways)]
    skill: Annotated[str, Ask(support_skills)] = ""

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return planning(world) or ("" if world.now.challenge and world.now.challenge.lead else "nobody leads yet")

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        challenge = world.now.challenge
        assert challenge is not None
        old = challenge.supports.get(self.who)
        if old and old.how == "prepare":
            raise Refused(f"{world.name(self.who)} has prepared for failure already", remedy="Undo to take it back.")
        skill = self.skill
        if not skill and self.how != "encourage":  # only the tier matters, so the highest is meant
            skill = next(str(c.value) for c in support_skills(world, {"who": self.who, "how": self.how}))
        given = Support(self.how, skill, gives(world, self.who, self.how, skill))
        supported = Supported(self.who, given)
        if self.how != "prepare":
            return (supported,)
        return (supported, gain(world, 2, f"{world.name(self.who)} prepares for failure"))


def supporting(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Who supports now."""
    challenge = world.now.challenge
    return [
        Choice(w, world.name(w), "failure preparation is paid for: undo it" if s.how == "prepare" else "")
        for w, s in (challenge.supports.items() if challenge else ())
    ]


class Withdraw(Action, tag="withdraw"):
    """Take a support back."""

    title = "withdraw support"
    who: Annotated[str, Ask(supporting)]

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return planning(world)

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        return (Supported(self.who, None),)


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


# ---- 4. both roll; Fortunate; rerolls; explosions


def lead_pool(world: TiersWorld, challenge: Challenge) -> list[Tier]:
    """The Lead's dice: one a rank, and the Bonus Die."""
    found = rating(world, challenge.lead, challenge.skill)
    if found is None:
        raise Refused(f"{world.name(challenge.lead)} has no {challenge.skill}", remedy="Choose the Lead again.")
    tiers: list[Tier] = [found.tier] * (found.rank + person(world, challenge.lead).boost)
    return [*tiers, next_tier(found.tier)] if challenge.bonus else tiers


def opposing(world: TiersWorld, challenge: Challenge) -> int:
    """The challenge's dice: Reduce and Increase stack and are netted, never below the least."""
    reduce = sum(s.gives for s in challenge.supports.values() if s.how == "indirect")
    increase = sum(s.how == "prepare" for s in challenge.supports.values())
    return max(challenge.plan.dice - reduce + increase, world.rules.least_opposition)


def rerolls(challenge: Challenge) -> int:
    """Reroll does not stack: the best one counts."""
    return max((s.gives for s in challenge.supports.values() if s.how == "direct"), default=0)


def fortunate(challenge: Challenge) -> bool:
    """Has anybody encouraged the Lead?"""
    return any(s.how == "encourage" for s in challenge.supports.values())


def sides(world: TiersWorld, challenge: Challenge) -> tuple[Side, Side]:
    """The two sides before their dice fall."""
    found = rating(world, challenge.lead, challenge.skill)
    if found is None:
        raise Refused(f"{world.name(challenge.lead)} has no {challenge.skill}", remedy="Choose the Lead again.")
    lead = world.sheets[challenge.lead]
    first = Side(lead.name, found.skill, found.tier, found.rank, (), challenge.lead, bool(lead.player))
    return first, Side(challenge.plan.name, "", challenge.plan.tier, challenge.plan.dice)


class RollChallenge(Action, tag="roll"):
    """The Lead rolls against the challenge."""

    title = "roll"
    key = "r"
    screens = ("challenge",)

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return planning(world) or ("" if world.now.challenge and world.now.challenge.lead else "nobody leads yet")

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        challenge = world.now.challenge
        assert challenge is not None
        hidden = challenge.plan.hidden
        first, second = sides(world, challenge)
        first = throw_side(dice, first, lead_pool(world, challenge))
        second = throw_side(dice, second, [challenge.plan.tier] * opposing(world, challenge), secret=hidden)
        if fortunate(challenge):
            ones = [i for i, die in enumerate(first.dice) if die.face == 1]
            first = reroll(dice, first, ones, f"{first.name}: Fortunate")
        spent = used_up(world, challenge.lead, challenge.bonus)
        roll = Roll("challenge", "reroll", first, second, rerolls(challenge), hidden=hidden)
        if not rerollable(world, roll):
            return (*spent, Rolled(finish(world, dice, roll), f"{first.name} leads"))
        return (*spent, Rolled(roll, f"{first.name} leads, rerolls to choose"))


def rerollable(world: TiersWorld, roll: Roll) -> list[int]:
    """The dice that the Lead may still reroll: none twice."""
    return [i for i, die in enumerate(roll.first.dice) if not die.rerolled] if roll.rerolls else []


def finish(world: TiersWorld, dice: Dice, roll: Roll) -> Roll:
    """Dice at their maximum explode, and the two are compared."""
    first = explode(world.rules, dice, roll.first)
    second = explode(world.rules, dice, roll.second, secret=roll.hidden)
    return compare(world.rules, replace(roll, first=first, second=second, stage="settle", rerolls=0))


def pickable(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The Lead's dice, by place."""
    roll = world.now.roll
    if roll is None or roll.stage != "reroll":
        return []
    return [
        Choice(
            i,
            f"{die.face}{' (its maximum)' if at_top(world.rules, die) else ''}",
            "rerolled already" if die.rerolled else "",
        )
        for i, die in enumerate(roll.first.dice)
    ]


class Reroll(Action, tag="reroll"):
    """Reroll some of the Lead's dice, or none, with both pools in sight; then dice explode."""

    title = "reroll"
    dice: Annotated[tuple[int, ...], Ask(pickable)] = ()

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        roll = world.now.roll
        return "" if roll and roll.stage == "reroll" else "there is nothing to reroll"

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        roll = world.now.roll
        assert roll is not None
        if len(self.dice) > roll.rerolls:
            raise Refused(f"{len(self.dice)} dice are too many to reroll", remedy=f"At most {roll.rerolls}.")
        fallen = reroll(dice, roll.first, self.dice, f"{roll.first.name}: reroll") if self.dice else roll.first
        done = finish(world, dice, replace(roll, first=fallen))
        was = ", ".join(str(roll.first.dice[i].face) for i in self.dice)
        return (Rolled(done, f"{roll.first.name} rerolls {was}" if was else f"{roll.first.name} keeps the dice"),)


def default_reroll(world: TiersWorld, roll: Roll) -> Reroll:
    """The reroll that is offered first, and that odds assume."""
    return Reroll(default_rerolls(world.rules, roll.first, roll.rerolls))


# ---- 5. the outcome


class ChallengeEnded(Event, tag="challenge_ended"):
    """The challenge has its outcome."""

    rule = "the Lead wins: success; loses by less than 4: success with complications; by 4 or more: outright failure"
    name: str
    result: str
    margin: int
    complication: str = ""
    """ "", "full" or "reduced"."""

    def apply(self, world: TiersWorld) -> TiersWorld:
        challenge = world.now.challenge
        return world.live(challenge=replace(challenge, outcome=self.result)) if challenge else world

    def _words(self) -> str:
        extra = " and a full complication" if self.result == FAILURE and self.complication == "full" else ""
        return f"{self.name}: {title(self.result)}{extra}"

    def says(self, world: TiersWorld) -> str:
        # with the Lead's dice in sight the margin would tell the hidden ones
        return self._words() + ("" if _hidden(world) else f" (margin {self.margin})")

    def whispers(self, world: TiersWorld) -> str:
        return f"{self._words()} (margin {self.margin})" if _hidden(world) else ""


def _hidden(world: TiersWorld) -> bool:
    return bool(world.now.challenge and world.now.challenge.plan.hidden)


def title(result: str) -> str:
    """An outcome as it is announced."""
    return {
        SUCCESS: "SUCCESS",
        COMPLICATIONS: "SUCCESS WITH COMPLICATIONS",
        REDUCED: "SUCCESS WITH REDUCED COMPLICATIONS",
        FAILURE: "FAILURE",
    }[result]


def result_of(challenge: Challenge, won: bool, margin: int) -> tuple[str, str]:
    """The outcome and how large its complication is."""
    if won:
        return SUCCESS, ""
    unstable = "unstable" in challenge.plan.keywords
    prepared_for = any(s.how == "prepare" for s in challenge.supports.values())
    if margin >= 4:
        return FAILURE, "full" if unstable else ""
    return (REDUCED, "reduced") if prepared_for and not unstable else (COMPLICATIONS, "full")


def outcome_events(world: TiersWorld, roll: Roll) -> tuple[Event, ...]:
    """What a settled challenge brings."""
    challenge = world.now.challenge
    assert challenge is not None
    won = roll.winner == "first"
    result, complication = result_of(challenge, won, roll.margin)
    winner = roll.first if won else roll.second
    events: list[Event] = [
        Settled(result, winner.name, roll.margin, kind="challenge"),
        ChallengeEnded(challenge.plan.name, result, roll.margin, complication),
    ]
    if result == FAILURE and roll.fixed != "struck":  # a GM's strike brought its own Consequence
        words = challenge.plan.failure or f"shaken by {challenge.plan.name}"
        events.append(consequence(world, challenge.lead, words, lasting=False, sessions=1))
    return tuple(events)
