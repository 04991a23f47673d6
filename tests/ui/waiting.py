"""Waiting for the app in tests: for what it says it has done, never for a time."""

from __future__ import annotations

from textual.pilot import Pilot

from tabletop_tui.ui.play import PlayScreen


async def opened(pilot: Pilot[None]) -> PlayScreen:
    """The campaign is open and drawn."""
    for _ in range(2_000):
        if isinstance(pilot.app.screen, PlayScreen) and pilot.app.screen.page.view is not None:
            await pilot.pause()
            return pilot.app.screen
        await pilot.pause(0.01)
    raise AssertionError("the campaign was not opened")
