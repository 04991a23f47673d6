"""Health Points: who is hurt, healed, out, and who still stands."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta

from ...kit import Told
from ...kit.acting import ToSomebody
from ...kit.hurt import shows
from ...kit.seen import is_secret, unseen
from ...rules import Ask, Choice, Dice, Event
from .world import TiersWorld, is_out, most_hp, person, put


def set_hp(world: TiersWorld, who: str, hp: int) -> TiersWorld:
    """The world with somebody's HP at a number; at 0 they take no turns."""
    world = put(world, who, hp=hp)
    if who in world.now.turns.fighters:
        return world.live(turns=world.now.turns.change(who, out=hp == 0))
    return world


class HpChanged(Told, tag="hp_changed"):
    """Somebody was hurt or healed."""

    rule = "HP stop at 0, where a character is out, and at the sum of their levels"
    who: str
    hp: int

    def apply(self, world: TiersWorld) -> TiersWorld:
        return set_hp(world, self.who, self.hp)

    def words(self, world: TiersWorld) -> str:
        was = person(world, self.who).hp
        if was == self.hp:
            return f"{world.name(self.who)}: HP stay at {was}"
        return f"{world.name(self.who)}: HP {was} → {self.hp}{' — out' if self.hp == 0 else ''}"

    def is_secret(self, world: TiersWorld) -> bool:
        gms = not world.sheets[self.who].player
        return is_secret(world, self.who) or (gms and world.is_hidden(self.who))

    def open_words(self, world: TiersWorld) -> str:
        if unseen(world, self.who):
            return ""
        name, was, most = world.name(self.who), person(world, self.who).hp, most_hp(world, self.who)
        return f"{name} is out" if self.hp == 0 else shows(name, before=was, after=self.hp, most=most)


def everybody(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody, with their HP."""
    notes = {w: f"HP {person(world, w).hp}/{most_hp(world, w)}" for w in world.present()}
    return [Choice(w, world.name(w), note=note) for w, note in notes.items()]


def standing(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody, those in the fight first and whoever is up before them; closed where they are out."""
    turns = world.now.turns
    names = sorted(world.present(), key=lambda w: (w != turns.current, w not in turns.fighters))
    return [Choice(w, world.name(w), "out" if is_out(world, w) else "") for w in names]


class ByHand(ToSomebody):
    """Somebody's Health Points change without a roll."""

    who: Annotated[str, Ask(everybody)]
    points: Annotated[int, Meta(ge=1, le=1_000_000)]


class Hurt(ByHand, tag="hurt"):
    """Take Health Points away without a roll: a fall, fire, poison."""

    title = "hurt"
    key = "e"

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        return (HpChanged(self.who, max(person(world, self.who).hp - self.points, 0)),)


class Heal(ByHand, tag="heal"):
    """Give Health Points back, up to the most that levels give."""

    title = "heal"
    key = "h"

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        hp = person(world, self.who).hp
        return (HpChanged(self.who, max(min(hp + self.points, most_hp(world, self.who)), hp)),)
