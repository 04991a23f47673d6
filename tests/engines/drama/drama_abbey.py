"""The abbey as a world, and a table that plays in it with typed dice."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.campaign import DramaRules, DramaScene, DramaSheet
from tabletop_tui.engines.drama.challenge import Lead
from tabletop_tui.engines.drama.complex import OpenComplex
from tabletop_tui.engines.drama.contest import OpenContest
from tabletop_tui.engines.drama.contest_lines import AddLine, Argue
from tabletop_tui.engines.drama.world import DramaNow, DramaWorld
from tabletop_tui.rules import Action, Dice, World, check
from tabletop_tui.session.table import Table, begin

CAMPAIGN = Path(__file__).parents[3] / "campaigns" / "abbey-of-lynn"


def abbey(now: DramaNow | None = None, **rules: Any) -> DramaWorld:
    """The sample campaign as it is written, with other house rules where a test wants them."""
    sheets = {p.stem: _read(p, DramaSheet) for p in sorted((CAMPAIGN / "characters").glob("*.toml"))}
    scenes = {p.stem: _read(p, DramaScene) for p in sorted((CAMPAIGN / "scenes").glob("*.toml"))}
    return World(msgspec.convert(rules, DramaRules), now or DramaNow(), sheets, scenes)


def _read(path: Path, kind: type[Any]) -> Any:
    return msgspec.toml.decode(path.read_bytes(), type=kind)


def do(world: DramaWorld, action: Action, *faces: int) -> DramaWorld:
    """The world after an action that can be done now, with these dice and no others."""
    check(action, world)
    dice = Dice(faces)
    for event in action.resolve(world, dice):
        world = event.apply(world)
    assert not dice.unused, f"not asked for: {dice.unused}"
    return world


def table(world: DramaWorld) -> Table:
    """A session in memory."""
    at = datetime(1327, 11, 1, tzinfo=UTC)
    header = begin(ENGINE, world, campaign="abbey-of-lynn", session="test", at=at, seed="lynn")
    return Table(ENGINE, header, clock=lambda: at)


def fresh() -> DramaWorld:
    """The first evening."""
    world = abbey()
    return replace(world, now=ENGINE.start(world))


def arguing() -> DramaWorld:
    """A contest that is being built."""
    world = do(do(fresh(), OpenContest("the-parlour/ledger")), Argue("joan", "Insight"))
    return do(world, AddLine("joan", "fact", "the seal is broken"))


def by_night() -> DramaWorld:
    """A complex test whose first attempt is led."""
    return do(do(fresh(), OpenComplex("the-night-office/night")), Lead("edmund", "Stealth"))


BEGINNINGS = {"fresh": fresh, "arguing": arguing, "by night": by_night}
