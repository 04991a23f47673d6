"""The table: the one object that every front end drives."""

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any

import msgspec

from ..plugins import EngineFault, guarded
from ..rules import ANYBODY, Action, Dice, DiceNeeded, Engine, Problem, Refused, clean, roller, tag_of, values
from .edits import apply_changes
from .entries import (
    FORMAT,
    AnyEntry,
    Change,
    Codec,
    Declined,
    Edited,
    Entry,
    Header,
    Named,
    Proposed,
    Redo,
    Undo,
    Word,
    Written,
)
from .looking import Looking, Preview, Step, stamp, utc_now
from .proposals import UNDO, Proposal, proposal
from .reader import check_seat
from .seats import NEEDS_GM, SPECTATOR, THE_GMS, completed, read_fields
from .timeline import Timeline
from .turn import Turn

MOST_A_SECOND = 8
"""Entries of one seat."""
MOST_WORDS = 400
"""Characters of what the GM says to one player."""


class EditRefused(Refused):
    """A hand edit that the game cannot go on from."""

    def __init__(self, problem: Problem) -> None:
        where = ".".join(map(str, problem.path))
        super().__init__(f"the edit cannot count: {problem.what}", where=where, remedy=problem.remedy)
        self.problem = problem


class Table(Looking):
    """A session that is being played: look at it, act, undo, follow what others do."""

    taken_from: "tuple[Table, int] | None" = None
    """Of a what-if: the table that it was taken from, and the entry whose state it began with."""

    def do(
        self, action: Action, dice: Sequence[int] = (), *, roll: bool = True, by: str = "", answers: int = 0
    ) -> AnyEntry:
        """Perform an action: when this returns, it is safe.

        `dice` are faces typed in. With `roll` the rest is rolled here; without it DiceNeeded says what is missing.
        `answers` names the proposal that it accepts. A seat does what is its own, and is refused everything else.
        """
        known = self.seen() if self.seat else None
        with self._turn(same_session=bool(self.seat or answers)):
            world = self.world
            self._check_answers(answers)
            if self.seat:
                self._judge(action, known)
            else:
                self.engine.check(action, world)
            tray = self._tray(dice, roll)
            events = self._resolve(action, world, tray)
            if tray.unused:
                raise Refused(
                    f"{len(tray.unused)} of the dice given were not asked for: {' '.join(map(str, tray.unused))}",
                    remedy="Type only the dice that this action rolls.",
                )
            if not events and not tray.rolled:
                raise Refused("this changes nothing", remedy="Choose something else, or leave it.")
            said, whispered = self.engine.tell(world, events)
            return self._write(action, by, tuple(tray.rolled), events, said, whispered, answers)

    def dice_needed(self, action: Action, dice: Sequence[int] = ()) -> DiceNeeded | None:
        """What is still to be typed for an action after these faces; a seat types its own open dice and no others."""
        try:
            self._resolve(action, self.world, self._tray(dice, roll=False))
        except DiceNeeded as need:
            return need
        return None

    def _tray(self, dice: Sequence[int], roll: bool) -> Dice:
        source = roller(self.header.seed, self.timeline.last + 1)
        if not self.seat:
            return Dice(dice, source if roll else None)
        return Dice(dice, source if roll else None, typed_for=self.rights().characters(), others=source)

    def _resolve(self, action: Action, world: Any, tray: Dice) -> tuple[Any, ...]:
        """What happens; a refusal is quoted to a seat only where the world that it knows gives the same."""
        try:
            return self.engine.resolve(action, world, tray)
        except Refused as no:
            if not self.seat:
                raise
            try:
                self.engine.resolve(action, self.seen(world), Dice((), lambda _place, _sides: 1))
            except Refused as known:
                if str(known) == str(no) and not isinstance(no, EngineFault):
                    raise
            raise Refused(NEEDS_GM, remedy="Tell the GM what you are about.") from None

    def _judge(self, action: Action, known: Any) -> None:
        """Refuse a seat what is not its own, in the words of the world that it knows."""
        self._pace()
        kind, rights = type(action), self.rights()
        if kind not in self.engine.actions:
            raise Refused(f"{kind.__name__} is not an action of {self.engine.title}")
        standing = rights.standing(kind, values(action))
        tag = tag_of(kind)
        if standing.how == "no":
            raise Refused(f"{tag} is not yours to do: {standing.why}")
        if standing.how == "ask":
            raise Refused(f"{tag} is for the GM to allow", remedy="Ask for it.")
        actor = self.engine.actor(kind, rights.seen, values(action))
        if not kind.done_by and actor != ANYBODY and rights.seen != known:
            raise Refused("the table has moved on since you looked", remedy="Look, then choose again.")
        self.engine.check(action, rights.seen)
        try:
            self.engine.check(action, self.world)
            if self.engine.actor(kind, self.world, values(action)) != actor:
                raise Refused(NEEDS_GM)
        except Refused:
            raise Refused(NEEDS_GM, remedy="Tell the GM what you are about.") from None

    def _pace(self) -> None:
        """A seat is a person: nobody does so much in a second."""
        now, count = stamp(self.clock()), 0
        for entry in reversed(self.timeline.entries[-MOST_A_SECOND * 4 :]):
            count += entry.by == self.seat and entry.at == now
        if count >= MOST_A_SECOND:
            raise Refused("that is too much at once", remedy="Wait a second.")

    def _check_answers(self, answers: int) -> None:
        if not answers:
            return
        self._gm_only("answering what players ask for")
        found = proposal(self.timeline, answers)
        if found is None or found.state != "open":
            raise Refused("nobody waits for an answer to that any more", remedy="Look at what players ask for now.")

    def _gm_only(self, what: str) -> None:
        if self.seat:
            raise Refused(f"{what} is {THE_GMS}", remedy="Ask the GM.")

    def undo(self, to: int | None = None, by: str = "", answers: int = 0) -> AnyEntry:
        """Take back the last thing done, or everything after an entry.

        A seat takes back its own last action while nobody else did anything and no die fell.
        """
        with self._turn(same_session=True, back=True):
            line = self.timeline
            self._check_answers(answers)
            if not line.head:
                raise Refused("there is nothing to undo: this is the beginning of the session")
            if self.seat:
                self._pace()
                to = line.parents[self._own_step(at_once=True)]
            target = line.before_last_change() if to is None else to
            past = line.past(target) if 0 <= target < line.head else []
            if not past or past[0] != target:
                raise Refused(f"entry {to} is not among what can be undone", remedy="See tabletop log.")
            undone = [seq for seq in past[1:] if not line.only_agrees(seq)] or past[1:]
            said, whispered = self._words("Undone", undone[0])
            if len(undone) > 1:
                said, whispered = (f"Undone: {len(undone)} steps, back to {target}",), ()
            return self._write(Undo(target), by, (), (), said, whispered, answers)

    def _own_step(self, *, at_once: bool) -> int:
        """The last entry of this seat that counts; `at_once` where it may take it back without asking."""
        line = self.timeline
        if self.seat == SPECTATOR or self.players == "look":
            raise Refused("there is nothing of yours to take back")
        found = self.last_of_mine()
        if not found:
            raise Refused("there is nothing of yours to take back")
        if at_once:
            entry, path = line.entries[found - 1], line.past(found)[:0:-1]
            later = [seq for seq in path if line.entries[seq - 1].by != self.seat]
            if later or entry.dice or entry.answers or self.players == "propose":
                raise Refused("that is for the GM to take back", remedy="Ask for it.")
        return found

    def last_of_mine(self) -> int:
        """The last entry that this seat made and nobody has taken back; 0 for none."""
        line, here = self.timeline, self.timeline.head
        while here and line.entries[here - 1].by != self.seat:
            here = line.parents[here]
        return here

    def redo(self, to: int | None = None, by: str = "") -> AnyEntry:
        """Do again what was undone last, or all of it up to an entry."""
        self._gm_only("doing something again")
        with self._turn(same_session=True):
            line = self.timeline
            if not line.ahead:
                raise Refused("there is nothing to redo")
            target = line.ahead[-1] if to is None else to
            if target not in line.ahead:
                raise Refused(f"entry {to} is not among what was undone", remedy="See tabletop log.")
            return self._write(Redo(target), by, (), (), *self._words("Done again", target))

    def edited(
        self, changes: Sequence[Change], by: str = "", *, words: str = "", wrote: Sequence[Written] = ()
    ) -> AnyEntry:
        """Log changes to the hand-written files, after the engine has looked at them.

        `wrote` is what the program itself wrote into them, and `words` what it did; without them a person did it.
        """
        self._gm_only("editing files")
        with self._turn():
            world = self.would_be(changes)
            head = "Edited by hand" if world != self.world else "The file agrees again"
            # the players' own sheets are theirs to read; everything else may hold a secret
            public = [_is_players(c, self.world, world) for c in changes]
            told = [(f"{head}: {c.words()}", seen) for c, seen in zip(changes, public, strict=True)]
            if words:
                told = [(words, bool(public) and all(public))]
            said, whispered = (tuple(line for line, seen in told if seen is want) for want in (True, False))
            return self._write(Edited(tuple(changes), tuple(wrote)), by, (), (), said, whispered)

    def would_be(self, changes: Sequence[Change]) -> Any:
        """The world after some changes to the files; refused where the game could not go on from it."""
        world = apply_changes(self.engine, self.world, changes)
        serious = [p for p in self.engine.problems(world) if not p.warning]
        if serious:
            raise EditRefused(serious[0])
        return world

    def name(self, name: str, by: str = "", at: int = 0) -> AnyEntry:
        """Give this moment, or that of an entry, a name, to find it again."""
        self._gm_only("naming a moment")
        with self._turn(same_session=True):
            name = clean(name).strip()
            if not name:
                raise Refused("a moment needs a name", remedy="Say what it was: before the bridge.")
            self.at(at)
            return self._write(Named(name, at), by, (), (), (), (f"Moment: {name}",))

    # ---- asking

    def propose(self, kind: type[Action], answers: Mapping[str, Any]) -> AnyEntry:
        """Ask the GM for an action: the fields that are this seat's to say, and no others."""
        with self._turn(same_session=True):
            rights, given = self.rights(), read_fields(kind, answers)
            standing = rights.standing(kind, given)
            if standing.how == "no":
                raise Refused(f"{tag_of(kind)} is not yours to do: {standing.why}")
            rights.check_asked(kind, given)
            return self._ask(tag_of(kind), msgspec.to_builtins(given), rights.words(kind, given))

    def propose_undo(self) -> AnyEntry:
        """Ask the GM to take back what this seat did last."""
        with self._turn(same_session=True):
            seq = self._own_step(at_once=False)
            line = self.timeline
            told = self.reader.told(line.entries[seq - 1]).said if self.reader.knows(seq) else ()
            words = f"take back: {told[0]}" if told else "take back what was done last"
            return self._ask(UNDO, {"to": line.parents[seq]}, words)

    def _ask(self, action: str, answers: dict[str, Any], words: str) -> AnyEntry:
        if not self.seat:
            raise Refused("the GM asks nobody", remedy="Do it.")
        self._pace()
        last = self.asked()
        if last and last.state == "open" and (last.action, last.fields) == (action, answers):
            raise Refused("you have asked for that", remedy="Wait for the GM, or take it back.")
        if last and last.at == stamp(self.clock()):
            raise Refused("one question a second is enough", remedy="Wait a moment.")
        return self._write(Proposed(action, answers, words), "", (), (), (f"{self.seat} asks: {words}",), ())

    def accept(
        self, seq: int, action: Action | None = None, dice: Sequence[int] = (), *, roll: bool = True
    ) -> AnyEntry:
        """Do what a player asked for, completed as its form would be, or as `action` has it now."""
        self._gm_only("answering what players ask for")
        asked = self._asked_for(seq)
        if asked.action == UNDO:
            return self.undo(asked.fields["to"], by=asked.by, answers=seq)
        return self.do(action or self.completion(asked), dice, roll=roll, by=asked.by, answers=seq)

    def completion(self, asked: Proposal) -> Action:
        """What a player asked for, with the fields that they left open filled in."""
        kind = next((kind for kind in self.engine.actions if tag_of(kind) == asked.action), None)
        if kind is None:
            raise Refused(f"{self.engine.title} has no action {asked.action!r}")
        return completed(self.engine, kind, self.world, read_fields(kind, asked.fields))

    def decline(self, seq: int, why: str = "") -> AnyEntry:
        """Say no to what a player asked for; a seat takes back what it asked for itself."""
        with self._turn(same_session=True):
            asked = self._asked_for(seq)
            if self.seat and asked.by != self.seat:
                raise Refused("that was asked by somebody else")
            why = clean(why).strip()[:MOST_WORDS]
            if self.seat:
                said = f"{self.seat} no longer asks for it"
            else:
                said = f"The GM says no to {asked.by}: {asked.words}" + (f" ({why})" if why else "")
            return self._write(Declined(seq, "" if self.seat else why), "", (), (), (said,), ())

    def word(self, to: str, text: str, *, secret: bool = False) -> AnyEntry:
        """Turn to one player: before everybody, or so that nobody else reads it."""
        self._gm_only("passing the word")
        with self._turn(same_session=True):
            to = check_seat(to, (sheet.player for sheet in self.world.sheets.values()))
            text = clean(text).strip()[:MOST_WORDS]
            if not text:
                raise Refused("there is nothing to say", remedy="Write a word or two.")
            line = (f"{to}, {text}",)
            return self._write(Word(to, text, secret), "", (), (), () if secret else line, line if secret else ())

    def _asked_for(self, seq: int) -> Proposal:
        found = proposal(self.timeline, seq)
        if found is None or found.state != "open":
            raise Refused("nobody waits for an answer to that any more", remedy="Look at what players ask for now.")
        return found

    def catch_up(self) -> int:
        """Fold what other processes wrote, also into a session that they began; how many entries there were."""
        news = self.journal.news()
        header = self.journal.header
        if header is None or header is self.header:
            self.timeline.extend(news)
            return len(news)
        line = Timeline(self.engine, header)
        line.extend(news)
        self.timeline = line  # at once: whoever looks meanwhile sees the one or the other
        return len(news)

    def fork(self, at: int | None = None, seed: str = "") -> "Table":
        """A table of its own, in memory, from any point: what if? The real one is not touched."""
        self._gm_only("a what-if")  # trials would measure what is hidden
        seq = self.timeline.last if at is None else at
        world = self.at(seq)
        header = msgspec.structs.replace(self.header, world=world, seed=seed or os.urandom(8).hex())
        return Table(self.engine, header, clock=self.clock, seat=self.seat)

    # ---- inside

    def _turn(self, *, same_session: bool = False, back: bool = False) -> AbstractContextManager[None]:
        return Turn(self, same_session, back)

    def _words(self, head: str, seq: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """An entry told again: what was whispered is whispered again."""
        entry = self.timeline.entries[seq - 1]
        whispered = tuple(f"{head}: {line}" for line in entry.whispered[:1])
        if whispered and not entry.said:
            return (), whispered  # players are not to know that there was anything
        return (f"{head}: {self._headline(entry)}",), whispered

    def _headline(self, entry: AnyEntry) -> str:
        """What an entry is called afterwards: what it settled, else what was said first of what was done."""
        world, first = self.timeline.worlds[self.timeline.parents[entry.seq]], ""
        try:
            for event in entry.events:
                told = [words for words in self.engine.tell(world, (event,))[0] if words in entry.said]
                if told and self.engine.outcome((event,)):
                    return told[0]
                first = first or (told[0] if told and not self.engine.aside(event) else "")
                world = self.engine.apply(world, (event,))
        except Refused:
            pass  # the engine fails: what it said then stands
        return first or next(iter(entry.said), str(entry.action.__struct_config__.tag))

    def _write(
        self,
        action: Action,
        by: str,
        dice: tuple[Any, ...],
        events: tuple[Any, ...],
        said: tuple[str, ...],
        whispered: tuple[str, ...],
        answers: int = 0,
    ) -> AnyEntry:
        by = self.seat or clean(by)  # nobody writes in another's name from a player's seat
        entry: AnyEntry = Entry(
            self.timeline.last + 1, stamp(self.clock()), action, by, dice, events, said, whispered, answers
        )
        # nothing is written that could not be read again: it is read, folded and kept before it is
        entry = self._codec.again(entry)
        after = None
        if events:
            after = self.engine.apply(self.world, entry.events)
            self._codec.keeps(after.now)
        self.journal.append(entry)
        self.timeline.add(entry, after)
        return entry


def _is_players(change: Change, *worlds: Any) -> bool:
    who = str(change.path[1]) if change.path[0] == "sheets" else ""
    held = [world.sheets[who] for world in worlds if who in world.sheets]
    return bool(held) and all(sheet.player for sheet in held)


def begin(engine: Engine, world: Any, *, campaign: str, session: str, at: datetime, seed: str = "") -> Header:
    """The header of a new session: the engine sets up the live state from what the last session left."""
    engine = guarded(engine)
    started = msgspec.structs.replace(world, now=engine.start(world))
    return Header(
        "tabletop",
        FORMAT,
        engine.name,
        engine.version,
        campaign,
        session,
        stamp(at),
        seed or os.urandom(8).hex(),
        started,
    )


__all__ = ["Codec", "Preview", "Step", "Table", "begin", "stamp", "utc_now"]
