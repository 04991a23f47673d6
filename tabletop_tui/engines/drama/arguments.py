"""A party's pool in a social contest, its caps, and what can be chosen while it is built."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ...rules import Choice, Refused
from .building import (
    able_ones,
    apart,
    approaches,
    foundation,
    gift_pieces,
    penalties_of,
    points_of,
    side,
)
from .crew import gave, hand_piece
from .penalties import able
from .reading import waiting
from .world import (
    ATTRIBUTES,
    COMPOSURE,
    Contest,
    ContestLine,
    ContestPlan,
    DramaWorld,
    Entry,
    LineKind,
    Party,
    Piece,
    Side,
    line_kinds,
    person,
)


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
    return waiting(world) or ("this round has been rolled" if contest.rolled else "")


# ---- pools


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


def narrative(party: Party) -> int:
    """Dice that role-play brought."""
    return sum(line.dice for line in party.lines.values())


def party_side(world: DramaWorld, who: str, party: Party) -> Side:
    """A party's whole pool before it falls."""
    lines = [line_piece(world, line) for line in party.lines.values()]
    others = [*hand_pieces(world, party), *gift_pieces(world, party.gifts, who)]
    built = side(world, who, entry_of(party), [*lines, *others])
    return replace(built, passion=any(kind_of(world, line).passion for line in party.lines.values()))


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
        for hand in party.hands:
            if why := able(world, hand):
                raise Refused(f"{world.name(hand)} is {why}", remedy="Take their hand out.")
        if party.using == COMPOSURE and not person(world, who).composure:
            raise Refused(f"{world.name(who)} has no Composure left and yields", remedy="Close the contest.")
        check_cap(world, who, party)
    keys = (contest.first, contest.second)
    first, second = (party_side(world, who, contest.parties[who]) for who in keys)
    first, second = apart(first, second, keys)
    return {keys[0]: first, keys[1]: second}


def check_cap(world: DramaWorld, who: str, party: Party) -> None:
    """Refuse more dice from role-play than from attribute and skill; before the skill is chosen there is no cap."""
    if world.rules.narrative_cap == "none" or not party.using:
        return
    cap, told = mechanical(world, who, party), narrative(party)
    if told > cap:
        raise Refused(
            f"{world.name(who)}'s role-play brings {told} dice, and attribute and skill only {cap}",
            remedy="Take a line out, or use something stronger.",
        )


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


# ---- choices


def parties(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The two parties."""
    contest = world.now.contest
    return [Choice(w, world.name(w)) for w in (contest.first, contest.second)] if contest else []


def _party(world: DramaWorld, fields: Mapping[str, Any]) -> tuple[str, Party]:
    who = fields.get("party", "")
    contest = world.now.contest
    return who, (contest.parties.get(who) if contest else None) or Party()


def party_approaches(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What a party can use, with Social unless said otherwise; closed where it did in an earlier round."""
    who, party = _party(world, fields)
    found = []
    for choice in approaches(world, who):
        pieces, _ = foundation(world, who, Entry(choice.value, "Social"))
        words = f"{pieces[0].source}: {pieces[0].base} base"
        number = used_in(party, choice.value)
        found.append(Choice(choice.value, words, choice.closed or (f"used in round {number}" if number else "")))
    return found


def argue_attributes(_world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Social, or what the GM allows."""
    return [Choice(a) for a in sorted(ATTRIBUTES, key=lambda a: a != "Social")]


def kinds(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The kinds of line at this table."""
    return [Choice(i, f"{k.label} ({k.dice})") for i, k in line_kinds(world.rules).items()]


def party_points(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Drama Points of a party; an advantage only once in a contest."""
    who, party = _party(world, fields)
    return [
        replace(c, closed=c.closed or (f"used in round {n}" if (n := used_in(party, name)) else ""))
        for c in points_of(world, who)
        for name in [str(c.value).partition(":")[2]]
    ]


def party_penalties(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Penalties of a party that could help for once."""
    return penalties_of(world, fields.get("party", ""))


HAND, GIFT, POINT, TURNED = "hand:", "gift:", "point", "turned"
"""What a party can take back besides its lines: somebody's hand or drama die, a Drama Point, a penalty that helps."""


def lines_of(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """All that a party can take back: its lines, and what it and others have put in."""
    who, party = _party(world, fields)
    found = [Choice(i, f"{line.text} {line.dice}") for i, line in party.lines.items()]
    found += [Choice(HAND + w, f"{world.name(w)}'s hand") for w in party.hands]
    found += [Choice(GIFT + w, f"{world.name(w)}'s drama die") for w in party.gifts]
    found += [Choice(POINT, "the Drama Point")] if party.point else []
    return [*found, Choice(TURNED, "the penalty that helps")] if party.turned in _carried(world, who) else found


def _carried(world: DramaWorld, who: str) -> Mapping[str, Any]:
    return person(world, who).penalties if who in world.sheets else {}


def open_lines(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The lines of a party that everybody sees."""
    _, party = _party(world, fields)
    return [Choice(i, f"{line.text} {line.dice}") for i, line in party.lines.items() if not line.hidden]


def contest_givers(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Anybody may give a drama die, once a round."""
    contest = world.now.contest
    given = {w: g for p in contest.parties.values() for w, g in p.gifts.items()} if contest else {}
    return [Choice(w, world.name(w), gave(given, w, world.rules.drama_dice_each)) for w in world.present()]


def contest_helpers(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who is no party, closed where they are broken or stand by somebody already."""
    contest = world.now.contest
    if contest is None:
        return []
    taken = {hand: who for who, party in contest.parties.items() for hand in party.hands}
    return [
        replace(c, closed=c.closed or (f"stands by {world.name(taken[c.value])}" if c.value in taken else ""))
        for c in able_ones(world, fields)
        if c.value not in contest.parties
    ]


def plans(world: DramaWorld) -> dict[str, ContestPlan]:
    """Prepared contests: of the scene that is on, or of all scenes where none is."""
    return {
        f"{scene_id}/{plan_id}": plan
        for scene_id, scene in world.scenes.items()
        if world.now.scene in ("", scene_id)
        for plan_id, plan in scene.contests.items()
    }


def plan_closed(world: DramaWorld, plan: ContestPlan) -> str:
    """Why a prepared contest cannot be opened."""
    for who in (plan.first.who, plan.second.who):
        if who not in world.sheets:
            return f"nobody is called {who!r}"
        if why := able(world, who):
            return f"{world.name(who)} is {why}"
    return "one cannot argue with oneself" if plan.first.who == plan.second.who else ""


def plan_choices(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Prepared contests."""
    return [Choice(i, p.name, plan_closed(world, p)) for i, p in plans(world).items()]


def other_ones(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody else who can act."""
    return [c for c in able_ones(world, fields) if c.value != fields.get("who")]
