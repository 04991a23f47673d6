"""The scene page: read it, set it, open what it has ready, and go on to the next."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from waiting import drawn, opened

from tabletop_tui.kit.scenes import in_order
from tabletop_tui.session import Table
from tabletop_tui.session.scenes import look_at, scene_rows
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.pages.scene import ScenePage
from tabletop_tui.ui.panels.card import NameList
from tabletop_tui.ui.panels.panel import Panel
from tabletop_tui.ui.panels.roster import Roster
from tabletop_tui.ui.panels.scene import ScenePeople
from tabletop_tui.ui.screens.play import PlayScreen

SAMPLES = Path(__file__).parents[2] / "campaigns"


def screen_of(app: TabletopApp) -> PlayScreen:
    found = app.screen
    assert isinstance(found, PlayScreen)
    return found


def table_of(app: TabletopApp) -> Table:
    return screen_of(app).game.table


def page_of(app: TabletopApp) -> ScenePage:
    page = screen_of(app).page
    assert isinstance(page, ScenePage)
    return page


def text_of(app: TabletopApp) -> str:
    page = page_of(app)
    return "\n".join(c.plain for panel in (page.people, page.panel) for c in panel.lines(panel.size.width))


async def test_a_foe_is_added_to_the_scene_under_the_cursor(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter", "down", "plus", *"reaver", "enter")
        world = table_of(app).world
        assert world.now.scene == "the-gate"
        assert world.scenes["the-bridge"].cast == ("ogre", "reaver"), "not the scene that is on"
        assert 'cast = ["ogre", "reaver"]' in (campaign / "scenes/the-bridge.toml").read_text()
        assert "Ash reaver" in text_of(app)


async def test_somebody_new_who_is_added_on_the_scene_page_is_in_that_scene(campaign: Path) -> None:
    before = {p: p.read_bytes() for p in campaign.rglob("*.toml")}
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "down", "plus", *"npc", "enter", *"Wolf", "enter")
        world = table_of(app).world
        assert world.scenes["the-bridge"].cast == ("ogre", "wolf")
        assert world.name("wolf") == "Wolf"
        await pilot.press("u")
        assert table_of(app).world.scenes["the-bridge"].cast == ("ogre",)
    assert {p: p.read_bytes() for p in campaign.rglob("*.toml") if p.name != "now.toml"} == before


async def test_a_scene_is_read_set_and_its_challenge_opened_with_one_key_each(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S")
        shown = text_of(app)
        assert "read aloud" in shown
        assert "only you" in shown
        assert "The gate at Lynn" in shown
        assert table_of(app).world.now.scene == ""
        await pilot.press("enter")
        assert table_of(app).world.now.scene == "the-gate"
        assert screen_of(app).front == "scene"
        await pilot.press("1")
        assert table_of(app).world.now.challenge.plan.name == "Hold the gate"
        assert screen_of(app).front == "challenge"


async def test_looking_at_another_scene_does_not_set_it(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter", "down")
        assert page_of(app).cursor == "the-bridge"
        assert "The bridge ogre" in text_of(app)
        assert table_of(app).world.now.scene == "the-gate"
        assert screen_of(app).said().text == "Set The bridge?"


async def test_a_digit_goes_to_the_scene_that_could_come_next(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter")
        look = look_at(table_of(app), "the-gate")
        assert look is not None
        assert [row.id for row in look.next] == ["the-bridge"]
        await pilot.press(str(len(look.ready) + 1))
        assert table_of(app).world.now.scene == "the-bridge"
        assert [row.state for row in scene_rows(table_of(app))] == ["been", "here", ""]


async def test_another_scene_is_set_only_after_a_question_while_a_challenge_is_open(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter", "1", "S", "down", "enter")
        assert table_of(app).world.now.scene == "the-gate"
        asked = screen_of(app).host.asked
        assert asked is not None
        await pilot.press("escape")
        assert table_of(app).world.now.scene == "the-gate"


async def test_what_was_played_says_how_it_came_out_and_undo_forgets_it(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter", "1")
        look = look_at(table_of(app), "the-gate")
        assert look is not None
        assert look.ready[0].state == "open"
        await pilot.press("1", "r")
        for _ in range(10):  # whatever the dice ask
            if table_of(app).world.now.challenge.outcome:
                break
            await pilot.press("enter")
        look = look_at(table_of(app), "the-gate")
        assert look is not None
        assert look.ready[0].state == "done"
        assert look.ready[0].how
        table = table_of(app)
        first = table.timeline.past()[1]
        table.undo(first)
        again = look_at(table, "the-gate")
        assert again is not None
        assert again.ready[0].state == ""


@pytest.mark.parametrize("sample", ["cinder-pass", "abbey-of-lynn", "fen-lanterns"])
async def test_every_game_has_its_scene_ready_by_a_digit(tmp_path: Path, sample: str) -> None:
    target = tmp_path / sample
    shutil.copytree(SAMPLES / sample, target, ignore=shutil.ignore_patterns("sessions", "now.toml"))
    app = TabletopApp(str(target))
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter")
        table = table_of(app)
        scene = table.world.now.scene
        assert scene == in_order(table.world)[0]
        look = look_at(table, scene)
        assert look is not None
        digit = next(i for i, r in enumerate(look.ready, 1) if not r.prepared.closed)
        before = table.last
        await pilot.press(str(digit), "enter")
        assert table.last > before
        assert [r.state for r in (look_at(table, scene) or look).ready][digit - 1] == "open"


async def test_a_fight_begun_from_the_scene_goes_on_at_the_table(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter", "3", "enter")
        assert table_of(app).world.now.turns.running
        assert table_of(app).timeline.entries[-1].dice, "they rolled for their turns"
        assert screen_of(app).front == "table"
        assert "reaver" in table_of(app).world.now.turns.order


async def test_a_note_that_is_written_from_the_scene_is_for_the_gm_alone(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "k")
        assert "Note for you alone" in drawn(app)
        await pilot.press(*"Anvil", "enter")
        assert table_of(app).timeline.entries[-1].said == ()
        assert table_of(app).timeline.entries[-1].whispered == ("Anvil",)
        assert "~ Anvil" in text_of(app)


async def test_a_page_says_where_an_answer_is_waited_for_and_enter_goes_there(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter", "T", "a", "enter")
        assert table_of(app).world.now.roll is not None
        for page in ("S", "C"):
            await pilot.press(page)
            assert "The Table waits for an answer    enter go there" in drawn(app)
            await pilot.press("enter")
            assert screen_of(app).front == "table"


async def test_a_seat_has_no_scene_page(campaign: Path) -> None:
    OpenCampaign(campaign).close()
    app = TabletopApp(str(campaign), seat="Ana")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        assert "scene" not in screen_of(app).names
        await pilot.press("S")
        assert screen_of(app).front != "scene"


async def test_a_remark_about_somebody_who_is_here_is_whole_or_left_out(tmp_path: Path) -> None:
    root = tmp_path / "abbey-of-lynn"
    shutil.copytree(SAMPLES / "abbey-of-lynn", root, ignore=shutil.ignore_patterns("sessions"))
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S")
        (row,) = [row for row in text_of(app).splitlines() if "○ Prior Hu" in row]
        assert row.split() == ["○", "Prior", "Hugh", "~"], "the remark is dropped, the mark of what is hidden is not"


async def test_copies_of_somebody_in_the_scene_are_here_too_and_in_one_row(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter", "+", *"ash", "3", "enter")
        await pilot.pause()
        text = drawn(app)
        assert re.search(r"◆ Ash reaver ×4 +20 HP", text)
        assert re.search(r"3 fight +Ash reaver ×4 ", text)
        await pilot.press("T")
        here, _, rest = drawn(app).partition("elsewhere")
        assert "◆ Ash reaver ×4" in here
        assert "◆ Ash reaver" not in rest


async def test_a_scene_that_cannot_be_set_now_says_why_instead_of_asking(tmp_path: Path) -> None:
    sample = Path(__file__).parents[2] / "campaigns" / "cinder-pass"
    root = shutil.copytree(sample, tmp_path / "pass", ignore=shutil.ignore_patterns("sessions", "now.toml"))
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter", "C", "l", "enter", "enter")
        assert table_of(app).world.now.duel is not None
        await pilot.press("S", "down")
        band = drawn(app).splitlines()[-2]
        assert ": not now" in band
        assert "enter" not in band
        last = table_of(app).last
        await pilot.press("enter")
        assert (table_of(app).last, "✗ set: " in drawn(app)) == (last, True)


@pytest.mark.parametrize(("sample", "who"), [("abbey-of-lynn", "○ Prior Hugh"), ("ember-road", "◆ Ash reaver")])
async def test_somebody_has_one_sign_on_every_page_and_a_mark_where_players_do_not_see_them(
    tmp_path: Path, sample: str, who: str
) -> None:
    root = shutil.copytree(SAMPLES / sample, tmp_path / sample, ignore=shutil.ignore_patterns("sessions", "now.toml"))
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        tones = set()
        panels: dict[str, type[Panel[Any]]] = {"S": ScenePeople, "T": Roster, "P": NameList}
        for page, panel in panels.items():
            await pilot.press(page)
            await pilot.pause()
            left = app.screen.query_one(panel)
            row = next(one for one in left.lines(left.size.width) if who in one.plain)
            assert row.plain.rstrip().endswith("~"), page
            tones |= {str(span.style) for span in row.spans if row.plain[span.start : span.end].strip() == who[0]}
        assert len(tones) == 1, tones


async def test_what_is_prepared_keeps_its_room_on_a_small_terminal(tmp_path: Path) -> None:
    sample = SAMPLES / "cinder-pass"
    root = shutil.copytree(sample, tmp_path / "pass", ignore=shutil.ignore_patterns("sessions", "now.toml"))
    app = TabletopApp(str(root))
    async with app.run_test(size=(60, 20)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter")
        rows = drawn(app).splitlines()
        secret = next(row for row in rows if "and the rest leave." in row)
        assert secret.rstrip().endswith("…"), "what is told gives way, and says so"
        assert any("prepared here" in row for row in rows)
        assert re.search(r"1 encounter", rows[-2]), "the band has a short word for it"
        await pilot.press("1")
        assert table_of(app).last > 1


async def test_what_is_prepared_and_what_could_come_next_share_their_columns(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter")
        rows = [one.plain for one in page_of(app).panel.lines(52)]
        (first,) = [row.index("Hold the gate") for row in rows if "Hold the gate" in row]
        (after,) = [row.index("The bridge") for row in rows if "The bridge" in row]
        assert first == after


async def test_a_click_opens_the_row_that_it_is_on(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter")
        panel = page_of(app).panel
        at = next(y for y in range(panel.size.height) if "4 scene" in panel.render_line(y).text)
        await pilot.click(panel, offset=(4, at))
        assert table_of(app).world.now.scene == "the-bridge"
