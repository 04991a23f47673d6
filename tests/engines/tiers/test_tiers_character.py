"""Characters: tier, legacy, HP, damage."""

from __future__ import annotations

import pytest
from tiers_worlds import do, hero, npc, world

from tabletop_tui.engines.tiers.attack import Attack
from tabletop_tui.engines.tiers.health import Heal, Hurt
from tabletop_tui.engines.tiers.opposed import Oppose
from tabletop_tui.engines.tiers.settle import Settle
from tabletop_tui.engines.tiers.skills import rating
from tabletop_tui.engines.tiers.world import (
    tier_of,
)
from tabletop_tui.rules import Refused


def test_a_characters_tier_is_the_highest_in_which_they_have_a_level() -> None:
    here = world(
        mira=hero("Mira", levels={"beta": 1, "alpha": 5, "gamma": 0}), rook=hero("Rook", levels={"omega": 1})
    )
    assert (tier_of(here, "mira"), tier_of(here, "rook")) == ("beta", "omega")


@pytest.mark.parametrize(
    ("ranks", "tier", "rank"),
    [
        ({"alpha": 5, "beta": 1}, "beta", 2),
        ({"alpha": 4, "beta": 1}, "beta", 1),
        ({"alpha": 5, "beta": 5}, "beta", 5),  # the cap
        ({"alpha": 5, "charlie": 1}, "charlie", 1),  # one tier up only
        ({"beta": 5, "charlie": 3, "alpha": 5}, "charlie", 4),
        ({"alpha": 5}, "alpha", 5),
        ({"gamma": 5, "omega": 2}, "omega", 3),
    ],
)
def test_legacy(ranks: dict[str, int], tier: str, rank: int) -> None:
    found = rating(world(mira=hero("Mira", A=ranks)), "mira", "A")
    assert found is not None
    assert (found.tier, found.rank) == (tier, rank)


def test_legacy_is_a_matter_of_skills_and_not_of_items() -> None:
    found = rating(world(mira=hero("Mira", items={"Mail": {"alpha": 5, "beta": 1}})), "mira", "Mail")
    assert found is not None
    assert found.rank == 1


def test_hp_stop_at_0_and_healing_stops_at_the_most() -> None:
    here = world(mira=hero("Mira"))
    here = do(here, Hurt("mira", 1_000))
    assert here.now.people["mira"].hp == 0
    here = do(here, Heal("mira", 1_000))
    assert here.now.people["mira"].hp == 50


def test_whoever_is_out_cannot_roll() -> None:
    here = do(world(mira=hero("Mira", A={"alpha": 1}), rook=hero("Rook", B={"alpha": 1})), Hurt("mira", 50))
    with pytest.raises(Refused, match="out"):
        do(here, Oppose("mira", "A", "rook", "B"))


def test_damage_uses_the_attackers_own_tier_and_not_the_skills() -> None:
    here = world(
        mira=hero("Mira", levels={"alpha": 1}, A={"gamma": 1}),
        guard=npc("Guard", levels={"alpha": 2}, B={"alpha": 1}),
    )
    here = do(do(here, Attack("mira", "A", "guard", "B"), 11, 1), Settle())
    assert here.now.people["guard"].hp == 10


def test_a_lost_attack_and_a_win_on_a_tie_break_do_no_damage() -> None:
    here = world(mira=hero("Mira", A={"alpha": 1}), guard=npc("Guard", B={"alpha": 1}))
    for faces in ((1, 3), (2, 2)):
        after = do(do(here, Attack("mira", "A", "guard", "B"), *faces), Settle())
        assert after.now.people["guard"].hp == 50
