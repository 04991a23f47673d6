"""Zones and hazards: those that stay, those that walk, in encounters and outside them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from no1_table import do, fight, table, told

from tabletop_tui.engines.no1 import ENGINE
from tabletop_tui.engines.no1.advantages import SpendAdvantage
from tabletop_tui.engines.no1.cast import Hide, Reveal
from tabletop_tui.engines.no1.dice import throw_of
from tabletop_tui.engines.no1.encounter import Begin, End, EnterScene
from tabletop_tui.engines.no1.hazards import AddZone, Place, SetHazard, hazards_against, hazards_in
from tabletop_tui.engines.no1.initiative import Next
from tabletop_tui.engines.no1.roll import Act, Shift
from tabletop_tui.engines.no1.world import No1Scene
from tabletop_tui.rules import Refused

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
    assert hazards_against(do(world, Hide("ogre")), "ogre") == {"Ogre": 3}
    spared = do(fight({"own_hazard": False}), SetHazard("gate", "Ogre", 2))
    assert hazards_against(spared, "ogre") == {"Ogre": 2}


def test_a_house_rule_lets_hidden_hazards_count() -> None:
    world = fight({"hidden_hazards": True})
    assert hazards_against(world, "rook") == {"falling span": 2, "something unseen": 2}
    assert hazards_against(do(world, Reveal("spy")), "rook") == {"falling span": 2, "Spy": 2}


# ---- zones outside encounters


def test_zones_and_hazards_count_in_a_scene_before_its_encounter() -> None:
    world, _, said = told(table(challenge=2), EnterScene("bridge"))
    assert said == ["Scene: The bridge"]
    assert (list(world.now.zones), world.now.positions) == (
        ["bank", "span", "gate"],
        {"mira": "bank", "rook": "span"},
    )
    assert throw_of(world, "rook", "Strike", 0).hazards == 2
    assert throw_of(world, "mira", "Lore", 0).hazards == 0
    world = do(world, Act("rook", "Strike"), 5, 2, 4, 2)
    assert (world.now.roll is not None and world.now.roll.hits, world.now.momentum) == (2, 1)
    moved = do(world, Shift("rook", "move", "Strike", "gate"), 5, 2, 2, 2)
    assert moved.now.positions["rook"] == "gate"


def test_the_bamf_sets_zones_and_hazards_outside_encounters_too() -> None:
    with pytest.raises(Refused, match="there are no zones"):
        do(table(), SetHazard("span", "fire", 1))
    world = do(table(), EnterScene("bridge"))
    world = do(do(world, AddZone("Far bank")), SetHazard("far-bank", "fire", 3))
    world, _, said = told(world, Place("ogre", "far-bank"))
    assert said == ["Ogre moves to Far bank"]
    assert hazards_in(world, "far-bank") == {"fire": 3, "Ogre": 1}  # placed there it is seen
    assert hazards_in(world.live(retired=("ogre",)), "far-bank") == {"fire": 3}


def test_a_scene_that_is_on_can_be_laid_out_anew_while_no_encounter_runs() -> None:
    world = do(do(table(), EnterScene("bridge")), SetHazard("bank", "fire", 2))
    assert hazards_in(do(world, EnterScene("bridge")), "bank") == {}
    with pytest.raises(Refused, match="its encounter is running"):
        do(fight(), EnterScene("bridge"))


def test_an_encounter_begins_in_the_scene_as_it_stands() -> None:
    world = do(do(table(), EnterScene("bridge")), SetHazard("bank", "fire", 2))
    world = do(do(world, Place("rook", "bank")), Begin("bridge", "heroes"))
    assert hazards_in(world, "bank") == {"fire": 2}
    assert (world.now.positions["rook"], world.now.positions["ogre"]) == ("bank", "gate")


def test_what_was_made_ready_in_the_scene_is_there_when_its_encounter_begins() -> None:
    """The hits of Defy Danger come off the next roll, whenever that is."""
    world = do(table(challenge=2), EnterScene("bridge"))
    world = do(world, Shift("rook", "advantage", "Strike"), 5, 5, 2, 2)
    world = do(world, Shift("rook", "defy", "Strike"), 5, 2, 2, 2)
    world = do(world, SpendAdvantage("rook", "hits"))
    begun = do(world, Begin("bridge", "heroes"))
    assert begun.now.advantages == {"heroes": {"span": 1}}
    throw = throw_of(begun, "rook", "Strike", 0)
    assert (throw.hazards, throw.boosts) == (1, 1)
    two = replace(world, scenes={**world.scenes, "road": No1Scene("The road")})
    elsewhere = do(two, Begin("road", "heroes"))
    assert (elsewhere.now.advantages, elsewhere.now.defied, elsewhere.now.boosts) == ({}, {}, {})


def test_the_zones_outlast_the_encounter_and_the_foes_do_not() -> None:
    world = do(do(fight(), Place("mira", "span")), End())
    assert list(world.now.zones) == ["bank", "span", "gate"]
    assert world.now.positions == {"mira": "span", "rook": "span"}
    assert throw_of(world, "mira", "Lore", 0).hazards == 2
    assert hazards_in(world, "gate") == {}


def test_another_scene_during_an_encounter_asks_and_ends_it() -> None:
    world = fight(momentum=2)
    assert EnterScene.warns(world) == (
        "The encounter ends with it, in round 1: Momentum 2, Entropy 0: the scene turns the heroes' way. "
        "Move to another scene?"
    )
    assert EnterScene.warns(table()) == ""
    world = replace(world, scenes={**world.scenes, "road": No1Scene("The road")})
    world, _, said = told(world, EnterScene("road"))
    assert said == [
        "The encounter ends in round 1",
        "Momentum 2, Entropy 0: the scene turns the heroes' way",
        "Scene: The road",
    ]
    assert (world.now.turns.running, world.now.zones, world.now.positions) == (False, {}, {})


def test_a_session_begins_with_the_zones_of_the_scene_that_is_on() -> None:
    started = ENGINE.start(table(scene="bridge"))
    assert list(started.zones) == ["bank", "span", "gate"]
    assert ENGINE.start(fight()) == fight().now
