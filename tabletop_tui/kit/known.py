"""The world as players know it: what every game has in common. An engine adds what of its own lies open."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from ..rules import Scene, Sheet
from .order import as_seen
from .seen import unseen
from .told import W

NOBODY = "?"
"""Stands for somebody of whom players do not know."""


def known_world(
    world: W,
    *,
    sheet: Callable[[str], Sheet],
    scene: Callable[[Scene], Scene],
    live: Mapping[str, Any],
    open: Iterable[str] = (),
) -> W:
    """Sheets and scene, turn order, conditions, clocks and tracks as players know them.

    `sheet` gives what players know of somebody of the GM's whose numbers are secret, `scene` what they know of the
    scene that is on, `live` the engine's own live state, and `open` names what of that lies open as it is: what is in
    neither is as if nothing had happened.
    """
    now = world.now
    sheets = {
        who: one if one.player or world.rules.open_npcs else sheet(who)
        for who, one in world.sheets.items()
        if not unseen(world, who)
    }
    turns = as_seen(world).now.turns
    turns = replace(
        turns,
        fighters={who: one for who, one in turns.fighters.items() if not one.hidden},
        spoke={side: tuple(w for w in some if w in sheets) for side, some in turns.spoke.items()},
    )
    conditions = {
        i: replace(c, whose=NOBODY) if c.whose and unseen(world, c.whose) else c
        for i, c in now.conditions.items()
        if not unseen(world, c.who)
    }
    on = world.scenes.get(now.scene)
    return type(world)(
        world.rules,
        type(now)(
            scene=now.scene,
            turns=turns,
            clocks={i: c for i, c in now.clocks.items() if not c.secret},
            tracks={i: t for i, t in now.tracks.items() if not t.secret},
            conditions=conditions,
            retired=tuple(who for who in now.retired if who in sheets),
            met=tuple(who for who in now.met if who in sheets),
            more={who: of if of in sheets else NOBODY for who, of in now.more.items() if who in sheets},
            **{name: getattr(now, name) for name in open},
            **live,
        ),
        sheets,
        {} if on is None else {now.scene: replace(scene(on), cast=tuple(who for who in on.cast if who in sheets))},
    )
