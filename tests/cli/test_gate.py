"""Every way out passes one gate: nothing goes out that a terminal would obey, or that ends a command."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import playing
import pytest

from tabletop_tui import plugins
from tabletop_tui.rules import HOSTILE
from tabletop_tui.session import Codec, Table
from tabletop_tui.storage.disk import Disk
from tabletop_tui.storage.log import LogFile, create

BAD = "\x1b]0;owned\x07 \x1b[2J \x9b31m \x85 \u202eesrever\u2066 \x7f"
"""Escape sequences, C1 controls, bidi controls and DEL."""
PACKAGE = playing.PROJECT / "tabletop_tui"


def raw(*words: str | bytes, **env: str) -> subprocess.CompletedProcess[bytes]:
    """A command with any bytes as its words, and the bytes that it gives back."""
    return subprocess.run(
        [sys.executable, "-m", "tabletop_tui", *words],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(playing.PROJECT), **env},
        timeout=60,
    )


def harmless(data: bytes) -> bool:
    return not HOSTILE.search(data.decode("utf-8"))


@pytest.fixture
def hostile(root: Path, tmp_path: Path) -> Path:
    """A log whose words hold all of it: written by another program, or by an older version of this one."""
    table = playing.table(root)
    playing.act(table, "note", text="it rains")
    entry = table.timeline.entries[0]
    path = tmp_path / "hostile.jsonl"
    create(path, table.header, Disk())
    file = LogFile(path, Codec(plugins.load("tiers")))
    file.append(msgspec.structs.replace(entry, said=(BAD, "naïve → ☂ 𝔸"), by=BAD))
    file.close()
    return path


def test_a_mistyped_word_is_echoed_without_what_controls_a_terminal() -> None:
    for words in ((BAD,), ("log", "x", f"--{BAD}"), ("replay", "x", "--to", BAD), ("export", "x", "--as", BAD)):
        done = raw(*words)
        assert done.returncode == 2
        assert b"usage" in done.stderr
        assert harmless(done.stderr)
        assert harmless(done.stdout)


def test_bytes_that_are_no_text_are_no_crash() -> None:
    for words in ((b"\xff\xfe\x9b",), (b"log", b"\xff\xfe"), (b"play", b"\xff", b"--seat", b"\xff")):
        done = raw(*words)
        assert done.returncode in (1, 2)
        assert harmless(done.stderr)


def test_json_is_escaped_and_says_the_same(hostile: Path) -> None:
    for flags in ((), ("--players",)):
        done = raw("log", str(hostile), "--json", *flags)
        assert done.returncode == 0, done.stderr
        assert harmless(done.stdout)
        assert json.loads(done.stdout)["said"] == [BAD, "naïve → ☂ 𝔸"]
        assert json.loads(done.stdout)["by"] == BAD


def test_a_terminal_that_cannot_show_a_character_shows_another(hostile: Path) -> None:
    for coding in ("latin-1", "ascii"):
        done = raw("log", str(hostile), PYTHONIOENCODING=coding, PYTHONUTF8="0")
        assert done.returncode == 0, done.stderr
        assert b"na" in done.stdout
        data = raw("log", str(hostile), "--json", PYTHONIOENCODING=coding, PYTHONUTF8="0")
        assert json.loads(data.stdout)["said"] == [BAD, "naïve → ☂ 𝔸"], "no character of the data is lost"
        assert raw("odds", "2d6", PYTHONIOENCODING=coding, PYTHONUTF8="0").returncode == 0


def test_a_log_that_was_written_elsewhere_controls_no_terminal(hostile: Path) -> None:
    for words in (("log",), ("log", "--players"), ("replay", "--text"), ("export",)):
        done = raw(words[0], str(hostile), *words[1:])
        assert done.returncode == 0, done.stderr
        assert b"esrever" in done.stdout
        assert harmless(done.stdout)


def test_a_folder_of_any_name_controls_no_terminal(root: Path) -> None:
    odd = root.rename(root.with_name(BAD))
    (odd / "campaign.toml").write_text("title = 1")
    for name in ("check", "doctor", "offers", "log"):
        done = raw(name, str(odd))
        assert done.returncode == 1
        assert harmless(done.stdout)
        assert harmless(done.stderr)


@pytest.mark.parametrize("word", ["~nosuchuser", "~nosuchuser/campaigns/x", "x" * 5_000, "x/" * 3_000])
@pytest.mark.parametrize("name", ["log", "replay", "check", "doctor", "export", "offers"])
def test_a_name_that_cannot_be_is_a_sentence(name: str, word: str, capsys: pytest.CaptureFixture[str]) -> None:
    from tabletop_tui.cli import main

    assert main([name, word]) == 1
    out, err = capsys.readouterr()
    assert not out
    assert "Something went wrong in the program itself" not in err
    assert err.strip()


def test_an_export_to_a_place_that_cannot_be_is_a_sentence(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    from tabletop_tui.cli import main

    for place in ("~nosuchuser/x.md", "x" * 5_000):
        assert main(["export", "ember-road", "--to", place]) == 1
        assert "Something went wrong" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        "new x --into",
        "demo ember-road --into",
        "new-engine moonfall --into",
        "unpack",
        "pack {root} --to",
        "unpack {zip} --into",
        "seats list --into",
    ],
)
def test_nobodys_home_is_a_sentence_wherever_a_path_is_typed(
    root: Path, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tabletop_tui.cli import main

    monkeypatch.chdir(tmp_path)
    assert main(["pack", str(root), "--to", "x.zip"]) == 0
    before = set(tmp_path.iterdir())
    assert main([*words.format(root=root, zip="x.zip").split(), "~nosuchuser/there"]) == 1
    assert "'~nosuchuser' is not a user here" in capsys.readouterr().err
    assert set(tmp_path.iterdir()) == before


def test_nothing_else_writes_to_a_stream() -> None:
    """`words` is the gate of the command line; the screens have theirs, and one sentence when they have ended."""
    writes = re.compile(r"(?<![\w.])print\(|sys\.std(?:out|err)\.write\(")
    found = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if writes.search(path.read_text())
        and path.relative_to(PACKAGE).parts[0] in ("cli", "ui", "storage", "records")
    }
    assert found == {"cli/words.py", "ui/__init__.py"}
