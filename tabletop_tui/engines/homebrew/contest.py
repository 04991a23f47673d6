"""Contests in rounds: one against one or many, each with a stat and what role-play brings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit.told import Told
from ...rules import Action, Ask, Choice, Dice, Event, Refused
from .asking import NONE, cannot, rollers, stat_choices
from .bands import hits_at, how
from .dice import read, throw
from .effects import Doing, gives_away
from .game import ContestRule
from .gives import Ready, Source, ready, sources
from .making import Order, faces
from .mentions import mentions
from .rolls import waits
from .scope import Scope
from .turns import SpanBegan
from .world import Bout, Contest, HomebrewWorld, Side, is_out, roll_title

NOBODY = "nobody"


def contest_rule(world: HomebrewWorld, now: Contest) -> ContestRule:
    """The kind of a contest."""
    return world.rules.contests[now.bout.contest]


def bout_title(world: HomebrewWorld, bout: Bout) -> str:
    """What a contest is called."""
    rule = world.rules.contests.get(bout.contest)
    return bout.name or (rule.title if rule else "") or bout.contest


# ---- events


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


class ContestClosed(Told, tag="contest_closed"):
    """The contest was put away."""

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        return world.live(contest=None)

    def words(self, world: HomebrewWorld) -> str:
        now = world.now.contest
        return f"{bout_title(world, now.bout)} is {'over' if now.winner else 'put aside'}" if now else ""


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


class RoundFought(Told, tag="round_fought"):
    """A round of a contest was rolled."""

    rule = "the higher result wins the round"
    contest: Contest
    settled: dict[str, str]
    """How each group of chances came out."""

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        return world.live(contest=self.contest)

    def words(self, world: HomebrewWorld) -> str:
        each = [
            f"{world.name(who)} {faces(side.throw) or 'no dice'} = {side.result}"
            for who, side in self.contest.sides.items()
            if side.throw
        ]
        won = "; ".join(f"{winner} wins" if winner != NOBODY else "a tie" for winner in self.settled.values())
        return f"Round {self.contest.round}: {', '.join(each)}. {won}"

    def is_secret(self, world: HomebrewWorld) -> bool:
        return gives_away(world, *self.contest.sides)

    def outcome(self) -> Mapping[str, str | int]:
        return self.settled


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


# ---- choices


def bouts(world: HomebrewWorld) -> dict[str, Bout]:
    """The contests that are prepared: those of the scene that is on first."""
    out: dict[str, Bout] = {}
    for scene in sorted(world.scenes, key=lambda name: name != world.now.scene):
        out |= {f"{scene}/{name}": bout for name, bout in world.scenes[scene].contests.items()}
    return out


def why_not(world: HomebrewWorld, bout: Bout) -> str:
    """Why a prepared contest cannot begin; empty where it can."""
    missing = [who for who in (bout.who, *bout.against) if not world.is_here(who)]
    if missing:
        return f"{world.name(missing[0])} is not here"
    out = [who for who in (bout.who, *bout.against) if cannot(world, who)]
    return f"{world.name(out[0])} is out" if out else "" if bout.against else "nobody is against it"


def bout_choices(world: HomebrewWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Prepared contests."""
    return [Choice(name, bout_title(world, bout), why_not(world, bout)) for name, bout in bouts(world).items()]


def kinds(world: HomebrewWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The kinds of contests that the game has."""
    return [Choice(name, rule.title, note=rule.about) for name, rule in world.rules.contests.items()]


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
        Choice(line, line, "is in" if line in side.lines else "has served" if line in used else "", f"{dice:+d} dice")
        for line, dice in rule.lines.items()
    ]


def lines_in(world: HomebrewWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """What a party has put in."""
    now, who = world.now.contest, fields.get("party", "")
    return [Choice(line) for line in now.sides[who].lines] if now and who in now.sides else ()


# ---- opening and closing


class OpenContest(Action, tag="open_contest"):
    """Open a prepared contest."""

    title, leads_to = "open a contest", "contest"
    bout: Annotated[str, Ask(bout_choices, "contest")]

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return waits(world)

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        return _opened(world, bouts(world)[self.bout])


class NewContest(Action, tag="contest"):
    """Begin a contest: one against one or many."""

    title, key, screens, leads_to = "new contest", "n", ("contest",), "contest"
    contest: Annotated[str, Ask(kinds)]
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
    closed: tuple[Event, ...] = (ContestClosed(),) if world.now.contest else ()
    return (*closed, SpanBegan("contest"), ContestOpened(bout))


class CloseContest(Action, tag="close_contest"):
    """Put the contest away."""

    title, key, screens = "put it away", "c", ("contest",)

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return waits(world) or ("" if world.now.contest else "no contest is open")

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        return (ContestClosed(),)


# ---- what parties put in


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
    now = world.now.contest
    assert now is not None
    return now.sides[who]


# ---- the roll


def standing(now: Contest) -> list[str]:
    """The parties that are still in it."""
    return [who for who, side in now.sides.items() if not side.out]


def missing_stat(world: HomebrewWorld) -> str:
    """Why it cannot be rolled yet; empty where it can."""
    now = world.now.contest
    if now is None or not group_of_contest(world):
        return ""
    missing = [who for who in standing(now) if not now.sides[who].stat]
    return f"{world.name(missing[0])} has not chosen yet" if missing else ""


def line_dice(world: HomebrewWorld, now: Contest, who: str) -> int:
    """The dice that lines bring a party, held at the most."""
    rule, side = contest_rule(world, now), now.sides[who]
    total = sum(rule.lines.get(line, 0) for line in side.lines)
    if rule.most is None:
        return total
    return min(total, Scope(world, who, stats=_stats(world, side)).number(rule.most))


def _stats(world: HomebrewWorld, side: Side) -> dict[str, str]:
    group = group_of_contest(world)
    return {group: side.stat} if group and side.stat not in ("", NONE) else {}


def side_ready(world: HomebrewWorld, now: Contest, who: str) -> Ready:
    """The dice of a party."""
    rule = contest_rule(world, now)
    roll, side = world.rules.rolls[rule.roll], now.sides[who]
    scope = Order(rule.roll, who, _other(now, who), _stats(world, side)).scope(world)
    given = list(sources(scope, roll, {}, {}))
    if lines := line_dice(world, now, who):
        given.append(Source("lines", "dice", lines, scope))
    return ready(scope, roll, given)


def _other(now: Contest, who: str) -> str:
    """Whom a party is against: the first of the others."""
    return next((w for w in now.sides if w != who), "")


def pairs(now: Contest) -> list[tuple[str, str]]:
    """Who is compared with whom: the first with each of the others."""
    first, *rest = standing(now)
    return [(first, other) for other in rest]


def group_name(world: HomebrewWorld, now: Contest, other: str) -> str:
    """The name of the chances of one pair."""
    return "outcome" if len(pairs(now)) == 1 else f"against {world.name(other)}"


def winner_of(rule: ContestRule, first: str, other: str, margin: int) -> str:
    """Who has the round; empty for nobody."""
    if margin:
        return first if margin > 0 else other
    return {"first": first, "other": other}.get(rule.tie, "")


class RollContest(Action, tag="roll_contest"):
    """Roll a round of the contest."""

    title = "roll"

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        return building(world) or missing_stat(world)

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        now, doing = world.now.contest, Doing(world, dice)
        assert now is not None
        rule = contest_rule(world, now)
        roll = world.rules.rolls[rule.roll]
        title = roll_title(world.rules, rule.roll)
        sides = dict(now.sides)
        for who in standing(now):
            secret = gives_away(world, who)
            thrown = throw(dice, f"{world.name(who)}, {title}", side_ready(world, now, who).mine, secret=secret)
            face = hits_at(roll, Scope(world, who, roll=rule.roll))
            sides[who] = replace(sides[who], throw=thrown, result=read(thrown, how(roll), face).value)
        fought(doing, replace(now, sides=sides, stage="fallen"), rule)
        return tuple(doing.events)


def fought(doing: Doing, now: Contest, rule: ContestRule) -> None:
    """Who has the round, and what it costs whoever lost it."""
    sides, settled = dict(now.sides), dict[str, str]()
    beaten: list[tuple[str, str, int]] = []  # who lost to whom, by how much
    worst: tuple[str, int] | None = None
    for first, other in pairs(now):
        margin = sides[first].result - sides[other].result
        winner = winner_of(rule, first, other, margin)
        settled[group_name(doing.world, now, other)] = doing.world.name(winner) if winner else NOBODY
        if winner == first:
            beaten.append((other, first, margin))
        elif winner == other:
            sides[other] = replace(sides[other], won=sides[other].won + 1)
            worst = max(worst, (other, -margin), key=lambda one: one[1]) if worst else (other, -margin)
    first = next(iter(standing(now)))
    if worst is not None:
        beaten.append((first, *worst))
    elif beaten:
        sides[first] = replace(sides[first], won=sides[first].won + 1)
    doing.happen(RoundFought(replace(now, sides=sides), settled))
    for loser, winner, margin in beaten:
        scope = Scope(doing.world, loser, whom=winner, lead=loser, facts={"margin": margin, "result": margin})
        doing.do(rule.lost, scope)
    for winner in dict.fromkeys(w for _, w, _ in beaten):
        margin = max(m for _, w, m in beaten if w == winner)
        doing.do(rule.won, Scope(doing.world, winner, lead=winner, facts={"margin": margin, "result": margin}))


class NextRound(Action, tag="next_round"):
    """Begin the next round of the contest; it is over where somebody has won enough, or is left alone."""

    title = "next round"

    @classmethod
    def when(cls, world: HomebrewWorld) -> str:
        now = world.now.contest
        if now is None:
            return "no contest is open"
        return waits(world) or ("" if now.stage == "fallen" else "no round has been rolled")

    def resolve(self, world: HomebrewWorld, dice: Dice) -> tuple[Event, ...]:
        now = world.now.contest
        assert now is not None
        rule = contest_rule(world, now)
        sides = {}
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
        if winner:
            fresh = replace(now, sides=sides, stage="over", winner=winner)
        return (RoundOpened(fresh),)


def _spent(world: HomebrewWorld, now: Contest, who: str) -> bool:
    """Has every stat of a party served?"""
    some = side_stats(world.live(contest=now), {"party": who})
    return bool(some) and all(choice.closed for choice in some)


ACTIONS: tuple[type[Action], ...] = (
    OpenContest, NewContest, ChooseStat, PutIn, TakeOut, RollContest, NextRound, CloseContest,
)  # fmt: skip
EVENTS: tuple[type[Event], ...] = (ContestOpened, ContestClosed, SideChanged, RoundFought, RoundOpened)
