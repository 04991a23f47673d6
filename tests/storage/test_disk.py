"""Whole files are replaced at once, and a lock keeps others out."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from failing import SickDisk

from tabletop_tui.rules import TableError
from tabletop_tui.rules.common import Note
from tabletop_tui.storage.desk import Desk, sessions
from tabletop_tui.storage.disk import Disk, locked, write_file


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_file_that_cannot_be_written_leaves_the_old_one_and_nothing_else(tmp_path: Path, at: int) -> None:
    path = tmp_path / "now.toml"
    path.write_bytes(b"old")
    with pytest.raises(OSError, match="No space left"):
        write_file(path, b"new", SickDisk(at, errno.ENOSPC))
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["now.toml"]


def test_a_file_that_is_written_in_pieces_is_whole_in_the_end(tmp_path: Path) -> None:
    write_file(tmp_path / "x", b"0123456789" * 100, SickDisk(1, errno.ENOSPC, short=True))
    assert (tmp_path / "x").read_bytes() == b"0123456789" * 100


def test_a_lock_that_another_holds_is_told_and_not_waited_for_without_end(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with locked(lock), pytest.raises(TableError, match="held this table"), locked(lock, patience=0):
        pytest.fail("two hold one lock")
    with locked(tmp_path / "lock", patience=0):
        assert (tmp_path / "lock").exists()


def test_a_failed_now_toml_loses_nothing_because_the_log_has_it(root: Path) -> None:
    desk = Desk(root)
    desk.table.do(Note("one"))
    desk.disk = SickDisk(1, errno.ENOSPC, lasting=True)
    assert not desk.publish()
    desk.disk = Disk()
    assert desk.publish()
    assert Desk(root).table.timeline.last == 1


def test_a_session_of_another_game_is_not_opened_with_this_one(root: Path) -> None:
    Desk(root).close()
    log = sessions(root)[-1]
    line = log.read_bytes()[:-19].replace(b'"engine":"tiers"', b'"engine":"chess"') + b"}"
    from tabletop_tui.storage.log import with_crc

    log.write_bytes(with_crc(line, 0)[0])
    with pytest.raises(TableError, match="played with 'chess', the campaign names 'tiers'"):
        Desk(root)


def test_a_first_session_is_not_begun_on_broken_files(root: Path) -> None:
    (root / "characters/mira.toml").write_text("name = Mira\n")
    with pytest.raises(TableError, match="must be mended before the first session"):
        Desk(root)
    assert not sessions(root)
