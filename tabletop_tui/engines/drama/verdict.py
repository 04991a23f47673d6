"""What a roll leads to: its events, and settling it for tests, opposed tests, contests and complex tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from ...rules import Event
from .dice import backfires, drama_ones, side_words
from .penalties import gain
from .points import PoolChanged
from .reading import (
    DISCOMBOBULATED,
    EASIER,
    SUCCESS,
    compare,
    pairs,
    payable,
    raisable,
    reading,
    total,
    undecided,
)
from .world import (
    COMPOSURE,
    Complex,
    Contest,
    Dimension,
    DramaWorld,
    Party,
    Price,
    Roll,
    Side,
    Task,
    Verdict,
    line_kinds,
    many,
    person,
)

# ---- events


class Rolled(Event, tag="rolled"):
    """Dice lie on the table."""

    rule = "base 5, 6: +1; resistance 1, 2: −1; drama 4, 5, 6: +1, a 6 rolls on, a 1: −1 and a penalty die"
    roll: Roll
    what: str = ""

    def apply(self, world: DramaWorld) -> DramaWorld:
        return world.live(roll=self.roll)

    def says(self, world: DramaWorld) -> str:
        dice = "; ".join(side_words(side) for side in self.roll.sides.values())
        head = self.what or self.roll.what
        return f"{head}: {dice}" if head else dice


class Settled(Event, tag="settled"):
    """The roll counts."""

    rule = "two net successes succeed, one is marginal; opposed: two or more and more than the other"
    verdicts: dict[str, Verdict]
    groups: dict[str, str | int]
    words: str
    after: tuple[str, ...] = ()

    def apply(self, world: DramaWorld) -> DramaWorld:
        roll = world.now.roll
        if roll is None:
            return world
        return world.live(roll=replace(roll, stage="done", verdicts=self.verdicts, after=self.after))

    def says(self, world: DramaWorld) -> str:
        return self.words

    def outcome(self) -> Mapping[str, str | int]:
        return self.groups


class MomentumMoved(Event, tag="momentum_moved"):
    """Somebody has the momentum of the encounter, or nobody has."""

    rule = "whoever won the last round has momentum"
    who: str

    def apply(self, world: DramaWorld) -> DramaWorld:
        return world.live(momentum=self.who)

    def says(self, world: DramaWorld) -> str:
        return f"Momentum: {world.name(self.who)}" if self.who else ""


class RoundEnded(Event, tag="round_ended"):
    """A round of a contest is over: what was used in it, who has momentum, who yields."""

    rule = "the winner has momentum; the loser takes penalty dice by the level of success; Composure 0 yields"
    winner: str
    used: dict[str, dict[str, int]]
    yielded: str = ""

    def apply(self, world: DramaWorld) -> DramaWorld:
        contest = world.now.contest
        if contest is None:
            return world
        parties = {w: replace(p, used={**p.used, **self.used.get(w, {})}) for w, p in contest.parties.items()}
        ended = replace(
            contest,
            parties=parties,
            momentum=self.winner or contest.momentum,
            yielded=self.yielded or contest.yielded,
        )
        return world.live(contest=ended)

    def says(self, world: DramaWorld) -> str:
        return f"{world.name(self.yielded)} yields" if self.yielded else ""


class Attempted(Event, tag="attempted"):
    """An attempt at a dimension of a complex test was made."""

    rule = "success opens the next dimension; a failed second attempt locks the test"
    passed: bool
    complex: Complex
    words: str
    task: Task | None = None
    """The next attempt, where there is one."""

    def apply(self, world: DramaWorld) -> DramaWorld:
        return world.live(complex=self.complex, task=self.task)

    def says(self, world: DramaWorld) -> str:
        return self.words


def attempt_task(chain: Complex) -> Task:
    """The next attempt, ready for somebody to lead it."""
    dimension = chain.plan.dimensions[chain.at]
    return Task(dimension.name, chain.plan.stakes, chain=True)


# ---- settling


def finish(world: DramaWorld, roll: Roll, what: str = "", *, fell: bool = True) -> tuple[Event, ...]:
    """Dice lie there; what their 1s cost; and the end of it, where nobody has anything to choose."""
    events: list[Event] = [Rolled(roll, what)]
    after = events[0].apply(world)
    if fell:
        for side in roll.sides.values():
            for event in ones_cost(after, side):
                events.append(event)
                after = event.apply(after)
    if not (payable(roll) or raisable(after, roll) or undecided(after, roll)):
        events += settle(after, roll)
    return tuple(events)


def ones_cost(world: DramaWorld, side: Side) -> tuple[Event, ...]:
    """A penalty die for each 1 on a drama die, two where a passion backfires."""
    ones = drama_ones(side)
    if not ones or side.who not in world.sheets:
        return ()
    if backfires(side):
        return gain(world, side.who, "passion backfired", 2 * ones)
    return gain(world, side.who, "drama", ones)


def settle(world: DramaWorld, roll: Roll) -> tuple[Event, ...]:
    """The roll counts as it lies."""
    if roll.kind in ("opposed", "contest"):
        return _settle_pairs(world, roll)
    successes = total(roll)
    outcome = reading(successes)
    lead = next(iter(roll.sides))
    paid = any(side.paid for side in roll.sides.values())
    words = f"{roll.what or roll.sides[lead].name}: {outcome}{', at a price' if paid else ''} (net {successes})"
    groups: dict[str, str | int] = {"outcome": outcome, "net": successes, "drama 1s": drama_ones(roll.sides[lead])}
    follow: list[Event] = []
    after: list[str] = []
    if roll.kind == "complex" and world.now.complex is not None:
        follow, after = _attempted(world, world.now.complex, roll, outcome == SUCCESS)
    return (Settled({lead: Verdict(outcome, "", successes)}, groups, words, tuple(after)), *follow)


def _settle_pairs(world: DramaWorld, roll: Roll) -> tuple[Event, ...]:
    verdicts: dict[str, Verdict] = {}
    groups: dict[str, str | int] = {}
    words, single = [], len(pairs(roll.sides)) == 1
    for key, other in pairs(roll.sides):
        verdict, label, lead = compare(world, roll, key, other)
        verdicts[key] = verdict
        if single:
            groups = {"outcome": label, "level": lead, "drama 1s": drama_ones(roll.sides[key])}
        else:
            groups[f"against {roll.sides[other].name}"] = label
        words.append(pair_words(roll, key, verdict))
    if roll.kind == "contest" and world.now.contest is not None:
        follow, after = _contest_round(world, world.now.contest, roll, next(iter(verdicts.values())))
    else:
        follow, after = _encounter_momentum(world, roll, list(verdicts.values())), []
    return (Settled(verdicts, groups, "; ".join(words), tuple(after)), *follow)


def pair_words(roll: Roll, key: str, verdict: Verdict) -> str:
    """How an opposed test came out, in a sentence."""
    if not verdict.winner:
        other = roll.sides[key].against
        return f"Neither {roll.sides[key].name} nor {roll.sides[other].name} gets there"
    name = roll.sides[verdict.winner].name
    return f"A draw, and it is {name}'s ({verdict.by})" if verdict.by else f"{name} wins by {verdict.level}"


def _encounter_momentum(world: DramaWorld, roll: Roll, verdicts: Sequence[Verdict]) -> list[Event]:
    winners = [roll.sides[v.winner].who for v in verdicts if v.winner]
    if not world.now.turns.running or not winners or winners[-1] == world.now.momentum:
        return []
    return [MomentumMoved(winners[-1])]


def _contest_round(
    world: DramaWorld, contest: Contest, roll: Roll, verdict: Verdict
) -> tuple[list[Event], list[str]]:
    used = {w: dict.fromkeys(used_now(world, w, p), contest.round) for w, p in contest.parties.items()}
    if not verdict.winner:
        return [RoundEnded("", used)], ["both fail; momentum stays where it is"]
    won = roll.sides[verdict.winner]
    lost = roll.sides[won.against]
    dice = max(verdict.level, world.rules.contest_penalty)
    events: list[Event] = list(gain(world, lost.who, DISCOMBOBULATED, dice)) if dice else []
    after = [f"{lost.name}: {many(dice, 'penalty')} ({DISCOMBOBULATED})"] if dice else []
    yielded = ""
    sheet = world.sheets[lost.who]
    if not sheet.player and sheet.composure > 0:
        before = person(world, lost.who).composure
        left = max(before - dice, 0)
        if left != before:
            events.append(PoolChanged(lost.who, "composure", left, "the contest"))
        after.append(f"{COMPOSURE} {before} → {left}")
        if left == 0:
            yielded = lost.who
            after.append(f"{lost.name} yields")
    after.append(f"momentum: {won.name}")
    return [*events, RoundEnded(won.who, used, yielded)], after


def used_now(world: DramaWorld, who: str, party: Party) -> list[str]:
    """The skill and the advantages of a round, which cannot serve again; Composure always can."""
    skill = party.using.removeprefix("direct:").removeprefix("indirect:")
    names = [skill] if skill and party.using != COMPOSURE else []
    names += [line.text for line in party.lines.values() if line.kind in line_kinds(world.rules)]
    way, _, advantage = party.point.partition(":")
    return [*names, advantage] if way == "advantage" else names


def _attempted(world: DramaWorld, chain: Complex, roll: Roll, passed: bool) -> tuple[list[Event], list[str]]:
    dimension = chain.plan.dimensions[chain.at]
    lead = next(iter(roll.sides.values())).who
    tried = chain.tried + 1
    price = dimension.first if tried == 1 else dimension.second
    events, words = _pay(world, lead, price, dimension.name)
    after = [f"the attempt costs {words}"] if words else []
    then = chain_after(chain, dimension, tried, passed)
    if then.outcome and not passed:
        here = world
        for event in events:
            here = event.apply(here)
        more, cost = _pay(here, lead, dimension.failure, f"{dimension.name} failed")
        events += more
        after += [f"failing costs {cost}"] if cost else []
    told = chain_words(then, dimension, passed)
    return [*events, Attempted(passed, then, told, None if then.outcome else attempt_task(then))], [*after, told]


def chain_after(chain: Complex, dimension: Dimension, tried: int, passed: bool) -> Complex:
    """Where a complex test stands after an attempt."""
    last = chain.at + 1 >= len(chain.plan.dimensions)
    if passed:
        return replace(chain, at=chain.at if last else chain.at + 1, tried=0, outcome="full" if last else "")
    if tried >= min(dimension.attempts, 2):
        return replace(chain, tried=tried, outcome="partial" if chain.at else "failed")
    return replace(chain, tried=tried)


def chain_words(then: Complex, dimension: Dimension, passed: bool) -> str:
    """What an attempt did to the chain."""
    if passed and not then.outcome:
        return f"{dimension.name} is done: {then.plan.dimensions[then.at].name} opens"
    if then.outcome:
        return f"{then.plan.name}: {then.outcome}" + ("" if passed else f", locked at {dimension.name}")
    less = min(EASIER, dimension.resistance)
    return f"{dimension.name}: one attempt left" + (f", with {many(less, 'resistance')} less" if less else "")


def _pay(world: DramaWorld, who: str, price: Price, cause: str) -> tuple[list[Event], str]:
    words = [price.words] if price.words else []
    events = list(gain(world, who, cause, price.penalty)) if price.penalty > 0 else []
    if price.penalty > 0:
        words.append(many(price.penalty, "penalty"))
    return events, ", ".join(words)


EVENTS: tuple[type[Event], ...] = (Rolled, Settled, MomentumMoved, RoundEnded, Attempted)
