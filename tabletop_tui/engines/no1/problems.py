"""What does not fit after a hand edit: where, in a sentence, and what to write instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import asdict, replace

from ...kit import problems as shared
from ...kit.order import FOES, HEROES
from ...kit.problems import MOST, MOST_ROUNDS, Path, missing, outside, unknown
from ...rules import Problem
from .expressions import TermError, check, condition
from .manoeuvres import CHECK
from .roll import GAIN, RISK
from .world import (
    HERE,
    MOST_BOOSTS,
    MOST_CHALLENGE,
    MOST_COUNT,
    MOST_EFFECT,
    MOST_HAZARD,
    MOST_POOL,
    MOST_RANKS,
    MOST_ROUNDS_OF_CONTEST,
    SIDES,
    Die,
    Duel,
    No1World,
    Roll,
    Zone,
)

TEAMS = (HEROES, FOES)


def problems(world: No1World) -> list[Problem]:
    """Everything, the hand-written files first."""
    # identical foes share a sheet; for whoever looks a name up, each of them has it
    theirs = {who: world.sheets[of] for who, of in world.now.copies.items() if of in world.sheets}
    everybody = replace(world, sheets={**theirs, **world.sheets})
    return [
        *_manoeuvres(world),
        *_sheets(world),
        *_scenes(world),
        *_turns(everybody),
        *_numbers(everybody),
        *_places(world, everybody),
        *_roll(everybody),
        *_contest(everybody),
    ]


def _zones(path: Path, zones: Mapping[str, Zone]) -> Iterator[Problem]:
    for id_, zone in zones.items():
        for name, rating in zone.hazards.items():
            yield from outside((*path, id_, "hazards", name), rating, 0, MOST_HAZARD, f"the hazard {name}")


def _word(path: Path, what: str, word: str, known: Iterable[str]) -> Iterator[Problem]:
    """A word that is none of those that are known."""
    if word not in known:
        yield unknown(path, f"there is no {what} {word!r}", word, known, "Leave it out.")


# ---- files written by hand


def _manoeuvres(world: No1World) -> Iterator[Problem]:
    parsers: dict[str, Callable[[str], object]] = {"condition": condition, "check": check}
    for id_, plan in world.rules.manoeuvres.items():
        path: Path = ("rules", "manoeuvres", id_)
        yield from outside((*path, "cost"), plan.cost, 0, MOST_EFFECT, f"the cost of {plan.name}")
        for name, by in asdict(plan.effects).items():
            yield from outside((*path, "effects", name), by, -MOST_EFFECT, MOST_EFFECT, f"an effect of {plan.name}")
        for field, parse in parsers.items():
            text = getattr(plan, field)
            if not text:
                continue
            try:
                parse(text)
            except TermError as wrong:
                yield Problem((*path, field), f"the {field} of {plan.name} does not read: {wrong.what}", wrong.remedy)
        for index, who in enumerate(plan.of):
            yield from missing((*path, "of", index), who, world, "Add their sheet.", warning=True)


def _sheets(world: No1World) -> Iterator[Problem]:
    for who, sheet in world.sheets.items():
        path: Path = ("sheets", who)
        yield from outside((*path, "hazard"), sheet.hazard, 0, MOST_HAZARD, f"the hazard of {sheet.name}")
        if sheet.focus and sheet.focus not in sheet.traits:
            what = f"{sheet.name} has no Trait {sheet.focus!r}"
            yield unknown((*path, "focus"), what, sheet.focus, sheet.traits, "Add it under [traits].")
        for index, talent in enumerate(sheet.talents):
            yield from _word((*path, "talents", index), "talent", talent, world.rules.manoeuvres)
        for where in ("skills", "traits"):
            if "" in getattr(sheet, where):
                yield Problem((*path, where, ""), f"one of {sheet.name}'s {where} has no name", "Give it one.")


def _scenes(world: No1World) -> Iterator[Problem]:
    for id_, scene in world.scenes.items():
        path: Path = ("scenes", id_)
        yield from outside((*path, "challenge"), scene.challenge, 1, MOST_CHALLENGE, "Challenge")
        yield from outside((*path, "timer"), scene.timer, 0, 100, "the Timer")
        yield from _zones((*path, "zones"), scene.zones)
        for who, zone in scene.heroes.items():
            yield from missing((*path, "heroes", who), who, world, "Add their sheet.", warning=True)
            yield from _word((*path, "heroes", who), "zone", zone, (*scene.zones, ""))
        for who, foe in scene.foes.items():
            yield from missing((*path, "foes", who), who, world, f"Add characters/{who}.toml.")
            yield from outside((*path, "foes", who, "count"), foe.count, 1, MOST_COUNT, "how many there are")
            yield from _word((*path, "foes", who, "zone"), "zone", foe.zone, (*scene.zones, ""))


# ---- live state


def _turns(world: No1World) -> Iterator[Problem]:
    turns = world.now.turns
    # a side that has nobody left may hold the Initiative until the round ends
    yield from shared.problems(world.live(turns=replace(turns, holder="")), TEAMS)
    if turns.running:
        yield from _word(("now", "turns", "holder"), "side", turns.holder, TEAMS)
        if turns.mode != "popcorn":
            yield unknown(("now", "turns", "mode"), "this game's turn order is popcorn", turns.mode, ("popcorn",))


def _numbers(world: No1World) -> Iterator[Problem]:
    now = world.now
    yield from outside(("now", "challenge"), now.challenge, 1, MOST_CHALLENGE, "Challenge")
    for name in ("momentum", "entropy"):
        yield from outside(("now", name), getattr(now, name), 0, MOST, name.title())
        yield from outside(("now", f"{name}_moved"), getattr(now, f"{name}_moved"), -MOST, MOST, "a move")
    counts: dict[Path, tuple[Mapping[str, int], int, str]] = {
        ("defied",): (now.defied, MOST, "Hazard dice defied"),
        ("boosts",): (now.boosts, MOST_BOOSTS, "dice of bonus hits"),
        ("shifted",): (now.shifted, MOST_ROUNDS, "a round"),
        ("taken",): (now.taken, MOST_ROUNDS, "a round"),
    }
    counts |= {("spent", who): (ranks, MOST_RANKS, "ranks spent") for who, ranks in now.spent.items()}
    for path, (held, most, what) in counts.items():
        for key, value in held.items():
            yield from outside(("now", *path, key), value, 0, most, what)
            who = str(path[1]) if len(path) > 1 else key
            yield from missing(("now", path[0], who), who, world, warning=True)
    yield from _word(("now", "verdict"), "verdict", now.verdict, ("", *TEAMS, "level"))


def _places(world: No1World, everybody: No1World) -> Iterator[Problem]:
    now = world.now
    for copy, sheet in now.copies.items():
        yield from missing(("now", "copies", copy), sheet, world)
        if copy in world.sheets:
            at = ("now", "copies", copy)
            yield Problem(at, f"{copy!r} has a sheet of its own", "Give the copy another name.")
    yield from _zones(("now", "zones"), now.zones)
    zones = (*now.zones, HERE)
    for who, zone in now.positions.items():
        yield from missing(("now", "positions", who), who, everybody)
        yield from _word(("now", "positions", who), "zone", zone, zones)
    for side, held in now.advantages.items():
        yield from _word(("now", "advantages", side), "side", side, TEAMS)
        for zone, count in held.items():
            path: Path = ("now", "advantages", side, zone)
            yield from _word(path, "zone", zone, zones)
            yield from outside(path, count, 0, MOST, "advantages")
    for side, by_zone in now.makers.items():
        yield from _word(("now", "makers", side), "side", side, TEAMS)
        for zone, by in by_zone.items():
            yield from _word(("now", "makers", side, zone), "zone", zone, zones)
            for who, count in by.items():
                path = ("now", "makers", side, zone, who)
                yield from outside(path, count, 1, MOST, "advantages")
                yield from missing(path, who, everybody, warning=True)


def _faces(path: Path, dice: Iterable[Die]) -> Iterator[Problem]:
    for index, die in enumerate(dice):
        if die.sides not in SIDES:
            yield Problem((*path, index, "sides"), f"the game has no d{die.sides}", "Take the roll out.")
        elif not 1 <= die.face <= die.sides:
            yield Problem((*path, index), f"a d{die.sides} cannot show {die.face}", f"From 1 to {die.sides}.")


def _handful(path: Path, sides: int, faces: Iterable[int]) -> Iterator[Problem]:
    dice = [Die(sides, face) for face in faces]
    yield from outside(path, len(dice), 1, MOST_CHALLENGE, "how many dice there are")
    yield from _faces(path, dice)


def _roll(world: No1World) -> Iterator[Problem]:
    roll, opening, checked = world.now.roll, world.now.opening, world.now.checked
    if checked is not None:
        yield from outside(("now", "checked", "face"), checked.face, 0, CHECK, "a d20")
    if opening is not None:
        for team, faces in ((HEROES, opening.heroes), (FOES, opening.foes)):
            yield from _handful(("now", "opening", team), opening.sides, faces)
    if roll is None:
        return
    at: Path = ("now", "roll")
    yield from missing((*at, "who"), roll.who, world, "Name them, or take the roll out.")
    yield from outside((*at, "dice"), len(roll.dice), 1, MOST_POOL, "how many dice there are")
    yield from _faces((*at, "dice"), roll.dice)
    if len({d.sides for d in roll.dice if not d.hazard}) > 1 or any(
        d.sides != SIDES[0] for d in roll.dice if d.hazard
    ):
        what = "all dice of a skill have the same sides, and Hazard dice are d4s"
        yield Problem((*at, "dice"), what, "Take the roll out.")
    for index, die in enumerate(roll.dice):
        yield from outside((*at, "dice", index, "rerolled"), die.rerolled, 0, MOST_RANKS, "how often it fell again")
    yield from _result(at, roll)
    if roll.kind == "move":
        yield from _word((*at, "to"), "zone", roll.to, world.now.zones)


def _result(at: Path, roll: Roll) -> Iterator[Problem]:
    """What a roll says that its dice came to."""
    if roll.pending and not roll.ones():
        yield Problem((*at, "pending"), "a roll without a 1 has nothing to wait for", "Take it out.")
    if not roll.pending and roll.clean == bool(roll.ones()):
        yield Problem((*at, "clean"), f"the dice show {'a' if roll.ones() else 'no'} 1", "Say so, or take it out.")
    yield from outside((*at, "bonus"), roll.bonus, 0, MOST_BOOSTS * SIDES[0], "bonus hits")
    yield from outside((*at, "hits"), roll.hits, 0, len(roll.dice) + max(roll.bonus, 0), "hits")
    yield from _word((*at, "moves"), "move of the counters", roll.moves, ("", GAIN, RISK))


def _contest(world: No1World) -> Iterator[Problem]:
    duel = world.now.duel
    if duel is None:
        return
    at: Path = ("now", "duel")
    for field in ("challenger", "other"):
        yield from missing((*at, field), getattr(duel, field), world, "Name them, or take the contest out.")
    if duel.challenger == duel.other:
        yield Problem((*at, "other"), "nobody can contest with themselves", "Name somebody else.")
    least = 0 if duel.stage == "called" or duel.declined else 2
    yield from outside((*at, "rounds"), duel.rounds, least, MOST_ROUNDS_OF_CONTEST, "how many rounds there are")
    last = duel.rounds - 1 if duel.stage == "fought" else duel.rounds
    yield from outside((*at, "round"), duel.round, 0, max(last, 0), "the rounds that were fought")
    yield from _score(at, duel)


def _score(at: Path, duel: Duel) -> Iterator[Problem]:
    """What the rounds of a contest came to."""
    both = (duel.challenger, duel.other)
    named = [((*at, field, who), who) for field in ("won", "used", "bouts") for who in getattr(duel, field)]
    named += [((*at, "winner"), duel.winner)] if duel.winner else []
    for path, who in named:
        if who not in both:
            yield unknown(path, f"{who!r} is not in the contest", who, both)
    for who, count in duel.won.items():
        yield from outside((*at, "won", who), count, 0, max(duel.round, 0), "rounds taken")
    for who, used in duel.used.items():
        for skill, often in used.items():
            yield from outside((*at, "used", who, skill), often, 0, max(duel.round, 0), "how often it was used")
    for who, bout in duel.bouts.items():
        yield from _handful((*at, "bouts", who, "faces"), bout.sides, bout.faces)
        yield from outside((*at, "bouts", who, "hits"), bout.hits, 0, len(bout.faces), "hits")
        yield from outside((*at, "bouts", who, "cost"), bout.cost, 0, MOST, "what a skill costs")
