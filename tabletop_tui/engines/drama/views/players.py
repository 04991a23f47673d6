"""The table as players know it while somebody hides."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from ....kit.order import as_seen
from ..world import DramaWorld, hides, hides_roll, of_contest, of_task


def as_players(world: DramaWorld) -> DramaWorld:
    """The world without those who hide, whatever they take part in, and what is whispered of a roll.

    The same world where there is nothing of these.
    """
    seen: DramaWorld = as_seen(world)
    now, roll = world.now, world.now.roll
    if seen is world and not now.unseen_roll and not (roll and roll.whispered):
        return world
    gone: dict[str, Any] = {}
    if roll and roll.whispered:
        told = tuple(words for words in roll.after if words not in roll.whispered)
        gone["roll"] = replace(roll, after=told, whispered=())
    if hides_roll(world):
        gone |= {"roll": None, "unseen_roll": False}
    if hides(world, of_contest(now.contest)):
        gone["contest"] = None
    if hides(world, of_task(now.task)):
        gone |= {"task": None, "complex": None if now.task and now.task.chain else now.complex}
    gone["won"] = {pair: who for pair, who in now.won.items() if not hides(world, pair.split("/"))}
    gone["favour"] = "" if world.is_hidden(now.favour) else now.favour
    return seen.live(**gone)
