"""What does not fit in the rules of a game: every sum, name, effect and band, before anybody plays with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...rules import Problem
from .conditions import ENDINGS, ending
from .dice import REROLLS
from .effects import RESERVED
from .game import Band, ConditionRule, Effects, HomebrewRules, Meter, OptionRule, RollRule, StatGroup
from .gives import GIVES
from .language import Term, TermError, amount, limit, owned, pool, reading, target
from .letters import letter_problems
from .loops import loop_problems
from .mentions import MOST_ASKED, mentions, terms_of
from .named import Path, name_problem, name_problems, one_of
from .spans import Names
from .world import MOST_DICE

SIDES = ("heroes", "foes")


def rule_problems(rules: HomebrewRules) -> Iterator[Problem]:
    """All of it."""
    yield from _Checks(rules).all()
    yield from letter_problems(rules)
    yield from loop_problems(rules)


class _Checks:
    """The rules of one game."""

    def __init__(self, rules: HomebrewRules) -> None:
        self.rules = rules
        self.keywords = [word for challenge in rules.challenges.values() for word in challenge.keywords]
        asks = [roll.asks for roll in rules.rolls.values()] + [option.asks for option in rules.options.values()]
        self.anywhere = Names(rules, asks, self.keywords)
        """What effects may name that follow some roll."""

    def all(self) -> Iterator[Problem]:
        rules = self.rules
        yield from name_problems(rules)
        for name, group in rules.stats.items():
            yield from self._group(("rules", "stats", name), group)
        for part, meters in (("meters", rules.meters), ("shared", rules.shared)):
            for name, meter in meters.items():
                yield from self._meter(("rules", part, name), meter)
        for name, condition in rules.lasting.items():
            yield from self._condition(("rules", "conditions", name), condition)
        for name, roll in rules.rolls.items():
            yield from self._roll(("rules", "rolls", name), name, roll)
        for name, option in rules.options.items():
            yield from self._option(("rules", "options", name), option)
        yield from self._together()
        yield from self._turns()

    # ---- sums

    def _sum(self, at: Path, value: int | str, names: Names, *, dice: bool = False) -> Iterator[Problem]:
        try:
            span = names.span(amount(value)) if dice else names.number(amount(value))
            yield from _not_too_many(at, span.dice)
        except TermError as error:
            yield told(at, error)

    def _when(self, at: Path, text: str, names: Names) -> Iterator[Problem]:
        if text:
            yield from self._sum(at, text, names)

    def _effects(self, at: Path, effects: Effects, names: Names, *, dice: bool = True) -> Iterator[Problem]:
        rules = self.rules
        for key, value in effects.items():
            owner, name = owned(key)
            here = (*at, key)
            if name in ("condition", "cure"):
                yield from one_of(here, value, rules.lasting, "a condition of the game")
            elif name == "ask":
                yield from self._ask(here, value)
            elif name == "initiative":
                if value != "passes":
                    yield Problem(here, "the Initiative can only pass", 'Write initiative = "passes".')
            elif (
                name in ("clock", "timer")
                or name.startswith("clock ")
                or name in rules.meters
                or name in rules.shared
            ):
                if owner and (name not in rules.meters):
                    yield Problem(here, f"nobody has a {name!r} of their own", f"Write {name} alone.")
                if not isinstance(value, int | str):
                    yield Problem(here, "a list is not an amount", "Write a number or a sum.")
                    continue
                try:
                    span = names.span(target(value)[1])
                    yield from _not_too_many(here, span.dice)
                    if span.dice and not dice:
                        yield Problem(here, "a price cannot be rolled", "Write a number or a sum without dice.")
                except TermError as error:
                    yield told(here, error)
            else:
                known = (*rules.meters, *rules.shared, *RESERVED)
                yield Problem(here, f"the game has nothing called {name!r} that could change", "", False, name, known)

    def _ask(self, at: Path, value: object) -> Iterator[Problem]:
        options = self.rules.options
        names = value if isinstance(value, tuple | list) else ()
        if not 1 <= len(names) <= 9:
            yield Problem(at, "one to nine options can be asked for", 'Write ask = ["resist", "accept"].')
        for name in names:
            if name not in options:
                yield Problem(at, f"there is no option {name!r}", "", False, str(name), tuple(options))
            elif options[name].offered != "asked":
                what = f"{name!r} is offered {options[name].offered!r}, not when asked"
                yield Problem(at, what, f'Write offered = "asked" in [rules.options.{name}].')

    def _gives(self, at: Path, gives: Mapping[str, int | str], names: Names, *, theirs: bool) -> Iterator[Problem]:
        for key, value in gives.items():
            owner, what = owned(key)
            here = (*at, key)
            if what not in GIVES:
                yield Problem(here, f"a roll cannot be given {what!r}", "", False, what, GIVES)
            elif owner and not (theirs and owner == "their"):
                yield Problem(here, f"{owner!r} does not belong here", f"Write {what} alone.")
            elif what == "reroll" and value in REROLLS:
                continue
            elif what == "reroll" and isinstance(value, str) and not any(map(str.isdigit, value)):
                if list(self._sum(here, value, names)):
                    yield Problem(here, f"{value!r} cannot be rolled again", "", False, value, REROLLS)
            else:
                yield from self._sum(here, value, names, dice=what in ("dice", "bonus", "hits"))

    # ---- chapters

    def _group(self, at: Path, group: StatGroup) -> Iterator[Problem]:
        if group.least > group.most:
            yield Problem((*at, "least"), f"{group.least} is more than its most, {group.most}", "Change one of them.")
        if group.holds == "number" and isinstance(group.usual, str):
            yield Problem((*at, "usual"), "what is usual has to be a number here", 'Or write holds = "dice".')
        elif group.holds == "dice":
            yield from self._sum((*at, "usual"), group.usual, Names(HomebrewRules()), dice=True)
        if group.worked and group.holds != "number":
            yield Problem((*at, "is"), "only numbers can be worked out", 'Leave out holds, or "is".')
        for name, value in group.worked.items():
            yield from self._sum((*at, "is", name), value, Names(self.rules, only_stats=True))

    def _meter(self, at: Path, meter: Meter) -> Iterator[Problem]:
        names = Names(self.rules if at[1] == "meters" else HomebrewRules(), only_stats=True)
        for field in ("most", "usual"):
            value = getattr(meter, field)
            if value is not None:
                yield from self._sum((*at, field), value, names)
                yield from self._groupless((*at, field), value)
        if isinstance(meter.most, int) and meter.most <= meter.least:
            yield Problem((*at, "most"), f"its most, {meter.most}, is not above its least", "Change one of them.")
        if meter.full and meter.most is None:
            yield Problem((*at, "full"), "it is never full: it has no most", "Add most = 6, say.")
        for field in ("full", "empty"):
            yield from self._effects((*at, field), getattr(meter, field), self.anywhere)

    def _groupless(self, at: Path, value: int | str) -> Iterator[Problem]:
        try:
            groups = [name for _, name in amount(value).names() if name in self.rules.stats]
        except TermError:
            return
        if groups:
            yield Problem(at, f"{groups[0]!r} is a group of stats, and nobody chooses one here", "Name a stat.")

    def _condition(self, at: Path, rule: ConditionRule) -> Iterator[Problem]:
        rules = self.rules
        if ending(rule.ends) is None:
            what = f"a condition cannot end by {rule.ends!r}"
            last = rule.ends.split()[-1]  # "end of scene"
            yield Problem((*at, "ends"), what, "", False, last if last in ENDINGS else rule.ends, ENDINGS)
        if rule.ends == "save" or rule.roll:
            yield from one_of((*at, "roll"), rule.roll, rules.rolls, "a roll")
            if rule.roll in rules.rolls and (
                mentions(rules, rule.roll).whom
                or len(mentions(rules, rule.roll).groups) > 1
                or len(rules.rolls[rule.roll].asks) > 1
            ):
                what = "a save is against nobody, with one stat at most, and asks one thing at most"
                yield Problem((*at, "roll"), what, "Use a simpler roll.")
            if rule.ends != "save":
                yield Problem((*at, "roll"), "only a save is rolled", 'Write ends = "save".')
        yield from self._gives((*at, "gives"), rule.gives, self.anywhere, theirs=True)
        for place, name in enumerate(rule.rolls):
            yield from one_of((*at, "for", place), name, rules.rolls, "a roll")

    def _roll(self, at: Path, name: str, rule: RollRule) -> Iterator[Problem]:
        names = Names(self.rules, [rule.asks], self.keywords)
        how = ""
        try:
            how, face = reading(rule.read)
            if face is not None:
                names.number(face)
        except TermError as error:
            yield told((*at, "read"), error)
        yield from self._pool((*at, "dice"), rule.dice, names, how)
        if rule.against != "":
            yield from self._pool((*at, "against"), rule.against, names, how)
        for place, word in enumerate(rule.tie):
            if word not in ("sides", "count", "mine", "theirs", "nobody"):
                yield from self._sum((*at, "tie", place), word, Names(self.rules, only_stats=True))
        if rule.tie and rule.against == "":
            yield Problem((*at, "tie"), "without against there are no ties", "Add against, or take it out.")
        if how == "under" and rule.against == "":
            yield Problem((*at, "read"), "it is not said what the dice have to stay under", "Add against.")
        yield from self._when((*at, "when"), rule.when, names)
        yield from self._effects((*at, "costs"), rule.costs, names, dice=False)
        yield from self._bands(at, rule, names)
        for place, word in enumerate(rule.secret):
            yield from one_of((*at, "secret", place), word, rule.asks, "something that it asks")
        try:
            some = mentions(self.rules, name).groups
        except TermError:
            return  # told above
        groups = {g for term in terms_of(rule) for _, g in term.names() if g in self.rules.stats}
        if len(groups) > len(some):
            yield Problem((*at, "dice"), f"it asks for {len(groups)} stats", f"At most {MOST_ASKED} groups.")

    def _pool(self, at: Path, value: int | str, names: Names, how: str) -> Iterator[Problem]:
        try:
            parts = [part for part in pool(value) if part is not None]
            for part in parts:
                span = names.span(part)
                yield from _not_too_many(at, span.dice)
                if at[-1] == "dice" and not span.dice:
                    yield Problem(at, "there are no dice in it", "Write 2d6 + hard, say.")
                if how in ("highest", "lowest", "hits") and _minus(part, names):
                    yield Problem(at, f"dice cannot be taken away where {how} counts", "Only sums go down.")
        except TermError as error:
            yield told(at, error)

    def _bands(self, at: Path, rule: RollRule, names: Names) -> Iterator[Problem]:
        for part, bands in (("bands", rule.bands), ("also", rule.also)):
            for place, band in enumerate(bands):
                here = (*at, part, place)
                yield from self._when((*here, "when"), band.when, names)
                yield from self._effects((*here, "does"), band.does, names)
                if part == "bands" and not band.title:
                    yield Problem(here, "a band needs a title", 'Write title = "hit", say.')
        yield from _order_of((*at, "bands"), rule.bands)
        if rule.bands and (rule.bands[-1].at is not None or rule.bands[-1].when):
            low = rule.bands[-1].at
            what = f"what is below {low}?" if low is not None else "what is it when that does not hold?"
            where = (*at, "bands", len(rule.bands) - 1)
            yield Problem(where, f"{what} The last band has neither at nor when", "Add a band without them.")

    def _option(self, at: Path, rule: OptionRule) -> Iterator[Problem]:
        rules, names = self.rules, self.anywhere
        for place, name in enumerate(rule.rolls):
            yield from one_of((*at, "for", place), name, rules.rolls, "a roll")
        for field in ("when", "usual"):
            yield from self._when((*at, field), getattr(rule, field), names)
        if rule.limit:
            try:
                names.number(limit(rule.limit)[0])
            except TermError as error:
                yield told((*at, "limit"), error)
        yield from self._effects((*at, "costs"), rule.costs, names, dice=False)
        yield from self._effects((*at, "does"), rule.does, names)
        yield from self._gives((*at, "gives"), rule.gives, names, theirs=False)
        if rule.roll:
            yield from one_of((*at, "roll"), rule.roll, rules.rolls, "a roll")
            if rule.roll in rules.rolls and rule.offered == "any time" and rules.rolls[rule.roll].asks:
                yield Problem((*at, "roll"), "a roll that an option makes asks nothing", "Use another roll.")
            if rule.roll in rules.rolls and len(mentions(rules, rule.roll).groups) > 1:
                yield Problem((*at, "roll"), "a roll that an option makes has one stat at most", "Use another roll.")
            if rule.roll in rules.rolls and mentions(rules, rule.roll).whom:
                yield Problem((*at, "roll"), "a roll that an option makes is against nobody", "Use another roll.")
            if rule.by == "gm" and rule.roll:
                yield Problem((*at, "roll"), "the GM has no sheet to roll with", "Take it out, or leave out by.")
            if rule.offered not in ("asked", "any time"):
                yield Problem((*at, "roll"), f"what is offered {rule.offered!r} cannot roll", "Take it out.")
        if rule.offered == "after" and not rule.limit and not rule.costs:
            yield Problem(at, "it could be taken for ever", "Give it a cost or a limit.")
        if rule.offered != "support" and rule.with_:
            yield Problem((*at, "with"), "only support is with the same or another stat", "Take it out.")
        if rule.offered != "before" and rule.by == "helper":
            yield Problem((*at, "by"), "somebody helps before the roll", 'Write offered = "before".')
        if rule.asks and (rule.offered != "any time" or len(rule.asks) > 1):
            yield Problem((*at, "asks"), "one question can be asked, of an option for any time", "Take it out.")
        if "reroll" in rule.gives and rule.offered not in ("after", "support"):
            what = "dice can be rolled again only after they fell"
            yield Problem((*at, "gives", "reroll"), what, 'Write offered = "after".')

    def _together(self) -> Iterator[Problem]:
        rules = self.rules
        for name, challenge in rules.challenges.items():
            at: Path = ("rules", "challenges", name)
            yield from name_problem(at, name, free=True)
            yield from one_of((*at, "roll"), challenge.roll, rules.rolls, "a roll")
            if challenge.roll in rules.rolls and mentions(rules, challenge.roll).whom:
                what = "a challenge is against nobody, and the roll speaks of somebody else"
                yield Problem((*at, "roll"), what, "Use another roll.")
            for field in ("failed", "won", "lost"):
                yield from self._effects((*at, field), getattr(challenge, field), self.anywhere)
        for name, contest in rules.contests.items():
            at = ("rules", "contests", name)
            yield from name_problem(at, name, free=True)
            yield from one_of((*at, "roll"), contest.roll, rules.rolls, "a roll")
            for field in ("won", "lost"):
                yield from self._effects((*at, field), getattr(contest, field), self.anywhere)
            if contest.most is not None:
                yield from self._sum((*at, "most"), contest.most, Names(rules, only_stats=True))
            if contest.roll in rules.rolls and len(mentions(rules, contest.roll).groups) > 1:
                yield Problem((*at, "roll"), "a party of a contest chooses one stat", "Use a roll that asks for one.")
            if contest.roll in rules.rolls and rules.rolls[contest.roll].asks:
                yield Problem((*at, "roll"), "the roll of a contest asks nothing", "Use another roll.")
            if contest.roll in rules.rolls and rules.rolls[contest.roll].against != "":
                yield Problem((*at, "roll"), "in a contest the parties roll against each other", "Leave against out.")

    def _turns(self) -> Iterator[Problem]:
        rules, turns = self.rules, self.rules.turns
        at: Path = ("rules", "turns")
        if turns.roll:
            yield from one_of((*at, "roll"), turns.roll, rules.rolls, "a roll")
        if turns.order == "number" and not turns.roll:
            yield Problem((*at, "order"), "it is not said what is rolled for the numbers", 'Add roll = "initiative".')
        for place, word in enumerate(turns.tie):
            if turns.order in ("sides", "popcorn"):
                yield from one_of((*at, "tie", place), word, SIDES, "a side")
            else:
                yield from self._sum((*at, "tie", place), word, Names(rules, only_stats=True))
        for field in ("turn", "round", "scene", "session"):
            effects = getattr(rules.moments, field)
            yield from self._effects(("rules", "moments", field), effects, self.anywhere, dice=False)


# ---- small ones


def told(at: Path, error: TermError) -> Problem:
    """What is wrong with a sum, where it stands."""
    return Problem(at, error.what, error.remedy, False, error.found, error.known)


def _not_too_many(at: Path, dice: int) -> Iterator[Problem]:
    if dice > MOST_DICE * 2:
        yield Problem(at, f"it could be {dice} dice", f"At most {MOST_DICE} in one roll.")


def _minus(term: Term, names: Names) -> bool:
    """Are dice taken away anywhere in it?"""
    own = term.sign == "-" and bool(names.span(term.parts[1]).dice)
    return own or any(_minus(part, names) for part in term.parts)


def _order_of(at: Path, bands: Sequence[Band]) -> Iterator[Problem]:
    """A band that an earlier one always takes can never come up."""
    lowest: int | None = None
    everything = False
    for place, band in enumerate(bands):
        if everything or (lowest is not None and band.at is not None and band.at >= lowest):
            title = f" {band.title!r}" if band.title else ""
            yield Problem((*at, place), f"the band{title} can never come up", "Put it before those that take it.")
            return
        if not band.when:
            everything = band.at is None
            lowest = band.at if band.at is not None and (lowest is None or band.at < lowest) else lowest
