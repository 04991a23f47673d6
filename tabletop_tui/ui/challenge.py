"""The challenge page: a Lead, supporters, both pools, the chances of it all, and the dice."""

from __future__ import annotations

from typing import Any

from msgspec import structs
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content

from ..rules import ChallengeView, Counter, Option, percent
from ..session import Outlook
from .matrix import MatrixPanel
from .overlays import DONE, Lister
from .page import KeyItem, Page, PickPanel
from .panel import Panel
from .parts import PartsPanel
from .pools import chance_lines, pool_lines
from .sheets import Card
from .text import DIM, FAINT, INK, change, heading, line
from .told import ToldStage


class LeadPanel(Panel):
    """Who leads, and where each die comes from. Shown: lead, pools."""

    DEFAULT_CSS = "LeadPanel { height: 6; width: 1fr; }"

    def lines(self, width: int) -> list[Content]:
        """A line a part of a pool."""
        lead, pools = self.shown or ("", ())
        return [heading(lead or "lead", width), *pool_lines(pools, width)]


class ChancePanel(Panel):
    """The chances of every outcome. Shown: odds, what to say while there are none, stakes."""

    DEFAULT_CSS = "ChancePanel { height: 6; width: 1fr; }"

    def lines(self, width: int) -> list[Content]:
        """A row an outcome."""
        odds, waiting, stakes, extras = self.shown or (None, "", "", ())
        out = [heading("chances", width), *chance_lines(odds, width, waiting)]
        out += [
            line((f" {label}", INK), (f"  {note}", FAINT), (f"  {delta}", "bold $good" if delta[:1] == "+" else DIM))
            for label, note, delta in extras
        ]
        if stakes and len(out) < self.size.height:
            out.append(line((f" at stake: {stakes}", FAINT)))
        return out


class ChallengePage(Page):
    """Any engine with a challenge view."""

    DEFAULT_CSS = """
    ChallengePage #work { height: auto; }
    ChallengePage #head { height: 6; }
    ChallengePage Card { display: none; }
    ChallengePage PickPanel { display: none; }
    ChallengePage.-pick PickPanel { display: block; height: 16; }
    ChallengePage.-pick #work { display: none; }
    """
    kind = "challenge"
    title = "Challenge"
    view: ChallengeView

    def compose(self) -> ComposeResult:
        """A list while something is to be picked, else the challenge."""
        self.pick, self.lead, self.chance = PickPanel(), LeadPanel(), ChancePanel()
        self.matrix, self.stage, self.card, self.parts = MatrixPanel(), ToldStage(), Card(), PartsPanel()
        yield self.parts
        yield self.pick
        with Vertical(id="work"):
            with Horizontal(id="head"):
                yield self.lead
                yield self.chance
            yield self.matrix
            yield self.stage
            yield self.card

    def on_mount(self) -> None:
        """Start at the first supporter."""
        self.row = self.part = 0
        self.choosing_lead = False
        self.browsing = False
        self._parts: tuple[Option, ...] = ()

    # ---- drawing

    def update_view(self) -> None:
        """Read the view again."""
        view = self.game.table.view("challenge")
        assert isinstance(view, ChallengeView)
        self.view = view
        rows = view.support.rows if view.support else ()
        self.row = min(self.row, max(len(rows) - 1, 0))
        if view.prompt or view.outcome or not view.leads:
            self.choosing_lead = False
        self.matrix.styles.height = min(max(len(rows), 1), 9) + 2
        if view.parts != self._parts:  # the cursor follows what is open
            self._parts = view.parts
            self.part = next((i for i, o in enumerate(view.parts) if not o.closed and not o.chosen), self.part)
        self._list()
        self._draw()
        self.stage.prepare(view)

    def _draw(self) -> None:
        view, look = self.view, self.outlook
        over = bool(view.prompt or view.outcome)
        waiting = (
            "the difficulty is hidden" if view.odds_secret and self.game.table.seat else "…" if view.roll else ""
        )
        extras = tuple(
            (
                f"{o.key or '·'} {o.label}{' ●' if o.chosen else ''}",
                o.closed or o.note,
                change(d) if (d := look.extras.get(i)) else "",
            )
            for i, o in sorted(enumerate(view.extras), key=lambda one: (not one[1].chosen, not one[1].key))
        )
        self.lead.show(view.lead, view.pools)
        self.chance.show(look.odds, waiting, view.stakes, extras)
        rows = view.support.rows if view.support else ()
        who = [rows[self.row].id] if self.row < len(rows) and rows[self.row].id else []
        sheets = tuple(self.game.table.view("sheet", w) for w in who)
        self.card.show(sheets, view.about, view.secret_about)
        self.matrix.show(view.support, {} if over else look.cells, self.row, not over)
        self._draw_parts()

    def _draw_parts(self) -> None:
        shown = not self.browsing and bool(self.view.parts)
        self.part = min(self.part, max(len(self.view.parts) - 1, 0))
        self.parts.display = shown
        self.parts.show(self.view.parts, self.part)
        if shown:
            self.parts.styles.height = len(self.parts.lines(self.size.width or self.screen.size.width))

    def _list(self) -> None:
        view = self.view
        if self.browsing or not view.title:
            options, title = view.open, "prepared challenges"
            new = "the keys below make a new one"
            self.pick.hint = new if options else f"none is prepared: {new}"
        elif self.choosing_lead or not (view.lead or view.prompt or view.outcome or not view.leads):
            options, title, self.pick.hint = view.leads, f"{view.title}: who leads?", ""
        else:
            self.pick.lister = None
            self.set_class(False, "-pick")
            return
        best = self.outlook.best_lead if options is view.leads else -1
        items = []
        for i, o in enumerate(options):
            hope = self.outlook.leads.get(i) if options is view.leads else None
            note = o.note if hope is None else f"{percent(hope)}{'  ★ best' if i == best else ''}"
            items.append((o.label, note, o.closed))
        cursor = self.pick.lister.cursor if self.pick.lister and self.pick.lister.title == title else 0
        self.pick.lister = Lister(title, items, list(options), cursor)
        self.set_class(True, "-pick")
        self.pick.show(title, tuple(items), cursor)

    def update_outlook(self, outlook: Outlook) -> None:
        """Chances have come; once the dice have fallen, those of before stay in sight."""
        if outlook.odds is None and self.view and self.view.hands:
            outlook = structs.replace(outlook, odds=self.outlook.odds)
        self.outlook, self.stage.hopes = outlook, outlook.prompt
        if self.view:
            self._list()
            self._draw()

    def facts(self) -> tuple[str, str]:
        """The challenge and its difficulty."""
        view = self.view
        facts = " · ".join((*view.facts, *((view.secret_facts,) if view.secret_facts else ())))
        return view.title or "Challenges", facts

    def counters(self) -> tuple[tuple[Counter, ...], str]:
        """The game's counters."""
        return self.view.counters, ""

    # ---- keys

    def keys(self) -> list[KeyItem]:
        """What can be pressed here."""
        view = self.view
        if self.pick.lister is not None:
            return [("1-9", "choose", False, False), ("↑↓ enter", "any", False, False)]
        items: list[KeyItem] = []
        if view.prompt:
            if view.prompt.pick:
                items.append(("←→ space", "pick dice", False, False))
            items.append(("enter", view.prompt.options[0].label, False, False))
            items.append(("t", "type dice", False, False))
        elif view.outcome:
            items.append(
                ("enter", "who tries next" if view.leads and not view.lead else "next challenge", False, False)
            )
        else:
            columns = len(view.support.columns) if view.support else 0
            items.append((f"1-{columns}", "support", not (view.support and view.support.rows), False))
            items.append(("r", "roll", bool(view.roll_closed), False))
            items.append(("t", "type dice", bool(view.roll_closed), False))
            items += [(o.key, o.label, bool(o.closed), False) for o in view.extras if o.key]
        return [*items, ("←→", "parts", False, False)] if view.parts and not view.prompt else items

    async def key(self, key: str, character: str | None) -> bool:
        """Choose, support, roll, answer."""
        lister = self.pick.lister
        if lister is not None:
            return await self._pick_key(lister, key, character)
        if await self.answer(self.stage, key, character):
            return True
        view = self.view
        if character == "l" and view.leads:
            self.choosing_lead = True
            self._list()
            return True
        if character == "o" and not view.prompt:
            self.browsing = True
            self._list()
            return True
        if key in ("left", "right") and view.parts:
            self.part = (self.part + (1 if key == "right" else -1)) % len(view.parts)
            self._draw_parts()
            return True
        if key in ("up", "down") and view.support and view.support.rows:
            self.row = (self.row + (1 if key == "down" else -1)) % len(view.support.rows)
            self._draw()
            return True
        if character and character in "123456789" and view.support and not view.prompt and not view.outcome:
            await self.choose(self.row, int(character) - 1)
            return True
        if await self.roll_key(character, "challenge"):
            return True
        part = next((o for o in view.parts if o.key and o.key == character), None)
        if part is not None:
            await self.play.press(part)
            return True
        if key == "enter" and not view.prompt:
            await self._enter()
            return True
        return False

    async def _enter(self) -> None:
        """After an outcome on to what comes next; before it, the part under the cursor is pressed."""
        view = self.view
        if view.leads and not view.lead:
            self.choosing_lead = True
        elif view.outcome or not view.leads:
            self.browsing = True
        elif view.parts:
            await self._press_part(self.part)
            return
        self._list()
        self._draw_parts()

    async def _press_part(self, place: int) -> None:
        """A part: what it offers, or how it stands."""
        self.part = place
        self._draw_parts()
        part = self.view.parts[place]
        if part.closed:
            self.game.tell(f"{part.label}: {part.closed}.", "warning")
        elif self.view.leads:  # the list with everybody's chances says more than a form
            self.choosing_lead = True
            self._list()
        else:
            await self.play.press(part)

    async def _pick_key(self, lister: Lister, key: str, character: str | None) -> bool:
        if key == "escape" and self.view.title and (self.view.lead or self.view.outcome or self.browsing):
            self.browsing = self.choosing_lead = False
            self._list()
            self._draw_parts()
            return True
        if lister.key(key, character) == DONE:
            await self._picked(lister.picked)
        elif not (key in ("up", "down", "pageup", "pagedown", "enter") or (character and character in "123456789")):
            return False
        self.pick.show(lister.title, tuple(lister.items), lister.cursor)
        return True

    async def _picked(self, option: Option) -> None:
        self.browsing = self.choosing_lead = False
        self.row = 0
        await self.play.perform(option.action)

    async def choose(self, row: int, column: int) -> None:
        """A support action of a supporter; then on to the next one."""
        matrix = self.view.support
        if matrix is None or row >= len(matrix.rows) or not 0 <= column < len(matrix.columns):
            return
        option = matrix.rows[row].cells[column]
        if option.closed:
            self.game.tell(f"{matrix.rows[row].who}: {option.closed}.", "warning")
            return
        self.row = min(row + 1, len(matrix.rows) - 1)
        await self.play.perform(option.action)

    async def click(self, meaning: Any) -> None:
        """A click is the same as its keys."""
        lister = self.pick.lister
        if lister is not None and isinstance(meaning, int):
            if lister.pick(meaning) == DONE:
                await self._picked(lister.picked)
        elif isinstance(meaning, tuple) and meaning[0] == "part":
            await self._press_part(meaning[1])
        elif isinstance(meaning, tuple) and meaning[0] == "cell":
            await self.choose(meaning[1], meaning[2])
        elif isinstance(meaning, tuple) and meaning[0] == "row":
            self.row = meaning[1]
            self._draw()
