"""The tools that look at the code itself find nothing."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import level
import playing
import pytest


def tool(*words: str) -> subprocess.CompletedProcess[str]:
    beside = Path(sys.executable).parent / words[0]
    found = str(beside) if beside.exists() else shutil.which(words[0])
    if found is None:
        pytest.skip(f"{words[0]} is not installed")
    return subprocess.run(
        [found, *words[1:]], cwd=playing.PROJECT, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


@pytest.mark.parametrize(
    "words",
    [
        *([("mypy",)] if level.LEVEL != "quick" else []),  # it takes as long as many others; the commit hook runs it
        ("ruff", "check", "tabletop_tui", "tests", "docs", "benchmarks", "tools"),
        ("ruff", "format", "--check", "tabletop_tui", "tests", "docs", "benchmarks", "tools"),
        ("lint-imports",),
    ],
    ids=" ".join,
)
def test_the_code_is_clean(words: tuple[str, ...]) -> None:
    done = tool(*words)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "engine", sorted(p.parent.name for p in (playing.PROJECT / "tabletop_tui/engines").glob("*/engine.py"))
)
def test_every_game_has_the_same_rooms(engine: str) -> None:
    place = playing.PROJECT / "tabletop_tui/engines" / engine
    rooms = {path.stem for path in place.iterdir() if not path.name.startswith("__")}
    assert {"world", "dice", "odds", "problems", "views", "engine", "reference", "starter"} - rooms == set()


def test_a_long_file_says_why_it_is_one() -> None:
    places = ("tabletop_tui", "tests", "docs", "benchmarks", "tools")
    found = [p for place in places for p in (playing.PROJECT / place).rglob("*") if p.suffix in (".py", ".md")]
    assert len(found) > 500
    long = {p: text for p in found if len((text := p.read_text("utf-8")).splitlines()) > 500}
    assert [p for p, text in long.items() if not text.startswith("<!--" if p.suffix == ".md" else "# ")] == []


def test_a_source_package_would_hold_all_that_its_tests_read() -> None:
    text = (playing.PROJECT / "pyproject.toml").read_text()
    include = tomllib.loads(text)["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    assert {"tabletop_tui", "campaigns", "themes", "tests", "docs", "benchmarks", "README.md"} - set(include) == set()


def test_the_package_names_the_pythons_that_it_runs_on() -> None:
    project = tomllib.loads((playing.PROJECT / "pyproject.toml").read_text())["project"]
    named = [c.rpartition(" ")[2] for c in project["classifiers"] if " :: Python :: 3." in c]
    assert {"3.11", "3.12", "3.13"} - set(named) == set()
    assert project["requires-python"] == f">={named[0]}"


def test_a_wheel_would_hold_the_samples_and_themes() -> None:
    text = (playing.PROJECT / "pyproject.toml").read_text()
    for folder in ("campaigns", "themes"):
        assert f'"{folder}" = "tabletop_tui/_bundled/{folder}"' in text
        assert (playing.PROJECT / folder).is_dir()
