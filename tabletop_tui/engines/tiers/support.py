"""Support in a challenge: who can help and how, what it grants, and what all of it comes to."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from ...rules import Action, Ask, Choice, Dice, Event, Refused
from .challenge import is_hidden, planning
from .contest import abilities, standing
from .points import gain
from .world import HOWS, Challenge, How, Support, TiersWorld, number, rating


def supporters(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who can help; the Lead cannot."""
    challenge = world.now.challenge
    lead = challenge.lead if challenge else ""
    inside = {lead, *(challenge.supports if challenge else ())}
    everybody = [replace(c, closed="leads" if c.value == lead else c.closed) for c in standing(world, {})]
    return sorted(everybody, key=lambda c: not (world.sheets[c.value].player or c.value in inside))


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
        return "" if has_skill(world, who, lead_skill) else f"no {lead_skill}"
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


def has_skill(world: TiersWorld, who: str, skill: str) -> bool:
    """Is it a skill of theirs? An item of the same name is none."""
    return skill in [c.value for c in abilities(world, who, items=False)]


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
        return [Choice(name)] if has_skill(world, who, name) else []
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
        return self._words(world, hide=False) if is_hidden(world) and self.support and self.support.gives else ""


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


# ---- what all of it comes to


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
