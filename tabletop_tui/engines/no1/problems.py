"""What does not fit after a hand edit: where, in a sentence, and what to write instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...rules import Problem
from ...rules.order import FOES, HEROES
from .terms import TermError, check, condition
from .world import HERE, MOST_CHALLENGE, MOST_COUNT, MOST_HAZARD, No1World, Zone, sheet_of

Path = tuple[str | int, ...]


def problems(world: No1World) -> list[Problem]:
    """Everything, the hand-written files first."""
    return [
        *_manoeuvres(world),
        *_sheets(world),
        *_scenes(world),
        *_numbers(world),
        *_turns(world),
        *_places(world),
        *_dice(world),
    ]


def _challenge(path: Path, challenge: int) -> Iterator[Problem]:
    if challenge < 1:
        yield Problem(path, f"Challenge {challenge} rolls no dice", "Challenge is at least 1.")
    elif challenge > MOST_CHALLENGE:
        yield Problem(path, f"Challenge {challenge} is too many dice", f"At most {MOST_CHALLENGE}.")


def _rating(path: Path, name: str, rating: int) -> Iterator[Problem]:
    if not 0 <= rating <= MOST_HAZARD:
        yield Problem(path, f"{name} cannot be a hazard of {rating}", f"A rating is from 0 to {MOST_HAZARD}.")


def _zones(path: Path, zones: dict[str, Zone]) -> Iterator[Problem]:
    for id_, zone in zones.items():
        for name, rating in zone.hazards.items():
            yield from _rating((*path, id_, "hazards", name), name, rating)


def _unknown_zone(path: Path, zone: str, zones: dict[str, Zone]) -> Iterator[Problem]:
    if zone not in zones:
        there = f"There is: {', '.join(zones)}." if zones else "Add it under [zones], or leave it out."
        yield Problem(path, f"there is no zone {zone!r}", there)


# ---- files written by hand


def _manoeuvres(world: No1World) -> Iterator[Problem]:
    parsers: dict[str, Callable[[str], object]] = {"condition": condition, "check": check}
    for id_, plan in world.rules.manoeuvres.items():
        path: Path = ("rules", "manoeuvres", id_)
        if plan.cost < 0:
            yield Problem((*path, "cost"), f"{plan.name} costs {plan.cost} Momentum", "A cost is 0 or more.")
        for field, parse in parsers.items():
            text = getattr(plan, field)
            if not text:
                continue
            try:
                parse(text)
            except TermError as wrong:
                yield Problem((*path, field), f"the {field} of {plan.name} does not read: {wrong.what}", wrong.remedy)
        for index, who in enumerate(plan.of):
            if who not in world.sheets:
                yield Problem((*path, "of", index), f"nobody is called {who!r}", "Add their sheet.", warning=True)


def _sheets(world: No1World) -> Iterator[Problem]:
    for who, sheet in world.sheets.items():
        yield from _rating(("sheets", who, "hazard"), sheet.name, sheet.hazard)
        if sheet.focus and sheet.focus not in sheet.traits:
            there = f"There is: {', '.join(sheet.traits)}." if sheet.traits else "Add it under [traits]."
            yield Problem(("sheets", who, "focus"), f"{sheet.name} has no Trait {sheet.focus!r}", there)
        if "" in sheet.skills or "" in sheet.traits:
            where = "skills" if "" in sheet.skills else "traits"
            yield Problem(("sheets", who, where, ""), f"one of {sheet.name}'s {where} has no name", "Give it one.")


def _scenes(world: No1World) -> Iterator[Problem]:
    for id_, scene in world.scenes.items():
        path: Path = ("scenes", id_)
        yield from _challenge((*path, "challenge"), scene.challenge)
        if not 0 <= scene.timer <= 100:
            yield Problem(
                (*path, "timer"), f"a Timer of {scene.timer} rounds cannot be", "0 for no limit, up to 100."
            )
        yield from _zones((*path, "zones"), scene.zones)
        for who, zone in scene.heroes.items():
            if who not in world.sheets:
                yield Problem((*path, "heroes", who), f"nobody is called {who!r}", "Add their sheet.", warning=True)
            if zone:
                yield from _unknown_zone((*path, "heroes", who), zone, scene.zones)
        for who, foe in scene.foes.items():
            if who not in world.sheets:
                yield Problem((*path, "foes", who), f"nobody is called {who!r}", f"Add characters/{who}.toml.")
            if not 1 <= foe.count <= MOST_COUNT:
                yield Problem((*path, "foes", who, "count"), f"{foe.count} of them cannot be", f"1 to {MOST_COUNT}.")
            if foe.zone:
                yield from _unknown_zone((*path, "foes", who, "zone"), foe.zone, scene.zones)


# ---- live state


def _numbers(world: No1World) -> Iterator[Problem]:
    now = world.now
    yield from _challenge(("now", "challenge"), now.challenge)
    for name in ("momentum", "entropy"):
        if (value := getattr(now, name)) < 0:
            yield Problem(("now", name), f"{name.capitalize()} {value} is less than none", "Nothing goes below 0.")
    if now.turns.timer is not None and now.turns.timer < 0:
        yield Problem(("now", "turns", "timer"), f"a Timer of {now.turns.timer} cannot be", "0 is the end of time.")
    counts = {"defied": now.defied, "boosts": now.boosts}
    counts |= {f"spent.{who}": ranks for who, ranks in now.spent.items()}
    counts |= {f"advantages.{side}": zones for side, zones in now.advantages.items()}
    for place, held in counts.items():
        for key, value in held.items():
            if not 0 <= value <= 1_000:
                path = ("now", *place.split(".", 1), key)
                yield Problem(path, f"{value} cannot be", "A number from 0 to 1000.")
    if now.verdict not in ("", HEROES, FOES, "level"):
        yield Problem(("now", "verdict"), f"{now.verdict!r} is no way to turn", "Write heroes, foes or level.")


def _nobody(world: No1World, path: Path, who: str) -> Iterator[Problem]:
    if sheet_of(world, who) is None:
        yield Problem(path, f"nobody is called {who!r}", "Add their sheet, or take this out.")


def _turns(world: No1World) -> Iterator[Problem]:
    turns = world.now.turns
    path: Path = ("now", "turns")
    for who in turns.order:
        yield from _nobody(world, (*path, "order"), who)
        if who not in turns.fighters:
            yield Problem((*path, "order"), f"{who!r} is in the order without being a fighter", "Take it out.")
    if len(set(turns.order)) < len(turns.order):
        yield Problem((*path, "order"), "somebody is in the order twice", "Name each once.")
    for who, fighter in turns.fighters.items():
        if who not in turns.order:
            yield Problem((*path, "fighters", who), f"{who!r} fights without being in the order", "Add them to it.")
        if fighter.side not in (HEROES, FOES):
            what = f"there is no side {fighter.side!r}"
            yield Problem((*path, "fighters", who, "side"), what, "Write heroes or foes.")
    if turns.current and turns.current not in turns.order:
        yield Problem((*path, "current"), f"{turns.current!r} is not in the order", "Take it out.")
    if turns.running and turns.holder not in (HEROES, FOES):
        what = f"{turns.holder!r} cannot hold the Initiative"
        yield Problem((*path, "holder"), what, "Write heroes or foes.")


def _places(world: No1World) -> Iterator[Problem]:
    now = world.now
    for copy, sheet in now.copies.items():
        if sheet not in world.sheets or copy in world.sheets:
            what = f"{copy!r} cannot be one of {sheet!r}"
            yield Problem(("now", "copies", copy), what, "Name a sheet; the copy needs a name of its own.")
    yield from _zones(("now", "zones"), now.zones)
    for who, zone in now.positions.items():
        yield from _nobody(world, ("now", "positions", who), who)
        if zone != HERE:
            yield from _unknown_zone(("now", "positions", who), zone, now.zones)
    for side, zones in now.advantages.items():
        if side not in (HEROES, FOES):
            yield Problem(("now", "advantages", side), f"there is no side {side!r}", "Write heroes or foes.")
        for zone in zones:
            if zone != HERE:
                yield from _unknown_zone(("now", "advantages", side, zone), zone, now.zones)


def _dice(world: No1World) -> Iterator[Problem]:
    roll, duel = world.now.roll, world.now.duel
    if roll is not None:
        yield from _nobody(world, ("now", "roll", "who"), roll.who)
        if any(not 1 <= die.face <= die.sides or die.sides < 2 for die in roll.dice):
            yield Problem(("now", "roll", "dice"), "a die shows a face that it does not have", "Take the roll out.")
        elif roll.pending and not roll.ones():
            yield Problem(("now", "roll", "pending"), "a roll without a 1 has nothing to wait for", "Take it out.")
        if roll.kind == "move":
            yield from _unknown_zone(("now", "roll", "to"), roll.to, world.now.zones)
    if duel is not None:
        for field in ("challenger", "other"):
            yield from _nobody(world, ("now", "duel", field), getattr(duel, field))
        if duel.challenger == duel.other:
            yield Problem(("now", "duel", "other"), "nobody can contest with themselves", "Name somebody else.")
        if duel.stage == "fought" and duel.round >= duel.rounds:
            what = f"round {duel.round} of {duel.rounds} cannot be followed by another"
            yield Problem(("now", "duel", "rounds"), what, "Write more rounds, or take the contest out.")
