"""The program about itself: where things are, settings, versions, completion, the manual page."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop_tui.cli import main, parser
from tabletop_tui.cli.completing import SCRIPTS, candidates

SAMPLE = Path(__file__).parents[2] / "campaigns" / "ember-road"


@pytest.fixture(autouse=True)
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("DATA", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    for name in ("EDITOR", "VISUAL"):
        monkeypatch.delenv(name, raising=False)
    shutil.copytree(SAMPLE, tmp_path / "here" / "ember-road", ignore=shutil.ignore_patterns("sessions", "now.toml"))
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def test_where_names_every_place(capsys: pytest.CaptureFixture[str], homes: Path) -> None:
    assert main(["where"]) == 0
    told = capsys.readouterr().out
    assert str(homes / "config" / "tabletop" / "config.toml") in told
    assert str(homes / "data" / "tabletop" / "campaigns") in told


def test_config_writes_a_commented_file_once_and_checks_it(capsys: pytest.CaptureFixture[str], homes: Path) -> None:
    path = homes / "config" / "tabletop" / "config.toml"
    assert main(["config"]) == 0
    assert "in order" in capsys.readouterr().out
    path.write_text(path.read_text().replace('# undo = "z"', '"no.such" = "z"\nundo = "?"'))
    assert main(["config", "--check"]) == 1
    told = capsys.readouterr().out
    assert "'?' is the key of 'undo' and of 'help'" in told
    assert "no.such" not in told  # the game of a package that is not installed here may have it


def test_the_version_names_the_games(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert told.startswith("tabletop ")
    assert "Tiers of Power, rules version" in told


@pytest.mark.parametrize(
    ("words", "among", "not_among"),
    [
        ([""], {"play", "act", "roll"}, {"complete"}),
        (["pl"], {"play"}, {"pack"}),
        (["play", ""], {"ember-road"}, set()),
        (["act", "ember-road", ""], {"lead", "attack", "note"}, set()),
        (["act", "ember-road", "open", "challenge="], {"challenge=the-gate/hold"}, set()),
        (["act", "ember-road", "hurt", "who=mira", ""], {"points="}, {"who=mira"}),
        (["play", "ember-road", "--seat", ""], {"Ana"}, set()),
        (["new", "A", "--engine", "t"], {"tiers"}, {"fen"}),
        (["export", "ember-road", "--as", ""], {"html", "md"}, set()),
        (["export", "ember-road", "--"], {"--as", "--for"}, set()),
        (["nonsense", ""], set(), {"play"}),
    ],
)
def test_words_are_completed_from_the_parser_and_the_campaign(
    words: list[str], among: set[str], not_among: set[str]
) -> None:
    found = set(candidates(parser(), words))
    assert among <= found
    assert not (not_among & found)


def test_pressing_tab_in_a_campaign_that_is_not_there_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["complete", "--", "act", "nowhere", ""]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_bash_completes_an_action(homes: Path) -> None:
    tool = Path(sys.executable).parent / "tabletop"
    if not tool.exists():
        pytest.skip("the tabletop command is not beside this Python")
    script = SCRIPTS["bash"] + (
        '\nCOMP_WORDS=(tabletop act ember-road no); COMP_CWORD=3; _tabletop; printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    env = {**os.environ, "PATH": f"{tool.parent}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, env=env, cwd=homes / "here")
    assert done.stdout.splitlines() == ["note"], done.stderr


def test_the_manual_page_has_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["man"]) == 0
    told = capsys.readouterr().out
    assert told.startswith(".TH TABLETOP 1")
    for name in ("play", "act", "completion", "doctor"):
        assert f".SS {name}" in told
    assert ".SS complete " not in told
