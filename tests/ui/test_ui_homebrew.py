"""The home-brew samples by keyboard with typed dice: played, verified, told; and rules that change under way."""

from __future__ import annotations

import shutil
from pathlib import Path

import playing
import pytest
from waiting import opened, view_of

from tabletop_tui import plugins
from tabletop_tui.engines.homebrew.turns import Next
from tabletop_tui.session import Codec, verify
from tabletop_tui.storage.log import LogFile, sessions
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.asking.form import Form

SAMPLES = Path(__file__).parents[2] / "campaigns"
SIZES = [(80, 24), (100, 30)]


def copied(name: str, place: Path) -> Path:
    target = place / name
    shutil.copytree(SAMPLES / name, target, ignore=shutil.ignore_patterns("sessions", "now.toml", "played"))
    return target


def sound(root: Path) -> None:
    """The log verifies, and the session can be told."""
    engine = plugins.load("homebrew")
    (path,) = sessions(root)
    log = LogFile(path, Codec(engine), write=False)
    verdict = verify(engine, log.header, log.entries)
    log.close()
    assert not verdict.wrong
    assert verdict.typed
    told = playing.command("export", str(root), cwd=root.parent)
    assert told.returncode == 0, told.stderr
    assert len(told.stdout) > 200


@pytest.mark.parametrize("size", SIZES)
async def test_two_dice_a_trait_and_a_band(tmp_path: Path, size: tuple[int, int]) -> None:
    root = copied("salt-road", tmp_path)
    async with TabletopApp(str(root)).run_test(size=size) as pilot:
        play = await opened(pilot)
        await pilot.press("T", *"ft36", "enter")
        now = play.game.world.now
        assert (now.roll.who, now.roll.band, now.roll.result) == ("imre", "full hit", 10)
        assert now.meters["rider"]["harm"] == 2
        await pilot.press(*"at11", "enter")
        assert play.game.world.now.roll.band == "miss"
        assert play.game.world.now.clocks["riders"].filled == 2  # a miss fills two
        await pilot.press("u")
        assert play.game.world.now.clocks["riders"].filled == 0
    sound(root)


@pytest.mark.parametrize("size", SIZES)
async def test_a_pool_its_price_and_the_stress_of_resisting(tmp_path: Path, size: tuple[int, int]) -> None:
    root = copied("lamplighters", tmp_path)
    async with TabletopApp(str(root)).run_test(size=size) as pilot:
        play = await opened(pilot)
        await pilot.press("T", *"at3", "enter")
        now = play.game.world.now
        assert (now.roll.who, now.roll.band) == ("marchetta", "bad")
        assert now.asked[0].options == ("resist", "accept")
        assert view_of(play).prompt.options[0].label == "Resist: will"  # she has most dice there
        await pilot.press(*"t21", "enter")
        now = play.game.world.now
        assert not now.asked
        assert now.meters["marchetta"]["stress"] == 4  # six less what the dice showed
    sound(root)


@pytest.mark.parametrize("size", SIZES)
async def test_numbered_turns_and_a_skill_challenge(tmp_path: Path, size: tuple[int, int]) -> None:
    root = copied("broken-causeway", tmp_path)
    async with TabletopApp(str(root)).run_test(size=size) as pilot:
        play = await opened(pilot)
        await pilot.press("T", "g", "t", *"10", *"5", *"18", *"7", *"9", "enter")
        turns = play.game.world.now.turns
        assert turns.running
        numbers = [turns.fighters[who].number for who in turns.order]
        assert numbers == sorted(numbers, reverse=True)
        await pilot.press("C", "1", "1")
        assert play.game.world.now.challenge.lead == "hale"
        await pilot.press("t", *"15", "enter")
        now = play.game.world.now
        assert (now.challenge.wins, now.challenge.losses) == (1, 0)  # 15 + 8 against 14
        assert now.challenge.lead == ""  # somebody else has to try
    sound(root)


async def test_enter_takes_a_partys_highest_stat_into_a_contest(tmp_path: Path) -> None:
    root = copied("salt-road", tmp_path)
    async with TabletopApp(str(root)).run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("D", "1", "enter", "enter")
        stats = [side.stat for side in play.game.world.now.contest.sides.values()]
        assert stats[0] == "strange"
        assert stats[1], "then it is the other's to choose"
        assert play.game.world.now.contest.stage == "build"


@pytest.mark.parametrize("size", SIZES)
async def test_a_contest_against_one_of_the_gms_own_is_rolled(tmp_path: Path, size: tuple[int, int]) -> None:
    root = copied("salt-road", tmp_path)
    async with TabletopApp(str(root)).run_test(size=size) as pilot:
        play = await opened(pilot)
        await pilot.press("D", "1", *"1", *"1")  # the cursor follows the question
        assert {side.stat for side in play.game.world.now.contest.sides.values()} == {"hard"}
        await pilot.press(*"t6511", "enter")
        now = play.game.world.now.contest
        assert now.stage == "fallen"
        assert now.sides["vesna"].won == 1
    sound(root)


async def test_a_contest_is_prepared_with_the_games_own_kinds_and_whom_it_is_against(tmp_path: Path) -> None:
    root = copied("salt-road", tmp_path)
    async with TabletopApp(str(root)).run_test(size=SIZES[0]) as pilot:
        play = await opened(pilot)
        await pilot.press("S", "enter", "+", *"contest", "enter")
        await pilot.press("enter", "3", "enter")
        plan = play.game.world.scenes["1-the-dry-well"].contests["contest"]
        assert (plan.contest, plan.who, plan.against) == ("bargain", "imre", ("vesna",))


async def test_in_a_fight_the_next_turn_stands_in_the_band_and_no_letter_rolls_what_is_not_shown(
    tmp_path: Path,
) -> None:
    root = copied("broken-causeway", tmp_path)
    async with TabletopApp(str(root)).run_test(size=SIZES[0]) as pilot:
        play = await opened(pilot)
        await pilot.press("T", "g", "t", *"10", *"5", *"18", *"7", *"9", "enter")
        assert Next in play.page.foremost()
        up, before = play.game.world.now.turns.current, play.game.table.last
        await pilot.press("r")
        assert play.game.table.last == before
        await pilot.press("n")
        assert play.game.world.now.turns.current not in ("", up)


@pytest.mark.parametrize("size", SIZES)
async def test_the_dice_of_all_who_roll_together_are_shown(tmp_path: Path, size: tuple[int, int]) -> None:
    root = copied("lamplighters", tmp_path)
    async with TabletopApp(str(root)).run_test(size=size) as pilot:
        play = await opened(pilot)
        await pilot.press("C", "1", "1")
        await pilot.press("t", *"123456", "enter")
        view = view_of(play)
        assert len(view.hands) == len(play.game.world.players()) > 1
        assert all(hand.faces for hand in view.hands)
    sound(root)


def test_a_change_of_the_rules_during_play_counts_or_is_refused_with_its_line(tmp_path: Path) -> None:
    root = copied("salt-road", tmp_path)
    desk = OpenCampaign(root, clock=playing.evening())
    playing.act(desk.table, "adjust who=imre meter=harm by=5")
    assert desk.publish()
    text = (root / "campaign.toml").read_text()
    (root / "campaign.toml").write_text(text.replace('title = "Harm"\nmost = 6', 'title = "Harm"\nmost = 8'))
    (change,) = desk.look().done
    assert change.words() == "campaign.toml: rules.meters.harm.most 6 → 8"
    playing.act(desk.table, "adjust who=imre meter=harm by=2")
    assert desk.table.world.now.meters["imre"]["harm"] == 7
    text = (root / "campaign.toml").read_text()
    (root / "campaign.toml").write_text(text.replace('dice = "2d6 + sharp"', 'dice = "2d6 + sharpp"'))
    seen = desk.look()
    assert not seen.done
    (problem,) = seen.problems
    assert problem.file == "campaign.toml"
    assert "did you mean 'sharp'" in str(problem).lower()
    assert desk.table.world.rules.rolls["read"].dice == "2d6 + sharp"
    desk.close()


def test_a_meter_that_somebody_has_can_be_taken_out_of_the_rules_and_comes_back_with_undo(tmp_path: Path) -> None:
    root = copied("salt-road", tmp_path)
    desk = OpenCampaign(root, clock=playing.evening())
    playing.act(desk.table, "adjust who=imre meter=hold by=2")
    assert desk.publish()
    text = (root / "campaign.toml").read_text()
    text = text.replace('[rules.meters.hold]\ntitle = "Hold"\nmost = 3\n', "")
    (root / "campaign.toml").write_text(text)
    seen = desk.look()
    assert not seen.done  # rolls and options still name it
    assert {problem.file for problem in seen.problems} == {"campaign.toml"}
    assert "hold" in desk.table.world.rules.meters
    for piece in (', does = { hold = "to 3" }', ', does = { hold = "to 1" }', "costs = { hold = -1 }\n"):
        assert piece in text
        text = text.replace(piece, "")
    (root / "campaign.toml").write_text(text)
    seen = desk.look()
    assert seen.done
    assert "hold" not in desk.table.world.rules.meters
    playing.act(desk.table, "roll roll=dare who=imre stat=hard clock=-", (3, 4))
    for _ in range(20):
        if "hold" in desk.table.world.rules.meters:
            break
        desk.table.undo()
    assert desk.table.world.now.meters["imre"]["hold"] == 2
    desk.close()


def test_a_new_roll_can_be_made_as_soon_as_it_is_saved(tmp_path: Path) -> None:
    root = copied("salt-road", tmp_path)
    desk = OpenCampaign(root, clock=playing.evening())
    playing.act(desk.table, "roll roll=dare who=imre stat=hard clock=-", (3, 4))
    text = (root / "campaign.toml").read_text()
    (root / "campaign.toml").write_text(f'{text}\n[rules.rolls.pray]\ndice = "1d6 + strange"\n')
    assert desk.look().done
    playing.act(desk.table, "roll roll=pray who=imre", (5,))
    assert desk.table.world.now.roll.roll == "pray"
    desk.close()


async def test_what_helps_is_proposed_for_ones_own_side_and_what_hurts_for_the_other(tmp_path: Path) -> None:
    root = copied("broken-causeway", tmp_path)
    async with TabletopApp(str(root)).run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("S", "enter", "T", "p")
        assert isinstance(play.host.asked, Form)
        assert str(play.host.asked.answers["whom"]) == "orla"
        await pilot.press("escape", "a")
        assert isinstance(play.host.asked, Form)
        assert str(play.host.asked.answers["whom"]) == "eel"
