"""Undo on the screen: where it leads, what the log says of it, and files that say otherwise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from waiting import drawn, opened, view_of

from tabletop_tui.rules import parse, tag_of
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.pages.log import LogPage


async def test_an_undone_edit_of_a_file_can_be_put_back_into_it(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    file = campaign / "characters" / "rook.toml"
    before = file.read_bytes()
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        file.write_bytes(before.replace(b"alpha = 8", b"alpha = 9"))
        await play.look_now()
        assert play.game.world.sheets["rook"].levels["alpha"] == 9
        await pilot.press("u")
        assert play.game.world.sheets["rook"].levels["alpha"] == 8
        assert b"alpha = 9" in file.read_bytes()  # the file is theirs until they say so
        assert "B puts it back" in play.message
        await pilot.press("B")
        rows = "\n".join(play.page.ask_panel.render_line(y).text for y in range(play.page.ask_panel.size.height))
        assert "-alpha = 9" in rows
        assert "+alpha = 8" in rows
        assert "3" not in [row[1:2] for row in rows.splitlines()]  # a difference is read, not chosen
        await pilot.press("1")
        await pilot.pause()
        assert file.read_bytes() == before
        assert not play.files.pending
        await pilot.press("ctrl+r")  # done again: now the file says the older thing
        assert play.game.world.sheets["rook"].levels["alpha"] == 9
        assert "B puts it back" in play.message
        await pilot.press("B", "2")
        assert file.read_bytes() == before


async def test_the_moment_under_the_cursor_is_the_one_that_is_named(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("e", "enter", "3", "enter", "enter", "e", "enter", "2", "enter", "enter")
        assert play.game.table.last == 2
        await pilot.press("H", "up", "m", *"first", "enter")
        assert play.game.table.timeline.names == {1: ("first", 3)}
        assert [s.name for s in play.game.table.history()] == ["first", "", ""]


async def test_a_name_goes_with_its_naming_alone_and_stays_for_whoever_goes_back_to_it(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("e", "enter", "3", "enter", "enter", "L", "m", *"first", "enter")
        table = play.game.table
        assert next(iter(table.history())).name == "first"
        await pilot.press("u")
        assert next(iter(table.history())).name == ""
        await pilot.press("ctrl+r")
        assert next(iter(table.history())).name == "first"
        await pilot.press("T", "e", "2", "enter", "L", "home", "enter", "1")
        assert table.head == 1
        assert next(iter(table.history())).name == "first"


async def test_a_saved_file_moves_nobody_to_another_page(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("S", "enter", "1", "enter", "S", "3", "enter")
        assert play.front == "table", "a fight, beside the challenge that is open"
        sheet = campaign / "characters" / "rook.toml"
        sheet.write_text(sheet.read_text().replace("Shooting = { alpha = 4 }", "Shooting = { alpha = 5 }"))
        await play.look_now()
        await pilot.pause()
        assert play.game.world.sheets["rook"].skills["Shooting"]["alpha"] == 5
        assert play.front == "table"
        await pilot.press("L", "m", *"now", "enter")
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        assert (await opened(pilot)).front == "table", "nor whoever comes back"


async def test_undo_stays_on_the_page_where_it_was_done(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("S", "enter", "1", "enter")
        assert play.front == "challenge", "somebody leads"
        await pilot.press("T", "e", "3", "enter", "u")
        assert play.front == "table", "the challenge is open, and nobody went there"
        await pilot.press("C", "u", "u")
        assert play.front == "scene", "it was opened from here"


async def test_what_was_undone_in_a_row_takes_two_lines_of_the_log(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        for points in "321":
            await pilot.press("e", "enter", points, "enter", "enter")

        def rows() -> list[str]:
            panel = play.page.log_panel
            told = [panel.render_line(y).text.strip() for y in range(panel.size.height)]
            return [row for row in told if row]

        await pilot.press("u")
        assert "Undone" in rows()[-1]
        assert "more undone" not in rows()[-2], "nothing else was"
        await pilot.press("u", "u")
        assert "Undone" in rows()[-1]
        assert sum("Undone" in row for row in rows()) == 1, "told once"
        assert rows()[-2] == "↶ 2 more undone: L shows all"
        await pilot.press("ctrl+r")
        assert "Done again" in rows()[-1]
        assert rows()[-2] == "↶ 2 more undone: L shows all", "one of the three holds again"
        assert "Undone" not in " ".join(rows()[:-2])


async def test_the_history_uses_its_room_when_a_question_has_gone(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        for points in "12121212121":
            await pilot.press("e", "enter", points, "enter", "enter")
        await pilot.press("H", "up", "m", *"here", "enter")
        await pilot.pause()
        assert isinstance(play.page, LogPage)
        panel = play.page.panel
        rows = [panel.render_line(y).text.strip() for y in range(panel.size.height)]
        assert sum("HP" in row for row in rows) >= 11


async def test_a_settled_blow_is_no_news_in_the_next_turn(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("g", "enter", "a", "1", "1", "1", "1", "enter")
        assert view_of(play).prompt is not None
        await pilot.press("n")
        assert "does not count yet" in play.message
        await pilot.press("enter")
        assert view_of(play).outcome is not None
        await pilot.press("n")
        assert view_of(play).outcome is None


async def test_a_file_that_still_says_what_was_undone_has_its_key_on_the_footer(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        file = campaign / "characters" / "rook.toml"
        before = file.read_text()
        file.write_text(before.replace("Shooting = { alpha = 4 }", "Shooting = { alpha = 5 }"))
        assert file.read_text() != before
        await play.look_now()
        await pilot.press("u", "down", "up")
        assert "B put the file back" in drawn(app)
        await pilot.press("B", "1")
        assert file.read_text() == before
        assert "B put the file back" not in drawn(app)


async def test_an_editor_that_is_not_there_leaves_the_screen_as_it_is(
    campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "no-such-program")
    monkeypatch.delenv("VISUAL", raising=False)
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("P", "e")
        assert "There is no program 'no-such-program' to edit with" in drawn(app)


async def test_a_what_if_knows_what_was_played_before_it(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter", "1", "enter", "t", *"1111111111111111", "enter", "enter", "enter", "enter")
        await pilot.press("S")
        (told,) = re.findall(r"1 challenge Hold the gate +(played: .*?) *$", drawn(app), re.MULTILINE)
        await pilot.press("L", "w", "S")
        await app.workers.wait_for_complete()
        assert re.findall(r"challenge Hold the gate +(played: .*?) *$", drawn(app), re.MULTILINE) == [told]


async def test_the_newest_line_stays_in_sight_however_many_undos_scroll_away(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("T")
        table = screen.game.table
        note = next(kind for kind in table.engine.actions if tag_of(kind) == "note")
        for n in range(4):
            await screen.attempt(parse(note, {"text": f"old {n}"}))
        for _ in range(4):
            await screen.undo()
        for n in range(8):
            await screen.attempt(parse(note, {"text": f"fresh {n}"}))
            await pilot.pause()
            assert f"fresh {n}" in drawn(app)
