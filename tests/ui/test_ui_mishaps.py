"""What goes wrong outside ends no screen, and loses nothing that was typed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from playing import act, sure
from waiting import drawn, opened, told, until

from tabletop_tui.rules import TableError, tag_of
from tabletop_tui.storage.disk import Disk
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.storage.user.paths import bring_in, config_home, data_home, usual_places, write_starter
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.screens.home import HomeScreen

SAMPLES = Path(__file__).parents[2] / "campaigns"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    skip = shutil.ignore_patterns("sessions", "now.toml", "played")
    return Path(shutil.copytree(SAMPLES / "ember-road", tmp_path / "ember-road", ignore=skip))


class Full(Disk):
    """Without any room."""

    def write(self, fd: int, data: bytes) -> int:
        raise OSError(28, os.strerror(28))


MISTYPED = (
    ("scenes/the-gate.toml", "about = ", 'about = ["Rain", "torches"]\nwas = ', "S"),
    ("scenes/the-gate.toml", "cast = ", "cast = 5\nwas = ", "S"),
    ("scenes/the-gate.toml", "[challenges.", "challenges = 5\n[was.", "S"),
    ("characters/rook.toml", "player = ", 'player = ["Ben", "Bob"]\nwas = ', "P"),
)


@pytest.mark.parametrize(("file", "old", "new", "page"), MISTYPED)
async def test_a_file_with_a_value_of_the_wrong_kind_can_be_mended_in_its_form(
    root: Path, file: str, old: str, new: str, page: str
) -> None:
    path = root / file
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        path.write_text(path.read_text().replace(old, new, 1))
        await screen.look_now()
        await pilot.press(page, *(("slash", *"rook", "enter") if page == "P" else ()), "E")
        await until(pilot, lambda: path.name in drawn(app), "its form")
        for _ in range(14):  # each row opens, or asks, and is left again
            await pilot.press("enter")
            await pilot.press("escape")
            if path.name not in drawn(app):
                await pilot.press("E")
            await pilot.press("down")


async def test_help_is_readable_in_a_terminal_of_twenty_columns(root: Path) -> None:
    app = TabletopApp(str(root))
    async with app.run_test(size=(20, 5)) as pilot:
        await opened(pilot)
        await pilot.press("f1")
        assert "keys" in drawn(app)


async def test_home_has_more_to_say_than_there_are_rows(root: Path) -> None:
    config_home().mkdir(parents=True)
    (config_home() / "config.toml").write_text('theme="x"\nfoo=1\nbar=2\nbaz=4\n[keys]\nundo="zz"\n')
    app = TabletopApp("")
    async with app.run_test(size=(20, 5)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen) and app.screen.list.picks, "the list")
        for key in ("up", "up", "down", "end", "home"):
            await pilot.press(key)


def test_folders_that_are_gone_or_lead_nowhere_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = tmp_path / "there"
    there.mkdir()
    monkeypatch.chdir(there)
    (there / "campaigns").symlink_to(there / "campaigns")
    assert there in usual_places()
    (there / "campaigns").unlink()
    there.rmdir()
    assert usual_places() == [data_home() / "campaigns"]


def test_a_new_campaign_is_there_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "own" / "foo"
    files = {"campaign.toml": '[campaign]\nformat = 2\nengine = "tiers"\n', "../../../evil.toml": ""}
    with pytest.raises(TableError):
        write_starter(files, "Foo", target)
    assert list(target.parent.iterdir()) == []
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(TableError, match=r"it cannot be written: .*Make room or mend the disk"):
        write_starter(files, "Foo", tmp_path / "file" / "foo")
    with pytest.raises(TableError, match="it cannot be written"):
        bring_in(SAMPLES / "ember-road", tmp_path / "file")


async def test_a_text_that_cannot_be_saved_is_asked_for_again_as_it_stood(root: Path) -> None:
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        log = sure(screen.game.campaign).log
        await pilot.press("T", "e", "3", "enter", "L", "m")
        log.disk = Full()
        await pilot.press(*"ford", "enter")
        await until(pilot, lambda: "Make room or mend the disk" in " ".join(drawn(app).split()), "the reason")
        assert "ford▏" in drawn(app)
        log.disk = Disk()
        await pilot.press("enter")
        await until(pilot, lambda: "ford▏" not in drawn(app), "the answer")
        assert screen.game.table.timeline.names[1][0] == "ford"


async def test_a_place_for_an_export_that_is_not_there_is_asked_for_again(root: Path, tmp_path: Path) -> None:
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("L", "o", "1", "1")
        names = {"/": "slash", ".": "full_stop"}
        await pilot.press("ctrl+u", *(names.get(c, c) for c in "/no/where.md"), "enter")
        await until(pilot, lambda: "Make the folder first" in told(app), "the reason")
        assert screen.host.asked is not None
        assert "where.md▏" in drawn(app)


async def test_a_no_goes_to_whoever_asked(root: Path) -> None:
    gm = OpenCampaign(root)
    act(gm.table, "note text=begun")
    ana, ben = (OpenCampaign(root, seat=name) for name in ("Ana", "Ben"))
    app = TabletopApp(str(root))
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await opened(pilot)
        for seat, words in ((ana, "who=mira skill=Lore"), (ben, "who=rook skill=Stealth")):
            seat.look()
            fields = dict(pair.split("=") for pair in words.split())
            attack = next(kind for kind in seat.engine.actions if tag_of(kind) == "attack")
            seat.propose(attack, fields | {"against": "sefa"})
        await screen.look_now()
        await pilot.press("N")
        assert "No to Ana" in drawn(app)
        ana.look()
        ana.decline(sure(ana.table.asked()).seq)
        await screen.look_now()
        await pilot.press("enter")
        await pilot.pause()
        assert "The GM says no to Ben" not in drawn(app)
        ben.look()
        assert sure(ben.table.asked()).state == "open"
    for seat in (gm, ana, ben):
        seat.close()
