"""The table as players know it while somebody hides."""

from __future__ import annotations

from typing import Any

from ....kit.order import as_seen
from ..world import DramaWorld, hides, of_contest, of_roll, of_task


def as_players(world: DramaWorld) -> DramaWorld:
    """The world without those who hide and without whatever they take part in; the same world where nobody does."""
    seen: DramaWorld = as_seen(world)
    if seen is world:
        return world
    now = world.now
    gone: dict[str, Any] = {}
    if hides(world, of_roll(now.roll)):
        gone["roll"] = None
    if hides(world, of_contest(now.contest)):
        gone["contest"] = None
    if hides(world, of_task(now.task)):
        gone |= {"task": None, "complex": None if now.task and now.task.chain else now.complex}
    gone["won"] = {pair: who for pair, who in now.won.items() if not hides(world, pair.split("/"))}
    gone["favour"] = "" if world.is_hidden(now.favour) else now.favour
    return seen.live(**gone)
