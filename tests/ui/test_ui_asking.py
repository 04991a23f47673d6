"""Seats that act in the real screens: a player does and asks, the GM answers, and everybody sees it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from playing import sure
from waiting import drawn, opened

from tabletop_tui.rules import parse, tag_of
from tabletop_tui.session import SPECTATOR
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.storage.presence import Presence, present
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.pages.people import PeoplePage

SAMPLES = Path(__file__).parents[2] / "campaigns"
ATTACK = {"who": "mira", "skill": "Warding", "against": "ogre"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    target = tmp_path / "ember-road"
    shutil.copytree(SAMPLES / "ember-road", target, ignore=shutil.ignore_patterns("sessions", "now.toml", "played"))
    return target


def kind(campaign: OpenCampaign, tag: str) -> Any:
    return next(k for k in campaign.engine.actions if tag_of(k) == tag)


def act(campaign: OpenCampaign, words: str) -> Any:
    tag, *pairs = words.split()
    return campaign.do(parse(kind(campaign, tag), dict(p.split("=", 1) for p in pairs)))


async def test_a_player_asks_for_an_attack_and_takes_it_back(root: Path) -> None:
    gm = OpenCampaign(root)
    act(gm, "begin who=mira,ogre,rook")
    app = TabletopApp(str(root), seat="Ana")
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        assert "ask: attack" in drawn(app)
        await pilot.press("a", "1", "1")
        shown = drawn(app)
        assert "ask the GM" in shown
        assert "chances" not in shown, "what the ogre could do is not hers to know"
        await pilot.press("enter")
        assert "You asked: attack · Mira · The bridge ogre · Warding beta 3." in drawn(app)
        gm.look()
        (asked,) = gm.table.proposals()
        assert asked.fields == ATTACK
        await pilot.press("x")
        assert "You asked" not in drawn(app)
        assert sure(play.game.table.asked()).state == "taken back"
    gm.close()


async def test_a_player_leads_and_rolls_their_own_dice(root: Path) -> None:
    gm = OpenCampaign(root)
    act(gm, "improvise name=Fog tier=beta dice=3")
    app = TabletopApp(str(root), seat="Ana")
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        await pilot.press("enter")
        assert play.game.world.now.challenge.lead == "mira"
        await pilot.press("r")
        assert play.game.world.now.roll is not None
    gm.look()
    assert [e.by for e in gm.table.timeline.entries[1:]] == ["Ana", "Ana"]
    gm.close()


async def test_the_gm_answers_on_any_page_without_leaving_it(root: Path) -> None:
    gm = OpenCampaign(root)
    act(gm, "begin who=mira,ogre,rook")
    gm.close()
    app = TabletopApp(str(root))
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        ana = OpenCampaign(root, seat="Ana")
        ana.propose(kind(ana, "attack"), ATTACK)
        await play.look_now()
        await pilot.press("P")
        assert "Ana asks: attack · Mira · The bridge ogre · Warding beta 3" in drawn(app)
        assert "yes" in drawn(app)
        await pilot.press("y")
        entry = play.game.table.timeline.entries[-1]
        assert (tag_of(type(entry.action)), entry.by, entry.answers) == ("attack", "Ana", 2)
        ana.close()


async def test_what_cannot_be_done_any_more_says_so_before_the_gm_says_yes(root: Path) -> None:
    gm = OpenCampaign(root)
    act(gm, "begin who=mira,ogre,rook")
    ana = OpenCampaign(root, seat="Ana")
    ana.propose(kind(ana, "attack"), ATTACK)
    ana.close()
    gm.look()
    act(gm, "hurt who=mira points=1000")
    gm.close()
    app = TabletopApp(str(root))
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        assert "not now: who" in drawn(app)
        assert "y  yes" not in drawn(app)
        last = play.game.table.last
        await pilot.press("y")
        assert play.game.table.last == last
        assert "yes: who cannot be Mira: out." in drawn(app)


async def test_the_gm_says_no_and_the_player_reads_why(root: Path) -> None:
    gm = OpenCampaign(root)
    act(gm, "begin who=mira,ogre,rook")
    ana = OpenCampaign(root, seat="Ana")
    ana.propose(kind(ana, "attack"), ATTACK)
    ana.close()
    app = TabletopApp(str(root))
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await pilot.press("N", *"dark", "enter")  # in place of what was proposed
    gm.close()
    app = TabletopApp(str(root), seat="Ana")
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        assert "✗ the GM says no: dark" in drawn(app)


async def test_the_gm_looks_at_it_and_changes_it(root: Path) -> None:
    gm = OpenCampaign(root)
    act(gm, "begin who=mira,ogre,rook")
    ana = OpenCampaign(root, seat="Ana")
    ana.propose(kind(ana, "attack"), ATTACK)
    ana.close()
    app = TabletopApp(str(root))
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        asked = play.game.table.completion(play.game.table.proposals()[0])
        await pilot.press("A")
        assert "it uses" in drawn(app)
        await pilot.press("right", "enter")
        entry = play.game.table.timeline.entries[-1]
        assert (entry.by, entry.answers, entry.action.who) == ("Ana", 2, "mira")
        assert entry.action != asked
        assert not play.game.table.proposals()
    gm.close()


async def test_dice_that_are_typed_for_what_was_asked_answer_it(root: Path) -> None:
    gm = OpenCampaign(root)
    act(gm, "begin who=mira,ogre,rook")
    ana = OpenCampaign(root, seat="Ana")
    ana.propose(kind(ana, "attack"), ATTACK)
    ana.close()
    app = TabletopApp(str(root))
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        await pilot.press("A", "t", *"543", *"211", "enter")
        entry = play.game.table.timeline.entries[-1]
        assert (entry.by, entry.answers) == ("Ana", 2)
        assert [hand.faces for hand in entry.dice] == [(5, 4, 3), (2, 1, 1)]
        assert not play.game.table.proposals()
    gm.close()


async def test_the_gms_own_decision_keeps_the_band(root: Path) -> None:
    gm = OpenCampaign(root)
    act(gm, "begin who=mira,ogre,rook")
    act(gm, "attack who=ogre skill=Club against=rook using=Dodge")
    ana = OpenCampaign(root, seat="Ana")
    ana.do(parse(kind(ana, "note"), {"text": "hm"}))
    ana.propose_undo()
    ana.close()
    app = TabletopApp(str(root))
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        band, footer = drawn(app).splitlines()[-2:]
        assert "let it count" in band
        assert ("yes" in band, "look" in band) == (False, False), "its keys are not answers to the decision"
        assert "y yes to Ana  N no to Ana" in footer, "and say whom they answer"
        assert "Ana asks: take back: hm" in drawn(app), "it waits below the log"
        await pilot.press("enter")
        assert "Ana asks: take back: hm" in drawn(app)
    gm.close()


async def test_a_yes_that_takes_back_more_than_was_asked_for_asks_first(root: Path) -> None:
    gm = OpenCampaign(root)
    ana = OpenCampaign(root, seat="Ana")
    ana.do(parse(kind(ana, "note"), {"text": "hm"}))
    act(gm, "hurt who=mira points=1")
    act(gm, "hurt who=mira points=2")
    ana.propose_undo()
    ana.close()
    app = TabletopApp(str(root))
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        assert "with 2 steps since" in drawn(app).splitlines()[-2]
        before = play.game.world
        await pilot.press("y")
        assert "undo 3 steps" in drawn(app)
        await pilot.press("enter")
        assert play.game.world is before, "Enter leaves it"
        assert play.game.table.proposals()
        await pilot.press("A", "2")
        assert not play.game.table.proposals()
        assert play.game.table.head == 0
    gm.close()


async def test_a_word_from_the_gm_stands_in_the_players_band_until_they_go_on(root: Path) -> None:
    gm = OpenCampaign(root)
    act(gm, "improvise name=Fog tier=beta dice=3")
    gm.word("Ana", "how does Mira help?")
    app = TabletopApp(str(root), seat="Ana")
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        assert "how does Mira help?" in drawn(app).splitlines()[-2]
        await pilot.press("enter")
        assert "how does Mira help?" not in drawn(app).splitlines()[-2]
    gm.close()


async def test_a_spectator_looks_on_and_no_key_does_anything(root: Path) -> None:
    gm = OpenCampaign(root)
    act(gm, "begin who=mira,ogre,rook")
    app = TabletopApp(str(root), seat=SPECTATOR)
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        assert "looking on" in drawn(app)
        assert "200" not in drawn(app), "the ogre's HP"
        for key in "anlrdxuyNAeoi":
            await pilot.press(key)
            assert play.host.asked is None, key
        assert play.game.table.last == 1
    gm.close()


async def test_who_sits_down_and_gets_up_is_told(root: Path) -> None:
    OpenCampaign(root).close()
    app = TabletopApp(str(root))
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        assert present(root) == ("the GM",)
        sure(sure(play.game.campaign).chair).here = ("Ben", "the GM")
        await play.look_now()
        await pilot.pause()
        assert "Ben got up" in drawn(app)
    assert present(root) == ()


def test_a_seat_that_was_cut_off_is_free(root: Path) -> None:
    OpenCampaign(root).close()
    ana = Presence(root, "Ana")
    assert present(root) == ("Ana",)
    (ana.folder / "1").write_text("Ben")  # nobody holds it
    assert present(root) == ("Ana",)
    assert [p.name for p in ana.folder.iterdir()] == [ana.path.name]
    ana.close()
    assert present(root) == ()


async def test_the_gm_whispers_to_one_player_from_the_list_of_everything(root: Path) -> None:
    OpenCampaign(root).close()
    app = TabletopApp(str(root))
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        await pilot.press("space", *"whisper", "enter", "1", *"hush", "enter")
        entry = play.game.table.timeline.entries[-1]
        assert (entry.action.to, entry.action.text, entry.action.secret) == ("Ana", "hush", True)
        assert not entry.said


async def test_the_people_page_tells_who_is_at_the_table_and_what_they_did_last(root: Path) -> None:
    gm = OpenCampaign(root)
    act(gm, "improvise name=Fog tier=beta dice=3")
    ana = OpenCampaign(root, seat="Ana")
    ana.do(parse(kind(ana, "lead"), {"who": "mira", "skill": "Warding"}))
    seat = Presence(root, "Ana")
    app = TabletopApp(str(root))
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        assert play.here == ("Ana", "the GM")
        await play.show_sheet("mira")
        play.draw_bars()
        await pilot.pause()
        assert "Ana is at the table" in drawn(app)
        assert "last: lead" in drawn(app)
    seat.close()
    ana.close()
    gm.close()


async def test_a_player_finds_their_own_character_first_among_the_people(root: Path) -> None:
    OpenCampaign(root).close()
    app = TabletopApp(str(root), seat="Eli")
    async with app.run_test(size=(100, 30)) as pilot:
        play = await opened(pilot)
        await pilot.press("P")
        assert isinstance(play.page, PeoplePage)
        assert play.page.who == "odo"
