"""Every example of docs/homebrew.md works as it is written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import playing
import pytest
from msgspec.structs import replace

from tabletop_tui import plugins
from tabletop_tui.conformance import play
from tabletop_tui.storage.campaign import load

PAGE = (Path(__file__).parents[3] / "docs" / "homebrew.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.M | re.S)
GAME = [text for kind, text in BLOCKS if kind == "toml"]
WRONG = [text for kind, text in BLOCKS if kind == "wrong"]
ENGINE = plugins.load("homebrew").inner


def campaign(root: Path, *pieces: str, scene: bool = False) -> Any:
    (root / "characters").mkdir(exist_ok=True)
    (root / "scenes").mkdir(exist_ok=True)
    (root / "campaign.toml").write_text("\n".join(('title = "x"', 'engine = "homebrew"', "format = 2", *pieces)))
    sheet = next(text for kind, text in BLOCKS if kind == "sheet")
    (root / "characters" / "ana.toml").write_text(sheet)
    (root / "characters" / "bo.toml").write_text(sheet.replace("Ana", "Bo").replace("Ines", "Jon"))
    if scene:
        (root / "scenes" / "bridge.toml").write_text(next(text for kind, text in BLOCKS if kind == "scene"))
    return load(root)


@pytest.mark.parametrize("pieces", range(1, len(GAME) + 1))
def test_each_piece_can_be_added_to_the_last_one(tmp_path: Path, pieces: Any) -> None:
    assert campaign(tmp_path, *GAME[:pieces]).problems == []


def test_the_whole_game_can_be_played(tmp_path: Path) -> None:
    found = campaign(tmp_path, *GAME, scene=True)
    assert found.problems == []
    world = found.world()
    world = replace(world, now=ENGINE.start(world))
    assert sum(1 for seed in range(3) for _ in play(ENGINE, world, seed, 30)) > 50


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_what_is_wrong_is_told_in_these_words(tmp_path: Path, text: str) -> None:
    piece, _, words = text.rpartition("\n# ")
    found = campaign(tmp_path, *GAME, piece)
    assert words.strip() in [problem.what for problem in found.errors]


def test_the_guide_comes_with_the_program() -> None:
    told = playing.command("rules", "homebrew", "--guide")
    assert told.returncode == 0, told.stderr
    assert told.stdout.strip() == PAGE.strip()
    assert playing.command("rules", "tiers", "--guide").returncode == 1
