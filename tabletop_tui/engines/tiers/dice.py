"""Dice of Tiers of Power: one die a rank, explode once, the single highest counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from ...rules import Dice
from .world import SIDES, Die, Roll, Side, TieBreak, Tier, TiersRules, number


def top(rules: TiersRules, tier: Tier) -> int:
    """From which face on a die explodes: its maximum."""
    return rules.omega_explodes_at if tier == "omega" else SIDES[tier][0]


def at_top(rules: TiersRules, die: Die) -> bool:
    """Does it show its maximum?"""
    return die.face >= top(rules, die.tier)


def die_words(tier: Tier, count: int) -> str:
    """Dice as they are written: 3d6; omega dice are d6+d20."""
    sides = "+".join(f"d{n}" for n in SIDES[tier])
    return f"{count}{sides}" if tier != "omega" else f"{count}×({sides})"


def throw(dice: Dice, why: str, tiers: Sequence[Tier], *, secret: bool = False, of: str = "") -> list[int]:
    """One handful of tier dice; an omega die is a d6 and a d20 added together."""
    faces = iter(dice.roll(why, *(side for tier in tiers for side in SIDES[tier]), secret=secret, of=of))
    return [sum(next(faces) for _ in SIDES[tier]) for tier in tiers]


def throw_side(dice: Dice, side: Side, tiers: Sequence[Tier], *, secret: bool = False) -> Side:
    """A side's pool falls."""
    why = f"{side.name}: {side.skill}" if side.skill else side.name
    faces = throw(dice, why, tiers, secret=secret, of=side.who)
    return replace(side, dice=tuple(Die(t, f) for t, f in zip(tiers, faces, strict=True)))


def reroll(dice: Dice, side: Side, places: Iterable[int], why: str) -> Side:
    """Some dice of a side are rerolled."""
    chosen = sorted(places)
    faces = throw(dice, why, [side.dice[i].tier for i in chosen], of=side.who)
    again = {i: Die(side.dice[i].tier, face, rerolled=True) for i, face in zip(chosen, faces, strict=True)}
    return replace(side, dice=tuple(again.get(i, die) for i, die in enumerate(side.dice)))


def explode(rules: TiersRules, dice: Dice, side: Side, *, secret: bool = False) -> Side:
    """Dice at their maximum are rolled once more and the two add; the second roll never explodes."""
    places = [i for i, die in enumerate(side.dice) if at_top(rules, die) and not die.again]
    faces = throw(dice, f"{side.name}: explodes", [side.dice[i].tier for i in places], secret=secret, of=side.who)
    again = {i: replace(side.dice[i], again=face) for i, face in zip(places, faces, strict=True)}
    return replace(side, dice=tuple(again.get(i, die) for i, die in enumerate(side.dice)))


def compare(rules: TiersRules, roll: Roll) -> Roll:
    """Higher result, then higher tier, then higher rank, then whoever began; a tie-break has margin 0."""
    if roll.fixed:
        return roll
    gap = roll.first.result - roll.second.result
    won, tie = break_tie(rules, roll.first, roll.second)
    if gap:
        won, tie = gap > 0, ""
    return replace(roll, winner="first" if won else "second", margin=abs(gap), tie=tie)


def break_tie(rules: TiersRules, first: Side, second: Side) -> tuple[bool, TieBreak]:
    """Does the first side win a tie, and what decides: tier, then rank, then who began it."""
    if first.tier != second.tier:
        return number(first.tier) > number(second.tier), "tier"
    mine, theirs = (tie_rank(rules, side) for side in (first, second))
    return mine >= theirs, "first" if mine == theirs else "rank"


def ties_won(rules: TiersRules, first: Side, mine: Sequence[Tier], second: Side, theirs: Sequence[Tier]) -> bool:
    """Does the first side win a tie? Known before any die has fallen."""
    laid = [
        Side("", "", s.tier, s.rank, (Die(s.tier, 1),) * len(dice)) for s, dice in ((first, mine), (second, theirs))
    ]
    return break_tie(rules, *laid)[0]


def tie_rank(rules: TiersRules, side: Side) -> int:
    """What counts on a tie between equal tiers: the rank as written, unless the house counts dice."""
    return len(side.dice) if rules.tie_rank == "pool" else side.rank


def tie_words(rules: TiersRules, roll: Roll) -> str:
    """A tie and what broke it: "7 to 7: 5 dice beat rank 3"; empty where there was none."""
    if not roll.tie or roll.fixed:
        return ""
    won, lost = roll.won, roll.lost
    if roll.tie == "tier":
        why = f"{won.tier} beats {lost.tier}"
    elif roll.tie == "rank":
        # a challenge has no rank: its dice count as written
        in_dice = [rules.tie_rank == "pool" or not side.who for side in (won, lost)]
        high, low = (
            f"{n} {'die' if n == 1 else 'dice'}" if dice else f"rank {n}"
            for n, dice in zip((tie_rank(rules, won), tie_rank(rules, lost)), in_dice, strict=True)
        )
        why = f"{high} {'beat' if in_dice[0] and tie_rank(rules, won) > 1 else 'beats'} {low}"
    else:
        why = f"{won.name} began it"
    return f"{won.result} to {lost.result}: {why}"


def default_rerolls(rules: TiersRules, side: Side, most: int) -> tuple[int, ...]:
    """The dice that a sensible Lead rerolls; odds assume the same.

    Keep the best die (one at its maximum counts above any other; of equal faces the smaller die is kept, and one
    that may not be rerolled before one that may); leave those at their maximum; of the rest the lowest go, of
    equal faces the larger die first. A lone die goes when it shows half its faces or fewer.
    """
    if most <= 0:
        return ()
    if len(side.dice) == 1:
        die = side.dice[0]
        low = die.face * 2 <= sum(SIDES[die.tier]) and not die.rerolled and not at_top(rules, die)
        return (0,) if low else ()
    places = range(len(side.dice))
    size = {i: sum(SIDES[side.dice[i].tier]) for i in places}
    best = max(
        places,
        key=lambda i: (at_top(rules, d := side.dice[i]), d.face, -size[i], d.rerolled, -i),
    )
    free = [i for i in places if i != best and not side.dice[i].rerolled and not at_top(rules, side.dice[i])]
    free.sort(key=lambda i: (side.dice[i].face, -size[i], i))
    return tuple(sorted(free[:most]))
