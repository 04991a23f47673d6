"""A key that is drawn anywhere works: whatever stands in bold accent reaches a command, with the user's keys, too.

Accent as text means "press this". So every piece of a page in that tone is looked for in the list of commands that
bars, help and clicks read; then every command of the page gets another key, and no old one may be left on the screen.
What can be clicked is looked for in the same list.
"""

from __future__ import annotations

import re
from pathlib import Path

import level
import pytest
from rich.color import Color
from textual.app import App
from textual.pilot import Pilot
from walking import LOGS, PLAYERS, at_place, empty, named, put_up, states, take_down

from tabletop_tui.session import Replay
from tabletop_tui.storage.log import LogFile, open_log
from tabletop_tui.ui.commands import UserKeys, faced
from tabletop_tui.ui.game import Game
from tabletop_tui.ui.panels.panel import Panel
from tabletop_tui.ui.screens.play import PlayScreen

SIGNS = set("▸▶▲▎›●✓★━┃┏┓┗┛") | {"~"}
"""What is drawn in accent and is no key: cursors, whose turn it is, the bar beside what is read aloud."""
FREE = [chr(n) for n in range(0x0400, 0x0480)]
"""Keys that nothing has."""


def accented(app: App[None], rows: range) -> list[str]:
    """Pieces of some rows that are drawn in bold accent, in their order."""
    accent = Color.parse(app.theme_variables["tone-accent"]).get_truecolor()
    found = []
    for strip in app.screen._compositor.render_strips(app.screen.size)[rows.start : rows.stop]:
        for segment in strip:
            style = segment.style
            if style and style.bold and style.color and style.color.get_truecolor() == accent:
                found += [segment.text.strip()] if segment.text.strip() else []
    return found


def keys_in(piece: str) -> list[str]:
    """The keys that a piece names: 2↵ is two of them; a number of rows beyond is none."""
    if re.fullmatch(r"[▴▾] \d+ more.*", piece) or set(piece) <= SIGNS:
        return []
    return ["enter" if piece == "↵" else piece.removesuffix("↵"), *(["enter"] if piece.endswith("↵") else [])]


def pages_rows(screen: PlayScreen) -> range:
    """The rows of the page: above are the tabs, below the band and the footer, which have a test of their own."""
    region = screen.query_one("#body").region
    return range(region.y, region.bottom)


async def walk(pilot: Pilot[None], screen: PlayScreen, where: tuple[object, ...]) -> None:
    """What is drawn now works now."""
    for panel in screen.query_one("#body").query(Panel):
        for spot in panel.spots if panel.region else ():
            assert screen.deck.find(spot.press.id), (where, type(panel).__name__, spot)
    reached = {faced(key) for item in screen.deck.items if not item.closed for key in item.keys}
    for piece in accented(pilot.app, pages_rows(screen)):
        for key in keys_in(piece):
            assert key in reached, (where, piece, sorted(reached))


def of_ones_own(screen: PlayScreen) -> dict[str, str]:
    """The ids of everything that the page, the game or a prompt offers now."""
    return {i.id: "" for i in screen.deck.items if i.keys and i.layer not in ("screen", "prepare")}


def game_of(log: LogFile, place: int, way: str) -> Game:
    """A table as it stood there: the GM's, a player's, or watched again."""
    if way != "replay":
        return at_place(log, place, PLAYERS[log.path.parents[1].name] if way == "seat" else "")
    table = Replay(log.codec.engine, log.header, log.entries)
    table.seek(place)
    return Game(table, "walk")


@pytest.mark.parametrize("way", ["gm", "seat", "replay"])
@pytest.mark.parametrize("path", LOGS, ids=named)
async def test_every_key_that_is_drawn_works(
    path: Path, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, turn = open_log(path), LOGS.index(path)
    sizes = level.some([(60, 20), (80, 24), (100, 30), (140, 45)], 1, 2, turn + len(way))
    for size in sizes:
        async with empty(tmp_path, monkeypatch, size) as pilot:
            for place in level.some(states(log), 2, 4, turn):
                ids: dict[str, str] = {}
                for own in (False, True):
                    monkeypatch.setattr(UserKeys, "by_id", dict(zip(ids, FREE, strict=False)))
                    screen = await put_up(pilot, game_of(log, place, way))
                    for page in screen.names:
                        await screen.show_page(page)
                        await pilot.pause()
                        await walk(pilot, screen, (size, place, page, own))
                        ids |= of_ones_own(screen) if not own else {}
                    await take_down(pilot, screen)
