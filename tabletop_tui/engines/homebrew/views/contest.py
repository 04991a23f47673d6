"""The contest: its parties, what each puts in, the dice and who has the round."""

from __future__ import annotations

from ....kit.common import is_secret
from ....rules import Bid, Choice, ContestView, Counter, Option, Outcome, Party, Tone, as_facts
from ..asking import NONE
from ..bands import hits_at
from ..contest import (
    ChooseStat,
    OpenContest,
    PutIn,
    TakeOut,
    bout_title,
    bouts,
    building,
    contest_rule,
    group_of_contest,
    side_lines,
    side_stats,
    standing,
    why_not,
    won_by,
)
from ..dice import spelled
from ..effects import gives_away
from ..rolls import waits
from ..rounds import NOBODY, NextRound, RollContest, missing_stat, round_words, side_ready
from ..scope import Scope, meter_value
from ..world import Contest, HomebrewWorld, of_scene
from .roll import counters, hand, prompt


def contest_view(world: HomebrewWorld) -> ContestView:
    """The contest screen."""
    prepared = tuple(
        Option(label=bout_title(world, bout), action=OpenContest(name), closed=why_not(world, bout), secret=True)
        for name, bout in of_scene(world, bouts(world)).items()
    )
    now = world.now.contest
    if now is None:
        return ContestView(open=prepared, counters=counters(world))
    closed = building(world) or missing_stat(world)
    fallen = now.stage == "fallen"
    label = "end the contest" if won_by(world, now) else "next round"
    extras = (Option(label=label, action=NextRound(), key="n"),) if fallen and not waits(world) else ()
    return ContestView(
        title=bout_title(world, now.bout),
        facts=as_facts((f"round {now.round}", now.bout.stakes)),
        open=prepared,
        parties=tuple(party_view(world, now, who) for who in now.sides),
        extras=extras,
        roll=RollContest() if not closed else None,
        roll_closed=closed,
        odds_secret=hidden(world, now),
        hands=tuple(
            hand(
                world,
                world.name(who),
                side.throw,
                total=str(side.result),
                hits=hits_at(world.rules.rolls[contest_rule(world, now).roll], Scope(world, who)),
                secret=gives_away(world, who),
            )
            for who, side in now.sides.items()
            if side.throw
        ),
        prompt=prompt(world) if world.now.asked else None,
        outcome=contest_outcome(world, now),
        counters=counters(world),
    )


def hidden(world: HomebrewWorld, now: Contest) -> bool:
    """Would the chances tell what only the GM knows?"""
    return any(is_secret(world, who) for who in now.sides)


def party_view(world: HomebrewWorld, now: Contest, who: str) -> Party:
    """One party: its stat, its lines, what it could still put in."""
    side, secret = now.sides[who], is_secret(world, who)
    rule = contest_rule(world, now)
    bids = []
    if side.stat:
        bids.append(Bid(source=side.stat if side.stat != NONE else "no stat", dice=""))
    for line in side.lines:
        bids.append(Bid(source=line, dice=f"{rule.lines.get(line, 0):+d}", remove=TakeOut(who, line)))
    stats = side_stats(world, {"party": who})
    total = pool_words(world, now, who) if side.stat or not stats else ""
    marks = (*((f"won {side.won} of {rule.wins}",) if side.won else ()), *(("out",) if side.out else ()))
    tone: Tone = "good" if now.winner == who else ""
    first = next(iter(world.rules.meters), "")
    name = world.rules.meters[first].title or first if first else ""
    choosing = not building(world) and who in standing(now)
    meter = Counter(name=name, value=meter_value(world, who, first), secret=secret) if first else None
    return Party(
        id=who,
        name=world.name(who),
        side="heroes" if world.sheets[who].player else "foes",
        bids=tuple(bids),
        total="" if secret else total,
        secret_total=total if secret else "",
        meter=None if secret else meter,
        secret_meter=meter if secret else None,
        marks=marks,
        result=str(side.result) if side.throw else "",
        tone=tone,
        adds=adds(world, now, who) if choosing else (),
        asks=f"What does {world.name(who)} roll with?" if choosing and stats and not side.stat else "",
    )


def pool_words(world: HomebrewWorld, now: Contest, who: str) -> str:
    """The dice of a party: those that fell, which the round may have changed since, or those that would be rolled."""
    fallen = now.sides[who].throw
    if now.stage == "over":
        return ""
    return spelled(fallen.spec if fallen else side_ready(world, now, who).mine)


def adds(world: HomebrewWorld, now: Contest, who: str) -> tuple[Option, ...]:
    """Stats by digits, each in the place of the one that is chosen, then lines by letters."""
    fields, chosen = {"party": who}, now.sides[who].stat
    some = side_stats(world, fields)
    best = max((c for c in some if not c.closed), key=lambda c: highness(world, who, c), default=None)
    stats = [c for c in some if c.value != chosen]
    out = [
        Option(
            label=f"{c.words} instead" if chosen else c.words,
            action=ChooseStat(who, str(c.value)),
            key=str(i),
            closed=c.closed,
            note=c.note,
            best=c is best,
        )
        for i, c in enumerate(stats[:9], 1)
    ]
    keys = iter("abdefghijklmopsvwyz")
    out += [
        Option(label=c.words, action=PutIn(who, str(c.value)), key=next(keys, ""), closed=c.closed, note=c.note)
        for c in side_lines(world, fields)
    ]
    return tuple(out)


def highness(world: HomebrewWorld, who: str, choice: Choice) -> float:
    """How high a stat comes on average: the higher result has the round."""
    group = group_of_contest(world)
    if not group or choice.value == NONE:
        return 0.0
    spec = Scope(world, who).stat(who, group, str(choice.value))
    return spec.plus + sum(dice.sign * dice.count * (dice.sides + 1) / 2 for dice in spec.groups)


def contest_outcome(world: HomebrewWorld, now: Contest) -> Outcome | None:
    """Who has the round, or the contest where that decides it."""
    won = won_by(world, now)
    if now.stage == "over":
        return Outcome(title=f"{world.name(won)} wins", tone=_tone(world, won))
    if now.stage != "fallen":
        return None
    best = max((s.result for s in now.sides.values() if s.throw), default=0)
    ahead = [who for who, side in now.sides.items() if side.throw and side.result == best]
    detail = f"round {now.round}"
    rest = [s.result for w, s in now.sides.items() if s.throw and w != ahead[0]]
    if rest and len(ahead) == 1 and won in ("", *ahead):
        detail += f", by {best - max(rest)}"
    if won:
        return Outcome(title=f"{world.name(won)} wins", tone=_tone(world, won), detail=detail)
    if len(ahead) != 1:
        return Outcome(title=round_words(NOBODY), detail=detail, goes_on=True)
    ahead_of = _tone(world, ahead[0])
    return Outcome(title=round_words(world.name(ahead[0])), tone=ahead_of, detail=detail, goes_on=True)


def _tone(world: HomebrewWorld, who: str) -> Tone:
    sheet = world.sheets.get(who)
    return "good" if sheet and sheet.player else "bad"
