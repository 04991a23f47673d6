"""A replay knows what had happened by the step that it shows, and nothing of what came later."""

from __future__ import annotations

import re
from pathlib import Path

from textual.pilot import Pilot
from waiting import drawn, opened, settled

from tabletop_tui.session import Replay
from tabletop_tui.storage.log import played
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.panels.scene import ScenePeople
from tabletop_tui.ui.screens.play import PlayScreen

SAMPLES = Path(__file__).parents[2] / "campaigns"
CLOSES = "Sefa closes the lid"
"""The last note of the evening at Ember Road."""


def watching(sample: str = "ember-road") -> TabletopApp:
    app = TabletopApp()
    app.log_path = str(played(SAMPLES / sample)[0])
    return app


def replay(play: PlayScreen) -> Replay:
    assert isinstance(play.game.table, Replay)
    return play.game.table


async def at(pilot: Pilot[None], play: PlayScreen, place: int) -> None:
    replay(play).seek(place)
    play.changed()
    await pilot.pause()


async def test_the_notes_are_those_up_to_the_step_that_is_shown() -> None:
    app = watching()
    async with app.run_test(size=(140, 45)) as pilot:
        play = await opened(pilot)
        await pilot.press("S")
        await at(pilot, play, 4)
        text = drawn(app).partition("your notes")[2]
        assert "The captain is called" in text, "of the scene's file"
        assert CLOSES not in text
        await pilot.press("end")
        assert CLOSES in drawn(app).partition("your notes")[2]


async def test_what_a_player_did_last_is_told_as_of_then() -> None:
    app = watching()
    async with app.run_test(size=(140, 45)) as pilot:
        play = await opened(pilot)
        table = replay(play)
        who = next(w for w, s in table.world.sheets.items() if s.player == "Ana")
        await play.show_sheet(who)
        assert not any(word.startswith("last: ") for word in play.page.said().tail)
        await pilot.press("end")
        assert any(word.startswith("last: ") for word in play.page.said().tail)


async def test_the_counters_are_plotted_up_to_the_step_that_is_shown() -> None:
    app = watching()
    async with app.run_test(size=(140, 45)) as pilot:
        play = await opened(pilot)
        await pilot.press("L")
        assert "the session ──" not in drawn(app), "nothing has moved yet"
        await at(pilot, play, replay(play).length)
        assert "the session ──" in drawn(app)


async def test_notes_that_find_no_room_are_counted() -> None:
    app = watching()
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("S")
        await at(pilot, play, replay(play).length)
        people = play.query_one(ScenePeople)
        rows = [people.render_line(y).text for y in range(people.size.height)]
        assert rows[-1].strip().endswith("more"), rows
        assert "▾" in rows[-1]


async def test_a_replay_shows_no_key_of_what_cannot_be_opened() -> None:
    app = watching()
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("S")
        await at(pilot, play, 4)
        text = drawn(app)
        assert "challenge Hold the gate" in text
        assert "1 challenge" not in text
        assert "4 scene" not in text
        assert "a digit opens it" not in text


async def test_a_replay_asks_nobody_and_shows_the_dice_of_both_sides() -> None:
    app = watching()
    async with app.run_test(size=(80, 24)) as pilot:
        play = await opened(pilot)
        await pilot.press("]")
        await settled(app, pilot)
        text = drawn(app)
        assert play.front == "challenge"
        band = text.splitlines()[-2]
        assert band.startswith(" ▶ Asked: Choose up to 1 die to reroll.")
        assert not play.said().loud
        assert re.search(r"Hold the gate +5 ", text), "the hand that it was rolled against"
        assert "↵" not in text
        assert not re.search(r"^ k ", text, re.MULTILINE)
        await pilot.press("T")
        assert "Challenge ▲" not in drawn(app), "nobody must answer"


async def test_the_answers_of_a_replay_say_what_their_chances_are_of() -> None:
    app = watching()
    async with app.run_test(size=(140, 45)) as pilot:
        await opened(pilot)
        await pilot.press("]")
        await settled(app, pilot)
        assert re.search(r"keep the dice +100 % +success", drawn(app))


async def test_a_replay_has_no_keys_beside_what_could_be_done_then() -> None:
    app = watching()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        text = drawn(app)
        assert re.search(r"^.{36} +attack ", text, re.MULTILINE)
        assert not re.search(r" [ao123]  (attack|opposed roll|The )", text)


async def test_help_in_a_replay_is_the_replays() -> None:
    app = watching()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("C", "?")
        await pilot.pause()
        assert "Replay, Challenge: keys" in drawn(app)
