"""What players know: the world without the GM's numbers, and whose dice and turns are whose."""

from __future__ import annotations

from msgspec.structs import replace

from ...kit.hurt import as_known
from ...kit.known import NOBODY, known_world
from ...kit.seen import is_secret, unseen
from .opposed import UNSEEN, both_hidden
from .world import (
    Challenge,
    Person,
    Ranks,
    Roll,
    Side,
    TiersScene,
    TiersSheet,
    TiersWorld,
    hp_per_level,
    most_hp,
    person,
)

NOTHING: Ranks = {"alpha": 1}
"""In the place of ranks that players do not know."""
NOBODYS = Side(UNSEEN, "", "alpha", 1, (), NOBODY)
"""In the place of the dice of somebody of whom they do not know."""


def seen_by(world: TiersWorld, seat: str) -> TiersWorld:
    """Everybody at the table knows the same."""
    people = {w: _known_person(world, w) for w in world.now.people if w in world.sheets and not unseen(world, w)}
    return known_world(
        world,
        sheet=lambda who: _known_sheet(world, who),
        scene=lambda one: TiersScene(one.title, one.about),
        live={
            "people": people,
            "challenge": _known_challenge(world, world.now.challenge),
            "roll": _known_roll(world, world.now.roll),
        },
        open=("complications", "owed", "due"),
    )


def _known_sheet(world: TiersWorld, who: str) -> TiersSheet:
    """A name, and that they stand; of what they help with in everybody's sight, the ranks."""
    sheet, challenge = world.sheets[who], world.now.challenge
    skills: dict[str, Ranks] = {}
    if challenge and challenge.lead == who:
        skills[challenge.skill.partition(":")[0]] = NOTHING
    if challenge and who in challenge.supports and (skill := challenge.supports[who].skill):
        skills[skill] = sheet.skills.get(skill) or NOTHING
    return TiersSheet(sheet.name, levels={"alpha": 1}, skills=skills)


def _known_person(world: TiersWorld, who: str) -> Person:
    """How they are; what the GM has bought for their next roll is never known."""
    them = person(world, who)
    if not is_secret(world, who):
        return replace(them, boost=0, boosts={})
    hp = as_known(them.hp, most_hp(world, who), hp_per_level(world.rules, "alpha"))
    return Person(hp, them.bonus_dice, consequences=them.consequences)


def _known_challenge(world: TiersWorld, challenge: Challenge | None) -> Challenge | None:
    """Without those who are hidden: what they do in it is not known, either."""
    if challenge is None:
        return None
    helping = {who: support for who, support in challenge.supports.items() if not world.is_hidden(who)}
    challenge = replace(challenge, supports=helping)
    if world.is_hidden(challenge.lead):
        challenge = replace(challenge, lead="", skill="", supports={}, bonus=False)
    plan = replace(challenge.plan, complication="", failure="")
    if plan.hidden:
        plan = replace(plan, tier="alpha", dice=1)
    return replace(challenge, plan=plan)


def _known_roll(world: TiersWorld, roll: Roll | None) -> Roll | None:
    """The dice that lie open; a roll between two of whom players do not know is none."""
    if roll is None or both_hidden(world, roll):
        return None
    first, second = (NOBODYS if world.is_hidden(one.who) else one for one in (roll.first, roll.second))
    if roll.hidden and second is not NOBODYS:
        second = Side(second.name, second.skill, "alpha", 1, (), second.who, second.player)
    if first is roll.first and second is roll.second:
        return roll
    return replace(roll, first=first, second=second, margin=0, tie="", damage=0)
