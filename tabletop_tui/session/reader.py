"""What a reader may know of a log: the one door through which entries go to a seat, a players' flag or a record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from ..kit.scenes import Note
from ..rules import Handful, Model, Refused, Sheet, clean
from .entries import BESIDE, AnyEntry, Named, PlainEntry, Redo, Undo, Word

UNDO, REDO, NAMED, WORD, NOTE = (str(kind.__struct_config__.tag) for kind in (Undo, Redo, Named, Word, Note))
TALK = tuple(str(kind.__struct_config__.tag) for kind in BESIDE)
ABOUT = (UNDO, REDO, *TALK)
"""The words of what is about play rather than a step of it: it can be undone by nobody."""


class Known(Model):
    """An entry as its reader may know it."""

    number: int
    """Its place among all that this reader knows: what is hidden leaves no gap."""
    at: str
    by: str
    action: str
    """The action's word in the log."""
    said: tuple[str, ...]
    whispered: tuple[str, ...] = ()
    dice: tuple[Handful, ...] = ()


class Reader:
    """Goes along a log, with or without its engine, and keeps what the GM or the players may know of it.

    Players know the entries of which something was said to everybody. Moments are the GM's, whatever their names say;
    undo and redo are told again from the steps that players know, as their numbers and words are the GM's.
    """

    def __init__(self, *, players: bool, seat: str = "") -> None:
        self.players, self.seat = players, seat
        self.seqs: list[int] = []
        """The entries that players know, in order; the GM knows all of them."""
        self._number: dict[int, int] = {}
        self._said: dict[int, tuple[str, ...]] = {}
        self._parents = [0]
        self._head = 0
        self._ahead: list[int] = []
        """What was undone, the next to redo last."""

    @property
    def taken(self) -> int:
        """How many entries it has gone along."""
        return len(self._parents) - 1

    def take(self, entries: Iterable[AnyEntry | PlainEntry]) -> None:
        """Go along some more entries."""
        for entry in entries:
            said = self._words(entry)
            if said and self.players:
                self.seqs.append(entry.seq)
                self._number[entry.seq] = len(self.seqs)
                self._said[entry.seq] = said

    def knows(self, seq: int) -> bool:
        """Is an entry one that this reader may know of?"""
        return not self.players or seq in self._number

    def past(self) -> set[int]:
        """The entries that made what is now: what was undone is not among them, nor what was only said about play."""
        found, here = set(), self._head
        while here:
            found.add(here)
            here = self._parents[here]
        return found

    def number(self, seq: int) -> int:
        """Its number for this reader; 0 where it is not known."""
        return self._number.get(seq, 0) if self.players else seq

    def told(self, entry: AnyEntry | PlainEntry) -> Known:
        """What this reader may know of an entry; ask `knows` first."""
        do = do_of(entry)[0]
        if not self.players:
            return Known(entry.seq, entry.at, entry.by, do, entry.said, entry.whispered, entry.dice)
        # whose dice they are is told by an id, which is the name of one of the GM's files
        hands = tuple(msgspec.structs.replace(h, of="") for h in entry.dice if not h.secret)
        return Known(self._number[entry.seq], entry.at, entry.by, do, self._said[entry.seq], (), hands)

    def _words(self, entry: AnyEntry | PlainEntry) -> tuple[str, ...]:
        """What is said to everybody; for undo and redo as it follows from what this reader knows."""
        do, to = do_of(entry)
        self._parents.append(self._head)
        if do in TALK:
            return entry.said or (self._for_me(entry) if do == WORD else ())
        if do not in (UNDO, REDO):
            self._head = entry.seq
            if do != NAMED:
                self._ahead.clear()
            if self.players and do == NAMED:
                return ()
            mine = do == NOTE and self.seat and entry.by == self.seat
            return entry.said or (tuple(f"~ {words}" for words in entry.whispered) if mine else ())
        steps = [] if to < 0 else self._back(to) if do == UNDO else self._forth(to)
        self._head = self._head if to < 0 else to
        if not self.players:
            return entry.said
        known = [self._said[seq] for seq in steps if seq in self._said]
        head = "Undone" if do == UNDO else "Done again"
        if not known:
            return ()
        return (f"{head}: {known[0][0]}",) if len(known) == 1 else (f"{head}: {len(known)} steps",)

    def _for_me(self, entry: AnyEntry | PlainEntry) -> tuple[str, ...]:
        """What the GM whispers to this seat alone."""
        to = msgspec.json.decode(bytes(entry.action))["to"] if isinstance(entry, PlainEntry) else entry.action.to
        return entry.whispered if self.seat and to == self.seat else ()

    def _back(self, to: int) -> list[int]:
        steps, here = [], self._head
        while here > to:
            steps.append(here)
            here = self._parents[here]
        self._ahead += steps
        return steps

    def _forth(self, to: int) -> list[int]:
        steps = self._ahead[self._ahead.index(to) :] if to in self._ahead else []
        del self._ahead[len(self._ahead) - len(steps) :]
        return steps


def do_of(entry: AnyEntry | PlainEntry) -> tuple[str, int]:
    """An action's word, and the entry that it leads back or forward to; -1 where it leads nowhere."""
    if not isinstance(entry, PlainEntry):
        action = entry.action
        do = str(action.__struct_config__.tag)
        return do, action.to if isinstance(action, Undo | Redo) else -1
    data = msgspec.json.decode(bytes(entry.action))
    found: dict[str, Any] = data if isinstance(data, dict) else {}
    do, to = str(found.get("do", "")), found.get("to")
    return do, to if do in (UNDO, REDO) and isinstance(to, int) and 0 <= to < entry.seq else -1


def read(entries: Sequence[AnyEntry | PlainEntry], *, players: bool, seat: str = "") -> list[Known]:
    """All that a reader may know of a log."""
    reader = Reader(players=players, seat=seat)
    reader.take(entries)
    return [reader.told(entry) for entry in entries if reader.knows(entry.seq)]


NOBODY_YET = "nobody yet"
"""Who plays a hero that somebody will play: heroes are those whose sheets name a player, and this is no seat."""


def players_of(sheets: Iterable[Sheet]) -> list[str]:
    """Everybody who plays, as the sheets spell them."""
    return sorted({sheet.player for sheet in sheets if sheet.player and sheet.player != NOBODY_YET})


def check_seat(seat: str, players: Iterable[str]) -> str:
    """A seat as the sheets spell their player's name, or a refusal: an empty name is nobody's, least of all the GM's.

    A variable that was never set gives one, in a command that is forced on a login, say.
    """
    wanted, players = clean(seat).strip(), sorted({name for name in players if name and name != NOBODY_YET})
    choose = f"Choose from: {', '.join(players)}." if players else "No sheet names its player yet."
    if not wanted:
        raise Refused("a seat needs the name of a player", remedy=choose)
    found = next((p for p in players if p.casefold() == wanted.casefold()), "")
    if not found:
        raise Refused(f"nobody here is played by {wanted!r}", remedy=choose)
    return found
