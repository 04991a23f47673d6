"""How far a sum can go, worked out from the ends of what it names: sums that do not fit are found before play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .game import HomebrewRules, Meter, Says
from .language import MOST, Term, TermError, amount
from .mentions import span_of
from .scope import ABOUT, FACTS, NO_LIMIT, names_of
from .world import MOST_DICE, MOST_SIDES, MOST_TAKEN


class Span(NamedTuple):
    """The ends of a number; or dice, at most so many."""

    low: int
    high: int
    dice: int = 0


YES = Span(0, 1)
ANY = Span(-MOST, MOST)
BUILT: Mapping[str, Span] = {
    "result": ANY,
    "margin": ANY,
    "ones": Span(0, MOST_DICE),
    "tops": Span(0, MOST_DICE),
    "times": Span(1, MOST_TAKEN),
    "hero": YES,
    "initiative": YES,
    "round": Span(0, 10_000),
    "timer": Span(0, NO_LIMIT),
}
assert set(BUILT) == {*FACTS, *ABOUT}


class Names:
    """What sums may name in some part of the rules, each with its ends."""

    def __init__(
        self,
        rules: HomebrewRules,
        asks: Iterable[Says] = (),
        keywords: Iterable[str] = (),
        *,
        only_stats: bool = False,
    ) -> None:
        self.rules, self.only_stats = rules, only_stats
        self.asks = list(asks)
        self.more = dict.fromkeys(keywords, YES)
        for some in self.asks:
            for name, ask in some.items():
                self.more[name] = _asked(ask)
                for place, word in enumerate(ask if not isinstance(ask, str) else (), 1):
                    self.more.setdefault(word, Span(place, place))

    def known(self) -> tuple[str, ...]:
        """Every name, for whoever mistyped one."""
        mine = names_of(self.rules)
        return tuple(mine) if self.only_stats else (*mine, *self.more, *BUILT)

    def find(self, owner: str, name: str) -> Span:
        """The ends of what a name stands for. Raises TermError where nothing has that name."""
        rules = self.rules
        for group, rule in rules.stats.items():
            if name == group or name in rule.names or name in rule.worked:
                if rule.holds == "words":
                    raise TermError(f"{name!r} holds words, which cannot be counted", "Name a number.")
                if name in rule.worked:
                    return ANY
                return Span(0, 0, MOST_DICE) if rule.holds == "dice" else Span(rule.least, max(rule.most, rule.least))
        if not self.only_stats:
            if name in rules.meters:
                return self._meter(rules.meters[name])
            if name in rules.lasting:
                return YES
            if owner:
                raise TermError(f"nobody has {name!r} of their own", "Only stats, meters, conditions.")
            if name in rules.shared:
                return self._meter(rules.shared[name])
            if name in rules.options:
                return Span(0, MOST_TAKEN)
            if name in self.more:
                return self.more[name]
            if name in BUILT:
                return BUILT[name]
        raise TermError(f"the game has no {name!r} here", "", name, self.known())

    def _meter(self, meter: Meter) -> Span:
        if meter.most is None:
            return Span(meter.least, MOST)
        try:
            most = Names(self.rules, only_stats=True).span(amount(meter.most))
        except TermError:
            return Span(meter.least, MOST)  # told where it stands
        return Span(meter.least, max(most.high, meter.least))

    # ---- sums

    def number(self, term: Term) -> Span:
        """The ends of a sum without dice. Raises TermError."""
        found = self.span(term)
        if found.dice:
            raise TermError("dice stand where a number belongs", "Write sides of or count of, or a number.")
        return found

    def span(self, term: Term) -> Span:
        """The ends of a sum. Raises TermError where it cannot be worked out."""
        sign, parts = term.sign, term.parts
        if sign == "number":
            return Span(term.number, term.number)
        if sign == "name":
            return self.find(term.owner, term.name)
        if sign in ("sides", "count"):
            if not self.find(term.owner, term.name).dice:
                raise TermError(f"{term.name!r} has no dice", f"{sign} of is for what holds dice.")
            return Span(0, MOST_SIDES if sign == "sides" else MOST_DICE)
        if sign == "if":
            self.number(parts[1])
            one, other = self.span(parts[0]), self.span(parts[2])
            return Span(min(one.low, other.low), max(one.high, other.high), max(one.dice, other.dice))
        if sign in ("+", "-"):
            return self._sum(self.span(parts[0]), self.span(parts[1]), sign)
        if sign in ("dice", "keep", "explode"):
            return self._dice(term)
        ends = [self.number(part) for part in parts]
        if sign not in ("*", "/"):
            return YES
        corners = [a * b if sign == "*" else _divided(a, b) for a in ends[0][:2] for b in ends[1][:2]]
        if sign == "/":  # by 0 there is nothing; by 1 there is most
            corners += [0, ends[0].low, ends[0].high, -ends[0].low, -ends[0].high]
        return Span(max(min(corners), -MOST), min(max(corners), MOST))

    def _sum(self, one: Span, other: Span, sign: str) -> Span:
        low, high = (other.low, other.high) if sign == "+" else (-other.high, -other.low)
        dice = one.dice + other.dice
        return Span(max(one.low + low, -MOST), min(one.high + high, MOST), dice)

    def _dice(self, term: Term) -> Span:
        if term.sign == "dice":
            count, sides = self.number(term.parts[0]), self.number(term.parts[1])
            if count.high > MOST_DICE:
                what = (
                    f"it could be {count.high} dice" if count.low < count.high else f"{count.high} dice are too many"
                )
                raise TermError(what, f"At most {MOST_DICE}: give what it counts a lower most.")
            named = any(t.sign == "sides" for t in term.parts[1].walk())  # of dice that were looked at themselves
            if not named and (sides.low < 2 or sides.high > MOST_SIDES):
                wrong = sides.low if sides.low < 2 else sides.high
                raise TermError(f"a die could have {wrong} sides", f"From 2 to {MOST_SIDES}.")
            return Span(0, 0, max(count.high, 1))
        found = self.span(term.parts[0])
        if not found.dice:
            word = "kept" if term.sign == "keep" else "exploding"
            raise TermError(f"there are no dice that could be {word}", "Write it behind dice: 2d6 keep highest 1.")
        for part in term.parts[1:]:
            least = self.number(part).low
            if term.sign == "explode" and least < 2:
                raise TermError(f"dice that explode at {least} would never end", "From 2 on.")
        return found


def _divided(one: int, other: int) -> int:
    return one // other if other else 0


def _asked(ask: str | tuple[str, ...]) -> Span:
    if not isinstance(ask, str):
        return Span(0, len(ask))
    if span := span_of(ask):
        return Span(*span)
    return Span(0, 0, MOST_DICE) if ask == "dice" else Span(0, 0)
