"""Reading a roll: what it comes to, who has momentum, and what it still waits for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from .dice import net, result
from .world import (
    SUCCESSES,
    DramaWorld,
    Roll,
    Side,
    Verdict,
    person,
)

SUCCESS, MARGINAL, FAILURE, NEITHER = "success", "marginal", "failure", "neither"
DISCOMBOBULATED = "discombobulated"
MOST_LEAD = 1_000_000
"""Stands for "did not win" among leads, below every real one."""
EASIER = 2
"""Resistance that the second attempt of a complex test is spared."""


# ---- reading


def pairs(sides: Mapping[str, Side]) -> list[tuple[str, str]]:
    """The keys of those who are opposed, whoever began first."""
    found: list[tuple[str, str]] = []
    seen: set[str] = set()
    for key, side in sides.items():
        if side.against in sides and key not in seen:
            found.append((key, side.against))
            seen |= {key, side.against}
    return found


def total(roll: Roll) -> int:
    """Net successes of everybody who worked together; the price makes two of one."""
    found = sum(net(side) for side in roll.sides.values())
    paid = any(side.paid for side in roll.sides.values())
    return SUCCESSES if paid and found == SUCCESSES - 1 else found


def reading(successes: int) -> str:
    """Two or more: success; one: marginal; else failure."""
    return SUCCESS if successes >= SUCCESSES else MARGINAL if successes == SUCCESSES - 1 else FAILURE


def holder(world: DramaWorld, kind: str, first: Side, second: Side) -> tuple[Literal["", "first", "second"], str]:
    """Who has momentum, and why: the last round, the higher attribute, an advantage the GM named; or nobody."""
    contest = world.now.contest if kind == "contest" else None
    last = contest.momentum if contest else world.now.momentum if world.now.turns.running else ""
    favour = contest.favour if contest else world.now.favour
    if last in (first.who, second.who):
        return ("first" if last == first.who else "second"), "won the last round"
    if first.attribute != second.attribute:
        return ("first" if first.attribute > second.attribute else "second"), "the higher attribute"
    if favour in (first.who, second.who):
        return ("first" if favour == first.who else "second"), "an advantage that the GM named"
    return "", ""


def draw_label(who: Literal["", "first", "second"], first: str, second: str) -> str:
    """A draw, and whose it is."""
    return "draw (the GM picks)" if not who else f"draw ({first if who == 'first' else second} by momentum)"


def compare(world: DramaWorld, roll: Roll, key: str, other: str) -> tuple[Verdict, str, int]:
    """Two pools against each other: the verdict, its label among the odds, and the first one's lead."""
    first, second = roll.sides[key], roll.sides[other]
    a, b = result(first), result(second)
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


# ---- what a roll still waits for


def payable(roll: Roll) -> list[str]:
    """Players' sides that could pay the price now: one net success that would count as two."""
    if any(side.paid for side in roll.sides.values()) and roll.kind not in ("opposed", "contest"):
        return []
    if roll.kind in ("opposed", "contest"):
        return [
            key
            for key, side in roll.sides.items()
            if side.player and not side.paid and net(side) == SUCCESSES - 1 and _against(roll, side) <= SUCCESSES
        ]
    return [key for key, side in roll.sides.items() if side.player] if total(roll) == SUCCESSES - 1 else []


def _against(roll: Roll, side: Side) -> int:
    other = roll.sides.get(side.against)
    return result(other) if other else 0


def raisable(world: DramaWorld, roll: Roll) -> list[str]:
    """Players' sides with a base 4 and a Drama Point; a test that has succeeded needs none."""
    if roll.kind not in ("opposed", "contest") and total(roll) >= SUCCESSES:
        return []
    return [
        key
        for key, side in roll.sides.items()
        if side.player
        and not side.paid  # the price has made two of one already
        and side.who in world.sheets
        and person(world, side.who).drama_points > 0
        and any(d.pool == "base" and d.face == 4 and not d.raised for d in side.dice)
    ]


def undecided(world: DramaWorld, roll: Roll) -> list[tuple[str, str]]:
    """Draws that nothing decides but the GM."""
    found = []
    for key, other in pairs(roll.sides):
        a, b = result(roll.sides[key]), result(roll.sides[other])
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
