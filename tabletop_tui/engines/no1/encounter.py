"""Encounters: the opening test, who goes next, rounds and the Timer, the comparison at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from ...rules import Action, Ask, Choice, Dice, Event, Fighter, Refused, Turns
from ...rules.common import ConditionTicked, SceneEntered, moment
from ...rules.order import FOES, HEROES, FighterChanged, RoundBegan, TurnBegan
from .dice import challenge_dice
from .spending import VERDICTS, SceneTurned, moved, time_up, verdict
from .world import (
    HERE,
    MOST_CHALLENGE,
    No1Scene,
    No1World,
    Opening,
    Zone,
    fighting_it_out,
    other_side,
    out_of_time,
    plural,
    running,
    turn_used,
    waits,
)

# ---- it begins


class Mustered(Event, tag="mustered"):
    """Everybody takes their place; the turn order is open."""

    rule = "the GM sets Challenge and a Timer in rounds; each turn is one Shift and one Action"
    turns: Turns
    challenge: int
    zones: dict[str, Zone]
    positions: dict[str, str]
    copies: dict[str, str]

    def apply(self, world: No1World) -> No1World:
        return world.live(
            turns=self.turns,
            challenge=self.challenge,
            zones=self.zones,
            positions=self.positions,
            copies=self.copies,
            advantages={},
            defied={},
            boosts={},
            shifted={},
            taken={},
            roll=None,
            opening=None,
            duel=None,
            verdict="",
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
    ordered = sorted(world.scenes.items(), key=lambda s: s[0] != world.now.scene)
    return [*(Choice(i, s.title) for i, s in ordered), Choice("", "nothing prepared")]


def copy_names(world: No1World, sheet: str, count: int, taken: Sequence[str]) -> list[str]:
    """Ids for several identical foes: the sheet's name and a number, so that they read well everywhere."""
    found: list[str] = []
    name, number = world.name(sheet), 1
    while len(found) < count:
        if (one := f"{name} {number}") not in taken and one not in world.sheets:
            found.append(one)
        number += 1
    return found


def muster(world: No1World, scene: No1Scene, challenge: int, timer: int) -> Mustered:
    """Who stands where: players' characters and their allies, then the scene's foes."""
    zones = scene.zones or {HERE: Zone(HERE)}
    first = next(iter(zones))
    heroes = [*world.players(), *(w for w in scene.heroes if w in world.sheets and w not in world.players())]
    heroes = [w for w in heroes if w not in world.now.retired and w not in scene.foes]
    fighters = {w: Fighter(HEROES) for w in heroes}
    positions = {w: scene.heroes.get(w, "") or first for w in heroes}
    copies: dict[str, str] = {}
    for sheet, foe in scene.foes.items():
        if sheet in world.now.retired:
            continue
        names = [sheet] if foe.count == 1 else copy_names(world, sheet, foe.count, list(fighters))
        fighters |= {w: Fighter(FOES, hidden=foe.hidden) for w in names}
        positions |= dict.fromkeys(names, foe.zone or first)
        copies |= {w: sheet for w in names if w != sheet}
    turns = Turns("popcorn", 1, timer or None, HEROES, "", tuple(fighters), fighters)
    return Mustered(turns, challenge, zones, positions, copies)


def opening_test(world: No1World, dice: Dice) -> InitiativeTaken:
    """Both teams roll as many dice as the Challenge."""
    rules, sides = world.rules, world.rules.plain_die
    pool = [sides] * challenge_dice(world)
    mine, theirs = dice.roll("heroes: opening", *pool), dice.roll("foes: opening", *pool)
    ours, others = (sum(f >= rules.target for f in faces) for faces in (mine, theirs))
    first = rules.opening_tie if ours == others else HEROES if ours > others else FOES
    return InitiativeTaken(first, Opening(mine, theirs, sides), ours, others)


class Begin(Action, tag="begin"):
    """Begin an encounter: from a prepared scene, or with whoever is about. An opening test says who acts first."""

    title = "begin"
    key = "b"
    screens = ("table",)
    scene: Annotated[str, Ask(scenes)] = ""
    first: Literal["roll", "heroes", "foes"] = "roll"
    challenge: Annotated[int, Meta(ge=0, le=MOST_CHALLENGE, description="the scene's own")] = 0
    timer: Annotated[int, Meta(ge=0, le=100, description="the scene's own")] = 0

    @classmethod
    def when(cls, world: No1World) -> str:
        if why := waits(world) or fighting_it_out(world):
            return why
        return "an encounter is running" if world.now.turns.running else ""

    def mustered(self, world: No1World) -> Mustered:
        """Who takes part, before any die falls."""
        scene = world.scenes.get(self.scene) or No1Scene("", challenge=world.now.challenge)
        made = muster(world, scene, self.challenge or scene.challenge, self.timer or scene.timer)
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
        seen = {f.side for f in made.turns.fighters.values() if not f.hidden}
        holder = self.first if self.first != "roll" else FOES if seen == {FOES} else HEROES
        return (*entered, *fresh, made, InitiativeTaken(holder))


# ---- who goes next


def may_go(world: No1World) -> list[str]:
    """Who can take the next turn: the side with the Initiative, or the other when all of it have acted.

    Hidden ones go by the same rule but are no help to their side: who may go must not tell the players that somebody
    is there.
    """
    turns = world.now.turns
    waiting = turns.waiting()
    seen = [w for w in waiting if not turns.fighters[w].hidden]
    holding = [w for w in seen if turns.fighters[w].side == turns.holder]
    unseen = [w for w in waiting if turns.fighters[w].hidden]
    return [*(holding or seen), *(w for w in unseen if not holding or turns.fighters[w].side == turns.holder)]


def pickable(world: No1World, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Those who can go next, then those who cannot, with the reason."""
    turns, ready = world.now.turns, may_go(world)
    rest = [w for w in turns.order if w not in ready and not turns.fighters[w].out]
    return [
        *(Choice(w, world.name(w)) for w in ready),
        *(Choice(w, world.name(w), _why_not(world, w)) for w in rest),
    ]


def _why_not(world: No1World, who: str) -> str:
    turns = world.now.turns
    if turns.fighters[who].acted:
        return "has acted this round"
    return "is up now" if who == turns.current else f"the {turns.holder} hold the Initiative"


def _time_left(world: No1World) -> str:
    return running(world) or out_of_time(world)


class InitiativePassed(Event, tag="initiative_passed"):
    """The side that held the Initiative has nobody left to hold it."""

    rule = "a side of which nobody is left in the fight holds nothing"
    holder: str

    def apply(self, world: No1World) -> No1World:
        return world.live(turns=replace(world.now.turns, holder=self.holder))

    def says(self, world: No1World) -> str:
        return f"Nobody of the {other_side(self.holder)} is left: the {self.holder} hold the Initiative"


def passes_on(turns: Turns) -> tuple[Event, ...]:
    """The Initiative goes over where nobody of its side is seen in the fight, and somebody of the other is."""
    left = {f.side for f in turns.fighters.values() if not f.out and not f.hidden}
    return () if turns.holder in left or not left else (InitiativePassed(other_side(turns.holder)),)


class Next(Action, tag="next"):
    """Pick who goes next: of the side that holds the Initiative, nobody twice in a round.

    Whoever is up and has not rolled yet steps back and may still go in this round.
    """

    swift = True
    title = "next"
    key = "n"
    screens = ("table",)
    who: Annotated[str, Ask(pickable)]

    @classmethod
    def when(cls, world: No1World) -> str:
        return _time_left(world) or ("" if may_go(world) else "everybody has acted: end the round")

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        turns = world.now.turns
        current = turns.current
        began = (TurnBegan(self.who), *moment(world, "start", self.who))
        if current and not turn_used(world, current):
            return (FighterChanged(current, turns.fighters[current], turns.order.index(current), "delays"), *began)
        return (*(moment(world, "end", current) if current else ()), *began)


class RoundCut(Event, tag="round_cut"):
    """The GM ended a round in which not everybody had acted."""

    rule = "a round is over when all have acted, or by the GM's word"
    left: tuple[str, ...]

    def apply(self, world: No1World) -> No1World:
        return world

    def says(self, world: No1World) -> str:
        turns = world.now.turns
        seen = [world.name(w) for w in self.left if not turns.fighters[w].hidden]
        more = f" and {len(seen) - 5} more" if len(seen) > 6 else ""
        return f"The round ends early, without {', '.join(seen[:5] if more else seen)}{more}" if seen else ""


class TimeUp(Event, tag="time_up"):
    """The last round is over."""

    rule = "the Timer drops by 1 at the end of a round; at 0 Momentum and Entropy are compared"

    def apply(self, world: No1World) -> No1World:
        return world.live(turns=replace(world.now.turns, timer=0, current=""))

    def says(self, world: No1World) -> str:
        return f"Round {world.now.turns.round} is over, and the Timer has run out"


def still_to_act(world: No1World) -> tuple[str, ...]:
    """Who would lose their turn if the round ended now."""
    turns = world.now.turns
    up = turns.current
    return (*([up] if up and not turn_used(world, up) else []), *turns.waiting())


class EndRound(Action, tag="end_round"):
    """End the round: everybody may act again and the Timer drops by 1. At 0 Momentum and Entropy are compared."""

    title = "end round"
    key = "d"
    screens = ("table",)

    @classmethod
    def when(cls, world: No1World) -> str:
        return _time_left(world)

    @classmethod
    def warns(cls, world: No1World) -> str:
        left = [world.name(w) for w in still_to_act(world) if not world.now.turns.fighters[w].hidden]
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
            return (*before, TimeUp(), *time_up(world, timer, now.momentum, now.entropy))
        return (*before, *passes_on(turns), RoundBegan(turns.round + 1, timer))


# ---- it ends


class EncounterClosed(Event, tag="encounter_closed"):
    """The encounter is over: no turn order, no zones; the counters and spent ranks stay."""

    rule = "Momentum and Entropy outlast an encounter"

    def apply(self, world: No1World) -> No1World:
        now = world.now
        return world.live(
            turns=Turns(),
            zones={},
            positions={},
            copies={},
            advantages={},
            defied={},
            boosts={},
            shifted={},
            taken={},
            spent={w: s for w, s in now.spent.items() if w not in now.copies},
            roll=None,
            opening=None,
            duel=None,
        )

    def says(self, world: No1World) -> str:
        return f"The encounter ends in round {world.now.turns.round}"


class End(Action, tag="end"):
    """End the encounter: Momentum and Entropy say which way the scene turns."""

    title = "end encounter"
    key = "x"
    screens = ("table",)

    @classmethod
    def when(cls, world: No1World) -> str:
        return running(world) or fighting_it_out(world)

    @classmethod
    def warns(cls, world: No1World) -> str:
        now = world.now
        over = now.turns.timer == 0
        words = f"Momentum {now.momentum}, Entropy {now.entropy}: {VERDICTS[verdict(now.momentum, now.entropy)]}"
        return "" if over else f"{words}. End the encounter?"

    def resolve(self, world: No1World, dice: Dice) -> tuple[Event, ...]:
        now = world.now
        ended = tuple(ConditionTicked(i, 0) for i, c in now.conditions.items() if c.ends or c.who in now.copies)
        turned = SceneTurned(verdict(now.momentum, now.entropy), now.momentum, now.entropy)
        return (*ended, EncounterClosed(), turned)
