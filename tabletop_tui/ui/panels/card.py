"""Sheets: one in short beside the dice, one in full, and the names of everybody."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from textual.content import Content

from ...rules import Model, SheetView, Status
from ...rules.views import Allegiance
from ...session import Step
from ..commands import Press
from ..drawing.meters import meter
from ..drawing.text import ACCENT, DIM, INK, TONES, cells, fit, flow, heading, line, safe, scrolled, told, with_more
from .log import begun_lines, step_lines
from .panel import Panel
from .roster import MARKS, SECRET

LINES = "━─"
"""What people have is drawn as lines, clocks as squares."""
GAP = "   "
"""Between two counters."""


def sheet_lines(view: SheetView, width: int, short: bool = False) -> list[Content]:
    """A sheet as lines; in short, a line or two a section."""
    if short:
        return _short(view, width)
    out = [heading(view.title, width)]
    out += [one for fact in view.facts for one in told(fact.text, DIM, width)]
    out += _meters(view, width)
    for section in view.sections:
        out.append(line(("", "")))
        out.append(line((f" {section.title}", DIM)))
        name = min(max((cells(x.label) for x in section.lines), default=0), max(width // 3, 10))
        for x in section.lines:
            head = f"   {fit(x.label, name)}  " if name else "   "
            if cells(head + x.value) > width:
                tail = wrap(safe(x.value), max(width - cells(head) - 1, 12))
                out += [
                    line((head if not i else " " * cells(head), INK), (text, f"bold {TONES[x.tone]}"))
                    for i, text in enumerate(tail)
                ]
                out += told(x.because, DIM, width, sign=" " * 4)
                continue
            said = line((head, INK), (x.value, f"bold {TONES[x.tone]}"))
            if said.cell_length + cells(x.because) + 3 <= width:
                out.append(said + line((f"   {x.because}", DIM)))
            else:  # the reason goes on below, as it is what the page is for
                out += [said, *told(x.because, DIM, width, sign=" " * 4)]
    return out


def _meters(view: SheetView, width: int) -> list[Content]:
    """The counters of a sheet. The gap behind the last of a line is no reason to call the line cut."""
    pieces = [meter(c, signs=LINES) + line((GAP, "")) for c in view.counters]
    return [one.rstrip() for one in flow(pieces, width + len(GAP), line((" ", "")), 1)] if pieces else []


def _short(view: SheetView, width: int) -> list[Content]:
    out = [heading(view.title, width)]
    out += _meters(view, width)
    for section in view.sections:
        name = f" {section.title}  "
        row: list[tuple[str, str]] = [(name, DIM)]
        if cells(name) + max((cells(f"{x.label} {x.value}") for x in section.lines), default=0) + 3 > width:
            out.append(line(*row))  # what is longer than the room beside the title stands below it
            name, row = "  ", [("  ", "")]
        for i, x in enumerate(section.lines):
            piece = f"{x.label} {x.value}"
            if i and sum(cells(t) for t, _ in row) + cells(piece) + 3 > width:
                out.append(line(*row))
                row = [(" " * cells(name), "")]
            row += [(f"{x.label} ", INK), (x.value, f"bold {TONES[x.tone]}"), ("   ", "")]
        out.append(line(*row))
    return out + [one for fact in view.facts for one in told(fact.text, DIM, width)]


class Beside(Model):
    """What stands beside the dice: somebody's sheet in short, conditions, the scene and its secret."""

    sheet: SheetView | None = None
    about: str = ""
    secret: str = ""
    lasting: tuple[Status, ...] = ()


class Card(Panel[Beside]):
    """In short: conditions, the sheet of whoever matters now, and the scene."""

    DEFAULT_CSS = "Card { height: 1fr; }"

    def lines(self, width: int) -> list[Content]:
        """As much as there is room for."""
        part = self.part or Beside()
        out = sheet_lines(part.sheet, width, short=True) if part.sheet is not None else []
        known = {x.value for section in part.sheet.sections for x in section.lines} if part.sheet else set()
        for status in (status for status in part.lasting if status.what not in known):
            secret = "~ " if status.secret else ""
            until = f"  {status.until}" if status.until else ""
            out.append(line((f" {secret}{status.what}", TONES[status.tone]), (until, DIM)))
        if part.about or part.secret:
            out.append(heading("scene", width))
            out += [*told(part.about, INK, width), *told(part.secret, DIM, width - 2, sign="~ ")]
        height = self.size.height
        cut = len(out) > height > 0 and "──" in out[height - 1].plain  # a heading with nothing under it
        return out[: height - 1] if cut else out


class Name(Model):
    """Somebody in the list."""

    id: str
    name: str
    note: str
    away: bool
    allegiance: Allegiance = ""
    secret: bool = False
    """Can players not see them?"""


class Names(Model):
    """Everybody whose name fits."""

    rows: tuple[Name, ...] = ()
    cursor: int = 0
    wanted: str = ""
    typing: bool = False


def whole_pieces(note: str, room: int) -> str:
    """A remark without those of its parts for which there is no room, the longest first."""
    pieces = note.split(", ")
    while pieces and cells(", ".join(pieces)) > room:
        pieces.remove(max(pieces, key=cells))
    return ", ".join(pieces)


class NameList(Panel[Names]):
    """Names with the number that matters."""

    DEFAULT_CSS = "NameList { width: 34; height: 1fr; background: $surface; }"
    top = 0

    def lines(self, width: int) -> list[Content]:
        """The part around the cursor."""
        part = self.part or Names()
        title = f"/ {part.wanted}{'▏' if part.typing else ''}" if part.wanted or part.typing else "everybody"
        out = [heading(title, width, active=part.typing, note=str(len(part.rows)))]
        room = max(self.size.height - 1, 1)
        self.top = scrolled(self.top, part.cursor, len(part.rows), room)
        for i, row in list(enumerate(part.rows))[self.top : self.top + room]:
            here = i == part.cursor
            secret = f" {SECRET}" if row.secret else ""
            tail = "away" if row.away else row.note
            # a remark gives way before the name does, piece by piece: half a number would be another one
            tail = whole_pieces(tail, width - 5 - cells(secret) - cells(row.name))
            tail = f"{tail}{secret}".lstrip()
            mark, tone = MARKS[row.allegiance]
            ground = " on $raised" if here else ""
            style = f"{'bold ' if here else ''}{DIM if row.away else INK}{ground}"
            self.spot(len(out), Press("people.point", (i,)))
            size = width - 5 - cells(tail)
            out.append(
                line(
                    ("▸" if here else " ", f"{ACCENT}{ground}"),
                    (f"{mark} ", f"{DIM if row.away else tone}{ground}"),
                    (f"{fit(row.name, size)} ", style),
                    (f"{tail} ", f"{DIM}{ground}"),
                )
            )
        if not part.rows:
            out.append(line((" nobody of that name" if part.wanted else " nobody is there yet", DIM)))
        return out


class Sheet(Model):
    """One sheet, how far it is scrolled, the problems of its file, and what became of them."""

    view: SheetView | None = None
    start: int = 0
    problems: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()


class SheetPanel(Panel[Sheet]):
    """One sheet in full."""

    DEFAULT_CSS = "SheetPanel { height: 1fr; width: 1fr; }"
    _told: tuple[SheetView | None, int, list[Content]] = (None, 0, [])

    def lines(self, width: int) -> list[Content]:
        """The problems of its file first, then the sheet; in what room is left, what they did last."""
        part = self.part or Sheet()
        out = [line((f" ✗ {piece}", "$bad")) for p in part.problems for piece in wrap(safe(p), max(width - 4, 20))]
        if part.view is None:
            return [*out, heading("sheet", width), line((" there is no sheet to show", DIM))]
        title, *body = self._sheet(part.view, width)
        rows = body[part.start : part.start + self._room(out)]
        out += [title, *with_more(rows, part.start, len(body) - part.start - len(rows), width)]
        room, did = self.size.height - len(out) - 2, list[Content]()
        for step in reversed(part.steps if room > 1 else ()):
            did = [*begun_lines(step_lines(step, width), width, room - len(did)), *did]
        return [*out, line(("", "")), heading("what happened to them", width), *did] if did else out

    def _sheet(self, view: SheetView, width: int) -> list[Content]:
        """The sheet as lines, made once: what is drawn and the keys that scroll it both ask for them."""
        if self._told[0] is not view or self._told[1] != width:
            self._told = (view, width, sheet_lines(view, width))
        return self._told[2]

    def _room(self, above: Sequence[Content]) -> int:
        return max(self.size.height - len(above) - 1, 1)

    @property
    def below(self) -> int:
        """Lines of the sheet that stand below the last row."""
        part = self.part or Sheet()
        length = len(self._sheet(part.view, self.size.width)) - 1 if part.view else 0
        return max(length - part.start - self._room(()), 0)
