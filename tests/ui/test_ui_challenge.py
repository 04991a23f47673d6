"""A challenge from opening to outcome, by keyboard and by mouse."""

from __future__ import annotations

import shutil
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from playing import actions, read, sure
from ptys import Terminal
from textual.pilot import Pilot
from waiting import drawn, opened, playing

from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.engines.tiers.challenge_roll import Reroll
from tabletop_tui.rules import tag_of
from tabletop_tui.session import verify
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.pages.challenge import ChallengePage

# open the third prepared challenge, Sefa leads with Climbing, four supporters, real dice, one reroll, let it count
OPENING = ["C", "3", "3", "2", "4", "2", "4"]
REROLLING = ["C", "3", "5", "1", "t", "5", "2", "4", "6", "3", "2", "1", "enter"]
"""Mira leads with Warding, Brother Odo assists directly (Reroll 1), and the dice are typed in."""
KEYS = [*OPENING, "t", "6", "2", "3", "5", "4", "1", "enter", "enter"]


def page(app: TabletopApp) -> ChallengePage:
    found = playing(app).page
    assert isinstance(found, ChallengePage)
    return found


async def test_a_challenge_with_four_supporters_takes_at_most_fifteen_keys(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    pressed = 0
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        for key in [*OPENING, "r"]:
            await pilot.press(key)
            pressed += 1
        while page(app).view.outcome is None or page(app).view.prompt is not None:  # rerolls, a price: the defaults
            await pilot.press("enter")
            pressed += 1
            assert pressed <= 15
    table = read(campaign)
    assert len(table.world.now.challenge.supports) == 4
    assert table.world.now.roll.stage == "done"
    assert not verify(ENGINE, table.header, table.timeline.entries).wrong


async def test_real_dice_are_typed_and_taken(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(*KEYS)
        view = page(app).view
        assert view.outcome is not None
        assert view.outcome.title == "success"
    table = read(campaign)
    assert actions(table) == ["open", "lead", "support", "support", "support", "support", "roll", "settle"]
    assert len(table.world.now.challenge.supports) == 4
    assert [f for e in table.timeline.entries for h in e.dice for f in h.faces] == [6, 2, 3, 5, 4, 1]
    assert not verify(ENGINE, table.header, table.timeline.entries).wrong


async def test_the_same_keys_as_one_burst_of_bytes_reach_the_same_state(
    campaign: Path, terminal: Callable[..., Terminal]
) -> None:
    one = terminal("play", str(campaign))
    one.sees("attack")
    one.send("".join("\r" if key == "enter" else key for key in KEYS))
    one.sees("next challenge")  # it counts; SUCCESS stands there before it does
    assert one.signal(signal.SIGTERM) == 0
    burst = read(campaign)
    assert actions(burst) == ["open", "lead", "support", "support", "support", "support", "roll", "settle"]
    slow = campaign.with_name("slow")
    shutil.copytree(campaign, slow, ignore=shutil.ignore_patterns("sessions", "now.toml"))
    app = TabletopApp(str(slow))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        for key in KEYS:
            await pilot.press(key)
    assert read(slow).world.now == burst.world.now


@asynccontextmanager
async def rerolling(campaign: Path) -> AsyncIterator[tuple[TabletopApp, Pilot[None], ChallengePage]]:
    """A challenge whose rerolls are to be chosen."""
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(*REROLLING)
        yield app, pilot, page(app)


async def test_rerolls_are_chosen_on_the_dice(campaign: Path) -> None:
    async with rerolling(campaign) as (_, pilot, screen):
        assert screen.view.prompt is not None
        assert screen.picked == {1}, "the default rerolls the 2"
        await pilot.press("right", "space")
        assert screen.picked == {2}
        await pilot.press("1")
        assert screen.picked == {0}
        await pilot.press("2", "t", "6", "4", "1", "enter")
        assert screen.view.prompt.text.startswith("Success")
        await pilot.press("enter")
        assert screen.view.outcome is not None
    faces = [f for e in read(campaign).timeline.entries for h in e.dice for f in h.faces]
    assert faces == [5, 2, 4, 6, 3, 2, 1, 6, 4, 1]


async def test_the_chances_at_the_reroll_are_of_the_dice_picked_and_of_keeping(campaign: Path) -> None:
    async with rerolling(campaign) as (app, pilot, screen):

        def hopes() -> list[float | None]:
            return [answer.hope for answer in screen.dice_part().answers[:2]]

        dice: tuple[tuple[str, tuple[int, ...]], ...] = (("2", ()), ("1", (0,)), ("3", (2,)))
        for key, picked in dice:
            await pilot.press(key)
            await app.workers.wait_for_complete()
            assert screen.picked == {*picked}
            found = screen.game.table.odds(Reroll(picked))
            kept = screen.game.table.odds(Reroll(()))
            assert found is not None
            assert kept is not None
            assert hopes() == [found.hope, kept.hope]
        assert hopes()[0] != hopes()[1], "another die has other chances"


async def test_enter_is_called_what_it_does_with_the_dice_that_are_picked(campaign: Path) -> None:
    async with rerolling(campaign) as (app, pilot, screen):

        def labels() -> tuple[str, str]:
            found = next(i for i in playing(app).deck.items if "enter" in i.keys)
            return found.label, screen.dice_part().answers[0].label

        assert labels() == ("reroll and go on",) * 2
        await pilot.press("2")
        assert labels() == ("go on with no die picked",) * 2
        await pilot.press("3")
        assert labels() == ("go on with 1 die picked",) * 2
        await pilot.press("2")
        assert labels() == ("reroll and go on",) * 2


async def test_a_closed_support_says_why_and_changes_nothing(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("C", "3", "5", "3")
        assert "time-sensitive" in playing(app).message
        await pilot.press("r")
        assert playing(app).message == ""


async def test_chances_and_what_each_supporter_would_change_are_on_the_screen(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await pilot.press("C", "3", "5")
        await app.workers.wait_for_complete()
        await pilot.pause()
        found = page(app).outlook
        assert found.odds is not None
        assert abs(sum(c.chance for c in found.odds.groups[0].chances) - 1) < 1e-9
        open_cells = {
            (r, c)
            for r, row in enumerate(sure(page(app).view.support).rows)
            for c, o in enumerate(row.cells)
            if not o.closed
        }
        assert set(found.cells) == open_cells
        assert found.extras, "what the Bonus Die would change"


async def test_the_mouse_chooses_a_support_too(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("C", "3", "5")
        matrix = page(app).matrix
        await pilot.click(matrix, offset=(matrix.names + matrix.column + 2, 2))
        await pilot.pause()
    assert actions(read(campaign)) == ["open", "lead", "support"]


async def test_a_new_challenge_is_made_in_a_form(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("C", "n", *"A wall", "enter", "2", *"3")
        assert playing(app).host.asked is not None
        await pilot.press("enter")
        assert page(app).view.title == "A wall"
    plan = read(campaign).world.now.challenge.plan
    assert (plan.tier, plan.dice) == ("beta", 3)


async def test_coming_back_resumes_at_the_same_prompt_with_the_same_dice(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("C", "3", "5", "1", "r")
        before = page(app).view
        assert before.prompt is not None
    again = TabletopApp(str(campaign))
    async with again.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        assert page(again).view == before


async def test_a_hidden_challenge_shows_a_player_neither_pool_nor_odds(campaign: Path) -> None:
    desk = OpenCampaign(campaign)
    kinds = {tag_of(k): k for k in ENGINE.actions}
    desk.table.do(kinds["open"]("the-gate/captain"))
    desk.table.do(kinds["lead"]("mira", "Lore"))
    desk.close()
    app = TabletopApp(str(campaign), seat="Ana")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await app.workers.wait_for_complete()
        assert page(app).outlook.odds is None
        drawn = app.export_screenshot()
    assert "charlie" not in drawn
    assert "paid" not in drawn.replace("who&#160;paid&#160;him", ""), "the scene's secret"


async def test_support_with_a_named_skill_takes_two_keys(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("C", "3", "5", "s")
        assert "helps with what?" in drawn(app)
        await pilot.press("2")
    challenge = read(campaign).world.now.challenge
    assert [(s.how, s.skill) for s in challenge.supports.values()] == [("indirect", "Healing")]
