"""What a hand edit can break is found, with its place, a sentence and a remedy."""

from __future__ import annotations

from typing import Any

import level
import msgspec
import pytest
from msgspec.structs import replace
from no1_table import BRIDGE, SHEETS, do, fight, table

from tabletop_tui.conformance import check_edits, worlds
from tabletop_tui.engines.no1 import ENGINE
from tabletop_tui.engines.no1.initiative import Next
from tabletop_tui.engines.no1.roll import Act
from tabletop_tui.engines.no1.world import Die, Duel, Foe, No1Sheet, No1World, Roll, Zone
from tabletop_tui.rules import Fighter


def serious(world: No1World) -> list[tuple[tuple[Any, ...], str]]:
    found = ENGINE.problems(world)
    assert all(p.remedy or p.known for p in found)
    return [(p.path, p.what) for p in found if not p.warning]


def test_a_table_in_order_has_no_problems() -> None:
    assert list(ENGINE.problems(table())) == []
    assert list(ENGINE.problems(fight())) == []


@pytest.mark.parametrize(
    ("changes", "path", "what"),
    [
        ({"challenge": 0}, ("challenge",), "Challenge cannot be 0"),
        ({"challenge": -2}, ("challenge",), "Challenge cannot be -2"),
        ({"challenge": 99}, ("challenge",), "Challenge cannot be 99"),
        ({"timer": -1}, ("timer",), "the Timer cannot be -1"),
        ({"heroes": {"rook": "moon"}}, ("heroes", "rook"), "there is no zone 'moon'"),
        ({"foes": {"ogre": Foe("moon")}}, ("foes", "ogre", "zone"), "there is no zone 'moon'"),
        ({"foes": {"orge": Foe()}}, ("foes", "orge"), "nobody is called 'orge'"),
        ({"foes": {"ogre": Foe(count=0)}}, ("foes", "ogre", "count"), "how many there are cannot be 0"),
        (
            {"zones": {**BRIDGE.zones, "bank": Zone("bank", {"fire": -1})}},
            ("zones", "bank", "hazards", "fire"),
            "the hazard fire cannot be -1",
        ),
    ],
)
def test_a_scene_that_does_not_fit(changes: dict[str, Any], path: tuple[str, ...], what: str) -> None:
    world = replace(table(), scenes={"bridge": replace(BRIDGE, **changes)})
    assert serious(world) == [(("scenes", "bridge", *path), what)]


@pytest.mark.parametrize(
    ("sheet", "path", "what"),
    [
        (No1Sheet("Rook", "Ana", focus="Luck"), "focus", "Rook has no Trait 'Luck'"),
        (No1Sheet("Rook", "Ana", hazard=-1), "hazard", "the hazard of Rook cannot be -1"),
    ],
)
def test_a_sheet_that_does_not_fit(sheet: No1Sheet, path: str, what: str) -> None:
    world = replace(table(), sheets={**SHEETS, "rook": sheet})
    assert serious(world) == [(("sheets", "rook", path), what)]


def turns(**changes: Any) -> dict[str, Any]:
    return {"turns": replace(fight().now.turns, **changes)}


FIGHTERS = fight().now.turns.fighters
ORDER = fight().now.turns.order


@pytest.mark.parametrize(
    ("changes", "path", "what"),
    [
        ({"challenge": 0}, ("challenge",), "Challenge cannot be 0"),
        ({"momentum": -1}, ("momentum",), "Momentum cannot be -1"),
        ({"entropy": -3}, ("entropy",), "Entropy cannot be -3"),
        (turns(timer=-1), ("turns", "timer"), "the timer cannot be -1"),
        (turns(holder="nobody"), ("turns", "holder"), "there is no side 'nobody'"),
        (turns(current="frodo"), ("turns", "current"), "'frodo' is not in the order"),
        (turns(order=(*ORDER, "rook")), ("turns", "order"), "'rook' is in the order twice"),
        (
            turns(order=ORDER[:-1]),
            ("turns", "fighters", "spy"),
            "'spy' fights and is not in the order",
        ),
        (
            turns(fighters={**FIGHTERS, "rook": Fighter("owls")}),
            ("turns", "fighters", "rook", "side"),
            "there is no side 'owls'",
        ),
        ({"positions": {"rook": "moon"}}, ("positions", "rook"), "there is no zone 'moon'"),
        ({"positions": {"frodo": "span"}}, ("positions", "frodo"), "nobody is called 'frodo'"),
        ({"advantages": {"heroes": {"moon": 1}}}, ("advantages", "heroes", "moon"), "there is no zone 'moon'"),
        ({"advantages": {"heroes": {"span": -1}}}, ("advantages", "heroes", "span"), "advantages cannot be -1"),
        ({"advantages": {"owls": {"span": 1}}}, ("advantages", "owls"), "there is no side 'owls'"),
        ({"defied": {"rook": -1}}, ("defied", "rook"), "Hazard dice defied cannot be -1"),
        ({"spent": {"rook": {"Stubborn": -1}}}, ("spent", "rook", "Stubborn"), "ranks spent cannot be -1"),
        ({"verdict": "up"}, ("verdict",), "there is no verdict 'up'"),
        ({"roll": Roll("action", "frodo", (Die(6, 5),), clean=True)}, ("roll", "who"), "nobody is called 'frodo'"),
        (
            {"roll": Roll("action", "rook", (Die(6, 5), Die(6, 7)), clean=True)},
            ("roll", "dice", 1),
            "a d6 cannot show 7",
        ),
        (
            {"roll": Roll("action", "rook", (Die(6, 5),), pending=True)},
            ("roll", "pending"),
            "a roll without a 1 has nothing to wait for",
        ),
        (
            {"roll": Roll("move", "rook", (Die(6, 5),), to="moon", clean=True)},
            ("roll", "to"),
            "there is no zone 'moon'",
        ),
        ({"duel": Duel("rook", "frodo", "Proud")}, ("duel", "other"), "nobody is called 'frodo'"),
        (
            {"duel": Duel("rook", "ogre", "Proud", "fought", 2, 2)},
            ("duel", "round"),
            "the rounds that were fought cannot be 2",
        ),
    ],
)
def test_live_state_that_does_not_fit(changes: dict[str, Any], path: tuple[str, ...], what: str) -> None:
    assert serious(fight().live(**changes)) == [(("now", *path), what)]


def test_somebody_in_the_order_whose_sheet_is_gone_is_named() -> None:
    world = fight()
    world = replace(world, sheets={w: s for w, s in world.sheets.items() if w != "rook"})
    assert (("now", "turns", "order"), "nobody is called 'rook'") in serious(world)


def test_a_copy_whose_sheet_is_gone_is_named() -> None:
    found = serious(fight(copies={"Warden 1": "wardn", "Warden 2": "warden", "Warden 3": "warden"}))
    assert (("now", "copies", "Warden 1"), "nobody is called 'wardn'") in found


@pytest.mark.parametrize("text", ['name = "A"\n[skills]\nDo = 5', 'name = "A"\n[skills]\nDo = -1'])
def test_a_rating_above_4_or_below_0_does_not_even_load(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.toml.decode(text.encode(), type=ENGINE.sheet)


def test_ranks_taken_off_a_sheet_while_a_roll_waits_leave_letting_go() -> None:
    world = do(do(fight(), Next("rook")), Act("rook", "Strike"), 1, 5, 2, 3)
    world = replace(world, sheets={**SHEETS, "rook": replace(SHEETS["rook"], traits={})})
    assert serious(world) == []
    answer = ENGINE.policy(world)
    assert answer is not None
    assert do(world, answer).now.entropy == 1
    assert ENGINE.view("table", world) is not None


def test_a_mistyped_word_is_told_with_the_words_that_there_are() -> None:
    (found,) = ENGINE.problems(replace(table(), scenes={"bridge": replace(BRIDGE, heroes={"rook": "spam"})}))
    assert (found.found, found.known[:3]) == ("spam", ("bank", "span", "gate"))


def test_no_hand_edit_that_is_accepted_breaks_the_table() -> None:
    most = level.many(200, 2_000, 50_000)
    found = check_edits(ENGINE, worlds(ENGINE, fight(momentum=4, entropy=4), most), most=most, each=25)
    assert found.states == most
    assert found.accepted > most // 4
