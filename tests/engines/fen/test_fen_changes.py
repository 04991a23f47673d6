"""Changes to dice: what they are for, how they add up, and when they are gone."""

from __future__ import annotations

from typing import Any

import pytest
from fen_table import Do, Make, contest_in, odds_of, view_of
from msgspec.structs import replace

from tabletop_tui.conformance import check_odds
from tabletop_tui.engines.fen import ENGINE
from tabletop_tui.engines.fen.attack import Attack, attack_throw, dodge_throw
from tabletop_tui.engines.fen.changes import Help, Modify, people
from tabletop_tui.engines.fen.contest import Close, NewContest, RollContest
from tabletop_tui.engines.fen.dice import Mods
from tabletop_tui.engines.fen.effects import NextRound
from tabletop_tui.engines.fen.skill import RollSkill
from tabletop_tui.engines.fen.views.contest import adds
from tabletop_tui.engines.fen.world import FenSheet, FenWorld, Weapon, changes_of, person, skill_throw
from tabletop_tui.rules import Refused, fields


@pytest.fixture
def armed(world: FenWorld) -> FenWorld:
    """Wren with a dagger and 3d8 in fight."""
    skills = {**world.sheets["wren"].skills, "fight": "3d8"}
    wren = replace(world.sheets["wren"], skills=skills, weapons={"dagger": Weapon("1d4"), "saw": Weapon("2d12")})
    return replace(world, sheets={**world.sheets, "wren": wren})


def throw(world: FenWorld, weapon: str = "dagger") -> Any:
    return attack_throw(world, "wren", weapon).words


def test_one_additional_weapon_die_for_a_dagger_with_fight_3d8_is_2d4_and_3d8(armed: FenWorld, do: Do) -> None:
    assert throw(do(armed, Modify("wren", additional=1, of="weapon"))) == "2d4+3d8"


@pytest.mark.parametrize(
    ("weapon", "skill", "all_of_it", "words"),
    [
        ({}, {"additional": 1}, {}, "1d4+4d8"),
        ({}, {}, {"additional": 1}, "1d4+4d8"),
        ({"additional": 1}, {"additional": 1}, {"additional": 1}, "2d4+5d8"),
        ({"increments": 1}, {"increments": -1}, {}, "3d6+1d6".replace("3d6+1d6", "4d6")),
        ({"increments": 5}, {}, {"increments": 5}, "4d20".replace("4d20", "4d20")),
        ({"increments": 2}, {}, {"increments": -1}, "1d6+3d6".replace("1d6+3d6", "4d6")),
        ({"doubled": True}, {}, {}, "2d4+3d8"),
        ({"doubled": True}, {}, {"doubled": True}, "2d4+6d8"),
        ({"fewer": 1}, {}, {}, "1d4, twice, the lower; 3d8"),
        ({}, {"fewer": 2}, {}, "1d4+1d8"),
        ({}, {"fewer": 9}, {}, "1d4; 1d8, twice, the lower"),
        ({}, {}, {"fewer": 3}, "1d4"),
        ({}, {}, {"fewer": 4}, "1d4, twice, the lower"),
        ({"non_explosive": 2}, {}, {}, "2d4, not explosive; 3d8"),
        ({}, {"non_explosive": 1}, {}, "1d4; 1d8, not explosive"),
        ({}, {}, {"non_explosive": 2}, "2d8, not explosive"),
    ],
)
def test_a_change_is_for_the_weapon_the_skill_or_all_the_dice(
    armed: FenWorld, do: Do, weapon: Any, skill: Any, all_of_it: Any, words: str
) -> None:
    changes: Any = {"weapon": weapon, "skill": skill, "all": all_of_it}
    for of, change in changes.items():
        armed = do(armed, Modify("wren", of=of, **change)) if change else armed
    assert throw(armed) == words


def test_all_the_dice_means_the_largest_of_weapon_and_skill(armed: FenWorld, do: Do) -> None:
    assert throw(do(armed, Modify("wren", additional=1)), "saw") == "3d8+3d12"
    assert throw(do(armed, Modify("wren", fewer=1)), "saw") == "3d8+1d12"
    assert throw(do(armed, Modify("wren", fewer=2)), "saw") == "3d8"


def test_changes_of_different_kinds_add_up_and_none_puts_out_another(world: FenWorld, do: Do) -> None:
    world = do(do(world, Help("teal", "wren")), Modify("wren", additional=1))
    assert person(world, "wren").mods == Mods(doubled=True, additional=1)
    world = do(do(world, Modify("wren", fewer=2)), Modify("wren", additional=1))
    assert person(world, "wren").mods == Mods(doubled=True, additional=2, fewer=2)
    world = do(world, Modify("wren", increments=1, throw="contest"))
    assert skill_throw(world, "wren", "fight", "contest").words == "4d10"  # 2d10 doubled, two more, two fewer
    assert skill_throw(world, "wren", "fight").words == "4d8"


def test_what_was_said_before_can_be_put_aside(world: FenWorld, do: Do) -> None:
    world = do(do(world, Modify("wren", additional=3)), Modify("wren", fewer=1, throw="dodge"))
    assert changes_of(do(world, Modify("wren", clear=True)), "wren") == {}
    instead = do(world, Modify("wren", increments=1, clear=True))
    assert changes_of(instead, "wren") == {"all any": Mods(increments=1)}
    with pytest.raises(Refused, match="nothing changes"):
        do(world, Modify("wren"))
    with pytest.raises(Refused, match="more than the scale has"):
        do(do(world, Modify("wren", increments=5)), Modify("wren", increments=1))


def test_a_change_waits_for_its_kind_of_throw(world: FenWorld, do: Do) -> None:
    world = do(do(world, Modify("wren", additional=1, throw="contest")), Modify("wren", fewer=1, throw="dodge"))
    world = do(world, Modify("wren", additional=1, of="weapon"))
    world = do(world, RollSkill("wren", "vigor"), 3)
    world = do(world, NewContest("wren", "fight/vigor", ("wight",)))
    world = do(world, RollContest(), 1, 1, 1, 3)
    assert sorted(changes_of(world, "wren")) == ["all dodge", "weapon attack"]
    world = do(world, Attack("wight", "claws", "wren"), 1, 1, 1, 3)  # d4 alone dodges
    assert sorted(changes_of(world, "wren")) == ["weapon attack"]
    world = do(world, Attack("wren", "unarmed", "wight"), 1, 1, 2)  # bare hands have no weapon dice
    assert sorted(changes_of(world, "wren")) == ["weapon attack"]
    world = do(world, Attack("wren", "spear", "wight"), 1, 1, 1, 1, 2)
    assert changes_of(world, "wren") == {}


def test_a_weapon_is_thrown_in_attacks_alone(world: FenWorld, do: Do) -> None:
    with pytest.raises(Refused, match="a weapon is thrown in attacks"):
        do(world, Modify("wren", additional=1, of="weapon", throw="dodge"))
    assert changes_of(do(world, Modify("wren", additional=1, of="weapon")), "wren") == {
        "weapon attack": Mods(additional=1)
    }


def test_the_form_shows_what_is_set_already(world: FenWorld, do: Do) -> None:
    world = do(do(world, Help("teal", "wren")), Modify("wren", additional=1, of="weapon"))
    notes = {c.value: c.note for c in people(world, {})}
    assert notes["wren"] == "next throw: doubled; next attack, weapon dice: one more die"
    assert notes["teal"] == ""
    lines = next(s for s in view_of("sheet", world, "wren").sections if s.title == "dice").lines
    assert [(line.label, line.value) for line in lines] == [
        ("next throw", "doubled"),
        ("next attack, weapon dice", "one more die"),
    ]
    labels = [f.label for f in fields(Modify)]
    assert labels[:3] == ["who", "replaces earlier ones", "up or down"]
    assert labels[3:] == ["fewer", "non-explosive", "doubled", "additional", "which dice", "which throw"]


def test_odds_of_an_attack_with_changes_for_weapon_and_skill_are_those_of_the_walk(world: FenWorld, do: Do) -> None:
    still: Any = {"non_explosive": 1}
    world = do(do(world, Modify("wren", of="skill", **still)), Modify("wren", of="weapon", fewer=1, **still))
    world = do(world, Modify("wight", throw="dodge", **still))
    assert throw(world, "spear") == "1d6, not explosive, twice, the lower; 1d8, not explosive"
    assert getattr(dodge_throw(world, "wight"), "words", "") == "1d4, not explosive"
    check_odds(ENGINE, world, Attack("wren", "spear", "wight"))


def test_what_is_set_already_stands_in_the_roster(world: FenWorld, do: Do) -> None:
    world = do(do(world, Modify("wren", additional=1)), Modify("wight", fewer=1, throw="dodge"))
    rows = {person.id: person for person in view_of("table", world).people}
    (mine,), (theirs,) = rows["wren"].conditions, rows["wight"].conditions
    assert (mine.what, mine.until, mine.secret) == ("one more die", "next throw", False)
    assert (theirs.what, theirs.until, theirs.secret) == ("one die fewer", "next dodge", True)


def test_somebody_down_helps_nobody(world: FenWorld, do: Do) -> None:
    sheets = {**world.sheets, "owl": FenSheet("Owl", hp=1)}
    world = replace(world, sheets=sheets, now=replace(world.now, people={**world.now.people}))
    world = world.live(people={**world.now.people, "owl": replace(person(world, "owl"), hp=0)})
    with pytest.raises(Refused, match="down"):
        do(world, Help("owl", "wren"))


def test_changes_hold_for_the_next_throw_only(world: FenWorld, do: Do) -> None:
    world = do(world, Modify("wren", additional=1))
    world = do(world, NewContest("wren", "fight/vigor", ("wight",)))
    world = do(world, RollContest(), 1, 1, 1, 3)
    assert len(contest_in(world).fallen.dice) == 3
    world = do(world, NextRound("fight/vigor"))
    assert len(contest_in(do(world, RollContest(), 1, 1, 3)).fallen.dice) == 2


def test_help_doubles_the_dice_and_never_twice(world: FenWorld, do: Do) -> None:
    world = do(world, Help("teal", "wren"))
    with pytest.raises(Refused, match="doubled already"):
        do(world, Help("thief", "wren"))
    world = do(world, NewContest("wren", "fight/vigor", ("wight",)))
    assert len(contest_in(do(world, RollContest(), 1, 1, 1, 1, 3)).fallen.dice) == 4


def test_the_house_order_of_changes_is_used(table: Make, do: Do) -> None:
    world = table(order=["additional", "doubled", "increments", "fewer", "non-explosive"])
    world = do(world, Modify("wren", additional=1, doubled=True))
    world = do(world, NewContest("wren", "fight/vigor", ("wight",)))
    assert len(contest_in(do(world, RollContest(), *[1] * 6, 3)).fallen.dice) == 6


def test_where_attacks_do_not_explode_weapon_and_skill_are_one_handful_whatever_was_changed(
    table: Make, do: Do
) -> None:
    still = do(table(attack_explodes=False), Modify("wren", of="skill", non_explosive=3))
    assert attack_throw(still, "wren", "spear").words == "1d6+3d8, not explosive"
    lower = do(table(attack_explodes=False), Modify("wren", of="weapon", fewer=1))
    assert attack_throw(lower, "wren", "spear").words == "1d6, not explosive, twice, the lower; 2d8, not explosive"


def test_what_was_put_into_a_contest_that_is_put_away_is_no_other_throws(world: FenWorld, do: Do) -> None:
    opened = do(world, NewContest("wren", "dodge/notice", ("thief",)))
    more = next(o for o in adds(opened, "wren") if o.label == "one more die").action
    changed = do(opened, more)
    assert changes_of(changed, "wren") == {"all contest": Mods(additional=1)}
    assert changes_of(do(changed, Close()), "wren") == {}


def test_a_pool_says_last_what_is_rolled_in_all_and_why(world: FenWorld, do: Do) -> None:
    world = do(world, Modify("wren", additional=1))
    mine = odds_of(world, RollSkill("wren", "notice", non_explosive=1)).pools[0]
    assert [(p.source, p.dice, p.note) for p in mine.parts] == [
        ("notice", "2d6", ""),
        ("in all", "1d6, not explosive", "one more die, one non-explosive die"),
    ]
