"""What matters is said whole: a mark, a number or a reason that finds no room is left out whole, or goes on below."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from waiting import drawn, opened

from tabletop_tui.ui.app import TabletopApp

SAMPLES = Path(__file__).parents[2] / "campaigns"


def copied(name: str, folder: Path) -> str:
    skip = shutil.ignore_patterns("sessions", "now.toml", "played")
    return str(shutil.copytree(SAMPLES / name, folder / name, ignore=skip))


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 45)])
async def test_whom_players_do_not_see_is_marked_at_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    app = TabletopApp(copied("ember-road", tmp_path))
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await pilot.press("T")
        assert re.search(r"◆ The bridge ogre [^~\n]*~", drawn(app))


async def test_the_band_says_what_a_number_would_come_to(tmp_path: Path) -> None:
    app = TabletopApp(copied("ember-road", tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("T", "e", "7")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert re.search(r"Hurt Brother Odo: points 7.*HP 70 → 63", drawn(app))


async def test_why_something_cannot_be_done_now_is_said_whole_of_the_row_under_the_cursor(tmp_path: Path) -> None:
    app = TabletopApp(copied("ember-road", tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("T", "space", *"spend")
        stage = " ".join(row[35:].strip() for row in drawn(app).splitlines())
        assert "it costs 1 Complication Point and there are 0" in stage


async def test_what_is_wrong_with_a_form_is_said_whole(tmp_path: Path) -> None:
    app = TabletopApp(copied("fen-lanterns", tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("T", "m")
        await app.workers.wait_for_complete()
        await pilot.pause()
        stage = " ".join(row[35:].strip() for row in drawn(app).splitlines())
        assert "✗ nothing changes for Sedge. Give a number, or leave it." in stage
