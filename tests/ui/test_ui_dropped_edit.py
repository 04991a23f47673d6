"""An edit that cannot count is named with its line, and can be dropped from the screen."""

from __future__ import annotations

from pathlib import Path

from waiting import opened

from tabletop_tui.ui.app import TabletopApp


async def test_an_edit_that_cannot_count_is_dropped_from_the_screen(campaign: Path) -> None:
    async with TabletopApp(str(campaign)).run_test(size=(100, 30)) as pilot:
        screen = await opened(pilot)
        now = campaign / "now.toml"
        before = now.read_text()
        assert "hp = 80" in before
        now.write_text(before.replace("hp = 80", "hp = -3", 1))
        await screen.look_now()
        await pilot.pause()
        assert screen.files.refused
        assert "now.toml:" in screen.files.refused[0]
        await pilot.press("X", "enter")
        for _ in range(2_000):
            if not screen.files.refused:
                break
            await pilot.pause(0.01)
        assert not screen.files.refused
        assert now.read_text() == before
        assert "hp = -3" in (campaign / "now.toml.bak").read_text()
