"""The opposed roll: both roll, the single highest die wins; the roll lies on the table until it is settled."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec.structs import replace

from ...kit.asking import of
from ...kit.cast import met
from ...kit.hurt import condition_of
from ...kit.order import turn_of
from ...kit.told import Told, altered
from ...rules import Action, Ask, Choice, Dice, Event, Of
from .bonus import bonus_choices
from .chances import duel, strength
from .dice import compare, explode, throw_side, tie_words, ties_won
from .health import standing
from .pools import pool, side, used_up
from .skills import Rating, abilities, ability, boost_of, rated, rating
from .world import Roll, Side, Tier, TiersWorld, most_hp, person

# ---- choices


def others(world: TiersWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody else and how they are, the other side first, those in the fight before those who are not."""
    who, fighters = fields.get("who", ""), world.now.turns.fighters
    mine = bool(who in world.sheets and world.sheets[who].player)
    found = [_how(world, c) for c in standing(world, fields) if c.value != who]
    away = {c.value: bool(fighters) and c.value not in fighters for c in found}
    return sorted(found, key=lambda c: (away[c.value], bool(world.sheets[c.value].player) == mine))


def _how(world: TiersWorld, one: Choice) -> Choice:
    return replace(one, note=condition_of(world, one.value, person(world, one.value).hp, most_hp(world, one.value)))


def answers(world: TiersWorld, fields: Mapping[str, Any], *, harm: bool = False) -> Sequence[Choice]:
    """What the other side can use, the best for it first: by its chance against the skill used on it.

    Of equal chances, and while no such skill is known, the stronger pool. A tie that is lost is no harm in an attack.
    """
    who, against, rules = fields.get("who") or "", fields.get("against") or "", world.rules
    mine = rating(world, who, fields.get("skill") or "") if who in world.sheets else None

    def dice(whose: str, used: Rating) -> tuple[Tier, ...]:
        return (used.tier,) * (used.rank + boost_of(world, whose, used.skill))

    def worth(theirs: Rating) -> tuple[float, float]:
        pool = dice(against, theirs)
        if mine is None:
            return 0.0, -strength(rules, pool)
        first, second = (Side("", "", used.tier, used.rank) for used in (mine, theirs))
        higher, level = duel(rules, dice(who, mine), pool)
        ties = not harm and ties_won(rules, first, dice(who, mine), second, pool)
        return round(higher + level * ties, 9), -strength(rules, pool)

    found = sorted(rated(world, against), key=lambda one: worth(one[1]))
    return [ability(world, against, value, used) for value, used in found]


# ---- the roll on the table

WINS, LOSES = "wins", "loses"
HURTS, NO_HARM = "hurts", "wins, no harm"
"""What winning is in an attack: a tie that is won has margin 0 and hurts nobody."""


class Rolled(Told, tag="rolled"):
    """Dice lie on the table."""

    rule = "both roll one die a rank; a die at its maximum explodes once; the single highest die is the result"
    roll: Roll
    what: str = ""
    why: str = ""
    seen: str = ""
    """What players are told in place of `what`, where somebody in it is hidden."""

    def apply(self, world: TiersWorld) -> TiersWorld:
        return world.live(roll=self.roll)

    def is_secret(self, world: TiersWorld) -> bool:
        return self.roll.hidden or any_hidden(world, self.roll)

    def open_words(self, world: TiersWorld) -> str:
        first, second = self.roll.first, self.roll.second
        open_sides = [] if world.is_hidden(first.who) else [first]
        open_sides += [] if self.roll.hidden or world.is_hidden(second.who) else [second]
        head = self.seen or self.what or f"{first.name} rolls"
        return f"{head}: {' against '.join(map(faces, open_sides))}" if open_sides else ""

    def words(self, world: TiersWorld) -> str:
        head = self.what or f"{self.roll.first.name} rolls"
        return f"{head}: {faces(self.roll.first)} against {faces(self.roll.second)}"


class Settled(Told, tag="settled"):
    """The roll counts."""

    rule = "higher result wins; ties: tier, rank, initiator; damage = margin × the attacker's tier multiplier"
    outcome_name: str
    winner: str
    margin: int
    damage: int = 0
    target_out: bool = False
    kind: Literal["opposed", "attack", "challenge"] = "opposed"

    def apply(self, world: TiersWorld) -> TiersWorld:
        return altered(world, "roll", stage="done", outcome=self.outcome_name, damage=self.damage)

    def is_secret(self, world: TiersWorld) -> bool:
        return any_hidden(world, world.now.roll)

    def open_words(self, world: TiersWorld) -> str:
        roll = world.now.roll
        if roll is None or self.kind == "challenge" or both_hidden(world, roll):
            return ""
        hurt = f", {self.damage} damage" if self.damage and not world.is_hidden(roll.second.who) else ""
        return f"{called(world, roll.won, UNSEEN.capitalize())} wins{hurt}"

    def words(self, world: TiersWorld) -> str:
        if self.kind == "challenge":
            return ""  # the challenge tells its own outcome
        hurt = f", {self.damage} damage" if self.damage else ""
        tie = tie_words(world.rules, world.now.roll) if world.now.roll else ""
        how = f" by {self.margin}" if self.margin else f", {tie}" if tie else ""
        return f"{self.winner} wins{how}{hurt}"

    def outcome(self) -> Mapping[str, str | int]:
        if self.kind != "attack":
            return {"outcome": self.outcome_name}
        won = HURTS if self.damage else NO_HARM
        return {
            "outcome": won if self.outcome_name == WINS else self.outcome_name,
            "damage": self.damage,
            "target": "out" if self.target_out else "stands",
        }


def faces(one: Side) -> str:
    """Dice in words: 6→4 is a 6 that exploded into a 4 more."""
    return f"{one.name} {' '.join(die.words for die in one.dice) or 'no dice'} = {one.result}"


UNSEEN = "somebody unseen"


def any_hidden(world: TiersWorld, roll: Roll | None) -> bool:
    """Does somebody roll of whom players do not know?"""
    return bool(roll and (world.is_hidden(roll.first.who) or world.is_hidden(roll.second.who)))


def both_hidden(world: TiersWorld, roll: Roll) -> bool:
    """Do players not know of either side?"""
    return world.is_hidden(roll.first.who) and world.is_hidden(roll.second.who)


def called(world: TiersWorld, one: Side, unseen: str = UNSEEN) -> str:
    """What players call a side: somebody hidden has no name."""
    return unseen if world.is_hidden(one.who) else one.name


def waits(world: TiersWorld) -> str:
    """Why nothing else can be rolled now; empty where it can."""
    roll = world.now.roll
    return "" if roll is None or roll.stage == "done" else "a roll on the table does not count yet"


def unsettled(world: TiersWorld) -> Roll | None:
    """The roll that waits to be settled."""
    roll = world.now.roll
    return roll if roll is not None and roll.stage == "settle" else None


# ---- both roll


class Oppose(Action, tag="oppose"):
    """Roll one skill against another; the single highest die wins."""

    title = "opposed roll"
    key = "o"
    screens = ("table",)
    kind: ClassVar[Literal["opposed", "attack"]] = "opposed"
    verb: ClassVar[str] = "against"
    done_by, done_with, done_to = "who", "skill", "against"
    toward = "against"
    when = staticmethod(waits)
    who: Annotated[str, Ask(standing)]
    skill: Annotated[str, Ask(of("who", abilities))]
    against: Annotated[str, Ask(others)]
    using: Annotated[str, Ask(answers, "it uses"), Of("against")]
    bonus: Annotated[bool, Ask(of("who", bonus_choices), "Bonus Die")] = False
    their_bonus: Annotated[bool, Ask(of("against", bonus_choices), "their die"), Of("against", free=True)] = False

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        first = self._thrown(world, dice, self.who, self.skill, self.bonus)
        second = self._thrown(world, dice, self.against, self.using, self.their_bonus)
        first = explode(world.rules, dice, first, secret=world.is_hidden(self.who))
        second = explode(world.rules, dice, second, secret=world.is_hidden(self.against))
        roll = compare(world.rules, Roll(self.kind, "settle", first, second, turn=turn_of(world)))
        spent = used_up(world, self.who, self.skill, self.bonus)
        spent += used_up(world, self.against, self.using, self.their_bonus)
        mine, theirs = f" ({self.skill.replace(':', ' ')})", f" ({self.using.replace(':', ' ')})"
        what = f"{first.name}{mine} {self.verb} {second.name}{theirs}"
        seen = met(world, (self.who, self.against))
        if not any_hidden(world, roll):
            return (*spent, Rolled(roll, what), *seen)
        mine = UNSEEN.capitalize() if world.is_hidden(self.who) else f"{first.name}{mine}"
        theirs = UNSEEN if world.is_hidden(self.against) else f"{second.name}{theirs}"
        return (*spent, Rolled(roll, what, seen=f"{mine} {self.verb} {theirs}"), *seen)

    def _thrown(self, world: TiersWorld, dice: Dice, who: str, skill: str, bonus: bool) -> Side:
        tiers = pool(world, who, skill, bonus)
        return throw_side(dice, side(world, who, skill), tiers, secret=world.is_hidden(who))
