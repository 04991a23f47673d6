"""How it ends: signals, a crash, a full disk. What was saved is safe."""

from __future__ import annotations

import errno
import os
import pty
import select
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import level
import pytest
from playing import sure
from ptys import Terminal
from waiting import drawn, opened

from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.session import Codec, verify
from tabletop_tui.storage.disk import Disk
from tabletop_tui.storage.log import LogFile, sessions
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.screens.play import PlayScreen


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_signal_ends_it_at_once_with_the_terminal_restored_and_nothing_lost(
    campaign: Path, terminal: Callable[..., Terminal], number: Any
) -> None:
    one = terminal("play", str(campaign))
    one.sees("attack")
    one.send("C33")
    one.sees("support")
    assert one.signal(number) == 0
    assert b"\x1b[?1049l" in one.raw, "the shell's screen is back"
    assert one.raw.rfind(b"\x1b[?25h") > one.raw.rfind(b"\x1b[?25l"), "the cursor is back"
    log = LogFile(sessions(campaign)[-1], Codec(ENGINE))
    assert len(log.entries) == 2
    assert not verify(ENGINE, log.header, log.entries).wrong


def test_a_crash_says_a_sentence_and_writes_the_details_to_a_file(
    campaign: Path, terminal: Callable[..., Terminal], tmp_path: Path
) -> None:
    broken = tmp_path / "site"
    broken.mkdir()
    (broken / "sitecustomize.py").write_text(
        "import tabletop_tui.ui.panels.roster as r\n"
        "def rows(people, opened):\n    secret_plan = 'the butler did it'\n    raise ZeroDivisionError\n"
        "r.rows = rows\n"
    )
    one = terminal("play", str(campaign), PYTHONPATH=str(broken))
    one.until(lambda: one.status is not None, "the end")
    shown = one.raw.decode(errors="replace")
    assert one.status == 1
    assert "Something went wrong in the program itself (ZeroDivisionError)" in shown
    assert "the butler did it" not in shown
    assert "Traceback" not in shown
    reports = list((tmp_path / "data" / "tabletop" / "crashes").iterdir())
    assert any("ZeroDivisionError" in report.read_text() for report in reports)


def test_an_engine_that_fails_is_named_and_play_goes_on(
    campaign: Path, terminal: Callable[..., Terminal], tmp_path: Path
) -> None:
    broken = tmp_path / "site"
    broken.mkdir()
    (broken / "sitecustomize.py").write_text(
        "import tabletop_tui.engines.tiers.views as v\n"
        "def table_view(world):\n    secret_plan = 'the butler did it'\n    raise ZeroDivisionError\n"
        "v.table_view = table_view\n"
    )
    one = terminal("play", str(campaign), PYTHONPATH=str(broken))
    one.sees("ZeroDivisionError")
    one.send("C33")
    one.sees("Climbing")
    assert "the butler did it" not in one.raw.decode(errors="replace")
    assert one.signal(signal.SIGTERM) == 0


class FullDisk(Disk):
    full = False

    def write(self, fd: int, data: bytes) -> int:
        if self.full:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(fd, data)


async def test_a_full_disk_is_said_and_the_action_can_be_done_again(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await opened(pilot)
        screen = app.screen
        assert isinstance(screen, PlayScreen)
        disk = sure(screen.game.campaign).log.disk = FullDisk()
        await pilot.press("C")
        disk.full = True
        await pilot.press("3")
        assert "No space left" in screen.messages["disk"].words
        assert "▲ " in drawn(app).splitlines()[-2]
        assert "Make room or mend the disk, then do it again." in " ".join(drawn(app).split()), "the remedy in full"
        assert screen.game.table.timeline.last == 0
        disk.full = False
        await pilot.press("3")
        assert "disk" not in screen.messages
        assert screen.game.table.timeline.last == 1


def test_a_campaign_that_is_not_there_gets_a_sentence(terminal: Callable[..., Terminal]) -> None:
    one = terminal("play", "nowhere-at-all")
    one.until(lambda: one.status is not None, "the end")
    assert one.status == 1
    assert "no campaign is called" in one.raw.decode()
    assert "Traceback" not in one.raw.decode()


async def test_a_table_that_was_left_is_looked_at_no_more(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        screen.game.close()
        await screen.look_now()  # as its clock does when it ticks between the leaving and the next screen
        assert app.return_code is None


@pytest.mark.parametrize("drawn", level.some([0, 1, 500, 2_000, 4_000], 2, turn=1))
def test_a_terminal_that_goes_away_at_any_moment_leaves_no_process_behind(campaign: Path, drawn: int) -> None:
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(sys.executable, [sys.executable, "-m", "tabletop_tui", "play", str(campaign)])
    had = 0
    while had < drawn:
        more = len(os.read(fd, min(drawn - had, 1_024)))
        assert more, f"it ended after {had} bytes"
        had += more
    os.close(fd)  # the line is dropped: the program gets SIGHUP, or reads the end of its input
    until = time.monotonic() + 60
    while os.waitpid(pid, os.WNOHANG) == (0, 0):
        if time.monotonic() > until:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            raise AssertionError("it is still there")
        select.select([], [], [], 0.05)


def test_a_program_that_hangs_ends_when_its_terminal_goes_away() -> None:
    hanging = "import signal, time; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
    hanging += "from tabletop_tui.ui import line; line.watch(lambda: None, 0.1)\n"
    pid, fd = pty.fork()
    if pid == 0:
        os.execv(sys.executable, [sys.executable, "-c", hanging + "print('ready', flush=True); time.sleep(600)"])
    assert os.read(fd, 5) == b"ready"
    os.close(fd)
    ended, status = os.waitpid(pid, 0)
    assert (ended, os.waitstatus_to_exitcode(status)) == (pid, 1)
