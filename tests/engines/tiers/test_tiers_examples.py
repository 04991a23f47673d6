"""The worked examples of the rules, each by its name."""

from __future__ import annotations

from tiers_worlds import do, hero, npc, world

from tabletop_tui.engines.tiers.attack import Attack
from tabletop_tui.engines.tiers.dice import die_words
from tabletop_tui.engines.tiers.opposed import Oppose
from tabletop_tui.engines.tiers.pools import pool
from tabletop_tui.engines.tiers.settle import Settle
from tabletop_tui.engines.tiers.skills import rating
from tabletop_tui.engines.tiers.world import most_hp, tier_of


def test_shooting_alpha_4_is_four_d4_and_dodge_beta_2_is_two_d6() -> None:
    here = world(rook=hero("Rook", Shooting={"alpha": 4}, Dodge={"beta": 2}))
    assert pool(here, "rook", "Shooting", False) == ["alpha"] * 4
    assert pool(here, "rook", "Dodge", False) == ["beta"] * 2
    assert (die_words("alpha", 4), die_words("beta", 2)) == ("4d4", "2d6")


def test_four_d4_showing_2_3_4_4_then_3_and_1_come_to_7() -> None:
    here = world(rook=hero("Rook", Shooting={"alpha": 4}), guard=npc("Guard", Dodge={"alpha": 1}))
    here = do(here, Oppose("rook", "Shooting", "guard", "Dodge"), 2, 3, 4, 4, 1, 3, 1)
    assert here.now.roll is not None
    assert [die.value for die in here.now.roll.first.dice] == [2, 3, 7, 5]
    assert here.now.roll.first.result == 7


def test_alpha_5_beta_5_charlie_1_have_550_hp() -> None:
    here = world(mira=hero("Mira", levels={"alpha": 5, "beta": 5, "charlie": 1}))
    assert most_hp(here, "mira") == 550
    assert here.now.people["mira"].hp == 550


def test_charlie_attacks_alpha_with_7_against_4_for_75_damage() -> None:
    here = world(
        mira=hero("Mira", levels={"charlie": 1}, Blade={"charlie": 1}),
        guard=npc("Guard", levels={"alpha": 10}, Dodge={"beta": 1}),
    )
    assert tier_of(here, "mira") == "charlie"
    here = do(here, Attack("mira", "Blade", "guard", "Dodge"), 7, 4)
    here = do(here, Settle())
    assert here.now.roll is not None
    assert here.now.roll.damage == 75
    assert here.now.people["guard"].hp == 25


def test_alpha_dodge_5_then_beta_dodge_learned_starts_at_beta_dodge_2() -> None:
    here = world(rook=hero("Rook", Dodge={"alpha": 5, "beta": 1}))
    found = rating(here, "rook", "Dodge")
    assert found is not None
    assert (found.tier, found.rank, found.legacy) == ("beta", 2, True)


def test_a_beta_character_adds_a_d8_as_bonus_die() -> None:
    here = world(
        mira=hero("Mira", bonus=1, levels={"beta": 1}, Warding={"beta": 3}), guard=npc("Guard", Dodge={"alpha": 1})
    )
    assert pool(here, "mira", "Warding", True) == ["beta", "beta", "beta", "charlie"]
    here = do(here, Oppose("mira", "Warding", "guard", "Dodge", bonus=True), 1, 2, 3, 8, 1, 5)
    assert here.now.roll is not None
    assert here.now.roll.first.result == 13  # the Bonus Die is the highest, and explodes
    assert here.now.people["mira"].bonus_dice == 0


def test_alpha_5_beta_4_written_charlie_1_written_are_beta_5_and_charlie_2() -> None:
    here = world(mira=hero("Mira", Dodge={"alpha": 5, "beta": 4, "charlie": 1}))
    beta, charlie = rating(here, "mira", "Dodge:beta"), rating(here, "mira", "Dodge")
    assert beta is not None
    assert charlie is not None
    assert (beta.rank, charlie.tier, charlie.rank) == (5, "charlie", 2)


def test_alpha_soldier_5_beta_chef_5_charlie_assassin_1_have_550_hp() -> None:
    levels = {"alpha": {"Soldier": 5}, "beta": {"Chef": 5}, "charlie": {"Assassin": 1}}
    here = world(mira=hero("Mira", levels=levels))
    assert (most_hp(here, "mira"), tier_of(here, "mira")) == (550, "charlie")
