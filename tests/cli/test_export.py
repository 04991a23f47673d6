"""`tabletop export`, in processes of its own on real files."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import msgspec
import playing
import pytest

from tabletop_tui.session import Codec, Table
from tabletop_tui.storage.log import create, scan, with_crc


def write_log(table: Table, path: Path) -> Path:
    """A table's session as a log, alone in its folder."""
    create(path, table.header, playing.NoSync())
    crc, codec = scan(path.read_bytes()).chain[-1], Codec(table.engine)
    with path.open("ab") as file:
        for entry in table.timeline.entries:
            line, crc = with_crc(codec.line(entry), crc)
            file.write(line)
    return path


def rewrite(path: Path, *changes: tuple[bytes, bytes]) -> None:
    """Other words in a log whose checksums hold all the same: as another program would have written it."""
    crc, out = 0, []
    for line in path.read_bytes().splitlines():
        for before, after in changes:
            line = line.replace(before, after)
        made, crc = with_crc(line[: line.rindex(b',"crc"')] + b"}", crc)
        out.append(made)
    path.write_bytes(b"".join(out))


@pytest.fixture
def log(root: Path, tmp_path: Path) -> Path:
    """A small session of the starter campaign, away from it."""
    table = playing.table(root)
    playing.act(table, "note", text="we arrive")
    playing.act(table, "note secret=yes", text="the reeve lies")
    playing.act(table, "scene scene=" + next(iter(table.world.scenes)))
    playing.act(table, "oppose who=mira skill=Warding against=rook using=Dodge")
    playing.act(table, "settle")
    playing.act(table, "tick clock=storm by=1")
    playing.act(table, "note", text="a mistake")
    table.undo()
    (tmp_path / "alone").mkdir()
    return write_log(table, tmp_path / "alone" / "2026-01-15-1.jsonl")


@pytest.mark.parametrize("name", ["tiers", "no1", "drama", "fen"])
def test_every_form_of_every_games_session(name: str, tmp_path: Path) -> None:
    table = playing.table(playing.samples(name)[0])
    playing.wander(table, 4, 60)
    path = write_log(table, tmp_path / "log.jsonl")
    begins = {"md": "# ", "html": "<!DOCTYPE html>", "json": "{", "csv": "number,at,by,scene"}
    for form, begin in begins.items():
        done = playing.command("export", path, "--as", form)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(begin)


def test_a_log_alone_tells_its_story_and_its_totals(log: Path) -> None:
    done = playing.command("export", log)
    assert done.returncode == 0
    for words in (
        "we arrive",
        "(GM only) the reeve lies",
        "1 step was taken back.",
        "## Counters",
        "Mira",
        "## Totals",
    ):
        assert words in done.stdout
    assert "a mistake" not in done.stdout
    assert [p.name for p in log.parent.iterdir()] == [log.name]


def test_a_campaign_stands_for_its_last_session(root: Path) -> None:
    assert playing.command("act", root, "note", "text=we wait").returncode == 0
    assert "we wait" in playing.command("export", root).stdout


@pytest.mark.parametrize("form", ["md", "html", "json", "csv"])
def test_the_players_record_has_no_secret(log: Path, form: str) -> None:
    assert "reeve lies" in playing.command("export", log, "--as", form).stdout
    assert "reeve" not in playing.command("export", log, "--as", form, "--for", "players").stdout


def test_json_and_csv_are_read_by_programs(log: Path) -> None:
    data = json.loads(playing.command("export", log, "--as", "json").stdout)
    assert (data["record"], data["for"], data["taken_back"]) == (1, "gm", 1)
    assert [luck["who"] for luck in data["luck"]] == ["Mira"]
    rows = list(csv.DictReader(io.StringIO(playing.command("export", log, "--as", "csv").stdout)))
    assert rows[0]["said"] == "we arrive"
    assert len(rows) == sum(len(scene["entries"]) for scene in data["scenes"]) == 6


# ---- files


def test_a_file_is_written_whole_and_over_an_earlier_one_by_force_alone(log: Path, tmp_path: Path) -> None:
    target = tmp_path / "record.html"
    target.write_text("old")
    done = playing.command("export", log, "--as", "html", "--to", target)
    assert done.returncode == 1
    assert "there is something already" in done.stderr
    assert target.read_text() == "old"
    done = playing.command("export", log, "--as", "html", "--to", target, "--force")
    assert done.returncode == 0
    assert str(target) in done.stdout
    assert target.read_text(encoding="utf-8").endswith("</html>\n")
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith((".", "record"))) == ["record.html"]


def test_the_log_itself_is_never_written_over(log: Path) -> None:
    before = log.read_bytes()
    other = log.with_name("link.jsonl")
    other.symlink_to(log)
    hard = log.with_name("hard.jsonl")
    hard.hardlink_to(log)
    for target in (log, other, hard, log.parent / ".." / log.parent.name / log.name):
        done = playing.command("export", log, "--to", target)
        assert done.returncode == 1
        assert "the log itself" in done.stderr
    assert log.read_bytes() == before


def test_a_place_that_cannot_be_written_is_a_sentence(log: Path, tmp_path: Path) -> None:
    for target, words in (
        (tmp_path, "this is a folder"),
        (tmp_path / "none" / "x.md", "its folder does not exist"),
        (Path("/proc/record.md"), "cannot be written"),
    ):
        done = playing.command("export", log, "--to", target)
        assert done.returncode == 1
        assert words in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_place_that_is_forbidden_is_a_sentence(log: Path, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o555)
    done = playing.command("export", log, "--to", closed / "x.md")
    assert done.returncode == 1
    assert "Permission denied. Choose a place that you may write to." in done.stderr


# ---- logs that are not sound, or not ours


def test_a_torn_log_gives_what_is_sound_and_says_so(log: Path) -> None:
    whole = log.read_bytes()
    log.write_bytes(whole + b'{"seq":9,"at":"2026')
    for form in ("md", "html", "json"):
        done = playing.command("export", log, "--as", form)
        assert done.returncode == 1
        assert "its last line was never finished (19 bytes)" in done.stderr
        assert "its last line was never finished" in done.stdout
        assert "we arrive" in done.stdout
        assert "Mira" in done.stdout
    assert log.read_bytes().startswith(whole)


def test_a_damaged_log_ends_before_the_damage(log: Path) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    lines[6] = lines[6].replace(b"storm", b"sTorm")
    log.write_bytes(b"".join(lines))
    done = playing.command("export", log, "--as", "md")
    assert done.returncode == 1
    assert "line 7 is damaged" in done.stderr
    assert "line 7 is damaged" in done.stdout
    assert "we arrive" in done.stdout
    data = json.loads(playing.command("export", log, "--as", "json").stdout)
    assert sum(len(scene["entries"]) for scene in data["scenes"]) == 5


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ((b'"engine":"tiers"', b'"engine":"quests"'), "quests"),
        ((b'"format":1', b'"format":99'), "format 99"),
    ],
)
@pytest.mark.parametrize("form", ["md", "html", "json", "csv"])
def test_a_log_of_a_strange_game_or_a_newer_format_still_tells_its_text(
    log: Path, change: tuple[bytes, bytes], why: str, form: str
) -> None:
    rewrite(log, change)
    done = playing.command("export", log, "--as", form)
    assert done.returncode == 0, done.stderr
    assert "we arrive" in done.stdout
    assert "a mistake" not in done.stdout
    if form != "csv":
        assert "no counters and no totals" in done.stdout
        assert why in done.stdout
        assert str(log) not in done.stdout
    hidden = playing.command("export", log, "--as", form, "--for", "players").stdout
    assert "we arrive" in hidden
    assert "reeve" not in hidden


def test_an_entry_that_this_version_does_not_know_costs_the_totals_and_not_the_text(log: Path) -> None:
    rewrite(log, (b'"do":"tick"', b'"do":"tickle"'))
    done = playing.command("export", log)
    assert done.returncode == 1
    assert "entry 6 does not fit this version of Tiers" in done.stderr
    assert "the text is whole" in done.stdout
    assert "1 step was taken back." in done.stdout


def test_events_that_do_not_fit_the_world_cost_the_totals_and_not_the_text(log: Path) -> None:
    rewrite(log, (b'"do":"undo","to":6', b'"do":"undo","to":99'))
    done = playing.command("export", log)
    assert done.returncode == 1
    assert "entry 8 does not fit" in done.stderr
    assert "we arrive" in done.stdout


def test_what_is_no_log_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("hello\n")
    done = playing.command("export", tmp_path / "x.jsonl")
    assert done.returncode == 1
    assert "not a log of tabletop" in done.stderr


def test_a_terminal_that_speaks_ascii_only_still_gets_utf_8(log: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tabletop_tui", "export", str(log)],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        timeout=60,
    )
    assert done.returncode == 0
    assert "┤" in done.stdout.decode("utf-8")


def test_on_a_terminal_long_work_says_how_far_it_is(root: Path, tmp_path: Path) -> None:
    """A long session of one step again and again; what is told on the terminal goes away again."""
    table = playing.table(root)
    entry = playing.act(table, "tick clock=storm by=1")
    codec, path = Codec(table.engine), tmp_path / "long.jsonl"
    create(path, table.header, playing.NoSync())
    crc, lines = scan(path.read_bytes()).chain[-1], []
    for seq in range(1, 20_001):
        line, crc = with_crc(codec.line(msgspec.structs.replace(entry, seq=seq)), crc)
        lines.append(line)
    with path.open("ab") as file:
        file.writelines(lines)
    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "tabletop_tui", "export", str(path), "--as", "csv", "--to", str(tmp_path / "out.csv")],
        stdout=subprocess.DEVNULL,
        stderr=slave,
    ) as run:
        os.close(slave)
        told = b""
        while chunk := _read(master):
            told += chunk
    os.close(master)
    assert run.returncode == 0
    assert b"% of 20,000 steps" in told
    assert told.endswith(b"\r")
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 20_001


def _read(fd: int) -> bytes:
    try:
        return os.read(fd, 4096)
    except OSError:  # the other end has been closed
        return b""


def test_a_record_has_the_campaigns_own_title(root: Path) -> None:
    playing.command("set", root, "campaign.toml", "title", '"The Night of the McRae"', "--yes")
    assert playing.command("act", root, "note", "text=we arrive").returncode == 0
    assert playing.command("export", root).stdout.startswith("# The Night of the McRae")
