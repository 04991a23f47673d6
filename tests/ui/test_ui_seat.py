"""A player's seat looks on: nothing secret is drawn there, nothing can be done there, and no file is told of."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from waiting import opened

from tabletop_tui.cli import main
from tabletop_tui.storage.desk import Desk, sessions
from tabletop_tui.ui.app import TabletopApp

SAMPLES = Path(__file__).parents[2] / "campaigns"
EVERY_KEY = ["enter", "space", "ctrl+r", *"abcdefghijklmnoprstuvwxyz0123456789BRX=+-[]", "backspace", "delete"]


def copied(tmp_path: Path, name: str) -> Path:
    target = tmp_path / name
    shutil.copytree(SAMPLES / name, target, ignore=shutil.ignore_patterns("sessions", "now.toml", "played"))
    return target


def text(app: TabletopApp) -> str:
    return "\n".join(
        "".join(segment.text for segment in line) for line in app.screen._compositor.render_strips(app.screen.size)
    )


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
    Desk(root).close()
    (log,) = sessions(root)
    before = log.read_bytes()
    app = TabletopApp(str(root), seat=player)
    async with app.run_test(size=(120, 40)) as pilot:
        play = await opened(pilot)
        assert f"SEAT OF {player}" in text(app)
        for page in [p for p in ("T", "C", "D", "S", "H") if p.lower()]:
            await pilot.press(page)
            for key in EVERY_KEY if page != "S" else ["down", "e", "a", "c", "x", "enter"]:
                await pilot.press(key)
                assert play.overlay is None, (page, key)
            drawn = text(app)
            for words in secrets:
                assert words not in drawn, (page, words)
    assert log.read_bytes() == before


async def test_a_seat_neither_tells_of_the_gms_files_nor_logs_what_was_changed_in_them(tmp_path: Path) -> None:
    root = copied(tmp_path, "ember-road")
    Desk(root).close()
    app = TabletopApp(str(root), seat="Ana")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        play = await opened(pilot)
        scene = root / "scenes" / "the-bridge.toml"
        scene.write_text(scene.read_text().replace('secret = "', 'secret = "Hush: '))
        (root / "characters" / "ogre.toml").write_text("name = 3")
        await play.look_now()
        await pilot.pause()
        assert "Hush" not in text(app)
        assert "ogre.toml" not in text(app)
        assert play.game.table.timeline.last == 0
    desk = Desk(root)
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
            assert ("Climb" in text(app)) == sees
            assert "Ash runner 1" in text(app)


async def test_somebody_whom_nobody_plays_is_told(tmp_path: Path) -> None:
    root = copied(tmp_path, "ember-road")
    app = TabletopApp(str(root), seat="Anna")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await opened(pilot)
        await pilot.pause()
        assert any("Nobody here is played by Anna" in n.message for n in app._notifications)


async def test_a_form_with_many_fields_keeps_its_chances_in_sight_and_reaches_every_field(tmp_path: Path) -> None:
    root = copied(tmp_path, "abbey-of-lynn")
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("T", "e", "2", "1")
        await app.workers.wait_for_complete()
        await pilot.pause()
        drawn = text(app)
        assert "success" in drawn
        assert "type dice" in drawn
        form = play.overlay
        count = len(getattr(form, "optional", ()))
        assert count > 9
        for _ in range(count - 1):
            await pilot.press("down")
        await pilot.press("space")
        assert getattr(form, "asking", None) is getattr(form, "optional", ())[-1]
