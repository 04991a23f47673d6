"""What the table and the sheet of Fen show."""

from __future__ import annotations

from ...rules import Counter, Face, Hand, Line, Outcome, Section, SheetView, TableView, Tone
from ...rules import Person as PersonView
from ...rules.common import lasting
from ...rules.order import turn_of
from .dice import Die, Fallen, parse_dice
from .odds import mean
from .round_view import facts, prompt, sides
from .rounds import is_unseen, upcoming
from .world import (
    PARTS,
    FenWorld,
    Part,
    defense,
    guard,
    is_down,
    is_hidden,
    is_secret,
    lies_in_wait,
    most_wounds,
    person,
    skill_dice,
)


def counters(world: FenWorld) -> tuple[Counter, ...]:
    """Clocks and tracks."""
    now = world.now
    clocks = tuple(Counter(c.name, c.filled, c.size, secret=c.secret) for c in now.clocks.values())
    tracks = tuple(Counter(t.name, t.value, t.most, secret=t.secret) for t in now.tracks.values())
    return (*clocks, *tracks)


def face(die: Die, *, counts: bool = True) -> Face:
    """A die as it lies."""
    exploded = len(die.faces) > 1
    tone: Tone = "muted" if not counts else "good" if exploded else ""
    return Face(die.words, die.sides, tone, mark="exploded" if exploded else "" if counts else "not kept")


def hand(name: str, fallen: Fallen, *, secret: bool = False) -> Hand:
    """A throw as it lies; the higher of two totals stands behind the kept one."""
    faces = (*(face(d) for d in fallen.dice), *(face(d, counts=False) for d in fallen.other))
    return Hand(name, faces, str(fallen.total), secret=secret)


# ---- the table


def table_view(world: FenWorld) -> TableView:
    """Who is there, which side acts, who stood up for it, what just fell."""
    turns = world.now.turns
    scene = world.scenes.get(world.now.scene)
    who = [*turns.order, *(w for w in world.present() if w not in turns.order)]
    return TableView(
        scene.title if scene else "",
        banner(world),
        facts(world),
        counters(world),
        tuple(person_view(world, w) for w in who if w in world.sheets),
        sides(world),
        table_hands(world),
        (),
        prompt(world),
        blow_outcome(world),
        lasting(world),
        about=scene.about if scene else "",
        secret_about=scene.secret if scene else "",
        places_title="sides",
    )


def banner(world: FenWorld) -> str:
    """Whose turn it is, in large."""
    turns = world.now.turns
    if not turns.running:
        return ""
    if not world.now.rounds.sequence:
        return "WHO STANDS UP?"
    if is_unseen(world, turns.holder):
        return ""
    side = f"THE {turns.holder.upper()} ACT"
    seen = turns.current and not is_hidden(world, turns.current)
    return f"{side}: {world.name(turns.current).upper()}" if seen else side


def person_view(world: FenWorld, who: str) -> PersonView:
    """A row of the roster."""
    turns, them, sheet = world.now.turns, person(world, who), world.sheets[who]
    fighter = turns.fighters.get(who)
    secret = is_secret(world, who)
    note = f"{them.hp}/{sheet.hp}" + (f"+{them.temporary}" if them.temporary else "")
    note += f" wounds {them.wounds}/{most_wounds(world, who)}" if them.wounds else ""
    marks = [c.what for c in world.now.conditions.values() if c.who == who]
    standing = world.now.rounds.standing.values()
    if any(s.who == who for s in standing):
        marks.append("stands up")
    elif any(who in done for done in turns.spoke.values()):
        marks.append("was up")
    marks += ["reacted"] if fighter and them.reactions >= world.rules.reactions > 0 else []
    marks += [f"{guard_name(world, who, part)} broken" for part in PARTS if broken(world, who, part)]
    go = upcoming(world)[1] if world.now.rounds.sequence else []
    if lies_in_wait(world, who):
        marks.insert(0, "hidden")
    return PersonView(
        who,
        sheet.name,
        fighter.side if fighter else ("heroes" if sheet.player else "others"),
        "" if secret else note,
        note if secret else "",
        tuple(marks),
        who == turns.current,
        bool(fighter and fighter.acted),
        is_out(world, who),
        who in go,
        # whom the GM has prepared is nobody's business until they stand on the table
        is_hidden(world, who) or (fighter is None and secret),
    )


def is_out(world: FenWorld, who: str) -> bool:
    """Down for all to see. Somebody secret is out of the turns only by what happened, not by a number."""
    fighter = world.now.turns.fighters.get(who)
    if fighter:
        return fighter.out
    return person(world, who).hp <= 0 if is_secret(world, who) else is_down(world, who)


def guard_name(world: FenWorld, who: str, part: str) -> str:
    """What it is called; of the GM's characters only what kind of thing it is."""
    item = getattr(world.sheets[who], part)
    return item.name if item and not is_secret(world, who) else part


def broken(world: FenWorld, who: str, part: Part) -> bool:
    """Did it lose all its defense in play?"""
    return person(world, who).guards.get(part, 1) == 0


def table_hands(world: FenWorld) -> tuple[Hand, ...]:
    """The dice of initiative while nobody has acted on it, else those of the last attack."""
    turns, rounds, blow = world.now.turns, world.now.rounds, world.now.blow
    fresh = rounds.sequence and not turns.current and not any(f.acted for f in turns.fighters.values())
    if fresh:
        return tuple(
            hand(f"{side}: {world.name(s.who)}", s.fallen, secret=is_hidden(world, s.who))
            for side, s in rounds.standing.items()
            if s.fallen
        )
    if blow is None or blow.turn != turn_of(world):
        return ()
    return (
        hand(f"{world.name(blow.who)}, {blow.weapon}", blow.attack),
        hand(f"{world.name(blow.against)}, {world.rules.dodge_skill}", blow.dodge),
    )


RESULTS: dict[str, tuple[str, Tone, str]] = {
    "through": ("THROUGH", "good", "What got through comes off HP"),
    "stopped": ("STOPPED", "warn", "Shield and armour took it all"),
    "dodged": ("DODGED", "bad", "Nothing happens"),
}


def for_the_players(tone: Tone) -> Tone:
    """What goes well for a foe goes ill for the table."""
    return "bad" if tone == "good" else "good" if tone == "bad" else tone


def blow_outcome(world: FenWorld) -> Outcome | None:
    """How the last attack ended; damage to the GM's characters is told to the GM by the log and the roster."""
    blow = world.now.blow
    if blow is None or blow.turn != turn_of(world):
        return None
    title, tone, then = RESULTS[blow.result]
    if world.sheets[blow.against].player and not world.sheets[blow.who].player:
        tone = for_the_players(tone)
    known = blow.damage and not is_secret(world, blow.against)
    detail = f"{world.name(blow.who)} {blow.attack.total} against {world.name(blow.against)}'s {blow.dodge.total}"
    detail += f", {blow.damage} through" if known else ""
    return Outcome(title, tone, detail, then, "dodge that meets the attack stops it; then shield, then armour")


# ---- sheets


def sheet_view(world: FenWorld, who: str) -> SheetView | None:
    """A character in full, with how each number came to be."""
    sheet = world.sheets.get(who)
    if sheet is None:
        return None
    them, most = person(world, who), most_wounds(world, who)
    vigor = skill_dice(world, who, world.rules.wound_skill)
    share = "half" if world.rules.wound_limit == "half" else "all"
    why = f"ends at {most}: {share} of the d{parse_dice(vigor).largest} in {world.rules.wound_skill}"
    found = (
        Counter("HP", them.hp, sheet.hp, "bad" if them.hp == 0 else "", "most is on the sheet"),
        Counter(
            "temporary", them.temporary, None, "", "spent first" if world.rules.temporary_first else "spent last"
        ),
        Counter("wounds", them.wounds, most, "bad" if them.wounds >= most else "", why),
    )
    mods = (
        (Line("next throw", ", ".join(them.mods.parts), "gone when it has fallen", "warn"),)
        if them.mods.parts
        else ()
    )
    sections = (
        Section("skills", tuple(skill_line(s, d) for s, d in sheet.skills.items())),
        Section("weapons", tuple(weapon_line(world, who, name) for name in sheet.weapons)),
        Section("shield and armour", guard_lines(world, who)),
        Section("dice", mods),
        Section("this round", action_lines(world, who)),
    )
    about = [*([f"played by {sheet.player}"] if sheet.player else []), *([sheet.about] if sheet.about else [])]
    shown = tuple(s for s in sections if s.lines)
    return SheetView(sheet.name, tuple(about), found, shown, secret=is_secret(world, who))


def skill_line(skill: str, dice: str) -> Line:
    """A skill and what it comes to."""
    return Line(skill, dice, f"{mean(parse_dice(dice)):.1f} on average, explosions included")


def weapon_line(world: FenWorld, who: str, name: str) -> Line:
    """A weapon with the skill that it is used with."""
    weapon = world.sheets[who].weapons[name]
    dice = skill_dice(world, who, weapon.skill)
    return Line(name, f"{weapon.dice} + {dice}", f"weapon dice and {weapon.skill}")


def guard_lines(world: FenWorld, who: str) -> tuple[Line, ...]:
    """Shield and armour, in the order in which a blow meets them."""
    lines = []
    for part in PARTS:
        item = guard(world, who, part)
        if item:
            left = defense(world, who, part)
            tone: Tone = "bad" if left == 0 else "warn" if left < item.defense else ""
            lines.append(Line(item.name, f"defense {left}", f"{part}, {item.defense} when whole", tone))
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
    return tuple(Line(name, str(max(n, 0)), "left in this round", "" if n > 0 else "muted") for name, n in left)
