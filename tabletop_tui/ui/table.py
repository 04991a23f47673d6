"""The table page: who is there, whose turn it is, what is being done and what just fell."""

from __future__ import annotations

from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer

from ..records import series
from ..rules import Counter, Odds, TableView
from ..session import Outlook
from .page import KeyItem, Page, Stage
from .plot import PlotPanel
from .pools import chance_lines, hand_lines, pool_lines, prompt_lines
from .roster import Roster, Row, rows
from .sheets import Card
from .text import heading


class TableStage(Stage):
    """The dice; and before they fall, what whoever is up would roll and the chances of it. Shown: as a Stage."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.odds: Odds | None = None
        self.acting: TableView | None = None

    def lines(self, width: int) -> list[Content]:
        """Pool and chances above what is asked, or above the dice that fell last."""
        view = self.acting
        if view is None or view.roll is None or self.tray:
            return super().lines(width)
        up = next((p.name for p in view.people if p.current), "")
        out = [heading(f"{up} acts", width, active=True)]
        out += pool_lines(view.pools, width)
        asked = prompt_lines(view.prompt, width) if view.prompt else []
        full = chance_lines(self.odds, width)
        roomy = len(out) + len(full) + len(asked) <= self.size.height
        out += full if roomy else chance_lines(self.odds, width, compact=True)
        if asked:
            return out[: max(self.size.height - len(asked), 1)] + asked
        fell = hand_lines(view.hands, set(), -1, width)
        return out + (fell if len(out) + len(fell) <= self.size.height else [])


class TablePage(Page):
    """Any engine with a table view."""

    DEFAULT_CSS = """
    TablePage { height: 15; }
    TablePage #right { width: 1fr; height: 1fr; }
    TablePage Stage { height: 9; }
    TablePage PlotPanel { display: none; }
    """
    kind = "table"
    title = "Table"
    view: TableView

    def compose(self) -> ComposeResult:
        """Roster left, dice and a card right."""
        self.roster, self.stage, self.card, self.plot = Roster(), TableStage(), Card(), PlotPanel()
        with Horizontal():
            yield self.roster
            with Vertical(id="right"):
                yield self.stage
                yield self.card
                yield self.plot

    def on_mount(self) -> None:
        """Start at whoever is up."""
        self.cursor = 0
        self.up = ""
        self.opened: frozenset[str] = frozenset()
        """Groups that are shown one by one."""
        self.rows: list[Row] = []
        self._plotting: Timer | None = None

    def update_view(self) -> None:
        """Read the view again; the cursor follows the turn."""
        view = self.game.table.view("table")
        assert isinstance(view, TableView)
        self.view = view
        under = self.under
        self.rows = rows(view.people, self.opened)
        up = next((p.id for p in view.people if p.current), "")
        if up != self.up:  # to whoever is up; where somebody has to be picked, to those who can be
            under = up or next((p.id for p in view.people if p.may_go), under)
        self.up = up
        self._go_to(under)
        self._draw()
        before = self.stage.acting
        if before is None or (view.roll, view.pools) != (before.roll, before.pools):
            self.stage.odds = None  # of another roll: no chances are better than wrong ones, until they are known
        self.stage.acting = view
        self.stage.prepare(view)
        self._plot_soon()

    def update_outlook(self, outlook: Outlook) -> None:
        """The chances of what whoever is up would do."""
        self.stage.odds, self.stage.hopes = outlook.odds, outlook.prompt
        self.stage.touch(self.view)
        self.stage.redraw()

    def _plot_soon(self) -> None:
        """The plot can wait until nothing else has to be drawn; it is not shown on small screens."""
        if self._plotting is not None:
            self._plotting.stop()
        if self.screen.has_class("-tall"):
            self._plotting = self.set_timer(0.4, self._plot)

    def _plot(self) -> None:
        found = series(self.game.table, 48)
        self.plot.show(found)
        self.plot.set_class(any(one.moved for one in found), "-moved")

    @property
    def under(self) -> str:
        """Whoever is under the cursor."""
        return self.rows[self.cursor].person.id if self.rows else ""

    def _go_to(self, who: str) -> None:
        """Put the cursor on somebody's row, or leave it about where it is."""
        found = next((i for i, row in enumerate(self.rows) if any(p.id == who for p in row.people)), self.cursor)
        self.cursor = min(found, max(len(self.rows) - 1, 0))

    def _draw(self) -> None:
        self.roster.show(tuple(self.rows), self.cursor, self.view.places, self.view.places_title)
        self._draw_card()

    def _draw_card(self) -> None:
        view, who = self.view, self.under
        sheet = self.game.table.view("sheet", who) if who else None
        clocks = tuple(c for c in view.counters if c.most is not None)
        self.card.show((sheet,) if sheet else (), view.about, view.secret_about, view.conditions, clocks)

    def facts(self) -> tuple[str, str]:
        """The scene and the round."""
        return self.view.title or "Table", " · ".join(self.view.facts)

    def counters(self) -> tuple[tuple[Counter, ...], str]:
        """The game's counters, and whose turn it is."""
        return self.view.counters, self.view.banner

    def keys(self) -> list[KeyItem]:
        """The prompt's own keys stand with it."""
        items = [("↑↓", "who", False, False)]
        if self.view.prompt and self.view.prompt.pick:
            return [("←→ space", "pick dice", False, False), ("t", "type dice", False, False), *items]
        if self.view.roll is not None:
            items = [("r", "roll", False, False), ("t", "type dice", False, False), *items]
        if self.rows and (len(self.rows[self.cursor].people) > 1 or self.rows[self.cursor].opened):
            items.append(("←→", "one by one" if not self.rows[self.cursor].opened else "together", False, False))
        return items

    async def key(self, key: str, character: str | None) -> bool:
        """Move through the roster, answer the prompt."""
        if await self.answer(self.stage, key, character):
            return True
        if character in ("r", "t") and self.view.roll is not None:
            return await self.roll_key(character, "roll")
        if key in ("left", "right") and self.rows:
            self._open(key == "right")
            return True
        steps = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
        if key in steps and self.rows:
            self.cursor = min(max(self.cursor + steps[key], 0), len(self.rows) - 1)
            self.roster.show(tuple(self.rows), self.cursor, self.view.places, self.view.places_title)
            self.call_after_refresh(self._draw_card)  # the cursor first: it is what the eye follows
            return True
        return False

    def hints(self) -> dict[str, Any]:
        """Whom a form means at first: whoever is under the cursor."""
        return {"who": self.under} if self.rows else {}

    def _open(self, wide: bool) -> None:
        """Show a group one by one, or together again."""
        group, who = self.rows[self.cursor].person.group, self.under
        if group:
            self.opened = self.opened | {group} if wide else self.opened - {group}
            self.rows = rows(self.view.people, self.opened)
            self._go_to(who)
            self._draw()

    async def click(self, meaning: Any) -> None:
        """A click puts the cursor there."""
        if isinstance(meaning, tuple) and meaning[0] == "person":
            self.cursor = meaning[1]
            self._draw()
