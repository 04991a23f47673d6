"""What a scene has ready: its contests, and the fight of its sides."""

from __future__ import annotations

from collections.abc import Sequence

from ...rules import Prepared
from .prepared import opening, plan_closed
from .rounds import BeginFight
from .world import FenWorld


def prepared(world: FenWorld, scene: str) -> Sequence[Prepared]:
    """The contests as they are written, then the fight."""
    plan = world.scenes[scene]
    found = [
        Prepared(
            what="contest",
            name=c.title or c.contest,
            action=opening(f"{scene}/{key}", c),
            note=f"{world.name(c.who)}: {c.contest}" if c.who else c.contest,
            closed=plan_closed(world, c),
            stakes=c.stakes,
        )
        for key, c in plan.contests.items()
    ]
    if plan.people():
        elsewhere = "" if scene == world.now.scene else "set the scene first"
        sides = " against ".join(plan.sides) or ", ".join(map(world.name, plan.cast))
        surprised = f"{', '.join(plan.surprised)} surprised" if plan.surprised else ""
        fight = Prepared(
            what="fight", name=sides, action=BeginFight(), note=surprised,
            closed=elsewhere or BeginFight.when(world),
        )  # fmt: skip
        found.append(fight)
    return found
