from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest
from msgspec.structs import replace

from tabletop_tui.engines.fen.dice import Mods, Throw, change, fall, parse_dice
from tabletop_tui.engines.fen.distribution import at_least, beats, distribution, many, mean
from tabletop_tui.rules import Dice, DiceNeeded, Refused


def walked(throw: Throw, below: int) -> dict[int, Fraction]:
    """The exact chance of each total under a bound, by throwing every face; paths that must exceed it are left."""
    out: dict[int, Fraction] = {}
    paths: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while paths:
        faces, p = paths.pop()
        try:
            total = fall(Dice(faces), "", throw).total
        except DiceNeeded as need:
            if sum(faces) >= (2 * below if throw.twice else below) * len(throw.sizes):
                continue
            for more in product(*(range(1, side + 1) for side in need.sides)):
                share = p
                for side in need.sides:
                    share /= side
                paths.append(((*faces, *more), share))
            continue
        if total < below:
            out[total] = out.get(total, Fraction(0)) + p
    return out


@pytest.mark.parametrize(
    "throw",
    [
        Throw((4,)),
        Throw((4, 4)),
        Throw((4, 6)),
        Throw((20,)),
        Throw((4, 4, 6)),
        Throw((4, 6), explosive=False),
        Throw((4, 4), explosive=False, twice=True),
    ],
    ids=lambda t: t.words,
)
def test_chances_are_those_of_throwing_every_face(throw: Any) -> None:
    table = distribution(throw)
    for total, p in walked(throw, 12).items():
        assert abs(table[total] - p) < 1e-12


def one_die(d: int, below: int) -> list[Fraction]:
    """A die that explodes, from its definition: k explosions and then a face below the maximum."""
    out = [Fraction(0)] * below
    for value in range(below):
        k, face = divmod(value, d)
        if face:
            out[value] = Fraction(1, d ** (k + 1))
    return out


def exact(sizes: Any, below: int) -> list[Fraction]:
    table = [Fraction(1)] + [Fraction(0)] * (below - 1)
    for d in sizes:
        die = one_die(d, below)
        table = [sum((table[a] * die[t - a] for a in range(t + 1)), Fraction(0)) for t in range(below)]
    return table


@pytest.mark.parametrize("text", ["1d4", "2d4", "3d8", "1d4+1d8+1d20", "2d6+2d12"])
def test_sums_agree_with_exact_fractions_and_the_rest_is_bounded(text: str) -> None:
    throw, below = parse_dice(text), 60
    table, truth = distribution(throw), exact(parse_dice(text).sizes, 60)
    assert max(abs(table[t] - truth[t]) for t in range(below)) < 1e-14
    rest = 1 - sum(truth)  # all that lies at 60 or above, exactly
    assert abs(at_least(throw, below) - rest) < 1e-12
    assert abs(sum(table) - 1) < 1e-12


def test_every_combination_of_changes_on_small_dice_has_the_right_chances() -> None:
    seen = set()
    for text, values in product(
        ("1d4", "2d4", "1d4+1d6"), product((-1, 0, 1), (False, True), (0, 1), (0, 1, 4), (0, 1, 2))
    ):
        throw = change(parse_dice(text), Mods(*values))
        if throw in seen:
            continue
        seen.add(throw)
        truth = plain(throw, 24)
        table = [*distribution(throw), *[0.0] * 24]
        assert max(abs(table[t] - truth[t]) for t in range(24)) < 1e-13, throw.words
    assert len(seen) > 25


def plain(throw: Throw, below: int) -> list[Fraction]:
    """The exact chances of any throw, by fractions."""
    if throw.explosive:
        table = exact(throw.sizes, below)
    else:
        table = [Fraction(0)] * below
        for faces in product(*(range(1, d + 1) for d in throw.sizes)):
            if sum(faces) < below:
                table[sum(faces)] += 1
        ways = 1
        for d in throw.sizes:
            ways *= d
        table = [p / ways for p in table]
    if not throw.twice:
        return table
    reach = [1 - sum(table[:t], Fraction(0)) for t in range(below + 1)]
    return [reach[t] ** 2 - reach[t + 1] ** 2 for t in range(below)]


@pytest.mark.parametrize(("first", "second"), [("2d8", "1d4+1d8"), ("1d20", "3d6"), ("5d6", "4d8")])
def test_contests_agree_with_icepool(first: Any, second: Any) -> None:
    def pool(text: str) -> Any:
        return sum(icepool.d(size).explode(depth=20) for size in parse_dice(text).sizes)

    truth = float((pool(first) > pool(second)).probability(True))
    # icepool stops after twenty explosions, which leaves out less than 4^-21 of the smallest die
    assert abs(beats(parse_dice(first), parse_dice(second)) - truth) < 1e-11


def test_contests_of_dice_that_do_not_explode_agree_with_icepool_exactly() -> None:
    truth = float((3 @ icepool.d(8) > icepool.d(4) + 2 @ icepool.d(10)).probability(True))
    assert abs(beats(Throw((8, 8, 8), False), Throw((4, 10, 10), False)) - truth) < 1e-12


def test_beating_one_defender_agrees_with_fractions_to_the_ninth_digit() -> None:
    mine, theirs = exact((4, 8), 160), exact((6, 6), 160)
    truth, less = Fraction(0), Fraction(0)
    for t in range(160):
        truth += mine[t] * less
        less += theirs[t]
    # what is left out lies at 160 or above, where less than 1e-12 of either throw is
    assert 1 - sum(mine) < 1e-12
    assert abs(beats(Throw((4, 8)), Throw((6, 6))) - truth) < 1e-11


def test_a_tie_is_the_defenders() -> None:
    same = Throw((4,), explosive=False)
    assert beats(same, same) == pytest.approx(6 / 16)


def test_at_least_k_of_n_depends_on_the_one_roll_of_the_aggressor() -> None:
    first, second = Throw((4,), False), Throw((4,), False)
    got = many(first, [second, second])
    counts = [0, 0, 0]
    for a, b, c in product(range(1, 5), repeat=3):
        counts[(a > b) + (a > c)] += 1
    assert got == pytest.approx([n / 64 for n in counts], abs=1e-12)
    alone = beats(first, second)
    assert abs(got[2] - alone**2) > 0.05  # not as if the defenders met two aggressors


def test_many_defenders_agree_with_fractions() -> None:
    mine, theirs = exact((8, 8), 200), [exact((6,), 200), exact((4, 4), 200), exact((12,), 200)]
    truth = [Fraction(0)] * 4
    less = [[sum(t[:a], Fraction(0)) for a in range(200)] for t in theirs]
    for a, p in enumerate(mine):
        for won in product((False, True), repeat=3):
            share = p
            for one, w in zip(less, won, strict=True):
                share *= one[a] if w else 1 - one[a]
            truth[sum(won)] += share
    got = many(Throw((8, 8)), [Throw((6,)), Throw((4, 4)), Throw((12,))])
    assert max(abs(a - b) for a, b in zip(got, truth, strict=True)) < 1e-11


@pytest.mark.parametrize("throw", [Throw((4,)), Throw((20,) * 3), Throw((4, 12), False)], ids=lambda t: t.words)
def test_the_mean_is_that_of_the_table(throw: Any) -> None:
    assert mean(throw) == pytest.approx(sum(t * p for t, p in enumerate(distribution(throw))), abs=1e-9)


def test_the_mean_of_the_lower_of_two_is_lower() -> None:
    assert mean(Throw((8,), twice=True)) < mean(Throw((8,)))


def test_chances_of_meeting_a_number_hold_at_both_ends() -> None:
    assert at_least(Throw((4,)), -3) == at_least(Throw((4,)), 1) == 1
    assert at_least(Throw((4,)), 5) == pytest.approx(0.25)
    assert at_least(Throw((4,)), 100_000) == 0


def test_a_thousand_dice_have_chances_and_more_work_than_that_is_refused() -> None:
    table = distribution(Throw((4,) * 1000))
    assert abs(sum(table) - 1) < 1e-9
    assert min(table) > -1e-12
    with pytest.raises(Refused, match="would take too long"):
        distribution(Throw((1000,) * 1000, explosive=False))


@pytest.mark.parametrize(
    ("weapon", "skill"),
    [
        (Throw((4,), twice=True), Throw((8,))),
        (Throw((6,), explosive=False), Throw((4, 4))),
        (Throw((4,), explosive=False, twice=True), Throw((6,))),
    ],
)
def test_a_weapon_and_a_skill_that_are_changed_apart_sum_to_exact_fractions(weapon: Throw, skill: Throw) -> None:
    below = 14
    one, other = walked(replace(weapon, twice=False), below), walked(skill, below)
    if weapon.twice:  # the lower of two is at least t where both are
        reach = [1 - sum((p for t, p in one.items() if t < at), Fraction(0)) for at in range(below + 1)]
        one = {at: reach[at] ** 2 - reach[at + 1] ** 2 for at in range(below)}
    exact: dict[int, Fraction] = {}
    for a, p in one.items():
        for b, q in other.items():
            exact[a + b] = exact.get(a + b, Fraction(0)) + p * q
    both = replace(weapon, also=skill)
    table = distribution(both)
    for total in range(below):
        assert abs(table[total] - float(exact.get(total, 0))) < 1e-12
    assert abs(sum(table) - 1) < 1e-9
    assert mean(both) == pytest.approx(mean(weapon) + mean(skill))
