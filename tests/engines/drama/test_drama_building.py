"""Building pools: difficulties, weak attributes, backgrounds, whoever resists, currency pools."""

from __future__ import annotations

import pytest
from drama_abbey import abbey, do, fresh
from msgspec.structs import replace

from tabletop_tui.conformance import check_odds
from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.building import DIFFICULTIES, approaches, attributes_for, foundation
from tabletop_tui.engines.drama.campaign import DramaSheet, Skill
from tabletop_tui.engines.drama.challenge import MakeTest
from tabletop_tui.engines.drama.contest import OpenContest
from tabletop_tui.engines.drama.contest_pools import party_approaches
from tabletop_tui.engines.drama.opposed import Oppose
from tabletop_tui.engines.drama.points import MovePool
from tabletop_tui.engines.drama.task import task_sides
from tabletop_tui.engines.drama.world import DramaWorld, Entry, Roll
from tabletop_tui.rules import Refused, check, choices, fields


def roll_of(world: DramaWorld) -> Roll:
    assert world.now.roll is not None
    return world.now.roll


def test_the_table_of_difficulties() -> None:
    found = {name: (p.base, p.resistance) for name, p in DIFFICULTIES.items()}
    assert found == {
        "very easy": (4, 0),
        "straightforward": (2, 0),
        "some": (0, 0),
        "troublesome": (0, 2),
        "difficult": (0, 4),
        "very challenging": (0, 6),
        "extremely hard": (0, 8),
        "formidable": (0, 10),
    }


@pytest.mark.parametrize(
    ("attribute", "skill", "rule", "dice"),
    [
        (3, 3, "lower", 0),
        (2, 3, "lower", 1),
        (2, 3, "half", 0),
        (1, 3, "half", 1),
        (0, 3, "lower", 2),
        (-1, 1, "half", 2),
    ],
)
def test_weak_attributes(attribute: int, skill: int, rule: str, dice: int) -> None:
    sheet = DramaSheet("X", attributes={"Agility": attribute}, skills={"Dance": Skill(skill, "Agility")})
    world = replace(abbey(weak_attribute=rule), sheets={"x": sheet})
    pieces, _ = foundation(world, "x", Entry("Dance"))
    assert sum(p.resistance for p in pieces) == dice


@pytest.mark.parametrize(
    ("count", "attribute", "how", "want"),
    [(1, 2, "direct", (3, 0)), (5, 3, "direct", (6, 0)), (3, 2, "indirect", (5, 4)), (2, 0, "direct", (2, 2))],
)
def test_backgrounds(count: int, attribute: int, how: str, want: tuple[int, int]) -> None:
    sheet = DramaSheet("X", attributes={"Mental": attribute}, backgrounds={"Court": count})
    pieces, _ = foundation(replace(abbey(), sheets={"x": sheet}), "x", Entry(f"{how}:Court", "Mental"))
    assert (sum(p.base for p in pieces), sum(p.resistance for p in pieces)) == want


def test_a_background_has_no_attribute_of_its_own() -> None:
    assert attributes_for(abbey(), "william", "direct:Town life")[0].closed == "a background needs an attribute"
    assert not any(choice.closed for choice in attributes_for(abbey(), "joan", "Insight"))


def test_a_background_goes_with_the_best_attribute_unless_somebody_says_otherwise() -> None:
    world = abbey()
    rows = {choice.value: choice.words for choice in approaches(world, "joan")}
    assert rows["direct:Guild merchant life"] == "Guild merchant life ×2, fits (Social 3)"
    assert rows["indirect:Guild merchant life"] == "Guild merchant life ×2, a stretch (Social 3)"
    first = next(c for c in attributes_for(world, "joan", "direct:Guild merchant life") if not c.closed)
    assert first.value == "Social", "as high as Mental, and the one with which she argues"
    sharp = replace(world.sheets["joan"], attributes={"Mental": 4, "Social": 3})
    best = attributes_for(replace(world, sheets={"joan": sharp}), "joan", "direct:Guild merchant life")
    assert [c.value for c in best] == ["", "Mental", "Social", "Physical", "Agility"]


def test_whoever_works_together_reads_the_attribute_that_their_background_goes_with() -> None:
    field = next(f for f in fields(Oppose) if f.name == "together_using")
    said = {"who": "edmund", "using": "Latin", "against": "hugh", "together": "joan"}
    for attribute, words in (("", "(Social 3)"), ("Agility", "(Agility 2)")):
        rows = {c.value: c.words for c in choices(field, abbey(), {**said, "attribute": attribute})}
        assert rows["direct:Guild merchant life"] == f"Guild merchant life ×2, fits {words}"


def test_a_resisted_test_takes_the_targets_skill_as_resistance() -> None:
    action = MakeTest("joan", "Insight", difficulty="troublesome", resisted_by="hugh", resist="Authority")
    with pytest.raises(Refused, match="resists with cannot be"):
        do(abbey(), replace(action, resist="Juggling"))
    after = do(abbey(), action, *[3] * 5, *[3] * 5)
    assert roll_of(after).sides["joan"].count("resistance") == 5


def test_a_currency_pool_is_the_base_pool_of_a_test() -> None:
    world = do(abbey(), MovePool("william", "grit", -1))
    task = MakeTest("william", "pool:grit", difficulty="troublesome").task(world)
    (pool,) = task_sides(world, task).values()
    assert (pool.count("base"), pool.count("resistance")) == (3, 2)
    full = do(abbey(pool_test="full"), MovePool("william", "grit", -1))
    assert task_sides(full, task)["william"].count("base") == 4
    empty = do(abbey(), MovePool("william", "grit", -4))
    with pytest.raises(Refused, match="none is left"):
        check(MakeTest("william", "pool:grit"), empty)
    check_odds(ENGINE, do(abbey(), MovePool("william", "grit", -2)), MakeTest("william", "pool:grit"))


def test_a_background_that_is_a_stretch_says_so_with_its_resistance() -> None:
    world = do(fresh(), OpenContest("the-parlour/ledger"))
    offered = [choice.words for choice in party_approaches(world, {"party": "joan"})]
    assert [words for words in offered if "Guild merchant" in words] == [
        "Social 3 + Guild merchant life ×2: 5 base",
        "Social 3 + Guild merchant life ×2, a stretch: 5 base + 2 resist",
    ]
