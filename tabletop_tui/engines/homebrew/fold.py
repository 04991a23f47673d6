"""Exact chances of dice, folded die by die; dice that are kept by order; and whole handfuls where they are looked at.

Every die is a distribution over (what it counts, shows a 1, shows its highest face). Sums, highest, lowest and hits
are folded over it, so that thirty dice take thirty steps rather than 6³⁰.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from math import comb

from .dice import Read
from .world import Die, Group, Spec

Chances = Mapping[Read, float]
WORK = 400_000
"""Steps of a fold before it is given up: about a second."""
HANDFULS = 20_000
"""Handfuls that are looked at one by one."""


class TooMuch(Exception):
    """The chances would not be known in reasonable time."""


class Fold:
    """Folds under one budget."""

    def __init__(self, how: str, hits: int = 0, *, marks: bool = True) -> None:
        self.how, self.hits, self.marks = how, hits, marks
        self.work = 0

    def spend(self, steps: int) -> None:
        """Some steps of the budget."""
        self.work += steps
        if self.work > WORK:
            raise TooMuch

    # ---- one die

    def die(self, group: Group) -> dict[Read, float]:
        """One die of a group: what it counts, and whether it shows a 1 or its highest face."""
        out: dict[Read, float] = {}
        for face in range(1, group.sides + 1):
            marks = (int(face == 1), int(face == group.sides)) if self.marks and not group.beside else (0, 0)
            for value, chance in self._values(group, face, group.explodes).items():
                counted = Read(value, *marks)
                out[counted] = out.get(counted, 0.0) + chance / group.sides
        return out

    def _values(self, group: Group, face: int, left: int) -> dict[int, float]:
        own = int(face >= self.hits) if self.how == "hits" else face
        if not left or face < (group.at or group.sides):
            return {own: 1.0}
        return {
            own + more: p for more, p in _burst(group.sides, group.at, left, self.hits, self.how == "hits").items()
        }

    # ---- all dice of a group

    def group(self, group: Group) -> dict[Read, float]:
        """What all dice of a group come to, those that are not kept left out."""
        one = self.die(group)
        if group.keep and abs(group.keep) < group.count:
            return self._kept(group, one)
        total: dict[Read, float] = {}
        for _ in range(group.count):
            total = self.joined(total, one) if total else dict(one)
        return self._signed(total, group.sign)

    def _signed(self, total: dict[Read, float], sign: int) -> dict[Read, float]:
        if sign > 0 or self.how in ("highest", "lowest", "hits"):
            return total
        return {read._replace(value=-read.value): p for read, p in total.items()}

    def _kept(self, group: Group, one: Mapping[Read, float]) -> dict[Read, float]:
        """Value by value from the end that is kept: how many dice show it decides how many of them count."""
        ordered = sorted(one.items(), key=lambda item: _rank(item[0]), reverse=group.keep > 0)
        # dice left, dice still kept, and what is kept so far
        states: dict[tuple[int, int, Read | None], float] = {(group.count, abs(group.keep), None): 1.0}
        rest = 1.0
        for read, chance in ordered:
            share = min(chance / rest, 1.0) if rest > 1e-300 else 1.0
            rest -= chance
            fresh: dict[tuple[int, int, Read | None], float] = {}
            for (left, keep, so_far), p in states.items():
                self.spend(left + 1)
                for here in range(left + 1):
                    ways = comb(left, here) * share**here * (1 - share) ** (left - here)
                    if ways:
                        kept, total = min(here, keep), so_far
                        for _ in range(kept):
                            total = read if total is None else self._plus(total, read)
                        key = (left - here, keep - kept, total)
                        fresh[key] = fresh.get(key, 0.0) + p * ways
            states = fresh
        out: dict[Read, float] = {}
        for (_, _, found), p in states.items():
            if found is not None:
                out[found] = out.get(found, 0.0) + p
        return self._signed(out, group.sign)

    def _plus(self, one: Read, other: Read) -> Read:
        ones, tops = one.ones + other.ones, one.tops + other.tops
        if self.how == "highest":
            return Read(max(one.value, other.value), ones, tops)
        if self.how == "lowest":
            return Read(min(one.value, other.value), ones, tops)
        return Read(one.value + other.value, ones, tops)

    def joined(self, one: Mapping[Read, float], other: Mapping[Read, float]) -> dict[Read, float]:
        """Two independent results read together."""
        self.spend(len(one) * len(other))
        out: dict[Read, float] = {}
        for a, p in one.items():
            for b, q in other.items():
                both = self._plus(a, b)
                out[both] = out.get(both, 0.0) + p * q
        return out

    def spec(self, spec: Spec) -> dict[Read, float]:
        """All of a roll."""
        total: dict[Read, float] = {}
        for group in spec.groups:
            if group.count > 0:
                total = self.joined(total, self.group(group)) if total else self.group(group)
        total = total or {Read(0, 0, 0): 1.0}
        return {read._replace(value=read.value + spec.plus): p for read, p in total.items()}


def _rank(one: Read) -> tuple[int, bool, bool]:
    """As `dice.rank`."""
    return one.value, bool(one.tops), not one.ones


@lru_cache(maxsize=512)
def _burst(sides: int, at: int, left: int, hits: int, counting: bool) -> dict[int, float]:
    """What a die adds that has exploded and may go on."""
    out: dict[int, float] = {}
    for face in range(1, sides + 1):
        own = int(face >= hits) if counting else face
        more = {0: 1.0}
        if left > 1 and face >= (at or sides):
            more = _burst(sides, at, left - 1, hits, counting)
        for value, p in more.items():
            out[own + value] = out.get(own + value, 0.0) + p / sides
    return out


# ---- handfuls that are looked at: for what may be rolled again


Class = tuple[Die, float]


def classes(group: Group, place: int, hits: int) -> list[Class]:
    """The faces of a die that make a difference, each with its chance.

    Where hits are counted a die is a one, a miss, a hit or at its top, and every other face is like one of these;
    otherwise `hits` is 0 and each face is its own.
    """
    if group.explodes:
        return [(die, p) for die, p in _exploded(group, place)]
    if not hits:
        return [(Die(group.sides, face, place), 1 / group.sides) for face in range(1, group.sides + 1)]
    found: dict[tuple[bool, bool, bool], tuple[int, int]] = {}
    for face in range(1, group.sides + 1):
        kind = (face == 1, face == group.sides, face >= hits)
        first, many = found.get(kind, (face, 0))
        found[kind] = (first, many + 1)
    return [(Die(group.sides, face, place), many / group.sides) for face, many in found.values()]


def _exploded(group: Group, place: int) -> Iterator[Class]:
    if group.explodes > 2:
        raise TooMuch
    for faces in _chains(group, group.explodes + 1):
        yield Die(group.sides, faces[0], place, faces[1:]), group.sides ** -float(len(faces))


def _chains(group: Group, left: int) -> Iterator[tuple[int, ...]]:
    for face in range(1, group.sides + 1):
        if left > 1 and face >= (group.at or group.sides):
            for rest in _chains(group, left - 1):
                yield (face, *rest)
        else:
            yield (face,)


Hand = tuple[Die, ...]
"""Dice in an order of their own: two hands with the same dice are one."""


def ordered(dice: Iterator[Die] | list[Die] | Hand) -> Hand:
    """Dice as a hand."""
    return tuple(sorted(dice, key=lambda d: (d.group, d.face, d.more, d.rerolled)))


def handfuls(kinds: list[tuple[int, list[Class]]]) -> dict[Hand, float]:
    """Every handful of dice, as often as each of these kinds is there, with its chance."""
    total: dict[Hand, float] = {(): 1.0}
    for count, some in kinds:
        mine = _many(count, some)
        if len(total) * len(mine) > HANDFULS:
            raise TooMuch
        total = {(*a, *b): p * q for (a, p), (b, q) in product(total.items(), mine.items())}
    return total


def _many(count: int, some: list[Class]) -> dict[Hand, float]:
    """Dice of one kind: how many show each face, and in how many ways."""
    states: dict[tuple[int, Hand], float] = {(count, ()): 1.0}
    rest = 1.0
    for die, chance in some:
        share = min(chance / rest, 1.0) if rest > 1e-300 else 1.0
        rest -= chance
        last = die is some[-1][0]
        fresh: dict[tuple[int, Hand], float] = {}
        for (left, hand), p in states.items():
            for here in range(left if last else 0, left + 1):
                ways = comb(left, here) * share**here * (1 - share) ** (left - here) if not last else 1.0
                if ways:
                    fresh[left - here, (*hand, *[die] * here)] = p * ways
        if len(fresh) > HANDFULS:
            raise TooMuch
        states = fresh
    return {hand: p for (_, hand), p in states.items()}
