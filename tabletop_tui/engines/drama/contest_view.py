"""What the contest screen draws."""

from __future__ import annotations

from msgspec.structs import replace

from ...rules import Action, Bid, ContestView, Counter, Option, Party, Refused, Tone
from .arguments import (
    GIFT,
    HAND,
    POINT,
    TURNED,
    building,
    contest_sides,
    entry_of,
    hand_pieces,
    line_piece,
    mechanical,
    narrative,
    plan_closed,
    plans,
)
from .building import carried, foundation, gift_pieces, point_piece
from .chances import hides
from .contest import GoOn, OpenContest, RollContest
from .contest_adds import adds
from .dice import pool_words
from .fallen import counters, hands, outcome, prompt
from .lines import ShowLines, StrikeLine
from .penalties import level
from .reading import holder
from .world import Contest, DramaWorld, Piece, Roll, many, person
from .world import Party as PartyNow


def contest_view(world: DramaWorld) -> ContestView:
    """The contest screen."""
    prepared = tuple(
        Option(
            p.name,
            OpenContest(i),
            "",
            plan_closed(world, p),
            note=f"{world.name(p.first.who)} and {world.name(p.second.who)}",
            secret=True,
        )
        for i, p in plans(world).items()
    )
    contest = world.now.contest
    if contest is None:
        return ContestView(open=prepared, counters=counters(world))
    roll = world.now.roll if contest.rolled and world.now.roll and world.now.roll.kind == "contest" else None
    return ContestView(
        contest.name,
        (f"round {contest.round}", momentum_words(world, contest)),
        prepared,
        tuple(party_view(world, contest, who, roll) for who in (contest.first, contest.second)),
        extras(world),
        RollContest() if not roll_closed(world, contest) else None,
        roll_closed(world, contest),
        hides(contest),
        hands(roll),
        prompt(world) if roll else None,
        outcome(roll, stakes(world, contest, roll)),
        counters(world),
    )


def momentum_words(world: DramaWorld, contest: Contest) -> str:
    """Who has momentum, and why."""
    try:
        first, second = contest_sides(world, without_hidden(contest)).values()
    except Refused:
        return f"momentum: {world.name(contest.momentum)}" if contest.momentum else "momentum: open"
    who, why = holder(world, "contest", first, second)
    if not who:
        return "momentum: level, the GM picks"
    return f"momentum: {first.name if who == 'first' else second.name} ({why})"


def without_hidden(contest: Contest) -> Contest:
    """The contest as the players see it."""
    parties = {
        w: replace(p, lines={i: line for i, line in p.lines.items() if not line.hidden})
        for w, p in contest.parties.items()
    }
    return replace(contest, parties=parties)


def roll_closed(world: DramaWorld, contest: Contest) -> str:
    """Why the round cannot be rolled, told without what is hidden."""
    if why := building(world):
        return why
    try:
        contest_sides(world, without_hidden(contest))
    except Refused as refused:
        return refused.what
    return ""


def stakes(world: DramaWorld, contest: Contest, roll: Roll | None) -> str:
    """What the winner gets and the loser gives up."""
    verdict = next(iter(roll.verdicts.values()), None) if roll else None
    if roll is None or verdict is None or verdict.winner not in contest.parties:
        return ""
    lost = contest.second if verdict.winner == contest.first else contest.first
    won, other = contest.parties[verdict.winner], contest.parties[lost]
    words = [f"{world.name(verdict.winner)} gets: {won.wants}"] if won.wants else []
    words += [f"{world.name(lost)} loses: {other.risks}"] if other.risks else []
    return ". ".join(words)


# ---- a party


def party_view(world: DramaWorld, contest: Contest, who: str, roll: Roll | None) -> Party:
    """A party: its lines, its meter and what weighs on it."""
    party = contest.parties[who]
    seen = without_hidden(contest).parties[who]
    secret = seen != party and roll is None
    result, tone = how_it_went(roll, who)
    return Party(
        who,
        party_name(contest, world, who),
        "first" if who == contest.first else "second",
        party.wants,
        party.risks,
        rolled_bids(roll, who) if roll else bids(world, who, party, not building(world)),
        rolled_total(roll, who) if roll else total(world, who, seen),
        None if roll else meter(world, who, seen),
        marks(world, who, party),
        result,
        tone,
        adds(world, contest, who),
        secret_total=total(world, who, party) if secret else "",
        secret_meter=meter(world, who, party) if secret else None,
    )


def party_name(contest: Contest, world: DramaWorld, who: str) -> str:
    """A party's name; where both have one name, the second is told apart."""
    same = world.name(contest.first) == world.name(contest.second) and who == contest.second
    return f"{world.name(who)} (2)" if same else world.name(who)


def base_pieces(world: DramaWorld, who: str, party: PartyNow) -> tuple[Piece, ...]:
    """Attribute and skill; nothing where none is chosen."""
    try:
        return foundation(world, who, entry_of(party))[0] if party.using else ()
    except Refused:
        return ()


def rest_pieces(world: DramaWorld, who: str, party: PartyNow) -> list[tuple[str, Piece]]:
    """Helping hands, drama dice, a Drama Point, penalties; each by its name where it can be taken back."""
    found = list(zip((HAND + w for w in party.hands), hand_pieces(world, party), strict=True))
    found += zip((GIFT + w for w in party.gifts), gift_pieces(world, party.gifts, who), strict=False)
    if party.point:
        try:
            found.append((POINT, point_piece(world, who, party.point)))
        except Refused as refused:  # the round was rolled and the point is spent, or it went elsewhere
            found.append((POINT, Piece("Drama Point", note=refused.what)))
    helps = party.turned in person(world, who).penalties
    found += [(TURNED if helps and p.drama else "", p) for p in carried(world, who, party.turned)]
    return found


def bid(piece: Piece, remove: Action | None = None, secret: bool = False) -> Bid:
    """A piece of a pool as a line of the screen."""
    tone: Tone = "bad" if piece.resistance else ""
    return Bid(piece.source, pool_words(piece.base, piece.resistance, piece.drama), piece.note, tone, remove, secret)


def bids(world: DramaWorld, who: str, party: PartyNow, can_change: bool) -> tuple[Bid, ...]:
    """Every line of a pool with its source and its dice."""
    base = base_pieces(world, who, party)
    found = [bid(p) for p in base] or [Bid("no skill chosen yet", "–", tone="muted")]

    def out(what: str) -> Action | None:
        return StrikeLine(who, what) if can_change else None

    found += [bid(line_piece(world, line), out(i), line.hidden) for i, line in party.lines.items()]
    return (*found, *(bid(p, out(i) if i else None) for i, p in rest_pieces(world, who, party)))


def rolled_bids(roll: Roll, who: str) -> tuple[Bid, ...]:
    """The pool as it was when its dice fell."""
    return tuple(bid(p) for p in roll.sides[who].pieces) if who in roll.sides else ()


def rolled_total(roll: Roll, who: str) -> str:
    """The dice that fell."""
    side = roll.sides.get(who)
    return pool_words(side.count("base"), side.count("resistance"), side.count("drama")) if side else ""


def total(world: DramaWorld, who: str, party: PartyNow) -> str:
    """All dice that everybody may see."""
    lines = [line_piece(world, line) for line in party.lines.values()]
    pieces = [*base_pieces(world, who, party), *lines, *(p for _, p in rest_pieces(world, who, party))]
    return pool_words(sum(p.base for p in pieces), sum(p.resistance for p in pieces), sum(p.drama for p in pieces))


def meter(world: DramaWorld, who: str, party: PartyNow) -> Counter:
    """The dice that role-play brought, against their cap."""
    told = narrative(party)
    capped = world.rules.narrative_cap != "none" and bool(base_pieces(world, who, party))
    cap = mechanical(world, who, party) if capped else None
    full = cap is not None and told >= cap
    return Counter("narrative", told, cap, "warn" if full else "", "all it may bring" if full else "")


def marks(world: DramaWorld, who: str, party: PartyNow) -> tuple[str, ...]:
    """Penalties, Composure, what is held back, what was used."""
    them, sheet = person(world, who), world.sheets[who]
    found = [f"{level(them.carried)}: {many(them.carried, 'penalty')}"] if them.carried else []
    if not sheet.player and sheet.composure > 0:
        found.append(f"Composure {them.composure} of {sheet.composure}")
    if any(line.hidden for line in party.lines.values()):
        found.append("holds something back")
    return (*found, *(f"used: {what} (round {number})" for what, number in party.used.items()))


def how_it_went(roll: Roll | None, who: str) -> tuple[str, Tone]:
    """A party's result in this round."""
    if roll is None or roll.stage != "done" or not roll.verdicts:
        return "", ""
    verdict = next(iter(roll.verdicts.values()))
    if not verdict.winner:
        return "fails", "muted"
    if verdict.winner == who:
        return (f"wins by {verdict.level}" if not verdict.by else "has the draw"), "good"
    return "loses", "bad"


# ---- what can be pressed


def extras(world: DramaWorld) -> tuple[Option, ...]:
    """Showing what is hidden, while the round is built; then going on."""
    if building(world):
        return (Option("go on", GoOn(), "g", GoOn.when(world)),)
    return (Option("show hidden", ShowLines(), "h", ShowLines.when(world)),)
