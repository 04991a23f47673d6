"""Complication Points, Bonus Dice, Health Points and Consequences."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...rules import Action, Ask, Choice, Dice, Event, Refused
from .world import Consequence, Person, TiersWorld, most_hp, person


def put(world: TiersWorld, who: str, **changes: Any) -> TiersWorld:
    """The world with one person's live state changed."""
    return world.live(people={**world.now.people, who: replace(person(world, who), **changes)})


class PointsChanged(Event, tag="points_changed"):
    """The pool of Complication Points moved, or a forced spend was owed, named or met."""

    rule = "gain 2 for a bought success or a preparation, 1 for an upset; a gain at 10 forces a spend"
    points: int
    why: str
    owed: bool = False
    due: int = 0

    def apply(self, world: TiersWorld) -> TiersWorld:
        return world.live(complications=self.points, owed=self.owed, due=self.due)

    def says(self, world: TiersWorld) -> str:
        moved = self.points - world.now.complications
        words = f"Complications {moved:+d} = {self.points}: {self.why}" if moved else self.why
        return words + ("; a forced spend is owed" if self.owed and not world.now.owed else "")


class BonusChanged(Event, tag="bonus_changed"):
    """Somebody gained or used Bonus Dice."""

    rule = "Bonus Dice: one an hour or by award; declared before the roll; one die of the next tier up"
    who: str
    bonus_dice: int

    def apply(self, world: TiersWorld) -> TiersWorld:
        return put(world, self.who, bonus_dice=self.bonus_dice)

    def says(self, world: TiersWorld) -> str:
        moved = self.bonus_dice - person(world, self.who).bonus_dice
        return f"{world.name(self.who)}: Bonus Dice {moved:+d} = {self.bonus_dice}"


class HpChanged(Event, tag="hp_changed"):
    """Somebody was hurt or healed."""

    rule = "HP stop at 0, where a character is out, and at the sum of their levels"
    who: str
    hp: int

    def apply(self, world: TiersWorld) -> TiersWorld:
        world = put(world, self.who, hp=self.hp)
        if self.who in world.now.turns.fighters:
            return world.live(turns=world.now.turns.change(self.who, out=self.hp == 0))
        return world

    def _words(self, world: TiersWorld) -> str:
        was = person(world, self.who).hp
        if was == self.hp:
            return f"{world.name(self.who)}: HP stay at {was}"
        return f"{world.name(self.who)}: HP {was} → {self.hp}{' — out' if self.hp == 0 else ''}"

    def says(self, world: TiersWorld) -> str:
        if world.sheets[self.who].player:
            return self._words(world)
        # players see that somebody of the GM's is hurt, not how much is left
        return f"{world.name(self.who)} is out" if self.hp == 0 else ""

    def whispers(self, world: TiersWorld) -> str:
        return "" if world.sheets[self.who].player else self._words(world)


class ConsequenceChanged(Event, tag="consequence_changed"):
    """A Consequence began or ended."""

    rule = "Consequences: temporary for a session or two (5 points), lasting (10 points), or from outright failure"
    who: str
    id: str
    consequence: Consequence | None = None

    def apply(self, world: TiersWorld) -> TiersWorld:
        held = {k: c for k, c in person(world, self.who).consequences.items() if k != self.id}
        if self.consequence:
            held[self.id] = self.consequence
        return put(world, self.who, consequences=held)

    def says(self, world: TiersWorld) -> str:
        name = world.name(self.who)
        if self.consequence is None:
            return f"{name}: a Consequence ends: {person(world, self.who).consequences[self.id].what}"
        c = self.consequence
        lasts = "lasting" if c.lasting else f"{c.sessions} session{'s' if c.sessions != 1 else ''}"
        return f"{name}: Consequence ({lasts}): {c.what}"


class Boosted(Event, tag="boosted"):
    """An NPC's next roll has more dice, or used them."""

    rule = "2 Complication Points: +1 rank to an NPC's skill for one roll"
    who: str
    boost: int

    def apply(self, world: TiersWorld) -> TiersWorld:
        return put(world, self.who, boost=self.boost)

    def whispers(self, world: TiersWorld) -> str:
        return f"{world.name(self.who)}: +{self.boost} rank for the next roll" if self.boost else ""


def gain(world: TiersWorld, points: int, why: str) -> PointsChanged:
    """Points for the pool; at 10 or more a gain forces a spend."""
    now = world.now
    total = now.complications + points
    if not world.rules.points_above_ten:
        total = min(total, max(10, now.complications))
    return PointsChanged(total, why, now.owed or now.complications >= 10, now.due)


def spend(world: TiersWorld, points: int, why: str) -> PointsChanged:
    """Points out of the pool; what a forced spend asks for is met by a spend of that size or more."""
    now = world.now
    if points > now.complications:
        raise Refused(f"that costs {points} Complication Points and there are {now.complications}")
    left = now.complications - points
    return PointsChanged(left, why, now.owed, 0 if points >= now.due else min(now.due, left))


def lacks(world: TiersWorld, points: int) -> str:
    """Why the pool does not suffice; empty where it does."""
    have = world.now.complications
    return "" if have >= points else f"it costs {points} Complication Points and there are {have}"


def consequence(world: TiersWorld, who: str, what: str, *, lasting: bool, sessions: int) -> ConsequenceChanged:
    """A new Consequence under a number of its own."""
    held = person(world, who).consequences
    free = next(str(i) for i in range(1, len(held) + 2) if str(i) not in held)
    return ConsequenceChanged(who, free, Consequence(what, lasting, sessions))


def players(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Players' characters."""
    return [Choice(w, world.name(w)) for w in world.players()]


def npcs(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The GM's characters."""
    return [Choice(w, world.name(w)) for w in world.present() if not world.sheets[w].player]


def everybody(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody, with their HP."""
    return [Choice(w, f"{world.name(w)}  HP {person(world, w).hp}/{most_hp(world, w)}") for w in world.present()]


def amounts(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What points can be spent in words, and what a forced spend asks for."""
    have, due = world.now.complications, world.now.due
    sizes = sorted({1, 2, 5, 10} | ({due} if due else set()))
    return [Choice(n, closed="" if n <= have else f"there are {have}") for n in sizes]


def held_by(world: TiersWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The Consequences that somebody carries."""
    who = fields.get("who", "")
    return [Choice(i, c.what) for i, c in person(world, who).consequences.items()] if who in world.sheets else []


def carriers(world: TiersWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who carries a Consequence."""
    return [Choice(w, world.name(w)) for w in world.present() if person(world, w).consequences]


class AwardBonus(Action, tag="award"):
    """Give Bonus Dice: one an hour to every player, or to one for something clever, brave or in character."""

    title = "award a Bonus Die"
    key = "w"
    screens = ("table",)
    who: Annotated[tuple[str, ...], Ask(players)] = ()
    dice: Annotated[int, Meta(ge=1, le=10)] = 1

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return "" if world.players() else "there are no players' characters"

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        who = self.who or tuple(world.players())
        return tuple(BonusChanged(w, min(person(world, w).bonus_dice + self.dice, 99)) for w in who)


class Hurt(Action, tag="hurt"):
    """Take Health Points away without a roll: a fall, fire, poison."""

    title = "hurt"
    key = "e"
    screens = ("table",)
    who: Annotated[str, Ask(everybody)]
    points: Annotated[int, Meta(ge=1, le=1_000_000)]

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        return (HpChanged(self.who, max(person(world, self.who).hp - self.points, 0)),)


class Heal(Action, tag="heal"):
    """Give Health Points back, up to the most that levels give."""

    title = "heal"
    key = "h"
    screens = ("table",)
    who: Annotated[str, Ask(everybody)]
    points: Annotated[int, Meta(ge=1, le=1_000_000)]

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        hp = person(world, self.who).hp
        return (HpChanged(self.who, max(min(hp + self.points, most_hp(world, self.who)), hp)),)


class Boost(Action, tag="boost"):
    """Spend 2 Complication Points: an NPC's next roll has +1 rank."""

    title = "boost an NPC"
    key = "y"
    screens = ("table",)
    who: Annotated[str, Ask(npcs)]

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return lacks(world, 2)

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        why = f"{world.name(self.who)} rises to it"
        return (spend(world, 2, why), Boosted(self.who, person(world, self.who).boost + 1))


class Spend(Action, tag="spend"):
    """Spend Complication Points on a turn of the story, told in words; also meets a forced spend."""

    title = "spend complications"
    key = "c"
    screens = ("table", "challenge")
    points: Annotated[int, Ask(amounts)]
    on: Annotated[str, Meta(max_length=200)] = ""

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        return lacks(world, 1)

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        return (spend(world, self.points, self.on.strip() or "the GM changes the story"),)


class ForcedSpend(Action, tag="forced_spend"):
    """Roll the d10 that says how many Complication Points the GM must spend now."""

    title = "forced spend"
    key = "f"
    screens = ("table", "challenge")

    @classmethod
    def when(cls, world: TiersWorld) -> str:
        if world.now.due:
            return f"the {world.now.due} of the last one are not spent yet"
        return "" if world.now.owed else "no forced spend is owed"

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        (face,) = dice.roll("forced spend", 10)
        size = 1 if face <= 3 else 2 if face <= 6 else 5 if face <= 9 else 10
        due = min(size, world.now.complications)
        words = f"forced spend: a {face}, so {due} point{'s' if due != 1 else ''} must be spent"
        return (PointsChanged(world.now.complications, words, False, due),)


class EndConsequence(Action, tag="shed"):
    """End a Consequence: its time is over, or a side quest resolved it."""

    title = "end a Consequence"
    key = "k"
    screens = ("table",)
    who: Annotated[str, Ask(carriers)]
    consequence: Annotated[str, Ask(held_by)]

    def resolve(self, world: TiersWorld, dice: Dice) -> tuple[Event, ...]:
        return (ConsequenceChanged(self.who, self.consequence),)


def next_session(world: TiersWorld) -> dict[str, Person]:
    """When a session begins, temporary Consequences have one session less, and end after their last."""
    out = {}
    for who in world.sheets:
        them = person(world, who)
        held = {
            i: c if c.lasting else replace(c, sessions=c.sessions - 1)
            for i, c in them.consequences.items()
            if c.lasting or c.sessions > 1
        }
        out[who] = replace(them, consequences=held)
    return out
