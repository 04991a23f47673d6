"""The fold: the state after every entry, and where undo and redo lead from here."""

from __future__ import annotations

import gc
from array import array
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from ..plugins import EngineFault, Guarded, guarded
from ..plugins.limit import TooSlow, pressed, within
from ..rules import Engine, TableError, World, tag_of
from .edits import PARTS, apply_changes
from .entries import BESIDE, CORE, UNDO, AnyEntry, Declined, Edited, Header, Named, Proposed, Redo, Undo, codec_of
from .worlds import EVERY, MOST, Worlds

PAUSE = timedelta(minutes=15)
"""What a time in which nothing was done counts for at most."""
Progress = Callable[[int, int], None]
"""Told how much of long work is done, and of how much; whatever it raises ends the work."""
Played = tuple[timedelta, datetime | None]
"""How long was played, and when it was that long."""
MANY = 10_000
"""Entries at once, from which on the garbage collector matters."""


_MOVES = frozenset((Undo, Redo))
_OWN = frozenset(CORE)
"""The log's own actions, which are folded in ways of their own."""


def _is_engines(error: BaseException) -> bool:
    """Was it raised by an engine, rather than by its limit or by somebody's ctrl+c?"""
    return not isinstance(error, TooSlow) and not pressed(error)


def _moved(before: Any, after: Any) -> bool:
    """Is another scene on, or are the sheets others?"""
    return before.sheets is not after.sheets or bool(before.now.scene != after.now.scene)


class Timeline:
    """Everything that follows from a header and its entries."""

    def __init__(self, engine: Engine, header: Header) -> None:
        self.engine: Guarded = guarded(engine)
        self.header = header
        self.entries: list[AnyEntry] = []
        self.worlds = Worlds(header.world, self._source, self._again)
        """The world after each entry; the first is the header's."""
        self.head = 0
        """The entry whose state is the present one; undo moves it back."""
        self.parents = array("L", [0])
        """For each entry, the head before it."""
        self.ahead: tuple[int, ...] = ()
        """Entries that were undone, the next one to redo last."""
        self.seen: Any = header.world
        """The hand-written files as last read: unlike the world, undo does not change it."""
        self.names: dict[int, tuple[str, int]] = {}
        """The name of an entry's moment, and the entry that gave it."""
        self.unnamed: set[int] = set()
        """Entries that gave a name and were taken back by themselves; who goes back to a moment keeps its name."""
        self.asked: dict[str, int] = {}
        """The last proposal of each seat: the one that counts."""
        self.closed: dict[int, int] = {}
        """Proposals that were declined, taken back or met by an undo, and the entry that did it."""
        self.accepted: dict[int, list[int]] = {}
        """For each proposal, the entries that accepted it: it is open again while all of them are undone."""
        self.broken: dict[int, EngineFault] = {}
        """Entries that the engine cannot fold, and those that were done after one."""
        self.moved: list[int] = []
        """Entries after which another scene is on, or the sheets are others."""
        self._played: dict[str, dict[int, Played]] = {}
        """By an action's tag, for some entries how long was played since."""

    @property
    def world(self) -> Any:
        """The present state."""
        return self.worlds.latest[-1]

    def _source(self, seq: int) -> int:
        """The entry whose world another one's follows from."""
        action = self.entries[seq - 1].action
        return action.to if type(action) in _MOVES else self.parents[seq]

    def _again(self, seqs: Sequence[int], world: Any) -> list[Any]:
        """The worlds after entries that are folded once more; an edit is not among them, as its world is kept.

        An engine that fails at it now is treated as one that fails the first time: the world stays as it was.
        """
        made: list[Any] = []
        while len(made) < len(seqs):
            made = made[:]  # one that blocks may be left behind with the other
            try:
                within(self.engine.seconds, partial(self._fold_again, seqs, world, made))
            except BaseException as error:
                if pressed(error):
                    raise
                seq, why = seqs[len(made)], "it took too long" if isinstance(error, TooSlow) else error
                self.broken[seq] = self.engine.fault(f"entry {seq}", why, self.entries[seq - 1].action)
        return made

    def _fold_again(self, seqs: Sequence[int], world: Any, made: list[Any]) -> None:
        world = made[-1] if made else world
        for seq in seqs[len(made) :]:
            for event in self.entries[seq - 1].events if seq not in self.broken else ():
                world = event.apply(world)
            if type(world) is not World:
                raise TypeError(f"apply gave a {type(world).__name__}, not a world")
            made.append(world)

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return len(self.entries)

    def extend(self, entries: Iterable[AnyEntry], progress: Progress | None = None) -> None:
        """Fold many entries; the garbage collector is paused, as it doubles the time."""
        some, before, was = list(entries), self.last, gc.isenabled()
        if not some:
            return
        gc.disable()
        try:
            while rest := some[self.last - before :]:
                try:
                    # one limit for all: a guard around each event would double the time
                    within(self.engine.seconds * (1 + len(rest) / 1_000), partial(self._extend, rest, progress))
                except TooSlow:
                    slow = some[self.last - before]
                    self.broken[slow.seq] = self.engine.fault(f"entry {slow.seq}", "it took too long", slow.action)
                    self.add(slow)
            if self.last - before > MANY:
                gc.freeze()  # states stay as long as the table does: the collector need not look at them again
            self._check_kept()
        finally:
            if was:
                gc.enable()

    def _check_kept(self) -> None:
        """A state that could not be written down is not known: the engine failed at the entry that made it."""
        keeps, wrong, here = codec_of(self.engine).keeps, dict[int, EngineFault](), self.head
        while here not in self.broken:
            try:
                keeps(self.worlds[here].now)
                break
            except EngineFault as error:
                wrong[here] = error
            if not here:
                return  # as it began: nothing comes before it
            here = self.parents[here]
        for seq, fault in wrong.items():
            self.broken[seq], self.worlds[seq] = fault, self.worlds[here]
        if wrong:
            self.worlds[-1] = self.worlds[here]

    def _extend(self, entries: Sequence[AnyEntry], progress: Progress | None) -> None:
        """`add` for each, with what most entries of a game need written out: it saves a quarter of the time."""
        parents, done, broken, latest = self.parents, self.entries, self.broken, self.worlds.latest
        world = latest[-1]
        sheets, scene = world.sheets, world.now.scene
        for entry in entries:
            events, seq = entry.events, entry.seq
            if events and not broken and seq == len(parents) and type(entry.action) not in _OWN:
                after = world
                try:
                    for event in events:
                        after = event.apply(after)
                    stays = after.sheets is sheets and after.now.scene == scene
                except BaseException as error:
                    if not _is_engines(error):
                        raise
                    stays = False  # `add` says what is wrong
                if stays and type(after) is World and not entry.answers:
                    world = after
                    parents.append(self.head)
                    self.head, self.ahead = seq, ()  # at each step: one that blocks may be left behind in here
                    done.append(entry)
                    latest.append(world)
                    if len(latest) == MOST:
                        latest = self.worlds.thin()
                        if progress:
                            progress(seq, entries[-1].seq)
                    continue
            self.add(entry)
            latest = self.worlds.latest
            world = latest[-1]
            sheets, scene = world.sheets, world.now.scene

    def add(self, entry: AnyEntry, after: Any = None) -> None:
        """Fold one entry; `after` is the world after its events, where somebody has folded them already.

        One that the engine cannot fold leaves the world as it was and is remembered in `broken`, and so is whatever
        was done after it; undo leads back to where the state is known.
        """
        if entry.seq != len(self.worlds):
            raise TableError(
                f"entry {len(self.worlds)} is missing; {entry.seq} stands in its place",
                remedy="Run tabletop doctor.",
            )
        action = entry.action
        before = world = self.world
        parent = self.head
        kind = type(action)
        if kind is Undo:
            world = self._go_back(action.to)
        elif kind is Redo:
            world = self._go_forward(action.to)
        elif kind in BESIDE:
            self._hear(entry)
        else:
            broken = self.broken
            if broken and (parent in broken or entry.seq in broken):
                broken.setdefault(entry.seq, broken.get(parent) or broken[entry.seq])
            else:
                try:
                    if after is not None:
                        world = after
                    elif entry.events:
                        for event in entry.events:
                            world = event.apply(world)
                        if type(world) is not World:
                            raise TypeError(f"apply gave a {type(world).__name__}, not a world")
                    elif kind is Edited:
                        world = apply_changes(self.engine, world, action.changes)
                        self._saw(action)
                    elif kind is Named:
                        self.names[action.at or parent] = (action.name, entry.seq)
                    _moved(before, world)  # where this cannot be said, it is no world
                except BaseException as error:
                    if not _is_engines(error):
                        raise
                    self.broken[entry.seq] = self.engine.fault(f"entry {entry.seq}", error, action)
                    world = before
            self.head = entry.seq
            if kind is not Named and (kind is not Edited or world != before or not action.changes):
                # a name, and a file that was made to say what the table has, change nothing: redo leads where it did
                self.ahead = ()
        if entry.answers:
            if kind is Undo:
                self.closed[entry.answers] = entry.seq
            else:
                self.accepted.setdefault(entry.answers, []).append(entry.seq)
        self.parents.append(parent)
        self.entries.append(entry)
        moved = _moved(before, world)
        if moved:
            self.moved.append(entry.seq)
        if moved or kind is Edited or entry.seq in self.broken:
            self.worlds.lasting.add(entry.seq)
        self.worlds.append(world)

    def _go_back(self, to: int) -> Any:
        undone, here = [], self.head
        while here != to:
            if not here:
                raise TableError(f"an undo names entry {to}, which is not in its past", remedy="Run tabletop doctor.")
            undone.append(here)
            here = self.parents[here]
        if len(undone) == 1 and type(self.entries[undone[0] - 1].action) is Named:
            self.unnamed.add(undone[0])
        self.ahead = (*self.ahead, *undone)
        self.head = to
        return self.worlds[to]

    def _go_forward(self, to: int) -> Any:
        if to not in self.ahead:
            raise TableError(f"a redo names entry {to}, which was not undone", remedy="Run tabletop doctor.")
        at = self.ahead.index(to)
        self.unnamed -= set(self.ahead[at:])
        self.ahead = self.ahead[:at]
        self.head = to
        return self.worlds[to]

    def _hear(self, entry: AnyEntry) -> None:
        if isinstance(entry.action, Proposed):
            self.asked[entry.by] = entry.seq
        elif isinstance(entry.action, Declined):
            self.closed[entry.action.proposal] = entry.seq

    def is_open(self, proposal: int) -> bool:
        """Does a proposal wait for an answer? Undoing what accepted it opens it again; what somebody asks to have
        taken back may be taken back already."""
        entry = self.entries[proposal - 1]
        if proposal in self.closed or self.asked.get(entry.by) != proposal:
            return False
        if isinstance(entry.action, Proposed) and entry.action.action == UNDO:
            to = entry.action.fields["to"]
            if self.head == to or self.past(to)[0] != to:
                return False
        done = self.accepted.get(proposal, ())
        return not done or not set(done) & set(self.past(proposal))

    def _saw(self, action: Edited) -> None:
        files = [c for c in action.changes if c.path[0] != PARTS[-1]]
        if files:
            self.seen = apply_changes(self.engine, self.seen, files)

    def knows(self, seq: int) -> bool:
        """Is the state after an entry known, or did the engine fail on the way there?"""
        return self.head_at(seq) not in self.broken

    def head_at(self, seq: int) -> int:
        """The entry whose state was the present one after an entry; 0 is the beginning."""
        action = self.entries[seq - 1].action if seq else None
        if isinstance(action, BESIDE):
            return self.parents[seq]
        return action.to if isinstance(action, Undo | Redo) else seq

    @property
    def fault(self) -> EngineFault | None:
        """Why the present state is not known; None where it is."""
        return self.broken.get(self.head)

    def past(self, since: int = 0, to: int | None = None) -> list[int]:
        """The entries that made a state, the present one where none is named, from `since` (0 is the beginning)."""
        path = [self.head if to is None else to]
        while path[-1] > since:
            path.append(self.parents[path[-1]])
        return path[::-1]

    def crossed(self, seq: int) -> tuple[list[int], list[int]]:
        """Of an undo or redo: the entries that it took back, the latest first, and those that it did again."""
        here, there = self.parents[seq], self.entries[seq - 1].action.to
        back: list[int] = []
        again: list[int] = []
        while here != there:  # an entry comes after its parent: the later of the two is not in the other's past
            if here > there:
                back.append(here)
                here = self.parents[here]
            else:
                again.append(there)
                there = self.parents[there]
        return back, again[::-1]

    def only_agrees(self, seq: int) -> bool:
        """Does an entry only note that a file says what the table has already?"""
        action = self.entries[seq - 1].action
        return isinstance(action, Edited) and bool(action.changes) and self.worlds[seq] == self.worlds[seq - 1]

    def before_last_change(self) -> int:
        """Where undo leads: notes on files that agree are no step of their own."""
        here = self.head
        while self.only_agrees(here) and self.parents[here]:
            here = self.parents[here]
        return self.parents[here]

    def minutes_since(self, tag: str, now: datetime) -> int:
        """Minutes of play since an action was last done and not undone, or since the session began.

        Nobody plays while nothing is done for long: a gap counts for a quarter of an hour at most.
        """
        played, at = self._played_since(tag, self.head)
        return int((played + _gap(at, now)) / timedelta(minutes=1))

    def _played_since(self, tag: str, head: int) -> Played:
        """How long was played at an entry since an action before it; what was found out is not looked for again."""
        known, path, here = self._played.setdefault(tag, {}), [], head
        while here and here not in known and tag_of(type(self.entries[here - 1].action)) != tag:
            path.append(here)
            here = self.parents[here]
        found = known.get(here)
        if found is None:
            began = self.entries[here - 1].at if here else self.header.began
            found = timedelta(), _moment(began)
        for seq in reversed(path):
            at = _moment(self.entries[seq - 1].at) or found[1]
            found = found[0] + _gap(found[1], at), at
            if seq == head or not seq % EVERY:
                known[seq] = found
        return found


def _gap(earlier: datetime | None, later: datetime | None) -> timedelta:
    """How much was played between two moments."""
    return min(max(later - earlier, timedelta()), PAUSE) if earlier and later else timedelta()


def _moment(stamp: str) -> datetime | None:
    """When a line of the log was written; a stamp that is none counts for no time."""
    try:
        return datetime.fromisoformat(stamp).astimezone(UTC)
    except ValueError:
        return None
