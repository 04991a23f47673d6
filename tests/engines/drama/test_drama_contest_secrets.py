"""What players read of a contest once its dice have fallen: what was told, and nothing of the GM's own pools."""

from __future__ import annotations

from drama_abbey import abbey, do

from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.contest import OpenContest, RollContest
from tabletop_tui.engines.drama.contest_lines import AddLine, Argue, WorkFor
from tabletop_tui.engines.drama.world import DramaWorld
from tabletop_tui.rules import ContestView, strip


def view_of(world: DramaWorld) -> ContestView:
    view = ENGINE.view("contest", world)
    assert isinstance(view, ContestView)
    return view


def ledger() -> DramaWorld:
    """A contest in which Prior Hugh holds a line back."""
    return do(do(abbey(), OpenContest("the-parlour/ledger")), Argue("joan", "Insight"))


def test_lines_that_were_told_are_no_secret_once_the_dice_have_fallen() -> None:
    world = do(ledger(), AddLine("hugh", "passion", "the good name of the house", 2))
    told = ["place or company: his parlour, his rules", "passion: the good name of the house"]
    assert [bid.source for bid in strip(view_of(world)).parties[1].bids] == told[1:], "one is hidden"
    rolled = view_of(do(world, RollContest(), *[1] * 5, *[2] * 9))
    assert [bid.source for bid in rolled.parties[1].bids if bid.secret] == ["Composure"]
    assert [bid.source for bid in strip(rolled).parties[1].bids] == told


def test_the_pool_of_the_gms_own_who_works_with_a_player_stays_secret_once_it_has_fallen() -> None:
    world = do(ledger(), WorkFor("porter", "joan", "Social"))
    rolled = view_of(do(world, RollContest(), *[1] * 5, *[1] * 7, 1, 1))
    assert any(bid.source.startswith("The porter") for bid in rolled.parties[0].bids)
    assert "The porter" not in str(strip(rolled).parties[0].bids)
