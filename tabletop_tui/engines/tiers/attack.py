"""The attack: an opposed roll whose margin hurts."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from ...rules import Ask, Choice, Of
from .opposed import Oppose, answers
from .world import Roll, TiersWorld, multiplier, number, tier_of


def defences(world: TiersWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What the target can defend with, that which hurts it least often first."""
    return answers(world, fields, harm=True)


class Attack(Oppose, tag="attack"):
    """An opposed roll whose margin, times the attacker's tier multiplier, is damage."""

    title = "attack"
    toward = ""
    key = "a"
    kind = "attack"
    verb = "attacks"
    using: Annotated[str, Ask(defences, "it uses"), Of("against")]


def damage_of(world: TiersWorld, roll: Roll) -> int:
    """Margin × the multiplier of the attacker's own tier."""
    if roll.kind != "attack" or roll.winner != "first" or not roll.margin:  # of a hidden one's roll none is known
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
