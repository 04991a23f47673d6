"""Replay: the real screens driven by what was played, and the keys that move along it."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from msgspec.structs import replace
from textual.timer import Timer

from ...rules import KINDS
from ...session import MARKS, Mark, Replay, local_time
from ...session.follow import page_of_entry
from ..asking.host import Question
from ..commands import Command, Effect, Layer, key_for
from ..commands.catalogue import command
from ..panels.bars import Said
from ..panels.timeline import Place, TimelineBar
from ..playing import Playing
from .mode import Mode

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
LONGEST = 3.0
"""Seconds: a pause that was longer at the table is shortened to this."""
SHORTEST = 0.05


class Playback(Mode):
    """What moves along a log. Nothing can be changed; playing on from it takes a what-if, which is the GM's."""

    title = "Replay"
    why = "A replay cannot be changed: f plays on from here at a table of its own."

    def __init__(self, play: Playing, table: Replay) -> None:
        self.play, self.table = play, table
        effects: tuple[Effect, ...] = ("look",) if table.seat else ("look", "fork")
        self.allows = frozenset(effects)
        self.why = "A player's seat looks on." if table.seat else self.why
        self.badge = f"REPLAY, {table.seat}'s seat" if table.seat else "REPLAY, read-only"
        self.bar = self.line = TimelineBar()
        self.speed = 1.0
        self.mark: Mark = "roll"
        self.wanted = ""
        self.timer: Timer | None = None
        self.follow = True
        """The page of each action comes to the front, until somebody chooses one."""

    @property
    def marked(self) -> str:
        """What one jumps by, as people call it."""
        return "change of sides" if self.mark == "seizure" else self.mark

    @property
    def playing(self) -> bool:
        """Does it move by itself?"""
        return self.timer is not None

    def said(self) -> Said:
        """What was asked then; nobody answers it any more."""
        kind = next((kind for kind in KINDS if kind == self.play.front), None)
        asked = getattr(self.play.game.view(kind), "prompt", None) if kind else None
        return Said(f"Asked: {asked.text}" if asked else "Playing" if self.playing else "Replay")

    def changed(self) -> None:
        """Draw the line."""
        table = self.table
        entry = table.entry
        at = entry.at if entry else table.header.began
        self.line.show(
            Place(table.place, table.length, tuple(table.scenes), local_time(at), self.speed, self.playing)
        )

    def chose_page(self) -> None:
        """It does not change pages by itself any more."""
        self.follow = False

    def layer(self) -> Layer:
        """What moves along the log; nothing of it changes anything."""
        table = self.table

        out = [
            command("replay.play", self._toggle, label="pause" if self.playing else "play"),
            command("replay.back", partial(self._by, -1), group="step"),
            command("replay.forward", partial(self._by, 1), group="step"),
            command("replay.before", partial(self._jump, False), label=self.marked, group=self.marked),
            command("replay.after", partial(self._jump, True), label=self.marked, group=self.marked),
            Command("replay.start", ("home",), "start", partial(self.go, 0), where="list"),
            Command("replay.end", ("end",), "end", partial(self._by, 10**9), where="list"),
            Command("replay.far_back", ("pageup",), "ten back", partial(self._by, -10), where="list"),
            Command("replay.far", ("pagedown",), "ten on", partial(self._by, 10), where="list"),
            command("replay.mark", self._next_mark),
            command("replay.find", self._ask),
            command("replay.faster", partial(self._speed, 1), group="speed"),
            command("replay.slower", partial(self._speed, -1), group="speed"),
            Command("replay.seek", (), "", where="hidden", point=self._point),
        ]
        if table.undone:
            label = "leave out what was undone" if table.every else f"all {table.length + table.undone} entries"
            out.append(command("replay.all", self._all, label=label))
        if self.wanted:
            out.append(command("replay.next", partial(self._find, forward=True), group="found"))
            out.append(command("replay.last", partial(self._find, forward=False), group="found"))
        if self.play.front == "log":
            to = Command("replay.go", ("enter",), "go to this entry", self._to_cursor, where="band", instead="log.go")
            out.append(to)
        out = [replace(c, effect="look", section="replay") for c in out]
        if not table.seat:
            out.append(command("replay.what_if", self._what_if, section="replay"))
            out.append(command("replay.export", self._export, section="replay"))
        return Layer("replay", tuple(out), free=True)

    async def _by(self, step: int) -> None:
        await self.go(min(self.table.place + step, self.table.length))

    async def _point(self, place: tuple[int, ...]) -> None:
        await self.go(place[0])

    async def _to_cursor(self) -> None:
        await self.go(self.table.place_of(self.play.entry_under))

    def _all(self) -> None:
        self.stop()
        self.table.show_all(not self.table.every)
        self.play.changed()

    def _export(self) -> None:
        from ..export import ask_export

        self.stop()
        ask_export(self.play)

    async def _what_if(self) -> None:
        self.stop()
        await self.play.what_if(self.table.last)

    async def go(self, place: int, *, by_itself: bool = False) -> None:
        """Show the state after an entry."""
        if not by_itself:
            self.stop()
        if not self.table.seek(place):
            self.changed()
            return
        if self.follow and (entry := self.table.entry) is not None:
            wanted = page_of_entry(entry, self.play.names)
            if wanted and wanted != self.play.front and self.play.front not in ("people", "log"):
                await self.play.show_page(wanted)
        self.play.changed()

    # ---- by itself

    def stop(self) -> None:
        """Stand still."""
        if self.timer is not None:
            self.timer.stop()
            self.timer = None

    def _toggle(self) -> None:
        if self.playing:
            self.stop()
        else:
            self.follow = True
            if self.table.place == self.table.length:
                self.table.seek(0)
            self._soon()
        self.changed()

    def _soon(self) -> None:
        self.timer = self.play.set_timer(self.pause(), self._tick)

    def pause(self) -> float:
        """Seconds until the next entry: as at the table, long ones shortened, at the speed that was chosen."""
        table = self.table
        if table.place >= table.length:
            return SHORTEST
        before = table.entry.at if table.entry else table.header.began
        after = table.timeline.entries[table.stops[table.place + 1] - 1].at
        gap = (_time(after) - _time(before)).total_seconds()
        return max(min(max(gap, 0.4), LONGEST) / self.speed, SHORTEST)

    async def _tick(self) -> None:
        if self.timer is None:
            return
        await self.go(self.table.place + 1, by_itself=True)
        if self.table.place < self.table.length:
            self._soon()
        else:
            self.timer = None
            self.changed()
            self.play.draw_bars()

    def _speed(self, step: int) -> None:
        place = SPEEDS.index(self.speed) + step
        self.speed = SPEEDS[min(max(place, 0), len(SPEEDS) - 1)]
        self.changed()

    # ---- finding

    def _next_mark(self) -> None:
        self.mark = MARKS[(MARKS.index(self.mark) + 1) % len(MARKS)]

    async def _jump(self, forward: bool) -> None:
        found = self.table.find_mark(self.mark, forward=forward)
        if found:
            await self.go(found)
        else:
            where = "after" if forward else "before"
            self.play.tell(f"There is no {self.marked} {where} this one.")

    def _ask(self) -> None:
        async def look(text: str) -> None:
            self.wanted = text
            await self._find(forward=True)

        self.stop()
        history = [self.wanted] if self.wanted else []
        hint = f"words that were said, or a name; {key_for('replay.next', 'n')} finds the next"
        self.play.host.ask(Question("find", look, "", hint, history=history))

    async def _find(self, *, forward: bool) -> None:
        found = self.table.find_text(self.wanted, forward=forward)
        if found:
            await self.go(found)
        else:
            self.play.tell(f"{self.wanted!r} is nowhere in this log.")


def _time(at: str) -> datetime:
    try:
        return datetime.fromisoformat(at)
    except ValueError:  # a log that somebody wrote by hand
        return datetime.fromisoformat("1970-01-01T00:00:00+00:00")
