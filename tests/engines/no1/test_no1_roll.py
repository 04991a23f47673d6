"""The roll: dice, hits, 1s, rerolls, hazards, Momentum and Entropy."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from no1_table import SHEETS, do, fight, gone, sheets, table, told

from tabletop_tui.engines.no1 import ENGINE
from tabletop_tui.engines.no1.dice import pool, throw_of
from tabletop_tui.engines.no1.encounter import Begin, EndRound
from tabletop_tui.engines.no1.hazards import hazards_against
from tabletop_tui.engines.no1.initiative import Next
from tabletop_tui.engines.no1.roll import Act, LetGo, Reroll, Shift
from tabletop_tui.engines.no1.spending import Waypoint
from tabletop_tui.engines.no1.world import No1Rules, No1Sheet, No1World, Zone, ranks_left
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
    assert chance(world, act, "outcome", "Initiative kept") == pytest.approx(0.56, abs=0.005)
    assert chance(world, act, "without ranks", "Initiative kept") == pytest.approx(0.25, abs=0.005)


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
    assert ENGINE.policy(world) == Reroll((1,))
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


def test_moving_rolls_with_the_hazards_of_the_zone_that_is_left() -> None:
    world, _, said = told(up(), Shift("rook", "move", "Strike", "bank"), 5, 2, 2, 3)
    assert world.now.positions["rook"] == "bank"
    assert said[-1] == "Rook moves to bank"
    with pytest.raises(Refused, match="where to"):
        do(up(), Shift("rook", "move"), 5, 2, 2, 3)


def test_one_shift_and_one_action_a_turn() -> None:
    world = do(up(), Shift("rook", "defy", "Strike"), 5, 2, 2, 3)
    with pytest.raises(Refused, match="Rook has no Shift left this round"):
        do(world, Shift("rook", "advantage"))
    world = do(world, Act("rook", "Strike"), 5, 5, 2)
    with pytest.raises(Refused, match="Rook has no Action left this round"):
        do(world, Act("rook", "Strike"))
    world = do(do(world, EndRound()), Next("rook"))  # the same one first in the next round
    assert do(world, Act("rook", "Strike"), 5, 5, 2, 2).now.momentum == 2


def test_outside_an_encounter_there_is_no_initiative_to_lose() -> None:
    world = do(table(challenge=2), Act("mira"), 1, 5)
    world = do(world, LetGo())
    shown = ENGINE.view("table", world)
    assert isinstance(shown, TableView)
    assert shown.outcome is not None
    assert shown.outcome.title == "Mira: a 1"
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


# ---- rulings


def test_rerolling_one_at_a_time_keeps_the_ranks_when_a_die_shows_1_again() -> None:
    world = do(up(), Act("rook", "Strike"), 1, 1, 2, 3)
    assert ENGINE.policy(world) == Reroll((0,))
    world = do(world, Reroll((0,)), 1)  # two 1s, one rank: there is no use in going on
    assert ENGINE.policy(world) == LetGo()
    assert ranks_left(do(world, LetGo()), "rook", "Stubborn") == 1


def test_the_odds_of_hits_follow_one_reroll_at_a_time() -> None:
    """Two d6 and two ranks, worked by hand: a second 1 falls again only where the first came up well."""
    world = sheets(table(challenge=2), rook=No1Sheet("Rook", "Ana", traits={"Grit": 2}))
    one_left = 1 / 6 * 5 / 6 + 5 / 6  # a single 1 with two ranks goes away
    both = 5 / 6 * 5 / 6  # two 1s: each needs its only rank to do
    clean = 25 / 36 + 10 / 36 * one_left + 1 / 36 * both
    assert chance(world, Act("rook"), "outcome", "no 1") == pytest.approx(clean, abs=1e-12)


def test_a_clean_roll_without_the_initiative_changes_nothing() -> None:
    foes = ("ogre", "Warden 1", "Warden 2", "Warden 3", "spy")
    world = do(gone(fight(first="foes"), *foes), Next("mira"))  # the foes have all acted and hold it
    clean = do(world, Act("mira", "Lore"), 5, 5)
    assert (clean.now.momentum, clean.now.entropy, clean.now.turns.holder) == (0, 0, "foes")
    assert chance(world, Act("mira", "Lore"), "counters", "Momentum +1") == 0
    soiled = do(world.live(spent={"mira": {"Curious": 1}}), Act("mira", "Lore"), 1, 5)
    assert soiled.now.entropy == 1
    house = replace(world, rules=replace(world.rules, momentum_needs_initiative=False))
    assert do(house, Act("mira", "Lore"), 5, 5).now.momentum == 1


def test_a_clean_shift_without_the_initiative_changes_nothing_either() -> None:
    foes = ("ogre", "Warden 1", "Warden 2", "Warden 3", "spy")
    world = do(gone(fight({"shift_momentum": True}, "foes"), *foes), Next("mira"))
    assert do(world, Shift("mira", "defy"), 5, 5).now.momentum == 0


def test_a_foes_clean_roll_without_the_initiative_changes_nothing_in_a_house_that_counts_it() -> None:
    world = do(gone(fight({"foes_move_counters": True}), "rook", "mira"), Next("ogre"))
    assert do(world, Act("ogre", "Smash"), 5, 5, 2).now.entropy == 0


def test_whoever_loses_the_initiative_loses_a_shift_not_yet_taken() -> None:
    world = do(up("mira", spent={"mira": {"Curious": 1}}), Act("mira", "Lore"), 1, 5)
    with pytest.raises(Refused, match="Mira has no Shift left this round"):
        do(world, Shift("mira", "defy"))
    shown = ENGINE.view("table", world)
    assert isinstance(shown, TableView)
    assert shown.prompt is not None
    assert "Shift" not in shown.prompt.text
    house = replace(up("mira", spent={"mira": {"Curious": 1}}), rules=No1Rules(shift_after_seizure=True))
    assert do(do(house, Act("mira", "Lore"), 1, 5), Shift("mira", "defy"), 5, 5).now.shifted == {"mira": 1}
    clean = do(up("mira"), Act("mira", "Lore"), 5, 5)
    assert do(clean, Shift("mira", "defy"), 5, 5).now.shifted == {"mira": 1}


def test_a_1_of_a_side_that_does_not_hold_the_initiative_costs_no_shift() -> None:
    foes = ("ogre", "Warden 1", "Warden 2", "Warden 3", "spy")
    world = do(gone(fight(first="foes"), *foes), Next("mira")).live(spent={"mira": {"Curious": 1}})
    world = do(world, Act("mira", "Lore"), 1, 5)
    assert do(world, Shift("mira", "defy"), 5, 5).now.shifted == {"mira": 1}


def test_nobody_seizes_the_initiative_while_nobody_of_the_other_side_is_in_sight() -> None:
    world = do(do(table(challenge=2), Begin()), Next("mira")).live(spent={"mira": {"Curious": 1}})
    assert chance(world, Act("mira"), "outcome", "a 1") > 0  # there is nothing to lose
    world = do(world, Act("mira"), 1, 5)
    assert (world.now.turns.holder, world.now.entropy) == ("heroes", 1)
    assert do(do(world, Next("rook")), Act("rook", "Strike"), 5, 5).now.momentum == 1
