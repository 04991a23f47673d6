"""What does not fit after a hand edit: in the rules, on sheets, in scenes and in the live state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...kit import problems as kit
from ...kit.order import FOES, HEROES
from ...rules import Problem
from .asking import split, wrong_say
from .checks import rule_problems
from .game import HomebrewRules
from .language import SPANS, TermError, amount
from .mentions import is_nobodys, mentions
from .scope import NOWHERE, Scope, meter_ends
from .spans import Names
from .world import (
    MOST_CHAIN,
    MOST_DICE,
    MOST_SIDES,
    MOST_TAKEN,
    HomebrewWorld,
    Made,
    Plan,
    Question,
    Throw,
    group_of,
    stats_of,
)

NOTHING = HomebrewRules()


def problems(world: HomebrewWorld) -> Iterator[Problem]:
    """All of it; while the game itself does not fit, nothing else is looked at."""
    found = list(rule_problems(world.rules))
    if found:
        yield from found
        return
    if world.rules != NOTHING:  # a game that could not be read, or that nobody has written yet
        yield from sheet_problems(world)
        yield from scene_problems(world)
    yield from kit.problems(world, (HEROES, FOES))
    yield from meter_problems(world)
    if world.now.roll:
        yield from made_problems(world, ("now", "roll"), world.now.roll)
    for place, asked in enumerate(world.now.asked):
        yield from question_problems(world, ("now", "asked", place), asked)
    yield from challenge_problems(world)
    yield from contest_problems(world)


# ---- sheets


def sheet_problems(world: HomebrewWorld) -> Iterator[Problem]:
    """Every stat on a sheet is one of the game, and fits it."""
    rules = world.rules
    for who, sheet in world.sheets.items():
        for group, stats in sheet.stats.items():
            at: kit.Path = ("sheets", who, "stats", group)
            rule = rules.stats.get(group)
            if rule is None:
                yield kit.unknown(at, f"the game has no group of stats {group!r}", group, rules.stats)
                continue
            for stat, value in stats.items():
                here = (*at, stat)
                if rule.names and stat not in rule.names:
                    yield kit.unknown(here, f"{group} has no {stat!r}", stat, rule.names)
                elif stat in rule.worked:
                    yield Problem(here, f"{stat} is worked out by the rules", kit.TAKE_OUT)
                elif not rule.names and not stat.strip():
                    yield Problem(here, "a stat needs a name", "Give it one.")
                elif rule.holds == "number":
                    yield from _number(here, value, rule.least, rule.most, stat)
                elif rule.holds == "dice":
                    yield from _dice(here, value)
                elif not isinstance(value, str):
                    yield Problem(here, f"{stat} holds words", 'Write "…".')


def _number(at: kit.Path, value: object, least: int, most: int, stat: str) -> Iterator[Problem]:
    if isinstance(value, int):
        yield from kit.outside(at, value, least, most, stat)
    else:
        yield Problem(at, f"{stat} is a number", f"From {least} to {most}.")


def _dice(at: kit.Path, value: int | str) -> Iterator[Problem]:
    try:
        term = amount(value)
        if term.names():
            yield Problem(at, "dice on a sheet name nothing", "Write 2d6 + 1, say.")
        elif Names(NOTHING).span(term).dice == 0 and value != 0:
            yield Problem(at, "there are no dice in it", "Write 2d6, say.")
        elif (spec := Scope(NOWHERE).spec(term)).count > MOST_DICE or any(g.sides > MOST_SIDES for g in spec.groups):
            yield Problem(at, f"{spec.count} dice are too many", f"At most {MOST_DICE}.")
    except TermError as error:
        yield Problem(at, error.what, error.remedy)


# ---- scenes


def scene_problems(world: HomebrewWorld) -> Iterator[Problem]:
    """Challenges, contests and clocks that are prepared."""
    for where, scene in world.scenes.items():
        at = ("scenes", where)
        for name, plan in scene.challenges.items():
            yield from plan_problems(world, (*at, "challenges", name), plan)
        for name, bout in scene.contests.items():
            here = (*at, "contests", name)
            if bout.contest not in world.rules.contests:
                what = f"the game has no contest {bout.contest!r}"
                yield kit.unknown((*here, "contest"), what, bout.contest, world.rules.contests)
            for who in (bout.who, *bout.against):
                if who not in world.sheets:
                    yield kit.nobody(here, who, world, "Add their sheet.", warning=True)
        for name, clock in scene.clocks.items():
            yield from kit.outside((*at, "clocks", name, "size"), clock.size, 1, 100, "the size of a clock")
            yield from kit.outside((*at, "clocks", name, "filled"), clock.filled, 0, max(clock.size, 0), "a clock")


def plan_problems(world: HomebrewWorld, at: kit.Path, plan: Plan) -> Iterator[Problem]:
    """A challenge: of a kind that the game has, with answers to what its roll asks."""
    rule = world.rules.challenges.get(plan.challenge)
    if rule is None:
        what = f"the game has no challenge {plan.challenge!r}"
        yield kit.unknown((*at, "challenge"), what, plan.challenge, world.rules.challenges)
        return
    asks = world.rules.rolls[rule.roll].asks
    for name, said in plan.says.items():
        if name not in asks:
            yield kit.unknown((*at, "says", name), f"{rule.roll} does not ask {name!r}", name, asks)
        elif why := wrong_say(asks[name], str(said)):
            yield Problem((*at, "says", name), f"{name} cannot be {str(said)!r}", why[0].upper() + why[1:] + ".")
    for place, word in enumerate(plan.keywords):
        if word not in rule.keywords:
            yield kit.unknown((*at, "keywords", place), f"{word!r} is not one of its keywords", word, rule.keywords)


# ---- live state


def meter_problems(world: HomebrewWorld) -> Iterator[Problem]:
    """Meters, counters, and how often options were taken."""
    rules, now = world.rules, world.now
    for who, meters in now.meters.items():
        at = ("now", "meters", who)
        if who not in world.sheets:
            yield kit.nobody(at, who, world, "Add their sheet, or take this out.", warning=True)
            continue
        for name, value in meters.items():
            if name not in rules.meters:
                yield kit.unknown((*at, name), f"the game has no meter {name!r}", name, rules.meters, warning=True)
            else:
                yield from _held((*at, name), world, who, name, value)
    for name, value in now.shared.items():
        if name not in rules.shared:
            what = f"the game has no counter {name!r}"
            yield kit.unknown(("now", "shared", name), what, name, rules.shared, warning=True)
        else:
            yield from _held(("now", "shared", name), world, "", name, value)
    for span, options in now.used.items():
        at = ("now", "used", span)
        if span not in SPANS:
            yield kit.unknown(at, f"{span!r} is not a span of time", span, SPANS, kit.TAKE_OUT)
        for option, people in options.items():
            for who, count in people.items():
                yield from kit.outside((*at, option, who), count, 0, 10_000, "how often something was taken")


def _held(at: kit.Path, world: HomebrewWorld, who: str, name: str, value: int) -> Iterator[Problem]:
    least, most = meter_ends(world, who, name)
    if not least <= value <= (kit.MOST if most is None else most):
        remedy = f"From {least} to {most}." if most is not None else f"From {least} on."
        far = value > kit.MOST or value < -kit.MOST
        yield Problem(at, f"{name} cannot be {value}", remedy, warning=not far)  # a sheet may have changed since


def made_problems(world: HomebrewWorld, at: kit.Path, made: Made) -> Iterator[Problem]:
    """A roll on the table: of the game, of somebody, with dice that can lie so."""
    rules = world.rules
    if made.roll not in rules.rolls:
        yield kit.unknown((*at, "roll"), f"the game has no roll {made.roll!r}", made.roll, rules.rolls)
        return
    rule = rules.rolls[made.roll]
    if made.who or not is_nobodys(rules, made.roll):
        yield from person_problems(world, at, made.who, made.whom, whom=mentions(rules, made.roll).whom)
    yield from stat_problems(world, at, made.who, made.stats)
    yield from say_problems(world, at, made.roll, made.says)
    for option, count in made.taken.items():
        if option not in rules.options:
            yield kit.unknown((*at, "taken", option), f"the game has no option {option!r}", option, rules.options)
        yield from kit.outside((*at, "taken", option), count, 0, MOST_TAKEN, "how often an option was taken")
    for field in ("against", "result", "margin", "hits", "steps"):
        value = getattr(made, field)
        if value is not None:
            yield from kit.outside((*at, field), value, -kit.MOST, kit.MOST, f"the {field} of a roll")
    if rule.against != "" and made.against is None and made.theirs is None:
        yield Problem((*at, "against"), "it is not said what the roll is against", "Take the roll out.")
    yield from throw_problems((*at, "mine"), made.mine)
    if made.theirs:
        yield from throw_problems((*at, "theirs"), made.theirs)
    titles = [band.title for band in rule.bands]
    if made.stage == "done" and made.band not in ("", *titles):
        yield kit.unknown((*at, "band"), f"{made.band!r} is not one of its bands", made.band, titles, warning=True)


def person_problems(
    world: HomebrewWorld, at: kit.Path, who: str, other: str, *, whom: bool = False
) -> Iterator[Problem]:
    """Who rolls, and against whom."""
    if who not in world.sheets:
        yield kit.nobody((*at, "who"), who, world)
    if (other or whom) and other not in world.sheets:
        yield kit.nobody((*at, "whom"), other, world)


def stat_problems(world: HomebrewWorld, at: kit.Path, who: str, stats: Mapping[str, str]) -> Iterator[Problem]:
    """The stats that were chosen."""
    for group, stat in stats.items():
        if group not in world.rules.stats:
            what = f"the game has no group of stats {group!r}"
            yield kit.unknown((*at, "stats", group), what, group, world.rules.stats)
        elif who in world.sheets and stat not in stats_of(world, who, group):
            yield kit.unknown((*at, "stats", group), f"{who!r} has no {stat!r}", stat, stats_of(world, who, group))


def say_problems(world: HomebrewWorld, at: kit.Path, roll: str, says: Mapping[str, str]) -> Iterator[Problem]:
    """What was said to what a roll asks."""
    asks = world.rules.rolls[roll].asks
    for name, said in says.items():
        if name == "clock":
            continue  # one that is gone is not moved
        if name not in asks:
            yield kit.unknown((*at, "says", name), f"{roll} does not ask {name!r}", name, asks)
        elif why := wrong_say(asks[name], said):
            yield Problem((*at, "says", name), f"{name} cannot be {said!r}", why[0].upper() + why[1:] + ".")


def throw_problems(at: kit.Path, thrown: Throw) -> Iterator[Problem]:
    """Dice that can lie so."""
    groups = thrown.spec.groups
    yield from kit.outside((*at, "dice"), len(thrown.dice), 0, 2 * MOST_DICE, "the number of dice")
    yield from kit.outside((*at, "spec", "plus"), thrown.spec.plus, -kit.MOST, kit.MOST, "what is added")
    for place, group in enumerate(groups):
        here = (*at, "spec", "groups", place)
        yield from kit.outside((*here, "count"), group.count, 0, 2 * MOST_DICE, "the number of dice")
        yield from kit.outside((*here, "sides"), group.sides, 2, MOST_SIDES, "the sides of a die")
        yield from kit.outside((*here, "sign"), abs(group.sign), 1, 1, "the sign of dice")
        yield from kit.outside((*here, "keep"), abs(group.keep), 0, 2 * MOST_DICE, "how many dice are kept")
        yield from kit.outside((*here, "explodes"), group.explodes, 0, MOST_CHAIN, "how often a die explodes")
        if group.at:
            yield from kit.outside((*here, "at"), group.at, 2, MOST_SIDES, "the face from which a die explodes")
    for place, die in enumerate(thrown.dice):
        here = (*at, "dice", place)
        if not 0 <= die.group < len(groups) or groups[die.group].sides != die.sides:
            yield Problem((*here, "group"), "the die is of no group of the roll", "Take the roll out.")
        for face in (die.face, *die.more):
            yield from kit.outside((*here, "face"), face, 1, max(die.sides, 1), "a face")
        yield from kit.outside((*here, "rerolled"), die.rerolled, 0, 100, "how often a die was rolled again")


def question_problems(world: HomebrewWorld, at: kit.Path, asked: Question) -> Iterator[Problem]:
    """What the game waits for."""
    rules = world.rules
    yield from person_problems(world, at, asked.who, asked.whom)
    if asked.roll and asked.roll not in rules.rolls:
        yield kit.unknown((*at, "roll"), f"the game has no roll {asked.roll!r}", asked.roll, rules.rolls)
    elif asked.roll:
        yield from say_problems(world, at, asked.roll, asked.says)
    yield from stat_problems(world, at, asked.who, asked.stats)
    if not asked.options:
        yield Problem((*at, "options"), "there is nothing to choose", kit.TAKE_OUT)
    for option in asked.options:
        if option not in rules.options or rules.options[option].offered != "asked":
            yield kit.unknown((*at, "options"), f"{option!r} is not an option that is asked", option, rules.options)
    for name, value in asked.facts.items():
        yield from kit.outside((*at, "facts", name), value, -kit.MOST, kit.MOST, f"the {name} of a roll")


def challenge_problems(world: HomebrewWorld) -> Iterator[Problem]:
    """The open challenge: of a kind that the game has, led and helped by somebody."""
    now, at = world.now.challenge, ("now", "challenge")
    if now is None:
        return
    yield from plan_problems(world, (*at, "plan"), now.plan)
    rule = world.rules.challenges.get(now.plan.challenge)
    if rule is None:
        return
    groups = mentions(world.rules, rule.roll).groups
    for field in ("lead", "last"):
        who = getattr(now, field)
        if who and who not in world.sheets:
            yield kit.nobody((*at, field), who, world)
    if now.lead in world.sheets:
        yield from stat_problems(world, at, now.lead, now.stats)
    for who, support in now.supports.items():
        if who not in world.sheets:
            yield kit.nobody((*at, "supports", who), who, world)
        elif who == now.lead:
            yield Problem((*at, "supports", who), "the lead does not support", kit.TAKE_OUT)
        option = world.rules.options.get(support.how)
        if option is None or option.offered != "support":
            names = [n for n, o in world.rules.options.items() if o.offered == "support"]
            yield kit.unknown(
                (*at, "supports", who, "how"), f"{support.how!r} is not a support action", support.how, names
            )
        if support.stat and who in world.sheets and not _has(world, who, groups, support.stat):
            yield Problem((*at, "supports", who, "stat"), f"{who!r} has no {support.stat!r}", kit.TAKE_OUT)
    for field, people in (("rolled", now.rolled), ("thrown", now.thrown)):
        for who in people:
            if who not in world.sheets:
                yield kit.nobody((*at, field, who), who, world)
    for who, thrown in now.thrown.items():
        yield from throw_problems((*at, "thrown", who), thrown)
    before = [n for n, o in world.rules.options.items() if o.offered == "before"]
    taken, helpers = split(now.using)
    for name in taken:
        if name not in before:
            yield kit.unknown((*at, "using"), f"{name!r} is not an option before a roll", name, before)
    for who in helpers.values():
        if who not in world.sheets:
            yield kit.nobody((*at, "using"), who, world)
    for field, most in (("wins", rule.wins), ("losses", rule.losses)):
        yield from kit.outside((*at, field), getattr(now, field), 0, most + 100, f"the {field} of a challenge")


def _has(world: HomebrewWorld, who: str, groups: tuple[str, ...], stat: str) -> bool:
    return any(stat in stats_of(world, who, group) for group in groups) or bool(group_of(world.rules, stat))


def contest_problems(world: HomebrewWorld) -> Iterator[Problem]:
    """The open contest: of a kind that the game has, between people who are there."""
    now, at = world.now.contest, ("now", "contest")
    if now is None:
        return
    rule = world.rules.contests.get(now.bout.contest)
    if rule is None:
        what = f"the game has no contest {now.bout.contest!r}"
        yield kit.unknown((*at, "bout", "contest"), what, now.bout.contest, world.rules.contests)
        return
    if len(now.sides) < 2 or next(iter(now.sides)) != now.bout.who:
        yield Problem((*at, "sides"), "a contest has one party and others against it", "Take the contest out.")
    yield from kit.outside((*at, "round"), now.round, 1, kit.MOST_ROUNDS, "the round of a contest")
    groups = mentions(world.rules, rule.roll).groups
    for who, side in now.sides.items():
        here = (*at, "sides", who)
        if who not in world.sheets:
            yield kit.nobody(here, who, world)
            continue
        has = stats_of(world, who, groups[0]) if groups else []
        if side.stat and side.stat not in (*has, "-"):
            yield kit.unknown((*here, "stat"), f"{who!r} has no {side.stat!r}", side.stat, has)
        for line in side.lines:
            if line not in rule.lines:
                yield kit.unknown((*here, "lines"), f"{line!r} is not one of its lines", line, rule.lines)
        if len(set(side.lines)) < len(side.lines):
            yield Problem((*here, "lines"), "a line stands in it twice", "Name each once.")
        yield from kit.outside((*here, "won"), side.won, 0, kit.MOST_ROUNDS, "rounds won")
        yield from kit.outside((*here, "result"), side.result, -kit.MOST, kit.MOST, "a result")
        if side.throw:
            yield from throw_problems((*here, "throw"), side.throw)
    if now.winner and now.winner not in now.sides:
        yield kit.unknown((*at, "winner"), f"{now.winner!r} is not in it", now.winner, now.sides)
