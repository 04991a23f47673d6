"""The sheets of Fen: a character in full, with how each number came to be."""

from __future__ import annotations

from ....kit.common import is_secret
from ....rules import Counter, Line, Section, SheetView, Tone, as_facts
from ..changes import next_throw
from ..dice import parse_dice
from ..distribution import mean
from ..hiding import change_is_whispered
from ..world import PARTS, FenWorld, changes_of, defense, guard, most_wounds, person, skill_dice


def sheet_view(world: FenWorld, who: str) -> SheetView | None:
    """A character in full, with how each number came to be."""
    sheet = world.sheets.get(who)
    if sheet is None:
        return None
    them, most = person(world, who), most_wounds(world, who)
    vigor = skill_dice(world, who, world.rules.wound_skill)
    share = "half" if world.rules.wound_limit == "half" else "all"
    why = f"ends at {most}, {share} {world.rules.wound_skill}'s d{parse_dice(vigor).largest}"
    first = "spent first" if world.rules.temporary_first else "spent last"
    tones: list[Tone] = ["bad" if end else "" for end in (them.hp == 0, them.wounds >= most)]
    found = (
        Counter(name="HP", value=them.hp, most=sheet.hp, tone=tones[0]),
        Counter(name="temporary", value=them.temporary, note=first),
        Counter(name="wounds", value=them.wounds, most=most, tone=tones[1], note=why),
    )
    sections = (
        Section(title="skills", lines=tuple(skill_line(s, d) for s, d in sheet.skills.items())),
        Section(title="weapons", lines=tuple(weapon_line(world, who, name) for name in sheet.weapons)),
        Section(title="shield and armour", lines=guard_lines(world, who)),
        Section(title="dice", lines=change_lines(world, who, whispered=False)),
        Section(title="dice", lines=change_lines(world, who, whispered=True), secret=True),
        Section(title="this round", lines=action_lines(world, who)),
    )
    about = [*([f"played by {sheet.player}"] if sheet.player else []), *([sheet.about] if sheet.about else [])]
    shown = tuple(s for s in sections if s.lines)
    return SheetView(
        title=sheet.name, facts=as_facts(about), counters=found, sections=shown, secret=is_secret(world, who)
    )


def change_lines(world: FenWorld, who: str, *, whispered: bool) -> tuple[Line, ...]:
    """What is done to somebody's next throws, for everybody or for the GM alone."""
    return tuple(
        Line(label=next_throw(scope), value=", ".join(done.parts), because="gone when it is rolled", tone="warn")
        for scope, done in changes_of(world, who).items()
        if change_is_whispered(world, who, scope) == whispered
    )


def skill_line(skill: str, dice: str) -> Line:
    """A skill and what it comes to, explosions included."""
    return Line(label=skill, value=dice, because=f"{mean(parse_dice(dice)):.1f} on average")


def weapon_line(world: FenWorld, who: str, name: str) -> Line:
    """A weapon with the skill that it is used with."""
    weapon = world.sheets[who].weapons[name]
    dice = skill_dice(world, who, weapon.skill)
    return Line(label=name, value=f"{weapon.dice} + {dice}", because=f"with {weapon.skill}")


def guard_lines(world: FenWorld, who: str) -> tuple[Line, ...]:
    """Shield and armour, in the order in which a blow meets them."""
    lines = []
    for part in PARTS:
        item = guard(world, who, part)
        if item:
            left = defense(world, who, part)
            tone: Tone = "bad" if left == 0 else "warn" if left < item.defense else ""
            lines.append(Line(label=item.name, value=f"defense {left} of {item.defense}", because=part, tone=tone))
    return tuple(lines)


def action_lines(world: FenWorld, who: str) -> tuple[Line, ...]:
    """What of the round's actions is left."""
    if who not in world.now.turns.fighters:
        return ()
    them, rules = person(world, who), world.rules
    left = (
        ("minor", rules.minor_actions - them.minor),
        ("major", rules.major_actions - them.major),
        ("reaction", rules.reactions - them.reactions),
    )
    return tuple(
        Line(label=name, value=str(max(n, 0)), because="left in this round", tone="" if n > 0 else "muted")
        for name, n in left
    )
