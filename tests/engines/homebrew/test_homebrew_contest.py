"""Contests in rounds: what each party rolls with, the chances of a round, and what stands beside a result."""

from __future__ import annotations

from typing import Any

from brews import ENGINE, rules_of, world_of
from playing import sure

from tabletop_tui.engines.homebrew.contest import ChooseStat, CloseContest, NewContest
from tabletop_tui.engines.homebrew.rounds import RollContest
from tabletop_tui.rules import Action, ContestView, Dice

BARGAIN = """
[stats.trait]
names = ["hard", "quick", "sharp"]
most = 3
[meters.forward]
least = -3
most = 3
[rolls.speak]
offered = "asked"
dice = "2d6 + trait + forward"
[contests.bargain]
roll = "speak"
lost = { forward = -1 }
wins = 2
"""


def run(world: Any, *actions: Action, faces: tuple[int, ...] = ()) -> Any:
    """The world after some actions; the dice are those of the last one."""
    for action in actions:
        dice = Dice(faces if action is actions[-1] else ())
        for event in action.resolve(world, dice):
            world = event.apply(world)
    return world


def bargain(*actions: Action, faces: tuple[int, ...] = ()) -> ContestView:
    world = world_of(rules_of(BARGAIN), hard=1, quick=3, sharp=2)
    view = ENGINE.view("contest", run(world, NewContest("bargain", "ana", ("bo",)), *actions, faces=faces))
    assert isinstance(view, ContestView)
    return view


def test_another_trait_is_offered_in_the_place_of_the_one_that_is_chosen() -> None:
    before = bargain().parties[0]
    assert [(o.label, o.best) for o in before.adds] == [("hard", False), ("quick", True), ("sharp", False)]
    after = bargain(ChooseStat("ana", "hard")).parties[0]
    assert [(o.label, o.best) for o in after.adds] == [("quick instead", True), ("sharp instead", False)]
    best = bargain(ChooseStat("ana", "quick")).parties[0]
    assert [(o.label, o.best) for o in best.adds] == [("hard instead", False), ("sharp instead", False)]


def test_the_chances_of_a_contest_are_those_of_the_round_and_say_so() -> None:
    chosen = (ChooseStat("ana", "quick"), ChooseStat("bo", "quick"))
    world = run(world_of(rules_of(BARGAIN), quick=3), NewContest("bargain", "ana", ("bo",)), *chosen)
    odds = sure(ENGINE.odds(world, RollContest()))
    labels = [chance.label for chance in odds.groups[0].chances]
    assert labels == ["Ana has the round", "Bo has the round", "a tie"]
    assert odds.hopes == ("Ana has the round",)
    for faces, label in zip(((6, 6, 1, 1), (1, 1, 6, 6), (3, 3, 3, 3)), labels, strict=True):
        rolled = RollContest().resolve(world, Dice(faces))[0]
        assert rolled.outcome() == {odds.groups[0].name: label}, "luck and what happened go by the same names"
        assert rolled.says(world).endswith(f". {label[0].upper()}{label[1:]}")
        page = ENGINE.view("contest", run(world, RollContest(), faces=faces))
        assert isinstance(page, ContestView)
        assert page.outcome is not None
        assert page.outcome.title == label


def test_beside_a_result_stand_the_dice_that_gave_it() -> None:
    chosen = (ChooseStat("ana", "quick"), ChooseStat("bo", "hard"))
    assert [party.total for party in bargain(*chosen).parties] == ["2d6 + 3", "2d6 + 1"]
    fought = bargain(*chosen, RollContest(), faces=(1, 1, 6, 6))
    assert [party.total for party in fought.parties] == ["2d6 + 3", "2d6 + 1"]
    assert [hand.total for hand in fought.hands] == ["5 (with +3)", "13 (with +1)"]


def test_traits_that_are_chosen_are_not_dropped_unasked() -> None:
    world = run(world_of(rules_of(BARGAIN)), NewContest("bargain", "ana", ("bo",)))
    assert CloseContest.warns(world) == ""
    chosen = run(world, ChooseStat("ana", "quick"))
    assert CloseContest.warns(chosen) == "bargain is open: Ana with quick. Drop it?"
