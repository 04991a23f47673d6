"""Exact chances in closed form, binomials and one recursion for drama dice, and the odds of an action."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import comb

from ...kit.common import is_secret
from ...rules import Action, Chance, Group, Odds, Part, Pmf, Pool, Refused, Tone, add, add_all
from .challenge import MakeTest, RollTask
from .contest import RollContest
from .contest_pools import contest_sides
from .dice import pool_words
from .momentum import holder
from .opposed import Oppose
from .outcome import FAILURE, MARGINAL, NEITHER, SUCCESS, draw_label, members, pairs
from .recovery import Recover
from .split import Split
from .task import task_sides, unable
from .world import SUCCESSES, Contest, DramaWorld, Piece, Side, of_contest

TAIL = 24
"""A drama die's value beyond which nothing is kept: the chance of more is below 6**-24 (2e-19), and it is put on the
last value, so that every table sums to 1 and is exact far beyond 1e-12."""


@lru_cache(maxsize=1)
def drama_die() -> dict[int, float]:
    """One drama die with all that its 6s bring.

    Its value is −1 for a 1, 0 for 2 and 3, 1 for 4 and 5, and for a 6 one more than another such die:
    p(v) = first(v) + p(v − 1) / 6, solved upwards from the lowest value.
    """
    first = {-1: 1 / 6, 0: 1 / 3, 1: 1 / 3}
    table: dict[int, float] = {}
    for value in range(-1, TAIL):
        table[value] = first.get(value, 0.0) + table.get(value - 1, 0.0) / 6
    table[TAIL] = 1.0 - sum(table.values())
    return table


@lru_cache(maxsize=256)
def binomial(count: int, chance: float) -> dict[int, float]:
    """How many of some dice succeed."""
    return {k: comb(count, k) * chance**k * (1 - chance) ** (count - k) for k in range(count + 1)}


@lru_cache(maxsize=256)
def drama_pool(count: int) -> dict[int, float]:
    """Several drama dice; what is less likely than 1e-18 is left out."""
    if count == 0:
        return {0: 1.0}
    half = drama_pool(count // 2)
    whole = add(half, half)
    if count % 2:
        whole = add(whole, drama_die())
    return {v: p for v, p in whole.items() if p > 1e-18}


@lru_cache(maxsize=1024)
def nets(base: int, resistance: int, drama: int) -> dict[int, float]:
    """The chance of each number of net successes."""
    minus = {-k: p for k, p in binomial(resistance, 1 / 3).items()}
    return add_all((binomial(base, 1 / 3), minus, drama_pool(drama)))


def ones(drama: int) -> dict[int, float]:
    """How many drama dice show a 1: a chain of 6s ends in a 1 with chance (1/6) / (5/6) = 1/5, and only there."""
    return binomial(drama, 1 / 5)


def read_nets(pmf: Pmf) -> tuple[float, float, float]:
    """Success, marginal, failure."""
    success = sum(p for v, p in pmf.items() if v >= SUCCESSES)
    marginal = pmf.get(SUCCESSES - 1, 0.0)
    return success, marginal, sum(p for v, p in pmf.items() if v < SUCCESSES - 1)


def meet(first: Pmf, second: Pmf) -> tuple[dict[int, float], float, float, float]:
    """Two pools against each other: the chances of the first's lead, of a draw, of the other, of neither."""
    below = sum(p for v, p in second.items() if v < SUCCESSES)
    leads: dict[int, float] = {}
    draw = other = 0.0
    for a, p in first.items():
        for b, q in second.items():
            if a >= SUCCESSES and a > b:
                leads[a - b] = leads.get(a - b, 0.0) + p * q
            elif b >= SUCCESSES and b > a:
                other += p * q
            elif a >= SUCCESSES:
                draw += p * q
    neither = sum(p for v, p in first.items() if v < SUCCESSES) * below
    return leads, draw, other, neither


LEVELS = (1, 2, 3, 4, 5)
"""Net successes, and levels of success, that are worth a chance of their own."""


def odds(world: DramaWorld, action: Action) -> Odds | None:
    """Exact odds of any roll; None for what rolls nothing. Refused, with the reason, where it cannot be rolled."""
    task, contest = world.now.task, world.now.contest
    if isinstance(action, MakeTest):
        return test_odds(world, task_sides(world, action.task(world)))
    if isinstance(action, Recover):
        return test_odds(world, action.sides(world))
    if isinstance(action, RollTask) and task and task.lead:
        if why := unable(world, task):
            raise Refused(why, remedy="Let them step back, or choose another lead.")
        return test_odds(world, task_sides(world, task))
    if isinstance(action, Oppose | Split):
        return opposed_odds(world, "opposed", action.sides(world))
    if isinstance(action, RollContest) and contest and not contest.rolled:
        return opposed_odds(world, "contest", contest_sides(world, contest), gives_away(world, contest))
    return None


def gives_away(world: DramaWorld, contest: Contest) -> bool:
    """Would chances give something away: a hidden line, or what one of the GM's own can do?"""
    if any(is_secret(world, who) for who in of_contest(contest)):
        return True
    return any(line.hidden for party in contest.parties.values() for line in party.lines.values())


def side_nets(side: Side) -> dict[int, float]:
    """The chances of a pool's net successes."""
    return nets(side.count("base"), side.count("resistance"), side.count("drama"))


def test_odds(world: DramaWorld, sides: Mapping[str, Side]) -> Odds:
    """Of a test; what the GM's own can do is a secret, and so is every chance that tells of it."""
    dice = pools(world, sides)
    return Odds(test_groups(sides), dice, any(pool.secret for pool in dice))


def test_groups(sides: Mapping[str, Side]) -> tuple[Group, ...]:
    """Success, marginal, failure; everybody's nets add up."""
    pmf = add_all(side_nets(side) for side in sides.values())
    success, marginal, failure = read_nets(pmf)
    ends = (Chance(SUCCESS, success, "good"), Chance(MARGINAL, marginal, "warn"), Chance(FAILURE, failure, "bad"))
    reach = Group("net", at_least(pmf, LEVELS), at_least=True)
    return (Group("outcome", ends), reach, *risk(next(iter(sides.values()))))


def at_least(pmf: Mapping[int, float], values: tuple[int, ...]) -> tuple[Chance, ...]:
    """The chance of each of some values or more; the ones that cannot be are left out."""
    found = ((v, sum(p for value, p in pmf.items() if value >= v)) for v in values)
    return tuple(Chance(f"≥{v}", p, value=v) for v, p in found if p > 0)


def risk(side: Side) -> list[Group]:
    """The chance of 1s on drama dice: penalty dice, and from two on a passion backfires."""
    drama = side.count("drama")
    if not drama:
        return []
    values = (1, 2) if drama > 1 else (1,)
    return [Group("drama 1s", at_least(ones(drama), values), at_least=True)]


def opposed_odds(world: DramaWorld, kind: str, sides: Mapping[str, Side], secret: bool = False) -> Odds:
    """Who wins, whose a draw is, and by how much."""
    groups: list[Group] = []
    hopes: tuple[str, ...] | None = None
    met = pairs(sides)
    for key, other in met:
        first, second = sides[key], sides[other]
        mine, theirs = (add_all(side_nets(sides[k]) for k in members(sides, one)) for one in (key, other))
        leads, draw, lost, neither = meet(mine, theirs)
        who, _ = holder(world, kind, first, second)
        tones: dict[str, Tone] = {"first": "good", "second": "bad", "": "warn"}
        chances = (
            Chance(f"{first.name} wins", sum(leads.values()), "good"),
            Chance(draw_label(who, first.name, second.name), draw, tones[who]),
            Chance(f"{second.name} wins", lost, "bad"),
            Chance(NEITHER, neither, "muted"),
        )
        # a draw that is the first side's own is hoped for as well
        hopes = hopes or tuple(c.label for c in chances if c.tone == "good")
        single = len(met) == 1
        groups.append(Group("outcome" if single else f"against {second.name}", chances))
        if single:
            # a draw of the first side's own is won at level 0: what it hopes for stands there as one number
            levels = (0, *LEVELS) if who == "first" else LEVELS
            groups.append(Group("level", at_least({0: draw, **leads}, levels), at_least=True))
            groups += risk(first)
    dice = pools(world, sides)
    # what the GM's own can do is a secret, and so is every chance that tells of it
    return Odds(tuple(groups), dice, secret or any(pool.secret for pool in dice), hopes)


def pools(world: DramaWorld, sides: Mapping[str, Side]) -> tuple[Pool, ...]:
    """Everybody's dice with where they come from; those of the GM's own are secret."""
    return tuple(
        Pool(who=s.name, parts=tuple(map(part, s.pieces)), secret=is_secret(world, s.who)) for s in sides.values()
    )


def part(piece: Piece) -> Part:
    """A piece of a pool."""
    tone: Tone = "bad" if piece.resistance else ""
    return Part(source=piece.source, dice=pool_words(piece), note=piece.note, tone=tone)
