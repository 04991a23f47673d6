"""Which dice somebody rolls, what they show, and what a default reroll does."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ...kit.common import is_secret, plural
from ...rules import Dice, Model, Part, Pool, Refused, Tone
from .hazards import hazard_words, hazards_against
from .world import MOST_POOL, SIDES, Die, No1Rules, No1World, Roll, ranks_left, sheet_of

HAZARD_DIE = 4
BONUS_DIE = 4


class Throw(Model):
    """What somebody is about to roll."""

    count: int
    sides: int
    hazards: int = 0
    """d4s, after what Defy Danger took off."""
    boosts: int = 0
    """d4s of bonus hits; they are no part of the result set."""


def rating(world: No1World, who: str, skill: str) -> int | None:
    """The rating of a skill; None where it is not on the sheet."""
    sheet = sheet_of(world, who)
    return sheet.skills.get(skill) if sheet else None


def die_of(world: No1World, who: str, skill: str) -> int:
    """The sides of a skill's die; the plain die where no skill is named."""
    if not skill:
        return world.rules.plain_die
    found = rating(world, who, skill)
    if found is None:
        raise Refused(f"{world.name(who)} has no {skill}", remedy="Name a skill on the sheet, or none.")
    return SIDES[found]


def challenge_dice(world: No1World, modifier: int = 0) -> int:
    """Challenge and modifiers, at least 1."""
    return max(world.now.challenge + modifier, 1)


def throw_of(world: No1World, who: str, skill: str, modifier: int) -> Throw:
    """The dice of an action or a Shift."""
    hazards = sum(hazards_against(world, who).values())
    left = max(hazards - world.now.defied.get(who, 0), 0)
    count = challenge_dice(world, modifier)
    if count + left > MOST_POOL:
        raise Refused(f"{count + left} dice are too many for one roll", remedy=f"At most {MOST_POOL}.")
    return Throw(count, die_of(world, who, skill), left, world.now.boosts.get(who, 0))


def cast_dice(dice: Dice, name: str, skill: str, throw: Throw, *, of: str = "") -> tuple[tuple[Die, ...], int]:
    """The result set, Hazard dice last, and the bonus hits."""
    why = f"{name}: {skill}" if skill else name
    sides = [throw.sides] * throw.count + [HAZARD_DIE] * throw.hazards
    faces = dice.roll(why, *sides, of=of)
    fallen = tuple(Die(s, f, i >= throw.count) for i, (s, f) in enumerate(zip(sides, faces, strict=True)))
    bonus = sum(dice.roll(f"{name}: bonus hits", *[BONUS_DIE] * throw.boosts, of=of))
    return fallen, bonus


def fall_again(
    dice: Dice, why: str, lying: tuple[Die, ...], places: Sequence[int], *, of: str = ""
) -> tuple[Die, ...]:
    """The dice on the table after those in some places were rolled again."""
    fallen = dict(enumerate(lying))
    for place, face in zip(places, dice.roll(why, *(lying[i].sides for i in places), of=of), strict=True):
        fallen[place] = replace(fallen[place], face=face, rerolled=fallen[place].rerolled + 1)
    return tuple(fallen.values())


def hits(rules: No1Rules, dice: tuple[Die, ...]) -> int:
    """Dice at the target or above."""
    return sum(die.face >= rules.target for die in dice)


def default_reroll(world: No1World, roll: Roll) -> tuple[int, ...]:
    """The reroll that is offered first, and that odds assume: the largest die that shows 1, and no other yet.

    With fewer ranks than 1s, none: a single 1 that stays loses the Initiative all the same, and the ranks are worth
    more later. One at a time saves ranks where a die shows 1 again.
    """
    ones = roll.ones()
    return tuple(ones[:1]) if len(ones) <= ranks_left(world, roll.who, roll.trait) else ()


def pool(world: No1World, who: str, skill: str, modifier: int, trait: str) -> Pool:
    """The dice with where each comes from."""
    throw = throw_of(world, who, skill, modifier)
    found = rating(world, who, skill)
    label = f"{skill} {found}" if skill else "no skill"
    note = f"Challenge {world.now.challenge}"
    if modifier:
        note += f" {'+' if modifier > 0 else '−'} {abs(modifier)}"
    if throw.count > world.now.challenge + modifier:
        note += ", at least 1"
    parts = [Part(source=label, dice=f"{throw.count}d{throw.sides}", note=note)]
    if hazard := hazards_against(world, who):
        off = world.now.defied.get(who, 0)
        words = hazard_words(hazard) + (f", {off} defied" if off else "")
        tone: Tone = "bad" if throw.hazards else "muted"
        parts.append(Part(source="Hazard", dice=f"{throw.hazards}d{HAZARD_DIE}", note=words, tone=tone))
    if throw.boosts:
        words = plural(throw.boosts, "advantage")
        parts.append(Part(source="bonus hits", dice=f"{throw.boosts}d{BONUS_DIE}", note=words, tone="good"))
    if left := ranks_left(world, who, trait):
        parts.append(Part(source=trait, dice=f"{left}", note=f"{plural(left, 'rank')} to reroll 1s", tone="good"))
    # what the GM's own can do is a secret
    return Pool(who=world.name(who), parts=tuple(parts), secret=is_secret(world, who) or world.is_hidden(who))
