"""Small worlds of Tiers of Power for its tests."""

from __future__ import annotations

from typing import Any

from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.engines.tiers.challenge import Improvise, Lead
from tabletop_tui.engines.tiers.opposed import Oppose
from tabletop_tui.engines.tiers.support import gives
from tabletop_tui.engines.tiers.world import (
    TIERS,
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
    character: Tier | None = None,
) -> TiersWorld:
    """A world in which Mira is about to lead with Warding, supported as said."""
    above, beside = TIERS[min(TIERS.index(tier) + 1, 5)], "alpha"
    supports: dict[str, Support] = {}
    helpers: dict[str, TiersSheet] = {}
    if rerolls:
        supports["direct"] = Support("direct", "Warding")
        helpers["direct"] = hero("direct", "x", Warding={above if rerolls == 2 else beside: 1})
    if fortunate:
        supports["encourage"] = Support("encourage")
        helpers["encourage"] = hero("encourage", "x")
    for n in range((reduce + 1) // 2):  # two Reduce from each, one from the last of an odd number
        name, much = f"indirect{n}", above if reduce - 2 * n >= 2 else beside
        supports[name], helpers[name] = Support("indirect", "Lore"), hero(name, "x", Lore={much: 1})
    for n in range(prepared):
        supports[f"prepare{n}"] = Support("prepare", "Lore")
        helpers[f"prepare{n}"] = hero(f"prepare{n}", "x", Lore={"alpha": 1})
    mira = hero("Mira", bonus=3, levels={character or lead_tier: 1}, Warding={lead_tier: rank})
    here = world(None, rules, mira=mira, **helpers)
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


def lost(points: int = 0, **rules: Any) -> Any:
    """Mira has lost an opposed roll by 2."""
    here = world(rules=TiersRules(**rules), mira=hero("Mira", A={"alpha": 1}), guard=npc("Guard", B={"alpha": 1}))
    return do(here.live(complications=points), Oppose("mira", "A", "guard", "B"), 1, 3)


def table(tier: Any = "beta", dice: int = 4, keywords: tuple[Any, ...] = (), **rules: Any) -> Any:
    """Mira leads with Warding; Rook, Sil and Tam can help in many ways, and Dov has no skill at all."""
    sheets = {
        "mira": hero("Mira", bonus=1, Warding={"beta": 3}),
        "rook": hero("Rook", Warding={"beta": 1}, Lore={"beta": 2}),
        "sil": hero("Sil", Warding={"charlie": 1}, Lore={"charlie": 1}),
        "tam": hero("Tam", Lore={"alpha": 1}, Song={"alpha": 1}),
        "una": hero("Una", Song={"alpha": 1}),
        "dov": hero("Dov"),
    }
    here = do(world(None, TiersRules(**rules), **sheets), Improvise("Hold", tier, dice, "", keywords))
    return do(here, Lead("mira", "Warding"))


def granted(here: TiersWorld, who: str) -> int:
    """The N that a supporter grants now."""
    challenge = here.now.challenge
    assert challenge is not None
    support = challenge.supports[who]
    return gives(here, challenge, who, support.how, support.skill)
