"""What players know: the fight as it lies open, without hidden foes and the GM's ranks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec.structs import replace

from ...kit.known import known_world
from ...kit.seen import is_secret, unseen
from .world import No1Scene, No1Sheet, No1World, Roll, sheet_of

T = TypeVar("T")
NUMBERS = ("momentum", "entropy", "momentum_moved", "entropy_moved", "challenge")
LYING = ("zones", "advantages", "checked", "opening", "duel", "verdict")
"""What lies open as it is."""


def seen_by(world: No1World, seat: str) -> No1World:
    """Everybody at the table knows the same."""
    now = world.now

    def in_sight(held: Mapping[str, T]) -> dict[str, T]:
        return {who: value for who, value in held.items() if not unseen(world, who)}

    known = known_world(
        world,
        sheet=lambda who: _known_sheet(world, who),
        scene=lambda one: No1Scene(one.title, one.about),
        live={
            **{name: in_sight(getattr(now, name)) for name in ("positions", "defied", "boosts", "shifted", "taken")},
            "makers": {
                side: {zone: in_sight(made) for zone, made in zones.items()} for side, zones in now.makers.items()
            },
            "spent": {who: ranks for who, ranks in now.spent.items() if not is_secret(world, who)},
            "roll": _known_roll(world, now.roll),
        },
        open=(*NUMBERS, *LYING),
    )
    # of several foes from one sheet each has one of its own here: how many more the GM has is not known
    copies = {who: _known_sheet(world, who) for who in now.copies if who in known.now.turns.fighters}
    return replace(known, sheets={**known.sheets, **copies})


def _known_sheet(world: No1World, who: str) -> No1Sheet:
    """A name, and how dangerous it is to stand near them."""
    sheet = sheet_of(world, who)
    if sheet is None or world.rules.open_npcs:
        return replace(sheet, name=world.name(who)) if sheet else No1Sheet(world.name(who))
    return No1Sheet(world.name(who), hazard=sheet.hazard)


def _known_roll(world: No1World, roll: Roll | None) -> Roll | None:
    if roll is None or not is_secret(world, roll.who):
        return roll
    return replace(roll, trait="")
