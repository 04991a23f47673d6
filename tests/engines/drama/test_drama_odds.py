"""Chances: the closed form against the walk, against the binomial, and against an enumeration of its own."""

from __future__ import annotations

from itertools import product
from math import comb

import level
import pytest
from drama_abbey import abbey, do

from tabletop_tui.conformance import check_odds
from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.aid import WorkTogether
from tabletop_tui.engines.drama.campaign import DramaRules, DramaSheet, Skill
from tabletop_tui.engines.drama.challenge import Lead, MakeTest, OpenTask, RollTask
from tabletop_tui.engines.drama.contest import OpenContest, RollContest
from tabletop_tui.engines.drama.contest_lines import AddLine, Argue
from tabletop_tui.engines.drama.momentum import NameAdvantage
from tabletop_tui.engines.drama.odds import drama_die, nets, odds, ones, read_nets
from tabletop_tui.engines.drama.opposed import Oppose
from tabletop_tui.engines.drama.split import Split
from tabletop_tui.engines.drama.world import DramaNow, DramaWorld, Penalty, Person
from tabletop_tui.rules import Action, Refused


@pytest.mark.parametrize("dice", range(2, 11))
def test_two_or_more_successes_are_binomial(dice: int) -> None:
    want = 1 - sum(comb(dice, k) * 2 ** (dice - k) for k in (0, 1)) / 3**dice
    assert read_nets(nets(dice, 0, 0))[0] == pytest.approx(want, abs=1e-12)


def chains(deep: int) -> dict[int, float]:
    """One drama die by listing faces, cut where a chain of 6s has this many dice: not our recursion."""
    found: dict[int, float] = {}
    for length in range(1, deep + 1):
        for last in range(1, 6):
            value = length - 1 + (last >= 4) - (last == 1)
            found[value] = found.get(value, 0.0) + 6.0**-length
    return found


def test_a_drama_die_is_what_its_faces_say() -> None:
    table, listed = drama_die(), chains(22)
    assert sum(table.values()) == pytest.approx(1, abs=1e-15)
    for value in range(-1, 20):
        assert table[value] == pytest.approx(listed[value], abs=1e-13)


@pytest.mark.parametrize(("base", "resistance", "drama"), [(1, 0, 1), (2, 1, 2), (0, 2, 3), (3, 3, 2)])
def test_pools_with_drama_dice_agree_with_a_truncated_enumeration(base: int, resistance: int, drama: int) -> None:
    found: dict[int, float] = {}
    plain = list(product(*[range(1, 7)] * (base + resistance)))
    for faces in plain:
        value = sum(f >= 5 for f in faces[:base]) - sum(f <= 2 for f in faces[base:])
        found[value] = found.get(value, 0.0) + 1 / len(plain)
    for _ in range(drama):
        step: dict[int, float] = {}
        for v, p in found.items():
            for d, q in chains(20).items():
                step[v + d] = step.get(v + d, 0.0) + p * q
        found = step
    table = nets(base, resistance, drama)
    for value in range(-6, 10):
        assert table.get(value, 0.0) == pytest.approx(found.get(value, 0.0), abs=1e-12)


def test_a_drama_die_costs_a_penalty_once_in_five_chains() -> None:
    assert ones(1)[1] == pytest.approx(sum(6.0**-n for n in range(1, 25)), abs=1e-12)


def duel(
    mine: int, theirs: int, attributes: tuple[int, int] = (1, 1), burden: int = 0, points: int = 0
) -> DramaWorld:
    """Two with a pool of so many base dice, and so many penalty dice on the first."""

    def one(name: str, dice: int, attribute: int, player: str) -> DramaSheet:
        skills = {"Wits": Skill(dice - attribute, "Social")}
        return DramaSheet(name, player, attributes={"Social": attribute}, skills=skills, drama_points=points)

    sheets = {"a": one("Ann", mine, attributes[0], "Ana"), "b": one("Bo", theirs, attributes[1], "")}
    carried = {"cold": Penalty("cold", burden)} if burden else {}
    now = DramaNow(people={"a": Person(carried, points)})
    return DramaWorld(DramaRules(), now, sheets)


@pytest.mark.parametrize("dice", [0, 1, 2, 3])
@pytest.mark.parametrize("burden", [0, 1, 2])
@pytest.mark.parametrize("points", [0, 1])
def test_unopposed_odds_equal_the_walk(dice: int, burden: int, points: int) -> None:
    check_odds(ENGINE, duel(dice, 1, (dice, 1), burden, points), MakeTest("a", "Wits"))


@pytest.mark.parametrize(
    ("mine", "theirs", "attributes"),
    level.some([(*dice, a) for a in [(1, 1), (2, 1), (1, 2)] for dice in [(2, 2), (1, 3), (3, 1)]], 2, turn=2),
)
def test_opposed_odds_equal_the_walk(mine: int, theirs: int, attributes: tuple[int, int]) -> None:
    check_odds(ENGINE, duel(mine, theirs, attributes), Oppose("a", "Wits", "b", "Wits"))


def test_opposed_odds_with_resistance_equal_the_walk() -> None:
    check_odds(ENGINE, duel(2, 2, (2, 2), burden=1), Oppose("a", "Wits", "b", "Wits"))


def test_the_odds_of_working_together_equal_the_walk() -> None:
    world = duel(2, 2, (2, 2), burden=1)
    for step in (OpenTask("the wall"), Lead("a", "Wits"), WorkTogether("b")):
        world = do(world, step)
    check_odds(ENGINE, world, RollTask())


def test_the_odds_of_a_split_equal_the_walk() -> None:
    world = duel(3, 1, (2, 1))
    weak = DramaSheet("Cy")
    sheets = {**world.sheets, "b": DramaSheet("Bo", attributes={"Social": 1}), "c": weak}
    check_odds(ENGINE, DramaWorld(world.rules, DramaNow(), sheets), Split("a", "Wits", ("b", "c")))


@pytest.mark.parametrize("favour", level.some(["", "a", "b"], 1, turn=1))
def test_contest_odds_equal_the_walk(favour: str) -> None:
    from tabletop_tui.engines.drama.contest import NewContest

    world = duel(2, 2)
    steps: list[Action] = [NewContest("a", "b", "the last word"), Argue("a", "Wits"), Argue("b", "Wits")]
    steps += [AddLine("a", "fact", "she was there"), *([NameAdvantage(favour, "the high seat")] if favour else [])]
    for step in steps:
        world = do(world, step)
    check_odds(ENGINE, world, RollContest())


def test_every_group_of_an_outcome_sums_to_one_with_drama_dice() -> None:
    world = do(do(abbey(), OpenContest("the-parlour/ledger")), Argue("joan", "Insight"))
    world = do(world, AddLine("joan", "passion", "justice", 2))
    found = odds(world, RollContest())
    assert found is not None
    assert sum(c.chance for c in found.groups[0].chances) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("favour", "levels"), [("", "≥1"), ("joan", "≥0"), ("hugh", "≥1")])
def test_what_is_hoped_for_stands_among_the_levels_as_one_number(favour: str, levels: str) -> None:
    """A draw by momentum is won, at level 0: the table, the contest and the chances tell one number."""
    world = do(abbey(), NameAdvantage(favour, "the high seat")) if favour else abbey()
    contest = do(do(world, OpenContest("the-parlour/ledger")), Argue("joan", "Letters"))
    for here, action in ((world, Oppose("joan", "Letters", "hugh", "Authority")), (contest, RollContest())):
        found = odds(here, action)
        assert found is not None
        first = found.groups[1].chances[0]
        assert first.label == levels
        assert first.chance == pytest.approx(found.hope)


def test_what_cannot_be_rolled_has_no_odds() -> None:
    with pytest.raises(Refused, match="Joan has no skill or background 'Juggling'"):
        odds(abbey(), MakeTest("joan", "Juggling"))
    assert odds(abbey(), RollContest()) is None
