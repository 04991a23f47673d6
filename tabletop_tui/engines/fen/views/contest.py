"""The contest screen of Fen: the aggressor first, then a row for each defender."""

from __future__ import annotations

from msgspec.structs import asdict, replace

from ....kit.common import counters, is_secret
from ....rules import Action, Bid, ContestView, Fact, Hand, Option, Outcome, Party, Prompt, Refused, Tone, as_facts
from ..changes import MOST_CHANGED, MOST_STEPS, Modify
from ..contest import Close, RollContest, StandAside, against, ready
from ..dice import Fallen, Mods, parse_pair
from ..effects import ALL, Apply, NextRound, cannot_go_on, every, who_lost
from ..effects import rolled as not_rolled
from ..hiding import is_whispered
from ..odds import contest_is_secret, skill_part
from ..prepared import opening, plan_closed, plans, without
from ..rounds import side_of
from ..social import fresh_pairs, is_social, strays
from ..world import Contest, Defender, FenWorld, changes_of, has_skill, person, skill_mods, skill_throw
from .table import hand

MOST_PAIRS = 4
"""Pairs of skills that are offered for the next round of a social contest; the others are in the list."""


def contest_view(world: FenWorld) -> ContestView:
    """The contest screen."""
    prepared = tuple(
        Option(
            label=p.title or p.contest,
            action=opening(i, p),
            secret=True,
            note=", ".join(filter(None, (p.contest, without(world, p)))),
            closed=plan_closed(world, p),
        )
        for i, p in plans(world).items()
    )
    contest = world.now.contest
    if contest is None:
        return ContestView(open=prepared, counters=counters(world))
    waiting = contest.fallen is None
    # players do not even learn that somebody hides from them
    seen = ContestView(counters=counters(world)) if is_whispered(world, contest) else None
    return ContestView(
        seen=seen,
        title=contest.title or contest.pair,
        facts=facts(world, contest),
        open=prepared,
        parties=(aggressor(world, contest), *(defender(world, contest, w, d) for w, d in contest.defenders.items())),
        roll=RollContest() if waiting and contest.defenders else None,
        roll_closed=ready(world),
        odds_secret=contest_is_secret(world, contest),
        hands=hands(world, contest),
        prompt=prompt(world, contest),
        outcome=outcome(world, contest),
        counters=counters(world),
    )


def facts(world: FenWorld, contest: Contest) -> tuple[Fact, ...]:
    """The pair of skills, the round and what was used."""
    social = "social" if is_social(world, contest.pair) else ""
    at = f"round {contest.round}" if contest.round > 1 else ""
    used = [f"{pair} in round {at}" for pair, at in contest.used.items() if at < contest.round]
    pair = contest.pair if contest.title else ""  # a contest without a title is called by its skills
    return as_facts((pair, social, at, *used))


def bids(world: FenWorld, who: str, skill: str, remove: Action | None = None) -> tuple[Bid, ...]:
    """The skill's dice, and each thing that is done to them; taking the dice out takes them out of the contest."""
    secret, part = is_secret(world, who), skill_part(world, who, skill)
    rows = [Bid(source=skill, dice=part.dice, note=part.note, tone=part.tone, remove=remove, secret=secret)]
    parts = skill_mods(world, who, "contest").parts
    rows += [
        Bid(
            source=part,
            dice="",
            tone="warn",
            remove=undone(world, who, n) if world.is_here(who) else None,
            secret=secret,
        )
        for n, part in enumerate(parts)
    ]
    if parts:
        rows.append(Bid(source="what falls", dice=throw_words(world, who, skill), secret=secret))
    return tuple(rows)


def undone(world: FenWorld, who: str, n: int) -> Modify:
    """Take the nth thing back that is done to somebody's dice; all of it where it is not for one kind of throw."""
    scopes = changes_of(world, who)
    if len(scopes) > 1:
        return Modify(who, clear=True)
    ((scope, mods),) = scopes.items()
    of, _, throw = scope.partition(" ")
    done = [name for name, value in asdict(mods).items() if value]
    rest = replace(mods, **{done[n]: False if done[n] == "doubled" else 0})
    return Modify(who, **asdict(rest), of=of, throw=throw, clear=True)  # type: ignore[arg-type]  # a scope's words


def throw_words(world: FenWorld, who: str, skill: str) -> str:
    """What would fall, or why it cannot."""
    try:
        return skill_throw(world, who, skill, "contest").words
    except Refused as bad:
        return bad.what


def aggressor(world: FenWorld, contest: Contest) -> Party:
    """The first party: who rolls once for all."""
    beaten, n = len(contest.beaten), len(contest.defenders)
    row = party(world, contest, contest.who, contest.skill, contest.fallen)
    row = replace(row, wants=contest.stakes, risks=contest.risk, marks=("aggressor",))
    if contest.fallen is None:
        return row
    result = f"beats {beaten} of {n}" if n > 1 else "won" if beaten else "lost"
    return replace(row, result=result, tone=tone_of(beaten == n, beaten == 0))


def defender(world: FenWorld, contest: Contest, who: str, one: Defender) -> Party:
    """A defender's own row: won or lost alone."""
    row = party(world, contest, who, contest.using, one.fallen, StandAside(who))
    fell = one.fallen is not None
    return replace(
        row,
        risks="" if contest.hidden else contest.effect.words,
        marks=("applied",) if one.applied else (),
        result="" if not fell else "beaten" if one.beaten else "holds",
        tone="" if not fell else "bad" if one.beaten else "good",
        group=against(who) if len(contest.defenders) > 1 else "",
    )


def party(
    world: FenWorld, contest: Contest, who: str, skill: str, fallen: Fallen | None, out: Action | None = None
) -> Party:
    """Somebody's row: what they would throw, or what it came to, for everybody where it is no secret."""
    secret = is_secret(world, who)
    words = str(fallen.total) if fallen else throw_words(world, who, skill)
    hidden = secret and (contest.hidden or not fallen)
    return Party(
        id=who,
        name=world.name(who),
        side=side_of(world, who),
        bids=() if fallen else bids(world, who, skill, out),
        total="" if hidden else words,
        secret_total=words if secret else "",
        adds=() if fallen else adds(world, who),
    )


def tone_of(all_: bool, none: bool) -> Tone:
    """Good for all, bad for none, and something between."""
    return "bad" if none else "good" if all_ else "warn"


def hands(world: FenWorld, contest: Contest) -> tuple[Hand, ...]:
    """The aggressor's dice once, then each defender's."""
    if contest.fallen is None:
        return ()
    hidden = contest.hidden
    rows = {contest.who: contest.fallen, **{w: d.fallen for w, d in contest.defenders.items() if d.fallen}}
    return tuple(hand(world.name(w), f, secret=hidden and is_secret(world, w)) for w, f in rows.items())


def prompt(world: FenWorld, contest: Contest) -> Prompt | None:
    """After the roll: strike the losers, go on, or put it away."""
    if not_rolled(world):
        return None
    options = []
    left = contest.unstruck
    if contest.effect.words and left:
        label = f"{contest.effect.words}: {who_lost(len(left))}" if len(left) > 1 else contest.effect.words
        options.append(Option(label=label, action=Apply(ALL), key="enter", secret=contest.hidden))
        if len(left) > 1:
            options += [Option(label=world.name(w), action=Apply(w), secret=contest.hidden) for w in left]
    options.append(Option(label="close it", action=Close(), key="c" if options else "enter"))
    return Prompt(text=f"{outcome_words(world, contest)}.", options=(*options, *go_on(world, contest)))


def outcome_words(world: FenWorld, contest: Contest) -> str:
    """Who won, or how many of several were beaten: their rows say who."""
    name, beaten, n = world.name(contest.who), len(contest.beaten), len(contest.defenders)
    if n == 1:
        return f"{name} wins" if beaten else f"{name} loses"
    return f"{name} beats {every(n) if beaten == n else f'{beaten} of {n}' if beaten else 'nobody'}"


def outcome(world: FenWorld, contest: Contest) -> Outcome | None:
    """How it came out, in large."""
    if contest.fallen is None:
        return None
    beaten, n = len(contest.beaten), len(contest.defenders)
    # where all or none are beaten the headline says it all
    who = ", ".join(map(world.name, contest.beaten)) if 0 < beaten < n else ""
    tone = tone_of(beaten == n, beaten == 0)  # the aggressor's, as its row has it
    ties = any(d.fallen and d.fallen.total == contest.fallen.total for d in contest.defenders.values())
    because = "a tie is the defender's" if ties and not contest.hidden else "the aggressor must beat each defender"
    return Outcome(title=outcome_words(world, contest), tone=tone, detail=who, next=contest.then, because=because)


# ---- what can be done to somebody's dice, and how a contest can go on


def adds(world: FenWorld, who: str) -> tuple[Option, ...]:
    """By digits what can be done to somebody's throw in this contest; of somebody secret it is secret too."""
    mods, secret = changes_of(world, who).get("all contest", Mods()), is_secret(world, who)
    doubled = mods.doubled or person(world, who).mods.doubled
    if not world.is_here(who):
        return ()
    more = (
        ("one more die", Modify(who, additional=1), mods.additional >= MOST_CHANGED, "no more"),
        ("one die fewer", Modify(who, fewer=1), mods.fewer >= MOST_CHANGED, "no fewer"),
        ("a step up", Modify(who, increments=1), mods.increments >= MOST_STEPS, "no higher"),
        ("a step down", Modify(who, increments=-1), mods.increments <= -MOST_STEPS, "no lower"),
        ("somebody helps: twice the dice", Modify(who, doubled=True), doubled, "doubled already"),
    )
    return tuple(
        Option(
            label=label,
            action=replace(action, throw="contest"),
            key=str(number),
            closed=why if at_the_end else "",
            secret=secret,
        )
        for number, (label, action, at_the_end, why) in enumerate(more, 1)
    )


def go_on(world: FenWorld, contest: Contest) -> list[Option]:
    """The same pair again; a social contest needs another one, of skills that both sides of it have."""
    if not is_social(world, contest.pair):
        why = cannot_go_on(world)
        return [Option(label=f"again, {contest.pair}", action=NextRound(contest.pair), key="g", closed=why)]
    pairs, why = [], cannot_go_on(world)
    for choice in fresh_pairs(world, {}):
        mine, theirs = parse_pair(choice.value)
        known = has_skill(world, contest.who, mine) and any(has_skill(world, w, theirs) for w in contest.defenders)
        if known and not choice.closed and is_social(world, choice.value):
            pairs.append(choice.value)
    pairs.sort(key=lambda pair: _strays(world, contest, pair))
    return [
        Option(label=f"go on, {pair}", action=NextRound(pair), secret=True, closed=why) for pair in pairs[:MOST_PAIRS]
    ]


def _strays(world: FenWorld, contest: Contest, pair: str) -> tuple[bool, bool, int, bool]:
    """How far a pair is from what comes next: one prepared here, then the nearest."""
    scene = world.scenes.get(world.now.scene)
    ready = {plan.contest.casefold() for plan in scene.contests.values()} if scene else set()
    return pair.casefold() not in ready, *strays(contest, pair)
