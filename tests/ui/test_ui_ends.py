"""How it ends: signals, a crash, a full disk. What was saved is safe."""

from __future__ import annotations

import errno
import signal
from pathlib import Path

import pytest
from waiting import opened

from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.session import Codec, verify
from tabletop_tui.storage.desk import sessions
from tabletop_tui.storage.disk import Disk
from tabletop_tui.storage.log import LogFile
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.play import PlayScreen


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_signal_ends_it_at_once_with_the_terminal_restored_and_nothing_lost(
    campaign: Path, terminal, number
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


def test_a_crash_says_a_sentence_and_writes_the_details_to_a_file(campaign: Path, terminal, tmp_path: Path) -> None:
    broken = tmp_path / "site"
    broken.mkdir()
    (broken / "sitecustomize.py").write_text(
        "import tabletop_tui.engines.tiers.views as v\n"
        "def table_view(world):\n    secret_plan = 'the butler did it'\n    raise ZeroDivisionError\n"
        "v.table_view = table_view\n"
    )
    one = terminal("play", str(campaign), PYTHONPATH=str(broken))
    one.until(lambda: one.status is not None, "the end")
    shown = one.raw.decode(errors="replace")
    assert one.status == 1
    assert "Something went wrong in the program itself (ZeroDivisionError)" in shown
    assert "the butler did it" not in shown
    assert "Traceback" not in shown
    (report,) = (tmp_path / "data" / "tabletop" / "crashes").iterdir()
    assert "ZeroDivisionError" in report.read_text()


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
        disk = screen.game.desk.log.disk = FullDisk()
        await pilot.press("C")
        disk.full = True
        await pilot.press("3")
        assert screen.warning == "NOT SAVED"
        assert screen.game.table.timeline.last == 0
        disk.full = False
        await pilot.press("3")
        assert screen.warning == ""
        assert screen.game.table.timeline.last == 1


def test_a_campaign_that_is_not_there_gets_a_sentence(terminal) -> None:
    one = terminal("play", "nowhere-at-all")
    one.until(lambda: one.status is not None, "the end")
    assert one.status == 1
    assert "there is no campaign" in one.raw.decode()
    assert "Traceback" not in one.raw.decode()
