"""Home, table, sheets, history, help, palette, themes and keys."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from waiting import opened

from tabletop_tui.rules import tag_of
from tabletop_tui.storage.themes import load_themes
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.help import HelpScreen
from tabletop_tui.ui.history import HistoryPage
from tabletop_tui.ui.home import HomeScreen
from tabletop_tui.ui.overlays import Form, Lister, Question
from tabletop_tui.ui.play import PlayScreen
from tabletop_tui.ui.sheets import SheetsPage
from tabletop_tui.ui.table import TablePage
from tabletop_tui.ui.tray import Tray


def playing(app: TabletopApp) -> PlayScreen:
    assert isinstance(app.screen, PlayScreen)
    return app.screen


def done(app: TabletopApp) -> list[str]:
    return [tag_of(type(e.action)) for e in playing(app).game.table.timeline.entries]


async def settled(app: TabletopApp, pilot) -> None:
    await app.workers.wait_for_complete()
    await pilot.pause()


# ---- home


async def test_home_lists_campaigns_and_samples_and_opens_one(campaign: Path, monkeypatch) -> None:
    monkeypatch.chdir(campaign.parent)
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        home = app.screen
        assert isinstance(home, HomeScreen)
        assert any(f.path == campaign and not f.demo for f in home.panel.found)
        assert any(f.demo for f in home.panel.found)
        place = next(i for i, f in enumerate(home.panel.found) if f.path == campaign)
        await pilot.press(str(place + 1))
        assert playing(app).game.desk.root == campaign
        await pilot.press("q")
        await settled(app, pilot)
        assert isinstance(app.screen, HomeScreen)


async def test_the_sample_is_copied_and_never_written_to_in_place(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        await pilot.press("d")
        await settled(app, pilot)
        from tabletop_tui.storage.paths import bundled

        root = playing(app).game.desk.root.resolve()
        assert not root.is_relative_to(bundled("campaigns").resolve())


async def test_a_new_campaign_takes_a_name_and_a_game(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        await pilot.press("n", *"Salt War", "enter")
        home = app.screen
        assert isinstance(home, HomeScreen)
        assert isinstance(home.panel.overlay, Lister)
        place = next(i for i, e in enumerate(home.panel.overlay.values) if e.name == "tiers")
        await pilot.press(str(place + 1))
        await settled(app, pilot)
        assert playing(app).game.desk.campaign.title == "Salt War"


async def test_a_broken_campaign_is_listed_with_its_problems(campaign: Path, monkeypatch) -> None:
    (campaign / "characters" / "rook.toml").write_text("name = 3\n")
    monkeypatch.chdir(campaign.parent)
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        home = app.screen
        assert isinstance(home, HomeScreen)
        found = next(f for f in home.panel.found if f.path == campaign)
        assert "characters/rook.toml:1:8" in found.problems[0]


# ---- table


async def test_an_attack_from_the_table_shows_its_odds_and_applies_its_damage(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("a", "4", "1", "3", "3")
        await settled(app, pilot)
        form = playing(app).overlay
        assert isinstance(form, Form)
        assert form.odds is not None
        assert [g.name for g in form.odds.groups] == ["outcome", "target", "damage"]
        await pilot.press("t", "8", "2", "6", "5", "3", "enter")
        page = playing(app).page
        assert isinstance(page, TablePage)
        assert page.view.prompt is not None
        assert "Sefa wins by 4: 100 damage" in page.view.prompt.text
        await pilot.press("enter")
        ogre = playing(app).game.world.now.people["ogre"]
        assert ogre.hp == 100
        await pilot.press("u")
        assert playing(app).game.world.now.people["ogre"].hp == 200
        await pilot.press("ctrl+r")
        assert playing(app).game.world.now.people["ogre"].hp == 100


async def test_a_bonus_die_in_the_form_is_a_switch_and_says_why_not(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("o", "2", "1", "6", "1")
        form = playing(app).overlay
        assert isinstance(form, Form)
        await pilot.press("1")
        assert form.answers["bonus"] is True
        await pilot.press("2")
        assert "players'" in form.wrong or form.answers.get("their_bonus") is None
        await pilot.press("backspace")
        assert form.asking is not None
        await pilot.press("escape")
        assert playing(app).overlay is None


async def test_turns_go_round_from_the_table(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("space")
        lister = playing(app).overlay
        assert isinstance(lister, Lister)
        place = next(i for i, k in enumerate(lister.values) if tag_of(k) == "begin")
        await pilot.press(*["down"] * place, "enter", "enter")
        page = playing(app).page
        assert isinstance(page, TablePage)
        first = page.view.banner
        assert first
        await pilot.press("n")
        assert page.view.banner != first
        assert done(app) == ["begin", "next"]


# ---- sheets


async def test_sheets_filter_as_you_type_and_show_derived_values(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        await pilot.press("S", "slash", *"mir")
        page = playing(app).page
        assert isinstance(page, SheetsPage)
        assert page.found == ["mira"]
        sheet = page.sheet.shown[0]
        assert any("rank 5 one tier below" in x.because for s in sheet.sections for x in s.lines)
        await pilot.press("escape")
        assert len(page.found) == 8


async def test_a_guard_is_copied_six_times_in_one_go_and_retired(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "slash", *"reaver", "enter", "c")
        assert isinstance(playing(app).overlay, Question)
        await pilot.press("backspace", "6", "enter")
        await settled(app, pilot)
        world = playing(app).game.world
        assert sum(w.startswith("ash-reaver-") for w in world.sheets) == 6
        text = (campaign / "characters" / "ash-reaver-1.toml").read_text()
        assert "# Copy it as often as you need" in text
        await pilot.press("x")
        assert len(playing(app).game.world.now.retired) == 1
        await pilot.press("x")
        assert playing(app).game.world.now.retired == ()


async def test_an_npc_is_added(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("S", "a", *"Old Nan", "enter")
        await settled(app, pilot)
        assert playing(app).game.world.sheets["old-nan"].name == "Old Nan"
        page = playing(app).page
        assert isinstance(page, SheetsPage)
        assert page.who == "old-nan"


def test_e_opens_the_file_in_the_editor_and_comes_back_with_the_change(
    campaign: Path, terminal, tmp_path: Path
) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i \'s/Mira"/Mirabel"/\' "$1"\n')
    editor.chmod(0o755)
    one = terminal("play", str(campaign), EDITOR=str(editor))
    one.sees("attack")
    one.send("S/mira\r")
    one.sees("Warding")
    one.send("e")
    one.sees("Mirabel")
    editor.write_text('#!/bin/sh\nsed -i \'s/alpha = 5$/alpha = "five"/\' "$1"\n')
    one.send("e")
    one.sees("characters/mira.toml:9")


async def test_a_file_saved_in_an_editor_is_noticed_while_the_table_is_open(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await opened(pilot)
        file = campaign / "characters" / "rook.toml"
        file.write_text(file.read_text().replace("alpha = 8", "alpha = 9"))
        for _ in range(100):
            await asyncio.sleep(0.05)  # the table looks at its files once a second
            if done(app) == ["edited"]:
                break
        assert playing(app).game.world.sheets["rook"].levels["alpha"] == 9


# ---- history, help, palette


async def test_history_undoes_to_any_entry_after_showing_what_goes_and_comes_back(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("C", "3", "2", "1", "2", "H")
        page = playing(app).page
        assert isinstance(page, HistoryPage)
        await pilot.press("up", "up", "up", "enter")
        lister = playing(app).overlay
        assert isinstance(lister, Lister)
        assert lister.items[0][0] == "undo 3 steps"
        await pilot.press("1")
        line = playing(app).game.table.timeline
        assert line.head == 1
        await pilot.press("end", "up", "enter")
        assert line.head == 4
        await pilot.press("m", *"before", "enter")
        assert "before" in line.names.values()


async def test_help_shows_keys_and_the_rules(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("question_mark")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)
        assert "Tiers of Power" in app.screen.reference
        await pilot.press("escape")
        assert isinstance(app.screen, PlayScreen)


async def test_the_palette_reaches_every_action_and_character(campaign: Path) -> None:
    from tabletop_tui.ui.palette import GameCommands

    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        hits = [hit.text async for hit in GameCommands(app.screen).discover()]
        game = playing(app).game
        assert len([h for h in hits if h and h.startswith("sheet: ")]) == len(game.world.present())
        for offer in game.table.offers():
            assert any(h and h.startswith(offer.title) for h in hits)


@pytest.mark.parametrize("key", ["T", "C", "S", "H"])
async def test_every_page_has_its_key(campaign: Path, key: str) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(key)
        assert playing(app).front[0].upper() == key


async def test_the_contest_page_has_its_key_in_a_game_that_has_contests(tmp_path: Path) -> None:
    root = tmp_path / "abbey"
    sample = Path(__file__).parents[2] / "campaigns" / "abbey-of-lynn"
    shutil.copytree(sample, root, ignore=shutil.ignore_patterns("sessions", "now.toml"))
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("D")
        assert playing(app).front == "contest"
        await pilot.press("2")
        assert len(done(app)) == 1
        assert playing(app).page.view.parties


async def test_a_game_without_contests_says_so(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("D")
        assert "no contest page" in playing(app).message


async def test_every_key_of_home(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        before = app.theme
        await pilot.press("ctrl+t")
        assert app.theme != before
        await pilot.press("question_mark")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape", "n", "escape", "q")
        await pilot.pause()
        assert not app.is_running or app._exit


# ---- typing dice


def test_dice_typed_on_the_dice() -> None:
    """A face goes on by itself where no second digit can follow; Space ends a lone 1; 0 is 10 on a d10."""
    from tabletop_tui.rules import Action, Dice, Event

    class Throw(Action, tag="throw"):
        def resolve(self, world: object, dice: Dice) -> tuple[Event, ...]:
            dice.roll("all", 6, 10, 20, 20)
            return ()

    tray = Tray(Throw(), None)
    for character in "70":
        tray.key(character, character)
    assert "cannot show" in tray.wrong
    tray.key("6", "6")
    tray.key("0", "0")
    assert tray.faces == [6, 10]
    tray.key("1", "1")
    assert tray.faces == [6, 10]
    tray.key("space", " ")
    assert tray.faces == [6, 10, 1]
    tray.key("backspace", None)
    assert tray.faces == [6, 10]
    tray.key("3", "3")
    assert tray.key("1", "1") == ""
    assert tray.key("2", "2") == ""
    assert tray.faces == [6, 10, 3, 12]
    tray.key("5", "5")  # a digit too many does nothing
    assert tray.faces == [6, 10, 3, 12]
    assert "every die lies" in tray.wrong
    tray.key("backspace", None)  # a slip can be mended until Enter
    tray.key("1", "1")
    tray.key("comma", ",")
    assert tray.key("enter", None) == "done"
    assert tray.faces == [6, 10, 3, 1]


# ---- themes and keys


def test_there_are_at_least_four_themes_and_one_is_light() -> None:
    found = load_themes()
    assert not found.failed
    assert len(found.themes) >= 4
    assert any(not t.dark for t in found.themes.values())
    assert "contrast" in found.themes


@pytest.mark.parametrize("name", sorted(load_themes().themes))
def test_text_can_be_read_in_every_theme(name: str) -> None:
    """WCAG contrast: 4.5 for what is read, 3 for what is faint on purpose; 7 in the high-contrast theme."""
    from textual.color import Color

    theme = load_themes().themes[name]

    def light(text: str) -> float:
        parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in Color.parse(text).normalized]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    def contrast(one: str, two: str) -> float:
        low, high = sorted((light(one), light(two)))
        return (high + 0.05) / (low + 0.05)

    for ground in (theme.background, theme.surface, theme.bar):
        assert contrast(theme.ink, ground) >= (7 if name == "contrast" else 4.5)
        assert contrast(theme.faint, ground) >= 2.2
    for tone in (theme.dim, theme.good, theme.warn, theme.bad, theme.accent):
        assert contrast(tone, theme.background) >= 4.0
    assert contrast(theme.on_accent, theme.accent) >= 4.5


async def test_a_broken_theme_and_an_unknown_key_are_listed_and_the_rest_works(tmp_path: Path, monkeypatch) -> None:
    home = tmp_path / "config" / "tabletop"
    (home / "themes").mkdir(parents=True)
    (home / "themes" / "mine.toml").write_text('name = "mine"\nbackground = "blurple"\n')
    (home / "config.toml").write_text('[keys]\nundo = "z"\nundoo = "x"\n"tiers.attack" = "k"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        assert any("mine.toml" in c and "blurple" in c for c in app.complaints)
        assert any("undoo" in c for c in app.complaints)


async def test_keys_can_be_remapped(campaign: Path, tmp_path: Path, monkeypatch) -> None:
    home = tmp_path / "config" / "tabletop"
    home.mkdir(parents=True)
    (home / "config.toml").write_text('[keys]\nundo = "z"\n"tiers.attack" = "k"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("C", "3", "z")
        assert done(app) == ["open", "undo"]
        await pilot.press("T", "k")
        assert isinstance(playing(app).overlay, Form)


async def test_themes_switch_live(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        before = app.theme
        await pilot.press("ctrl+t")
        assert app.theme != before


async def test_an_undone_edit_of_a_file_can_be_put_back_into_it(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    file = campaign / "characters" / "rook.toml"
    before = file.read_bytes()
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        file.write_bytes(before.replace(b"alpha = 8", b"alpha = 9"))
        await play.look_now()
        assert play.game.world.sheets["rook"].levels["alpha"] == 9
        await pilot.press("u")
        assert play.game.world.sheets["rook"].levels["alpha"] == 8
        assert b"alpha = 9" in file.read_bytes()  # the file is theirs until they say so
        assert "press B" in play.message
        await pilot.press("B")
        rows = "\n".join(play.asking.panel.render_line(y).text for y in range(play.asking.panel.size.height))
        assert "-alpha = 9" in rows
        assert "+alpha = 8" in rows
        await pilot.press("1")
        await pilot.pause()
        assert file.read_bytes() == before
        assert not play.files.pending
        await pilot.press("ctrl+r")  # done again: now the file says the older thing
        assert play.game.world.sheets["rook"].levels["alpha"] == 9
        assert "press B" in play.message
        await pilot.press("B", "2")
        assert file.read_bytes() == before


async def test_the_moment_under_the_cursor_is_the_one_that_is_named(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("e", "enter", "3", "enter", "enter", "e", "enter", "2", "enter", "enter")
        assert play.game.table.last == 2
        await pilot.press("H", "up", "m", *"first", "enter")
        assert play.game.table.timeline.names == {1: "first"}
        assert [s.name for s in play.game.table.history()] == ["first", "", ""]


async def test_what_was_undone_in_a_row_takes_two_lines_of_the_log(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        for points in "321":
            await pilot.press("e", "enter", points, "enter", "enter")
        await pilot.press("u", "u")
        panel = play.log_panel
        rows = [panel.render_line(y).text.strip() for y in range(panel.size.height)]
        assert "Undone" in rows[1]
        assert rows[2] == "↶ 3 more: H has all of it"
        assert "HP" in rows[3]  # what still holds


async def test_the_history_uses_its_room_when_a_question_has_gone(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        for points in "12121212121":
            await pilot.press("e", "enter", points, "enter", "enter")
        await pilot.press("H", "up", "m", *"here", "enter")
        await pilot.pause()
        panel = play.page.panel
        rows = [panel.render_line(y).text.strip() for y in range(panel.size.height)]
        assert sum("HP" in row for row in rows) >= 11


async def test_a_settled_blow_is_no_news_in_the_next_turn(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("g", "enter", "a", "1", "1", "1", "1", "enter")
        assert play.page.view.prompt is not None
        await pilot.press("n")
        assert "not settled yet" in play.message
        await pilot.press("enter")
        assert play.page.view.outcome is not None
        await pilot.press("n")
        assert play.page.view.outcome is None
