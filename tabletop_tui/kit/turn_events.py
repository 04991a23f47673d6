"""What happens in a turn order: it begins and ends, turns and rounds begin, and somebody in it changes."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from ..rules import Event, Fighter, Turns
from .cast import out_of_mind
from .told import Told


class EncounterBegan(Event, tag="encounter_began"):
    """A turn order was made."""

    turns: Turns

    def apply(self, world: Any) -> Any:
        """It is the order now."""
        hidden = [who for who, fighter in self.turns.fighters.items() if fighter.hidden]
        return out_of_mind(world, hidden).live(turns=self.turns)

    def says(self, world: Any) -> str:
        """Who, in order; hidden ones are not named."""
        seen = [world.name(w) for w in self.turns.order if not self.turns.fighters[w].hidden]
        return f"Turn order: {', '.join(seen)}" if seen else ""


class EncounterEnded(Event, tag="encounter_ended"):
    """The turn order is no longer needed."""

    def apply(self, world: Any) -> Any:
        """There is none."""
        return world.live(turns=Turns())

    def says(self, world: Any) -> str:
        """The number of rounds."""
        return f"The encounter ends in round {world.now.turns.round}"


class TurnBegan(Told, tag="turn_began"):
    """Somebody's turn; whoever acted before has acted."""

    who: str

    def apply(self, world: Any) -> Any:
        """They are up."""
        turns: Turns = world.now.turns
        if turns.current:
            turns = turns.with_acted([turns.current])
        begun = turns.begun if self.who in turns.begun else (*turns.begun, self.who)
        return world.live(turns=replace(turns, current=self.who, begun=begun))

    def words(self, world: Any) -> str:
        """Whose turn."""
        return f"{world.name(self.who)} is up" + (", unseen" if self.is_secret(world) else "")

    def is_secret(self, world: Any) -> bool:
        """The GM alone is told of hidden ones."""
        return bool(world.is_hidden(self.who))


class RoundBegan(Event, tag="round_began"):
    """Everybody may act again."""

    round: int
    timer: int | None = None

    def apply(self, world: Any) -> Any:
        """A new round, nobody has acted."""
        return world.live(turns=replace(world.now.turns.fresh(), round=self.round, timer=self.timer))

    def says(self, world: Any) -> str:
        """The number, and the timer."""
        return f"Round {self.round}" + ("" if self.timer is None else f", timer {self.timer}")


class FighterChanged(Told, tag="fighter_changed"):
    """Somebody joined the order, left it, was revealed, delayed or put elsewhere in it."""

    who: str
    fighter: Fighter | None
    place: int
    what: str = ""

    def apply(self, world: Any) -> Any:
        """The order is as it says."""
        turns: Turns = world.now.turns
        order = [w for w in turns.order if w != self.who]
        fighters = {w: f for w, f in turns.fighters.items() if w != self.who}
        if self.fighter is not None:
            order.insert(self.place, self.who)
            fighters[self.who] = self.fighter
        gone = self.fighter is None or self.fighter.out or self.what == "delays"
        current = "" if turns.current == self.who and gone else turns.current
        seen = out_of_mind(world, [self.who] if self.fighter and self.fighter.hidden else [])
        return seen.live(turns=replace(turns, order=tuple(order), fighters=fighters, current=current))

    def is_secret(self, world: Any) -> bool:
        """The GM alone is told of hidden ones."""
        return self.fighter.hidden if self.fighter else bool(world.is_hidden(self.who))

    def words(self, world: Any) -> str:
        """What changed."""
        unseen = ", unseen" if self.is_secret(world) else ""
        return f"{world.name(self.who)} {self.what}{unseen}" if self.what else ""
