"""Dice of Fen: text such as `1d4+2d8`, what is done to it and in which order, and how it falls.

Nothing here knows a table: a workbench can read an expression, change it and throw it without a campaign.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from ...rules import MOST_DICE, Choice, Dice, Model, Refused, suggest
from ...workbench import BadDice

SCALE = (4, 6, 8, 10, 12, 20)
"""The dice of the game, an increment apart."""
MOST_SIDES = 1_000
MOST_EXPLOSIONS = 100
"""Of one die. The rules know no end; a die that goes on for so long is loaded or mistyped."""
MISSING = "1d4"
"""What a skill that is not on the sheet rolls."""

Of = Literal["all", "weapon", "skill"]
"""Which dice of a throw a change is for."""
Step = Literal["increments", "doubled", "additional", "fewer", "non-explosive"]
ORDER: tuple[Step, ...] = ("increments", "doubled", "additional", "fewer", "non-explosive")
"""The usual order in which changes are made to a throw."""


class Throw(Model):
    """Dice that are about to be thrown and summed."""

    sizes: tuple[int, ...]
    """One number a die, the smallest first."""
    explosive: bool = True
    twice: bool = False
    """All of it is thrown twice and the lower total kept."""
    also: Throw | None = None
    """More dice that are summed with these, where a change is for the weapon's or the skill's alone."""

    @property
    def words(self) -> str:
        """As it is written: 1d4+2d8, with what is unusual about it."""
        plain = dice_words(self.sizes)
        plain += "" if self.explosive else ", not explosive"
        plain += ", twice, the lower" if self.twice else ""
        return f"{plain}; {self.also.words}" if self.also else plain

    @property
    def largest(self) -> int:
        """The largest size present."""
        return max(self.sizes)

    @property
    def count(self) -> int:
        """How many dice fall at first."""
        return len(self.sizes) * (1 + self.twice) + (self.also.count if self.also else 0)


class Mods(Model):
    """What is done to a throw before it falls."""

    increments: Annotated[int, Meta(ge=-5, le=5)] = 0
    """Steps up the scale, or down where negative."""
    doubled: bool = False
    additional: Annotated[int, Meta(ge=0, le=100)] = 0
    fewer: Annotated[int, Meta(ge=0, le=100)] = 0
    non_explosive: Annotated[int, Meta(ge=0, le=100)] = 0
    """So many dice that do not explode, in place of the skill's own; 0 for none of this."""

    def plus(self, more: Mods) -> Mods:
        """Both together, as if they had been said at once: nothing is doubled twice, and the table's order holds."""
        return Mods(
            self.increments + more.increments,
            self.doubled or more.doubled,
            self.additional + more.additional,
            self.fewer + more.fewer,
            self.non_explosive + more.non_explosive,
        )

    @property
    def parts(self) -> list[str]:
        """Each change in words."""
        way, steps = "up" if self.increments > 0 else "down", abs(self.increments)
        counted = (
            (steps, f"a step {way}", f"{steps} steps {way}"),
            (int(self.doubled), "doubled", ""),
            (self.additional, "one more die", f"{self.additional} more dice"),
            (self.fewer, "one die fewer", f"{self.fewer} dice fewer"),
            (self.non_explosive, "one non-explosive die", f"{self.non_explosive} non-explosive dice"),
        )
        return [one if n == 1 else several for n, one, several in counted if n]


def dice_words(sizes: Sequence[int]) -> str:
    """Dice as they are written, the smallest first."""
    return "+".join(f"{n}d{size}" for size, n in sorted(Counter(sizes).items()))


# ---- reading


def parse_dice(text: str, *, any_size: bool = False) -> Throw:
    """`3d8` or `1d4 + 2d8`; sizes off the game's scale only where `any_size` allows them."""
    return _parsed(text, any_size)


@lru_cache(maxsize=1024)
def _parsed(text: str, any_size: bool) -> Throw:
    sizes, at = _terms(text, 0, any_size)
    if at < len(text):
        raise BadDice(f"{text[at]!r} does not belong in dice", at, "Write dice such as 3d8 or 1d4+1d8.")
    return Throw(sizes)


def parse_roll(text: str, order: Sequence[Step] = ORDER, *, any_size: bool = False, counted: bool = False) -> Throw:
    """Dice and what is done to them: `2d8+1d4 additional 1 fewer 2`. `counted`: each change needs its number."""
    sizes, at = _terms(text, 0, any_size)
    mods = mods_of(text, at, counted=counted)
    return change(Throw(sizes), mods, order)


def parse_pair(text: str) -> tuple[str, str]:
    """`fight/vigor`: the aggressor's skill and the defender's."""
    parts = text.split("/")
    if len(parts) != 2:
        at = len("/".join(parts[:2])) if len(parts) > 2 else len(text)
        raise BadDice("a contest is two skills with one stroke between them", at, "Write fight/vigor, say.")
    first, second = parts[0].strip(), parts[1].strip()
    if not first or not second:
        raise BadDice("a skill is missing in this contest", len(text) if first else 0, "Write fight/vigor, say.")
    return first, second


def _blank(text: str, at: int) -> int:
    while at < len(text) and text[at] == " ":
        at += 1
    return at


def _number(text: str, at: int) -> tuple[int | None, int]:
    end = at
    while end < len(text) and text[end].isascii() and text[end].isdigit():
        end += 1
    # six digits are beyond every cap already, and int() of a very long text is slow
    return (int(text[at:end][:6]) if end > at else None), end


def _terms(text: str, at: int, any_size: bool) -> tuple[tuple[int, ...], int]:
    sizes: list[int] = []
    while True:
        at = _blank(text, at)
        some, at = _term(text, at, any_size, MOST_DICE - len(sizes))
        sizes += some
        after = _blank(text, at)
        if after >= len(text) or text[after] != "+":
            return tuple(sorted(sizes)), after
        at = after + 1


def _term(text: str, at: int, any_size: bool, room: int) -> tuple[list[int], int]:
    begin = at
    count, at = _number(text, at)
    if at >= len(text) or text[at] not in "dD":
        what = "dice are missing here" if at >= len(text) else f"{text[at]!r} where a d was expected"
        raise BadDice(what, at, "Write dice such as 3d8 or 1d4+1d8.")
    if count == 0:
        raise BadDice("there are no dice in it", begin, f"A skill that is missing rolls {MISSING}.")
    count = 1 if count is None else count
    if count > room:
        raise BadDice(f"more than {MOST_DICE:,} dice are too many", begin, f"At most {MOST_DICE:,} in one throw.")
    sides, end = _number(text, at + 1)
    if sides is None:
        raise BadDice("the number of sides is missing after the d", at + 1, "Write d8, say.")
    if any_size and not 2 <= sides <= MOST_SIDES:
        raise BadDice(f"a die of {sides:,} sides cannot be thrown", at + 1, f"From 2 to {MOST_SIDES:,} sides.")
    if not any_size and sides not in SCALE:
        raise BadDice(f"the game has no d{sides}", at + 1, f"Use {', '.join(f'd{s}' for s in SCALE)}.")
    return [sides] * count, end


WORDS = ("up", "down", "doubled", "additional", "fewer", "non-explosive")


def mods_of(text: str, at: int, *, counted: bool = False) -> Mods:
    """What is done to dice, from a place in a text to its end."""
    mods = Mods()
    while (at := _blank(text, at)) < len(text):
        end = at
        while end < len(text) and text[end] != " ":
            end += 1
        word, begin = text[at:end].lower(), at
        if word not in WORDS:
            remedy = suggest(word, [Choice(w) for w in WORDS])
            raise BadDice(f"{text[at:end]!r} is nothing that is done to dice", at, remedy)
        if word == "doubled":
            if mods.doubled:
                raise BadDice("dice are never doubled twice", begin, "Say it once.")
            mods, at = replace(mods, doubled=True), end
            continue
        count, at = _number(text, _blank(text, end))
        if count is None and counted:
            raise BadDice(f"a number is missing after {word!r}", end, f"Write {word} 1, say.")
        n = 1 if count is None else count
        if n > 100:
            raise BadDice(f"{word} {n} is too much", begin, "At most 100.")
        mods = _with(mods, word, n)
    return mods


def _with(mods: Mods, word: str, n: int) -> Mods:
    if word in ("up", "down"):
        return replace(mods, increments=mods.increments + (n if word == "up" else -n))
    name = word.replace("-", "_")
    return replace(mods, **{name: getattr(mods, name) + n})


# ---- changing


def shifted(throw: Throw, steps: int) -> Throw:
    """Every die some increments up or down, held at the ends of the scale."""
    if steps and (off := [s for s in throw.sizes if s not in SCALE]):
        raise Refused(f"a d{off[0]} has no place on the scale of increments", remedy="Only d4 to d20 go up and down.")
    last = len(SCALE) - 1
    moved = (SCALE[min(max(SCALE.index(s) + steps, 0), last)] if steps else s for s in throw.sizes)
    return replace(throw, sizes=tuple(sorted(moved)))


def doubled(throw: Throw) -> Throw:
    """Twice the number of each die."""
    return replace(throw, sizes=tuple(sorted(throw.sizes * 2)))


def with_additional(throw: Throw, n: int) -> Throw:
    """Some more of the largest size present."""
    return replace(throw, sizes=throw.sizes + (throw.largest,) * n)


def with_fewer(throw: Throw, n: int) -> Throw:
    """Some less of the largest size, down to one die; what is left over then has it thrown twice for the lower."""
    gone = min(n, len(throw.sizes) - 1)
    kept = throw.sizes[: len(throw.sizes) - gone]
    return replace(throw, sizes=kept, twice=throw.twice or n > gone)


def non_explosive(throw: Throw, n: int) -> Throw:
    """So many dice of the largest size that do not explode."""
    return replace(throw, sizes=(throw.largest,) * n, explosive=False)


def unexploding(throw: Throw) -> Throw:
    """The same dice, and none of them explodes."""
    if throw.also is None:
        return replace(throw, explosive=False)
    return _summed(replace(throw, explosive=False, also=None), unexploding(throw.also))


def _summed(first: Throw, second: Throw) -> Throw:
    """Two parts of one throw: one handful, unless they fall in different ways."""
    if first.twice or second.twice or first.explosive != second.explosive:
        return replace(first, also=second)
    return replace(first, sizes=tuple(sorted((*first.sizes, *second.sizes))))


def change(throw: Throw, mods: Mods, order: Sequence[Step] = ORDER) -> Throw:
    """A throw after all that is done to it, in the table's order."""
    steps: dict[str, Callable[[Throw], Throw]] = {
        "increments": lambda t: shifted(t, mods.increments),
        "doubled": lambda t: doubled(t) if mods.doubled else t,
        "additional": lambda t: with_additional(t, mods.additional),
        "fewer": lambda t: with_fewer(t, mods.fewer),
        "non-explosive": lambda t: non_explosive(t, mods.non_explosive) if mods.non_explosive else t,
    }
    for step in order:
        throw = steps[step](throw)
    return _counted(throw)


def _counted(throw: Throw) -> Throw:
    if throw.count > MOST_DICE:
        raise Refused(f"{throw.count:,} dice are too many", remedy=f"At most {MOST_DICE:,} in one throw.")
    return throw


def change_both(weapon: Throw, skill: Throw, mods: Mapping[Of, Mods], order: Sequence[Step] = ORDER) -> Throw:
    """A weapon's dice and a skill's in one throw, after what is done to either alone and to all of them.

    In each step of the order what is for one of them comes first. Nothing is doubled twice.
    """
    both: dict[Of, Throw] = {"weapon": weapon, "skill": skill}
    all_of_it = mods.get("all", Mods())
    for step in order:
        for name, throw in both.items():
            own = mods.get(name, Mods())
            if step in ("increments", "doubled"):  # these are for each die, and are said once for both reasons
                own = Mods(own.increments + all_of_it.increments, own.doubled or all_of_it.doubled)
            both[name] = change(throw, own, (step,))
        if step not in ("increments", "doubled"):
            both = _together(both, all_of_it, step)
    first, *rest = [t for t in both.values() if t.sizes]
    if not rest:
        return first
    return _counted(_summed(first, rest[0]))


def _together(both: dict[Of, Throw], mods: Mods, step: Step) -> dict[Of, Throw]:
    """Both after a step that is for all the dice: it falls on the largest size present."""
    if step == "non-explosive" and mods.non_explosive:
        name = _largest(both)
        return {name: non_explosive(both[name], mods.non_explosive)}
    if step == "additional" and mods.additional:
        name = _largest(both)
        return {**both, name: with_additional(both[name], mods.additional)}
    for left in range(mods.fewer if step == "fewer" else 0, 0, -1):
        name = _largest(both)
        if sum(len(t.sizes) for t in both.values()) == 1:
            return {name: with_fewer(both[name], left)}
        both = {**both, name: replace(both[name], sizes=both[name].sizes[:-1])}
        both = {n: t for n, t in both.items() if t.sizes}
    return both


def _largest(both: Mapping[Of, Throw]) -> Of:
    """Where the largest die is; of two equal ones the skill's."""
    return max(both, key=lambda name: (both[name].largest, name == "skill"))


# ---- falling


class Die(Model):
    """A die on the table: its faces in the order in which it exploded."""

    sides: int
    faces: tuple[int, ...]

    @property
    def value(self) -> int:
        """What it counts."""
        return sum(self.faces)

    @property
    def words(self) -> str:
        """8→3 is an 8 that exploded into a 3 more."""
        return "→".join(map(str, self.faces))


class Fallen(Model):
    """A throw as it lies."""

    dice: tuple[Die, ...]
    other: tuple[Die, ...] = ()
    """The higher of two totals, where a throw was made twice: it does not count."""

    @property
    def total(self) -> int:
        """What it comes to."""
        return sum(die.value for die in self.dice)

    @property
    def stopped(self) -> bool:
        """Did a die explode for so long that it was stopped?"""
        return any(len(die.faces) > MOST_EXPLOSIONS for die in (*self.dice, *self.other))

    @property
    def words(self) -> str:
        """Faces and total."""
        shown = " ".join(die.words for die in self.dice) + f" = {self.total}"
        if self.other:
            shown += f" (not kept: {sum(die.value for die in self.other)})"
        if self.stopped:
            shown += f" (a die was stopped after {MOST_EXPLOSIONS} explosions)"
        return shown


def fall(dice: Dice, why: str, throw: Throw, *, secret: bool = False, of: str = "") -> Fallen:
    """The dice fall; all that exploded in one wave fall again together, until none is at its maximum."""
    sizes = throw.sizes * (2 if throw.twice else 1)
    chains = [[face] for face in dice.roll(why, *sizes, secret=secret, of=of)]
    while throw.explosive:
        live = [i for i, size in enumerate(sizes) if chains[i][-1] == size and len(chains[i]) <= MOST_EXPLOSIONS]
        if not live:
            break
        wave = dice.roll(f"{why}: explodes", *(sizes[i] for i in live), secret=secret, of=of)
        for i, face in zip(live, wave, strict=True):
            chains[i].append(face)
    low: tuple[Die, ...] = tuple(Die(size, tuple(chain)) for size, chain in zip(sizes, chains, strict=True))
    high: tuple[Die, ...] = ()
    if throw.twice:
        both = low[: len(throw.sizes)], low[len(throw.sizes) :]
        low, high = sorted(both, key=lambda some: sum(die.value for die in some))
    more = fall(dice, why, throw.also, secret=secret, of=of) if throw.also else Fallen(())
    return Fallen((*low, *more.dice), (*high, *more.other))
