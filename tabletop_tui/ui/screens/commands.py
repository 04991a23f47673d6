"""What can be pressed at a table: the mode's own, the page's, what is prepared, the game's actions, the screen's."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ..asking.counting import Counting
from ..asking.finder import Run
from ..asking.listing import Pick
from ..commands import Command, Effect, Layer, UserKeys, Where
from ..commands.catalogue import SCREEN, action_id, command
from ..game import Tell
from ..modes.mode import Mode
from ..pages import NAMES
from .acting import ActingScreen

if TYPE_CHECKING:
    from ..preparing.prepare import Preparing

WRONG = ("drop_edit", "put_back")
"""Commands of the screen that stand before all others: files and table say different things."""
PREPARING = ("clock", "add", "edit")
"""Those that stand before the game's own: the footer has no room for all of them."""


class TableCommands(ActingScreen):
    """A table with its list of commands, whatever it looks like."""

    mode: Mode
    _actions: tuple[object, str, tuple[Command, ...]] = (None, "", ())
    _undoes: tuple[object, str] = (None, "")

    @property
    def preparing(self) -> Preparing:
        """What changes the campaign's files."""
        raise NotImplementedError

    async def choose_page(self, name: str) -> None:
        """Somebody chose a page."""
        self.mode.chose_page()
        await self.show_page(name)

    async def show_sheet(self, who: str) -> None:
        """Somebody's sheet."""
        await self.choose_page("people")
        self.pages["people"].go_to(who)

    def closes(self, command: Command) -> str:
        """Why the mode forbids it."""
        return self.mode.closes(command)

    def allows(self, effect: Effect) -> bool:
        """Does the mode let something be done that changes this?"""
        return effect in self.mode.allows

    def stack(self) -> Sequence[Layer]:
        """The mode's own, a prompt or list, the page, the game, the screen."""
        page = self.page
        own = self._own()
        wrong, first = ([c for c in own if c.id in some] for some in (WRONG, PREPARING))
        rest = [c for c in own if c.id not in (*WRONG, *PREPARING)]
        layers = [self.mode.layer(), page.asks(), Layer("files", (*wrong,)), Layer("page", page.commands())]
        layers += [Layer("prepare", (*first,)), Layer("game", self._engine()), Layer("screen", (*rest,))]
        return [layer for layer in layers if layer is not None]

    def _engine(self) -> tuple[Command, ...]:
        """The game's actions, made once for each state and page; those of other pages have no letter here."""
        world, page = self.game.world, self.front
        if self._actions[0] is not world or self._actions[1] != page:
            mine, engine = UserKeys.by_id, self.game.table.engine
            made, band, enters = [], self.page.foremost(), self.page.enters()
            for offer in self.game.table.offers():
                if offer.how == "no":
                    continue  # it is none of this seat's business
                id = action_id(engine, offer.kind)
                key = mine.get(id, offer.kind.key) if page in offer.kind.screens else ""
                first = offer.help.splitlines()[0] if offer.help else ""
                run = partial(self.start, offer.kind)
                where: Where = "band" if offer.kind in band else "list" if offer.kind is enters else "footer"
                title = f"ask: {offer.title}" if offer.how == "ask" else offer.title
                made.append(
                    Command(id, (key,) if key else (), title, run, offer.closed, "play", where, "", first, "do")
                )
            self._actions = (world, page, tuple(made))
        return self._actions[2]

    def _own(self) -> tuple[Command, ...]:
        runs: dict[str, Callable[[], Awaitable[None] | None]] = {
            "actions": self.find,
            "undo": self.undo,
            "redo": self.redo,
            "help": self.help,
            "dice": self.dice,
            "theme": self.next_theme,
            "redraw": self.redraw,
            "add": self.add,
            "edit": self._edit,
            "put_back": self.files.ask_put_back,
            "drop_edit": self.files.ask_drop,
            "clock": self.count,
            "leave": self.leave,
        }
        line = self.game.table.timeline
        files = "" if self.game.has_files else "files are changed at the campaign's own table"
        closed = {
            "undo": self._no_undo(),
            "redo": "" if line.ahead else "there is nothing to do again",
            "add": files,
            "edit": files,
            "clock": "" if any(c.more or c.less for c in self.page.counters()) else "no counter can be moved",
            "drop_edit": "" if self.files.refused or self.files.conflicts else self.files.why_none,
            "put_back": "" if self.files.pending else "every file says what the table has",
        }
        out = []
        for e in SCREEN:
            if e.id in self.pages:
                # where it is the only one of the two a contest has the key of both
                keys = ("C", *e.keys) if e.id == "contest" and "challenge" not in self.pages else ()
                out.append(command(e.id, partial(self.choose_page, e.id), keys=keys, section="go to"))
            elif e.id in runs:
                where: Where = "end" if e.id == "leave" and self.mode.title else e.where  # the way back to the table
                label = "say which counts" if e.id == "drop_edit" and self.files.conflicts else ""
                out.append(
                    command(e.id, runs[e.id], closed.get(e.id, ""), label=label, where=where, section="program")
                )
            elif e.id in NAMES and not (e.id == "challenge" and "contest" in self.pages):
                why = f"{self.game.table.engine.title} has no {e.id} page."
                if e.id == "scene":  # every game has scenes, and a seat has none
                    why = "The scene page is the GM's."
                out.append(command(e.id, closed=why, where="hidden"))
        return tuple(out)

    def _no_undo(self) -> str:
        """Why nothing can be taken back: at the table, or by a player from their seat. Found out once an entry."""
        table = self.game.table
        asked = (table.timeline, table.last)
        if self._undoes[0] != asked:
            why = "" if table.head else "nothing was done yet"
            if table.seat and not table.last_of_mine():
                why = "there is nothing of yours to take back"
            self._undoes = (asked, why)
        return self._undoes[1]

    def extra_finds(self) -> list[Pick[Run]]:
        """Everybody's sheet."""
        world = self.game.world
        people = world.players() if self.game.table.seat else world.present()
        return [Pick(partial(self.show_sheet, who), world.name(who), "", "", "sheet") for who in people]

    @property
    def scene_under(self) -> str:
        """The scene that is looked at: under the cursor of its page, or the one that is on."""
        return self.page.scene

    def _edit(self) -> None:
        """The file of what is looked at, or the list of files."""
        self.preparing.edit(self.page.unit)

    def key_of(self, id: str) -> str:
        """The key that reaches a command now."""
        found = next((i for i in self.deck.items if i.id == id and i.keys and not i.closed), None)
        return found.keys[0] if found else ""

    def add(self, who: str = "") -> None:
        """Ask what is to be added."""
        self.preparing.add(who)

    def edit(self, unit: tuple[str, ...]) -> None:
        """The form of a file."""
        self.preparing.edit(unit)

    async def retire(self, who: str) -> None:
        """Take somebody out of the cast, or bring them back."""
        await self.files.retire(who)

    def help(self) -> None:
        """Help for where we are."""
        asked = self.host.asked
        here = f"{self.mode.title}, {self.page.title}" if self.mode.title else self.page.title
        title, about = (asked.title, asked.about) if asked else (here, "")
        self.show_help(title, self.game.table.engine.reference, about)

    def count(self) -> None:
        """Move one of the counters."""
        self.host.ask(Counting(self.page.counters(), self.attempt))

    async def dice(self) -> None:
        """The dice workbench; what is thrown there counts for nothing here."""
        from ... import plugins
        from ..bench.screen import Workbench

        engines = tuple((await asyncio.to_thread(plugins.load_all)).engines.values())
        table = self.game.table
        log = self._roll_table if self.allows("play") and not table.seat else None
        self.app.push_screen(Workbench(table.engine, self.game.world, engines, seat=table.seat, log=log))

    async def _roll_table(self, name: str, secret: bool, tell: Tell) -> Sequence[str]:
        """Roll on a table into the log; what was told of it."""
        from ...kit.tables import RollTable

        entry = await self.game.drive(lambda on: on.do(RollTable(name, secret)), tell)
        if entry is None:
            return ()
        self.saved()
        return (*entry.said, *entry.whispered)

    async def leave(self) -> None:
        """Back to what lies below; everything is saved."""
        if await self.mode.leave():
            self.end()

    def end(self) -> None:
        """Leave the table. The app does it: a screen cannot wait for its own end."""
        self.app.call_later(self.tabletop.leave_table)
