"""Home: a welcome at first, later where you left off; samples, new campaigns, and those that somebody gave you."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import level
import pytest
from textual.events import Paste
from waiting import drawn, opened, playing

from tabletop_tui.rules import tag_of
from tabletop_tui.storage.campaign import load
from tabletop_tui.storage.log.scratch import Scratch
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.storage.user.paths import bundled, demos, locate, remembered
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.asking.host import Choose, Question, Reading
from tabletop_tui.ui.asking.listing import Listing
from tabletop_tui.ui.preparing.adding import Adding
from tabletop_tui.ui.preparing.editing import Editor
from tabletop_tui.ui.screens.help import HelpScreen
from tabletop_tui.ui.screens.home import HomeScreen


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's campaigns but the test's."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


async def settled(app: TabletopApp, pilot: Any) -> None:
    await app.workers.wait_for_complete()
    await pilot.pause()


def home(app: TabletopApp) -> HomeScreen:
    assert isinstance(app.screen, HomeScreen)
    return app.screen


def shown(app: TabletopApp) -> str:
    width = app.screen.size.width
    return "\n".join(one.plain for one in home(app).panel.lines(width))


def mine(name: str, played: float = 0.0) -> Path:
    """A campaign of one's own; where it was played, when its log was last written."""
    target = Path("data/tabletop/campaigns") / name
    shutil.copytree(bundled("campaigns") / "ember-road", target, ignore=shutil.ignore_patterns("played"))
    if played:
        desk = OpenCampaign(target)
        kind = next(k for k in desk.engine.actions if tag_of(k) == "scene")
        desk.do(kind("the-bridge"))
        desk.close()
        os.utime(desk.log.path, (played, played))
    return target


@pytest.mark.parametrize("size", level.some([(80, 24), (100, 30), (140, 45)], 1))
async def test_a_first_launch_welcomes_and_says_what_each_sample_shows(size: tuple[int, int]) -> None:
    app = TabletopApp()
    async with app.run_test(size=size) as pilot:
        await settled(app, pilot)
        text = shown(app)
        assert "Welcome to the table." in text
        for path in demos():
            main = load(path).documents[("rules",)].data or {}
            assert f"{main['hours']} hour" in text
            assert main["shows"] in text or size == (80, 24), "there the one under the cursor has its sentence"
            await pilot.press("down")
            here = home(app).list.here
            assert here is not None
            assert here.value.shows in shown(app)
        for words in ("New campaign", "Bring one in", "Only dice"):
            assert words in text
        assert "watch its recorded evening" in home(app).band.lines(size[0])[0].plain


async def test_later_it_says_where_you_left_off_and_the_cursor_begins_there() -> None:
    mine("aaa-older", 1_700_000_000)
    mine("zzz-latest", 1_790_000_000)
    app = TabletopApp()
    async with app.run_test(size=(100, 30)) as pilot:
        await settled(app, pilot)
        here = home(app).list.here
        assert here is not None
        assert here.value.path.name == "zzz-latest"
        text = shown(app)
        assert "Ember Road is where you left it." in text
        assert "The bridge" in text
        band = home(app).band.lines(100)[0].plain
        for words in ("Go on with Ember Road", "enter go on", "r watch it again", "b begin session 2"):
            assert words in band


async def test_the_cursor_stays_with_its_campaign_when_the_list_changes() -> None:
    mine("bbb")
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        await pilot.press("down", "down")
        here = home(app).list.here
        assert here is not None
        path = here.value.path
        mine("aaa")
        await home(app).survey()
        after = home(app).list.here
        assert after is not None
        assert after.value.path == path


async def test_a_sample_that_was_begun_is_listed_once_and_stays_under_the_cursor() -> None:
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        before = [p.value.title for p in home(app).list.picks]
        await pilot.press("3")
        await settled(app, pilot)
        root = playing(app).game.campaign.root.resolve()  # type: ignore[union-attr]
        assert not root.is_relative_to(bundled("campaigns").resolve())
        await pilot.press("q")
        await settled(app, pilot)
        titles = [p.value.title for p in home(app).list.picks]
        assert sorted(titles) == sorted(before)
        here = home(app).list.here
        assert here is not None
        assert here.value.path.resolve() == root


@pytest.mark.parametrize("people", [True, False])
async def test_a_new_campaign_takes_a_name_a_game_and_people_or_none(people: bool) -> None:
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        await pilot.press("n", *"Salt War", "enter")
        asked = home(app).host.asked
        assert isinstance(asked, Choose)
        place = next(i for i, p in enumerate(asked.list.picks) if getattr(p.value, "name", "") == "tiers")
        await pilot.press(str(place + 1), "1" if people else "2")
        await settled(app, pilot)
        table = playing(app)
        assert table.game.title == "Salt War"
        assert bool(table.game.world.sheets) == people
        ready = table.host.asked
        assert isinstance(ready, Reading)
        told = " ".join(words for words, _ in ready.rows)
        assert "campaigns/salt-war" in told
        assert "E  changes any value" in told
        await pilot.press("enter")
        assert table.host.asked is None


@pytest.mark.parametrize(("key", "opens"), [("plus", Adding), ("E", Editor)])
async def test_the_keys_that_a_new_campaign_lists_work_at_once(key: str, opens: type) -> None:
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        await pilot.press("n", *"Salt War", "enter", "1", "2")
        await settled(app, pilot)
        assert isinstance(playing(app).host.asked, Reading)
        await pilot.press(key)
        assert isinstance(playing(app).host.asked, opens)


async def test_enter_is_not_lost_while_campaigns_are_looked_for() -> None:
    root = mine("road", 1_790_000_000)
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        home(app).waiting = True  # as it stood before they were found
        home(app).list = Listing("campaigns", [], name="home")
        home(app).draw_bars()
        await pilot.press("enter")
        home(app).on_screen_resume()
        await opened(pilot)
        assert playing(app).game.campaign.root.resolve() == root.resolve()  # type: ignore[union-attr]


async def test_two_campaigns_of_one_title_are_told_apart_by_their_folders() -> None:
    mine("road", 1_790_000_000)
    mine("second-road", 1_780_000_000)
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        shown = drawn(app)
        assert "in road " in shown
        assert "in second-road " in shown


async def test_a_campaign_that_somebody_gave_you_is_brought_in(tmp_path: Path) -> None:
    given = tmp_path / "given" / "old-road"
    shutil.copytree(bundled("campaigns") / "fen-lanterns", given)
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        await pilot.press("i")
        home(app).on_paste(Paste(str(given)))
        await pilot.press("enter")
        await settled(app, pilot)
        here = home(app).list.here
        assert here is not None
        assert here.value.path.resolve() == (tmp_path / "data/tabletop/campaigns/old-road").resolve()
        assert given.is_dir()
        await pilot.press("i")
        home(app).on_paste(Paste(str(tmp_path / "nowhere")))
        await pilot.press("enter")
        await settled(app, pilot)
        assert "there is no such file or folder" in home(app).message


@pytest.mark.parametrize("size", [(60, 20), (46, 20)])
async def test_on_a_narrow_screen_whole_columns_go_and_no_letters(size: tuple[int, int]) -> None:
    app = TabletopApp()
    async with app.run_test(size=size) as pilot:
        await settled(app, pilot)
        text = shown(app)
        assert "…" not in text
        assert "Tiers" not in text, "the game has no room"
        assert ("5 heroes · 3 scenes · 3 hours" in text) == (size[0] == 60)
        assert "The Broken Causeway" in text
        more = 3 if size[0] == 60 else 4
        assert text.rstrip().endswith(f"▾ {more} more"), "rows are counted, and no heading stands over nothing"
        await pilot.press("up")
        assert "The Salt Road" in shown(app)


async def test_on_a_large_screen_each_says_what_it_is_about_and_the_cursor_what_it_holds() -> None:
    for number, name in enumerate(("one", "two", "three", "four", "five", "six", "seven")):
        mine(name, 1_790_000_000 + 60 * number)
    app = TabletopApp()
    async with app.run_test(size=(140, 45)) as pilot:
        await settled(app, pilot)
        lines = [one.plain for one in home(app).panel.lines(140)]
        used = max(n for n, line in enumerate(lines) if line.strip())
        assert used > 0.7 * len(lines)
        assert sum("A caravan carries" in line for line in lines) == 7, "once for each"
        assert any(line.endswith("session 1") and "how it went" in line for line in lines)
        assert sum("The bridge." in line for line in lines) == 1, "where it was left is told once"


async def test_a_question_is_a_sentence_and_its_hint_stands_apart_or_nowhere() -> None:
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)

        def band() -> str:
            return home(app).band.lines(80)[0].plain

        await pilot.press("i")
        assert "Which folder or .zip? ▏" in band()
        assert band().endswith("leave" + " " * 14 + "  its path; ~ is your home ")
        await pilot.press(*"long")
        assert "its path" not in band(), "no letter of it where it does not fit"
        assert "long▏" in band()


async def test_enter_on_nothing_says_so_and_help_is_reached_by_a_key_that_is_no_text() -> None:
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        await pilot.press("n", "enter")
        assert home(app).message == "Nothing is typed yet."
        assert "f1 help" in home(app).footer.lines(80)[0].plain
        await pilot.press("question_mark")
        assert "called? ?▏" in home(app).band.lines(80)[0].plain, "a character is text first"
        await pilot.press("f1")
        assert isinstance(app.screen, HelpScreen)
        assert app.screen.subject == "What is the new campaign called?"
        await pilot.press("escape")
        assert home(app).host.asked is not None, "and back to what was asked"


async def test_the_next_session_begins_from_home() -> None:
    root = mine("road", 1_790_000_000)
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        await pilot.press("b", "enter")
        assert len(list((root / "sessions").glob("*.jsonl"))) == 1, "a stray key begins nothing"
        await pilot.press("b", "y")
        await settled(app, pilot)
        assert playing(app).game.world.now.scene == "the-bridge"
        assert len(list((root / "sessions").glob("*.jsonl"))) == 2


def test_the_sample_that_the_readme_begins_with_stands_first() -> None:
    names = [path.name for path in demos()]
    assert names[0] == "ember-road"
    assert names[4:] == sorted(names[4:]), "home-brew rules come after the four games"


async def test_a_campaign_played_from_a_folder_of_its_own_is_found_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    away, elsewhere = tmp_path / "away" / "ember-road", tmp_path / "elsewhere"
    shutil.copytree(bundled("campaigns") / "ember-road", away, ignore=shutil.ignore_patterns("played"))
    elsewhere.mkdir()
    app = TabletopApp(str(away))
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await settled(app, pilot)
    monkeypatch.chdir(elsewhere)
    assert locate("ember-road").resolve() == away.resolve()
    app = TabletopApp()
    async with app.run_test(size=(100, 30)) as pilot:
        await settled(app, pilot)
        found = home(app).list.here
        assert found is not None
        assert found.value.path.resolve() == away.resolve()
        assert not found.value.sample


async def test_a_seat_leaves_no_trace_of_where_it_sat(tmp_path: Path) -> None:
    away = tmp_path / "away" / "ember-road"
    shutil.copytree(bundled("campaigns") / "ember-road", away, ignore=shutil.ignore_patterns("played"))
    OpenCampaign(away).close()
    app = TabletopApp(str(away), seat="Ana")
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await settled(app, pilot)
    assert remembered() == []


async def test_home_comes_back_to_the_campaign_that_was_just_made(tmp_path: Path) -> None:
    mine("older", played=1.0)
    app = TabletopApp()
    async with app.run_test(size=(100, 30)) as pilot:
        await settled(app, pilot)
        await pilot.press("n", *"Fresh", "enter", "enter", "enter")
        await opened(pilot)
        await pilot.press("escape", "q")
        await settled(app, pilot)
        here = home(app).list.here
        assert here is not None
        assert here.label == "Fresh"


async def test_a_name_that_is_taken_is_said_before_anything_else_is_asked() -> None:
    mine("the-salt-war")
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        await pilot.press("n", *"The Salt War", "enter")
        await settled(app, pilot)
        asked = home(app).host.asked
        assert isinstance(asked, Question)
        assert asked.field.text == "The Salt War", "what was typed is still there"
        assert "the-salt-war already" in " ".join(drawn(app).split())
        await pilot.press(*" II", "enter")
        await settled(app, pilot)
        assert isinstance(home(app).host.asked, Choose)


async def test_a_path_that_leads_nowhere_can_be_mended() -> None:
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        await pilot.press("i", *"nowhere.zip", "enter")
        await settled(app, pilot)
        asked = home(app).host.asked
        assert isinstance(asked, Question)
        assert asked.field.text == "nowhere.zip"


async def test_a_campaign_that_cannot_be_played_is_not_proposed_and_says_so() -> None:
    broken = mine("a-broken-road") / "campaign.toml"
    broken.write_text(broken.read_text().replace('engine = "tiers"', 'engine = "moonfall"'))
    mine("b-whole-road")
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        here = home(app).list.here
        assert here is not None
        assert here.value.path.name == "b-whole-road"
        await pilot.press("up")
        await settled(app, pilot)
        band = drawn(app).splitlines()[-2]
        assert "must be mended first" in band
        assert "try to open it" in band


async def test_a_campaign_that_was_only_opened_was_not_played() -> None:
    OpenCampaign(mine("ember-road")).close()
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        here = home(app).list.here
        assert here is not None
        assert (here.value.path.name, here.value.count) == ("ember-road", 0)
        assert "session 1" not in drawn(app)


async def test_keys_of_ones_own_for_what_a_table_has_too_are_homes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "config" / "tabletop"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('[keys]\ntheme = "ctrl+y"\ndice = "x"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        shown = drawn(app)
        assert "x dice  ctrl+y theme" in shown
        before = app.theme
        await pilot.press("ctrl+t")
        assert app.theme == before
        await pilot.press("ctrl+y")
        assert app.theme != before


async def test_a_what_if_that_a_dropped_line_left_is_among_what_can_be_watched(tmp_path: Path) -> None:
    root = tmp_path / "ember-road"
    shutil.copytree(bundled("campaigns") / "ember-road", root, ignore=shutil.ignore_patterns("played"))
    campaign = OpenCampaign(root)
    campaign.do(next(k for k in campaign.engine.actions if tag_of(k) == "scene")("the-gate"))
    Scratch(campaign.table, 1, root).close()
    campaign.close()
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        await pilot.press("r")
        await settled(app, pilot)
        assert "left when the line dropped" in drawn(app)
