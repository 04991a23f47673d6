"""Live state edited by hand: where the engine finds no problem, play goes on."""

from __future__ import annotations

import level
import pytest
from drama_abbey import BEGINNINGS

from tabletop_tui.conformance import check_edits, worlds
from tabletop_tui.engines.drama import ENGINE

STATES = level.many(200, 2_000, 50_000)


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_an_edit_without_problems_can_be_played(beginning: str) -> None:
    states = STATES // len(BEGINNINGS)
    tried = check_edits(ENGINE, worlds(ENGINE, BEGINNINGS[beginning](), states), most=states)
    assert tried.states == states
    assert tried.accepted > states // 4
