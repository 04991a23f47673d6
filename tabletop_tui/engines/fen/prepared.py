"""Contests that a scene has prepared: which there are, and how one is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from ...rules import Ask, Choice, Dice, Event, Refused
from .contest import BeginsContest, cannot, open_anew, spelled, standing
from .hiding import lies_in_wait
from .world import Contest, Defender, FenWorld, Plan


def plans(world: FenWorld) -> dict[str, Plan]:
    """Every prepared contest as scene/contest, those of the scene that is on first."""
    scenes = sorted(world.scenes.items(), key=lambda kv: kv[0] != world.now.scene)
    return {f"{s}/{c}": plan for s, scene in scenes for c, plan in scene.contests.items()}


def plan_closed(world: FenWorld, plan: Plan) -> str:
    """Why a prepared contest cannot be opened; empty where it can, or where its aggressor is asked for."""
    why = cannot(world, plan.who) if plan.who else ""
    return f"{world.name(plan.who)} is {why}" if why else ""


def without(world: FenWorld, plan: Plan) -> str:
    """Who was prepared and is left out when the contest opens, as they lie in wait; empty for nobody."""
    names = [world.name(w) for w in plan.against if not cannot(world, w) and lies_in_wait(world, w)]
    return f"without {', '.join(names)}, unseen" if names else ""


def prepared(world: FenWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The prepared contests, closed where the aggressor cannot begin them."""
    return [
        Choice(i, p.title or p.contest, plan_closed(world, p), without(world, p)) for i, p in plans(world).items()
    ]


def aggressors(world: FenWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who stands, the one first for whom the contest was prepared."""
    plan = plans(world).get(fields.get("contest", ""))
    return sorted(standing(world, fields), key=lambda c: plan is None or c.value != plan.who)


class Open(BeginsContest, tag="open"):
    """Open a prepared contest."""

    title = "open a contest"
    key = "o"
    contest: Annotated[str, Ask(prepared)]
    who: Annotated[str, Ask(aggressors, first=True)] = ""

    def resolve(self, world: FenWorld, dice: Dice) -> tuple[Event, ...]:
        plan = plans(world)[self.contest]
        who = self.who or plan.who
        if cannot(world, who):
            what = f"{world.name(who)} cannot be the aggressor" if who else "nobody was prepared as the aggressor"
            raise Refused(what, remedy="Name somebody who is there and standing.")
        skill, using = spelled(world, plan.contest)
        # nobody is given away by opening what was prepared: the unseen are put in one by one
        able = [w for w in plan.against if not cannot(world, w) and not lies_in_wait(world, w)]
        against = {w: Defender() for w in able if w != who}
        opened = Contest(who, skill, using, plan.title, against, plan.stakes, plan.risk, plan.effect, plan.hidden)
        return open_anew(world, opened)


class OpenBy(Open, tag="open_by"):
    """Open a prepared contest for which nobody was prepared as the aggressor."""

    title = "open a contest, and say who begins it"
    screens = ()
    who: Annotated[str, Ask(aggressors)]


def opening(where: str, plan: Plan) -> Open:
    """What opens a prepared contest; its form asks for the aggressor where none was prepared."""
    return Open(where) if plan.who else OpenBy(where, "")
