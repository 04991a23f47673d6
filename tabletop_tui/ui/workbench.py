"""The dice workbench: expressions, their chances as charts, and throws that count for nothing."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from math import ceil
from typing import Any

from textual.app import ComposeResult
from textual.events import Key, Paste
from textual.screen import Screen
from textual.worker import WorkType

from ..rules import BadDice, Benches, Chances, Dice, Engine, Reading, TableError, public, roller
from ..rules.bench import Unwanted, while_wanted
from .bars import KeyBar, TopLine
from .benchpanel import BenchPanel
from .expression import Expression
from .help import HelpScreen
from .text import cells, fit

SLOW = 0.15
"""Seconds after which chances that are not there yet are said to be under way."""
KEPT = 30
"""Rolls that are remembered."""


class Workbench(Screen[None]):
    """Dice without a table. What is thrown here is in no log and takes nothing from a table's dice."""

    DEFAULT_CSS = "Workbench { background: $background; }"

    def __init__(
        self, engine: Engine | None = None, world: Any = None, engines: tuple[Engine, ...] = (), seat: str = ""
    ) -> None:
        super().__init__()
        self.benches = Benches(engines, engine, public(world) if seat else world)
        self.game = engine.title if engine else ""
        self.entries = (Expression("A"), Expression("B"))
        self.active = self.entries[0]
        self.aim: int | None = None
        """The number to meet, where it was moved by hand."""
        self.versus: tuple[Chances, Chances, tuple[float, float, float]] | None = None
        """Two distributions, and the chances of more, the same and less."""
        self.rolls: deque[tuple[str, str]] = deque(maxlen=KEPT)
        """What was thrown in this visit: a name with the result, and how the dice lie."""
        self.fresh = 0
        """How many of them fell together last."""
        self.seed = secrets.token_hex(16)
        self.thrown = 0
        self.cycle: tuple[int, list[str], int] | None = None
        """Where a completion began, what it can be, and which one stands there now."""

    def compose(self) -> ComposeResult:
        """Top line, bench, keys."""
        self.top, self.panel, self.bar = TopLine(), BenchPanel(), KeyBar()
        yield self.top
        yield self.panel
        yield self.bar

    def on_mount(self) -> None:
        """Empty, with an example."""
        self.top.show("dice", "workbench", self.game or "every game, and plain sums", "")
        self.redraw()

    def on_unmount(self) -> None:
        """Nobody waits for chances any more."""
        for entry in self.entries:
            entry.turn += 1

    # ---- what stands there

    @property
    def shown_entries(self) -> list[Expression]:
        """The first, and the second while it is in use."""
        first, second = self.entries
        return [first, second] if second.text.strip() or second is self.active else [first]

    @property
    def known(self) -> list[Expression]:
        """Those whose chances are known."""
        return [e for e in self.shown_entries if e.chances is not None and e.reading is not None]

    @property
    def goal(self) -> int | None:
        """The number to meet: moved by hand, written, the game's, or about the mean."""
        if not self.known:
            return None
        if self.aim is not None:
            return self.aim
        written = next((e.reading.goal for e in self.known if e.reading and e.reading.goal is not None), None)
        found = self.known[0].chances
        assert found is not None
        return written if written is not None else ceil(found.mean - 1e-6)

    def redraw(self) -> None:
        """Draw what has changed."""
        self.panel.redraw()
        self.bar.show(tuple(self._keys()), "")

    def _keys(self) -> list[tuple[str, str, bool, bool]]:
        _, found = self._completions()
        tab = f"complete {found[0]}" if found else "compare" if len(self.shown_entries) == 1 else "other line"
        items = [("enter", "roll", not any(e.reading for e in self.shown_entries), True)]
        items += [
            ("tab", fit(tab, min(cells(tab), 24)), False, True),
            ("↑↓", "number to meet", not self.known, False),
        ]
        if found:
            items.append(("shift+tab", "other line", False, False))
        return [
            *items,
            ("ctrl+u", "clear", not self.active.text, False),
            ("esc", "leave", False, True),
            ("?", "help", False, True),
        ]

    def _completions(self) -> tuple[int, list[str]]:
        if self.cycle is not None:
            at, found, here = self.cycle
            return at, found[here + 1 :] + found[: here + 1] if len(found) > 1 else []
        return self.benches.complete(self.active.text, self.active.cursor)

    # ---- keys

    async def on_key(self, event: Key) -> None:
        """Everything that is typed goes into the line; the rest moves about."""
        event.stop()
        event.prevent_default()
        key = event.key
        before = self.active.text
        if key == "tab":
            self._complete()
        else:
            self.cycle = None
            if key == "escape":
                self.dismiss(None)
                return
            if key == "enter":
                self.roll()
            elif key == "shift+tab":
                self._switch()
            elif key in AIMS:
                self.aim = self._moved(AIMS[key])
            elif key in PAGES and self.known:
                widest = max(e.chances.spread for e in self.known if e.chances)
                self.aim = self._moved(PAGES[key] * max(round(widest), 10))
            elif key == "question_mark":
                self.app.push_screen(HelpScreen("dice workbench", KEYS, help_text(self.benches)))
            elif not self.active.edit(key) and event.character and event.character.isprintable():
                self.active.type(event.character)
        if self.active.text != before:
            self.changed(self.active)
        self.redraw()

    def on_paste(self, event: Paste) -> None:
        """Text from the clipboard, without what could control a terminal."""
        self.cycle = None
        self.active.type(event.text)
        self.changed(self.active)
        self.redraw()

    async def pressed(self, meaning: Any) -> None:
        """A click on a line."""
        self.active = next((e for e in self.entries if e.name == meaning), self.active)
        self.cycle = None
        self.redraw()

    def _switch(self) -> None:
        self.active = self.entries[self.active is self.entries[0]]

    def _moved(self, by: int) -> int | None:
        goal = self.goal
        if goal is None:
            return None
        ends = [(e.chances.low, e.chances.high + 1) for e in self.known if e.chances]
        return min(max(goal + by, min(low for low, _ in ends)), max(high for _, high in ends))

    def _complete(self) -> None:
        """Complete the word before the cursor, the next way each time; to the other line where there is none."""
        entry = self.active
        if self.cycle is not None and len(self.cycle[1]) > 1:
            at, found, here = self.cycle
            here = (here + 1) % len(found)
        elif self.cycle is None and (match := self.benches.complete(entry.text, entry.cursor))[1]:
            (at, found), here = match, 0
        else:
            self.cycle = None
            self._switch()
            return
        entry.text, entry.cursor = entry.text[:at] + entry.text[entry.cursor :], at
        entry.type(found[here] + ("" if entry.text[at:].startswith(" ") else " "))
        self.cycle = (at, found, here)

    # ---- reading and chances

    def changed(self, entry: Expression) -> None:
        """Read it now, as that is quick; work out its chances off the UI thread. The last text wins."""
        entry.turn += 1
        before = entry.reading.goal if entry.reading else None
        entry.reading, entry.wrong, entry.refused = None, None, ""
        try:
            entry.reading = self.benches.read(entry.text)
        except BadDice as error:
            entry.wrong, entry.chances = error, None
            entry.waiting = entry.slow = False
            self.workers.cancel_group(self, entry.name)
            return
        if entry.reading.goal != before:
            self.aim = None
        turn, reading = entry.turn, entry.reading

        def late() -> None:
            if entry.turn == turn and entry.waiting:
                entry.slow, entry.chances = True, None
                self.redraw()

        entry.waiting = True
        self.set_timer(SLOW, late)

        async def think() -> None:
            await self._think(entry, turn, reading)

        # handed over uncalled: a coroutine whose worker is overtaken before it begins would never be awaited
        work: WorkType[None] = think
        self.run_worker(work, group=entry.name, exclusive=True)

    async def _think(self, entry: Expression, turn: int, reading: Reading) -> None:
        def work() -> Chances:
            with while_wanted(lambda: entry.turn == turn):
                return reading.work()

        found, refused = None, ""
        try:
            found = await asyncio.to_thread(work)
        except Unwanted:
            return
        except TableError as error:
            refused = str(error)
        except Exception as error:  # a stranger's game
            refused = f"{reading.game} fails to work out its chances: {type(error).__name__}."
        if entry.turn != turn:
            return
        entry.chances, entry.refused, entry.slow, entry.waiting = found, refused, False, False
        if self.aim is not None and self._moved(0) != self.aim:
            self.aim = None
        self.redraw()
        await self._compare()

    async def _compare(self) -> None:
        """Both against each other: long tables are too long for the UI thread."""
        first, second = (entry.chances for entry in self.entries)
        if first is not None and second is not None:
            found = await asyncio.to_thread(first.against, second)
            self.versus = (first, second, found)
            self.redraw()

    def roll(self) -> None:
        """Throw every line that reads."""
        ready = [e for e in self.shown_entries if e.reading is not None]
        fell = []
        for entry in ready:
            assert entry.reading is not None
            self.thrown += 1
            try:
                one = entry.reading.throw(Dice((), roller(self.seed, self.thrown)))
            except TableError as error:
                self.notify(str(error), severity="warning", markup=False)
                return
            fell.append((entry.name, one))
        if len(fell) == 2:
            (_, a), (_, b) = fell
            sign = ">" if a.value > b.value else "<" if a.value < b.value else "="
            self.rolls.appendleft((f"  B {b.value:,}", b.words))
            self.rolls.appendleft((f"A {a.value:,} {sign} B {b.value:,}", a.words))
        else:
            self.rolls.extendleft((f"{one.value:,}", one.words) for _, one in fell)
        self.fresh = len(fell)


AIMS = {"up": 1, "down": -1}
PAGES = {"pageup": 1, "pagedown": -1}
KEYS = [
    ("enter", "throw the dice; two lines are compared"),
    ("tab", "complete a name or word, else the other line"),
    ("shift+tab", "the other line, to compare"),
    ("↑↓ pgup pgdn", "the number to meet"),
    ("ctrl+u ctrl+w", "clear the line, the word"),
    ("esc", "leave"),
]
HELP = """\
What is thrown here stands in no log and takes nothing from the table's dice.

A number to meet is written behind: `1d20+5 >= 15`. Signs of a game tell whose dice they are; otherwise end with its
name ({games}), or with `plain` for a plain sum. In a campaign its own game is asked first.

| write | for |
| --- | --- |
{rows}

Words that mean something: {words}.
"""


def help_text(benches: Benches) -> str:
    """What can be written, from the games themselves."""
    rows = "\n".join(f"| `{text}` | {title} |" for text, title in benches.examples)
    quoted = [", ".join(f"`{word}`" for word in some) for some in (benches.all, benches.known)]
    return HELP.format(games=quoted[0], rows=rows, words=quoted[1])
