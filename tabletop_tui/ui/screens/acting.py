"""What a table's screen does: actions, forms, dice that are typed, undo and redo."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from ...rules import KINDS, Action, Field, Odds, Option, Refused, TableError, tag_of, values
from ...rules import fields as fields_of
from ...session import AnyEntry, Preview, Redo, Undo
from ...session.drops import warning
from ...session.follow import Place, page_of_entry, place_of_play
from ..asking.form import Form
from ..asking.host import Asked, Choose, Confirm, Question
from ..asking.listing import Pick, undoing
from ..asking.tray import Throw, Tray
from ..files import Files
from ..game import Game
from ..pages import Pages
from ..pages.page import Page
from ..panels.log import Tone
from ..thinking import think
from .base import FROM_DISK, CommandScreen

Move = Callable[[int | None], Awaitable[AnyEntry | None]]
"""Undo or redo, to an entry or by one."""


def _said(action: Action) -> dict[str, object]:
    """What an action that is not complete says already."""
    return {name: value for name, value in values(action).items() if value not in ("", ())}


class ActingScreen(CommandScreen):
    """A screen at which a game is played, whatever it looks like."""

    game: Game
    files: Files
    pages: Pages
    front: str
    _place: tuple[object, int, Place] = (None, -1, Place())

    def changed(self) -> None:
        """The table changed: draw what differs."""
        raise NotImplementedError

    # ---- pages

    @property
    def page(self) -> Page:
        """The page in front."""
        return self.pages[self.front]

    @property
    def names(self) -> Sequence[str]:
        """The pages that there are."""
        return self.pages.names

    async def show_page(self, name: str) -> None:
        """Another page."""
        place = self.query_one("#pages")
        if not place.is_attached:
            return  # the program ends, and this key was typed before it did
        self.page.set_class(False, "-asking")
        self.page.display = False
        self.front = name
        if not self.page.is_attached:
            await place.mount(self.page)
        self.page.display = True
        self.set_class(name == "log", "-alone")  # the log page is the log, at length
        self.page.show_entry(self.game.table.head)
        self.changed()

    # ---- doing

    async def attempt(self, action: Action) -> None:
        """Do an action; one that would drop what is prepared, or that the game warns of, only when it was meant."""
        if why := self._warning(action):
            title = type(action).title or tag_of(type(action))
            self.host.ask(Confirm(why, f"yes: {title}", "no, play on", partial(self.perform, action)))
        else:
            await self.perform(action)

    def _warning(self, action: Action) -> str:
        try:
            return warning(self.game.table, action)
        except Refused as fault:  # it can be done all the same
            self.tell(str(fault))
            return ""

    async def perform(self, action: Action, dice: tuple[int, ...] = (), roll: bool = True) -> None:
        """Do an action and show what came of it; a player asks for what is not theirs to do at once."""
        table = self.game.table
        if table.seat and table.standing(type(action), values(action)).how == "ask":
            rights = table.rights()
            mine = {f.name for f in fields_of(type(action)) if rights.answers(f, values(action)) or f.of.free}
            said = {name: value for name, value in values(action).items() if name in mine and value != ""}
            if why := await self.propose(type(action), said):
                self.tell(why)
        elif await self.game.drive(lambda on: on.do(action, dice, roll=roll)):
            await self._done(action)

    # ---- asking, and answering

    async def propose(self, kind: type[Action], answers: Mapping[str, object]) -> str:
        """Ask the GM for an action; why not, where it cannot be asked for."""
        found = await self.game.tried(lambda on: on.propose(kind, answers))
        if isinstance(found, str):
            return found
        self.saved()
        return ""

    async def take_back(self) -> None:
        """A player asks no longer."""
        asked = self.game.table.asked()
        if asked and asked.state == "open" and await self.game.drive(lambda on: on.decline(asked.seq)):
            self.saved()

    async def accept(
        self,
        seq: int,
        action: Action | None = None,
        dice: Sequence[int] = (),
        *,
        roll: bool = True,
        close: bool = False,
    ) -> str:
        """Do what a player asked for; why not, where it was refused."""
        found = await self.game.tried(lambda on: on.accept(seq, action, dice, roll=roll))
        if isinstance(found, str):
            if not close:
                self.tell(found)
            return found
        if close:
            self.host.close()
        await self._done(found.action)
        return ""

    async def decline(self, seq: int, why: str = "") -> bool:
        """Say no to what a player asked for; False where that could not be done."""
        if done := await self.game.drive(lambda on: on.decline(seq, why)):
            self.saved()
        return done is not None

    async def _done(self, action: Action) -> None:
        """It is safe: show it, on the page where it goes on."""
        self.saved()
        page = type(action).leads_to or self._asked_elsewhere(action)
        if page in self.names and page != self.front:
            await self.show_page(page)

    def _asked_elsewhere(self, action: Action) -> str:
        """The page whose dice an action of another page has left with a choice; empty where it waits here."""
        screens = [page for page in KINDS if page in type(action).screens and page in self.names]
        if self.front in screens or self.front not in KINDS:
            return ""
        return next((page for page in screens if getattr(self.game.view(page), "prompt", None)), "")

    def saved(self) -> None:
        """Something was done and is safe: show it."""
        self.messages.pop(FROM_DISK, None)
        self.changed()

    async def start(self, kind: type[Action], preset: Mapping[str, object] | None = None, *, title: str = "") -> None:
        """An action by its letter or by name: its form, or at once where nothing has to be asked."""
        form = self._form(kind, preset, title)
        action = form.action()
        if form.closed:
            self.tell(f"{form.title}: {form.closed}.")
        elif action is not None and (not form.fields or (kind.swift and form.sure)):
            await self.attempt(action)
        else:
            self._open(form)

    async def begin(self, action: Action) -> None:
        """What somebody could do: its form, with what the action says already."""
        await self.start(type(action), _said(action))

    async def press(self, option: Option, *, title: str = "") -> None:
        """An option of a view: at once, or its form where it leaves something open that must be said."""
        if option.closed:
            self.tell(f"{option.label}: {option.closed}.")
            return
        kind, preset = type(option.action), _said(option.action)
        if {f.name for f in self._asked(kind, preset) if f.required} <= set(preset):
            await self.attempt(option.action)
        else:
            self._open(self._form(kind, preset, title))

    def _asked(self, kind: type[Action], preset: Mapping[str, object]) -> list[Field]:
        """The fields of an action as they are asked after some answers."""
        try:
            found = [self.game.table.shaped(kind, field, preset) for field in fields_of(kind)]
        except Refused:  # the engine fails: the form says why
            return list(fields_of(kind))
        return [field for field in found if field is not None]

    def _form(self, kind: type[Action], preset: Mapping[str, object] | None = None, title: str = "") -> Form:
        """The form of an action; a player's asks what is theirs to say."""
        table, meant = self.game.table, self.page.meant()
        if not table.seat:
            return Form(kind, table, self, preset, meant, title)
        from ..asking.ask import PlayersForm

        return PlayersForm(kind, table, self, self.propose, preset=preset, meant=meant, title=title)

    def _open(self, form: Form) -> None:
        form.host = self.host
        form.look()
        self.host.ask(form)

    async def do_form(self, action: Action) -> str:
        """Do what a form says; why not, where it was refused: nothing that was filled in is lost."""
        form = self.host.asked
        if (why := self._warning(action)) and form is not None:
            title = type(action).title or tag_of(type(action))
            again = partial(self._ask_again, form)
            self.host.ask(Confirm(why, f"yes: {title}", "no, back", partial(self.perform, action), again))
            return ""
        found = await self.game.tried(lambda on: on.do(action))
        if isinstance(found, str):
            return found
        self.host.close()
        await self._done(action)
        return ""

    async def _ask_again(self, form: Asked) -> None:
        self.host.ask(form)

    def weigh(self, action: Action, then: Callable[[Preview], None]) -> None:
        """What an action would do, off the UI thread."""

        async def weigh() -> None:
            then(await asyncio.to_thread(self.game.table.preview, action))

        think(self, "weigh", weigh)

    def weigh_each(self, actions: Mapping[object, Action], then: Callable[[Mapping[object, Odds]], None]) -> None:
        """The chances of each of several actions, off the UI thread."""
        table, world = self.game.table, self.game.world

        def weighed() -> dict[object, Odds]:
            found: dict[object, Odds] = {}
            for key, action in actions.items():
                with suppress(Refused):  # the engine fails, or has no chances of it
                    if (odds := table.odds(action, world)) is not None and odds.hoped:
                        found[key] = odds
            return found

        async def weigh() -> None:
            then(await asyncio.to_thread(weighed))

        think(self, "weigh each", weigh)

    async def type_dice(self, *actions: Action, throw: Throw | None = None) -> None:
        """Real dice, for the first of these actions that asks for any; `throw` does it, where that is not all."""
        table, does = self.game.table, throw or self.perform
        trays = [Tray(action, table.world, table.engine, does, table.dice_needed) for action in actions]
        tray = next((t for t in trays if t.sides), trays[0])
        if tray.complete or tray.wrong:
            self.tell(tray.wrong or "No dice are asked for here.")
            return
        if self.page.stage is None:  # a fight that a scene has ready: dice lie where it goes on
            there = type(tray.action).leads_to
            await self.show_page(there if there in self.names and there in KINDS else "table")
        self.host.ask(tray)

    # ---- there and back

    async def undo(self) -> None:
        """Take back the last thing."""
        await self._travel(self.game.undo, "undo")

    async def redo(self) -> None:
        """Do it again."""
        await self._travel(self.game.redo, "good")

    async def _travel(self, move: Move, tone: Tone, to: int | None = None) -> None:
        """Back or forward, to the page where that was played; a file that says otherwise afterwards is told of."""
        before = self.game.table.timeline.head
        if entry := await move(to):
            if not self._done_here(entry):
                await self._follow()
            if self.front in ("log", "people"):  # the other pages show the log, which has it
                self.tell((*entry.said, *entry.whispered)[0], tone)
            self.saved()
            await self.files.moved(before)

    def _done_here(self, travel: AnyEntry) -> bool:
        """Is all that an undo or redo crossed done on the page in front, without leaving it?"""
        line = self.game.table.timeline
        if not isinstance(travel.action, Undo | Redo):
            return True  # a player asks for it: nothing has moved yet
        crossed = [line.entries[one - 1] for some in line.crossed(travel.seq) for one in some]
        pages = {page_of_entry(one, self.names) for one in crossed}
        return pages <= {self.front, ""} and not any(getattr(one.action, "leads_to", "") for one in crossed)

    @property
    def place(self) -> Place:
        """Where play is; found out once for each state, as it is asked at every key."""
        table = self.game.table
        if self._place[0] is not table.world or self._place[1] != table.head:
            self._place = (table.world, table.head, place_of_play(table, self.names, self.game.view))
        return self._place[2]

    async def _follow(self) -> None:
        """The page on which play goes on, unless somebody reads the log or a sheet."""
        wanted = self.place.page
        if self.front in KINDS and wanted and wanted != self.front:
            await self.show_page(wanted)

    async def go_to(self, seq: int) -> None:
        """Undo or redo to an entry, after showing what goes."""
        line = self.game.table.timeline
        if seq in line.ahead:
            await self._travel(self.game.redo, "good", seq)
            return

        async def go(answer: bool) -> None:
            if answer:
                await self._travel(self.game.undo, "undo", seq)

        picks = [undoing(self.game.table.undone_by(seq)), Pick(False, "no, stay")]
        self.host.ask(Choose(f"back to entry {seq}?", picks, go))

    def ask_name(self, at: int) -> None:
        """Name the moment of an entry."""

        async def name(text: str) -> bool:
            if done := await self.game.drive(lambda on: on.name(text, at=at)):
                self.saved()
            return done is not None

        hint = "to find it again in the log: before the bridge"
        self.host.ask(Question(f"name the moment of entry {at}", name, hint=hint))

    async def what_if(self, at: int) -> None:
        """Play on from an entry at a table of its own."""
        try:
            game = await self.game.what_if(at)
        except TableError as error:
            self.tell(str(error))
            return
        await self.tabletop.open_game(game)
