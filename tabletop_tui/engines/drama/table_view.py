"""What the table screen and the sheets draw."""

from __future__ import annotations

from collections.abc import Sequence

from ...rules import Counter, Line, Option, Prompt, Refused, Section, SheetView, TableView
from ...rules import Person as PersonView
from ...rules.common import EnterScene, lasting
from ...rules.order import turn_of
from .building import DIRECT, attribute, foundation
from .dice import pool_words
from .fallen import counters, hands, outcome, prompt
from .penalties import BROKEN, able, level
from .world import ATTRIBUTES, POOLS, DramaSheet, DramaWorld, Entry, Person, Piece, many, person


def table_view(world: DramaWorld) -> TableView:
    """The table: who, how they are, rounds and momentum, what just fell."""
    turns, roll = world.now.turns, world.now.roll
    scene = world.scenes.get(world.now.scene)
    who = [*turns.order, *(w for w in world.present() if w not in turns.order)]
    facts = [f"round {turns.round}"] if turns.running else []
    if turns.timer is not None:
        facts.append(f"timer {turns.timer}")
    if turns.running:
        facts.append(f"momentum: {world.name(world.now.momentum)}" if world.now.momentum else "momentum: open")
    of_before = roll is not None and roll.stage == "done" and roll.turn != turn_of(world)
    here = roll if roll and roll.kind != "contest" and not of_before else None
    fighter = turns.fighters.get(turns.current)
    up = turns.current and not (fighter and fighter.hidden)
    ready = turns.may_go()
    return TableView(
        scene.title if scene else "",
        f"{world.name(turns.current)} is up".upper() if up else "",
        tuple(facts),
        counters(world),
        tuple(person_view(world, w, ready) for w in who if w in world.sheets),
        (),
        hands(here),
        (),
        prompt(world) if here else scene_prompt(world),
        outcome(here),
        lasting(world),
        about=scene.about if scene else "",
        secret_about=scene.secret if scene else "",
    )


def scene_prompt(world: DramaWorld) -> Prompt | None:
    """Before anything has begun: the prepared scenes, a key each."""
    now = world.now
    if now.scene or now.turns.running or now.roll or now.task or now.complex or now.contest or not world.scenes:
        return None
    options = [Option(s.title or i, EnterScene(i), secret=True) for i, s in world.scenes.items()]
    return Prompt("Which scene is it?", tuple(options))


def person_view(world: DramaWorld, who: str, ready: Sequence[str]) -> PersonView:
    """A row of the roster."""
    turns, them, sheet = world.now.turns, person(world, who), world.sheets[who]
    fighter = turns.fighters.get(who)
    note = f"{level(them.carried)} {them.carried}" if them.carried else ""
    marks = [c.what for c in world.now.conditions.values() if c.who == who]
    if who == world.now.momentum and turns.running:
        marks.insert(0, "momentum")
    if sheet.player and them.drama_points:
        marks.append(f"◆{them.drama_points}")
    secret = "" if sheet.player or not sheet.composure else f"Composure {them.composure}"
    if fighter and fighter.hidden:
        marks.insert(0, "hidden")
    return PersonView(
        who,
        sheet.name,
        fighter.side if fighter else "aside" if turns.running else "heroes" if sheet.player else "others",
        note,
        secret,
        tuple(marks),
        who == turns.current,
        bool(fighter and fighter.acted),
        bool(able(world, who)),
        who in ready,
        # whom the GM has prepared is nobody's business until they stand on the table
        fighter.hidden if fighter else not sheet.player,
    )


def sheet_view(world: DramaWorld, who: str) -> SheetView | None:
    """A character in full, with how each pool comes to be."""
    sheet = world.sheets.get(who)
    if sheet is None:
        return None
    them = person(world, who)
    carried = them.carried
    broken = "cannot act" if able(world, who) else "acts although broken" if carried >= BROKEN else level(carried)
    points = (Counter("Drama Points", them.drama_points),) if sheet.player else ()
    pools = tuple(Counter(pool, getattr(them, pool), getattr(sheet, pool)) for pool in POOLS if getattr(sheet, pool))
    sections = [
        Section("attributes", attribute_lines(sheet)),
        Section("skills", tuple(used_line(world, who, n, Entry(n), str(s.value)) for n, s in sheet.skills.items())),
        Section("backgrounds", background_lines(world, who, sheet)),
        Section("passions", tuple(Line(n, f"{d}Dd", "two 1s backfire") for n, d in sheet.passions.items())),
        Section("advantages", tuple(Line(n, "3Dd", "for a Drama Point") for n in sheet.advantages)),
        Section("penalties", penalty_lines(them)),
    ]
    facts = [f"played by {sheet.player}"] if sheet.player else []
    return SheetView(
        sheet.name,
        (*facts, *([sheet.about] if sheet.about else [])),
        (Counter("penalty dice", carried, None, "warn" if carried else "", broken), *points, *pools),
        tuple(s for s in sections if s.lines),
        secret=not sheet.player,
    )


def attribute_lines(sheet: DramaSheet) -> tuple[Line, ...]:
    """Attributes, and the pool of a test on each alone."""
    return tuple(
        Line(a, str(value), f"alone: 2 × {value} = {max(value * 2, 0)}Bd")
        for a in ATTRIBUTES
        for value in [attribute(sheet, a)]
    )


def used_line(world: DramaWorld, who: str, name: str, entry: Entry, value: str) -> Line:
    """A skill or background with the pool that it makes."""
    try:
        pieces, _ = foundation(world, who, entry)
    except Refused as refused:
        return Line(name, value, refused.what, "warn")
    return Line(name, f"{value}  {short(pieces)}", " · ".join(why(p) for p in pieces))


def short(pieces: tuple[Piece, ...]) -> str:
    """A pool as it is written: 5Bd + 1Rd."""
    base, resistance = sum(p.base for p in pieces), sum(p.resistance for p in pieces)
    return f"{base}Bd" + (f" + {resistance}Rd" if resistance else "")


def why(piece: Piece) -> str:
    """Where some dice come from."""
    return f"{piece.source}: {pool_words(piece.base, piece.resistance, piece.drama)}"


def background_lines(world: DramaWorld, who: str, sheet: DramaSheet) -> tuple[Line, ...]:
    """Backgrounds in place of a skill, with Social as the example."""
    return tuple(
        used_line(world, who, name, Entry(DIRECT + name, "Social"), f"×{count}")
        for name, count in sheet.backgrounds.items()
    )


def penalty_lines(them: Person) -> tuple[Line, ...]:
    """What is carried, and since why."""
    return tuple(Line(p.cause, many(p.dice, "penalty"), "in every test", "warn") for p in them.penalties.values())
