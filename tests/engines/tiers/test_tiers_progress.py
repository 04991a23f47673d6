"""Progress: levels gained, ranks and skills learned, callings, and HP that follow the levels."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

import playing
import pytest
from msgspec.structs import replace
from tiers_worlds import do, events_of, hero, npc, world

from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.engines.tiers.health import Heal, Hurt
from tabletop_tui.engines.tiers.progress import GainLevel, LearnRank, LearnSkill, tiers_to_learn
from tabletop_tui.engines.tiers.skills import rating
from tabletop_tui.engines.tiers.world import TiersWorld, is_out, most_hp, person
from tabletop_tui.kit.cast import AddCopies
from tabletop_tui.kit.order import BeginEncounter
from tabletop_tui.rules import Refused, SheetView, fields
from tabletop_tui.rules.ask import choices
from tabletop_tui.session import Change, verify
from tabletop_tui.storage.open_campaign import OpenCampaign


def rook(**more: Any) -> TiersWorld:
    return world(rook=hero("Rook", levels={"alpha": 3}, Dodge={"alpha": 5}, Song={"alpha": 2}), **more)


def test_a_level_gained_raises_the_maximum_and_what_is_left() -> None:
    here = do(do(rook(), Hurt("rook", 12)), GainLevel("rook", "beta"))
    assert (most_hp(here, "rook"), here.now.people["rook"].hp) == (80, 68)
    assert here.sheets["rook"].levels == {"alpha": 3, "beta": 1}


def test_whoever_was_out_stands_again_with_a_level() -> None:
    here = do(do(rook(ogre=npc("Ogre")), BeginEncounter(("ogre", "rook"))), Hurt("rook", 99))
    assert here.now.turns.fighters["rook"].out
    here = do(here, GainLevel("rook", "alpha"))
    assert not here.now.turns.fighters["rook"].out
    assert not is_out(here, "rook")


@pytest.mark.parametrize(
    ("levels", "calling", "after"),
    [
        ({"alpha": 3}, "", {"alpha": 4}),
        ({}, "Cook", {"alpha": {"Cook": 1}}),
        ({"alpha": {"Soldier": 3, "Cook": 2}}, "Cook", {"alpha": {"Soldier": 3, "Cook": 3}}),
        ({"alpha": {"Soldier": 3}}, "Cook", {"alpha": {"Soldier": 3, "Cook": 1}}),
        ({"alpha": {"Soldier": 3}}, "", {"alpha": {"Soldier": 4}}),
    ],
)
def test_a_level_goes_to_its_calling(levels: Any, calling: str, after: Any) -> None:
    sheet = replace(hero("Rook"), levels={**levels, "beta": 1})
    here = do(world(rook=sheet), GainLevel("rook", "alpha", calling))
    assert here.sheets["rook"].levels == {**after, "beta": 1}
    assert not ENGINE.problems(here)


@pytest.mark.parametrize(
    ("levels", "calling", "told"),
    [
        ({"alpha": 3}, "Cook", "have no callings"),
        ({"alpha": {"Soldier": 3, "Cook": 2}}, "", "has callings in alpha"),
        ({"alpha": 100}, "", "100 levels are the most"),
    ],
)
def test_a_level_that_does_not_fit_is_refused(levels: Any, calling: str, told: str) -> None:
    with pytest.raises(Refused, match=told):
        do(world(rook=hero("Rook", levels=levels)), GainLevel("rook", "alpha", calling))


def test_only_the_sum_of_callings_counts_and_the_sheet_names_them() -> None:
    here = world(rook=hero("Rook", levels={"alpha": {"Soldier": 3, "Cook": 2}}))
    assert most_hp(here, "rook") == 50
    view = ENGINE.view("sheet", here, "rook")
    assert isinstance(view, SheetView)
    assert view.sections[0].lines[0].value == "5  Soldier 3, Cook 2"


def test_a_rank_is_learned_up_to_5() -> None:
    here = do(rook(), LearnRank("rook", "Song:alpha"))
    assert here.sheets["rook"].skills["Song"] == {"alpha": 3}
    with pytest.raises(Refused, match="rank 5 is the most"):
        do(here, LearnRank("rook", "Dodge:alpha"))


def test_a_skill_is_learned_with_what_legacy_brings() -> None:
    events, here = events_of(rook(), LearnSkill("rook", "Dodge", "beta"))
    assert here.sheets["rook"].skills["Dodge"] == {"alpha": 5, "beta": 1}
    found = rating(here, "rook", "Dodge")
    assert found is not None
    assert (found.tier, found.rank) == ("beta", 2)
    assert [event.says(rook()) for event in events] == ["Rook learns Dodge beta 1, 2 with legacy: 2d6"]


def test_the_form_shows_what_legacy_would_bring() -> None:
    shown = {c.value: c.note for c in tiers_to_learn(rook(), {"who": "rook", "skill": "Dodge"}) if not c.closed}
    assert shown["beta"] == "legacy: rolls 2d6"
    assert shown["charlie"] == ""
    five = world(rook=hero("Rook", Dodge={"alpha": 5, "beta": 3}))
    notes = [c.note for c in choices(fields(LearnRank)[1], five, {"who": "rook"}) if not c.closed]
    assert notes == ["legacy: rolls 5d6"]


def test_rank_5_tells_what_legacy_brings_in_the_tiers_above() -> None:
    here = world(rook=hero("Rook", Dodge={"alpha": 4, "beta": 4, "charlie": 1}))
    notes = {c.value: c.note for c in choices(fields(LearnRank)[1], here, {"who": "rook"})}
    assert notes["Dodge:alpha"] == "legacy: beta 5, charlie 2"
    assert (notes["Dodge:beta"], notes["Dodge:charlie"]) == ("legacy: charlie 2", "")
    events, _ = events_of(here, LearnRank("rook", "Dodge:alpha"))
    assert [event.says(here) for event in events] == ["Rook learns Dodge alpha 5: 5d4; legacy: beta 5, charlie 2"]


def test_the_form_of_a_level_proposes_only_what_is_taken() -> None:
    here = world(rook=hero("Rook", levels={"alpha": {"Soldier": 3, "Cook": 2}, "beta": 100}))
    _, tier, calling = fields(GainLevel)
    closed = {c.value: c.closed for c in choices(tier, here, {"who": "rook"}) if c.closed}
    assert closed == {"beta": "100 levels are the most"}
    assert calling.ask.first
    proposed, *_ = choices(calling, here, {"who": "rook", "tier": "alpha"})
    assert do(here, GainLevel("rook", "alpha", proposed.value)).sheets["rook"].levels["alpha"] == {
        "Soldier": 4,
        "Cook": 2,
    }


@pytest.mark.parametrize(
    ("skill", "tier", "told"),
    [("Dodge", "alpha", "learned already"), (" ", "beta", "needs a name"), ("a:b", "beta", "without a colon")],
)
def test_a_skill_that_cannot_be_learned_is_refused(skill: str, tier: Any, told: str) -> None:
    with pytest.raises(Refused, match=told):
        do(rook(), LearnSkill("rook", skill, tier))


def test_copies_follow_their_sheet_and_learn_nothing_themselves() -> None:
    here = do(rook(guard=npc("Guard", Spear={"alpha": 1})), AddCopies("guard", 1))
    here = do(here, LearnRank("guard", "Spear:alpha"))
    assert here.sheets["guard#2"].skills["Spear"] == {"alpha": 2}
    with pytest.raises(Refused, match="cannot be 'guard#2'"):
        do(here, LearnRank("guard#2", "Spear:alpha"))


def test_what_the_gms_own_learn_is_whispered() -> None:
    here = rook(guard=npc("Guard", Spear={"alpha": 1}))
    for action in (
        GainLevel("guard", "alpha"),
        LearnRank("guard", "Spear:alpha"),
        LearnSkill("guard", "Song", "beta"),
    ):
        events, _ = events_of(here, action)
        assert [e.says(here) for e in events] == [""]
        assert all(e.whispers(here) for e in events)


# ---- hand edits of levels


def test_a_level_that_a_hand_edit_takes_away_holds_hp_at_the_new_maximum() -> None:
    here = rook()
    fewer = replace(here, sheets={"rook": replace(here.sheets["rook"], levels={"alpha": 2})})
    assert (person(fewer, "rook").hp, most_hp(fewer, "rook")) == (20, 20)
    (problem,) = ENGINE.problems(fewer)
    assert problem.warning
    assert problem.what == "30 HP are more than their levels give"
    assert do(fewer, Hurt("rook", 5)).now.people["rook"].hp == 15
    assert do(fewer, Heal("rook", 5)).now.people["rook"].hp == 20
    assert ENGINE.start(fewer).people["rook"].hp == 20


def test_a_level_that_a_hand_edit_adds_raises_the_maximum_alone() -> None:
    here = rook()
    more = replace(here, sheets={"rook": replace(here.sheets["rook"], levels={"alpha": 4})})
    assert (person(more, "rook").hp, most_hp(more, "rook")) == (30, 40)


def test_the_table_takes_such_an_edit(tmp_path: Path) -> None:
    table = playing.table(playing.starter(tmp_path / "x"))
    table.edited([Change(("sheets", "mira", "levels", "beta"), 1, None)])
    assert person(table.world, "mira").hp == most_hp(table.world, "mira") == 50


# ---- the sheet's file


def desk_of(tmp_path: Path) -> tuple[Path, OpenCampaign]:
    root = playing.starter(tmp_path / "gate")
    return root / "characters" / "rook.toml", OpenCampaign(root, clock=playing.evening(), disk=playing.NoSync())


def changed_lines(old: str, new: str) -> list[str]:
    return [line for line in difflib.ndiff(old.splitlines(), new.splitlines()) if line[0] in "+-"]


def test_progress_writes_that_value_into_the_sheet_and_nothing_else(tmp_path: Path) -> None:
    file, desk = desk_of(tmp_path)
    text = file.read_text()
    for action, lines in (
        (GainLevel("rook", "alpha"), ["- alpha = 6", "+ alpha = 7"]),
        (LearnRank("rook", "Shooting:alpha"), ["- Shooting = { alpha = 4 }", "+ Shooting = { alpha = 5 }"]),
        (
            LearnSkill("rook", "Shooting", "beta"),
            ["- Shooting = { alpha = 5 }", "+ Shooting = { alpha = 5, beta = 1 }"],
        ),
        (LearnSkill("rook", "Song", "alpha"), ["+ Song = { alpha = 1 }"]),
    ):
        desk.do(action)
        assert changed_lines(text, file.read_text()) == lines
        text = file.read_text()
    assert desk.untold().notes == ("characters/rook.toml is written",) * 4
    assert not desk.look().any
    found = verify(ENGINE, desk.table.header, desk.table.timeline.entries)
    assert not found.wrong


def test_one_undo_takes_progress_back_and_the_file_with_it(tmp_path: Path) -> None:
    file, desk = desk_of(tmp_path)
    before, text = desk.table.world, file.read_text()
    desk.do(GainLevel("rook", "beta"))
    entry = desk.undo()
    assert desk.table.world == before
    assert entry.said == ("Undone: Rook gains a level: beta, HP 110",)
    assert file.read_text() == text
    desk.redo()
    assert "beta = 1" in file.read_text()


def test_a_sheet_that_somebody_has_changed_since_is_not_touched_by_undo_but_offered(tmp_path: Path) -> None:
    file, desk = desk_of(tmp_path)
    desk.do(GainLevel("rook", "beta"))
    mine = file.read_text().replace("beta = 1", "beta = 1 # at last")
    file.write_text(mine)
    desk.undo()
    assert file.read_text() == mine
    assert [patch.file for patch in desk.put_back()] == ["characters/rook.toml"]


def test_progress_that_was_not_written_is_written_when_the_campaign_is_opened_again(tmp_path: Path) -> None:
    file, desk = desk_of(tmp_path)
    desk.table.do(GainLevel("rook", "beta"))
    desk.close()
    again = OpenCampaign(file.parent.parent, clock=playing.evening(), disk=playing.NoSync())
    again.look()
    assert "beta = 1" in file.read_text()


def test_the_command_line_writes_it_too(tmp_path: Path) -> None:
    file, desk = desk_of(tmp_path)
    desk.close()
    done = playing.command("act", file.parent.parent, "learn", "who=rook", "skill=Song", "tier=beta")
    assert done.returncode == 0, done.stderr
    assert "Song" in file.read_text()
