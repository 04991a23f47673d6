"""Files of an older format work as they are; on the disk they change only when asked, and nothing in them is lost."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import playing
import pytest

from tabletop_tui.rules import Refused, TableError
from tabletop_tui.storage import campaign as folder
from tabletop_tui.storage.campaign.versions import FORMAT, STEPS, Step
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.storage.safety.backups import restore
from tabletop_tui.storage.safety.migrate import migrate, pending

GOLDEN = Path(__file__).parent / "golden-format-1"
NOW = datetime(2026, 1, 15, tzinfo=UTC)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A campaign that was written when the format was 1."""
    return Path(shutil.copytree(GOLDEN, tmp_path / "old"))


def files(root: Path) -> dict[str, bytes]:
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*.toml")}


def test_an_older_campaign_works_as_it_is_and_is_not_touched(old: Path) -> None:
    before = files(old)
    found = folder.load(old)
    assert found.errors == []
    assert [step.to for step in found.older] == [2]
    desk = OpenCampaign(old)
    playing.act(desk.table, "hurt who=mira points=10")
    desk.look()
    assert {name: raw for name, raw in files(old).items() if name != "now.toml"} == before


def test_looking_at_what_would_change_changes_nothing(old: Path) -> None:
    before = files(old)
    _, patches = pending(old)
    assert {p.file for p in patches} == set(before)
    assert patches[-1].file == "campaign.toml"
    assert "+format = 2" in patches[-1].diff()
    assert files(old) == before


def test_bringing_it_up_to_date_adds_lines_and_changes_no_other_byte(old: Path) -> None:
    before, world = files(old), folder.load(old).world()
    migrate(old, pending(old)[1], NOW)
    found = folder.load(old)
    assert (found.errors, list(found.older)) == ([], [])
    assert found.world() == world
    added = {
        "campaign.toml": (b"#:schema ./.schema/campaign.json\n", b"format = 2\n"),
        "scenes/the-gate.toml": (b"#:schema ../.schema/scene.json\n",),
        "characters/mira.toml": (b"#:schema ../.schema/sheet.json\r\n",),
        "characters/guard.toml": (b"#:schema ../.schema/sheet.json\n",),
    }
    for name, raw in files(old).items():
        for line in added[name]:
            assert raw.count(line) == 1
            raw = raw.replace(line, b"")
        assert raw == before[name]
        assert (old / f"{name}.bak").read_bytes() == before[name]
    assert files(old)["characters/guard.toml"].startswith(b"\xef\xbb\xbf#:schema")
    assert pending(old) == ([], [])


def test_the_old_campaign_comes_back_from_the_backup(old: Path) -> None:
    before = files(old)
    migrate(old, pending(old)[1], NOW)
    (name,) = [p.stem for p in (old / "backups").iterdir()]
    assert files(restore(old, name)) == before


def test_half_a_migration_is_finished_the_next_time(old: Path) -> None:
    _, patches = pending(old)
    migrate(old, patches[:2], NOW)
    assert [s.to for s in folder.load(old).older] == [2]
    _, rest = pending(old)
    assert {p.file for p in rest} == {p.file for p in patches[2:]}
    migrate(old, rest, NOW)
    assert pending(old) == ([], [])


def test_a_file_that_cannot_be_read_is_left_as_it_is(old: Path) -> None:
    (old / "characters/mira.toml").write_bytes('name = "Mira"'.encode("utf-16"))
    (old / "characters/guard.toml").write_bytes(b"name = Guard\n")
    assert {p.file for p in pending(old)[1]} == {"campaign.toml", "scenes/the-gate.toml"}


def test_a_campaign_that_is_new_has_nothing_before_it(root: Path) -> None:
    assert pending(root) == ([], [])
    assert f"format = {FORMAT}\n" in (root / "campaign.toml").read_text()


def test_a_newer_campaign_is_refused_and_not_damaged(root: Path) -> None:
    OpenCampaign(root).close()
    main = root / "campaign.toml"
    main.write_text(main.read_text().replace("format = 2", "format = 3"))
    before = {p: p.read_bytes() for p in root.rglob("*") if p.is_file()}
    with pytest.raises(TableError, match=r"of format 3 and this program knows up to 2\. Update"):
        OpenCampaign(root)
    with pytest.raises(Refused, match="format 3"):
        pending(root)
    assert {p: p.read_bytes() for p in root.rglob("*") if p.is_file()} == before


def test_a_campaign_toml_that_cannot_be_read_is_refused(old: Path) -> None:
    (old / "campaign.toml").write_text("title = The old road\n")
    with pytest.raises(Refused, match=r"campaign.toml:1:9: it cannot be brought up to date"):
        pending(old)


# ---- a step that changes what the files mean: a key that had another name


def renamed(name: str, raw: bytes) -> bytes:
    if name == "campaign.toml":
        return raw.replace(b"format = 2", b"format = 3").replace(b'called = "', b'title = "')
    return raw.replace(b"strength = ", b"alpha = ")


LATER = (*STEPS, Step(3, "levels go by their tier", renamed))


def test_a_key_of_another_name_is_read_in_memory_and_its_mistakes_are_named_at_their_lines(root: Path) -> None:
    main, mira = root / "campaign.toml", root / "characters/mira.toml"
    main.write_text(main.read_text().replace('title = "', 'called = "'))
    mira.write_text(mira.read_text().replace("[levels] ", "[levels]\nstrength = 4\n# ").replace("alpha = 5 ", "# "))
    found = folder.load(root, steps=LATER)
    assert found.errors == []
    assert found.title == "The Gate"
    assert found.world().sheets["mira"].levels == {"alpha": 4, "beta": 1}
    mira.write_text(mira.read_text().replace("beta = 3", "beta = 33"))
    (problem,) = folder.load(root, steps=LATER).errors
    assert "beta = 33" in mira.read_text().splitlines()[problem.line - 1]
    _, patches = pending(root, LATER)
    assert {p.file for p in patches} == {"campaign.toml", "characters/mira.toml"}
