"""The chance of a whole challenge, so many successes before so many failures, while it goes on as it does now.

Whoever leads tries again with the same help, which is paid for each time; what bands and prices do is followed. Where
something comes up that somebody would have to decide, or that the dice alone tell, the chance is not known.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ...rules import Chance, Dice, DiceNeeded, Group, Refused
from .asking import cannot
from .challenge import party, rule_of
from .chances import STEPS, Worked, worked
from .effects import Doing, unpaid
from .fold import TooMuch
from .game import Band, ChallengeRule, RollRule
from .language import limit
from .leading import support_scope
from .mentions import effects_of, terms_of_effects
from .progress import LOST, WON, counts
from .scope import scope_of
from .together import order_for
from .world import Challenge, HomebrewWorld

NAME = "at this rate"
MOST_STATES = 500
HANDFULS = 400
"""That are looked at for it in all: a list of who could lead asks for everybody's."""
DEEPEST = 300
Step = tuple[int, int]
"""Successes and failures that a try counts."""


class Unknown(Exception):
    """The chance cannot be known."""


def whole_group(world: HomebrewWorld, now: Challenge, group: Group, first: Worked | None = None) -> Group | None:
    """The chance to win it all, given that of each band; None where this roll settles it or it cannot be known."""
    chances = {c.label: c.chance for c in group.chances}
    rule = rule_of(world, now)
    bands = world.rules.rolls[rule.roll].bands
    kinds = {title: {counts(band) for band in bands if band.title == title} for title in chances}
    left = (rule.wins - now.wins, rule.losses - now.losses)
    if _others_try(world, rule):
        return None
    if group.at_least or (rule.who != "in turn" and rule.wins == 1) or any(len(some) != 1 for some in kinds.values()):
        return None  # one roll, whatever comes of it; or two bands of one title that count differently
    steps: dict[Step, float] = {}
    for title, chance in chances.items():
        (step,) = kinds[title]
        steps[step] = steps.get(step, 0.0) + chance
    if all(w >= left[0] or x >= left[1] for (w, x), chance in steps.items() if chance):
        return None
    try:
        won = Whole(world, now, first).won() if first else _plain(world, now, steps, left)
    except (TooMuch, DiceNeeded, Refused, Unknown):
        return None
    return Group(NAME, (Chance(WON, won, "good"), Chance(LOST, 1 - won, "bad")), overall=True)


def _others_try(world: HomebrewWorld, rule: ChallengeRule) -> bool:
    """Is the next try somebody else's, with chances of their own? In turn, nobody tries twice running."""
    return rule.who == "in turn" and len(party(world)) > 1


def _plain(world: HomebrewWorld, now: Challenge, steps: Mapping[Step, float], left: Step) -> float:
    """Of rolls that everybody makes: only where nothing but the score moves."""
    rule = rule_of(world, now)
    if rule.failed or any(effects_of(world.rules.rolls[rule.roll])):
        raise Unknown
    return race(steps, *left)


def race(steps: Mapping[Step, float], wins: int, losses: int) -> float:
    """The chance of so many successes before so many failures, where all tries are alike."""
    idle = steps.get((0, 0), 0.0)
    if idle > 1 - 1e-12:
        raise Unknown
    known: dict[Step, float] = {}
    for w in range(1, wins + 1):
        for x in range(1, losses + 1):
            going = (
                chance * (1.0 if a >= w else 0.0 if b >= x else known[w - a, x - b])
                for (a, b), chance in steps.items()
                if a or b
            )
            known[w, x] = sum(going) / (1 - idle)  # a try that counts nothing is made again
    return known[wins, losses]


class Whole:
    """A challenge that one at a time rolls for, played on through everything that moves."""

    def __init__(self, world: HomebrewWorld, now: Challenge, first: Worked) -> None:
        self.world, self.now, self.rule = world, now, rule_of(world, now)
        self.first = first
        self.roll = world.rules.rolls[self.rule.roll]
        self.known: dict[tuple[int, int, bytes], float | None] = {}
        self.tries: dict[tuple[bytes, bool], list[tuple[Band, HomebrewWorld, float]]] = {}
        self.left = HANDFULS

    def won(self) -> float:
        """The chance to win it."""
        _knowable(self.world, self.roll, self.rule.roll)
        return self._from(self.world, self.now.wins, self.now.losses, again=False)

    def _from(self, world: HomebrewWorld, wins: int, losses: int, *, again: bool, deep: int = 0) -> float:
        key = (wins, losses, _state(world))
        if again and key in self.known:
            found = self.known[key]
            if found is None:
                raise Unknown  # a ring of states
            return found
        if len(self.known) > MOST_STATES or deep > DEEPEST:
            raise TooMuch
        self.known[key] = None
        total = idle = 0.0
        for band, after, chance in self._try(world, again=again):
            w, x = wins + counts(band)[0], losses + counts(band)[1]
            if w >= self.rule.wins:
                total += chance
            elif x < self.rule.losses:
                if (w, x) == (wins, losses) and again and _state(after) == key[2]:
                    idle += chance  # nothing has changed: it is tried again
                else:
                    self._goes_on(after)
                    total += chance * self._from(after, w, x, again=True, deep=deep + 1)
        if idle > 1 - 1e-12:
            raise Unknown
        if again:
            self.known[key] = total / (1 - idle)
        else:
            del self.known[key]
        return total / (1 - idle)

    def _goes_on(self, after: HomebrewWorld) -> None:
        """Can it be tried again as before?"""
        if after.now.asked or cannot(after, self.now.lead):
            raise Unknown

    def _try(self, world: HomebrewWorld, *, again: bool) -> list[tuple[Band, HomebrewWorld, float]]:
        key = (_state(world), again and bool(self.now.supports))
        if key not in self.tries:
            self.tries[key] = self._tried(world, again=again)
        return self.tries[key]

    def _tried(self, world: HomebrewWorld, *, again: bool) -> list[tuple[Band, HomebrewWorld, float]]:
        doing = Doing(world, Dice())
        for who, support in self.now.supports.items() if again else ():
            option, scope = world.rules.options[support.how], support_scope(doing.world, who, support.stat)
            if unpaid(option.costs, scope):
                raise Unknown  # they cannot help so again
            doing.do({**option.costs, **option.does}, scope)
        if world is self.world and not doing.events:
            (made, _), chances, found = self.first
        else:
            order = order_for(doing.world, self.now.lead, self.now.stats)
            (made, _), chances, found = worked(doing.world, order, steps=STEPS - self.left)
            self.left = STEPS - chances.steps
        out: dict[tuple[str, bytes], tuple[Band, HomebrewWorld, float]] = {}
        for (title, result, paid), chance in found.items():
            band = next(band for band in self.roll.bands if band.title == title)
            after = Doing(chances.paid[paid], Dice())
            scope = scope_of(after.world, made).but(facts={"result": result})
            after.do(band.does, scope)
            if counts(band)[1]:
                after.do(self.rule.failed, scope.but(world=after.world))
            settled = after.world.live(roll=world.now.roll, challenge=self.now, asked=after.world.now.asked)
            key = (title, _state(settled))
            _, same, more = out.get(key, (band, settled, 0.0))
            out[key] = (band, same, more + chance)
        return list(out.values())


def _state(world: HomebrewWorld) -> bytes:
    """All that a try can change."""
    return msgspec.json.encode((world.now.meters, world.now.shared, world.now.conditions))


def _knowable(world: HomebrewWorld, rule: RollRule, roll: str) -> None:
    """Some things are told by the dice themselves, or counted over many rolls."""
    some = [option for option in world.rules.options.values() if not option.rolls or roll in option.rolls]
    counted = [option for option in some if option.limit and limit(option.limit)[1] != "roll"]
    names = {name for effects in effects_of(rule) for term in terms_of_effects(effects) for _, name in term.names()}
    titles = [band.title for band in rule.bands]
    if (
        any(option.offered in ("before", "after", "always") for option in counted)
        or any(line.does for line in rule.also)
        or names & {"margin", "ones", "tops", "timer"}
        or any("timer" in effects for effects in effects_of(rule))
        or len(set(titles)) < len(titles)
    ):
        raise Unknown
