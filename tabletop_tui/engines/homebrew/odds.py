"""Exact chances of everything that is rolled, as they are shown. Where it takes too long there are none."""

from __future__ import annotations

from msgspec.structs import replace

from ...kit.common import is_secret, unseen
from ...rules import Action, Chance, Dice, DiceNeeded, Group, Odds, Part, Pool, Refused, Tone
from .asking import given_words
from .bands import FAILURE, SUCCESS, hits_at, hoped, how
from .by_hand import Save
from .challenge import party, rule_of
from .chances import Chances, Settled, worked
from .contest import contest_rule, standing
from .dice import spelled
from .effects import Doing
from .fold import Fold, TooMuch
from .game import RollRule
from .gives import Source, bare, ready, sources
from .making import Order, open_after, prepare, without
from .options import Use
from .rolls import Answer, Roll, Settle, Take, pending
from .rounds import NOBODY, RollContest, group_name, missing_stat, pairs, round_words, side_ready, winner_of
from .scope import Scope
from .together import RollChallenge, alone, order_for, stats_for
from .whole import whole_group
from .world import Challenge, Contest, HomebrewWorld, Made, Spec, roller_name


def order_odds(world: HomebrewWorld, order: Order, *, offered: bool = True) -> Odds | None:
    """The chances of a roll that was asked for; None where they cannot be known in time."""
    try:
        (made, dice), _, found = worked(world, order, offered=offered)
    except (TooMuch, DiceNeeded):
        return None
    told = shown(world, order, world.rules.rolls[order.roll], made, dice.theirs, found)
    return replace(told, groups=(*told.groups, *plain_groups(world, order, told))) if offered else told


def plain_groups(world: HomebrewWorld, order: Order, told: Odds) -> tuple[Group, ...]:
    """The chances without what the others assume to be paid for after the dice fell; none where that changes nothing.

    A party has few points that it shares: whoever weighs a roll should know what it is without one.
    """
    name = without(world, order.roll)
    if not name or order.of == "answer":
        return ()
    good = hoped(world.rules.rolls[order.roll])
    chance = sum(p for (title, *_), p in worked(world, order, offered=False).found.items() if title in good)
    if abs(chance - told.hope) < 1e-12:
        return ()
    return (Group(name, (Chance(SUCCESS, chance, "good"), Chance(FAILURE, 1 - chance, "bad"))),)


def challenge_odds(world: HomebrewWorld, now: Challenge, order: Order) -> Odds | None:
    """The chances of whoever rolls for a challenge, and those of the whole."""
    try:
        first = worked(world, order)
    except (TooMuch, DiceNeeded):
        return None
    (made, dice), _, found = first
    told = shown(world, order, world.rules.rolls[order.roll], made, dice.theirs, found)
    whole = whole_group(world, now, told.groups[0], first)
    more = (*plain_groups(world, order, told), *((whole,) if whole else ()))
    return replace(told, groups=(*told.groups, *more))


# ---- as they are shown


def shown(
    world: HomebrewWorld, order: Order, rule: RollRule, made: Made, theirs: Spec | None, found: Settled
) -> Odds:
    """Chances by band, or of each result where there are no bands; and what is rolled."""
    pools, secret = pools_of(world, order, made.mine.spec, theirs), is_hidden(world, order, rule)
    if rule.bands:
        tones: dict[str, Tone] = {}
        chances: dict[str, float] = {band.title: 0.0 for band in rule.bands}
        for band in rule.bands:
            tones.setdefault(band.title, band.tone)
        for (title, *_), p in found.items():
            chances[title] = chances.get(title, 0.0) + p
        group = Group("outcome", tuple(Chance(t, p, tones.get(t, "")) for t, p in chances.items()))
        return Odds((group,), pools, secret, hoped(rule))
    return Odds((result_group(found),), pools, secret, ())


def pools_of(world: HomebrewWorld, order: Order, mine: Spec, theirs: Spec | None) -> tuple[Pool, ...]:
    """What is rolled, with what each source brings to it; and what it is against."""
    rule, scope = world.rules.rolls[order.roll], order.scope(world)
    secret = is_hidden(world, order, rule)
    given = [*sources(scope, rule, dict(order.taken), dict(order.helpers)), *order.given]
    told = ready(scope, rule, given)
    plain = bare(scope, rule, told)
    mine_given, theirs_given = ([s for s in given if (s.what == "against") == other] for other in (False, True))
    own = Part(source=", ".join(order.stats.values()) or "dice", dice=spelled(plain.mine))
    parts = (own, *map(_part, mine_given)) if mine == told.mine else (replace(own, dice=spelled(mine)),)
    pools = [Pool(who=roller_name(world, order.who), parts=parts, secret=secret)]
    if theirs is not None and plain.theirs is not None:
        own = Part(source="against", dice=spelled(plain.theirs))
        parts = (own, *map(_part, theirs_given)) if theirs == told.theirs else (replace(own, dice=spelled(theirs)),)
        pools.append(Pool(who=world.name(order.whom) if order.whom else "against", parts=parts, secret=secret))
    return tuple(pools)


def _part(source: Source) -> Part:
    return Part(source=source.title, dice="", note=given_words(source.what, source.value, source.scope))


def ready_pools(world: HomebrewWorld, order: Order) -> tuple[Pool, ...]:
    """The same before anything is worked out; none where the roll cannot be made."""
    try:
        prepared = prepare(Doing(world, Dice()), order)
    except (Refused, DiceNeeded):
        return ()
    return pools_of(world, order, prepared.made.mine.spec, prepared.dice.theirs)


def fallen_pools(world: HomebrewWorld, order: Order, made: Made) -> tuple[Pool, ...]:
    """The same of a roll that lies there."""
    theirs = Spec(plus=made.against) if made.against is not None else made.theirs.spec if made.theirs else None
    return pools_of(world, order, made.mine.spec, theirs)


def result_group(found: Settled) -> Group:
    """The chance of at least each result."""
    values: dict[int, float] = {}
    for (_, value, _), p in found.items():
        values[value] = values.get(value, 0.0) + p
    chances = [
        Chance(f"≥{low}", sum(p for value, p in values.items() if value >= low), value=low) for low in sorted(values)
    ]
    return Group("result", tuple(chances), at_least=True)


def is_hidden(world: HomebrewWorld, order: Order, rule: RollRule) -> bool:
    """Would the chances tell what only the GM knows?"""
    challenge = world.now.challenge if order.of == "challenge" else None
    if rule.secret or (challenge and challenge.plan.hidden):
        return True
    return any(
        who in world.sheets and (is_secret(world, who) or unseen(world, who)) for who in (order.who, order.whom)
    )


def odds(world: HomebrewWorld, action: Action) -> Odds | None:
    """The chances of whatever rolls."""
    if isinstance(action, RollChallenge) and world.now.challenge and not alone(world):
        return group_odds(world, world.now.challenge)
    if isinstance(action, RollContest) and world.now.contest and not missing_stat(world):
        return contest_odds(world, world.now.contest)
    if isinstance(action, Take | Settle):
        return lying_odds(world, action)
    if isinstance(action, Answer | Use):
        return led_odds(world, action)
    order, now = order_of(world, action), world.now.challenge
    if order is None:
        return None
    return challenge_odds(world, now, order) if now and order.of == "challenge" else order_odds(world, order)


def led_odds(world: HomebrewWorld, action: Answer | Use) -> Odds | None:
    """The chances of the roll that an option leads to, after it is paid for."""
    if isinstance(action, Answer) and not world.now.asked:
        return None  # as a player knows the world, who is not told what a hidden one is asked
    doing = Doing(world, Dice())
    try:
        order = action.taken(doing)
    except DiceNeeded:
        return None
    found = order_odds(doing.world, order) if order else None
    if found is None or order is None or order.of != "answer":
        return found
    return replace(found, groups=(replace(found.groups[0], name=order.roll), *found.groups[1:]))


def group_odds(world: HomebrewWorld, now: Challenge) -> Odds | None:
    """The chances of the best, or the worst, of everybody's rolls."""
    rule = rule_of(world, now)
    bands = world.rules.rolls[rule.roll].bands
    if not bands or not now.lead or rule.who == "all together":
        return None
    titles = [band.title for band in bands]
    worst = rule.who == "worst of all"
    total = [0.0] * len(titles)
    total[-1 if not worst else 0] = 1.0
    for who in [now.lead, *(w for w in party(world) if w != now.lead)]:
        found = order_odds(world, order_for(world, who, stats_for(world, who, now)), offered=False)
        if found is None:
            return None
        mine = [0.0] * len(titles)
        for chance in found.groups[0].chances:
            mine[titles.index(chance.label)] += chance.chance
        fresh = [0.0] * len(titles)
        for a, p in enumerate(total):
            for b, q in enumerate(mine):
                fresh[max(a, b) if worst else min(a, b)] += p * q
        total = fresh
    own = order_odds(world, order_for(world, now.lead, now.stats), offered=False)
    chances: dict[str, tuple[float, Tone]] = {}
    for place, band in enumerate(bands):
        chances[band.title] = (chances.get(band.title, (0.0, band.tone))[0] + total[place], band.tone)
    group = Group("outcome", tuple(Chance(title, p, tone) for title, (p, tone) in chances.items()))
    whole = whole_group(world, now, group)
    return replace(own, groups=(group, whole) if whole else (group,)) if own else None


def contest_odds(world: HomebrewWorld, now: Contest) -> Odds | None:
    """The chances of a round, of each pair."""
    rule = contest_rule(world, now)
    roll = world.rules.rolls[rule.roll]
    values: dict[str, dict[int, float]] = {}
    pools = []
    try:
        for who in standing(now):
            spec = side_ready(world, now, who).mine
            face = hits_at(roll, Scope(world, who, roll=rule.roll))
            values[who] = {}
            for read, p in Fold(how(roll), face, marks=False).spec(spec).items():
                values[who][read.value] = values[who].get(read.value, 0.0) + p
            part = Part(source=now.sides[who].stat or "dice", dice=spelled(spec))
            pools.append(Pool(who=world.name(who), parts=(part,), secret=is_secret(world, who)))
    except TooMuch:
        return None
    groups = []
    for first, other in pairs(now):
        names = {who: round_words(world.name(who) if who else NOBODY) for who in (first, other, "")}
        chances = dict.fromkeys(names.values(), 0.0)
        for a, p in values[first].items():
            for b, q in values[other].items():
                chances[names[winner_of(rule, first, other, a - b)]] += p * q
        tones: dict[str, Tone] = {names[first]: "good", names[other]: "bad", names[""]: "warn"}
        some = tuple(Chance(name, p, tones.get(name, "")) for name, p in chances.items())
        groups.append(Group(group_name(world, now, other), some))
    secret = any(is_secret(world, who) for who in standing(now))
    return Odds(tuple(groups), tuple(pools), secret, (round_words(world.name(now.bout.who)),))


def lying_odds(world: HomebrewWorld, action: Take | Settle) -> Odds | None:
    """The chances of a roll that lies there, after something is done about it; or how it came out as it is."""
    made = pending(world)
    if made is None or (isinstance(action, Take) and action.option not in open_after(world, made)):
        return None
    order = Order(made.roll, made.who, made.whom, made.stats, made.says, {}, {}, made.of)
    rule = world.rules.rolls[made.roll]
    try:
        chances = Chances(world, rule, made)
        found = chances.taken(world, made, action) if isinstance(action, Take) else chances.as_it_is(world, made)
    except (TooMuch, DiceNeeded):
        return None
    return replace(shown(world, order, rule, made, None, found), pools=())


def order_of(world: HomebrewWorld, action: Action) -> Order | None:
    """The roll that an action makes first."""
    now = world.now.challenge
    if isinstance(action, RollChallenge) and now and now.lead and alone(world):
        return order_for(world, now.lead, now.stats)
    if isinstance(action, Save) and action.condition in world.now.conditions:
        return action.order(world)
    return action.order(world) if isinstance(action, Roll) else None
