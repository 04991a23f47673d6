"""A round of a contest: its dice, who has it, and what comes next."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from ...kit.asking import sure
from ...kit.told import Told
from ...rules import Action, Dice, Event
from .asking import NONE
from .bands import hits_at, how
from .contest import RoundOpened, building, contest_rule, group_of_contest, onward, standing
from .dice import read, throw
from .effects import Doing, gives_away
from .game import ContestRule
from .gives import Ready, Source, ready, sources
from .making import Order
from .rolls import waits
from .scope import Scope
from .thrown import faces
from .world import Contest, HomebrewWorld, Side, roll_title

NOBODY = "nobody"


def round_words(name: str) -> str:
    """How a round comes out, by the name of who has it: of the round alone, as it may take several to win."""
    return f"{name} has the round" if name != NOBODY else "a tie"


class RoundFought(Told, tag="round_fought"):
    """A round of a contest was rolled."""

    rule = "the higher result wins the round"
    contest: Contest
    settled: dict[str, str]
    """Who has it, by the name of each group of chances."""

    def apply(self, world: HomebrewWorld) -> HomebrewWorld:
        return world.live(contest=self.contest)

    def words(self, world: HomebrewWorld) -> str:
        each = [
            f"{world.name(who)} {faces(side.throw) or 'no dice'} = {side.result}"
            for who, side in self.contest.sides.items()
            if side.throw
        ]
        won = "; ".join(map(round_words, self.settled.values()))
        return f"Round {self.contest.round}: {', '.join(each)}. {won[:1].upper()}{won[1:]}"

    def is_secret(self, world: HomebrewWorld) -> bool:
        return gives_away(world, *self.contest.sides)

    def outcome(self) -> Mapping[str, str | int]:
        return {group: round_words(name) for group, name in self.settled.items()}


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
            thrown = throw(
                dice, f"{world.name(who)}, {title}", side_ready(world, now, who).mine, secret=secret, of=who
            )
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
        return (RoundOpened(onward(world, sure(world.now.contest))),)


ACTIONS: tuple[type[Action], ...] = (RollContest, NextRound)
EVENTS: tuple[type[Event], ...] = (RoundFought,)
