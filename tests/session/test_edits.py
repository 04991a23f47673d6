"""Hand edits: the difference of two pictures, applied to a third or refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playing import act

from tabletop_tui.rules import Refused
from tabletop_tui.session import Change, Table, apply_changes, differences, picture, value_at
from tabletop_tui.session.edits import _put


def test_an_edit_of_live_state_applies_and_is_logged_with_before_and_after(table: Table) -> None:
    entry = table.edited([Change(("now", "people", "mira", "hp"), 100, 40)])
    assert table.world.now.people["mira"].hp == 40
    assert entry.whispered == ("Edited by hand: now.toml: people.mira.hp 100 → 40",)
    table.undo()
    assert table.world.now.people["mira"].hp == 100


def test_an_edit_of_a_sheet_applies(table: Table) -> None:
    table.edited([Change(("sheets", "rook", "skills", "Dodge", "alpha"), 3, 4)])
    assert table.world.sheets["rook"].skills["Dodge"]["alpha"] == 4


def test_an_edit_of_a_players_sheet_is_said_and_one_of_the_gms_is_whispered(table: Table) -> None:
    entry = table.edited(
        [
            Change(("sheets", "rook", "skills", "Dodge", "alpha"), 3, 4),
            Change(("sheets", "guard", "levels", "alpha"), 2, 5),
        ]
    )
    assert entry.said == ("Edited by hand: rook.toml: skills.Dodge.alpha 3 → 4",)
    assert entry.whispered == ("Edited by hand: guard.toml: levels.alpha 2 → 5",)


def test_a_sheet_can_be_added_and_taken_out(table: Table) -> None:
    table.edited([Change(("sheets", "wolf"), None, {"name": "Wolf", "levels": {"alpha": 1}})])
    assert table.world.sheets["wolf"].name == "Wolf"
    table.edited([Change(("sheets", "wolf"), {"name": "Wolf"}, None)])
    assert "wolf" not in table.world.sheets


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (Change(("now", "people", "mira", "hp"), 100, "many"), "does not fit"),
        (Change(("now", "complications"), 0, -1), "does not fit"),
        (Change(("now", "people", "mira", "hp"), 100, -5), "HP cannot be -5"),
        (Change(("sheets", "rook", "name"), "Rook", None), "does not fit"),
        (Change(("sheets", "rook", "skills", "Dodge", "alpha"), 3, 6), "does not fit"),
        (Change(("sheets", "rook", "levels"), {"alpha": 6}, {}), "no level in any tier"),
        (Change(("weather",), None, "rain"), "is not known"),
        (Change(("now", "turns", "order"), [], ["nobody"]), "nobody is called"),
    ],
)
def test_an_edit_that_does_not_fit_is_refused_and_changes_nothing(table: Table, change: Change, why: str) -> None:
    before = table.world
    with pytest.raises(Refused, match=why):
        table.edited([change])
    assert table.world is before
    assert table.timeline.last == 0


def test_somebody_in_a_running_challenge_cannot_be_edited_away(table: Table) -> None:
    act(table, "open challenge=the-gate/hold")
    act(table, "lead who=mira skill=Warding")
    with pytest.raises(Refused, match="nobody is called"):
        table.edited([Change(("sheets", "mira"), {}, None)])


def test_lists_are_one_value_because_their_places_have_no_identity() -> None:
    assert differences({"a": [1, 2]}, {"a": [1, 3]}) == [Change(("a",), [1, 2], [1, 3])]


def test_a_value_that_is_not_there_is_none() -> None:
    assert value_at({"a": {"b": 1}}, ("a", "b")) == 1
    assert value_at({"a": {"b": 1}}, ("a", "c", "d")) is None


PLAIN = st.recursive(
    st.integers() | st.text(max_size=3) | st.booleans(),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner, min_size=1, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from("abc"), PLAIN), st.dictionaries(st.sampled_from("abc"), PLAIN))
def test_the_differences_put_into_the_old_picture_give_the_new_one(old: dict[str, Any], new: dict[str, Any]) -> None:
    here: object = old
    for change in differences(old, new):
        assert value_at(old, change.path) == change.before
        here = _put(here, change.path, change.after)
    assert (here or {}) == new


def test_applying_no_change_gives_the_same_world(table: Table) -> None:
    assert apply_changes(table.engine, table.world, []) is table.world
    assert picture(table.world.now)["clocks"]["storm"]["size"] == 6


def test_somebody_who_is_added_or_taken_away_by_hand_is_told_by_name() -> None:
    mire = {"name": "Mire thief", "skills": {"dodge": "1d6"}}
    assert Change(("sheets", "mire"), None, mire).words() == "Mire thief added"
    assert Change(("scenes", "ford"), {"title": "The ford"}, None).words() == "The ford removed"
    assert Change(("now", "scene"), None, "ford").words() == "now.toml: scene added, ford"
