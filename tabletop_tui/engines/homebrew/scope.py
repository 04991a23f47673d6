"""What the names in a sum stand for, and what a sum comes to: a number, or dice to be rolled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import eq, ge, gt, le, lt, ne

from msgspec.structs import replace

from ...rules import World
from .game import Amount, HomebrewRules, Says
from .language import MOST, Term, TermError, amount
from .world import (
    MOST_CHAIN,
    MOST_SIDES,
    Group,
    HomebrewNow,
    HomebrewWorld,
    Made,
    Spec,
    group_of,
    has_condition,
    side,
    written,
)

FACTS = ("result", "margin", "ones", "tops", "times")
"""What a roll came to; `times` is which one this is of an option that is taken more than once."""
ABOUT = ("hero", "initiative", "round", "timer")
BUILT_IN = (*FACTS, *ABOUT)
NO_LIMIT = 999
"""What `timer` counts as where there is none."""
COMPARE: dict[str, Callable[[int, int], bool]] = {">": gt, ">=": ge, "<": lt, "<=": le, "!=": ne, "is": eq}


class Scope:
    """Who acts on whom with what: everything that a sum may name."""

    def __init__(
        self,
        world: HomebrewWorld,
        who: str = "",
        *,
        whom: str = "",
        lead: str = "",
        roll: str = "",
        option: str = "",
        stats: Mapping[str, str] | None = None,
        says: Mapping[str, str] | None = None,
        taken: Mapping[str, int] | None = None,
        keywords: tuple[str, ...] = (),
        facts: Mapping[str, int] | None = None,
    ) -> None:
        self.world, self.who, self.whom, self.lead = world, who, whom, lead
        self.roll, self.option, self.keywords = roll, option, keywords
        self.stats, self.says, self.taken, self.facts = stats or {}, says or {}, taken or {}, facts or {}
        self.deep = 0

    def but(
        self,
        *,
        world: HomebrewWorld | None = None,
        facts: Mapping[str, int] | None = None,
        who: str | None = None,
        whom: str | None = None,
        option: str | None = None,
        stats: Mapping[str, str] | None = None,
    ) -> Scope:
        """The same with something else in it."""
        return Scope(
            world or self.world,
            self.who if who is None else who,
            whom=self.whom if whom is None else whom,
            lead=self.lead,
            roll=self.roll,
            option=self.option if option is None else option,
            stats=self.stats if stats is None else stats,
            says=self.says,
            taken=self.taken,
            keywords=self.keywords,
            facts=self.facts if facts is None else facts,
        )

    def person(self, owner: str) -> str:
        """Whom an owner means."""
        return {"": self.who, "their": self.whom, "lead": self.lead}.get(owner, "")

    # ---- names

    def asks(self) -> Says:
        """What the roll and the option at hand ask."""
        rules = self.world.rules
        rolls, options = rules.rolls.get(self.roll), rules.options.get(self.option)
        return {**(rolls.asks if rolls else {}), **(options.asks if options else {})}

    def look_up(self, owner: str, name: str) -> Spec:
        """What a name stands for."""
        world, rules, who = self.world, self.world.rules, self.person(owner)
        if name in FACTS:
            return Spec(plus=self.facts.get(name, 0))
        if name in ABOUT:
            return Spec(plus=self._about(name, who))
        if name in rules.stats:
            chosen = self.stats.get(name, "")
            return self.stat(who, name, chosen) if chosen else Spec()
        if group := group_of(rules, name):
            return self.stat(who, group, name)
        if name in rules.meters:
            return Spec(plus=meter_value(world, who, name))
        if name in rules.shared:
            return Spec(plus=shared_value(world, name))
        if name in rules.lasting:
            return Spec(plus=int(has_condition(world, who, name)))
        if name in rules.options:
            return Spec(plus=self.taken.get(name, 0))
        return self._said(name)

    def _about(self, name: str, who: str) -> int:
        turns, sheet = self.world.now.turns, self.world.sheets.get(who)
        if name == "hero":
            return int(bool(sheet and sheet.player))
        if name == "initiative":
            return int(turns.running and turns.holder == side(self.world, who))
        if name == "round":
            return turns.round
        return NO_LIMIT if turns.timer is None else turns.timer

    def _said(self, name: str) -> Spec:
        asks = self.asks()
        if name in asks:
            said, ask = self.says.get(name, ""), asks[name]
            if isinstance(ask, tuple | list):
                return Spec(plus=ask.index(said) + 1 if said in ask else 0)
            if ask == "dice":
                return fixed(said)
            return Spec(plus=int(said) if said.lstrip("-").isdecimal() and len(said) < 8 else 0)
        for words in asks.values():
            if not isinstance(words, str) and name in words:
                return Spec(plus=words.index(name) + 1)
        return Spec(plus=int(name in self.keywords))

    def stat(self, who: str, group: str, stat: str) -> Spec:
        """Somebody's stat: a number, or dice."""
        rule = self.world.rules.stats[group]
        if stat in rule.worked:
            self.deep += 1
            try:
                if self.deep > len(self.world.rules.stats) + 20:
                    raise TermError(f"{stat!r} is worked out from itself", "Give it a sum of other stats.")
                return self.but(who=who, stats={}).spec_of(rule.worked[stat], self.deep)
            finally:
                self.deep -= 1
        found = written(self.world, who, group, stat)
        if rule.holds == "words":
            return Spec()
        if isinstance(found, str):
            return fixed(found)
        return Spec(plus=min(max(found, rule.least), max(rule.most, rule.least)))

    def spec_of(self, value: Amount, deep: int = 0) -> Spec:
        """What a sum comes to."""
        self.deep = deep
        return self.spec(amount(value))

    # ---- sums

    def spec(self, term: Term) -> Spec:
        """What a term comes to: dice to be rolled, and what is added."""
        sign, parts = term.sign, term.parts
        if sign == "number":
            return Spec(plus=term.number)
        if sign == "name":
            return self.look_up(term.owner, term.name)
        if sign in ("sides", "count"):
            groups = self.look_up(term.owner, term.name).groups
            return Spec(plus=(groups[0].sides if sign == "sides" else groups[0].count) if groups else 0)
        if sign == "if":
            return self.spec(parts[0] if self.count(parts[1]) else parts[2])
        if sign in ("and", "or"):
            first = bool(self.count(parts[0]))
            return Spec(plus=int(first if first == (sign == "or") else bool(self.count(parts[1]))))
        if sign == "not":
            return Spec(plus=int(not self.count(parts[0])))
        if sign in COMPARE:
            return Spec(plus=int(COMPARE[sign](self.count(parts[0]), self.count(parts[1]))))
        if sign in ("+", "-"):
            return _joined(self.spec(parts[0]), self.spec(parts[1]), 1 if sign == "+" else -1)
        if sign in ("*", "/"):
            one, other = self.count(parts[0]), self.count(parts[1])
            return Spec(plus=_held(one * other if sign == "*" else one // other if other else 0))
        return self._dice(term)

    def _dice(self, term: Term) -> Spec:
        if term.sign == "dice":
            count, sides = self.count(term.parts[0]), self.count(term.parts[1])
            if not 2 <= sides <= MOST_SIDES:
                raise TermError(f"a die cannot have {sides} sides", f"From 2 to {MOST_SIDES}.")
            return Spec((Group(count, sides),))
        spec = self.spec(term.parts[0])
        if term.sign == "keep":
            kept = max(self.count(term.parts[1]), 1) * term.number
            return replace(spec, groups=tuple(replace(g, keep=kept) for g in spec.groups))
        at = self.count(term.parts[1]) if len(term.parts) > 1 else 0
        if at and at < 2:
            raise TermError(f"dice that explode at {at} would never end", "From 2 on.")
        often = 1 if term.name else MOST_CHAIN
        return replace(spec, groups=tuple(replace(g, explodes=often, at=at) for g in spec.groups))

    def count(self, term: Term) -> int:
        """What a term without dice comes to."""
        spec = self.spec(term)
        if spec.groups:
            raise TermError("dice stand where a number belongs", "Write sides of or count of, or a number.")
        return spec.plus

    def number(self, value: Amount) -> int:
        """What a sum without dice comes to."""
        return self.count(amount(value))

    def holds(self, text: str) -> bool:
        """Is it so? An empty text always is."""
        return not text or bool(self.number(text))


def _held(value: int) -> int:
    return min(max(value, -MOST), MOST)


def _joined(one: Spec, other: Spec, sign: int) -> Spec:
    more = other.groups if sign > 0 else tuple(replace(g, sign=-g.sign) for g in other.groups)
    return Spec((*one.groups, *more), _held(one.plus + sign * other.plus))


NOWHERE: HomebrewWorld = World(HomebrewRules(), HomebrewNow())
"""Where nothing has a name."""


def fixed(text: str) -> Spec:
    """Dice that somebody has written down: 4d6, 1d8 + 1. None where they cannot be read."""
    try:
        term = amount(text) if text else Term("number")
        return Spec() if term.names() else Scope(NOWHERE).spec(term)
    except TermError:
        return Spec()


def scope_of(world: HomebrewWorld, made: Made, facts: Mapping[str, int] | None = None) -> Scope:
    """The scope of a roll on the table."""
    keywords = world.now.challenge.plan.keywords if world.now.challenge and made.of == "challenge" else ()
    return Scope(
        world,
        made.who,
        whom=made.whom,
        lead=made.who,
        roll=made.roll,
        stats=made.stats,
        says=made.says,
        taken=made.taken,
        keywords=keywords,
        facts=facts,
    )


# ---- meters


def meter_ends(world: HomebrewWorld, who: str, name: str) -> tuple[int, int | None]:
    """The least and the most of somebody's meter, or of a shared one where nobody is named."""
    rule = world.rules.meters[name] if who else world.rules.shared[name]
    most = None
    if rule.most is not None:
        try:
            most = max(Scope(world, who).number(rule.most), rule.least)
        except TermError:
            most = rule.least
    return rule.least, most


def usual(world: HomebrewWorld, who: str, name: str) -> int:
    """Where a meter begins."""
    rule = world.rules.meters[name] if who else world.rules.shared[name]
    try:
        return held(world, who, name, Scope(world, who).number(rule.usual))
    except TermError:
        return rule.least


def held(world: HomebrewWorld, who: str, name: str, value: int) -> int:
    """A value held at the ends of a meter."""
    least, most = meter_ends(world, who, name)
    return max(min(value, MOST if most is None else most), least)


def meter_value(world: HomebrewWorld, who: str, name: str) -> int:
    """What somebody's meter shows."""
    found = world.now.meters.get(who, {}).get(name)
    if who not in world.sheets:
        return world.rules.meters[name].least
    return usual(world, who, name) if found is None else held(world, who, name, found)


def shared_value(world: HomebrewWorld, name: str) -> int:
    """What a counter of the table shows."""
    found = world.now.shared.get(name)
    return usual(world, "", name) if found is None else held(world, "", name, found)


def names_of(rules: HomebrewRules) -> list[str]:
    """Every name of the game that a sum may use, in the order in which they are written."""
    stats = [name for group in rules.stats.values() for name in (*group.names, *group.worked)]
    return [*rules.stats, *stats, *rules.meters, *rules.shared, *rules.lasting, *rules.options]
