"""Backups make themselves when a session begins; the last ten are kept, and none ever stops play."""

from __future__ import annotations

import errno
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from failing import SickDisk
from playing import act

from tabletop_tui.rules import TableError
from tabletop_tui.storage.log import sessions
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.storage.safety.backups import back_up, backups, restore
from tabletop_tui.storage.safety.packing import unpack

NOON = datetime(2026, 1, 15, 12, 0, tzinfo=UTC)


def day(number: int, seconds: int = 0) -> Callable[[], datetime]:
    return lambda: NOON + timedelta(days=number, seconds=seconds)


def test_a_backup_is_made_when_a_session_begins_and_on_the_first_opening_of_a_day(root: Path) -> None:
    OpenCampaign(root, clock=day(0)).close()
    assert len(backups(root)) == 1
    desk = OpenCampaign(root, clock=day(0, 60))
    assert len(backups(root)) == 1  # the same day: the table is opened by every command
    act(desk.table, "hurt who=mira points=10")
    OpenCampaign(root, clock=day(0, 120)).close()
    assert len(backups(root)) == 1
    OpenCampaign(root, clock=day(1)).close()
    assert len(backups(root)) == 2
    OpenCampaign(root, clock=day(1, 60), new_session=True).close()
    assert len(backups(root)) == 3


def test_a_campaign_in_which_nothing_happened_has_one_backup_of_today(root: Path) -> None:
    for number in range(4):
        OpenCampaign(root, clock=day(number)).close()
    (only,) = backups(root)
    assert only.name.startswith("001-2026-01-18-")


def test_the_last_ten_are_kept(root: Path) -> None:
    for number in range(14):
        desk = OpenCampaign(root, clock=day(number))
        act(desk.table, "hurt who=mira points=1")
        desk.close()
    found = backups(root)
    assert len(found) == 10
    assert found[-1].name.startswith("014-2026-01-28-")


def test_files_of_others_in_the_folder_are_left_alone(root: Path) -> None:
    (root / "backups").mkdir()
    for n in range(20):
        (root / f"backups/{n}.zip").write_bytes(b"mine")
    OpenCampaign(root, clock=day(0)).close()
    assert len(list((root / "backups").iterdir())) == 21
    assert len(backups(root)) == 1


def test_a_table_that_is_only_looked_at_makes_none(root: Path) -> None:
    OpenCampaign(root, clock=day(0)).close()
    OpenCampaign(root, clock=day(1), write=False).close()
    assert len(backups(root)) == 1


def test_a_backup_that_cannot_be_made_is_a_note_and_play_goes_on(root: Path) -> None:
    (root / "backups").write_text("a file in the way")
    desk = OpenCampaign(root)
    assert desk.log.notes == ["no backup was made: backups: File exists"]
    act(desk.table, "hurt who=mira points=10")
    assert desk.publish()


def test_a_folder_for_backups_that_leads_elsewhere_is_not_followed(root: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (root / "backups").symlink_to(tmp_path / "elsewhere")
    assert "link" in OpenCampaign(root).log.notes[0]
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_disk_without_room_leaves_the_backups_there_are(root: Path, at: int) -> None:
    desk = OpenCampaign(root, clock=day(0))
    act(desk.table, "hurt who=mira points=10")
    before = [(p.name, p.read_bytes()) for p in backups(root)]
    with pytest.raises(OSError, match="No space left"):
        back_up(root, day(1)(), begun=True, disk=SickDisk(at, errno.ENOSPC))
    assert [(p.name, p.read_bytes()) for p in backups(root)] == before
    assert len(list((root / "backups").iterdir())) == 1


def test_a_backup_is_brought_back_beside_the_campaign_and_never_over_it(root: Path) -> None:
    desk = OpenCampaign(root, clock=day(0))
    act(desk.table, "hurt who=mira points=10")
    desk.close()
    (made,) = backups(root)
    there = restore(root, made.name)
    assert there == root.parent / f"{root.name}-{made.stem}"
    assert OpenCampaign(there, write=False).table.timeline.last == 0
    assert OpenCampaign(root, write=False).table.timeline.last == 1
    with pytest.raises(TableError, match="something already"):
        restore(root, made.stem)
    for name in ("nothing", "../x", ""):
        with pytest.raises(TableError, match="there is no backup"):
            restore(root, name)


def test_a_backup_holds_the_sessions_and_not_the_backups(root: Path, tmp_path: Path) -> None:
    OpenCampaign(root, clock=day(0)).close()
    desk = OpenCampaign(root, clock=day(1), new_session=True)
    desk.close()
    there = unpack(backups(root)[-1], tmp_path / "there")
    assert [p.name for p in sessions(there)] == [p.name for p in sessions(root)]
    assert not (there / "backups").exists()
