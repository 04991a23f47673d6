"""The contest page: what each party wants, what each brings line by line, the chances, the dice."""

from __future__ import annotations

from typing import Any

from msgspec import structs
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from ..rules import Bid, ContestView, Counter, Group, Option, Party, percent, values
from ..session import Outlook
from .overlays import DONE, Lister
from .page import KeyItem, Page, PickPanel
from .panel import Panel
from .parties import GAP, PartiesPanel
from .pools import chance_lines
from .sheets import Card
from .text import DIM, FAINT, INK, cells, fit, heading, line
from .told import ToldStage

Add = tuple[str, str, str, str]
"""Key, label, remark, and why it is closed."""


class ContestChances(Panel):
    """The chances, and beside them what the active party could put in and what that would do.

    Shown: odds, what to say while there are none, whose additions, the additions, whether room is short.
    """

    DEFAULT_CSS = "ContestChances { height: 8; }"

    split = 0

    def lines(self, width: int) -> list[Content]:
        """Chances left, additions right."""
        odds, waiting, whose, adds, compact = self.shown or (None, "", "", (), False)
        labels = [cells(c.label) for g in odds.groups if not g.at_least for c in g.chances] if odds else []
        need = max(*labels, 24) + 16 if labels else max(cells(waiting) + 2, 28)
        self.split = min(need, width - 36) if adds else width
        outcomes = structs.replace(odds, groups=tuple(g for g in odds.groups if not g.at_least)) if odds else None
        left = [heading("chances", self.split), *chance_lines(outcomes, self.split, waiting, compact)]
        for group in odds.groups if odds else ():
            left += reach_lines(group, self.split) if group.at_least else []
        if not adds:
            return left
        room = width - self.split - GAP
        right = [heading(f"{whose} puts in", room)]
        for i, add in enumerate(adds):
            self.rows[len(right)] = ("add", i)
            right.append(add_line(add, room))
        blank, none = line((" " * self.split, "")), line(("", ""))
        return [
            (left[y].truncate(self.split, pad=True) if y < len(left) else blank)
            + line((" " * GAP, ""))
            + (right[y] if y < len(right) else none)
            for y in range(max(len(left), len(right)))
        ]

    def meaning(self, x: int, y: int) -> Any:
        """The addition that was clicked."""
        return self.rows.get(y) if x > self.split else None


def reach_lines(group: Group, width: int) -> list[Content]:
    """The chances of so much or more, each of them whole, on as many lines as they need."""
    name = f" {group.name}"
    out = [line((name, DIM))]
    for c in group.chances:
        piece = line((f"  {c.label} ", DIM), (percent(c.chance), f"bold {INK}"))
        if out[-1].cell_length + piece.cell_length > width:
            out.append(line((" " * cells(name), "")))
        out[-1] = out[-1] + piece
    return out


def add_line(add: Add, width: int) -> Content:
    """A key, what it puts in, and what that would do at the right edge."""
    key, label, note, closed = add
    if closed:
        return line((f" {key} {fit(label, min(cells(label), max(width - cells(closed) - 6, 6)))} – {closed}", FAINT))
    room = max(width - cells(key) - cells(note) - 3, 6)
    return line((f" {key} ", "bold $tone-accent"), (f"{fit(label, room)} ", INK), (note, f"bold {INK}"))


class ContestStage(ToldStage):
    """The dice; there is room for them once they are typed or have fallen."""

    def touch(self, view: Any) -> None:
        """Show it, and tell the page: a tray needs room."""
        super().touch(view)
        self.query_ancestor(ContestPage).lay_out()


class ContestPage(Page):
    """Any engine with a contest view."""

    DEFAULT_CSS = """
    ContestPage #contest { height: auto; }
    ContestPage Card { display: none; height: 1fr; }
    ContestPage PickPanel { display: none; }
    ContestPage.-pick PickPanel { display: block; height: 16; }
    ContestPage.-pick #contest { display: none; }
    """
    kind = "contest"
    title = "Contest"
    view: ContestView

    def compose(self) -> ComposeResult:
        """A list of prepared contests, else the contest."""
        self.pick, self.parties, self.chances = PickPanel(), PartiesPanel(), ContestChances()
        self.stage, self.card = ContestStage(), Card()
        yield self.pick
        with Vertical(id="contest"):
            yield self.parties
            yield self.chances
            yield self.stage
            yield self.card

    def on_mount(self) -> None:
        """Start at the first line of the first party."""
        self.at = self.under = 0

    # ---- drawing

    def update_view(self) -> None:
        """Read the view again."""
        view = self.game.table.view("contest")
        assert isinstance(view, ContestView)
        self.show(view)

    def show(self, view: ContestView) -> None:
        """Draw a view; the cursor stays in its party and goes to a line that was just added."""
        before = self.active
        self.view = view
        self.at = min(self.at, max(len(view.parties) - 1, 0))
        bids = self.active.bids if self.active else ()
        if before and self.active and before.id == self.active.id and len(bids) > len(before.bids):
            self.under = next((i for i, bid in enumerate(bids) if bid not in before.bids), self.under)
        self.under = min(self.under, max(len(bids) - 1, 0))
        self._list()
        self.stage.prepare(view)

    @property
    def active(self) -> Party | None:
        """The party that keys are meant for."""
        parties = self.view.parties if self.view else ()
        return parties[self.at] if self.at < len(parties) else None

    @property
    def bid(self) -> Bid | None:
        """The line under the cursor that can be taken out; of one of many, the last that can be."""
        party = self.active
        if party is None:
            return None
        bids = party.bids[self.under : self.under + 1] if self._beside or not self.at else party.bids
        return next((bid for bid in reversed(bids) if bid.remove), None)

    @property
    def _beside(self) -> bool:
        """Do two parties stand beside each other?"""
        return len(self.view.parties) == 2

    def _draw(self) -> None:
        view, odds = self.view, self.outlook.odds
        waiting = "something is hidden: no chances" if view.odds_secret and self.game.table.seat else ""
        groups = {p.group: p.id for p in view.parties if p.group}
        own = {groups[g.name]: percent(g.chances[0].chance) for g in odds.groups if g.name in groups} if odds else {}
        rest = structs.replace(odds, groups=tuple(g for g in odds.groups if g.name not in groups)) if odds else None
        self.parties.show(view.parties, self.at, self.under, own)
        adds = tuple(
            (o.key, o.secret_label or o.label, o.secret_note or o.note, o.closed)
            for o in (self.active.adds if self.active else ())
        )
        whose = self.active.name if self.active else ""
        fallen = self.fallen
        self.chances.show(rest, waiting or view.roll_closed, whose, () if fallen else adds, fallen and not self._tall)
        if self.card.display and self.active:
            sheet = self.game.table.view("sheet", self.active.id)
            self.card.show((sheet,) if sheet else (), "", "")

    @property
    def fallen(self) -> bool:
        """Do dice lie there, or are they being typed? Until then their room is the chances'."""
        view = self.view
        return bool(view.hands or view.prompt or view.outcome or self.stage.tray)

    @property
    def _tall(self) -> bool:
        return self.screen.size.height >= 34

    def lay_out(self) -> None:
        """Rows for each panel: one share while pools are built, another once dice lie there."""
        view, fallen, tall = self.view, self.fallen, self._tall
        width, height = self.screen.size
        wide = width >= 110
        body = self.screen.query_one("#body").size.height or height - 3
        room = body - (0 if wide else max((height - 20) // 2, 2))
        dice = max(len(view.hands) + (8 if tall else 5), 6) if fallen else 0
        digits = sum(o.key.isdigit() for o in self.active.adds) if self.active else 0
        rows = (7 if tall else 3) if fallen else max(digits + (3 if tall else 0), 7)
        chances = 1 + min(rows, room - dice - 7)
        parties = room - dice - chances
        card = parties - 14 if wide and tall and parties >= 19 and self.active else 0
        self.stage.display, self.card.display = fallen, card > 0
        for panel, size in ((self.parties, parties - card), (self.chances, chances), (self.stage, dice)):
            panel.styles.height = size
        self._draw()

    def _list(self) -> None:
        view = self.view
        self.set_class(not view.title, "-pick")
        if view.title:
            self.pick.lister = None
            return
        items = [(o.label, o.note, o.closed) for o in view.open]
        cursor = self.pick.lister.cursor if self.pick.lister else 0
        self.pick.lister = Lister("prepared contests", items, list(view.open), cursor)
        new = "the keys below begin a new one"
        self.pick.hint = new if items else f"none is prepared: {new}"
        self.pick.show("contests", tuple(items), cursor)

    def update_outlook(self, outlook: Outlook) -> None:
        """Chances have come; once the dice have fallen, those of before stay in sight."""
        if outlook.odds is None and self.view and self.view.hands:
            outlook = structs.replace(outlook, odds=self.outlook.odds)
        self.outlook, self.stage.hopes = outlook, outlook.prompt
        if self.view:
            self._draw()

    def facts(self) -> tuple[str, str]:
        """The contest, its round and who has momentum."""
        return self.view.title or "Contests", " · ".join(self.view.facts)

    def counters(self) -> tuple[tuple[Counter, ...], str]:
        """The game's counters."""
        return self.view.counters, ""

    # ---- keys

    def keys(self) -> list[KeyItem]:
        """What can be pressed here."""
        view = self.view
        if self.pick.lister is not None:
            return [("1-9", "choose", False, False), ("↑↓ enter", "any", False, False)]
        if view.prompt:
            return [("enter", view.prompt.options[0].label, False, False), ("t", "type dice", False, False)]
        items: list[KeyItem] = []
        if view.roll is not None:
            items = [("r", "roll", False, False), ("t", "type dice", False, False)]
        pressable = [o for o in (*(self.active.adds if self.active else ()), *view.extras) if o.key and not o.closed]
        digits = [o.key for o in pressable if o.key.isdigit()]
        if digits:
            items.append((f"{digits[0]}-{digits[-1]}", "put in", False, False))
        if self.bid is not None:
            items.append(("x", "take out", False, False))
        items += [(o.key, o.label, False, False) for o in pressable if not o.key.isdigit()]
        return [*items, ("←→↑↓", "whose line", False, False)] if view.parties else items

    def hints(self) -> dict[str, Any]:
        """Whom and which line a form means at first: those under the cursor."""
        if self.active is None:
            return {}
        line_ = values(self.bid.remove) if self.bid and self.bid.remove else {}
        return {**line_, "party": self.active.id, "who": self.active.id}

    async def key(self, key: str, character: str | None) -> bool:
        """Choose, add, take out, roll, answer."""
        if self.pick.lister is not None:
            return await self._pick_key(self.pick.lister, key, character)
        if await self.answer(self.stage, key, character):
            return True
        if key in ("left", "right", "tab", "shift+tab") and self.view.parties:
            self._go(self.at + (-1 if key in ("left", "shift+tab") else 1), 0)
            return True
        if key in ("up", "down") and self.active:
            self._step(1 if key == "down" else -1)
            return True
        bid = self.bid
        if key in ("backspace", "delete", "x") and bid is not None and bid.remove is not None:
            await self.play.perform(bid.remove)
            return True
        if not self.view.prompt and self.active and character:
            option = next((o for o in self.active.adds if o.key == character), None)
            if option is not None:
                await self.play.press(option)
                return True
        return await self.roll_key(character, "contest")

    def _step(self, step: int) -> None:
        """Another line of the party, or another of many."""
        if self._beside or not self.at:
            self._go(self.at, self.under + step)
        else:
            many = len(self.view.parties) - 1
            self._go((self.at - 1 + step) % many + 1, 0)

    def _go(self, at: int, under: int) -> None:
        self.at = at % len(self.view.parties)
        bids = self.active.bids if self.active else ()
        self.under = under % len(bids) if bids else 0
        self.lay_out()

    async def _pick_key(self, lister: Lister, key: str, character: str | None) -> bool:
        if lister.key(key, character) == DONE:
            await self._picked(lister.picked)
        elif not (key in ("up", "down", "pageup", "pagedown", "enter") or (character and character in "123456789")):
            return False
        self.pick.show("contests", tuple(lister.items), lister.cursor)
        return True

    async def _picked(self, option: Option) -> None:
        self.at = self.under = 0
        await self.play.perform(option.action)

    async def click(self, meaning: Any) -> None:
        """A click is the same as its keys."""
        lister = self.pick.lister
        if lister is not None:
            if isinstance(meaning, int) and lister.pick(meaning) == DONE:
                await self._picked(lister.picked)
        elif isinstance(meaning, tuple) and meaning[0] == "bid":
            self._go(meaning[1], meaning[2])
        elif isinstance(meaning, tuple) and meaning[0] == "add" and self.active:
            await self.play.press(self.active.adds[meaning[1]])
