"""A click on what is drawn with a key does what the key does; the wheel moves as the arrows do."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from textual.events import MouseScrollDown, MouseScrollUp
from textual.pilot import Pilot
from waiting import done, drawn, opened, playing, settled

from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.commands import Press
from tabletop_tui.ui.pages.table import TablePage
from tabletop_tui.ui.screens.play import PlayScreen

SAMPLES = Path(__file__).parents[2] / "campaigns"
STATES = {
    "what could happen": ("ember-road", ("S", "enter", "T"), 5),
    "the ways of whoever is up, and the rest": ("ember-road", ("S", "down", "enter", "3", "enter"), 6),
    "what is asked before a roll counts": ("ember-road", ("S", "down", "enter", "3", "enter", "a", "enter"), 1),
    "a roll of a challenge": ("ember-road", ("S", "enter", "1", "enter", "1", "r"), 1),
    "an encounter": ("cinder-pass", ("S", "enter", "1", "enter"), 3),
    "a table of home-brew rules": ("salt-road", ("S", "enter", "T"), 5),
}


def copied(name: str, folder: Path) -> str:
    skip = shutil.ignore_patterns("sessions", "now.toml", "played")
    return str(shutil.copytree(SAMPLES / name, folder / name, ignore=skip))


def stands(screen: PlayScreen) -> tuple[Any, ...]:
    """What a key may have changed, but for dice: nobody knows how they fall."""
    asked = screen.host.asked
    return screen.front, type(asked).__name__, getattr(asked, "answers", {}), done(screen.app)


async def rows_of(root: str, keys: tuple[str, ...]) -> list[tuple[int, Press]]:
    """The rows of the stage that can be clicked, where a campaign goes on."""
    app = TabletopApp(root)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await come(app, pilot, keys)
        assert screen.page.stage is not None
        return [(spot.row, spot.press) for spot in screen.page.stage.spots]


async def come(app: TabletopApp, pilot: Pilot[None], keys: tuple[str, ...]) -> PlayScreen:
    await opened(pilot)
    await pilot.press(*keys)
    await settled(app, pilot)
    return playing(app)


@pytest.mark.parametrize("state", STATES)
async def test_every_row_of_the_stage_does_on_a_click_what_its_command_does(tmp_path: Path, state: str) -> None:
    name, keys, least = STATES[state]
    root = copied(name, tmp_path / "first")
    app = TabletopApp(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await come(app, pilot, keys)
    again = ("T",) if keys[-1] == "T" else ()
    spots = await rows_of(root, again)
    assert len(spots) >= least
    for n, (row, press) in enumerate(spots):
        came = []
        for way in ("key", "click"):
            app = TabletopApp(str(shutil.copytree(root, tmp_path / f"{n} {way}")))
            async with app.run_test(size=(80, 24)) as pilot:
                screen = await come(app, pilot, again)
                stage = screen.page.stage
                assert stage is not None
                before = stands(screen)
                if way == "key":
                    await screen.run_id(press.id)
                else:
                    await pilot.click(stage, offset=(3, row))
                await settled(app, pilot)
                came.append(stands(screen))
                assert came[-1] != before, f"{press.id} does something"
        assert came[0] == came[1]


async def test_counters_open_on_a_click_and_move_on_another(tmp_path: Path) -> None:
    app = TabletopApp(copied("ember-road", tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await come(app, pilot, ("T",))
        await pilot.click(screen.meters, offset=(30, 0))
        line = drawn(app).splitlines()[1]
        assert "1 The pass closes 0/6" in line
        await pilot.click(screen.meters, offset=(line.index("1 The pass") + 4, 0))
        await settled(app, pilot)
        assert next(clock.filled for clock in screen.game.world.now.clocks.values()) == 1


async def test_the_wheel_moves_as_the_arrows_do(tmp_path: Path) -> None:
    app = TabletopApp(copied("ember-road", tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await come(app, pilot, ("T",))
        page = screen.page
        assert isinstance(page, TablePage)
        place = (10, 10, 0, 1, 0, False, False, False)
        at = page.cursor
        page.roster.post_message(MouseScrollDown(page.roster, *place))
        await pilot.pause()
        assert page.cursor == at + 1
        page.roster.post_message(MouseScrollUp(page.roster, *place))
        await pilot.pause()
        assert page.cursor == at
        await pilot.press("space")
        first = drawn(app)
        for _ in range(20):
            page.ask_panel.post_message(MouseScrollDown(page.ask_panel, *place))
        await pilot.pause()
        assert drawn(app) != first
