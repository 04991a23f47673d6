"""Who takes part: dropping in, going down, being revealed, conditions."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit import order
from ...kit.cast import out_of_mind
from ...kit.common import BeginCondition
from ...kit.order import FOES, HEROES, changed, fighting, side_of
from ...kit.told import Told
from ...rules import Ask, Choice, Dice, Event, Fighter, Refused
from .able import EncounterAction, running, turn_used
from .hazards import any_zone
from .initiative import passes_on
from .world import HERE, MOST_COUNT, No1World, cast, zone_name


class Joined(Told, tag="joined"):
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
        hidden = [self.copies.get(w, w) for w, fighter in self.fighters.items() if fighter.hidden]
        seen: No1World = out_of_mind(world, hidden)
        return seen.live(
            turns=turns,
            positions={**now.positions, **dict.fromkeys(self.fighters, self.zone)},
            copies={**now.copies, **self.copies},
        )

    def words(self, world: No1World) -> str:
        count = len(self.fighters)
        who = f"{self.name} joins" if count == 1 else f"{count} × {self.name} join"
        return who + (f" ({self.where})" if self.where else "") + (", unseen" if self.is_secret(world) else "")

    def is_secret(self, world: No1World) -> bool:
        return any(f.hidden for f in self.fighters.values())


def copy_names(world: No1World, sheet: str, count: int, taken: Sequence[str]) -> list[str]:
    """Ids for several identical foes: the sheet's name and a number, so that they read well everywhere."""
    names = (f"{world.name(sheet)} {number}" for number in itertools.count(1))
    return list(itertools.islice((n for n in names if n not in taken and n not in world.sheets), count))


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


SEEN = "the players see their own side"


def unseen(world: No1World, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """May somebody come in hidden? Players see their own characters."""
    sheet = world.sheets.get(fields.get("who", ""))
    return [Choice(False, "no"), Choice(True, "yes", SEEN if sheet and sheet.player else "")]


def sides(world: No1World, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The side that somebody joins: players' characters their own, all others either; nobody hides among allies."""
    sheet = world.sheets.get(fields.get("who", ""))
    theirs = "is a player's character" if sheet and sheet.player else ""
    words = HEROES if theirs else f"{HEROES}, as an ally"
    return [Choice(FOES, closed=theirs), Choice(HEROES, words, SEEN if fields.get("hidden") else "")]


class DropIn(EncounterAction, tag="join"):
    """Drop foes in, one or several of a kind, hidden or not; or let a hero or an ally arrive. They act this round."""

    title = "drop in"
    key = "j"
    who: Annotated[str, Ask(newcomers)]
    count: Annotated[int, Meta(ge=1, le=MOST_COUNT)] = 1
    zone: Annotated[str, Ask(entries, first=True)] = ""
    hidden: Annotated[bool, Ask(unseen)] = False
    side: Annotated[str, Ask(sides)] = ""

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        now, side = world.now, self.side or side_of(world, self.who)
        if world.sheets[self.who].player and self.count > 1:
            raise Refused(f"{world.name(self.who)} is one of a kind", remedy="Drop in one.")
        alone = self.count == 1 and self.who not in now.turns.fighters and self.who not in now.copies.values()
        names = [self.who] if alone else copy_names(world, self.who, self.count, now.turns.order)
        fighters = {w: Fighter(side, hidden=self.hidden) for w in names}
        zone = self.zone or own_zone(world, self.who)
        where = zone_name(world, zone) if len(now.zones) > 1 else ""
        return (Joined(world.name(self.who), fighters, zone, {} if alone else dict.fromkeys(names, self.who), where),)


class Down(EncounterAction, tag="down"):
    """Take somebody out of the fight: down, fled, bought off; or bring them back into it."""

    title = "out / back"
    key = "o"
    done_to = "who"
    who: Annotated[str, Ask(fighting)]

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        turns = world.now.turns
        fighter = turns.fighters[self.who]
        what = "is back in the fight" if fighter.out else "is out of the fight"
        acted = fighter.acted or (self.who == turns.current and turn_used(world, self.who))
        event = changed(world, self.who, what, out=not fighter.out, acted=acted)
        return (event, *passes_on(event.apply(world).now.turns))


def can_hide(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody in the order who is seen, the foes first; closed for those who cannot hide."""
    duel = world.now.duel
    fighters = world.now.turns.fighters
    stay = {w: SEEN for w, f in fighters.items() if f.side == HEROES}
    stay |= dict.fromkeys((duel.challenger, duel.other), "is in a contest") if duel and duel.stage != "over" else {}
    seen = [Choice(w, world.name(w), stay.get(w, "")) for w in world.now.turns.order if not world.is_hidden(w)]
    return sorted(seen, key=lambda c: bool(c.closed))


class Reveal(order.Reveal, tag="reveal"):
    """Show somebody who is hidden to the players."""

    key = "i"
    screens = ("table",)

    @classmethod
    def when(cls, world: No1World) -> str:
        return running(world) or super().when(world)


class Hide(EncounterAction, order.Hide, tag="hide"):
    """Hide a foe from the players, until it is revealed or rolls."""

    who: Annotated[str, Ask(can_hide)]


def afflicted(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody about, identical foes one by one; conditions are told to all, so the hidden have none."""
    names = dict.fromkeys([*cast(world), *world.present()])
    return [Choice(w, world.name(w), "is hidden: reveal them first" if world.is_hidden(w) else "") for w in names]


class Afflict(BeginCondition, tag="condition"):
    """Put a condition on somebody; it ends by itself at a turn's start or end, or stays until removed."""

    key = "f"
    screens = ("table",)
    who: Annotated[str, Ask(afflicted)]
    what: Annotated[str, Meta(max_length=120)]  # any word: the game names none
