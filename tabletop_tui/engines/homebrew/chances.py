"""Every way that a roll can go: folded where nothing is done about the dice, by whole handfuls where something is.

Dice inside effects fall after the bands and are no part of the chances.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from ...rules import Dice
from .bands import facts_of, how, outcome_of, weighed
from .dice import REROLLS, Read
from .effects import Doing
from .fold import Fold, TooMuch, classes, handfuls, ordered
from .game import OptionRule, RollRule
from .gives import Source
from .making import Order, Prepared, after_scope, default_places, prepare, taken_without_dice
from .mentions import terms_of
from .rolls import Take, policy
from .scope import scope_of
from .world import Die, Group, HomebrewWorld, Made, Spec, Throw

Settled = dict[tuple[str, int, bytes], float]
"""The chance of each band with each result, and with what was paid on the way: a key of `Chances.paid`."""
STEPS = 20_000
"""Handfuls that are looked at, rolled again ones included: some two seconds."""


class Worked(NamedTuple):
    """A roll that is paid for, and every way that it can go."""

    ready: Prepared
    chances: Chances
    found: Settled


def worked(world: HomebrewWorld, order: Order, *, offered: bool = True, steps: int = 0) -> Worked:
    """The chances of a roll that was asked for. Raises TooMuch, DiceNeeded and Refused."""
    doing = Doing(world, Dice())
    prepared = prepare(doing, order)
    chances = Chances(doing.world, world.rules.rolls[order.roll], prepared.made)
    chances.steps = steps
    found = chances.all(prepared.dice.mine, prepared.dice.theirs, order.given, offered=offered)
    return Worked(prepared, chances, found)


class Chances:
    """The chances of one roll, under one budget."""

    def __init__(self, world: HomebrewWorld, rule: RollRule, made: Made) -> None:
        self.world, self.rule, self.made = world, rule, made
        self.read_as = how(rule)
        self.steps = 0
        self.known: dict[tuple[Read, int | None], tuple[str, int, bytes]] = {}
        self.hands: dict[bytes, Settled] = {}
        self.fresh: dict[tuple[tuple[tuple[int, int], ...], tuple[Group, ...]], dict[tuple[Die, ...], float]] = {}
        self.paid: dict[bytes, HomebrewWorld] = {b"": world}
        """The worlds in which something was paid after the dice were seen."""
        self.again: dict[bytes, Settled] = {}
        self.picks = False
        """Is a number of dice picked by their faces?"""

    def all(self, mine: Spec, theirs: Spec | None, given: Sequence[Source] = (), *, offered: bool = True) -> Settled:
        """Every way that it can go; `offered` where something may be done about the dice before they count."""
        rerolls = [source for source in given if source.what == "reroll"]
        options = self.world.rules.options.values() if offered else ()
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

    def _band(self, read: Read, value: int | None, mine: Spec, theirs: Spec | None) -> tuple[str, int, bytes]:
        if (read, value) not in self.known:
            scope = scope_of(self.world, self.made)
            facts = weighed(self.rule, scope, read, value, mine, theirs if theirs and theirs.groups else None)
            band = outcome_of(self.rule, scope, facts, self.made.steps)
            self.known[read, value] = (band.title, read.value, b"")
        return self.known[read, value]

    # ---- handfuls

    def _spend(self, dice: int) -> None:
        self.steps += 1 + dice // 6  # a large hand takes longer to look at
        if self.steps > STEPS:
            raise TooMuch

    def _fresh(self, dice: list[tuple[int, int]], spec: Spec) -> dict[tuple[Die, ...], float]:
        """Every way that some dice fall, given as the places of their groups and how many of each."""
        key = (tuple(dice), spec.groups)
        if key not in self.fresh:
            hits = self.made.hits if self.read_as == "hits" and not self.picks else 0
            self.fresh[key] = handfuls([(n, classes(spec.groups[g], g, hits)) for g, n in dice if n])
        return self.fresh[key]

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
            self._spend(len(dice))
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
        self._spend(len(made.mine.dice))
        answer = policy(here)
        found = self.taken(here, made, answer) if isinstance(answer, Take) else self.as_it_is(world, made)
        self.hands[key] = found
        return found

    def as_it_is(self, world: HomebrewWorld, made: Made) -> Settled:
        """What comes of dice that are let count."""
        scope = scope_of(world.live(roll=made, asked=()), made)
        facts = facts_of(self.rule, scope, made)
        band = outcome_of(self.rule, scope, facts, made.steps)
        return {(band.title, facts["result"], self._spent(world)): 1.0}

    def _spent(self, world: HomebrewWorld) -> bytes:
        if world is self.world:
            return b""
        key = msgspec.json.encode((world.now.meters, world.now.shared, world.now.conditions))
        self.paid.setdefault(key, world)
        return key

    def taken(self, world: HomebrewWorld, made: Made, answer: Take) -> Settled:
        """What comes of dice that lie there after something is done about them."""
        option = world.rules.options[answer.option]
        after, paid = taken_without_dice(world, made, answer.option)
        value = option.gives.get("reroll")
        places: Sequence[int] = ()
        if value is not None:
            named = isinstance(value, str) and value in REROLLS
            places = () if named else answer.dice
            places = places or default_places(made.mine, value, made.hits, after_scope(world, made))
        # what dice showed that are rolled again no longer matters: many hands are one and the same from here on
        dice, now = paid.mine.dice, after.now
        left = [die for place, die in enumerate(dice) if place not in places]
        again = sorted((dice[place].group, dice[place].rerolled) for place in places)
        key = msgspec.json.encode(
            (answer.option, left, again, paid.taken, now.meters, now.shared, now.conditions, paid.theirs)
        )
        if key not in self.again:
            self.again[key] = self._after(after, paid, option, places)
        return self.again[key]

    def _after(self, after: HomebrewWorld, paid: Made, option: OptionRule, places: Sequence[int]) -> Settled:
        """What comes of dice after an option is paid for, and some of them are rolled again."""
        found: Settled = {}
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
