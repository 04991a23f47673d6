"""Where a form begins, and that what is typed into it counts."""

from __future__ import annotations

import shutil
from pathlib import Path

from waiting import drawn, opened, press_until, settled

from tabletop_tui.cli import main
from tabletop_tui.engines.drama.points import MovePool
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.asking.form import Form
from tabletop_tui.ui.pages.table import TablePage

SAMPLES = Path(__file__).parents[2] / "campaigns"


def copied(name: str, folder: Path) -> Path:
    return Path(shutil.copytree(SAMPLES / name, folder / name, ignore=shutil.ignore_patterns("sessions", "now.toml")))


async def test_a_number_typed_for_a_pool_is_the_number_that_counts(tmp_path: Path) -> None:
    app = TabletopApp(str(copied("abbey-of-lynn", tmp_path)))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("T", "f")
        assert "Currency pool Brother Edmund: by" in drawn(app)
        await pilot.press("-", "2", "enter")
        assert play.game.table.timeline.entries[-1].action == MovePool("edmund", "fortitude", -2)


async def test_a_form_begins_at_the_first_line_that_must_be_answered(tmp_path: Path) -> None:
    root = copied("ember-road", tmp_path)
    for words in (("begin", "who=rook,reaver"), ("hurt", "who=reaver", "points=20")):
        assert main(["act", str(root), *words]) == 0
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("up", "a")
        form = play.host.asked
        assert isinstance(form, Form)
        assert form.line is not None
        assert form.line.name == "against", "the foe is out and a friend is under the cursor: nobody is meant"


async def test_lines_of_a_form_that_find_no_room_are_counted(tmp_path: Path) -> None:
    app = TabletopApp(str(copied("abbey-of-lynn", tmp_path)))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("T", "e")
        form = play.host.asked
        assert isinstance(form, Form)
        hidden = [f for f in form.fields if f"{f.label} " not in drawn(app)]
        assert hidden
        assert f"▾ {len(hidden)} more" in drawn(app)


async def test_nobody_ticked_is_told_as_whom_it_means(tmp_path: Path) -> None:
    app = TabletopApp(str(copied("ember-road", tmp_path)))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("T", "w")
        form = play.host.asked
        assert isinstance(form, Form)
        assert form.words(form.fields[0]) == "everybody"
        assert "5 to choose from" in drawn(app)


async def test_enter_stays_at_a_target_that_has_to_be_said_and_says_so(tmp_path: Path) -> None:
    root = copied("ember-road", tmp_path)
    assert main(["act", str(root), "begin", "who=rook,reaver"]) == 0
    assert main(["act", str(root), "hurt", "who=reaver", "points=20"]) == 0
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await press_until(pilot, "up", lambda: getattr(play.page, "under", "") == "rook", "nobody to strike")
        await pilot.press("a")
        for _ in range(3):
            await pilot.press("enter")
            form = play.host.asked
            assert isinstance(form, Form)
            assert form.line is not None
            assert form.line.name == "against", "what it is defended with waits for whom"
            assert "✗ against: this has to be said first" in drawn(app)


async def test_the_chance_beside_a_target_is_the_one_that_choosing_them_brings(tmp_path: Path) -> None:
    root = copied("ember-road", tmp_path)
    assert main(["act", str(root), "begin", "who=mira,reaver,ogre,cinder-priest"]) == 0
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("T", "a")
        form = play.host.asked
        assert isinstance(form, Form)
        form.put(next(f for f in form.fields if f.name == "who"), "mira")
        form.put(next(f for f in form.fields if f.name == "bonus"), True)
        form.changed()
        await settled(app, pilot)
        told = dict(form.hopes)
        assert len(told) > 2
        assert form.odds is not None
        assert told[form.answers["against"]] == form.odds.hope
        for place in range(3):
            aim = form.aim
            assert aim is not None
            choice = form.open(aim)[place]
            form.take(aim, choice)
            form.changed()
            await settled(app, pilot)
            assert told[choice.value] == form.odds.hope


async def test_what_is_rolled_by_its_letter_is_aimed_at_whom_the_stage_shows(tmp_path: Path) -> None:
    app = TabletopApp(str(copied("cinder-pass", tmp_path)))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("t", *"441411", "enter", "1")
        assert "act against Ash runner 1" in drawn(app)
        await pilot.press("t", *"55544", "enter")
        assert "with Strike (Ash runner 1)" in " ".join(play.game.table.timeline.entries[-1].said)


async def test_a_home_brew_attack_and_its_chances_are_of_the_one_under_the_cursor(tmp_path: Path) -> None:
    root = copied("broken-causeway", tmp_path)
    for words in (("scene", "scene=1-the-first-gap"), ("begin",), ("next",)):
        assert main(["act", str(root), "--roll-rest", *words]) == 0
    app = TabletopApp(str(root))
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        table = play.game.table
        while table.world.sheets[table.world.now.turns.current].player:
            await pilot.press("n")
        page, aims = play.page, set()
        assert isinstance(page, TablePage)
        for key in ("up", "up", "up", "up", "down", "down", "down"):
            await pilot.press(key)
            await settled(app, pilot)
            assert page.ahead.ways is not None
            shown = page.ahead.shown
            assert shown is not None
            assert page.ahead.odds[shown] == table.odds(shown)
            name = page.ahead.called(page.ahead.ways.target)
            aims.add(name)
        assert len(aims) > 1
        await pilot.press("enter", "enter")
        assert f"against {name}" in " ".join(table.timeline.entries[-1].said)
