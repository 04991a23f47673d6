"""A d20 game as a stranger would write it: what it needed of the contract, installed as a package of its own."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import level
import playing
import pytest
from ptys import Terminal

HERE = Path(__file__).resolve().parent.parent / "skirmish"
EDITS = str(level.many(50, 300, 5_000))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the package has been installed by pip."""
    target = tmp_path_factory.mktemp("site")
    offline = ["--no-build-isolation"] if importlib.util.find_spec("hatchling") else []
    words = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", *offline, "--target", str(target), str(HERE)]
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    return str(target)


def ran(installed: str, *words: str | Path) -> str:
    done = playing.command(*words, path=installed)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.long
def test_it_keeps_the_contract(installed: str) -> None:
    out = ran(installed, "conform", "skirmish", "--games", "1", "--edits", EDITS)
    assert f"✓ hand edits: {EDITS} edited states" in out
    assert "It keeps the contract." in out


def test_a_fight_by_numbers_with_wardens_saves_and_hp_below_zero(installed: str, tmp_path: Path) -> None:
    ran(installed, "new", "Fight", "--engine", "skirmish", "--into", tmp_path)
    root = tmp_path / "fight"
    ran(installed, "act", root, "more", "of=warden", "count=3")
    told = ran(installed, "act", root, "begin", "who=ann,bo,warden,warden#2", "--dice", "9,18,14,3")
    assert told.splitlines()[-2:] == ["Turn order: Bo, Warden, Ann, Warden 2", "Bo is up"]
    odds = json.loads(ran(installed, "odds", root, "attack", "who=bo", "against=warden#2", "--json"))
    assert odds["groups"]["outcome"]["hits"] == pytest.approx(12 / 20)
    for _ in range(2):
        ran(installed, "act", root, "attack", "who=bo", "against=warden#2", "--dice", "15,8")
    ran(installed, "act", root, "condition", "who=ann", "what=burning", "ends=save")
    assert "Ann is still burning" in ran(installed, "act", root, "save", "condition=ann-1", "--dice", "9")
    assert "Ann is no longer burning" in ran(installed, "act", root, "save", "condition=ann-1", "--dice", "10")
    group = ran(installed, "act", root, "creep", "--dice", "11,6")
    assert "The party slips past: Ann 11, Bo 12" in group
    now = (root / "now.toml").read_text()
    assert '"warden#2" = 16' in now  # of 11 HP: five below zero
    assert "number = 22" in now
    assert "actions resolved again" in ran(installed, "replay", root, "--verify")


def test_at_80_by_24_everything_of_it_is_in_sight(installed: str, tmp_path: Path) -> None:
    ran(installed, "new", "Fight", "--engine", "skirmish", "--into", tmp_path)
    root = tmp_path / "fight"
    ran(installed, "act", root, "more", "of=warden", "count=3")
    faces = ("--dice", "9,18,14,3,7,12")
    ran(installed, "act", root, "begin", "who=ann,bo,warden,warden#2,warden#3,warden#4", *faces)
    for _ in range(2):
        ran(installed, "act", root, "attack", "who=bo", "against=warden#2", "--dice", "15,8")
    ran(installed, "act", root, "condition", "who=ann", "what=burning", "ends=save")
    ran(installed, "act", root, "condition", "who=bo", "what=slowed", "ends=start", "whose=ann")
    ran(installed, "act", root, "creep", "--dice", "11,6")
    env = {"PYTHONPATH": installed, "XDG_DATA_HOME": str(tmp_path / "data")}
    screen = Terminal([sys.executable, "-m", "tabletop_tui", "play", str(root)], env, (80, 24))
    try:
        screen.sees("? help")
        for words in (
            "22 Bo", "14 Warden", "12 Warden 4", "11 Ann", " 7 Warden 3", " 3 Warden 2",  # by their numbers
            "-5", "24", "18",  # HP, below zero too
            "burning  until a save", "slowed  until the start of Ann's turn",
            "The party slips past: Ann 11, Bo 12", "Bo is up", "Dawn", "a attack",
        ):  # fmt: skip
            screen.sees(words)
    finally:
        screen.close()
