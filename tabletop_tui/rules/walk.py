"""The oracle: exact odds by walking `resolve` down every face, with `policy` for the choices."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from .dice import Dice, DiceNeeded
from .engine import Engine
from .model import Action, Event


class TooMany(Exception):
    """The walk would not end in reasonable time."""


def run(world: Any, action: Action, dice: Dice) -> tuple[tuple[Event, ...], Any]:
    """Resolve an action and apply what came of it."""
    events = action.resolve(world, dice)
    for event in events:
        world = event.apply(world)
    return events, world


def leaves(
    engine: Engine, world: Any, action: Action, most: int = 200_000
) -> Iterator[tuple[float, dict[str, Any], Any]]:
    """Every way that an action can go: its chance, how each group of chances settled, and the world after."""
    # a path is what has been decided so far: (chance, outcomes, world, action under way, faces given to it)
    paths: list[tuple[float, dict[str, Any], Any, Action, tuple[int, ...]]] = [(1.0, {}, world, action, ())]
    seen = 0
    while paths:
        chance, settled, here, doing, faces = paths.pop()
        try:
            events, after = run(here, doing, Dice(faces))
        except DiceNeeded as need:
            ways = 1
            for side in need.sides:
                ways *= side
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


def walk(engine: Engine, world: Any, action: Action, most: int = 200_000) -> dict[str, dict[Any, float]]:
    """For each group of chances: the exact chance of each way in which it settles."""
    found: dict[str, dict[Any, float]] = {}
    for chance, settled, _ in leaves(engine, world, action, most):
        for name, value in settled.items():
            group = found.setdefault(name, {})
            group[value] = group.get(value, 0.0) + chance
    return found


def differences(engine: Engine, world: Any, action: Action, most: int = 200_000) -> list[str]:
    """Where an engine's odds and the walk disagree by more than 1e-9; empty where they agree."""
    odds = engine.odds(world, action)
    if odds is None:
        return ["the engine gives no odds for this action"]
    truth = walk(engine, world, action, most)
    wrong = []
    for group in odds.groups:
        exact = truth.get(group.name, {})
        for c in group.chances:
            if group.at_least:
                want = sum(p for v, p in exact.items() if v >= (c.value or 0))
            else:
                want = exact.get(c.label, 0.0)
            if abs(want - c.chance) > 1e-9:
                wrong.append(f"{group.name} {c.label}: {c.chance!r} instead of {want!r}")
        total = sum(c.chance for c in group.chances)
        if not group.at_least and abs(total - 1) > 1e-9:
            wrong.append(f"{group.name} sums to {total!r}")
    return wrong
