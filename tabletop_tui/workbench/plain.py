"""Plain sums of dice, which every game knows: 3d6+2, 4d6kh3, 1d20-1, 3d8 vs 2d10."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from math import comb, cos, pi, prod, sin

from ..rules.dice import MOST_DICE, Dice
from ..rules.errors import Refused
from ..rules.model import Model
from ..rules.odds import Chance, Group, Tone
from .bench import MOST_NUMBER, MOST_WORK, Bench, Chances, Fell, Reading, still_wanted
from .scan import BadDice, Scan, halves

DIRECT = 200_000
"""Dice times length of a table up to which every way is counted in whole numbers."""
REACH = 10.5
"""Standard deviations from the mean within which a long table is kept; all beyond has a chance below 1e-23."""
MOST_KEPT = 10_000_000
"""Steps of keeping some of many dice: about a second."""
SMALL = 1e-19
"""What is smaller is nothing beside the digits of a float."""
_NUMBER, _DIE, _KEEP = (
    re.compile(r"[0-9]+(?![0-9dD])"),
    re.compile("[dD][0-9%]|[dD]$"),
    re.compile("k([hl])", re.IGNORECASE),
)


class Term(Model):
    """Some dice of a sum, or a number."""

    sign: int
    count: int
    sides: int = 0
    """0 for a plain number."""
    keep: int = 0
    """So many of them count: the highest, or the lowest where negative; 0 for all."""

    @property
    def words(self) -> str:
        """As it is written."""
        if not self.sides:
            return f"{self.count:,}"
        kept = f" (the {'highest' if self.keep > 0 else 'lowest'} {abs(self.keep)})" if self.keep else ""
        return f"{self.count}d{self.sides}{kept}"


class Plain(Bench):
    """Sums that need no game."""

    examples = ("4d6kh3 + 2", "1d20 + 5 >= 15", "3d8 vs 2d10")

    def __init__(self, known: Sequence[str] = ()) -> None:
        self.known = known

    def read(self, text: str) -> Reading:
        """A sum, or one sum against another."""
        first, second = halves(text)
        mine = terms(first, self.known)
        theirs = terms(second, self.known) if second else ()
        if sum(t.count for t in (*mine, *theirs) if t.sides) > MOST_DICE:
            raise BadDice(f"more than {MOST_DICE:,} dice are too many", len(text), f"At most {MOST_DICE:,} in all.")
        if not theirs:
            return Reading(
                f"the sum of {_words(mine)}", "total", lambda: Chances.of(sums(mine)), lambda d: fall(d, mine)
            )
        both = mine + tuple(Term(-t.sign, t.count, t.sides, t.keep) for t in theirs)
        return Reading(
            f"{_words(mine)} against {_words(theirs)}",
            "margin",
            lambda: _against(both),
            lambda d: _clash(d, mine, theirs),
            goal=1,
        )


def terms(text: str, known: Sequence[str] = ()) -> tuple[Term, ...]:
    """Dice and numbers with their signs."""
    scan = Scan(text)
    found: list[Term] = []
    room = MOST_DICE
    sign = -1 if scan.skip().take("-−") else 1
    while True:
        begin = scan.skip().at
        if number := _NUMBER.match(text, begin):
            scan.at = number.end()
            value = int(number[0][:9])
            if value > MOST_NUMBER:
                raise BadDice(f"{number[0][:9]} is too large a number", begin, f"At most {MOST_NUMBER:,}.")
            found.append(Term(sign, value))
        else:
            if scan.text[begin : begin + 1].isalpha() and not _DIE.match(text, begin):
                raise scan.stray(known)
            count, sides = scan.dice(room)
            room -= count
            found.append(Term(sign, count, sides, _kept(scan, count)))
        if scan.done:
            break
        sign = {"+": 1, "-": -1, "−": -1}.get(scan.take("+-−"), 0)
        if not sign:
            raise scan.stray(known)
    if not any(t.sides for t in found):
        raise BadDice("there are no dice here", len(text.rstrip()), "Write 3d6+2, say.")
    return tuple(found)


def _kept(scan: Scan, count: int) -> int:
    match = _KEEP.match(scan.text, scan.at)
    if match is None:
        return 0
    scan.at = match.end()
    keep = scan.number(match[0].lower(), 1, count)
    return 0 if keep == count else keep if match[1] in "hH" else -keep


def _words(found: Sequence[Term]) -> str:
    out = ""
    for term in found:
        sign = "−" if term.sign < 0 else "+"
        out += f" {sign} {term.words}" if out else f"{'−' if term.sign < 0 else ''}{term.words}"
    return out


# ---- chances


def sums(found: Sequence[Term]) -> dict[int, float]:
    """The chance of each total."""
    plain: Counter[int] = Counter()
    offset, kept = 0, []
    for term in found:
        if not term.sides:
            offset += term.sign * term.count
        elif term.keep:
            kept.append({term.sign * v: p for v, p in highest(term.count, term.sides, term.keep).items()})
        else:
            plain[term.sides] += term.count
            if term.sign < 0:  # a die that is taken away is a die that is added, less its sides and one
                offset -= term.count * (term.sides + 1)
    low, table = total(tuple(sorted(plain.items()))) if plain else (0, (1.0,))
    out = {low + offset + i: p for i, p in enumerate(table) if p > 0.0}
    for one in kept:
        out = _joined(out, one)
    return out


def _joined(first: dict[int, float], second: dict[int, float]) -> dict[int, float]:
    if len(first) * len(second) > MOST_WORK:
        raise Refused("exact chances of so many dice would take too long", remedy="Ask for fewer or smaller dice.")
    # rows of chances added one over the other: several times faster than value by value
    long, short = (first, second) if len(first) >= len(second) else (second, first)
    low, high = min(long), max(long)
    row = [long.get(v, 0.0) for v in range(low, high + 1)]
    least = min(short)
    out = [0.0] * (len(row) + max(short) - least)
    for value, q in short.items():
        still_wanted()
        at = value - least
        out[at : at + len(row)] = [a + q * p for a, p in zip(out[at : at + len(row)], row, strict=True)]
    return {low + least + i: p for i, p in enumerate(out) if p > 0.0}


@lru_cache(maxsize=8)  # a table may hold 200,000 chances
def total(counts: tuple[tuple[int, int], ...]) -> tuple[int, tuple[float, ...]]:
    """The least total of so many dice of so many sides, and the chance of it and of each one after it."""
    dice = sum(n for _, n in counts)
    length = sum(n * (sides - 1) for sides, n in counts) + 1
    return counted(counts) if dice * length <= DIRECT else waves(counts)


def counted(counts: tuple[tuple[int, int], ...]) -> tuple[int, tuple[float, ...]]:
    """By counting every way, a die at a time: a window over running sums. Exact."""
    ways, least = [1], 0
    for sides, n in counts:
        for _ in range(n):
            least += 1
            running = list(accumulate([*ways, *[0] * (sides - 1)]))
            ways = [a - b for a, b in zip(running, [0] * sides + running, strict=False)]
    every = prod(sides**n for sides, n in counts)
    return least, tuple(w / every for w in ways)


def waves(counts: tuple[tuple[int, int], ...]) -> tuple[int, tuple[float, ...]]:
    """Of many dice: from the waves that the table is made of.

    The wave of frequency w in the table of one die of s sides has the height sin(sw/2) / (s sin(w/2)), and heights
    of independent dice multiply. They fall so fast that a few dozen waves are all there are beside the digits of a
    float; in a table at least as long as the reach of the sum nothing comes round from its other end.
    """
    least, most = sum(n for _, n in counts), sum(n * sides for sides, n in counts)
    middle = (least + most) / 2
    deviation = sum(n * (sides * sides - 1) / 12 for sides, n in counts) ** 0.5
    low, high = max(least, int(middle - REACH * deviation)), min(most, int(middle + REACH * deviation) + 1)
    size = high - low + 1
    out = [1.0] * size
    for k in range(1, size // 2 + 1):
        still_wanted()
        w = 2 * pi * k / size
        # sin(w/2) is at least w/pi, so no wave from here on is higher than this
        if prod(min(1.0, pi / (sides * w)) ** n for sides, n in counts) < SMALL:
            break
        height = prod((sin(sides * w / 2) / (sides * sin(w / 2))) ** n for sides, n in counts)
        if abs(height) > SMALL:
            once = 1.0 if 2 * k == size else 2.0
            out = [p + once * height * cos(w * (t - middle)) for t, p in enumerate(out, low)]
    return low, tuple(p / size if p > 0.0 else 0.0 for p in out)


@lru_cache(maxsize=64)
def highest(count: int, sides: int, keep: int) -> dict[int, float]:
    """The sum of the highest dice, or of the lowest where `keep` is negative: face by face from the top.

    Once enough dice are placed the others may show anything below, so only what is placed before counts: a table of
    `keep` × its sums, whatever the number of dice.
    """
    if keep < 0:  # the lowest of some dice are the highest, counted from the other side
        return {-keep * (sides + 1) - v: p for v, p in highest(count, sides, -keep).items()}
    # every number in the table has as many digits as there are ways for all the dice to fall
    digits = 1 + count * sides.bit_length() // 512
    states = 1 + keep * (keep - 1) // 2 * sides
    if sides * states * keep * digits > MOST_KEPT:
        raise Refused(
            "exact chances of keeping some of so many dice would take too long", remedy="Ask for fewer dice."
        )
    every = sides**count
    ways: dict[tuple[int, int], int] = {(0, 0): 1}
    done: dict[int, int] = {}
    for face in range(sides, 0, -1):
        after: dict[tuple[int, int], int] = {}
        lists = {placed: _placing(count - placed, keep - placed, face) for placed in {p for p, _ in ways}}
        for (placed, value), n in ways.items():
            still_wanted()
            some, enough = lists[placed]
            for here, times in enumerate(some):
                key = placed + here, value + face * here
                after[key] = after.get(key, 0) + n * times
            total_ = value + face * (keep - placed)
            done[total_] = done.get(total_, 0) + n * enough
        ways = after
    return {value: n / every for value, n in sorted(done.items()) if n}


def _placing(left: int, needed: int, face: int) -> tuple[list[int], int]:
    """Of the dice that are left: in how many ways fewer than needed show a face, each number of them by itself;
    and in how many at least so many do, with the others below it."""
    some = [comb(left, here) for here in range(needed)]
    below = face - 1
    enough = face**left - sum(times * below ** (left - here) for here, times in enumerate(some))
    return some, enough


def _against(both: Sequence[Term]) -> Chances:
    gaps = sums(both)
    ways: tuple[tuple[str, Tone, float], ...] = (
        ("higher", "good", sum(p for v, p in gaps.items() if v > 0)),
        ("equal", "muted", gaps.get(0, 0.0)),
        ("lower", "bad", sum(p for v, p in gaps.items() if v < 0)),
    )
    return Chances.of(gaps, (Group("outcome", tuple(Chance(label, p, tone) for label, tone, p in ways)),))


# ---- falling


def fall(dice: Dice, found: Sequence[Term], why: str = "dice") -> Fell:
    """All of it in one handful."""
    faces = iter(dice.roll(why, *(t.sides for t in found if t.sides for _ in range(t.count))))
    value, out = 0, ""
    for term in found:
        if term.sides:
            fell = [next(faces) for _ in range(term.count)]
            kept = sorted(fell, reverse=term.keep >= 0)[: abs(term.keep) or term.count]
            worth = sum(kept)
            text = "(" + " ".join(map(str, fell)) + ")" + (f" keep {' '.join(map(str, kept))}" if term.keep else "")
        else:
            worth, text = term.count, f"{term.count}"
        value += term.sign * worth
        sign = "−" if term.sign < 0 else "+"
        out += f" {sign} {text}" if out else ("−" if term.sign < 0 else "") + text
    return Fell(value, f"{out} = {value}")


def _clash(dice: Dice, mine: Sequence[Term], theirs: Sequence[Term]) -> Fell:
    first, second = fall(dice, mine, "first"), fall(dice, theirs, "second")
    gap = first.value - second.value
    word = "higher" if gap > 0 else "lower" if gap < 0 else "equal"
    return Fell(gap, f"{first.words} against {second.words}: {word}")
