"""now.toml and the sheets may be edited at any time: applied, logged, merged, asked about, or refused."""

from __future__ import annotations

import os
import tomllib
from datetime import datetime
from pathlib import Path

import msgspec
import playing
import pytest

from tabletop_tui.rules.common import Note
from tabletop_tui.session import Edited, verify
from tabletop_tui.storage.desk import Desk, Edits, sessions


@pytest.fixture
def desk(root: Path) -> Desk:
    """An open table whose now.toml is written."""
    desk = Desk(root, clock=playing.evening())
    playing.act(desk.table, "hurt who=mira points=10")
    assert desk.publish()
    return desk


def edit(root: Path, old: str, new: str, file: str = "now.toml") -> None:
    text = (root / file).read_text()
    assert text.count(old) == 1, text
    (root / file).write_text(text.replace(old, new))


def hp(desk: Desk, who: str = "mira") -> int:
    return int(desk.table.world.now.people[who].hp)


def test_now_toml_says_which_moment_it_is_a_picture_of(root: Path, desk: Desk) -> None:
    data = tomllib.loads((root / "now.toml").read_text())
    assert data["picture"] == {"session": desk.table.header.session, "entry": 1}
    assert data["people"]["mira"]["hp"] == 90


def test_looking_at_files_that_nobody_edited_finds_nothing(desk: Desk) -> None:
    assert desk.look() == Edits()
    assert desk.table.timeline.last == 1


def test_an_edit_is_applied_logged_and_can_be_undone(root: Path, desk: Desk) -> None:
    edit(root, "hp = 90", "hp = 55")
    (change,) = desk.look().done
    assert change.words() == "now.people.mira.hp: 90 → 55"
    assert hp(desk) == 55
    assert isinstance(desk.table.timeline.entries[-1].action, Edited)
    desk.table.undo()
    assert hp(desk) == 90
    assert desk.publish()
    assert "hp = 90" in (root / "now.toml").read_text()
    assert desk.look() == Edits()


def test_an_edit_is_merged_on_top_of_what_happened_since(root: Path, desk: Desk) -> None:
    edit(root, "hp = 90", "hp = 55")
    playing.act(desk.table, "hurt who=rook points=20")
    assert not desk.publish()  # what somebody wrote is not written over
    assert not desk.look().conflicts
    assert (hp(desk), hp(desk, "rook")) == (55, 40)
    assert desk.publish()
    assert not verify(desk.engine, desk.log.header, desk.table.timeline.entries).wrong


def conflicting(root: Path, desk: Desk) -> None:
    edit(root, "hp = 90", "hp = 55")
    playing.act(desk.table, "hurt who=mira points=20")


def test_a_value_that_both_changed_is_asked_about_and_not_decided(root: Path, desk: Desk) -> None:
    conflicting(root, desk)
    found = desk.look()
    assert not found.done
    (conflict,) = found.conflicts
    assert "90 → 55; the table has meanwhile made it 70" in conflict.words()
    assert hp(desk) == 70
    assert not desk.publish()
    assert "hp = 55" in (root / "now.toml").read_text()


def test_a_conflict_is_settled_for_the_file(root: Path, desk: Desk) -> None:
    conflicting(root, desk)
    assert desk.look(take="file").done
    assert hp(desk) == 55
    assert desk.publish()


def test_a_conflict_is_settled_for_the_table(root: Path, desk: Desk) -> None:
    conflicting(root, desk)
    assert not desk.look(take="table").any
    assert hp(desk) == 70
    assert desk.publish()
    assert "hp = 70" in (root / "now.toml").read_text()


def test_both_making_the_same_change_is_no_conflict(root: Path, desk: Desk) -> None:
    edit(root, "hp = 90", "hp = 70")
    playing.act(desk.table, "hurt who=mira points=20")
    assert desk.look() == Edits()
    assert hp(desk) == 70


@pytest.mark.parametrize(
    "text", ["hp = ninety", 'hp = "90"', "hp = 90\nhp = 91", "hp = \x1b", "[hp", "hp = 9" + "0" * 5000]
)
def test_a_broken_file_changes_nothing_and_is_not_written_over(root: Path, desk: Desk, text: str) -> None:
    edit(root, "hp = 90", text)
    broken = (root / "now.toml").read_bytes()
    found = desk.look()
    assert found.problems
    assert found.problems[0].file == "now.toml"
    assert not found.done
    playing.act(desk.table, "hurt who=rook points=20")
    assert not desk.publish()
    assert (root / "now.toml").read_bytes() == broken
    assert hp(desk) == 90


def test_an_edit_that_the_game_cannot_take_is_refused_and_the_state_stays(root: Path, desk: Desk) -> None:
    edit(root, "hp = 90", "hp = -3")
    (why,) = desk.look().refused
    assert "now.toml" in why
    assert "less than none" in why
    assert hp(desk) == 90
    assert not desk.publish()


def test_an_unknown_key_is_reported_with_its_line_and_kept(root: Path, desk: Desk) -> None:
    edit(root, "hp = 90", "hp = 90\nhpp = 3")
    (problem,) = desk.look().problems
    line = (root / "now.toml").read_text().splitlines()[problem.line - 1]
    assert line == "hpp = 3"
    assert "Did you mean 'hp'" in problem.remedy
    assert not desk.publish()
    assert "hpp = 3" in (root / "now.toml").read_text()


@pytest.mark.parametrize(
    ("old", "new"), [("\n[picture]", "\n[pitcure]"), ("entry = 1", 'entry = "one"'), ("entry = 1", "")]
)
def test_a_file_that_no_longer_says_its_moment_changes_nothing(root: Path, desk: Desk, old: str, new: str) -> None:
    edit(root, old, new)
    found = desk.look()
    assert any("picture" in p.what or "pitcure" in p.what for p in found.problems)
    assert not found.done


def test_a_picture_of_a_moment_that_is_not_there_changes_nothing(root: Path, desk: Desk) -> None:
    edit(root, "entry = 1", "entry = 99")
    edit(root, "hp = 90", "hp = 1")
    found = desk.look()
    assert "not the one on the table" in found.problems[0].what
    assert hp(desk) == 90


def test_a_deleted_file_is_written_anew(root: Path, desk: Desk) -> None:
    (root / "now.toml").unlink()
    assert desk.look() == Edits()
    assert desk.publish()
    assert "hp = 90" in (root / "now.toml").read_text()


def test_a_pipe_in_the_place_of_the_file_does_not_make_the_table_wait(root: Path, desk: Desk) -> None:
    (root / "now.toml").unlink()
    os.mkfifo(root / "now.toml")
    assert desk.look().problems
    assert not desk.publish()


def test_an_edit_of_nothing_but_comments_and_blanks_is_no_edit(root: Path, desk: Desk) -> None:
    now = root / "now.toml"
    now.write_text(now.read_text().replace("\n", "\r\n").replace("hp = 90", "hp   =  90  # ouch"))
    assert desk.look() == Edits()
    assert desk.publish()


def test_an_edit_is_found_when_the_campaign_is_opened_the_next_time(root: Path, desk: Desk) -> None:
    desk.close()
    edit(root, "hp = 90", "hp = 12")
    again = Desk(root)
    assert again.look().done
    assert hp(again) == 12


def test_somebody_can_be_put_into_the_file_and_taken_out(root: Path, desk: Desk) -> None:
    (root / "now.toml").write_text((root / "now.toml").read_text() + '\n[conditions.x]\nwho = "rook"\nwhat = "wet"\n')
    desk.look()
    assert desk.table.world.now.conditions["x"].what == "wet"
    desk.publish()
    edit(root, '[conditions.x]\nwho = "rook"\nwhat = "wet"\n', "")
    desk.look()
    assert not desk.table.world.now.conditions


# ---- sheets, scenes and house rules


ROOK = "characters/rook.toml"


def test_a_sheet_edited_while_the_table_is_open_is_applied(root: Path, desk: Desk) -> None:
    edit(root, "Dodge = { alpha = 3 }", "Dodge = { alpha = 5 }", ROOK)
    (change,) = desk.look().done
    assert change.words() == "sheets.rook.skills.Dodge.alpha: 3 → 5"
    assert desk.table.world.sheets["rook"].skills["Dodge"]["alpha"] == 5
    assert desk.look() == Edits()


def test_a_sheet_edited_between_two_evenings_is_applied_when_opened(root: Path, desk: Desk) -> None:
    desk.close()
    edit(root, "Dodge = { alpha = 3 }", "Dodge = { alpha = 5 }", ROOK)
    again = Desk(root)
    assert again.look().done
    assert again.table.world.sheets["rook"].skills["Dodge"]["alpha"] == 5
    assert not verify(again.engine, again.log.header, again.table.timeline.entries).wrong


def test_undoing_past_a_sheets_edit_does_not_apply_it_again(root: Path, desk: Desk) -> None:
    edit(root, "Dodge = { alpha = 3 }", "Dodge = { alpha = 5 }", ROOK)
    desk.look()
    desk.table.undo()
    assert desk.look() == Edits()
    assert desk.table.world.sheets["rook"].skills["Dodge"]["alpha"] == 3


@pytest.mark.parametrize(
    "new", ["Dodge = { alpha = 9 }", "Dodge = alpha", "Dodge = { alpha = 3", 'Dodge = "\\u001b"']
)
def test_a_sheet_that_breaks_is_reported_and_the_last_good_one_stays(root: Path, desk: Desk, new: str) -> None:
    edit(root, "Dodge = { alpha = 3 }", new, ROOK)
    found = desk.look()
    assert found.problems[0].file == ROOK
    assert found.problems[0].line
    assert not found.done
    assert desk.table.world.sheets["rook"].skills["Dodge"]["alpha"] == 3
    playing.act(desk.table, "hurt who=rook points=5")


def test_a_sheet_that_the_game_cannot_take_now_is_refused_and_the_state_stays(root: Path, desk: Desk) -> None:
    playing.act(desk.table, "open challenge=the-gate/hold")
    playing.act(desk.table, "lead who=mira skill=Warding")
    edit(root, "Warding = { beta = 3 }\n", "", "characters/mira.toml")
    found = desk.look()
    assert "characters/mira.toml" in found.refused[0]
    assert "cannot lead" in found.refused[0]
    assert "Warding" in desk.table.world.sheets["mira"].skills


def test_a_new_sheet_joins_and_a_deleted_one_leaves(root: Path, desk: Desk) -> None:
    (root / "characters/wolf.toml").write_text('name = "Wolf"\n[levels]\nalpha = 1\n')
    (root / "characters/guard.toml").unlink()
    desk.look()
    assert set(desk.table.world.sheets) == {"mira", "rook", "wolf"}


def test_a_deleted_fighter_is_refused_and_stays(root: Path, desk: Desk) -> None:
    playing.act(desk.table, "begin who=rook,mira")
    (root / ROOK).unlink()
    assert "rook" in desk.look().refused[0]
    playing.act(desk.table, "next")
    assert "rook" in desk.table.world.sheets


def test_one_broken_file_does_not_keep_the_others_edits_away(root: Path, desk: Desk) -> None:
    edit(root, "Dodge = { alpha = 3 }", "Dodge = nonsense", ROOK)
    edit(root, "hp = 90", "hp = 55")
    edit(root, '# tie_rank = "written"', 'tie_rank = "pool"', "campaign.toml")
    found = desk.look()
    assert hp(desk) == 55
    assert desk.table.world.rules.tie_rank == "pool"
    assert [p.file for p in found.problems] == [ROOK]


def test_a_house_rule_that_does_not_fit_leaves_the_rules_as_they_were(root: Path, desk: Desk) -> None:
    edit(root, '# tie_rank = "written"', 'tie_rank = "luck"', "campaign.toml")
    assert desk.look().problems
    assert desk.table.world.rules.tie_rank == "written"


def test_hand_edits_of_two_processes_are_logged_once(root: Path, desk: Desk) -> None:
    other = Desk(root)
    edit(root, "hp = 90", "hp = 55")
    assert desk.look().done
    assert not other.look().done
    assert hp(other) == 55
    assert sum(isinstance(e.action, Edited) for e in other.table.timeline.entries) == 1


def test_looking_without_applying_changes_nothing(root: Path, desk: Desk) -> None:
    edit(root, "hp = 90", "hp = 55")
    assert desk.look(apply=False).done
    assert hp(desk) == 90
    assert desk.look().done


def test_a_file_saved_again_while_it_is_being_looked_at_is_not_written_over(root: Path) -> None:
    def clock() -> datetime:
        if now := waiting and waiting.pop():
            edit(root, *now)
        return playing.EVENING

    waiting: list[tuple[str, str]] = []
    desk = Desk(root, clock=clock)
    desk.publish()
    edit(root, "hp = 100", "hp = 55")
    waiting.append(("hp = 55", "hp = 44"))  # saved again at the moment when the first edit is logged
    desk.look()
    assert hp(desk) == 55
    assert not desk.publish()
    assert desk.look().conflicts  # the file's 44 and the table's 55 both come after the picture's 100
    assert "hp = 44" in (root / "now.toml").read_text()


def test_a_table_that_another_process_moved_on_is_not_an_edit(root: Path, desk: Desk) -> None:
    other = Desk(root)
    playing.act(other.table, "hurt who=mira points=20")
    other.publish()
    assert desk.look() == Edits()
    assert hp(desk) == 70
    desk.table.do(Note("on"))
    assert desk.publish()
    assert not other.look().any


def test_the_log_can_be_read_by_anything_that_reads_json(root: Path, desk: Desk) -> None:
    edit(root, "hp = 90", "hp = 55")
    desk.look()
    lines = sessions(root)[-1].read_bytes().splitlines()
    assert [msgspec.json.decode(line).get("seq") for line in lines] == [None, 1, 2]


def test_clocks_and_tracks_of_campaign_toml_can_be_added_and_changed_while_the_table_goes_on(root: Path) -> None:
    desk = Desk(root)
    assert not desk.look().any
    main = root / "campaign.toml"
    main.write_text(main.read_text() + '\n[clocks.flood]\nname = "The river rises"\nsize = 6\nfilled = 1\n')
    desk.look()
    assert desk.table.world.now.clocks["flood"].filled == 1
    playing.act(desk.table, "tick clock=flood")
    assert desk.table.world.now.clocks["flood"].filled == 2
    assert not desk.look().any
    main.write_text(main.read_text().replace("size = 6\nfilled = 1", "size = 8\nfilled = 1"))
    desk.look()
    clock = desk.table.world.now.clocks["flood"]
    assert (clock.size, clock.filled) == (8, 2)  # what was ticked at the table stays
    desk.table.undo()
    assert desk.table.world.now.clocks["flood"].size == 6
    desk.publish()
    desk.close()
    again = Desk(root)
    assert not again.look().done
    main.write_text(main.read_text() + '\n[tracks.days]\nname = "Days"\nvalue = 3\n')
    again.close()
    later = Desk(root)  # added between two openings
    later.look()
    assert later.table.world.now.tracks["days"].value == 3
    later.table.undo()
    assert not later.look().done
    assert not verify(later.engine, later.table.header, later.table.timeline.entries).wrong
