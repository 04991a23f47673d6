"""An edit that cannot count is named with its line, and can be dropped; one that may count is asked about."""

from __future__ import annotations

from pathlib import Path

import playing
from waiting import drawn, opened, until

from tabletop_tui.ui.app import TabletopApp


async def test_an_edit_that_cannot_count_is_dropped_from_the_screen(campaign: Path) -> None:
    async with TabletopApp(str(campaign)).run_test(size=(100, 30)) as pilot:
        screen = await opened(pilot)
        now = campaign / "now.toml"
        before = now.read_text()
        assert "hp = 80" in before
        now.write_text(before.replace("hp = 80", "hp = -3", 1))
        await screen.look_now()
        await pilot.pause()
        assert screen.files.refused
        assert "now.toml:" in screen.files.refused[0]
        await pilot.press("X", "enter")
        for _ in range(2_000):
            if not screen.files.refused:
                break
            await pilot.pause(0.01)
        assert not screen.files.refused
        assert now.read_text() == before
        assert "hp = -3" in (campaign / "now.toml.bak").read_text()


async def test_a_value_that_file_and_table_both_changed_stays_in_sight_until_somebody_says_which_counts(
    campaign: Path,
) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        now = campaign / "now.toml"
        now.write_text(now.read_text().replace("hp = 80", "hp = 55", 1))
        playing.act(screen.game.table, "hurt who=rook points=10")
        await screen.look_now()
        await pilot.pause()
        assert screen.host.asked is None, "what comes unasked catches no key"
        await pilot.press("X")
        shown = drawn(app)
        assert "1 take the file's: 55" in shown
        assert "2 keep the table's: 70" in shown
        await pilot.press("enter", "down")
        assert "disagree: X asks which counts" in " ".join(drawn(app).split()), "leaving the question settles nothing"
        assert "X say which counts" in drawn(app)
        assert screen.game.table.last == 1
        await pilot.press("X", "2")
        await until(pilot, lambda: not screen.files.conflicts, "a settled conflict")
        assert "disagree" not in drawn(app)
        assert "hp = 70" in now.read_text()


async def test_an_edit_that_counts_for_less_than_it_says_is_told_so(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await opened(pilot)
        now = campaign / "now.toml"
        now.write_text(now.read_text().replace("hp = 80", "hp = 90", 1))
        await screen.look_now()
        await pilot.pause()
        told = " ".join(drawn(app).split())
        assert "90 HP are more than their levels give. At most 80." in told


async def test_what_a_number_would_do_follows_a_hand_edit(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await opened(pilot)
        await pilot.press("T", "down", "down", "e", "3", "0")
        await until(pilot, lambda: "HP 80 → 50" in drawn(app), "what it would do")
        now = campaign / "now.toml"
        now.write_text(now.read_text().replace("hp = 80", "hp = 60", 1))
        await screen.look_now()
        await until(pilot, lambda: "HP 60 → 30" in drawn(app), "what it would do now")


async def test_a_title_and_a_theme_are_shown_as_soon_as_the_file_says_so(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        assert app.theme == "ember"
        main = campaign / "campaign.toml"
        text = main.read_text().replace('theme = "ember"', 'theme = "vellum"')
        main.write_text(text.replace('title = "Ember Road"', 'title = "Ember Lane"'))
        await screen.look_now()
        await pilot.pause()
        assert "Ember Lane" in drawn(app).splitlines()[0]
        assert app.theme == "vellum"


async def test_of_many_problems_the_first_is_read_from_its_beginning(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        sheet = campaign / "characters" / "rook.toml"
        sheet.write_text(sheet.read_text().replace("alpha", "alhpa"))
        await screen.look_now()
        await pilot.pause()
        assert "✗ characters/rook.toml:8:1: 'alhpa'" in drawn(app)
