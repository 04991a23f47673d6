"""A game of one's own begins with one command: what it writes installs, passes its own tests and plays."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import playing
import pytest


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A package as it was written, and where it was installed."""
    place = tmp_path_factory.mktemp("new")
    done = playing.command("new-engine", "moon_fall", "--into", place)
    assert done.returncode == 0, done.stderr
    site = place / "site"
    offline = ["--no-build-isolation"] if importlib.util.find_spec("hatchling") else []
    words = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", *offline, "--target", str(site)]
    made = subprocess.run([*words, str(place / "moon_fall")], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return place / "moon_fall", str(site)


@pytest.mark.long
def test_its_own_tests_pass_as_written(package: tuple[Path, str]) -> None:
    root, site = package
    env = {**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{playing.PROJECT}"}
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(root)]
    done = subprocess.run(words, capture_output=True, text=True, env=env, cwd=root)
    assert done.returncode == 0, done.stdout


def test_nothing_of_the_template_is_left_in_it(package: tuple[Path, str]) -> None:
    root, _site = package
    for path in root.rglob("*"):
        assert "lanterns" not in path.name
        if path.suffix in (".py", ".md", ".toml"):
            assert "Lanterns" not in path.read_text(), path


def test_a_campaign_of_it_is_made_checked_played_and_verified(package: tuple[Path, str], tmp_path: Path) -> None:
    _root, site = package
    for words in (
        ("new", "First Light", "--engine", "moon_fall", "--into", tmp_path),
        ("check", tmp_path / "first-light"),
        ("act", tmp_path / "first-light", "act", "who=ada", "skill=climb", "--dice", "1,2"),
        ("act", tmp_path / "first-light", "press_on", "--dice", "6"),
        ("replay", tmp_path / "first-light", "--verify"),
    ):
        done = playing.command(*words, path=site)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["tiers", "Moon", "class", "../up", "a b", ""])
def test_names_that_cannot_be_are_refused(name: str, tmp_path: Path) -> None:
    done = playing.command("new-engine", name, "--into", tmp_path)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert not any(tmp_path.iterdir())
