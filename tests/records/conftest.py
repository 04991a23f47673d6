"""Sessions to make records of."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import playing
import pytest

from tabletop_tui.session import Table

ENGINES = ("tiers", "no1", "drama", "fen")


@pytest.fixture(params=ENGINES)
def engine_name(request: pytest.FixtureRequest) -> str:
    """Each of the four games."""
    return str(request.param)


@cache
def _played(name: str, seed: int, steps: int) -> Table:
    table = playing.table(playing.samples(name)[0])
    playing.wander(table, seed, steps // 2)
    table.name("the turn of the tide", by="GM")
    table.undo(to=table.timeline.past()[-4], by="GM")
    playing.wander(table, seed + 1, steps // 2)
    return table


def session_of(name: str, seed: int = 1, steps: int = 120) -> Table:
    """Random play in a game's sample campaign, with a named moment and some steps taken back."""
    once = _played(name, seed, steps)
    return Table(once.engine, once.header, once.timeline.entries, clock=playing.evening())


@pytest.fixture
def session(engine_name: str) -> Table:
    """A played session of each game."""
    return session_of(engine_name)


@pytest.fixture
def sessions() -> Callable[..., Table]:
    """Sessions of one's own."""
    return session_of
