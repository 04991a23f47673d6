"""A whole campaign in one file: nothing is lost, nothing escapes, and it appears whole or not at all."""

from __future__ import annotations

import errno
import io
import os
import stat
import threading
import zipfile
from pathlib import Path

import playing
import pytest
from failing import KillingDisk, SickDisk, in_child

from tabletop_tui.kit.common import Note
from tabletop_tui.rules import TableError
from tabletop_tui.session import verify
from tabletop_tui.storage.log import scan, sessions, with_crc
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.storage.safety import packing
from tabletop_tui.storage.safety.backups import backups, restore
from tabletop_tui.storage.safety.packing import pack, unpack


def tree(root: Path) -> dict[str, bytes]:
    """What a person would miss."""
    found = {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*") if p.is_file()}
    return {n: d for n, d in found.items() if not n.startswith("backups/") and not n.endswith(".lock")}


@pytest.fixture
def played(root: Path) -> Path:
    """A campaign with a session and notes of the GM's own."""
    (root / "notes").mkdir()
    (root / "notes/plot.md").write_text("He did it.\n")
    desk = OpenCampaign(root)
    playing.wander(desk.table, 1, 20)
    desk.publish()
    desk.close()
    return root


def packed(root: Path, to: Path) -> Path:
    to.write_bytes(pack(root).data)
    return to


def test_what_is_packed_comes_out_the_same_and_plays_on(played: Path, tmp_path: Path) -> None:
    again = unpack(packed(played, tmp_path / "x.zip"), tmp_path / "there")
    assert again == tmp_path / "there" / played.name
    assert tree(again) == tree(played)
    one, other = OpenCampaign(played, write=False), OpenCampaign(again)
    assert other.table.world == one.table.world
    other.table.do(Note("we go on"))
    assert not verify(other.engine, other.log.header, other.table.timeline.entries).wrong


def test_the_same_campaign_gives_the_same_bytes_whenever_and_wherever(played: Path, tmp_path: Path) -> None:
    first = pack(played).data
    os.utime(played / "campaign.toml", (1, 1))
    (played / "campaign.toml").chmod(0o600)
    assert pack(played).data == first
    again = unpack(packed(played, tmp_path / "x.zip"), tmp_path / "there")
    assert pack(again).data == first


def test_backups_locks_hidden_files_and_links_are_left_out(played: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.toml").write_text("x = 1\n")
    (played / "characters/link.toml").symlink_to(tmp_path / "secret.toml")
    (played / "characters/linked").symlink_to(tmp_path)
    (played / "characters/mira.toml.bak").write_text("old")
    (played / ".git").mkdir()
    (played / ".git/config").write_text("x")
    os.mkfifo(played / "pipe")
    (played / "old.zip").write_bytes(pack(played).data)
    (played / "huge.bin").write_bytes(b"")
    os.truncate(played / "huge.bin", packing.MOST_EACH + 1)
    found = pack(played)
    names = zipfile.ZipFile(io.BytesIO(found.data)).namelist()
    assert sorted(found.left_out) == ["characters/link.toml", "huge.bin", "old.zip", "pipe"]
    assert not [n for n in names if "link" in n or ".git" in n or "backups" in n or n.endswith((".bak", ".lock"))]
    assert f"{played.name}/.schema/sheet.json" in names
    assert names == sorted(names)


@pytest.mark.parametrize(
    "name", [b"\xff\xfe.txt", b"a\x1b[2Jb.txt", b"a\\b.txt", b"1/2/3/4/5/6/7/8/9", b"a\n\xe2\x80\xaeb"]
)
def test_a_file_that_could_not_be_unpacked_is_left_out_and_the_rest_comes_back(root: Path, name: bytes) -> None:
    odd = os.path.join(os.fsencode(root), name)
    os.makedirs(os.path.dirname(odd), exist_ok=True)
    with open(odd, "wb"):
        pass
    OpenCampaign(root).close()
    assert pack(root).left_out == (os.fsdecode(name),)
    again = restore(root, backups(root)[-1].stem)
    assert OpenCampaign(again).table.world == OpenCampaign(root).table.world


@pytest.mark.parametrize(
    "name", ["D&D night (2)", "a\x1b[2Jb\u202ec", "'tis", ".x", "-", "\udcff", "é" * 100, "(" * 120]
)
def test_a_backup_comes_back_whatever_the_folder_is_called(root: Path, name: str, tmp_path: Path) -> None:
    odd = root.rename(root.with_name(name))
    OpenCampaign(odd).close()
    again = restore(odd, backups(odd)[-1].stem)
    assert OpenCampaign(again).table.world == OpenCampaign(odd).table.world
    assert unpack(packed(odd, tmp_path / "x.zip"), tmp_path / "there").is_dir()


def test_a_log_that_is_being_played_is_packed_without_being_torn(played: Path) -> None:
    desk = OpenCampaign(played)
    stop = threading.Event()

    def play() -> None:
        while not stop.is_set():
            desk.table.do(Note("x" * 2000))

    player = threading.Thread(target=play)
    player.start()
    try:
        seen = set()
        for _ in range(20):
            data = zipfile.ZipFile(io.BytesIO(pack(played).data))
            found = scan(data.read(f"{played.name}/sessions/{sessions(played)[-1].name}"))
            assert not found.torn
            assert not found.damage
            seen.add(found.lines)
    finally:
        stop.set()
        player.join()
    assert len(seen) > 1


def test_packing_waits_for_the_lock(played: Path) -> None:
    from tabletop_tui.storage.disk import locked

    done = threading.Event()

    def work() -> None:
        pack(played)
        done.set()

    worker = threading.Thread(target=work)
    with locked(played / "sessions/.lock"):
        worker.start()
        assert not done.wait(0.2)
    worker.join()
    assert done.is_set()


def test_what_is_no_campaign_is_not_packed(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"no campaign\.toml"):
        pack(tmp_path)


# ---- files that somebody else packed


def zipped(path: Path, files: dict[str, bytes], mode: int = 0o644) -> Path:
    with zipfile.ZipFile(path, "w") as out:
        for name, data in files.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            out.writestr(info, data)
        out.comment = packing.seal(out)
    return path


GOOD = {"x/campaign.toml": b'title = "X"\nengine = "tiers"\n'}
BAD = {
    "out of the folder": {"x/../../evil": b""},
    "out of the top": {"../evil": b""},
    "from the root": {"/etc/evil": b""},
    "back slashes": {"x\\..\\evil": b""},
    "two folders": {"y/campaign.toml": b""},
    "no folder": {"campaign.toml": b""},
    "hidden": {"x/.bashrc": b""},
    "hidden folder": {"x/.git/hooks/pre-commit": b""},
    "escape sequence": {"x/a\x1b[2Jb.toml": b""},
    "deep": {"x/" + "a/" * 20 + "b": b""},
    "long": {"x/" + "a" * 300: b""},
    "a dot": {"x/./campaign.toml": b""},
    "doubled slash": {"x//campaign.toml": b""},
}


@pytest.mark.parametrize("kind", BAD)
def test_a_name_that_could_lead_anywhere_else_is_refused_and_nothing_is_written(tmp_path: Path, kind: str) -> None:
    file = zipped(tmp_path / "x.zip", {**GOOD, **BAD[kind]})
    before = set(tmp_path.rglob("*"))
    with pytest.raises(TableError, match="Nothing was unpacked"):
        unpack(file, tmp_path / "there")
    assert set(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("mode", [stat.S_IFLNK | 0o777, stat.S_IFIFO | 0o644, stat.S_IFBLK | 0o644])
def test_a_link_or_a_device_is_refused(tmp_path: Path, mode: int) -> None:
    with pytest.raises(TableError, match="not a plain file"):
        unpack(zipped(tmp_path / "x.zip", {**GOOD, "x/characters": b"/etc"}, mode), tmp_path / "there")
    assert not (tmp_path / "there").exists()


@pytest.mark.parametrize("top", ["..", ".", "x:y", "a" * 101, "-x", "x\u202ey"])
def test_a_name_that_cannot_be_a_folders_is_refused(tmp_path: Path, top: str) -> None:
    with pytest.raises(TableError, match=r"Nothing|cannot be"):
        unpack(zipped(tmp_path / "x.zip", {f"{top}/campaign.toml": b""}), tmp_path / "there")


def test_a_name_that_is_taken_is_refused_and_what_is_there_stays(played: Path, tmp_path: Path) -> None:
    before = tree(played)
    with pytest.raises(TableError, match="there is something already"):
        unpack(packed(played, tmp_path / "x.zip"), tmp_path)
    assert tree(played) == before


def test_more_than_it_says_it_holds_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "MOST_ALL", 1 << 20)
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("x/campaign.toml", GOOD["x/campaign.toml"])
        out.writestr("x/bomb", b"\0" * (5 << 20))
        out.comment = packing.seal(out)
    (tmp_path / "x.zip").write_bytes(held.getvalue())
    with pytest.raises(TableError, match="more than 1 MB"):
        unpack(tmp_path / "x.zip", tmp_path / "there")
    assert list((tmp_path / "there").iterdir()) == []


def test_a_single_file_that_no_campaign_has_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("x/campaign.toml", GOOD["x/campaign.toml"])
        out.writestr("x/notes.txt", b"\0" * (packing.MOST_EACH + 1))
        out.comment = packing.seal(out)
    with pytest.raises(TableError, match=r"notes.txt is larger than 16 MB"):
        unpack(tmp_path / "x.zip", tmp_path / "there")
    assert list((tmp_path / "there").iterdir()) == []


@pytest.mark.parametrize("data", [b"", b"hello", b"PK\x03\x04" + b"\0" * 100, bytes(range(256))])
def test_what_is_no_packed_campaign_is_told_in_a_sentence(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(TableError, match="not a packed campaign"):
        unpack(tmp_path / "x.zip", tmp_path / "there")


def test_a_pipe_a_folder_and_nothing_at_all_are_told_in_a_sentence(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", ".", "nowhere.zip"):
        with pytest.raises(TableError, match=r"not a file|No such file"):
            unpack(tmp_path / name, tmp_path / "there")


def test_a_packed_campaign_damaged_anywhere_never_gives_half_a_campaign(played: Path, tmp_path: Path) -> None:
    data = pack(played).data
    whole = tree(played)
    refused = 0
    # all of the list of files at the end, and a sample of the files themselves
    for at in {*range(0, len(data), max(1, len(data) // 100)), *range(len(data) - 60, len(data))}:
        file = tmp_path / "x.zip"
        file.write_bytes(data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :])
        target = tmp_path / f"there-{at}"
        try:
            out = unpack(file, target)
        except TableError:
            refused += 1
            assert not target.exists() or not list(target.iterdir())
        else:  # a byte that nobody looks at
            assert tree(out) == whole
    assert refused > 50


@pytest.mark.parametrize("at", [1, 2, 3, 7, 20])
def test_a_disk_without_room_leaves_nothing_behind(played: Path, tmp_path: Path, at: int) -> None:
    file = packed(played, tmp_path / "x.zip")
    with pytest.raises(TableError, match="No space left"):
        unpack(file, tmp_path / "there", disk=SickDisk(at, errno.ENOSPC, lasting=True))
    assert list((tmp_path / "there").iterdir()) == []


@pytest.mark.parametrize("at", [1, 2, 3, 7, 20])
def test_killed_while_unpacking_leaves_no_campaign(played: Path, tmp_path: Path, at: int) -> None:
    from tabletop_tui.storage.user.paths import find_campaigns

    file = packed(played, tmp_path / "x.zip")
    _, ended = in_child(lambda _: unpack(file, tmp_path / "there", disk=KillingDisk(at, "half")))
    assert ended == -9
    assert find_campaigns(tmp_path / "there") == []
    assert tree(unpack(file, tmp_path / "there")) == tree(played)


def test_a_small_file_that_would_fill_the_disk_is_refused(root: Path, tmp_path: Path) -> None:
    """A megabyte of zeros packed a thousand times is not a campaign."""
    OpenCampaign(root).close()
    log = sessions(root)[-1]
    log.write_bytes(log.read_bytes() + b"\0" * (packing.ANYHOW + (1 << 20)))
    bomb = tmp_path / "bomb.zip"
    bomb.write_bytes(pack(root).data)
    assert bomb.stat().st_size < packing.ANYHOW // packing.MOST_TIMES
    with pytest.raises(TableError, match=r"KB would become more than 64 MB, and no campaign does that"):
        unpack(bomb, tmp_path / "out")
    assert not list((tmp_path / "out").iterdir())


def test_a_long_log_that_is_as_dull_as_can_be_is_packed_and_unpacked(root: Path, tmp_path: Path) -> None:
    log = OpenCampaign(root).log.path
    line, crc = b'{"seq":1,"at":"2026-01-15T19:00:03Z","action":{"do":"next"}}', 0
    lines = []
    for _ in range(30_000):
        made, crc = with_crc(line, crc)
        lines.append(made)
    data = b"".join(lines)
    log.write_bytes(data)
    packed = pack(root).data
    assert len(data) / len(packed) < packing.MOST_TIMES / 4
    (tmp_path / "packed.zip").write_bytes(packed)
    there = unpack(tmp_path / "packed.zip", tmp_path / "out")
    assert (there / log.relative_to(root)).read_bytes() == data
