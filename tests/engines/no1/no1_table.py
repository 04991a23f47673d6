"""A small table of the No1 system for tests: two heroes, an ogre, a pack of wardens, a spy whom nobody sees."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from tabletop_tui.engines.no1.encounter import Begin
from tabletop_tui.engines.no1.initiative import Next, Skip
from tabletop_tui.engines.no1.world import (
    Effects,
    Foe,
    Manoeuvre,
    No1Now,
    No1Rules,
    No1Scene,
    No1Sheet,
    No1World,
    Zone,
)
from tabletop_tui.rules import Action, Clock, Dice, Event, World, check

SHEETS = {
    "rook": No1Sheet("Rook", "Ana", skills={"Strike": 2, "Sneak": 1}, traits={"Stubborn": 2, "Proud": 1}),
    "mira": No1Sheet("Mira", "Ben", skills={"Lore": 4, "Strike": 0}, traits={"Curious": 1}),
    "ogre": No1Sheet("Ogre", skills={"Smash": 1}, traits={"Rage": 1}, hazard=1),
    "warden": No1Sheet("Warden", skills={"Spear": 1}),
    "spy": No1Sheet("Spy", skills={"Knife": 3}, hazard=2),
}
BRIDGE = No1Scene(
    "The bridge",
    challenge=2,
    timer=3,
    zones={"bank": Zone("bank"), "span": Zone("span", {"falling span": 2}), "gate": Zone("gate")},
    heroes={"rook": "span"},
    foes={"ogre": Foe("gate"), "warden": Foe("gate", 3), "spy": Foe("span", hidden=True)},
)
PUSH = Manoeuvre("Push on", 2, "momentum > entropy", effects=Effects(entropy=-2, timer=1))
LEAP = Manoeuvre("Leap", 1, "timer == 1", "greater than challenge + entropy", Effects(challenge=-1))


def table(rules: dict[str, Any] | None = None, **now: Any) -> No1World:
    """Nobody fights yet."""
    made = No1Rules(**{"manoeuvres": {"push": PUSH, "leap": LEAP}, **(rules or {})})
    live = {"clocks": {"dawn": Clock("Dawn", 4), "plot": Clock("Plot", 4, secret=True)}, **now}
    return World(made, No1Now(**live), SHEETS, {"bridge": BRIDGE})


def do(world: No1World, action: Action, *faces: int) -> No1World:
    """Perform an action as the table would, with these faces."""
    return told(world, action, *faces)[0]


def told(world: No1World, action: Action, *faces: int) -> tuple[No1World, list[Event], list[str]]:
    """The same, with the events and what everybody is told."""
    check(action, world)
    dice = Dice(faces)
    events = list(action.resolve(world, dice))
    assert not dice.unused, f"dice left over: {dice.unused}"
    said = []
    for event in events:
        said.append(event.says(world))
        world = event.apply(world)
    return world, events, [words for words in said if words]


def fight(rules: dict[str, Any] | None = None, first: Any = "heroes", **now: Any) -> No1World:
    """The bridge, with a side that acts first."""
    world = do(table(rules), Begin("bridge", first))
    return world.live(**now)


def gone(world: No1World, *who: str) -> No1World:
    """These have had their turn."""
    for one_ in who:
        world = do(do(world, Next(one_)), Skip(one_))
    return world


def sheets(world: No1World, **changed: No1Sheet) -> No1World:
    """The same table with other sheets."""
    return replace(world, sheets={**world.sheets, **changed})


def one(sides_rating: int, ranks: int, **more: Any) -> No1Sheet:
    """A hero with one skill and one Trait."""
    return No1Sheet("One", "Ana", skills={"Do": sides_rating}, traits={"Grit": ranks}, **more)
