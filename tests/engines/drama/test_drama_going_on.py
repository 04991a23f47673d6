"""A contest that goes on after other rolls, and a passion that brings what it is worth."""

from __future__ import annotations

from drama_abbey import abbey, table

from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.contest import OpenContest, RollContest
from tabletop_tui.engines.drama.contest_lines import AddLine, Argue
from tabletop_tui.engines.drama.opposed import Oppose
from tabletop_tui.kit.seen import unseen
from tabletop_tui.rules import ContestView


def test_a_passion_without_a_number_brings_what_it_is_worth_and_any_other_line_one_die() -> None:
    play = table(abbey())
    play.do(OpenContest("the-parlour/ledger"))
    play.do(Argue("joan", "Courtesy"))
    passion, worth = next(iter(play.world.sheets["joan"].passions.items()))
    play.do(AddLine("joan", "passion", passion))
    play.do(AddLine("joan", "fact", "the seal is broken"))
    assert [line.dice for line in play.world.now.contest.parties["joan"].lines.values()] == [worth, 1]
    assert worth > 1


def test_a_round_that_was_rolled_can_go_on_also_after_another_roll() -> None:
    play = table(abbey())
    play.do(OpenContest("the-parlour/ledger"))
    play.do(Argue("joan", "Courtesy"))
    play.do(RollContest())
    while (answer := ENGINE.policy(play.world)) is not None:
        play.do(answer)
    play.do(Oppose("william", "Awareness", "hugh", "Authority"))
    while (answer := ENGINE.policy(play.world)) is not None:
        play.do(answer)
    view = ENGINE.view("contest", play.world)
    assert isinstance(view, ContestView)
    assert view.outcome is not None
    assert view.outcome.title == "round 1 is over"
    assert [(o.label, o.closed) for o in view.extras] == [("go on", "")]
    assert not unseen(play.world, "hugh"), "whoever was met is known"
