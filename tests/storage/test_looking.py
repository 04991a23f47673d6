"""Looking at the files once a second ends no screen: what cannot be read or saved now is told, and found again."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import playing
import pytest

from tabletop_tui.cli import main
from tabletop_tui.kit.common import Note
from tabletop_tui.session import Edited
from tabletop_tui.storage.campaign.preparing import Preparation
from tabletop_tui.storage.disk import Disk
from tabletop_tui.storage.log import Unsaved, sessions
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.storage.presence import HERE, Presence, present


class Failing(playing.NoSync):
    """Neither locks nor has room, while it is told so."""

    locks = room = True

    def lock(self, fd: int) -> None:
        if not self.locks:
            raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))
        super().lock(fd)

    def write(self, fd: int, data: bytes) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(fd, data)


def opened(root: Path, disk: Disk | None = None) -> OpenCampaign:
    """A table with a note, at which nobody has edited anything."""
    desk = OpenCampaign(root, disk=disk)
    desk.do(Note("one"))
    assert not desk.look().any
    return desk


def edit(root: Path) -> None:
    """A sheet and a clock, saved by hand."""
    sheet, main = root / "characters/mira.toml", root / "campaign.toml"
    sheet.write_text(sheet.read_text().replace('name = "Mira"', 'name = "Mirabel"'))
    main.write_text(main.read_text() + '\n[clocks.flood]\nname = "The river rises"\nsize = 6\nfilled = 1\n')


@pytest.mark.parametrize(("what", "why"), [("locks", "files cannot be locked"), ("room", "No space left")])
def test_an_edit_that_cannot_be_logged_now_is_a_problem_and_is_logged_when_it_can(
    root: Path, what: str, why: str
) -> None:
    disk = Failing()
    desk = opened(root, disk)
    setattr(disk, what, False)
    edit(root)
    for _ in range(2):
        found = desk.look()
        assert [why in problem.what for problem in found.problems] == [True]
        assert not found.done
    setattr(disk, what, True)
    found = desk.look()
    assert not found.problems
    assert found.moved
    assert desk.table.world.sheets["mira"].name == "Mirabel"
    assert desk.table.world.now.clocks["flood"].filled == 1
    assert len([e for e in desk.table.timeline.entries if isinstance(e.action, Edited)]) == 2
    assert not desk.look().any


def test_an_action_without_the_lock_is_told_as_not_saved(root: Path) -> None:
    disk = Failing()
    desk = opened(root, disk)
    disk.locks = False
    with pytest.raises(Unsaved, match="this was not saved: files cannot be locked"):
        desk.do(Note("two"))
    disk.locks = True
    desk.do(Note("three"))
    assert [e.action.text for e in desk.table.timeline.entries if isinstance(e.action, Note)] == ["one", "three"]


def test_a_log_replaced_by_what_cannot_be_read_is_a_problem(root: Path) -> None:
    desk = opened(root)
    log = sessions(root)[-1]
    log.unlink()
    log.mkdir()
    assert ["cannot be read" in problem.what for problem in desk.look().problems] == [True]
    with pytest.raises(Exception, match="read-only"):
        desk.do(Note("two"))


def test_what_a_table_holds_survives_that_its_sessions_are_deleted(root: Path) -> None:
    desk = opened(root)
    log = sessions(root)[-1]
    whole = log.read_bytes()
    shutil.rmtree(root / "sessions")
    edit(root)
    assert desk.look().problems
    with pytest.raises(Unsaved, match=r"moved or deleted.*what it held is kept in 001-.*\.gone-"):
        desk.do(Note("two"))
    desk.close()
    assert main(["doctor", str(root), "--mend"]) == 0
    assert log.read_bytes().startswith(whole)
    again = OpenCampaign(root)
    again.look()
    assert again.table.world.sheets["mira"].name == "Mirabel"


def test_a_campaign_that_is_gone_as_a_whole_is_not_made_again(root: Path) -> None:
    desk = opened(root)
    away = root.with_name("away")
    root.rename(away)
    assert desk.look().problems
    with pytest.raises(Unsaved, match="No such file or directory"):
        desk.do(Note("two"))
    assert not root.exists()
    away.rename(root)
    desk.do(Note("three"))


def test_a_seat_is_told_of_no_files(root: Path) -> None:
    opened(root)
    seat = OpenCampaign(root, seat="Ana")
    log = sessions(root)[-1]
    log.unlink()
    log.mkdir()
    assert not seat.look().any


def test_a_place_at_the_table_that_cannot_be_held_leaves_nothing_behind(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    OpenCampaign(root).close()

    def refused(_fd: int, _how: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    with monkeypatch.context() as without:
        without.setattr("fcntl.flock", refused)
        Presence(root, "Ana").close()
        assert list((root / "sessions" / HERE).iterdir()) == []
    assert present(root) == ()


def test_a_seat_is_left_also_where_its_file_is_gone(root: Path) -> None:
    desk = opened(root)
    desk.sit_down()
    (root / "sessions").rename(root / "elsewhere")
    (root / "sessions").write_text("a file where the folder was")
    assert "The GM got up" not in desk.look().came
    desk.close()
    assert desk.journal.closed


def test_what_lies_among_the_seats_and_is_none_is_left_alone(root: Path) -> None:
    desk = opened(root)
    (root / "sessions" / HERE).mkdir(exist_ok=True)
    (root / "sessions" / HERE / "123-a").mkdir()
    desk.sit_down()
    assert not desk.look().came
    desk.close()


def test_an_edit_that_cannot_be_dropped_now_is_still_there(root: Path) -> None:
    disk = Failing()
    desk = opened(root, disk)
    now = root / "now.toml"
    wrong = now.read_text() + "\n[nonsense]\nx = 1\n"
    now.write_text(wrong)
    assert desk.look().problems
    disk.room = False
    (problem,) = desk.look(take="table", force=True).problems
    assert "No space left" in str(problem)
    assert now.read_text() == wrong
    disk.room = True
    desk.look(take="table", force=True)
    assert "nonsense" not in now.read_text()


def test_a_log_replaced_by_a_pipe_is_told_and_not_read_without_end(root: Path) -> None:
    desk = opened(root)
    log = sessions(root)[-1]
    away = log.rename(log.with_suffix(".away"))
    os.mkfifo(log)
    (problem,) = desk.look().problems
    assert "this is not a regular file" in str(problem)
    away.replace(log)
    desk.do(Note("two"))


def test_an_undo_is_told_as_done_also_where_files_cannot_be_compared(root: Path) -> None:
    desk = opened(root)
    sheet = root / "characters/mira.toml"
    before = sheet.read_bytes()
    desk.change("characters/mira.toml", "name", '"Mirabel"')
    patch = desk.change("characters/mira.toml", "name", '"Mirabel"')
    desk.prepare(Preparation("Mira is Mirabel", (patch,)))
    main_file = root / "campaign.toml"
    away = main_file.rename(root / "campaign.off")
    desk.undo()
    assert sheet.read_bytes() == before
    away.rename(main_file)
    desk.look()
    assert desk.table.world.sheets["mira"].name == "Mira"


def test_a_key_that_an_edit_brings_and_nobody_knows_is_told_with_the_one_that_was_meant(root: Path) -> None:
    desk = opened(root)
    sheet = root / "characters/mira.toml"
    sheet.write_text(sheet.read_text().replace("player =", "plyer =", 1))
    found = desk.look()
    (problem,) = found.odd
    assert "the key 'plyer' is not known" in str(problem)
    assert "'player'" in str(problem)
    assert found.done, "what it took away counts"
    assert not desk.look().odd, "once"
