"""What can be done at any time: options that stand on the table, each with its letter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from ...rules import Action, Ask, Choice, Dice, Event, Field, Refused
from .asking import GM, NONE, cannot, left_of, others, stat_choices
from .effects import Doing, unpaid
from .game import OptionRule
from .making import Order, make, spent
from .mentions import mentions, speaks_of_others
from .rolls import spoken, waits
from .scope import Scope
from .world import GM_NAME, HomebrewWorld, group_title


def any_time(world: HomebrewWorld) -> dict[str, OptionRule]:
    """The options that can be taken at any time."""
    return {name: option for name, option in world.rules.options.items() if option.offered == "any time"}


def option_closed(world: HomebrewWorld, name: str, who: str) -> str:
    """Why somebody cannot take an option now; empty where they can."""
    option = world.rules.options[name]
    scope = Scope(world, who, lead=who, option=name, facts={"times": 1})
    if who and (why := cannot(world, who)):
        return why
    if left_of(world, name, option, scope, who) < 1:
        return f"{option.limit} is the limit"
    if not scope.holds(option.when):
        return f"only when {option.when}"
    return unpaid(option.costs, scope)


def options(world: HomebrewWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What can be done at any time."""
    return [Choice(name, option.title, note=option.about) for name, option in any_time(world).items()]


def takers(world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who can take it, whoever is up first; the GM's own options need nobody."""
    name = fields.get("option", "")
    option = world.rules.options.get(name)
    if option is None:
        return ()
    if option.by == "gm":
        return [Choice(GM, GM_NAME, option_closed(world, name, ""))]
    up = world.now.turns.current
    here = sorted(world.present(), key=lambda who: who != up)
    return [Choice(who, world.name(who), option_closed(world, name, who)) for who in here]


def targets(world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody else, where the option speaks of them."""
    option = world.rules.options.get(fields.get("option", ""))
    if option is None or not speaks_of_others(option):
        return ()
    return others(world, fields, friend=option.whom == "friend")


def their_shape(field: Field, world: HomebrewWorld, fields: Mapping[str, Any]) -> Field | None:
    """Only where the option speaks of somebody else."""
    option = world.rules.options.get(fields.get("option", ""))
    return replace(field, required=True) if option and speaks_of_others(option) else None


def say_choices(world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What the option asks: a list of words."""
    option = world.rules.options.get(fields.get("option", ""))
    ask = next(iter(option.asks.values()), ()) if option else ()
    return [Choice(word) for word in ask] if not isinstance(ask, str) else ()


def say_shape(field: Field, world: HomebrewWorld, fields: Mapping[str, Any]) -> Field | None:
    """Only where the option asks something."""
    option = world.rules.options.get(fields.get("option", ""))
    if option is None or not option.asks:
        return None
    name, ask = next(iter(option.asks.items()))
    return replace(field, label=name, kind="text" if isinstance(ask, str) else field.kind, required=True)


def stats(world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The stats with which the option's roll can be made."""
    group = _group(world, fields)
    return stat_choices(world, fields.get("who", ""), group) if group else ()


def _group(world: HomebrewWorld, fields: Mapping[str, Any]) -> str:
    option = world.rules.options.get(fields.get("option", ""))
    if option is None or option.roll not in world.rules.rolls:
        return ""
    return next(iter(mentions(world.rules, option.roll).groups), "")


def stat_shape(field: Field, world: HomebrewWorld, fields: Mapping[str, Any]) -> Field | None:
    """Only where the option rolls with one."""
    group = _group(world, fields)
    return replace(field, label=group_title(world.rules, group), required=True) if group else None


class Use(Action, tag="use"):
    """Take an option that stands open at any time."""

    title = "use an option"
    done_by, done_to = "who", "whom"
    option: Annotated[str, Ask(options)]
    who: Annotated[str, Ask(takers)]
    whom: Annotated[str, Ask(targets, "whom", first=True, shape=their_shape)] = ""
    say: Annotated[str, Ask(say_choices, "say", first=True, shape=say_shape)] = ""
    stat: Annotated[str, Ask(stats, "stat", first=True, shape=stat_shape)] = ""

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return waits(world) or ("" if any_time(world) else "this game has no such options")

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        doing = Doing(world, dice, why=world.rules.options[self.option].title or self.option)
        if (order := self.taken(doing)) is not None:
            make(doing, order)
        return tuple(doing.events)

    def taken(self, doing: Doing) -> Order | None:
        """It is taken and paid for; the roll that it leads to."""
        world = doing.world
        option, who = world.rules.options[self.option], "" if self.who == GM else self.who
        if speaks_of_others(option) and not self.whom:
            raise Refused("it is not said to whom", remedy="Name somebody: whom=…")
        said = spoken(option.asks, (self.say,)) if option.asks else {}
        scope = Scope(world, who, whom=self.whom, lead=who, option=self.option, says=said, facts={"times": 1})
        spent(doing, self.option, scope, who)
        if not option.roll:
            return None
        groups = mentions(world.rules, option.roll).groups
        if groups and not self.stat:
            raise Refused(f"it is not said which {group_title(world.rules, groups[0])}", remedy="Say stat=…")
        chosen = {groups[0]: self.stat} if groups and self.stat != NONE else {}
        return Order(option.roll, who, self.whom, chosen)
