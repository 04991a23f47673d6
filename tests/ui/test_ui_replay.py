"""Replay in the real screens, and what-ifs from any entry."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from waiting import drawn, opened, playing, told, until

from tabletop_tui.engines.no1 import ENGINE
from tabletop_tui.engines.no1.encounter import Begin
from tabletop_tui.engines.no1.initiative import Next
from tabletop_tui.engines.no1.roll import Act, LetGo
from tabletop_tui.rules import TableView
from tabletop_tui.session import Replay, Table, Timeline, verify
from tabletop_tui.session.scenes import enter, scene_rows
from tabletop_tui.storage.log import open_log, played, sessions
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.modes.replay import LONGEST, SPEEDS, Playback
from tabletop_tui.ui.pages.log import LogPage
from tabletop_tui.ui.panels.panel import Panel
from tabletop_tui.ui.screens.play import PlayScreen

SAMPLE = Path(__file__).parents[2] / "campaigns" / "cinder-pass"


@pytest.fixture(autouse=True)
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """A short session: two turns, a seizure, an undo, a named moment and a second scene."""
    target = tmp_path / "cinder-pass"
    shutil.copytree(SAMPLE, target, ignore=shutil.ignore_patterns("sessions", "now.toml", "played"))
    desk = OpenCampaign(target)
    table = desk.table
    table.do(Begin("1-the-ash-bridge"), (4, 4, 1, 4, 1, 1), roll=False)
    table.do(Next("tam"))
    table.do(Act("tam", "Climb"), (5, 5, 5, 3, 3), roll=False)
    table.do(Next("oda"))
    table.undo()
    table.name("before the bridge")
    table.do(Next("brann"))
    table.do(Act("brann", "Strike", "the nearest runner"), (1, 1, 1, 2, 2), roll=False)
    table.do(LetGo())
    desk.publish()
    desk.close()
    return target


def log_of(campaign: Path) -> Path:
    return sessions(campaign)[-1]


def watching(campaign: Path) -> TabletopApp:
    app = TabletopApp()
    app.log_path = str(log_of(campaign))
    return app


def replay(play: PlayScreen) -> Replay:
    assert isinstance(play.game.table, Replay)
    return play.game.table


def text(play: PlayScreen) -> str:
    bar = [play.mode.bar] if isinstance(play.mode.bar, Panel) else []
    panels: list[Panel[Any]] = [play.top, play.footer, play.band, play.page.log_panel, *bar]
    return "\n".join(panel.render_line(y).text for panel in panels for y in range(panel.size.height))


async def test_a_replay_reminds_nobody_of_an_hour_that_is_over() -> None:
    app = TabletopApp()
    app.log_path = str(played(SAMPLE.parent / "ember-road")[0])
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        view = play.game.view("table")
        assert isinstance(view, TableView)
        assert not view.reminders
        assert not view.later


async def test_a_replay_knows_nothing_of_what_came_later(campaign: Path) -> None:
    desk = OpenCampaign(campaign)
    if (second := enter(desk.table, "2-the-bell-furnace")) is not None:
        desk.table.do(second)
    desk.publish()
    desk.close()
    app = watching(campaign)
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        assert play.game.title == "Cinder Pass", "not the name of its folder"
        seen = []
        for place in (0, 1, replay(play).length):
            replay(play).seek(place)
            seen.append([(row.state, row.left) for row in scene_rows(replay(play))])
        assert seen == [[("", 1), ("", 1)], [("here", 0), ("", 1)], [("been", 0), ("here", 1)]]


@pytest.mark.parametrize("every", [False, True])
async def test_stepping_both_ways_shows_every_state_as_it_was(campaign: Path, every: bool) -> None:
    file = open_log(log_of(campaign))
    app = watching(campaign)
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        table = replay(play)
        assert table.place == 0
        await pilot.press(*(["a"] if every else []))
        assert table.length == (9 if every else 7)
        for way in ("right", "left"):
            for _ in range(table.length):
                await pilot.press(way)
                direct = Timeline(ENGINE, file.header)
                direct.extend(file.entries[: table.last])
                assert play.game.world == direct.world
                assert f"{table.place}/{table.length}" in text(play)
        assert table.place == 0
    assert "REPLAY" in play.mode.badge


async def test_it_says_that_it_is_a_replay_and_nothing_can_be_done(campaign: Path) -> None:
    before = {p: p.read_bytes() for p in campaign.rglob("*") if p.is_file()}
    app = watching(campaign)
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("right", "right")
        place = replay(play).place
        for key in ("enter", "a", "u", "ctrl+r", "1", "2", "r", "t", "m", "b", "d", "x", "k", "v", "e", "s"):
            await pilot.press(key)
            assert play.host.asked is None, key
            assert replay(play).place == place, key
        assert "REPLAY, read-only" in text(play)
        await pilot.press("T", "C", "D", "S", "a", "c", "e", "x", "H", "m", "w", "u", "T")
        assert play.host.asked is None
    assert {p: p.read_bytes() for p in campaign.rglob("*") if p.is_file()} == before


async def test_what_was_undone_is_stepped_over_until_it_is_asked_for(campaign: Path) -> None:
    app = watching(campaign)
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        table = replay(play)
        await pilot.press(*["right"] * 4)
        assert (table.place, table.last) == (4, 6)
        assert not any("Undone" in line or "Oda" in line for step in table.history() for line in step.said)
        await pilot.press("a")
        assert (table.place, table.last, table.length) == (6, 6, 9)
        await pilot.press("left")
        assert any("Undone" in line for step in table.history() for line in step.said)
        await pilot.press("a")
        assert (table.place, table.last) == (3, 3)


async def test_jumps_to_the_next_roll_scene_seizure_outcome_and_moment(campaign: Path) -> None:
    app = watching(campaign)
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        found = {}
        for mark in ("roll", "scene", "seizure", "outcome", "moment"):
            await pilot.press("home")
            places = []
            for _ in range(20):
                before = replay(play).place
                await pilot.press("]")
                if replay(play).place == before:
                    break
                places.append(replay(play).place)
            assert isinstance(play.mode, Playback)
            assert play.mode.mark == mark
            found[mark] = places
            await pilot.press("j")
        assert found == {"roll": [1, 3, 6], "scene": [1], "seizure": [7], "outcome": [1, 3, 7], "moment": [4]}
        await pilot.press("end", "[", "[")
        assert replay(play).place == 3  # back over the rolls


async def test_search_finds_words_and_says_when_there_are_none(campaign: Path) -> None:
    app = watching(campaign)
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("/", *"nearest", "enter")
        assert replay(play).place == 6
        await pilot.press("/", "ctrl+u", *"BRIDGE", "enter")
        first = replay(play).place
        await pilot.press("n")
        assert {first, replay(play).place} == {1, 4}
        await pilot.press("/", "ctrl+u", *"dragon", "enter")
        assert "is nowhere" in play.message


async def test_it_plays_by_itself_faster_and_slower_with_long_pauses_shortened(campaign: Path) -> None:
    app = watching(campaign)
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        back = play.mode
        assert isinstance(back, Playback)
        assert back.pause() <= LONGEST
        for _ in SPEEDS:
            await pilot.press("+")
        assert back.speed == 16
        await pilot.press("space")
        for _ in range(1000):
            if not back.playing:
                break
            await asyncio.sleep(0.02)
        assert replay(play).place == replay(play).length
        for _ in SPEEDS:
            await pilot.press("-")
        assert back.speed == 0.5
        await pilot.press("space")
        assert back.playing
        await pilot.press("space")
        assert not back.playing


async def test_the_page_follows_the_action_until_somebody_chooses_one(campaign: Path) -> None:
    app = watching(campaign)
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("D")
        assert play.front == "contest"
        await pilot.press("right")
        assert play.front == "contest"


async def test_the_history_jumps_and_a_click_on_the_line_seeks(campaign: Path) -> None:
    app = watching(campaign)
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("H", "down", "down", "down", "enter")
        assert replay(play).place == 4
        assert isinstance(play.mode, Playback)
        bar = play.mode.line
        await pilot.click(bar, offset=(max(spot.first for spot in bar.spots), 0))
        assert replay(play).place == replay(play).length


async def what_if(pilot: Pilot[None]) -> PlayScreen:
    await pilot.press("f")
    return await opened(pilot)


async def test_a_what_if_is_marked_compared_and_thrown_away(campaign: Path, tmp_path: Path) -> None:
    before = {p: p.read_bytes() for p in campaign.rglob("*") if p.is_file()}
    app = watching(campaign)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(*["right"] * 5)
        play = await what_if(pilot)
        assert play.game.scratch is not None
        assert re.search(r"WHAT IF, from \d\d:\d\d", text(play)), "when it was, as the log says it"
        await pilot.press("t", *"555", "3", "3", "enter")  # this time Brann keeps the Initiative
        assert play.game.world.now.turns.holder == "heroes"
        for page in ("T", "D", "S", "H"):
            await pilot.press(page)
            assert "WHAT IF" in text(play)
        await pilot.press("=")
        rows = "\n".join(play.page.ask_panel.render_line(y).text for y in range(play.page.ask_panel.size.height))
        assert re.search(r"1 step on: the table at \d\d:\d\d → here", rows)
        assert "= compare" not in text(play), "it is being compared"
        assert "Momentum" in rows
        assert "1 → 2" in rows
        assert "turns holder" not in rows
        await pilot.press("escape", "q", "2")
        await pilot.pause()
        assert isinstance(app.screen, PlayScreen)
        assert isinstance(app.screen.game.table, Replay)  # back at the replay
    assert not list((tmp_path / "data" / "tabletop" / "what-if").glob("*.jsonl"))
    assert {p: p.read_bytes() for p in campaign.rglob("*") if p.is_file()} == before


async def test_a_what_if_that_cannot_be_kept_says_why_and_goes_on_until_it_can(campaign: Path) -> None:
    blocked = campaign / "played"
    shutil.rmtree(blocked, ignore_errors=True)
    blocked.write_text("a file where the folder should be")
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("H", "up", "up", "w")
        await opened(pilot)
        await pilot.press("t", *"555", "3", "3", "enter")
        await until(pilot, lambda: playing(app).game.table.timeline.last == 1, "a roll in it")
        await pilot.press("q", "1")
        await until(pilot, lambda: "It goes on. Mend that, then leave it again." in told(app), "the reason in full")
        scratch = playing(app)
        await pilot.press("u")
        await until(pilot, lambda: scratch.game.table.timeline.last == 2, "an undo in it")
        blocked.unlink()
        await pilot.press("q", "1")
        await until(pilot, lambda: app.screen is play, "the real table")
    assert len(played(campaign)) == 1


async def test_a_what_if_is_compared_with_the_real_table_as_many_steps_on(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("H", "up", "up", "up", "w")
        play = await opened(pilot)
        await pilot.press("=")
        assert "nothing was played here yet" in drawn(app)
        assert play.game.scratch is not None


async def test_a_what_if_from_the_history_is_kept_as_a_log_and_the_campaign_goes_on_as_it_was(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        real = play.game.table.timeline.last
        await pilot.press("H", "up", "up", "w")
        await pilot.pause()
        scratch = app.screen
        assert isinstance(scratch, PlayScreen)
        assert scratch.game.scratch is not None
        assert scratch.game.scratch.at == 7
        await pilot.press("t", *"555", "3", "3", "enter", "u", "ctrl+r", "q", "1")
        await pilot.pause()
        assert app.screen is play
        assert play.game.table.timeline.last == real
    (kept,) = played(campaign)
    file = open_log(kept)
    assert file.header.session.startswith("what if, from entry 7")
    verdict = verify(ENGINE, file.header, file.entries)
    assert not verdict.wrong
    assert verdict.entries == 3
    desk = OpenCampaign(campaign)
    assert desk.table.timeline.last == real
    desk.close()


def lines_of(play: PlayScreen) -> str:
    """What is asked, on the screen."""
    panel = play.page.ask_panel
    return "\n".join(panel.render_line(y).text for y in range(panel.size.height))


@pytest.mark.parametrize("where", ["replay", "log"])
async def test_a_session_is_exported_from_the_app(campaign: Path, tmp_path: Path, where: str) -> None:
    app = watching(campaign) if where == "replay" else TabletopApp(str(campaign))
    target = tmp_path / "evening.html"
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        await pilot.press(*(["L"] if where == "log" else []), "o")
        assert "Markdown" in lines_of(play)
        await pilot.press("2")
        assert "for the players" in lines_of(play)
        await pilot.press("2")
        assert f"cinder-pass-{log_of(campaign).stem}-players.html" in play.host.asked.field.text  # type: ignore[union-attr]
        await pilot.press("ctrl+u", *str(target), "enter")
        await until(pilot, target.exists, "a file")
        await app.workers.wait_for_complete()
        await until(pilot, lambda: "Exported" in play.message, "a sentence")
        assert f"Exported to {target}: 6 steps" in play.message
        assert "before the bridge" not in target.read_text()
        # a second time it is asked, and nothing is written where it stays
        before = target.stat().st_mtime_ns
        await pilot.press("o", "2", "1", "ctrl+u", *str(target), "enter")
        await until(pilot, lambda: "There is a file evening.html already." in lines_of(play), "a question")
        await pilot.press("2")
        assert target.stat().st_mtime_ns == before


async def test_an_export_that_cannot_be_written_says_so(campaign: Path, tmp_path: Path) -> None:
    app = watching(campaign)
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        await pilot.press("o", "1", "1", "ctrl+u", *str(tmp_path / "nowhere" / "x.md"), "enter")
        await until(pilot, lambda: play.message, "a sentence")
        assert "its folder does not exist" in play.message
        await pilot.press("o", "1", "1", "ctrl+u", *str(log_of(campaign)), "enter")
        await until(pilot, lambda: "the log itself" in play.message, "a refusal")


async def test_a_seat_exports_nothing(campaign: Path) -> None:
    app = watching(campaign)
    app.seat = "Iris"
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        await pilot.press("o", "L", "o")
        assert play.host.asked is None


async def test_the_log_folds_what_was_undone_and_unfolds_it(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        await pilot.press("L")
        page = play.page
        assert isinstance(page, LogPage)

        def shown() -> str:
            return "\n".join(page.panel.render_line(y).text for y in range(page.panel.size.height))

        assert page.rows == ([1, 2, 3, 6, 7, 8, 9], [0, 0, 0, 1, 0, 0, 0, 0])
        assert "1 step was taken back" in shown()
        assert "Undone" not in shown()
        await pilot.press("up", "up", "up", "up")
        assert page.cursor == 3, "the cursor steps over what is folded"
        await pilot.press("a")
        assert "Undone" in shown()
        assert page.rows[0] == list(range(1, 10))
        await pilot.press("a", "u", "u")
        assert page.rows[0][-2:] == [8, 9], "what can be done again is not folded"


async def test_home_lists_the_sessions_to_watch(campaign: Path) -> None:
    app = TabletopApp(str(campaign.parent))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: not getattr(app.screen, "waiting", True), "a list")
        await pilot.press("r", "1")
        play = await opened(pilot)
        assert isinstance(play.game.table, Replay)
        await pilot.press("q")
        await pilot.pause()
        assert not isinstance(app.screen, PlayScreen)


def test_a_seat_does_not_find_what_was_whispered(campaign: Path) -> None:
    file = open_log(log_of(campaign))
    table = Table(ENGINE, file.header, file.entries)
    whispered = [line for e in table.timeline.entries for line in e.whispered]
    seat = Replay(ENGINE, file.header, file.entries, seat="Iris")
    for line in whispered:
        assert not seat.find_text(line)
