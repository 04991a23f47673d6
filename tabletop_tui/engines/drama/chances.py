"""The odds of an action, as the screens show them."""

from __future__ import annotations

from collections.abc import Mapping

from ...rules import Action, Chance, Group, Odds, Part, Pool, Refused, Tone, add_all
from .arguments import contest_sides
from .contest import RollContest
from .crew import task_sides
from .dice import pool_words
from .odds import meet, nets, ones, read
from .reading import FAILURE, MARGINAL, NEITHER, SUCCESS, draw_label, holder, pairs
from .task import RollTask
from .trial import MakeTest, Oppose, Split
from .world import Contest, DramaWorld, Side

LEVELS = (1, 2, 3, 4, 5)
"""Levels of success that are worth a chance of their own."""


def odds(world: DramaWorld, action: Action) -> Odds | None:
    """Exact odds of any roll; None for what rolls nothing or cannot be rolled as it stands."""
    try:
        if isinstance(action, MakeTest):
            return test_odds(task_sides(world, action.task(world)))
        if isinstance(action, RollTask) and world.now.task and world.now.task.lead:
            return test_odds(task_sides(world, world.now.task))
        if isinstance(action, Oppose | Split):
            return opposed_odds(world, "opposed", action.sides(world))
        if isinstance(action, RollContest) and world.now.contest and not world.now.contest.rolled:
            contest = world.now.contest
            return opposed_odds(world, "contest", contest_sides(world, contest), hides(contest))
    except Refused:
        return None
    return None


def hides(contest: Contest) -> bool:
    """Has anybody a hidden line?"""
    return any(line.hidden for party in contest.parties.values() for line in party.lines.values())


def side_nets(side: Side) -> dict[int, float]:
    """The chances of a pool's net successes."""
    return nets(side.count("base"), side.count("resistance"), side.count("drama"))


def test_odds(sides: Mapping[str, Side]) -> Odds:
    """Success, marginal, failure; everybody's nets add up."""
    pmf = add_all(side_nets(side) for side in sides.values())
    success, marginal, failure = read(pmf)
    groups = [
        Group(
            "outcome",
            (Chance(SUCCESS, success, "good"), Chance(MARGINAL, marginal, "warn"), Chance(FAILURE, failure, "bad")),
        ),
        Group("net", at_least(pmf, (1, 2, 3, 4, 5)), at_least=True),
    ]
    return Odds((*groups, *risk(next(iter(sides.values())))), pools(sides))


def at_least(pmf: Mapping[int, float], values: tuple[int, ...]) -> tuple[Chance, ...]:
    """The chance of each of some values or more; the ones that cannot be are left out."""
    found = ((v, sum(p for value, p in pmf.items() if value >= v)) for v in values)
    return tuple(Chance(f"≥{v}", p, value=v) for v, p in found if p > 0)


def risk(side: Side) -> list[Group]:
    """The chance of 1s on drama dice: penalty dice, and from two on a passion backfires."""
    drama = side.count("drama")
    if not drama:
        return []
    values = (1, 2) if drama > 1 else (1,)
    return [Group("drama 1s", at_least(ones(drama), values), at_least=True)]


def opposed_odds(world: DramaWorld, kind: str, sides: Mapping[str, Side], secret: bool = False) -> Odds:
    """Who wins, whose a draw is, and by how much."""
    groups: list[Group] = []
    met = pairs(sides)
    for key, other in met:
        first, second = sides[key], sides[other]
        leads, draw, lost, neither = meet(side_nets(first), side_nets(second))
        who, _ = holder(world, kind, first, second)
        tones: dict[str, Tone] = {"first": "good", "second": "bad", "": "warn"}
        chances = (
            Chance(f"{first.name} wins", sum(leads.values()), "good"),
            Chance(draw_label(who, first.name, second.name), draw, tones[who]),
            Chance(f"{second.name} wins", lost, "bad"),
            Chance(NEITHER, neither, "muted"),
        )
        single = len(met) == 1
        groups.append(Group("outcome" if single else f"against {second.name}", chances))
        if single:
            groups.append(Group("level", at_least(leads, LEVELS), at_least=True))
            groups += risk(first)
    dice = pools(sides, everybody=kind == "contest")
    # what the GM's own can do is a secret, and so is every chance that tells of it
    return Odds(tuple(groups), dice, secret or any(pool.secret for pool in dice))


def pools(sides: Mapping[str, Side], *, everybody: bool = False) -> tuple[Pool, ...]:
    """Everybody's dice with where they come from; an NPC's are the GM's, but for a contest's, which lie open."""
    return tuple(Pool(s.name, parts(s), secret=not (s.player or everybody)) for s in sides.values())


def parts(side: Side) -> tuple[Part, ...]:
    """A pool's pieces."""
    return tuple(
        Part(p.source, pool_words(p.base, p.resistance, p.drama), p.note, "bad" if p.resistance else "")
        for p in side.pieces
    )
