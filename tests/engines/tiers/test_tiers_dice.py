"""Dice: tiers, explosions, items, lower tiers of a skill."""

from __future__ import annotations

from typing import Any

import pytest
from tiers_worlds import do, hero, npc, world

from tabletop_tui.engines.tiers.opposed import Oppose
from tabletop_tui.engines.tiers.settle import Settle
from tabletop_tui.engines.tiers.skills import rating
from tabletop_tui.engines.tiers.world import (
    Side,
    TiersRules,
    hp_per_level,
    most_hp,
    multiplier,
)


@pytest.mark.parametrize(
    ("tier", "top", "hp", "times"),
    [
        ("alpha", 4, 10, 1),
        ("beta", 6, 50, 5),
        ("charlie", 8, 250, 25),
        ("delta", 10, 1_250, 125),
        ("gamma", 12, 6_250, 625),
        ("omega", 26, 31_250, 3_125),
    ],
)
def test_each_tier_has_its_die_its_hp_and_its_multiplier(tier: Any, top: int, hp: int, times: int) -> None:
    rules = TiersRules()
    assert (hp_per_level(rules, tier), multiplier(rules, tier)) == (hp, times)
    here = world(mira=hero("Mira", levels={tier: 2}, A={tier: 1}), rook=hero("Rook", B={"alpha": 1}))
    assert most_hp(here, "mira") == 2 * hp
    # a die at its maximum is rolled once more, and the second roll never explodes
    faces = (6, 20) if tier == "omega" else (top,)
    here = do(here, Oppose("mira", "A", "rook", "B"), *faces, 1, *faces)
    assert here.now.roll is not None
    assert here.now.roll.first.result == 2 * top
    # one below its maximum it does not explode
    under = (6, 19) if tier == "omega" else (top - 1,)
    here = do(do(here, Settle()), Oppose("mira", "A", "rook", "B"), *under, 1)
    assert here.now.roll is not None
    assert here.now.roll.first.result == top - 1


def test_an_empty_pool_results_in_0() -> None:
    assert Side("nobody", "", "alpha", 1).result == 0


def test_items_roll_as_skills_do() -> None:
    here = world(mira=hero("Mira", A={"alpha": 1}), guard=npc("Guard", items={"Mail": {"beta": 2}}))
    here = do(here, Oppose("mira", "A", "guard", "Mail"), 3, 5, 1)
    assert here.now.roll is not None
    assert here.now.roll.second.result == 5


def test_a_lower_tier_of_a_skill_can_be_named() -> None:
    here = world(mira=hero("Mira", A={"alpha": 4, "beta": 1}))
    low, high = rating(here, "mira", "A:alpha"), rating(here, "mira", "A")
    assert low is not None
    assert high is not None
    assert (low.tier, low.rank) == ("alpha", 4)
    assert (high.tier, high.rank) == ("beta", 1)
    assert rating(here, "mira", "A:gamma") is None
