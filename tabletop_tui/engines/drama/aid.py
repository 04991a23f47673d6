"""Aid: lending a hand, working together, adding to the drama."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ...kit.asking import said
from ...rules import Action, Ask, Choice, Dice, Event, Refused
from .building import able_ones, attribute_choices, own_approaches, side, used_attribute
from .campaign import ATTRIBUTES
from .task import TaskChanged, WithLead, crew, task_now, without
from .world import DramaWorld, Entry, Gift, Task

NO_REASON = ("a drama die needs a reason", "Say how it adds to the drama.")


def helps_already(task: Task, who: str) -> str:
    """Why somebody cannot begin to help; empty where they can."""
    return "leads already" if who == task.lead else "lends a hand" if who in task.hands else ""


def task_hands(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody but the lead."""
    task = world.now.task
    if task is None or not task.lead:
        return []
    return [replace(c, closed=c.closed or helps_already(task, c.value)) for c in able_ones(world, fields)]


def helpers(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who helps the lead."""
    task = world.now.task
    if task is None:
        return []
    return [Choice(w, world.name(w)) for w in (*task.hands, *task.crew) if w != task.lead]


def task_givers(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Whoever has not given a drama die yet."""
    task = world.now.task
    given = task.gifts if task else {}
    each = world.rules.drama_dice_each
    return [Choice(w, world.name(w), gave(given, w, each)) for w in world.present()]


def gave(gifts: Mapping[str, Gift], who: str, each: int) -> str:
    """Why somebody has no drama die left to give to this test."""
    if not each:
        return "this table gives no drama dice away"
    found = gifts.get(who)
    return "" if found is None or found.dice < each else "has given to this test"


def add_gift(gifts: Mapping[str, Gift], who: str, to: str, reason: str, each: int) -> Gift:
    """One more drama die from somebody, with a reason."""
    reason, before = said(reason, *NO_REASON), gifts.get(who)
    if why := gave(gifts, who, each):
        raise Refused(why)
    if before is None:
        return Gift(to, reason)
    if before.to != to:
        raise Refused("their drama dice in this test go to somebody else", remedy="Give to the same one.")
    return Gift(to, f"{before.reason}; {reason}", before.dice + 1)


def gifts(who: Sequence[str], to: str, reason: str) -> dict[str, Gift]:
    """Drama dice from some people, all for one reason."""
    return {giver: Gift(to, said(reason, *NO_REASON)) for giver in who}


def givers(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Whoever could add to the drama: anybody, whether they are in it or not."""
    why = "" if world.rules.drama_dice_each else "this table gives no drama dice away"
    return [Choice(w, world.name(w), why) for w in world.present()]


def others(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody else who can act."""
    return [c for c in able_ones(world, fields) if c.value != fields.get("who")]


class LendHand(WithLead, tag="lend"):
    """Lend a hand: an attribute is added to the lead's pool."""

    title = "lend a hand"
    done_by = "who"
    key = "h"
    who: Annotated[str, Ask(task_hands)]
    attribute: Annotated[str, Ask(attribute_choices, first=True)] = ""

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        task = task_now(world)
        which = self.attribute or used_attribute(world, task.lead, task.crew[task.lead])
        lent = replace(without(task, self.who), hands={**task.hands, self.who: which})
        return (TaskChanged(lent, f"{world.name(self.who)} lends a hand with {which}"),)


class WorkTogether(WithLead, tag="work_together"):
    """Work together: roll a pool of your own with the full resistance; the nets add up, negatives too."""

    title = "work together"
    done_by = "who"
    key = "w"
    who: Annotated[str, Ask(task_hands)]
    using: Annotated[str, Ask(own_approaches)] = ""
    attribute: Annotated[str, Ask(attribute_choices, first=True)] = ""

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        task = task_now(world)
        entry = Entry(self.using or default_work(world, self.who, task.crew[task.lead].using), self.attribute)
        side(world, self.who, entry)
        joined = replace(task, crew={**task.crew, self.who: entry})
        return (TaskChanged(joined, f"{world.name(self.who)} works with them: {entry.using.rpartition(':')[2]}"),)


class WorkWith(WorkTogether, tag="work_with"):
    """Work together with a skill of their own, where they do not have the Lead's."""

    title = "work together, another skill"
    key = ""
    using: Annotated[str, Ask(own_approaches)]


def shares(world: DramaWorld, who: str, using: str) -> bool:
    """Has somebody the skill that another uses? Everybody has attributes."""
    return using in world.sheets[who].skills or using in ATTRIBUTES


def default_work(world: DramaWorld, who: str, using: str) -> str:
    """The Lead's skill; who does not have it says which one they use."""
    if shares(world, who, using):
        return using
    what = using.rpartition(":")[2]
    raise Refused(f"{world.name(who)} does not have {what}", remedy="Say which skill they use.")


class StepBack(WithLead, tag="step_back"):
    """Somebody no longer helps."""

    title = "step back"
    done_by = "who"
    who: Annotated[str, Ask(helpers)]

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        return (TaskChanged(without(task_now(world), self.who), f"{world.name(self.who)} steps back"),)


class AddDrama(WithLead, tag="add_drama"):
    """Add to the drama: give a drama die to somebody in the test, with a reason."""

    title = "drama die"
    done_by = "who"
    key = "d"
    who: Annotated[str, Ask(task_givers, "from")]
    to: Annotated[str, Ask(crew)]
    reason: Annotated[str, Meta(max_length=120)]

    def resolve(self, world: DramaWorld, dice: Dice) -> tuple[Event, ...]:
        task = task_now(world)
        gift = add_gift(task.gifts, self.who, self.to, self.reason, world.rules.drama_dice_each)
        what = f"{world.name(self.who)} adds to the drama for {world.name(self.to)}: {self.reason.strip()}"
        return (TaskChanged(replace(task, gifts={**task.gifts, self.who: gift}), what),)


ACTIONS: tuple[type[Action], ...] = (LendHand, WorkTogether, WorkWith, StepBack, AddDrama)
