"""How tests of Fen make their tables and act at them; the fixtures are in engines/fen/conftest.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tabletop_tui.engines.fen import ENGINE
from tabletop_tui.engines.fen.world import FenWorld
from tabletop_tui.rules import Action, Kind, Odds

Do = Callable[..., FenWorld]
"""`do(world, action, *faces)`: the world after an action."""
Make = Callable[..., FenWorld]
"""`table(**house_rules)`: a world of one's own."""


def view_of(kind: Kind, world: FenWorld, about: str = "") -> Any:
    """A view that there is."""
    view = ENGINE.view(kind, world, about)
    assert view is not None
    return view


def contest_in(world: FenWorld) -> Any:
    """The contest that is open."""
    assert world.now.contest is not None
    return world.now.contest


def blow_in(world: FenWorld) -> Any:
    """The blow that was struck last."""
    assert world.now.blow is not None
    return world.now.blow


def odds_of(world: FenWorld, action: Action) -> Odds:
    """The chances of something that has some."""
    odds = ENGINE.odds(world, action)
    assert odds is not None
    return odds
