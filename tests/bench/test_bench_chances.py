"""Chances of expressions, checked two ways: throwing every face, and another library."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import prod

import icepool
import level
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop_tui import plugins
from tabletop_tui.engines.fen import bench as fen_bench
from tabletop_tui.engines.fen.dice import ORDER, SCALE, Mods, Throw, change
from tabletop_tui.engines.fen.distribution import distribution
from tabletop_tui.rules import Dice, DiceNeeded, Refused
from tabletop_tui.workbench import Benches, Chances, Reading
from tabletop_tui.workbench.bench import Unwanted, while_wanted
from tabletop_tui.workbench.plain import counted, highest, sums, terms, total, waves

BENCHES = Benches(tuple(plugins.load_all().engines.values()))


def walked(reading: Reading, least: float = 0.0) -> tuple[dict[int, float], float]:
    """The chance of each value by throwing every face, and all that was left out as rarer than `least`."""
    found: dict[int, float] = {}
    left_out = 0.0
    paths: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    while paths:
        faces, p = paths.pop()
        if p < least:
            left_out += p
            continue
        try:
            value = reading.throw(Dice(faces)).value
        except DiceNeeded as need:
            share = p / prod(need.sides)
            paths += [(faces + more, share) for more in product(*(range(1, side + 1) for side in need.sides))]
            continue
        found[value] = found.get(value, 0.0) + p
    return found, left_out


@pytest.mark.parametrize(
    "text",
    [
        "3d6+2", "1d20-1", "2d4-1d6+3", "-d6", "4d6kh3", "3d8kl2+1d4", "2d20kl1", "2d6 vs 1d8+1", "4d4kh2 vs 3d4kl1",
        "4d4 tiers", "2d6 tiers", "1d4+1d6 tiers", "omega", "2d4 vs 2d4 tiers", "1d6 vs 2d4 tiers",
        "3d4 reroll 1", "2d4+1d6 reroll 1 fortunate", "1d6 fortunate", "2d4 fortunate vs 1d6",
        "3d6 no1", "2d8 hazard 2", "2d6 hazard 1 ranks 1", "3d4 ranks 2 target 3", "1d12 target 12",
        "3Bd 2Rd", "2Rd", "2Bd vs 2Bd 1Rd",
        "2d4 non-explosive 2", "1d4 non-explosive 1 / 1d6 non-explosive 1", "1d8 fewer 1 non-explosive 1",
    ],
)  # fmt: skip
def test_chances_are_those_of_throwing_every_face(text: str) -> None:
    reading = BENCHES.read(text)
    chances, (truth, left_out) = reading.work(), walked(reading)
    assert left_out == 0
    assert chances.pmf.keys() == truth.keys()
    assert all(abs(chances.pmf[v] - p) < 1e-12 for v, p in truth.items())
    for number in range(chances.low - 1, chances.high + 3):
        assert abs(chances.at_least(number) - sum(p for v, p in truth.items() if v >= number)) < 1e-12
    for group in chances.groups:
        if not group.at_least:
            assert abs(sum(c.chance for c in group.chances) - 1) < 1e-12


@pytest.mark.parametrize(
    "text", ["1d4 fen", "1d4+1d6 fen", "1d6 / 1d4", "1d8 fewer 1", "1Dd", "1Bd 1Dd", "1Dd vs 1Bd"]
)
def test_chances_of_dice_that_roll_on_are_those_of_throwing_them_far_enough(text: str) -> None:
    reading = BENCHES.read(text)
    chances, (truth, left_out) = reading.work(), walked(reading, 1e-7)
    assert left_out < 1e-3
    assert all(-1e-12 < chances.pmf[v] - p < left_out + 1e-12 for v, p in truth.items())
    assert abs(sum(chances.table) - 1) < 1e-12


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("2d4 vs 2d4 tiers", "wins"),
        ("2d6 hazard 1 ranks 1", "Initiative kept"),
        ("2Bd 1Rd", "success"),
        ("2Bd vs 2Bd", "first wins"),
        ("2d4 non-explosive 2 / 1d6 non-explosive 1", "aggressor wins"),
        ("2d6 vs 1d8", "higher"),
    ],
)
def test_the_outcome_is_that_of_the_words_when_every_face_is_thrown(text: str, good: str) -> None:
    said = {"aggressor wins": "the aggressor wins", "success": "", "first wins": ""}.get(good, good)
    reading = BENCHES.read(text)
    outcome = {c.label: c.chance for c in reading.work().groups[0].chances}
    truth = 0.0
    paths: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    while paths:
        faces, p = paths.pop()
        try:
            fell = reading.throw(Dice(faces))
        except DiceNeeded as need:
            share = p / prod(need.sides)
            paths += [(faces + more, share) for more in product(*(range(1, side + 1) for side in need.sides))]
            continue
        parts = fell.words.replace("−", "-").split(" against ")
        nets = [int(part.split("net ")[1]) for part in parts] if not said else []
        truth += p * (nets[0] >= 2 and nets[0] > max(nets[1:], default=-99) if nets else fell.words.endswith(said))
    assert abs(outcome[good] - truth) < 1e-12


# ---- plain sums


ICEPOOLS = {
    "3d6+2": lambda: 3 @ icepool.d6 + 2,
    "4d6kh3": lambda: icepool.d6.highest(4, 3),
    "5d10kl2-1d4": lambda: icepool.d10.lowest(5, 2) - icepool.d4,
    "10d20": lambda: 10 @ icepool.d20,
    "100d6": lambda: 100 @ icepool.d6,
    "30d100-5d4": lambda: 30 @ icepool.d100 - 5 @ icepool.d4,
    "300d6+40d20": lambda: 300 @ icepool.d6 + 40 @ icepool.d20,
}


@pytest.mark.parametrize("text", level.some(list(ICEPOOLS), 4))
def test_sums_agree_with_icepool(text: str) -> None:
    chances, die = BENCHES.read(text).work(), ICEPOOLS[text]()
    truth = dict(zip(die.outcomes(), die.probabilities(), strict=True))
    assert all(abs(chances.pmf.get(v, 0.0) - p) < 1e-13 for v, p in truth.items())
    assert abs(chances.mean - die.mean()) < 1e-9
    assert abs(chances.spread - die.standard_deviation()) < 1e-9


@given(
    st.dictionaries(st.integers(2, 60), st.integers(1, 12), min_size=1, max_size=3).filter(
        lambda d: sum(d.values()) >= 14
    )
)
def test_counting_ways_and_adding_waves_agree(dice: dict[int, int]) -> None:
    counts = tuple(sorted(dice.items()))
    least, exact = counted(counts)
    low, table = waves(counts)
    assert low >= least
    assert all(abs(p - exact[low - least + i]) < 1e-14 for i, p in enumerate(table))
    assert abs(sum(table) - 1) < 1e-12


def test_a_thousand_dice_of_a_thousand_sides_have_exact_chances() -> None:
    low, table = total(((1000, 1000),))
    mean = sum(p * v for v, p in enumerate(table, low))
    variance = sum(p * (v - mean) ** 2 for v, p in enumerate(table, low))
    fourth = sum(p * (v - mean) ** 4 for v, p in enumerate(table, low))
    assert abs(sum(table) - 1) < 1e-10
    assert abs(mean - 500_500) < 1e-4
    assert abs(variance / (1000 * (1000**2 - 1) / 12) - 1) < 1e-9
    # cumulants of independent dice add up: that of one die is -(s^4 - 1) / 120
    assert abs((fourth - 3 * variance**2) / (-1000 * (1000**4 - 1) / 120) - 1) < 1e-3


def test_work_that_nobody_waits_for_ends() -> None:
    for text in ("999d999", "900d19 fen", "9d40kh4", "200d20 fen / 201d20 fen".replace(" fen", "", 1)):
        with while_wanted(lambda: False), pytest.raises(Unwanted):
            BENCHES.read(text).work()


@pytest.mark.parametrize("text", ["1000d1000 fen", "100d100kh50", "900d100 / 900d100"])
def test_chances_that_would_take_too_long_are_refused_but_the_dice_can_be_thrown(text: str) -> None:
    reading = BENCHES.read(text)
    with pytest.raises(Refused, match="would take too long"):
        reading.work()
    from tabletop_tui.rules import roller

    assert reading.throw(Dice((), roller("seed", 1))).words


def test_keeping_all_or_one_is_what_it_says() -> None:
    assert highest(1, 6, 1) == {v: pytest.approx(1 / 6) for v in range(1, 7)}
    best = highest(3, 6, 1)
    assert all(best[v] == pytest.approx((v**3 - (v - 1) ** 3) / 216) for v in range(1, 7))
    worst = highest(3, 6, -1)
    assert all(worst[7 - v] == pytest.approx(p) for v, p in best.items())


# ---- comparing


@given(
    st.dictionaries(st.integers(-5, 12), st.integers(1, 9), min_size=1),
    st.dictionaries(st.integers(-5, 12), st.integers(1, 9), min_size=1),
)
def test_comparing_two_is_every_pair_of_values(first: dict[int, int], second: dict[int, int]) -> None:
    a, b = ({v: n / sum(d.values()) for v, n in d.items()} for d in (first, second))
    more, tie, fewer = Chances.of(a).against(Chances.of(b))
    pairs = [(v - w, p * q) for v, p in a.items() for w, q in b.items()]
    assert abs(more - sum(p for gap, p in pairs if gap > 0)) < 1e-12
    assert abs(tie - sum(p for gap, p in pairs if gap == 0)) < 1e-12
    assert abs(fewer - sum(p for gap, p in pairs if gap < 0)) < 1e-12


@given(st.dictionaries(st.integers(-20, 20), st.integers(1, 99), min_size=1), st.sampled_from([0.0005, 0.05, 0.2]))
def test_what_is_cut_off_at_either_end_is_no_more_than_was_asked(ways: dict[int, int], tail: float) -> None:
    chances = Chances.of({v: n / sum(ways.values()) for v, n in ways.items()})
    low, high = chances.within(tail)
    assert chances.low <= low <= high <= chances.high
    assert 1 - chances.at_least(low) <= tail + 1e-12
    assert chances.at_least(high + 1) <= tail + 1e-12
    assert 1 - chances.at_least(low + 1) > tail - 1e-12 or low == high
    assert chances.at_least(high) > tail - 1e-12 or low == high


# ---- Fen: every combination of what is done to dice, in every order


def by_hand(sizes: list[int], mods: Mods, order: tuple[str, ...]) -> Throw:
    """The rules once more, as somebody would do it with dice in the hand."""
    explosive, twice = True, False
    for step in order:
        if step == "increments":
            for _ in range(abs(mods.increments)):
                up = mods.increments > 0
                sizes = [s if s == (20 if up else 4) else SCALE[SCALE.index(s) + (1 if up else -1)] for s in sizes]
        elif step == "doubled" and mods.doubled:
            sizes = sizes + sizes
        elif step == "additional":
            sizes = sizes + [max(sizes)] * mods.additional
        elif step == "fewer":
            for _ in range(mods.fewer):
                if len(sizes) > 1:
                    sizes = sorted(sizes)[:-1]
                else:
                    twice = True
        elif step == "non-explosive" and mods.non_explosive:
            sizes, explosive = [max(sizes)] * mods.non_explosive, False
    return Throw(tuple(sorted(sizes)), explosive, twice)


MODS = list(product((-2, -1, 0, 1, 5), (False, True), (0, 1, 2), (0, 1, 3), (0, 1, 2)))


@pytest.mark.parametrize("order", list(permutations(ORDER)), ids=lambda order: "-".join(o[0] for o in order))
def test_every_combination_in_every_order_with_floors_and_ceilings(order: tuple[str, ...]) -> None:
    for sizes in ([4], [20], [4, 6]):
        for values in MODS:
            mods = Mods(*values)
            assert change(Throw(tuple(sizes)), mods, order) == by_hand(sizes, mods, order), (sizes, mods)  # type: ignore[arg-type]  # orders are made here


def test_every_throw_that_small_dice_can_become_has_the_chances_of_its_faces() -> None:
    """Totals below 13 exactly, by fractions: each is reached by a few explosions at most."""
    seen = {
        change(Throw(sizes), Mods(*values), order)
        for order in permutations(ORDER)
        for sizes in ((4,), (4, 6))
        for values in product((-1, 0, 1), (False, True), (0, 1), (0, 1, 3), (0, 1, 2))
    }
    assert len(seen) > 50
    for throw in seen:
        table = [*distribution(throw), *[0.0] * 40]
        for value, p in enumerate(fractions(throw, 13)):
            assert abs(table[value] - p) < 1e-13, throw.words


def fractions(throw: Throw, below: int) -> list[Fraction]:
    def die(sides: int) -> list[Fraction]:
        out = [Fraction(0)] * below
        for face in range(1, sides + 1):
            if face < sides or not throw.explosive:
                for k in range(below if throw.explosive else 1):
                    if k * sides + face < below:
                        out[k * sides + face] += Fraction(1, sides ** (k + 1))
        return out

    found = [Fraction(int(not v)) for v in range(below)]
    for sides in throw.sizes:
        one = die(sides)
        found = [sum((found[a] * one[v - a] for a in range(v + 1)), Fraction(0)) for v in range(below)]
    if not throw.twice:
        return found
    reach = [1 - sum(found[:v], Fraction(0)) for v in range(below + 1)]
    return [reach[v] ** 2 - reach[v + 1] ** 2 for v in range(below)]


def test_the_words_of_fen_are_those_of_its_dice() -> None:
    assert fen_bench.FenBench.words
    with_mods = BENCHES.read("2d8+1d4 additional 1 fewer 2")
    assert with_mods.words == "the sum of 1d4+1d8, a maximum explodes"


@pytest.mark.parametrize(
    ("count", "sides", "keep"), [(3, 6, 2), (5, 4, 2), (4, 4, 1), (6, 3, 5), (2, 20, 1), (5, 5, -2), (4, 6, -3)]
)
def test_keeping_some_dice_is_counting_every_way(count: int, sides: int, keep: int) -> None:
    ways: dict[int, int] = {}
    for faces in product(range(1, sides + 1), repeat=count):
        kept = sum(sorted(faces, reverse=keep > 0)[: abs(keep)])
        ways[kept] = ways.get(kept, 0) + 1
    assert highest(count, sides, keep) == pytest.approx({v: n / sides**count for v, n in ways.items()})


def test_one_of_very_many_dice_has_a_closed_form() -> None:
    lowest = highest(999, 4, -1)
    assert lowest[1] == pytest.approx(1 - 0.75**999)
    assert lowest[4] == pytest.approx(0.25**999)
    assert highest(1000, 1000, 1)[1000] == pytest.approx(1 - 0.999**1000)


@pytest.mark.parametrize("text", ["1000d1000kh500", "1000d2kh999", "500d100kl250 + 500d100kh250"])
def test_what_would_take_too_long_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(Refused, match="too long"):
        sums(terms(text))
