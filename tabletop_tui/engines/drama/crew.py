"""Who takes part in a prepared test: their pools, helping hands, drama dice, and what can be chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ...rules import Choice, Refused
from .building import (
    DIFFICULTIES,
    able_ones,
    attribute,
    gift_pieces,
    resisting,
    side,
)
from .reading import EASIER
from .world import ATTRIBUTES, Complex, DramaWorld, Gift, Piece, Side, Task


def task_now(world: DramaWorld) -> Task:
    """The test that is being prepared."""
    if world.now.task is None:
        raise Refused("no test is being prepared", remedy="Open one first.")
    return world.now.task


# ---- the pools


def opposition(world: DramaWorld, task: Task) -> list[Piece]:
    """What everybody who rolls has against them: difficulty, whoever resists, the dimension."""
    found = [DIFFICULTIES[task.difficulty]] if task.difficulty in DIFFICULTIES else []
    if task.target and (piece := resisting(world, task.target, task.resist)):
        found.append(piece)
    chain = world.now.complex
    if task.chain and chain is not None and not chain.outcome:
        found.append(dimension_piece(chain))
    return found


def dimension_piece(chain: Complex) -> Piece:
    """The resistance of the dimension that is tried; the second attempt has less."""
    dimension = chain.plan.dimensions[chain.at]
    dice = max(dimension.resistance - (EASIER if chain.tried else 0), 0)
    return Piece(dimension.name, resistance=dice, note="second attempt" if chain.tried else "first attempt")


def hand_piece(world: DramaWorld, who: str, which: str, using: str) -> Piece:
    """A helper's attribute, doubled as the other's is in an attribute test."""
    twice = 2 if using in ATTRIBUTES else 1
    value = attribute(world.sheets[who], which)
    return Piece(f"{world.name(who)} lends a hand: {which}", max(value * twice, 0), note=f"{twice} × {value}")


def task_sides(world: DramaWorld, task: Task) -> dict[str, Side]:
    """Everybody's pool before it falls; the lead's has the helping hands in it."""
    against = opposition(world, task)
    sides = {}
    for who in sorted(task.crew, key=lambda w: w != task.lead):
        extra = [task.more] if who == task.lead else [Piece(task.more.source, resistance=task.more.resistance)]
        if who == task.lead:
            extra += [hand_piece(world, w, which, task.crew[who].using) for w, which in task.hands.items()]
        extra += gift_pieces(world, task.gifts, who)
        sides[who] = side(world, who, task.crew[who], [*against, *extra])
    return sides


# ---- choices


def _mine(task: Task, who: str) -> str:
    return "leads already" if who == task.lead else "lends a hand" if who in task.hands else ""


def free_hands(world: DramaWorld, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody but the lead."""
    task = world.now.task
    if task is None or not task.lead:
        return []
    return [replace(c, closed=c.closed or _mine(task, c.value)) for c in able_ones(world, fields)]


def crew(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who rolls."""
    task = world.now.task
    return [Choice(w, world.name(w)) for w in task.crew] if task else []


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
    if not reason.strip():
        raise Refused("a drama die needs a reason", remedy="Say how it adds to the drama.")
    before = gifts.get(who)
    if why := gave(gifts, who, each):
        raise Refused(why)
    if before is None:
        return Gift(to, reason.strip())
    if before.to != to:
        raise Refused("their drama dice in this test go to somebody else", remedy="Give to the same one.")
    return Gift(to, f"{before.reason}; {reason.strip()}", before.dice + 1)


def targets(world: DramaWorld, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Whoever could resist."""
    return [Choice("", "nobody"), *(Choice(w, world.name(w)) for w in world.present())]
