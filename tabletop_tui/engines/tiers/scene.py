"""What a scene has ready: its challenges, and the fight with those whom it names."""

from __future__ import annotations

from collections.abc import Sequence

from ...kit.roster import names
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
    if others := [w for w in world.here(scene) if not world.sheets[w].player]:
        elsewhere = "" if scene == world.now.scene else "set the scene first"
        # its form asks which skill decides, and proposes the house's
        fight = Prepared(
            what="fight",
            name=names(world, others),
            action=RollOrder(skill="", who=tuple(world.here(scene))),
            note="roll for turns",
            closed=elsewhere or RollOrder.when(world),
        )
        found.append(fight)
    return found
