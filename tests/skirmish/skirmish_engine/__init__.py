"""Skirmish, a d20 game: initiative by number, HP below zero, a group check, and saves that end conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from tabletop_tui.kit import Told, common, order, problems
from tabletop_tui.kit.turn_events import EncounterBegan, TurnBegan
from tabletop_tui.rules import (
    Action,
    Ask,
    Choice,
    Counter,
    Dice,
    Engine,
    Event,
    Fact,
    Fighter,
    Kind,
    Now,
    Person,
    Problem,
    Rules,
    Sheet,
    TableView,
    Turns,
    View,
    World,
)

DEAD = -10
Bonus = Annotated[int, Meta(ge=-20, le=20)]


class SkirmishRules(Rules):
    """House rules."""

    conditions = ("prone", "grappled", "burning", "frightened")
    save: Annotated[int, Meta(ge=2, le=20)] = 10
    """What a save has to reach."""


class SkirmishSheet(Sheet):
    """A fighter."""

    hp: Annotated[int, Meta(ge=1, le=1_000)] = 10
    armour: Annotated[int, Meta(ge=1, le=40)] = 12
    attack: Bonus = 3
    damage: Annotated[int, Meta(ge=2, le=12)] = 8
    """The sides of the damage die."""
    initiative: Bonus = 0
    stealth: Bonus = 0


class SkirmishNow(Now):
    """Who has been hurt, and by how much."""

    hurt: dict[str, Annotated[int, Meta(ge=0, le=2_000)]] = {}


SkirmishWorld = World[SkirmishRules, SkirmishSheet, Any, SkirmishNow]


def hp(world: SkirmishWorld, who: str) -> int:
    """What is left; below zero somebody is dying."""
    return max(world.sheets[who].hp - world.now.hurt.get(who, 0), DEAD)


def fighters(world: SkirmishWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody, closed where they are down; whoever is up first."""
    up = world.now.turns.current
    here = sorted(world.present(), key=lambda who: who != up)
    return [Choice(who, world.name(who), "down" if hp(world, who) <= 0 else "") for who in here]


def targets(world: SkirmishWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody else, the other side first."""
    who = fields.get("who", "")
    mine = order.side_of(world, who)
    here = [other for other in world.present() if other != who]
    return [Choice(o, world.name(o)) for o in sorted(here, key=lambda o: order.side_of(world, o) == mine)]


class Struck(Told, tag="struck"):
    """An attack hit, or did not."""

    rule = "d20 and the bonus against armour"
    who: str
    against: str
    total: int
    harm: int
    hurt: int

    def apply(self, world: SkirmishWorld) -> SkirmishWorld:
        return world.live(hurt={**world.now.hurt, self.against: self.hurt})

    def words(self, world: SkirmishWorld) -> str:
        how = (
            f"hits {world.name(self.against)} for {self.harm}" if self.harm else f"misses {world.name(self.against)}"
        )
        return f"{world.name(self.who)} {how} with {self.total}"

    def is_secret(self, world: SkirmishWorld) -> bool:
        return world.is_hidden(self.who) or world.is_hidden(self.against)

    def outcome(self) -> Mapping[str, str | int]:
        return {"outcome": "hits" if self.harm else "misses", "damage": self.harm}


class Attack(Action, tag="attack"):
    """Attack somebody."""

    title, key, screens = "attack", "a", ("table",)
    who: Annotated[str, Ask(fighters)]
    against: Annotated[str, Ask(targets)]

    def resolve(self, world: SkirmishWorld, dice: Dice) -> tuple[Event, ...]:
        sheet = world.sheets[self.who]
        (face,) = dice.roll(f"{sheet.name} attacks", 20)
        total, had = face + sheet.attack, world.now.hurt.get(self.against, 0)
        if face != 20 and total < world.sheets[self.against].armour:
            return (Struck(self.who, self.against, total, 0, had),)
        (harm,) = dice.roll("damage", sheet.damage)
        least = world.sheets[self.against].hp - DEAD
        return (Struck(self.who, self.against, total, harm, min(had + harm, least)),)


class Rested(Event, tag="rested"):
    """Everybody is whole again."""

    def apply(self, world: SkirmishWorld) -> SkirmishWorld:
        return world.live(hurt={})

    def says(self, world: SkirmishWorld) -> str:
        return "Everybody rests"


class Rest(Action, tag="rest"):
    """Heal everybody."""

    title, key, screens = "rest", "h", ("table",)

    def resolve(self, world: SkirmishWorld, dice: Dice) -> tuple[Event, ...]:
        return (Rested(),)


class RollInitiative(order.BeginEncounter, tag="begin"):
    """Roll for the order: d20 and a bonus each, the highest first."""

    title = "roll for turns"

    def resolve(self, world: SkirmishWorld, dice: Dice) -> tuple[Event, ...]:
        who = self.who or tuple(world.present())
        numbers = {w: dice.roll(f"{world.name(w)}, initiative", 20)[0] + world.sheets[w].initiative for w in who}
        ranked = sorted(who, key=lambda w: -numbers[w])
        made = {w: Fighter(order.side_of(world, w), number=numbers[w]) for w in ranked}
        turns = Turns(round=1, timer=self.timer or None, order=tuple(ranked), fighters=made)
        return (EncounterBegan(turns), TurnBegan(ranked[0]))


class Crept(Event, tag="crept"):
    """The party tried something together."""

    rolled: dict[str, int]
    passed: bool

    def apply(self, world: SkirmishWorld) -> SkirmishWorld:
        return world

    def says(self, world: SkirmishWorld) -> str:
        each = ", ".join(f"{world.name(who)} {total}" for who, total in self.rolled.items())
        return f"The party {'slips past' if self.passed else 'is heard'}: {each}"

    def outcome(self) -> Mapping[str, str | int]:
        return {"outcome": "slips past" if self.passed else "is heard"}


class Creep(Action, tag="creep"):
    """A group check: everybody rolls for stealth, and half of them have to reach the number."""

    title, key, screens = "creep past", "c", ("table",)
    number: Annotated[int, Meta(ge=1, le=40)] = 12

    @classmethod
    def when(cls, world: SkirmishWorld) -> str:
        return "" if world.players() else "there is no party"

    def resolve(self, world: SkirmishWorld, dice: Dice) -> tuple[Event, ...]:
        rolled = {w: dice.roll(f"{world.name(w)}, stealth", 20)[0] + world.sheets[w].stealth for w in world.players()}
        enough = sum(total >= self.number for total in rolled.values()) * 2 >= len(rolled)
        return (Crept(rolled, enough),)


class SkirmishSave(common.Save, tag="save"):
    """Roll a d20 to end a condition."""

    key, screens = "s", ("table",)

    def passes(self, world: SkirmishWorld, who: str, dice: Dice) -> bool:
        return dice.roll(f"{world.name(who)} saves", 20)[0] >= world.rules.save


class Skirmish(Engine):
    """The game."""

    name, title, version = "skirmish", "Skirmish", "1"
    rules, sheet, now = SkirmishRules, SkirmishSheet, SkirmishNow
    hopes = ("hits", "slips past", "saved")
    actions: ClassVar[tuple[type[Action], ...]] = (
        Attack,
        Creep,
        Rest,
        SkirmishSave,
        RollInitiative,
        *(action for action in order.ACTIONS if action is not order.BeginEncounter),
        common.BeginConditionOrSave,
        *(action for action in common.ACTIONS if action is not common.BeginCondition),
    )
    events: ClassVar[tuple[type[Event], ...]] = (
        Struck,
        Rested,
        Crept,
        common.SaveRolled,
        *order.EVENTS,
        *common.EVENTS,
    )
    reference = "# Skirmish\n\nRoll a d20, add your bonus, reach the number."
    starter: ClassVar[dict[str, str]] = {
        "campaign.toml": 'title = "{title}"\nengine = "skirmish"\n\n[rules]\nsave = 10\n\n[clocks.dawn]\n'
        'name = "Dawn"\nsize = 6\n',
        "characters/ann.toml": 'name = "Ann"\nplayer = "Ana"\nhp = 24\narmour = 16\nattack = 5\ninitiative = 2\n',
        "characters/bo.toml": 'name = "Bo"\nplayer = "Ben"\nhp = 18\nstealth = 6\ninitiative = 4\n',
        "characters/warden.toml": 'name = "Warden"\nhp = 11\n',
        "characters/ogre.toml": 'name = "Ogre"\nhp = 59\narmour = 11\nattack = 6\ndamage = 12\ninitiative = -1\n',
    }

    def problems(self, world: SkirmishWorld) -> Sequence[Problem]:
        hurt = [
            problems.nobody(("now", "hurt", who), who, world) for who in world.now.hurt if who not in world.sheets
        ]
        return [*problems.problems(world, (order.HEROES, order.FOES)), *hurt]

    def view(self, kind: Kind, world: SkirmishWorld, about: str = "") -> View | None:
        if kind != "table":
            return None
        turns = world.now.turns
        facts = (Fact(text=f"round {turns.round}", tone="warn" if turns.round > 5 else ""),) if turns.running else ()
        ordered = [*turns.order, *(who for who in world.present() if who not in turns.fighters)]
        return TableView(
            title="A skirmish",
            facts=facts,
            counters=common.counters(world),
            people=tuple(self._person(world, who) for who in ordered),
            conditions=common.lasting(world),
            banner=f"{world.name(turns.current)} is up" if turns.current else "",
        )

    def _person(self, world: SkirmishWorld, who: str) -> Person:
        sheet, left = world.sheets[who], hp(world, who)
        fighter = world.now.turns.fighters.get(who)
        tone: Any = "bad" if left <= 0 else "warn" if left * 2 <= sheet.hp else ""
        meter = Counter(name="HP", value=left, most=sheet.hp, least=DEAD, tone=tone, secret=not sheet.player)
        return Person(
            id=who,
            name=sheet.name,
            side=order.side_of(world, who),
            number=fighter.number if fighter else None,
            meters=(meter,),
            conditions=common.statuses(world, who),
            current=who == world.now.turns.current,
            acted=bool(fighter and fighter.acted),
            out=left <= 0,
            may_go=who in world.now.turns.may_go(),
            group=world.original(who),
            secret=bool(fighter and fighter.hidden),
        )


ENGINE = Skirmish()

__all__ = ["ENGINE"]
