"""What if: a table of its own over the one that it was taken from, marked on every page."""

from __future__ import annotations

import asyncio

from ...kit.common import plural
from ...rules import TableError
from ...session import Table, local_time
from ...storage.log.scratch import Scratch
from ..asking.host import Choose, Reading
from ..asking.listing import Pick
from ..commands import Layer
from ..commands.catalogue import command
from ..playing import Playing
from .mode import Mode


class WhatIf(Mode):
    """Everything but files may be changed; it is kept or thrown away when it is left."""

    title = "What if"
    allows = frozenset(("look", "play", "fork"))
    why = "Files are changed at the campaign's own table."

    def __init__(self, play: Playing, scratch: Scratch) -> None:
        self.play, self.scratch = play, scratch
        origin = play.game.origin
        self.badge = f"WHAT IF, from {_moment(origin, scratch.at) if origin else scratch.at}"

    def layer(self) -> Layer | None:
        """Compare it with what really happened, unless that is being read."""
        if isinstance(self.play.host.asked, Reading):
            return None
        return Layer("what if", (command("compare", self.compare),), free=True)

    def compare(self) -> None:
        """What is different from how the real table stood after as many steps from there, in words."""
        from ...records.standing import compared, standing

        origin, game = self.play.game.origin, self.play.game
        if origin is None:
            return
        path, steps = origin.timeline.past(), len(game.table.timeline.past()) - 1
        begun = path.index(self.scratch.at) if self.scratch.at in path else len(path)  # undone since: how it came out
        seq = path[min(begun + steps, len(path) - 1)]
        real, here = origin.timeline.worlds[seq], game.world
        rows = compared(standing(origin.engine, real), standing(origin.engine, here))
        same = "both came to the same" if real == here else "no page shows a difference"
        same = same if steps else "nothing was played here yet"
        title = f"{plural(steps, 'step')} on: the table at {_moment(origin, seq)} → here"
        self.play.host.ask(Reading(title, rows or [("nothing", same)]))

    async def leave(self) -> bool:
        """Ask what becomes of it; where nothing was played there is nothing to keep."""
        if not self.scratch.table.timeline.last:
            await asyncio.to_thread(self.scratch.throw_away)
            self.play.end()
            return False

        async def answered(answer: str) -> None:
            if answer == "stay":
                return
            try:
                if answer == "keep":
                    kept = await asyncio.to_thread(self.scratch.keep)
                    self.play.parting(f"Kept: {kept}")
                else:
                    await asyncio.to_thread(self.scratch.throw_away)
            except TableError as error:
                self.play.tell(str(error))
                return
            self.play.end()

        picks = [
            Pick("keep", "keep it", "r on Home shows it"),
            Pick("throw", "throw it away"),
            Pick("stay", "play on here"),
        ]
        self.play.host.ask(Choose("Keep this what-if?", picks, answered))
        return False


def _moment(table: Table, seq: int) -> str:
    """When an entry was played, as people say it: a what-if has numbers of its own."""
    return local_time(table.timeline.entries[seq - 1].at) if seq else "the beginning"
