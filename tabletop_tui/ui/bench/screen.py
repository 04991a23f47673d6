"""The dice workbench: expressions, their chances as charts, and throws that count for nothing."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from math import ceil
from typing import Any

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.events import Paste

from ...kit.tables import bench as on_tables
from ...rules import Dice, Engine, TableError, World, roller
from ...workbench import BadDice, Benches, Chances, Reading, public
from ...workbench.bench import Unwanted, while_wanted
from ..commands import Command, Layer
from ..commands.catalogue import command
from ..drawing.text import cells, fit
from ..game import Tell
from ..panels.bars import Said, Tabs
from ..screens.base import CommandScreen
from ..thinking import think
from .expression import Expression
from .panel import LOGGED, Bench, BenchPanel

SLOW = 0.15
"""Seconds after which chances that are not there yet are said to be under way."""
KEPT = 30
"""Rolls that are remembered."""
LOGGING = (("log", "ctrl+l", "into the log", False), ("gm", "ctrl+g", "for the GM's eyes", True))
Log = Callable[[str, bool, Tell], Awaitable[Sequence[str]]]
"""Rolls on a table into the log, perhaps for the GM's eyes; what was told of it, or why not."""


class Workbench(CommandScreen):
    """Dice without a table. What is thrown here is in no log and takes nothing from a table's dice."""

    DEFAULT_CSS = "Workbench { background: $background; }"

    def __init__(
        self,
        engine: Engine | None = None,
        world: Any = None,
        engines: tuple[Engine, ...] = (),
        seat: str = "",
        *,
        log: Log | None = None,
    ) -> None:
        super().__init__()
        world = public(world) if seat else world
        tables = world.tables if isinstance(world, World) else {}
        self.benches = Benches(engines, engine, world, on_tables(tables) if tables else None)
        self.log_roll = log
        """Rolls on a table into the log; None where nothing can be done there."""
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
        self.first_row = 0
        """The first row of a table that is shown."""
        self.seed = os.urandom(16).hex()
        self.thrown = 0
        self.cycle: tuple[int, list[str], int] | None = None
        """Where a completion began, what it can be, and which one stands there now."""
        self.panel = BenchPanel()

    def compose(self) -> ComposeResult:
        """Top line, bench, band and keys."""
        yield self.top
        yield self.panel
        yield self.band
        yield self.footer

    def on_mount(self) -> None:
        """Empty, with an example, and whose dice cannot be read."""
        self.ready = True
        if self.benches.failed:
            self.tell(" · ".join(self.benches.failed))
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
    def readable(self) -> list[Expression]:
        """Those that read as dice: Enter throws them."""
        return [e for e in self.shown_entries if e.reading is not None]

    @property
    def half(self) -> bool:
        """Is only one of two lines thrown?"""
        return len(self.readable) == 1 and len(self.shown_entries) == 2

    @property
    def known(self) -> list[Expression]:
        """Those whose chances are known."""
        return [e for e in self.shown_entries if e.chances is not None and e.reading is not None and e.reading.number]

    @property
    def table(self) -> str:
        """The rollable table in the line that is typed in; empty for dice."""
        return self.active.reading.table if self.active.reading is not None else ""

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
        self.panel.part = Bench(
            tuple(self.shown_entries),
            self.active,
            tuple(self.known),
            tuple(self.rolls),
            self.fresh,
            self.goal,
            self.versus,
            tuple(self.benches.examples),
            self.message,
            self.first_row,
        )
        self.panel.redraw()
        self.draw_bars()

    def draw_messages(self) -> None:
        """Below the chances."""
        self.redraw()

    def tabs(self) -> Tabs:
        """Whose dice."""
        return Tabs("dice", facts=(self.game or "every game, and plain sums",))

    def said(self) -> Said:
        """What Enter does."""
        what = f"Throw {self.readable[0].name}" if self.half else "Throw it"
        return Said(f"{what}: it counts for nothing" if self.readable else "Type dice as you would write them")

    def stack(self) -> tuple[Layer, ...]:
        """What is typed goes into the line; the rest moves about."""
        _, found = self._completions()
        tab = f"complete {found[0]}" if found else "compare" if len(self.shown_entries) == 1 else "other line"
        why = "" if self.readable else "nothing that reads as dice"
        roll = f"roll {self.readable[0].name}" if self.half else "roll"

        def look(
            id: str, keys: tuple[str, ...], label: str, run: Callable[[], None], closed: str = "", group: str = ""
        ) -> Command:
            return Command(f"bench.{id}", keys, label, run, closed, "look", group=group, section="")

        out = [
            Command("bench.roll", ("enter",), roll, self.roll, why, "look", "band", section=""),
            Command("bench.leave", ("escape",), "leave", self.close_screen, "", "look", "end", section=""),
            command("help", self._help, section=""),
            look("tab", ("tab",), fit(tab, min(cells(tab), 24)).rstrip(), self._complete),
        ]
        other = look("other", ("shift+tab",), "other line", self._switch)
        out.append(other if found else replace(other, where="list"))
        if self.known:
            for key, step in (("up", 1), ("down", -1), ("pageup", 10), ("pagedown", -10)):
                out.append(look(key, (key,), key, partial(self._aim, step), group="number to meet"))
        if self.table:
            for key, step in (("up", -1), ("down", 1)) if not self.known else ():
                out.append(replace(look(key, (key,), key, partial(self._scroll, step), group="rows"), where="list"))
            why = "" if self.log_roll is not None else "there is no table here to log it at"
            for id, key, label, secret in LOGGING:
                out.append(Command(f"bench.{id}", (key,), label, partial(self._log, secret), why, "look", section=""))
        pointer = Command("bench.line", (), "", effect="look", where="hidden", point=self._point)
        return (Layer("bench", (*out, pointer), self._rest),)

    def _completions(self) -> tuple[int, list[str]]:
        if self.cycle is not None:
            at, found, here = self.cycle
            return at, found[here + 1 :] + found[: here + 1] if len(found) > 1 else []
        return self.benches.complete(self.active.text, self.active.field.cursor)

    # ---- keys

    async def _rest(self, key: str, character: str | None) -> bool:
        before = self.active.text
        self.cycle = None
        used = self.active.field.key(key, character)
        if self.active.text != before:
            self.changed(self.active)
        self.redraw()
        return used

    def on_paste(self, event: Paste) -> None:
        """Text from the clipboard, without what could control a terminal."""
        self.cycle = None
        self.active.field.type(event.text)
        self.changed(self.active)
        self.redraw()

    def _point(self, place: tuple[int, ...]) -> None:
        self.active = self.entries[place[0]]
        self.cycle = None
        self.redraw()

    def _aim(self, step: int) -> None:
        if abs(step) > 1 and self.known:
            widest = max(e.chances.spread for e in self.known if e.chances)
            step = (1 if step > 0 else -1) * max(round(widest), 10)
        self.aim = self._moved(step)
        self.redraw()

    def _help(self) -> None:
        self.show_help("dice workbench", help_text(self.benches))

    def _switch(self) -> None:
        self.cycle = None
        self.active = self.entries[self.active is self.entries[0]]
        self.redraw()

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
        elif self.cycle is None and (match := self.benches.complete(entry.text, entry.field.cursor))[1]:
            (at, found), here = match, 0
        else:
            self._switch()
            return
        field = entry.field
        field.text, field.cursor = field.text[:at] + field.text[field.cursor :], at
        field.type(found[here] + ("" if field.text[at:].startswith(" ") else " "))
        self.cycle = (at, found, here)
        self.changed(entry)
        self.redraw()

    # ---- reading and chances

    def changed(self, entry: Expression) -> None:
        """Read it now, as that is quick; work out its chances off the UI thread. The last text wins."""
        entry.turn += 1
        self.first_row = 0
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

        think(self, entry.name, partial(self._think, entry, turn, reading))

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

    async def _log(self, secret: bool) -> None:
        """Roll on the table at the campaign's own table: it stands in the log."""
        if self.log_roll is None or not self.table:
            return
        told = await self.log_roll(self.table, secret, lambda words, _tone: self.tell(words))
        sign = f"~ {LOGGED}" if secret else LOGGED
        self.rolls.extendleft((sign, words) for words in reversed(told))
        self.fresh = len(told)
        self.redraw()

    def _scroll(self, step: int) -> None:
        self.first_row = max(self.first_row + step, 0)
        self.redraw()

    def roll(self) -> None:
        """Throw every line that reads."""
        fell = []
        for entry in self.readable:
            assert entry.reading is not None
            self.thrown += 1
            try:
                one = entry.reading.throw(Dice((), roller(self.seed, self.thrown)))
            except TableError as error:
                self.tell(str(error))
                return
            fell.append((entry.name, one))
        if len(fell) == 2:
            (_, a), (_, b) = fell
            sign = ">" if a.value > b.value else "<" if a.value < b.value else "="
            self.rolls.appendleft((f"  B {b.value:,}", b.words))
            self.rolls.appendleft((f"A {a.value:,} {sign} B {b.value:,}", a.words))
        else:
            self.rolls.extendleft(("" if self.table else f"{one.value:,}", one.words) for _, one in fell)
        self.fresh = len(fell)
        self.redraw()


HELP = """\
Dice that are thrown here stand in no log and take nothing from the table's dice.

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
