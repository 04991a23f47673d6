"""Exact chances of every roll: folded where nothing is done about the dice, by whole handfuls where something is.

Dice inside effects fall after the bands and are no part of the chances. Where it takes too long there are none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from ...kit.common import is_secret, unseen
from ...rules import Action, Chance, Dice, DiceNeeded, Group, Odds, Part, Pool, Tone
from .bands import facts_of, hits_at, how, outcome_of, weighed
from .by_hand import Save
from .challenge import party, rule_of
from .contest import contest_rule
from .dice import REROLLS, Read, spelled
from .effects import Doing
from .fold import Fold, TooMuch, classes, handfuls, ordered
from .game import RollRule
from .gives import Source, sources
from .making import Order, after_scope, default_places, open_after, prepare, taken_without_dice
from .mentions import terms_of
from .rolls import Roll, Take, policy
from .rounds import NOBODY, RollContest, group_name, missing_stat, pairs, side_ready, standing, winner_of
from .scope import Scope, scope_of
from .together import RollChallenge, alone, order_for, stats_for
from .world import Challenge, Contest, Die, HomebrewWorld, Made, Spec, Throw

Settled = dict[tuple[str, int], float]
"""The chance of each band with each result."""
STEPS = 20_000
"""Handfuls that are looked at, rolled again ones included: some two seconds."""


def order_odds(world: HomebrewWorld, order: Order) -> Odds | None:
    """The chances of a roll that was asked for; None where they cannot be known in time."""
    rule = world.rules.rolls[order.roll]
    doing = Doing(world, Dice())
    try:
        prepared = prepare(doing, order)
        made, theirs = prepared.made, prepared.dice.theirs
        found = Chances(doing.world, rule, made).all(prepared.dice.mine, theirs, order.given)
    except (TooMuch, DiceNeeded):
        return None
    return shown(world, order, rule, made, theirs, found)


class Chances:
    """The chances of one roll, under one budget."""

    def __init__(self, world: HomebrewWorld, rule: RollRule, made: Made) -> None:
        self.world, self.rule, self.made = world, rule, made
        self.read_as = how(rule)
        self.steps = 0
        self.known: dict[tuple[Read, int | None], tuple[str, int]] = {}
        self.hands: dict[bytes, Settled] = {}
        self.picks = False
        """Is a number of dice picked by their faces?"""

    def all(self, mine: Spec, theirs: Spec | None, given: Sequence[Source] = ()) -> Settled:
        """Every way that it can go."""
        rerolls = [source for source in given if source.what == "reroll"]
        options = self.world.rules.options.values()
        after = [o for o in options if o.offered == "after" and (not o.rolls or self.made.roll in o.rolls)]
        values = [s.value for s in rerolls] + [o.gives["reroll"] for o in after if "reroll" in o.gives]
        self.picks = any(value not in REROLLS for value in values)
        against = self._against(theirs)
        if not rerolls and not after:
            return self._folded(mine, theirs, against)
        out: Settled = {}
        for value, chance in against.items():
            made = self.made
            if theirs is not None and theirs.groups:  # a hand without dice that comes to this number
                assert value is not None
                made = replace(made, theirs=Throw(replace(theirs, plus=value)))
            for settled, p in self._handfuls(made, mine, rerolls).items():
                out[settled] = out.get(settled, 0.0) + chance * p
        return out

    def _against(self, theirs: Spec | None) -> Mapping[int | None, float]:
        if theirs is None:
            return {None: 1.0}
        if not theirs.groups:
            return {theirs.plus: 1.0}
        out: dict[int | None, float] = {}
        for read, p in Fold(self.read_as, self.made.hits, marks=False).spec(theirs).items():
            out[read.value] = out.get(read.value, 0.0) + p
        return out

    def _folded(self, mine: Spec, theirs: Spec | None, against: Mapping[int | None, float]) -> Settled:
        names = {name for term in terms_of(self.rule) for _, name in term.names()}
        fold = Fold(self.read_as, self.made.hits, marks=bool(names & {"ones", "tops"}))
        found = fold.spec(mine)
        fold.spend(len(found) * len(against))
        out: Settled = {}
        for read, p in found.items():
            for value, q in against.items():
                settled = self._band(read, value, mine, theirs)
                out[settled] = out.get(settled, 0.0) + p * q
        return out

    def _band(self, read: Read, value: int | None, mine: Spec, theirs: Spec | None) -> tuple[str, int]:
        if (read, value) not in self.known:
            scope = scope_of(self.world, self.made)
            facts = weighed(self.rule, scope, read, value, mine, theirs if theirs and theirs.groups else None)
            band = outcome_of(self.rule, scope, facts, self.made.steps)
            self.known[read, value] = (band.title, read.value)
        return self.known[read, value]

    # ---- handfuls

    def _spend(self) -> None:
        self.steps += 1
        if self.steps > STEPS:
            raise TooMuch

    def _fresh(self, dice: list[tuple[int, int]], spec: Spec) -> dict[tuple[Die, ...], float]:
        """Every way that some dice fall, given as the places of their groups and how many of each."""
        hits = self.made.hits if self.read_as == "hits" and not self.picks else 0
        kinds = [(n, classes(spec.groups[g], g, hits)) for g, n in dice if n]
        return handfuls(kinds)

    def _handfuls(self, made: Made, mine: Spec, rerolls: list[Source]) -> Settled:
        out: Settled = {}
        start = self._fresh([(g, group.count) for g, group in enumerate(mine.groups)], mine)
        for hand, p in start.items():
            here = replace(made, mine=Throw(mine, ordered(hand)))
            for settled, q in self._given(here, rerolls).items():
                out[settled] = out.get(settled, 0.0) + p * q
        return out

    def _given(self, made: Made, rerolls: list[Source]) -> Settled:
        """What supporters give is rolled again first."""
        if not rerolls:
            return self._decided(self.world, made)
        source = rerolls[0]
        places = default_places(made.mine, source.value, made.hits, source.scope)
        out: Settled = {}
        for fresh, p in self._again(made, places):
            for settled, q in self._given(fresh, rerolls[1:]).items():
                out[settled] = out.get(settled, 0.0) + p * q
        return out

    def _again(self, made: Made, places: Sequence[int]) -> Iterator[tuple[Made, float]]:
        """Every way that the dice at some places fall when they are rolled again."""
        dice = made.mine.dice
        if not places:
            yield made, 1.0
            return
        kept = [die for place, die in enumerate(dice) if place not in places]
        again = [dice[place] for place in places]
        counts: dict[tuple[int, int], int] = {}
        for die in again:
            counts[die.group, die.rerolled] = counts.get((die.group, die.rerolled), 0) + 1
        marks = sorted(counts)
        for hand, p in self._fresh([(g, counts[g, r]) for g, r in marks], made.mine.spec).items():
            self._spend()
            # how often a die was rolled again matters only where dice are picked: other hands are one and the same
            often = [r + 1 if self.picks else 0 for g, r in marks for _ in range(counts[g, r])]
            fresh = [replace(die, rerolled=r) for die, r in zip(hand, often, strict=True)]
            yield replace(made, mine=replace(made.mine, dice=ordered([*kept, *fresh]))), p

    def _decided(self, world: HomebrewWorld, made: Made) -> Settled:
        """What comes of dice that lie there, with the default answer to what may be done about them."""
        here = world.live(roll=made, asked=())
        key = msgspec.json.encode((made.mine.dice, made.taken, world.now.meters, world.now.shared, made.theirs))
        if key in self.hands:
            return self.hands[key]
        self._spend()
        answer = policy(here)
        if not isinstance(answer, Take):
            facts = facts_of(self.rule, scope_of(here, made), made)
            band = outcome_of(self.rule, scope_of(here, made), facts, made.steps)
            found: Settled = {(band.title, facts["result"]): 1.0}
        else:
            found = self.taken(here, made, answer)
        self.hands[key] = found
        return found

    def taken(self, world: HomebrewWorld, made: Made, answer: Take) -> Settled:
        """What comes of dice that lie there after something is done about them."""
        found: Settled = {}
        option = world.rules.options[answer.option]
        after, paid = taken_without_dice(world, made, answer.option)
        value = option.gives.get("reroll")
        places: Sequence[int] = ()
        if value is not None:
            named = isinstance(value, str) and value in REROLLS
            places = () if named else answer.dice
            places = places or default_places(made.mine, value, made.hits, after_scope(world, made))
        for fresh, p in self._again(paid, places):
            here = after
            if option.does:
                scope = scope_of(after.live(roll=fresh), fresh)
                doing = Doing(scope.world, Dice())
                doing.do(option.does, scope.but(facts=facts_of(self.rule, scope, fresh)))
                here = doing.world
            for settled, q in self._decided(here, fresh).items():
                found[settled] = found.get(settled, 0.0) + p * q
        return found


# ---- as they are shown


def shown(
    world: HomebrewWorld, order: Order, rule: RollRule, made: Made, theirs: Spec | None, found: Settled
) -> Odds:
    """Chances by band, or of each result where there are no bands; and what is rolled."""
    scope = order.scope(world)
    secret = is_hidden(world, order, rule)
    parts = [Part(source=", ".join(order.stats.values()) or "dice", dice=spelled(made.mine.spec))]
    given = [*sources(scope, rule, dict(order.taken), dict(order.helpers)), *order.given]
    parts += [
        Part(source=s.title, dice=f"{s.value:+d} {s.what}" if isinstance(s.value, int) else s.what) for s in given
    ]
    pools = [Pool(who=world.name(order.who), parts=tuple(parts), secret=secret)]
    if theirs is not None:
        against = Part(source="against", dice=spelled(theirs))
        pools.append(Pool(who=world.name(order.whom) if order.whom else "against", parts=(against,), secret=secret))
    if rule.bands:
        tones: dict[str, Tone] = {}
        chances: dict[str, float] = {band.title: 0.0 for band in rule.bands}
        for band in rule.bands:
            tones.setdefault(band.title, band.tone)
        for (title, _), p in found.items():
            chances[title] = chances.get(title, 0.0) + p
        group = Group("outcome", tuple(Chance(t, p, tones.get(t, "")) for t, p in chances.items()))
        hopes = tuple(t for t, tone in tones.items() if tone in ("good", "warn")) or (rule.bands[0].title,)
        return Odds((group,), tuple(pools), secret, hopes)
    return Odds((result_group(found),), tuple(pools), secret, ())


def result_group(found: Settled) -> Group:
    """The chance of at least each result."""
    values: dict[int, float] = {}
    for (_, value), p in found.items():
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
    if isinstance(action, Take):
        return take_odds(world, action)
    order = order_of(world, action)
    return order_odds(world, order) if order is not None else None


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
        found = order_odds(world, order_for(world, who, stats_for(world, who, now)))
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
    own = order_odds(world, order_for(world, now.lead, now.stats))
    chances: dict[str, tuple[float, Tone]] = {}
    for place, band in enumerate(bands):
        chances[band.title] = (chances.get(band.title, (0.0, band.tone))[0] + total[place], band.tone)
    group = Group("outcome", tuple(Chance(title, p, tone) for title, (p, tone) in chances.items()))
    return replace(own, groups=(group,)) if own else None


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
        names = {first: world.name(first), other: world.name(other), "": NOBODY}
        chances = dict.fromkeys(names.values(), 0.0)
        for a, p in values[first].items():
            for b, q in values[other].items():
                chances[names[winner_of(rule, first, other, a - b)]] += p * q
        tones: dict[str, Tone] = {names[first]: "good", names[other]: "bad"}
        some = tuple(Chance(name, p, tones.get(name, "")) for name, p in chances.items())
        groups.append(Group(group_name(world, now, other), some))
    secret = any(is_secret(world, who) for who in standing(now))
    return Odds(tuple(groups), tuple(pools), secret, (world.name(now.bout.who),))


def take_odds(world: HomebrewWorld, action: Take) -> Odds | None:
    """The chances of a roll that lies there, after something is done about it."""
    made = world.now.roll
    if made is None or action.option not in open_after(world, made):
        return None
    order = Order(made.roll, made.who, made.whom, made.stats, made.says, {}, {}, made.of)
    rule = world.rules.rolls[made.roll]
    try:
        found = Chances(world, rule, made).taken(world, made, action)
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
