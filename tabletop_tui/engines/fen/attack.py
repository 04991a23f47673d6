"""Attacks: weapon dice and skill against dodge, then shield, then armour, then HP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec.structs import replace

from ...kit.ahead import after, refusal
from ...kit.common import is_secret
from ...kit.hurt import condition_of
from ...kit.order import turn_of
from ...rules import Action, Ask, Choice, Dice, Event, Field, Of, Refused
from .changes import spent
from .dice import Fallen, Throw, change, change_both, fall, parse_dice, unexploding
from .harm import GuardChanged, harm
from .hiding import lies_in_wait
from .turns import cannot_pay, paid
from .world import (
    PARTS,
    UNARMED,
    Blow,
    FenWorld,
    Part,
    Weapon,
    changes_for,
    defense,
    is_down,
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
    item, mods, order = weapon_of(world, who, weapon), changes_for(world, who, "attack"), world.rules.order
    skill = parse_dice(skill_dice(world, who, attack_skill(world, who, weapon)))
    throw = (
        change_both(parse_dice(item.dice), skill, mods, order)
        if item
        else change(skill, mods["all"].plus(mods["skill"]), order)
    )
    return throw if world.rules.attack_explodes else unexploding(throw)


def dodge_throw(world: FenWorld, who: str) -> Throw | None:
    """What the target throws; nothing where they are down."""
    return None if is_down(world, who) else skill_throw(world, who, world.rules.dodge_skill, "dodge")


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
        "weapon and skill against dodge, none for whoever is down; if dodge meets it, nothing; "
        "else shield, then armour take off their defense"
    )
    blow: Blow

    def apply(self, world: FenWorld) -> FenWorld:
        return world.live(blow=self.blow)

    def says(self, world: FenWorld) -> str:
        b = self.blow
        through = "through" if is_secret(world, b.against) else f"{b.damage} through"
        end = {"dodged": "dodged", "stopped": "stopped by shield or armour", "through": through}[b.result]
        dodge = f" against dodge {b.dodge.words}" if b.dodge.dice else ", no dodge"
        return f"{world.name(b.who)} attacks {world.name(b.against)} ({b.weapon}): {b.attack.words}{dodge}: {end}"

    def whispers(self, world: FenWorld) -> str:
        b = self.blow
        hidden = b.result == "through" and is_secret(world, b.against)
        return f"{b.damage} came through to {world.name(b.against)}" if hidden else ""


class Hit(Event, tag="hit"):
    """How an attack ended."""

    result: Literal["through", "stopped", "dodged"]
    damage: int = 0
    down: bool = False

    def apply(self, world: FenWorld) -> FenWorld:
        return world

    def outcome(self) -> Mapping[str, str | int]:
        return {"outcome": self.result, "target": "down" if self.down else "stands", "damage": self.damage}


def attackers(world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody, closed where they are down or hide: a blow is struck before all eyes. Whoever is up stands first."""
    ranked = sorted(world.present(), key=lambda w: w != world.now.turns.current)
    return [Choice(w, world.name(w), "down" if is_down(world, w) else _hides(world, w)) for w in ranked]


def _hides(world: FenWorld, who: str) -> str:
    if world.is_hidden(who):
        return "unseen: reveal them first"
    return "lies in wait: begin the fight first" if lies_in_wait(world, who) else ""


def targets(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody else, those of another side and those who stand first; who is down does not dodge."""
    who, fighters = fields.get("who", ""), world.now.turns.fighters
    side = fighters[who].side if who in fighters else ""

    def rank(one: str) -> tuple[bool, bool, bool]:
        ally = fighters[one].side == side if one in fighters and side else _same_kind(world, one, who)
        return is_down(world, one), bool(side) and one not in fighters, ally

    return [
        Choice(w, world.name(w), _hides(world, w), "down: no dodge" if is_down(world, w) else _how(world, w))
        for w in sorted((w for w in world.present() if w != who), key=rank)
    ]


def _how(world: FenWorld, who: str) -> str:
    return condition_of(world, who, person(world, who).hp, world.sheets[who].hp)


def _same_kind(world: FenWorld, one: str, other: str) -> bool:
    """Are both the players', or both the GM's?"""
    return other in world.sheets and bool(world.sheets[one].player) == bool(world.sheets[other].player)


def struck_player(world: FenWorld, fields: Mapping[str, Any]) -> str:
    """Whose leave a blow needs: that of a player's character whom it is meant for; else it is the attacker's own."""
    target = str(fields.get("against", ""))
    sheet = world.sheets.get(target)
    return target if sheet and sheet.player else str(fields.get("who", ""))


def weapons(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What the attacker has in hand, and bare hands."""
    who = fields.get("who", "")
    if who not in world.sheets:
        return []
    held = world.sheets[who].weapons
    named = {**{n: f"{n} {w.dice} + {w.skill}" for n, w in held.items()}, UNARMED: ""}
    return [Choice(n, words, refusal(attack_throw, world, who, n)) for n, words in named.items()]


Spends = Literal["major", "reaction", "nothing"]


def spends(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What the attack costs: an action, a reaction, or nothing where the GM says so."""
    who = fields.get("who", "")
    if who not in world.sheets:
        return []
    return [*(Choice(c, "", cannot_pay(world, who, c)) for c in ("major", "reaction")), Choice("nothing")]


SAID = Ask(spends)
"""The same where nothing is proposed."""


def unless_up(field: Field, world: FenWorld, fields: Mapping[str, Any]) -> Field:
    """In one's own turn an attack is the major action unless somebody says otherwise; out of it a form proposes."""
    return replace(field, ask=SAID) if fields.get("who") == world.now.turns.current else field


class Attack(Action, tag="attack"):
    """Weapon dice and fight or shoot against dodge; what shield and armour let through comes off HP."""

    title = "attack"
    key = "a"
    screens = ("table",)
    done_by, done_with, done_to = "who", "weapon", "against"
    who: Annotated[str, Ask(attackers)]
    weapon: Annotated[str, Ask(weapons)]
    against: Annotated[str, Ask(targets), Of(owner=struck_player, free=True)]
    spends: Annotated[Spends, Ask(spends, first=True, shape=unless_up), Of(free=True)] = "major"
    """Out of turn, and for nothing, is for the GM to allow."""

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        if self.spends != "nothing" and (why := cannot_pay(world, self.who, self.spends)):
            raise Refused(f"{world.name(self.who)} cannot attack: {why}", remedy='Or let it cost "nothing".')
        name, target = world.name(self.who), self.against
        attack = fall(dice, f"{name}: {self.weapon}", attack_throw(world, self.who, self.weapon), of=self.who)
        throw = dodge_throw(world, target)
        dodge = fall(dice, f"{world.name(target)}: dodge", throw, of=target) if throw else Fallen(())
        cost = paid(world, self.who, self.spends) if self.spends != "nothing" else ()
        armed = weapon_of(world, self.who, self.weapon) is not None
        used = (*spent(world, self.who, "attack", weapon=armed), *(spent(world, target, "dodge") if throw else ()))
        first = (*cost, *used)
        world = after(world, first)
        if throw and dodge.total >= attack.total:
            dodged = Blow(self.who, target, self.weapon, attack, dodge, "dodged", turn=turn_of(world))
            return (*first, Struck(dodged), Hit("dodged", 0, is_down(world, target)))
        through, exceeded = meet(world, target, attack.total)
        result: Literal["through", "stopped"] = "through" if through else "stopped"
        broken = exceeded if world.rules.breakage else ()
        worn = [GuardChanged(target, part, defense(world, target, part) - 1) for part in broken]
        world = after(world, worn)
        hurt = harm(world, target, through) if through else ()
        blow = Blow(self.who, target, self.weapon, attack, dodge, result, through, turn_of(world))
        return (*first, Struck(blow), *worn, *hurt, Hit(result, through, is_down(after(world, hurt), target)))
