"""What the contest screen draws."""

from __future__ import annotations

from msgspec.structs import replace

from ....kit.common import counters, is_secret
from ....kit.roster import both
from ....rules import Action, Bid, ContestView, Counter, Option, Outcome, Party, Refused, Tone, as_facts
from ..building import carried, foundation, gift_pieces, point_piece, side
from ..contest import GoOn, OpenContest, RollContest
from ..contest_lines import ShowLines, StrikeLine
from ..contest_pools import (
    GIFT,
    HAND,
    POINT,
    TURNED,
    WORK,
    building,
    contest_plans,
    contest_sides,
    counting,
    entry_of,
    hand_pieces,
    line_piece,
    mechanical,
    narrative,
    plan_closed,
    unready,
    without_hidden,
)
from ..dice import pool_words
from ..momentum import holder, pair_of
from ..odds import gives_away, part
from ..penalties import level
from ..world import Contest, DramaWorld, Entry, Piece, Roll, many, person
from ..world import Party as PartyNow
from .contest_adds import adds
from .players import as_players
from .roll import hands, outcome, prompt


def contest_view(world: DramaWorld) -> ContestView:
    """The contest screen; players do not see a contest with somebody who is hidden."""
    roll = world.now.roll
    moved_on = roll is None or roll.kind != "contest"
    return both(world, as_players(world), lambda one: _contest_view(one, moved_on=moved_on))


def _contest_view(world: DramaWorld, *, moved_on: bool) -> ContestView:
    prepared = tuple(
        Option(
            label=p.name,
            action=OpenContest(i),
            closed=plan_closed(world, p),
            note=f"{world.name(p.first.who)} and {world.name(p.second.who)}",
            secret=True,
        )
        for i, p in contest_plans(world).items()
    )
    contest = world.now.contest
    if contest is None:
        return ContestView(open=prepared, counters=counters(world))
    roll = world.now.roll if contest.rolled and world.now.roll and world.now.roll.kind == "contest" else None
    closed, came = unready(world), outcome(roll, stakes(world, contest, roll))
    if contest.rolled and moved_on:  # another roll lies there by now
        came = Outcome(title=f"round {contest.round} is over", tone="muted", detail=momentum_words(world, contest))
    return ContestView(
        title=contest.name,
        facts=as_facts((f"round {contest.round}", momentum_words(world, contest))),
        open=prepared,
        parties=tuple(party_view(world, contest, who, roll) for who in (contest.first, contest.second)),
        extras=extras(world),
        roll=RollContest() if not closed else None,
        roll_closed=closed,
        odds_secret=gives_away(world, contest),
        hands=hands(roll),
        prompt=prompt(world) if roll else None,
        outcome=replace(came, goes_on=not contest.yielded) if came else None,
        counters=counters(world),
    )


def momentum_words(world: DramaWorld, contest: Contest) -> str:
    """Who has momentum, and why."""
    try:
        sides = contest_sides(world, without_hidden(contest))
    except Refused:
        last = world.now.won.get(pair_of(contest.first, contest.second)) or contest.momentum
        return f"momentum: {world.name(last)}" if last else "momentum: open"
    first, second = sides[contest.first], sides[contest.second]
    who, why = holder(world, "contest", first, second)
    if not who:
        return "momentum: level, the GM picks"
    return f"momentum: {first.name if who == 'first' else second.name} ({why})"


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


def party_view(world: DramaWorld, contest: Contest, who: str, roll: Roll | None) -> Party:
    """A party: its lines, its meter and what weighs on it."""
    party = contest.parties[who]
    seen = without_hidden(contest).parties[who]
    mine = is_secret(world, who)  # Composure, passions and penalties of the GM's own
    secret = (mine or seen != party) and roll is None
    result, tone = how_it_went(roll, who)
    return Party(
        id=who,
        name=party_name(contest, world, who),
        side="first" if who == contest.first else "second",
        wants=party.wants,
        risks=party.risks,
        bids=rolled_bids(world, roll, who, party) if roll else bids(world, who, party, not building(world), mine),
        total=rolled_total(roll, who) if roll else "" if mine else shown_total(world, who, seen),
        meter=None if roll or mine else meter(world, who, seen),
        marks=marks(world, who, party),
        result=result,
        tone=tone,
        adds=adds(world, contest, who),
        asks="" if party.using or building(world) else f"What does {party_name(contest, world, who)} argue with?",
        secret_total=shown_total(world, who, party) if secret else "",
        secret_meter=meter(world, who, party) if secret else None,
        secret_marks=composure(world, who) if mine else (),
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
    one = part(piece)
    return Bid(source=one.source, dice=one.dice, note=one.note, tone=one.tone, remove=remove, secret=secret)


def bids(world: DramaWorld, who: str, party: PartyNow, can_change: bool, secret: bool) -> tuple[Bid, ...]:
    """Every line of a pool with its source and its dice; of the GM's own, players see what was said in character."""
    base = base_pieces(world, who, party)
    found = [bid(p, secret=secret) for p in base] or [Bid(source="no skill chosen yet", dice="–", tone="muted")]

    def out(what: str) -> Action | None:
        return StrikeLine(who, what) if can_change else None

    counted = counting(world, who, party)
    for i, line in party.lines.items():
        shown = bid(line_piece(world, line), out(i), line.hidden)
        if i not in counted:
            shown = replace(shown, source=f"waits: {shown.source}", note="the skill has no room for it", tone="muted")
        found.append(shown)
    found += [bid(p, out(i) if i else None, secret) for i, p in rest_pieces(world, who, party)]
    for mate, entry in party.crew.items():
        found.append(bid(mate_piece(world, mate, entry), out(WORK + mate), is_secret(world, mate)))
    return tuple(found)


def mate_piece(world: DramaWorld, who: str, entry: Entry) -> Piece:
    """The pool of somebody who works with a party, on one line."""
    source = f"{world.name(who)} rolls too: {entry.using.rpartition(':')[2]}"
    try:
        pool = side(world, who, entry)
    except Refused as refused:
        return Piece(source, note=refused.what)
    return Piece(source, pool.count("base"), pool.count("resistance"), pool.count("drama"), "the nets add up")


def rolled_bids(world: DramaWorld, roll: Roll, who: str, party: PartyNow) -> tuple[Bid, ...]:
    """The pool as it was when its dice fell: its lines lie open, and of the GM's own nothing else does."""
    if who not in roll.sides:
        return ()
    told = [line_piece(world, line) for line in party.lines.values() if not line.hidden]
    found = [bid(p, secret=is_secret(world, who) and p not in told) for p in roll.sides[who].pieces]
    for mate in (one for one in roll.sides.values() if one.joins == who):
        pieces = (replace(p, source=f"{mate.name}: {p.source}") for p in mate.pieces)
        found += [bid(p, secret=is_secret(world, mate.who)) for p in pieces]
    return tuple(found)


def rolled_total(roll: Roll, who: str) -> str:
    """The dice that fell."""
    return pool_words(*roll.sides[who].pieces) if who in roll.sides else ""


def shown_total(world: DramaWorld, who: str, party: PartyNow) -> str:
    """All dice that everybody may see."""
    lines = [line_piece(world, line) for line in counting(world, who, party).values()]
    return pool_words(*base_pieces(world, who, party), *lines, *(p for _, p in rest_pieces(world, who, party)))


def meter(world: DramaWorld, who: str, party: PartyNow) -> Counter:
    """The dice that role-play brought, against their cap."""
    told = narrative(world, who, party)
    capped = world.rules.narrative_cap != "none" and bool(base_pieces(world, who, party))
    cap = mechanical(world, who, party) if capped else None
    full = cap is not None and told >= cap
    return Counter(
        name="narrative", value=told, most=cap, tone="warn" if full else "", note="all it may bring" if full else ""
    )


def marks(world: DramaWorld, who: str, party: PartyNow) -> tuple[str, ...]:
    """Penalties, Composure where it is open, what is held back, what was used."""
    them = person(world, who)
    found = [f"{level(them.carried)}: {many(them.carried, 'penalty')}"] if them.carried else []
    if not is_secret(world, who):
        found += composure(world, who)
    if any(line.hidden for line in party.lines.values()):
        found.append("holds something back")
    return (*found, *(f"used: {what} (round {number})" for what, number in party.used.items()))


def composure(world: DramaWorld, who: str) -> tuple[str, ...]:
    """What an NPC has left to argue with."""
    sheet = world.sheets[who]
    held = person(world, who).composure
    return (f"Composure {held} of {sheet.composure}",) if not sheet.player and sheet.composure > 0 else ()


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


def extras(world: DramaWorld) -> tuple[Option, ...]:
    """Showing what is hidden, while the round is built; then going on."""
    if building(world):
        return (Option(label="go on", action=GoOn(), key="g", closed=GoOn.when(world)),)
    return (Option(label="show hidden", action=ShowLines(), key="h", closed=ShowLines.when(world)),)
