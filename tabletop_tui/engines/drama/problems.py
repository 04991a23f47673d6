"""What does not fit after a hand edit: each with its path, a sentence and a remedy."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules import Problem, Refused
from .arguments import entry_of
from .building import DIFFICULTIES, foundation, resisting
from .world import (
    ATTRIBUTES,
    COMPOSURE,
    MOST_ATTRIBUTE,
    MOST_PENALTIES,
    MOST_POOL,
    POOLS,
    WHICH,
    ComplexPlan,
    Contest,
    DramaSheet,
    DramaWorld,
    LinePlan,
    Roll,
    Task,
    line_kinds,
)

Path = tuple[str | int, ...]


def problems(world: DramaWorld) -> list[Problem]:
    """Everything that does not fit."""
    return [*_sheets(world), *_scenes(world), *_people(world), *_turns(world), *_live(world)]


def _range(path: Path, what: str, value: int, low: int, high: int) -> Iterator[Problem]:
    if not low <= value <= high:
        yield Problem(path, f"{what} {value} is out of range", f"Write a number from {low} to {high}.")


def _sheets(world: DramaWorld) -> Iterator[Problem]:
    for who, sheet in world.sheets.items():
        here: Path = ("sheets", who)
        for name, value in sheet.attributes.items():
            if name not in ATTRIBUTES:
                remedy = f"There is: {', '.join(ATTRIBUTES)}."
                yield Problem((*here, "attributes", name), f"there is no attribute {name!r}", remedy)
            yield from _range((*here, "attributes", name), name, value, -5, MOST_ATTRIBUTE)
        yield from _abilities(sheet, here)
        yield from _range((*here, "drama_points"), "drama_points", sheet.drama_points, 0, 99)
        for pool in POOLS:
            yield from _range((*here, pool), pool, getattr(sheet, pool), 0, 99)


def _abilities(sheet: DramaSheet, here: Path) -> Iterator[Problem]:
    for name, skill in sheet.skills.items():
        path: Path = (*here, "skills", name)
        yield from _name(path, name)
        yield from _range((*path, "value"), name, skill.value, 0, MOST_ATTRIBUTE)
        if skill.attribute not in ATTRIBUTES:
            remedy = f"There is: {', '.join(ATTRIBUTES)}."
            yield Problem(
                (*path, "attribute"), f"{name} goes with {skill.attribute!r}, which is no attribute", remedy
            )
    for name, count in sheet.backgrounds.items():
        yield from _name((*here, "backgrounds", name), name)
        yield from _range((*here, "backgrounds", name), name, count, 1, MOST_ATTRIBUTE)
    for name, dice in sheet.passions.items():
        yield from _range((*here, "passions", name), name, dice, 1, MOST_ATTRIBUTE)


def _name(path: Path, name: str) -> Iterator[Problem]:
    if not name.strip() or ":" in name or name in (*ATTRIBUTES, COMPOSURE):
        yield Problem(
            path, f"{name!r} cannot be the name of a skill or background", "Rename it; no colon, no attribute."
        )


# ---- scenes


def _scenes(world: DramaWorld) -> Iterator[Problem]:
    for where, scene in world.scenes.items():
        here: Path = ("scenes", where)
        for index, who in enumerate(scene.cast):
            if who not in world.sheets:
                yield Problem((*here, "cast", index), f"nobody is called {who!r}", "Add their sheet.", warning=True)
        for plan_id, plan in scene.contests.items():
            path: Path = (*here, "contests", plan_id)
            if plan.first.who == plan.second.who:
                yield Problem(path, f"{plan.first.who!r} cannot argue with themselves", "Name two parties.")
            for place in ("first", "second"):
                party = getattr(plan, place)
                if party.who not in world.sheets:
                    yield Problem(
                        (*path, place, "who"), f"nobody is called {party.who!r}", "Add their sheet.", warning=True
                    )
                for index, line in enumerate(party.lines):
                    yield from _line_plan(world, (*path, place, "lines", index), party.who, line)
        for plan_id, chain in scene.complex.items():
            yield from _chain((*here, "complex", plan_id), chain)


def _line_plan(world: DramaWorld, path: Path, who: str, line: LinePlan) -> Iterator[Problem]:
    known = line_kinds(world.rules)
    if line.kind not in known:
        yield Problem((*path, "kind"), f"there is no kind of line {line.kind!r}", f"There is: {', '.join(known)}.")
    elif known[line.kind].passion and who in world.sheets and line.text not in world.sheets[who].passions:
        yield Problem((*path, "text"), f"{world.name(who)} has no passion {line.text!r}", "Name one of the sheet.")
    if not line.text.strip():
        yield Problem((*path, "text"), "a line needs words", "Say what gives them the dice.")
    yield from _range((*path, "dice"), "dice", line.dice, 1, 10)


def _chain(path: Path, plan: ComplexPlan) -> Iterator[Problem]:
    if not plan.dimensions:
        yield Problem((*path, "dimensions"), f"{plan.name} has no dimensions", "Add one.")
    for index, dimension in enumerate(plan.dimensions):
        here: Path = (*path, "dimensions", index)
        yield from _range((*here, "resistance"), "resistance", dimension.resistance, 0, 20)
        yield from _range((*here, "attempts"), "attempts", dimension.attempts, 1, 2)
        for price in ("first", "second", "failure"):
            dice = getattr(dimension, price).penalty
            yield from _range((*here, price, "penalty"), "penalty dice", dice, 0, 10)


# ---- live state


def _people(world: DramaWorld) -> Iterator[Problem]:
    for who, them in world.now.people.items():
        here: Path = ("now", "people", who)
        if who not in world.sheets:
            yield Problem(here, f"nobody is called {who!r}", "Add their sheet, or take this out.", warning=True)
        for i, penalty in them.penalties.items():
            yield from _range((*here, "penalties", i, "dice"), "penalty dice", penalty.dice, 1, MOST_PENALTIES)
        if them.carried > MOST_PENALTIES:
            yield Problem(
                (*here, "penalties"),
                f"{them.carried} penalty dice are more than anybody can carry",
                f"At most {MOST_PENALTIES}.",
            )
        yield from _range((*here, "drama_points"), "drama_points", them.drama_points, 0, 99)
        for pool in POOLS:
            yield from _range((*here, pool), pool, getattr(them, pool), 0, 99)


def _turns(world: DramaWorld) -> Iterator[Problem]:
    turns = world.now.turns
    for who in turns.order:
        if who not in world.sheets or who not in turns.fighters:
            yield Problem(("now", "turns", "order"), f"{who!r} is in the order without being there", "Take it out.")
    if len(set(turns.order)) != len(turns.order):
        yield Problem(("now", "turns", "order"), "somebody is in the order twice", "Name each once.")
    if set(turns.fighters) - set(turns.order):
        yield Problem(("now", "turns", "fighters"), "somebody fights who is not in the order", "Add them to it.")
    if turns.current and turns.current not in turns.order:
        yield Problem(("now", "turns", "current"), f"{turns.current!r} is not in the order", "Take it out.")


def _live(world: DramaWorld) -> Iterator[Problem]:
    now = world.now
    for field in ("momentum", "favour"):
        who = getattr(now, field)
        if who and who not in world.sheets:
            yield Problem(("now", field), f"nobody is called {who!r}", "Take it out.")
    if now.complex is not None:
        yield from _chain(("now", "complex", "plan"), now.complex.plan)
        if not 0 <= now.complex.at < max(len(now.complex.plan.dimensions), 1):
            yield Problem(("now", "complex", "at"), f"there is no dimension {now.complex.at}", "Count from 0.")
        yield from _range(("now", "complex", "tried"), "tried", now.complex.tried, 0, 2)
    if now.task is not None:
        yield from _task(world, now.task)
    if now.contest is not None:
        yield from _contest(world, now.contest)
    if now.roll is not None:
        yield from _roll(world, now.roll)


def _task(world: DramaWorld, task: Task) -> Iterator[Problem]:
    here: Path = ("now", "task")
    if task.chain and (world.now.complex is None or world.now.complex.outcome):
        yield Problem((*here, "chain"), "it belongs to a complex test that is not under way", "Take chain out.")
    if task.difficulty not in DIFFICULTIES:
        remedy = f"There is: {', '.join(DIFFICULTIES)}."
        yield Problem((*here, "difficulty"), f"there is no difficulty {task.difficulty!r}", remedy)
    if task.lead and task.lead not in task.crew:
        yield Problem((*here, "lead"), f"{task.lead!r} leads and does not roll", "Add them to crew.")
    if task.crew and not task.lead:
        yield Problem((*here, "lead"), "somebody rolls and nobody leads", "Name the lead.")
    if task.target:
        if task.target not in world.sheets:
            yield Problem((*here, "target"), f"nobody is called {task.target!r}", "Take it out.")
        else:
            try:
                resisting(world, task.target, task.resist)
            except Refused as refused:
                yield Problem((*here, "resist"), refused.what, refused.remedy)
    for who, entry in task.crew.items():
        yield from _uses(world, (*here, "crew", who), who, entry.using, entry.attribute)
    for who, which in task.hands.items():
        if who not in world.sheets or which not in ATTRIBUTES:
            yield Problem((*here, "hands", who), f"{who!r} cannot lend a hand with {which!r}", "Take it out.")
    for who, gift in task.gifts.items():
        if who not in world.sheets or gift.to not in task.crew:
            yield Problem((*here, "gifts", who), "a drama die from or for nobody", "Take it out.")
        yield from _range((*here, "gifts", who, "dice"), "dice", gift.dice, 1, 10)
    for which in WHICH:
        yield from _range((*here, "more", which), f"{which} dice", getattr(task.more, which), 0, 20)


def _uses(world: DramaWorld, path: Path, who: str, using: str, attribute: str) -> Iterator[Problem]:
    from .world import Entry

    if who not in world.sheets:
        yield Problem(path, f"nobody is called {who!r}", "Add their sheet, or take this out.")
        return
    try:
        foundation(world, who, Entry(using, attribute))
    except Refused as refused:
        yield Problem((*path, "using"), refused.what, refused.remedy)


def _contest(world: DramaWorld, contest: Contest) -> Iterator[Problem]:
    here: Path = ("now", "contest")
    if contest.first == contest.second or set(contest.parties) != {contest.first, contest.second}:
        yield Problem(
            (*here, "parties"), "a contest has two parties, the first and the second", "Name both in parties."
        )
    yield from _range((*here, "round"), "round", contest.round, 1, 1000)
    for field in ("momentum", "favour", "yielded"):
        if (who := getattr(contest, field)) and who not in contest.parties:
            yield Problem((*here, field), f"{who!r} is no party of the contest", "Take it out.")
    for who, party in contest.parties.items():
        path: Path = (*here, "parties", who)
        if who not in world.sheets:
            yield Problem(path, f"nobody is called {who!r}", "Add their sheet, or take the contest out.")
            continue
        entry = entry_of(party)
        if party.using:
            yield from _uses(world, path, who, entry.using, entry.attribute)
        for i, line in party.lines.items():
            plan = LinePlan(line.kind, line.text, line.dice)
            yield from _line_plan(world, (*path, "lines", i), who, plan)
        for giver, gift in party.gifts.items():
            if giver not in world.sheets or gift.to != who:
                yield Problem((*path, "gifts", giver), "a drama die from or for nobody", "Take it out.")
            yield from _range((*path, "gifts", giver, "dice"), "dice", gift.dice, 1, 10)
        for hand, which in party.hands.items():
            if hand not in world.sheets or hand in contest.parties or which not in ATTRIBUTES:
                words = f"{hand!r} cannot lend a hand with {which!r}"
                yield Problem((*path, "hands", hand), words, "Take it out.")


def _roll(world: DramaWorld, roll: Roll) -> Iterator[Problem]:
    here: Path = ("now", "roll")
    if not roll.sides:
        yield Problem((*here, "sides"), "a roll without dice lies there", "Take the roll out.")
    if (
        roll.stage == "choose"
        and roll.kind == "contest"
        and (world.now.contest is None or not world.now.contest.rolled)
    ):
        yield Problem(here, "a contest's dice wait without their contest", "Take the roll out.")
    if roll.stage == "choose" and roll.kind == "complex" and world.now.complex is None:
        yield Problem(here, "a complex test's dice wait without their test", "Take the roll out.")
    paired = roll.kind in ("opposed", "contest")
    for key, side in roll.sides.items():
        path: Path = (*here, "sides", key)
        if side.who not in world.sheets:
            yield Problem((*path, "who"), f"nobody is called {side.who!r}", "Take the roll out.")
        other = roll.sides.get(side.against)
        if paired and (other is None or other.against != key):
            yield Problem((*path, "against"), f"{side.name} is opposed to nobody", "Name the other side's key.")
        if len(side.dice) > MOST_POOL * 3:
            yield Problem((*path, "dice"), f"{len(side.dice)} dice are too many", f"At most {MOST_POOL * 3}.")
        if any(not 1 <= face <= 6 for die in side.dice for face in (die.face, *die.again)):
            yield Problem((*path, "dice"), "a d6 shows 1 to 6", "Write the face that lies on the table.")
    for key, verdict in roll.verdicts.items():
        if key not in roll.sides or (verdict.winner and verdict.winner not in roll.sides):
            yield Problem((*here, "verdicts", key), "a verdict on somebody who did not roll", "Take it out.")
    for key, pick in roll.picks.items():
        if key not in roll.sides or pick not in (key, roll.sides[key].against):
            yield Problem((*here, "picks", key), "a draw is given to somebody who is not in it", "Take it out.")
