"""What can be put into a party's pool from the contest screen, and what each would do to its chances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from ....kit.common import is_secret
from ....rules import Action, Choice, Option, Refused, percent
from ..building import INDIRECT, foundation
from ..campaign import LineKind, line_kinds
from ..contest import RollContest
from ..contest_lines import AddLine, Argue, GiveDrama, StandBy, WorkFor
from ..contest_pools import FULL, building, contest_givers, contest_helpers, party_approaches, room, used_in
from ..odds import gives_away, odds
from ..world import Contest, ContestLine, DramaWorld, Entry, Gift, Party

MOST_DIGITS = 9


def adds(world: DramaWorld, contest: Contest, who: str) -> tuple[Option, ...]:
    """By digits what a party argues with, or its next line; by letters what else it or others can put in."""
    if building(world):
        return ()
    party = contest.parties[who]
    now = hope(world, contest, who)
    found = lines(world, contest, who, now) if party.using else skills(world, contest, who)
    numbered = [replace(o, key=str(i)) if i <= MOST_DIGITS else o for i, o in enumerate(found, 1)]
    return (*numbered, *others(world, contest, who, now))


def skills(world: DramaWorld, contest: Contest, who: str) -> Iterator[Option]:
    """What a party could argue with, closed where it has done so before; a stretch is asked for by its form."""
    party = contest.parties[who]
    found = [c for c in party_approaches(world, {"party": who}) if not str(c.value).startswith(INDIRECT)]
    best = max((c for c in found if not c.closed), key=lambda c: strength(world, who, c), default=None)
    for choice in found:
        with_it = replace(party, using=choice.value, attribute="Social")
        shown = option(world, contest, who, choice.words, Argue(who, choice.value), with_it, closed=choice.closed)
        yield replace(shown, best=choice is best)


def strength(world: DramaWorld, who: str, choice: Choice) -> int:
    """The dice that something to argue with brings: it tells nothing of what the other party holds back."""
    pieces, _ = foundation(world, who, Entry(choice.value, "Social"))
    return sum(piece.base - piece.resistance for piece in pieces)


def lines(world: DramaWorld, contest: Contest, who: str, now: float | None) -> Iterator[Option]:
    """A line of each kind, and each passion on the sheet; its words are asked where they are not known.

    What is closed keeps its place: a digit that means a line goes on meaning it.
    """
    party = contest.parties[who]
    there = {line.text for line in party.lines.values() if not line.hidden}
    for kind_id, kind in line_kinds(world.rules).items():
        for label, line in line_options(world, who, kind_id, kind):
            used = used_in(party, line.text) if line.text else 0
            closed = f"used in round {used}" if used else FULL if line.dice > room(world, who) else ""
            closed = "in the pool" if line.text in there else closed
            more = {**party.lines, "one more": replace(line, text=line.text or "one more")}
            action = AddLine(who, kind_id, line.text)  # as many dice as are usual
            then, dice = replace(party, lines=more), f"{line.dice} {kind.dice}"
            yield option(world, contest, who, label, action, then, dice=dice, now=now, closed=closed)


def line_options(world: DramaWorld, who: str, kind_id: str, kind: LineKind) -> Iterator[tuple[str, ContestLine]]:
    """The lines of one kind: one whose words are asked, or every passion on the sheet."""
    if not kind.passion:
        yield kind.label, ContestLine(kind_id, "")
        return
    for name, dice in world.sheets[who].passions.items():
        yield f"{kind.label}: {name}", ContestLine(kind_id, name, dice)


def others(world: DramaWorld, contest: Contest, who: str, now: float | None) -> Iterator[Option]:
    """Another skill, a drama die from anybody, a helping hand."""
    party, mine = contest.parties[who], is_secret(world, who)
    if party.using:
        yield Option(label="skill", action=Argue(who, ""), key="s", secret=mine)
    gift = replace(party, gifts={**party.gifts, "": Gift(who, "one more")})
    closed = none_open(contest_givers(world, {}), "nobody has one left to give")
    give = GiveDrama("", who, "")
    given = option(world, contest, who, "drama die", give, gift, dice="1 drama", now=now, closed=closed)
    yield replace(given, key="d")
    closed = none_open(contest_helpers(world, {}), "nobody else is free")
    yield Option(label="lend a hand", action=StandBy("", who), key="l", closed=closed, secret=mine)
    yield Option(label="work together", action=WorkFor("", who, ""), key="w", closed=closed, secret=mine)


def none_open(choices: Sequence[Choice], why: str) -> str:
    """Empty while one of some choices is open."""
    return why if all(c.closed for c in choices) else ""


def option(
    world: DramaWorld,
    contest: Contest,
    who: str,
    label: str,
    action: Action,
    then: Party,
    *,
    dice: str = "",
    now: float | None = None,
    closed: str = "",
) -> Option:
    """Something to press, with what it would change in the chance of winning, or that chance; it may be a secret."""
    mine = is_secret(world, who)  # what the GM's own could still bring is the GM's affair
    chance = None if closed else hope(world, replace(contest, parties={**contest.parties, who: then}), who)
    # draws that are one's own are in both of these, and the headline tells them apart: what counts is the change
    told = ", ".join(part for part in (dice, _worth(now, chance)) if part)
    if gives_away(world, contest):
        return Option(label=label, action=action, closed=closed, note=dice, secret_note=told, secret=mine)
    return Option(label=label, action=action, closed=closed, note=told, secret=mine)


def _worth(now: float | None, then: float | None) -> str:
    """A chance in per cent; where it is known what it is now, the points that it gains."""
    if then is None:
        return ""
    points = round((then - now) * 100) if now is not None else None
    return percent(then) if points is None else f"{'−' if points < 0 else '+'}{abs(points)}"


def hope(world: DramaWorld, contest: Contest, who: str) -> float | None:
    """A party's chance of winning, draws that are its own included; None where it cannot be rolled yet."""
    try:
        found = odds(world.live(contest=contest), RollContest())
    except Refused:
        return None
    if found is None:
        return None
    mine = "good" if who == contest.first else "bad"
    return sum(c.chance for c in found.groups[0].chances if c.tone == mine)
