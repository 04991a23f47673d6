"""No1 on the dice workbench: 4d8 hazard 3 ranks 2 target 5."""

from __future__ import annotations

from msgspec.structs import replace

from ...rules import Chance, Dice, Group
from ...workbench import BadDice, Bench, Chances, Fell, Reading, Scan
from .dice import HAZARD_DIE, Throw, cast_dice, fall_again, hits
from .odds import chances, fallen, left_over
from .roll import labels
from .world import MOST_POOL, MOST_RANKS, SIDES, Die, No1Rules, No1World, Roll


class No1Bench(Bench):
    """Hits, and whether a 1 is left that loses the Initiative."""

    examples = ("4d8 no1", "4d8 hazard 3 ranks 2 target 5")
    words = ("hazard", "ranks", "target")

    def __init__(self, world: No1World | None = None) -> None:
        self.rules = world.rules if world else No1Rules()

    def claims(self, text: str) -> bool:
        return any(word in text.lower().split() for word in self.words)

    def read(self, text: str) -> Reading:
        scan = Scan(text)
        begin = scan.skip().at
        count, sides = scan.dice(sizes=SIDES)
        asked = {"hazard": 0, "ranks": 0, "target": self.rules.target}
        limits = {"hazard": (0, MOST_POOL), "ranks": (0, MOST_RANKS), "target": (2, 12)}
        while not scan.done:
            at, word = scan.at, scan.word()
            if word not in asked:
                raise Scan(text, at).stray(self.words)
            asked[word] = scan.number(word, *limits[word])
        throw = Throw(count, sides, asked["hazard"])
        if throw.count + throw.hazards > MOST_POOL:
            what = f"{throw.count + throw.hazards:,} dice are too many for one roll of this game"
            raise BadDice(what, begin, f"At most {MOST_POOL}, Hazard dice included.")
        rules = replace(self.rules, target=asked["target"])
        ranks = asked["ranks"]
        words = f"{count}d{sides}" + (f" and {throw.hazards} Hazard d{HAZARD_DIE}" if throw.hazards else "")
        words += f", a face of {rules.target} or more hits" + (f", {ranks} ranks to reroll 1s" if ranks else "")
        return Reading(
            words,
            "hits",
            lambda: _chances(throw, ranks, rules.target),
            lambda d: _fall(d, throw, ranks, rules),
            goal=1,
        )


def _chances(throw: Throw, ranks: int, target: int) -> Chances:
    clean, _, found = chances(throw, ranks, target)
    keeps, loses = labels("action")
    ones: dict[int, float] = {}
    spread = left_over(fallen(throw.count, throw.hazards, throw.sides), throw.sides, ranks)
    for (own, hazard), p in spread.items():
        ones[own + hazard] = ones.get(own + hazard, 0.0) + p
    at_least = [(n, sum(p for v, p in ones.items() if v >= n)) for n in range(1, min(max(ones), 5) + 1)]
    return Chances.of(
        dict(found),
        (
            Group("outcome", (Chance(keeps, clean, "good"), Chance(loses, 1 - clean, "bad"))),
            Group("1s left", tuple(Chance(f"≥{n}", p, value=n) for n, p in at_least), at_least=True),
        ),
    )


def _fall(dice: Dice, throw: Throw, ranks: int, rules: No1Rules) -> Fell:
    lying, _ = cast_dice(dice, "roll", "", throw)
    # the default reroll: one 1 after the other while there is a rank for each, else none
    while (ones := Roll("action", "", lying).ones()) and len(ones) <= ranks:
        ranks -= 1
        lying = fall_again(dice, "roll: reroll a 1", lying, ones[:1])
    keeps, loses = labels("action")
    found = hits(rules, lying)
    shown = f"({_faces(lying, False)})" + (f" Hazard ({_faces(lying, True)})" if throw.hazards else "")
    return Fell(found, f"{shown} {found} hit{'s' if found != 1 else ''}, {loses if ones else keeps}")


def _faces(lying: tuple[Die, ...], hazard: bool) -> str:
    return " ".join(f"{d.face}" + "'" * d.rerolled for d in lying if d.hazard == hazard)
