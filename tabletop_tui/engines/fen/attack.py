"""Attacks: weapon dice and skill against dodge, then shield, then armour, then HP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec.structs import replace

from ...rules import Action, Ask, Choice, Dice, Event, Refused
from ...rules.order import turn_of
from .contest import others, standing
from .dice import Throw, change, fall, parse_dice
from .harm import GuardChanged, harm
from .modifiers import spent
from .spending import cannot_pay, paid
from .world import (
    PARTS,
    UNARMED,
    Blow,
    FenWorld,
    Part,
    Weapon,
    defense,
    is_down,
    is_secret,
    person,
    skill_dice,
    skill_throw,
)


def weapon_of(world: FenWorld, who: str, name: str) -> Weapon | None:
    """A weapon on the sheet; nothing in hand has no dice of its own."""
    return world.sheets[who].weapons.get(name)


def attack_skill(world: FenWorld, who: str, weapon: str) -> str:
    """Fight or shoot, as the weapon has it; bare hands fight."""
    item = weapon_of(world, who, weapon)
    return item.skill if item else next(iter(world.rules.attack_skills), "fight")


def attack_throw(world: FenWorld, who: str, weapon: str) -> Throw:
    """The weapon's dice and the skill's in one throw, with all that is done to it."""
    item = weapon_of(world, who, weapon)
    sizes = parse_dice(skill_dice(world, who, attack_skill(world, who, weapon))).sizes
    if item:
        sizes = tuple(sorted((*sizes, *parse_dice(item.dice).sizes)))
    throw = change(Throw(sizes), person(world, who).mods, world.rules.order)
    return throw if world.rules.attack_explodes else replace(throw, explosive=False)


def dodge_throw(world: FenWorld, who: str) -> Throw:
    """What the target throws."""
    return skill_throw(world, who, world.rules.dodge_skill)


def meet(world: FenWorld, who: str, force: int) -> tuple[int, list[Part]]:
    """What gets through shield and armour, and which of them were exceeded."""
    exceeded: list[Part] = []
    for part in PARTS:
        strength = defense(world, who, part)
        if strength and force > strength:
            exceeded.append(part)
        force = max(force - strength, 0)
    return force, exceeded


class Struck(Event, tag="struck"):
    """An attack was rolled."""

    rule = (
        "weapon and skill against dodge; if dodge meets it, nothing; else shield, then armour take off their defense"
    )
    blow: Blow

    def apply(self, world: FenWorld) -> FenWorld:
        return world.live(blow=self.blow)

    def _words(self, world: FenWorld, *, hide: bool) -> str:
        b = self.blow
        ends = {
            "dodged": "dodged",
            "stopped": "stopped by shield or armour",
            "through": "through" if hide else f"{b.damage} through",
        }
        head = f"{world.name(b.who)} attacks {world.name(b.against)} ({b.weapon}): {b.attack.words}"
        return f"{head} against dodge {b.dodge.words}: {ends[b.result]}"

    def says(self, world: FenWorld) -> str:
        return self._words(world, hide=is_secret(world, self.blow.against))

    def whispers(self, world: FenWorld) -> str:
        return self._words(world, hide=False) if is_secret(world, self.blow.against) else ""


class Hit(Event, tag="hit"):
    """How an attack ended."""

    result: Literal["through", "stopped", "dodged"]
    damage: int = 0
    down: bool = False

    def apply(self, world: FenWorld) -> FenWorld:
        return world

    def outcome(self) -> Mapping[str, str | int]:
        return {"outcome": self.result, "target": "down" if self.down else "stands", "damage": self.damage}


def weapons(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What the attacker has in hand, and bare hands."""
    who = fields.get("who", "")
    if who not in world.sheets:
        return []
    armed = [Choice(n, f"{n} {w.dice} + {w.skill}") for n, w in world.sheets[who].weapons.items()]
    return armed if UNARMED in world.sheets[who].weapons else [*armed, Choice(UNARMED)]


Spends = Literal["major", "reaction", "nothing"]


def spends(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What the attack costs: an action, a reaction, or nothing where the GM says so."""
    who = fields.get("who", "")
    if who not in world.sheets:
        return []
    return [*(Choice(c, "", cannot_pay(world, who, c)) for c in ("major", "reaction")), Choice("nothing")]


class Attack(Action, tag="attack"):
    """Attack: weapon dice and fight or shoot against dodge; what shield and armour let through comes off HP."""

    title = "attack"
    key = "a"
    screens = ("table",)
    who: Annotated[str, Ask(standing)]
    weapon: Annotated[str, Ask(weapons)]
    against: Annotated[str, Ask(others)]
    spends: Annotated[Spends, Ask(spends)] = "major"

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        if self.spends != "nothing" and (why := cannot_pay(world, self.who, self.spends)):
            raise Refused(f"{world.name(self.who)} cannot attack: {why}", remedy='Or let it cost "nothing".')
        name, target = world.name(self.who), self.against
        attack = fall(dice, f"{name}: {self.weapon}", attack_throw(world, self.who, self.weapon))
        dodge = fall(dice, f"{world.name(target)}: dodge", dodge_throw(world, target))
        cost = paid(world, self.who, self.spends) if self.spends != "nothing" else ()
        after = (*cost, *spent(world, self.who, target))
        for event in after:
            world = event.apply(world)
        if dodge.total >= attack.total:
            dodged = Blow(self.who, target, self.weapon, attack, dodge, "dodged", turn=turn_of(world))
            return (*after, Struck(dodged), Hit("dodged", 0, _down(world, target, ())))
        through, exceeded = meet(world, target, attack.total)
        result: Literal["through", "stopped"] = "through" if through else "stopped"
        worn: list[Event] = []
        for part in exceeded if world.rules.breakage else ():
            worn.append(GuardChanged(target, part, defense(world, target, part) - 1))
            world = worn[-1].apply(world)
        hurt = harm(world, target, through) if through else ()
        blow = Blow(self.who, target, self.weapon, attack, dodge, result, through, turn_of(world))
        return (*after, Struck(blow), *worn, *hurt, Hit(result, through, _down(world, target, hurt)))


def _down(world: FenWorld, who: str, events: Sequence[Event]) -> bool:
    for event in events:
        world = event.apply(world)
    return is_down(world, who)
