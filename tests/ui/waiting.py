"""Waiting for the app in tests: for what it says it has done, never for a time."""

from __future__ import annotations

from textual.pilot import Pilot

from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.screens.play import PlayScreen


def drawn(app: TabletopApp) -> str:
    """What stands on the screen, row by row."""
    strips = app.screen._compositor.render_strips(app.screen.size)
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


async def opened(pilot: Pilot[None]) -> PlayScreen:
    """The campaign is open and drawn."""
    for _ in range(2_000):
        if isinstance(pilot.app.screen, PlayScreen) and pilot.app.screen.deck.layers:
            await pilot.pause()
            return pilot.app.screen
        await pilot.pause(0.01)
    raise AssertionError("the campaign was not opened")
