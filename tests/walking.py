"""Walking over every page of every sample: states of recorded evenings that differ, and a screen put up in each."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from tabletop_tui.rules import KINDS, Engine
from tabletop_tui.session import Table
from tabletop_tui.storage.log import LogFile
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.game import Game
from tabletop_tui.ui.screens.play import PlayScreen

ROOT = Path(__file__).parents[1]
LOGS = sorted(ROOT.glob("campaigns/*/played/*.jsonl"))
PLAYERS = {"ember-road": "Ana", "cinder-pass": "Iris", "abbey-of-lynn": "Cleo", "fen-lanterns": "Caro"}
PLAYERS |= {"salt-road": "Dora", "lamplighters": "Mona", "broken-causeway": "Sam"}


def shape(engine: Engine, world: Any) -> Iterator[tuple[object, ...]]:
    """What makes a state different from another one, as far as keys go."""
    for kind in KINDS[:3]:
        view = engine.view(kind, world)
        prompt = getattr(view, "prompt", None)
        asks = tuple((o.key, type(o.action), bool(o.closed)) for o in prompt.options) if prompt else None
        yield kind, bool(getattr(view, "title", "")), bool(getattr(view, "outcome", None)), asks


def states(log: LogFile) -> list[int]:
    """Entries after which the table is in a state of another kind than after all before them."""
    worlds = Table(log.codec.engine, log.header, log.entries).timeline.worlds
    first: dict[tuple[object, ...], int] = {}
    for place, world in enumerate(worlds):
        first.setdefault(tuple(shape(log.codec.engine, world)), place)
    return list(first.values())


def at_place(log: LogFile, place: int, seat: str = "") -> Game:
    game = Game(Table(log.codec.engine, log.header, log.entries[:place], seat=seat), "walk")
    game.log_path = log.path
    return game


@asynccontextmanager
async def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> AsyncIterator[Pilot[None]]:
    monkeypatch.chdir(tmp_path)
    app = TabletopApp()
    async with app.run_test(size=size) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        yield pilot


async def put_up(pilot: Pilot[None], game: Game, page: str = "") -> PlayScreen:
    app = pilot.app
    assert isinstance(app, TabletopApp)
    screen = await app.open_game(game)
    if page:
        await screen.show_page(page)
    with suppress(WorkerCancelled):  # of the page before
        await app.workers.wait_for_complete()
    await pilot.pause()
    screen.draw_bars()
    await pilot.pause()
    return screen


async def take_down(pilot: Pilot[None], screen: PlayScreen) -> None:
    app = pilot.app
    assert isinstance(app, TabletopApp)
    for above in reversed(app.screen_stack[2:]):
        if above is not screen and app.screen is above:
            await app.pop_screen()
    if app.screen is screen:
        await app.pop_screen()
    while app.games:
        app.games.pop().close()


def named(value: Path | str) -> str:
    return value if isinstance(value, str) else f"{value.parents[1].name}-{value.stem}"
