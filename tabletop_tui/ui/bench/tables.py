"""Rolling on a table from a page: which one, then it stands in the log."""

from __future__ import annotations

from ...kit.tables import RollTable
from ..asking.host import Choose
from ..asking.listing import Pick
from ..drawing.text import begun
from ..playing import Playing


def ask_table(play: Playing) -> None:
    """Ask which of the campaign's tables, and roll on it into the log; a secret one is for the GM's eyes."""
    found = play.game.world.tables
    if why := RollTable.when(play.game.world):
        play.tell(f"{begun(why)}.")
        return

    async def chosen(name: str) -> None:
        await play.attempt(RollTable(name))

    picks = [
        Pick(name, table.title, f"{'~ ' if table.secret else ''}{table.about or f'{len(table.rows)} rows'}")
        for name, table in found.items()
    ]
    play.host.ask(Choose("Roll on which table?", picks, chosen))
