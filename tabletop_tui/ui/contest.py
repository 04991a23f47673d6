"""The contest page: what each party wants, what each brings line by line, the chances, the dice."""

from __future__ import annotations

from typing import Any

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from ..rules import ContestView, Counter, Option, Party
from ..session import Outlook
from .bars import meter
from .overlays import DONE, Lister
from .page import KeyItem, Page, PickPanel, Stage
from .panel import Panel
from .pools import chance_lines
from .text import DIM, FAINT, INK, TONES, cells, change, fit, heading, join, line


class PartiesPanel(Panel):
    """The parties beside each other, or one against a list of many. Shown: parties."""

    DEFAULT_CSS = "PartiesPanel { height: 8; }"

    def lines(self, width: int) -> list[Content]:
        """Two columns."""
        parties: tuple[Party, ...] = (self.shown or ((),))[0]
        if not parties:
            return [heading("parties", width), line((" nobody yet", DIM))]
        left_width = width // 2 - 1
        right_width = width - left_width - 2
        left = party_lines(parties[0], left_width, self.size.height)
        if len(parties) == 2:
            right = party_lines(parties[1], right_width, self.size.height)
        else:
            right = [heading(f"against {len(parties) - 1}", right_width)]
            right += [many_line(p, right_width) for p in parties[1:]]
        rows = max(len(left), len(right))
        blank = line((" " * left_width, ""))
        out = []
        for i in range(rows):
            one = left[i].truncate(left_width, pad=True, ellipsis=True) if i < len(left) else blank
            two = right[i] if i < len(right) else line(("", ""))
            out.append(one + line(("  ", "")) + two)
        return out


def party_lines(party: Party, width: int, height: int) -> list[Content]:
    """One party: what it wants, its lines of dice, its meter, what is to be said of it."""
    want = f" · wants: {party.wants}" if party.wants else ""
    out = [heading(f"{party.name}{want}", width)]
    tail: list[Content] = []
    if party.total or party.result:
        words = party.result or ""
        tail.append(line((f" {party.total}", f"bold {INK}"), (f"  {words}", TONES[party.tone])))
    if party.meter:
        tail.append(line((" ", "")) + meter(party.meter))
    tail += [line((f" {mark}", DIM)) for mark in party.marks]
    room = max(height - 1 - len(tail), 1)
    bids = party.bids[-room:] if len(party.bids) > room else party.bids
    for bid in bids:
        dice = bid.dice
        hidden = "hidden " if bid.secret else ""
        out.append(
            line(
                (f" {fit(hidden + bid.source, max(width - cells(dice) - 2, 6))}", INK if not bid.secret else DIM),
                (dice, f"bold {TONES[bid.tone]}"),
            )
        )
    return out + tail


def many_line(party: Party, width: int) -> Content:
    """A defender on one line."""
    sign = {"good": "✓", "bad": "✗"}.get(party.tone, "·")
    tail = party.result or party.total
    room = max(width - cells(tail) - 4, 6)
    name = party.name + (f"  {party.bids[0].source} {party.bids[0].dice}" if party.bids else "")
    return line((f" {sign} ", TONES[party.tone]), (fit(name, room), INK), (tail, f"bold {TONES[party.tone]}"))


class ContestChances(Panel):
    """The chances, and what one more line would add. Shown: odds, waiting, extras."""

    DEFAULT_CSS = "ContestChances { height: 6; }"

    def lines(self, width: int) -> list[Content]:
        """A row an outcome; what can be added on the last line."""
        odds, waiting, extras = self.shown or (None, "", ())
        out = [heading("chances", width)]
        body = chance_lines(odds, width, waiting)
        room = self.size.height - 1 - (1 if extras else 0)
        out += body[:room]
        if extras:
            pieces = [
                line((key, "bold $tone-accent"), (f" {label}", INK), (f" {note}" if note else "", FAINT))
                for key, label, note in extras
            ]
            shown: list[Content] = []
            for piece in pieces:
                if sum(p.cell_length + 3 for p in shown) + piece.cell_length < width:
                    shown.append(piece)
            out.append(line((" ", "")) + join(shown, "   "))
        return out


class ContestPage(Page):
    """Any engine with a contest view."""

    DEFAULT_CSS = """
    ContestPage #contest { height: auto; }
    ContestPage PickPanel { display: none; }
    ContestPage.-pick PickPanel { display: block; height: 16; }
    ContestPage.-pick #contest { display: none; }
    """
    kind = "contest"
    title = "Contest"
    view: ContestView

    def compose(self) -> ComposeResult:
        """A list of prepared contests, else the contest."""
        self.pick, self.parties, self.chances, self.stage = PickPanel(), PartiesPanel(), ContestChances(), Stage()
        yield self.pick
        with Vertical(id="contest"):
            yield self.parties
            yield self.chances
            yield self.stage

    def on_mount(self) -> None:
        """Nothing is picked at first."""
        self.browsing = False

    def update_view(self) -> None:
        """Read the view again."""
        view = self.game.table.view("contest")
        assert isinstance(view, ContestView)
        self.view = view
        self._list()
        self._draw()
        self.stage.prepare(view)

    def _draw(self) -> None:
        view, look = self.view, self.outlook
        waiting = "something is hidden: no chances" if view.odds_secret and self.game.table.seat else ""
        extras = []
        for i, option in enumerate(view.extras):
            if option.key and not option.closed:
                delta = look.extras.get(i)
                note = option.secret_label or option.note
                extras.append((option.key, option.label, note or (change(delta) if delta else "")))
        self.parties.show(view.parties)
        self.chances.show(look.odds, waiting or view.roll_closed, tuple(extras))

    def _list(self) -> None:
        view = self.view
        if not self.browsing and view.title:
            self.pick.lister = None
            self.set_class(False, "-pick")
            return
        items = [(o.label, o.note, o.closed) for o in view.open]
        cursor = self.pick.lister.cursor if self.pick.lister else 0
        self.pick.lister = Lister("prepared contests", items, list(view.open), cursor)
        self.pick.hint = (
            "space lists every action: new contests are made there"
            if items
            else "none is prepared: press space for every action"
        )
        self.set_class(True, "-pick")
        self.pick.show("contests", tuple(items), cursor)

    def update_outlook(self, outlook: Outlook) -> None:
        """Chances have come; once the dice have fallen, those of before stay in sight."""
        if outlook.odds is None and self.view and self.view.hands:
            outlook = Outlook(self.outlook.odds)
        self.outlook = outlook
        if self.view:
            self._draw()

    def facts(self) -> tuple[str, str]:
        """The contest, its round and who has momentum."""
        return self.view.title or "Contests", " · ".join(self.view.facts)

    def counters(self) -> tuple[tuple[Counter, ...], str]:
        """The game's counters."""
        return self.view.counters, ""

    def keys(self) -> list[KeyItem]:
        """What can be pressed here."""
        view = self.view
        if self.pick.lister is not None:
            return [("1-9", "choose", False, False), ("↑↓ enter", "any", False, False)]
        if view.prompt:
            return [("enter", view.prompt.options[0].label, False, False), ("t", "type dice", False, False)]
        items: list[KeyItem] = [
            (o.key, o.label, bool(o.closed), False) for o in view.extras if o.key and not o.closed
        ]
        return [("r", "roll", view.roll is None, False), ("t", "type dice", view.roll is None, False), *items]

    async def key(self, key: str, character: str | None) -> bool:
        """Choose, add, roll, answer."""
        if self.pick.lister is not None:
            return await self._pick_key(self.pick.lister, key, character)
        if await self.answer(self.stage, key, character):
            return True
        return await self.roll_key(character, "contest")

    async def _pick_key(self, lister: Lister, key: str, character: str | None) -> bool:
        if key == "escape" and self.browsing:
            self.browsing = False
            self._list()
            return True
        if lister.key(key, character) == DONE:
            await self._picked(lister.picked)
        elif not (key in ("up", "down", "pageup", "pagedown", "enter") or (character and character in "123456789")):
            return False
        self.pick.show("contests", tuple(lister.items), lister.cursor)
        return True

    async def _picked(self, option: Option) -> None:
        self.browsing = False
        await self.play.perform(option.action)

    async def click(self, meaning: Any) -> None:
        """A click is the same as its keys."""
        lister = self.pick.lister
        if lister is not None and isinstance(meaning, int) and lister.pick(meaning) == DONE:
            await self._picked(lister.picked)
