"""Draws the README's pictures: the real screens, on a copy of a sample, with typed dice.

python tools/pictures.py
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.storage.user.paths import copy_demo, demos
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.bench.screen import Workbench
from tabletop_tui.ui.screens.home import HomeScreen
from tabletop_tui.ui.screens.play import PlayScreen

DOCS = Path(__file__).parents[1] / "docs"
SHOTS = (
    ("challenge", "ember-road", (100, 30), "C 3 4 1 2 4 2"),
    ("outcome", "ember-road", (100, 30), "C 3 4 1 2 4 2 t 6 5 2 3 1 enter t 4 3 enter enter"),
    ("table", "ember-road", (100, 30), "a 4 1 3 3"),
    ("sheets", "ember-road", (100, 30), "P down"),
    ("contest", "abbey-of-lynn", (100, 30), "D 2"),
    ("initiative", "cinder-pass", (100, 30), "t 4 4 1 4 1 1 enter 1"),
)


async def shoot(name: str, sample: str, size: tuple[int, int], keys: str, place: Path) -> None:
    """One picture."""
    root = copy_demo(next(p for p in demos() if p.name == sample), place / name)
    desk = OpenCampaign(root, clock=lambda: datetime(2026, 11, 15, 19, 4, tzinfo=UTC))
    desk.close()
    app = TabletopApp(str(root))
    async with app.run_test(size=size) as pilot:
        while not isinstance(app.screen, PlayScreen):
            await pilot.pause(0.01)
        await pilot.pause()
        if keys:
            await pilot.press(*keys.split())
        await app.workers.wait_for_complete()
        await pilot.pause()
        keep(name, app)


async def shoot_others() -> None:
    """A session watched again, and the dice workbench."""
    log = next((next(p for p in demos() if p.name == "cinder-pass") / "played").glob("*.jsonl"))
    app = TabletopApp()
    app.log_path = str(log)
    async with app.run_test(size=(100, 30)) as pilot:
        while not isinstance(app.screen, PlayScreen):
            await pilot.pause(0.01)
        await pilot.press("j", "j", "]", "]", "]")
        await app.workers.wait_for_complete()
        await pilot.pause()
        keep("replay", app)
    app = TabletopApp()
    async with app.run_test(size=(100, 30)) as pilot:
        while not isinstance(app.screen, HomeScreen):
            await pilot.pause(0.01)
        await pilot.press("percent_sign")
        while not isinstance(app.screen, Workbench):
            await pilot.pause(0.01)
        await pilot.press(*("space" if c == " " else c for c in "5Bd 3Rd 2Dd"))
        await pilot.pause(0.5)
        keep("workbench", app)


def keep(name: str, app: TabletopApp) -> None:
    """Without fonts that would be fetched from elsewhere."""
    drawn = re.sub(r"@font-face \{.*?\}", "", app.export_screenshot(title="tabletop"), flags=re.DOTALL)
    (DOCS / f"{name}.svg").write_text(drawn, encoding="utf-8")


def main() -> None:
    """All of them."""
    with tempfile.TemporaryDirectory() as place:
        for name, sample, size, keys in SHOTS:
            asyncio.run(shoot(name, sample, size, keys, Path(place)))
            print(name)
    asyncio.run(shoot_others())


if __name__ == "__main__":
    main()
