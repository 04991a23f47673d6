"""Momentum: between two, by attribute, by an advantage that the GM names, or the GM's pick."""

from __future__ import annotations

import pytest
from drama_abbey import abbey, do, fresh

from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.contest import CloseContest, OpenContest
from tabletop_tui.engines.drama.momentum import DropAdvantage, EnterScene, NameAdvantage, may_have_it
from tabletop_tui.engines.drama.opposed import Oppose
from tabletop_tui.engines.drama.settle import Favour, LetStand
from tabletop_tui.engines.drama.views.roll import prompt
from tabletop_tui.engines.drama.world import DramaWorld, Roll
from tabletop_tui.kit.order import BeginEncounter, EndEncounter
from tabletop_tui.rules import Refused, TableView


def roll_of(world: DramaWorld) -> Roll:
    assert world.now.roll is not None
    return world.now.roll


ARGUE = Oppose("joan", "Social", "hugh", "Social")


LEVEL = (5, 5, 1, 1, 1, 1, 6, 6, 1, 1, 1, 1)


def test_a_draw_level_in_everything_waits_for_the_gm() -> None:
    waits = do(abbey(), ARGUE, *LEVEL)
    assert roll_of(waits).stage == "choose"
    assert roll_of(do(waits, LetStand())).verdicts["joan"].winner == "joan"
    given = do(waits, Favour("hugh", "the prior's chair"))
    assert roll_of(given).verdicts["joan"].winner == "hugh"
    assert "the GM picks" in roll_of(given).verdicts["joan"].by


def test_a_draw_goes_to_the_higher_attribute() -> None:
    action = Oppose("joan", "Insight", "william", "Awareness")
    after = do(abbey(), action, 5, 5, 1, 1, 1, 6, 6, 1, 1)
    assert roll_of(after).verdicts["joan"].by == "momentum: the higher attribute"


def test_a_draw_goes_to_an_advantage_that_the_gm_named() -> None:
    after = do(do(abbey(), NameAdvantage("hugh", "his own parlour")), ARGUE, *LEVEL)
    assert roll_of(after).verdicts["joan"].winner == "hugh"


def test_in_a_contest_the_advantage_is_one_of_the_parties() -> None:
    world = do(abbey(), OpenContest("the-parlour/ledger"))
    assert [c.value for c in may_have_it(world, {}) if not c.closed] == ["joan", "hugh"]
    with pytest.raises(Refused, match="is not a party of the contest"):
        do(world, NameAdvantage("william", "the high ground"))


def test_the_last_winner_between_two_has_momentum_until_the_scene_changes() -> None:
    world = do(abbey(), BeginEncounter(("joan", "hugh")))
    world = do(world, ARGUE, *[1] * 6, 6, 6, 1, 1, 1, 1)
    assert world.now.won == {"hugh/joan": "hugh"}
    view = ENGINE.view("table", world)
    assert isinstance(view, TableView)
    assert tuple(fact.text for fact in view.facts) == ("round 1", "momentum: Prior Hugh over Joan")
    drawn = do(world, ARGUE, *LEVEL)
    assert roll_of(drawn).verdicts["joan"].by == "momentum: won the last round"
    assert do(drawn, EndEncounter()).now.won == {"hugh/joan": "hugh"}
    assert do(drawn, EnterScene("the-parlour")).now.won == {}


def test_momentum_is_kept_for_each_pair_inside_an_encounter_or_outside() -> None:
    world = do(abbey(), ARGUE, *[1] * 6, 6, 6, 1, 1, 1, 1)
    other = do(world, Oppose("joan", "Social", "porter", "Brawling"), 6, 6, 1, 1, 1, 1, *[1] * 5)
    assert other.now.won == {"hugh/joan": "hugh", "joan/porter": "joan"}
    assert roll_of(do(other, ARGUE, *LEVEL)).verdicts["joan"].winner == "hugh", "her win over the porter is another"


def test_the_log_says_whether_the_gm_gave_the_draw_or_left_it() -> None:
    drawn = do(abbey(), Oppose("joan", "Social", "hugh", "Social"), 5, 5, 1, 1, 1, 1, 6, 6, 1, 1, 1, 1)
    asked = prompt(drawn)
    assert asked is not None
    assert asked.text == "Joan 2, Prior Hugh 2: whose draw?"
    offered = [(o.key, o.label, o.action) for o in asked.options]
    assert offered == [
        ("enter", "let it stand, Joan's draw", LetStand()),
        ("v", "Prior Hugh's draw", Favour("hugh")),
    ], "each of the two once"
    left = do(drawn, LetStand()).now.roll
    given = do(drawn, Favour("hugh")).now.roll
    assert left is not None
    assert given is not None
    assert "leaves it with whoever began" in left.verdicts["joan"].by
    assert "the GM picks" in given.verdicts["joan"].by


def test_a_named_advantage_ends_with_the_scene_or_is_taken_back() -> None:
    world = do(do(fresh(), BeginEncounter()), NameAdvantage("hugh", "holds the stairs"))
    assert world.now.favour == "hugh"
    assert do(world, EndEncounter()).now.favour == "hugh", "the end of an encounter is not that of the scene"
    assert do(world, EnterScene("the-parlour")).now.favour == ""
    assert do(world, DropAdvantage()).now.favour == ""
    assert DropAdvantage.when(fresh()) == "nobody has an advantage that was named"


def test_an_advantage_named_in_a_contest_lasts_as_long_as_the_scene() -> None:
    world = do(do(abbey(), OpenContest("the-parlour/ledger")), NameAdvantage("hugh", "his own parlour"))
    after = do(world, CloseContest())
    assert roll_of(do(after, ARGUE, *LEVEL)).verdicts["joan"].by == "momentum: an advantage that the GM named"
    assert do(after, EnterScene("the-parlour")).now.favour == ""


def test_an_advantage_can_be_taken_back_while_a_contest_is_open() -> None:
    world = do(do(abbey(), NameAdvantage("hugh", "the high seat")), OpenContest("the-parlour/ledger"))
    assert do(world, DropAdvantage()).now.favour == ""
