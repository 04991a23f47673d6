"""What does not fit after a hand edit: each with its path, a sentence and a remedy."""

from __future__ import annotations

from collections.abc import Iterator

from ...kit import problems as kit
from ...kit.problems import TAKE_OUT, Path, missing, nobody, outside, unknown
from ...rules import Problem, Refused
from .building import DIFFICULTIES, foundation, resisting
from .campaign import (
    ATTRIBUTES,
    COMPOSURE,
    MOST_ATTRIBUTE,
    POOLS,
    ComplexPlan,
    DramaScene,
    DramaSheet,
    LinePlan,
    PartyPlan,
    line_kinds,
)  # fmt: skip
from .contest_pools import entry_of, most_mechanical
from .outcome import OPPOSED
from .points import MOST
from .world import (
    MOST_CHAIN,
    MOST_PENALTIES,
    MOST_POOL,
    WHICH,
    Contest,
    DramaWorld,
    Entry,
    Gift,
    Roll,
    Side,
    Task,
)

LEAST_ATTRIBUTE = -5


def problems(world: DramaWorld) -> list[Problem]:
    """Everything that does not fit."""
    found = [problem for who, sheet in world.sheets.items() for problem in _sheet(("sheets", who), sheet)]
    for where, scene in world.scenes.items():
        found += _scene(world, ("scenes", where), scene)
    return [*found, *kit.problems(world), *_people(world), *_live(world)]


# ---- written by hand


def _attribute(path: Path, name: str) -> Iterator[Problem]:
    if name not in ATTRIBUTES:
        yield unknown(path, f"there is no attribute {name!r}", name, ATTRIBUTES)


def _sheet(here: Path, sheet: DramaSheet) -> Iterator[Problem]:
    for name, value in sheet.attributes.items():
        yield from _attribute((*here, "attributes", name), name)
        yield from outside((*here, "attributes", name), value, LEAST_ATTRIBUTE, MOST_ATTRIBUTE, name)
    for name, skill in sheet.skills.items():
        path: Path = (*here, "skills", name)
        yield from _name(path, name)
        yield from outside((*path, "value"), skill.value, 0, MOST_ATTRIBUTE, name)
        yield from _attribute((*path, "attribute"), skill.attribute)
    for name, count in sheet.backgrounds.items():
        yield from _name((*here, "backgrounds", name), name)
        yield from outside((*here, "backgrounds", name), count, 1, MOST_ATTRIBUTE, name)
    for name, dice in sheet.passions.items():
        yield from outside((*here, "passions", name), dice, 1, MOST_ATTRIBUTE, name)
    for pool in ("drama_points", *POOLS):
        yield from outside((*here, pool), getattr(sheet, pool), 0, MOST, pool)


def _name(path: Path, name: str) -> Iterator[Problem]:
    if not name.strip() or ":" in name or name in (*ATTRIBUTES, COMPOSURE):
        what = f"{name!r} cannot be the name of a skill or background"
        yield Problem(path, what, "Rename it; no colon, no attribute.")


def _scene(world: DramaWorld, here: Path, scene: DramaScene) -> Iterator[Problem]:
    for plan_id, plan in scene.contests.items():
        path: Path = (*here, "contests", plan_id)
        if plan.first.who == plan.second.who:
            yield Problem(path, f"{plan.first.who!r} cannot argue with themselves", "Name two parties.")
        for place, party in (("first", plan.first), ("second", plan.second)):
            yield from missing((*path, place, "who"), party.who, world, "Add their sheet.", warning=True)
            for index, line in enumerate(party.lines):
                yield from _line(world, (*path, place, "lines", index), party.who, line)
            yield from _cap(world, (*path, place, "lines"), party)
    for plan_id, chain in scene.complex.items():
        yield from _complex((*here, "complex", plan_id), chain)


def _cap(world: DramaWorld, path: Path, party: PartyPlan) -> Iterator[Problem]:
    """Prepared lines for which no skill of theirs will ever have room; those above the cap would only wait."""
    if party.who not in world.sheets or world.rules.narrative_cap == "none":
        return
    most, told = most_mechanical(world, party.who), sum(line.dice for line in party.lines)
    if told > most:
        what = f"the lines bring {told} dice, and {world.name(party.who)} has room for {most}"
        yield Problem(path, what, "Take a line out: those above the cap wait and do not count.", warning=True)


def _line(world: DramaWorld, path: Path, who: str, line: LinePlan) -> Iterator[Problem]:
    known, sheet = line_kinds(world.rules), world.sheets.get(who)
    if line.kind not in known:
        yield unknown((*path, "kind"), f"there is no kind of line {line.kind!r}", line.kind, known)
    elif known[line.kind].passion and sheet and line.text not in sheet.passions:
        yield unknown((*path, "text"), f"{sheet.name} has no passion {line.text!r}", line.text, sheet.passions)
    if not line.text.strip():
        yield Problem((*path, "text"), "a line needs words", "Say what gives them the dice.")
    yield from outside((*path, "dice"), line.dice, 1, 10, "the dice of a line")


def _complex(path: Path, plan: ComplexPlan) -> Iterator[Problem]:
    if not plan.dimensions:
        yield Problem((*path, "dimensions"), f"{plan.name} has no dimensions", "Add one.")
    for index, dimension in enumerate(plan.dimensions):
        here: Path = (*path, "dimensions", index)
        yield from outside((*here, "resistance"), dimension.resistance, 0, 20, "resistance")
        yield from outside((*here, "attempts"), dimension.attempts, 1, 2, "attempts")
        for name in ("first", "second", "failure"):
            price = getattr(dimension, name)
            yield from outside((*here, name, "penalty"), price.penalty, 0, 10, "the penalty dice of a price")


# ---- live state


def _people(world: DramaWorld) -> Iterator[Problem]:
    for who, them in world.now.people.items():
        here: Path = ("now", "people", who)
        yield from missing(here, who, world, "Add their sheet, or take this out.", warning=True)
        for i, penalty in them.penalties.items():
            yield from outside((*here, "penalties", i, "dice"), penalty.dice, 1, MOST_PENALTIES, "penalty dice")
        yield from outside((*here, "penalties"), them.carried, 0, MOST_PENALTIES, "all penalty dice together")
        for pool in ("drama_points", *POOLS):
            yield from outside((*here, pool), getattr(them, pool), 0, MOST, pool)
        for pool in POOLS if who in world.sheets else ():
            left, full = getattr(them, pool), getattr(world.sheets[who], pool)
            if full < left <= MOST:  # a sheet may have been edited since
                yield Problem((*here, pool), f"{pool} {left} is more than the sheet gives", f"At most {full}.", True)


def _live(world: DramaWorld) -> Iterator[Problem]:
    now = world.now
    for field in ("momentum", "favour"):
        if who := getattr(now, field):
            yield from missing(("now", field), who, world)
    for pair, winner in now.won.items():
        two = pair.split("/")
        if len(two) != 2 or sorted(set(two)) != two or winner not in two:
            what = f"{winner!r} cannot have won between {pair!r}"
            yield Problem(("now", "won", pair), what, "Write hugh/joan, the two ids in their order, and one of them.")
        elif gone := [who for who in two if who not in world.sheets]:  # their sheet may have been put away since
            yield nobody(("now", "won", pair), gone[0], world, warning=True)
    if now.complex is not None:
        plan = now.complex.plan
        yield from _complex(("now", "complex", "plan"), plan)
        yield from outside(("now", "complex", "at"), now.complex.at, 0, max(len(plan.dimensions) - 1, 0), "at")
        most = 2 if now.complex.outcome else 1  # no attempt is left after the second
        yield from outside(("now", "complex", "tried"), now.complex.tried, 0, most, "tried")
    if now.task is not None:
        yield from _task(world, now.task)
    if now.contest is not None:
        yield from _contest(world, now.contest)
    if now.roll is not None:
        yield from _roll(world, now.roll)


def _task(world: DramaWorld, task: Task) -> Iterator[Problem]:
    here: Path = ("now", "task")
    if task.chain and (world.now.complex is None or world.now.complex.outcome):
        yield Problem((*here, "chain"), "it belongs to a complex test that is not under way", TAKE_OUT)
    if task.difficulty not in DIFFICULTIES:
        what = f"there is no difficulty {task.difficulty!r}"
        yield unknown((*here, "difficulty"), what, task.difficulty, DIFFICULTIES)
    if task.lead and task.lead not in task.crew:
        yield Problem((*here, "lead"), f"{task.lead!r} leads and does not roll", "Add them to crew.")
    if task.crew and not task.lead:
        yield Problem((*here, "lead"), "somebody rolls and nobody leads", "Name the lead.")
    if task.target and task.target not in world.sheets:
        yield nobody((*here, "target"), task.target, world)
    elif task.target:
        try:
            resisting(world, task.target, task.resist)
        except Refused as refused:
            yield Problem((*here, "resist"), refused.what, refused.remedy)
    for who, entry in task.crew.items():
        yield from _entry(world, (*here, "crew", who), who, entry)
    yield from _hands(world, (*here, "hands"), task.hands, ())
    yield from _gifts(world, (*here, "gifts"), task.gifts, task.crew)
    for which in WHICH:
        yield from outside((*here, "more", which), getattr(task.more, which), 0, 20, f"{which} dice")


def _entry(world: DramaWorld, path: Path, who: str, entry: Entry) -> Iterator[Problem]:
    sheet = world.sheets.get(who)
    if sheet is None:
        yield nobody(path, who, world)
        return
    try:
        foundation(world, who, Entry(entry.using, entry.attribute))
    except Refused as refused:
        yield Problem((*path, "using"), refused.what, refused.remedy)
    if entry.passion and entry.passion not in sheet.passions:
        what = f"{sheet.name} has no passion {entry.passion!r}"
        yield unknown((*path, "passion"), what, entry.passion, sheet.passions)
    ways = ("", "plain", "connection", *(f"advantage:{name}" for name in sheet.advantages))
    if entry.point not in ways:
        what = f"a Drama Point cannot be spent on {entry.point!r}"
        yield unknown((*path, "point"), what, entry.point, ways[1:])


def _hands(world: DramaWorld, path: Path, hands: dict[str, str], busy: tuple[str, ...]) -> Iterator[Problem]:
    for who, which in hands.items():
        if who not in world.sheets or who in busy or which not in ATTRIBUTES:
            yield Problem((*path, who), f"{who!r} cannot lend a hand with {which!r}", TAKE_OUT)


def _gifts(world: DramaWorld, path: Path, gifts: dict[str, Gift], to: dict[str, Entry] | str) -> Iterator[Problem]:
    for who, gift in gifts.items():
        known = gift.to == to if isinstance(to, str) else gift.to in to
        if who not in world.sheets or not known:
            yield Problem((*path, who), "a drama die from or for nobody", TAKE_OUT)
        yield from outside((*path, who, "dice"), gift.dice, 1, 10, "the drama dice that somebody gives")


def _contest(world: DramaWorld, contest: Contest) -> Iterator[Problem]:
    here: Path = ("now", "contest")
    if contest.first == contest.second or set(contest.parties) != {contest.first, contest.second}:
        what = "a contest has two parties, the first and the second"
        yield Problem((*here, "parties"), what, "Name both in parties.")
    yield from outside((*here, "round"), contest.round, 1, 1000, "the round")
    for field in ("momentum", "favour", "yielded"):
        if (who := getattr(contest, field)) and who not in contest.parties:
            yield unknown((*here, field), f"{who!r} is not a party of the contest", who, contest.parties, TAKE_OUT)
    for who, party in contest.parties.items():
        path: Path = (*here, "parties", who)
        if who not in world.sheets:
            yield nobody(path, who, world)
            continue
        if party.using:
            yield from _entry(world, path, who, entry_of(party))
        for name, lines in (("lines", party.lines), ("kept", party.kept)):
            for i, line in lines.items():
                yield from _line(world, (*path, name, i), who, line)
        for mate, entry in party.crew.items():
            yield from _entry(world, (*path, "crew", mate), mate, entry)
            places = [*contest.parties, *(one for p in contest.parties.values() for one in (*p.hands, *p.crew))]
            if places.count(mate) > 1:
                yield Problem((*path, "crew", mate), f"{mate!r} cannot do two things in one test", TAKE_OUT)
        yield from _gifts(world, (*path, "gifts"), party.gifts, who)
        yield from _hands(world, (*path, "hands"), party.hands, tuple(contest.parties))
        for what, number in party.used.items():
            yield from outside((*path, "used", what), number, 1, max(contest.round, 1), "the round that used it")


def _roll(world: DramaWorld, roll: Roll) -> Iterator[Problem]:
    here: Path = ("now", "roll")
    if not roll.sides:
        yield Problem((*here, "sides"), "a roll without dice lies there", "Take the roll out.")
    contest, waits = world.now.contest, roll.stage == "choose"
    if waits and roll.kind == "contest" and (contest is None or not contest.rolled):
        yield Problem(here, "a contest's dice wait without their contest", "Take the roll out.")
    if waits and roll.kind == "complex" and (world.now.complex is None or world.now.complex.outcome):
        yield Problem(here, "a complex test's dice wait without their test", "Take the roll out.")
    for key, side in roll.sides.items():
        path: Path = (*here, "sides", key)
        yield from missing((*path, "who"), side.who, world, "Take the roll out.", warning=not waits)
        other = roll.sides.get(side.against)
        lead = roll.sides.get(side.joins)
        if side.joins and (lead is None or lead.joins or not lead.against or side.against):
            yield Problem((*path, "joins"), f"{side.name} works together with nobody", "Name the key of their side.")
        if roll.kind in OPPOSED and not side.joins and (other is None or other.against != key):
            yield Problem((*path, "against"), f"{side.name} is opposed to nobody", "Name the other side's key.")
        yield from _side(path, side)
    for who in roll.also:
        yield from missing((*here, "also"), who, world, warning=not waits)
    for key, verdict in roll.verdicts.items():
        if key not in roll.sides or (verdict.winner and verdict.winner not in roll.sides):
            yield Problem((*here, "verdicts", key), "a verdict on somebody who did not roll", TAKE_OUT)
        least = 0 if roll.kind in OPPOSED else -MOST_POOL * len(roll.sides)
        most = (MOST_POOL * 2 + MOST_CHAIN) * (len(roll.sides) + 1)
        yield from outside((*here, "verdicts", key, "level"), verdict.level, least, most, "a level of success")
    for key, pick in roll.picks.items():
        if key not in roll.sides or pick not in (key, roll.sides[key].against):
            yield Problem((*here, "picks", key), "a draw is given to somebody who is not in it", TAKE_OUT)


def _side(path: Path, side: Side) -> Iterator[Problem]:
    yield from outside((*path, "attribute"), side.attribute, LEAST_ATTRIBUTE, MOST_ATTRIBUTE, "an attribute")
    for index, piece in enumerate(side.pieces):
        for which in WHICH:
            here: Path = (*path, "pieces", index, which)
            yield from outside(here, getattr(piece, which), 0, MOST_POOL, f"{which} dice")
    for which in WHICH:
        count = sum(die.pool == which for die in side.dice)
        yield from outside((*path, "dice"), count, 0, MOST_POOL, f"the number of {which} dice")
    for index, die in enumerate(side.dice):
        for face in (die.face, *die.again):
            yield from outside((*path, "dice", index), face, 1, 6, "the face of a d6")
        if die.raised and (die.pool, die.face) != ("base", 4):
            yield Problem((*path, "dice", index, "raised"), "only a base 4 can be raised", TAKE_OUT)
        if len(die.again) > MOST_CHAIN or (die.again and (die.pool, {die.face, *die.again[:-1]}) != ("drama", {6})):
            yield Problem((*path, "dice", index, "again"), "only a drama 6 rolls on", TAKE_OUT)
