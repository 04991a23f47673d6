"""What the screen says is so: answers with the chance of what they lead to, what is open, where a choice waits."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import playing
import pytest
from textual.pilot import Pilot
from waiting import drawn, opened, press_until, until

from tabletop_tui.rules import parse, tag_of
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.asking.form import Form
from tabletop_tui.ui.asking.host import Confirm
from tabletop_tui.ui.pages.table import TablePage
from tabletop_tui.ui.screens.play import PlayScreen

SAMPLES = Path(__file__).parents[2] / "campaigns"


def done(play: PlayScreen) -> list[str]:
    return [tag_of(type(e.action)) for e in play.game.table.timeline.entries]


def table_page(play: PlayScreen) -> TablePage:
    page = play.pages["table"]
    assert isinstance(page, TablePage)
    return page


async def settled(pilot: Pilot[None]) -> None:
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def test_the_chance_beside_the_gms_reroll_says_what_it_is_of(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter", "2", "1", "3", "t", *"61111113", "enter")  # preparing gives the GM points
        await settled(pilot)
        row = next((one for one in drawn(app).splitlines() if "GM: 1 point rerolls" in one), "")
        assert re.search(r"17 %  reduced complications", row), "success has the other 83"


async def test_giving_up_a_complex_test_asks_first(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("C", "enter", "enter", "g")
        assert isinstance(play.host.asked, Confirm)
        assert "Give it up?" in drawn(app)
        await pilot.press("n")
        assert "give_up" not in done(play)
        await pilot.press("g", "y")
        assert done(play)[-1] == "give_up"


@pytest.mark.parametrize("keys", [("S", "1"), ("C", "o", "1")], ids=["scene", "list"])
async def test_what_is_open_is_gone_to_and_not_begun_again(campaign: Path, keys: tuple[str, ...]) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("S", "enter", "1", "enter", "2")
        before = done(play)
        await pilot.press(*keys)
        assert play.host.asked is None
        assert play.front == "challenge"
        assert done(play) == before
        assert play.game.world.now.challenge.supports, "nobody's help is lost"


async def test_the_cursor_stays_with_whoever_helps_while_another_challenge_is_looked_at(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("S", "enter", "1", "enter", "2", "down")
        row = next(one for one in drawn(app).splitlines() if one.startswith("▸"))
        await pilot.press("o", "2", "n")
        assert done(play)[-1] == "support"
        assert row.split()[0] in [one.split()[0] for one in drawn(app).splitlines() if one.startswith("▸")]


async def test_a_choice_is_shown_on_the_page_of_its_dice_wherever_it_was_accepted(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("S", "enter", "1", "enter")
        ben = OpenCampaign(campaign, seat="Ben")
        attack = next(k for k in ben.engine.actions if tag_of(k) == "attack")
        ben.propose(attack, {"who": "rook", "skill": "Shooting", "against": "mira"})
        ben.close()
        await play.look_now()
        await pilot.press("y")
        await settled(pilot)
        assert play.front == "table"
        assert "let it count" in drawn(app)


async def test_the_three_answers_stay_beside_a_long_question(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        ben = OpenCampaign(campaign, seat="Ben")
        oppose = next(k for k in ben.engine.actions if tag_of(k) == "oppose")
        ben.propose(oppose, {"who": "rook", "skill": "Shooting", "against": "odo"})
        ben.close()
        await play.look_now()
        await pilot.pause()
        band = drawn(app).splitlines()[-2]
        assert all(words in band for words in ("Ben asks: opposed roll", "y  yes", "N  no", "A  look")), band


async def test_a_file_that_says_what_was_undone_is_put_back_after_coming_back_too(campaign: Path) -> None:
    file = campaign / "characters" / "rook.toml"
    good = file.read_text()
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        file.write_text(good.replace("alpha = 8", "alpha = 3"))
        await play.look_now()
        await pilot.press("u")
    again = TabletopApp(str(campaign))
    async with again.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await until(pilot, lambda: play.files.pending, "what can be put back")
        await pilot.press("B", "1")
        await until(pilot, lambda: not play.files.pending, "a file that was put back")
    assert file.read_text() == good


async def test_a_seat_is_told_that_the_gm_rolls_a_contest(abbey: Path) -> None:
    gm = OpenCampaign(abbey)
    gm.do(parse(next(k for k in gm.engine.actions if tag_of(k) == "scene"), {"scene": "the-parlour"}))
    gm.close()
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "1", "enter")
        seat = TabletopApp(str(abbey), seat="Ana")
    async with seat.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await press_until(pilot, "D", lambda: play.front == "contest", "the contest")
        await pilot.press("r")
        assert "open a contest first" not in drawn(seat)
        assert "the GM's" in drawn(seat)


async def test_esc_shows_everybody_again_after_a_filter(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("P", "slash", *"zz", "enter")
        assert "Nobody of that name" in drawn(app)
        assert "esc all" in drawn(app)
        await pilot.press("escape")
        assert "Rook" in drawn(app)


async def test_whom_players_do_not_see_has_the_sign_on_the_smallest_screen(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(60, 20)) as pilot:
        await opened(pilot)
        await pilot.press("T")
        rows = [one[:24] for one in drawn(app).splitlines() if "◆" in one]
        assert rows
        assert all(one.rstrip().endswith("~") for one in rows), rows


async def test_in_a_contest_the_digits_are_for_whom_the_band_asks_about(tmp_path: Path) -> None:
    root = tmp_path / "salt-road"
    shutil.copytree(SAMPLES / root.name, root, ignore=shutil.ignore_patterns("sessions", "now.toml"))
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("D", "1", "enter")
        await settled(pilot)
        band = drawn(app).splitlines()[-2]
        assert "The salt-mother" in band
        await pilot.press("1")
        sides = play.game.world.now.contest.sides
        assert next(side.stat for side in sides.values()) == "strange", "Vesna keeps what was chosen for her"
        assert all(side.stat for side in sides.values())


async def test_whoever_the_cursor_was_put_on_is_meant_though_they_are_no_foe(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        playing.act(play.game.table, "begin who=rook,mira,reaver")
        play.changed()
        await pilot.press("T")
        await settled(pilot)
        assert "enter attack Ash reaver" in drawn(app), "before anybody has pointed, the first foe"
        await press_until(pilot, "up", lambda: "attack Mira" in drawn(app), "the ally under the cursor")
        await pilot.press("enter")
        assert "Rook: attack Mira" in drawn(app)


async def test_a_seat_rolls_nothing_for_whoever_else_is_up(tmp_path: Path) -> None:
    root = tmp_path / "cinder-pass"
    shutil.copytree(SAMPLES / root.name, root, ignore=shutil.ignore_patterns("sessions", "now.toml"))
    gm = OpenCampaign(root)
    begin = next(k for k in gm.engine.actions if tag_of(k) == "begin")
    gm.do(parse(begin, {"scene": "1-the-ash-bridge"}), (4, 4, 4, 1, 1, 1), roll=False)
    playing.act(gm.table, "next who=brann")
    gm.close()
    app = TabletopApp(str(root), seat="Marek")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        band = drawn(app).splitlines()[-2]
        assert "Brann Holloway is up" in band
        assert "roll" not in band


async def test_a_large_screen_shows_every_other_lead_with_the_chance_that_the_list_has(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(140, 45)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter", "1", "enter", "2")
        await settled(pilot)
        rows = drawn(app).splitlines()
        first = next(i for i, row in enumerate(rows) if "with another Lead" in row) + 1
        told = [re.search(r"^ (.*?) +(<?\d+ %)", row) for row in rows[first : first + 7]]
        assert all(told), rows
        assert "leads now" in rows[first]
        assert any("what it will mean" in row for row in rows)
        await pilot.press("l")
        await settled(pilot)
        listed = drawn(app)
        for found in filter(None, told):
            assert re.search(rf"{re.escape(found[1])} +(leads already +)?{re.escape(found[2])}", listed), found[0]


async def test_what_a_challenge_will_mean_is_not_on_a_players_screen(campaign: Path) -> None:
    gm = TabletopApp(str(campaign))
    async with gm.run_test(size=(140, 45)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter", "1", "enter")
    seat = TabletopApp(str(campaign), seat="Ana")
    async with seat.run_test(size=(140, 45)) as pilot:
        await opened(pilot)
        await settled(pilot)
        assert "Hold the gate" in drawn(seat)
        assert "what it will mean" not in drawn(seat)


async def test_a_small_screen_shows_what_help_is_worth_and_no_half_words(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(60, 20)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter", "1", "enter")
        await settled(pilot)
        rows = drawn(app).splitlines()
        first = next(i for i, row in enumerate(rows) if "who helps how" in row) + 2
        helpers = [row for row in rows[first : first + 4] if re.search(r"[+−±]\d", row)]
        assert len(helpers) == 4
        assert not any("…" in row and "Re" in row for row in helpers)


async def test_a_roll_that_waits_says_what_it_will_do_above_its_answers(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        desk = play.game.table
        kinds = {tag_of(k): k for k in desk.engine.actions}
        desk.do(kinds["attack"]("mira", "Warding", "reaver", "Spear"), (3, 3, 3, 1, 1, 1), roll=False)
        await play.look_now()
        await pilot.press("T")
        await settled(pilot)
        rows = drawn(app).splitlines()
        told = next(i for i, row in enumerate(rows) if "✓ MIRA WINS BY 2" in row)
        assert "10 damage: HP 20 → 10" in "".join(rows[told : told + 2])
        assert any("before it counts ━" in row for row in rows[told + 1 : told + 3])
        await pilot.press("enter")
        assert play.game.world.now.people["reaver"].hp == 10


async def test_a_remark_gives_way_before_the_number_behind_it(tmp_path: Path) -> None:
    root = tmp_path / "broken-causeway"
    shutil.copytree(SAMPLES / root.name, root, ignore=shutil.ignore_patterns("sessions", "now.toml"))
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("C", "enter", "enter")
        await settled(pilot)
        row = next(row for row in drawn(app).splitlines() if " d Disadvantage" in row)
        assert re.search(r"−\d+ % *$", row), row


async def test_the_table_names_an_open_challenge_and_enter_goes_on_with_it(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("S", "enter", "1", "enter", "T")
        await settled(pilot)
        assert "Hold the gate is open" in drawn(app).splitlines()[-2]
        assert re.search(r"↵ +Hold the gate +challenge · open", drawn(app))
        await pilot.press("enter")
        assert play.front == "challenge"


async def test_while_nobody_is_up_the_hero_under_the_cursor_is_the_one_who_attacks(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("S", "enter", "T", "down")
        await settled(pilot)
        assert "Mira → Ash reaver" in drawn(app)
        await pilot.press("a")
        await settled(pilot)
        form = play.host.asked
        assert isinstance(form, Form)
        assert (form.answers["who"], form.answers["against"]) == ("mira", "reaver")


async def test_the_stage_follows_whoever_is_to_be_hurt(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("S", "down", "enter", "T", "g", "enter")
        await settled(pilot)
        await pilot.press("e", "up")
        await settled(pilot)
        band = drawn(app).splitlines()[-2]
        who = play.game.world.name(play.page.under)  # type: ignore[attr-defined]
        assert f"Hurt {who}" in band
        assert f"attack {who} ─" in drawn(app)


async def test_copies_are_counted_where_more_can_be_added(tmp_path: Path) -> None:
    root = tmp_path / "cinder-pass"
    shutil.copytree(SAMPLES / root.name, root, ignore=shutil.ignore_patterns("sessions", "now.toml"))
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "1", "T", "plus")
        await settled(pilot)
        assert re.search(r"Ash runner +4 in the order", drawn(app))
        assert re.search(r"Cinder drake +in the order", drawn(app))


async def test_what_has_no_target_is_done_by_the_hero_under_the_cursor(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("1", "T", "down", "down")
        who = table_page(play).under
        await pilot.press("e")
        assert isinstance(play.host.asked, Form)
        assert play.host.asked.answers["who"] == who


async def test_a_point_without_a_key_is_found_by_its_name_and_put_in(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("C", "enter", "enter")
        await settled(pilot)
        assert re.search(r" space \d more", drawn(app))
        await pilot.press("space", *"drama point, 1", "enter")
        assert done(play)[-1] == "put_in"


async def test_where_helpers_are_options_nobody_is_told_that_there_are_none(tmp_path: Path) -> None:
    root = shutil.copytree(SAMPLES / "lamplighters", tmp_path / "lamplighters")
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("S", "enter", "1", "enter")
        await settled(pilot)
        assert "nobody can help" not in drawn(app)
        assert "f Assist: Quill" in drawn(app)
        await pilot.press("f")
        assert done(play)[-1] == "use_before"


async def test_an_empty_answer_is_asked_for_however_long_the_question_is(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("1", "T", "p", "enter")
        assert "please type something" in drawn(app)
        await pilot.press("x")
        assert "please type something" not in drawn(app)


async def test_undo_names_what_it_took_back_and_not_its_first_side_effect(abbey: Path) -> None:
    app = TabletopApp(str(abbey))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("S", "enter", "1", "enter", "t", *"5532115444111", "enter")
        await pilot.press("u")
        assert play.game.table.timeline.entries[-1].said == ("Undone: Joan wins by 1",)


async def test_whoever_is_aimed_at_stands_again_after_undo(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("S", "enter", "3", "t", *"4333222211111", "enter", "n", "n")
        table = table_page(play)
        aimed = table.under
        await pilot.press("1", "t", *"6611155", "enter", "enter", "n", "u", "u", "u")
        assert (table.up, table.under) == ("tam", aimed)


async def test_the_log_tells_entries_whole_while_there_is_room(tmp_path: Path) -> None:
    root = shutil.copytree(SAMPLES / "lamplighters", tmp_path / "lamplighters")
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "enter", "1", "enter", "b", "t", *"1233325", "enter", "1", "L")
        assert "Over the rooftops: won" in drawn(app)
