"""Dice: explosions, chains, pools of too many dice."""

from __future__ import annotations

import pytest

from tabletop_tui.engines.drama.dice import net, side_words, throw
from tabletop_tui.engines.drama.world import Piece, Side
from tabletop_tui.rules import Dice, Refused


def test_a_drama_6_rolls_on_again_and_again() -> None:
    fallen = throw(Dice((6, 6, 6, 2)), Side("x", "X", (Piece("risk", drama=1),)))
    assert fallen.dice[0].again == (6, 6, 2)
    assert net(fallen) == 3
    assert "6→6→6→2" in side_words(fallen)


def test_a_chain_of_6s_stops_at_100_dice_and_says_so() -> None:
    fallen = throw(Dice((6,) * 103), Side("x", "X", (Piece("risk", drama=3),)))
    assert sum(len(d.again) for d in fallen.dice) == 100
    assert "the chain of 6s stops at 100 dice" in side_words(fallen)


def test_dice_that_a_cut_chain_leaves_lying_are_told_too() -> None:
    faces = (*[6] * 60, *[6] * 60, *[2] * 40)
    assert throw(Dice(faces), Side("x", "X", (Piece("risk", drama=60),))).chain_cut


def test_a_pool_of_too_many_dice_is_refused_in_a_sentence() -> None:
    with pytest.raises(Refused, match="1000 base dice for X are too many"):
        throw(Dice(()), Side("x", "X", (Piece("typo", 1000),)))
