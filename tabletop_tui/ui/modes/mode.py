"""What every mode is; and a table that can only be looked at."""

from __future__ import annotations

from collections.abc import Sequence

from textual.widget import Widget

from ...session import Proposal
from ..commands import Command, Effect, Layer
from ..panels.bars import Said

SHORT = 36
"""Characters of a question beside which its answers find room on a small screen."""


def shortened(words: str) -> str:
    """What a player asks for without its last parts, where it is long."""
    pieces = words.split(" · ")
    while pieces[1:] and sum(len(piece) + 3 for piece in pieces) > SHORT:
        pieces.pop()
    return " · ".join(pieces)


class Mode:
    """Play: everything may be done."""

    title = ""
    """What help calls it, besides the page."""
    badge = ""
    """What the top line says of it on every page."""
    allows: frozenset[Effect] = frozenset(("look", "play", "files", "fork"))
    why = ""
    """Why the rest may not be done."""
    bar: Widget | None = None
    """A line of its own below the tabs."""

    def closes(self, command: Command) -> str:
        """Why the mode forbids a command; empty where it does not."""
        return "" if command.effect in self.allows else self.why

    def layer(self) -> Layer | None:
        """Commands of its own."""
        return None

    def said(self) -> Said | None:
        """The band's sentence, in place of the page's."""
        return None

    def waiting(self) -> Sequence[Proposal]:
        """What players ask for and the mode answers."""
        return ()

    def changed(self) -> None:
        """The table was drawn: draw what the mode has on the screen."""

    def chose_page(self) -> None:
        """Somebody chose a page."""

    async def leave(self) -> bool:
        """Before the screen is left; False where it stays."""
        return True


class ReadOnly(Mode):
    """A table that can only be looked at."""

    badge = "READ-ONLY"
    allows = frozenset(("look", "fork"))
    why = "This table can only be looked at."
