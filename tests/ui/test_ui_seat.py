"""A player's seat: nothing secret is drawn there, no file is told of, and who looks on cannot do anything."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from ptys import Terminal
from waiting import drawn, opened, press_until

from tabletop_tui.cli import main
from tabletop_tui.rules import tag_of
from tabletop_tui.storage.log import sessions
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.asking.form import Form

SAMPLES = Path(__file__).parents[2] / "campaigns"
EVERY_KEY = ["enter", "ctrl+r", *"abcdefghijklmnoprstuvwxyz0123456789BRX=+-[]", "backspace", "delete"]


def copied(tmp_path: Path, name: str) -> Path:
    target = tmp_path / name
    shutil.copytree(SAMPLES / name, target, ignore=shutil.ignore_patterns("sessions", "now.toml", "played"))
    return target


@pytest.mark.parametrize(
    ("name", "player", "secrets"),
    [
        ("ember-road", "Ana", ["Ash reaver", "Cinder priest", "bridge ogre", "The Ash King"]),
        ("cinder-pass", "Iris", ["Cinder drake", "Furnace golem", "Odrun", "change sides", "Slag imp"]),
        ("abbey-of-lynn", "Cleo", ["Prior Hugh", "The porter", "forger"]),
        ("fen-lanterns", "Caro", ["Mire thief", "drowned keeper", "Reeve"]),
    ],
)
async def test_nothing_that_is_prepared_is_drawn_and_no_key_does_anything(
    tmp_path: Path, name: str, player: str, secrets: list[str]
) -> None:
    root = copied(tmp_path, name)
    with (root / "campaign.toml").open("a") as main:
        main.write('\n[table]\nplayers = "look"\n')
    OpenCampaign(root).close()
    (log,) = sessions(root)
    before = log.read_bytes()
    app = TabletopApp(str(root), seat=player)
    async with app.run_test(size=(120, 40)) as pilot:
        play = await opened(pilot)
        assert f"{player}'s seat" in drawn(app)
        for page in "TCDPLS":
            await pilot.press(page)
            for key in EVERY_KEY if page in "TCD" else ["down", "e", "a", "c", "x", "enter"]:
                await pilot.press(key)
                assert play.host.asked is None, (page, key)
            shown = drawn(app)
            for words in secrets:
                assert words not in shown, (page, words)
    assert log.read_bytes() == before


async def test_a_seat_neither_tells_of_the_gms_files_nor_logs_what_was_changed_in_them(tmp_path: Path) -> None:
    root = copied(tmp_path, "ember-road")
    OpenCampaign(root).close()
    app = TabletopApp(str(root), seat="Ana")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        play = await opened(pilot)
        scene = root / "scenes" / "the-bridge.toml"
        scene.write_text(scene.read_text().replace('secret = "', 'secret = "Hush: '))
        (root / "characters" / "ogre.toml").write_text("name = 3")
        await play.look_now()
        await pilot.pause()
        assert "Hush" not in drawn(app)
        assert "ogre.toml" not in drawn(app)
        assert play.game.table.timeline.last == 0
    desk = OpenCampaign(root)
    assert not desk.table.timeline.entries
    desk.close()


async def test_a_foe_who_is_up_keeps_its_pool_and_chances_from_the_players(tmp_path: Path) -> None:
    root = copied(tmp_path, "cinder-pass")
    assert main(["act", str(root), "begin", "scene=1-the-ash-bridge", "first=foes"]) == 0
    assert main(["act", str(root), "next", "who=Ash runner 1"]) == 0
    gm, seat = TabletopApp(str(root)), TabletopApp(str(root), seat="Iris")
    for app, sees in ((gm, True), (seat, False)):
        async with app.run_test(size=(120, 40)) as pilot:
            await opened(pilot)
            await app.workers.wait_for_complete()
            await pilot.pause()
            assert ("Climb" in drawn(app)) == sees
            assert "Ash runner 1" in drawn(app)


@pytest.mark.parametrize("seat", ["Anna", "  ", "mira"])
async def test_a_seat_that_no_sheet_names_is_refused(tmp_path: Path, seat: str) -> None:
    root = copied(tmp_path, "ember-road")
    OpenCampaign(root).close()
    app = TabletopApp(str(root), seat=seat)
    async with app.run_test(size=(80, 24)):
        await app.workers.wait_for_complete()
    assert app.return_code == 1
    assert "nobody here is played by" in app.parting or "a seat needs the name of a player" in app.parting
    assert "Ana" in app.parting


async def test_a_seat_is_spelled_as_its_sheet_spells_it(tmp_path: Path) -> None:
    root = copied(tmp_path, "ember-road")
    OpenCampaign(root).close()
    app = TabletopApp(str(root), seat="ana ")
    async with app.run_test(size=(80, 24)) as pilot:
        assert (await opened(pilot)).game.table.seat == "Ana"


@pytest.mark.parametrize("target", ["", "campaigns"])
async def test_a_seat_has_no_home(tmp_path: Path, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    copied(tmp_path / "campaigns", "ember-road")
    app = TabletopApp(target and str(tmp_path / target), seat="Ana")
    async with app.run_test(size=(80, 24)):
        await app.workers.wait_for_complete()
    assert app.return_code == 1
    assert "one campaign's table" in app.parting


def everything_in(*places: Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for place in places for p in sorted(place.rglob("*")) if p.is_file()}


@pytest.mark.parametrize("replayed", [False, True], ids=["play", "replay"])
def test_leaving_a_seat_ends_the_program_and_nothing_was_written(
    tmp_path: Path, terminal: Callable[..., Terminal], replayed: bool
) -> None:
    root = copied(tmp_path, "ember-road")
    desk = OpenCampaign(root)
    desk.table.do(next(k for k in desk.engine.actions if tag_of(k) == "note")("The bells ring"))
    desk.close()
    (log,) = sessions(root)
    (root / "characters" / "odo.toml").write_text("name = 3")
    before = everything_in(tmp_path)
    one = terminal(*(["replay", str(log)] if replayed else ["play", str(root)]), "--seat", "Ana")
    one.sees("Ana's seat")
    # what-if, keep, export, new, samples, files: none of them exists here
    one.send("Hwf=BTSecxnTf")
    one.send("\x10")  # ctrl+p
    one.sees("Type to find")
    one.send("program")
    one.sees("dice workbench")
    assert "redo" not in one.text()
    one.send("\x1b")
    one.until(lambda: "Type to find" not in one.text(), "the list has gone")
    one.send("q")
    one.until(lambda: one.status is not None, "the end")
    assert one.status == 0
    assert everything_in(tmp_path) == before
    for word in (b"odo.toml", b"campaigns", b"Cinder Pass"):
        assert word not in one.raw


def test_a_seat_at_a_campaign_that_was_not_played_yet_begins_nothing(
    tmp_path: Path, terminal: Callable[..., Terminal]
) -> None:
    root = copied(tmp_path, "ember-road")
    before = everything_in(tmp_path)
    one = terminal("play", str(root), "--seat", "Ana")
    one.until(lambda: one.status is not None, "the end")
    assert one.status == 1
    assert "ember-road: no session has been played yet. The GM begins the first" in one.raw.decode()
    assert str(tmp_path) not in one.raw.decode()
    assert everything_in(tmp_path) == before


@pytest.mark.parametrize(
    ("seat", "told"),
    [([], "was begun elsewhere: the table is in it now"), (["--seat", "Ana"], "A new session has begun.")],
    ids=["gm", "seat"],
)
def test_an_open_screen_follows_a_session_begun_in_another_shell_and_says_so(
    tmp_path: Path, terminal: Callable[..., Terminal], seat: list[str], told: str
) -> None:
    root = copied(tmp_path, "ember-road")
    OpenCampaign(root).close()
    one = terminal("play", str(root), *seat, size=(120, 30))
    one.sees("? help")
    assert main(["session", str(root)]) == 0
    one.sees(told)
    assert main(["act", str(root), "note", "text=The bells ring"]) == 0
    one.send("L")
    one.sees("The bells ring")
    assert len(sessions(root)) == 2


async def test_a_form_with_many_fields_keeps_its_chances_in_sight_and_reaches_every_field(tmp_path: Path) -> None:
    root = copied(tmp_path, "abbey-of-lynn")
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("T", "e")
        await app.workers.wait_for_complete()
        await pilot.pause()
        shown = drawn(app)
        assert "success" in shown
        assert "type dice" in shown
        form = play.host.asked
        assert isinstance(form, Form)
        assert len(form.fields) > 9
        await press_until(pilot, "down", lambda: form.line is form.fields[-1], "the last field")
        await pilot.press(*"her voice")
        assert "her voice" in drawn(app)
        assert "success" in drawn(app)


async def test_a_seat_that_may_not_take_something_back_asks_for_it(tmp_path: Path) -> None:
    root = copied(tmp_path, "ember-road")
    gm = OpenCampaign(root)
    kinds = {tag_of(kind): kind for kind in gm.engine.actions}
    ana = OpenCampaign(root, seat="Ana")
    ana.do(kinds["note"](text="hm"))
    ana.close()
    gm.look()
    gm.do(kinds["hurt"](who="mira", points=1))
    app = TabletopApp(str(root), seat="Ana")
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        await pilot.press("u")
        gm.look()
        assert [asked.words for asked in gm.table.proposals()] == ["take back: hm"]
        assert play.game.table.timeline.head == 2, "nothing has moved yet"
    gm.close()
