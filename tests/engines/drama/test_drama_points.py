"""Drama Points and currency pools."""

from __future__ import annotations

import pytest
from drama_abbey import abbey, do, fresh

from tabletop_tui.engines.drama.building import points_of, side
from tabletop_tui.engines.drama.campaign import POOLS
from tabletop_tui.engines.drama.challenge import MakeTest
from tabletop_tui.engines.drama.contest import OpenContest
from tabletop_tui.engines.drama.contest_lines import Stake
from tabletop_tui.engines.drama.contest_pools import party_points
from tabletop_tui.engines.drama.points import Award, MovePool, pools_of
from tabletop_tui.engines.drama.world import Entry, person
from tabletop_tui.rules import Refused, fields


def test_drama_points_before_the_roll() -> None:
    world = abbey()
    for point, dice in (("plain", 1), ("connection", 2), ("advantage:The bishop's letter", 3)):
        assert side(world, "joan", Entry("Insight", point=point)).count("drama") == dice
    after = do(world, MakeTest("joan", "Insight", point="plain"), 5, 5, 3, 3, 3, 3)
    assert after.now.people["joan"].drama_points == 1
    with pytest.raises(Refused, match="cannot be spent"):
        side(world, "joan", Entry("Insight", point="advantage:A dragon"))


def test_a_form_says_how_many_drama_points_a_players_character_has() -> None:
    world = do(do(abbey(), OpenContest("the-parlour/ledger")), Award("hugh", 3))
    assert [choice.note for choice in party_points(world, {"party": "joan"})] == ["1 of 2", "1 of 2", "1 of 2", ""]
    assert not any(choice.note for choice in party_points(world, {"party": "hugh"})), (
        "that of the GM's own is a secret"
    )
    spent = do(world, Award("joan", -2))
    assert {(c.closed, c.note) for c in points_of(spent, "joan")[1:]} == {("no Drama Points left", "")}


def test_the_form_of_a_drama_point_proposes_one_while_some_are_left() -> None:
    world = do(abbey(), OpenContest("the-parlour/ledger"))
    point = next(field for field in fields(Stake) if field.name == "point")
    assert point.ask
    assert point.ask.first
    assert next(c.value for c in party_points(world, {"party": "joan"}) if not c.closed) == "plain"
    assert next(c.value for c in party_points(world, {"party": "hugh"}) if not c.closed) == "", "he has none"
    assert do(world, Stake("joan")).now.contest == world.now.contest, "to put in nothing is no fault of a log"


def test_points_and_pools_move_within_their_bounds() -> None:
    world = do(do(abbey(), Award("joan", 2)), MovePool("joan", "grit", -9))
    assert (world.now.people["joan"].drama_points, world.now.people["joan"].grit) == (4, 0)
    with pytest.raises(Refused, match="does not fit"):
        do(world, Award("joan", -5))


def test_only_pools_that_are_on_the_sheet_are_offered() -> None:
    closed = {choice.value: choice.closed for choice in pools_of(abbey(), {"who": "porter"})}
    assert [pool for pool in closed if not closed[pool]] == [
        pool for pool in POOLS if getattr(abbey().sheets["porter"], pool)
    ]
    assert set(closed.values()) == {"", "not on the sheet"}


def test_a_pool_is_never_fuller_than_its_sheet() -> None:
    world = do(fresh(), MovePool("hugh", "composure", -2))
    assert person(do(world, MovePool("hugh", "composure", 20)), "hugh").composure == 6
    with pytest.raises(Refused, match="stays at 6 of its most"):
        do(fresh(), MovePool("hugh", "composure", 1))
