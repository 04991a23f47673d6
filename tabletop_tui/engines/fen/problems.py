"""What a hand edit can break: each with its path, a sentence and a remedy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ...rules import Choice, Problem, Refused, suggest
from .dice import MOST_SIDES, ORDER, Fallen, Mods, parse_dice, parse_pair
from .world import FenWorld, Person, known_skills

Path = tuple[str | int, ...]


def problems(world: FenWorld) -> list[Problem]:
    """All that does not fit."""
    return [*_rules(world), *_sheets(world), *_scenes(world), *_people(world), *_turns(world), *_table(world)]


def reads(path: Path, text: str, read: Callable[[str], object]) -> Iterator[Problem]:
    """Text that does not read, with the place of the character at which it stops to."""
    try:
        read(text)
    except Refused as bad:
        yield Problem(path, f"{text[:60]!r}, {bad.where}: {bad.what}" if bad.where else bad.what, bad.remedy)


def _rules(world: FenWorld) -> Iterator[Problem]:
    rules = world.rules
    if sorted(rules.order) != sorted(ORDER):
        yield Problem(
            ("rules", "order"), "the order must name every change to dice once", f"All of {', '.join(ORDER)}."
        )
    for key in ("initiative_skills", "attack_skills"):
        if not getattr(rules, key):
            yield Problem(("rules", key), f"{key} names no skill", "Name one, or leave the line out.")
    for key in ("skills", "initiative_skills", "attack_skills", "social_skills"):
        for index, name in enumerate(getattr(rules, key)):
            yield from _name(("rules", key, index), name)
    for key in ("wound_skill", "dodge_skill"):
        yield from _name(("rules", key), getattr(rules, key))
    for key in ("minor_actions", "major_actions", "reactions"):
        if getattr(rules, key) < 0:
            yield Problem(("rules", key), f"{key} cannot be negative", "Write 0 for none.")


def _name(path: Path, name: str) -> Iterator[Problem]:
    if not name.strip() or "/" in name or name != name.strip():
        what = f"{name!r} cannot be a skill's name: it is empty, or has a stroke or blanks around it"
        yield Problem(path, what, "Rename it; fight/vigor is how a contest is written.")


def _sheets(world: FenWorld) -> Iterator[Problem]:
    for who, sheet in world.sheets.items():
        at: Path = ("sheets", who)
        if sheet.hp < 1:
            yield Problem((*at, "hp"), f"{sheet.name} cannot have {sheet.hp} HP", "Write 1 or more.")
        seen: dict[str, str] = {}
        for skill, dice in sheet.skills.items():
            yield from _name((*at, "skills", skill), skill)
            yield from reads((*at, "skills", skill), dice, parse_dice)
            if twin := seen.get(skill.casefold()):
                what = f"{skill} and {twin} differ in capitals only"
                yield Problem((*at, "skills", skill), what, "Keep one of them.")
            seen[skill.casefold()] = skill
        for name, weapon in sheet.weapons.items():
            yield from reads((*at, "weapons", name, "dice"), weapon.dice, parse_dice)
            yield from _name((*at, "weapons", name, "skill"), weapon.skill)
            if weapon.skill.casefold() not in {s.casefold() for s in world.rules.attack_skills}:
                what = f"{name} is used with {weapon.skill}, which is no skill to attack with"
                yield Problem(
                    (*at, "weapons", name, "skill"),
                    what,
                    f"Use {' or '.join(world.rules.attack_skills)}.",
                    warning=True,
                )
        for part in ("shield", "armour"):
            item = getattr(sheet, part)
            if item and item.defense < 0:
                yield Problem((*at, part, "defense"), f"{item.name} cannot have negative defense", "0 is broken.")


def _scenes(world: FenWorld) -> Iterator[Problem]:
    for where, scene in world.scenes.items():
        at: Path = ("scenes", where)
        side_of: dict[str, str] = {}
        for side, members in scene.sides.items():
            if not side.strip():
                yield Problem((*at, "sides", side), "a side needs a name", "Call it heroes or foes, say.")
            for index, who in enumerate(members):
                yield from _known(world, (*at, "sides", side, index), who)
                if who in side_of:
                    what = f"{who!r} is on a side twice: {side_of[who]} and {side}"
                    yield Problem((*at, "sides", side, index), what, "Leave them on one side.")
                side_of[who] = side
        for index, side in enumerate(scene.surprised):
            if scene.sides and side not in scene.sides:
                what = f"there is no side {side!r} that could be surprised"
                yield Problem((*at, "surprised", index), what, f"There is: {', '.join(scene.sides)}.", warning=True)
        for index, who in enumerate(scene.hidden):
            yield from _known(world, (*at, "hidden", index), who)
        for name, plan in scene.contests.items():
            yield from reads((*at, "contests", name, "contest"), plan.contest, parse_pair)
            yield from _skills(world, (*at, "contests", name, "contest"), plan.contest)
            if plan.who:
                yield from _known(world, (*at, "contests", name, "who"), plan.who)
            for index, who in enumerate(plan.against):
                yield from _known(world, (*at, "contests", name, "against", index), who)
            if plan.effect.hurt < 0 or plan.effect.wounds < 0:
                yield Problem((*at, "contests", name, "effect"), "an effect cannot be negative", "Write 0 for none.")


def _skills(world: FenWorld, path: Path, pair: str) -> Iterator[Problem]:
    """A skill that nobody has is rolled as if it were missing, which is hardly ever meant."""
    try:
        both = parse_pair(pair)
    except Refused:
        return  # told already
    known = known_skills(world)
    for skill in both:
        if skill.casefold() not in {k.casefold() for k in known}:
            what = f"nobody has the skill {skill!r}, and the rules do not name it"
            yield Problem(path, what, suggest(skill, [Choice(k) for k in known]), warning=True)


def _known(world: FenWorld, path: Path, who: str) -> Iterator[Problem]:
    if who not in world.sheets:
        yield Problem(path, f"nobody is called {who!r}", "Add their sheet, or take this out.", warning=True)


def _needed(world: FenWorld, path: Path, who: str, remedy: str) -> Iterator[Problem]:
    if who not in world.sheets:
        yield Problem(path, f"nobody is called {who!r}", remedy)


def _people(world: FenWorld) -> Iterator[Problem]:
    for who, them in world.now.people.items():
        at: Path = ("now", "people", who)
        yield from _known(world, at, who)
        yield from _numbers(at, them)
        if who in world.sheets and them.hp > world.sheets[who].hp:
            what = f"{them.hp} HP are more than the {world.sheets[who].hp} on the sheet"
            yield Problem((*at, "hp"), what, "Points on top are temporary ones.", warning=True)
        for part, left in them.guards.items():
            if left < 0:
                yield Problem((*at, "guards", part), f"{left} defense is less than none", "0 is broken.")
        yield from _mods((*at, "mods"), them.mods)


def _numbers(at: Path, them: Person) -> Iterator[Problem]:
    words = {
        "hp": ("HP are", "0 is down."),
        "temporary": ("temporary points are", "0 is none."),
        "wounds": ("wounds are", "0 is none."),
        "minor": ("minor actions are", "0 is none used."),
        "major": ("major actions are", "0 is none used."),
        "reactions": ("reactions are", "0 is none used."),
    }
    for key, (what, remedy) in words.items():
        number = getattr(them, key)
        if number < 0:
            yield Problem((*at, key), f"{number} {what} less than none", remedy)


def _mods(at: Path, mods: Mods) -> Iterator[Problem]:
    if not -5 <= mods.increments <= 5:
        yield Problem((*at, "increments"), f"{mods.increments} increments leave the scale", "From -5 to 5.")
    for key in ("additional", "fewer", "non_explosive"):
        if not 0 <= getattr(mods, key) <= 100:
            yield Problem((*at, key), f"{getattr(mods, key)} dice cannot be {key}", "From 0 to 100.")


def _turns(world: FenWorld) -> Iterator[Problem]:
    turns, at = world.now.turns, ("now", "turns")
    for index, who in enumerate(turns.order):
        if who not in world.sheets or who not in turns.fighters:
            what = f"{who!r} is in the order without being there"
            yield Problem((*at, "order", index), what, "Take it out.")
    if len(set(turns.order)) != len(turns.order):
        yield Problem((*at, "order"), "somebody is in the order twice", "Leave each in once.")
    for who in turns.fighters:
        if who not in turns.order:
            yield Problem((*at, "fighters", who), f"{who!r} fights without being in the order", "Add them to it.")
    if turns.current and turns.current not in turns.order:
        yield Problem((*at, "current"), f"{turns.current!r} is not in the order", "Take it out.")
    if turns.running and turns.mode != "sides":
        yield Problem((*at, "mode"), "here whole sides act", 'Write mode = "sides".')
    for side, standing in world.now.rounds.standing.items():
        place: Path = ("now", "rounds", "standing", side)
        yield from _needed(world, (*place, "who"), standing.who, "Take it out.")
        yield from _name((*place, "skill"), standing.skill)
        yield from _fallen((*place, "fallen"), standing.fallen)
    for index, side in enumerate(world.now.rounds.sequence):
        if side not in {fighter.side for fighter in turns.fighters.values()}:
            what = f"nobody fights on the side {side!r}"
            yield Problem(("now", "rounds", "sequence", index), what, "Take it out.", warning=True)


def _table(world: FenWorld) -> Iterator[Problem]:
    contest, blow = world.now.contest, world.now.blow
    if contest is not None:
        at: Path = ("now", "contest")
        yield from _needed(world, (*at, "who"), contest.who, "Name one who is there, or take the contest out.")
        yield from _name((*at, "skill"), contest.skill)
        yield from _name((*at, "using"), contest.using)
        yield from _fallen((*at, "fallen"), contest.fallen)
        for who, d in contest.defenders.items():
            place: Path = (*at, "defenders", who)
            yield from _needed(world, place, who, "Take them out of the contest.")
            yield from _fallen((*place, "fallen"), d.fallen)
            if who == contest.who:
                yield Problem(place, f"{who!r} cannot defend against themselves", "Take them out of the defenders.")
            if (contest.fallen is None) != (d.fallen is None):
                yield Problem(place, "only some of this contest has been rolled", "Take all its fallen dice out.")
        if contest.effect.hurt < 0 or contest.effect.wounds < 0:
            yield Problem((*at, "effect"), "an effect cannot be negative", "Write 0 for none.")
    if blow is not None:
        for key in ("who", "against"):
            yield from _needed(world, ("now", "blow", key), getattr(blow, key), "Take the blow out.")
        yield from _fallen(("now", "blow", "attack"), blow.attack)
        yield from _fallen(("now", "blow", "dodge"), blow.dodge)


def _fallen(path: Path, fallen: Fallen | None) -> Iterator[Problem]:
    if fallen is None:
        return
    bad: Iterable[str] = (
        f"a d{die.sides} cannot show {face}"
        for die in (*fallen.dice, *fallen.other)
        for face in die.faces or (0,)
        if not 2 <= die.sides <= MOST_SIDES or not 1 <= face <= die.sides
    )
    for what in bad:
        yield Problem(path, what, "Write the faces that lie on the table.")
        return
    if not fallen.dice:
        yield Problem(path, "dice have fallen, but there are none", "Take the empty throw out.")
