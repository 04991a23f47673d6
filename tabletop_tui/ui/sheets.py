"""Sheets: everybody, filtered as you type, and one of them in full with how each number came to be."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content

from ..rules import SheetView
from .bars import meter
from .page import KeyItem, Page
from .panel import Panel
from .text import ACCENT, DIM, FAINT, INK, TONES, cells, fit, flow, heading, join, line, safe


def sheet_lines(view: SheetView, width: int, short: bool = False) -> list[Content]:
    """A sheet as lines; in short, a line or two a section."""
    if short:
        return _short(view, width)
    out = [heading(view.title, width)]
    out += [line((f" {fact}", DIM)) for fact in view.facts]
    if view.counters:
        out.append(line((" ", "")) + join([meter(c) for c in view.counters], "   "))
    for section in view.sections:
        out.append(line(("", "")))
        out.append(line((f" {section.title}", f"bold {ACCENT}")))
        name = min(max((cells(x.label) for x in section.lines), default=0), max(width // 3, 10))
        out += [
            line((f"   {fit(x.label, name)}  ", INK), (x.value, f"bold {TONES[x.tone]}"), (f"   {x.because}", FAINT))
            for x in section.lines
        ]
    return out


def _short(view: SheetView, width: int) -> list[Content]:
    out = [heading(view.title, width)]
    if view.counters:
        out.append(line((" ", "")) + join([meter(c) for c in view.counters], "   "))
    for section in view.sections:
        name = f" {section.title}  "
        row: list[tuple[str, str]] = [(name, DIM)]
        for i, x in enumerate(section.lines):
            piece = f"{x.label} {x.value}"
            if i and sum(cells(t) for t, _ in row) + cells(piece) + 3 > width:
                out.append(line(*row))
                row = [(" " * cells(name), "")]
            row += [(f"{x.label} ", INK), (x.value, f"bold {TONES[x.tone]}"), ("   ", "")]
        out.append(line(*row))
    return out + [line((f" {fact}", FAINT)) for fact in view.facts]


class Card(Panel):
    """In short: the sheets of those who matter now, what lasts, and the scene.

    Shown: sheets, the scene, its secret, conditions, clocks.
    """

    DEFAULT_CSS = "Card { height: 1fr; }"

    def lines(self, width: int) -> list[Content]:
        """What lasts, the sheets, then clocks and the scene's notes while there is room."""
        views, about, secret, lasting, clocks = (*(self.shown or ((), "", "")), (), ())[:5]
        out: list[Content] = []
        if lasting or clocks:
            out.append(heading("what lasts", width))
            out += [
                line((f" {x.label}  ", INK), (x.value, f"bold {TONES[x.tone]}"), (f"  {x.because}", DIM))
                for x in lasting
            ]
            out += flow((Content(" ") + meter(c) + Content("  ") for c in clocks), width) if clocks else []
        for view in views:
            out += sheet_lines(view, width, short=True) if isinstance(view, SheetView) else []
        if about or secret:
            out.append(heading("scene", width))
            out += [line((f" {text}", INK)) for text in wrap(safe(about), max(width - 2, 20))]
            out += [
                line((f" GM: {text}" if not i else f"     {text}", DIM))
                for i, text in enumerate(wrap(safe(secret), max(width - 6, 20)))
            ]
        height = self.size.height
        cut = len(out) > height > 0 and out[height - 1].plain.startswith("─")  # a heading with nothing under it
        return out[: height - 1] if cut else out


class NameList(Panel):
    """Names with the number that matters. Shown: rows as (id, name, note, away), cursor, filter, typing."""

    DEFAULT_CSS = "NameList { width: 34; height: 1fr; background: $surface; }"
    top = 0

    def lines(self, width: int) -> list[Content]:
        """The part around the cursor."""
        rows, cursor, wanted, typing = self.shown or ((), 0, "", False)
        title = f"/ {wanted}{'▏' if typing else ''}" if wanted or typing else "everybody"
        out = [heading(title, width, active=typing)]
        room = max(self.size.height - 1, 1)
        self.top = min(max(self.top, cursor - room + 1), cursor)
        for i, (_, name, note, away) in list(enumerate(rows))[self.top : self.top + room]:
            here = i == cursor
            tail = "away" if away else note
            base = FAINT if away else INK
            style = "bold $on-accent on $tone-accent" if here else base
            size = width - 3 - cells(tail)
            self.rows[len(out)] = ("person", i)
            out.append(line((f" {fit(name, size)} ", style), (f"{tail} ", style if here else DIM)))
        if not rows:
            out.append(line((" nobody of that name", DIM)))
        return out


class SheetPanel(Panel):
    """One sheet. Shown: the view, how far it is scrolled, problems."""

    DEFAULT_CSS = "SheetPanel { height: 1fr; width: 1fr; }"

    def lines(self, width: int) -> list[Content]:
        """The problems of its file first, then the sheet."""
        view, start, problems = self.shown or (None, 0, ())
        out = [line((f" ✗ {p}", "$bad")) for p in problems]
        body = sheet_lines(view, width) if view else [heading("sheet", width), line((" nobody is chosen", DIM))]
        return out + body[:1] + body[1 + start :]


class SheetsPage(Page):
    """Every engine has sheets."""

    DEFAULT_CSS = """
    SheetsPage { height: 17; }
    """
    kind = "sheet"
    title = "Sheets"

    def compose(self) -> ComposeResult:
        """Names left, the sheet right."""
        self.names, self.sheet = NameList(), SheetPanel()
        with Horizontal():
            yield self.names
            yield self.sheet

    def on_mount(self) -> None:
        """Nothing is filtered at first."""
        self.cursor = self.stood = 0
        self.wanted, self.start = "", 0
        self.reading = False
        self.found: list[str] = []

    def update_view(self) -> None:
        """Everybody whose name fits the filter."""
        world = self.game.world
        table = self.game.table.view("table")
        notes = {p.id: p.secret_note or p.note for p in getattr(table, "people", ())}
        everybody = [*world.present(), *(w for w in world.now.retired if w in world.sheets)]
        if self.game.table.seat:
            everybody = [w for w in everybody if world.sheets[w].player]
        wanted = self.wanted.lower()
        before = self.who if self.cursor == self.stood else ""
        self.found = [w for w in everybody if wanted in world.name(w).lower() or wanted in w.lower()]
        if before in self.found:  # the list changed its order: stay with the same one
            self.cursor = self.found.index(before)
        self.cursor = self.stood = min(self.cursor, max(len(self.found) - 1, 0))
        away = set(world.now.retired)
        rows = tuple((w, world.name(w), notes.get(w, ""), w in away) for w in self.found)
        self.names.show(rows, self.cursor, self.wanted, self.reading)
        self.sheet.show(self.game.table.view("sheet", self.who) if self.who else None, self.start, self._problems())

    def _problems(self) -> tuple[str, ...]:
        name = f"characters/{self.who}.toml"
        desk = self.game.desk
        return tuple(str(p) for p in (desk.campaign.problems if desk else ()) if p.file == name)

    @property
    def who(self) -> str:
        """Whoever is under the cursor."""
        return self.found[self.cursor] if self.cursor < len(self.found) else ""

    def go_to(self, who: str) -> None:
        """Show somebody."""
        self.wanted, self.reading, self.start = "", False, 0
        self.update_view()
        if who in self.found:
            self.cursor = self.found.index(who)
        self.update_view()

    def keys(self) -> list[KeyItem]:
        """What can be pressed here."""
        if self.reading:
            return [("type", "a name", False, False), ("enter", "done", False, False), ("esc", "all", False, False)]
        return [
            ("↑↓", "who", False, False),
            ("/", "filter", False, False),
            ("e", "edit the file", not self.who, False),
            ("a", "add an NPC", False, False),
            ("c", "copy", not self.who, False),
            ("x", "retire", not self.who, False),
        ]

    async def key(self, key: str, character: str | None) -> bool:
        """Filter, move, and what the screen does with a sheet."""
        if self.reading:
            if key in ("enter", "escape"):
                self.reading = False
                self.wanted = self.wanted if key == "enter" else ""
            elif key == "backspace":
                self.wanted = self.wanted[:-1]
            elif character and character.isprintable():
                self.wanted += character
            elif key in ("up", "down"):
                self.cursor += 1 if key == "down" else -1
            else:
                return False
            self.cursor = max(self.cursor, 0)
            self.update_view()
            return True
        steps = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
        if key in steps:
            self.cursor = min(max(self.cursor + steps[key], 0), max(len(self.found) - 1, 0))
            self.start = 0
        elif key in ("left", "right"):
            self.start = max(self.start + (4 if key == "right" else -4), 0)
        elif character == "/":
            self.reading = True
        elif character in ("e", "a", "c", "x"):
            await self.play.files.sheet_key(character, self.who)
        else:
            return False
        self.update_view()
        return True

    async def click(self, meaning: Any) -> None:
        """A click puts the cursor there."""
        if isinstance(meaning, tuple) and meaning[0] == "person":
            self.cursor = meaning[1]
            self.update_view()
