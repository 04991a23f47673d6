"""What the contest screen of Fen shows: the aggressor first, then a row for each defender."""

from __future__ import annotations

from ...rules import Action, Bid, ContestView, Hand, Option, Outcome, Party, Prompt, Refused, Tone
from .chances import contest_is_secret
from .contest import Close, Open, RollContest, StandAside, against, is_social, plans, ready
from .contest_adds import adds, go_on
from .dice import Fallen
from .effects import ALL, Apply, open_losers
from .effects import rolled as not_rolled
from .modifiers import Modify
from .rounds import side_of
from .views import counters, for_the_players, hand
from .world import Contest, Defender, FenWorld, has_skill, is_secret, person, skill_dice, skill_throw


def contest_view(world: FenWorld) -> ContestView:
    """The contest screen."""
    prepared = tuple(
        Option(
            p.title or p.contest, Open(i), secret=True, note=p.contest, closed="" if p.who else "name the aggressor"
        )
        for i, p in plans(world).items()
    )
    contest = world.now.contest
    if contest is None:
        return ContestView(open=prepared, counters=counters(world))
    waiting = contest.fallen is None
    return ContestView(
        contest.title or contest.pair,
        facts(world, contest),
        prepared,
        (aggressor(world, contest), *(defender(world, contest, w, d) for w, d in contest.defenders.items())),
        (),
        RollContest() if waiting and contest.defenders else None,
        ready(world),
        contest_is_secret(world, contest),
        hands(world, contest),
        prompt(world, contest),
        outcome(world, contest),
        counters(world),
    )


def facts(world: FenWorld, contest: Contest) -> tuple[str, ...]:
    """The pair of skills, the round and what was used."""
    found = [contest.pair]
    if is_social(world, contest.pair):
        found.append("social")
    if contest.round > 1:
        found.append(f"round {contest.round}")
    found += [f"{pair} in round {at}" for pair, at in contest.used.items() if at < contest.round]
    return tuple(found)


def bids(world: FenWorld, who: str, skill: str, remove: Action | None = None) -> tuple[Bid, ...]:
    """The skill's dice, and each thing that is done to them; taking the first one out takes them out of it."""
    secret = is_secret(world, who)
    note = "" if has_skill(world, who, skill) else "not on the sheet"
    rows = [Bid(skill, skill_dice(world, who, skill), note, "muted" if note else "", remove, secret)]
    parts = person(world, who).mods.parts
    rows += [Bid(part, "", "", "warn", Modify(who) if n == 0 else None, secret) for n, part in enumerate(parts)]
    if parts:
        rows.append(Bid("what falls", throw_words(world, who, skill), secret=secret))
    return tuple(rows)


def throw_words(world: FenWorld, who: str, skill: str) -> str:
    """What would fall, or why it cannot."""
    try:
        return skill_throw(world, who, skill).words
    except Refused as bad:
        return bad.what


def aggressor(world: FenWorld, contest: Contest) -> Party:
    """The first party: who rolls once for all."""
    fallen = contest.fallen
    beaten, n = len(contest.beaten), len(contest.defenders)
    result = f"beats {beaten} of {n}" if fallen and n > 1 else ("won" if beaten else "lost") if fallen else ""
    return Party(
        contest.who,
        world.name(contest.who),
        side_of(world, contest.who),
        contest.stakes,
        contest.risk,
        bids(world, contest.who, contest.skill) if fallen is None else (),
        total(world, contest, contest.who, contest.skill, fallen),
        None,
        ("aggressor",),
        result,
        tone_of(beaten == n, beaten == 0) if fallen else "",
        adds(world, contest.who) if fallen is None else (),
        secret_total=secret_total(world, contest.who, contest.skill, fallen),
    )


def secret_total(world: FenWorld, who: str, skill: str, fallen: Fallen | None) -> str:
    """The same for the GM, where not everybody may know it."""
    if not is_secret(world, who):
        return ""
    return str(fallen.total) if fallen else throw_words(world, who, skill)


def total(world: FenWorld, contest: Contest, who: str, skill: str, fallen: Fallen | None) -> str:
    """The throw in a word, or what it came to, where everybody may know it."""
    secret = is_secret(world, who)
    if fallen:
        return "" if secret and contest.hidden else str(fallen.total)
    return "" if secret else throw_words(world, who, skill)


def tone_of(every: bool, none: bool) -> Tone:
    """Good for all, bad for none, and something between."""
    return "bad" if none else "good" if every else "warn"


def defender(world: FenWorld, contest: Contest, who: str, one: Defender) -> Party:
    """A defender's own row: won or lost alone."""
    marks = ("struck",) if one.applied else ()
    result = "" if one.fallen is None else "beaten" if one.beaten else "holds"
    tone: Tone = "" if one.fallen is None else "bad" if one.beaten else "good"
    waiting = one.fallen is None
    return Party(
        who,
        world.name(who),
        side_of(world, who),
        contest.risk,
        contest.effect.words if not contest.hidden else "",
        bids(world, who, contest.using, StandAside(who)) if waiting else (),
        total(world, contest, who, contest.using, one.fallen),
        None,
        marks,
        result,
        tone,
        adds(world, who) if waiting else (),
        against(who) if len(contest.defenders) > 1 else "",
        secret_total(world, who, contest.using, one.fallen),
    )


def hands(world: FenWorld, contest: Contest) -> tuple[Hand, ...]:
    """The aggressor's dice once, then each defender's."""
    if contest.fallen is None:
        return ()
    hidden = contest.hidden
    rows = [hand(world.name(contest.who), contest.fallen, secret=hidden and is_secret(world, contest.who))]
    for who, one in contest.defenders.items():
        if one.fallen:
            rows.append(hand(world.name(who), one.fallen, secret=hidden and is_secret(world, who)))
    return tuple(rows)


def prompt(world: FenWorld, contest: Contest) -> Prompt | None:
    """After the roll: strike the losers, go on, or put it away."""
    if not_rolled(world):
        return None
    options = []
    left = open_losers(contest)
    if contest.effect.words and left:
        label = f"{contest.effect.words}: all {len(left)} who lost" if len(left) > 1 else contest.effect.words
        options.append(Option(label, Apply(ALL), "enter", secret=contest.hidden))
        if len(left) > 1:
            options += [Option(world.name(w), Apply(w), secret=contest.hidden) for w in left]
    options.append(Option("put away", Close(), "c" if options else "enter"))
    return Prompt(f"{outcome_words(world, contest)}.", (*options, *go_on(world, contest)))


def outcome_words(world: FenWorld, contest: Contest) -> str:
    """Who was beaten."""
    beaten = [world.name(w) for w in contest.beaten]
    name = world.name(contest.who)
    if not beaten:
        return f"{name} beats nobody"
    return f"{name} beats {', '.join(beaten)}" if len(contest.defenders) > 1 else f"{name} wins"


def outcome(world: FenWorld, contest: Contest) -> Outcome | None:
    """How it came out, in large."""
    if contest.fallen is None:
        return None
    beaten, n = len(contest.beaten), len(contest.defenders)
    title = f"{world.name(contest.who)} wins" if beaten else f"{world.name(contest.who)} loses"
    if n > 1:
        title = f"beats {beaten} of {n}"
    tone = tone_of(beaten == n, beaten == 0)
    if not world.sheets[contest.who].player:
        tone = for_the_players(tone)
    then = contest.stakes if beaten == n else contest.risk if not beaten else ""
    ties = any(d.fallen and d.fallen.total == contest.fallen.total for d in contest.defenders.values())
    because = "a tie is the defender's" if ties and not contest.hidden else "the aggressor must beat each defender"
    return Outcome(title.upper(), tone, outcome_words(world, contest), then, because)
