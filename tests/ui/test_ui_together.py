"""What is shown belongs together: chances with their state, lists with their question, messages with their cause."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import playing
import pytest
from textual.pilot import Pilot
from waiting import drawn, opened, press_until

from tabletop_tui.rules import tag_of
from tabletop_tui.session.drops import dropped
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.asking.form import Form
from tabletop_tui.ui.asking.host import Confirm
from tabletop_tui.ui.pages.challenge import ChallengePage
from tabletop_tui.ui.pages.view_page import ViewPage
from tabletop_tui.ui.screens.home import HomeScreen
from tabletop_tui.ui.screens.play import PlayScreen

SAMPLES = Path(__file__).parents[2] / "campaigns"


def copied(tmp_path: Path, name: str) -> Path:
    target = tmp_path / name
    shutil.copytree(SAMPLES / name, target, ignore=shutil.ignore_patterns("sessions", "now.toml", "played"))
    return target


def done(play: PlayScreen) -> list[str]:
    return [tag_of(type(e.action)) for e in play.game.table.timeline.entries]


async def settled(pilot: Pilot[None]) -> None:
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def test_chances_are_of_the_state_that_is_shown_and_never_of_another(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("C", "3", "5")
        await settled(pilot)
        page = play.page
        assert isinstance(page, ChallengePage)
        before = page.outlook.odds
        assert before is not None
        await pilot.press("2")
        assert page.outlook.odds != before, "the chances of before are not drawn beside another pool"
        await settled(pilot)
        after = page.outlook.odds
        assert after is not None
        assert after != before
        await pilot.press("u")
        await settled(pilot)
        assert page.outlook.odds == before
        await pilot.press("t", *"522", *"6321", "enter")
        await settled(pilot)
        assert page.view.hands
        assert "chances" not in drawn(app) or "success " not in drawn(app), "the roll has fallen: it has no chances"


async def test_while_chances_are_worked_out_their_place_says_so(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("C", "3", "5")
        page = play.page
        assert isinstance(page, ViewPage)
        page.chances = None
        page.update_view()
        await pilot.pause()
        assert "working out the chances" in drawn(app)


async def test_a_list_of_leads_closes_when_the_lead_was_chosen_and_its_digits_do_not_act(tmp_path: Path) -> None:
    app = TabletopApp(str(copied(tmp_path, "abbey-of-lynn")))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("C", "1", "1")
        page = play.page
        assert isinstance(page, ChallengePage)
        assert page.list is None
        await pilot.press("t", *"66666", *"11", "enter")
        await press_until(pilot, "enter", lambda: page.view.prompt is None, "the end of its questions")
        before = done(play)
        await pilot.press("1", "1", "1", "1")
        assert done(play) == before, "the part is done: digits choose nobody until Enter goes on"
        assert "enter" in drawn(app).splitlines()[-2]


async def test_a_new_challenge_after_an_outcome_is_the_one_that_is_shown(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("C", "3", "5", "t", *"522", *"6321", "enter", "enter")
        page = play.page
        assert isinstance(page, ChallengePage)
        assert page.view.outcome is not None
        await pilot.press("enter", "n", *"A wall", "enter", "2", *"3", "enter")
        assert page.view.title == "A wall"
        assert page.choosing == "lead"
        assert "A wall: who leads?" in drawn(app)
        await pilot.press("1")
        assert done(play)[-1] == "lead"


@pytest.mark.parametrize("key", ["o1", "n"])
async def test_what_is_prepared_is_not_replaced_without_a_question(campaign: Path, key: str) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("C", "3", "5", "2")
        title = play.page.view.title  # type: ignore[attr-defined]
        await pilot.press(*key)
        if key == "n":
            await pilot.press(*"A wall", "enter", "2", *"3", "enter")
        assert isinstance(play.host.asked, Confirm)
        assert f"{title} is " in " ".join(drawn(app).split()), "the game's own question, or the screen's"
        await pilot.press("n")
        if key == "n":
            assert isinstance(play.host.asked, Form), "what was filled in is still there"
            assert play.host.asked.answers["name"] == "A wall"
            await pilot.press("enter")
        else:
            await pilot.press(*key)
        assert play.page.view.title == title  # type: ignore[attr-defined]
        await pilot.press("y")
        assert play.page.view.title != title  # type: ignore[attr-defined]


async def test_a_game_that_warns_of_nothing_is_asked_about_all_the_same(tmp_path: Path) -> None:
    table = OpenCampaign(copied(tmp_path, "ember-road")).table
    kinds = {tag_of(k): k for k in table.engine.actions}
    table.do(kinds["open"]("the-gate/hold"))
    assert dropped(table, kinds["open"]("the-gate/captain")) == "", "nobody leads: nothing is prepared"
    table.do(kinds["lead"]("mira", "Warding"))
    words = dropped(table, kinds["open"]("the-gate/captain"))
    assert words.startswith("Hold the gate is open: Mira leads")
    assert words.endswith("Drop it?")
    assert dropped(table, kinds["support"]("rook", "indirect")) == ""


async def test_a_half_typed_text_is_not_dropped_without_a_question(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("C", "n", *"A w", "escape")
        assert "Drop what you typed?" in drawn(app)
        await pilot.press("escape", *"all")
        assert isinstance(play.host.asked, Form)
        assert play.host.asked.field.text == "A wall"
        await pilot.press("escape", "y")
        assert play.host.asked is None
        await pilot.press("a", "escape")
        assert play.host.asked is None, "nothing was typed"


async def test_a_file_that_was_mended_shows_no_error_any_more(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    file = campaign / "characters" / "rook.toml"
    good = file.read_text()
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        file.write_text(good.replace("alpha = 8", 'alpha = "eight"'))
        await play.look_now()
        await pilot.pause()
        assert "rook.toml" in drawn(app)
        await pilot.press("down")
        assert "rook.toml" in drawn(app), "a key does not mend it"
        told = play.messages["files"].words
        assert " ".join(told.split()[-3:]) in " ".join(drawn(app).split()) or len(told) > 40, "the remedy is not cut"
        file.write_text(good)
        await play.look_now()
        await pilot.pause()
        assert "rook.toml" not in drawn(app)


async def test_coming_back_means_the_page_on_which_play_goes_on(tmp_path: Path) -> None:
    root = copied(tmp_path, "abbey-of-lynn")
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("D", "2", "1")
    again = TabletopApp(str(root))
    async with again.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        assert play.front == "contest"
        await pilot.press("T", "u")
        assert play.front == "contest", "what was undone was played there"


async def test_a_contest_that_is_fought_is_where_one_comes_back_to_though_the_table_could_begin_something(
    tmp_path: Path,
) -> None:
    root = copied(tmp_path, "cinder-pass")
    desk = OpenCampaign(root)
    playing.act(desk.table, "begin scene=1-the-ash-bridge")
    playing.act(desk.table, "contest", who="brann", against="Duke's pike 1", trait="Immovable")
    playing.act(desk.table, "accept", (2, 3))
    assert getattr(desk.table.view("table"), "prompt", None) is not None
    desk.close()
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        assert play.front == "contest"


async def test_a_follower_on_the_page_of_play_goes_along_and_another_stays(campaign: Path) -> None:
    OpenCampaign(campaign).close()
    app = TabletopApp(str(campaign), seat="Ana")
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        gm = OpenCampaign(campaign)
        kinds = {tag_of(k): k for k in gm.engine.actions}
        gm.table.do(kinds["open"]("the-gate/hold"))
        await play._look()
        assert play.front == "challenge"
        await pilot.press("P")
        gm.table.do(kinds["lead"]("mira", "Warding"))
        await play._look()
        assert play.front == "people"
        gm.close()


async def test_home_keeps_the_campaign_and_not_the_row(campaign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(campaign.parent)
    OpenCampaign(campaign).close()
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        home = app.screen
        assert isinstance(home, HomeScreen)
        assert home.list.here is not None
        assert home.list.here.value.path == campaign, "it begins with the one that was played last"
        assert "r watch" in drawn(app)
        shutil.copytree(SAMPLES / "cinder-pass", campaign.parent / "aaa")
        await home.survey()
        assert home.list.here is not None
        assert home.list.here.value.path == campaign


async def test_no_counter_is_left_out_in_silence(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    for width in (60, 80, 100, 140):
        async with app.run_test(size=(width, 24)) as pilot:
            play = await opened(pilot)
            row = drawn(app).splitlines()[1]
            shown = [c for c in play.page.counters() if c.name in row]
            missing = len(play.page.counters()) - len(shown)
            assert (f"+{missing}" in row) == bool(missing), row
            assert drawn(app).count("The pass closes") == ("The pass closes" in row), "in one place only"
        app = TabletopApp(str(campaign))


async def test_the_dice_of_a_dropped_form_are_asked_for_on_the_page_of_play(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("P", "space", *"attack", "enter")
        assert isinstance(play.host.asked, Form)
        footer = drawn(app).splitlines()[-1]
        assert "edit the file" not in footer, "a form's keys, not those of the page below it"


@pytest.mark.parametrize("seat", ["", "Ana"], ids=["gm", "seat"])
async def test_a_log_that_is_replaced_by_an_older_one_closes_the_table_and_says_so(campaign: Path, seat: str) -> None:
    desk = OpenCampaign(campaign)
    log, older = desk.log.path, desk.log.path.read_bytes()
    desk.do(next(k for k in desk.engine.actions if tag_of(k) == "note")("The bells ring"))
    desk.close()
    app = TabletopApp(str(campaign), seat=seat)
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        assert "READ-ONLY" not in drawn(app)
        beside = log.with_suffix(".part")
        beside.write_bytes(older)
        beside.replace(log)
        await play.look_now()
        await pilot.pause()
        assert ("READ-ONLY" in drawn(app)) == (not seat)
        assert ("Tell the GM" if seat else "Run tabletop doctor") in " ".join(drawn(app).split())
        assert (log.name in drawn(app)) == (not seat), "files are the GM's"
        await pilot.press("down", "g")
        assert play.host.asked is None, "no key offers what could not be saved"
        assert ("Tell the GM" if seat else "Run tabletop doctor") in " ".join(drawn(app).split()), "it stays in sight"


async def test_why_a_form_was_refused_stays_when_its_chances_come_late(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("T", "g")
        form = play.host.asked
        assert isinstance(form, Form)
        assert play.game.campaign is not None
        play.game.campaign.log.wrong = "the disk is gone"
        await pilot.press("enter")
        assert "read-only: the disk is gone" in form.wrong
        action = form.action()
        assert action is not None
        form.user.weigh(action, partial(form._weighed, action))  # as on a machine that is busy
        await settled(pilot)
        assert "read-only: the disk is gone" in form.wrong
        assert "read-only: the disk is" in drawn(app)
