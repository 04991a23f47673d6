"""Whatever is done in whatever order, in every game: undo to the start and redo to the end give the same state."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop_tui.conformance import random_action
from tabletop_tui.rules import Refused
from tabletop_tui.session import Replay, Table, begin, verify
from tabletop_tui.storage import campaign as folder

CAMPAIGNS = sorted(p.parent for p in (Path(__file__).parents[2] / "campaigns").glob("*/campaign.toml"))
EVENING = datetime(2026, 1, 15, 19, 0, tzinfo=UTC)


@pytest.mark.parametrize("campaign", CAMPAIGNS, ids=lambda p: p.name)
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 25), backs=st.lists(st.integers(0, 24), max_size=4))
def test_undo_to_the_start_and_redo_to_the_end_give_the_same_state(
    campaign: Path, seed: int, steps: int, backs: list[int]
) -> None:
    table, last = play(campaign, seed, steps, backs)
    end = table.timeline.head
    while table.timeline.head:
        table.undo()
    assert table.world == table.at(0)
    while table.timeline.head != end:
        table.redo()
    assert table.world == last
    if end:
        table.undo(0)
        assert table.world == table.at(0)
        table.redo(end)
        assert table.world == last
    entries = table.timeline.entries
    assert not verify(table.engine, table.header, entries).wrong
    again = Replay(table.engine, table.header, entries)
    again.every = True
    for place in [*range(again.length + 1), *range(again.length, -1, -1)]:
        again.seek(place)
        assert again.world == table.at(place)


def play(campaign: Path, seed: int, steps: int, backs: list[int]) -> tuple[Table, Any]:
    """Random play with an undo here and there; the table and its state when it is over."""
    found = folder.load(campaign)
    assert found.engine is not None
    header = begin(found.engine, found.world(), campaign=campaign.name, session="x", at=EVENING, seed=f"{seed:016x}")
    table, chance = Table(found.engine, header, clock=lambda: EVENING), random.Random(seed)
    for step in range(steps):
        action = random_action(found.engine, table.world, chance)
        if action is not None:
            try:
                table.do(action)
            except Refused:
                continue
        if step in backs and table.timeline.head:
            table.undo()
    return table, table.world
