"""What else happens to files: replaced, turned to CRLF, deleted, begun anew elsewhere, dated by a wrong clock."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import playing
import pytest
from failing import in_child

from tabletop_tui.kit.common import Note
from tabletop_tui.rules import Refused, TableError
from tabletop_tui.session import Edited, verify
from tabletop_tui.storage.log import Unsaved, next_session, scan, sessions
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.storage.safety.backups import back_up, backups


def noted(desk: OpenCampaign) -> list[str]:
    return [entry.action.text for entry in desk.table.timeline.entries if isinstance(entry.action, Note)]


def play(root: Path, *texts: str) -> OpenCampaign:
    desk = OpenCampaign(root)
    for text in texts:
        desk.table.do(Note(text))
    desk.publish()
    return desk


def replace(path: Path, data: bytes) -> None:
    """As sync programs, git and `sed -i` do."""
    fresh = path.with_name("fresh")
    fresh.write_bytes(data)
    fresh.replace(path)


def sound(root: Path, *texts: str) -> OpenCampaign:
    """The campaign opens again, can be written to, and has all that was acknowledged."""
    desk = OpenCampaign(root)
    assert not desk.log.closed
    assert not verify(desk.engine, desk.log.header, desk.table.timeline.entries).wrong
    assert noted(desk)[: len(texts)] == list(texts)
    return desk


# ---- the log is replaced


def test_a_log_replaced_by_the_same_or_a_longer_one_is_taken_up(root: Path) -> None:
    desk = play(root, "one")
    log = sessions(root)[-1]
    replace(log, log.read_bytes())
    desk.table.do(Note("two"))
    copy = log.read_bytes()
    other = OpenCampaign(root)
    other.table.do(Note("three"))
    longer = log.read_bytes()
    log.write_bytes(copy)
    replace(log, longer)
    desk.table.do(Note("four"))
    sound(root, "one", "two", "three", "four")


def test_a_log_replaced_by_an_older_one_is_refused_and_what_was_saved_is_kept(root: Path) -> None:
    desk = play(root, "one")
    log = sessions(root)[-1]
    older = log.read_bytes()
    desk.table.do(Note("two"))
    whole = log.read_bytes()
    replace(log, older)
    with pytest.raises(TableError, match="does not hold all that was saved"):
        desk.table.do(Note("three"))
    with pytest.raises(Refused, match="read-only"):
        desk.table.do(Note("three"))
    assert log.read_bytes() == older
    (kept,) = log.parent.glob("*.replaced-*")
    assert kept.read_bytes() == whole
    assert kept.name in desk.log.closed


def test_a_log_replaced_by_another_game_is_refused(root: Path, tmp_path: Path) -> None:
    other = play(playing.starter(tmp_path / "other"), "x", "y", "z")
    desk = play(root, "one")
    log = sessions(root)[-1]
    replace(log, other.log.path.read_bytes())
    with pytest.raises(TableError, match="was replaced by another file"):
        desk.table.do(Note("two"))
    assert log.read_bytes() == other.log.path.read_bytes()


def test_nothing_is_written_into_a_log_that_has_no_name_any_more(root: Path) -> None:
    desk = play(root, "one")
    log = sessions(root)[-1]
    away = log.with_suffix(".away")
    log.rename(away)
    before = away.read_bytes()
    with pytest.raises(Unsaved, match="moved or deleted"):
        desk.table.do(Note("two"))
    assert away.read_bytes() == before
    away.rename(log)
    desk.table.do(Note("three"))
    assert noted(sound(root, "one")) == ["one", "three"]


def test_a_log_that_is_replaced_in_the_moment_of_writing_is_told(root: Path) -> None:
    class Replacing(playing.NoSync):
        def write(self, fd: int, data: bytes) -> int:
            replace(log, log.read_bytes())
            return super().write(fd, data)

    desk = play(root, "one")
    log = sessions(root)[-1]
    desk.log.disk = Replacing()
    with pytest.raises(Unsaved, match="replaced by another file at this moment"):
        desk.table.do(Note("two"))
    desk.log.disk = playing.NoSync()
    desk.table.do(Note("three"))
    assert noted(sound(root)) == ["one", "three"]


def test_a_log_replaced_again_and_again_while_two_processes_play_loses_nothing(root: Path) -> None:
    OpenCampaign(root).close()
    log = sessions(root)[-1]
    running = [
        subprocess.Popen([sys.executable, "-c", PLAYER, name, str(root)], stdout=subprocess.PIPE, text=True)
        for name in "ab"
    ]
    while any(player.poll() is None for player in running):
        with OpenCampaign(
            root, write=False
        ).log.lock():  # a program that copies under no lock loses what it does not copy
            replace(log, log.read_bytes())
    told = {text for player in running for text in (player.communicate()[0]).splitlines()}
    assert told == {f"{name} {n}" for name in "ab" for n in range(30)}
    assert set(noted(sound(root))) == told


PLAYER = """
import sys
from pathlib import Path
from tabletop_tui.kit.common import Note
from tabletop_tui.storage.open_campaign import OpenCampaign
desk = OpenCampaign(Path(sys.argv[2]))
for number in range(30):
    desk.table.do(Note(f"{sys.argv[1]} {number}"))
    print(f"{sys.argv[1]} {number}", flush=True)
"""


# ---- CRLF


def test_a_log_turned_to_crlf_is_read_and_put_right_without_loss(root: Path) -> None:
    play(root, "one", "two").close()
    log = sessions(root)[-1]
    whole = log.read_bytes()
    log.write_bytes(whole.replace(b"\n", b"\r\n"))
    looking = OpenCampaign(root, write=False)
    assert noted(looking) == ["one", "two"]
    assert b"\r\n" in log.read_bytes()
    desk = sound(root, "one", "two")
    assert "CRLF" in desk.log.notes[0]
    assert log.read_bytes() == whole
    desk.table.do(Note("three"))
    sound(root, "one", "two", "three")


def test_a_log_turned_to_crlf_under_an_open_table_is_taken_up(root: Path) -> None:
    desk = play(root, "one")
    log = sessions(root)[-1]
    replace(log, log.read_bytes().replace(b"\n", b"\r\n"))
    desk.table.do(Note("two"))
    assert b"\r\n" not in log.read_bytes()
    sound(root, "one", "two")


def test_a_log_whose_first_lines_alone_were_turned_is_read_too(root: Path) -> None:
    play(root, "one", "two").close()
    log = sessions(root)[-1]
    whole = log.read_bytes()
    log.write_bytes(whole.replace(b"\n", b"\r\n", 2))
    sound(root, "one", "two")
    assert log.read_bytes() == whole


# ---- a session begun elsewhere


def test_a_session_begun_elsewhere_is_followed_and_told(root: Path) -> None:
    desk = play(root, "one")
    desk.untold()
    assert [step.said for step in desk.table.history()] == [("one",)]
    playing.act(desk.table, "hurt who=mira points=30")
    OpenCampaign(root, new_session=True).close()
    desk.table.do(Note("two"))
    assert desk.untold().notes == (
        f"session {desk.table.header.session} was begun elsewhere: the table is in it now",
    )
    assert len(sessions(root)) == 2
    assert desk.log.path == sessions(root)[-1]
    assert desk.table.world.now.people["mira"].hp == 70
    assert noted(desk) == ["two"]
    assert [step.said for step in desk.table.history()] == [("two",)]
    assert noted(sound(root)) == ["two"]
    assert desk.publish()
    assert not desk.look().any
    assert [scan(path.read_bytes()).lines for path in sessions(root)] == [3, 2]


def test_a_seat_that_only_looks_follows_as_well(root: Path) -> None:
    play(root, "one")
    seat = OpenCampaign(root, write=False, seat="Ann")
    play(root).close()
    OpenCampaign(root, new_session=True).table.do(Note("two"))
    seat.table.catch_up()
    assert noted(seat) == ["two"]


def test_undo_is_not_done_to_a_session_that_nobody_has_seen_yet(root: Path) -> None:
    desk = play(root, "one", "two")
    other = OpenCampaign(root, new_session=True)
    other.table.do(Note("three"))
    with pytest.raises(Refused, match="a new session was begun"):
        desk.table.undo(1)
    assert noted(desk) == ["three"]
    desk.table.undo()
    assert desk.table.world == desk.table.header.world


def test_a_session_that_cannot_be_followed_makes_the_table_read_only(root: Path) -> None:
    desk = play(root, "one")
    next_session(root, playing.EVENING).write_bytes(b"nonsense\n")
    with pytest.raises(TableError, match="cannot be followed"):
        desk.table.do(Note("two"))
    assert scan(sessions(root)[0].read_bytes()).lines == 2


def test_an_edit_of_the_last_sessions_picture_is_taken_into_the_new_one(root: Path) -> None:
    desk = play(root, "one")
    now = root / "now.toml"
    OpenCampaign(root, new_session=True).close()
    now.write_text(now.read_text().replace("[people.mira]\nhp = 100", "[people.mira]\nhp = 55"))
    assert not OpenCampaign(root).publish()
    assert desk.look().done
    assert desk.table.world.now.people["mira"].hp == 55
    assert isinstance(desk.table.timeline.entries[-1].action, Edited)
    assert desk.table.header.session == sessions(root)[-1].stem
    assert desk.publish()


# ---- clocks


def at(days: int) -> datetime:
    return playing.EVENING + timedelta(days=days)


@pytest.mark.parametrize("days", [(0, -400, 3000, -1), (0, 0, 0, 0), (5, 4, 3, 2)])
def test_sessions_are_in_the_order_in_which_they_were_begun_whatever_the_clock_says(
    root: Path, days: tuple[int, ...]
) -> None:
    for number, day in enumerate(days):
        desk = OpenCampaign(root, clock=lambda day=day: at(day), new_session=True)  # type: ignore[misc]
        desk.table.do(Note(f"evening {number}"))
        desk.close()
        assert noted(OpenCampaign(root)) == [f"evening {number}"]
    assert [path.name[:4] for path in sessions(root)] == ["001-", "002-", "003-", "004-"]


def test_logs_of_older_names_stay_in_their_order_and_before_new_ones(root: Path) -> None:
    OpenCampaign(root).close()
    (made,) = sessions(root)
    old = ["2026-01-15-2", "2026-01-15-10", "2026-01-16-1", "2031-05-01-1"]
    for name in old:
        shutil.copyfile(made, made.with_name(f"{name}.jsonl"))
    made.unlink()
    (root / "now.toml").unlink()
    assert [path.stem for path in sessions(root)] == old
    desk = OpenCampaign(root, clock=lambda: at(0), new_session=True)
    assert desk.table.header.session == "005-2026-01-15"
    assert [path.stem for path in sessions(root)] == [*old, "005-2026-01-15"]


def test_a_number_is_not_given_again_to_another_session(root: Path) -> None:
    OpenCampaign(root, clock=lambda: at(0)).close()
    sessions(root)[-1].rename(root / "sessions/001-2026-01-15.damaged")
    assert next_session(root, at(0)).stem == "002-2026-01-15"
    assert next_session(root, at(0), ["007-2026-01-15"]).stem == "008-2026-01-15"


def test_no_number_is_the_last_one(root: Path) -> None:
    play(root, "one").close()
    (made,) = sessions(root)
    made.rename(made.with_name("999999-2099-01-01.jsonl"))
    (root / "now.toml").unlink()
    (root / "backups/999999-2099-01-01-000000.zip").write_bytes(b"")
    for evening in ("two", "three"):
        desk = OpenCampaign(root, new_session=True)
        desk.do(Note(evening))
        desk.close()
        assert noted(OpenCampaign(root)) == [evening]
    assert [path.name[:8] for path in sessions(root)] == ["999999-2", "1000000-", "1000001-"]
    assert [path.name[:8] for path in backups(root)][-2:] == ["1000000-", "1000001-"]


def test_backups_of_a_wrong_clock_push_nothing_out(root: Path) -> None:
    for number, day in enumerate([4000] * 12 + [0] * 12):
        desk = OpenCampaign(root, clock=lambda day=day: at(day))  # type: ignore[misc]
        desk.table.do(Note(f"note {number}"))
        desk.close()
        back_up(root, at(day) + timedelta(seconds=number), begun=True)
    kept = backups(root)
    assert len(kept) == 10
    assert all("-2026-01-15-" in path.name for path in kept)
    (root / "backups/2031-01-01-000000.zip").write_bytes(kept[0].read_bytes())
    assert backups(root)[0].name == "2031-01-01-000000.zip"
    OpenCampaign(root, clock=lambda: at(0)).table.do(Note("more"))
    OpenCampaign(root, clock=lambda: at(1)).close()
    assert backups(root)[-1].name.endswith("2026-01-16-190000.zip")
    assert "2031-01-01-000000.zip" not in [path.name for path in backups(root)]


# ---- what is deleted


def test_sessions_that_are_gone_are_asked_about_before_anything_is_begun(root: Path) -> None:
    desk = play(root, "one")
    playing.act(desk.table, "hurt who=mira points=30")
    desk.publish()
    desk.close()
    now = (root / "now.toml").read_bytes()
    shutil.rmtree(root / "sessions")
    for _ in range(2):
        with pytest.raises(TableError, match=r"sessions/001-.*is gone.*--from-now"):
            OpenCampaign(root)
    assert not (root / "sessions").exists()
    assert (root / "now.toml").read_bytes() == now
    again = OpenCampaign(root, new_session=True, from_now=True)
    assert again.table.world.now.people["mira"].hp == 70
    assert again.table.header.session.startswith("002-")
    assert again.publish()
    again.close()
    assert OpenCampaign(root).table.world.now.people["mira"].hp == 70


def test_a_last_log_that_alone_is_gone_is_asked_about_too(root: Path) -> None:
    play(root, "one").close()
    OpenCampaign(root, new_session=True).publish()
    sessions(root)[-1].unlink()
    with pytest.raises(TableError, match=r"sessions/002-.*is gone"):
        OpenCampaign(root)
    (root / "now.toml").unlink()
    assert noted(OpenCampaign(root)) == ["one"]


@pytest.mark.parametrize("how", ["gone", "a file", "unreadable"])
def test_a_folder_that_is_not_there_for_a_moment_removes_nobody(root: Path, how: str) -> None:
    desk = play(root, "one")
    people = set(desk.table.world.sheets)
    place, away = root / "characters", root / "away"
    place.rename(away)
    if how == "a file":
        place.write_text("")
    elif how == "unreadable":
        place.symlink_to(place)
    found = desk.look()
    assert not found.done
    assert [problem.file for problem in found.problems] == ["characters"]
    again = OpenCampaign(root, new_session=True)
    assert set(again.table.world.sheets) == people
    if how != "gone":
        place.unlink()
    away.rename(place)
    assert not again.look().any
    assert not desk.look().problems
    assert set(desk.table.world.sheets) == people


def test_a_sheet_that_is_broken_when_a_session_begins_stays_as_it_was(root: Path) -> None:
    desk = play(root, "one")
    (root / "characters/mira.toml").write_text("name = Mira\n")
    again = OpenCampaign(root, new_session=True)
    assert again.table.world.sheets["mira"] == desk.table.world.sheets["mira"]


# ---- killed while an edit was in its hands


def test_an_edit_saved_in_the_moment_of_publishing_survives_a_kill(root: Path) -> None:
    class Killed(playing.NoSync):
        def exchange(self, one: Path, other: Path) -> None:
            fresh = root / "edit"
            fresh.write_text((root / "now.toml").read_text().replace("hp = 100", "hp = 55", 1))
            fresh.replace(root / "now.toml")
            super().exchange(one, other)
            os.kill(os.getpid(), 9)

    play(root, "one").close()

    def work(_say: object) -> None:
        desk = OpenCampaign(root, disk=Killed())
        desk.table.do(Note("two"))
        desk.publish()

    _, ended = in_child(work)
    assert ended == -9
    desk = OpenCampaign(root)
    (change,) = desk.look().done
    assert change.after == 55
    assert desk.publish()
    assert not desk.look().any
    assert [p.name for p in root.iterdir() if p.name.endswith((".aside", ".part"))] == []
