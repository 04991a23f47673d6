"""Luck against the odds: checked against counting every way in which a session could have gone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from math import prod
from pathlib import Path

import level
import playing
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop_tui.records.luck import by_person, hopes, luck_of, mid_rank, percentile
from tabletop_tui.records.record import record
from tabletop_tui.rules import Chance, Group, add_all
from tabletop_tui.rules.walk import walk
from tabletop_tui.session import Table

chances = st.lists(st.floats(0, 1), min_size=0, max_size=9)


@given(chances, st.integers(0, 9))
def test_a_sessions_luck_is_that_of_counting_every_way_it_could_have_gone(some: list[float], true: int) -> None:
    fewer = equal = 0.0
    for ways in product((False, True), repeat=len(some)):
        chance = prod(p if way else 1 - p for p, way in zip(some, ways, strict=True))
        fewer += chance * (sum(ways) < true)
        equal += chance * (sum(ways) == true)
    assert percentile(some, true) == pytest.approx(fewer + equal / 2, abs=1e-9)


@given(st.lists(st.floats(0.05, 0.95), min_size=1, max_size=60))
def test_the_spread_of_hopes_is_the_convolution_of_the_single_rolls(some: list[float]) -> None:
    found, plain = hopes(some), add_all({0: 1 - p, 1: p} for p in some)
    assert sum(found.values()) == pytest.approx(1)
    for count in range(len(some) + 1):
        assert found.get(count, 0.0) == pytest.approx(plain.get(count, 0.0), abs=1e-12)


def test_many_rolls_lose_nothing_that_could_be_seen() -> None:
    spread = hopes([0.3] * 3_000)
    assert sum(spread.values()) == pytest.approx(1, abs=1e-12)
    assert sum(n * p for n, p in spread.items()) == pytest.approx(900, abs=1e-6)
    assert len(spread) < 1_000


def test_a_result_stands_above_half_of_its_like_and_all_that_is_worse() -> None:
    group = Group("outcome", (Chance("yes", 0.5, "good"), Chance("but", 0.3, "warn"), Chance("no", 0.2, "bad")))
    assert [mid_rank(group, r) for r in ("yes", "but", "no")] == pytest.approx([0.75, 0.35, 0.1])


def place(ways: dict[str, float], tones: Mapping[str, str], result: str) -> float:
    """Where a result stands among the ways in which it could have come out."""
    value = {"good": 2, "bad": 0}
    above = {way: value.get(tones[result], 1) - value.get(tones[way], 1) for way in ways}
    return sum(p * (1.0 if above[way] > 0 else 0.5 if above[way] == 0 else 0.0) for way, p in ways.items())


def test_a_rolls_chance_and_place_are_those_of_its_odds_before_the_dice_fell(session: Table) -> None:
    line = session.timeline
    rolls = record(line).rolls
    assert rolls
    for roll in rolls:
        odds = session.engine.odds(line.worlds[line.parents[roll.entry]], line.entries[roll.entry - 1].action)
        assert odds
        tones = {c.label: c.tone for c in odds.groups[0].chances}
        assert roll.chance == pytest.approx(odds.hope)
        assert roll.luck == pytest.approx(
            place({c.label: c.chance for c in odds.groups[0].chances}, tones, roll.result)
        )
        assert roll.hoped == (tones[roll.result] == "good")


@pytest.mark.parametrize("name", ["tiers", "no1"])
def test_they_are_also_those_of_walking_every_face(sessions: Callable[..., Table], name: str) -> None:
    """The walk knows no closed form: it resolves the action on every face and answers every choice."""
    walked = 0
    for seed in range(1, 20):  # until somebody happens to roll few enough dice
        table = sessions(name, seed)
        line = table.timeline
        for roll in record(line).rolls:
            entry, before = line.entries[roll.entry - 1], line.worlds[line.parents[roll.entry]]
            if sum(len(hand.faces) for hand in entry.dice) > 4:
                continue
            odds = table.engine.odds(before, entry.action)
            assert odds
            found = walk(table.engine, before, entry.action, 600_000)[odds.groups[0].name]
            ways = {str(way): p for way, p in found.items()}
            tones = {c.label: c.tone for c in odds.groups[0].chances}
            hoped = sum(p for way, p in ways.items() if tones[way] == "good")
            assert roll.chance == pytest.approx(hoped, abs=1e-9)
            assert roll.luck == pytest.approx(place(ways, tones, roll.result), abs=1e-9)
            walked += 1
        if walked:
            return
    raise AssertionError("nobody rolled few enough dice to walk them")


def test_a_roll_is_settled_by_a_later_entry_and_counted_once(root: Path) -> None:
    table = playing.table(root)
    playing.act(table, "oppose who=mira skill=Warding against=rook using=Dodge")
    assert not record(table.timeline).rolls
    playing.act(table, "settle")
    (roll,) = record(table.timeline).rolls
    assert (roll.entry, roll.who, roll.player, roll.open) == (1, "Mira", True, True)
    table.undo()
    assert not record(table.timeline).rolls


def test_a_rerolled_roll_is_one_roll(sessions: Callable[..., Table]) -> None:
    """No1's rerolls have odds of their own; they answer a roll and are none."""
    answers = 0
    for seed in range(level.many(2, 4, 40)):
        table = sessions("no1", seed, 200)
        told = record(table.timeline)
        kinds = {e.seq: type(e.action).__name__ for e in table.timeline.entries}
        assert not {kinds[roll.entry] for roll in told.rolls} & {"Reroll", "LetGo"}
        answers += sum(kinds[seq] in ("Reroll", "LetGo") for seq in table.timeline.past()[1:])
    assert answers


def test_people_are_told_apart_and_summed(sessions: Callable[..., Table]) -> None:
    rolls = record(sessions("tiers", 3, 400).timeline).rolls
    people = by_person(rolls)
    assert len(people) > 1
    assert sum(p.rolls for p in people) == len(rolls)
    assert luck_of("", rolls).hopes == sum(p.hopes for p in people)
    for person in people:
        own = [r for r in rolls if r.who == person.who]
        assert person.expected == pytest.approx(sum(r.chance for r in own))
        assert 0 <= person.luck <= 1


def test_tallies_count_every_outcome_of_the_path(session: Table) -> None:
    line = session.timeline
    counted: dict[str, int] = {}
    for seq in line.past()[1:]:
        settled = {k: v for event in line.entries[seq - 1].events for k, v in event.outcome().items()}
        for group in settled:
            counted[group] = counted.get(group, 0) + 1
    found: dict[str, int] = {}
    for tally in record(line).tallies:
        found[tally.group] = found.get(tally.group, 0) + sum(tally.counts.values()) + tally.numbers
    assert found == counted


def test_dice_are_counted_by_their_size(session: Table) -> None:
    line = session.timeline
    faces = [
        (sides, face)
        for seq in line.past()[1:]
        for hand in line.entries[seq - 1].dice
        for sides, face in zip(hand.sides, hand.faces, strict=True)
    ]
    for dice in record(line).dice:
        own = [face for sides, face in faces if sides == dice.sides]
        assert dice.count == len(own)
        assert dice.mean == pytest.approx(sum(own) / len(own))
        assert dice.expected == (1 + dice.sides) / 2
    assert sum(d.count for d in record(line).dice) == len(faces)
