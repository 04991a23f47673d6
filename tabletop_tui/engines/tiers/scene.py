"""What a scene has ready: its challenges, and the fight with those whom it names."""

from __future__ import annotations

from collections.abc import Sequence

from ...kit.roster import fight
from ...rules import Prepared
from .challenge import Open
from .initiative import RollOrder
from .world import TiersWorld


def prepared(world: TiersWorld, scene: str) -> Sequence[Prepared]:
    """The challenges as they are written, then the fight."""
    plan = world.scenes[scene]
    found = [
        Prepared(
            what="challenge",
            name=c.name,
            action=Open(f"{scene}/{key}"),
            note=f"{c.tier} {c.dice}",
            more=" · ".join(c.keywords),
            closed=Open.when(world),
            stakes=c.stakes,
        )
        for key, c in plan.challenges.items()
    ]
    # its form asks which skill decides, and proposes the house's
    turns = RollOrder(skill="", who=tuple(world.here(scene)))
    return [*found, *fight(world, scene, turns, note="roll for turns")]
