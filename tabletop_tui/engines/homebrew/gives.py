"""What options and conditions give to a roll: dice, a bonus, advantage, a step of a band."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from .dice import given as given_dice
from .dice import whole
from .game import Amount, RollRule
from .language import owned, pool
from .scope import Scope
from .world import Group, Spec, conditions_of

GIVES = ("dice", "bonus", "hits", "against", "advantage", "reroll", "band")


class Source(NamedTuple):
    """Where something given comes from."""

    title: str
    what: str
    value: Amount
    scope: Scope


def sources(scope: Scope, rule: RollRule, taken: dict[str, int], helpers: dict[str, str]) -> Iterator[Source]:
    """All that is given to a roll: by conditions, by options that always hold, by those that were taken."""
    rules = scope.world.rules
    for whose, who in (("", scope.who), ("their", scope.whom)):
        for _, name in conditions_of(scope.world, who) if who else ():
            condition = rules.lasting.get(name)
            if condition is None or (condition.rolls and scope.roll not in condition.rolls):
                continue
            for key, value in condition.gives.items():
                owner, what = owned(key)
                if owner == whose:
                    own = scope.but(who=who, whom=scope.who if whose else scope.whom)
                    yield Source(condition.title or name, what, value, own)
    for name, option in rules.options.items():
        if option.rolls and scope.roll not in option.rolls:
            continue
        times = taken.get(name, 0)
        if option.offered == "always":
            times = int(scope.holds(option.when))
        elif option.offered != "before":
            times = 0
        helper = helpers.get(name, "")
        own = scope.but(who=helper, whom=scope.who) if helper else scope
        for time in range(1, times + 1):
            told = own.but(facts={**own.facts, "times": time})
            for key, value in option.gives.items():
                yield Source(option.title or name, owned(key)[1], value, told)


class Ready(NamedTuple):
    """A roll as it is about to be made."""

    mine: Spec
    theirs: Spec | None
    """What it is against; None where it is against nothing."""
    steps: int = 0
    lacking: bool = False
    """Are they what is rolled for want of dice?"""


def ready(scope: Scope, rule: RollRule, given: list[Source]) -> Ready:
    """The dice of a roll with all that is given to it."""
    first, none = pool(rule.dice)
    mine = scope.spec(first)
    theirs = scope.spec(pool(rule.against)[0]) if rule.against != "" else None
    advantage = steps = 0
    for source in given:
        if source.what == "dice":
            mine = _more_dice(mine, source.scope.spec_of(source.value))
        elif source.what in ("bonus", "hits"):
            more = given_dice(mine, source.scope.spec_of(source.value))
            mine = replace(mine, groups=(*mine.groups, *more.groups), plus=mine.plus + more.plus)
        elif source.what == "advantage":
            advantage += source.scope.number(source.value)
        elif source.what == "band":
            steps += source.scope.number(source.value)
        elif source.what == "against" and theirs is not None:
            theirs = _against(theirs, source.scope.number(source.value))
    lacking = none is not None and not any(g.count > 0 for g in mine.groups)
    if none is not None and lacking:
        mine = scope.spec(none)
    if advantage and mine.groups:
        mine = _advantage(mine, 1 if advantage > 0 else -1)
    return Ready(whole(mine), None if theirs is None else whole(theirs), steps, lacking)


def bare(scope: Scope, rule: RollRule, told: Ready) -> Ready:
    """The same before anything is given to it; what is rolled for want of dice, only where it is rolled."""
    found = ready(scope, rule, [])
    return found if found.lacking == told.lacking else found._replace(mine=scope.spec(pool(rule.dice)[0]))


def _more_dice(mine: Spec, more: Spec) -> Spec:
    """A number is more of the first dice; dice are dice of their own."""
    groups = mine.groups
    if more.plus and groups:
        groups = (replace(groups[0], count=groups[0].count + more.plus), *groups[1:])
    return replace(mine, groups=(*groups, *given_dice(mine, more).groups))


def _against(theirs: Spec, by: int) -> Spec:
    """Fewer or more dice, never below one; or another number."""
    if not theirs.groups:
        return replace(theirs, plus=theirs.plus + by)
    first = theirs.groups[0]
    return replace(theirs, groups=(replace(first, count=max(first.count + by, 1)), *theirs.groups[1:]))


def _advantage(mine: Spec, sign: int) -> Spec:
    """One more of the first dice, and as many kept."""
    first = mine.groups[0]
    kept = abs(first.keep) or first.count
    return replace(
        mine,
        groups=(
            Group(first.count + 1, first.sides, first.sign, kept * sign, first.explodes, first.at),
            *mine.groups[1:],
        ),
    )
