"""Who rolled how well: every roll against the exact chances that it had before the dice fell.

The chances are the engine's own odds of the action in the world before it, with the rules' default answer to
every choice that follows. The roll is settled by the first later outcome of the same name, whoever took which
choice on the way. It belongs to the side that rolls first in the odds, else to whoever the action names as `who`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..plugins import guarded
from ..rules import Action, Chance, Engine, Group, Model, Odds, Pool, tag_of

NEGLIGIBLE = 1e-18
"""Chances below this are cut from the ends of a distribution: it keeps sessions of 10,000 rolls quick."""


MOST = 10_000
"""Rolls whose chances are worked out: some games need a millisecond for each."""


class Roll(Model):
    """One roll and what came of it."""

    entry: int
    who: str
    """Empty where it is the whole table's."""
    action: str
    result: str
    chance: float
    """Of what the roller hoped for."""
    hoped: bool
    """Did it come true?"""
    luck: float
    """The chance of a worse result, and half of that of one as good."""
    player: bool = False
    """Is it a roll of a player's character?"""
    open: bool = False
    """Could everybody see its dice and chances?"""


class Luck(Model):
    """Somebody's rolls together."""

    who: str
    rolls: int
    expected: float
    """How many hopes the chances promised."""
    hopes: int
    """How many came true."""
    luck: float
    """The chance of fewer, and half of that of as many: 0.5 is as expected, near 1 is lucky."""


class Settled(Model):
    """How one group of chances came out in one entry, and which action it belongs to."""

    entry: int
    action: str
    group: str
    result: str | int
    roll: int = 0
    """The entry that rolled for it; 0 where no odds were known."""


class _Begun(Model):
    """A roll that lies on the table."""

    entry: int
    who: str
    action: str
    odds: Odds
    player: bool
    open: bool

    @property
    def group(self) -> Group:
        """The chances of how it comes out."""
        return self.odds.groups[0]


def name_of_action(kind: type[Action]) -> str:
    """What an action is called in a record."""
    return kind.title or tag_of(kind)


def rank(chance: Chance) -> int:
    """How well an outcome reads for the one who rolled: 2 hoped for, 0 feared, 1 between."""
    return {"good": 2, "bad": 0}.get(chance.tone, 1)


def mid_rank(group: Group, result: str | int) -> float:
    """Where a result stands among its chances: the chance of worse and half of that of as good."""
    here = next(rank(c) for c in group.chances if c.label == result)
    worse = sum(c.chance for c in group.chances if rank(c) < here)
    return worse + sum(c.chance for c in group.chances if rank(c) == here) / 2


def hopes(chances: Iterable[float]) -> dict[int, float]:
    """The chance of each number of hopes that come true, of rolls with these chances."""
    low, spread = 0, [1.0]
    for p in chances:
        grown = [0.0] * (len(spread) + 1)
        for count, q in enumerate(spread):
            grown[count] += q * (1 - p)
            grown[count + 1] += q * p
        begin, end = 0, len(grown)
        while grown[end - 1] < NEGLIGIBLE:
            end -= 1
        while grown[begin] < NEGLIGIBLE:
            begin += 1
        low, spread = low + begin, grown[begin:end]
    return {low + i: q for i, q in enumerate(spread)}


def percentile(chances: Sequence[float], true: int) -> float:
    """Where a session stands among all that it could have been: P(fewer) and half of P(as many)."""
    spread = hopes(chances)
    return min(sum(p for count, p in spread.items() if count < true) + spread.get(true, 0.0) / 2, 1.0)


def by_person(rolls: Iterable[Roll]) -> tuple[Luck, ...]:
    """Everybody's luck, in the order of their first roll."""
    each: dict[str, list[Roll]] = {}
    for roll in rolls:
        each.setdefault(roll.who, []).append(roll)
    return tuple(luck_of(who, some) for who, some in each.items())


def luck_of(who: str, rolls: Sequence[Roll]) -> Luck:
    """Somebody's rolls together."""
    chances, true = [r.chance for r in rolls], sum(r.hoped for r in rolls)
    return Luck(who, len(rolls), sum(chances), true, percentile(chances, true))


class Scorer:
    """Goes along the steps of a session and keeps score."""

    def __init__(self, engine: Engine) -> None:
        self.engine = guarded(engine)
        self.rolls: list[Roll] = []
        self.settled: list[Settled] = []
        self.failed = 0
        """Rolls whose odds the engine could not give."""
        self.asked = self.beyond = 0
        """Entries with dice whose chances were asked for, and those too many."""
        self._begun: _Begun | None = None

    def step(self, seq: int, world: Any, entry: Any) -> None:
        """One entry, and the world before it."""
        action = entry.action
        if entry.dice:
            self._begin(seq, world, action)
        found = self.engine.outcome(entry.events)
        if not found:
            return
        begun = self._begun
        mine = begun is not None and found.get(begun.group.name) in [c.label for c in begun.group.chances]
        kind, roll = (begun.action, begun.entry) if begun and mine else (name_of_action(type(action)), 0)
        self.settled += [Settled(seq, kind, group, result, roll) for group, result in found.items()]
        if begun and mine:
            self._settle(begun, str(found[begun.group.name]))
            self._begun = None

    def _begin(self, seq: int, world: Any, action: Any) -> None:
        if self.asked == MOST:
            self.beyond += 1
            self._begun = None
            return
        self.asked += 1
        try:
            odds = self.engine.odds(world, action)
            # what answers a choice belongs to the roll that lies on the table
            answer = odds is not None and not odds.pools and self.engine.policy(world) is not None
        except Exception:  # a stranger's engine that fails here costs its totals, never the record
            self.failed += 1
            return
        if odds is None or answer or not odds.groups or odds.groups[0].at_least:
            return
        who = odds.pools[0].who if odds.pools else _named(world, action)
        sheets = [s for s in world.sheets.values() if s.name == who]
        player = bool(sheets) and all(s.player for s in sheets)
        name = name_of_action(type(action))
        self._begun = _Begun(seq, who, name, odds, player, _is_open(odds))

    def _settle(self, begun: _Begun, result: str) -> None:
        self.rolls.append(
            Roll(
                begun.entry,
                begun.who,
                begun.action,
                result,
                begun.odds.hope,
                result in begun.odds.hoped,
                mid_rank(begun.group, result),
                begun.player,
                begun.open,
            )
        )


def _named(world: Any, action: Any) -> str:
    who = getattr(action, "who", "")
    return str(world.name(who)) if who in world.sheets else ""


def _is_open(odds: Odds) -> bool:
    return not odds.secret and not any(_hides(pool) for pool in odds.pools)


def _hides(pool: Pool) -> bool:
    return pool.secret or any(part.secret for part in pool.parts)


class Tally(Model):
    """How often one group of chances came out which way."""

    action: str
    group: str
    counts: dict[str, int] = {}
    """Of results that are words."""
    numbers: int = 0
    """How many results were numbers."""
    above: int = 0
    """How many of them were above 0: a lost roll may stand below it."""
    total: int = 0
    """The sum of those."""
    most: int = 0


def tallies(settled: Iterable[Settled]) -> tuple[Tally, ...]:
    """How everything came out, by action and group."""
    each: dict[tuple[str, str], list[str | int]] = {}
    for one in settled:
        each.setdefault((one.action, one.group), []).append(one.result)
    return tuple(_tally(action, group, results) for (action, group), results in each.items())


def _tally(action: str, group: str, results: Sequence[str | int]) -> Tally:
    counts: dict[str, int] = {}
    for result in results:
        if isinstance(result, str):
            counts[result] = counts.get(result, 0) + 1
    numbers = [r for r in results if isinstance(r, int)]
    above = [n for n in numbers if n > 0]
    return Tally(action, group, counts, len(numbers), len(above), sum(above), max(above, default=0))


class Dice(Model):
    """All dice of one size."""

    sides: int
    count: int
    mean: float

    @property
    def expected(self) -> float:
        """The mean of a fair die."""
        return (self.sides + 1) / 2


def dice_of(handfuls: Iterable[Any]) -> tuple[Dice, ...]:
    """Every die that fell, by its size."""
    each: dict[int, list[int]] = {}
    for sides, face in _faces(handfuls):
        sums = each.setdefault(sides, [0, 0])
        sums[0] += 1
        sums[1] += face
    return tuple(Dice(sides, n, total / n) for sides, (n, total) in sorted(each.items()))


def _faces(handfuls: Iterable[Any]) -> Iterator[tuple[int, int]]:
    for hand in handfuls:
        yield from zip(hand.sides, hand.faces, strict=False)
