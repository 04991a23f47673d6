"""What matters is said whole: a mark, a number or a reason that finds no room is left out whole, or goes on below."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from waiting import drawn, opened, settled, told

from tabletop_tui.cli import main
from tabletop_tui.rules import Counter, Face, Fact, Hand, Line, Party, Section, SheetView
from tabletop_tui.storage.user.paths import bundled
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.drawing.pools import hand_lines
from tabletop_tui.ui.panels.card import sheet_lines
from tabletop_tui.ui.panels.chances import ChancePanel, Extra, Hopes
from tabletop_tui.ui.panels.parties import party_lines
from tabletop_tui.ui.screens.home import HomeScreen

SAMPLES = Path(__file__).parents[2] / "campaigns"


def copied(name: str, folder: Path) -> str:
    skip = shutil.ignore_patterns("sessions", "now.toml", "played")
    return str(shutil.copytree(SAMPLES / name, folder / name, ignore=skip))


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 45)])
async def test_whom_players_do_not_see_is_marked_at_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    app = TabletopApp(copied("ember-road", tmp_path))
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await pilot.press("T")
        assert re.search(r"◆ The bridge ogre [^~\n]*~", drawn(app))


async def test_the_band_says_what_a_number_would_come_to(tmp_path: Path) -> None:
    app = TabletopApp(copied("ember-road", tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("T", "e", "7")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert re.search(r"Hurt Brother Odo: points 7.*HP 70 → 63", drawn(app))


async def test_why_something_cannot_be_done_now_is_said_whole_of_the_row_under_the_cursor(tmp_path: Path) -> None:
    app = TabletopApp(copied("ember-road", tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("T", "space", *"spend")
        stage = " ".join(row[35:].strip() for row in drawn(app).splitlines())
        assert "it costs 1 Complication Point and the GM has none" in stage


async def test_what_is_wrong_with_a_form_is_said_whole(tmp_path: Path) -> None:
    app = TabletopApp(copied("fen-lanterns", tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("T", "m", "up", "up", "up", "0")
        await app.workers.wait_for_complete()
        await pilot.pause()
        stage = " ".join(row[35:].strip() for row in drawn(app).splitlines())
        assert "✗ nothing changes for Sedge. Give a number, or leave it." in stage


def test_a_short_sheet_goes_on_below_where_its_numbers_find_no_room() -> None:
    meters = tuple(Counter(name=name, value=7, note="spent first of all") for name in ("HP", "temporary", "wounds"))
    armour = Section(title="shield and armour", lines=(Line(label="Wicker shield", value="defense 3 of 3"),))
    view = SheetView(title="Wren", counters=meters, sections=(armour,), facts=(Fact(text="a word " * 9),))
    shown = sheet_lines(view, 41, short=True)
    assert all(row.cell_length <= 41 for row in shown[:-1])
    text = "\n".join(row.plain for row in shown)
    for words in ("wounds 7 spent first of all", "Wicker shield defense 3 of 3"):
        assert words in text


def test_a_sheet_says_the_whole_reason_of_a_number() -> None:
    line = Line(label="Latin", value="3: 5 base + 1 resist", because="Mental 2 + Latin 3, and the hand is hurt")
    shown = sheet_lines(SheetView(title="Edmund", sections=(Section(title="skills", lines=(line,)),)), 46)
    assert all(row.cell_length <= 46 for row in shown)
    assert "Mental 2 + Latin 3, and the hand is hurt" in " ".join(row.plain.strip() for row in shown)


def test_whose_dice_they_are_is_not_cut_where_the_dice_leave_room() -> None:
    hand = Hand(
        who="drowned: The drowned keeper", faces=(Face(text="4", sides=8), Face(text="4", sides=8)), total="8"
    )
    (row,) = hand_lines([hand], set(), -1, 44)
    assert "drowned: The drowned keeper" in row.plain
    many = Hand(who=hand.who, faces=hand.faces * 8, total="8")
    assert "…" in hand_lines([many], set(), -1, 44)[0].plain, "dice come before the end of a long name"


async def test_what_the_footer_does_not_offer_comes_first_where_not_everything_fits() -> None:
    extras = tuple(Extra(key, f"extra {key or n}", False, "", "", "", n) for n, key in enumerate(("d", "g", "", "")))
    app = TabletopApp("")
    async with app.run_test(size=(80, 24)) as pilot:
        panel = ChancePanel()
        await app.screen.mount(panel)
        panel.styles.height = 3
        await pilot.pause()
        panel.show(Hopes(extras=extras))
        shown = [row.plain.strip() for row in panel.lines(40)[1:]]
        assert shown == ["· extra 2", "space 3 more: extra 3, extra d, extra g"]
        long = Extra("", "Drama Point, 1 of 2: +2 drama, with a connection", False, "", "", "+18", 0)
        panel.show(Hopes(extras=(long,)))
        assert panel.lines(40)[1].plain.endswith("…  +18 %"), "a number is not cut"


def test_of_several_remarks_those_that_fit_stand_whole() -> None:
    party = Party(id="hugh", name="Hugh", marks=("holds something back", "Composure 6 of 6", "tired"))
    shown, _ = party_lines(party, 30, 2, False, 0)
    assert shown[-1].plain.strip() == "holds something back · tired"


async def test_the_sample_under_the_cursor_says_its_whole_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two", "three"):
        shutil.copytree(bundled("campaigns") / "ember-road", tmp_path / "data/tabletop/campaigns" / name)
    app = TabletopApp("")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        await pilot.press("down", "down", "down")
        home = app.screen
        assert isinstance(home, HomeScreen)
        text = "\n".join(row.plain for row in home.panel.lines(80))
        assert "One hero leads, the others help: see what each way of helping adds." in text


async def test_a_sheet_offers_to_scroll_only_where_there_is_more_of_it(tmp_path: Path) -> None:
    app = TabletopApp(copied("ember-road", tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("P")
        await pilot.pause()
        assert "→ scroll" not in drawn(app)
        await pilot.resize_terminal(80, 16)
        await pilot.pause()
        assert "→ scroll" in drawn(app)


async def test_the_penalty_dice_of_the_gms_own_are_in_sight_beside_their_composure(tmp_path: Path) -> None:
    root = copied("abbey-of-lynn", tmp_path)
    for words in (("scene", "scene=the-parlour"), ("penalty", "who=hugh", "cause=cold", "dice=2")):
        assert main(["act", root, *words]) == 0
    app = TabletopApp(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("T")
        assert re.search(r"○ Prior Hugh +distracted 2", drawn(app))
        await pilot.resize_terminal(140, 45)
        await pilot.pause()
        assert re.search(r"○ Prior Hugh +distracted 2, Composure 6", drawn(app))


async def test_a_campaign_without_people_does_not_speak_of_a_name(tmp_path: Path) -> None:
    assert main(["new", "Bare", "--engine", "tiers", "--empty", "--into", str(tmp_path)]) == 0
    app = TabletopApp(str(tmp_path / "bare"))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("P")
        text = drawn(app)
        assert "Nobody is there yet" in text
        assert "of that name" not in text


async def test_what_could_happen_next_is_in_sight_below_dice_that_fell(tmp_path: Path) -> None:
    root = copied("ember-road", tmp_path)
    attack = ("attack", "who=rook", "skill=Shooting", "against=mira", "using=Dodge")
    for words in (("scene", "scene=the-gate"), ("--dice", "2,2,2,2,2,2,2", *attack), ("settle",)):
        assert main(["act", root, *words]) == 0
    app = TabletopApp(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("T")
        assert re.search(r"what could happen ─+ \n.* a  attack", drawn(app))


PAGES = {
    "a form": ("S", "down", "enter", "3", "enter", "a", "up"),
    "a scene": ("S", "enter"),
    "who leads": ("S", "enter", "1"),
    "who helps": ("S", "enter", "1", "enter"),
    "people": ("P",),
    "the log": ("L",),
}


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30)])
@pytest.mark.parametrize("page", PAGES)
async def test_several_messages_at_once_are_told_in_full(tmp_path: Path, page: str, size: tuple[int, int]) -> None:
    root = Path(copied("ember-road", tmp_path))
    app = TabletopApp(str(root))
    async with app.run_test(size=size) as pilot:
        screen = await opened(pilot)
        await pilot.press(*PAGES[page])
        for name, old, new in (("odo", "name =", "nam ="), ("rook", "name =", "nam ="), ("sefa", "[", "zzz = 3\n[")):
            file = root / "characters" / f"{name}.toml"
            file.write_text(file.read_text().replace(old, new, 1))
        await screen.look_now()
        assert "files" in screen.messages
        screen.tell("Rook: this cannot be done, and the reason is a long one. Choose somebody else.")
        await pilot.pause()
        stage = told(app)
        for said in screen.messages.values():
            assert said.words in stage
        assert page != "a form" or "▸who" in stage


async def test_every_choice_with_a_digit_is_in_sight_at_80x24(tmp_path: Path) -> None:
    app = TabletopApp(copied("ember-road", tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "down", "enter", "3", "enter", "a", "up")
        await settled(app, pilot)
        shown = re.findall(r"^.{36} +([1-9]) (\S.*?) *$", drawn(app), re.M)
        assert [digit for digit, _ in shown] == list("12345678")
        assert "hurts" in told(app), "and so are the chances"
