"""What the pages say is so: their code is the template's, their tables the contract's, and links lead somewhere."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import playing
import pytest
from waiting import opened

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
CODE = re.compile(r"^```python\n# (?P<file>[\w/]+\.py)\n(?P<code>.*?)^```", re.M | re.S)
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")


def test_the_guide_quotes_the_template_as_it_is() -> None:
    quoted = list(CODE.finditer((ROOT / "docs" / "engines.md").read_text("utf-8")))
    assert len(quoted) >= 6
    for found in quoted:
        source = (ROOT / "tabletop_tui" / "template" / found["file"]).read_text("utf-8")
        assert found["code"].rstrip() in source, found["code"]


def test_the_tables_of_the_contract_are_up_to_date() -> None:
    words = [sys.executable, str(ROOT / "tools" / "reference.py"), "--check"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_every_file_that_the_papers_name_is_there() -> None:
    for page in (ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"):
        named = re.findall(r"`((?:[\w.]+/)+[\w.]*)`", page.read_text("utf-8"))
        assert len(named) >= 5
        for path in named:
            places = (ROOT / path, ROOT / "tabletop_tui" / path)
            assert any(place.exists() for place in places), path


SHELL = re.compile(r"^```sh\n(.*?)^```", re.M | re.S)
NEEDS_MORE = ("tabletop serve", "tabletop seats", "tabletop log ember-road --follow")
"""Commands with tests of their own, against real keys and servers, or that do not end by themselves."""


def lines(page: Path) -> list[str]:
    """The command lines of a page that begin with the program's name, without their comments."""
    found = [line for block in SHELL.findall(page.read_text("utf-8")) for line in block.splitlines()]
    plain = [shlex.join(shlex.split(line, comments=True)) for line in found if line.startswith("tabletop")]
    return [line for line in plain if not line.startswith(NEEDS_MORE)]


@pytest.mark.parametrize("page", [p for p in PAGES if lines(p)], ids=lambda page: page.name)
def test_every_command_line_does_what_the_page_says(page: Path, tmp_path: Path) -> None:
    """In order, in a folder with copies of the samples; a screen says that it needs a terminal."""
    for sample in ("ember-road", "cinder-pass"):
        if f"demo {sample}" not in page.read_text("utf-8"):
            shutil.copytree(ROOT / "campaigns" / sample, tmp_path / sample)
            done = playing.command("act", tmp_path / sample, "note", "text=on")  # a session has been begun
            assert done.returncode == 0, done.stderr
    homes = {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    env = {**os.environ, **homes, "PYTHONPATH": str(ROOT)}
    for line in lines(page):
        words = [sys.executable, "-m", "tabletop_tui", *shlex.split(line)[1:]]
        if "--engine lanterns" in line:
            continue  # installed by its author: tests/cli/test_new_engine.py
        done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, env=env, stdin=subprocess.DEVNULL)
        screen = "the screens need a terminal" in done.stderr or "first-light" in line
        assert done.returncode == 0 or screen, f"{line}\n{done.stdout}{done.stderr}"


async def test_the_first_scene_in_five_minutes_goes_as_the_readme_says(tmp_path: Path) -> None:
    from tabletop_tui.ui.app import TabletopApp

    block = re.search(r"^```keys\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.M | re.S)
    assert block is not None
    keys = [line.split()[0] for line in block[1].splitlines()]
    assert keys[-2:] == ["r", "u"]
    root = tmp_path / "ember-road"
    shutil.copytree(ROOT / "campaigns" / "ember-road", root, ignore=shutil.ignore_patterns("sessions", "now.toml"))
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        for key in keys[:-1]:
            await pilot.press(key)
            await app.workers.wait_for_complete()
            await pilot.pause()
        challenge = play.game.world.now.challenge
        assert challenge.lead
        assert len(challenge.supports) == 2
        assert play.game.world.now.roll is not None
        await pilot.press("u")
        assert play.game.world.now.roll is None
