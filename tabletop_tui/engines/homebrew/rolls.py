"""A roll, what is done about it before it counts, and what the game asks afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from ...rules import Action, Ask, Choice, Dice, Event, Of, Refused, clean
from . import asking
from .asking import (
    GM,
    NONE,
    chosen_stats,
    makers,
    say_ask,
    say_owner,
    split,
    stat_ask,
    stat_choices,
    turn_owner,
    wrong_say,
)
from .effects import Asked, Doing, is_total_secret, unpaid
from .foretold import promise
from .game import OptionRule
from .making import Order, after_scope, count, default_places, make, open_after, reroll_places, spent, taken_after
from .mentions import asks_of, mentions
from .scope import Scope
from .world import HomebrewWorld, Made, Question, group_title


def waits(world: HomebrewWorld) -> str:
    """Why nothing else can be rolled now; empty where it can."""
    if world.now.asked:
        return f"{world.name(world.now.asked[0].who)} has to choose first"
    made = world.now.roll
    return "a roll on the table does not count yet" if made and made.stage == "open" else ""


def pending(world: HomebrewWorld) -> Made | None:
    """The roll about which something can still be done."""
    made = world.now.roll
    return made if made and made.stage == "open" and not world.now.asked else None


class Roll(Action, tag="roll"):
    """Make one of the game's rolls."""

    title = "roll"
    done_by, done_with, done_to = "who", "stat", "whom"
    roll: Annotated[str, Ask(asking.rolls)]
    who: Annotated[str, Ask(makers)]
    whom: Annotated[str, Ask(asking.targets, "against", first=True, shape=asking.whom_shape)] = ""
    stat: Annotated[str, stat_ask(0)] = ""
    stat2: Annotated[str, stat_ask(1)] = ""
    stat3: Annotated[str, stat_ask(2)] = ""
    say: Annotated[int | str, say_ask(0), Of(owner=partial(say_owner, 0))] = ""
    say2: Annotated[int | str, say_ask(1), Of(owner=partial(say_owner, 1))] = ""
    say3: Annotated[int | str, say_ask(2), Of(owner=partial(say_owner, 2))] = ""
    clock: Annotated[
        str, Ask(asking.clock_choices, "clock", first=True, shape=asking.clock_shape), Of(owner=turn_owner)
    ] = ""
    """Out of turn the whole roll is for the GM to allow, and so is this."""
    using: Annotated[tuple[str, ...], Ask(asking.before, "with", shape=asking.before_shape)] = ()

    @classmethod
    def actor(cls, world: HomebrewWorld, fields: Mapping[str, Any]) -> str:
        """Whoever rolls, unless the roll is the GM's."""
        rule = world.rules.rolls.get(str(fields.get("roll", "")))
        return "" if rule and rule.by == "gm" else str(fields.get("who", ""))

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return waits(world) or ("" if world.rules.rolls else "the game has no rolls yet")

    def order(self, world: HomebrewWorld) -> Order:
        """What it asks for; refused where something has not been said."""
        rule, needs = world.rules.rolls[self.roll], mentions(world.rules, self.roll)
        if needs.whom and not self.whom:
            raise Refused("it is not said against whom", remedy="Name somebody: whom=…")
        stats = chosen_stats(world, self.roll, (self.stat, self.stat2, self.stat3))
        for place, group in enumerate(needs.groups):
            if not (self.stat, self.stat2, self.stat3)[place]:
                name = f"stat{place + 1 if place else ''}"
                raise Refused(f"it is not said which {group_title(world.rules, group)}", remedy=f"Say {name}=…")
        says = spoken(rule.asks, (self.say, self.say2, self.say3))
        if self.clock not in ("", NONE):
            says["clock"] = self.clock
        taken, helpers = split(self.using)
        who = "" if self.who == GM else self.who
        scope = Scope(world, who, whom=self.whom, roll=self.roll, stats=stats, says=says)
        if not scope.holds(rule.when):
            raise Refused(f"{rule.title or self.roll} cannot be rolled now: {rule.when}")
        return Order(self.roll, who, self.whom, stats, says, taken, helpers)

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        doing = Doing(world, dice)
        make(doing, self.order(world))
        return tuple(doing.events)


def spoken(asks: Mapping[str, Any], said: Sequence[int | str]) -> dict[str, str]:
    """What was said to what is asked; refused where an answer is missing or does not fit."""
    out = {}
    for name, answer in zip(asks_of(dict(asks)), said, strict=False):
        text = clean(str(answer)).strip()
        if why := wrong_say(asks[name], text):
            raise Refused(f"{name} cannot be {text!r}", remedy=why[0].upper() + why[1:] + ".")
        out[name] = text
    return out


# ---- after the dice


def after_choices(world: HomebrewWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What can be done about the roll that lies there."""
    made = pending(world)
    names = open_after(world, made) if made else []
    return [Choice(name, world.rules.options[name].title) for name in names]


def dice_choices(world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The dice that an option would roll again, by their places."""
    made, option = pending(world), world.rules.options.get(fields.get("option", ""))
    if made is None or option is None or "reroll" not in option.gives:
        return ()
    scope = after_scope(world, made)
    free = reroll_places(made.mine, option.gives["reroll"], made.hits, scope)
    return [Choice(place, f"die {place + 1}: {made.mine.dice[place].face}") for place in free]


class Take(Action, tag="take"):
    """Do something about a roll before it counts: roll dice again, push, pay for a better band."""

    title = "change the roll"
    option: Annotated[str, Ask(after_choices)]
    dice: Annotated[tuple[int, ...], Ask(dice_choices)] = ()

    @classmethod
    def actor(cls, world: HomebrewWorld, fields: Mapping[str, Any]) -> str:
        """Whoever rolled, unless the option is the GM's."""
        option = world.rules.options.get(str(fields.get("option", "")))
        return world.now.roll.who if world.now.roll and not (option and option.by == "gm") else ""

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return "" if pending(world) else "no roll waits"

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        doing = Doing(world, dice)
        taken_after(doing, self.option, self.dice)
        return tuple(doing.events)


class Settle(Action, tag="settle"):
    """Let a roll count."""

    title = "let it count"

    @classmethod
    def actor(cls, world: HomebrewWorld, fields: Mapping[str, Any]) -> str:
        """Whoever rolled."""
        return world.now.roll.who if world.now.roll else ""

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return "" if pending(world) else "no roll waits"

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        doing = Doing(world, dice)
        count(doing)
        return tuple(doing.events)


# ---- what the game asks


def question_scope(world: HomebrewWorld, asked: Question, option: str = "") -> Scope:
    """What sums may name in the answer to a question."""
    return Scope(
        world,
        asked.who,
        whom=asked.whom,
        lead=asked.who,
        roll=asked.roll,
        option=option,
        stats=asked.stats,
        says=asked.says,
        facts=asked.facts,
    )


def answer_closed(world: HomebrewWorld, asked: Question, name: str) -> str:
    """Why an answer cannot be given; empty where it can."""
    option = world.rules.options[name]
    scope = question_scope(world, asked, name)
    if not scope.holds(option.when):
        return option.when
    return unpaid(option.costs, scope)


def answers(world: HomebrewWorld) -> list[tuple[str, str]]:
    """The answers to what is asked now: the option, and the stat where it rolls with one."""
    out: list[tuple[str, str]] = []
    if not world.now.asked:
        return out
    asked = world.now.asked[0]
    for name in asked.options:
        option = world.rules.options.get(name)
        if option is None:
            continue
        groups = mentions(world.rules, option.roll).groups if option.roll in world.rules.rolls else ()
        stats = [str(c.value) for c in stat_choices(world, asked.who, groups[0])] if groups else [""]
        out += [(name, stat) for stat in stats]
    return out


def answer_choices(world: HomebrewWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The answers to what is asked now; where none can be given, it is let go."""
    if not world.now.asked:
        return ()
    asked = world.now.asked[0]
    names = dict.fromkeys(name for name, _ in answers(world))
    found = [Choice(n, world.rules.options[n].title, answer_closed(world, asked, n)) for n in names]
    return found if any(not c.closed for c in found) else [*found, Choice(NONE, "let it go")]


def answer_stats(world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The stats with which an answer can roll."""
    return [Choice(stat) for name, stat in answers(world) if name == fields.get("option") and stat]


class Answer(Action, tag="answer"):
    """Choose what the game asks somebody to choose."""

    title = "answer"
    option: Annotated[str, Ask(answer_choices)]
    stat: Annotated[str, Ask(answer_stats, first=True)] = ""

    @classmethod
    def actor(cls, world: HomebrewWorld, fields: Mapping[str, Any]) -> str:
        """Whoever is asked."""
        return world.now.asked[0].who if world.now.asked else ""

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return "" if world.now.asked else "nothing is asked"

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        doing = Doing(world, dice)
        if (order := self.taken(doing)) is not None:
            make(doing, order)
        return tuple(doing.events)

    def taken(self, doing: Doing) -> Order | None:
        """It is chosen and paid for; the roll that it leads to."""
        world = doing.world
        asked = world.now.asked[0]
        doing.happen(Asked(world.now.asked[1:]))
        if self.option == NONE:
            return None
        option: OptionRule = world.rules.options[self.option]
        scope = question_scope(doing.world, asked, self.option)
        spent(doing, self.option, scope, asked.who)
        if option.roll and not self.stat and mentions(world.rules, option.roll).groups:
            group = mentions(world.rules, option.roll).groups[0]
            raise Refused(f"it is not said which {group_title(world.rules, group)}", remedy="Say stat=…")
        return answer_order(world, asked, self.option, self.stat)


def answer_order(world: HomebrewWorld, asked: Question, name: str, stat: str) -> Order | None:
    """The roll that an answer leads to."""
    rules, roll = world.rules, world.rules.options[name].roll
    if not roll:
        return None
    groups = mentions(rules, roll).groups
    stats = {groups[0]: stat} if groups and stat not in ("", NONE) else {}
    says = {n: s for n, s in asked.says.items() if n in rules.rolls[roll].asks}
    return Order(roll, asked.who, asked.whom, stats, says, of="answer")


# ---- the default answer


def policy(world: HomebrewWorld) -> Action | None:
    """The default answer to what the game waits for: what is usual, else the first; a roll is let count."""
    if world.now.asked:
        return _default_answer(world)
    made = pending(world)
    if made is None:
        return None
    scope = after_scope(world, made)
    for name in open_after(world, made):
        option = world.rules.options[name]
        if option.usual and scope.holds(option.usual):
            value = option.gives.get("reroll")
            places = default_places(made.mine, value, made.hits, scope) if value is not None else []
            if value is None or places:
                return Take(name, tuple(places))
    return Settle()


def _default_answer(world: HomebrewWorld) -> Action:
    asked, found = world.now.asked[0], answers(world)
    free = [(n, s) for n, s in found if not answer_closed(world, asked, n)]
    usual = {name: world.rules.options[name].usual for name, _ in free}
    meant = [name for name, when in usual.items() if when and question_scope(world, asked, name).holds(when)]
    name = next(iter(meant or usual), NONE)
    return Answer(name, _best_stat(world, asked, name, [s for n, s in free if n == name]))


def _best_stat(world: HomebrewWorld, asked: Question, name: str, stats: Sequence[str]) -> str:
    """With which of somebody's stats an answer rolls best; of the GM's own, whose numbers are secret, the first."""
    if len(stats) < 2 or is_total_secret(world, asked.who):
        return next(iter(stats), "")

    def worth(stat: str) -> float:
        order = answer_order(world, asked, name, stat)
        return promise(world, order) if order else 0.0

    return max(stats, key=worth)
