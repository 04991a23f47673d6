"""A party's pool in a social contest, its cap, and what can be chosen while it is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from ...kit.ahead import refusal
from ...kit.asking import of
from ...rules import Action, Ask, Choice, Field, Refused
from ...rules.ask import Chooser
from .aid import gave
from .building import (
    DIRECT,
    INDIRECT,
    POOL,
    apart,
    approaches,
    foundation,
    gift_pieces,
    penalties_of,
    points_of,
    side,
)
from .campaign import ATTRIBUTES, COMPOSURE, ContestPlan, LineKind, line_kinds
from .dice import pool_words
from .outcome import waiting
from .penalties import able
from .task import hand_piece
from .world import Contest, ContestLine, DramaWorld, Entry, Party, Piece, Side, in_scenes, person

MOST_LINE = 10
"""Dice of one line."""


FULL = "role-play has brought all it may"


def contest_now(world: DramaWorld) -> Contest:
    """The contest under way."""
    if world.now.contest is None:
        raise Refused("no contest is open", remedy="Open one first.")
    return world.now.contest


def building(world: DramaWorld) -> str:
    """Empty while pools are being built, else why not."""
    contest = world.now.contest
    if contest is None:
        return "no contest is open"
    return waiting(world) or ("rolled already, wait for the next round" if contest.rolled else "")


class WithPools(Action):
    """What is done while the pools of a round are being built."""

    screens: ClassVar[tuple[str, ...]] = ("contest",)
    when = staticmethod(building)


def kind_of(world: DramaWorld, line: ContestLine) -> LineKind:
    """The kind of a line."""
    return line_kinds(world.rules).get(line.kind) or LineKind(line.kind)


def line_piece(world: DramaWorld, line: ContestLine) -> Piece:
    """A line as dice."""
    kind = kind_of(world, line)
    source = f"{kind.label}: {line.text}"
    return Piece(source, drama=line.dice) if kind.dice == "drama" else Piece(source, line.dice)


def entry_of(party: Party) -> Entry:
    """What a party uses, as in any test."""
    return Entry(party.using, party.attribute, "", party.point, party.turned)


def mechanical(world: DramaWorld, who: str, party: Party) -> int:
    """Base dice from attribute and skill, background or Composure: the cap of the narrative dice."""
    return sum(p.base for p in foundation(world, who, entry_of(party))[0])


def most_mechanical(world: DramaWorld, who: str) -> int:
    """The largest cap that somebody could have: an NPC's Composure, or the best skill, background or attribute."""
    sheet = world.sheets[who]
    if not sheet.player and sheet.composure > 0:
        return sheet.composure
    ways = [*sheet.skills, *ATTRIBUTES, *(DIRECT + name for name in sheet.backgrounds)]
    return max(foundation(world, who, Entry(using, a))[0][0].base for using in ways for a in ATTRIBUTES)


def counting(world: DramaWorld, who: str, party: Party) -> dict[str, ContestLine]:
    """The lines that count: as many as the cap has room for; the others wait. Before the skill there is no cap.

    Hidden lines come last: whether an open one waits must not tell of them.
    """
    if world.rules.narrative_cap == "none" or not party.using:
        return party.lines
    room, found = mechanical(world, who, party), {}
    for i, line in sorted(party.lines.items(), key=lambda item: item[1].hidden):
        if line.dice <= room:
            found[i], room = line, room - line.dice
    return {i: line for i, line in party.lines.items() if i in found}


def narrative(world: DramaWorld, who: str, party: Party) -> int:
    """Dice that role-play brings."""
    return sum(line.dice for line in counting(world, who, party).values())


def party_side(world: DramaWorld, who: str, party: Party) -> Side:
    """A party's whole pool before it falls."""
    counted = counting(world, who, party).values()
    lines = [line_piece(world, line) for line in counted]
    others = [*hand_pieces(world, party), *gift_pieces(world, party.gifts, who)]
    built = side(world, who, entry_of(party), [*lines, *others])
    return replace(built, passion=any(kind_of(world, line).passion for line in counted))


def hand_pieces(world: DramaWorld, party: Party) -> list[Piece]:
    """What those bring who lend a party a hand."""
    return [hand_piece(world, w, which, party.using) for w, which in party.hands.items()]


def contest_sides(world: DramaWorld, contest: Contest) -> dict[str, Side]:
    """Both pools, or the reason why they cannot be rolled."""
    for who in (contest.first, contest.second):
        party = contest.parties[who]
        if not party.using:
            raise Refused(f"{world.name(who)} has not chosen a skill", remedy="Choose one first.")
        if why := able(world, who):
            raise Refused(f"{world.name(who)} is {why}")
        for helper in (*party.hands, *party.crew):
            if why := arguing(world, helper):
                raise Refused(f"{world.name(helper)} is {why}", remedy="Take their help out.")
        if out_of_composure(world, who):
            raise Refused(f"{world.name(who)} has no Composure left and yields", remedy="Close the contest.")
    keys = (contest.first, contest.second)
    first, second = (party_side(world, who, contest.parties[who]) for who in keys)
    first, second = apart(first, second, keys)
    found = {keys[0]: first, keys[1]: second}
    for who in keys:
        for mate, entry in contest.parties[who].crew.items():
            found[mate] = replace(side(world, mate, entry), joins=who)
    return found


def without_hidden(contest: Contest) -> Contest:
    """The contest as the players see it."""
    parties = {
        w: replace(p, lines={i: line for i, line in p.lines.items() if not line.hidden})
        for w, p in contest.parties.items()
    }
    return replace(contest, parties=parties)


def unready(world: DramaWorld) -> str:
    """Why the round cannot be rolled, told without what is hidden; empty where it can."""
    return building(world) or refusal(contest_sides, world, without_hidden(contest_now(world)))


def check_cap(world: DramaWorld, who: str, party: Party) -> None:
    """Refuse a new line, the last one, for which the skill leaves no room."""
    if list(party.lines)[-1] not in counting(world, who, party):
        cap = mechanical(world, who, party)
        raise Refused(
            f"{world.name(who)}'s role-play brings at most as many dice as attribute and skill: {cap}",
            remedy="Take a line out, or use something stronger.",
        )


def out_of_composure(world: DramaWorld, who: str) -> bool:
    """Has somebody with Composure on the sheet none left? They yield, and stay out until some is back."""
    return world.sheets[who].composure > 0 and person(world, who).composure <= 0


def arguing(world: DramaWorld, who: str) -> str:
    """Empty, or why somebody cannot enter a contest."""
    return able(world, who) or ("out of Composure" if out_of_composure(world, who) else "")


def arguers(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody, closed where they are broken or have no Composure left."""
    return [Choice(w, world.name(w), arguing(world, w)) for w in world.present()]


def check_unused(world: DramaWorld, who: str, party: Party, what: str) -> None:
    """Refuse what served in an earlier round."""
    if number := used_in(party, what):
        raise Refused(f"{world.name(who)} used {what!r} in round {number}", remedy="Bring something else.")


def used_in(party: Party, what: str) -> int:
    """The round in which a skill or advantage was used; 0 for none."""
    bare = what.removeprefix("direct:").removeprefix("indirect:").strip().casefold()
    return next((number for name, number in party.used.items() if name.strip().casefold() == bare), 0)


def default_using(world: DramaWorld, who: str) -> str:
    """NPCs do not argue for dice: Composure, while they have some."""
    sheet = world.sheets[who]
    return COMPOSURE if not sheet.player and person(world, who).composure > 0 and sheet.composure > 0 else ""


def parties(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The two parties."""
    contest = world.now.contest
    return [Choice(w, world.name(w)) for w in (contest.first, contest.second)] if contest else []


def parties_with(what: Callable[[DramaWorld, str], object], why: str) -> Chooser:
    """The two parties, closed where one has nothing of something."""
    return lambda world, fields: [
        replace(c, closed="" if what(world, c.value) else why) for c in parties(world, fields)
    ]


def room(world: DramaWorld, who: str) -> int:
    """Narrative dice for which a party's skill has room beside its open lines; before the skill a whole line's."""
    party = contest_now(world).parties[who]
    if world.rules.narrative_cap == "none" or not party.using:
        return MOST_LINE
    seen = sum(line.dice for line in counting(world, who, party).values() if not line.hidden)
    return max(mechanical(world, who, party) - seen, 0)


line_parties = parties_with(room, FULL)
"""Hidden lines do not tell of themselves."""


def _party(world: DramaWorld, fields: Mapping[str, Any]) -> tuple[str, Party]:
    who = fields.get("party", "")
    contest = world.now.contest
    return who, (contest.parties.get(who) if contest else None) or Party()


def party_approaches(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What a party can use, with Social unless said otherwise; closed where it did in an earlier round."""
    who, party = _party(world, fields)
    found = []
    for choice in _argued(world, who):
        number = used_in(party, choice.value)
        found.append(replace(choice, closed=choice.closed or (f"used in round {number}" if number else "")))
    return found


def helper_approaches(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What a helper can roll with, with Social unless said otherwise."""
    who = fields.get("who", "")
    return [*_argued(world, who), *(c for c in approaches(world, who) if str(c.value).startswith(POOL))]


def _argued(world: DramaWorld, who: str) -> list[Choice]:
    """All that somebody can argue with, and the dice that it brings with Social."""
    found = []
    for choice in approaches(world, who):
        if str(choice.value).startswith(POOL):
            continue
        pieces, _ = foundation(world, who, Entry(choice.value, "Social"))
        stretch = ", a stretch" if str(choice.value).startswith(INDIRECT) else ""
        found.append(Choice(choice.value, f"{pieces[0].source}{stretch}: {pool_words(*pieces)}", choice.closed))
    return found


def argue_attributes(_world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Social, or what the GM allows."""
    return [Choice(a) for a in sorted(ATTRIBUTES, key=lambda a: a != "Social")]


def kinds(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The kinds of line at this table; a passion must be on the sheet."""
    sheet = world.sheets.get(fields.get("party", ""))
    none = "no passion on the sheet" if sheet and not sheet.passions else ""
    return [Choice(i, f"{k.label} ({k.dice})", none if k.passion else "") for i, k in line_kinds(world.rules).items()]


def line_texts(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The passions on the sheet where the line is one; any other line is said in one's own words."""
    kind, sheet = line_kinds(world.rules).get(fields.get("kind", "")), world.sheets.get(fields.get("party", ""))
    held = sheet.passions if kind and kind.passion and sheet else {}
    return [Choice(name, f"{name}, {dice} drama") for name, dice in held.items()]


def line_shape(field: Field, world: DramaWorld, fields: Mapping[str, Any]) -> Field:
    """A passion is chosen from the sheet, and no other words will do."""
    kind = line_kinds(world.rules).get(fields.get("kind", ""))
    return replace(field, ask=Ask(line_texts)) if kind and kind.passion else field


def party_points(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Drama Points of a party, none last; an advantage only once in a contest."""
    who, party = _party(world, fields)
    none, *ways = points_of(world, who)
    found = [
        replace(c, closed=c.closed or (f"used in round {n}" if (n := used_in(party, name)) else ""))
        for c in ways
        for name in [str(c.value).partition(":")[2]]
    ]
    return [*found, none]


party_penalties = of("party", penalties_of)

HAND, WORK, GIFT, POINT, TURNED = "hand:", "work:", "gift:", "point", "turned"
"""What a party can take back besides its lines: somebody's help or drama die, a Drama Point, a penalty that helps."""


def lines_of(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """All that a party can take back: its lines, and what it and others have put in."""
    who, party = _party(world, fields)
    found = [Choice(i, f"{line.text} {line.dice}") for i, line in party.lines.items()]
    found += [Choice(HAND + w, f"{world.name(w)}'s hand") for w in party.hands]
    found += [Choice(WORK + w, f"{world.name(w)}'s work") for w in party.crew]
    found += [Choice(GIFT + w, f"{world.name(w)}'s drama die") for w in party.gifts]
    found += [Choice(POINT, "the Drama Point")] if party.point else []
    return [*found, Choice(TURNED, "the penalty that helps")] if party.turned in _carried(world, who) else found


def _carried(world: DramaWorld, who: str) -> Mapping[str, Any]:
    return person(world, who).penalties if who in world.sheets else {}


def open_lines(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The lines of a party that everybody sees."""
    _, party = _party(world, fields)
    return [Choice(i, f"{line.text} {line.dice}") for i, line in party.lines.items() if not line.hidden]


striking = parties_with(lambda world, who: lines_of(world, {"party": who}), "nothing was put in")
hiding = parties_with(lambda world, who: open_lines(world, {"party": who}), "no line is open")


def contest_givers(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Anybody may give a drama die, once a round."""
    contest = world.now.contest
    given = {w: g for p in contest.parties.values() for w, g in p.gifts.items()} if contest else {}
    return [Choice(w, world.name(w), gave(given, w, world.rules.drama_dice_each)) for w in world.present()]


def contest_helpers(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who is not a party, closed where they cannot enter a contest or stand by somebody already."""
    contest = world.now.contest
    if contest is None:
        return []
    taken = {one: who for who, party in contest.parties.items() for one in (*party.hands, *party.crew)}
    return [
        replace(c, closed=c.closed or (f"stands by {world.name(taken[c.value])}" if c.value in taken else ""))
        for c in arguers(world, fields)
        if c.value not in contest.parties
    ]


def contest_plans(world: DramaWorld) -> dict[str, ContestPlan]:
    """Prepared contests."""
    return in_scenes(world, lambda scene: scene.contests)


def plan_closed(world: DramaWorld, plan: ContestPlan) -> str:
    """Why a prepared contest cannot be opened."""
    for who in (plan.first.who, plan.second.who):
        if who not in world.sheets:
            return f"nobody is called {who!r}"
        if why := arguing(world, who):
            return f"{world.name(who)} is {why}"
    return "one cannot argue with oneself" if plan.first.who == plan.second.who else ""


def contest_choices(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Prepared contests."""
    return [Choice(i, p.name, plan_closed(world, p)) for i, p in contest_plans(world).items()]


def other_ones(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody else who can act."""
    return [c for c in arguers(world, fields) if c.value != fields.get("who")]
