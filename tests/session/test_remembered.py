"""Nothing is asked of an engine twice about the same state, nor about one of the last few."""

from __future__ import annotations

import playing
import pytest

from tabletop_tui.rules import Refused, TableView
from tabletop_tui.session import Replay
from tabletop_tui.session.remembered import STATES, Remembered


def test_a_state_is_asked_about_once() -> None:
    asked: list[str] = []
    kept, state = Remembered(), object()

    def ask() -> int:
        asked.append("again")
        return len(asked)

    assert [kept.get(state, "how many", ask) for _ in range(3)] == [1, 1, 1]
    assert kept.get(object(), "how many", ask) == 2
    assert kept.get(state, "how many", ask) == 1  # undone
    others = [object() for _ in range(STATES)]
    assert [kept.get(other, "how many", ask) for other in others] == [*range(3, 3 + STATES)]
    assert kept.get(others[0], "how many", ask) == 3
    assert kept.get(state, "how many", ask) == 3 + STATES  # long ago


def test_what_failed_is_tried_again_by_whoever_comes_back() -> None:
    kept, state = Remembered(), object()

    def fail() -> int:
        raise Refused("it took too long")

    with pytest.raises(Refused):
        kept.get(state, "slow", fail)
    assert kept.get(state, "quick", lambda: 1) == 1
    kept.get(object(), "slow", lambda: 7)
    assert kept.get(state, "slow", lambda: 8) == 8
    assert kept.get(state, "quick", lambda: 2) == 1


def test_a_failure_is_remembered_as_long_as_its_state() -> None:
    kept, state = Remembered(), object()

    def fail() -> int:
        raise Refused("it took too long")

    for ask in (fail, lambda: 7):
        with pytest.raises(Refused, match="it took too long"):
            kept.get(state, "how many", ask)
    assert kept.get(object(), "how many", lambda: 7) == 7


def test_a_question_that_cannot_be_looked_up_is_asked_each_time() -> None:
    kept, state = Remembered(), object()
    answers = iter((1, 2))
    assert [kept.get(state, ("dice", [1, 2]), lambda: next(answers)) for _ in range(2)] == [1, 2]


def test_players_who_only_look_on_by_now_are_told_so_at_states_that_they_know() -> None:
    table = playing.table(playing.samples("tiers")[0])
    playing.act(table, "begin", who="mira,rook,reaver")
    playing.act(table, "next")

    def at(seat: Replay, place: int) -> tuple[list[str], tuple[object, ...]]:
        seat.seek(place)
        view = seat.view("table")
        assert isinstance(view, TableView)
        return [offer.how for offer in seat.offers()], view.acts

    seat, late = (Replay(table.engine, table.header, table.timeline.entries, seat="Ana") for _ in range(2))
    late.players = "look"
    assert at(seat, 1) != at(late, 1)
    at(seat, 2)
    seat.players = "look"
    assert at(seat, 1) == at(late, 1)
