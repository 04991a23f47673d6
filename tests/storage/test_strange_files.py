"""Whatever stands in the place of a file: a sentence, no waiting, nothing lost, and play goes on."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import playing
import pytest

from tabletop_tui.rules import TableError
from tabletop_tui.storage import campaign as folder
from tabletop_tui.storage.campaign.preparing import copies, new_sheet
from tabletop_tui.storage.campaign.writeback import save
from tabletop_tui.storage.log import sessions
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.storage.toml.reading import read


def huge(path: Path) -> None:
    path.write_bytes(b"")
    os.truncate(path, 5 << 30)


def to_itself(path: Path) -> None:
    path.symlink_to(path.name)


def leading_out(path: Path) -> None:
    outside = path.parent.parent / f"outside-{path.name}"
    while outside.parent.name in ("the-gate", "characters", "scenes"):
        outside = outside.parent.parent / outside.name
    outside.write_text('name = "Secret"\ntitle = "Secret"\n')
    path.symlink_to(outside)


STRANGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "five gigabytes": (huge, "too many"),
    "a folder": (Path.mkdir, "a folder"),
    "a pipe": (os.mkfifo, "not a regular file"),
    "a link out": (leading_out, "leads out"),
    "a link to a device": (lambda p: p.symlink_to("/dev/zero"), "leads out"),
    "a link to itself": (to_itself, "cannot be read"),
    "a link to nowhere": (lambda p: p.symlink_to("nowhere"), "cannot be read"),
    "UTF-16": (lambda p: p.write_bytes("x = 1\n".encode("utf-16")), "UTF-16"),
    "binary": (lambda p: p.write_bytes(bytes(range(256)) * 1000), "not text in UTF-8"),
    "zeros": (lambda p: p.write_bytes(b"\0" * 10_000), "not TOML"),
    "deep": (lambda p: p.write_bytes(b"x = " + b"[" * 100_000), "nested deeper"),
    "a deep key": (lambda p: p.write_bytes(b"a." * 100_000 + b"a = 1"), "nested deeper"),
}


def put(path: Path, kind: str) -> str:
    path.unlink()
    make, words = STRANGE[kind]
    make(path)
    return words


@pytest.mark.parametrize("file", ["campaign.toml", "characters/mira.toml", "scenes/the-gate.toml"])
@pytest.mark.parametrize("kind", STRANGE)
def test_in_the_place_of_a_hand_written_file_it_is_told_and_an_open_table_plays_on(
    root: Path, kind: str, file: str
) -> None:
    desk = OpenCampaign(root)
    words = put(root / file, kind)
    found = desk.look().problems
    gone = file == "campaign.toml" and not (root / file).exists()  # a link to nowhere: there is no campaign.toml
    assert any(p.file == file and (gone or words in p.what) and p.remedy for p in found), found
    playing.act(desk.table, "hurt who=mira points=5")
    assert desk.publish()
    assert "mira" in desk.table.world.sheets


def written(path: Path) -> tuple[int, ...]:
    """Which file it is and when it was written; not when it was read last."""
    state = path.lstat()
    return state.st_mode, state.st_ino, state.st_size, state.st_mtime_ns


@pytest.mark.parametrize("kind", STRANGE)
def test_in_the_place_of_now_toml_it_is_told_and_left_alone(root: Path, kind: str) -> None:
    desk = OpenCampaign(root)
    desk.publish()
    now = root / "now.toml"
    words = put(now, kind)
    before = written(now)
    found = desk.look()
    assert any(p.file == "now.toml" and words in p.what and p.remedy for p in found.problems), found
    playing.act(desk.table, "hurt who=mira points=5")
    assert not desk.publish()
    assert written(now) == before
    desk.close()
    again = OpenCampaign(root)
    assert any(p.file == "now.toml" for p in again.look().problems)
    assert again.table.timeline.last == 1
    now.rmdir() if kind == "a folder" else now.unlink()
    assert again.publish()


def test_a_campaign_toml_that_is_gone_is_told_and_an_open_table_plays_on(root: Path) -> None:
    desk = OpenCampaign(root)
    main = (root / "campaign.toml").read_bytes()
    (root / "campaign.toml").unlink()
    assert "no campaign.toml" in str(desk.look().problems[0])
    playing.act(desk.table, "hurt who=mira points=5")
    assert desk.publish()
    (root / "campaign.toml").write_bytes(main)
    assert not desk.look().any


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, to_itself], ids=["folder", "pipe", "link to itself"])
def test_in_the_place_of_a_log_it_is_passed_over(root: Path, make: Callable[[Path], object]) -> None:
    (root / "sessions").mkdir()
    make(root / "sessions/2026-01-15-1.jsonl")
    desk = OpenCampaign(root, clock=playing.evening())
    assert [p.name for p in sessions(root)] == ["002-2026-01-15.jsonl"]
    playing.act(desk.table, "hurt who=mira points=5")


def test_a_folder_that_leads_out_is_not_read(root: Path, tmp_path: Path) -> None:
    (root / "scenes/the-gate.toml").unlink()
    (root / "scenes").rmdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/x.toml").write_text('title = "Secret"\n')
    (root / "scenes").symlink_to(tmp_path / "elsewhere")
    found = folder.load(root)
    assert ["leads out" in p.what for p in found.errors] == [True]
    assert not found.world().scenes


@pytest.mark.parametrize("name", ["../outside.toml", "/etc/passwd", "characters/../../outside.toml"])
def test_a_name_never_leads_out_of_the_campaign(root: Path, name: str) -> None:
    (root.parent / "outside.toml").write_text('name = "Secret"\n')
    document = read(root, name)
    assert document.data is None
    assert "leads out" in str(document.problems[0])


@pytest.mark.parametrize(
    "name", ["../evil", "/tmp/evil", "a/b", "..", "\x1b[31m", "x" * 500, "\u202e", "con/../../x"]
)
def test_a_new_sheet_stays_in_its_folder_whatever_its_name(root: Path, name: str) -> None:
    before = {p for p in root.parent.rglob("*") if p.is_file()}
    (patch,) = new_sheet(folder.load(root), name).patches
    save(root, patch)
    (made,) = {p for p in root.parent.rglob("*") if p.is_file()} - before
    assert made == root / patch.file
    assert made.parent == root / "characters"
    assert folder.load(root).problems == []


def test_a_sheet_is_copied_with_its_comments_and_without_its_player(root: Path) -> None:
    made = copies(folder.load(root), "mira", 2).patches
    assert [patch.file for patch in made] == ["characters/mira-2.toml", "characters/mira-3.toml"]
    for patch in made:
        save(root, patch)
    text = (root / "characters/mira.toml").read_text()
    copy = (root / "characters/mira-2.toml").read_text()
    lines = [line for line in text.replace('"Mira"', '"Mira 2"').splitlines() if not line.startswith("player")]
    assert copy.splitlines() == lines
    assert folder.load(root).problems == []


@pytest.mark.parametrize("who", ["../../outside", "nobody", "broken"])
def test_what_cannot_be_copied_is_told_in_a_sentence(root: Path, who: str) -> None:
    (root.parent / "outside.toml").write_text('name = "Secret"\n')
    (root / "characters/broken.toml").write_text("name = Guard\n")
    with pytest.raises(TableError, match=r"cannot be read|there is no file"):
        copies(folder.load(root), who, 1)
