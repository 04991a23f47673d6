"""A player's seat: they act for their own characters, ask the GM for the rest, and see what becomes of it."""

from __future__ import annotations

from ...rules import KINDS
from ...session import SPECTATOR, Declined, Table, Word
from ...session.awaited import awaited
from ..commands import Command, Effect, Layer
from ..commands.catalogue import command
from ..panels.bars import Said
from ..playing import Playing
from .mode import Mode, shortened

THE_GMS = frozenset(("redo", "clock", "log.go", "log.name", "people.retire", "scene.set"))
"""What goes back and forth in the log, or belongs to the GM for other reasons."""
LOOKED_BACK = 12
"""Entries after which an answer or a word is no news any more."""


class Seat(Mode):
    """What a seat may do is judged by the table itself; here is what is not even offered."""

    def __init__(self, play: Playing) -> None:
        self.play = play
        seat = play.game.table.seat
        self.badge = "looking on" if seat == SPECTATOR else f"{seat}'s seat"

    @property
    def table(self) -> Table:
        """The table at which they sit."""
        return self.play.game.table

    @property
    def acts(self) -> bool:
        """Do players do anything from their seats here?"""
        return self.table.seat != SPECTATOR and self.table.players != "look" and not self.table.journal.closed

    @property
    def allows(self) -> frozenset[Effect]:  # type: ignore[override]  # it may change while somebody sits there
        """What they may change."""
        return frozenset(("look", "play")) if self.acts else frozenset(("look",))

    def closes(self, command: Command) -> str:
        """The GM's own, and everything where players look on."""
        if not self.acts and command.effect != "look":
            return "A player's seat looks on; the GM acts."
        if command.id in THE_GMS or command.effect not in self.allows:
            return "That is the GM's."
        return ""

    def layer(self) -> Layer | None:
        """While something is asked for, `x` takes it back."""
        asked = self.table.asked() if self.acts else None
        if asked is None or asked.state != "open":
            return None
        return Layer("seat", (command("seat.take_back", self.play.take_back, section=""),), free=True)

    def said(self) -> Said | None:
        """What they asked for, what the GM said to it, or what the GM says to them."""
        line = self.table.timeline
        asked = self.table.asked() if self.acts else None
        for entry in reversed(line.entries[-LOOKED_BACK:]):
            if entry.by == self.table.seat and not (entry.answers or isinstance(entry.action, Declined)):
                break  # they have gone on
            if isinstance(entry.action, Word) and entry.action.to == self.table.seat:
                return Said(entry.action.text, loud=True)
            no = isinstance(entry.action, Declined) and entry.by != self.table.seat
            if asked and no and entry.action.proposal == asked.seq:
                why = f": {asked.why}" if asked.why else "."
                return Said(f"✗ the GM says no{why}")
        if asked and asked.state == "open":
            short = f"You asked: {shortened(asked.words)}"
            return Said(f"You asked: {asked.words}.", short=short, keys=frozenset(("seat.take_back",)))
        return self._turn() if self.acts else None

    def _turn(self) -> Said | None:
        """What the table waits for from this seat, or when it will."""
        kind = next((kind for kind in KINDS if kind == self.play.front), None)
        view = self.play.game.view(kind) if kind else None
        found = awaited(view, self.table.rights().owns)
        return Said(found.text, loud=found.mine) if found else None
