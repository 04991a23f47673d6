"""The commands that look after files, run for real: set, schema, migrate, pack, unpack, backups, put back."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from argparse import Namespace
from pathlib import Path

import playing
import pytest

from tabletop_tui import plugins
from tabletop_tui.cli import files, main
from tabletop_tui.storage import campaign as folder
from tabletop_tui.storage.open_campaign import OpenCampaign

ROOK = "characters/rook.toml"
GOLDEN = Path(__file__).parent.parent / "storage/golden-format-1"


def alpha(root: Path) -> int:
    return int(tomllib.loads((root / ROOK).read_text())["skills"]["Dodge"]["alpha"])


# ---- set


def test_set_shows_the_difference_and_writes_when_asked(root: Path) -> None:
    before = (root / ROOK).read_bytes()
    shown = playing.command("set", root, ROOK, "skills.Dodge.alpha", "5")
    assert shown.returncode == 0
    assert "-Dodge = { alpha = 3 }\n+Dodge = { alpha = 5 }\n" in shown.stdout
    assert "--yes" in shown.stdout
    assert (root / ROOK).read_bytes() == before
    done = playing.command("set", root, ROOK, "skills.Dodge.alpha", "5", "--yes")
    assert done.returncode == 0
    assert (root / ROOK).read_bytes() == before.replace(b"Dodge = { alpha = 3 }", b"Dodge = { alpha = 5 }")
    assert (root / f"{ROOK}.bak").read_bytes() == before
    again = playing.command("set", root, ROOK, "skills.Dodge.alpha", "5", "--yes")
    assert "already" in again.stdout


def test_set_at_a_table_that_is_played_takes_effect_at_once(root: Path) -> None:
    OpenCampaign(root).close()
    done = playing.command("set", root, ROOK, "skills.Dodge.alpha", "5", "--yes")
    assert "characters/rook.toml: skills.Dodge.alpha = 5" in done.stdout
    assert OpenCampaign(root, write=False).table.world.sheets["rook"].skills["Dodge"]["alpha"] == 5
    told = playing.command("log", root)
    assert "characters/rook.toml: skills.Dodge.alpha = 5" in told.stdout
    before = (root / ROOK).read_bytes()
    playing.command("undo", root)
    assert (root / ROOK).read_bytes() == before.replace(b"Dodge = { alpha = 5 }", b"Dodge = { alpha = 3 }")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((ROOK, "skills.Dodge.alpha", "9"), "characters/rook.toml:11:19: it would not fit"),
        ((ROOK, "name", "Rook"), "is not a value"),
        (("characters/rok.toml", "name", '"x"'), "Did you mean 'characters/rook.toml'?"),
        (("../../etc/passwd", "name", '"x"'), "has no file"),
        ((ROOK, "name.first", '"x"'), "is not a table"),
    ],
)
def test_what_cannot_be_set_is_told_in_a_sentence(root: Path, words: tuple[str, ...], why: str) -> None:
    before = {p: p.read_bytes() for p in root.rglob("*") if p.is_file()}
    done = playing.command("set", root, *words, "--yes")
    assert done.returncode == 1
    assert why in done.stderr
    assert {p: p.read_bytes() for p in root.rglob("*") if p.is_file()} == before


def test_what_the_file_holds_cannot_control_the_terminal(root: Path) -> None:
    (root / ROOK).write_bytes(b"# \xc2\x9b31m and \xe2\x80\xae\n" + (root / ROOK).read_bytes())
    done = playing.command("set", root, ROOK, "name", '"Rookie"')
    assert done.returncode == 0
    assert not set("\x1b\x9b\u202e") & set(done.stdout)


def test_check_warns_of_a_theme_that_there_is_not(root: Path) -> None:
    main = root / "campaign.toml"
    main.write_text(main.read_text().replace('"ember"', '"embre"'))
    done = playing.command("check", root)
    assert done.returncode == 0
    assert "campaign.toml:5:9: there is no theme 'embre'. Did you mean 'ember'?" in done.stdout


# ---- putting back what was undone


def test_an_undone_edit_is_put_back_from_the_command_line(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    OpenCampaign(root).close()
    before = (root / ROOK).read_bytes()
    (root / ROOK).write_bytes(before.replace(b"Dodge = { alpha = 3 }", b"Dodge = { alpha = 5 }"))
    assert playing.command("edits", root).returncode == 0
    undone = playing.command("undo", root)
    assert (undone.returncode, "tabletop edits" in undone.stderr) == (0, True)
    assert alpha(root) == 5
    desk = OpenCampaign(root)
    told = files.how_to_put_back(desk, "the-gate")
    assert told == f"{ROOK} still says something else. To put it back: tabletop edits the-gate --put-back"
    desk.close()
    back = playing.command("edits", root, "--put-back")
    assert (back.returncode, back.stderr) == (0, "")
    assert "-Dodge = { alpha = 5 }\n+Dodge = { alpha = 3 }" in back.stdout
    assert (root / ROOK).read_bytes() == before
    done = playing.command("edits", root)
    assert (done.stdout, done.stderr) == ("The files and the table agree.\n", "")
    assert files.put_back(Namespace(campaign=str(root))) == 0
    assert "agree" in capsys.readouterr().out
    assert files.how_to_put_back(OpenCampaign(root), "x") == ""
    assert "to put it back" not in playing.command("edits", root).stdout.lower()


# ---- schema


@pytest.mark.parametrize("part", ["campaign", "sheet", "scene"])
def test_a_schema_is_printed(part: str) -> None:
    done = playing.command("schema", "no1", "--part", part)
    assert json.loads(done.stdout)["title"] == f"No1: {part}"


def test_schemas_are_written_into_a_campaign(root: Path) -> None:
    shutil.rmtree(root / ".schema")
    assert playing.command("schema", "tiers", "--into", root).returncode == 0
    assert sorted(p.name for p in (root / ".schema").iterdir()) == [
        "campaign.json",
        "scene.json",
        "sheet.json",
        "table.json",
    ]
    other = playing.command("schema", "fen", "--into", root)
    assert other.returncode == 1
    assert "tabletop schema tiers" in other.stderr


def test_a_new_campaign_has_its_schemas(tmp_path: Path) -> None:
    for engine in plugins.names():
        assert playing.command("new", f"A {engine} road", "--engine", engine, "--into", tmp_path).returncode == 0
        root = tmp_path / f"a-{engine}-road"
        assert (root / ".schema/sheet.json").is_file()
        assert (root / "campaign.toml").read_text().startswith("#:schema ./.schema/campaign.json\n")
        assert playing.command("check", root).stdout.endswith("no problems\n")


# ---- migrate


def test_an_older_campaign_is_told_shown_and_brought_up_to_date(tmp_path: Path) -> None:
    root = Path(shutil.copytree(GOLDEN, tmp_path / "old"))
    before = (root / "campaign.toml").read_bytes()
    assert "tabletop migrate" in playing.command("check", root).stdout
    shown = playing.command("migrate", root)
    assert "+format = 2" in shown.stdout
    assert (root / "campaign.toml").read_bytes() == before
    assert playing.command("migrate", root, "--yes").returncode == 0
    assert (root / "campaign.toml.bak").read_bytes() == before
    assert playing.command("migrate", root).stdout == "The files are of the newest format.\n"
    assert "tabletop migrate" not in playing.command("check", root).stdout


def test_a_campaign_of_a_later_format_is_refused_by_every_command_that_writes(root: Path) -> None:
    OpenCampaign(root).close()
    main = root / "campaign.toml"
    main.write_text(main.read_text().replace("format = 2", "format = 99"))
    before = {p: p.read_bytes() for p in root.rglob("*") if p.is_file()}
    for words in (
        ("act", root, "hurt", "who=mira", "points=1"),
        ("undo", root),
        ("edits", root),
        ("session", root),
        ("set", root, ROOK, "name", '"x"', "--yes"),
        ("migrate", root, "--yes"),
    ):
        done = playing.command(*words)
        assert (done.returncode, "of format 99" in done.stderr, "Update" in done.stderr) == (1, True, True), words
    assert {p: p.read_bytes() for p in root.rglob("*") if p.is_file()} == before
    assert playing.command("log", root).returncode == 0


# ---- pack, unpack, backups


def test_a_campaign_is_packed_and_unpacked(root: Path, tmp_path: Path) -> None:
    OpenCampaign(root).close()
    done = playing.command("pack", root, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "the-gate.zip").is_file()
    again = playing.command("pack", root, cwd=tmp_path)
    assert (again.returncode, "something already" in again.stderr) == (1, True)
    out = playing.command("unpack", tmp_path / "the-gate.zip", "--into", tmp_path / "there")
    assert out.returncode == 0
    assert folder.load(tmp_path / "there/the-gate").problems == []
    taken = playing.command("unpack", "the-gate.zip", cwd=tmp_path)
    assert (taken.returncode, "something already" in taken.stderr) == (1, True)
    assert playing.command("pack", ".", "--to", tmp_path / "here.zip", cwd=root).returncode == 0
    assert (tmp_path / "here.zip").read_bytes() == (tmp_path / "the-gate.zip").read_bytes()


def test_what_cannot_be_packed_or_unpacked_is_told_in_a_sentence(root: Path, tmp_path: Path) -> None:
    nowhere = playing.command("pack", root, "--to", tmp_path / "nowhere/x.zip")
    assert (nowhere.returncode, "cannot be packed: No such file" in nowhere.stderr) == (1, True)
    wrong = playing.command("unpack", root / "campaign.toml")
    assert (wrong.returncode, "not a packed campaign" in wrong.stderr) == (1, True)


def test_backups_are_listed_and_brought_back(root: Path) -> None:
    assert "None yet" in playing.command("backups", root).stdout
    assert playing.command("act", root, "hurt", "who=mira", "points=10").returncode == 0
    name = playing.command("backups", root).stdout.split()[0]
    done = playing.command("backups", root, "--restore", name)
    assert done.returncode == 0
    assert OpenCampaign(root.parent / f"the-gate-{name}", write=False).table.timeline.last == 0
    wrong = playing.command("backups", root, "--restore", "../../x")
    assert (wrong.returncode, "there is no backup" in wrong.stderr) == (1, True)


# ---- no code of a campaign's is ever run


def test_nothing_in_a_campaigns_folder_is_run_as_code(root: Path) -> None:
    bad = "import pathlib; pathlib.Path(__file__).with_suffix('.ran').touch(); raise SystemExit('ran')\n"
    for name in (
        "sitecustomize",
        "usercustomize",
        "conftest",
        "tiers",
        "engine",
        "msgspec",
        "tomli_w",
        "json",
        "zipfile",
    ):
        (root / f"{name}.py").write_text(bad)
    for name in ("tabletop_tui", "textual", "evil_engine", "engines"):
        (root / name).mkdir()
        (root / name / "__init__.py").write_text(bad)
    info = root / "evil_engine-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: evil-engine\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[tabletop_tui.engines]\nevil = evil_engine:ENGINE\n")
    script = Path(sys.executable).parent / "tabletop"
    assert script.exists()
    for words in (["check", "."], ["engines"], ["offers", "."], ["doctor", "."], ["pack", ".", "--to", "../x.zip"]):
        done = subprocess.run([script, *words], cwd=root, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, ""), words
        assert "evil" not in done.stdout
    assert not list(root.rglob("*.ran"))
    assert not list(root.rglob("__pycache__"))


def test_a_scene_that_cannot_be_read_is_not_to_be_taken_out_of_the_live_state(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = OpenCampaign(root)
    playing.act(desk.table, "scene scene=the-gate")
    desk.publish()
    desk.close()
    scene = root / "scenes" / "the-gate.toml"
    scene.write_text('title = "Broken\n')
    assert main(["check", str(root)]) == 1
    told = capsys.readouterr().out
    assert "scenes/the-gate.toml" in told
    assert "Take it out" not in told
    assert "now.toml" not in told
