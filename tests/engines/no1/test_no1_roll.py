"""The roll: dice, hits, 1s, rerolls, hazards, Momentum and Entropy."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from no1_table import SHEETS, do, fight, gone, sheets, table, told

from tabletop_tui.engines.no1 import ENGINE
from tabletop_tui.engines.no1.cast import Reveal
from tabletop_tui.engines.no1.dice import pool, throw_of
from tabletop_tui.engines.no1.encounter import EndRound, Next
from tabletop_tui.engines.no1.hazards import Place, SetHazard, hazards_against, hazards_in
from tabletop_tui.engines.no1.roll import Act, LetGo, Reroll, Shift
from tabletop_tui.engines.no1.spending import SpendAdvantage, Waypoint
from tabletop_tui.engines.no1.world import No1Sheet, No1World, Zone, ranks_left
from tabletop_tui.rules import Refused, TableView


def up(who: str = "rook", **now: object) -> No1World:
    world = fight(first="heroes" if who in ("rook", "mira") else "foes")
    return do(world, Next(who)).live(**now)


def chance(world: No1World, action: object, group: str, label: str) -> float:
    odds = ENGINE.odds(world, action)  # type: ignore[arg-type]
    assert odds is not None
    return next(c.chance for g in odds.groups if g.name == group for c in g.chances if c.label == label)


# ---- worked examples


def test_the_ogres_lair_and_the_dragon_add_up_to_seven_hazard_dice() -> None:
    """▷ ogre's lair 1 + dragon 6 → 7 hazard dice."""
    world = fight(zones={"lair": Zone("the ogre's lair", {"ogre's lair": 1})})
    world = sheets(world, spy=No1Sheet("Dragon", hazard=6))
    turns = world.now.turns.change("spy", hidden=False)
    world = world.live(turns=turns, positions={"rook": "lair", "spy": "lair"})
    assert hazards_against(world, "rook") == {"ogre's lair": 1, "Dragon": 6}
    assert throw_of(world, "rook", "Strike", 0).hazards == 7


def test_challenge_1_one_hit_is_a_half_and_a_one_is_a_sixth() -> None:
    """Known chances: d6, target 4."""
    world = sheets(table(challenge=1), rook=No1Sheet("Rook", "Ana"))
    assert chance(world, Act("rook"), "hits", "≥1") == pytest.approx(1 / 2, abs=1e-12)
    assert chance(world, Act("rook"), "outcome", "a 1") == pytest.approx(1 / 6, abs=1e-12)


def test_challenge_3_no_1s_is_125_of_216() -> None:
    """Known chances: d6, target 4."""
    world = sheets(table(challenge=3), rook=No1Sheet("Rook", "Ana"))
    assert chance(world, Act("rook"), "outcome", "no 1") == pytest.approx(125 / 216, abs=1e-12)


def test_four_d8_and_three_hazard_dice_keep_the_initiative_as_the_screen_says() -> None:
    world = sheets(up(challenge=4), rook=replace(SHEETS["rook"], traits={"Stubborn": 1}))
    world = world.live(zones={"span": Zone("span", {"falling span": 3})}, positions={"rook": "span"})
    act = Act("rook", "Strike")
    assert chance(world, act, "outcome", "keeps the Initiative") == pytest.approx(0.56, abs=0.005)
    assert chance(world, act, "without ranks", "keeps the Initiative") == pytest.approx(0.25, abs=0.005)


# ---- dice


@pytest.mark.parametrize(("rating", "sides"), [(0, 4), (1, 6), (2, 8), (3, 10), (4, 12)])
def test_the_rating_picks_the_die(rating: int, sides: int) -> None:
    world = sheets(table(), rook=No1Sheet("Rook", "Ana", skills={"Do": rating}))
    assert throw_of(world, "rook", "Do", 0).sides == sides


@pytest.mark.parametrize(
    ("challenge", "modifier", "dice"), [(3, 0, 3), (3, 2, 5), (3, -1, 2), (3, -3, 1), (1, -20, 1)]
)
def test_dice_are_challenge_and_modifiers_at_least_one(challenge: int, modifier: int, dice: int) -> None:
    assert throw_of(table(challenge=challenge), "rook", "", modifier).count == dice


def test_without_a_skill_it_is_a_d6_or_the_house_die() -> None:
    assert throw_of(table(), "rook", "", 0).sides == 6
    assert throw_of(table({"plain_die": 8}), "rook", "", 0).sides == 8


def test_a_hazard_die_that_shows_4_is_a_hit_and_one_that_shows_1_is_a_1() -> None:
    world = do(up("rook"), Act("rook", "Strike"), 2, 3, 4, 4)
    assert world.now.roll is not None
    assert (world.now.roll.hits, world.now.roll.clean) == (2, True)
    world = do(up("rook", spent={"rook": {"Stubborn": 2}}), Act("rook", "Strike"), 5, 4, 1, 2)
    assert world.now.roll is not None
    assert (world.now.roll.hits, world.now.roll.clean, world.now.turns.holder) == (2, False, "foes")


@pytest.mark.parametrize(("target", "hits"), [(2, 3), (4, 2), (6, 1), (7, 0)])
def test_the_target_is_a_house_rule(target: int, hits: int) -> None:
    world = do(table({"target": target}, challenge=3), Act("rook", "Sneak"), 2, 4, 6)
    assert world.now.roll is not None
    assert world.now.roll.hits == hits


def test_the_pool_names_the_source_of_each_die() -> None:
    world = up("rook", defied={"rook": 1}, boosts={"rook": 1})
    shown = [(p.source, p.dice, p.note) for p in pool(world, "rook", "Strike", 1, "Stubborn").parts]
    assert shown == [
        ("Strike 2", "3d8", "Challenge 2 + 1"),
        ("Hazard", "1d4", "falling span 2, 1 defied"),
        ("bonus hits", "1d4", "1 advantage"),
        ("Stubborn", "2", "2 ranks to reroll 1s"),
    ]


# ---- what a 1 does


def test_no_1_keeps_the_initiative_and_adds_momentum() -> None:
    world = do(up(), Act("rook", "Strike"), 5, 2, 2, 3)
    assert (world.now.momentum, world.now.entropy, world.now.turns.holder) == (1, 0, "heroes")
    assert (world.now.momentum_moved, world.now.entropy_moved) == (1, 0)


def test_many_1s_are_one_entropy_and_the_foes_seize_the_initiative() -> None:
    world = up("mira", spent={"mira": {"Curious": 1}})
    world, _, said = told(world, Act("mira", "Lore"), 1, 1)
    assert (world.now.momentum, world.now.entropy, world.now.turns.holder) == (0, 1, "foes")
    assert "Mira: 0 hits, a 1: the foes seize the Initiative" in said


def test_a_foes_1_hands_the_initiative_back_and_moves_no_counter() -> None:
    world = do(up("Warden 1"), Act("Warden 1", "Spear"), 1, 6, 2)  # the ogre at the gate is a hazard to its own side
    assert (world.now.momentum, world.now.entropy, world.now.turns.holder) == (0, 0, "heroes")


@pytest.mark.parametrize(("faces", "counters"), [((1, 6, 2), (1, 0)), ((2, 6, 2), (0, 1))])
def test_a_house_rule_lets_foes_move_the_counters(faces: tuple[int, ...], counters: tuple[int, int]) -> None:
    world = do(fight({"foes_move_counters": True}, "foes"), Next("Warden 1"))
    world = do(world, Act("Warden 1", "Spear"), *faces)
    assert (world.now.momentum, world.now.entropy) == counters


def test_outside_of_encounters_rolls_move_the_counters_all_the_same() -> None:
    assert do(table(challenge=2), Act("rook", "Strike"), 5, 5).now.momentum == 1


# ---- rerolls


def test_a_1_with_ranks_left_waits_for_the_next_action() -> None:
    world = do(up(), Act("rook", "Strike"), 1, 5, 2, 3)
    assert world.now.roll is not None
    assert world.now.roll.pending
    assert (world.now.momentum, world.now.entropy) == (0, 0)
    assert ENGINE.policy(world) == Reroll((0,))
    with pytest.raises(Refused, match="waits"):
        do(world, Next("mira"))
    world = do(world, Reroll((0,)), 6)
    assert (world.now.momentum, world.now.turns.holder) == (1, "heroes")
    assert ranks_left(world, "rook", "Stubborn") == 1


def test_a_die_that_shows_1_again_may_be_rerolled_while_ranks_last() -> None:
    world = do(up(), Act("rook", "Strike"), 1, 5, 2, 3)
    world = do(world, Reroll((0,)), 1)
    assert world.now.roll is not None
    assert world.now.roll.pending
    world = do(world, Reroll((0,)), 1)  # the last rank is gone
    assert not world.now.roll or not world.now.roll.pending
    assert (world.now.entropy, world.now.turns.holder) == (1, "foes")


def test_with_fewer_ranks_than_1s_the_default_is_to_let_go_but_a_player_may_spend() -> None:
    world = do(up(), Act("rook", "Strike"), 1, 1, 1, 3)
    assert ENGINE.policy(world) == LetGo()
    assert do(world, LetGo()).now.entropy == 1
    assert ranks_left(do(world, LetGo()), "rook", "Stubborn") == 2
    spent = do(world, Reroll((0, 1)), 5, 5)
    assert (spent.now.entropy, ranks_left(spent, "rook", "Stubborn")) == (1, 0)


def test_the_default_reroll_names_the_largest_die_first() -> None:
    world = do(up(), Act("rook", "Strike"), 5, 1, 1, 3)
    assert ENGINE.policy(world) == Reroll((1, 2))
    world = do(world.live(roll=None), Shift("rook", "defy", "Sneak"), 5, 5, 4, 1)
    assert ENGINE.policy(world) == Reroll((3,))


def test_rerolling_a_die_without_a_1_or_too_many_is_refused() -> None:
    world = do(up(), Act("rook", "Strike"), 1, 1, 1, 3)
    with pytest.raises(Refused, match="it shows no 1"):
        do(world, Reroll((3,)), 5)
    with pytest.raises(Refused, match="too many to reroll"):
        do(world, Reroll((0, 1, 2)), 5, 5, 5)


def test_another_trait_can_be_focused_for_a_roll() -> None:
    world = do(up(), Act("rook", "Strike", trait="Proud"), 1, 5, 2, 3)
    assert world.now.roll is not None
    assert do(world, Reroll((0,)), 6).now.spent == {"rook": {"Proud": 1}}


def test_ranks_come_back_at_a_waypoint() -> None:
    world = table(spent={"rook": {"Stubborn": 2}})
    assert ranks_left(world, "rook", "Stubborn") == 0
    assert ranks_left(do(world, Waypoint()), "rook", "Stubborn") == 2


# ---- Shifts


def test_a_1_in_a_shift_adds_entropy_but_never_loses_the_initiative() -> None:
    world = do(up(spent={"rook": {"Stubborn": 2}}), Shift("rook", "advantage", "Strike"), 1, 5, 2, 3)
    assert (world.now.entropy, world.now.turns.holder) == (1, "heroes")


def test_a_clean_shift_adds_no_momentum_unless_the_house_says_so() -> None:
    assert do(up(), Shift("rook", "defy", "Strike"), 5, 5, 2, 3).now.momentum == 0
    world = do(fight({"shift_momentum": True}), Next("rook"))
    assert do(world, Shift("rook", "defy", "Strike"), 5, 5, 2, 3).now.momentum == 1


def test_defy_danger_takes_its_hits_off_the_next_rolls_hazard_dice() -> None:
    world = do(up(), Shift("rook", "defy", "Strike"), 5, 2, 2, 3)
    assert throw_of(world, "rook", "Strike", 0).hazards == 1
    world = do(world, Act("rook", "Strike"), 5, 5, 3)
    assert throw_of(world, "rook", "Strike", 0).hazards == 2  # once


def test_defy_danger_goes_down_to_0_and_no_further() -> None:
    world = do(up(), Shift("rook", "defy", "Strike"), 5, 8, 4, 4)
    assert throw_of(world, "rook", "Strike", 0).hazards == 0


def test_hits_of_create_an_advantage_lie_in_the_zone_for_the_team() -> None:
    world = do(up(), Shift("rook", "advantage", "Strike"), 5, 8, 2, 3)
    assert world.now.advantages == {"heroes": {"span": 2}}
    with pytest.raises(Refused, match="who cannot be 'mira'"):
        do(world, SpendAdvantage("mira", "hits"))  # she stands on the bank
    world = do(do(world, Place("mira", "span")), SpendAdvantage("mira", "hits"))
    assert (world.now.boosts, world.now.advantages) == ({"mira": 1}, {"heroes": {"span": 1}})


def test_an_advantage_adds_a_d4_of_hits_that_is_no_part_of_the_result_set() -> None:
    world = do(up(advantages={"heroes": {"span": 1}}), SpendAdvantage("rook", "hits"))
    world = do(world, Act("rook", "Strike"), 5, 2, 2, 3, 1)
    assert world.now.roll is not None
    assert (world.now.roll.hits, world.now.roll.clean, world.now.boosts) == (2, True, {})


def test_an_advantage_takes_a_hazard_die_or_an_entropy_away() -> None:
    world = up(advantages={"heroes": {"span": 2}}, entropy=2)
    assert throw_of(do(world, SpendAdvantage("rook", "hazard")), "rook", "", 0).hazards == 1
    assert do(world, SpendAdvantage("rook", "entropy")).now.entropy == 1
    with pytest.raises(Refused, match="there is no Entropy"):
        do(world.live(entropy=0), SpendAdvantage("rook", "entropy"))


def test_the_house_can_leave_a_use_of_advantages_out() -> None:
    world = fight({"advantage_uses": ("hits",)}, advantages={"heroes": {"span": 1}})
    with pytest.raises(Refused, match="a house rule leaves it out"):
        do(world, SpendAdvantage("rook", "hazard"))


def test_moving_rolls_with_the_hazards_of_the_zone_that_is_left() -> None:
    world, _, said = told(up(), Shift("rook", "move", "Strike", "bank"), 5, 2, 2, 3)
    assert world.now.positions["rook"] == "bank"
    assert said[-1] == "Rook moves to bank"
    with pytest.raises(Refused, match="where to"):
        do(up(), Shift("rook", "move"), 5, 2, 2, 3)


def test_one_shift_and_one_action_a_turn() -> None:
    world = do(up(), Shift("rook", "defy", "Strike"), 5, 2, 2, 3)
    with pytest.raises(Refused, match="has taken their Shift"):
        do(world, Shift("rook", "advantage"))
    world = do(world, Act("rook", "Strike"), 5, 5, 2)
    with pytest.raises(Refused, match="has taken their Action"):
        do(world, Act("rook", "Strike"))
    world = do(do(world, EndRound()), Next("rook"))  # the same one first in the next round
    assert do(world, Act("rook", "Strike"), 5, 5, 2, 2).now.momentum == 2


# ---- hazards that walk


def test_a_character_who_is_a_hazard_brings_it_along() -> None:
    world = fight()
    assert hazards_in(world, "gate") == {"Ogre": 1}
    world = do(world, Place("ogre", "span"))
    assert hazards_in(world, "gate") == {}
    assert hazards_in(world, "span") == {"falling span": 2, "Ogre": 1}


def test_a_hidden_hazard_adds_no_dice_until_it_is_seen() -> None:
    world = fight()
    assert hazards_in(world, "span") == {"falling span": 2}
    assert hazards_against(world, "spy") == {"falling span": 2, "Spy": 2}  # rolling, it is seen


def test_whoever_rolls_is_seen() -> None:
    world = do(fight(first="foes"), Next("spy"))
    world, _, said = told(world, Act("spy", "Knife"), 5, 5, 2, 2, 2, 2)
    assert not world.now.turns.fighters["spy"].hidden
    assert said[0] == "Spy appears"


def test_a_house_rule_spares_a_hazard_its_own_dice() -> None:
    assert hazards_against(fight(), "ogre") == {"Ogre": 1}
    assert hazards_against(fight({"own_hazard": False}), "ogre") == {}


def test_a_zones_hazard_of_the_same_name_is_another_hazard() -> None:
    """A place that is called the Ogre's, and the Ogre."""
    world = do(fight(), SetHazard("gate", "Ogre", 2))
    assert hazards_against(world, "ogre") == {"Ogre": 3}
    assert hazards_against(do(world, Reveal("ogre")), "ogre") == {"Ogre": 3}
    spared = do(fight({"own_hazard": False}), SetHazard("gate", "Ogre", 2))
    assert hazards_against(spared, "ogre") == {"Ogre": 2}


def test_outside_an_encounter_there_is_no_initiative_to_lose() -> None:
    world = do(table(challenge=2), Act("mira"), 1, 5)
    world = do(world, LetGo())
    shown = ENGINE.view("table", world)
    assert isinstance(shown, TableView)
    assert shown.outcome is not None
    assert shown.outcome.title == "MIRA: A 1"
    assert "Initiative" not in shown.outcome.next


def test_a_clean_roll_keeps_the_initiative_for_those_who_have_it_and_takes_it_from_nobody() -> None:
    world = gone(fight(first="heroes"), "rook", "mira")
    held = do(world, Next("ogre"))  # no hero is left, so a foe goes; the heroes still hold it
    assert held.now.turns.holder == "heroes"
    odds = ENGINE.odds(held, Act("ogre", "Smash"))
    assert odds is not None
    assert [c.label for c in odds.groups[0].chances] == ["no 1", "a 1"]  # there is nothing to keep
    clean = do(held, Act("ogre", "Smash"), 5, 5, 2)
    assert clean.now.turns.holder == "heroes"
    assert do(held, Act("ogre", "Smash"), 1, 5, 2).now.turns.holder == "heroes"
