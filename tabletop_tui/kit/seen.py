"""Who is seen, and whose numbers are: what events, rosters and chances ask before they tell."""

from typing import Any


def is_secret(world: Any, who: str) -> bool:
    """Are somebody's numbers the GM's alone? Those of the GM's own, unless the campaign opens them to everybody."""
    sheet = world.sheets.get(who)
    return not world.rules.open_npcs and not (sheet and sheet.player)


def unseen(world: Any, who: str) -> bool:
    """Is somebody hidden, or one of the GM's own who has not stood on the table yet?

    Whom the GM has prepared is nobody's business until then, unless the campaign opens them to everybody.
    """
    if who in world.now.turns.fighters:
        return bool(world.is_hidden(who))
    return is_secret(world, who) and who not in (*world.now.met, *world.now.in_sight())
