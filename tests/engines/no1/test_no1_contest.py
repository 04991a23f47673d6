"""Contests of one against one."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace
from no1_table import do, fight, table, told

from tabletop_tui.engines.no1 import ENGINE
from tabletop_tui.engines.no1.cast import Hide, Reveal
from tabletop_tui.engines.no1.contest import Accept, CallContest, CallOff, Decline, FightBout
from tabletop_tui.engines.no1.encounter import End
from tabletop_tui.engines.no1.initiative import Next
from tabletop_tui.engines.no1.roll import Act
from tabletop_tui.engines.no1.world import Duel, No1World
from tabletop_tui.rules import Action, ContestView, Refused
from tabletop_tui.rules.walk import leaves


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
        "Round 3 of 3: 0 hits for Rook against 0 hits for Ogre: level",
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
    assert view.outcome.title == "a draw"


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
        do(world, Hide("spy"))


def test_an_encounter_does_not_end_in_the_middle_of_a_contest() -> None:
    assert End.when(called()) == "a contest is under way: finish it or call it off"
    assert FightBout.when(called()) == "no contest is being fought"
    assert End.when(do(called(), Decline())) == ""


def test_a_contest_can_be_called_off_after_a_question_and_is_nobodys() -> None:
    assert CallOff.warns(called()) == "The contest is not over, not answered yet. Call it off?"
    world = do(do(called(), Accept(), 2, 2), FightBout("Strike", "Smash"), 5, 5, 4, 1)
    assert CallOff.warns(world) == "The contest is not over, 1 of 4 rounds fought. Call it off?"
    world, _, said = told(world, CallOff())
    assert (world.now.duel, world.now.momentum, world.now.entropy) == (None, 0, 0)
    assert said == ["The contest is called off: nobody wins it"]
    with pytest.raises(Refused, match="no contest is under way"):
        do(world, CallOff())


def test_the_hits_of_a_round_do_not_run_into_the_number_of_a_foe() -> None:
    world = do(do(fight(), CallContest("rook", "Warden 1", "Proud")), Accept(), 2, 2)
    said = told(world, FightBout("Strike", "Spear"), 5, 5, 4, 1)[2]
    assert said == ["Round 1 of 4: 2 hits for Rook against 1 hit for Warden 1: Rook takes it"]


def test_after_a_contest_either_can_hide() -> None:
    world = do(do(fight(), CallContest("rook", "ogre", "Proud")), Decline())
    assert do(world, Hide("ogre")).now.turns.fighters["ogre"].hidden


def test_the_contest_view_asks_then_rolls_the_freshest_best_skill() -> None:
    view = ENGINE.view("contest", called())
    assert isinstance(view, ContestView)
    assert view.prompt is not None
    assert [o.label for o in view.prompt.options] == ["accept", "decline: the heroes gain 2 Momentum"]
    world = do(do(called(), Accept(), 2, 2), FightBout("Strike", "Smash"), 5, 5, 4, 1)
    view = ENGINE.view("contest", world)
    assert isinstance(view, ContestView)
    assert view.roll == FightBout("Sneak", "")
    assert tuple(fact.text for fact in view.facts) == ("round 2 of 4", "Challenge 2", "over Proud")
    assert [p.total for p in view.parties] == ["1 round won", "0 rounds won"]
    assert len(view.hands) == 2


def whole(world: No1World, action: Action) -> dict[str, float]:
    odds = ENGINE.odds(world, action)
    assert odds is not None
    (group,) = [g for g in odds.groups if g.overall]
    return {c.label: c.chance for c in group.chances}


def by_playing(world: No1World, action: Action) -> dict[str, float]:
    """The same by playing every face of every round, each with the freshest best skills."""
    out = {"Rook wins": 0.0, "a draw": 0.0, "Ogre wins": 0.0}
    for chance, _, after in leaves(ENGINE, world, action):
        fought = after.now.duel
        if fought.stage == "over":
            result = {"rook": "Rook wins", "": "a draw", "ogre": "Ogre wins"}[fought.winner]
            out[result] += chance
        else:
            view = ENGINE.view("contest", after)
            assert isinstance(view, ContestView)
            assert view.roll is not None
            for result, p in by_playing(after, view.roll).items():
                out[result] += chance * p
    return out


def test_the_chance_of_winning_the_whole_contest_is_shown_beside_the_rounds() -> None:
    world = do(fight(challenge=1), CallContest("rook", "ogre", "Proud"))
    world = do(world, Accept(), 1, 1)
    for action in (FightBout("Strike", "Smash"), FightBout("Sneak", "")):
        assert whole(world, action) == pytest.approx(by_playing(world, action), abs=1e-12)
    last = do(world, FightBout("Strike", "Smash"), 5, 1)
    action = FightBout("Strike", "Smash")  # used before: it costs a hit
    assert whole(last, action) == pytest.approx(by_playing(last, action), abs=1e-12)


def test_the_chance_of_winning_is_known_before_the_contest_is_accepted() -> None:
    world = do(fight(challenge=1), CallContest("rook", "ogre", "Proud"))
    world = replace(world, rules=replace(world.rules, contest_die=4))
    found = whole(world, Accept())
    odds = ENGINE.odds(world, Accept())
    assert odds is not None
    assert odds.hope == found["Ogre wins"]  # it is the Ogre who accepts
    assert sum(found.values()) == pytest.approx(1, abs=1e-12)
    exact = dict.fromkeys(found, 0.0)
    for first, second in product(range(1, 5), repeat=2):
        begun = do(world, Accept(), first, second)
        view = ENGINE.view("contest", begun)
        assert isinstance(view, ContestView)
        assert view.roll is not None
        for result, p in whole(begun, view.roll).items():
            exact[result] += p / 16
    assert found == pytest.approx(exact, abs=1e-12)


def test_a_contest_that_must_wait_for_a_roll_offers_nothing_that_would_be_refused() -> None:
    world = do(do(called(), Next("rook")), Act("rook", "Strike"), 1, 5, 2, 3)
    view = ENGINE.view("contest", world)
    assert isinstance(view, ContestView)
    assert view.prompt is not None
    assert all(option.closed for option in view.prompt.options)


def test_the_chances_of_a_round_say_whose_they_are() -> None:
    odds = ENGINE.odds(do(called(), Accept(), 2, 2), FightBout("Strike", "Smash"))
    assert odds is not None
    labels = [chance.label for chance in odds.groups[0].chances]
    assert labels == ["challenger takes the round", "level", "challenger loses the round"]
