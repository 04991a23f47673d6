"""Replay: the timeline over the real screens, and the keys that move along it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.timer import Timer

from ..rules import KINDS
from ..session import MARKS, Mark, Replay
from .overlays import Question
from .page import KeyItem
from .panel import Panel
from .text import ACCENT, DIM, FAINT, INK, cells, line

if TYPE_CHECKING:
    from .play import PlayScreen

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
LONGEST = 3.0
"""Seconds: a pause that was longer at the table is shortened to this."""
SHORTEST = 0.05


class TimelineBar(Panel):
    """Where we are in the session. Shown: place, length, scenes, time of day, speed, playing."""

    DEFAULT_CSS = "TimelineBar { height: 1; background: $bar; }"

    def lines(self, width: int) -> list[Content]:
        """One line: state, numbers, the line itself with its scenes, time and speed."""
        place, length, scenes, time, speed, playing = self.shown or (0, 0, (), "", 1.0, False)
        head = f" {'▶' if playing else '‖'} {place}/{length}  "
        tail = f"  {time}  {speed:g}× "
        room = max(width - cells(head) - cells(tail), 4)
        self.start, self.room = cells(head), room
        at = _column(place, length, room)
        marks = {_column(seq, length, room) for seq in scenes}
        track = "".join("●" if i == at else "┬" if i in marks else "─" for i in range(room))
        return [
            line(
                (head, f"bold {ACCENT}"),
                (track[:at], DIM),
                (track[at], f"bold {ACCENT}"),
                (track[at + 1 :], FAINT),
                (tail, INK),
            )
        ]

    def meaning(self, x: int, y: int) -> Any:
        """A click on the line is a place on it."""
        del y
        length = (self.shown or (0, 0))[1]
        share = (x - self.start) / max(self.room - 1, 1)
        return ("seek", round(min(max(share, 0.0), 1.0) * length))


def _column(seq: int, length: int, room: int) -> int:
    return round(seq / length * (room - 1)) if length else 0


class Playback:
    """What moves along a log. The screen asks it first for every key."""

    def __init__(self, screen: PlayScreen, table: Replay) -> None:
        self.screen, self.table = screen, table
        self.bar = TimelineBar()
        self.speed = 1.0
        self.mark: Mark = "roll"
        self.wanted = ""
        self.timer: Timer | None = None
        self.follow = True
        """The page of each action comes to the front, until somebody chooses one."""

    @property
    def playing(self) -> bool:
        """Does it move by itself?"""
        return self.timer is not None

    def keys(self) -> list[KeyItem]:
        """What can be pressed; nothing of it changes anything."""
        return [
            ("space", "pause" if self.playing else "play", False, True),
            ("←→", "step", False, False),
            ("[ ]", self.mark, False, False),
            ("j", "jump by", False, False),
            ("/", "find", False, False),
            ("+ −", "speed", False, False),
            ("f", "what if", False, False),
            ("q", "leave", False, True),
            ("?", "help", False, True),
        ]

    def show(self) -> None:
        """Draw the line."""
        table = self.table
        entry = table.entry
        at = entry.at if entry else table.header.began
        self.bar.show(table.place, table.length, table.scenes, at[11:16], self.speed, self.playing)

    async def key(self, key: str, character: str | None) -> bool:
        """Move, or let the screen have the key; False only for what looks around."""
        table = self.table
        jumps = {"left": table.place - 1, "right": table.place + 1, "home": 0, "end": table.length}
        jumps |= {"pageup": table.place - 10, "pagedown": table.place + 10}
        if key in jumps:
            await self.go(jumps[key])
        elif key == "space":
            self._toggle()
        elif character in ("[", "]"):
            await self._jump(forward=character == "]")
        elif character == "j":
            self.mark = MARKS[(MARKS.index(self.mark) + 1) % len(MARKS)]
        elif character and character in "+-−":
            place = SPEEDS.index(self.speed) + (1 if character == "+" else -1)
            self.speed = SPEEDS[min(max(place, 0), len(SPEEDS) - 1)]
            self.show()
        elif character == "/":
            self._ask()
        elif character in ("n", "N") and self.wanted:
            await self._find(forward=character == "n")
        elif character == "f":
            self.stop()
            await self.screen.what_if(table.place)
        elif key == "enter" and self.screen.front == "history":
            await self.go(getattr(self.screen.page, "cursor", table.place))
        else:
            return await self._other(key)
        return True

    async def _other(self, key: str) -> bool:
        """Pages, help, themes and leaving are the screen's; all that could change something is nobody's."""
        if self.screen.bound(key).startswith("page"):
            self.follow = False
        return not self.screen.only_looks(key)

    async def click(self, meaning: Any) -> bool:
        """A click on the line; of the pages, only what looks around."""
        if isinstance(meaning, tuple) and meaning[0] == "seek":
            await self.go(meaning[1])
            return False
        return isinstance(meaning, tuple) and meaning[0] in ("person", "step")

    async def go(self, place: int, *, by_itself: bool = False) -> None:
        """Show the state after an entry."""
        if not by_itself:
            self.stop()
        if not self.table.seek(place):
            self.show()
            return
        if self.follow and (entry := self.table.entry) is not None:
            wanted = next((s for s in type(entry.action).screens if s in self.screen.pages and s in KINDS), "")
            if wanted and wanted != self.screen.front and self.screen.front in KINDS:
                await self.screen.action_page(wanted)
        self.screen.page.show_entry(self.table.place)
        self.screen.changed()

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
        self.show()

    def _soon(self) -> None:
        self.timer = self.screen.set_timer(self.pause(), self._tick)

    def pause(self) -> float:
        """Seconds until the next entry: as at the table, long ones shortened, at the speed that was chosen."""
        entries, place = self.table.timeline.entries, self.table.place
        if place >= len(entries):
            return SHORTEST
        before = entries[place - 1].at if place else self.table.header.began
        gap = (_time(entries[place].at) - _time(before)).total_seconds()
        return max(min(max(gap, 0.4), LONGEST) / self.speed, SHORTEST)

    async def _tick(self) -> None:
        if self.timer is None:
            return
        await self.go(self.table.place + 1, by_itself=True)
        if self.table.place < self.table.length:
            self._soon()
        else:
            self.timer = None
            self.show()

    # ---- finding

    async def _jump(self, *, forward: bool) -> None:
        found = self.table.find_mark(self.mark, forward=forward)
        if found:
            await self.go(found)
        else:
            where = "after" if forward else "before"
            self.screen.tell(f"There is no {self.mark} {where} this one.", "warning")

    def _ask(self) -> None:
        async def look(text: Any) -> None:
            self.wanted = str(text)
            await self._find(forward=True)

        self.stop()
        self.screen.ask(Question("find", "", "words that were said, or a name; n finds the next"), look)

    async def _find(self, *, forward: bool) -> None:
        found = self.table.find_text(self.wanted, forward=forward)
        if found:
            await self.go(found)
        else:
            self.screen.tell(f"{self.wanted!r} stands nowhere in this log.", "warning")


def _time(at: str) -> datetime:
    try:
        return datetime.fromisoformat(at)
    except ValueError:  # a log that somebody wrote by hand
        return datetime.fromisoformat("1970-01-01T00:00:00+00:00")
