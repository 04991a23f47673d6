"""Who takes part: dropping in foes, delaying, skipping, going down, being revealed, conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...rules import Action, Ask, Choice, Dice, Event, Fighter, Refused
from ...rules.common import BeginCondition, Ends, endings, moment
from ...rules.order import FOES, HEROES, FighterChanged, fighting, side_of
from .encounter import copy_names, passes_on
from .hazards import any_zone
from .world import HERE, MOST_COUNT, No1World, cast, hidden, running, side, turn_used, zone_name


class Joined(Event, tag="joined"):
    """Somebody, or several of a kind, came into the encounter."""

    rule = "identical foes share a sheet; each has a turn of its own"
    name: str
    fighters: dict[str, Fighter]
    zone: str
    copies: dict[str, str] = {}
    where: str = ""
    """What the table calls the zone."""

    def apply(self, world: No1World) -> No1World:
        now = world.now
        turns = replace(
            now.turns,
            order=(*now.turns.order, *(w for w in self.fighters if w not in now.turns.order)),
            fighters={**now.turns.fighters, **self.fighters},
        )
        return world.live(
            turns=turns,
            positions={**now.positions, **dict.fromkeys(self.fighters, self.zone)},
            copies={**now.copies, **self.copies},
        )

    def _words(self) -> str:
        count = len(self.fighters)
        where = f" ({self.where})" if self.where else ""
        return f"{self.name} joins{where}" if count == 1 else f"{count} × {self.name} join{where}"

    def _unseen(self) -> bool:
        return any(f.hidden for f in self.fighters.values())

    def says(self, world: No1World) -> str:
        return "" if self._unseen() else self._words()

    def whispers(self, world: No1World) -> str:
        return f"{self._words()}, unseen" if self._unseen() else ""


class Passed(Event, tag="passed"):
    """Somebody does without the rest of their turn, or without all of it."""

    rule = "nobody goes twice in a round"
    who: str

    def apply(self, world: No1World) -> No1World:
        turns = world.now.turns.with_acted([self.who])
        return world.live(turns=replace(turns, current="" if turns.current == self.who else turns.current))

    def says(self, world: No1World) -> str:
        return "" if hidden(world, self.who) else f"{world.name(self.who)} is done for this round"

    def whispers(self, world: No1World) -> str:
        return f"{world.name(self.who)} is done for this round, unseen" if hidden(world, self.who) else ""


def newcomers(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The scene's foes first, then everybody else; players' characters join once."""
    scene = world.scenes.get(world.now.scene)
    prepared = list(scene.foes) if scene else []
    inside = world.now.turns.fighters
    people = sorted(world.present(), key=lambda w: (w not in prepared, bool(world.sheets[w].player)))
    return [
        Choice(w, world.name(w), "is here already" if w in inside and world.sheets[w].player else "") for w in people
    ]


def own_zone(world: No1World, who: str) -> str:
    """Where the scene puts somebody; else its first zone."""
    scene, zones = world.scenes.get(world.now.scene), world.now.zones
    wanted = scene.foes[who].zone if scene and who in scene.foes else ""
    return wanted if wanted in zones else next(iter(zones), HERE)


def entries(world: No1World, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every zone, first the one where the scene would have them."""
    first = own_zone(world, fields.get("who", ""))
    return sorted(any_zone(world, fields), key=lambda c: c.value != first)


def sides(world: No1World, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The side that somebody joins: players' characters their own, all others either."""
    sheet = world.sheets.get(fields.get("who", ""))
    theirs = "is a player's character" if sheet and sheet.player else ""
    return [Choice(FOES, closed=theirs), Choice(HEROES, f"{HEROES}, as an ally" if not theirs else HEROES)]


class DropIn(Action, tag="join"):
    """Drop foes in, one or several of a kind, hidden or not; or let a hero or an ally arrive. They act this round."""

    title = "drop in"
    key = "j"
    screens = ("table",)
    who: Annotated[str, Ask(newcomers)]
    count: Annotated[int, Meta(ge=1, le=MOST_COUNT)] = 1
    zone: Annotated[str, Ask(entries, first=True)] = ""
    hidden: bool = False
    side: Annotated[str, Ask(sides)] = ""

    @classmethod
    def when(cls, world: No1World) -> str:
        return running(world)

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        now, side = world.now, self.side or side_of(world, self.who)
        if world.sheets[self.who].player and self.count > 1:
            raise Refused(f"{world.name(self.who)} is one of a kind", remedy="Drop in one.")
        if side == HEROES and self.hidden:
            raise Refused("the players see their own side", remedy="Drop them in unhidden.")
        alone = self.count == 1 and self.who not in now.turns.fighters and self.who not in now.copies.values()
        names = [self.who] if alone else copy_names(world, self.who, self.count, now.turns.order)
        fighters = {w: Fighter(side, hidden=self.hidden) for w in names}
        zone = self.zone or own_zone(world, self.who)
        where = zone_name(world, zone) if len(now.zones) > 1 else ""
        return (Joined(world.name(self.who), fighters, zone, {} if alone else dict.fromkeys(names, self.who), where),)


class Delay(Action, tag="delay"):
    """Whoever is up steps back and goes later in the round."""

    title = "delay"
    key = "z"
    screens = ("table",)

    @classmethod
    def when(cls, world: No1World) -> str:
        turns = world.now.turns
        if why := running(world):
            return why
        if not turns.current:
            return "nobody is up"
        if turn_used(world, turns.current):
            return "their turn has begun"
        mine = side(world, turns.current)
        return "" if turns.waiting(mine) else f"nobody else of the {mine} is left to go first"

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        turns, who = world.now.turns, world.now.turns.current
        return (FighterChanged(who, turns.fighters[who], turns.order.index(who), "delays"),)


def waiting(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Whoever is up, and those who have not acted."""
    turns = world.now.turns
    up = [turns.current] if turns.current else []
    return [Choice(w, world.name(w)) for w in [*up, *turns.waiting()]]


class Skip(Action, tag="skip"):
    """End somebody's turn, or let them do without one this round."""

    title = "skip"
    key = "k"
    screens = ("table",)
    who: Annotated[str, Ask(waiting)]

    @classmethod
    def when(cls, world: No1World) -> str:
        return running(world)

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        ended = moment(world, "end", self.who) if self.who == world.now.turns.current else ()
        return (*ended, Passed(self.who))


class Down(Action, tag="down"):
    """Take somebody out of the fight: down, fled, bought off; or bring them back into it."""

    title = "out / back"
    key = "o"
    screens = ("table",)
    who: Annotated[str, Ask(fighting)]

    @classmethod
    def when(cls, world: No1World) -> str:
        return running(world)

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        turns = world.now.turns
        fighter = turns.fighters[self.who]
        what = "is back in the fight" if fighter.out else "is out of the fight"
        acted = fighter.acted or (self.who == turns.current and turn_used(world, self.who))
        changed = FighterChanged(
            self.who, replace(fighter, out=not fighter.out, acted=acted), turns.order.index(self.who), what
        )
        return (changed, *passes_on(changed.apply(world).now.turns))


def in_sight(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody in the order, the hidden first."""
    duel = world.now.duel
    busy = (duel.challenger, duel.other) if duel and duel.stage != "over" else ()
    names = sorted(world.now.turns.order, key=lambda w: not hidden(world, w))
    return [
        Choice(
            w,
            f"{world.name(w)}{' (hidden)' if hidden(world, w) else ''}",
            "is in a contest" if w in busy else "",
        )
        for w in names
    ]


class Reveal(Action, tag="reveal"):
    """Show a hidden one to the players, or hide one again."""

    title = "reveal / hide"
    key = "i"
    screens = ("table",)
    who: Annotated[str, Ask(in_sight)]

    @classmethod
    def when(cls, world: No1World) -> str:
        return running(world)

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        turns = world.now.turns
        fighter = turns.fighters[self.who]
        if fighter.side == HEROES and not fighter.hidden:
            raise Refused("the players see their own side", remedy="Put a condition on them instead.")
        changed = replace(fighter, hidden=not fighter.hidden)
        what = "appears" if fighter.hidden else "is gone from sight"
        return (FighterChanged(self.who, changed, turns.order.index(self.who), what),)


def afflicted(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody about, identical foes one by one; conditions are told to all, so the hidden have none."""
    names = dict.fromkeys([*cast(world), *world.present()])
    return [Choice(w, world.name(w), "is hidden: reveal them first" if hidden(world, w) else "") for w in names]


class Afflict(Action, tag="condition"):
    """Put a condition on somebody; it ends by itself at a turn's start or end, or stays until removed."""

    title = "condition"
    key = "f"
    screens = ("table",)
    who: Annotated[str, Ask(afflicted)]
    what: Annotated[str, Meta(max_length=120)]
    ends: Annotated[Ends, Ask(endings)] = ""
    left: Annotated[int, Meta(ge=1, le=100, title="how often", description="the next one ends it")] = 1

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        return BeginCondition(self.who, self.what, self.ends, self.left).resolve(world, dice)
