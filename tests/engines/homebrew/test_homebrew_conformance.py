"""The home-brew engine keeps the contract with each of its samples: edits, secrets, seats."""

from __future__ import annotations

from pathlib import Path

import level
import pytest
from brews import ENGINE, NAMES, game, world_of
from msgspec.structs import replace

from tabletop_tui.conformance import check_edits, check_engine, check_secrets, twin_of, worlds
from tabletop_tui.conformance import world_of as world_in

CAMPAIGNS = Path(__file__).parents[3] / "campaigns"
SAMPLES = ("salt-road", "lamplighters", "broken-causeway")
EDITS = level.many(60, 700, 50_000 // 3)


def test_its_parts_are_of_the_right_kind() -> None:
    check_engine(ENGINE)


@pytest.mark.parametrize("name", SAMPLES)
def test_no_hand_edit_that_is_accepted_breaks_a_sample(name: str) -> None:
    world = world_in(ENGINE, CAMPAIGNS / name)
    found = check_edits(ENGINE, worlds(ENGINE, world, EDITS), most=EDITS)
    assert found.states == EDITS
    assert found.accepted > EDITS // 6


@pytest.mark.parametrize("name", NAMES)
def test_no_hand_edit_that_is_accepted_breaks_one_of_the_seven_games(name: str) -> None:
    world = world_of(game(name))
    assert check_edits(ENGINE, [world, *worlds(ENGINE, world, 6)], most=level.many(30, 120, 5_000)).accepted > 3


@pytest.mark.parametrize("name", SAMPLES)
def test_players_learn_nothing_of_what_only_the_gm_knows(name: str) -> None:
    world = world_in(ENGINE, CAMPAIGNS / name)
    for here in [world, *worlds(ENGINE, world, level.many(2, 10, 100))]:
        check_secrets(ENGINE, here, twin_of(here), steps=4)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_numbers_of_the_gms_own_are_in_no_view_and_in_no_seat(name: str) -> None:
    world = world_in(ENGINE, CAMPAIGNS / name)
    mine = next(who for who, sheet in world.sheets.items() if not sheet.player)
    group, stats = next(iter(world.sheets[mine].stats.items()))
    stat = next(iter(stats))
    other = {**world.sheets[mine].stats, group: {**stats, stat: stats[stat] + 1}}
    twin = replace(world, sheets={**world.sheets, mine: replace(world.sheets[mine], stats=other)})
    check_secrets(ENGINE, world, twin)
    assert ENGINE.seen_by(world, "x") == ENGINE.seen_by(twin, "x")
