"""Drama in History on the dice workbench: 5Bd 3Rd 2Dd, and one pool vs another."""

from __future__ import annotations

import re

from ...rules import Chance, Dice, Group
from ...workbench import BadDice, Bench, Chances, Fell, Reading, Scan, halves, less
from .dice import pool_words, result, side_words, throw
from .odds import meet, side_nets, test_groups
from .outcome import NEITHER
from .world import MOST_POOL, SUCCESSES, WHICH, DramaWorld, Piece, Side, Which

SIGNS: dict[str, Which] = {which[0]: which for which in WHICH}


class DramaBench(Bench):
    """Net successes of base, resistance and drama dice."""

    examples = ("5Bd 3Rd 2Dd", "5Bd vs 4Bd 1Rd")
    words = ("vs",)

    def __init__(self, world: DramaWorld | None = None) -> None:
        del world  # no house rule changes how dice are read

    def claims(self, text: str) -> bool:
        return re.search(r"(?<!\w)[0-9]*[brd]d(?!\w)", text, re.IGNORECASE) is not None

    def read(self, text: str) -> Reading:
        one, other = halves(text)
        if not other:
            side = _side(one, "pool")
            return Reading(
                f"{pool_words(*side.pieces)}, net successes",
                "net successes",
                lambda: Chances.of(side_nets(side), [g for g in test_groups({"": side}) if g.name != "net"]),
                lambda dice: _fall(dice, side),
                goal=SUCCESSES,
            )
        first, second = _side(one, "first"), _side(other, "second")
        return Reading(
            f"{pool_words(*first.pieces)} against {pool_words(*second.pieces)}",
            "lead in net successes",
            lambda: _opposed(first, second),
            lambda dice: _clash(dice, first, second),
            goal=1,
        )


def _side(text: str, name: str) -> Side:
    scan = Scan(text)
    counts: dict[Which, int] = {}
    while not scan.done:
        scan.take("+")
        begin = scan.skip().at
        count = scan.digits()
        place, word = scan.at, scan.word()
        which = SIGNS.get(word[0]) if len(word) == 2 and word[1] == "d" else None
        if which is None:
            if word and count is None:
                raise Scan(text, place).stray(("5Bd", "3Rd", "2Dd", "vs"))
            raise BadDice("Bd, Rd or Dd was expected here", place, "Write 5Bd 3Rd 2Dd: base, resistance, drama.")
        if count == 0:
            raise BadDice("there are no dice in it", begin, "Leave them out.")
        counts[which] = counts.get(which, 0) + (1 if count is None else count)
        if counts[which] > MOST_POOL:
            raise BadDice(f"{counts[which]:,} {which} dice are too many", begin, f"At most {MOST_POOL} of a kind.")
    base, resistance, drama = (counts.get(which, 0) for which in WHICH)
    return Side("", name, (Piece("", base, resistance, drama),))


def _opposed(first: Side, second: Side) -> Chances:
    mine, theirs = side_nets(first), side_nets(second)
    leads, draw, other, neither = meet(mine, theirs)
    shown = (
        Chance("first wins", sum(leads.values()), "good"),
        Chance("draw: momentum decides", draw, "warn"),
        Chance("second wins", other, "bad"),
        Chance(NEITHER, neither, "muted"),
    )
    return Chances.of(less(mine, theirs), (Group("outcome", shown),))


def _fall(dice: Dice, side: Side) -> Fell:
    fallen = throw(dice, side)
    return Fell(result(fallen), _said(fallen))


def _clash(dice: Dice, first: Side, second: Side) -> Fell:
    one, other = throw(dice, first), throw(dice, second)
    return Fell(result(one) - result(other), f"{_said(one)} against {_said(other)}")


def _said(side: Side) -> str:
    return side_words(side).removeprefix(f"{side.name} ")
