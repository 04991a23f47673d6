"""What a hand edit can break: each with its path, a sentence and a remedy."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...kit import problems as kit
from ...kit.problems import MOST, TAKE_OUT, Path, nobody, outside, unknown
from ...rules import Problem, Refused
from .changes import MOST_CHANGED, MOST_STEPS
from .dice import MOST_EXPLOSIONS, ORDER, SCALE, Fallen, Mods, parse_dice, parse_pair
from .world import ANY, PARTS, SCOPES, Contest, Effect, FenWorld, guard, known_skills, most_wounds

NUMBERS = {
    "hp": "HP",
    "temporary": "temporary points",
    "wounds": "wounds",
    "minor": "minor actions that were used",
    "major": "major actions that were used",
    "reactions": "reactions that were used",
}


def problems(world: FenWorld) -> list[Problem]:
    """All that does not fit."""
    live = [*_people(world), *kit.problems(world), *_rounds(world), *_found(world), *_contest(world), *_blow(world)]
    return [*_rules(world), *_sheets(world), *_scenes(world), *live]


def reads(path: Path, text: str, read: Callable[[str], object]) -> Iterator[Problem]:
    """Text that does not read, with the place of the character at which it stops to."""
    try:
        read(text)
    except Refused as bad:
        yield Problem(path, f"{text[:60]!r}, {bad.where}: {bad.what}" if bad.where else bad.what, bad.remedy)


def _name(path: Path, name: str) -> Iterator[Problem]:
    if not name.strip() or "/" in name or name != name.strip():
        what = f"{name!r} cannot be a skill's name: it is empty, or has a stroke or blanks around it"
        yield Problem(path, what, "Rename it; fight/vigor is how a contest is written.")


def _known(world: FenWorld, path: Path, who: str, remedy: str = "") -> Iterator[Problem]:
    """Somebody must have a sheet; without a remedy play can go on as it is."""
    if who not in world.sheets:
        yield nobody(path, who, world, remedy or "Add their sheet, or take this out.", warning=not remedy)


# ---- what is written by hand


def _rules(world: FenWorld) -> Iterator[Problem]:
    rules = world.rules
    if sorted(rules.order) != sorted(ORDER):
        what = "the order must name every change to dice once"
        yield Problem(("rules", "order"), what, f"All of {', '.join(ORDER)}.")
    for key in ("initiative_skills", "attack_skills"):
        if not getattr(rules, key):
            yield Problem(("rules", key), f"{key} names no skill", "Name one, or leave the line out.")
    for key in ("skills", "initiative_skills", "attack_skills", "social_skills"):
        for index, name in enumerate(getattr(rules, key)):
            yield from _name(("rules", key, index), name)
    for key in ("wound_skill", "dodge_skill"):
        yield from _name(("rules", key), getattr(rules, key))
    for key in ("minor_actions", "major_actions", "reactions"):
        yield from outside(("rules", key), getattr(rules, key), 0, 10, key)


def _sheets(world: FenWorld) -> Iterator[Problem]:
    fit = {s.casefold() for s in world.rules.attack_skills}
    for who, sheet in world.sheets.items():
        at: Path = ("sheets", who)
        yield from outside((*at, "hp"), sheet.hp, 1, 100_000, f"{sheet.name}'s HP")
        seen: dict[str, str] = {}
        for skill, dice in sheet.skills.items():
            yield from _name((*at, "skills", skill), skill)
            yield from reads((*at, "skills", skill), dice, parse_dice)
            if twin := seen.get(skill.casefold()):
                what = f"{skill} and {twin} differ in capitals only"
                yield Problem((*at, "skills", skill), what, "Keep one of them.")
            seen[skill.casefold()] = skill
        for name, weapon in sheet.weapons.items():
            place = (*at, "weapons", name)
            yield from reads((*place, "dice"), weapon.dice, parse_dice)
            yield from _name((*place, "skill"), weapon.skill)
            if weapon.skill.casefold() not in fit:
                what = f"{name} is used with {weapon.skill}, which is not a skill to attack with"
                yield unknown((*place, "skill"), what, weapon.skill, world.rules.attack_skills, warning=True)
        for part in PARTS:
            if item := getattr(sheet, part):
                yield from outside((*at, part, "defense"), item.defense, 0, 1_000, f"the defense of {item.name}")


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
                yield unknown((*at, "surprised", index), what, side, scene.sides, warning=True)
        for index, who in enumerate(scene.hidden):
            yield from _known(world, (*at, "hidden", index), who)
        for name, plan in scene.contests.items():
            place = (*at, "contests", name)
            yield from reads((*place, "contest"), plan.contest, parse_pair)
            yield from _skills(world, (*place, "contest"), plan.contest)
            if plan.who:
                yield from _known(world, (*place, "who"), plan.who)
            for index, who in enumerate(plan.against):
                yield from _known(world, (*place, "against", index), who)
            yield from _effect((*place, "effect"), plan.effect)


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
            yield unknown(path, what, skill, known, warning=True)


def _effect(path: Path, effect: Effect) -> Iterator[Problem]:
    if effect.hurt < 0 or effect.wounds < 0:
        yield Problem(path, "an effect cannot be negative", "Write 0 for none.")


# ---- live state


def _people(world: FenWorld) -> Iterator[Problem]:
    for who, them in world.now.people.items():
        at: Path = ("now", "people", who)
        yield from _known(world, at, who)
        for key, words in NUMBERS.items():
            yield from outside((*at, key), getattr(them, key), 0, MOST, words)
        if who in world.sheets and them.hp > world.sheets[who].hp:
            what = f"{them.hp} HP are more than the {world.sheets[who].hp} on the sheet"
            yield Problem((*at, "hp"), what, "Points on top are temporary ones.", warning=True)
        if who in world.sheets and them.wounds > (most := _most_wounds(world, who)):
            what = f"{them.wounds} wounds are more than the tally has: it ends at {most}"
            yield Problem((*at, "wounds"), what, f"Write {most}.", warning=True)
        for part, left in them.guards.items():
            yield from outside((*at, "guards", part), left, 0, 1_000, "defense")
            item = guard(world, who, part) if who in world.sheets else None
            if item and left > item.defense:
                what = f"{item.name} has {item.defense} defense on the sheet, not {left}"
                yield Problem((*at, "guards", part), what, "Write what is left of it.", warning=True)
        yield from _mods((*at, "mods"), them.mods)
        for scope, mods in them.changes.items():
            yield from _mods((*at, "changes", scope), mods)
            if scope not in SCOPES or scope == ANY:
                what = f"no throw is called {scope!r}"
                yield unknown((*at, "changes", scope), what, scope, [s for s in SCOPES if s != ANY], TAKE_OUT)


def _most_wounds(world: FenWorld, who: str) -> int:
    try:
        return most_wounds(world, who)
    except Refused:
        return MOST  # dice that do not read are told of already


def _mods(at: Path, mods: Mods) -> Iterator[Problem]:
    yield from outside((*at, "increments"), mods.increments, -MOST_STEPS, MOST_STEPS, "increments")
    for key in ("additional", "fewer", "non_explosive"):
        yield from outside((*at, key), getattr(mods, key), 0, MOST_CHANGED, f"{key.replace('_', '-')} dice")


def _found(world: FenWorld) -> Iterator[Problem]:
    for who in world.now.found:
        yield from _known(world, ("now", "found"), who)


def _rounds(world: FenWorld) -> Iterator[Problem]:
    turns, rounds = world.now.turns, world.now.rounds
    if turns.running and turns.mode != "sides":
        yield unknown(("now", "turns", "mode"), "here whole sides act", turns.mode, ("sides",))
    sides = dict.fromkeys(fighter.side for fighter in turns.fighters.values())
    for side, standing in rounds.standing.items():
        at: Path = ("now", "rounds", "standing", side)
        yield from _known(world, (*at, "who"), standing.who, TAKE_OUT)
        yield from _name((*at, "skill"), standing.skill)
        if standing.fallen:
            yield from _fallen((*at, "fallen"), standing.fallen)
    for index, side in enumerate(rounds.sequence):
        if side not in sides:
            what = f"nobody fights on the side {side!r}"
            yield unknown(("now", "rounds", "sequence", index), what, side, sides, TAKE_OUT, warning=True)


def _contest(world: FenWorld) -> Iterator[Problem]:
    contest, at = world.now.contest, ("now", "contest")
    if contest is None:
        return
    yield from _known(world, (*at, "who"), contest.who, "Name one who is there, or take the contest out.")
    yield from _name((*at, "skill"), contest.skill)
    yield from _name((*at, "using"), contest.using)
    yield from outside((*at, "round"), contest.round, 1, MOST, "the round of a contest")
    for pair, used in contest.used.items():
        yield from outside((*at, "used", pair), used, 1, max(contest.round, 1), "the round of a pair of skills")
    yield from _effect((*at, "effect"), contest.effect)
    for who in contest.unseen:
        if who not in contest.parties:
            yield unknown((*at, "unseen"), f"{who!r} is not in the contest", who, contest.parties, TAKE_OUT)
    if contest.fallen:
        yield from _fallen((*at, "fallen"), contest.fallen)
        if not contest.defenders:
            yield Problem((*at, "defenders"), "dice have fallen against nobody", "Take the contest out.")
    yield from _defenders(world, contest)


def _defenders(world: FenWorld, contest: Contest) -> Iterator[Problem]:
    for who, one in contest.defenders.items():
        at: Path = ("now", "contest", "defenders", who)
        yield from _known(world, at, who, "Take them out of the contest.")
        if who == contest.who:
            yield Problem(at, f"{who!r} cannot defend against themselves", "Take them out of the defenders.")
        if (contest.fallen is None) != (one.fallen is None):
            yield Problem(at, "only some of this contest has been rolled", "Take all its fallen dice out.")
        if one.fallen:
            yield from _fallen((*at, "fallen"), one.fallen)
        if one.beaten != bool(contest.fallen and one.fallen and contest.fallen.total > one.fallen.total):
            yield Problem((*at, "beaten"), "whoever is beaten has rolled less than the aggressor", "Set it so.")
        if one.applied and not one.beaten:
            yield Problem((*at, "applied"), "the effect strikes only those who were beaten", TAKE_OUT)


def _blow(world: FenWorld) -> Iterator[Problem]:
    blow = world.now.blow
    if blow is None:
        return
    for key in ("who", "against"):
        yield from _known(world, ("now", "blow", key), getattr(blow, key), "Take the blow out.")
    yield from outside(("now", "blow", "damage"), blow.damage, 0, blow.attack.total, "the damage of this blow")
    yield from _fallen(("now", "blow", "attack"), blow.attack)
    if blow.dodge.dice or blow.dodge.other:  # who is down does not dodge
        yield from _fallen(("now", "blow", "dodge"), blow.dodge)
    elif blow.result == "dodged":
        yield Problem(("now", "blow", "result"), "a blow was dodged without dice", "Take the blow out.")


def _fallen(path: Path, fallen: Fallen) -> Iterator[Problem]:
    """Faces that lie on the table are within their dice, and only a maximum explodes."""
    remedy = "Write the faces that lie on the table."
    if not fallen.dice:
        yield Problem(path, "dice have fallen, but there are none", "Take the empty throw out.")
    for die in (*fallen.dice, *fallen.other):
        if die.sides not in SCALE:
            yield unknown((*path, "sides"), f"the game has no d{die.sides}", str(die.sides), map(str, SCALE))
        elif not die.faces or len(die.faces) > MOST_EXPLOSIONS + 1:
            yield Problem(path, f"a d{die.sides} cannot have {len(die.faces)} faces", remedy)
        elif wrong := [f for f in die.faces if not 1 <= f <= die.sides]:
            yield Problem(path, f"a d{die.sides} cannot show {wrong[0]}", remedy)
        elif any(face != die.sides for face in die.faces[:-1]):
            yield Problem(path, f"a d{die.sides} explodes at {die.sides} only", remedy)
        else:
            continue
        return
