"""What every screen does with keys, clicks and pasted text: it looks them up in the list that was drawn last."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Protocol, cast

from msgspec.structs import replace
from textual.events import Key, MouseEvent, MouseScrollDown, MouseScrollUp, Paste
from textual.screen import Screen

from ...rules import Refused
from ..asking.finder import Finder, Run
from ..asking.host import Host
from ..asking.listing import Pick
from ..commands import Command, Deck, Item, Layer, Press, UserKeys
from ..commands.record import faced
from ..game import Game
from ..panels.bars import Band, BandLine, FooterLine, Said, TabLine, Tabs, beside, fitting
from ..panels.ground import Ground
from ..panels.log import Message, Tone

ASKED = "asked"
"""The layer of the answers to what players ask for."""
FROM_KEY, FROM_FILES, FROM_DISK, FROM_LOG, FROM_OTHERS = "key", "files", "disk", "log", "others"
"""What a message comes from: it leaves with it."""


class Program(Protocol):
    """The app, as far as screens need it."""

    complaints: list[str]
    """What is wrong with the user's own files."""
    config_keys: dict[str, str]
    opened: Path | None
    """The campaign that was opened last."""

    async def open_campaign(self, path: Path, *, new_session: bool = False) -> None:
        """Play it."""

    def welcome(self, title: str, folder: Path, *, people: bool) -> None:
        """Say where a new campaign's files are, and what to do next."""

    async def open_log(self, path: Path) -> None:
        """Watch it."""

    async def open_game(self, game: Game) -> object:
        """Another table in front."""

    async def leave_table(self) -> None:
        """Back to what lies below."""

    def part(self, words: str) -> None:
        """A sentence for the screen that comes next."""

    def parted(self) -> str:
        """What the screen before had to say."""

    def wear(self, theme: str) -> None:
        """A campaign's theme, unless the user has one of their own."""

    def next_theme(self) -> str:
        """Switch to the next theme; its name."""

    def redraw(self) -> None:
        """Send everything to the terminal again."""


def _with(over: Sequence[Item], shown: Sequence[Item]) -> tuple[Item, ...]:
    """The footer's items with those for which the band has no room: first, but for a game's own actions, which the
    stage lists as well. Those come after what moves about the page, and before what changes the campaign."""
    over = [replace(item, where="footer") for item in over]
    first, rest = [i for i in over if i.layer != "game"], [i for i in over if i.layer == "game"]
    first.sort(key=lambda item: item.layer != ASKED)  # the stage lists the answers of a prompt; nothing lists these
    at = next((n for n, item in enumerate(shown) if item.layer in ("prepare", "game", "screen")), len(shown))
    return (*first, *shown[:at], *rest, *shown[at:])


class CommandScreen(Screen[None]):
    """A screen whose keys, bars, help and clicks all read one list of commands."""

    render_lines = Ground.render_lines

    def __init__(self) -> None:
        super().__init__()
        self._deck = Deck(())
        self._due = False
        self.host = Host(self.draw_asked)
        self.messages: dict[str, Message] = {}
        """By what they come from."""
        self.ready = False
        """Is it put up? `is_mounted` is true only after the first keys may have come."""
        self.gone = False
        """Was it closed, and is only waiting to be taken away?"""
        self.busy = False
        """Does the last key still do something?"""
        self.top, self.band, self.footer = TabLine(), BandLine(), FooterLine()

    @property
    def tabletop(self) -> Program:
        """The app."""
        return cast("Program", self.app)

    # ---- what a screen fills in

    def stack(self) -> Sequence[Layer]:
        """The layers below what is asked, the front one first."""
        return ()

    def closes(self, command: Command) -> str:
        """Why a command cannot be run in the way in which one is here; empty where it can."""
        return ""

    def tabs(self) -> Tabs:
        """The top line."""
        return Tabs("tabletop")

    def said(self) -> Said:
        """The band's sentence while nothing is asked."""
        return Said()

    def draw_asked(self) -> None:
        """What is asked has changed, come or gone: draw it."""
        self.draw_bars()

    def draw_messages(self) -> None:
        """Draw what is to be said."""

    def extra_finds(self) -> list[Pick[Run]]:
        """What else the list of everything has."""
        return []

    # ---- bars

    @property
    def deck(self) -> Deck:
        """The commands as they are now."""
        if self._due:
            self._draw_due()
        return self._deck

    def draw_bars(self) -> None:
        """Make the list of commands again, and draw what shows it: once for a key, or when the key has to wait."""
        if not self.ready:
            return
        if not self.busy:
            self.draw_bars_now()
        elif not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self._draw_due)

    def _draw_due(self) -> None:
        if self._due and self.is_attached:
            self.draw_bars_now()

    def draw_bars_now(self) -> None:
        """The list of commands, and the lines that show it."""
        self._due = False
        asked = self.host.layer()
        self._deck = Deck((*((asked,) if asked else ()), *self.stack()), UserKeys.by_id, self.closes)
        tabs = self.tabs()
        self.top.show(tabs)
        stops = self.messages.get(FROM_DISK)
        said = self.host.said() if asked else Said(stops.words, loud=True) if stops else self.said()
        if not said.tail:
            facts = tabs.facts[fitting(tabs, self.size.width) :]
            said = replace(said, tail=("", *facts) if said.loud else facts)  # of a question the first may be cut
        band = self.deck.shown("band")
        meant = [item for item in band if not said.keys or item.id in said.keys]
        own = beside(said, meant, self.app.size.width)
        over = [item for item in meant if item not in own]
        over += [item for item in band if item not in meant]
        self.band.show(Band(said, own))
        self.footer.show(_with(over, self.deck.shown("footer", "end")))

    def tell(self, words: str, tone: Tone = "bad", cause: str = FROM_KEY, *, logged: str = "") -> None:
        """A sentence that is no entry of the log, and what of it the log has already; it goes when its cause does."""
        self.messages[cause] = Message(words, tone, logged)
        self.draw_messages()

    def untell(self, cause: str) -> None:
        """Its cause is gone."""
        if self.messages.pop(cause, None) is not None:
            self.draw_messages()

    @property
    def message(self) -> str:
        """What was said about the last key."""
        found = self.messages.get(FROM_KEY)
        return found.words if found else ""

    # ---- keys, clicks, text

    def on_screen_resume(self) -> None:
        """In front again: it was not taken away, and says what the screen before it had to say."""
        self.gone = False
        if self.ready and (words := self.tabletop.parted()):
            self.tell(words, "good")

    async def on_key(self, event: Key) -> None:
        """The front layer that has the key takes it; each command ends before the next key is looked up."""
        event.stop()
        event.prevent_default()
        if self.gone and self.app.screen is self:  # it is being taken away: the key is for the one below
            self.app.call_later(self.on_key, event)
            return
        if self.app.screen is not self:  # typed ahead of the screen that the key before it opened
            self.app.screen.post_message(Key(event.key, event.character))
            return
        self.untell(FROM_KEY)
        self.untell(FROM_OTHERS)
        self.busy = True
        try:
            await self.deck.key(event.key, event.character, self.run_command)
        finally:
            self.busy = False
        self.draw_bars()

    async def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """The wheel moves as the arrows do."""
        await self._turned(event, "down")

    async def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """And back."""
        await self._turned(event, "up")

    async def _turned(self, event: MouseEvent, key: str) -> None:
        event.stop()
        if (found := self.deck.takes(key, None)) is not None and found.effect == "look":
            await self.on_key(Key(key, None))

    async def pressed(self, press: Press) -> None:
        """A click on a bar or a panel: the same as the key."""
        self.untell(FROM_KEY)
        if not await self.deck.press(press, self.run_command) and self.host.asked is not None:
            self.tell("Something is asked: answer it first, or leave it with Esc.")
        self.draw_bars()

    async def run_command(self, command: Command) -> None:
        """Run it, or say why it is closed."""
        if command.closed:
            whole = command.closed.endswith(".")
            self.tell(command.closed if whole else f"{command.label}: {command.closed}.")
            return
        try:
            if (going := command.run()) is not None:
                await going
        except Refused as no:  # nobody else told of it, as where an engine fails: the screen goes on
            self.tell(str(no))

    def close_screen(self) -> None:
        """Back to the screen below; keys that come meanwhile are for that one. What lies above it is closed first."""
        if self.app.screen is self:
            self.gone = True
            self.dismiss(None)

    async def run_id(self, id: str) -> None:
        """Run a command by its id, as it is now."""
        if found := self.deck.find(id):
            await self.run_command(found)

    def on_paste(self, event: Paste) -> None:
        """Pasted text goes where text is being typed."""
        if self.host.asked is not None:
            self.host.asked.paste(event.text)
            self.host.redraw()

    # ---- help and the list of everything

    def find(self) -> None:
        """Everything that can be done, gone to and looked at, by name."""
        found: list[Pick[Run]] = []
        for item in self.deck.items:
            if item.section and item.id != "actions":
                run, key = partial(self.run_id, item.id), faced(item.keys[0]) if item.keys else ""
                found.append(Pick(run, item.label, item.help, item.closed, item.section, key))
        self.host.ask(Finder([*found, *self.extra_finds()]))

    def help_rows(self) -> list[tuple[str, str]]:
        """Every key that works here now, and what it does; those of a group together."""
        rows: dict[tuple[str, str], list[Item]] = {}
        for item in self.deck.items:
            if item.keys and not item.closed:
                rows.setdefault((item.group, "" if item.group else item.id), []).append(item)
        return [
            (
                " ".join(faced(key) for item in some for key in item.keys),
                f"{some[0].group or some[0].label}{f': {some[0].help}' if some[0].help else ''}",
            )
            for some in rows.values()
        ]

    def show_help(self, title: str, reference: str, about: str = "") -> None:
        """Help for where we are."""
        from .help import HelpScreen

        self.app.push_screen(HelpScreen(title, self.help_rows(), reference, about))

    def next_theme(self) -> None:
        """The next theme, and say which."""
        self.tell(f"theme: {self.tabletop.next_theme()}", "")

    def redraw(self) -> None:
        """Everything again, and say so."""
        self.tabletop.redraw()
        self.tell("drawn again", "")
