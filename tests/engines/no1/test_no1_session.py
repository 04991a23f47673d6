"""Whole rounds at a table: counters after each step, undo and redo, two hundred fighters."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import playing
import pytest
from msgspec.structs import replace
from no1_table import fight, table
from test_no1_campaign import sample

from tabletop_tui.conformance import random_action
from tabletop_tui.engines.no1 import ENGINE
from tabletop_tui.engines.no1.cast import DropIn
from tabletop_tui.engines.no1.encounter import Begin, EndRound
from tabletop_tui.engines.no1.initiative import Next
from tabletop_tui.engines.no1.manoeuvres import UseManoeuvre
from tabletop_tui.engines.no1.roll import Act, LetGo, Reroll, Shift
from tabletop_tui.engines.no1.world import No1World
from tabletop_tui.rules import Refused, TableView
from tabletop_tui.session import Codec, Table, begin, verify
from tabletop_tui.storage.log import LogFile

GOLDEN = Path(__file__).parents[2] / "golden"
EVENING = datetime(2026, 1, 15, 19, 0, tzinfo=UTC)


def sit_down(world: No1World, seat: str = "") -> Table:
    header = begin(ENGINE, world, campaign="cinder-pass", session="2026-01-15-1", at=EVENING, seed="0123456789abcdef")
    return Table(ENGINE, header, clock=lambda: EVENING, seat=seat)


# (action, faces, Momentum and Entropy after it, who holds the Initiative)
ROUND: list[tuple[Any, tuple[int, ...], tuple[int, int], str]] = [
    (Begin("1-the-ash-bridge"), (4, 4, 1, 4, 1, 1), (0, 0), "heroes"),
    (Next("tam"), (), (0, 0), "heroes"),
    (Shift("tam", "defy", "Climb"), (5, 2, 3, 2, 3), (0, 0), "heroes"),
    (Act("tam", "Sneak", "the nearest runner"), (6, 7, 2, 4), (1, 0), "heroes"),  # one hazard die was defied
    (Next("sefa"), (), (1, 0), "heroes"),
    (Act("sefa", "Embercraft"), (1, 9, 9), (1, 0), "heroes"),
    (Reroll((0,)), (12,), (2, 0), "heroes"),
    (UseManoeuvre("ember-reading"), (8,), (2, 0), "heroes"),
    (Next("brann"), (), (2, 0), "heroes"),
    (Act("brann", "Strike"), (1, 1, 1, 2, 2), (2, 0), "heroes"),
    (LetGo(), (), (2, 1), "foes"),  # the first seizure
    (Next("Ash runner 1"), (), (2, 1), "foes"),
    (Act("Ash runner 1", "Harry"), (2, 2, 2, 2), (2, 1), "foes"),
    (Next("Ash runner 2"), (), (2, 1), "foes"),
    (Act("Ash runner 2", "Harry"), (6, 1, 5, 3), (2, 1), "heroes"),  # the second
    (Next("oda"), (), (2, 1), "heroes"),
    (Act("oda", "Mend"), (4, 4, 3), (3, 1), "heroes"),
    (Next("Ash runner 3"), (), (3, 1), "heroes"),  # no hero is left
    (Next("Ash runner 4"), (), (3, 1), "heroes"),
    (Next("Duke's pike 1"), (), (3, 1), "heroes"),
    (Next("Duke's pike 2"), (), (3, 1), "heroes"),
    (Act("Duke's pike 2", "Pike"), (2, 3, 4), (3, 1), "heroes"),  # a clean roll keeps what its side has, no more
    (EndRound(), (), (3, 1), "heroes"),
]


def test_a_round_of_four_heroes_and_six_foes() -> None:
    session = sit_down(sample()[1])
    for action, faces, counters, holder in ROUND:
        session.do(action, faces, roll=False)
        now = session.world.now
        assert ((now.momentum, now.entropy), now.turns.holder) == (counters, holder), action
    assert (session.world.now.turns.round, session.world.now.turns.timer) == (2, 3)
    last = session.world
    session.undo(0)
    assert session.world == session.at(0)
    session.redo(len(ROUND))
    assert session.world == last


def test_the_players_log_does_not_know_the_drake() -> None:
    session = sit_down(sample()[1], seat="Iris")
    for action, faces, *_ in ROUND:
        with playing.as_gm(session):
            session.do(action, faces, roll=False)
    words = " ".join(line for step in session.history() for line in step.said)
    assert "drake" not in words
    assert "drake" not in repr(session.view("table"))


@pytest.mark.parametrize("seed", range(10))
def test_undo_to_the_start_and_redo_to_the_end_give_the_same_state(seed: int) -> None:
    session, chance = sit_down(fight(momentum=3, entropy=3)), random.Random(seed)
    for _ in range(30):
        action = random_action(ENGINE, session.world, chance)
        assert action is not None
        try:
            session.do(action)
        except Refused:
            continue
    last, count = session.world, session.timeline.last
    for _ in range(count):
        session.undo()
    assert session.world == session.at(0)
    for _ in range(count):
        session.redo()
    assert session.world == last


def test_two_hundred_fighters_are_drawn() -> None:
    world = table()
    world = replace(world, scenes={})
    session = sit_down(world)
    session.do(Begin())
    session.do(DropIn("warden", 100))
    session.do(DropIn("warden", 98))
    view = session.view("table")
    assert isinstance(view, TableView)
    assert sum(person.id in session.world.now.turns.fighters for person in view.people) == 200


def test_an_evening_of_an_older_version_stays_as_it_was_played_and_fits_at_every_entry() -> None:
    log = LogFile(GOLDEN / "no1-2.jsonl", Codec(ENGINE), write=False)
    assert log.header.version == "2"
    found = verify(ENGINE, log.header, log.entries)
    assert not found.wrong
    session = Table(ENGINE, log.header, log.entries)
    for entry in range(session.timeline.last + 1):
        world = session.at(entry)
        assert [p for p in ENGINE.problems(world) if not p.warning] == [], entry
        assert isinstance(ENGINE.view("table", world), TableView)
        # what older events do is what it was: else a now.toml of that evening would read as edited by hand
        assert (world.now.makers, world.now.turns.running or world.now.zones) in (({}, True), ({}, {}))
    assert (session.world.now.momentum, session.world.now.entropy) == (4, 4)
