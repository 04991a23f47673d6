"""A campaign holds the GM's secrets: what the program makes, only its owner can read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import playing
import pytest

from tabletop_tui.cli import main
from tabletop_tui.storage.campaign.preparing import new_sheet
from tabletop_tui.storage.disk import usual_mode
from tabletop_tui.storage.log import sessions
from tabletop_tui.storage.log.scratch import Scratch
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.storage.safety.backups import backups, restore
from tabletop_tui.storage.safety.crash import report
from tabletop_tui.storage.user.paths import copy_demo, data_home, demos


@pytest.fixture(autouse=True, params=[0o000, 0o022, 0o077])
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def all_private(top: Path) -> bool:
    """Of everything below, folders too."""
    wrong = [p for p in (top, *top.rglob("*")) if mode(p) != (0o700 if p.is_dir() else 0o600)]
    assert wrong == []
    return True


def test_a_campaign_is_its_owners_alone_from_its_first_file_on(tmp_path: Path) -> None:
    root = playing.starter(tmp_path / "new" / "the-gate")
    desk = OpenCampaign(root)
    playing.act(desk.table, "hurt who=mira points=10")
    assert desk.publish()
    desk.write(desk.change("characters/rook.toml", "skills.Dodge.alpha", "4"))
    desk.prepare(new_sheet(desk.campaign, "Wolf"))
    with sessions(root)[-1].open("ab") as file:
        file.write(b'{"seq":')
    assert "kept in" in OpenCampaign(root, new_session=False).log.notes[0]
    log = sessions(root)[-1]
    log.write_bytes(log.read_bytes() + b"damaged\n")
    assert main(["doctor", str(root), "--mend"]) == 0
    assert list(root.rglob("*.bak"))
    assert list(root.rglob("*.torn-*"))
    assert list(root.rglob("*.damaged"))
    assert list(root.rglob("*.zip"))
    assert all_private(tmp_path / "new")


def test_what_is_taken_out_of_a_pack_or_a_backup_is_too(root: Path, tmp_path: Path) -> None:
    OpenCampaign(root).publish()
    pack = tmp_path / "packed.zip"
    assert main(["pack", str(root), "--to", str(pack)]) == 0
    assert mode(pack) == 0o600
    assert main(["unpack", str(pack), "--into", str(tmp_path / "out")]) == 0
    assert all_private(tmp_path / "out")
    assert all_private(restore(root, backups(root)[-1].stem))


def test_a_record_with_the_gms_secrets_is_too(root: Path, tmp_path: Path) -> None:
    OpenCampaign(root).close()
    for reader, wanted in (("gm", 0o600), ("players", usual_mode())):
        assert main(["export", str(root), "--for", reader, "--to", str(tmp_path / f"{reader}.md")]) == 0
        assert mode(tmp_path / f"{reader}.md") == wanted


def test_what_ifs_and_crash_reports_are_too(root: Path) -> None:
    desk = OpenCampaign(root)
    kept = Scratch(desk.table, 0, root).keep()
    assert mode(kept) == 0o600
    Scratch(desk.table, 0, root).close()
    report(ValueError("x"))
    assert len(list(data_home().rglob("*.*"))) == 2 + 1  # the what-if, its lock, and the report
    assert all_private(data_home())


def test_a_sample_copied_from_a_read_only_install_can_be_written(tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    copied = copy_demo(demos()[0], installed)
    for path in (*copied.rglob("*"), copied):
        path.chmod(0o555 if path.is_dir() else 0o444)
    mine = copy_demo(copied, tmp_path / "mine")
    assert all_private(tmp_path / "mine")
    assert OpenCampaign(mine).publish()


def test_what_a_person_allowed_for_a_file_stays(root: Path) -> None:
    desk = OpenCampaign(root)
    desk.publish()
    for name in ("characters/rook.toml", "now.toml"):
        (root / name).chmod(0o664)
    desk.write(desk.change("characters/rook.toml", "skills.Dodge.alpha", "4"))
    assert desk.publish()
    assert mode(root / "characters/rook.toml") == 0o664
    assert mode(root / "now.toml") == 0o664
