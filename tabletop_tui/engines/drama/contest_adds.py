"""What can be put into a party's pool from the contest screen, and what each would do to its chances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from ...rules import Action, Choice, Option, percent
from .arguments import building, contest_givers, contest_helpers, mechanical, party_approaches, used_in
from .building import INDIRECT
from .chances import hides, odds
from .contest import RollContest
from .lines import AddLine, Argue, GiveDrama, StandBy
from .world import Contest, ContestLine, DramaWorld, Gift, LineKind, Party, line_kinds

MOST_DIGITS = 9
FULL = "role-play has brought all it may"


def adds(world: DramaWorld, contest: Contest, who: str) -> tuple[Option, ...]:
    """By digits what a party argues with, or its next line; by letters what else it or others can put in."""
    if building(world):
        return ()
    party = contest.parties[who]
    found = lines(world, contest, who) if party.using else skills(world, contest, who)
    numbered = [replace(o, key=str(i)) if i <= MOST_DIGITS else o for i, o in enumerate(found, 1)]
    return (*numbered, *others(world, contest, who))


def skills(world: DramaWorld, contest: Contest, who: str) -> Iterator[Option]:
    """What a party could argue with, closed where it has done so before; a stretch is asked for by its form."""
    party = contest.parties[who]
    for choice in party_approaches(world, {"party": who}):
        if not str(choice.value).startswith(INDIRECT):
            with_it = replace(party, using=choice.value, attribute="Social")
            yield option(world, contest, who, choice.words, Argue(who, choice.value), with_it, "", choice.closed)


def lines(world: DramaWorld, contest: Contest, who: str) -> Iterator[Option]:
    """A line of each kind, and each passion on the sheet; its words are asked where they are not known.

    What is closed keeps its place: a digit that means a line goes on meaning it.
    """
    party = contest.parties[who]
    there = {line.text for line in party.lines.values() if not line.hidden}
    seen = sum(line.dice for line in party.lines.values() if not line.hidden)
    capped = world.rules.narrative_cap != "none"
    room = mechanical(world, who, party) - seen if capped else MOST_DIGITS
    for kind_id, kind in line_kinds(world.rules).items():
        for label, line in line_options(world, who, kind_id, kind):
            used = used_in(party, line.text) if line.text else 0
            closed = f"used in round {used}" if used else FULL if line.dice > room else ""
            closed = "in the pool" if line.text in there else closed
            more = {**party.lines, "one more": replace(line, text=line.text or "one more")}
            action = AddLine(who, kind_id, line.text, line.dice)
            dice = f"{line.dice} {kind.dice}"
            yield option(world, contest, who, label, action, replace(party, lines=more), dice, closed)


def line_options(world: DramaWorld, who: str, kind_id: str, kind: LineKind) -> Iterator[tuple[str, ContestLine]]:
    """The lines of one kind: one whose words are asked, or every passion on the sheet."""
    if not kind.passion:
        yield kind.label, ContestLine(kind_id, "")
        return
    for name, dice in world.sheets[who].passions.items():
        yield f"{kind.label}: {name}", ContestLine(kind_id, name, dice)


def others(world: DramaWorld, contest: Contest, who: str) -> Iterator[Option]:
    """Another skill, a drama die from anybody, a helping hand."""
    party = contest.parties[who]
    if party.using:
        yield Option("skill", Argue(who, ""), "s")
    gift = replace(party, gifts={**party.gifts, "": Gift(who, "one more")})
    closed = none_open(contest_givers(world, {}), "nobody has one left to give")
    given = option(world, contest, who, "drama die", GiveDrama("", who, ""), gift, "1 drama", closed)
    yield replace(given, key="d")
    closed = none_open(contest_helpers(world, {}), "nobody else is free")
    yield Option("lend a hand", StandBy("", who), "l", closed)


def none_open(choices: Sequence[Choice], why: str) -> str:
    """Empty while one of some choices is open."""
    return why if all(c.closed for c in choices) else ""


def option(
    world: DramaWorld, contest: Contest, who: str, label: str, action: Action, then: Party, dice: str, closed: str
) -> Option:
    """Something to press, with the chance of winning that it would bring; hidden lines make that a secret."""
    mine = not world.sheets[who].player  # what the GM's own could still bring is the GM's affair
    chance = "" if closed else hope(world, replace(contest, parties={**contest.parties, who: then}), who)
    told = " → ".join(part for part in (dice, chance) if part)
    if hides(contest):
        return Option(label, action, closed=closed, note=dice, secret_note=told, secret=mine)
    return Option(label, action, closed=closed, note=told, secret=mine)


def hope(world: DramaWorld, contest: Contest, who: str) -> str:
    """A party's chance of winning, draws that are its own included; empty where it cannot be rolled yet."""
    found = odds(world.live(contest=contest), RollContest())
    if found is None:
        return ""
    tone = "good" if who == contest.first else "bad"
    return percent(sum(c.chance for c in found.groups[0].chances if c.tone == tone))
