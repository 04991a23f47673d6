"""What the table screen draws of the No1 system."""

from __future__ import annotations

from msgspec.structs import replace

from ....kit import common
from ....kit.common import lasting, plural
from ....kit.order import FOES, HEROES, as_seen
from ....kit.roster import Roster, acts, both, kind, listed, rounds, scenery, together
from ....rules import Counter, Face, Hand, Option, Person, TableView, Tone, as_facts
from ..able import fighting_it_out
from ..advantages import SpendAdvantage, spendable
from ..dice import default_reroll, pool
from ..hazards import hazard_words, hazards_in
from ..initiative import may_go
from ..manoeuvres import CHECK, used
from ..roll import Act, Shift, lying, opened, usual
from ..spending import Adjust
from ..world import Die, No1World, Roll, cast, focus_of, ranks_left, sheet_of, side, zone_name, zone_of
from .beginning import beginning, opening_pools, opening_roll
from .outcome import outcome
from .prompt import ASKED, prompt

# ---- numbers


def counters(world: No1World, moves: tuple[int, int] = (0, 0)) -> tuple[Counter, ...]:
    """Momentum and Entropy with how they just moved, then clocks and tracks."""
    now = world.now
    momentum = Counter(name="Momentum", value=now.momentum, tone="good", note=signed(moves[0]))
    entropy = Counter(name="Entropy", value=now.entropy, tone="bad", note=signed(moves[1]))
    return (
        replace(momentum, more=Adjust("momentum", 1), less=Adjust("momentum", -1)),
        replace(entropy, more=Adjust("entropy", 1), less=Adjust("entropy", -1)),
        *common.counters(world),
    )


def just_moved(world: No1World) -> tuple[int, int]:
    """How Momentum and Entropy moved with what lies on the table; what moved them before is news no more."""
    now, roll = world.now, lying(world)
    lies = used(world) is not None or bool(roll and roll.moves)
    return (now.momentum_moved, now.entropy_moved) if lies and not fighting_it_out(world) else (0, 0)


def signed(move: int) -> str:
    """A move with its sign; nothing for none."""
    return "" if not move else f"+{move}" if move > 0 else f"−{-move}"


def places(world: No1World) -> tuple[Counter, ...]:
    """Zones with the sum of their hazards, what they are, and advantages; who stands there is on each one's row."""
    now, found = world.now, []
    for zone, here in now.zones.items():
        hazard = hazards_in(world, zone)
        notes = [hazard_words(hazard)] if hazard else []
        for team, held in now.advantages.items():
            if held.get(zone):
                notes.append(f"{plural(held[zone], 'advantage')} of the {team}")
        total = sum(hazard.values())
        found.append(Counter(name=here.name, value=total, tone="bad" if total else "muted", note=" · ".join(notes)))
    return tuple(found)


# ---- people


def meters(world: No1World, who: str) -> tuple[Counter, ...]:
    """The ranks that are left of the focused Trait."""
    sheet, trait = sheet_of(world, who), focus_of(world, who)
    left = ranks_left(world, who, trait)
    return (Counter(name=trait, value=left, most=sheet.traits[trait]),) if sheet and trait else ()


def person(roster: Roster, world: No1World, who: str) -> Person:
    """A row of the roster."""
    now, sheet, fighter = world.now, sheet_of(world, who), world.now.turns.fighters.get(who)
    player = bool(sheet and sheet.player)
    ranks = meters(world, who) if player else ()
    marks = [f"H{sheet.hazard}"] if sheet and sheet.hazard else []
    marks += [f"+{more}d4 hits"] if (more := now.boosts.get(who)) else []
    marks += [f"defied {off}"] if (off := now.defied.get(who)) else []
    marks += [f"{meter.name} {meter.value}/{meter.most}" for meter in ranks]
    return roster.person(
        who,
        side=side(world, who) if fighter or player else "others",
        section=fighter.side if fighter else roster.section(who),
        group=now.copies.get(who, "") or kind(world, who),
        note=zone_name(world, zone_of(world, who)) if fighter or who in now.positions else "",
        marks=marks,
        out=bool(fighter and fighter.out),
        meters=ranks,
    )


def people(world: No1World) -> tuple[Person, ...]:
    """Heroes, then foes, those of a kind together; then everybody who is not in the encounter."""
    turns = world.now.turns
    roster = Roster(world, may_go(world) if turns.running and turns.timer != 0 else ())
    order = sorted(turns.order, key=lambda w: turns.fighters[w].side != HEROES)
    inside = {*order, *world.now.copies.values()}  # the sheet of copies that fight is not one more
    order += [w for w in listed(world) if w not in inside]
    return together(person(roster, world, w) for w in order)


# ---- dice on the table


def face(world: No1World, die: Die, choosable: bool, chosen: bool) -> Face:
    """A die as it lies: hits are good, 1s are bad."""
    tone: Tone = "bad" if die.face == 1 else "good" if die.face >= world.rules.target else ""
    return Face(
        text=str(die.face),
        sides=die.sides,
        tone=tone,
        choosable=choosable,
        chosen=chosen,
        group="hazard" if die.hazard else "",
        rerolled=bool(die.rerolled),
        mark="rerolled" if die.rerolled else "",
    )


def hands(world: No1World) -> tuple[Hand, ...]:
    """The dice of the last roll, Hazard dice in the same row; or those of the opening test."""
    roll, opening, checked = lying(world), opened(world), used(world)
    if checked is not None and checked.face:
        tone: Tone = "good" if checked.works else "bad"
        return (Hand(who=checked.name, faces=(Face(text=str(checked.face), sides=CHECK, tone=tone),)),)
    if checked is not None or world.now.verdict:
        return ()  # no dice decided it
    if roll is not None:
        default = default_reroll(world, roll) if roll.pending else ()
        row = tuple(
            face(world, d, roll.pending and d.face == 1, i in default and roll.pending)
            for i, d in enumerate(roll.dice)
        )
        return (
            Hand(who=world.name(roll.who), faces=row, total=hit_words(world, roll), secret=world.is_hidden(roll.who)),
        )
    if opening is None:
        return ()
    rows = ((HEROES, opening.heroes), (FOES, opening.foes))
    target = world.rules.target
    return tuple(
        Hand(
            who=name,
            faces=tuple(face(world, Die(opening.sides, f), False, False) for f in faces),
            total=plural(sum(f >= target for f in faces), "hit"),
        )
        for name, faces in rows
    )


def hit_words(world: No1World, roll: Roll) -> str:
    """Hits, with bonus hits named."""
    count = sum(d.face >= world.rules.target for d in roll.dice) + roll.bonus
    return plural(count, "hit") + (f" ({roll.bonus} from advantages)" if roll.bonus else "")


# ---- the screen


def table_view(world: No1World) -> TableView:
    """Who holds the Initiative, the counters, both sides, the zones and the dice."""
    return both(world, as_seen(world), _table_view)


def deeds(world: No1World) -> tuple[Option, ...]:
    """An Action and a Shift, as far as whoever is up has them left, and the team's advantages where they stand.

    Outside of encounters all of it, after the encounter that could begin.
    """
    now, up = world.now, world.now.turns.current
    if now.turns.running and not up:
        return ()
    done = now.turns.round if up else -1
    act = () if now.taken.get(up) == done else ((Act(up), ""),)
    shift = () if now.shifted.get(up) == done else ((Shift(up, ASKED), "defy, an advantage, a move"),)
    held = max((spendable(world, w) for w in ([up] if up else cast(world))), default=0)
    spend = ((SpendAdvantage(up, ASKED), f"{held} here"),) if held else ()
    return (*beginning(world), *acts(world, *act, *shift, *spend))


def _table_view(world: No1World) -> TableView:
    now, turns, act = world.now, world.now.turns, usual(world)
    on = "a contest is on" if now.duel is not None and now.duel.stage != "over" else ""
    facts = (*(rounds(world) if turns.running else ()), f"Challenge {now.challenge}", on)
    return TableView(
        banner=f"The {turns.holder} hold the Initiative" if turns.running else "",
        facts=as_facts(facts),
        counters=counters(world, just_moved(world)),
        people=people(world),
        places=places(world),
        hands=hands(world),
        pools=(pool(world, act.who, act.skill, 0, focus_of(world, act.who)),) if act else opening_pools(world),
        prompt=prompt(world),
        outcome=outcome(world),
        conditions=lasting(world),
        **scenery(world),
        roll=act or opening_roll(world),
        acts=deeds(world),
    )
