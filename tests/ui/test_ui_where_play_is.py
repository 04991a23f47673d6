"""Forms, stages and bands are about where play is: the sheet that is read, the scene that is on, the last word."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from textual.pilot import Pilot
from waiting import drawn, opened, until

from tabletop_tui.rules import tag_of
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.screens.play import PlayScreen

SAMPLES = Path(__file__).parents[2] / "campaigns"


def sample(name: str, tmp_path: Path) -> str:
    root = tmp_path / name
    shutil.copytree(SAMPLES / name, root, ignore=shutil.ignore_patterns("sessions", "now.toml"))
    return str(root)


def done(play: PlayScreen) -> list[str]:
    return [tag_of(type(e.action)) for e in play.game.table.timeline.entries]


async def settled(pilot: Pilot[None]) -> None:
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def stage(app: TabletopApp) -> str:
    """What stands beside the roster, above what happened."""
    return "\n".join(row[35:] for row in drawn(app).partition("what happened")[0].splitlines())


async def test_a_form_on_people_is_about_the_sheet_that_is_read(tmp_path: Path) -> None:
    app = TabletopApp(sample("fen-lanterns", tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("P", "down", "space", *"hurt", "enter")
        assert "Hurt Teal" in drawn(app)
        await pilot.press("3", "enter")
        assert play.game.world.now.people["teal"].hp == 7


async def test_nobody_of_another_scene_is_proposed_as_target(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("S", "enter", "T", "a", "enter", "enter")
        assert play.game.world.now.roll.second.who == "reaver", "of the scene that was on then"
        await pilot.press("S", "down", "enter", "T", "a")
        await settled(pilot)
        assert "against    The bridge ogre" in drawn(app)
        await pilot.press("enter")
        assert play.game.world.now.roll.second.who == "ogre"


@pytest.mark.parametrize(("name", "keys"), [("fen-lanterns", "a enter"), ("ember-road", "a enter enter")])
async def test_what_fell_in_another_scene_is_news_no_more(tmp_path: Path, name: str, keys: str) -> None:
    app = TabletopApp(sample(name, tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter", "T", *keys.split())
        await until(pilot, lambda: "dice ───" in stage(app), "the dice")
        await pilot.press("S", "down", "enter", "T")
        await settled(pilot)
        assert "dice ───" not in stage(app)
        await pilot.press("u")
        await until(pilot, lambda: "dice ───" in stage(app), "the dice again")


async def test_a_skill_rolled_after_an_attack_takes_it_from_the_stage_unless_it_is_secret(tmp_path: Path) -> None:
    app = TabletopApp(sample("fen-lanterns", tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("S", "enter", "T", "a", "enter")
        await until(pilot, lambda: "dice ───" in stage(app), "the dice")
        kind = next(k for k in play.game.table.engine.actions if tag_of(k) == "roll_skill")
        await play.attempt(kind("sedge", "notice", 0, True))
        await settled(pilot)
        assert "dice ───" in stage(app), "players would wonder"
        await play.attempt(kind("sedge", "notice"))
        await until(pilot, lambda: "dice ───" not in stage(app), "an empty stage")


async def test_enter_begins_no_other_scene(tmp_path: Path) -> None:
    app = TabletopApp(sample("cinder-pass", tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("S", "enter", "T", "enter", *"dydydydy", "enter")
        await until(pilot, lambda: not play.game.world.now.turns.running, "the end")
        before = done(play)
        await pilot.press("enter", "enter", "r")
        assert done(play) == before
        assert "b  begin The bell furnace" in drawn(app)


async def test_a_counter_at_its_end_is_not_moved_and_says_so(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        for _ in range(4):
            await pilot.press("full_stop", "3")
        assert done(play) == ["track"] * 3
        assert "Supplies is at its most already." in drawn(app)


async def test_how_it_came_out_is_cut_with_a_sign_above_the_scene(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("S", "down", "enter", "C", "enter", "3", "t", *"555555", "enter")
        for faces in ("33335555", "333355"):
            await settled(pilot)
            await pilot.press("C", "enter", "3", "t", *faces, "enter")
        await settled(pilot)
        assert play.game.world.now.complex.outcome == "partial"
        await pilot.press("C")
        await settled(pilot)
        assert "PARTIAL SUCCESS" in drawn(app)
        await pilot.press("T")
        await settled(pilot)
        assert "PARTIAL SUCCESS" in stage(app), "the same on both pages"
        words = stage(app).split()
        assert words[-1] == "…" or "locked at The third lock" in " ".join(words)


async def test_the_gms_word_is_read_over_what_a_player_asked_before(campaign: Path) -> None:
    gm = OpenCampaign(campaign)
    desk = OpenCampaign(campaign, seat="Ben")
    app = TabletopApp(str(campaign), "Ben")
    kinds = {tag_of(k): k for k in gm.engine.actions}
    gm.do(kinds["scene"]("the-gate"))
    desk.look()
    desk.propose(kinds["attack"], {"who": "rook", "skill": "Stealth", "against": "tam"})
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await until(pilot, lambda: "You asked: attack" in drawn(app), "what was asked")
        gm.look()
        gm.word("Ben", "you smell smoke", secret=True)
        await until(pilot, lambda: "▲ you smell smoke" in drawn(app), "the whisper in the band")
        await pilot.press("x")
        await until(pilot, lambda: "▲ you smell smoke" in drawn(app) and not gm.look().any, "the whisper still")
    gm.close()
    desk.close()


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 45)])
async def test_the_die_that_is_typed_next_is_in_sight(campaign: Path, size: tuple[int, int]) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter", "1", "enter", "t", "5")
        await settled(pilot)
        assert "_ of d" in drawn(app)
        await pilot.press("escape", "y")
        await settled(pilot)
        assert "nothing rolled yet" in drawn(app)
        if size == (140, 45):
            assert "with another Lead" in drawn(app), "there is room for it again"


@pytest.mark.parametrize(
    ("name", "keys", "lead", "others"),
    [
        ("ember-road", "C 3 5 1 t 6 5 2 6 3 6 1 enter", "HP 150/150", "HP 70/70"),
        ("abbey-of-lynn", "C 1 8 t 1 2 3 4 5 6 6 enter", "Ink on her cuffs", "Young, freckled"),
        ("broken-causeway", "C 1 1 t 1 5 enter", "A broken oath and a good axe.", "Prays to the drowned"),
    ],
)
async def test_the_leads_sheet_stands_beside_the_dice_after_a_restart(
    tmp_path: Path, name: str, keys: str, lead: str, others: str
) -> None:
    root = sample(name, tmp_path)
    app = TabletopApp(root)
    async with app.run_test(size=(140, 45)) as pilot:
        await opened(pilot)
        await pilot.press(*keys.split())
        await settled(pilot)
        before = drawn(app)
        assert lead in before
    app = TabletopApp(root)
    async with app.run_test(size=(140, 45)) as pilot:
        play = await opened(pilot)
        await settled(pilot)
        assert play.game.world.now.roll is not None
        assert lead in drawn(app)
        assert not others or others not in drawn(app)
        assert drawn(app).splitlines()[2:-2] == before.splitlines()[2:-2]


async def test_dice_are_drawn_in_boxes_from_thirty_rows_up(campaign: Path) -> None:
    for height, boxes in ((24, 0), (30, 7)):
        app = TabletopApp(str(campaign))
        async with app.run_test(size=(100, height)) as pilot:
            play = await opened(pilot)
            if height == 24:
                await pilot.press("C", "3", "5", *"t6526316", "enter")
            assert play.game.world.now.roll is not None
            text = drawn(app)
            assert text.count("┌") + text.count("┏") == boxes
            assert "SUCCESS" in text or "FAILURE" in text


async def test_a_list_of_leads_shows_their_chances_as_lines_and_whom_the_cursor_is_at(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(140, 45)) as pilot:
        await opened(pilot)
        await pilot.press("C", "3")
        await settled(pilot)
        row = next(row for row in drawn(app).splitlines() if "1 Sefa · Hammer beta 4" in row)
        assert "57 % ━━━━━━━━━━━━━━──────────  ★" in row
        assert "A river smith" in drawn(app)
        await pilot.press(*["down"] * 6)
        assert "A warden who stopped" in drawn(app), "Mira's own"
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(60, 20)) as pilot:
        await opened(pilot)
        await settled(pilot)
        row = next(row for row in drawn(app).splitlines() if "1 Sefa · Hammer beta 4" in row)
        assert "57 %" in row
