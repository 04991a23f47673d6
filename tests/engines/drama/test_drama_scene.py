"""What a scene has ready, and what has become of it in the session."""

from __future__ import annotations

from drama_abbey import fresh, table

from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.challenge import Lead, MakeTest, OpenTask, RollTask
from tabletop_tui.engines.drama.complex import GiveUp, OpenComplex
from tabletop_tui.engines.drama.contest import CloseContest, GoOn, OpenContest, RollContest
from tabletop_tui.engines.drama.contest_lines import Argue
from tabletop_tui.engines.drama.momentum import EnterScene
from tabletop_tui.engines.drama.penalties import GainPenalty
from tabletop_tui.rules import Action, ChallengeView
from tabletop_tui.session import Table
from tabletop_tui.session.scenes import became, look_at, scene_rows, unplayed

LEDGER, NIGHT = OpenContest("the-parlour/ledger"), OpenComplex("the-night-office/night")
FOUR = [6, 6, 6, 6, 3, *[1] * 7]
"""Joan has four successes, the prior none."""


def session(scene: str) -> Table:
    play = table(fresh())
    play.do(EnterScene(scene))
    return play


def open_names(play: Table) -> list[str]:
    return [p.name for p in unplayed(play, play.world.now.scene)]


def words(play: Table, openings: list[Action]) -> list[str]:
    return [found.words for found in became(play, openings)]


def left(play: Table) -> int:
    return next(row.left for row in scene_rows(play) if row.id == play.world.now.scene)


def test_a_contest_that_was_opened_by_mistake_and_closed_was_not_played() -> None:
    play = session("the-parlour")
    before = left(play)
    play.do(LEDGER)
    assert (words(play, [LEDGER]), left(play)) == (["● open"], before - 1)
    play.do(Argue("joan", "Insight"))
    play.do(CloseContest())
    assert (words(play, [LEDGER]), left(play)) == ([""], before)
    assert "The almoner's ledger" in open_names(play)


def test_a_contest_was_played_once_its_dice_fell_however_often_it_is_looked_at_again() -> None:
    play = session("the-parlour")
    before = left(play)
    play.do(LEDGER)
    play.do(Argue("joan", "Insight"))
    play.do(RollContest(), FOUR, roll=False)
    play.do(GoOn())
    play.do(CloseContest())
    assert words(play, [LEDGER]) == ["played: Joan wins by 4"], "as the last round that was rolled"
    play.do(LEDGER)
    play.do(CloseContest())
    assert words(play, [LEDGER]) == ["played: Joan wins by 4"]
    assert left(play) == before - 1
    look = look_at(play, "the-parlour")
    assert look is not None
    assert look.ready[0].short == "played", "for where there is no room"


def test_a_contest_with_somebody_who_is_broken_says_why_it_cannot_be_opened() -> None:
    play = session("the-parlour")
    play.do(GainPenalty("hugh", "remorse", 10))
    look = look_at(play, "the-parlour")
    assert look is not None
    assert look.ready[0].prepared.closed.startswith("Prior Hugh is broken by 10 penalty dice")


def test_a_complex_test_is_open_until_its_last_attempt() -> None:
    play = session("the-night-office")
    play.do(NIGHT)
    play.do(Lead("edmund", "Stealth"))
    play.do(RollTask(), [1, 1, 1, 1, 1], roll=False)
    assert words(play, [NIGHT]) == ["● open"], "there is a second attempt"
    play.do(Lead("edmund", "Stealth"))
    play.do(RollTask(), [1, 1, 1], roll=False)
    assert words(play, [NIGHT]) == ["played: failed"]
    play.do(MakeTest("edmund", "Latin"), [6, 6, 6, 6, 6, 3, 3, 3], roll=False)
    assert words(play, [NIGHT]) == ["played: failed"], "whatever is rolled afterwards"
    assert "Read the ledger by night" not in open_names(play)


def test_a_complex_test_that_was_given_up_is_over() -> None:
    play = session("the-night-office")
    play.do(NIGHT)
    play.do(Lead("edmund", "Stealth"))
    play.do(RollTask(), [6, 6, 6, 3, 3], roll=False)
    play.do(GiveUp())
    view = ENGINE.view("challenge", play.world)
    assert isinstance(view, ChallengeView)
    assert view.outcome
    assert (view.outcome.title, view.outcome.detail) == ("partial success", "given up at The third lock")
    assert words(play, [NIGHT]) == ["played: partial success"]


def test_a_test_after_a_complex_one_stands_under_its_own_name() -> None:
    play = session("the-night-office")
    play.do(NIGHT)
    play.do(GiveUp())
    play.do(OpenTask("The wall"))
    play.do(Lead("edmund", "Physical"))
    play.do(RollTask(), [6, 6, 1, 1], roll=False)
    view = ENGINE.view("challenge", play.world)
    assert isinstance(view, ChallengeView)
    assert view.outcome
    assert (view.title, view.outcome.title) == ("The wall", "success")
