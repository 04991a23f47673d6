"""A page that comes back to the front looks as it did, whatever was in front meanwhile."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playing import samples
from textual.pilot import Pilot
from waiting import drawn, opened

from tabletop_tui.cli import main
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.screens.play import PlayScreen

SIZES = ((110, 30), *(pytest.param(size, marks=pytest.mark.long) for size in ((80, 24), (140, 45))))
FIGHT = {"ember-road": "begin who=mira,rook,sefa,reaver,ogre", "cinder-pass": "begin first=heroes"}


@pytest.fixture(params=samples(), ids=lambda root: root.name)
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    sample: Path = request.param
    target = tmp_path / sample.name
    shutil.copytree(sample, target, ignore=shutil.ignore_patterns("sessions", "now.toml"))
    if words := FIGHT.get(target.name, ""):
        assert main(["act", str(target), *words.split()]) == 0
    return target


async def looked_at(pilot: Pilot[None], screen: PlayScreen, name: str) -> str:
    """A page when all has come that it waits for: it looks the same for a while."""
    await screen.choose_page(name)
    shown = [""]
    for _ in range(500):
        await pilot.pause(0.02)
        shown.append(drawn(pilot.app))
        busy = any(not worker.is_finished for worker in pilot.app.workers)
        if not busy and len(set(shown[-5:])) == 1:
            break
    return shown[-1]


@pytest.mark.parametrize("size", SIZES)
async def test_each_page_looks_as_before(root: Path, size: tuple[int, int]) -> None:
    async with TabletopApp(str(root)).run_test(size=size) as pilot:
        screen = await opened(pilot)
        for name in screen.names:
            before = await looked_at(pilot, screen, name)
            for other in screen.names:
                await looked_at(pilot, screen, other)
            assert await looked_at(pilot, screen, name) == before, name


@pytest.mark.parametrize("size", SIZES)
async def test_another_size_meanwhile_is_as_if_it_had_been_so(root: Path, size: tuple[int, int]) -> None:
    async with TabletopApp(str(root)).run_test(size=size) as pilot:
        screen = await opened(pilot)
        at_once = {name: await looked_at(pilot, screen, name) for name in screen.names}
    async with TabletopApp(str(root)).run_test(size=(100, 28)) as pilot:
        screen = await opened(pilot)
        for name in screen.names:
            await looked_at(pilot, screen, name)
        other = screen.front
        await pilot.resize_terminal(*size)
        for name in screen.names:
            if name != other:
                assert await looked_at(pilot, screen, name) == at_once[name], name
