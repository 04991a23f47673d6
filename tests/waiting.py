"""Waiting for the app in tests: for what it says it has done, never for a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.app import App
from textual.pilot import Pilot

from tabletop_tui.rules import tag_of
from tabletop_tui.ui.pages.view_page import ViewPage
from tabletop_tui.ui.screens.play import PlayScreen


def drawn(app: App[None]) -> str:
    """What stands on the screen, row by row."""
    strips = app.screen._compositor.render_strips(app.screen.size)
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


def told(app: App[None]) -> str:
    """What stands where the log does, or above it, as one line of words."""
    left = playing(app).page.log_panel.region.x
    return " ".join(" ".join(row[left:] for row in drawn(app).splitlines()).split())


def looks(app: App[None]) -> list[list[tuple[str, str]]]:
    """The same with how each piece is drawn: a cursor may be an underline and nothing else."""
    strips = app.screen._compositor.render_strips(app.screen.size)
    return [[(segment.text, str(segment.style)) for segment in strip] for strip in strips]


def playing(app: App[None]) -> PlayScreen:
    """The table that is open."""
    assert isinstance(app.screen, PlayScreen)
    return app.screen


def done(app: App[None]) -> list[str]:
    """The words of everything that was done at it."""
    return [tag_of(type(e.action)) for e in playing(app).game.table.timeline.entries]


async def settled(app: App[None], pilot: Pilot[None]) -> None:
    """All chances have come."""
    await app.workers.wait_for_complete()
    await pilot.pause()


def view_of(screen: PlayScreen) -> Any:
    """What the page in front is shown."""
    assert isinstance(screen.page, ViewPage)
    return screen.page.view


async def until(pilot: Pilot[None], done: Callable[[], object], what: str) -> None:
    """Let the app go on until something is so, and is drawn."""
    for _ in range(2_000):
        if done():
            await pilot.pause()
            return
        await pilot.pause(0.01)
    raise AssertionError(f"it never came to {what}:\n{drawn(pilot.app)}")


async def press_until(pilot: Pilot[None], key: str, done: Callable[[], object], what: str) -> None:
    """Press a key until something is so."""
    for _ in range(100):
        if done():
            return
        await pilot.press(key)
    raise AssertionError(f"{key} never came to {what}:\n{drawn(pilot.app)}")


async def opened(pilot: Pilot[None]) -> PlayScreen:
    """The campaign is open and drawn."""

    def play() -> PlayScreen | None:
        screen = pilot.app.screen
        return screen if isinstance(screen, PlayScreen) and screen.deck.layers else None

    await until(pilot, play, "an open campaign")
    await pilot.pause()
    screen = play()
    assert screen is not None
    return screen
