"""How a roll is made: what helps is paid for, the dice fall, what may still be done is offered, then it counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from ...kit.asking import sure
from ...kit.cast import met
from ...kit.common import ConditionTicked
from ...kit.order import turn_of
from ...rules import Dice, Refused
from .bands import FAILURE, SUCCESS, also_of, facts_of, hits_at, hoped, outcome_of
from .dice import REROLLS, again, given, kept, lowest, picked, throw
from .effects import Doing, gives_away, unpaid
from .game import OptionRule
from .gives import Ready, Source, ready, sources
from .language import TermError, amount, limit, owned
from .mentions import speaks_of_others
from .meters import meter_title
from .progress import tried
from .scope import Scope, scope_of
from .thrown import Counted, Thrown, Used
from .world import MOST_TAKEN, HomebrewWorld, Made, Spec, Throw, roll_title, roller_name, uses


class Order(NamedTuple):
    """A roll as it was asked for."""

    roll: str
    who: str
    whom: str = ""
    stats: Mapping[str, str] = {}
    says: Mapping[str, str] = {}
    taken: Mapping[str, int] = {}
    helpers: Mapping[str, str] = {}
    of: str = ""
    given: Sequence[Source] = ()
    """What supporters give."""
    helped: Mapping[str, int] = {}
    """How others help: options that sums may ask for."""

    def scope(self, world: HomebrewWorld) -> Scope:
        """What its sums may name."""
        keywords = world.now.challenge.plan.keywords if world.now.challenge and self.of == "challenge" else ()
        return Scope(
            world,
            self.who,
            whom=self.whom,
            lead=self.who,
            roll=self.roll,
            stats=self.stats,
            says=self.says,
            taken={**self.taken, **self.helped},
            keywords=keywords,
        )


SAVES = "save "
"""Before the id of a condition that a roll may end."""


# ---- paying for options


def spent(doing: Doing, name: str, scope: Scope, who: str) -> None:
    """An option is taken once more: it is counted, paid for, and does what it does."""
    option = doing.world.rules.options[name]
    span = limit(option.limit)[1] if option.limit else "roll"
    doing.happen(Used(name, who, span, whom=scope.whom if speaks_of_others(option) else ""))
    doing.pay(option.costs, scope, option.title or name)
    doing.do(option.does, scope.but(world=doing.world), tells=True)


def _beside(world: HomebrewWorld, order: Order, name: str) -> Scope:
    """What the sums of an option may name that is chosen before a roll: the others that are, not itself."""
    others = {n: t for n, t in order.taken.items() if n != name}
    scope, helper = order._replace(taken=others).scope(world), order.helpers.get(name, "")
    return scope.but(who=helper, whom=order.who) if helper else scope


def clash(world: HomebrewWorld, order: Order, name: str) -> str:
    """How an option does not go with what else is chosen; empty where it does, or where anything else forbids it."""
    options, when = world.rules.options, world.rules.options[name].when
    try:
        if _beside(world, order, name).holds(when):
            return ""
        named = [n for owner, n in amount(when).names() if not owner and n in options and n != name]
        chosen, missing = [n for n in named if n in order.taken], [n for n in named if n not in order.taken]
        less = order._replace(taken={n: t for n, t in order.taken.items() if n not in chosen})
        more = order._replace(taken={**order.taken, **dict.fromkeys(missing, 1)})
        for how, which, other in (("not", chosen, less), ("only", missing, more)):
            if which and _beside(world, other, name).holds(when):
                return f"{how} together with {' and '.join(options[n].title or n for n in which)}"
    except TermError:
        return ""  # it is said when it is chosen
    return ""


def _choose(doing: Doing, order: Order) -> None:
    """Everything that was chosen before the roll is allowed, and paid for."""
    rules = doing.world.rules
    if sum(order.taken.values()) > MOST_TAKEN:
        raise Refused("that is too much for one roll", remedy=f"At most {MOST_TAKEN} options.")
    for name, times in order.taken.items():
        option = rules.options.get(name)
        if option is None or option.offered != "before" or (option.rolls and order.roll not in option.rolls):
            raise Refused(f"{name!r} is not for this roll", remedy="Leave it out.")
        helper, title = order.helpers.get(name, ""), option.title or name
        scope = _beside(doing.world, order, name)
        if not scope.holds(option.when):
            why = clash(doing.world, order, name) or f"only when {option.when}"
            raise Refused(f"{title} cannot be chosen: {why}")
        if option.limit:
            count, span = limit(option.limit)
            used = 0 if span == "roll" else uses(doing.world, span, name, helper or order.who)
            if used + times > scope.count(count):
                raise Refused(f"{title} cannot be chosen so often", remedy=f"The limit is {option.limit}.")
        for time in range(1, times + 1):
            spent(doing, name, scope.but(world=doing.world, facts={"times": time}), helper or order.who)


def _always(doing: Doing, order: Order, scope: Scope) -> None:
    """What holds by itself costs what it costs."""
    for option in doing.world.rules.options.values():
        fits = not option.rolls or order.roll in option.rolls
        if option.offered == "always" and fits and scope.holds(option.when):
            doing.do(option.costs, scope.but(world=doing.world))
            doing.do(option.does, scope.but(world=doing.world))


# ---- the roll itself


class Prepared(NamedTuple):
    """A roll that is paid for and about to fall."""

    made: Made
    """Without its dice."""
    dice: Ready


def prepare(doing: Doing, order: Order) -> Prepared:
    """What helps is chosen and paid for; the dice are counted before that."""
    world, rule = doing.world, doing.world.rules.rolls[order.roll]
    scope = order.scope(world)
    given = [*sources(scope, rule, dict(order.taken), dict(order.helpers)), *order.given]
    dice = ready(scope, rule, given)
    hits = hits_at(rule, scope)
    doing.pay(rule.costs, scope, roll_title(world.rules, order.roll))
    _choose(doing, order)
    _always(doing, order, scope)
    against = dice.theirs.plus if dice.theirs is not None and not dice.theirs.groups else None
    made = Made(
        order.roll,
        order.who,
        Throw(dice.mine),
        whom=order.whom,
        stats=dict(order.stats),
        says=dict(order.says),
        taken={**order.taken, **order.helped},
        helpers=dict(order.helpers),
        against=against,
        hits=hits,
        steps=dice.steps,
        of=order.of,
        turn=turn_of(world),
    )
    return Prepared(made, dice)


def make(doing: Doing, order: Order) -> None:
    """Roll it; it counts at once where nothing can be done about it any more."""
    world, rule = doing.world, doing.world.rules.rolls[order.roll]
    made, dice = prepare(doing, order)
    secret, title = gives_away(world, order.who), roll_title(world.rules, order.roll)
    why = f"{roller_name(world, order.who)}, {title}"
    made = replace(made, mine=throw(doing.dice, why, dice.mine, secret=secret, of=order.who))
    if dice.theirs is not None and dice.theirs.groups:
        hidden = secret or gives_away(world, order.whom) or bool(rule.secret)
        made = replace(made, theirs=throw(doing.dice, f"against {title}", dice.theirs, secret=hidden, of=order.whom))
    for source in order.given:
        if source.what == "reroll":
            made = replace(made, mine=_rerolled(doing, made, made.mine, source.value, source.scope, ()))
    name = without(world, order.roll) if order.of != "answer" else ""
    doing.happen(Thrown(made, falls=falls(doing.world, made, name) if name else {}))
    for seen in met(doing.world):
        doing.happen(seen)
    go_on(doing)


def without(world: HomebrewWorld, roll: str) -> str:
    """What the chances of a roll are called about which nothing is done; empty where they assume nothing."""
    rules = world.rules
    some = [o for o in rules.options.values() if o.offered == "after" and o.usual and roll in (o.rolls or (roll,))]
    if not some or not rules.rolls[roll].bands:
        return ""
    paid = [[name for _, name in map(owned, o.costs) if name in (*rules.meters, *rules.shared)] for o in some]
    titles = dict.fromkeys(meter_title(world, name) for names in paid for name in names)
    return f"without {' and '.join(titles)}" if all(paid) else "as it falls"


def falls(world: HomebrewWorld, made: Made, name: str) -> dict[str, str]:
    """How dice come out as they fell."""
    rule, scope = world.rules.rolls[made.roll], scope_of(world, made)
    band = outcome_of(rule, scope, facts_of(rule, scope, made), made.steps)
    return {name: SUCCESS if band.title in hoped(rule) else FAILURE}


def go_on(doing: Doing) -> None:
    """It counts, unless something may still be done about it."""
    made = sure(doing.world.now.roll)
    if not open_after(doing.world, made):
        count(doing)


def open_after(world: HomebrewWorld, made: Made) -> list[str]:
    """The options that can be taken on a roll that lies there."""
    if made.stage != "open" or made.roll not in world.rules.rolls or sum(made.taken.values()) >= MOST_TAKEN:
        return []
    scope = after_scope(world, made)
    return [
        name for name, o in world.rules.options.items() if o.offered == "after" and after_open(name, o, made, scope)
    ]


def after_scope(world: HomebrewWorld, made: Made) -> Scope:
    """What sums may name once the dice have fallen."""
    scope = scope_of(world, made)
    return scope.but(facts=facts_of(world.rules.rolls[made.roll], scope, made))


def after_open(name: str, option: OptionRule, made: Made, scope: Scope) -> bool:
    """Can it be taken now?"""
    if option.rolls and made.roll not in option.rolls:
        return False
    times = made.taken.get(name, 0)
    scope = scope.but(facts={**scope.facts, "times": times + 1})
    if option.limit:
        most, span = limit(option.limit)
        used = times if span == "roll" else uses(scope.world, span, name, made.who)
        if used >= scope.count(most):
            return False
    if not scope.holds(option.when) or unpaid(option.costs, scope):
        return False
    rerolls = [value for key, value in option.gives.items() if key == "reroll"]
    return not rerolls or any(reroll_places(made.mine, value, made.hits, scope) for value in rerolls)


def reroll_places(thrown: Throw, value: int | str, hits: int, scope: Scope) -> list[int]:
    """The places of the dice that would be rolled again: of a number, those that are free to be."""
    if isinstance(value, str) and value in REROLLS:
        return picked(thrown, value, hits)
    return kept(thrown) if scope.number(value) > 0 else []


def default_places(thrown: Throw, value: int | str, hits: int, scope: Scope) -> list[int]:
    """The same as the rules would pick them: of a number, the lowest."""
    if isinstance(value, str) and value in REROLLS:
        return picked(thrown, value, hits)
    return lowest(thrown, scope.number(value))


def taken_without_dice(world: HomebrewWorld, made: Made, name: str) -> tuple[HomebrewWorld, Made]:
    """What taking an option changes before its dice fall: it is paid for and counted."""
    option, doing = world.rules.options[name], Doing(world, Dice())
    times = made.taken.get(name, 0) + 1
    scope = after_scope(world, made)
    scope = scope.but(facts={**scope.facts, "times": times})
    doing.pay(option.costs, scope, option.title or name)
    paid = replace(made, taken={**made.taken, name: times})
    for what, value in option.gives.items():
        if what != "reroll":
            paid = _given(doing, paid, what, value, scope, ())
    return doing.world, paid


def taken_after(doing: Doing, name: str, places: Sequence[int]) -> None:
    """An option is taken on the roll that lies there."""
    made = sure(doing.world.now.roll)
    option = doing.world.rules.options[name]
    times = made.taken.get(name, 0) + 1
    scope = after_scope(doing.world, made)
    scope = scope.but(facts={**scope.facts, "times": times})
    made = replace(made, taken={**made.taken, name: times})
    doing.pay(option.costs, scope, option.title or name)
    span = limit(option.limit)[1] if option.limit else "roll"
    doing.happen(Used(name, "" if option.by == "gm" else made.who, span))
    for what, value in option.gives.items():
        made = _given(doing, made, what, value, scope, places)
    doing.happen(Thrown(made, again="reroll" in option.gives))
    facts = after_scope(doing.world, made)
    doing.do(option.does, facts.but(world=doing.world))
    go_on(doing)


def _given(doing: Doing, made: Made, what: str, value: int | str, scope: Scope, places: Sequence[int]) -> Made:
    mine = made.mine
    if what == "reroll":
        return replace(made, mine=_rerolled(doing, made, mine, value, scope, places))
    if what == "band":
        return replace(made, steps=made.steps + scope.number(value))
    if what == "against":
        return made if made.against is None else replace(made, against=made.against + scope.number(value))
    more = scope.spec_of(value)
    if what == "dice" and more.plus > 0 and mine.spec.groups:
        first = mine.spec.groups[0]
        more = Spec((replace(first, count=more.plus), *more.groups))
    elif what == "dice":
        more = replace(more, plus=0)
    more = given(mine.spec, more)
    fallen = throw(
        doing.dice, roll_title(doing.world.rules, made.roll), more, secret=_secret(doing, made), of=made.who
    )
    base = len(mine.spec.groups)
    spec = Spec((*mine.spec.groups, *fallen.spec.groups), mine.spec.plus + more.plus)
    dice = tuple(replace(die, group=die.group + base) for die in fallen.dice)
    return replace(made, mine=Throw(spec, (*mine.dice, *dice)))


def _secret(doing: Doing, made: Made) -> bool:
    return gives_away(doing.world, made.who)


def _rerolled(doing: Doing, made: Made, mine: Throw, value: int | str, scope: Scope, places: Sequence[int]) -> Throw:
    free = reroll_places(mine, value, made.hits, scope)
    chosen = list(places) or default_places(mine, value, made.hits, scope)
    if not isinstance(value, str) or value not in REROLLS:
        if len(chosen) > scope.number(value):
            raise Refused(f"{len(chosen)} dice are more than may be rolled again")
    else:
        chosen = free
    if wrong := [p + 1 for p in chosen if p not in free]:
        raise Refused(f"die {wrong[0]} cannot be rolled again")
    why = f"{roller_name(doing.world, made.who)}, {roll_title(doing.world.rules, made.roll)}"
    return again(doing.dice, why, mine, chosen, secret=_secret(doing, made), of=made.who)


def count(doing: Doing) -> None:
    """The roll on the table counts, and what its bands say happens."""
    made = sure(doing.world.now.roll)
    rule = doing.world.rules.rolls[made.roll]
    scope = scope_of(doing.world, made)
    facts = facts_of(rule, scope, made)
    band = outcome_of(rule, scope, facts, made.steps)
    also = also_of(rule, scope, facts)
    told = ", ".join(line.title for line in also if line.title)
    say = " ".join(word for word in (band.say, *(line.say for line in also)) if word)
    answers = made.roll if made.of == "answer" else ""
    doing.happen(Counted(band.title, band.tone, facts["result"], facts["margin"], say, told, answers))
    here = scope.but(facts=facts)
    for line in (band, *also):
        doing.do(line.does, here.but(world=doing.world))
    if made.of == "challenge":
        tried(doing, made.who, {made.who: band}, band, here.but(world=doing.world))
    saved = made.of.removeprefix(SAVES) if made.of.startswith(SAVES) else ""
    if saved in doing.world.now.conditions and band.tone == "good":
        doing.happen(ConditionTicked(saved, 0))
        doing.heed(made.who)
