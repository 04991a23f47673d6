"""Undo and redo are entries: nothing is ever taken out of a log."""

from __future__ import annotations

import random
from pathlib import Path

import playing
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop_tui.rules import Refused
from tabletop_tui.session import Redo, Table, Undo, verify


def tick(table: Table, by: int) -> None:
    playing.act(table, f"tick clock=storm by={by}")


def filled(table: Table) -> int:
    return int(table.world.now.clocks["storm"].filled)


def test_undo_takes_back_the_last_thing_done(table: Table) -> None:
    tick(table, 1)
    tick(table, 2)
    table.undo()
    assert filled(table) == 1
    table.undo()
    assert filled(table) == 0


def test_undo_is_itself_an_entry_that_names_where_it_went(table: Table) -> None:
    tick(table, 1)
    entry = table.undo()
    assert entry.seq == 2
    assert entry.action == Undo(0)
    assert table.timeline.last == 2


def test_the_beginning_cannot_be_undone(table: Table) -> None:
    with pytest.raises(Refused, match="nothing to undo"):
        table.undo()
    tick(table, 1)
    table.undo()
    with pytest.raises(Refused, match="nothing to undo"):
        table.undo()


def test_redo_after_several_undos_goes_forward_in_the_order_of_play(table: Table) -> None:
    for by in (1, 2, 3):
        tick(table, by)
    for _ in range(3):
        table.undo()
    seen = []
    for _ in range(3):
        table.redo()
        seen.append(filled(table))
    assert seen == [1, 3, 6]
    with pytest.raises(Refused, match="nothing to redo"):
        table.redo()


def test_undo_can_go_to_any_entry_of_the_past_at_once(table: Table) -> None:
    for by in (1, 1, 1, 1):
        tick(table, by)
    table.undo(to=1)
    assert filled(table) == 1
    table.redo(to=3)
    assert filled(table) == 3
    table.redo()
    assert filled(table) == 4


def test_undo_to_the_beginning_and_redo_to_the_end(table: Table) -> None:
    for by in (1, 1, 1):
        tick(table, by)
    end = table.world
    table.undo(to=0)
    assert table.world == table.header.world
    table.redo(to=3)
    assert table.world == end


def test_a_new_action_clears_what_could_be_redone(table: Table) -> None:
    tick(table, 1)
    tick(table, 2)
    table.undo()
    tick(table, 3)
    assert filled(table) == 4
    with pytest.raises(Refused, match="nothing to redo"):
        table.redo()


def test_what_was_undone_and_replaced_is_no_longer_in_the_past(table: Table) -> None:
    tick(table, 1)
    tick(table, 2)
    table.undo()
    tick(table, 3)
    with pytest.raises(Refused, match="entry 2 is not among"):
        table.undo(to=2)
    table.undo()
    assert filled(table) == 1


@pytest.mark.parametrize("to", [-1, 2, 3, 99])
def test_undo_to_an_entry_that_is_not_in_the_past_is_refused(table: Table, to: int) -> None:
    tick(table, 1)
    tick(table, 1)
    with pytest.raises(Refused, match="not among"):
        table.undo(to=to)
    assert table.timeline.last == 2


def test_redo_to_an_entry_that_was_not_undone_is_refused(table: Table) -> None:
    tick(table, 1)
    tick(table, 1)
    table.undo()
    with pytest.raises(Refused, match="not among"):
        table.redo(to=1)
    assert table.redo().action == Redo(2)


def test_history_marks_what_was_undone(table: Table) -> None:
    tick(table, 1)
    tick(table, 2)
    table.undo()
    assert [step.undone for step in table.history()] == [False, True, False]


def test_a_moment_with_a_name_is_found_again_in_the_history(table: Table) -> None:
    tick(table, 1)
    table.name("before the bridge")
    assert table.history()[0].name == "before the bridge"
    with pytest.raises(Refused, match="needs a name"):
        table.name(" \x1b ")


def test_the_state_at_any_entry_can_be_looked_at(table: Table) -> None:
    for by in (1, 2, 3):
        tick(table, by)
    assert [table.at(n).now.clocks["storm"].filled for n in range(4)] == [0, 1, 3, 6]
    for nowhere in (-1, 4):
        with pytest.raises(Refused, match="there is no entry"):
            table.at(nowhere)


@given(st.integers(0, 2**32), st.integers(5, 40))
def test_undo_to_the_start_and_redo_to_the_end_give_every_state_again(root: Path, seed: int, steps: int) -> None:
    table = playing.table(root, seed=str(seed))
    count = playing.wander(table, seed, steps)
    worlds = list(table.timeline.worlds)
    for n in range(count, 0, -1):
        table.undo()
        assert table.world == worlds[n - 1]
    for n in range(1, count + 1):
        table.redo()
        assert table.world == worlds[n]
    assert not verify(table.engine, table.header, table.timeline.entries).wrong


@given(st.integers(0, 2**32), st.lists(st.sampled_from(["play", "undo", "redo", "far"]), max_size=40))
def test_any_mixture_of_play_undo_and_redo_can_be_told_again(root: Path, seed: int, steps: list[str]) -> None:
    table = playing.table(root, seed=str(seed))
    for number, step in enumerate(steps):
        try:
            if step == "play":
                playing.wander(table, seed + number, 1)
            elif step == "undo":
                table.undo()
            elif step == "redo":
                table.redo()
            else:
                table.undo(to=0)
        except Refused:
            continue
    again = Table(table.engine, table.header, table.timeline.entries)
    assert list(again.timeline.worlds) == list(table.timeline.worlds)
    assert again.timeline.ahead == table.timeline.ahead
    assert not verify(table.engine, table.header, table.timeline.entries).wrong


def test_every_state_of_a_long_evening_is_what_it_was(root: Path) -> None:
    """Most states are not kept: they are folded again from one that is, along undo and redo too."""
    table, chance = playing.table(root), random.Random(5)
    was = [table.world]
    for _ in range(3_000):
        step = chance.random()
        if step < 0.7:
            tick(table, chance.choice((1, -1)) if 0 < filled(table) < 6 else 1 if not filled(table) else -1)
        elif step < 0.85 and table.head:
            table.undo(max(table.timeline.past()[-chance.randint(2, 40) :][0], 0) if table.head > 50 else None)
        elif table.timeline.ahead:
            table.redo(chance.choice((None, table.timeline.ahead[0])))
        else:
            table.name("here")
        was.append(table.world)
    again = Table(table.engine, table.header, table.timeline.entries)
    for one in (table, again):
        worlds = one.timeline.worlds
        assert len(worlds.latest) < len(was) / 2
        assert worlds[:] == was
        for seq in chance.sample(range(len(was)), 300):
            assert worlds[seq] == was[seq]
            assert worlds[seq - len(was)] == was[seq]
    assert again.world == table.world


@pytest.mark.parametrize("how", ["raises", "gives no world"])
def test_an_engine_that_cannot_fold_an_old_entry_again_is_named_and_undo_goes_on(
    root: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    table = playing.table(root)
    for n in range(700):
        tick(table, 1 if n % 2 == 0 else -1)

    def apply(_event: object, _world: object) -> None:
        if how == "raises":
            raise ZeroDivisionError("not twice")

    monkeypatch.setattr(type(table.timeline.entries[0].events[0]), "apply", apply)
    assert table.at(10).now.clocks["storm"].filled == 0  # as it was at the last state that is known
    assert not table.timeline.knows(10)
    assert "tiers" in str(table.timeline.broken[10])
    table.undo(to=10)
    assert table.fault is not None
    table.undo(to=0)
    assert table.fault is None
    assert filled(table) == 0
