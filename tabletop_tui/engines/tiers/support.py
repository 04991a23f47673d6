"""Support in a challenge: who can help and how, what it grants, and what all of it comes to."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from ...kit.told import Told, altered
from ...rules import Action, Ask, Choice, Dice, Event
from .challenge import able, is_hidden, leader, led, planning, prepared_with, supports
from .points import gain
from .skills import abilities, has_skill, rating
from .world import HOWS, Challenge, How, Support, TiersWorld, number

EFFECTS: dict[How, str] = {
    "direct": "Reroll",
    "indirect": "Reduce",
    "prepare": "Increase 1",
    "encourage": "Fortunate",
}
VERBS: dict[How, str] = {
    "direct": "assists",
    "indirect": "assists indirectly",
    "prepare": "prepares for failure",
    "encourage": "encourages the Lead",
}


def supporters(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who can help; the Lead cannot."""
    lead = leader(world)
    inside = {lead, *supports(world)}
    done = {**dict.fromkeys(prepared_with(world), "has prepared"), lead: "leads"}
    everybody = [replace(c, closed=done.get(c.value) or c.closed) for c in able(world)]
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
    if mine and mine.how == "prepare":
        return "has prepared"
    lead_skill = challenge.skill.partition(":")[0]
    if how == "direct":
        return "" if has_skill(world, who, lead_skill) else f"no {lead_skill}"
    if how == "encourage":
        return ""
    if how == "prepare" and "time-sensitive" in challenge.plan.keywords:
        return "no time: time-sensitive"
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
        return [Choice(name)] if has_skill(world, who, name) else []
    return [Choice(n, r.words if (r := rating(world, who, n)) else n) for n in other_skills(world, who)]


def gives(world: TiersWorld, challenge: Challenge, who: str, how: How, skill: str) -> int:
    """The N that a supporter grants: 2 above the challenge's tier, else 1; delicate holds Reduce at 1.

    It follows from the sheet as it is now; a skill that is no longer on it gives nothing.
    """
    found = rating(world, who, skill) if skill and has_skill(world, who, skill) else None
    if found is None or how not in ("direct", "indirect"):
        return 0
    if how == "indirect" and "delicate" in challenge.plan.keywords:
        return 1
    return 2 if number(found.tier) > number(challenge.plan.tier) else 1


def worth(world: TiersWorld, challenge: Challenge, how: How) -> dict[str, int]:
    """What each of those who support in one way grants."""
    return {w: gives(world, challenge, w, how, s.skill) for w, s in challenge.supports.items() if s.how == how}


class Supported(Told, tag="supported"):
    """Somebody supports the Lead, or no longer does."""

    rule = "direct: Reroll; indirect: Reduce; prepare: Increase 1 and 2 points, softer failure; encourage: Fortunate"
    who: str
    support: Support | None

    def apply(self, world: TiersWorld) -> TiersWorld:
        rest = {w: s for w, s in supports(world).items() if w != self.who}
        return altered(world, "challenge", supports={**rest, self.who: self.support} if self.support else rest)

    def words(self, world: TiersWorld) -> str:
        n = self._gives(world)
        return f"{self.open_words(world)} {n}" if n else self.open_words(world)

    def _gives(self, world: TiersWorld) -> int:
        challenge, s = world.now.challenge, self.support
        return gives(world, challenge, self.who, s.how, s.skill) if challenge and s else 0

    def is_secret(self, world: TiersWorld) -> bool:
        # how much it gives tells the tier of a challenge that is hidden
        return is_hidden(world) and self._gives(world) > 0

    def open_words(self, world: TiersWorld) -> str:
        name, s = world.name(self.who), self.support
        if s is None:
            return f"{name} no longer supports"
        changed = "now " if self.who in supports(world) else ""
        return f"{name} {changed}{VERBS[s.how]}{f' with {s.skill}' if s.skill else ''}: {EFFECTS[s.how]}"


class GiveSupport(Action, tag="support"):
    """Support the Lead: direct, indirect, prepare for failure, or encourage."""

    title = "support"
    screens = ("challenge",)
    done_by, done_with = "who", "skill"
    when = staticmethod(led)
    who: Annotated[str, Ask(supporters)]
    how: Annotated[How, Ask(ways)]
    skill: Annotated[str, Ask(support_skills)] = ""

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        skill = self.skill
        if not skill and self.how != "encourage":  # only the tier matters, so the highest is meant
            skill = next(str(c.value) for c in support_skills(world, {"who": self.who, "how": self.how}))
        supported = Supported(self.who, Support(self.how, skill))
        if self.how != "prepare":
            return (supported,)
        return (supported, gain(world, 2, f"{world.name(self.who)} prepares for failure"))


def supporting(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Who supports now."""
    paid = dict.fromkeys(prepared_with(world), "failure preparation is paid for: undo it")
    return [Choice(w, world.name(w), paid.get(w, "")) for w in supports(world)]


class Withdraw(Action, tag="withdraw"):
    """Take a support back."""

    title = "withdraw support"
    done_by = "who"
    when = staticmethod(planning)
    who: Annotated[str, Ask(supporting)]

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        return (Supported(self.who, None),)


# ---- what all of it comes to


def opposing(world: TiersWorld, challenge: Challenge) -> int:
    """The challenge's dice: Reduce and Increase stack and are netted, never below the least."""
    reduce, increase = sum(worth(world, challenge, "indirect").values()), len(worth(world, challenge, "prepare"))
    return max(challenge.plan.dice - reduce + increase, world.rules.least_opposition)


def rerolls(world: TiersWorld, challenge: Challenge) -> int:
    """Reroll does not stack: the best one counts."""
    return max(worth(world, challenge, "direct").values(), default=0)


def fortunate(challenge: Challenge) -> bool:
    """Has anybody encouraged the Lead?"""
    return any(s.how == "encourage" for s in challenge.supports.values())
