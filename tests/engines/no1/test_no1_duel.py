"""Contests of one against one."""

from __future__ import annotations

import pytest
from no1_table import do, fight, table, told

from tabletop_tui.engines.no1 import ENGINE
from tabletop_tui.engines.no1.cast import Reveal
from tabletop_tui.engines.no1.duel import Accept, CallContest, CallOff, Decline, FightBout
from tabletop_tui.engines.no1.encounter import End
from tabletop_tui.engines.no1.world import Duel, No1World
from tabletop_tui.rules import ContestView, Refused


def called(who: str = "rook", against: str = "ogre", trait: str = "Proud") -> No1World:
    return do(fight(), CallContest(who, against, trait))


def duel(world: No1World) -> Duel:
    assert world.now.duel is not None
    return world.now.duel


@pytest.mark.parametrize(
    ("who", "against", "trait", "counters"), [("rook", "ogre", "Proud", (2, 0)), ("ogre", "rook", "Rage", (0, 2))]
)
def test_declining_gives_the_challengers_side_two(
    who: str, against: str, trait: str, counters: tuple[int, int]
) -> None:
    world = do(called(who, against, trait), Decline())
    assert (world.now.momentum, world.now.entropy) == counters
    assert duel(world).stage == "over"


def test_two_d4_are_its_rounds() -> None:
    assert duel(do(called(), Accept(), 1, 3)).rounds == 4


def test_most_hits_takes_a_round_and_a_repeated_skill_costs_a_hit_each_time() -> None:
    world = do(called(), Accept(), 1, 2)
    world = do(world, FightBout("Strike", "Smash"), 5, 5, 4, 1)
    assert duel(world).won == {"rook": 1}
    world = do(world, FightBout("Strike", "Smash"), 5, 5, 5, 1)  # 2 − 1 against 1 − 1
    assert duel(world).won == {"rook": 2}
    assert [b.hits for b in duel(world).bouts.values()] == [1, 0]
    world, _, said = told(world, FightBout("Sneak", "Smash"), 1, 1, 5, 5)  # 0 against 2 − 2
    assert said == [
        "Round 3 of 3: Rook 0 hits against Ogre 0 hits: level",
        "Rook wins the contest",
        "Momentum 0 → 5",
    ]
    assert (world.now.momentum, world.now.entropy, duel(world).winner) == (5, 0, "rook")


def test_a_foe_who_wins_brings_entropy_and_level_is_a_draw() -> None:
    world = do(called(), Accept(), 1, 1)
    lost = do(do(world, FightBout("Strike", "Smash"), 1, 1, 4, 1), FightBout("Sneak", ""), 1, 1, 1, 1)
    assert (lost.now.momentum, lost.now.entropy) == (0, 5)
    drawn = do(do(world, FightBout("Strike", "Smash"), 1, 1, 4, 1), FightBout("Sneak", ""), 5, 1, 1, 1)
    assert (drawn.now.momentum, drawn.now.entropy, duel(drawn).winner) == (0, 0, "")
    view = ENGINE.view("contest", drawn)
    assert isinstance(view, ContestView)
    assert view.outcome is not None
    assert view.outcome.title == "A DRAW"


def test_the_numbers_are_house_rules() -> None:
    world = do(table({"contest_win": 3, "contest_die": 6}), CallContest("rook", "ogre", "Proud"))
    world = do(world, Accept(), 6, 5)
    assert duel(world).rounds == 11


def test_nobody_challenges_their_own_side_or_somebody_unseen() -> None:
    with pytest.raises(Refused, match="against cannot be 'mira'"):
        do(fight(), CallContest("rook", "mira", "Proud"))
    with pytest.raises(Refused, match="is hidden"):
        do(fight(), CallContest("rook", "spy", "Proud"))
    world = do(do(fight(), Reveal("spy")), CallContest("rook", "spy", "Proud"))
    with pytest.raises(Refused, match="is in a contest"):
        do(world, Reveal("spy"))


def test_an_encounter_does_not_end_in_the_middle_of_a_contest() -> None:
    assert End.when(called()) == "a contest is under way: finish it or call it off"
    assert FightBout.when(called()) == "no contest is being fought"
    assert End.when(do(called(), Decline())) == ""


def test_a_contest_can_be_called_off_and_is_nobodys() -> None:
    world = do(do(called(), Accept(), 2, 2), FightBout("Strike", "Smash"), 5, 5, 4, 1)
    world, _, said = told(world, CallOff())
    assert (world.now.duel, world.now.momentum, world.now.entropy) == (None, 0, 0)
    assert said == ["The contest is called off: nobody wins it"]
    with pytest.raises(Refused, match="no contest is under way"):
        do(world, CallOff())


def test_after_a_contest_either_can_hide() -> None:
    world = do(do(fight(), CallContest("rook", "ogre", "Proud")), Decline())
    assert do(world, Reveal("ogre")).now.turns.fighters["ogre"].hidden


def test_the_contest_view_asks_then_rolls_the_freshest_best_skill() -> None:
    view = ENGINE.view("contest", called())
    assert isinstance(view, ContestView)
    assert view.prompt is not None
    assert [o.label for o in view.prompt.options] == ["accept", "decline: 2 Momentum"]
    world = do(do(called(), Accept(), 2, 2), FightBout("Strike", "Smash"), 5, 5, 4, 1)
    view = ENGINE.view("contest", world)
    assert isinstance(view, ContestView)
    assert view.roll == FightBout("Sneak", "")
    assert view.facts == ("round 1 of 4", "Challenge 2", "over Proud")
    assert [p.total for p in view.parties] == ["1 round taken", "0 rounds taken"]
    assert len(view.hands) == 2
