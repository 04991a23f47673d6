"""What the contest screen draws of the No1 system."""

from __future__ import annotations

from ....kit.common import is_secret, plural
from ....rules import Bid, ContestView, Face, Hand, Option, Outcome, Party, Prompt, Tone, as_facts
from ..able import waits
from ..contest import Accept, ContestAnswered, ContestWon, Decline, FightBout, best, cost, priced
from ..dice import challenge_dice, die_of
from ..odds import contest_is_secret
from ..world import Duel, No1World, is_hero, side
from .table import counters


def contest_view(world: No1World) -> ContestView:
    """The contest that is called, fought or over."""
    duel = world.now.duel
    if duel is None or world.is_hidden(duel.challenger) or world.is_hidden(duel.other):
        return ContestView(counters=counters(world))
    first, second = world.name(duel.challenger), world.name(duel.other)
    facts = [f"Challenge {world.now.challenge}", f"over {duel.trait}"]
    if duel.stage != "called" and not duel.declined:
        coming = duel.round + (duel.stage == "fought")
        facts.insert(0, f"round {min(coming, duel.rounds)} of {duel.rounds}")
    fought = duel.stage == "fought"
    roll = FightBout(best(world, duel, duel.challenger), best(world, duel, duel.other)) if fought else None
    why = {"called": f"{second} has not answered yet", "over": "the contest is over"}
    return ContestView(
        title=f"{first} against {second}",
        facts=as_facts(facts),
        parties=(party(world, duel, duel.challenger), party(world, duel, duel.other)),
        extras=extras(world, duel) if fought else (),
        roll=roll,
        roll_closed=why.get(duel.stage, "") or waits(world),
        odds_secret=contest_is_secret(world, duel),
        hands=tuple(hand(world, duel, w) for w in duel.bouts),
        prompt=answer(world, duel) if duel.stage == "called" else None,
        outcome=outcome(world, duel),
        counters=counters(world),
    )


def party(world: No1World, duel: Duel, who: str) -> Party:
    """One side of a contest: the skill that comes next, rounds taken, skills used up."""
    used = duel.used.get(who, {})
    bids: tuple[Bid, ...] = ()
    if duel.stage == "fought":
        skill = best(world, duel, who)
        less = cost(world, duel, who, skill)
        dice = f"{challenge_dice(world)}d{die_of(world, who, skill)}"
        note = f"−{plural(less, 'hit')}: used before" if less else f"Challenge {world.now.challenge}"
        bids = (Bid(source=skill or "no skill", dice=dice, note=note, secret=is_secret(world, who)),)
    won = duel.won.get(who, 0)
    return Party(
        id=who,
        name=world.name(who),
        side=side(world, who),
        wants=f"{world.rules.contest_win} {prize(world, who)}",
        bids=bids,
        total=f"{plural(won, 'round')} won",
        marks=tuple(f"{name or 'no skill'} ×{n}" for name, n in used.items()),
        result="wins" if duel.winner == who else "",
        tone="good" if duel.winner == who else "",
    )


def prize(world: No1World, who: str) -> str:
    """What somebody's side gains by a contest."""
    return "Momentum" if is_hero(world, who) else "Entropy"


def extras(world: No1World, duel: Duel) -> tuple[Option, ...]:
    """A round with each of the challenger's skills against the other's best; those of the GM's own are secret."""
    theirs, secret = best(world, duel, duel.other), is_secret(world, duel.challenger)
    mine = priced(world, duel, duel.challenger)
    rounds = [(c.words, FightBout(str(c.value), theirs)) for c in mine]
    closed = waits(world)
    return tuple(Option(label=words, action=bout, closed=closed, secret=secret) for words, bout in rounds)


def hand(world: No1World, duel: Duel, who: str) -> Hand:
    """The dice of the last round."""
    bout, target = duel.bouts[who], world.rules.target
    faces = tuple(Face(text=str(f), sides=bout.sides, tone="good" if f >= target else "") for f in bout.faces)
    less = f" after −{bout.cost}" if bout.cost else ""
    return Hand(who=world.name(who), faces=faces, total=plural(bout.hits, "hit") + less)


def answer(world: No1World, duel: Duel) -> Prompt:
    """Accept or decline."""
    gains = f"the {side(world, duel.challenger)} gain {world.rules.contest_decline} {prize(world, duel.challenger)}"
    return Prompt(
        text=f"{world.name(duel.other)} is called out over {duel.trait}.",
        options=(
            Option(label="accept", action=Accept(), key="a", closed=waits(world)),
            Option(label=f"decline: {gains}", action=Decline(), key="d", closed=waits(world)),
        ),
    )


def outcome(world: No1World, duel: Duel) -> Outcome | None:
    """How the contest came out."""
    if duel.stage != "over":
        return None
    tone: Tone
    if duel.declined:
        tone = "good" if is_hero(world, duel.challenger) else "bad"
        gained = f"{prize(world, duel.challenger)} +{world.rules.contest_decline}"
        title = f"{world.name(duel.other)} declines"
        return Outcome(title=title, tone=tone, detail=gained, because=ContestAnswered.rule)
    score = f"{duel.won.get(duel.challenger, 0)} to {duel.won.get(duel.other, 0)} rounds"
    if not duel.winner:
        return Outcome(title="a draw", tone="warn", detail=score, because=ContestWon.rule)
    tone = "good" if is_hero(world, duel.winner) else "bad"
    gained = f"{prize(world, duel.winner)} +{world.rules.contest_win}"
    title = f"{world.name(duel.winner)} wins"
    return Outcome(title=title, tone=tone, detail=f"{score}, {gained}", because=ContestWon.rule)
