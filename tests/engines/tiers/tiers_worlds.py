"""Small worlds of Tiers of Power for its tests."""

from __future__ import annotations

from typing import Any

from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.engines.tiers.world import (
    Challenge,
    Plan,
    Support,
    Tier,
    TiersNow,
    TiersRules,
    TiersScene,
    TiersSheet,
    TiersWorld,
)
from tabletop_tui.rules import Action, Dice, Event, World, check


def hero(
    name: str, player: str = "Ana", bonus: int = 0, items: Any = None, levels: Any = None, **skills: Any
) -> TiersSheet:
    """A player's character: `hero("Mira", Warding={"beta": 3})`."""
    return TiersSheet(name, player, "", levels or {"alpha": 5}, skills, items or {}, bonus)


def npc(name: str, items: Any = None, levels: Any = None, **skills: Any) -> TiersSheet:
    """One of the GM's."""
    return hero(name, "", 0, items, levels, **skills)


def world(
    scenes: dict[str, TiersScene] | None = None, rules: TiersRules | None = None, **sheets: TiersSheet
) -> TiersWorld:
    """A world with everybody fresh."""
    made: TiersWorld = World(rules or TiersRules(), TiersNow(), sheets, scenes or {})
    return made.live(people=ENGINE.start(made).people)


def challenged(
    tier: Tier,
    dice: int,
    lead_tier: Tier,
    rank: int,
    *,
    bonus: bool = False,
    rerolls: int = 0,
    fortunate: bool = False,
    reduce: int = 0,
    prepared: int = 0,
    keywords: tuple[Any, ...] = (),
    hidden: bool = False,
    rules: TiersRules | None = None,
) -> TiersWorld:
    """A world in which Mira is about to lead with Warding, supported as said."""
    supports: dict[str, Support] = {}
    if rerolls:
        supports["direct"] = Support("direct", "Warding", rerolls)
    if fortunate:
        supports["encourage"] = Support("encourage")
    if reduce:
        supports["indirect"] = Support("indirect", "Lore", reduce)
    for n in range(prepared):
        supports[f"prepare{n}"] = Support("prepare", "Lore")
    names = {who: hero(who, "x", Lore={"alpha": 1}) for who in supports}
    here = world(rules=rules, mira=hero("Mira", bonus=3, Warding={lead_tier: rank}), **names)
    plan = Plan("Hold the gate", tier, dice, keywords=keywords, hidden=hidden)
    return here.live(challenge=Challenge(plan, "mira", "Warding", bonus, supports))


def do(here: TiersWorld, action: Action, *faces: int) -> TiersWorld:
    """The world after an action with these dice, every one of which must be asked for."""
    return events_of(here, action, *faces)[1]


def events_of(here: TiersWorld, action: Action, *faces: int) -> tuple[tuple[Event, ...], TiersWorld]:
    """What came of an action, and the world after it."""
    check(action, here)
    tray = Dice(faces)
    events = action.resolve(here, tray)
    assert not tray.unused, f"{tray.unused} were not asked for"
    for event in events:
        here = event.apply(here)
    return events, here
