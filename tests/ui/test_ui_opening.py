"""A log that takes long to open: the screen says how far it is, and whoever does not want to wait leaves."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from waiting import drawn, until

from tabletop_tui.session import Progress
from tabletop_tui.ui import app as app_module
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.opening import Left, opened


class Slow:
    """Work that is half done until somebody lets it go on."""

    def __init__(self) -> None:
        self.go_on = threading.Event()

    def __call__(self, progress: Progress) -> str:
        progress(50, 100)
        while not self.go_on.wait(0.01):
            progress(50, 100)
        return "opened"


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


async def test_what_takes_long_says_how_far_it_is_until_it_is_done() -> None:
    app, work = TabletopApp(), Slow()
    async with app.run_test(size=(80, 24)) as pilot:
        going = asyncio.ensure_future(opened(app, "the-salt-road", work))
        await until(pilot, lambda: "Opening the-salt-road … 50%, esc leaves" in drawn(app), "a word of it")
        work.go_on.set()
        assert await going == "opened"
        assert app.reading is None


@pytest.mark.parametrize("key", ["escape", "q", "ctrl+c"])
async def test_whoever_does_not_want_to_wait_leaves(key: str) -> None:
    app, work = TabletopApp(), Slow()
    async with app.run_test(size=(80, 24)) as pilot:
        going = asyncio.ensure_future(opened(app, "the-salt-road", work))
        await until(pilot, lambda: "Opening" in drawn(app), "a word of it")
        await pilot.press(key)
        with pytest.raises(Left):
            await going


class Beginning(TabletopApp):
    """It begins with a log that takes long."""

    CSS_PATH = str(Path(app_module.__file__).with_name("play.tcss"))

    async def _begin(self) -> None:
        await opened(self, "the-salt-road", Slow())


async def test_before_there_is_a_screen_it_is_told_on_the_empty_one() -> None:
    app = Beginning()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Opening the-salt-road … 50%" in drawn(app), "a word of it")
        await pilot.press("q")
        await until(pilot, lambda: app.return_code is not None, "the end")
    assert (app.return_code, app.parting) == (0, "")
