"""Whole files are replaced at once, and a lock keeps others out."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from failing import SickDisk, in_child

from tabletop_tui.kit.common import Note
from tabletop_tui.rules import TableError
from tabletop_tui.storage.disk import Disk, locked, put_in_place, read_whole, set_aside, write_file, write_over
from tabletop_tui.storage.log import sessions
from tabletop_tui.storage.open_campaign import OpenCampaign


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

    def try_it(say: Callable[[str], None]) -> None:
        try:
            with locked(lock, patience=0):
                say("taken")
        except TableError as error:
            say(error.what)

    with locked(lock), locked(lock, patience=0):  # whoever holds it may ask again
        assert in_child(try_it)[0] == ["another program has held this table for too long"]
    assert in_child(try_it)[0] == ["taken"]


def test_another_thread_waits_for_a_lock_as_another_process_does(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with locked(lock), ThreadPoolExecutor(1) as pool, pytest.raises(TableError, match="held this table"):
        pool.submit(locked(lock, patience=0).__enter__).result()


def test_a_lock_file_that_was_deleted_or_replaced_is_not_the_lock(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with locked(lock):
        lock.unlink()

        def take(say: Callable[[str], None]) -> None:
            with locked(lock, patience=0):
                say("taken")

        told, _ = in_child(take)
        assert told == ["taken"]  # nobody can know of a file without a name; but it is there again
    with locked(lock):
        assert lock.exists()


class NoLocks(Disk):
    """A file system without flock."""

    def lock(self, fd: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))


def test_a_file_system_without_locks_is_told_and_the_table_can_be_looked_at(root: Path) -> None:
    with pytest.raises(TableError, match=r"files cannot be locked on this file system.*Move the campaign"):
        OpenCampaign(root, disk=NoLocks())
    OpenCampaign(root).close()
    assert "files cannot be locked" in OpenCampaign(root, disk=NoLocks()).log.closed


def test_a_failed_now_toml_loses_nothing_because_the_log_has_it(root: Path) -> None:
    desk = OpenCampaign(root)
    desk.table.do(Note("one"))
    desk.disk = SickDisk(1, errno.ENOSPC, lasting=True)
    assert not desk.publish()
    desk.disk = Disk()
    assert desk.publish()
    assert OpenCampaign(root).table.timeline.last == 1


def test_a_session_of_another_game_is_not_opened_with_this_one(root: Path) -> None:
    OpenCampaign(root).close()
    log = sessions(root)[-1]
    line = log.read_bytes()[:-19].replace(b'"engine":"tiers"', b'"engine":"chess"') + b"}"
    from tabletop_tui.storage.log import with_crc

    log.write_bytes(with_crc(line, 0)[0])
    with pytest.raises(TableError, match="played with 'chess', the campaign names 'tiers'"):
        OpenCampaign(root)


def test_a_first_session_is_not_begun_on_broken_files(root: Path) -> None:
    (root / "characters/mira.toml").write_text("name = Mira\n")
    with pytest.raises(TableError, match="must be mended before the first session"):
        OpenCampaign(root)
    assert not sessions(root)


class NoExchange(Disk):
    """A file system on which two files cannot change places."""

    def exchange(self, one: Path, other: Path) -> None:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))


@pytest.mark.parametrize("disk", [Disk(), NoExchange()], ids=["exchange", "no exchange"])
def test_what_was_in_the_place_of_a_file_can_be_looked_at_afterwards(tmp_path: Path, disk: Disk) -> None:
    path = tmp_path / "now.toml"
    assert put_in_place(path, b"one", disk) is None
    path.chmod(0o640)
    aside = put_in_place(path, b"two", disk)
    assert aside is not None
    assert (path.read_bytes(), aside.read_bytes()) == (b"two", b"one")
    assert path.stat().st_mode & 0o777 == 0o640
    assert set_aside(path) == [aside]
    aside.unlink()
    assert [p.name for p in tmp_path.iterdir()] == ["now.toml"]


@pytest.mark.parametrize("disk", [Disk(), NoExchange()], ids=["exchange", "no exchange"])
def test_a_file_that_was_saved_meanwhile_is_not_written_over(tmp_path: Path, disk: Disk) -> None:
    path = tmp_path / "rook.toml"
    path.write_bytes(b"saved meanwhile")
    assert not write_over(path, b"new", b"as it was read", disk)
    assert path.read_bytes() == b"saved meanwhile"
    assert write_over(path, b"new", b"saved meanwhile", disk)
    assert path.read_bytes() == b"new"
    assert [p.name for p in tmp_path.iterdir()] == ["rook.toml"]


def test_a_file_that_somebody_is_writing_is_not_read_and_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "rook.toml"
    path.write_bytes(b"old")
    with path.open("r+b") as file:
        assert read_whole(path) is None
        assert not write_over(path, b"ours", b"old", Disk())
        file.write(b"new")
    assert read_whole(path) == b"new"
    with path.open("r+b"):
        os.utime(path, (1, 1))  # open for long: nobody is saving it
        assert read_whole(path) == b"new"
