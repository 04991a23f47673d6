"""What a scene has ready: its contests, its complex tests, and turns for those whom it names."""

from __future__ import annotations

from collections.abc import Sequence

from ...kit.order import BeginEncounter
from ...kit.roster import fight
from ...rules import Prepared
from .complex import OpenComplex
from .complex import plan_closed as test_closed
from .contest import OpenContest
from .contest_pools import plan_closed
from .world import DramaWorld


def prepared(world: DramaWorld, scene: str) -> Sequence[Prepared]:
    """In the order of the file, each kind together."""
    plan = world.scenes[scene]
    found = [
        Prepared(
            what="contest",
            name=c.name,
            action=OpenContest(f"{scene}/{key}"),
            note=f"{world.name(c.first.who)} and {world.name(c.second.who)}",
            closed=plan_closed(world, c) or OpenContest.when(world),
            stakes=c.first.wants,
        )
        for key, c in plan.contests.items()
    ]
    found += [
        Prepared(
            what="complex test",
            name=test.name,
            action=OpenComplex(f"{scene}/{key}"),
            more=" → ".join(d.name for d in test.dimensions),
            closed=test_closed(world, test) or OpenComplex.when(world),
            stakes=test.stakes,
        )
        for key, test in plan.complex.items()
    ]
    return [*found, *fight(world, scene, BeginEncounter(tuple(world.here(scene))), what="turns")]
