"""Undo takes a hand edit back at the table; the file is put back when asked, and that is no new edit."""

from __future__ import annotations

from pathlib import Path

import playing
import pytest

from tabletop_tui.rules import Refused
from tabletop_tui.session import verify
from tabletop_tui.storage.open_campaign import OpenCampaign

ROOK = "characters/rook.toml"
OLD, NEW = "Dodge = { alpha = 3 }", "Dodge = { alpha = 5 } # at last"


@pytest.fixture
def desk(root: Path) -> OpenCampaign:
    """An open table whose now.toml is written."""
    desk = OpenCampaign(root, clock=playing.evening())
    assert desk.publish()
    return desk


def edit(root: Path, old: str = OLD, new: str = NEW, file: str = ROOK) -> bytes:
    raw = (root / file).read_bytes()
    assert raw.count(old.encode()) == 1
    (root / file).write_bytes(raw.replace(old.encode(), new.encode()))
    return raw


def dodge(desk: OpenCampaign) -> int:
    return int(desk.table.world.sheets["rook"].skills["Dodge"]["alpha"])


def agree(desk: OpenCampaign) -> None:
    """Files and table say the same, here and to whoever opens the campaign next; and the log is sound."""
    assert not desk.look().any
    assert desk.put_back() == []
    again = OpenCampaign(desk.root)
    assert not again.look().any
    assert again.put_back() == []
    assert again.table.world == desk.table.world
    assert not verify(desk.engine, desk.log.header, again.table.timeline.entries).wrong


def put_back(desk: OpenCampaign) -> None:
    for patch in desk.put_back():
        assert not desk.write(patch).any


def test_a_file_that_was_edited_and_undone_is_put_back_as_it_was(root: Path, desk: OpenCampaign) -> None:
    before = edit(root)
    desk.look()
    assert desk.put_back() == []  # nothing was undone: file and table agree
    desk.table.undo()
    (patch,) = desk.put_back()
    assert f"-{NEW}\n+{OLD}" in patch.diff()
    assert NEW in (root / ROOK).read_text()  # not before it is asked for
    assert not desk.write(patch).any
    assert (root / ROOK).read_bytes() == before
    assert NEW in (root / f"{ROOK}.bak").read_text()
    assert dodge(desk) == 3
    agree(desk)


def test_a_file_is_put_back_by_another_process_that_never_saw_it_before(root: Path, desk: OpenCampaign) -> None:
    edit(root)
    desk.look()
    desk.table.undo()
    desk.close()
    later = OpenCampaign(root)
    assert not later.look().any
    put_back(later)
    assert f"{OLD} # at last" in (root / ROOK).read_text()  # the value alone: nobody knows what else was new
    assert dodge(later) == 3
    agree(later)


def test_a_file_that_is_left_as_it_is_stays_so_and_the_table_keeps_its_own(root: Path, desk: OpenCampaign) -> None:
    edit(root)
    desk.look()
    desk.table.undo()
    assert not desk.look().any
    assert not OpenCampaign(root).look().any
    assert (dodge(desk), NEW in (root / ROOK).read_text()) == (3, True)
    edit(root, "Warding = { alpha = 1 }", "Warding = { alpha = 2 }")  # another value: it alone is the edit
    assert [c.words() for c in desk.look().done] == ["rook.toml: skills.Warding.alpha 1 → 2"]
    assert dodge(desk) == 3


def test_a_file_that_was_put_back_can_be_edited_again(root: Path, desk: OpenCampaign) -> None:
    edit(root)
    desk.look()
    desk.table.undo()
    put_back(desk)
    desk.close()
    edit(root)  # the very same edit, found by somebody who opens the table later
    later = OpenCampaign(root)
    assert [c.words() for c in later.look().done] == ["rook.toml: skills.Dodge.alpha 3 → 5"]
    assert dodge(later) == 5
    agree(later)


def test_redo_brings_the_edit_to_the_table_and_offers_it_to_the_file(root: Path, desk: OpenCampaign) -> None:
    edit(root)
    edited = (root / ROOK).read_bytes()
    desk.look()
    desk.table.undo()
    desk.table.redo()
    assert desk.put_back() == []  # the file was not put back: it says 5 as the table does
    desk.table.undo()
    put_back(desk)
    desk.table.redo()
    assert dodge(desk) == 5
    assert not desk.look().any  # the file still says 3: that is no new edit
    assert dodge(desk) == 5
    assert not OpenCampaign(root).look().any
    put_back(desk)
    assert (root / ROOK).read_bytes() == edited
    agree(desk)
    desk.table.undo(to=0)
    assert dodge(desk) == 3


def test_somebody_who_puts_the_file_back_by_hand_is_told_nothing_new(root: Path, desk: OpenCampaign) -> None:
    before = edit(root)
    desk.look()
    desk.table.undo()
    (root / ROOK).write_bytes(before)
    assert not desk.look().any
    agree(desk)


def test_an_undone_house_rule_is_put_back_into_campaign_toml(root: Path, desk: OpenCampaign) -> None:
    before = edit(root, "[rules]\n", "[rules]\nunlisted_skills = true # for tonight\n", "campaign.toml")
    desk.look()
    assert desk.table.world.rules.unlisted_skills
    desk.table.undo()
    desk.close()
    later = OpenCampaign(root)  # without knowing the text: the key is taken out again
    later.look()
    put_back(later)
    assert (root / "campaign.toml").read_bytes() == before
    agree(later)


def test_a_skill_that_was_taken_out_and_undone_is_written_again(root: Path, desk: OpenCampaign) -> None:
    edit(root, OLD + "\n", "")
    desk.look()
    desk.table.undo()
    desk.close()
    later = OpenCampaign(root)
    later.look()
    put_back(later)
    assert (root / ROOK).read_text().endswith(f"Warding = {{ alpha = 1 }}\n{OLD}\n")
    agree(later)


@pytest.mark.parametrize("same", [True, False], ids=["the same process", "another one"])
def test_a_file_that_was_added_and_undone_is_set_aside(root: Path, desk: OpenCampaign, same: bool) -> None:
    wolf = root / "characters/wolf.toml"
    wolf.write_text('name = "Wolf" # grey\n[levels]\nalpha = 1\n')
    desk.look()
    desk.table.undo()
    here = desk if same else OpenCampaign(root)
    here.look()
    (patch,) = here.put_back()
    assert "-name" in patch.diff()
    here.write(patch)
    assert not wolf.exists()
    assert "grey" in (root / "characters/wolf.toml.bak").read_text()
    agree(here)


@pytest.mark.parametrize("same", [True, False], ids=["the same process", "another one"])
def test_a_file_that_was_deleted_and_undone_comes_back(root: Path, desk: OpenCampaign, same: bool) -> None:
    before = (root / ROOK).read_bytes()
    (root / ROOK).unlink()
    assert desk.look().done
    desk.table.undo()
    here = desk if same else OpenCampaign(root)
    here.look()
    put_back(here)
    if same:
        assert (root / ROOK).read_bytes() == before
    assert dodge(here) == 3
    agree(here)


def test_a_file_that_was_saved_meanwhile_is_not_written_over(root: Path, desk: OpenCampaign) -> None:
    edit(root)
    desk.look()
    desk.table.undo()
    (patch,) = desk.put_back()
    edit(root, "# at last", "# at long last")
    with pytest.raises(Refused, match="changed meanwhile"):
        desk.write(patch)
    assert "long last" in (root / ROOK).read_text()


def test_a_comment_that_was_written_after_the_edit_is_kept(root: Path, desk: OpenCampaign) -> None:
    edit(root)
    desk.look()
    edit(root, "# at last", "# at long last")
    desk.look()
    desk.table.undo()
    put_back(desk)
    assert f"{OLD} # at long last" in (root / ROOK).read_text()
    agree(desk)


def test_a_broken_file_is_not_put_back(root: Path, desk: OpenCampaign) -> None:
    edit(root)
    desk.look()
    desk.table.undo()
    edit(root, NEW, "Dodge = {")
    desk.look()
    assert desk.put_back() == []


def test_one_value_is_set_at_an_open_table_and_takes_effect(root: Path, desk: OpenCampaign) -> None:
    patch = desk.change(ROOK, "skills.Dodge.alpha", "4")
    assert [c.words() for c in desk.write(patch).done] == ["rook.toml: skills.Dodge.alpha 3 → 4"]
    assert dodge(desk) == 4
    agree(desk)


def test_what_the_table_cannot_take_now_is_not_written(root: Path, desk: OpenCampaign) -> None:
    playing.act(desk.table, "open challenge=the-gate/hold")
    before = (root / "characters/mira.toml").read_bytes()
    playing.act(desk.table, "lead who=mira skill=Warding")
    with pytest.raises(Refused):
        desk.change("characters/mira.toml", "skills.Warding", "{}")
    assert (root / "characters/mira.toml").read_bytes() == before
