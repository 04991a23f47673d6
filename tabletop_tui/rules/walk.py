"""Exact odds by walking `resolve` down every face, with `policy` for the choices.

Every engine has these odds for free where the walk ends in time, and closed forms are checked against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from time import monotonic
from typing import Any, Protocol

from .dice import Dice, DiceNeeded
from .model import Action, Event
from .odds import Chance, Group, Odds

FACES = 20_000
SECONDS = 0.25
"""How far and how long the odds that every engine has for free are walked."""


class Answers(Protocol):
    """Whoever knows the default answer to a choice: an engine."""

    def policy(self, world: Any) -> Action | None:
        """As `Engine.policy`."""
        ...


class TooMany(Exception):
    """The walk would not end in reasonable time."""


def run(world: Any, action: Action, dice: Dice) -> tuple[tuple[Event, ...], Any]:
    """Resolve an action and apply what came of it."""
    events = action.resolve(world, dice)
    for event in events:
        world = event.apply(world)
    return events, world


def leaves(
    engine: Answers, world: Any, action: Action, most: int = 200_000, seconds: float = 0.0
) -> Iterator[tuple[float, dict[str, Any], Any]]:
    """Every way that an action can go: its chance, how each group of chances settled, and the world after."""
    until = monotonic() + seconds if seconds else 0.0
    # a path is what has been decided so far: (chance, outcomes, world, action under way, faces given to it)
    paths: list[tuple[float, dict[str, Any], Any, Action, tuple[int, ...]]] = [(1.0, {}, world, action, ())]
    seen = 0
    while paths:
        chance, settled, here, doing, faces = paths.pop()
        if until and monotonic() > until:
            raise TooMany(f"it takes longer than {seconds} seconds")
        try:
            events, after = run(here, doing, Dice(faces))
        except DiceNeeded as need:
            ways = prod(need.sides)
            if ways > most:
                raise TooMany(f"{ways} ways for one handful") from None
            share = chance / ways
            for more in product(*(range(1, side + 1) for side in need.sides)):
                paths.append((share, settled, here, doing, faces + more))
            continue
        settled = dict(settled)
        for event in events:
            settled.update(event.outcome())
        answer = engine.policy(after)
        if answer is not None:
            paths.append((chance, settled, after, answer, ()))
            continue
        seen += 1
        if seen > most:
            raise TooMany(f"more than {most} leaves")
        yield chance, settled, after


def walk(
    engine: Answers, world: Any, action: Action, most: int = 200_000, seconds: float = 0.0
) -> dict[str, dict[Any, float]]:
    """For each group of chances: the exact chance of each way in which it settles."""
    found: dict[str, dict[Any, float]] = {}
    for chance, settled, _ in leaves(engine, world, action, most, seconds):
        for name, value in settled.items():
            group = found.setdefault(name, {})
            group[value] = group.get(value, 0.0) + chance
    return found


def walked(engine: Answers, world: Any, action: Action, hopes: Sequence[str] = ()) -> Odds | None:
    """Odds by the walk; None where no dice fall, where nothing is settled, or where it does not end in time."""
    try:
        action.resolve(world, Dice())
        return None
    except DiceNeeded:
        pass
    try:
        found = walk(engine, world, action, FACES, SECONDS)
    except TooMany:
        return None
    groups = [_group(name, settled, hopes) for name, settled in found.items()]
    groups.sort(key=lambda group: group.at_least)  # the outcome comes first
    if not groups:
        return None
    return Odds(tuple(groups), hopes=tuple(hopes) or None)


def _group(name: str, settled: dict[Any, float], hopes: Sequence[str]) -> Group:
    if all(isinstance(value, int) for value in settled):
        chances = [
            Chance(f"≥{low}", sum(p for value, p in settled.items() if value >= low), value=low)
            for low in sorted(settled)
        ]
        return Group(name, tuple(chances), at_least=True)
    likely = sorted(settled, key=lambda label: (label not in hopes, -settled[label]))
    return Group(name, tuple(Chance(str(v), settled[v], "good" if v in hopes else "") for v in likely))
