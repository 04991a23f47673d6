"""Encounters: the opening test, rounds and the Timer, the comparison at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, structs
from msgspec.structs import replace

from ...kit import common
from ...kit.cast import met, out_of_mind
from ...kit.common import ConditionTicked, SceneEntered, moment, plural
from ...kit.order import FOES, HEROES
from ...kit.scenes import in_order
from ...kit.told import Told
from ...kit.turn_events import RoundBegan
from ...rules import Ask, Choice, Dice, Event, Fighter, Model, Refused, Turns
from .able import EncounterAction, TableAction, fighting_it_out, running, turn_used, waits
from .cast import copy_names
from .challenge import TimeUp, turned
from .dice import challenge_dice
from .initiative import passes_on, time_left
from .spending import moved
from .world import CLEARED, HERE, MOST_CHALLENGE, No1Scene, No1World, Opening, Zone, is_hero

# ---- it begins


class Ready(Model):
    """What was made ready in a scene before its encounter began."""

    advantages: dict[str, dict[str, int]] = {}
    makers: dict[str, dict[str, dict[str, int]]] = {}
    defied: dict[str, int] = {}
    boosts: dict[str, int] = {}


class Mustered(Event, tag="mustered"):
    """Everybody takes their place; the turn order is open."""

    rule = "the BAMF sets Challenge and a Timer in rounds; each turn is one Shift and one Action"
    turns: Turns
    challenge: int
    zones: dict[str, Zone]
    positions: dict[str, str]
    copies: dict[str, str]
    ready: Ready = Ready()
    """Nothing in logs of older versions."""

    def apply(self, world: No1World) -> No1World:
        hidden = [self.copies.get(w, w) for w, fighter in self.turns.fighters.items() if fighter.hidden]
        seen: No1World = out_of_mind(world, hidden)
        return seen.live(
            turns=self.turns,
            challenge=self.challenge,
            zones=self.zones,
            positions=self.positions,
            copies=self.copies,
            verdict="",
            **{**CLEARED, **structs.asdict(self.ready)},
        )

    def says(self, world: No1World) -> str:
        timer = "" if self.turns.timer is None else f", Timer {self.turns.timer}"
        return f"The encounter begins: Challenge {self.challenge}{timer}"


class InitiativeTaken(Event, tag="initiative_taken"):
    """A side acts first."""

    rule = "both teams roll Challenge dice; more hits acts first; a tie is a house ruling"
    holder: str
    opening: Opening | None = None
    heroes: int = 0
    foes: int = 0

    def apply(self, world: No1World) -> No1World:
        return world.live(turns=replace(world.now.turns, holder=self.holder), opening=self.opening)

    def says(self, world: No1World) -> str:
        if self.opening is None:
            return f"The {self.holder} act first"
        return f"Opening: heroes {plural(self.heroes, 'hit')}, foes {self.foes}: the {self.holder} act first"

    def outcome(self) -> Mapping[str, str | int]:
        return {"outcome": first_words(self.holder)} if self.opening else {}


def first_words(side: str) -> str:
    """An outcome of the opening test."""
    return f"{side} act first"


def scenes(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every prepared scene, the one that is on first; or none."""
    titles = {i: world.scenes[i].title for i in sorted(world.scenes, key=lambda i: i != world.now.scene)}
    return [Choice(i, title, nobody_there(world, i)) for i, title in (titles | {"": "nothing prepared"}).items()]


def nobody_there(world: No1World, id_: str) -> str:
    """Why an encounter cannot begin; empty where somebody would take part."""
    return "" if muster(world, id_, 0, 0).turns.order else "nobody would take part"


def muster(world: No1World, id_: str, challenge: int, timer: int) -> Mustered:
    """Who stands where: players' characters and their allies, then the scene's foes.

    A scene that is on already stays as it is: its zones, whoever stands in one, and what was made ready there.
    """
    now, scene = world.now, world.scenes.get(id_) or No1Scene("", challenge=world.now.challenge)
    on = now.zones if id_ in ("", now.scene) else {}
    zones = {**scene.zones, **on} or {HERE: Zone(HERE)}
    # of several foes of a kind each is made anew
    positions = {w: zone for w, zone in now.positions.items() if w not in now.copies} if on else {}
    heroes = team(world, scene)
    fighters = {w: Fighter(HEROES) for w in heroes}
    wanted = {w: scene.heroes.get(w, "") for w in heroes}
    copies: dict[str, str] = {}
    for sheet, foe in scene.foes.items():
        if sheet in now.retired:
            continue
        names = [sheet] if foe.count == 1 else copy_names(world, sheet, foe.count, list(fighters))
        fighters |= {w: Fighter(FOES, hidden=foe.hidden) for w in names}
        wanted |= dict.fromkeys(names, foe.zone)
        copies |= {w: sheet for w in names if w != sheet}
    positions = {**places(zones, wanted), **positions}
    turns = Turns("popcorn", 1, timer or scene.timer or None, HEROES, "", tuple(fighters), fighters)
    ready = Ready(now.advantages, now.makers, now.defied, now.boosts) if id_ in ("", now.scene) else Ready()
    return Mustered(turns, challenge or scene.challenge, zones, positions, copies, ready)


def team(world: No1World, scene: No1Scene) -> list[str]:
    """The players' side in a scene: their characters, and the allies whom it names."""
    allies = [w for w in scene.heroes if w in world.sheets and w not in world.players()]
    return [w for w in (*world.players(), *allies) if w not in world.now.retired and w not in scene.foes]


def places(zones: Mapping[str, Zone], wanted: Mapping[str, str]) -> dict[str, str]:
    """Where everybody begins: where they are wanted, else in the first zone."""
    return {who: zone if zone in zones else next(iter(zones)) for who, zone in wanted.items()}


def opening_test(world: No1World, dice: Dice) -> InitiativeTaken:
    """Both teams roll as many dice as the Challenge."""
    rules, sides = world.rules, world.rules.plain_die
    pool = [sides] * challenge_dice(world)
    mine, theirs = dice.roll("heroes: opening", *pool), dice.roll("foes: opening", *pool)
    ours, others = (sum(f >= rules.target for f in faces) for faces in (mine, theirs))
    first = rules.opening_tie if ours == others else HEROES if ours > others else FOES
    return InitiativeTaken(first, Opening(mine, theirs, sides), ours, others)


class Begin(TableAction, tag="begin"):
    """Begin an encounter: from a prepared scene, or with whoever is about. An opening test says who acts first."""

    title = "begin"
    key = "b"
    leads_to = "table"
    scene: Annotated[str, Ask(scenes, first=True)] = ""
    first: Literal["roll", "heroes", "foes"] = "roll"
    challenge: Annotated[int, Meta(ge=0, le=MOST_CHALLENGE, description="as prepared, else 1")] = 0
    timer: Annotated[int, Meta(ge=0, le=100, description="as prepared, else none")] = 0

    @classmethod
    def when(cls, world: No1World) -> str:
        if why := waits(world) or fighting_it_out(world):
            return why
        return "an encounter is running" if world.now.turns.running else ""

    def mustered(self, world: No1World) -> Mustered:
        """Who takes part, before any die falls."""
        made = muster(world, self.scene, self.challenge, self.timer)
        if not made.turns.order:
            raise Refused("there is nobody to take part", remedy="Add a character with a player, or choose a scene.")
        return made

    def contested(self, turns: Turns) -> bool:
        """Is there an opening test? Not where the players see nobody to roll against."""
        seen = {f.side for f in turns.fighters.values() if not f.hidden}
        return self.first == "roll" and len(seen) == 2

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        made = self.mustered(world)
        entered = [SceneEntered(self.scene)] if self.scene and self.scene != world.now.scene else []
        fresh = [] if world.rules.keep_counters else [replace(moved(world), momentum=0, entropy=0)]
        if self.contested(made.turns):
            return (*entered, *fresh, made, opening_test(made.apply(world), dice))
        seen = [f.side for f in made.turns.fighters.values() if not f.hidden]
        there = [self.first, *seen, *made.turns.sides()]
        return (*entered, *fresh, made, InitiativeTaken(next(s for s in there if s in made.turns.sides())))


# ---- rounds


def named(names: Sequence[str]) -> str:
    """Names in a row; of many the first five."""
    more = f" and {len(names) - 5} more" if len(names) > 6 else ""
    return f"{', '.join(names[:5] if more else names)}{more}"


class RoundCut(Told, tag="round_cut"):
    """The BAMF ended a round in which not everybody had acted."""

    rule = "a round is over when all have acted, or by the BAMF's word"
    left: tuple[str, ...]

    def apply(self, world: No1World) -> No1World:
        return world

    def words(self, world: No1World) -> str:
        told, unseen = self.open_words(world), [world.name(w) for w in self.left if world.is_hidden(w)]
        if told and unseen:  # the others are told to everybody
            return f"and without {named(unseen)}, unseen"
        return told or (f"{self._without(unseen)}, unseen" if unseen else "")

    def open_words(self, world: No1World) -> str:
        return self._without([world.name(w) for w in self.left if not world.is_hidden(w)])

    def is_secret(self, world: No1World) -> bool:
        return any(world.is_hidden(w) for w in self.left)

    @staticmethod
    def _without(names: Sequence[str]) -> str:
        return f"The round ends early, without {named(names)}" if names else ""


def still_to_act(world: No1World) -> tuple[str, ...]:
    """Who would lose their turn if the round ended now."""
    turns = world.now.turns
    up = turns.current
    return (*([up] if up and not turn_used(world, up) else []), *turns.waiting())


class EndRound(EncounterAction, tag="end_round"):
    """End the round: everybody may act again and the Timer drops by 1. At 0 Momentum and Entropy are compared."""

    title = "end round"
    key = "d"
    when = staticmethod(time_left)

    @classmethod
    def warns(cls, world: No1World) -> str:
        left = [world.name(w) for w in still_to_act(world)]
        if not left:
            return ""
        names = left[0] if len(left) == 1 else f"{left[0]} and {plural(len(left) - 1, 'other')}"
        return f"{names} {'has' if len(left) == 1 else 'have'} not acted. End the round?"

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        now, turns = world.now, world.now.turns
        left, up = still_to_act(world), turns.current
        ended = moment(world, "end", up) if up and up not in left else ()
        before = (*([RoundCut(left)] if left else []), *ended, *moment(world, "round"))
        timer = None if turns.timer is None else max(turns.timer - 1, 0)
        if timer == 0:
            return (*before, TimeUp(), turned(now.momentum, now.entropy))
        return (*before, *passes_on(turns), RoundBegan(turns.round + 1, timer))


# ---- it ends


class EncounterClosed(Event, tag="encounter_closed"):
    """The encounter is over: no turn order and no foes; the counters, spent ranks and the scene's zones stay."""

    rule = "Momentum and Entropy outlast an encounter, and so do the zones of a scene"
    zones: dict[str, Zone] = {}
    positions: dict[str, str] = {}
    """Who of the players' side stays where."""

    def apply(self, world: No1World) -> No1World:
        now = world.now
        return world.live(
            turns=Turns(),
            zones=self.zones,
            positions=self.positions,
            copies={},
            spent={w: s for w, s in now.spent.items() if w not in now.copies},
            **CLEARED,
        )

    def says(self, world: No1World) -> str:
        return f"The encounter ends in round {world.now.turns.round}"


def compared(world: No1World) -> str:
    """Which way the scene would turn now."""
    return turned(world.now.momentum, world.now.entropy).says(world)


class End(EncounterAction, tag="end"):
    """End the encounter: Momentum and Entropy say which way the scene turns."""

    title = "end encounter"
    key = "x"

    @classmethod
    def when(cls, world: No1World) -> str:
        return running(world) or fighting_it_out(world)

    @classmethod
    def warns(cls, world: No1World) -> str:
        return "" if world.now.turns.timer == 0 else f"{compared(world)}. End the encounter?"

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        return ending(world)


def ending(world: No1World) -> tuple[Event, ...]:
    """What the end of an encounter brings. The players' side stays where it is, in the zones of the scene."""
    now = world.now
    ended = tuple(ConditionTicked(i, 0) for i, c in now.conditions.items() if c.ends or c.who in now.copies)
    zones = {} if list(now.zones) == [HERE] else now.zones
    stay = {w: z for w, z in now.positions.items() if z in zones and w not in now.copies and is_hero(world, w)}
    shown = (now.copies[w] for w, f in now.turns.fighters.items() if w in now.copies and not f.hidden)
    return (*ended, *met(world, shown), EncounterClosed(zones, stay), turned(now.momentum, now.entropy))


# ---- scenes


class ZonesLaid(Event, tag="zones_laid"):
    """The zones of a scene are in play, and the players' side stands in them."""

    rule = "zones and hazards count whenever a scene that has them is in play, encounter or not"
    zones: dict[str, Zone]
    positions: dict[str, str]

    def apply(self, world: No1World) -> No1World:
        # which way another scene turned is over with it
        return world.live(
            zones=self.zones, positions=self.positions, advantages={}, makers={}, roll=None, checked=None, verdict=""
        )


def laid(world: No1World, id_: str) -> ZonesLaid:
    """The zones of a prepared scene, with the players' side where it begins."""
    scene = world.scenes[id_]
    wanted = {w: scene.heroes.get(w, "") for w in team(world, scene)}
    return ZonesLaid(scene.zones, places(scene.zones, wanted) if scene.zones else {})


def other_scenes(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every prepared scene; the one that is on can be laid out anew while no encounter runs."""
    on = "its encounter is running" if world.now.turns.running else ""
    again = {world.now.scene: (" (as it was prepared)", on)}
    found = [(i, world.scenes[i].title, *again.get(i, ("", ""))) for i in in_order(world)]
    return [Choice(i, f"{title}{note}", closed) for i, title, note, closed in sorted(found, key=lambda f: bool(f[2]))]


class EnterScene(common.EnterScene, tag="scene"):
    """Move to a prepared scene: its zones and hazards are in play at once. An encounter that runs ends with it."""

    scene: Annotated[str, Ask(other_scenes)]

    @classmethod
    def when(cls, world: No1World) -> str:
        return waits(world) or fighting_it_out(world)

    @classmethod
    def warns(cls, world: No1World) -> str:
        now = world.now
        words = f"The encounter ends with it, in round {now.turns.round}: {compared(world)}"
        return f"{words}. Move to another scene?" if now.turns.running else ""

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        ended = ending(world) if world.now.turns.running else ()
        return (*ended, SceneEntered(self.scene), laid(world, self.scene))
