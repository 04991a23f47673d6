"""Home, table, sheets, history, help, palette, themes and keys."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from playing import sure
from ptys import Terminal
from textual.pilot import Pilot
from textual.widgets import Static
from waiting import opened, view_of

from tabletop_tui.rules import DiceNeeded, tag_of
from tabletop_tui.storage.user.themes import load_themes
from tabletop_tui.ui.app import TabletopApp, variables
from tabletop_tui.ui.asking.finder import Finder
from tabletop_tui.ui.asking.form import Form
from tabletop_tui.ui.asking.host import Choose, Host
from tabletop_tui.ui.asking.tray import Tray
from tabletop_tui.ui.pages.log import LogPage
from tabletop_tui.ui.pages.people import PeoplePage
from tabletop_tui.ui.pages.table import TablePage
from tabletop_tui.ui.screens.help import HelpScreen
from tabletop_tui.ui.screens.home import HomeScreen
from tabletop_tui.ui.screens.play import PlayScreen


def playing(app: TabletopApp) -> PlayScreen:
    assert isinstance(app.screen, PlayScreen)
    return app.screen


def done(app: TabletopApp) -> list[str]:
    return [tag_of(type(e.action)) for e in playing(app).game.table.timeline.entries]


async def settled(app: TabletopApp, pilot: Pilot[None]) -> None:
    await app.workers.wait_for_complete()
    await pilot.pause()


# ---- home


async def test_home_lists_campaigns_and_samples_and_opens_one(
    campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(campaign.parent)
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        home = app.screen
        assert isinstance(home, HomeScreen)
        assert any(f.path == campaign and not f.sample for f in [p.value for p in home.list.picks])
        assert any(f.sample for f in [p.value for p in home.list.picks])
        place = next(i for i, f in enumerate([p.value for p in home.list.picks]) if f.path == campaign)
        await pilot.press(str(place + 1))
        assert sure(playing(app).game.campaign).root == campaign
        await pilot.press("q")
        await settled(app, pilot)
        assert isinstance(app.screen, HomeScreen)


async def test_a_broken_campaign_is_listed_with_its_problems(campaign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (campaign / "characters" / "rook.toml").write_text("name = 3\n")
    monkeypatch.chdir(campaign.parent)
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        home = app.screen
        assert isinstance(home, HomeScreen)
        found = next(f for f in [p.value for p in home.list.picks] if f.path == campaign)
        assert "characters/rook.toml:1:8" in found.problems[0]


# ---- table


async def test_an_attack_from_the_table_shows_its_odds_and_applies_its_damage(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("a", "up", "4", "3", "1", "3")
        await settled(app, pilot)
        form = playing(app).host.asked
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
        await pilot.press("o", "down", "down", "down")
        form = playing(app).host.asked
        assert isinstance(form, Form)
        await pilot.press("right")
        assert form.answers["bonus"] is True
        await pilot.press("down", "right")
        assert not form.answers.get("their_bonus"), "Bonus Dice are the players'"
        await pilot.press("escape")
        assert playing(app).host.asked is None


async def test_turns_go_round_from_the_table(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("space")
        assert isinstance(playing(app).host.asked, Finder)
        await pilot.press(*"begin turns", "enter", "enter")
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
        await pilot.press("P", "slash", *"mir")
        page = playing(app).page
        assert isinstance(page, PeoplePage)
        assert page.found == ["mira"]
        sheet = sure(sure(page.sheet.part).view)
        assert any("rank 5 one tier below" in x.because for s in sheet.sections for x in s.lines)
        await pilot.press("escape")
        assert len(page.found) == 8


async def test_there_are_six_more_of_a_guard_in_one_go_and_one_is_retired(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("P", "slash", *"reaver", "enter", "c", "6", "enter")
        await settled(app, pilot)
        world = playing(app).game.world
        assert sum(w.startswith("reaver#") for w in world.sheets) == 6
        await pilot.press("x")
        assert len(playing(app).game.world.now.retired) == 1
        await pilot.press("x")
        assert playing(app).game.world.now.retired == ()


async def test_an_npc_is_added(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("plus", *"npc", "enter", *"Old Nan", "enter", "enter")
        await settled(app, pilot)
        assert playing(app).game.world.sheets["old-nan"].name == "Old Nan"
        page = playing(app).page
        assert isinstance(page, PeoplePage)
        assert page.who == "old-nan"


def test_e_opens_the_file_in_the_editor_and_comes_back_with_the_change(
    campaign: Path, terminal: Callable[..., Terminal], tmp_path: Path
) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i \'s/Mira"/Mirabel"/\' "$1"\n')
    editor.chmod(0o755)
    one = terminal("play", str(campaign), EDITOR=str(editor))
    one.sees("attack")
    one.send("P/mira\r")
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
        await pilot.press("C", "3", "4", "1", "2", "H")
        page = playing(app).page
        assert isinstance(page, LogPage)
        await pilot.press("up", "up", "up", "enter")
        lister = playing(app).host.asked
        assert isinstance(lister, Choose)
        assert lister.list.picks[0].label == "undo 3 steps"
        await pilot.press("1")
        line = playing(app).game.table.timeline
        assert line.head == 1
        await pilot.press("end", "enter")
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
        keys = str(app.screen.query_one(Static).render()).splitlines()
        assert max(map(len, keys)) <= 76, "as much as fits"
        assert any(row.startswith(" " * 20) for row in keys), "a long one goes on below where it began"
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, PlayScreen)


@pytest.mark.parametrize("key", ["space", "ctrl+p"])
async def test_the_list_of_everything_reaches_every_action_character_and_page(campaign: Path, key: str) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(key)
        finder = playing(app).host.asked
        assert isinstance(finder, Finder)
        game = playing(app).game
        labels = [pick.label for pick in finder.list.picks]
        for offer in game.table.offers():
            assert any(label.startswith(offer.title) for label in labels)
        for who in game.world.present():
            assert game.world.name(who) in labels
        await pilot.press(*"sheet mir", "enter")
        page = playing(app).page
        assert isinstance(page, PeoplePage)
        assert page.who == "mira"


async def test_keys_typed_ahead_of_the_list_reach_it(campaign: Path, terminal: Callable[..., Terminal]) -> None:
    one = terminal("play", str(campaign))
    one.sees("attack")
    for _ in range(6):
        one.send("\x10\x1b[6~\x1b[6~\x1b[5~mira\r")  # ctrl+p, page down twice, page up, a name: all at once
        one.sees("played by Ana")
        one.send("T")
        one.sees("attack")


@pytest.mark.parametrize("key", ["T", "C", "P", "L"])
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
        assert view_of(playing(app)).parties


async def test_a_game_without_contests_says_so(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("D")
        assert "no contest page" in playing(app).message


async def test_every_key_of_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    from tabletop_tui.plugins import guarded
    from tabletop_tui.rules import Action, Dice, Engine, Event, Now, Rules, Scene, Sheet

    class Throw(Action, tag="throw"):
        def resolve(self, world: object, dice: Dice) -> tuple[Event, ...]:
            dice.roll("all", 6, 10, 20, 20)
            return ()

    class Game(Engine):
        name = title = "game"
        rules, sheet, scene, now = Rules, Sheet, Scene, Now
        actions = (Throw,)
        events = ()

    async def throw(action: Action, faces: tuple[int, ...], rest: bool) -> None:
        thrown.append((faces, rest))

    def needed(action: Action, faces: Sequence[int]) -> DiceNeeded | None:
        try:
            guarded(Game()).resolve(action, None, Dice(faces))
        except DiceNeeded as need:
            return need
        return None

    thrown: list[tuple[tuple[int, ...], bool]] = []
    tray = Tray(Throw(), None, guarded(Game()), throw, needed)
    Host(lambda: None).ask(tray)

    async def done(going: Awaitable[None]) -> None:
        await going

    def press(*keys: str) -> None:
        for key in keys:
            command = next(c for c in tray.layer().commands if key in c.keys)
            if (going := command.run()) is not None:
                asyncio.run(done(going))

    press("7", "0")
    assert "cannot show" in tray.wrong
    press("6", "0")
    assert tray.faces == [6, 10]
    press("1")
    assert tray.faces == [6, 10]
    press("space")
    assert tray.faces == [6, 10, 1]
    press("backspace")
    assert tray.faces == [6, 10]
    press("3", "1", "2")
    assert tray.faces == [6, 10, 3, 12]
    press("5")  # a digit too many does nothing
    assert tray.faces == [6, 10, 3, 12]
    assert "all dice entered" in tray.wrong
    press("backspace", "1", ",")  # a slip can be mended until Enter
    press("enter")
    assert thrown == [((6, 10, 3, 1), False)]


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
    names = variables(theme)
    for ground in (theme.bar, names["raised"]):  # closed reasons and remarks stand there
        assert contrast(theme.dim, ground) >= 4.5
    for tone in ("good", "warn", "bad"):
        assert contrast(names[tone], names[f"{tone}-tint"]) >= 4.0
    assert contrast(theme.on_accent, theme.accent) >= 4.5


async def test_a_broken_theme_and_an_unknown_key_are_listed_and_the_rest_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "config" / "tabletop"
    (home / "themes").mkdir(parents=True)
    (home / "themes" / "mine.toml").write_text('name = "mine"\nbackground = "blurple"\n')
    (home / "config.toml").write_text('[keys]\nundo = "z"\nundoo = "x"\n"tiers.attack" = "k"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    app = TabletopApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(app, pilot)
        assert any("mine.toml" in c and "blurple" in c for c in app.complaints)
        first = app.screen
        assert isinstance(first, HomeScreen)
        assert any("undoo" in words for words in first.failed)


async def test_keys_can_be_remapped(campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        assert isinstance(playing(app).host.asked, Form)


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
        assert "B puts it back" in play.message
        await pilot.press("B")
        rows = "\n".join(play.page.ask_panel.render_line(y).text for y in range(play.page.ask_panel.size.height))
        assert "-alpha = 9" in rows
        assert "+alpha = 8" in rows
        assert "3" not in [row[1:2] for row in rows.splitlines()]  # a difference is read, not chosen
        await pilot.press("1")
        await pilot.pause()
        assert file.read_bytes() == before
        assert not play.files.pending
        await pilot.press("ctrl+r")  # done again: now the file says the older thing
        assert play.game.world.sheets["rook"].levels["alpha"] == 9
        assert "B puts it back" in play.message
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


async def test_a_saved_file_moves_nobody_to_another_page(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("S", "enter", "1", "enter", "S", "3", "enter")
        assert play.front == "table", "a fight, beside the challenge that is open"
        sheet = campaign / "characters" / "rook.toml"
        sheet.write_text(sheet.read_text().replace("Shooting = { alpha = 4 }", "Shooting = { alpha = 5 }"))
        await play.look_now()
        await pilot.pause()
        assert play.game.world.sheets["rook"].skills["Shooting"]["alpha"] == 5
        assert play.front == "table"
        await pilot.press("L", "m", *"now", "enter")
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        assert (await opened(pilot)).front == "table", "nor whoever comes back"


async def test_undo_stays_on_the_page_where_it_was_done(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("S", "enter", "1", "enter")
        assert play.front == "challenge", "somebody leads"
        await pilot.press("T", "e", "enter", "3", "enter", "enter", "u")
        assert play.front == "table", "the challenge is open, and nobody went there"
        await pilot.press("C", "u", "u")
        assert play.front == "scene", "it was opened from here"


async def test_what_was_undone_in_a_row_takes_two_lines_of_the_log(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        for points in "321":
            await pilot.press("e", "enter", points, "enter", "enter")

        def rows() -> list[str]:
            panel = play.page.log_panel
            told = [panel.render_line(y).text.strip() for y in range(panel.size.height)]
            return [row for row in told if row]

        await pilot.press("u")
        assert "Undone" in rows()[-1]
        assert "more undone" not in rows()[-2], "nothing else was"
        await pilot.press("u", "u")
        assert "Undone" in rows()[-1]
        assert sum("Undone" in row for row in rows()) == 1, "told once"
        assert rows()[-2] == "↶ 2 more undone: L shows all"
        await pilot.press("ctrl+r")
        assert "Done again" in rows()[-1]
        assert rows()[-2] == "↶ 2 more undone: L shows all", "one of the three holds again"
        assert "Undone" not in " ".join(rows()[:-2])


async def test_the_history_uses_its_room_when_a_question_has_gone(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        for points in "12121212121":
            await pilot.press("e", "enter", points, "enter", "enter")
        await pilot.press("H", "up", "m", *"here", "enter")
        await pilot.pause()
        assert isinstance(play.page, LogPage)
        panel = play.page.panel
        rows = [panel.render_line(y).text.strip() for y in range(panel.size.height)]
        assert sum("HP" in row for row in rows) >= 11


async def test_a_settled_blow_is_no_news_in_the_next_turn(campaign: Path) -> None:
    app = TabletopApp(str(campaign))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("g", "enter", "a", "1", "1", "1", "1", "enter")
        assert view_of(play).prompt is not None
        await pilot.press("n")
        assert "not settled yet" in play.message
        await pilot.press("enter")
        assert view_of(play).outcome is not None
        await pilot.press("n")
        assert view_of(play).outcome is None
