"""What was called saved is on the disk: killed processes, failing disks, several writers."""

from __future__ import annotations

import errno
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import level
import playing
import pytest
from failing import KillingDisk, SickDisk, in_child

from tabletop_tui.kit.common import Note
from tabletop_tui.rules import Refused, TableError
from tabletop_tui.session import verify
from tabletop_tui.storage.log import Unsaved, sessions
from tabletop_tui.storage.open_campaign import OpenCampaign


def noted(desk: OpenCampaign) -> list[str]:
    """The notes of a session, in the order of the log."""
    return [entry.action.text for entry in desk.table.timeline.entries if isinstance(entry.action, Note)]


def reopened(root: Path) -> OpenCampaign:
    """The campaign as the next process finds it: sound, writable, and going on."""
    desk = OpenCampaign(root)
    assert not desk.log.closed
    assert not verify(desk.engine, desk.log.header, desk.table.timeline.entries).wrong
    return desk


FIRST = {"before": -2, "half": -1, "after": 0} if level.LEVEL == "quick" else {"before": 0, "half": 0, "after": 0}
"""Before the first call at which there is a kill: quick tests try every third, at each moment others."""


def play_notes(root: Path, disk: KillingDisk, count: int) -> Callable[[Callable[[str], None]], None]:
    def work(acknowledge: Callable[[str], None]) -> None:
        desk = OpenCampaign(root, disk=disk)
        for number in range(count):
            desk.table.do(Note(f"note {number}"))
            acknowledge(f"note {number}")
            desk.publish()

    return work


@pytest.mark.parametrize("moment", FIRST)
def test_a_kill_at_any_write_boundary_of_append_loses_nothing_acknowledged(tmp_path: Path, moment: str) -> None:
    ended = -signal.SIGKILL
    boundary, step = FIRST[moment], level.many(3, 1, 1)
    while ended == -signal.SIGKILL:
        boundary += step
        root = playing.starter(tmp_path / f"{moment}-{boundary}")
        told, ended = in_child(play_notes(root, KillingDisk(boundary, moment), 3))
        desk = reopened(root)
        found = noted(desk)
        assert found[: len(told)] == told, f"at call {boundary}"
        assert len(found) <= len(told) + 1  # what was written but never acknowledged may be there too
        desk.table.do(Note("going on"))
        assert noted(reopened(root)) == [*found, "going on"]
    assert ended == 0
    assert boundary > 16  # a session begun, and three times: write, sync, now.toml written and put in place


def opening(root: Path, disk: KillingDisk) -> Callable[[object], None]:
    return lambda _say: OpenCampaign(root, disk=disk).close()


@pytest.mark.parametrize("moment", ["before", "half", "after"])
def test_a_kill_at_any_boundary_of_recovery_loses_nothing(tmp_path: Path, moment: str) -> None:
    ended = -signal.SIGKILL
    boundary = 0
    while ended == -signal.SIGKILL:
        boundary += 1
        root = playing.starter(tmp_path / f"{moment}-{boundary}")
        told, _ = in_child(play_notes(root, KillingDisk(0, "never"), 2))
        log = sessions(root)[-1]
        sound = log.read_bytes()
        torn = b'{"seq":3,"at":"2026-01-15T19:00:03Z","act'
        log.write_bytes(sound + torn)
        _, ended = in_child(opening(root, KillingDisk(boundary, moment)))
        desk = reopened(root)
        assert noted(desk) == told
        assert log.read_bytes() == sound
        assert torn in [path.read_bytes() for path in log.parent.glob("*.torn-*")]
    assert ended == 0
    assert boundary == 7  # the torn line written, synced, put in place, its folder synced; the log cut, synced


def test_a_torn_last_line_is_set_aside_and_reported_and_play_goes_on(root: Path) -> None:
    OpenCampaign(root).table.do(Note("one"))
    log = sessions(root)[-1]
    log.write_bytes(log.read_bytes() + b'{"seq":2,"at":"20')
    desk = reopened(root)
    (note,) = desk.log.notes
    assert "17 bytes are kept in" in note
    desk.table.do(Note("two"))
    assert noted(reopened(root)) == ["one", "two"]


def test_a_process_killed_in_the_middle_of_a_line_does_not_stop_another_that_is_open(root: Path) -> None:
    desk = OpenCampaign(root)
    desk.table.do(Note("one"))
    _, ended = in_child(lambda _say: OpenCampaign(root, disk=KillingDisk(1, "half")).table.do(Note("torn")))
    assert ended == -signal.SIGKILL
    desk.table.do(Note("two"))
    assert noted(desk) == ["one", "two"]
    assert noted(reopened(root)) == ["one", "two"]
    assert list(sessions(root)[-1].parent.glob("*.torn-*"))


@pytest.mark.parametrize("lasting", [False, True])
@pytest.mark.parametrize("kind", ["short", "ENOSPC", "EIO"])
def test_a_disk_that_fails_at_any_call_loses_nothing_acknowledged(tmp_path: Path, kind: str, lasting: bool) -> None:
    number = errno.EIO if kind == "EIO" else errno.ENOSPC
    for at in level.some(range(1, 40), 14, turn=len(kind) + lasting):
        root = playing.starter(tmp_path / f"{kind}-{at}")
        disk = SickDisk(at, number, short=kind == "short", lasting=lasting)
        saved: list[str] = []
        told = False
        try:
            desk = OpenCampaign(root, disk=disk)
            for text in ("one", "two", "three", "four"):
                before = desk.table.world, desk.table.timeline.last
                try:
                    desk.table.do(Note(text))
                    saved.append(text)
                except (Unsaved, Refused):
                    told = True
                    unsaved = desk.table.world, desk.table.timeline.last
                    assert unsaved == before
                desk.publish()
        except TableError:  # no session could be begun
            told = True
        assert told or len(saved) == 4
        found = noted(reopened(root))
        assert [text for text in found if text in saved] == saved, f"call {at}: {disk.failed}"
        if not disk.failed:
            break
    else:
        pytest.fail("the disk never came to the end of its calls")


def test_after_a_failed_sync_the_table_is_read_only_until_it_is_opened_again(root: Path) -> None:
    OpenCampaign(root).close()
    disk = SickDisk(2, errno.EIO)
    desk = OpenCampaign(root, disk=disk)
    with pytest.raises(Unsaved, match="not saved"):
        desk.table.do(Note("one"))
    assert disk.failed == "sync"
    with pytest.raises(Refused, match="read-only: the disk did not confirm a save"):
        desk.table.do(Note("two"))
    reopened(root).table.do(Note("three"))
    assert noted(reopened(root))[-1] == "three"


def test_after_a_short_write_the_line_is_taken_back_and_the_next_action_is_saved(root: Path) -> None:
    desk = OpenCampaign(root)
    desk.table.do(Note("one"))
    before = sessions(root)[-1].read_bytes()
    desk.log.disk = SickDisk(1, errno.ENOSPC, short=True)
    with pytest.raises(Unsaved, match="the disk is full"):
        desk.table.do(Note("two"))
    assert sessions(root)[-1].read_bytes() == before
    desk.table.do(Note("three"))
    assert noted(reopened(root)) == ["one", "three"]


def test_a_really_full_disk_is_told_and_nothing_saved_is_lost(root: Path) -> None:
    def work(say: Callable[[str], None]) -> None:
        desk = OpenCampaign(root)
        desk.table.do(Note("one"))
        say("saved one")
        size = sessions(root)[-1].stat().st_size
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 50, hard))
        for text in ("two", "three"):
            try:
                desk.table.do(Note(text))
            except Unsaved:
                say(f"unsaved {text}")
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        desk.table.do(Note("four"))
        say("saved four")

    told, ended = in_child(work)
    assert ended == 0
    assert told == ["saved one", "unsaved two", "unsaved three", "saved four"]
    assert noted(reopened(root)) == ["one", "four"]


APPENDER = """
import sys
from pathlib import Path
from tabletop_tui.kit.common import Note
from tabletop_tui.storage.open_campaign import OpenCampaign
me, root, count = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
desk = OpenCampaign(root)
for number in range(count):
    desk.table.do(Note(f"{me} {number}"), by=me)
    print(f"{me} {number}", flush=True)
    desk.publish()
"""


@pytest.mark.parametrize("writers", [2, 4])
def test_several_processes_append_at_once_without_losing_a_line(root: Path, writers: int) -> None:
    count = 25
    running = [
        subprocess.Popen(
            [sys.executable, "-c", APPENDER, f"writer{n}", str(root), str(count)], stdout=subprocess.PIPE, text=True
        )
        for n in range(writers)
    ]
    told = [process.communicate(timeout=60)[0].splitlines() for process in running]
    assert [process.returncode for process in running] == [0] * writers
    desk = reopened(root)
    found = noted(desk)
    assert len(sessions(root)) == 1
    assert len(found) == writers * count
    for n, mine in enumerate(told):
        assert len(mine) == count
        assert [text for text in found if text.startswith(f"writer{n} ")] == mine
    assert [entry.seq for entry in desk.table.timeline.entries] == list(range(1, writers * count + 1))
    assert not desk.look().any


def test_a_clock_that_jumps_back_changes_no_order(root: Path) -> None:
    hours = iter(range(100, 0, -1))
    desk = OpenCampaign(root, clock=lambda: playing.EVENING + timedelta(hours=next(hours)))
    for text in ("one", "two", "three"):
        desk.table.do(Note(text))
    times = [entry.at for entry in desk.table.timeline.entries]
    assert times == sorted(times, reverse=True)
    assert noted(reopened(root)) == ["one", "two", "three"]


def test_a_log_that_became_shorter_is_not_written_to(root: Path) -> None:
    desk = OpenCampaign(root)
    desk.table.do(Note("one"))
    log = sessions(root)[-1]
    short = log.read_bytes()[:-10]
    log.write_bytes(short)
    with pytest.raises(TableError, match="shorter"):
        desk.table.do(Note("two"))
    assert log.read_bytes() == short


def test_a_log_that_is_opened_to_look_at_is_never_changed(root: Path) -> None:
    OpenCampaign(root).table.do(Note("one"))
    log = sessions(root)[-1]
    torn = log.read_bytes() + b'{"seq":2'
    log.write_bytes(torn)
    desk = OpenCampaign(root, write=False)
    with pytest.raises(Refused, match="read-only: it was opened to look at only"):
        desk.table.do(Note("two"))
    assert log.read_bytes() == torn


def test_the_next_session_begins_where_the_last_one_ended(root: Path) -> None:
    desk = OpenCampaign(root, clock=playing.evening())
    playing.act(desk.table, "hurt who=mira points=30")
    desk.close()
    again = OpenCampaign(root, clock=playing.evening(), new_session=True)
    assert len(sessions(root)) == 2
    assert again.table.world.now.people["mira"].hp == 70
