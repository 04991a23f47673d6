"""Dice as they fall: thrown, exploded, kept, rolled again, and read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from ...rules import Dice, Refused
from .world import MOST_DICE, Die, Group, Spec, Throw


class Read(NamedTuple):
    """What dice come to."""

    value: int
    ones: int
    tops: int


def whole(spec: Spec) -> Spec:
    """The same without dice that are not there."""
    groups = tuple(g for g in spec.groups if g.count > 0)
    return spec if len(groups) == len(spec.groups) else replace(spec, groups=groups)


def given(own: Spec, more: Spec) -> Spec:
    """Dice that are given to a roll: those of a size that it has none of are beside it, and no tops or ones of it."""
    sizes = {group.sides for group in own.groups if not group.beside}
    if not sizes:
        return more
    return replace(more, groups=tuple(replace(g, beside=g.sides not in sizes) for g in more.groups))


def throw(dice: Dice, why: str, spec: Spec, *, secret: bool = False, of: str = "") -> Throw:
    """Roll it all at once, then whatever explodes."""
    spec = whole(spec)
    if spec.count > MOST_DICE:
        raise Refused(f"{spec.count} dice are too many for one roll", remedy=f"At most {MOST_DICE}.")
    kinds = [(i, group.sides) for i, group in enumerate(spec.groups) for _ in range(group.count)]
    faces = dice.roll(why, *(sides for _, sides in kinds), secret=secret, of=of) if kinds else ()
    fallen = [Die(sides, face, i) for (i, sides), face in zip(kinds, faces, strict=True)]
    return Throw(spec, explode(dice, why, spec, fallen, range(len(fallen)), secret=secret, of=of))


def bursts(group: Group, face: int) -> bool:
    """Does a die of these explode that shows a face?"""
    return bool(group.explodes) and face >= (group.at or group.sides)


def explode(
    dice: Dice,
    why: str,
    spec: Spec,
    fallen: Sequence[Die],
    places: Iterable[int],
    *,
    secret: bool = False,
    of: str = "",
) -> tuple[Die, ...]:
    """Roll again what explodes, as often as it may."""
    out = list(fallen)
    live = [i for i in places if bursts(spec.groups[out[i].group], out[i].face)]
    while live:
        faces = dice.roll(f"{why}, exploding", *(out[i].sides for i in live), secret=secret, of=of)
        again = []
        for i, face in zip(live, faces, strict=True):
            out[i] = replace(out[i], more=(*out[i].more, face))
            group = spec.groups[out[i].group]
            if bursts(group, face) and len(out[i].more) < group.explodes:
                again.append(i)
        live = again
    return tuple(out)


def again(dice: Dice, why: str, thrown: Throw, places: Sequence[int], *, secret: bool = False, of: str = "") -> Throw:
    """Roll some dice again."""
    if not places:
        return thrown
    faces = dice.roll(f"{why}, again", *(thrown.dice[i].sides for i in places), secret=secret, of=of)
    out = list(thrown.dice)
    for i, face in zip(places, faces, strict=True):
        out[i] = Die(out[i].sides, face, out[i].group, rerolled=out[i].rerolled + 1)
    return replace(thrown, dice=explode(dice, why, thrown.spec, out, places, secret=secret, of=of))


def kept(thrown: Throw) -> list[int]:
    """The places of the dice that count."""
    out: list[int] = []
    for i, group in enumerate(thrown.spec.groups):
        places = [p for p, die in enumerate(thrown.dice) if die.group == i]
        if group.keep and len(places) > abs(group.keep):
            places.sort(key=lambda p: rank(thrown.dice[p]), reverse=group.keep > 0)
            places = places[: abs(group.keep)]
        out += places
    return sorted(out)


def rank(die: Die) -> tuple[int, bool, bool]:
    """Which of two dice is kept: the better one, and of equals one at its top rather than one that shows a 1."""
    return die.value, die.face == die.sides, die.face != 1


def read(thrown: Throw, how: str, hits: int = 0) -> Read:
    """What dice come to: their sum, the highest, the lowest, or how many are hits."""
    mine = [thrown.dice[p] for p in kept(thrown)]
    own = [die for die in mine if not thrown.spec.groups[die.group].beside]
    ones = sum(die.face == 1 for die in own)
    tops = sum(die.face == die.sides for die in own)
    if how == "hits":
        value = sum(face >= hits for die in mine for face in (die.face, *die.more))
    elif how in ("highest", "lowest"):
        value = (max if how == "highest" else min)((die.value for die in mine), default=0)
    else:
        value = sum(thrown.spec.groups[die.group].sign * die.value for die in mine)
    return Read(value + thrown.spec.plus, ones, tops)


def picked(thrown: Throw, what: str, hits: int) -> list[int]:
    """The places of the dice that a reroll is for: of those that count, or all, also those that are not kept."""
    counted = kept(thrown)
    ones = [p for p in counted if thrown.dice[p].face == 1 and not thrown.spec.groups[thrown.dice[p].group].beside]
    misses = [p for p in counted if thrown.dice[p].value < hits]
    found = {
        "all": list(range(len(thrown.dice))),
        "ones": ones,
        "a one": sorted(ones, key=lambda p: -thrown.dice[p].sides)[:1],
        "misses": misses,
        "misses but ones": [p for p in misses if p not in ones],
    }
    return sorted(found[what])


REROLLS = ("ones", "a one", "misses", "misses but ones", "all")


def lowest(thrown: Throw, count: int) -> list[int]:
    """The places of the dice that are worth rolling again: the lowest below their middle, each once."""
    free = [p for p in kept(thrown) if not thrown.dice[p].rerolled]
    poor = [p for p in free if 2 * thrown.dice[p].value <= thrown.dice[p].sides]
    return sorted(sorted(poor, key=lambda p: (thrown.dice[p].value, p))[:count])


def spelled(spec: Spec) -> str:
    """Dice in words: 2d6 + 1d4 + 2, keep highest 1."""
    out = ""
    for group in spec.groups:
        word = f"{max(group.count, 0)}d{group.sides}"
        if group.keep and abs(group.keep) < group.count:
            word += f" keep {'highest' if group.keep > 0 else 'lowest'} {abs(group.keep)}"
        if group.explodes:
            word += f" exploding{' once' if group.explodes == 1 else ''}{f' at {group.at}' if group.at else ''}"
        out += (" + " if group.sign > 0 else " − ") * bool(out) + ("−" if group.sign < 0 and not out else "") + word
    if spec.plus or not out:
        out += (f" + {spec.plus}" if spec.plus > 0 else f" − {-spec.plus}") if out else str(spec.plus)
    return out
