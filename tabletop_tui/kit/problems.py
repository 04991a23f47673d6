"""What does not fit in the live state that every game has (turns, clocks, tracks, conditions, cast), or in tables."""

from collections.abc import Iterable, Iterator
from typing import Any

from ..rules import COPY, Problem, Turns
from . import table_problems

MOST = 1_000_000
"""No number on a table is larger."""
MOST_ROUNDS = 10_000
TAKE_OUT = "Take it out."
ENDS = ("start", "end", "round", "save")

Path = tuple[str | int, ...]


def unknown(
    path: Path, what: str, found: str, known: Iterable[str], remedy: str = "", *, warning: bool = False
) -> Problem:
    """A word that is not among those that are known."""
    return Problem(path, what, remedy, warning, found, tuple(known))


def nobody(path: Path, who: str, world: Any, remedy: str = TAKE_OUT, *, warning: bool = False) -> Problem:
    """Somebody is named who has no sheet."""
    return unknown(path, f"nobody is called {who!r}", who, world.sheets, remedy, warning=warning)


def missing(path: Path, who: str, world: Any, remedy: str = TAKE_OUT, *, warning: bool = False) -> Iterator[Problem]:
    """Somebody is named who has no sheet, where that is so."""
    if who not in world.sheets:
        yield nobody(path, who, world, remedy, warning=warning)


def outside(path: Path, value: int, least: int, most: int, what: str) -> Iterator[Problem]:
    """A number that the rules cannot make."""
    if not least <= value <= most:
        yield Problem(path, f"{what} cannot be {value}", f"From {least} to {most}.")


def problems(world: Any, sides: Iterable[str] = ()) -> Iterator[Problem]:
    """All of it; `sides` are those that the game knows, where it knows them."""
    yield from turn_problems(world, sides)
    yield from _counters(world)
    yield from _conditions(world)
    yield from _cast(world)
    yield from table_problems.problems(world.tables)
    yield from _scenes(world)
    scene = world.now.scene
    if scene and scene not in world.scenes:
        yield unknown(("now", "scene"), f"there is no scene {scene!r}", scene, world.scenes, TAKE_OUT)


def turn_problems(world: Any, sides: Iterable[str] = ()) -> Iterator[Problem]:
    """The turn order: everybody in it is there, once, and whoever is up can act."""
    turns: Turns = world.now.turns
    at = ("now", "turns")
    for who in dict.fromkeys(turns.order):
        yield from missing((*at, "order"), who, world)
        if who not in turns.fighters:
            yield Problem((*at, "order"), f"{who!r} is in the order and not among the fighters", TAKE_OUT)
        if turns.order.count(who) > 1:
            yield Problem((*at, "order"), f"{who!r} is in the order twice", "Name each once.")
    yield from _fighters(turns, tuple(sides))
    if turns.current and turns.current not in turns.order:
        yield Problem((*at, "current"), f"{turns.current!r} is not in the order", TAKE_OUT)
    named = [("begun", who) for who in turns.begun]  # also of those who have left the order since
    named += [("spoke", who) for members in turns.spoke.values() for who in members]
    for field, who in named:
        yield from missing((*at, field), who, world)
    if turns.current in turns.fighters and turns.fighters[turns.current].out:
        what = f"{turns.current!r} is up and out of the fight"  # a blow may fell whoever is up
        yield Problem((*at, "current"), what, "Pass the turn on.", warning=True)
    there = [turns.fighters[who].side for who in turns.order if who in turns.fighters]
    if turns.holder and turns.running and turns.holder not in there:
        what = f"nobody is left on the side {turns.holder!r}"  # the last of them may have left the order
        yield unknown((*at, "holder"), what, turns.holder, dict.fromkeys(there), warning=True)
    yield from outside((*at, "round"), turns.round, 1 if turns.running else 0, MOST_ROUNDS, "the round")
    if turns.timer is not None:
        yield from outside((*at, "timer"), turns.timer, 0, MOST_ROUNDS, "the timer")


def _fighters(turns: Turns, sides: tuple[str, ...]) -> Iterator[Problem]:
    for who, fighter in turns.fighters.items():
        at = ("now", "turns", "fighters", who)
        if who not in turns.order:
            yield Problem(at, f"{who!r} fights and is not in the order", "Add them to it.")
        if not fighter.side:
            yield Problem((*at, "side"), f"{who!r} stands on no side", "Name one.")
        elif sides and fighter.side not in sides:
            yield unknown((*at, "side"), f"there is no side {fighter.side!r}", fighter.side, sides)
        if fighter.number is not None:
            yield from outside((*at, "number"), fighter.number, -MOST, MOST, "an initiative")


def _counters(world: Any) -> Iterator[Problem]:
    for name, clock in world.now.clocks.items():
        at = ("now", "clocks", name)
        yield from outside((*at, "size"), clock.size, 1, 100, "the size of a clock")
        yield from outside((*at, "filled"), clock.filled, 0, max(clock.size, 0), "the filled segments of a clock")
    for name, track in world.now.tracks.items():
        at = ("now", "tracks", name)
        most = MOST if track.most is None else track.most
        yield from outside((*at, "most"), most, 0, MOST, "the most of a track")
        yield from outside((*at, "value"), track.value, 0, max(most, 0), "a track")


def _conditions(world: Any) -> Iterator[Problem]:
    for name, condition in world.now.conditions.items():
        at = ("now", "conditions", name)
        for field in ("who", "whose"):
            who = getattr(condition, field)
            if who not in world.sheets and (who or field == "who"):
                yield nobody((*at, field), who, world)
        if condition.ends not in ("", *ENDS):
            what = f"a condition cannot end by {condition.ends!r}"
            yield unknown((*at, "ends"), what, condition.ends, ENDS)
        if not condition.what.strip():
            yield Problem((*at, "what"), "a condition needs a name", "Say what it is: prone, burning, afraid.")
        yield from outside((*at, "left"), condition.left, 1, 1_000, "what is left of a condition")


def _scenes(world: Any) -> Iterator[Problem]:
    """Those whom prepared scenes name, and the scenes that could come next."""
    for where, scene in world.scenes.items():
        for index, who in enumerate(scene.cast):
            yield from missing(("scenes", where, "cast", index), who, world, "Add their sheet.", warning=True)
        for index, other in enumerate(scene.next):
            if other not in world.scenes:
                at = ("scenes", where, "next", index)
                yield unknown(at, f"there is no scene {other!r}", other, world.scenes, TAKE_OUT, warning=True)


def _cast(world: Any) -> Iterator[Problem]:
    for who in world.now.met:
        yield from missing(("now", "met"), who, world, warning=True)
    if len(set(world.now.retired)) < len(world.now.retired):
        yield Problem(("now", "retired"), "somebody is named twice", "Name each once.")
    for who, original in world.now.more.items():
        at = ("now", "more", who)
        stem, _, number = who.rpartition(COPY)
        if stem != original or not number.isdecimal() or len(number) > 4:
            yield Problem(at, f"{who!r} is not the name of a copy of {original!r}", f"Write {original}{COPY}2, say.")
        elif original not in world.sheets or original in world.now.more:
            yield nobody(at, original, world)
