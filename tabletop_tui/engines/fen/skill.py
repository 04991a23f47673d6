"""A skill alone: rolled without anybody against it, explosive or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit.common import anybody
from ...kit.told import Told
from ...rules import Action, Ask, Choice, Dice, Event, Refused
from .changes import MOST_CHANGED, spent
from .dice import Fallen, Mods, Throw, change, fall, parse_dice
from .hiding import out_of_sight
from .world import FenWorld, known_skills, skill_dice, skill_mods


def skills(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every known skill with somebody's dice, their own first; any other can be named."""
    who = fields.get("who", "")
    if who not in world.sheets:
        return [Choice(skill) for skill in known_skills(world)]
    own = {s.casefold() for s in world.sheets[who].skills}
    ranked = sorted(known_skills(world), key=lambda s: s.casefold() not in own)
    return [Choice(skill, note=skill_dice(world, who, skill)) for skill in ranked]


class SkillRolled(Told, tag="skill_rolled"):
    """Somebody rolled a skill, with nobody against it."""

    rule = "all dice are summed; a skill that is missing rolls 1d4"
    who: str
    skill: str
    fallen: Fallen
    hidden: bool = False

    def apply(self, world: FenWorld) -> FenWorld:
        # the attack before it is no news any more; what is rolled in secret takes nothing from the table
        return world if self.is_secret(world) else replace(world, now=world.now.moved_on())

    def words(self, world: FenWorld) -> str:
        return f"{world.name(self.who)} rolls {self.skill}: {self.fallen.words}"

    def is_secret(self, world: FenWorld) -> bool:
        return self.hidden or out_of_sight(world, self.who)

    def outcome(self) -> Mapping[str, str | int]:
        return {"total": self.fallen.total}


class RollSkill(Action, tag="roll_skill"):
    """Roll a skill alone; name any, one that nobody has rolls 1d4."""

    title = "roll a skill"
    key = "v"
    screens = ("table", "contest")
    done_by, done_with = "who", "skill"
    asks = True
    who: Annotated[str, Ask(anybody)]
    skill: Annotated[str, Ask(skills, other=True), Meta(max_length=80)]
    non_explosive: Annotated[int, Meta(ge=0, le=MOST_CHANGED, description="all its dice, and they explode")] = 0
    hidden: Annotated[bool, Meta(title="for the GM alone")] = False

    def throw(self, world: FenWorld) -> Throw:
        """What falls."""
        mods = skill_mods(world, self.who, "any").plus(Mods(non_explosive=self.non_explosive))
        return change(parse_dice(skill_dice(world, self.who, self.skill.strip())), mods, world.rules.order)

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        skill = self.skill.strip()
        if not skill or "/" in skill:
            raise Refused(f"{skill!r} cannot be a skill", remedy="Name one, such as vigor.")
        secret = self.hidden or out_of_sight(world, self.who)
        fallen = fall(dice, f"{world.name(self.who)}: {skill}", self.throw(world), secret=secret, of=self.who)
        return (SkillRolled(self.who, skill, fallen, self.hidden), *spent(world, self.who, "any"))
