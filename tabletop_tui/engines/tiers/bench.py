"""Tiers of Power on the dice workbench: 4d4, 3 gamma, 2d6+1d8 reroll 1 fortunate, 4d6 vs 3d6."""

from __future__ import annotations

from msgspec.structs import replace

from ...rules import MOST_DICE, Chance, Dice, Group, Model
from ...workbench import BadDice, Bench, Chances, Fell, Reading, Scan, halves
from .chances import highest, led, margins
from .dice import compare, default_rerolls, die_words, explode, reroll, throw_side, ties_won
from .odds import challenge_group
from .world import SIDES, TIERS, Challenge, Plan, Roll, Side, Tier, TiersRules, TiersWorld

BY_SIDES: dict[int, Tier] = {SIDES[tier][0]: tier for tier in TIERS if len(SIDES[tier]) == 1}
MOST_LED = 20
"""Dice of a pool with rerolls."""


class Thrown(Model):
    """One side: its dice in the order in which they were written, and the help it has."""

    tiers: tuple[Tier, ...]
    rerolls: int = 0
    fortunate: bool = False

    @property
    def main(self) -> Tier:
        """The tier that breaks ties: the one written first."""
        return self.tiers[0]

    @property
    def helped(self) -> bool:
        """Is anything rerolled?"""
        return bool(self.rerolls or self.fortunate)

    @property
    def bonus(self) -> Tier | None:
        """The Bonus Die, if the pool is dice of one tier and one of another."""
        return self.tiers[-1] if self.tiers[-1] != self.main else None

    @property
    def words(self) -> str:
        """As the table would say it."""
        counts = {tier: self.tiers.count(tier) for tier in self.tiers}
        dice = " + ".join(f"{n} {tier} ({die_words(tier, n)})" for tier, n in counts.items())
        help = [f"reroll {self.rerolls}"] if self.rerolls else []
        help += ["Fortunate"] if self.fortunate else []
        return ", ".join([dice, *help])

    def side(self, name: str) -> Side:
        """As a side of a roll, before its dice fall."""
        return Side(name, "", self.main, self.tiers.count(self.main))

    def chances(self, rules: TiersRules) -> dict[int, float]:
        """The chance of each result."""
        if not self.helped:
            return highest(rules, self.tiers)
        plain = len(self.tiers) - (self.bonus is not None)
        return led(rules, self.main, plain, self.bonus, self.rerolls, self.fortunate)


class TiersBench(Bench):
    """The highest die of a pool, each exploding once."""

    examples = ("4d4 tiers", "4d6 vs 3d6 tiers", "2 beta + 1 charlie reroll 1 fortunate")
    words = (*TIERS, "reroll", "fortunate", "vs")

    def __init__(self, world: TiersWorld | None = None) -> None:
        self.rules = world.rules if world else TiersRules()

    def claims(self, text: str) -> bool:
        return any(word in text.lower() for word in (*TIERS, "fortunate", "reroll"))

    def read(self, text: str) -> Reading:
        first, second = halves(text)
        mine = self._side(first)
        if not second:
            return Reading(
                f"the highest die of {mine.words}, a maximum explodes once",
                "highest die",
                lambda: Chances.of(mine.chances(self.rules)),
                lambda dice: self._one(dice, mine),
            )
        theirs = self._side(second)
        return Reading(
            f"{mine.words} against {theirs.words}, the highest die each",
            "margin",
            lambda: self._opposed(mine, theirs),
            lambda dice: self._clash(dice, mine, theirs),
            goal=1,
        )

    def _side(self, text: str) -> Thrown:
        scan = Scan(text)
        begin = scan.skip().at
        tiers: list[Tier] = []
        while True:
            tiers += self._dice(scan, MOST_DICE - len(tiers))
            scan.skip()
            if not scan.take("+"):
                break
        found = Thrown(tuple(tiers))
        while not scan.done:
            at, word = scan.at, scan.word()
            if word == "reroll":
                found = replace(found, rerolls=scan.number(word, 1, MOST_LED))
            elif word == "fortunate":
                found = replace(found, fortunate=True)
            else:
                raise Scan(text, at).stray(self.words)
        if found.helped and len(tiers) > MOST_LED:
            raise BadDice(f"{len(tiers)} dice are too many to reroll some", begin, f"At most {MOST_LED}.")
        plain = tiers[: len(tiers) - (found.bonus is not None)]
        if found.helped and len(set(plain)) > 1:
            remedy = "Dice of one tier, and at most one of another behind them: the Bonus Die."
            raise BadDice("no rule says how such a mixed pool is rerolled", begin, remedy)
        return found

    def _dice(self, scan: Scan, room: int) -> list[Tier]:
        """`4d6`, or `4 beta`."""
        begin = scan.skip().at
        count = scan.digits()
        at, word = scan.skip().at, scan.word()
        if word in TIERS:
            if count == 0 or (count or 1) > room:
                raise BadDice(f"{count:,} dice cannot be thrown", begin, f"From 1 to {MOST_DICE:,} in one throw.")
            return [tier for tier in TIERS if tier == word] * (1 if count is None else count)
        if len(word) > 1:
            raise Scan(scan.text, at).stray(self.words)
        scan.at = begin
        n, sides = scan.dice(room, tuple(BY_SIDES))
        return [BY_SIDES[sides]] * n

    # ---- chances

    def _opposed(self, mine: Thrown, theirs: Thrown) -> Chances:
        gaps = margins(mine.chances(self.rules), theirs.chances(self.rules))
        tie_first = ties_won(self.rules, mine.side(""), mine.tiers, theirs.side(""), theirs.tiers)
        challenge = challenge_group(Challenge(Plan("", theirs.main, 1)), gaps, tie_first)
        wins = challenge.chances[0].chance
        tie = f"a tie goes to the {'first' if tie_first else 'second'}"
        return Chances.of(
            gaps,
            (
                Group("outcome", (Chance("wins", wins, "good"), Chance("loses", 1 - wins, "bad"))),
                Group(tie, (Chance("tie", gaps.get(0, 0.0), "muted"),), at_least=True),
                replace(challenge, name="as a challenge"),
            ),
        )

    # ---- falling

    def _throw(self, dice: Dice, thrown: Thrown, name: str) -> Side:
        side = throw_side(dice, thrown.side(name), thrown.tiers)
        if thrown.fortunate:
            side = reroll(dice, side, [i for i, d in enumerate(side.dice) if d.face == 1], f"{name}: Fortunate")
        if thrown.rerolls:
            side = reroll(dice, side, default_rerolls(self.rules, side, thrown.rerolls), f"{name}: reroll")
        return explode(self.rules, dice, side)

    def _one(self, dice: Dice, thrown: Thrown) -> Fell:
        side = self._throw(dice, thrown, "pool")
        return Fell(side.result, _words(side))

    def _clash(self, dice: Dice, mine: Thrown, theirs: Thrown) -> Fell:
        roll = Roll("opposed", "settle", self._throw(dice, mine, "first"), self._throw(dice, theirs, "second"))
        won = compare(self.rules, roll).winner == "first"
        words = f"{_words(roll.first)} against {_words(roll.second)}: {'wins' if won else 'loses'}"
        return Fell(roll.first.result - roll.second.result, words)


def _words(side: Side) -> str:
    faces = " ".join(d.words + ("'" if d.rerolled else "") for d in side.dice)
    return f"({faces}) highest {side.result}"
