"""The contest page: who has how many rows, what Enter takes, and where the cursor goes."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from waiting import opened, playing

from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.pages.contest import ContestPage
from tabletop_tui.ui.panels.panel import Panel

LEDGER = ("D", "2")
"""To the contest page; the almoner's ledger."""
STILL_WATER = ("S", "enter", "1")


@pytest.fixture
def lanterns(abbey: Path) -> Path:
    target = abbey.with_name("fen-lanterns")
    sample = Path(__file__).parents[2] / "campaigns" / target.name
    shutil.copytree(sample, target, ignore=shutil.ignore_patterns("sessions", "now.toml"))
    return target


def contest(app: TabletopApp) -> ContestPage:
    page = playing(app).page
    assert isinstance(page, ContestPage)
    return page


def rows(panel: Panel[Any]) -> list[str]:
    return [panel.render_line(y).text.rstrip() for y in range(panel.size.height)] if panel.display else []


def text(*panels: Panel[Any]) -> str:
    return "\n".join(row for panel in panels for row in rows(panel))


async def settled(app: TabletopApp, pilot: Pilot[None]) -> ContestPage:
    """Once the chances have come."""
    await pilot.pause()
    await app.workers.wait_for_complete()
    await pilot.pause()
    return contest(app)


# ---- rows


async def test_once_the_dice_have_fallen_the_stakes_are_whole_and_the_log_tells_the_result(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(*LEDGER, "3", "t", *"111111", *"5555555", "enter")
        page = await settled(app, pilot)
        assert not page.bidding.display, "there are no chances any more"
        told = " ".join(text(page.stage).split())
        assert "Prior Hugh gets: her silence until the visitation. Joan loses: her welcome in the house" in told
        assert "Prior Hugh wins by 7" in text(page.log_panel)


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 45)])
async def test_rows_that_no_party_needs_are_the_logs_or_the_sheets(lanterns: Path, size: tuple[int, int]) -> None:
    app = TabletopApp(str(lanterns))
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        for keys in (STILL_WATER, ("r",)):
            await pilot.press(*keys)
            page = await settled(app, pilot)
            for panel in (page.parties, page.stage):
                assert all(rows(panel)), "no empty row"
            assert sum(not row for row in rows(page.bidding)) <= 1
            assert page.log_panel.display or len(rows(page.cards)) > 9
            assert not page.log_panel.display or "dodge/notice. At stake" in text(page.log_panel)


async def test_moving_the_cursor_moves_no_panel(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(*LEDGER)
        page = await settled(app, pilot)
        before = [panel.region for panel in (page.parties, page.bidding, page.log_panel)]
        await pilot.press("tab")
        await settled(app, pilot)
        assert [panel.region for panel in (page.parties, page.bidding, page.log_panel)] == before


# ---- what Enter takes


async def test_enter_takes_the_best_skill_and_a_stray_one_rolls_nothing(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(*LEDGER)
        page = await settled(app, pilot)
        assert "What does Joan argue with? ━━" in text(page.bidding), "the rule is heavy where the question is"
        assert "━" not in text(page.parties)
        assert "enter Social 3 + Letters 3: 6 base, 30 %" in text(playing(app).band)
        await pilot.press("enter")
        assert page.game.world.now.contest.parties["joan"].using == "Letters"
        await settled(app, pilot)
        assert "Ready to roll    r roll" in text(playing(app).band)
        await pilot.press("enter")
        assert not page.game.world.now.contest.rolled
        await pilot.press("r")
        assert page.game.world.now.contest.rolled


async def test_enter_takes_the_best_before_any_chance_has_come(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(*LEDGER, "enter")
        assert contest(app).game.world.now.contest.parties["joan"].using == "Letters"


async def test_enter_chooses_for_who_has_to_choose_wherever_the_cursor_is(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(*LEDGER, "tab")
        page = await settled(app, pilot)
        assert "Prior Hugh could add ──" in text(page.bidding)
        assert "What does Joan argue with?" in text(playing(app).band)
        await pilot.press("enter")
        assert page.game.world.now.contest.parties["joan"].using == "Letters"


async def test_a_skill_of_an_earlier_round_is_not_the_best_any_more(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(*LEDGER, "enter", "t", *"111111", *"5555555", "enter", "enter", "enter")
        assert contest(app).game.world.now.contest.parties["joan"].using == "Mental"


async def test_why_there_are_no_chances_is_wrapped_and_not_cut(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(60, 20)) as pilot:
        await opened(pilot)
        await pilot.press(*LEDGER, "tab")
        page = await settled(app, pilot)
        left = " ".join(row[:26].strip() for row in rows(page.bidding)[1:])
        assert "Joan has not chosen a skill" in left


# ---- the cursor


async def test_a_cursor_stands_only_where_it_can_be_moved(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(*LEDGER, "enter")
        page = await settled(app, pilot)
        assert "▸Joan · wants" in text(page.parties), "one line alone: the cursor is on the party"
        await pilot.press("right")
        assert "▸~ Composure" in text(page.parties)
        await pilot.press("down")
        assert "▸~ Composure" not in text(page.parties)
        assert text(page.parties).count("▸") == 1


async def test_up_and_down_go_through_the_aggressor_and_every_defender(lanterns: Path) -> None:
    app = TabletopApp(str(lanterns))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(*STILL_WATER)
        page = await settled(app, pilot)
        seen = []
        for _ in range(5):
            seen.append(page.active.name if page.active else "")
            assert text(page.parties).count("▸") == 1
            await pilot.press("down")
        assert seen == ["Mire thief", "Wren Tallow", "Teal", "Sedge", "Mire thief"]
