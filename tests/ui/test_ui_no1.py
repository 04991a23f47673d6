"""A round of the No1 system by keyboard: the dice decide who acts next, and the screen follows."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from waiting import opened, playing, press_until, view_of

from tabletop_tui.engines.no1 import ENGINE
from tabletop_tui.rules import tag_of
from tabletop_tui.session import Codec, verify
from tabletop_tui.storage.log import LogFile, sessions
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.asking.form import Form
from tabletop_tui.ui.pages.table import TablePage
from tabletop_tui.ui.pages.view_page import ViewPage
from tabletop_tui.ui.screens.play import PlayScreen

SAMPLE = Path(__file__).parents[2] / "campaigns" / "cinder-pass"


@pytest.fixture
def pass_(tmp_path: Path) -> Path:
    target = tmp_path / "cinder-pass"
    shutil.copytree(SAMPLE, target, ignore=shutil.ignore_patterns("sessions", "now.toml"))
    return target


# what it is, the keys, then Momentum, Entropy, who holds the Initiative, who is up
ROUND = [
    ("begin the prepared scene; both sides' opening dice", "t 4 4 1 4 1 1 enter", 0, 0, "heroes", ""),
    ("Tam goes first", "4", 0, 0, "heroes", "tam"),
    ("he defies danger: three d10 and two hazard dice", "s 1 t 5 2 3 2 3 enter", 0, 0, "heroes", "tam"),
    ("he sneaks up on a runner; one hazard die was defied", "a 1 2 t 6 7 2 4 enter", 1, 0, "heroes", "tam"),
    ("Sefa", "3", 1, 0, "heroes", "sefa"),
    ("her best skill, and a 1 in it", "t 1 space 9 9 enter", 1, 0, "heroes", "sefa"),
    ("a rank rerolls it to a 12", "t 1 2 enter", 2, 0, "heroes", "sefa"),
    ("her talent costs 1 and gives 1 on an 8", "m 4 t 8 enter", 2, 0, "heroes", "sefa"),
    ("Brann", "1", 2, 0, "heroes", "brann"),
    ("three 1s are more than his ranks", "t 1 1 1 space 2 2 enter", 2, 0, "heroes", "brann"),
    ("he lets go: the first seizure", "enter", 2, 1, "foes", "brann"),
    ("a runner", "1", 2, 1, "foes", "Ash runner 1"),
    ("keeps it for the foes", "t 2 2 2 2 enter", 2, 1, "foes", "Ash runner 1"),
    ("another", "1", 2, 1, "foes", "Ash runner 2"),
    ("loses it: the second seizure", "t 6 1 5 3 enter", 2, 1, "heroes", "Ash runner 2"),
    ("Oda, the last hero", "1", 2, 1, "heroes", "oda"),
    ("mends", "t 4 4 3 enter", 3, 1, "heroes", "oda"),
    ("no hero is left: the other runners", "1", 3, 1, "heroes", "Ash runner 3"),
    ("acts cleanly: a side keeps what it has, no more", "t 2 3 4 2 enter", 3, 1, "heroes", "Ash runner 3"),
    ("the fourth", "1", 3, 1, "heroes", "Ash runner 4"),
    ("is skipped", "k enter", 3, 1, "heroes", ""),
    ("a pike", "1", 3, 1, "heroes", "Duke's pike 1"),
    ("strikes", "r", None, None, None, "Duke's pike 1"),
    ("the other", "1", None, None, None, "Duke's pike 2"),
    ("the round ends, though the drake that nobody sees has not acted", "k enter d y", None, None, None, ""),
]


async def test_a_round_with_four_heroes_and_six_foes_by_keyboard(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        for what, keys, momentum, entropy, holder, up in ROUND:
            await pilot.press(*keys.split())
            now = play.game.world.now
            if momentum is not None:
                assert (now.momentum, now.entropy, now.turns.holder) == (momentum, entropy, holder), what
            assert now.turns.current == up, what
            view = view_of(play)
            assert view.banner == f"The {now.turns.holder} hold the Initiative", what
            assert [c.value for c in view.counters[:2]] == [now.momentum, now.entropy], what
        now = play.game.world.now
        assert (now.turns.round, now.turns.timer) == (2, 3)
        assert not any(f.acted for f in now.turns.fighters.values())
        last = now
        for _ in range(play.game.table.timeline.last):
            await pilot.press("u")
        assert play.game.world == play.game.table.at(0)
        ahead = len(play.game.table.timeline.ahead)
        for _ in range(ahead):
            await pilot.press("ctrl+r")
        assert play.game.world.now == last
    log = LogFile(sessions(pass_)[-1], Codec(ENGINE), write=False)
    verdict = verify(ENGINE, log.header, log.entries)
    assert not verdict.wrong, verdict


def table_page(app: TabletopApp) -> TablePage:
    assert isinstance(app.screen, PlayScreen)
    assert isinstance(app.screen.page, TablePage)
    return app.screen.page


def drawn(app: TabletopApp) -> str:
    page = table_page(app)
    return "\n".join(
        strip.text
        for panel in (page.roster, page.stage, page.card)
        for strip in (panel.render_line(y) for y in range(panel.size.height))
    )


async def test_identical_foes_share_a_row_until_they_differ_or_are_opened(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("t", *"441411", "enter")
        assert "Ash runner ×4" in drawn(app)
        assert "Duke's pike ×2" in drawn(app)
        page = table_page(app)
        await press_until(pilot, "down", lambda: page.under == "Ash runner 1", "the first of the runners")
        await pilot.press("right")
        assert "Ash runner 3" in drawn(app)
        assert "×4" not in drawn(app)
        await pilot.press("left")
        assert "Ash runner ×4" in drawn(app)
        # whoever is out, has a condition or stands elsewhere has a row of their own
        await pilot.press("o", "enter")
        assert play.game.world.now.turns.fighters["Ash runner 1"].out
        assert "Ash runner ×3" in drawn(app)
        assert "✗ ◆ Ash runner 1" in drawn(app)


async def test_before_the_roll_the_pool_and_its_exact_chances_stand_on_the_table(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("t", *"441411", "enter")
        await pilot.press("1")  # Brann, on the arch
        await app.workers.wait_for_complete()
        await pilot.pause()
        text = drawn(app)
        assert "act against Ash runner" in text
        assert "3d10" in text
        assert "crumbling basalt" in text
        assert "Initiative kept" in text
        assert "without ranks" in text
        assert "≥1" in text


async def test_conditions_with_what_is_left_and_clocks_are_in_sight(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(80, 30)) as pilot:
        await opened(pilot)
        await pilot.press("t", *"441411", "enter", "f")
        await pilot.press(*"blinded", "enter")
        assert "blinded" in drawn(app)
        assert "until" in drawn(app)
        assert "The mountain wakes" in screen_text(app)


def screen_text(app: TabletopApp) -> str:
    """Everything that is drawn, whatever is in front."""
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


async def test_a_digit_too_many_does_not_answer_the_next_prompt(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("t", *"441411", "2", "2")
        assert not play.game.world.now.turns.running
        assert "all dice entered" in drawn(app)
        await pilot.press("enter")
        assert play.game.world.now.turns.running
        assert play.game.world.now.turns.current == ""


async def test_a_stray_key_does_not_end_a_round_or_an_encounter(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("t", *"441411", "enter", "d")
        # the drake among them, whom only the GM sees
        assert "Brann Holloway and 10 others have not acted" in screen_text(app)
        assert "End the round?" in screen_text(app)
        await pilot.press("escape", "x")
        assert "Momentum 0, Entropy 0: the scene hangs" in screen_text(app)
        assert "End the encounter?" in screen_text(app)
        await pilot.press("enter")
        assert (play.game.world.now.turns.round, play.game.world.now.turns.running) == (1, True)
        await pilot.press("d", "y")
        assert play.game.world.now.turns.round == 2


async def test_a_contest_that_is_called_goes_on_on_its_page(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("t", *"441411", "enter", "l", "1", "1", "1", "enter")
        assert play.front == "contest"
        await pilot.press("a")
        assert "fight a round" in screen_text(app)
        await pilot.press("b")
        await app.workers.wait_for_complete()
        await pilot.pause()
        # the form proposes what the page shows: the best skill of each
        assert "challenger's skill  Strike 3  d10" in screen_text(app)
        await pilot.press("escape", "r", "b")
        await app.workers.wait_for_complete()
        await pilot.pause()
        skill = play.page.view.roll.skill  # type: ignore[attr-defined]
        assert skill != "Strike", "used before, it would cost a hit"
        assert f"challenger's skill  {skill or 'no skill'}" in screen_text(app), "and not the skill of the last round"
        await pilot.press("escape", "x", "y")
        assert play.game.world.now.duel is None


async def test_the_reroll_shows_what_each_answer_is_worth(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("t", *"441411", "enter", "1", "t", "1", *"555", "2", "2", "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        # one d10 falls again, and once more if it has to: 1 − 1/100
        assert re.search(r"g↵ reroll it +99 %", drawn(app))
        assert re.search(r"n +let it count +0 % +Initiative kept", drawn(app))
        await pilot.press("1")  # that die is not picked any more
        shown = {item.keys: item.label for item in playing(app).deck.items if item.layer == "prompt"}
        assert shown[("enter",)] == "go on with no die picked"
        assert (shown[("g",)], shown[("n",)]) == ("reroll it", "let it count"), "letters do what they always do"
        assert re.search(r"↵ +go on with no die picked", drawn(app))
        await pilot.press("g")
        entry = playing(app).game.table.timeline.entries[-1]
        assert tag_of(type(entry.action)) == "reroll"
        assert entry.action.dice == (0,)


async def test_a_picked_die_is_left_by_the_key_that_says_so_and_kept_by_the_letter(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("t", *"441411", "enter", "1", "t", "1", "space", "1", "space", *"55", "2", "2", "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()

        def words() -> dict[str, str]:
            return {item.keys[0]: item.group for item in playing(app).deck.items if item.id.startswith("prompt.die")}

        page = play.page
        assert isinstance(page, ViewPage)
        assert page.picked == {0}
        assert words()["1"] == "leave it"
        assert words()["2"] == "pick a die"
        await pilot.press("1", "2")
        assert page.picked == {1}
        assert words()["1"] == "pick a die"
        await pilot.press("g")
        assert play.game.table.timeline.entries[-1].action.dice == (1,), "the die that was picked, not the first one"


async def test_a_question_that_the_band_cuts_is_on_the_stage_in_full(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("t", *"441411", "enter")
        short = view_of(play).prompt.text
        assert short in play.band.render_line(0).text
        await pilot.press("1", "t", "5", *"555", "2", "2", "enter")
        question = view_of(play).prompt.text
        assert "still has a Shift" in question
        assert question not in play.band.render_line(0).text, "it has answers to tell"
        assert question in " ".join(drawn(app).split())


async def test_every_answer_of_a_long_prompt_is_in_sight_at_80x24(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("t", *"111444", "enter")
        await pilot.press("j", "4", "enter")  # a furnace golem
        options = view_of(play).prompt.options
        assert len(options) == 5
        for option in options:
            assert option.label in drawn(app), option.label


async def test_nobody_is_out_of_sight_without_a_sign(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(80, 16)) as pilot:
        await opened(pilot)
        await pilot.press("t", *"441411", "enter", "j", "4", "enter", "j", "5", "enter")
        await pilot.press("down", "down", "down", "down", "right")
        below = re.search(r"▾ (\d+) more", drawn(app))
        assert below
        page = table_page(app)
        rows = page.rows
        shown = {spot.press.place[0] for spot in page.roster.spots}
        assert int(below[1]) == sum(len(row.people) for i, row in enumerate(rows) if i not in shown) > 0
        await pilot.press(*["down"] * len(rows))
        assert re.search(r"▴ \d+ above", drawn(app))


async def test_a_hidden_foe_that_is_up_has_its_pool_and_chances_for_the_gm(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("t", *"111444", "enter")
        labels = [o.label for o in view_of(play).prompt.options]
        await pilot.press(str(labels.index("Cinder drake") + 1))
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "Cinder drake acts" in drawn(app)
        assert "Initiative kept" in drawn(app)
        assert "r↵ act with Smell: is seen" in drawn(app)
        assert re.search(r"1 +Ash runner", drawn(app))


async def test_help_explains_the_form_that_is_open(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("t", *"441411", "enter", "1", "a", "question_mark")
        await pilot.pause()
        assert "roll Challenge dice with a skill" in " ".join(screen_text(app).split())
        await pilot.press("escape")
        await pilot.pause()
        assert "esc leave" in screen_text(app)


async def test_the_roll_of_before_makes_room_for_whoever_is_up(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        await pilot.press("t", *"441411", "enter", "4", "t", *"555", "2", "2", "enter")
        assert "TAMQUICKLYKEEPSTHEINITIATIVE" in drawn(app).replace(" ", "")
        await pilot.press("1")
        assert "TAM" not in drawn(app)
        assert "act against Ash runner" in drawn(app)


async def test_while_nothing_runs_enter_begins_the_encounter_and_nobody_has_to_answer(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        assert view_of(play).prompt is None
        assert "▲" not in play.band.render_line(0).text
        assert "↵  begin The ash bridge" in drawn(app)
        await pilot.press("enter")
        assert play.game.world.now.turns.running
        assert play.game.world.now.scene == "1-the-ash-bridge"


async def test_the_form_of_a_roll_names_the_trait_that_its_chances_count_on(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("t", *"441411", "enter", "1", "enter")
        assert re.search(r"focused Trait +Immovable 2/2", drawn(app))


async def test_a_shift_that_is_left_is_shown_and_asked_for(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("t", *"441411", "enter", "1", "t", *"555", "4", "4", "enter")
        assert re.search(r"s +shift", drawn(app))
        assert "t" not in {key for item in play.deck.items if item.layer == "prompt" for key in item.keys}
        await pilot.press("s")
        assert re.search(r"how +Defy Danger", drawn(app))
        await pilot.press("2", "enter")
        assert play.game.world.now.roll.kind == "advantage"


async def test_the_list_of_manoeuvres_shows_costs_effects_and_reasons_at_80_columns(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("t", *"441411", "enter", "1", "t", *"555", "4", "4", "enter", "m", "down")
        text = drawn(app)
        assert "Ember reading  1 Momentum, d20" in text
        assert "d20: at least 8" in text
        assert "Entropy: stays at 0" in text
        assert "Take heart  1 of 3 Momentum" in text


async def test_words_in_place_of_a_target_mean_nobody_until_they_are_typed(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("t", *"441411", "enter", "1", "a")
        await app.workers.wait_for_complete()
        form = play.host.asked
        assert isinstance(form, Form)
        assert form.aim is not None
        assert form.line is form.aim
        before = play.game.table.last
        await pilot.press(str(len(form.open(form.aim))))  # the last choice: something else
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "Ash runner" not in play.band.render_line(0).text
        assert "%" not in play.band.render_line(0).text
        await pilot.press("enter")
        assert play.game.table.last == before
        assert "please type something" in drawn(app)
        await pilot.press(*"rope", "enter")
        assert play.game.table.timeline.entries[-1].action.target == "rope"


async def test_a_roll_that_begins_an_encounter_is_called_so_and_stands_there_once(pass_: Path) -> None:
    app = TabletopApp(str(pass_))
    async with app.run_test(size=(140, 45)) as pilot:
        play = await opened(pilot)
        found = {item.id: item for item in play.deck.items}
        assert found["table.roll"].label == "begin The ash bridge"
        assert play.band.render_line(0).text.count("begin The ash bridge") == 1
        await pilot.press("r")
        assert play.game.world.now.turns.running
