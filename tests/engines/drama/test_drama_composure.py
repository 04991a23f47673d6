"""Composure: what losing takes of it, who is told, and staying out at 0."""

from __future__ import annotations

import pytest
from drama_abbey import abbey, arguing, do, table

from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.contest import CloseContest, GoOn, NewContest, OpenContest, RollContest
from tabletop_tui.engines.drama.contest_lines import AddLine, Argue, StandBy, WorkFor
from tabletop_tui.engines.drama.contest_pools import unready
from tabletop_tui.engines.drama.points import MovePool
from tabletop_tui.engines.drama.world import DramaWorld
from tabletop_tui.rules import KINDS, ContestView, Refused, check, strip


def opened() -> DramaWorld:
    return do(abbey(), OpenContest("the-parlour/ledger"))


def test_at_composure_0_the_npc_yields_and_it_cannot_go_on() -> None:
    world = do(opened(), Argue("joan", "Insight"))
    world = do(world, AddLine("joan", "fact", "the winter pages", 5))
    world = do(world, RollContest(), *[6] * 10, *[1] * 7)
    assert world.now.contest is not None
    assert world.now.contest.yielded == "hugh"
    assert GoOn.when(world) == "Prior Hugh has yielded"
    assert do(world, CloseContest()).now.contest is None


def test_whoever_has_no_composure_left_enters_no_contest_until_some_is_back() -> None:
    spent = do(abbey(), MovePool("hugh", "composure", -6))
    with pytest.raises(Refused, match="out of Composure"):
        check(OpenContest("the-parlour/ledger"), spent)
    with pytest.raises(Refused, match="out of Composure"):
        check(NewContest("joan", "hugh", "the key"), spent)
    with pytest.raises(Refused, match="out of Composure"):
        check(NewContest("hugh", "joan", "peace"), spent)
    check(OpenContest("the-parlour/ledger"), do(spent, MovePool("hugh", "composure", 1)))


def test_composure_brought_to_0_by_hand_yields() -> None:
    world = do(arguing(), MovePool("hugh", "composure", -99))
    with pytest.raises(Refused, match="no Composure left and yields"):
        do(world, RollContest(), *[1] * 30)


def test_whoever_has_no_composure_left_helps_nobody_in_a_contest() -> None:
    world = do(opened(), Argue("joan", "Insight"))
    spent = do(world, MovePool("porter", "composure", -3))
    for help_ in (StandBy("porter", "hugh"), WorkFor("porter", "hugh", "Awareness")):
        check(help_, world)
        with pytest.raises(Refused, match="out of Composure"):
            check(help_, spent)
    assert unready(do(do(world, StandBy("porter", "hugh")), MovePool("porter", "composure", -3))) == (
        "The porter is out of Composure"
    )


@pytest.mark.parametrize("everybody", [False, True])
def test_what_a_contest_takes_of_the_gms_composure_is_for_the_gm_alone_unless_npcs_are_open(everybody: bool) -> None:
    play = table(abbey(open_npcs=everybody))
    play.do(OpenContest("the-parlour/ledger"))
    play.do(Argue("joan", "Insight"))
    entry = play.do(RollContest(), [6, 6, 6, 1, 1, *[1] * 7], roll=False)
    told = "Prior Hugh's composure 6 → 3: the contest"
    assert (told in entry.said, told in entry.whispered) == (everybody, not everybody)
    mine = ENGINE.view("contest", play.world)
    assert isinstance(mine, ContestView)
    assert mine.outcome is not None
    assert "Composure 6 → 3" in mine.outcome.detail
    for kind in KINDS:
        assert everybody or "6 → 3" not in str(strip(ENGINE.view(kind, play.world, "joan")))
    theirs = ENGINE.seen_by(play.world, "Ana").now.roll
    assert theirs is not None
    assert ("Composure 6 → 3" in theirs.after) == everybody
