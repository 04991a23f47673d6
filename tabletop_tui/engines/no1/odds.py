"""Exact odds in closed form.

A die that does not show 1 is a hit with the same chance however often it was rerolled before. So a roll is settled by
how many 1s are left among the skill's dice and among the Hazard dice: the default reroll is followed over those two
numbers alone, and the hits are binomial in the dice that are left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import comb

from msgspec.structs import replace

from ...kit.common import is_secret
from ...kit.order import FOES, HEROES
from ...rules import Action, Chance, Group, Odds, Refused, Tone, add, add_all
from . import contest, encounter, manoeuvres
from .dice import BONUS_DIE, HAZARD_DIE, Throw, challenge_dice, die_of, hits, pool, throw_of
from .expressions import TermError, needed, passes
from .roll import GAIN, NOTHING, RISK, WITHOUT, Act, LetGo, Reroll, Shift, away, counter_move, labels
from .world import Duel, No1World, Roll, RollKind, focus_of, ranks_left, sheet_of

Ones = tuple[int, int]
"""1s on the skill's dice, and on the Hazard dice."""
Spread = dict[Ones, float]
Binomial = tuple[float, ...]


@lru_cache(maxsize=4096)
def binomial(count: int, chance: float) -> Binomial:
    """The chance of 0, 1, … count."""
    return tuple(comb(count, k) * chance**k * (1 - chance) ** (count - k) for k in range(count + 1))


@lru_cache(maxsize=4096)
def _left(own: int, hazard: int, sides: int, ranks: int) -> tuple[tuple[Ones, float], ...]:
    """The 1s that the default reroll leaves of these: one die at a time, the largest first."""
    if own + hazard == 0 or own + hazard > ranks:
        return (((own, hazard), 1.0),)
    again = 1 / sides if own else 1 / HAZARD_DIE  # no skill has a smaller die than a Hazard
    better = (own - 1, hazard) if own else (0, hazard - 1)
    return tuple(left_over({(own, hazard): again, better: 1 - again}, sides, ranks - 1).items())


def left_over(begin: Spread, sides: int, ranks: int) -> Spread:
    """The 1s at the end, from the chances of those at the beginning."""
    out: Spread = {}
    for (own, hazard), p in begin.items():
        for ones, q in _left(own, hazard, sides, ranks):
            out[ones] = out.get(ones, 0.0) + p * q
    return out


def fallen(own: int, hazard: int, sides: int, kept: Ones = (0, 0)) -> Spread:
    """The 1s after so many dice fell, besides those that were kept."""
    return {
        (a + kept[0], b + kept[1]): p * q
        for a, p in enumerate(binomial(own, 1 / sides))
        for b, q in enumerate(binomial(hazard, 1 / HAZARD_DIE))
    }


def hit_chance(sides: int, target: int) -> float:
    """The chance that a die which shows no 1 is a hit; the target is at least 2."""
    return max(sides - target + 1, 0) / (sides - 1)


def hit_pmf(ones: Spread, own: int, hazard: int, sides: int, target: int) -> dict[int, float]:
    """The hits among the dice that show no 1. Summed one kind of die at a time, which keeps it fast."""
    p_own, p_hazard = hit_chance(sides, target), hit_chance(HAZARD_DIE, target)
    rows = [[0.0] * (own + 1) for _ in range(hazard + 1)]
    for (a, b), p in ones.items():
        row = rows[b]
        for k, q in enumerate(binomial(own - a, p_own)):
            row[k] += p * q
    out = [0.0] * (own + hazard + 1)
    for b, row in enumerate(rows):
        rest = binomial(hazard - b, p_hazard)
        for k, p in enumerate(row):
            if p:
                for j, q in enumerate(rest):
                    out[k + j] += p * q
    return dict(enumerate(out))


@lru_cache(maxsize=1024)
def chances(throw: Throw, ranks: int, target: int) -> tuple[float, float, tuple[tuple[int, float], ...]]:
    """Of a roll: no 1 at the end, no 1 as it falls, and the hits."""
    begin = fallen(throw.count, throw.hazards, throw.sides)
    ones = left_over(begin, throw.sides, ranks)
    found = hit_pmf(ones, throw.count, throw.hazards, throw.sides, target)
    return ones.get((0, 0), 0.0), begin[(0, 0)], tuple(add(found, _bonus(throw.boosts)).items())


def _bonus(dice: int) -> dict[int, float]:
    return add_all([dict.fromkeys(range(1, BONUS_DIE + 1), 1 / BONUS_DIE)] * dice)


# ---- as the screen shows them


def _two(name: str, kind: RollKind, away_: bool, clean: float) -> Group:
    good, bad = labels(kind, away_)
    return Group(name, (Chance(good, clean, "good"), Chance(bad, 1 - clean, "bad")))


def _hits(found: dict[int, float]) -> Group:
    most = max((v for v, p in found.items() if p > 0), default=0)
    least = (n for n in range(1, most + 1))
    at_least = tuple(Chance(f"≥{n}", sum(p for v, p in found.items() if v >= n), value=n) for n in least)
    return Group("hits", at_least, at_least=True)


def _counters(world: No1World, who: str, kind: RollKind, clean: float) -> Group:
    found = {GAIN: 0.0, RISK: 0.0, NOTHING: 0.0}
    for is_clean, p in ((True, clean), (False, 1 - clean)):
        found[counter_move(world, who, kind, is_clean) or NOTHING] += p
    tones: dict[str, Tone] = {GAIN: "good", RISK: "bad", NOTHING: "muted"}
    return Group("counters", tuple(Chance(name, p, tones[name]) for name, p in found.items()))


def roll_odds(world: No1World, action: Act | Shift) -> Odds | None:
    """Of an Action or a Shift, with the ranks that are left and without them."""
    who, kind = action.who, "action" if isinstance(action, Act) else action.how
    if sheet_of(world, who) is None or not kind:  # a Shift that is still to be chosen has no chances of its own
        return None
    trait = action.trait or focus_of(world, who)
    ranks = ranks_left(world, who, trait)
    clean, plain, found = chances(throw_of(world, who, action.skill, action.modifier), ranks, world.rules.target)
    there = away(world, who)
    groups = [_two("outcome", kind, there, clean)]
    if ranks:
        groups.append(_two(WITHOUT, kind, there, plain))
    groups += [_hits(dict(found)), _counters(world, who, kind, clean)]
    dice = pool(world, who, action.skill, action.modifier, trait)
    # every chance tells of what they roll with
    return Odds(tuple(groups), (dice,), secret=dice.secret, hopes=labels(kind, there)[:1])


def reroll_odds(world: No1World, roll: Roll, dice: tuple[int, ...]) -> Odds | None:
    """Of rerolling some of the 1s that lie on the table, or none."""
    places = roll.ones()
    ranks = ranks_left(world, roll.who, roll.trait) - len(dice)
    if ranks < 0 or not set(dice) <= set(places):
        return None
    own = [i for i in places if not roll.dice[i].hazard]
    again = (sum(i in own for i in dice), sum(i not in own for i in dice))
    kept = (len(own) - again[0], len(places) - len(own) - again[1])
    sides = next((d.sides for d in roll.dice if not d.hazard), HAZARD_DIE)
    begin = fallen(*again, sides, kept)
    ones = left_over(begin, sides, ranks) if dice else begin
    found = hit_pmf(ones, len(own), len(places) - len(own), sides, world.rules.target)
    sure = hits(world.rules, roll.dice) + roll.bonus
    clean = ones.get((0, 0), 0.0)
    groups = (
        _two("outcome", roll.kind, roll.away, clean),
        _hits({n + sure: p for n, p in found.items()}),
        _counters(world, roll.who, roll.kind, clean),
    )
    secret = is_secret(world, roll.who) or world.is_hidden(roll.who)
    return Odds(groups, secret=secret, hopes=labels(roll.kind, roll.away)[:1])


def opening_odds(world: No1World, action: encounter.Begin) -> Odds | None:
    """Of the opening test."""
    made = action.mustered(world)
    if not action.contested(made.turns):
        return None
    chance = max(world.rules.plain_die - world.rules.target + 1, 0) / world.rules.plain_die
    team = binomial(challenge_dice(made.apply(world)), chance)
    level = sum(p * p for p in team)
    first = (1 - level) / 2 + (level if world.rules.opening_tie == HEROES else 0.0)
    ours, theirs = encounter.first_words(HEROES), encounter.first_words(FOES)
    return Odds((Group("outcome", (Chance(ours, first, "good"), Chance(theirs, 1 - first, "bad"))),), hopes=(ours,))


def bout_odds(world: No1World, duel: Duel, skills: tuple[str, str]) -> Odds:
    """Of a round of a contest, and of the whole of it."""
    wins, loses = _round(world, duel, skills)
    shown = (
        Chance(contest.whose(contest.TAKES), wins, "good"),
        Chance(contest.LEVEL, max(1 - wins - loses, 0.0), "muted"),
        Chance(contest.whose(contest.YIELDS), loses, "bad"),
    )
    *_, lead = _leads(world, duel, duel.rounds - duel.round, skills)
    groups = (Group("outcome", shown), _whole(world, duel, lead))
    return Odds(groups, secret=contest_is_secret(world, duel), hopes=(contest.whose(contest.TAKES),))


def accept_odds(world: No1World, duel: Duel) -> Odds:
    """Of winning a contest, before anybody knows how many rounds it has; whoever accepts hopes to."""
    die = world.rules.contest_die
    ways = add_all([dict.fromkeys(range(1, die + 1), 1 / die)] * 2)
    total: dict[int, float] = {}
    for rounds, lead in enumerate(_leads(world, duel, 2 * die), 1):
        for value, p in lead.items():
            total[value] = total.get(value, 0.0) + ways.get(rounds, 0.0) * p
    group = _whole(world, duel, total)
    return Odds((group,), secret=contest_is_secret(world, duel), hopes=(group.chances[-1].label,))


def contest_is_secret(world: No1World, duel: Duel) -> bool:
    """Do the chances of a contest tell of the skills of one of the GM's own?"""
    return is_secret(world, duel.challenger) or is_secret(world, duel.other)


def _leads(
    world: No1World, duel: Duel, rounds: int, skills: tuple[str, str] | None = None
) -> Iterator[dict[int, float]]:
    """By how many rounds the challenger leads after each further one; both use the best of their freshest skills."""
    lead = {duel.won.get(duel.challenger, 0) - duel.won.get(duel.other, 0): 1.0}
    for _ in range(rounds):
        used = skills or (contest.best(world, duel, duel.challenger), contest.best(world, duel, duel.other))
        wins, loses = _round(world, duel, used)
        lead = add(lead, {1: wins, 0: max(1 - wins - loses, 0.0), -1: loses})
        yield lead
        duel, skills = replace(duel, used=contest.used_after(duel, *used)), None


def _whole(world: No1World, duel: Duel, lead: Mapping[int, float]) -> Group:
    wins, loses = (sum(p for n, p in lead.items() if n * way > 0) for way in (1, -1))
    shown = (
        Chance(f"{world.name(duel.challenger)} wins", wins, "good"),
        Chance("a draw", lead.get(0, 0.0), "muted"),
        Chance(f"{world.name(duel.other)} wins", loses, "bad"),
    )
    return Group("the whole contest", shown, overall=True)


def _round(world: No1World, duel: Duel, skills: tuple[str, str]) -> tuple[float, float]:
    """The challenger's chances to take a round, and to lose it."""
    first, second = _bout(world, duel, duel.challenger, skills[0]), _bout(world, duel, duel.other, skills[1])
    pairs = [(a - b, p * q) for a, p in first.items() for b, q in second.items()]
    return sum(p for n, p in pairs if n > 0), sum(p for n, p in pairs if n < 0)


def _bout(world: No1World, duel: Duel, who: str, skill: str) -> dict[int, float]:
    sides, less = die_of(world, who, skill), contest.cost(world, duel, who, skill)
    out: dict[int, float] = {}
    for n, p in enumerate(binomial(challenge_dice(world), max(sides - world.rules.target + 1, 0) / sides)):
        out[max(n - less, 0)] = out.get(max(n - less, 0), 0.0) + p
    return out


def check_odds(world: No1World, action: manoeuvres.UseManoeuvre) -> Odds | None:
    """Of a manoeuvre's check: what the d20 has to show, and what each number of the table does then."""
    plan = world.rules.manoeuvres.get(action.manoeuvre)
    if plan is None or not plan.check:
        return None
    values = manoeuvres.after_cost(world, plan)
    faces = range(1, manoeuvres.CHECK + 1)
    works = sum(passes(plan.check, face, values) for face in faces) / manoeuvres.CHECK

    def two(name: str, good: str, bad: str, overall: bool = True) -> Group:
        return Group(name, (Chance(good, works, "good"), Chance(bad, 1 - works, "bad")), overall=overall)

    # the terms of the check are no results of their own: records count how it came out, once
    does = manoeuvres.moves(plan, values) or ({"effect": plan.about} if plan.about else {})
    terms = [two(f"d{manoeuvres.CHECK}", needed(plan.check, values), manoeuvres.FAILS)]
    terms += [two(name.title() if name != "effect" else name, how, "no effect") for name, how in does.items()]
    outcome = two("outcome", manoeuvres.WORKS, manoeuvres.FAILS, overall=False)
    return Odds((outcome, *terms), hopes=(manoeuvres.WORKS,))


def odds(world: No1World, action: Action) -> Odds | None:
    """Of any action that rolls; None where no dice fall or where it would be refused."""
    try:
        match action:
            case Act() | Shift():
                return roll_odds(world, action)
            case Reroll() | LetGo() if world.now.roll and world.now.roll.pending:
                return reroll_odds(world, world.now.roll, action.dice if isinstance(action, Reroll) else ())
            case encounter.Begin():
                return opening_odds(world, action)
            case contest.FightBout() if world.now.duel and world.now.duel.stage == "fought":
                return bout_odds(world, world.now.duel, (action.skill, action.using))
            case contest.Accept() if world.now.duel and world.now.duel.stage == "called":
                return accept_odds(world, world.now.duel)
            case manoeuvres.UseManoeuvre():
                return check_odds(world, action)
            case _:
                return None
    except (Refused, TermError):
        return None
