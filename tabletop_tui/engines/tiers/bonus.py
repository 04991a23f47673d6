"""Bonus Dice: one an hour or by award, declared before the roll."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta

from ...rules import Action, Ask, Choice, Dice, Event
from .world import MOST_BONUS, TiersWorld, person, put, signed


class BonusChanged(Event, tag="bonus_changed"):
    """Somebody gained or used Bonus Dice."""

    rule = "Bonus Dice: one an hour or by award; declared before the roll; one die of the next tier up"
    who: str
    bonus_dice: int

    def apply(self, world: TiersWorld) -> TiersWorld:
        return put(world, self.who, bonus_dice=self.bonus_dice)

    def says(self, world: TiersWorld) -> str:
        moved = self.bonus_dice - person(world, self.who).bonus_dice
        return f"{world.name(self.who)}: Bonus Dice {signed(moved)} = {self.bonus_dice}"


def players(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Players' characters."""
    return [Choice(w, world.name(w)) for w in world.players()]


def bonus_choices(world: TiersWorld, who: str) -> Sequence[Choice]:
    """Whether somebody adds a Bonus Die; they are the players'."""
    sheet = world.sheets.get(who)
    why = "" if sheet and sheet.player else "Bonus Dice are the players'"
    if not why and person(world, who).bonus_dice < 1:
        why = "no Bonus Dice left"
    return [Choice(False, "no"), Choice(True, "yes", why)]


class AwardBonus(Action, tag="award"):
    """Give Bonus Dice: one an hour to every player, or to one for something clever, brave or in character."""

    title = "award a Bonus Die"
    key = "w"
    screens = ("table",)
    who: Annotated[tuple[str, ...], Ask(players), Meta(description="everybody")] = ()
    dice: Annotated[int, Meta(ge=1, le=10)] = 1

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return "" if world.players() else "there are no players' characters"

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        who = self.who or tuple(world.players())
        return tuple(BonusChanged(w, min(person(world, w).bonus_dice + self.dice, MOST_BONUS)) for w in who)
