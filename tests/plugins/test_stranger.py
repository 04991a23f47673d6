"""A stranger's engine, packaged on its own and installed for real, needs no change of ours."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import level
import playing
import pytest

HERE = Path(__file__).resolve().parent.parent / "stranger"


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the stranger's package has been installed by pip."""
    target = tmp_path_factory.mktemp("site")
    # without hatchling here, pip fetches it for the build
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
def test_it_is_listed_beside_ours(installed: str) -> None:
    engines = json.loads(ran(installed, "engines", "--json"))["engines"]
    assert engines["coinflip"] == "Coinflip"
    assert "tiers" in engines
    assert "coinflip" in ran(installed, "engines")


def test_a_campaign_of_it_is_made_checked_played_and_verified(installed: str, tmp_path: Path) -> None:
    ran(installed, "new", "Penny", "--engine", "coinflip", "--into", tmp_path)
    root = tmp_path / "penny"
    assert "no problems" in ran(installed, "check", root)
    odds = json.loads(ran(installed, "odds", root, "flip", "who=ann", "call=heads", "--json"))
    assert odds["groups"]["outcome"] == {"right": 0.5, "wrong": 0.5}
    assert "Ann calls heads: tails" in ran(installed, "act", root, "flip", "who=ann", "call=heads", "--dice", "2")
    entry = json.loads(ran(installed, "act", root, "flip", "who=ann", "call=tails", "--json"))
    assert entry["seq"] == 2
    ran(installed, "undo", root)
    ran(installed, "redo", root)
    assert "2 actions resolved again" in ran(installed, "replay", root, "--verify")
    assert "[right]" in (root / "now.toml").read_text()
    offered = [offer["action"] for offer in json.loads(ran(installed, "offers", root, "--json"))]
    assert offered[0] == "flip"


def test_its_problems_have_their_line_too(installed: str, tmp_path: Path) -> None:
    ran(installed, "new", "Penny", "--engine", "coinflip", "--into", tmp_path)
    (tmp_path / "penny/characters/ann.toml").write_text('name = "Ann"\nmotto = 3\n')
    done = playing.command("check", tmp_path / "penny", path=installed)
    assert done.returncode == 1
    assert done.stdout.startswith("characters/ann.toml:2:9: expected text, found 3.")


def test_it_passes_the_conformance_kit(installed: str) -> None:
    script = """
import sys
import coinflip_engine as coin
from tabletop_tui.rules import World
from tabletop_tui.conformance import check_edits, check_engine, check_odds, check_secrets, play, worlds
world = World(coin.CoinRules(), coin.CoinNow(), {"ann": coin.CoinSheet("Ann", "Ann")}, {})
check_engine(coin.ENGINE)
check_odds(coin.ENGINE, world, coin.Flip("ann", "heads"))
check_secrets(coin.ENGINE, world, world)
for seed in range(5):
    for _ in play(coin.ENGINE, world, seed):
        pass
most = int(sys.argv[1])
tried = check_edits(coin.ENGINE, worlds(coin.ENGINE, world, most), most=most)
print("kept", tried.states == most)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(level.many(200, 2_000, 50_000))],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": installed},
    )
    assert done.stdout == "kept True\n", done.stderr


def test_it_imports_the_contract_and_the_kit_and_nothing_else_of_ours() -> None:
    tree = ast.parse((HERE / "coinflip_engine/__init__.py").read_text())
    modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert {m for m in modules if m.startswith("tabletop_tui")} == {"tabletop_tui.rules", "tabletop_tui.kit"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]


def test_none_of_our_files_knows_of_it() -> None:
    ours = [*(playing.PROJECT / "tabletop_tui").rglob("*.py"), playing.PROJECT / "pyproject.toml"]
    assert not [path for path in ours if "coinflip" in path.read_text()]


def test_without_its_package_a_campaign_can_be_read_and_not_played(installed: str, tmp_path: Path) -> None:
    ran(installed, "new", "Penny", "--engine", "coinflip", "--into", tmp_path)
    root = tmp_path / "penny"
    ran(installed, "act", root, "flip", "who=ann", "call=heads", "--dice", "2")
    log = playing.command("log", root)
    assert (log.returncode, "Ann calls heads: tails" in log.stdout) == (0, True)
    for words in (("act", root, "flip", "who=ann", "call=heads"), ("offers", root), ("undo", root)):
        done = playing.command(*words)
        assert done.returncode == 1
        assert "can only be looked at: the engine 'coinflip' is not installed" in done.stderr
        assert "Traceback" not in done.stderr
    check = playing.command("check", root)
    assert "campaign.toml:3:10: the engine 'coinflip' is not installed." in check.stdout
