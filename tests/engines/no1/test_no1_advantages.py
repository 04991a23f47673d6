"""Advantages: made by hits, spent by the team, by a house rule not by their maker."""

from __future__ import annotations

import pytest
from no1_table import do, fight, told

from tabletop_tui.engines.no1.advantages import SpendAdvantage
from tabletop_tui.engines.no1.dice import throw_of
from tabletop_tui.engines.no1.hazards import Place
from tabletop_tui.engines.no1.initiative import Next
from tabletop_tui.engines.no1.roll import Act, Shift
from tabletop_tui.engines.no1.world import No1World
from tabletop_tui.rules import Refused


def up(who: str = "rook", **now: object) -> No1World:
    world = fight(first="heroes" if who in ("rook", "mira") else "foes")
    return do(world, Next(who)).live(**now)


def test_hits_of_create_an_advantage_lie_in_the_zone_for_the_team() -> None:
    world = do(up(), Shift("rook", "advantage", "Strike"), 5, 8, 2, 3)
    assert world.now.advantages == {"heroes": {"span": 2}}
    with pytest.raises(Refused, match="who cannot be 'mira'"):
        do(world, SpendAdvantage("mira", "hits"))  # she stands on the bank
    world = do(do(world, Place("mira", "span")), SpendAdvantage("mira", "hits"))
    assert (world.now.boosts, world.now.advantages) == ({"mira": 1}, {"heroes": {"span": 1}})


def test_an_advantage_adds_a_d4_of_hits_that_is_no_part_of_the_result_set() -> None:
    world = do(up(advantages={"heroes": {"span": 1}}), SpendAdvantage("rook", "hits"))
    world, _, said = told(world, Act("rook", "Strike"), 5, 2, 2, 3, 1)
    assert world.now.roll is not None
    assert (world.now.roll.hits, world.now.roll.clean, world.now.boosts) == (2, True, {})
    assert said[:2] == ["Rook acts with Strike: 5 2 | 2 3, 1 bonus hit", "Rook: 2 hits, no 1"]


def test_an_advantage_takes_a_hazard_die_or_an_entropy_away() -> None:
    world = up(advantages={"heroes": {"span": 2}}, entropy=2)
    assert throw_of(do(world, SpendAdvantage("rook", "hazard")), "rook", "", 0).hazards == 1
    assert do(world, SpendAdvantage("rook", "entropy")).now.entropy == 1
    with pytest.raises(Refused, match="there is no Entropy"):
        do(world.live(entropy=0), SpendAdvantage("rook", "entropy"))


def test_the_house_can_leave_a_use_of_advantages_out() -> None:
    world = fight({"advantage_uses": ("hits",)}, advantages={"heroes": {"span": 1}})
    with pytest.raises(Refused, match="a house rule leaves it out"):
        do(world, SpendAdvantage("rook", "hazard"))


def test_a_house_rule_keeps_an_advantage_from_whoever_made_it() -> None:
    world = do(fight({"own_advantage": False}), Next("rook"))
    world = do(world, Shift("rook", "advantage", "Strike"), 5, 8, 2, 3)
    assert world.now.makers == {"heroes": {"span": {"rook": 2}}}
    with pytest.raises(Refused, match="it is for the others"):
        do(world, SpendAdvantage("rook", "hits"))
    world = do(do(world, Place("mira", "span")), SpendAdvantage("mira", "hits"))
    assert (world.now.advantages, world.now.makers) == ({"heroes": {"span": 1}}, {"heroes": {"span": {"rook": 1}}})


def test_its_maker_may_spend_an_advantage_and_what_others_made_goes_first() -> None:
    world = do(up(), Shift("rook", "advantage", "Strike"), 5, 2, 2, 3)
    assert do(world, SpendAdvantage("rook", "hits")).now.makers == {}
    both = world.live(advantages={"heroes": {"span": 2}}, makers={"heroes": {"span": {"rook": 1, "mira": 1}}})
    assert do(both, SpendAdvantage("rook", "hits")).now.makers == {"heroes": {"span": {"rook": 1}}}
