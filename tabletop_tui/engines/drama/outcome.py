"""What a roll comes to, and what it still waits for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from .dice import net
from .momentum import holder
from .world import SUCCESSES, DramaWorld, Roll, Side, Verdict, person

SUCCESS, MARGINAL, FAILURE, NEITHER = "success", "marginal", "failure", "neither"


OPPOSED = ("opposed", "contest")
"""Kinds of roll with sides against each other."""
MOST_LEAD = 1_000_000
"""Stands for "did not win" among leads, below every real one."""


def pairs(sides: Mapping[str, Side]) -> list[tuple[str, str]]:
    """The keys of those who are opposed, whoever began first."""
    found: list[tuple[str, str]] = []
    seen: set[str] = set()
    for key, side in sides.items():
        if side.against in sides and key not in seen:
            found.append((key, side.against))
            seen |= {key, side.against}
    return found


def members(sides: Mapping[str, Side], key: str) -> list[str]:
    """The keys of a side and of those who work together with it."""
    return [key, *(k for k, side in sides.items() if side.joins == key)]


def _successes(roll: Roll, keys: Iterable[str]) -> int:
    sides = [roll.sides[key] for key in keys]
    found = sum(net(side) for side in sides)
    return SUCCESSES if found == SUCCESSES - 1 and any(side.paid for side in sides) else found


def total(roll: Roll) -> int:
    """Net successes of everybody who worked together; the price makes two of one."""
    return _successes(roll, roll.sides)


def successes(roll: Roll, key: str) -> int:
    """Net successes of a side that is opposed, and of those who work together with it."""
    return _successes(roll, members(roll.sides, key))


def reading(successes: int) -> str:
    """Two or more: success; one: marginal; else failure."""
    return SUCCESS if successes >= SUCCESSES else MARGINAL if successes == SUCCESSES - 1 else FAILURE


def draw_label(who: Literal["", "first", "second"], first: str, second: str) -> str:
    """A draw, and whose it is."""
    return "draw (the GM picks)" if not who else f"draw ({first if who == 'first' else second} by momentum)"


def compare(world: DramaWorld, roll: Roll, key: str, other: str) -> tuple[Verdict, str, int]:
    """Two pools against each other: the verdict, its label among the odds, and the first one's lead."""
    first, second = roll.sides[key], roll.sides[other]
    a, b = successes(roll, key), successes(roll, other)
    if max(a, b) < SUCCESSES:
        return Verdict(NEITHER), NEITHER, -MOST_LEAD
    if a != b:
        winner = key if a > b else other
        lead = a - b if a > b else -MOST_LEAD
        label = f"{roll.sides[winner].name} wins"
        return Verdict(label, winner, abs(a - b)), label, lead
    who, why = holder(world, roll.kind, first, second)
    label = draw_label(who, first.name, second.name)
    winner = {"first": key, "second": other}.get(who) or roll.picks.get(key, key)
    given = "the GM picks" if key in roll.picks else "the GM leaves it with whoever began"
    by = f"momentum: {why}" if who else f"level in everything: {given}"
    return Verdict(label, winner, 0, by), label, 0 if winner == key else -MOST_LEAD


# ---- what can still be done about it, where it can change how it comes out


def standing(world: DramaWorld, roll: Roll, key: str, mine: int) -> int:
    """How a side stands with so many successes: 2 where it wins, 1 where the GM picks, else 0."""
    side = roll.sides[key]
    theirs = successes(roll, side.against)
    if mine < SUCCESSES or mine < theirs:
        return 0
    who, _ = holder(world, roll.kind, side, roll.sides[side.against])
    picked = roll.picks.get(key) or roll.picks.get(side.against)
    if mine > theirs or who == "first" or (not who and picked == key):
        return 2
    return 0 if who or picked else 1


def helps(world: DramaWorld, roll: Roll, key: str, more: int) -> bool:
    """Could so many more successes, or the price on top of them, change who wins?"""
    mine = successes(roll, key)
    reached = {mine + step for step in range(more + 1)}
    if SUCCESSES - 1 in reached and any(roll.sides[k].player for k in members(roll.sides, key)):
        reached.add(SUCCESSES)
    now = standing(world, roll, key, mine)
    return any(standing(world, roll, key, one) > now for one in reached)


def payable(world: DramaWorld, roll: Roll) -> list[str]:
    """Players' sides that could pay the price now: one net success would count as two, and that would help."""
    if roll.kind in OPPOSED:
        firsts = [k for pair in pairs(roll.sides) for k in pair if successes(roll, k) == SUCCESSES - 1]
        ready = [m for k in firsts if helps(world, roll, k, 0) for m in members(roll.sides, k)]
    else:
        ready = list(roll.sides) if total(roll) == SUCCESSES - 1 and worth_paying(world, roll) else []
    return [key for key in ready if roll.sides[key].player]


def worth_paying(world: DramaWorld, roll: Roll) -> bool:
    """Is the price less than what success brings? A recovery test only takes penalty dice away."""
    return roll.kind != "recovery" or world.rules.price < world.rules.recovery_dice


def lift(world: DramaWorld, side: Side) -> int:
    """How many base 4s of a player's side could be raised with the Drama Points that they have."""
    if not side.player or side.who not in world.sheets:
        return 0
    fours = sum(d.pool == "base" and d.face == 4 and not d.raised for d in side.dice)
    return min(person(world, side.who).drama_points, fours)


def raisable(world: DramaWorld, roll: Roll) -> list[str]:
    """Players' sides with a base 4 and a Drama Point that could change how it comes out."""
    found: list[str] = []
    if roll.kind not in OPPOSED:
        now, idle = total(roll), roll.kind == "recovery" and not world.rules.recovery_dice
        most = now + worth_paying(world, roll) + sum(lift(world, side) for side in roll.sides.values())
        if now < SUCCESSES <= most and not idle:
            found = list(roll.sides)
    else:
        for key in (k for pair in pairs(roll.sides) for k in pair):
            team = members(roll.sides, key)
            paid = any(roll.sides[k].paid for k in team)  # the price has made two of one already
            if not paid and helps(world, roll, key, sum(lift(world, roll.sides[k]) for k in team)):
                found += team
    return [key for key in found if lift(world, roll.sides[key])]


def undecided(world: DramaWorld, roll: Roll) -> list[tuple[str, str]]:
    """Draws that nothing decides but the GM."""
    found = []
    for key, other in pairs(roll.sides):
        a, b = successes(roll, key), successes(roll, other)
        level = a == b and a >= SUCCESSES
        if level and key not in roll.picks and not holder(world, roll.kind, roll.sides[key], roll.sides[other])[0]:
            found.append((key, other))
    return found


def pending(world: DramaWorld) -> Roll | None:
    """The roll that waits for a choice."""
    roll = world.now.roll
    return roll if roll is not None and roll.stage == "choose" else None


def waiting(world: DramaWorld) -> str:
    """Why nothing else can be rolled now."""
    return "the dice on the table wait for a choice" if pending(world) else ""
