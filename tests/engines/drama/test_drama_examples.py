"""The worked examples of the rules, each by its name."""

from __future__ import annotations

import pytest
from drama_abbey import abbey, do
from msgspec.structs import replace

from tabletop_tui.engines.drama.aid import LendHand, WorkTogether
from tabletop_tui.engines.drama.building import foundation, side
from tabletop_tui.engines.drama.campaign import DramaRules, DramaSheet, Skill
from tabletop_tui.engines.drama.challenge import Lead, MakeTest, OpenTask, RollTask
from tabletop_tui.engines.drama.dice import net
from tabletop_tui.engines.drama.opposed import Oppose
from tabletop_tui.engines.drama.outcome import total
from tabletop_tui.engines.drama.task import task_sides
from tabletop_tui.engines.drama.world import Die, DramaNow, DramaWorld, Entry, Side


def world(**sheets: DramaSheet) -> DramaWorld:
    return DramaWorld(DramaRules(), DramaNow(), sheets)


def pool(base: list[int], resistance: list[int]) -> Side:
    dice = [*(Die("base", f) for f in base), *(Die("resistance", f) for f in resistance)]
    return Side("x", "X", dice=tuple(dice))


@pytest.mark.parametrize(
    ("base", "resistance", "want"),
    [
        ([5, 5, 3, 1], [4, 4, 3, 1], 1),
        ([6, 5, 2, 2], [5, 2, 1, 1], -1),
        ([5, 5, 4, 1, 1], [6, 4, 4, 3], 2),
        ([6, 6, 4, 3, 1, 1], [6, 5, 3, 2], 1),
        ([4, 3, 3, 1], [], 0),
    ],
    ids=["first apprentice 1", "second apprentice −1", "first apprentice 2", "second apprentice 1", "the cart stays"],
)
def test_base_against_resistance(base: list[int], resistance: list[int], want: int) -> None:
    assert net(pool(base, resistance)) == want


def apprentices() -> DramaWorld:
    a = DramaSheet("A", "Ana", attributes={"Agility": 3}, backgrounds={"Town life": 2})
    b = DramaSheet("B", "Ben", attributes={"Agility": 2}, backgrounds={"Town life": 2}, passions={"the girl": 2})
    return world(a=a, b=b)


def test_marbles_are_won_by_the_one_with_a_passion() -> None:
    game = Oppose("a", "direct:Town life", "b", "direct:Town life", "Agility", "Agility", their_passion="the girl")
    after = do(apprentices(), game, 5, 5, 2, 1, 1, 5, 3, 2, 2, 6, 6, 4, 1)
    roll = after.now.roll
    assert roll is not None
    assert (net(roll.sides["a"]), net(roll.sides["b"])) == (2, 3)
    assert roll.verdicts["a"].winner == "b"
    assert after.now.people["b"].carried == 1, "the 1 of the drama dice costs a penalty die"


def test_the_cart_stays() -> None:
    carter = DramaSheet("William", attributes={"Physical": 2})
    after = do(world(w=carter), MakeTest("w", "Physical"), 4, 3, 3, 1)
    assert after.now.roll is not None
    assert after.now.roll.verdicts["w"].outcome == "failure"


def test_two_with_physical_2_on_one_cart_roll_4_and_4() -> None:
    two = world(
        w=DramaSheet("William", attributes={"Physical": 2}), p=DramaSheet("Peter", attributes={"Physical": 2})
    )
    for step in (OpenTask("The cart"), Lead("w", "Physical"), LendHand("p")):
        two = do(two, step)
    assert two.now.task is not None
    (side_,) = task_sides(two, two.now.task).values()
    assert [p.base for p in side_.pieces] == [4, 4]


@pytest.mark.parametrize(
    ("sheet", "entry", "base", "resistance"),
    [
        (DramaSheet("R", attributes={"Agility": 3}, skills={"Riding": Skill(2, "Agility")}), Entry("Riding"), 5, 0),
        (DramaSheet("P", attributes={"Physical": 2}), Entry("Physical"), 4, 0),
        (DramaSheet("D", attributes={"Agility": 2}, skills={"Dancing": Skill(3, "Agility")}), Entry("Dancing"), 5, 1),
        (DramaSheet("H", attributes={"Agility": 3}, skills={"Hunting": Skill(3, "Agility")}), Entry("Hunting"), 6, 0),
        (
            DramaSheet("H", attributes={"Mental": 2}, skills={"Hunting": Skill(3, "Agility")}),
            Entry("Hunting", "Mental"),
            5,
            1,
        ),
        (
            DramaSheet("Monk", attributes={"Social": 2}, backgrounds={"Religious life": 2}),
            Entry("direct:Religious life", "Social"),
            4,
            0,
        ),
        (
            DramaSheet("Merchant", attributes={"Social": 2}, backgrounds={"Guild": 2}),
            Entry("indirect:Guild", "Social"),
            4,
            2,
        ),
    ],
    ids=["riding", "physical", "dancer", "hunter shoots", "hunter snares", "monk", "merchant"],
)
def test_pools(sheet: DramaSheet, entry: Entry, base: int, resistance: int) -> None:
    pieces, _ = foundation(world(x=sheet), "x", entry)
    assert (sum(p.base for p in pieces), sum(p.resistance for p in pieces)) == (base, resistance)


def pupils() -> DramaWorld:
    skills = {"Craft": Skill(2, "Mental")}
    first = DramaSheet("First", "Ana", attributes={"Mental": 2}, skills=skills)
    two = world(a=first, b=replace(first, name="Second", attributes={"Mental": 3}))
    for step in (OpenTask("The problem", "difficult"), Lead("a", "Craft"), WorkTogether("b")):
        two = do(two, step)
    return two


def test_working_together_1_and_1_is_a_success() -> None:
    # the example's second pool has six base dice, one more than its attribute and skill: Mental 4 makes it so
    with_help = replace(
        pupils(), sheets={**pupils().sheets, "b": replace(pupils().sheets["b"], attributes={"Mental": 4})}
    )
    after = do(with_help, RollTask(), 5, 5, 3, 1, 4, 4, 3, 1, 6, 6, 4, 3, 1, 1, 6, 5, 3, 2)
    assert after.now.roll is not None
    assert total(after.now.roll) == 2
    assert after.now.roll.verdicts["a"].outcome == "success"


def test_working_together_minus_1_and_2_is_marginal() -> None:
    after = do(pupils(), RollTask(), 6, 5, 2, 2, 5, 2, 1, 1, 5, 5, 4, 1, 1, 6, 4, 4, 3)
    assert after.now.roll is not None
    assert total(after.now.roll) == 1
    assert after.now.roll.stage == "choose", "a player may pay the price of a marginal result"


def test_a_pool_names_the_source_of_every_die() -> None:
    built = side(abbey(), "joan", Entry("Insight", passion="justice", point="advantage:The bishop's letter"))
    assert [(p.source, p.base, p.drama) for p in built.pieces] == [
        ("Social 3 + Insight 2", 5, 0),
        ("passion: justice", 0, 2),
        ("Drama Point, The bishop's letter", 0, 3),
    ]
