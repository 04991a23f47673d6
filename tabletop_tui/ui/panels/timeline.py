"""Where a replay is."""

from __future__ import annotations

from textual.content import Content

from ...rules import Model
from ..commands import Press
from ..drawing.text import ACCENT, DIM, FAINT, INK, cells, line
from .panel import Panel


class Place(Model):
    """Where we are in the session."""

    place: int = 0
    length: int = 0
    scenes: tuple[int, ...] = ()
    time: str = ""
    speed: float = 1.0
    playing: bool = False


class TimelineBar(Panel[Place]):
    """The session as a line; a click on it goes there."""

    DEFAULT_CSS = "TimelineBar { height: 1; background: $bar; }"

    def lines(self, width: int) -> list[Content]:
        """One line: state, numbers, the line itself with its scenes, time and speed."""
        part = self.part or Place()
        place, length = part.place, part.length
        head = f" {'▶' if part.playing else '‖'} {place}/{length}  "
        tail = f"  {part.time}  {part.speed:g}× "
        room = max(width - cells(head) - cells(tail), 4)
        for x in range(room):
            share = x / max(room - 1, 1)
            self.spot(0, Press("replay.seek", (round(share * length),)), cells(head) + x, cells(head) + x + 1)
        at = _column(place, length, room)
        marks = {_column(seq, length, room) for seq in part.scenes}
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


def _column(seq: int, length: int, room: int) -> int:
    return round(seq / length * (room - 1)) if length else 0
