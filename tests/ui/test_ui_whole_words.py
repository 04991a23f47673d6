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
