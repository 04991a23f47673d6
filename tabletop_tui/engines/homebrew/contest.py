"""Contests in rounds: one against one or many, each with a stat and what role-play brings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit.asking import sure
from ...kit.told import Told
from ...rules import Action, Ask, Choice, Dice, Event, Refused
from .asking import NONE, cannot, rollers, stat_choices
from .effects import gives_away
from .game import ContestRule
from .mentions import mentions
from .rolls import waits
from .turns import SpanBegan
from .world import Bout, Contest, HomebrewWorld, Side, contest_kinds, is_out


def contest_rule(world: HomebrewWorld, now: Contest) -> ContestRule:
    """The kind of a contest."""
    return world.rules.contests[now.bout.contest]


def bout_title(world: HomebrewWorld, bout: Bout) -> str:
    """What a contest is called."""
    rule = world.rules.contests.get(bout.contest)
    return bout.name or (rule.title if rule else "") or bout.contest


def standing(now: Contest) -> list[str]:
    """The parties that are still in it."""
    return [who for who, side in now.sides.items() if not side.out]


def onward(world: HomebrewWorld, now: Contest) -> Contest:
    """What follows the round that lies there: the next one, or the end."""
    rule, sides = contest_rule(world, now), dict[str, Side]()
    for who, side in now.sides.items():
        served = tuple(dict.fromkeys((*side.used, *((side.stat,) if side.stat else ()), *side.lines)))
        out = side.out or is_out(world, who)
        sides[who] = Side(used=served if rule.limit else (), won=side.won, out=out)
    fresh = replace(now, sides=sides, round=now.round + 1, stage="build")
    first, left = next(iter(sides)), standing(fresh)
    winner = next((who for who, side in sides.items() if side.won >= rule.wins), "")
    if not winner and (len(left) < 2 or first not in left):
        winner = left[0] if left else now.bout.who
    if not winner and rule.limit and any(_spent(world, fresh, who) for who in left):
        winner = max(left, key=lambda who: sides[who].won)
    return replace(now, sides=sides, stage="over", winner=winner) if winner else fresh


def _spent(world: HomebrewWorld, now: Contest, who: str) -> bool:
    """Has every stat of a party served?"""
    some = side_stats(world.live(contest=now), {"party": who})
    return bool(some) and all(choice.closed for choice in some)


def won_by(world: HomebrewWorld, now: Contest) -> str:
    """Who has won it, also where only the round that lies there decides it; empty for nobody yet."""
    decides = now.stage == "fallen" and now.bout.contest in world.rules.contests
    return onward(world, now).winner if decides else now.winner


def half_done(world: HomebrewWorld) -> str:
    """What would be lost with the contest that is open, as a question; empty where nothing would."""
    now = world.now.contest
    if now is None or won_by(world, now):
        return ""
    fought = now.round if now.stage == "fallen" else now.round - 1
    words = [f"{fought} {'round' if fought == 1 else 'rounds'} fought"] if fought else []
    words += [f"{world.name(who)} has {side.won}" for who, side in now.sides.items() if side.won]
    chosen = now.sides.items() if now.stage == "build" else ()
    words += [f"{world.name(who)} with {side.stat}" for who, side in chosen if side.stat not in ("", NONE)]
    lines = sum(len(side.lines) for side in now.sides.values())
    words += [f"{lines} {'line' if lines == 1 else 'lines'} put in"] if lines else []
    return f"{bout_title(world, now.bout)} is open: {', '.join(words)}. Drop it?" if words else ""


class ContestOpened(Told, tag="contest_opened"):
    """A contest begins."""

    bout: Bout

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        return world.live(contest=Contest(self.bout, {who: Side() for who in (self.bout.who, *self.bout.against)}))

    def words(self, world: HomebrewWorld) -> str:
        against = ", ".join(world.name(who) for who in self.bout.against)
        stakes = f". At stake: {self.bout.stakes}" if self.bout.stakes else ""
        return f"{bout_title(world, self.bout)}: {world.name(self.bout.who)} against {against}{stakes}"

    def is_secret(self, world: HomebrewWorld) -> bool:
        return any(world.is_hidden(who) for who in (self.bout.who, *self.bout.against))


class RoundOpened(Told, tag="round_opened"):
    """The next round of a contest, or its end."""

    contest: Contest

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        return world.live(contest=self.contest)

    def words(self, world: HomebrewWorld) -> str:
        if self.contest.winner:
            return f"{world.name(self.contest.winner)} wins {bout_title(world, self.contest.bout)}"
        return f"Round {self.contest.round} of {bout_title(world, self.contest.bout)}"

    def is_secret(self, world: HomebrewWorld) -> bool:
        return gives_away(world, *self.contest.sides)


class ContestClosed(Told, tag="contest_closed"):
    """The contest was put away."""

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        return world.live(contest=None)

    def words(self, world: HomebrewWorld) -> str:
        now = world.now.contest
        return f"{bout_title(world, now.bout)} is {'over' if won_by(world, now) else 'dropped'}" if now else ""


class SideChanged(Told, tag="side_changed"):
    """A party put something in, or took it out."""

    who: str
    side: Side
    what: str

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        now = world.now.contest
        return world.live(contest=replace(now, sides={**now.sides, self.who: self.side})) if now else world

    def words(self, world: HomebrewWorld) -> str:
        return f"{world.name(self.who)}: {self.what}"

    def is_secret(self, world: HomebrewWorld) -> bool:
        return gives_away(world, self.who)


def bouts(world: HomebrewWorld) -> dict[str, Bout]:
    """The contests that are prepared: those of the scene that is on first."""
    out: dict[str, Bout] = {}
    for scene in sorted(world.scenes, key=lambda name: name != world.now.scene):
        some = world.scenes[scene].contests.items()
        out |= {f"{scene}/{name}": bout for name, bout in some if bout.contest in world.rules.contests}
    return out


def why_not(world: HomebrewWorld, bout: Bout) -> str:
    """Why a prepared contest cannot begin; empty where it can."""
    now = world.now.contest
    if now is not None and now.bout == bout and not now.winner:
        return "open already"
    missing = [who for who in (bout.who, *bout.against) if not world.is_here(who)]
    if missing:
        return f"{world.name(missing[0])} is not here"
    out = [who for who in (bout.who, *bout.against) if cannot(world, who)]
    return f"{world.name(out[0])} is out" if out else "" if bout.against else "nobody is against it"


def bout_choices(world: HomebrewWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Prepared contests."""
    return [Choice(name, bout_title(world, bout), why_not(world, bout)) for name, bout in bouts(world).items()]


def others(world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody else."""
    return [choice for choice in rollers(world, fields) if choice.value != fields.get("who")]


def building(world: HomebrewWorld) -> str:
    """Why nothing can be put in; empty where it can."""
    now = world.now.contest
    if now is None:
        return "no contest is open"
    return waits(world) or ("" if now.stage == "build" else "the dice have fallen")


def parties(world: HomebrewWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Who is in the contest."""
    now = world.now.contest
    return [Choice(w, world.name(w), "out" if s.out else "") for w, s in now.sides.items()] if now else ()


def group_of_contest(world: HomebrewWorld) -> str:
    """The group of stats that the roll of the open contest mentions."""
    now = world.now.contest
    return next(iter(mentions(world.rules, contest_rule(world, now).roll).groups), "") if now else ""


def side_stats(world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """With what a party can roll; what has served is closed."""
    now, group, who = world.now.contest, group_of_contest(world), fields.get("party", "")
    if now is None or not group or who not in now.sides:
        return ()
    used = now.sides[who].used if contest_rule(world, now).limit else ()
    some = stat_choices(world, who, group)
    return [replace(c, closed="has served" if c.value in used else "") for c in some]


def side_lines(world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What role-play can bring; what has served, or is in, is closed."""
    now, who = world.now.contest, fields.get("party", "")
    if now is None or who not in now.sides:
        return ()
    rule, side = contest_rule(world, now), now.sides[who]
    used = side.used if rule.limit else ()
    return [
        Choice(
            line,
            line,
            "is in" if line in side.lines else "has served" if line in used else "",
            f"{dice:+d} {'die' if abs(dice) == 1 else 'dice'}",
        )
        for line, dice in rule.lines.items()
    ]


def lines_in(world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What a party has put in."""
    now, who = world.now.contest, fields.get("party", "")
    return [Choice(line) for line in now.sides[who].lines] if now and who in now.sides else ()


class OpenContest(Action, tag="open_contest"):
    """Open a prepared contest."""

    title, leads_to = "open a contest", "contest"
    warns = staticmethod(half_done)
    bout: Annotated[str, Ask(bout_choices, "contest")]

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return waits(world)

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        return _opened(world, bouts(world)[self.bout])


class NewContest(Action, tag="contest"):
    """Begin a contest: one against one or many."""

    title, key, screens, leads_to = "new contest", "n", ("contest",), "contest"
    contest: Annotated[str, Ask(contest_kinds)]
    who: Annotated[str, Ask(rollers)]
    against: Annotated[tuple[str, ...], Ask(others)]
    stakes: Annotated[str, Meta(max_length=400)] = ""

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        now = world.now.contest
        if now is not None and now.stage != "over":
            return "a contest is open: put it away first"
        return waits(world) or ("" if world.rules.contests else "this game has no contests")

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        if not self.against:
            raise Refused("it is not said against whom", remedy="Name one or many.")
        return _opened(world, Bout(self.contest, self.who, self.against, "", self.stakes.strip()))


def _opened(world: HomebrewWorld, bout: Bout) -> tuple[Event, ...]:
    return (*_put_away(world), SpanBegan("contest"), ContestOpened(bout))


def _put_away(world: HomebrewWorld) -> tuple[Event, ...]:
    """The contest that is open is put away; a win that lies there is told first."""
    now = world.now.contest
    if now is None:
        return ()
    won = now.stage == "fallen" and won_by(world, now)
    return (RoundOpened(onward(world, now)), ContestClosed()) if won else (ContestClosed(),)


class CloseContest(Action, tag="close_contest"):
    """Put the contest away."""

    title, key, screens = "put it away", "c", ("contest",)
    warns = staticmethod(half_done)

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return waits(world) or ("" if world.now.contest else "no contest is open")

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        return _put_away(world)


class ChooseStat(Action, tag="choose_stat"):
    """Say with which stat a party rolls in this round."""

    title = "choose a stat"
    done_by = "party"
    party: Annotated[str, Ask(parties)]
    stat: Annotated[str, Ask(side_stats)]

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return building(world) or ("" if group_of_contest(world) else "no stat is chosen in it")

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        side = _side(world, self.party)
        return (
            SideChanged(self.party, replace(side, stat=self.stat), self.stat if self.stat != NONE else "no stat"),
        )


class PutIn(Action, tag="put_in"):
    """Put in what role-play brings a party."""

    title = "put in"
    done_by = "party"
    party: Annotated[str, Ask(parties)]
    line: Annotated[str, Ask(side_lines)]

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return building(world)

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        side = _side(world, self.party)
        return (SideChanged(self.party, replace(side, lines=(*side.lines, self.line)), self.line),)


class TakeOut(Action, tag="take_out"):
    """Take out what a party has put in."""

    title = "take out"
    done_by = "party"
    party: Annotated[str, Ask(parties)]
    line: Annotated[str, Ask(lines_in)]

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return building(world)

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        side = _side(world, self.party)
        lines = tuple(line for line in side.lines if line != self.line)
        return (SideChanged(self.party, replace(side, lines=lines), f"{self.line} is taken out"),)


def _side(world: HomebrewWorld, who: str) -> Side:
    now = sure(world.now.contest)
    return now.sides[who]


ACTIONS: tuple[type[Action], ...] = (OpenContest, NewContest, ChooseStat, PutIn, TakeOut)
EVENTS: tuple[type[Event], ...] = (ContestOpened, RoundOpened, ContestClosed, SideChanged)
