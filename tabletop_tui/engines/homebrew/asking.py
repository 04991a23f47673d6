"""The questions of a roll: who, with which stats, against whom, what the roll asks, and what helps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from ...rules import Ask, Choice, Field
from .dice import REROLLS, spelled
from .effects import unpaid
from .game import OptionRule
from .language import TermError, amount, limit, owned
from .mentions import asks_of, is_nobodys, mentions, span_of
from .meters import meter_title
from .scope import NOWHERE, Scope
from .world import GM_NAME, HomebrewWorld, group_title, is_out, roll_title, side, stats_of, uses

Answers = Mapping[str, Any]
TIMES = "×"
"""Stands between an option and how often it is taken."""
BY = "@"
"""Stands between an option and who helps."""
GM = "gm"
"""In place of somebody: the GM, who is nobody at the table."""
NONE = "-"
"""No stat of a group."""


# ---- who and whom


def cannot(world: HomebrewWorld, who: str) -> str:
    """Why somebody cannot roll; empty where they can."""
    return "out" if is_out(world, who) else ""


def rollers(world: HomebrewWorld, _fields: Answers) -> Sequence[Choice]:
    """Everybody, whoever is up first; closed where they are out."""
    up = world.now.turns.current
    here = sorted(world.present(), key=lambda who: who != up)
    return [Choice(who, world.name(who), cannot(world, who)) for who in here]


def makers(world: HomebrewWorld, fields: Answers) -> Sequence[Choice]:
    """Who can make a roll; one of the GM's that is nobody's, the GM, or in the name of one of the GM's own."""
    found, roll = rollers(world, fields), fields.get("roll", "")
    if roll not in world.rules.rolls or not is_nobodys(world.rules, roll):
        return found
    return [Choice(GM, GM_NAME), *(c for c in found if not world.sheets[str(c.value)].player)]


def rolls(world: HomebrewWorld, fields: Answers) -> Sequence[Choice]:
    """The rolls that can be made at any time."""
    return [
        Choice(name, roll_title(world.rules, name), note=rule.about)
        for name, rule in world.rules.rolls.items()
        if rule.offered == "any time"
    ]


def others(world: HomebrewWorld, fields: Answers, *, friend: bool = False) -> Sequence[Choice]:
    """Everybody else, the other side first or their own, those in the fight before those who are not."""
    who, fighters = fields.get("who", ""), world.now.turns.fighters
    mine = side(world, who)

    def place(other: str) -> tuple[bool, bool, bool]:
        away = bool(fighters) and other not in fighters
        return away, (side(world, other) == mine) != friend, is_out(world, other)

    found = sorted((other for other in world.present() if other != who), key=place)
    return [Choice(other, world.name(other), note="out" if is_out(world, other) else "") for other in found]


def targets(world: HomebrewWorld, fields: Answers) -> Sequence[Choice]:
    """Everybody else, where the roll speaks of them."""
    if not _speaks_of_others(world, fields):
        return ()
    return others(world, fields, friend=world.rules.rolls[fields["roll"]].whom == "friend")


def _speaks_of_others(world: HomebrewWorld, fields: Answers) -> bool:
    roll = fields.get("roll", "")
    return roll in world.rules.rolls and mentions(world.rules, roll).whom


# ---- stats


def stat_choices(world: HomebrewWorld, who: str, group: str, last: str = "") -> list[Choice]:
    """Somebody's stats of a group with what they come to; the one that was used last stands first."""
    scope, rule = Scope(world, who), world.rules.stats[group]
    found = [Choice(stat, stat, note=spelled(scope.stat(who, group, stat))) for stat in stats_of(world, who, group)]
    if not rule.names and not rule.worked:
        found.append(Choice(NONE, "none"))
    return sorted(found, key=lambda choice: choice.value != last)


def chosen_stats(world: HomebrewWorld, roll: str, picked: Sequence[str]) -> dict[str, str]:
    """By group, the stats that were chosen."""
    groups = mentions(world.rules, roll).groups
    return {group: stat for group, stat in zip(groups, picked, strict=False) if stat not in ("", NONE)}


def _group(world: HomebrewWorld, roll: str, place: int) -> str:
    if roll not in world.rules.rolls:
        return ""
    groups = mentions(world.rules, roll).groups
    return groups[place] if place < len(groups) else ""


def _last(world: HomebrewWorld, roll: str, name: str) -> str:
    return world.now.last.get(roll, {}).get(name, "")


def stats_at(place: int, world: HomebrewWorld, fields: Answers) -> Sequence[Choice]:
    """The choices of a group that the roll mentions."""
    roll, who = fields.get("roll", ""), fields.get("who", "")
    group = _group(world, roll, place)
    return stat_choices(world, who, group, _last(world, roll, f"{group} of {who}")) if group else ()


def stat_shape(place: int, field: Field, world: HomebrewWorld, fields: Answers) -> Field | None:
    """A group that the roll mentions, by its title, which has to be said; none where it mentions no more."""
    group = _group(world, fields.get("roll", ""), place)
    return replace(field, label=group_title(world.rules, group), required=True) if group else None


# ---- what a roll asks


def asked_at(world: HomebrewWorld, roll: str, place: int) -> str:
    """The name of a question of a roll; empty where it has no more."""
    rule = world.rules.rolls.get(roll)
    names = asks_of(rule.asks) if rule else []
    return names[place] if place < len(names) else ""


def says_at(place: int, world: HomebrewWorld, fields: Answers) -> Sequence[Choice]:
    """The answers to a question of the roll; of a number, the one that is proposed."""
    roll = fields.get("roll", "")
    name = asked_at(world, roll, place)
    if not name:
        return ()
    ask, last = world.rules.rolls[roll].asks[name], _last(world, roll, name)
    if not isinstance(ask, str):
        return sorted((Choice(word) for word in ask), key=lambda choice: choice.value != last)
    span = span_of(ask)
    if span:
        return [Choice(last if _within(last, span) else str(span[0]))]
    return [Choice(last or ("1d6" if ask == "dice" else "–"))]


def _within(text: str, span: tuple[int, int]) -> bool:
    return text.removeprefix("-").isdecimal() and len(text) < 8 and span[0] <= int(text) <= span[1]


def say_shape(place: int, field: Field, world: HomebrewWorld, fields: Answers) -> Field | None:
    """A question of the roll, which has to be answered, as a list, a number or a text."""
    roll = fields.get("roll", "")
    name = asked_at(world, roll, place)
    if not name:
        return None
    field, ask = replace(field, label=name, required=True), world.rules.rolls[roll].asks[name]
    if not isinstance(ask, str):
        return field
    span = span_of(ask)
    if span:
        return replace(field, kind="number", low=span[0], high=span[1])
    return replace(field, kind="text", ask=Ask(field.ask.choices, first=True, other=True))


def say_owner(place: int, world: HomebrewWorld, fields: Answers) -> str:
    """Who answers a question of the roll: whoever rolls, or the GM where only the GM knows."""
    roll = fields.get("roll", "")
    rule = world.rules.rolls.get(roll)
    return "" if rule and asked_at(world, roll, place) in rule.secret else str(fields.get("who", ""))


def turn_owner(world: HomebrewWorld, fields: Answers) -> str:
    """Who says that something is rolled: whoever rolls, or the GM while it is somebody else's turn."""
    who, turns = str(fields.get("who", "")), world.now.turns
    if not turns.running or not turns.current or who not in turns.fighters:
        return who
    mine = who == turns.current or (turns.mode == "sides" and turns.holder == side(world, who))
    return who if mine else ""


def wrong_say(ask: str | Sequence[str], said: str) -> str:
    """Why an answer does not fit what is asked; empty where it does."""
    if not isinstance(ask, str):
        return "" if said in ask else f"choose from {', '.join(ask)}"
    if span := span_of(ask):
        return "" if _within(said, span) else f"from {span[0]} to {span[1]}"
    if ask == "dice":
        try:
            return "" if not amount(said).names() and Scope(NOWHERE).spec_of(said).groups else "write dice: 4d6"
        except TermError as error:
            return error.what
    return "" if len(said) <= 120 else "a few words are enough"


# ---- a clock


def clock_choices(world: HomebrewWorld, fields: Answers) -> Sequence[Choice]:
    """Every clock, or none, where the roll moves one."""
    if not _moves_a_clock(world, fields):
        return ()
    last = _last(world, fields.get("roll", ""), "clock")
    found = [Choice(i, f"{c.name} {c.filled}/{c.size}") for i, c in world.now.clocks.items()]
    return [*sorted(found, key=lambda choice: choice.value != last), Choice(NONE, "none")]


def clock_shape(field: Field, world: HomebrewWorld, fields: Answers) -> Field | None:
    """Only where the roll moves one, and there is one."""
    return field if _moves_a_clock(world, fields) else None


def _moves_a_clock(world: HomebrewWorld, fields: Answers) -> bool:
    roll = fields.get("roll", "")
    return bool(roll in world.rules.rolls and mentions(world.rules, roll).clock and world.now.clocks)


def whom_shape(field: Field, world: HomebrewWorld, fields: Answers) -> Field | None:
    """Only where the roll speaks of somebody else, who has to be named then."""
    if not _speaks_of_others(world, fields):
        return None
    label = "for" if world.rules.rolls[fields["roll"]].whom == "friend" else field.label
    return replace(field, label=label, required=True)


# ---- options before a roll


def left_of(world: HomebrewWorld, name: str, option: OptionRule, scope: Scope, who: str) -> int:
    """How often an option may still be taken by somebody; a roll counts its own."""
    if not option.limit:
        return MOST_TIMES
    count, span = limit(option.limit)
    return scope.count(count) - (0 if span == "roll" else uses(world, span, name, who))


MOST_TIMES = 5
"""How often one option is offered for one roll where nothing limits it."""


def before(world: HomebrewWorld, fields: Answers) -> Sequence[Choice]:
    """What can be chosen before a roll, each with who helps and how often."""
    roll, who = fields.get("roll", ""), fields.get("who", "")
    if roll not in world.rules.rolls or who not in world.sheets:
        return ()
    scope = Scope(world, who, whom=fields.get("whom", ""), lead=who, roll=roll)
    out = []
    for name, option in world.rules.options.items():
        if option.offered != "before" or (option.rolls and roll not in option.rolls):
            continue
        helpers = [w for w in world.players() if w != who and not is_out(world, w)] if option.by == "helper" else [""]
        for helper in helpers:
            own = scope.but(who=helper, whom=who) if helper else scope
            most = min(left_of(world, name, option, own, helper or who), MOST_TIMES)
            title = option.title or name
            label = f"{title}: {world.name(helper)}" if helper else title
            value = f"{name}{BY}{helper}" if helper else name
            closed = _closed(option, own, most)
            out.append(Choice(value, label, closed, note=option_words(option, own)))
            for times in range(2, (most if not closed and not helper and _often(option) else 0) + 1):
                if unpaid({key: cost * times for key, cost in option.costs.items() if isinstance(cost, int)}, own):
                    break
                note = f"{option_words(option, own)} each"
                out.append(Choice(f"{name}{TIMES}{times}", f"{title} {TIMES}{times}", note=note))
    return out


def _often(option: OptionRule) -> bool:
    """May it be taken more than once? What costs nothing and has no limit is taken once."""
    return bool(option.limit or option.costs)


def _closed(option: OptionRule, scope: Scope, most: int) -> str:
    if most < 1:
        return f"{option.limit} is the limit"
    try:
        return unpaid(option.costs, scope.but(facts={"times": 1}))
    except TermError as error:
        return error.what


def option_words(option: OptionRule, scope: Scope) -> str:
    """What an option gives and costs, in words."""
    return ", ".join(word for word in (gives_words(option, scope), cost_words(option, scope)) if word)


def gives_words(option: OptionRule, scope: Scope) -> str:
    """What an option gives, in words."""
    return ", ".join(given_words(owned(key)[1], value, scope) for key, value in option.gives.items())


def given_words(what: str, value: int | str, scope: Scope) -> str:
    """What is given to a roll, in words: +2 dice, +1d4, roll 1 again."""
    if what == "reroll" and value in REROLLS:
        return f"roll {value} again"
    many = _worked(value, scope)
    if what == "reroll":
        return f"roll {many} again"
    if what == "advantage" and many.removeprefix("-").isdecimal():
        return "" if many == "0" else f"+1 die, drop {'highest' if many[0] == '-' else 'lowest'}"
    signed = f"−{many[1:]}" if many[0] in "-−" else f"+{many}"
    if what == "bonus" or (what == "dice" and "d" in many):
        return signed
    word = {"dice": "die", "hits": "hit"}.get(what, what) if many in ("1", "-1", "−1") else what
    return f"{signed} {word}"


def cost_words(option: OptionRule, scope: Scope) -> str:
    """What an option costs, in words: Luck −1."""
    some = []
    for key, value in option.costs.items():
        owner, name = owned(key)
        title = " ".join(word for word in (owner, meter_title(scope.world, name)) if word)
        if isinstance(value, int):
            some.append(f"{title} {value:+d}".replace("-", "−"))
        else:
            some.append(f"{title} {value}")
    return ", ".join(some)


def _worked(value: int | str, scope: Scope) -> str:
    try:
        return spelled(scope.spec_of(value))
    except TermError:
        return str(value)


def before_shape(field: Field, world: HomebrewWorld, fields: Answers) -> Field | None:
    """Only where there is something to choose."""
    return field if before(world, fields) else None


def split(using: Sequence[str]) -> tuple[dict[str, int], dict[str, str]]:
    """What was chosen: how often each, and who helps."""
    taken: dict[str, int] = {}
    helpers: dict[str, str] = {}
    for one in using:
        name, _, helper = one.partition(BY)
        name, _, times = name.partition(TIMES)
        taken[name] = taken.get(name, 0) + (int(times) if times.isdecimal() and len(times) < 3 else 1)
        if helper:
            helpers[name] = helper
    return taken, helpers


def stat_ask(place: int) -> Ask:
    """The question for one of the groups that a roll mentions."""
    return Ask(partial(stats_at, place), "stat", first=True, shape=partial(stat_shape, place))


def say_ask(place: int) -> Ask:
    """The question for one of the things that a roll asks."""
    return Ask(partial(says_at, place), "say", first=True, shape=partial(say_shape, place))
