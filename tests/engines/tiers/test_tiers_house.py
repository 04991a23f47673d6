"""Each house ruling changes what it says."""

from __future__ import annotations

from typing import Any

import pytest
import tomli_w
from playing import sure
from tiers_worlds import do, granted, hero, lost, npc, table, world

from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.engines.tiers.attack import Attack
from tabletop_tui.engines.tiers.challenge import DeclareBonus
from tabletop_tui.engines.tiers.challenge_roll import RollChallenge
from tabletop_tui.engines.tiers.opposed import Oppose
from tabletop_tui.engines.tiers.pools import pool
from tabletop_tui.engines.tiers.settle import Buy, ForceReroll, Settle
from tabletop_tui.engines.tiers.skills import rating
from tabletop_tui.engines.tiers.support import GiveSupport
from tabletop_tui.engines.tiers.world import (
    TiersRules,
    most_hp,
)
from tabletop_tui.rules import Refused


def test_omega_hp_and_multiplier_are_rulings() -> None:
    rules = TiersRules(omega_hp=40_000, omega_multiplier=4_000)
    here = world(rules=rules, mira=hero("Mira", levels={"omega": 1}, A={"alpha": 1}), guard=npc("G", B={"alpha": 1}))
    assert most_hp(here, "mira") == 40_000
    here = do(do(here, Attack("mira", "A", "guard", "B"), 2, 1), Settle())
    assert here.now.roll is not None
    assert here.now.roll.damage == 4_000


def test_the_sum_from_which_omega_explodes_is_a_ruling() -> None:
    here = world(
        rules=TiersRules(omega_explodes_at=20), mira=hero("M", A={"omega": 1}), guard=npc("G", B={"alpha": 1})
    )
    here = do(here, Oppose("mira", "A", "guard", "B"), 5, 15, 1, 6, 20)
    assert here.now.roll is not None
    assert here.now.roll.first.result == 46


def test_where_rank_with_legacy_stops_is_a_ruling() -> None:
    found = rating(world(rules=TiersRules(most_rank=6), m=hero("M", A={"alpha": 5, "beta": 5})), "m", "A")
    assert found is not None
    assert found.rank == 6


def test_whether_points_count_above_ten_is_a_ruling() -> None:
    here = do(lost(9, points_above_ten=False), Buy())
    assert (here.now.complications, here.now.owed) == (10, False)
    here = do(lost(10, points_above_ten=False), Buy())
    assert (here.now.complications, here.now.owed) == (10, True)


def test_whether_an_unlisted_skill_counts_as_alpha_1_is_a_ruling() -> None:
    here = do(table(unlisted_skills=True), GiveSupport("dov", "direct"))
    assert granted(here, "dov") == 1
    found = rating(here, "dov", "Warding")
    assert found is not None
    assert (found.tier, found.rank) == ("alpha", 1)


def test_whether_the_lead_may_add_a_bonus_die_is_a_ruling() -> None:
    with pytest.raises(Refused, match="house rules"):
        do(table(lead_bonus_die=False), DeclareBonus(True))


def test_whether_success_can_be_bought_in_a_challenge_and_its_margin_are_rulings() -> None:
    here = do(table(buy_in_challenge=True, bought_margin=2), RollChallenge(), 1, 1, 1, 5, 5, 5, 5)
    here = do(here, Buy())
    assert (sure(here.now.roll).winner, sure(here.now.roll).margin) == ("first", 2)
    assert sure(do(here, Settle()).now.challenge).outcome == "success"


@pytest.mark.parametrize(("chains", "rank"), [(True, 2), (False, 1)])
def test_whether_legacy_chains_is_a_ruling(chains: bool, rank: int) -> None:
    ranks = {"alpha": 5, "beta": 4, "charlie": 1}
    found = rating(world(rules=TiersRules(legacy_chains=chains), m=hero("M", A=ranks)), "m", "A")
    assert found is not None
    assert found.rank == rank


@pytest.mark.parametrize(
    ("base", "levels", "ranks", "die"),
    [
        ("character", {"beta": 1}, {"beta": 1}, "charlie"),
        ("character", {"charlie": 1}, {"alpha": 1}, "delta"),
        ("character", {"alpha": 1}, {"gamma": 1}, "beta"),
        ("character", {"omega": 1}, {"alpha": 1}, "omega"),
        ("skill", {"charlie": 1}, {"alpha": 1}, "beta"),
        ("skill", {"alpha": 1}, {"omega": 1}, "omega"),
    ],
)
def test_whose_next_tier_up_a_bonus_die_is_of_is_a_ruling(base: Any, levels: Any, ranks: Any, die: str) -> None:
    here = world(rules=TiersRules(bonus_die_from=base), m=hero("M", bonus=1, levels=levels, A=ranks))
    assert pool(here, "m", "A", True)[-1] == die


def test_whether_a_die_can_be_rerolled_again_is_a_ruling() -> None:
    for once in (True, False):
        here = lost(2, reroll_once=once)
        again = do(here, ForceReroll("first/0"), 2)
        if once:
            with pytest.raises(Refused, match="rerolled already"):
                do(again, ForceReroll("first/0"))
        else:
            assert sure(do(again, ForceReroll("first/0"), 3).now.roll).first.result == 3


def test_every_house_ruling_has_a_test() -> None:
    tested = {
        "omega_hp", "omega_multiplier", "omega_explodes_at", "most_rank", "tie_rank", "points_above_ten",
        "unlisted_skills", "least_opposition", "lead_bonus_die", "buy_in_challenge", "bought_margin",
        "legacy_chains", "bonus_die_from", "reroll_once",
        "bonus_every",  # in test_tiers_bonus
        "order_skill",  # in test_tiers_initiative
        "open_npcs",  # in test_secret_views
    }  # fmt: skip
    assert set(TiersRules.__struct_fields__) == tested


def test_the_starter_and_the_reference_name_every_house_ruling_and_the_starter_its_default() -> None:
    text = ENGINE.starter["campaign.toml"]
    for name in TiersRules.__struct_fields__:
        written = tomli_w.dumps({name: getattr(TiersRules(), name)}).strip()
        assert f"# {written} " in text, name
        assert f"`{name}`" in ENGINE.reference, name
