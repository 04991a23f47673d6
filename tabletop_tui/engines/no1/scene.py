"""What a scene has ready: its encounter."""

from __future__ import annotations

from collections.abc import Sequence

from ...rules import Prepared
from .encounter import Begin, nobody_there
from .world import No1World


def prepared(world: No1World, scene: str) -> Sequence[Prepared]:
    """The encounter with the scene's foes."""
    plan = world.scenes[scene]
    foes = ", ".join(
        world.name(who) + (f" ×{foe.count}" if foe.count > 1 else "")
        for who, foe in plan.foes.items()
        if who in world.sheets
    )
    timer = f" · {plan.timer} rounds" if plan.timer else ""
    return [
        Prepared(
            what="encounter",
            name=foes or plan.title,
            action=Begin(scene),
            note=f"Challenge {plan.challenge}{timer}",
            closed=nobody_there(world, scene) or Begin.when(world),
        )
    ]
