"""What a scene has ready: challenges, contests, and the fight with those whom it names."""

from __future__ import annotations

from collections.abc import Sequence

from ...kit.roster import fight
from ...rules import Prepared
from .challenge import Open, is_open
from .contest import OpenContest, bout_title, why_not
from .progress import plan_title
from .turns import Begin
from .world import HomebrewWorld


def prepared(world: HomebrewWorld, scene: str) -> Sequence[Prepared]:
    """As they are written, then the fight."""
    plan = world.scenes[scene]
    found = [
        Prepared(
            what="challenge",
            name=plan_title(world, one),
            action=Open(f"{scene}/{key}"),
            note=" · ".join(f"{name} {said}" for name, said in one.says.items()),
            more=" · ".join(one.keywords),
            closed=Open.when(world) or is_open(world, one),
            stakes=one.stakes,
        )
        for key, one in plan.challenges.items()
    ]
    found += [
        Prepared(
            what="contest",
            name=bout_title(world, bout),
            action=OpenContest(f"{scene}/{key}"),
            note=f"{world.name(bout.who)} against {', '.join(map(world.name, bout.against))}",
            closed=OpenContest.when(world) or why_not(world, bout),
            stakes=bout.stakes,
        )
        for key, bout in plan.contests.items()
    ]
    free = world.rules.turns.order == "free"
    return found if free else [*found, *fight(world, scene, Begin(tuple(world.here(scene))))]
