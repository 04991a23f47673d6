"""The dice workbench on the screen: typing, carets, charts, comparing, throwing, completing."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

import level
import playing
import pytest
from msgspec.structs import replace
from textual.events import Key, Paste
from textual.pilot import Pilot
from waiting import opened as opened_table
from waiting import until

from tabletop_tui import plugins
from tabletop_tui.rules import HOSTILE, RandomRow, RandomTable
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.asking.host import Choose
from tabletop_tui.ui.bench.screen import Workbench
from tabletop_tui.ui.drawing.text import Glyphs
from tabletop_tui.ui.screens.help import HelpScreen
from tabletop_tui.workbench import Chances, still_wanted

ENGINES = tuple(plugins.load_all().engines.values())
SAMPLES = playing.PROJECT / "campaigns"


async def opened(app: TabletopApp, pilot: Pilot[None], *where: Any, seat: str = "") -> Workbench:
    engine, world = where or (None, None)
    bench = Workbench(engine, world, ENGINES, seat=seat)
    await app.push_screen(bench)
    await pilot.pause()
    return bench


async def settled(app: TabletopApp, pilot: Pilot[None]) -> None:
    await app.workers.wait_for_complete()
    await pilot.pause()


def shown(bench: Workbench) -> str:
    return "\n".join(one.plain for one in bench.panel.lines(bench.size.width))


def keys(bench: Workbench) -> str:
    return "\n".join(one.plain for one in bench.footer.lines(bench.size.width))


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TabletopApp:
    monkeypatch.chdir(tmp_path)
    return TabletopApp()


def lanterns() -> tuple[Any, Any]:
    return plugins.load("fen"), playing.world(SAMPLES / "fen-lanterns")


async def test_an_expression_is_read_and_its_chances_drawn_while_it_is_typed(app: TabletopApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot)
        assert "5Bd 3Rd 2Dd" in shown(bench)  # an example
        await pilot.press(*"3d6+2")
        await settled(app, pilot)
        text = shown(bench)
        assert "the sum of 3d6 + 2" in text
        assert "mean 12.50  spread 2.96  90 % from 8 to 17" in text
        assert "at least 13  50 %" in text
        assert "█" in text
        assert "▒" in text
        assert all(one.cell_length <= 80 for one in bench.panel.lines(80))


async def test_the_number_to_meet_goes_up_and_down_and_is_held_at_the_ends(app: TabletopApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot)
        await pilot.press(*"1d20")
        await settled(app, pilot)
        assert bench.goal == 11
        await pilot.press("up", "up", "down")
        assert "at least 12  45 %" in shown(bench)
        await pilot.press("pageup", "pageup", "pageup")
        assert "at least 21  0 %" in shown(bench)
        await pilot.press(*["pagedown"] * 4)
        assert "at least 1  100 %" in shown(bench)
        await pilot.press(*" >= 15")
        await settled(app, pilot)
        assert "at least 15  30 %" in shown(bench)


async def test_what_is_wrong_has_a_caret_under_its_character(app: TabletopApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot)
        await pilot.press(*"2d8 fewr 2")
        await settled(app, pilot)
        line, caret, sentence = shown(bench).split("\n")[:3]
        assert line.index("fewr") == caret.index("^")
        assert "'fewr' is not understood. Did you mean 'fewer'?" in sentence
        await pilot.press("enter")
        assert not bench.rolls
        await pilot.press("left", "left", "left", *"e", "home", "delete", *"3")
        await settled(app, pilot)
        assert bench.active.text == "3d8 fewer 2"
        assert "the sum of 1d8, a maximum explodes" in shown(bench)
        await pilot.press("end", "ctrl+w", "ctrl+w")
        assert bench.active.text == "3d8"
        await pilot.press("ctrl+u")
        assert bench.active.text == ""


async def test_enter_says_which_of_two_lines_it_rolls_where_the_other_is_wrong(app: TabletopApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot)
        await pilot.press(*"2d6", "tab", *"1dx")
        await settled(app, pilot)
        (roll,) = [item for item in bench.deck.items if item.id == "bench.roll"]
        assert roll.label == "roll A"
        assert bench.said().text.startswith("Throw A")
        await pilot.press("enter")
        assert len(bench.rolls) == 1


async def test_two_expressions_stand_side_by_side(app: TabletopApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot)
        await pilot.press(*"2d6", "tab", *"1d12")
        await settled(app, pilot)
        text = shown(bench)
        assert "A: total" in text
        assert "B: total" in text
        more = sum((13 - abs(7 - a) - 7) / 36 * (a - 1) / 12 for a in range(2, 13))
        assert f"A > B {more * 100:.0f} %   tie 8 %   B > A" in text
        assert len(text.split("\n")) <= 22
        await pilot.press("enter")
        (first, _), (second, _) = list(bench.rolls)[:2]
        assert first.startswith("A ")
        assert second.strip().startswith("B ")
        await pilot.press("ctrl+u", "tab")
        await settled(app, pilot)
        assert "B: total" not in shown(bench)  # the second is empty and no longer in use


async def test_enter_throws_and_the_last_rolls_stay_in_sight(app: TabletopApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot)
        await pilot.press(*"3d6", *["enter"] * 40)
        assert len(bench.rolls) == 30
        assert len({value for value, _ in bench.rolls}) > 1
        for value, words in bench.rolls:
            assert sum(map(int, words.split(")")[0][1:].split())) == int(value)
        assert "rolled here, in no log" in shown(bench)


async def test_a_burst_of_keys_is_never_lost(app: TabletopApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot)
        for character in "10d20 / 10d20":
            app.post_message(Key({" ": "space", "/": "slash"}.get(character, character), character))
        app.post_message(Key("enter", None))
        for _ in range(200):
            await pilot.pause(0.01)
            if bench.rolls:
                break
        assert bench.active.text == "10d20 / 10d20"
        assert len(bench.rolls) == 1
        await settled(app, pilot)
        assert "aggressor wins" in shown(bench)


async def test_the_last_expression_wins_and_long_work_is_given_up(app: TabletopApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot)
        await pilot.press(*"999d19 fen")
        entry = bench.active
        for _ in range(500):
            await pilot.pause(0.01)
            if entry.slow or entry.chances is not None:
                break
        # a busy machine may have the chances before the screen has found time to say that it works on them
        assert entry.chances is not None or "working …" in shown(bench)
        await pilot.press("enter")  # dice can be thrown before their chances are known
        assert bench.rolls
        await pilot.press("ctrl+u", *"2d6")
        await settled(app, pilot)
        assert entry.chances is not None
        assert (entry.chances.low, entry.chances.high) == (2, 12)
        assert "working" not in shown(bench)


async def test_leaving_ends_the_work(app: TabletopApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot)
        begun, ended = asyncio.Event(), asyncio.Event()
        await pilot.press(*"3d6")
        reading = bench.active.reading
        assert reading is not None
        going = asyncio.get_running_loop()

        def endless() -> Chances:
            going.call_soon_threadsafe(begun.set)
            try:
                while True:
                    still_wanted()
            finally:
                going.call_soon_threadsafe(ended.set)

        bench.active.turn += 1
        worker = bench.run_worker(bench._think(bench.active, bench.active.turn, replace(reading, work=endless)))
        await asyncio.wait_for(begun.wait(), 30)
        await pilot.press("escape")
        await asyncio.wait_for(ended.wait(), 30)
        assert app.screen is not bench
        assert worker.is_cancelled or worker.is_finished


async def test_the_chart_stays_as_it_is_while_dice_are_thrown(app: TabletopApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot)
        await pilot.press(*"4d6kh3")
        await settled(app, pilot)

        def chart() -> list[str]:
            return shown(bench).partition("rolled here")[0].splitlines()

        before = chart()
        assert "<1  <1  1   2   3   5   7   9   11  13  13  12  10  7   4   2   %" in "\n".join(before)
        for _ in range(5):
            await pilot.press("enter")
            assert chart() == before


async def test_columns_that_meet_the_number_are_full_and_good_the_others_shaded_to_their_tops(
    app: TabletopApp,
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot)
        await pilot.press(*"4d6kh3")
        await settled(app, pilot)
        bars = [one for one in bench.panel.lines(80) if "█" in one.plain]
        at = 1 + 4 * (13 - 3)
        assert all(set(one.plain[:at]) <= set(" ▒") for one in bars[:-1]), "no cap on a shaded column"
        spans = [str(span.style) for one in bars for span in one.spans if "█" in one.plain[span.start : span.end]]
        assert set(spans) == {"$good"}, "the accent means a key"


async def test_the_keys_and_the_writing_are_explained(app: TabletopApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot)
        await pilot.press("question_mark")
        assert isinstance(app.screen, HelpScreen)
        await until(pilot, lambda: app.screen.query("MarkdownTableContent .cell"), "the table of what can be written")
        table = app.screen.query_one("MarkdownTableContent")
        assert str(table.styles.keyline[0]) == "none", "no box"
        assert table.query(".cell").first().content_region.x == 1, "it begins where the keys begin"
        await pilot.press("escape")
        assert app.screen_stack[-1] is bench


async def test_chances_that_are_refused_say_so(app: TabletopApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot)
        await pilot.press(*"1000d1000 fen")
        await settled(app, pilot)
        assert "would take too long" in shown(bench)
        await pilot.press("enter")
        assert bench.rolls


async def test_a_hostile_paste_is_text_and_nothing_else(app: TabletopApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot)
        bench.post_message(Paste("3d6 [@click=app.quit]\x1b]0;x\x07[/] \u202e\n\x00" + "9" * 10_000))
        await pilot.pause()
        await settled(app, pilot)
        assert not HOSTILE.search(bench.active.text)
        assert len(bench.active.text) == 1_000
        text = shown(bench)
        assert not HOSTILE.search(text)
        assert "^" in text
        assert all(one.cell_length <= 80 for one in bench.panel.lines(80)[3:])
        await pilot.press("home", "up", "tab", "shift+tab", "enter", "escape")
        assert app.screen is not bench


async def test_names_are_completed_and_tab_goes_on_to_the_next(app: TabletopApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        bench = await opened(app, pilot, *lanterns())
        await pilot.press(*"wr")
        assert "tab complete Wren Tallow" in keys(bench)
        await pilot.press("tab", *"fi", "tab", *"/ mire", "tab", "tab")
        assert bench.active.text == "Wren Tallow fight / Mire thief with the net "
        await pilot.press("tab")
        assert bench.active.text == "Wren Tallow fight / Mire thief "
        await pilot.press(*"vig", "tab")
        await settled(app, pilot)
        assert "Wren Tallow's fight (2d8) against Mire thief's vigor" in shown(bench).replace("\n     ", " ")
        assert "aggressor wins" in shown(bench)
        await pilot.press("tab")  # nothing to complete: the other line
        assert bench.active.name == "B"
        await pilot.press("shift+tab")
        assert bench.active.name == "A"


async def test_a_players_seat_completes_no_name_of_the_gms(app: TabletopApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot, *lanterns(), seat="Ana")
        await pilot.press(*"mire", "tab")
        assert bench.entries[0].text == "mire"
        assert bench.active.name == "B"
        await pilot.press("shift+tab", "ctrl+u", *"fight/vigor")
        await settled(app, pilot)
        assert "Mire" not in shown(bench)
        assert "Wren Tallow's fight" in shown(bench)


async def test_a_throw_touches_neither_log_nor_dice_of_the_table(app: TabletopApp, tmp_path: Path) -> None:
    table = playing.table(playing.starter(tmp_path / "gate"))
    twin = playing.table(tmp_path / "gate")
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot, table.engine, table.world)
        await pilot.press(*"4d4", "enter", "enter")
        assert len(bench.rolls) == 2
    assert table.timeline.entries == twin.timeline.entries
    assert playing.wander(table, 1, 30) == playing.wander(twin, 1, 30) > 5
    assert table.timeline.entries == twin.timeline.entries  # the same dice fell
    assert any(entry.dice for entry in table.timeline.entries)


async def test_a_click_chooses_the_line(app: TabletopApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot)
        await pilot.press(*"2d6", "tab", *"1d12")
        await settled(app, pilot)
        await pilot.click(bench.panel, offset=(10, 0))
        assert bench.active.name == "A"
        await pilot.click(bench.panel, offset=(10, 3))
        assert bench.active.name == "B"


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12), (20, 6)])
async def test_every_size_of_terminal_draws_what_fits(app: TabletopApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        texts = ["3d6", "10d20 / 10d20", "5Bd 3Rd 2Dd", "100d100", "1d2", "2d8 x"]
        for text in level.some(texts, 2, 0, size[1]):
            bench = await opened(app, pilot)
            await pilot.press(*text, "enter", "tab", *"4d4 tiers", "enter")
            await settled(app, pilot)
            assert len(bench.panel.lines(size[0])) <= max(size[1] - 3, 1), text
            assert app.return_code is None
            await app.pop_screen()


async def test_plain_characters_are_drawn_where_they_were_asked_for(app: TabletopApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot)
        await pilot.press(*"3d6", "enter")
        await settled(app, pilot)
        Glyphs.plain = True
        try:
            drawn = shown(bench)
        finally:
            Glyphs.plain = False
        assert drawn.isascii()


async def test_a_thousand_large_dice_can_be_compared(app: TabletopApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        bench = await opened(app, pilot)
        await pilot.press(*"999d999", "tab", *"999d1000")
        await asyncio.wait_for(settled(app, pilot), 60)
        first = bench.entries[0].chances
        assert first is not None
        assert first.mean == pytest.approx(499_500, abs=1e-3)
        assert "A > B 48 %   tie <1 %   B > A 52 %" in shown(bench)


# ---- rollable tables


def rolls(bench: Workbench) -> list[tuple[str, str]]:
    return list(bench.rolls)


async def test_a_table_is_typed_by_its_name_and_shown_with_the_chance_of_every_row(app: TabletopApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot, *lanterns())
        assert "a table of the campaign" in shown(bench)
        await pilot.press(*"mis", "tab")
        await settled(app, pilot)
        text = shown(bench)
        assert "The mist: 3d6, 5 rows. At dusk, and whenever a lantern goes out." in text
        assert "  5 % " in text.splitlines()[4]
        assert "17+: Gone." in text
        assert all(one.cell_length <= 80 for one in bench.panel.lines(80))
        await pilot.press("enter")
        assert len(rolls(bench)) == 1
        assert "in no log" in shown(bench)


async def test_a_table_longer_than_its_room_is_scrolled(app: TabletopApp) -> None:
    engine, world = lanterns()
    rows = tuple(RandomRow(f"row {i} of many") for i in range(60))
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot, engine, replace(world, tables={"long": RandomTable("Long", rows=rows)}))
        await pilot.press(*"long")
        await settled(app, pilot)
        assert "more below" in shown(bench)
        assert "row 0 of many" in shown(bench)
        await pilot.press(*["down"] * 100)
        assert "row 59 of many" in shown(bench)
        await pilot.press(*["up"] * 200)
        assert "row 0 of many" in shown(bench)


async def test_a_seat_finds_no_tables(app: TabletopApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot, *lanterns(), seat="Ana")
        await pilot.press(*"mist")
        await settled(app, pilot)
        assert bench.entries[0].reading is None


async def test_without_a_campaign_nothing_is_rolled_into_a_log(app: TabletopApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        bench = await opened(app, pilot, *lanterns())
        await pilot.press(*"mist", "ctrl+l")
        await settled(app, pilot)
        assert "there is no table here to log it at" in shown(bench)
        assert not rolls(bench)


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    target = tmp_path / "fen-lanterns"
    shutil.copytree(SAMPLES / "fen-lanterns", target, ignore=shutil.ignore_patterns("sessions", "now.toml", "played"))
    return target


async def test_a_roll_goes_into_the_log_for_everybody_or_for_the_gms_eyes(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened_table(pilot)
        await pilot.press("%")
        await until(pilot, lambda: isinstance(app.screen, Workbench), "the workbench")
        bench = app.screen
        assert isinstance(bench, Workbench)
        await pilot.press(*"mist", "ctrl+l", "ctrl+g")
        await until(pilot, lambda: len(play.game.table.timeline.entries) == 2, "two entries")
        await settled(app, pilot)
        open_, hidden = play.game.table.timeline.entries
        assert open_.said
        assert open_.said[0].startswith("The mist: ")
        assert (hidden.said, len(hidden.whispered)) == ((), 1)
        assert (rolls(bench)[0][0], rolls(bench)[-1][0]) == ("~ in the log", "in the log")
        assert "in the log" in shown(bench)
        await pilot.press("escape")
        assert app.screen_stack[-1] is play


async def test_the_scene_page_rolls_on_a_table(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened_table(pilot)
        await pilot.press("S", "r")
        assert isinstance(play.host.asked, Choose)
        assert [pick.label for pick in play.host.asked.list.picks] == ["In the water", "The mist"]
        await pilot.press("2")
        await until(pilot, lambda: play.game.table.timeline.entries, "an entry")
        assert play.game.table.timeline.entries[0].said[0].startswith("The mist: ")


async def test_a_click_that_reaches_the_workbench_below_its_help_does_not_lock_it(app: TabletopApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        bench = await opened(app, pilot)
        bench.show_help("dice", "")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)
        bench.close_screen()  # as a click on its footer does that was on its way when help came
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen_stack[-1] is bench
        await pilot.press(*"2d6")
        await settled(app, pilot)
        assert "the sum of 2d6" in shown(bench)
