"""Tests that are prepared on the challenge screen."""

from __future__ import annotations

import pytest
from drama_abbey import abbey, do

from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.challenge import CloseTask, Lead, OpenTask, RollTask
from tabletop_tui.engines.drama.penalties import GainPenalty
from tabletop_tui.engines.drama.world import DramaWorld
from tabletop_tui.rules import Action, ChallengeView, Refused, check


def after(world: DramaWorld, *steps: Action) -> DramaWorld:
    for step in steps:
        check(step, world)
        world = do(world, step)
    return world


def view_of(world: DramaWorld) -> ChallengeView:
    view = ENGINE.view("challenge", world)
    assert isinstance(view, ChallengeView)
    return view


def wall() -> DramaWorld:
    return after(abbey(), OpenTask("The wall", "difficult", "over it unseen"), Lead("william", "Hunting"))


def test_the_broken_cannot_roll_what_they_prepared() -> None:
    world = do(wall(), GainPenalty("william", "despair", 10))
    assert "broken" in view_of(world).roll_closed
    with pytest.raises(Refused, match="broken"):
        do(world, RollTask())


def test_a_prepared_test_can_be_left_alone() -> None:
    assert after(wall(), CloseTask()).now.task is None
