"""Opposed rolls and attacks: both roll, the highest die wins, the margin hurts."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec.structs import replace

from ...rules import Action, Ask, Choice, Dice, Event, Refused
from ...rules.order import turn_of
from .dice import compare, explode, throw_side
from .points import BonusChanged, Boosted
from .world import (
    Roll,
    Side,
    Tier,
    TiersWorld,
    known_skills,
    multiplier,
    next_tier,
    number,
    person,
    rating,
    tier_of,
)

# ---- choices


def standing(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody, those in the fight first and whoever is up before them; closed where they are out."""
    turns = world.now.turns
    names = sorted(world.present(), key=lambda w: (w != turns.current, w not in turns.fighters))
    return [Choice(w, world.name(w), "" if person(world, w).hp > 0 else "out") for w in names]


def others(world: TiersWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody else, the other side first, those in the fight before those who are not."""
    who, fighters = fields.get("who", ""), world.now.turns.fighters
    mine = bool(who in world.sheets and world.sheets[who].player)
    found = [c for c in standing(world, fields) if c.value != who]
    away = {c.value: bool(fighters) and c.value not in fighters for c in found}
    return sorted(found, key=lambda c: (away[c.value], bool(world.sheets[c.value].player) == mine))


def abilities(world: TiersWorld, who: str, *, items: bool) -> list[Choice]:
    """The skills, and items where they count, of somebody; lower tiers of a skill by name and tier."""
    sheet = world.sheets.get(who)
    if sheet is None:
        return []
    names = [*sheet.skills, *(sheet.items if items else ())]
    if world.rules.unlisted_skills:
        names += [s for s in known_skills(world) if s not in names]
    top = [r for r in (rating(world, who, n) for n in names) if r]
    lower = [
        r
        for name, ranks in [*sheet.skills.items(), *(sheet.items.items() if items else ())]
        for tier in sorted(ranks, key=number, reverse=True)[1:]
        if (r := rating(world, who, f"{name}:{tier}"))
    ]
    return [Choice(r.skill, r.words) for r in top] + [Choice(f"{r.skill}:{r.tier}", r.words) for r in lower]


def own_skills(world: TiersWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What the one who acts can use."""
    return abilities(world, fields.get("who", ""), items=True)


def their_skills(world: TiersWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What the other one can use: skills and items."""
    return abilities(world, fields.get("against", ""), items=True)


def bonus_choices(world: TiersWorld, who: str) -> Sequence[Choice]:
    """Bonus Dice are the players'."""
    sheet = world.sheets.get(who)
    why = "" if sheet and sheet.player else "Bonus Dice are the players'"
    if not why and person(world, who).bonus_dice < 1:
        why = "no Bonus Dice left"
    return [Choice(False, "no"), Choice(True, "yes", why)]


def own_bonus(world: TiersWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """A Bonus Die for the one who acts."""
    return bonus_choices(world, fields.get("who", ""))


def others_bonus(world: TiersWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """A Bonus Die for the other one."""
    return bonus_choices(world, fields.get("against", ""))


# ---- pools


def side(world: TiersWorld, who: str, skill: str) -> Side:
    """A side before its dice fall."""
    found = rating(world, who, skill)
    if found is None:
        raise Refused(f"{world.name(who)} has no {skill}")
    return Side(world.name(who), found.skill, found.tier, found.rank, (), who, bool(world.sheets[who].player))


def pool(world: TiersWorld, who: str, skill: str, bonus: bool) -> list[Tier]:
    """The dice of a pool: one a rank, boosted ones included, and the Bonus Die last."""
    one = side(world, who, skill)
    tiers: list[Tier] = [one.tier] * (one.rank + person(world, who).boost)
    return [*tiers, next_tier(one.tier)] if bonus else tiers


def used_up(world: TiersWorld, who: str, bonus: bool) -> list[Event]:
    """A Bonus Die and a boost are gone once the dice have fallen."""
    events: list[Event] = []
    them = person(world, who)
    if bonus:
        events.append(BonusChanged(who, them.bonus_dice - 1))
    if them.boost:
        events.append(Boosted(who, 0))
    return events


# ---- events


class Rolled(Event, tag="rolled"):
    """Dice lie on the table."""

    rule = "both roll one die a rank; a die at its maximum explodes once; the single highest die is the result"
    roll: Roll
    what: str = ""
    why: str = ""

    def apply(self, world: TiersWorld) -> TiersWorld:
        return world.live(roll=self.roll)

    def _words(self, *, hide: bool) -> str:
        roll = self.roll
        second = "" if hide else f" against {faces(roll.second)}"
        head = self.what or f"{roll.first.name} rolls"
        return f"{head}: {faces(roll.first)}{second}"

    def says(self, world: TiersWorld) -> str:
        return self._words(hide=self.roll.hidden)

    def whispers(self, world: TiersWorld) -> str:
        return self._words(hide=False) if self.roll.hidden else ""


class Settled(Event, tag="settled"):
    """The roll counts."""

    rule = "higher result wins; ties: tier, rank, initiator; damage = margin × the attacker's tier multiplier"
    outcome_name: str
    winner: str
    margin: int
    damage: int = 0
    target_out: bool = False
    kind: Literal["opposed", "attack", "challenge"] = "opposed"

    def apply(self, world: TiersWorld) -> TiersWorld:
        roll = world.now.roll
        if roll is None:
            return world
        done = replace(roll, stage="done", outcome=self.outcome_name, damage=self.damage)
        return world.live(roll=done)

    def says(self, world: TiersWorld) -> str:
        if self.kind == "challenge":
            return ""  # the challenge tells its own outcome
        hurt = f", {self.damage} damage" if self.damage else ""
        roll = world.now.roll
        how = f" by {self.margin}" if self.margin else "" if roll and roll.fixed else " on the tie-break"
        return f"{self.winner} wins{how}{hurt}"

    def outcome(self) -> Mapping[str, str | int]:
        settled: dict[str, str | int] = {"outcome": self.outcome_name}
        if self.kind == "attack":
            settled["damage"] = self.damage
            settled["target"] = "out" if self.target_out else "stands"
        return settled


class Claimed(Event, tag="claimed"):
    """The GM took the point for an upset."""

    def apply(self, world: TiersWorld) -> TiersWorld:
        roll = world.now.roll
        return world.live(roll=replace(roll, claimed=True)) if roll else world


def faces(one: Side) -> str:
    """Dice in words: 6→4 is a 6 that exploded into a 4 more."""
    shown = " ".join(f"{d.face}→{d.again}" if d.again else str(d.face) for d in one.dice)
    return f"{one.name} {shown or 'no dice'} = {one.result}"


# ---- actions


def waits(world: TiersWorld) -> str:
    """Why nothing else can be rolled now; empty where it can."""
    roll = world.now.roll
    return "" if roll is None or roll.stage == "done" else "a roll on the table is not settled yet"


def clash(
    world: TiersWorld, action: "Oppose | Attack", dice: Dice, kind: Literal["opposed", "attack"]
) -> tuple[Event, ...]:
    """Both pools fall, explode and are compared."""
    first, second = side(world, action.who, action.skill), side(world, action.against, action.using)
    first = throw_side(dice, first, pool(world, action.who, action.skill, action.bonus))
    second = throw_side(dice, second, pool(world, action.against, action.using, action.their_bonus))
    first, second = explode(world.rules, dice, first), explode(world.rules, dice, second)
    roll = compare(world.rules, Roll(kind, "settle", first, second, turn=turn_of(world)))
    verb = "attacks" if kind == "attack" else "against"
    mine, theirs = action.skill.replace(":", " "), action.using.replace(":", " ")
    what = f"{first.name} ({mine}) {verb} {second.name} ({theirs})"
    spent = [*used_up(world, action.who, action.bonus), *used_up(world, action.against, action.their_bonus)]
    return (*spent, Rolled(roll, what))


class Oppose(Action, tag="oppose"):
    """Roll one skill against another; the single highest die wins."""

    title = "opposed roll"
    key = "o"
    screens = ("table",)
    who: Annotated[str, Ask(standing)]
    skill: Annotated[str, Ask(own_skills)]
    against: Annotated[str, Ask(others)]
    using: Annotated[str, Ask(their_skills)]
    bonus: Annotated[bool, Ask(own_bonus, "Bonus Die")] = False
    their_bonus: Annotated[bool, Ask(others_bonus, "their Bonus Die")] = False

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return waits(world)

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        return clash(world, self, dice, "opposed")


class Attack(Action, tag="attack"):
    """Attack: an opposed roll whose margin, times the attacker's tier multiplier, is damage."""

    title = "attack"
    key = "a"
    screens = ("table",)
    who: Annotated[str, Ask(standing)]
    skill: Annotated[str, Ask(own_skills)]
    against: Annotated[str, Ask(others)]
    using: Annotated[str, Ask(their_skills)]
    bonus: Annotated[bool, Ask(own_bonus, "Bonus Die")] = False
    their_bonus: Annotated[bool, Ask(others_bonus, "their Bonus Die")] = False

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return waits(world)

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        return clash(world, self, dice, "attack")


def damage_of(world: TiersWorld, roll: Roll) -> int:
    """Margin × the multiplier of the attacker's own tier."""
    if roll.kind != "attack" or roll.winner != "first":
        return 0
    return roll.margin * multiplier(world.rules, tier_of(world, roll.first.who))


def is_upset(world: TiersWorld, roll: Roll) -> bool:
    """A lower-tier character attacked a higher-tier one and won by 2 or more."""
    return (
        roll.kind == "attack"
        and roll.winner == "first"
        and roll.margin >= 2
        and number(tier_of(world, roll.first.who)) < number(tier_of(world, roll.second.who))
    )


def loser(roll: Roll) -> Side:
    """Who lost, as the dice lie."""
    return roll.second if roll.winner == "first" else roll.first


def unsettled(world: TiersWorld) -> Roll | None:
    """The roll that waits to be settled."""
    roll = world.now.roll
    return roll if roll is not None and roll.stage == "settle" else None
