"""Where a form begins, and that what is typed into it counts."""

from __future__ import annotations

import shutil
from pathlib import Path

from waiting import drawn, opened

from tabletop_tui.engines.drama.points import MovePool
from tabletop_tui.ui.app import TabletopApp

SAMPLES = Path(__file__).parents[2] / "campaigns"


def copied(name: str, folder: Path) -> Path:
    return Path(shutil.copytree(SAMPLES / name, folder / name, ignore=shutil.ignore_patterns("sessions", "now.toml")))


async def test_a_number_typed_for_a_pool_is_the_number_that_counts(tmp_path: Path) -> None:
    app = TabletopApp(str(copied("abbey-of-lynn", tmp_path)))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("T", "f")
        assert "Currency pool Brother Edmund: by" in drawn(app)
        await pilot.press("-", "2", "enter")
        assert play.game.table.timeline.entries[-1].action == MovePool("edmund", "fortitude", -2)
