"""What the table screen draws of the No1 system."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence

from ...rules import Counter, Face, Hand, Option, Outcome, Pool, Prompt, Refused, TableView, Tone
from ...rules import Person as PersonView
from ...rules.common import lasting
from ...rules.order import FOES, HEROES
from .dice import default_reroll, pool
from .encounter import Begin, End, EndRound, Next, may_go
from .hazards import hazard_words, hazards_in
from .roll import KEEPS, Act, LetGo, Reroll, skills_of
from .spending import SceneTurned, SetChallenge, verdict
from .world import (
    Die,
    No1World,
    Roll,
    focus_of,
    hidden,
    is_hero,
    other_side,
    plural,
    ranks_left,
    sheet_of,
    side,
    turn_used,
    zone_name,
    zone_of,
)

# ---- numbers


def counters(world: No1World) -> tuple[Counter, ...]:
    """Momentum and Entropy with their last moves, then clocks and tracks."""
    now = world.now
    return (
        Counter("Momentum", now.momentum, tone="good", note=signed(now.momentum_moved)),
        Counter("Entropy", now.entropy, tone="bad", note=signed(now.entropy_moved)),
        *(Counter(c.name, c.filled, c.size, secret=c.secret) for c in now.clocks.values()),
        *(Counter(t.name, t.value, t.most, secret=t.secret) for t in now.tracks.values()),
    )


def signed(move: int) -> str:
    """A move with its sign; nothing for none."""
    return "" if not move else f"+{move}" if move > 0 else f"−{-move}"


def places(world: No1World) -> tuple[Counter, ...]:
    """Zones with the sum of their hazards, what they are, advantages, and who is seen there."""
    found = []
    for zone, here in world.now.zones.items():
        hazard = hazards_in(world, zone)
        notes = [hazard_words(hazard)] if hazard else []
        for team, held in world.now.advantages.items():
            if held.get(zone):
                notes.append(f"{plural(held[zone], 'advantage')} of the {team}")
        here_ = [w for w, z in world.now.positions.items() if z == zone and not hidden(world, w)]
        kinds = Tally(world.now.copies.get(w, w) for w in here_)
        if kinds:
            names = [world.name(w) + (f" ×{n}" if n > 1 else "") for w, n in kinds.items()]
            notes.append(f"here: {', '.join(names)}")
        total = sum(hazard.values())
        found.append(Counter(here.name, total, tone="bad" if total else "muted", note=" · ".join(notes)))
    return tuple(found)


# ---- people


def person(world: No1World, who: str, ready: frozenset[str], held: Sequence[str]) -> PersonView:
    """A row of the roster."""
    now, turns = world.now, world.now.turns
    sheet, fighter = sheet_of(world, who), turns.fighters.get(who)
    player = bool(sheet and sheet.player)
    marks = [*held]
    if off := now.defied.get(who):
        marks.insert(0, f"defied {off}")
    if more := now.boosts.get(who):
        marks.insert(0, f"+{more}d4 hits")
    if sheet and sheet.hazard:
        marks.insert(0, f"H{sheet.hazard}")
    if sheet and player and (trait := focus_of(world, who)):
        marks.append(f"{trait} {ranks_left(world, who, trait)}/{sheet.traits[trait]}")
    unseen = bool(fighter and fighter.hidden)
    if unseen:
        marks.insert(0, "hidden")
    return PersonView(
        who,
        world.name(who),
        fighter.side if fighter else side(world, who) if player else "others",
        zone_name(world, zone_of(world, who)) if fighter else "",
        "",
        tuple(marks),
        bool(fighter) and who == turns.current,
        bool(fighter and fighter.acted),
        bool(fighter and fighter.out),
        who in ready,
        # whom the GM has prepared is nobody's business until they stand on the table
        unseen or (fighter is None and not player),
        now.copies.get(who, ""),
    )


def people(world: No1World) -> tuple[PersonView, ...]:
    """Heroes, then foes; while nobody fights, everybody who is about."""
    turns = world.now.turns
    held: dict[str, list[str]] = {}
    for c in world.now.conditions.values():
        held.setdefault(c.who, []).append(c.what)
    ready = frozenset(may_go(world)) if turns.running and turns.timer != 0 else frozenset()
    order = sorted(turns.order, key=lambda w: turns.fighters[w].side != HEROES) or world.present()
    return tuple(person(world, w, ready, held.get(w, ())) for w in order)


# ---- dice on the table


def face(world: No1World, die: Die, choosable: bool, chosen: bool) -> Face:
    """A die as it lies: hits are good, 1s are bad."""
    tone: Tone = "bad" if die.face == 1 else "good" if die.face >= world.rules.target else ""
    marks = [*(["hazard"] if die.hazard else []), *(["rerolled"] if die.rerolled else [])]
    return Face(str(die.face), die.sides, tone, choosable, chosen, " ".join(marks))


def lying(world: No1World) -> Roll | None:
    """The roll that lies on the table: until somebody else is up, or another round begins."""
    now, turns = world.now, world.now.turns
    roll = now.roll
    if roll is None or roll.pending or not turns.running:
        return roll
    # players see no change when a hidden one is up
    last = next((w for w in reversed(turns.begun) if not hidden(world, w)), roll.who)
    return roll if turn_used(world, roll.who) and last == roll.who else None


def hands(world: No1World) -> tuple[Hand, ...]:
    """The dice of the last roll, Hazard dice in the same row; or those of the opening test."""
    roll, opening = lying(world), world.now.opening
    if roll is not None:
        default = default_reroll(world, roll) if roll.pending else ()
        row = tuple(
            face(world, d, roll.pending and d.face == 1, i in default and roll.pending)
            for i, d in enumerate(roll.dice)
        )
        return (Hand(world.name(roll.who), row, hit_words(world, roll), hidden(world, roll.who)),)
    if opening is None:
        return ()
    rows = ((HEROES, opening.heroes), (FOES, opening.foes))
    target = world.rules.target
    return tuple(
        Hand(
            name,
            tuple(face(world, Die(opening.sides, f), False, False) for f in faces),
            plural(sum(f >= target for f in faces), "hit"),
        )
        for name, faces in rows
    )


def hit_words(world: No1World, roll: Roll) -> str:
    """Hits, with bonus hits named."""
    count = sum(d.face >= world.rules.target for d in roll.dice) + roll.bonus
    return plural(count, "hit") + (f" ({roll.bonus} from advantages)" if roll.bonus else "")


def usual(world: No1World) -> Act | None:
    """The Action that whoever is up would take with their best skill."""
    turns = world.now.turns
    who = turns.current
    if not who or Act.when(world) or world.now.taken.get(who) == turns.round:
        return None
    return Act(who, str(skills_of(world, who)[0].value))


def pools(world: No1World) -> tuple[Pool, ...]:
    """The dice of that Action."""
    act = usual(world)
    if act is None:
        return ()
    try:
        found = pool(world, act.who, act.skill, 0, focus_of(world, act.who))
    except Refused:  # more dice than one roll may have: the roll itself says so
        return ()
    return (Pool(found.who, found.parts, not is_hero(world, act.who) or hidden(world, act.who)),)


# ---- what the game waits for


def prompt(world: No1World) -> Prompt | None:
    """Reroll or let go; else, between turns, who goes next."""
    roll = world.now.roll
    if roll is not None and roll.pending:
        return reroll_prompt(world, roll)
    turns = world.now.turns
    if not turns.running:
        return begin_prompt(world)
    if turns.timer == 0:
        more = Option("a round more", SetChallenge(world.now.challenge, 1), "+")
        return Prompt("Time is up.", (Option("end the encounter", End(), "x"), more))
    up = turns.current if turns.current and not hidden(world, turns.current) else ""
    if up and world.now.taken.get(up) != turns.round:
        return None
    ready = may_go(world)
    options = tuple(Option(name, Next(w), secret=hidden(world, w)) for w, name in one_of_each(world, ready))
    act = usual(world)
    if act is not None:  # a hidden one is up: the GM goes on with it, the players see what they saw before
        with_ = f" with {act.skill}" if act.skill else ""
        options = (Option(f"{world.name(act.who)} acts{with_}, and is seen", act, "r", secret=True), *options)
    seen = [w for w in ready if not hidden(world, w)]
    end = Option("end the round", EndRound(), "d")
    if not seen:
        return Prompt("Everybody has acted.", (*options, end))
    theirs = side(world, seen[0])
    gone = "" if theirs == turns.holder else f"The {turns.holder} have all acted. "
    spare = f"{world.name(up)} still has a Shift. " if up and world.now.shifted.get(up) != turns.round else ""
    return Prompt(f"{spare}{gone}Who of the {theirs} goes next?", (*options, end))


def begin_prompt(world: No1World) -> Prompt | None:
    """Nothing runs: the prepared scenes, a key each."""
    if Begin.when(world) or not world.scenes:
        return None
    ordered = sorted(world.scenes, key=lambda s: s == world.now.scene)  # what was played last is done
    return Prompt(
        "No encounter is running. Begin one?", tuple(Option(world.scenes[s].title, Begin(s)) for s in ordered)
    )


def one_of_each(world: No1World, ready: Sequence[str]) -> list[tuple[str, str]]:
    """Of identical foes that stand together it makes no difference who goes: one of them, and how many there are."""
    kinds: dict[tuple[str, str, bool, str], list[str]] = {}
    for who in ready:
        alike = (world.now.copies.get(who) or who, zone_of(world, who), hidden(world, who))
        marked = any(c.who == who for c in world.now.conditions.values())
        kinds.setdefault((*alike, who if marked else ""), []).append(who)
    often = Tally((kind[0], kind[2]) for kind in kinds)

    def where(kind: tuple[str, str, bool, str]) -> str:
        return f", {zone_name(world, kind[1])}" if often[kind[0], kind[2]] > 1 else ""

    return [
        (some[0], world.name(some[0]) if len(some) == 1 else f"{world.name(kind[0])} (1 of {len(some)}{where(kind)})")
        for kind, some in kinds.items()
    ]


def reroll_prompt(world: No1World, roll: Roll) -> Prompt:
    """The 1s on the table; the first option is the default, and dice can be picked for it."""
    left, ones = ranks_left(world, roll.who, roll.trait), roll.ones()
    unseen = hidden(world, roll.who)
    some = tuple(ones[:left])
    spent = "" if some else f"no ranks of {roll.trait} are left"  # a sheet was edited while the roll lay there
    again = Option(f"reroll {'it' if len(some) == 1 else len(some)}", Reroll(some), "y", spent, secret=unseen)
    default = default_reroll(world, roll)
    text = f"{'a 1' if len(ones) == 1 else f'{len(ones)} 1s'}: reroll? {plural(left, 'rank')} of {roll.trait} left"
    if default:
        return Prompt(text, (again, Option("let go", LetGo(), "n", secret=unseen)), "dice", left)
    # the same action with no dice lets go, so that dice can still be picked instead
    return Prompt(text, (Option("let go", Reroll(), "n", secret=unseen), again), "dice", left)


def outcome(world: No1World) -> Outcome | None:
    """Which way the scene turned, or how the last roll came out."""
    now = world.now
    if now.verdict:
        return verdict_outcome(world)
    roll = lying(world)
    if roll is None or roll.pending or hidden(world, roll.who):
        return None
    name = world.name(roll.who)
    because = "no 1 in the result set" if roll.clean else "a 1 stayed in the result set"
    detail = ", ".join([plural(roll.hits, "hit"), *([roll.moves] if roll.moves else [])])
    if roll.kind != "action":
        done = {
            "defy": "defies danger",
            "advantage": "finds an opening",
            "move": f"moves to {zone_name(world, roll.to)}",
        }
        tone: Tone = "good" if roll.clean else "warn"
        return Outcome(f"{name} {done[roll.kind]}".upper(), tone, detail, shift_words(roll), because)
    mine = side(world, roll.who)
    tone = "good" if roll.clean == (mine == HEROES) else "bad"
    stays = "; the Initiative stays where it is" if now.turns.running else ""
    if roll.away:
        words = f"{name}: {'no 1' if roll.clean else 'a 1'}".upper()
        return Outcome(words, tone, detail, f"Say what the hits do{stays}.", because)
    if roll.clean:
        return Outcome(
            f"{name} {KEEPS}".upper(), tone, detail, "Say what the hits do, then pick who goes next.", because
        )
    seize = f"the {other_side(mine)} seize the Initiative".upper()
    ready = [w for w in may_go(world) if not hidden(world, w)]
    goes = f"the {side(world, ready[0])} pick who goes" if ready else "everybody has acted"
    return Outcome(seize, tone, detail, f"The hits count all the same; {goes}.", because)


def shift_words(roll: Roll) -> str:
    """What a Shift brought."""
    if roll.kind == "defy":
        return (
            f"{plural(roll.hits, 'hit')} come off the Hazard dice of the next roll"
            if roll.hits
            else "No dice come off"
        )
    if roll.kind == "advantage":
        return f"{plural(roll.hits, 'advantage')} in the zone" if roll.hits else "Nothing to build on"
    return ""


def verdict_outcome(world: No1World) -> Outcome:
    """The comparison, in large."""
    now = world.now
    titles = {
        HEROES: "THE SCENE TURNS THE HEROES' WAY",
        FOES: "THE SCENE TURNS THE FOES' WAY",
        "level": "THE SCENE HANGS IN THE BALANCE",
    }
    tones: dict[str, Tone] = {HEROES: "good", FOES: "bad", "level": "warn"}
    # while the encounter runs it is still open to a correction
    way = verdict(now.momentum, now.entropy) if now.turns.running else now.verdict
    detail = f"Momentum {now.momentum}, Entropy {now.entropy}"
    more = "End the encounter, or give it more time." if now.turns.running else ""
    return Outcome(titles[way], tones[way], detail, more, SceneTurned.rule)


# ---- the screen


def table_view(world: No1World) -> TableView:
    """Who holds the Initiative, the counters, both sides, the zones and the dice."""
    now, turns = world.now, world.now.turns
    scene = world.scenes.get(now.scene)
    facts = [f"Challenge {now.challenge}"]
    if now.duel is not None and now.duel.stage != "over":
        facts.append("a contest is on")
    if turns.running:
        facts.insert(0, f"round {turns.round}")
        if turns.timer is not None:
            facts.insert(1, f"timer {turns.timer}")
    return TableView(
        scene.title if scene else "",
        f"{turns.holder} hold the Initiative".upper() if turns.running else "",
        tuple(facts),
        counters(world),
        people(world),
        places(world),
        hands(world),
        pools(world),
        prompt(world),
        outcome(world),
        lasting(world),
        scene.about if scene else "",
        scene.secret if scene else "",
        usual(world),
    )
