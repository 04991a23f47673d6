"""The exact odds of every action that rolls."""

from collections.abc import Collection, Mapping
from math import prod

from ...kit.common import is_secret
from ...rules import Action, Chance, Group, Odds, Part, Pool, add, below, cumulative
from . import pools
from .challenge_roll import (
    COMPLICATIONS,
    FAILURE,
    OUTCOMES,
    REDUCED,
    SUCCESS,
    Reroll,
    RollChallenge,
    result_of,
    sides,
)
from .chances import faces, fresh, highest, highest_of, led, margins
from .dice import at_top, break_tie, ties_won, top
from .initiative import RollOrder, first_words
from .opposed import HURTS, LOSES, NO_HARM, WINS, Oppose
from .settle import ForceReroll, Settle, first_reroll
from .support import fortunate, opposing, rerolls, worth
from .world import Challenge, Roll, Side, TiersWorld, multiplier, person, tier_of


def odds(world: TiersWorld, action: Action) -> Odds | None:
    """Exact odds of everything that rolls and settles something."""
    roll, challenge = world.now.roll, world.now.challenge
    if isinstance(action, RollChallenge) and challenge and challenge.lead:
        return challenge_odds(world, challenge)
    if isinstance(action, Oppose):
        return opposed_odds(world, action)
    if isinstance(action, Reroll) and roll and challenge and not Reroll.when(world):
        return reroll_odds(world, challenge, roll, action.dice)
    if isinstance(action, ForceReroll) and roll and not ForceReroll.when(world):
        return force_odds(world, roll, action.die)
    if isinstance(action, Settle) and roll and (die := first_reroll(world)):
        return force_odds(world, roll, die, falls=False)  # beside the reroll: what the GM has without it
    return order_odds(world, action) if isinstance(action, RollOrder) else None


# ---- a challenge


def challenge_odds(world: TiersWorld, now: Challenge) -> Odds:
    """Success, complications or failure."""
    first, second = sides(world, now)
    dice = pools.pool(world, now.lead, now.skill, now.bonus)
    bonus = dice[-1] if now.bonus else None
    mine = led(world.rules, first.tier, len(dice) - now.bonus, bonus, rerolls(world, now), fortunate(now))
    theirs = [now.plan.tier] * opposing(world, now)
    gaps = margins(mine, highest(world.rules, theirs))
    group = challenge_group(now, gaps, ties_won(world.rules, first, dice, second, theirs))
    return Odds((group,), challenge_pools(world, now), odds_secret(world, now), (SUCCESS,))


def challenge_group(now: Challenge, gaps: Mapping[int, float], tie_first: bool) -> Group:
    """The chance of each outcome, from those of the gap between both results."""
    chances = dict.fromkeys(OUTCOMES, 0.0)
    for gap, p in gaps.items():
        chances[result_of(now, gap > 0 or (gap == 0 and tie_first), abs(gap))[0]] += p
    shown = [SUCCESS, REDUCED if chances[REDUCED] else COMPLICATIONS, FAILURE]
    return Group("outcome", tuple(Chance(o, chances[o], OUTCOMES[o]) for o in shown))


def odds_secret(world: TiersWorld, challenge: Challenge) -> bool:
    """Would the odds tell of a hidden difficulty, or of how good one of the GM's own is?"""
    return challenge.plan.hidden or is_secret(world, challenge.lead)


def challenge_pools(world: TiersWorld, challenge: Challenge) -> tuple[Pool, Pool]:
    """Both pools, with where each die comes from and who helps."""
    plan, supports = challenge.plan, challenge.supports.items()
    help: list[Part] = []
    if assists := worth(world, challenge, "direct"):
        who = max(assists, key=lambda w: assists[w])
        note = f"from {world.name(who)}"
        help.append(Part(source="Reroll", dice=str(assists[who]), note=note, tone="good", secret=plan.hidden))
    if encouraging := [world.name(w) for w, s in supports if s.how == "encourage"]:
        help.append(Part(source="Fortunate", dice="reroll 1s", note=f"from {encouraging[0]}", tone="good"))
    mine = pools.shown(world, challenge.lead, challenge.skill, challenge.bonus, *help)
    dice = opposing(world, challenge)
    reduce = sum(worth(world, challenge, "indirect").values())
    increase = len(worth(world, challenge, "prepare"))
    note = f"{plan.dice}{f' − {reduce}' if reduce else ''}{f' + {increase}' if increase else ''}"
    if plan.dice - reduce + increase < dice:
        note += f", at least {dice}"
    note = note if reduce or increase else f"{plan.tier} {plan.dice}"
    _, theirs = pools.some(plan.name, plan.tier, dice, note, tone="bad")
    return mine, Pool(who=plan.name, parts=(theirs,), secret=plan.hidden)


# ---- opposed rolls and attacks


def opposed_odds(world: TiersWorld, action: Oppose) -> Odds:
    """Win or lose; of an attack whether it hurts, and how much."""
    mine = pools.pool(world, action.who, action.skill, action.bonus)
    theirs = pools.pool(world, action.against, action.using, action.their_bonus)
    first, second = pools.side(world, action.who, action.skill), pools.side(world, action.against, action.using)
    gaps = margins(highest(world.rules, mine), highest(world.rules, theirs))
    tie_first = ties_won(world.rules, first, mine, second, theirs)
    groups = opposed_groups(world, gaps, tie_first, action.who, action.against if action.kind == "attack" else "")
    both = (
        pools.shown(world, action.who, action.skill, action.bonus),
        pools.shown(world, action.against, action.using, action.their_bonus),
    )
    # what the GM's own can do is a secret, and so is every chance that tells of it
    return Odds(groups, both, any(pool.secret for pool in both), (HURTS if action.kind == "attack" else WINS,))


def opposed_groups(
    world: TiersWorld, gaps: Mapping[int, float], tie_first: bool, who: str, target: str
) -> tuple[Group, ...]:
    """Win or lose; where there is a target, whether it is hurt, goes down, and how much damage there is at least."""
    level = gaps.get(0, 0.0)
    tie, lost = (level, 0.0) if tie_first else (0.0, level)
    hurts = sum(p for gap, p in gaps.items() if gap > 0)
    loses = Chance(LOSES, lost + sum(p for gap, p in gaps.items() if gap < 0), "bad")
    if not target:
        return (Group("outcome", (Chance(WINS, hurts + tie, "good"), loses)),)
    no_harm = (Chance(NO_HARM, tie, "muted"),) if tie else ()
    outcome = Group("outcome", (Chance(HURTS, hurts, "good"), *no_harm, loses))
    each, hp = multiplier(world.rules, tier_of(world, who)), person(world, target).hp
    possible = [g for g in sorted(gaps) if g > 0]
    bands = sorted({1, 2, 3, 4, 6, 8, max(possible, default=1)} & set(possible))
    at_least = tuple(
        Chance(f"≥{g * each}", sum(p for gap, p in gaps.items() if gap >= g), value=g * each) for g in bands
    )
    out = sum(p for gap, p in gaps.items() if gap > 0 and gap * each >= hp)
    felled = Group("target", (Chance("out", out, "good"), Chance("stands", 1 - out, "muted")))
    return outcome, felled, Group("damage", at_least, at_least=True)


# ---- dice that lie on the table


def lying(world: TiersWorld, side: Side, again: Collection[int] = ()) -> dict[int, float]:
    """What a side comes to when some of its dice are rerolled: one at its maximum still explodes, the rest stays."""
    tables = []
    for place, die in enumerate(side.dice):
        if place in again:
            tables.append(fresh(die.tier, top(world.rules, die.tier)))
        elif at_top(world.rules, die) and not die.again:
            tables.append(tuple(cumulative(add({die.face: 1.0}, faces(die.tier)))))
        else:
            tables.append(tuple(cumulative({die.value: 1.0})))
    return highest_of(tables)


def reroll_odds(world: TiersWorld, challenge: Challenge, roll: Roll, dice: Collection[int]) -> Odds:
    """A challenge's outcome when these of the Lead's dice are rerolled."""
    gaps = margins(lying(world, roll.first, dice), lying(world, roll.second))
    group = challenge_group(challenge, gaps, break_tie(world.rules, roll.first, roll.second)[0])
    return Odds((group,), (), odds_secret(world, challenge), (SUCCESS,))


def force_odds(world: TiersWorld, roll: Roll, die: str, *, falls: bool = True) -> Odds | None:
    """How a roll comes out when one die of a player's is rerolled, or is left; the GM hopes for the worse of them.

    Where it is the worst already, that it stays so.
    """
    label, _, place = die.partition("/")
    sides = {"first": roll.first, "second": roll.second}
    if label not in sides or not place.isdecimal() or int(place) >= len(sides[label].dice):
        return None
    again = {label: [int(place)]} if falls else {}
    results = {name: lying(world, one, again.get(name, ())) for name, one in sides.items()}
    gaps = margins(results["first"], results["second"])
    tie_first = break_tie(world.rules, roll.first, roll.second)[0]
    now = world.now.challenge
    if roll.kind == "challenge" and now:
        won = result_of(now, roll.winner == "first", roll.margin)[0] == SUCCESS
        worse = (FAILURE, REDUCED, COMPLICATIONS) if won else (FAILURE,)
        return Odds((challenge_group(now, gaps, tie_first),), (), True, worse)
    target = roll.second.who if roll.kind == "attack" else ""
    groups = opposed_groups(world, gaps, tie_first, roll.first.who, target)
    lost = (LOSES, NO_HARM) if target else (LOSES,)
    return Odds(groups, (), True, lost if label == "first" else (HURTS if target else WINS,))


# ---- turns


def order_odds(world: TiersWorld, action: RollOrder) -> Odds | None:
    """Who goes first: those before somebody in the order of ties must stay below, those after may draw level.

    None where nobody who takes part has the skill: it cannot be rolled.
    """
    rolling = action.sides(world)
    if not rolling:
        return None
    pmfs = [highest(world.rules, pools.pool(world, s.who, action.skill, False)) for s in rolling]
    upto = [cumulative(pmf) for pmf in pmfs]
    chances: dict[str, tuple[float, bool]] = {}
    for i, side in enumerate(rolling):
        p = sum(
            p * prod(below(upto[j], value - (j < i)) for j in range(len(rolling)) if j != i)
            for value, p in pmfs[i].items()
        )
        chances[side.name] = (chances.get(side.name, (0.0, False))[0] + p, side.player)
    shown = tuple(pools.shown(world, s.who, action.skill, False) for s in rolling)
    named = tuple(Chance(first_words(name), p, "good" if mine else "bad") for name, (p, mine) in chances.items())
    hopes = tuple(first_words(name) for name, (_, mine) in chances.items() if mine)
    return Odds((Group("first", named),), shown, any(p.secret for p in shown), hopes)
