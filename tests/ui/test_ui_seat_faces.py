"""What stands on a player's screen when it is their turn, and on the GM's when players ask for something."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from textual.pilot import Pilot
from waiting import drawn, opened, view_of

from tabletop_tui.cli import main
from tabletop_tui.session import SPECTATOR
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.storage.presence import Presence
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.screens.play import PlayScreen

SAMPLE = Path(__file__).parents[2] / "campaigns" / "ember-road"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    target = tmp_path / "ember-road"
    shutil.copytree(SAMPLE, target, ignore=shutil.ignore_patterns("sessions", "now.toml", "played"))
    OpenCampaign(target).close()
    return target


def act(root: Path, *words: str) -> None:
    assert main(["act", str(root), *words]) == 0


async def settled(pilot: Pilot[None]) -> None:
    """What others did is seen, and all chances have come."""
    screen = pilot.app.screen
    assert isinstance(screen, PlayScreen)
    await screen.look_now()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def test_whose_turn_it_is_and_when_mine_comes(root: Path) -> None:
    act(root, "begin", "who=rook,sefa,mira,reaver")
    app = TabletopApp(str(root), seat="Ana")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        assert "▶ Rook is up. You are second." in drawn(app)
        act(root, "next")
        await settled(pilot)
        assert "▶ Sefa is up. You are next." in drawn(app)
        act(root, "next")
        await settled(pilot)
        shown = drawn(app)
        assert "▲ Mira is up: what do you do?" in shown
        assert "attack Ash reaver" in shown
        assert "1↵ Warding beta 3" in shown
        assert " %" not in shown  # the foe's defence is the GM's


async def test_a_turn_is_asked_for_with_two_keys(root: Path) -> None:
    act(root, "begin", "who=mira,reaver")
    app = TabletopApp(str(root), seat="Ana")
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("enter", "enter")
        await settled(pilot)
        asked = play.game.table.asked()
        assert asked is not None
        assert asked.state == "open"
        assert (asked.fields["who"], asked.fields["against"]) == ("mira", "reaver")
        assert "You asked: attack" in drawn(app)
        await pilot.press("x")
        await settled(pilot)
        taken = play.game.table.asked()
        assert taken is not None
        assert taken.state == "taken back"


async def test_a_player_is_asked_how_they_help_and_one_digit_answers(root: Path) -> None:
    for words in (("open", "challenge=the-gate/hold"), ("lead", "who=sefa", "skill=Crafting")):
        act(root, *words)
    app = TabletopApp(str(root), seat="Ana")
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        assert "▲ How does Mira help?" in drawn(app)
        await pilot.press("2")
        await settled(pilot)
        assert play.game.world.now.challenge.supports["mira"].how == "indirect"
        assert "How does Mira help?" not in drawn(app)


async def test_the_gm_sees_all_that_is_asked_on_every_page_and_where_it_belongs(root: Path) -> None:
    act(root, "begin", "who=mira,rook,reaver")
    act(root, "attack", "who=mira", "against=reaver", "skill=Warding", "--seat", "Ana")
    act(root, "attack", "who=rook", "against=reaver", "skill=Shooting", "--seat", "Ben")
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        for page in "ST":
            await pilot.press(page)
            await settled(pilot)
            shown = drawn(app)
            assert "▲ Ana asks: attack" in shown
            assert "Table 2" in shown
        assert "2 waiting" in shown
        await pilot.press("y")
        await settled(pilot)
        assert [p.by for p in play.game.table.proposals()] == ["Ben"]
        assert play.game.world.now.roll.first.who == "mira"


async def test_a_cell_that_a_player_asks_for_is_marked(root: Path) -> None:
    with (root / "campaign.toml").open("a") as file:
        file.write('\n[table]\nplayers = "propose"\n')
    for words in (("open", "challenge=the-gate/hold"), ("lead", "who=sefa", "skill=Crafting")):
        act(root, *words)
    act(root, "support", "who=mira", "how=indirect", "skill=Warding", "--seat", "Ana")
    app = TabletopApp(str(root))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        rows = [row for row in drawn(app).splitlines() if "Reduce 1" in row]
        assert [("? Reduce 1" in row) for row in rows if row.lstrip("▸ ").startswith("Mira")] == [True]
        assert sum("? Reduce 1" in row for row in rows) == 1


async def test_whoever_only_looks_on_sees_what_others_could_do(root: Path) -> None:
    for words in (("open", "challenge=the-gate/hold"), ("lead", "who=sefa", "skill=Crafting")):
        act(root, *words)
    app = TabletopApp(str(root), seat=SPECTATOR)
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        assert drawn(app).count("Reduce 1") == 4
        await pilot.press("2")
        assert "looks on" in play.message
        assert not play.game.world.now.challenge.supports


async def test_what_somebody_else_must_answer_is_said_quietly_and_whose_it_is(root: Path) -> None:
    for words in (
        ("open", "challenge=the-gate/hold"),
        ("lead", "who=mira", "skill=Warding"),
        ("support", "who=rook", "how=direct"),
    ):
        act(root, *words)
    assert main(["act", str(root), "roll", "--dice", "5 5 4 1 1 1 1"]) == 0
    app = TabletopApp(str(root), seat="Ben")
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        shown = drawn(app)
        assert "▶ Choose up to 1 die to reroll. Mira's to answer." in shown
        assert "pick a die" not in shown
        assert "your choice" not in shown
        await pilot.press("1", "enter")
        assert play.game.table.last == 4
    app = TabletopApp(str(root), seat="Ana")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        assert "▲ Choose up to 1 die to reroll." in drawn(app)
        await pilot.press("k")
        await settled(pilot)
        assert "The GM's to answer." in drawn(app)


async def test_a_seat_begins_on_its_own_character_and_comes_back_to_it_after_a_fight(root: Path) -> None:
    app = TabletopApp(str(root), seat="Ben")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        assert "▸  ● Rook" in drawn(app)
        act(root, "begin", "who=mira,rook,reaver")
        await settled(pilot)
        assert "▸  ◆ Ash reaver" in drawn(app)
        act(root, "end")
        await settled(pilot)
        assert "▸  ● Rook" in drawn(app)


async def test_the_cursor_stays_on_the_one_helper_that_is_mine_so_that_it_can_be_changed(root: Path) -> None:
    for words in (("open", "challenge=the-gate/hold"), ("lead", "who=sefa", "skill=Crafting")):
        act(root, *words)
    app = TabletopApp(str(root), seat="Ana")
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("2", "4")
        await settled(pilot)
        assert play.game.world.now.challenge.supports["mira"].how == "encourage"
        assert "▸Mira" in drawn(app)


async def test_who_came_is_no_news_any_more_when_play_goes_on(root: Path) -> None:
    app = TabletopApp(str(root), seat="Ben")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        ana = Presence(root, "Ana")
        await settled(pilot)
        assert "· Ana sat down" in drawn(app)
        act(root, "note", "text=It rains")
        await settled(pilot)
        assert "It rains" in drawn(app)
        assert "Ana sat down" not in drawn(app)
        ana.close()


async def test_where_only_the_gm_lets_it_count_a_players_enter_spends_nothing(root: Path) -> None:
    act(root, "begin", "who=mira,reaver")
    attack = ["attack", "who=mira", "against=reaver", "skill=Warding", "using=Dodge"]
    assert main(["act", str(root), *attack, "--dice", "1 1 2 3 3"]) == 0
    app = TabletopApp(str(root), seat="Ana")
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        before = play.game.table.last
        prompt = view_of(play).prompt
        assert prompt is not None
        assert prompt.options[0].closed, "letting it count is the GM's"
        assert any(not option.closed for option in prompt.options), "there is something that a player could spend"
        await pilot.press("enter")
        assert play.game.table.last == before
        assert "↵" not in drawn(app)
