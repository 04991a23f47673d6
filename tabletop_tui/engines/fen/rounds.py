"""Rounds: the sides of a fight, who is surprised, how a fight begins and ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit.cast import met
from ...kit.common import ConditionTicked
from ...kit.order import FOES, HEROES, HowMany, as_seen, joined, newcomers, not_fighting
from ...kit.turn_events import EncounterBegan, EncounterEnded
from ...rules import Action, Ask, Choice, Dice, Event, Fighter, Refused, Turns
from .hiding import Found
from .world import FenWorld, Rounds, fight, is_down


def planned_sides(world: FenWorld) -> dict[str, tuple[str, ...]]:
    """The sides of the scene that is on; without any, players' characters against its cast. No scene: all others."""
    scene = world.scenes.get(world.now.scene)
    here = world.here() if scene and not scene.sides else world.present()
    if scene and scene.sides:  # those who share a sheet are on its side
        more = {w: of for w, of in world.now.more.items() if w in here}
        return {
            side: (*members, *(w for w, of in more.items() if of in members and w not in members))
            for side, members in scene.sides.items()
        }
    split = {
        HEROES: tuple(w for w in here if world.sheets[w].player),
        FOES: tuple(w for w in here if not world.sheets[w].player),
    }
    return {side: members for side, members in split.items() if members}


def side_names(world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The sides of a fight that is about to begin, or of the one that runs."""
    running = world.now.turns.sides()
    return [Choice(side) for side in dict.fromkeys([*running, *planned_sides(world)])]


def side_of(world: FenWorld, who: str) -> str:
    """Where somebody fights: as the scene has it, else on the players' side, or against it."""
    planned, fighters = planned_sides(world), world.now.turns.fighters
    if found := next((side for side, members in planned.items() if who in members), ""):
        return found
    mine = bool(world.sheets[who].player)
    sides = {side: list(members) for side, members in planned.items()}
    for one, fighter in fighters.items():
        sides.setdefault(fighter.side, []).append(one)
    players = set(world.players())
    fits = [side for side, members in sides.items() if bool(players & set(members)) == mine]
    return fits[0] if fits else HEROES if mine else FOES


def is_players(world: FenWorld, side: str) -> bool:
    """Does a player's character fight on this side?"""
    turns = world.now.turns
    return any(f.side == side and w in world.sheets and world.sheets[w].player for w, f in turns.fighters.items())


class InFight(Action):
    """What is done while a fight is on."""

    screens = ("table",)

    @classmethod
    def when(cls, world: FenWorld) -> str:
        return "" if world.now.turns.running else "no fight is on"


def beaten(world: FenWorld) -> list[str]:
    """The sides of which nobody stands any more, where no two are left to fight; empty otherwise."""
    turns = fight(world)
    down = [side for side in turns.sides() if not turns.members(side)]
    return down if len(turns.sides()) - len(down) < 2 else []


def is_unseen(world: FenWorld, side: str) -> bool:
    """Is everybody on a side hidden, so that the players do not know of it?"""
    members = [f for f in world.now.turns.fighters.values() if f.side == side]
    return bool(members) and all(f.hidden for f in members)


def seen_round(world: FenWorld) -> FenWorld:
    """The world with its round as the players know it: no side that is hidden as a whole, nobody hidden is up.

    While such a side acts, the players see the side that acted last, else the one that they will see act first.
    """
    seen: FenWorld = as_seen(world)
    rounds, holder = world.now.rounds, world.now.turns.holder
    if seen is world or holder not in rounds.sequence:
        return seen
    sequence = tuple(s for s in rounds.sequence if not is_unseen(world, s))
    before = [s for s in rounds.sequence[: rounds.sequence.index(holder) + 1] if s in sequence]
    acts = [*before[-1:], *sequence, holder][0]
    return seen.live(rounds=replace(rounds, sequence=sequence), turns=replace(seen.now.turns, holder=acts))


class FightBegan(EncounterBegan, tag="encounter_began"):
    """A fight was made of sides; whose turn comes when is not rolled yet."""

    def says(self, world: FenWorld) -> str:
        """Who is in it; hidden ones are not named."""
        seen = [world.name(w) for w in self.turns.order if not self.turns.fighters[w].hidden]
        return f"In the fight: {', '.join(seen)}" if seen else ""


class RoundReadied(Event, tag="round_readied"):
    """Everybody has their actions and reactions again; nobody was named to roll yet."""

    rule = "a turn is one minor and one major action; one reaction a round"
    surprised: tuple[str, ...] = ()

    def apply(self, world: FenWorld) -> FenWorld:
        people = {w: replace(p, minor=0, major=0, reactions=0) for w, p in world.now.people.items()}
        turns = replace(world.now.turns, holder="", current="")
        return world.live(people=people, turns=turns, rounds=Rounds(surprised=self.surprised))

    def says(self, world: FenWorld) -> str:
        seen = [side for side in self.surprised if not is_unseen(world, side)]
        return f"Surprised: {', '.join(seen)}" if seen else ""


def able_to_fight(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody, closed where they are down."""
    return [replace(c, closed="down") if is_down(world, c.value) else c for c in not_fighting(world, fields)]


def taking_part(world: FenWorld, who: Sequence[str]) -> tuple[str, ...]:
    """Who fights: those who were named, or the sides of the scene; of them whoever is there and stands."""
    here = world.present()
    named = who or tuple(dict.fromkeys(w for side in planned_sides(world).values() for w in side))
    return tuple(w for w in named if w in here and not is_down(world, w))


def catchable(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Sides that can be surprised; one of those that fight must have seen it coming."""
    caught = set(fields.get("surprised", ()))
    left = {side_of(world, w) for w in taking_part(world, fields.get("who", ()))} - caught
    last = "one side must see it coming"
    return [replace(c, closed=last) if left == {c.value} else c for c in side_names(world, fields)]


class BeginFight(Action, tag="begin"):
    """Begin a fight: the sides of the scene, or those named; say which sides are surprised."""

    title = "begin a fight"
    key = "f"
    screens = ("table",)
    leads_to = "table"
    who: Annotated[tuple[str, ...], Ask(able_to_fight), Meta(description="the scene's sides")] = ()
    surprised: Annotated[tuple[str, ...], Ask(catchable), Meta(description="as the scene says")] = ()
    timer: Annotated[int, Meta(ge=0, le=100, description="no limit")] = 0
    nobody_surprised: bool = False
    """Whatever the scene says."""

    @classmethod
    def when(cls, world: FenWorld) -> str:
        if world.now.turns.running:
            return "a fight is on"
        return "" if world.present() else "there is nobody to fight"

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        scene, order = world.scenes.get(world.now.scene), taking_part(world, self.who)
        if not order:
            raise Refused("nobody of those can fight", remedy="Name somebody who is there and standing.")
        unseen = scene.hidden if scene else ()
        fighters = {w: Fighter(side_of(world, w), hidden=w in unseen and w not in world.now.found) for w in order}
        sides = {f.side for f in fighters.values()}
        if not self.who and len(sides) < 2:
            raise Refused("nobody here stands against them", remedy="Name who fights.")
        planned = scene.surprised if scene and not self.nobody_surprised else ()
        surprised = tuple(s for s in self.surprised or planned if s in sides)
        if sides <= set(surprised):
            raise Refused("a side must have seen it coming", remedy="Name fewer sides as surprised.")
        turns = Turns("sides", 1, self.timer or None, order=order, fighters=fighters)
        return (FightBegan(turns), RoundReadied(surprised))


def new_sides(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The side that fits, then the others."""
    who = fields.get("who", "")
    first = side_of(world, who) if who in world.sheets else ""
    names = [c.value for c in side_names(world, fields)]
    return [Choice(s) for s in dict.fromkeys([first, *names]) if s]


class Join(InFight, tag="join"):
    """Put somebody into the running fight, hidden or not."""

    title = "join"
    key = "j"
    who: Annotated[str, Ask(newcomers)]
    side: Annotated[str, Ask(new_sides)] = ""
    hidden: bool = False
    count: HowMany = 1

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        side = self.side or side_of(world, self.who)
        return joined(world, self.who, self.count, lambda _who: Fighter(side, hidden=self.hidden))


class EndFight(InFight, tag="end"):
    """End the fight: no more rounds."""

    title = "end the fight"
    key = "x"

    @classmethod
    def warns(cls, world: FenWorld) -> str:
        return "" if beaten(world) else f"The fight is in round {world.now.turns.round}. End it?"

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        ended = tuple(ConditionTicked(i, 0) for i, c in world.now.conditions.items() if c.ends)
        scene, fighters = world.scenes.get(world.now.scene), world.now.turns.fighters
        lay = [w for w in scene.hidden if w in fighters and not fighters[w].hidden] if scene else []
        found = [Found(w, told=False) for w in lay if w not in world.now.found]
        return (*ended, *met(world), EncounterEnded(), RoundReadied(), *found)
