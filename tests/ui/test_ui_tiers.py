"""Tiers of Power on the screen: forced spends, challenges that are open, progress."""

from __future__ import annotations

from pathlib import Path

from playing import actions, read
from waiting import drawn, opened, settled

from tabletop_tui.session import Change
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.ui.app import TabletopApp


async def test_a_forced_spend_of_5_asks_whom_it_strikes_and_how(campaign: Path) -> None:
    desk = OpenCampaign(campaign)
    desk.table.edited([Change(("now", "complications"), None, 12), Change(("now", "due"), None, 5)])
    desk.close()
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("enter", "3", *"a fall", "enter")
    table = read(campaign)
    assert actions(table) == ["edited", "strike"]
    assert (table.world.now.complications, table.world.now.due) == (7, 0)
    assert [c.what for c in table.world.now.people["rook"].consequences.values()] == ["a fall"]


async def test_an_open_challenge_is_put_away_only_when_it_is_meant(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("C", "3", "x", "enter")
        assert read(campaign).world.now.challenge is not None
        await pilot.press("x", "y")
    table = read(campaign)
    assert actions(table) == ["open", "close"]
    assert table.timeline.entries[-1].said[0].endswith("is dropped")


async def test_a_level_is_gained_on_the_table_and_stands_in_the_sheet(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("space", *"gain a level", "enter", "3", "2", "enter")
    assert "level" in actions(read(campaign))
    assert "beta = 1" in (campaign / "characters" / "rook.toml").read_text()


async def test_a_skill_for_turns_that_nobody_has_is_said_before_the_roll(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("i", "7", "tab", "1")
        await settled(app, pilot)
        assert "nobody who takes part has Climbing" in drawn(app)
        assert "failed" not in drawn(app)
