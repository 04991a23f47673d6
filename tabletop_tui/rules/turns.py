"""Turn order that any engine can use: sides, who has acted, popcorn, rotation, rounds and a timer."""

from collections.abc import Iterable
from typing import Literal, Self

import msgspec


class Fighter(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody in the turn order."""

    side: str
    acted: bool = False
    out: bool = False
    """Down, fled, or otherwise no longer taking turns."""
    hidden: bool = False
    """Only the GM knows that it is there."""
    number: int | None = None
    """Their initiative, in games that count it."""


class Turns(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whose turn it is and who is still to act. `order` is empty where no encounter runs."""

    mode: Literal["listed", "popcorn", "sides"] = "listed"
    """listed: in the order given; popcorn: whoever acts picks the next; sides: a side acts whole."""
    round: int = 0
    timer: int | None = None
    """Rounds left, where the encounter has a limit."""
    holder: str = ""
    """The side that may act (popcorn, sides)."""
    current: str = ""
    """Who acts now; empty while somebody has to be picked."""
    order: tuple[str, ...] = ()
    fighters: dict[str, Fighter] = {}
    begun: tuple[str, ...] = ()
    """Whose turn of this round has begun: what ends at its start has ended, also where they stepped back since."""
    spoke: dict[str, tuple[str, ...]] = {}
    """Rotation: who has already stood up for each side, until all of it has."""

    @property
    def running(self) -> bool:
        """Is there an encounter?"""
        return bool(self.order)

    def sides(self) -> list[str]:
        """The sides in the order of their first member."""
        return list(dict.fromkeys(self.fighters[who].side for who in self.order))

    def members(self, side: str) -> list[str]:
        """Who stands on a side and can still act at all."""
        return [w for w in self.order if self.fighters[w].side == side and not self.fighters[w].out]

    def waiting(self, side: str = "") -> list[str]:
        """Who has not acted in this round, on one side or on all."""
        return [
            w
            for w in self.order
            if not (f := self.fighters[w]).acted and not f.out and w != self.current and side in ("", f.side)
        ]

    def may_go(self) -> list[str]:
        """Who can take the next turn."""
        if not self.running:
            return []
        if self.mode == "listed":
            return self.waiting()[:1]
        return self.waiting(self.holder) or self.waiting()

    def may_speak(self, side: str) -> list[str]:
        """Rotation: who may stand up for a side, each before anyone repeats."""
        done = self.spoke.get(side, ())
        members = self.members(side)
        return [w for w in members if w not in done] or members

    def change(self, who: str, **changes: object) -> Self:
        """These turns with one fighter changed."""
        fighter = msgspec.structs.replace(self.fighters[who], **changes)
        return msgspec.structs.replace(self, fighters={**self.fighters, who: fighter})

    def with_acted(self, who: Iterable[str]) -> Self:
        """These turns with some fighters marked as having acted."""
        marked = {w: msgspec.structs.replace(self.fighters[w], acted=True) for w in who if w in self.fighters}
        return msgspec.structs.replace(self, fighters={**self.fighters, **marked})

    def fresh(self) -> Self:
        """These turns with everybody's turn still to come."""
        fighters = {w: msgspec.structs.replace(f, acted=False) for w, f in self.fighters.items()}
        return msgspec.structs.replace(self, fighters=fighters, begun=(), current="")
