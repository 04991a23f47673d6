"""Fen by keyboard: an ambush with side initiative, one against many, and a contest of words."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from textual.pilot import Pilot
from waiting import opened, playing, press_until, view_of

from tabletop_tui.cli import main
from tabletop_tui.engines.fen import ENGINE
from tabletop_tui.engines.fen.contest import RollContest, against
from tabletop_tui.rules import percent
from tabletop_tui.session import Codec, verify
from tabletop_tui.storage.log import LogFile, sessions
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.asking.form import Form
from tabletop_tui.ui.panels.panel import Panel

SAMPLE = Path(__file__).parents[2] / "campaigns" / "fen-lanterns"


@pytest.fixture
def lanterns(tmp_path: Path) -> Path:
    target = tmp_path / "fen-lanterns"
    shutil.copytree(SAMPLE, target, ignore=shutil.ignore_patterns("sessions", "now.toml"))
    return target


async def settled(app: TabletopApp, pilot: Pilot[None]) -> str:
    """What stands on the screen once the chances have come, panel by panel."""
    await pilot.pause()
    await app.workers.wait_for_complete()
    await pilot.pause()
    shown = [p for p in app.screen.query(Panel) if p.display and p.region.height]
    return "\n".join(p.render_line(y).text.rstrip() for p in shown for y in range(p.size.height))


async def write(pilot: Pilot[None], words: str) -> None:
    await pilot.press(*("space" if c == " " else c for c in words), "enter")


def verifies(folder: Path) -> None:
    log = LogFile(sessions(folder)[-1], Codec(ENGINE), write=False)
    verdict = verify(ENGINE, log.header, log.entries)
    assert not verdict.wrong, verdict


async def test_an_ambush_with_surprise_and_side_initiative_by_keyboard(lanterns: Path) -> None:
    app = TabletopApp(str(lanterns))
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        assert "1  The causeway at dusk" in await settled(app, pilot)
        await pilot.press("1", "T")
        text = await settled(app, pilot)
        assert re.search(r"b +begin the fight +keepers surprised", text)
        assert re.search(r"z +begin it, nobody surprised", text)
        assert "▲" not in text, "nobody must answer"
        await pilot.press("b")
        text = await settled(app, pilot)
        assert "Who rolls initiative for each side?" in text
        assert re.search(r"keepers +surprised, no turn", text)
        assert re.search(r"thieves +next Mire thief", text)
        assert re.search(r"drowned +next The drowned", text), "the GM knows who is in the water"

        # the net rolls for the thieves; real dice for both who roll
        numbered = [o for o in view_of(playing(app)).prompt.options if not o.key]
        option = next(i for i, o in enumerate(numbered, 1) if "thief-2" in str(o.action))
        await pilot.press(str(option))
        assert re.search(r"thieves +Mire thief with the", await settled(app, pilot))
        world = playing(app).game.world
        assert world.now.rounds.standing["thieves"].who == "thief-2"
        await pilot.press("t", "5", "3", "1", "enter")
        text = await settled(app, pilot)
        assert "The thieves act" in text
        assert "= 5" in text
        assert "= 4" in text
        assert re.search(r"keepers +surprised, no turn", text)

        # both thieves and the drowned one act; then round two, in which the keepers roll too
        await pilot.press("1", "n", "n", "n")
        text = await settled(app, pilot)
        assert playing(app).game.world.now.turns.round == 2
        assert re.search(r"keepers +next Wren Tallow", text)
        assert re.search(r"thieves +next Mire thief; before:", text), "each in turn before anyone repeats"
        marks = {p.id: p.marks for p in view_of(playing(app)).people}
        assert "rolled initiative before" in marks["thief-2"]
        await pilot.press("t", *"13", "4", *"21", "enter")
        text = await settled(app, pilot)
        assert "The keepers act" in text, "a tie goes to the players' side"
        assert re.search(r"keepers +Wren Tallow dodge 4; a", text)
        now = playing(app).game.world.now
        assert now.rounds.sequence == ("keepers", "thieves", "drowned")
    verifies(lanterns)
    seat = TabletopApp(str(lanterns), seat="Caro")
    async with seat.run_test(size=(80, 30)) as pilot:
        await opened(pilot)
        text = await settled(seat, pilot)
        assert re.search(r"keepers +Wren Tallow dodge 4", text)
        assert "drowned" not in text.replace("The drowned bell", "")


async def test_the_same_fight_with_nobody_surprised(lanterns: Path) -> None:
    app = TabletopApp(str(lanterns))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("1", "T", "z")
        text = await settled(app, pilot)
        assert "surprised" not in text
        assert re.search(r"keepers +next Wren Tallow", text)


async def test_a_second_attack_in_ones_turn_is_not_made_until_somebody_says_what_it_costs(lanterns: Path) -> None:
    for words in (("scene", "scene=the-causeway"), ("begin",), ("initiative", "--dice", "5,1,1"), ("next",)):
        assert main(["act", str(lanterns), *words]) == 0
    app = TabletopApp(str(lanterns))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("T", "a", "t", *"321", *"11", "enter")
        text = await settled(app, pilot)
        assert "major spent" in text
        await pilot.press("a", "enter", "enter")
        assert "Mire thief cannot attack: no major action" in await settled(app, pilot)
        up = playing(app).game.world.now.turns.current
        people = playing(app).game.world.now.people
        assert (people[up].major, people[up].reactions) == (1, 0)
        form = playing(app).host.asked
        assert isinstance(form, Form)
        await press_until(pilot, "down", lambda: form.line is not None and form.line.name == "spends", "its cost")
        await pilot.press("1", "t", *"321", *"11", "enter")
        await settled(app, pilot)
        assert playing(app).game.world.now.people[up].reactions == 1, "somebody said so"
    verifies(lanterns)


async def test_one_against_many_and_the_effect_on_all_losers_at_once(lanterns: Path) -> None:
    app = TabletopApp(str(lanterns))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("D", "2")
        text = await settled(app, pilot)
        world = playing(app).game.world
        odds = ENGINE.odds(world, RollContest())
        assert odds is not None
        chances = {g.name: g.chances[0].chance for g in odds.groups}
        for who, name, dice in (("thief-1", "Mire thief", "1d4"), ("wight", "The drowned keeper", "2d8")):
            assert re.search(rf"{name} +~ will {dice} +{percent(chances[against(who)])}", text), who
        for k in (1, 2, 3):
            assert f"≥{k} of 3" in text
        assert "wants: they give ground" in text
        assert "if lost: a measure of oil" in text
        assert "against thief" not in text, "each chance stands in its row and nowhere else"

        # a defender gets one more die, and its chance follows
        await pilot.press("right", "1")
        after = await settled(app, pilot)
        row = next(line for line in after.splitlines() if "will 2d4" in line)
        assert percent(chances[against("thief-1")]) not in row

        await pilot.press("t", *"56", *"13", "2", *"21", "enter")
        text = await settled(app, pilot)
        assert re.search(r"Wren Tallow.*5   6   = 11", text)
        assert "✓ beats 3 of 3" in text
        assert "enter  driven back: all three who lost" in text
        await pilot.press("2")
        text = await settled(app, pilot)
        assert text.count("applied") == 1, "one of them alone"
        await pilot.press("enter")
        text = await settled(app, pilot)
        assert text.count("applied") == 3
        conditions = playing(app).game.world.now.conditions.values()
        assert sorted(c.who for c in conditions if c.what == "driven back") == ["thief-1", "thief-2", "wight"]
        await pilot.press("enter")
        assert playing(app).game.world.now.contest is None, "then Enter puts it away"
    verifies(lanterns)


async def test_a_sheet_is_not_cut_at_80_columns(lanterns: Path) -> None:
    app = TabletopApp(str(lanterns))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("P", "down", "down")
        text = await settled(app, pilot)
        assert "ends at 4, half vigor's d8" in text
        assert re.search(r"fight +2d8 +10\.3 on average", text)
        assert re.search(r"lamp-pole +1d8 \+ 2d8 +with fight", text)
        assert re.search(r"Wicker shield +defense 3 of 3", text)


async def test_a_contest_that_was_played_is_marked_in_the_list_of_the_prepared(lanterns: Path) -> None:
    app = TabletopApp(str(lanterns))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("D", "3", "t", *"666111", *"54", "enter")
        await pilot.press("enter", "enter")  # the effect, then it is put away
        text = await settled(app, pilot)
        assert re.search(r"Whose oil is that\? +played: Teal wins", text)
        assert re.search(r"Shoulder the door +vigor/fight", text), "this one was not"
        await pilot.press("1", "r")
        for _ in range(4):
            if "prepared contests" in await settled(app, pilot):
                break
            await pilot.press("enter")
        assert re.search(r"▸2 ", await settled(app, pilot)), "Enter opens the first that was not played"


async def test_each_defender_is_won_or_lost_alone_and_can_be_taken_out(lanterns: Path) -> None:
    app = TabletopApp(str(lanterns))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("D", "2", "right", "down", "x")
        text = await settled(app, pilot)
        assert "with the net" not in text.split("what happened")[0]
        assert "≥2 of 2" in text
        await pilot.press("t", *"12", "3", *"11", "enter")
        text = await settled(app, pilot)
        assert re.search(r"✓ Mire thief +3  holds", text), "a tie is the defender's"
        assert re.search(r"✗ The drowned keeper +2  beaten", text)
        assert "beats 1 of 2" in text


async def test_a_social_contest_by_articulate_and_will_with_stakes(lanterns: Path) -> None:
    app = TabletopApp(str(lanterns))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("D", "3")
        text = await settled(app, pilot)
        assert "Teal · wants: he opens the ledger" in text
        assert "if lost: a night outside" in text
        assert "articulate/will" in text
        assert "social" in text
        assert re.search(r"won +\d+ %", text)
        await pilot.press("t", *"666111", *"54", "enter")  # three sixes explode into 1s
        text = await settled(app, pilot)
        assert "= 21" in text
        assert "✓ won" in text
        assert "go on, articulate/will" not in text, "a next round needs another pair"
        await pilot.press("g")
        for _ in range(60):
            text = await settled(app, pilot)
            if "was used in round 1" in text:
                break
            await pilot.press("down")
        assert re.search(r"– articulate/will +articulate/will was used in round 1", text)
        await pilot.press("escape", "enter")
        assert [c.what for c in playing(app).game.world.now.conditions.values()] == ["ashamed"]
        second = next(i for i, o in enumerate(view_of(playing(app)).prompt.options, 1) if o.label.startswith("go on"))
        await pilot.press(str(second))
        text = await settled(app, pilot)
        assert "round 2" in text
        told = [fact.text for fact in view_of(playing(app)).facts]
        assert any("articulate/will in round 1" in fact for fact in told)
    verifies(lanterns)


async def test_words_are_not_rolled_before_the_stakes_are_named(lanterns: Path) -> None:
    assert main(["act", str(lanterns), "contest", "who=teal", "contest=articulate/will", "against=reeve"]) == 0
    app = TabletopApp(str(lanterns))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("D", "r")
        assert "name the stakes first" in playing(app).message
        await pilot.press("k")
        await write(pilot, "the key")
        await pilot.press("enter")
        assert "wants: the key" in await settled(app, pilot)
        await pilot.press("r")
        assert view_of(playing(app)).outcome is not None


async def test_a_skill_is_rolled_alone_by_its_letter(lanterns: Path) -> None:
    app = TabletopApp(str(lanterns))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("T", "v")
        assert "roll a skill" in await settled(app, pilot)
        people = playing(app).game.world.present()
        await pilot.press("up", str(people.index("wren") + 1), "1", "enter")
        await settled(app, pilot)
        last = playing(app).game.table.history()[-1]
        assert (last.action, last.said[0].startswith("Wren Tallow rolls ")) == ("roll_skill", True)
    verifies(lanterns)


async def test_an_effect_that_was_not_applied_is_not_thrown_away_without_a_question(lanterns: Path) -> None:
    app = TabletopApp(str(lanterns))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("D", "2", "t", *"56", "1", "2", *"21", "enter")
        assert "beats 3 of 3" in await settled(app, pilot)
        for refused in ("escape", "n", "enter"):
            await pilot.press("c")
            assert "Leave out 'driven back'? It has not been applied to" in await settled(app, pilot)
            await pilot.press(refused)
            await settled(app, pilot)
            assert playing(app).game.world.now.contest is not None
        await pilot.press("c", "y")
        await settled(app, pilot)
        assert playing(app).game.world.now.contest is None
    verifies(lanterns)


async def test_a_prepared_contest_is_its_own_aggressors_whoever_is_under_the_cursor(lanterns: Path) -> None:
    for words in (("scene", "scene=the-toll-house"), ("contest", "who=wren", "contest=fight/vigor", "against=reeve")):
        assert main(["act", str(lanterns), *words]) == 0
    app = TabletopApp(str(lanterns))
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await pilot.press("D", "o", "1", "enter", "y")
        now = playing(app).game.world.now
        assert (now.contest.title, now.contest.who) == ("Whose oil is that?", "teal")


async def test_what_hides_in_a_contest_is_on_no_players_screen_until_it_is_found(lanterns: Path) -> None:
    hides = ("contest", "who=wight", "contest=dodge/notice", "against=wren,sedge")
    assert main(["act", str(lanterns), "scene", "scene=the-causeway"]) == 0
    assert main(["act", str(lanterns), *hides]) == 0
    for look, page in (("T", "Table"), ("D", "Contest")):
        seat = TabletopApp(str(lanterns), seat="Caro")
        async with seat.run_test(size=(80, 24)) as pilot:
            await opened(pilot)
            await pilot.press(look)
            assert "drowned keeper" not in await settled(seat, pilot), page
    assert main(["act", str(lanterns), "roll_contest", "--dice", "1,3,2,1,1"]) == 0
    seat = TabletopApp(str(lanterns), seat="Caro")
    async with seat.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("D")
        assert "drowned keeper" in await settled(seat, pilot)
    verifies(lanterns)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("modify", "who=wren", "fewer=-1"), "fewer -1 is out of range"),
        (("modify", "who=wren", "additional=1000"), "additional 1000 is out of range"),
        (("contest", "who=wren", "contest=fight", "against=thief-1"), "a contest is two skills with one stroke"),
    ],
)
def test_bad_input_on_the_command_line_is_a_sentence(
    lanterns: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    assert main(["act", str(lanterns), *words]) in (1, 2)
    out, err = capsys.readouterr()
    assert sentence in err.replace("\n", " ")
    assert not out


async def test_a_number_out_of_range_is_answered_on_the_form(lanterns: Path) -> None:
    app = TabletopApp(str(lanterns))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("D", "2", "m")
        form = playing(app).host.asked
        assert isinstance(form, Form)
        await press_until(pilot, "down", lambda: form.line is not None and form.line.kind == "number", "a number")
        await write(pilot, "1000")
        assert "from -5 to 5" in await settled(app, pilot)
        await pilot.press("escape")
        assert not playing(app).game.world.now.people["wren"].mods.parts
