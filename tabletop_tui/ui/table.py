"""The table page: who is there, whose turn it is, what is being done and what just fell."""

from __future__ import annotations

from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content

from ..rules import Counter, Person, TableView
from .page import KeyItem, Page, Stage
from .panel import Panel
from .sheets import Card
from .text import ACCENT, DIM, FAINT, INK, fit, heading, line


class Roster(Panel):
    """Everybody by side. Only rows in sight are drawn: two hundred cost what twenty do. Shown: people, cursor."""

    DEFAULT_CSS = "Roster { width: 34; height: 1fr; background: $surface; }"

    top = 0

    def lines(self, width: int) -> list[Content]:
        """A heading a side, a row a person."""
        people, cursor, places = self.shown or ((), 0, ())
        room = max(self.size.height - (len(places) + 1 if places else 0), 3)
        entries: list[tuple[str, int]] = []
        side = None
        for i, person in enumerate(people):
            if person.side != side:
                side = person.side
                entries.append((side or "everybody", -1))
            entries.append(("", i))
        at = next((n for n, (_, i) in enumerate(entries) if i == cursor), 0)
        self.top = max(min(self.top, max(at - 1, 0)), at - room + 1, 0)
        out = []
        for title, i in entries[self.top : self.top + room]:
            if i < 0:
                out.append(heading(title, width))
            else:
                self.rows[len(out)] = ("person", i)
                out.append(self._person(people[i], i == cursor, width))
        if places:
            out.append(heading("places", width))
            out += [line((f"  {fit(p.name, width - 14)}", INK), (f" {p.note or p.value}", DIM)) for p in places]
        return out

    def _person(self, p: Person, here: bool, width: int) -> Content:
        sign = "✗" if p.out else "▶" if p.current else "✓" if p.acted else "▸" if p.may_go else " "
        note = p.secret_note or p.note
        if p.secret:
            note = f"hidden {note}"
        marks = " ".join(p.marks)
        base = FAINT if p.out or p.acted else INK
        style = "bold $on-accent on $tone-accent" if here else f"bold {base}" if p.current else base
        tail = f" {note}" + (f" {marks}" if marks else "")
        room = max(width - 2, 4)
        name = max(room - Content(tail).cell_length, min(room, 12))
        if here:
            return line((f"{sign} {fit(fit(p.name, name) + tail, room)}", style))
        return line(
            (f"{sign} ", ACCENT if not p.out else FAINT),
            (fit(p.name, name), style),
            (fit(tail, room - name), DIM if base == INK else FAINT),
        )


class TablePage(Page):
    """Any engine with a table view."""

    DEFAULT_CSS = """
    TablePage { height: 15; }
    TablePage #right { width: 1fr; height: 1fr; }
    TablePage Stage { height: 7; }
    """
    kind = "table"
    title = "Table"
    view: TableView

    def compose(self) -> ComposeResult:
        """Roster left, dice and a card right."""
        self.roster, self.stage, self.card = Roster(), Stage(), Card()
        with Horizontal():
            yield self.roster
            with Vertical(id="right"):
                yield self.stage
                yield self.card

    def on_mount(self) -> None:
        """Start at whoever is up."""
        self.cursor = 0
        self.up = ""

    def update_view(self) -> None:
        """Read the view again; the cursor follows the turn."""
        view = self.game.table.view("table")
        assert isinstance(view, TableView)
        self.view = view
        up = next((i for i, p in enumerate(view.people) if p.current), -1)
        if up >= 0 and view.people[up].id != self.up:
            self.cursor = up
        self.up = view.people[up].id if up >= 0 else ""
        self.cursor = min(self.cursor, max(len(view.people) - 1, 0))
        self._draw()
        self.stage.prepare(view)

    def _draw(self) -> None:
        view = self.view
        self.roster.show(view.people, self.cursor, view.places)
        self._draw_card()

    def _draw_card(self) -> None:
        view = self.view
        who = view.people[self.cursor].id if view.people else ""
        self.card.show((self.game.table.view("sheet", who),) if who else (), view.about, view.secret_about)

    def facts(self) -> tuple[str, str]:
        """The scene and the round."""
        return self.view.title or "Table", " · ".join(self.view.facts)

    def counters(self) -> tuple[tuple[Counter, ...], str]:
        """The game's counters, and whose turn it is."""
        return self.view.counters, self.view.banner

    def keys(self) -> list[KeyItem]:
        """The prompt's own keys stand with it."""
        return [("↑↓", "who", False, False)]

    async def key(self, key: str, character: str | None) -> bool:
        """Move through the roster, answer the prompt."""
        if await self.answer(self.stage, key, character):
            return True
        steps = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
        if key in steps and self.view.people:
            self.cursor = min(max(self.cursor + steps[key], 0), len(self.view.people) - 1)
            self.roster.show(self.view.people, self.cursor, self.view.places)
            self.call_after_refresh(self._draw_card)  # the cursor first: it is what the eye follows
            return True
        return False

    def hints(self) -> dict[str, Any]:
        """Whom a form means at first: whoever is under the cursor."""
        return {"who": self.view.people[self.cursor].id} if self.view.people else {}

    async def click(self, meaning: Any) -> None:
        """A click puts the cursor there."""
        if isinstance(meaning, tuple) and meaning[0] == "person":
            self.cursor = meaning[1]
            self._draw()
