"""A look ahead below the lists of what is prepared, and a look back below a sheet."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from waiting import drawn, opened, until

from tabletop_tui.cli import main
from tabletop_tui.storage.user.paths import bundled
from tabletop_tui.ui.app import TabletopApp


def copied(name: str, tmp_path: Path) -> str:
    return str(shutil.copytree(bundled("campaigns") / name, tmp_path / name))


async def test_a_prepared_challenge_shows_what_is_at_stake_and_who_would_lead_it_best(tmp_path: Path) -> None:
    app = TabletopApp(copied("ember-road", tmp_path))
    async with app.run_test(size=(140, 45)) as pilot:
        await opened(pilot)
        await pilot.press("C")
        await until(pilot, lambda: "45 %" in drawn(app), "chances")
        text = drawn(app)
        assert "wagon, mule and ember on the far side" in text
        assert re.search(r"who could lead\s+Sefa · Crafting charlie 2 +45 %", text)
        await pilot.press("down")
        await until(pilot, lambda: "it lets them pass" in drawn(app), "the other")
        assert "wagon, mule and ember" not in drawn(app)
        await pilot.press("enter")  # nothing was opened until now
        await until(pilot, lambda: "who leads?" in drawn(app), "the Leads")
        assert "Sing the ogre to sleep: who leads?" in drawn(app)


async def test_a_prepared_contest_shows_what_both_want_and_who_they_are(tmp_path: Path) -> None:
    app = TabletopApp(copied("abbey-of-lynn", tmp_path))
    async with app.run_test(size=(140, 45)) as pilot:
        await opened(pilot)
        await pilot.press("D")
        text = drawn(app)
        assert re.search(r"Brother Edmund wants +to be let through", text)
        assert re.search(r"The porter risks +his post", text)
        assert "Awareness 2: 3 base" in text


async def test_a_list_at_80x24_keeps_its_rows_and_what_is_at_stake(tmp_path: Path) -> None:
    app = TabletopApp(copied("ember-road", tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("C")
        text = drawn(app)
        assert "5 Bank the ember" in text
        assert "wagon, mule and ember on the far side" in text


async def test_a_sheet_shows_what_happened_to_its_owner_and_not_what_was_undone(tmp_path: Path) -> None:
    root = copied("ember-road", tmp_path)
    for words in (
        ["hurt", "who=mira", "points=12"],
        ["hurt", "who=rook", "points=3"],
        ["hurt", "who=mira", "points=77"],
    ):
        assert main(["act", root, *words]) == 0
    assert main(["undo", root]) == 0
    app = TabletopApp(root)
    async with app.run_test(size=(100, 40)) as pilot:
        await opened(pilot)
        await pilot.press("P", "down")
        _, _, below = drawn(app).partition("what happened to them")
        assert "Mira: HP 150 → 138" in below
        assert "HP 138 →" not in below
        assert "Rook" not in below.partition("▶")[0]


async def test_a_table_without_people_offers_to_add_some(tmp_path: Path) -> None:
    assert main(["new", "Bare", "--engine", "tiers", "--empty", "--into", str(tmp_path)]) == 0
    app = TabletopApp(str(tmp_path / "bare"))
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        assert re.search(r"\+ +add people, a scene, a challenge +each becomes a file", drawn(app))
        assert "attack" not in drawn(app)
        await pilot.press("+")
        assert "hero" in drawn(app)


async def test_before_any_scene_the_table_shows_the_first_one(tmp_path: Path) -> None:
    app = TabletopApp(copied("ember-road", tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        text = drawn(app)
        assert re.search(r"The gate at Lynn +not set yet", text)
        assert "Rain, torches, and a gate" in text
        assert "you are here" not in text
        await pilot.press("1")
        assert re.search(r"The gate at Lynn +you are here", drawn(app))


async def test_what_belongs_in_a_scene_says_what_is_missing_first(tmp_path: Path) -> None:
    assert main(["new", "Bare", "--engine", "tiers", "--empty", "--into", str(tmp_path)]) == 0
    for root, why in ((copied("ember-road", tmp_path), "set a scene first"), (str(tmp_path / "bare"), "add a scene")):
        app = TabletopApp(root)
        async with app.run_test(size=(100, 30)) as pilot:
            await opened(pilot)
            await pilot.press("+")
            assert re.search(rf"– challenge +{why}", drawn(app))
