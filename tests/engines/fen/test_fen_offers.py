"""What cannot be done is closed where it is chosen, not refused when it is sent."""

from __future__ import annotations

from tabletop_tui.engines.fen.rounds import BeginFight
from tabletop_tui.engines.fen.world import FenWorld
from tabletop_tui.rules import choices, fields


def test_the_last_side_that_sees_it_coming_cannot_be_surprised_too(world: FenWorld) -> None:
    (field,) = (f for f in fields(BeginFight) if f.name == "surprised")

    def closed(*caught: str) -> dict[str, str]:
        return {c.value: c.closed for c in choices(field, world, {"who": (), "surprised": caught})}

    sides = [*closed()]
    assert {*closed().values()} == {""}
    assert closed(*sides[:-1]) == {**dict.fromkeys(sides, ""), sides[-1]: "one side must see it coming"}
