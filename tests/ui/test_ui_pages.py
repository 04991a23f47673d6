"""Home, table, sheets, history, help and palette."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from playing import sure
from ptys import Terminal
from textual.widgets import Static
from waiting import done, opened, playing, settled, view_of

from tabletop_tui.rules import DiceNeeded
from tabletop_tui.ui.app import TabletopApp
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
        await pilot.press("C", "3", "5", "1", "2", "H")
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
        assert "before" in [name for name, _ in line.names.values()]


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
    assert all("all dice entered" in c.closed for c in tray.layer().commands if c.label == "the faces")
    press("backspace", "1", ",")  # a slip can be mended until Enter
    press("enter")
    assert thrown == [((6, 10, 3, 1), False)]
