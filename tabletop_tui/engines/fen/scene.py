"""What a scene has ready: its contests, and the fight of its sides."""

from __future__ import annotations

from collections.abc import Sequence

from ...rules import Prepared
from .prepared import opening, plan_closed, without
from .rounds import BeginFight
from .world import FenWorld, Plan


def prepared(world: FenWorld, scene: str) -> Sequence[Prepared]:
    """The contests as they are written, then the fight."""
    plan = world.scenes[scene]
    found = [
        Prepared(
            what="contest",
            name=c.title or c.contest,
            action=opening(f"{scene}/{key}", c),
            note=_note(world, c),
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


def _note(world: FenWorld, plan: Plan) -> str:
    about = f"{world.name(plan.who)}: {plan.contest}" if plan.who else plan.contest
    return ", ".join(filter(None, (about, without(world, plan))))
