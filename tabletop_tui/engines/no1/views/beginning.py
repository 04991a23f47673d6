"""The encounter that could begin while none runs. What is prepared is the GM's until it begins."""

from __future__ import annotations

from ....rules import Option, Part, Pool
from ..dice import challenge_dice
from ..encounter import Begin, nobody_there
from ..scene import prepared
from ..world import No1World


def ready(world: No1World) -> str:
    """The scene whose encounter could begin: the one that is on, and another once that has turned; empty for none."""
    if Begin.when(world):
        return ""
    done = bool(world.now.verdict)
    ordered = sorted(world.scenes, key=lambda s: (s == world.now.scene) == done)
    return next((s for s in ordered if not nobody_there(world, s)), "")


def beginning(world: No1World) -> tuple[Option, ...]:
    """Enter begins it; that of another scene, which is set then, only its own letter."""
    scene = ready(world)
    if not scene:
        return ()
    (plan,) = prepared(world, scene)
    label = f"begin {world.scenes[scene].title}"
    key = "enter" if scene == world.now.scene or not world.now.scene else Begin.key
    return (Option(label=label, action=plan.action, key=key, note=plan.note, secret=True),)


def opening_roll(world: No1World) -> Begin | None:
    """Its opening test; none where there is nobody to roll against, or where it would set another scene unasked."""
    scene = ready(world)
    begin = Begin(scene)
    return (
        begin
        if scene and scene == (world.now.scene or scene) and begin.contested(begin.mustered(world).turns)
        else None
    )


def opening_pools(world: No1World) -> tuple[Pool, ...]:
    """The dice of that test."""
    begin = opening_roll(world)
    if begin is None:
        return ()
    dice = f"{challenge_dice(begin.mustered(world).apply(world))}d{world.rules.plain_die}"
    return (Pool(who="opening", parts=(Part(source="opening test", dice=dice, note="each side"),), secret=True),)
