"""The list of everything, the digits on counters, and what Enter and a long text do where something is asked."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from waiting import drawn, opened

from tabletop_tui.cli import main
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.asking.finder import Finder
from tabletop_tui.ui.asking.form import Form
from tabletop_tui.ui.asking.listing import Listing, Pick
from tabletop_tui.ui.pages.table import TablePage

SAMPLES = Path(__file__).parents[2] / "campaigns"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    target = tmp_path / "ember-road"
    shutil.copytree(SAMPLES / "ember-road", target, ignore=shutil.ignore_patterns("sessions", "now.toml", "played"))
    return target


async def test_everything_begins_with_what_can_be_done_and_fills_the_stage(root: Path) -> None:
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("space")
        rows = [row[35:] for row in drawn(app).splitlines()]
        assert [rows[i].split()[:2] for i in (4, 5, 8, 9)] == [["here"], ["▸1", "scene:"], ["do"], ["a", "attack"]]
        assert "more" in rows[19], "it reaches down to what is said of the row under the cursor"
        await pilot.press("down", "down", "down", "down")
        assert "Roll one skill against another" in drawn(app), "what the row under the cursor is for"
        await pilot.press(*"sheet rook", "enter")
        assert play.host.asked is None
        assert play.front == "people"


async def test_sections_of_the_list_stand_in_one_order(root: Path) -> None:
    app = TabletopApp(str(root))
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        await pilot.press("space")
        found = play.host.asked
        assert isinstance(found, Finder)
        groups = list(dict.fromkeys(pick.group for pick in found.list.picks if not pick.closed))
        assert groups == ["here", "do", "go to", "sheet", "players", "program"]


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_every_counter_that_has_a_digit_is_in_sight(root: Path, size: tuple[int, int]) -> None:
    app = TabletopApp(str(root))
    async with app.run_test(size=size) as pilot:
        play = await opened(pilot)
        await pilot.press(".")
        line = drawn(app).splitlines()[1]
        assert all(f"{digit} " in line for digit in "123"), line
        assert "Supplies" in line, "numbers give way, then names"
        await pilot.press("3")
        assert play.game.world.now.tracks["supplies"].value == 6


async def test_the_letter_of_the_list_that_is_open_says_so(root: Path) -> None:
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("C", "1", "l")
        assert play.host.asked is None, "no form beside the list"
        assert "lead: choose from the list" in drawn(app)


async def test_a_background_leads_by_the_form_beside_the_list(tmp_path: Path) -> None:
    sample = Path(__file__).parents[2] / "campaigns" / "abbey-of-lynn"
    abbey = shutil.copytree(sample, tmp_path / "abbey", ignore=shutil.ignore_patterns("played"))
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("C", "1")
        assert "Religious life" not in drawn(app)
        assert "s another way" in drawn(app)
        await pilot.press("s", "1")
        form = play.host.asked
        assert isinstance(form, Form)
        using = next(f for f in form.fields if f.name == "using")
        offered = " ".join(choice.words for choice in form.choices(using))
        assert ("fits" in offered, "a stretch" in offered) == (True, True)


async def test_enter_leads_with_the_best_even_before_its_chances_are_drawn(root: Path) -> None:
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("C", "1", "enter")
        assert "Sefa leads · Crafting charlie 2" in drawn(app)


async def test_the_end_of_a_long_text_stays_in_sight_in_the_band(root: Path) -> None:
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "k", *("word " * 30), *"last")
        assert "last▏" in drawn(app).splitlines()[-2]


async def test_the_tab_of_the_page_that_waits_for_an_answer_has_a_mark(root: Path) -> None:
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("C", "1", "enter", "t", *"11", *"11111", "enter")
        assert play.page.asks() is not None, "it waits to be settled"
        assert "▲" not in drawn(app).splitlines()[0]
        await pilot.press("T")
        assert "Challenge ▲" in drawn(app).splitlines()[0]


async def test_a_letter_on_a_line_of_choices_begins_the_text_of_the_form(root: Path) -> None:
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("s", "tab", "up")
        form = play.host.asked
        assert isinstance(form, Form)
        assert form.line is not None
        assert form.line.kind == "choice"
        await pilot.press(*"his rest")
        assert form.answers["what"] == "his rest"
        await pilot.press("enter")
        assert play.game.table.timeline.entries[-1].action.what == "his rest"


async def test_a_letter_that_means_nothing_on_a_line_says_what_does(root: Path) -> None:
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("a", "z")
        assert "a digit chooses, or ← and →" in drawn(app)


async def test_enter_is_not_offered_for_what_would_be_refused(tmp_path: Path) -> None:
    target = tmp_path / "fen-lanterns"
    shutil.copytree(SAMPLES / target.name, target, ignore=shutil.ignore_patterns("sessions", "now.toml", "played"))
    app = TabletopApp(str(target))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("space", *"heal", "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        band = drawn(app).splitlines()[-2]
        assert "gains nothing by that" in band
        assert "enter" not in band
        before = play.game.table.last
        await pilot.press("enter")
        assert play.game.table.last == before


async def test_a_bonus_die_stays_in_sight_beside_a_consequence(root: Path) -> None:
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("s", *"a limp", "enter")
        row = next(row for row in drawn(app).splitlines() if "Brother Odo" in row[:35])
        assert "!1 +2d" in row[:35]


async def test_a_skill_is_added_by_a_name_that_others_have(root: Path) -> None:
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("P", "down", "E", "5", "plus")
        text = drawn(app)
        assert "Climbing" in text
        assert "Lore" not in text.partition("choose a name")[2], "she has that one"
        await pilot.press("2", "1", *"3", "enter")
    assert "Climbing = { alpha = 3 }" in (root / "characters" / "mira.toml").read_text()


async def test_what_is_said_on_the_log_page_is_drawn(root: Path) -> None:
    app = TabletopApp(str(root))
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await pilot.press("L", "ctrl+l")
        await pilot.pause()
        assert "drawn again" in drawn(app)


async def test_whoever_is_out_is_not_the_next_target(root: Path) -> None:
    for words in (("begin", "who=mira,reaver,ogre"), ("hurt", "who=reaver", "points=20")):
        assert main(["act", str(root), *words]) == 0
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        assert "attack The bridge ogre" in drawn(app)
        page = play.page
        assert isinstance(page, TablePage)
        await pilot.press("up")
        assert page.under == "reaver"
        assert "attack The bridge ogre" in drawn(app)


async def test_a_table_without_a_scene_offers_the_scenes_and_a_digit_sets_one(root: Path) -> None:
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        assert not play.game.world.now.scene
        assert re.search(r"2  The bridge +scene", drawn(app))
        await pilot.press("2")
        assert play.game.world.scenes[play.game.world.now.scene].title == "The bridge"
        assert not re.search(r"The gate at Lynn +scene", drawn(app))


def test_digits_of_rows_that_are_out_of_sight_are_not_shown() -> None:
    listing = Listing("who?", [Pick(n, f"row {n}") for n in range(20)], 0, "some")

    def shown() -> list[str]:
        made = listing.commands(lambda _pick: None, lambda: None)
        return [c.keys[0] for c in made if c.where == "footer" and c.keys[0].isdigit()]

    listing.lines(40, 6, lambda *_: None)
    assert shown() == [*"123456789"]
    listing.cursor = 7
    listing.lines(40, 6, lambda *_: None)
    assert listing.top == 2
    assert shown() == [*"456789"], "one of the rows says how many are above"
    listing.cursor = 19
    listing.lines(40, 6, lambda *_: None)
    assert shown() == []
