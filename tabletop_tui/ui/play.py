"""The play screen: one screen for all pages, so that keys reach whatever is in front in the order they were typed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.events import Key, Paste, Resize
from textual.screen import Screen
from textual.timer import Timer
from textual.worker import WorkType

from ..rules import KINDS, Action, Option, fields, tag_of, values
from ..session import AnyEntry, Replay, outlook
from . import whatif
from .asking import Asking, Overlay, Then
from .bars import Counters, KeyBar, LogPanel, TopLine
from .files import Files
from .game import Game, Severity
from .overlays import Form, Lister, Question
from .page import KeyItem, Page, Stage
from .pages import PAGE_KEYS, Pages

if TYPE_CHECKING:
    from .app import TabletopApp
    from .replay import Playback

Move = Callable[[int | None], Awaitable[AnyEntry | None]]
"""Undo or redo, to an entry or by one."""
LOOKING = ("help", "next_theme", "leave", "dice", "app.command_palette")
"""What the screen may do, besides changing pages, where nothing may be changed."""
HARMLESS = ("up", "down", "left", "right", "pageup", "pagedown", "tab")
"""Keys that a page may have there."""


class PlayScreen(Screen[None]):
    """A campaign on the screen."""

    HORIZONTAL_BREAKPOINTS = [(0, "-slim"), (76, "-narrow"), (110, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (28, "-middling"), (34, "-tall")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", "undo", id="undo"),
        Binding("ctrl+r", "redo", "redo", id="redo"),
        Binding("question_mark", "help", "help", id="help"),
        Binding("T", "page('table')", "table", id="table"),
        Binding("C", "page('challenge')", "challenge", id="challenge"),
        Binding("D", "page('contest')", "contest", id="contest"),
        Binding("S", "page('sheets')", "sheets", id="sheets"),
        Binding("H", "page('history')", "history", id="history"),
        Binding("space", "actions", "all actions", id="actions"),
        Binding("ctrl+t", "next_theme", "theme", id="theme"),
        Binding("percent_sign", "dice", "dice workbench", id="dice"),
        Binding("B", "put_back", "put a file back", id="put_back"),
        Binding("equals_sign", "compare", "compare", id="compare"),
        Binding("q", "leave", "home", id="leave"),
    ]

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        game.tell = self.tell
        table = game.table
        self.pages = Pages(game)
        self.asking, self.files = Asking(self), Files(self)
        self.playback = self._playback(table) if isinstance(table, Replay) else None
        self.front = self._first_page()
        self.thinking = 0
        self.warning = ""
        self.trouble = ""
        """A file that cannot be read, until it can."""
        self.message = ""
        self._publishing: Timer | None = None

    def _playback(self, table: Replay) -> Playback:
        from .replay import Playback

        return Playback(self, table)

    def _first_page(self) -> str:
        """Where the prompt is, so that coming back means going on."""
        for name in self.pages:
            if name in KINDS and getattr(self.game.table.view(name), "prompt", None):
                return name
        view = self.game.table.view("challenge")
        if "challenge" in self.pages and bool(getattr(view, "title", None)) and not getattr(view, "outcome", None):
            return "challenge"
        return next(iter(self.pages))

    @property
    def tabletop(self) -> TabletopApp:
        """The app, by its own name."""
        return cast("TabletopApp", self.app)

    def compose(self) -> ComposeResult:
        """Top line, counters, the page with the log, the keys."""
        self.top, self.meters, self.log_panel, self.bar = TopLine(), Counters(), LogPanel(), KeyBar()
        yield self.top
        if self.playback:
            yield self.playback.bar
        yield self.meters
        with Container(id="body"):
            with Container(id="pages"):
                yield self.asking.panel
                yield self.page  # the others are mounted when they are first looked at
            yield self.log_panel
        yield self.bar

    def on_mount(self) -> None:
        """Draw, then keep looking at the files."""
        self.changed()
        if self.game.desk:
            self.set_interval(1.0, self._look)

    @property
    def page(self) -> Page:
        """The page in front."""
        return self.pages[self.front]

    @property
    def stage(self) -> Stage | None:
        """The dice of the page in front, if it has any."""
        return getattr(self.page, "stage", None)

    @property
    def overlay(self) -> Overlay | None:
        """What lies over the page."""
        return self.asking.overlay

    def tell(self, words: str, severity: Severity) -> None:
        """What needs attention is a toast; a refusal or an undo stands in place of the keys until the next one."""
        if severity == "warning":
            self.message = f"✗ {words}"
        else:
            self.notify(words, severity=severity, markup=False, timeout=8 if severity == "error" else 3)
        if severity == "error":
            self.warning = "NOT SAVED" if "not saved" in words else self.warning

    # ---- drawing

    def changed(self) -> None:
        """The table changed: draw what differs, then work out the chances."""
        self.asking.table_changed()
        if not self.page.is_mounted:
            return  # it is just being put up, and is drawn when it is
        self.page.update_view()
        self._bars()
        if self.playback:
            self.playback.show()
        table = self.game.table
        self.log_panel.show(tuple(table.history(max(table.last - 60, 0))))
        self._think()

    def _bars(self) -> None:
        title, facts = self.page.facts()
        self.top.show(self.game.title, title, facts, self.warning or self.trouble or self.game.badge)
        counters, banner = self.page.counters()
        self.meters.show(counters, banner)
        self.bar.show(tuple(self._keys()), self.message)

    def _keys(self) -> list[KeyItem]:
        if self.overlay is not None:
            return self.asking.keys()
        if self.playback:
            return [*self.playback.keys(), *self._page_keys()]
        if self.game.table.seat:
            looks: list[KeyItem] = [("↑↓", "look", False, False), *self._page_keys(), ("%", "dice", False, False)]
            return [*looks, ("?", "help", False, True), ("q", "leave", False, True)]
        items = list(self.page.keys())
        shown = {key for key, *_ in items}
        if not self.page.reading:
            for key, kind in self._letters().items():
                if key not in shown and not kind.when(
                    self.game.world
                ):  # closed ones stand in the list of all actions
                    items.append((key, kind.title or tag_of(kind), False, False))
        if self.files.pending:
            items.insert(0, ("B", "put the file back", False, True))
        if self.game.scratch:
            items = [("=", "compare", False, True), ("q", "keep or leave", False, True), *items]
        items += [("u", "undo", False, True), ("?", "help", False, True), ("space", "more", False, False)]
        return [*items, *self._page_keys()]

    def _page_keys(self) -> list[KeyItem]:
        return [(PAGE_KEYS[name], name, False, False) for name in self.pages if name != self.front]

    def _letters(self) -> dict[str, type[Action]]:
        """The engine's own letters on this page, or those that the user wants."""
        engine = self.game.table.engine
        mine = self.tabletop.user_keys
        return {
            key: kind
            for kind in engine.actions
            if self.front in kind.screens and (key := mine.get(f"{engine.name}.{tag_of(kind)}", kind.key))
        }

    def _think(self) -> None:
        """Chances are worked out off the UI thread; the last question wins."""
        self.thinking += 1
        number, page, world, view = self.thinking, self.page, self.game.world, self.page.view
        kind = page.kind
        if kind not in ("challenge", "contest", "table") or view is None:
            return

        async def think() -> None:
            found = await asyncio.to_thread(outlook, self.game.table, kind, world, view)
            if number == self.thinking and page is self.page:
                page.update_outlook(found)

        # handed over uncalled: a coroutine whose worker is overtaken before it begins would never be awaited
        work: WorkType[None] = think
        self.run_worker(work, group="outlook", exclusive=True)

    # ---- keys

    async def on_key(self, event: Key) -> None:
        """Whatever is in front takes the key; then the engine's letters; then the bindings."""
        event.stop()
        event.prevent_default()
        if self.app.screen is not self:  # typed ahead of the screen that the key before it opened
            self.app.screen.post_message(Key(event.key, event.character))
            return
        key, character = event.key, event.character
        self.message = ""
        if self.overlay is not None:
            await self.asking.key(key, character)
        elif self.playback and await self.playback.key(key, character):
            pass
        elif self.game.table.seat and not self.only_looks(key, character):
            self.message = "✗ A player's seat looks on; the GM acts."
        elif not await self.page.key(key, character):
            letters = {} if self.page.reading or self.playback or self.game.table.seat else self._letters()
            if character and character in letters:
                await self.start(letters[character], by_key=True)
            elif active := self.active_bindings.get(key):
                await self.app.run_action(active.binding.action, active.node)
        self._bars()

    def bound(self, key: str) -> str:
        """What a key is bound to on this screen."""
        active = self.active_bindings.get(key)
        return active.binding.action if active else ""

    def only_looks(self, key: str, character: str | None = None) -> bool:
        """Can a key change nothing? In a replay, and from a player's seat, no other counts."""
        if self.page.reading or (character == "/" and self.front == "sheets"):
            return True
        action = self.bound(key)
        return action.startswith("page") or action in LOOKING or key in HARMLESS

    def on_paste(self, event: Paste) -> None:
        """Pasted text goes where text is being typed."""
        self.asking.paste(event.text)

    def on_resize(self, _event: Resize) -> None:
        """Pages that show a window of a list measure it again."""
        self.call_after_refresh(self.page.update_view)

    async def pressed(self, meaning: Any) -> None:
        """A click on a row of a panel."""
        if self.overlay is not None:
            if isinstance(meaning, int):
                await self.asking.click(meaning)
        elif not self.playback or await self.playback.click(meaning):
            looks = isinstance(meaning, tuple) and meaning[0] in ("person", "step")
            if looks or not self.game.table.seat:
                await self.page.click(meaning)
        self._bars()

    # ---- doing

    async def attempt(self, action: Action) -> None:
        """Do an action; one that the game warns of only when it was meant."""
        if not (why := type(action).warns(self.game.world)):
            await self.perform(action)
            return
        title = type(action).title or tag_of(type(action))

        async def meant(answer: Any) -> None:
            if answer:
                await self.perform(action)

        self.ask(Lister(why, [(f"{title} all the same", "", ""), ("no, play on", "", "")], [True, False]), meant)

    async def perform(self, action: Action, dice: Any = (), *, roll: bool = True) -> None:
        """Do an action and show what came of it."""
        if await self.game.do(action, tuple(dice), roll=roll):
            await self.done(action)

    async def done(self, action: Action) -> None:
        """An action was done and is safe: show it, on the page where it goes on."""
        self.saved()
        page = type(action).leads_to
        if page in self.pages and page != self.front:
            await self.action_page(page)

    def saved(self) -> None:
        """Something was done and is safe: show it."""
        self.warning = ""
        self.changed()
        self._publish_soon()

    def _publish_soon(self) -> None:
        """now.toml follows a moment later, once for a burst of actions: the log already has them."""
        if self._publishing is not None:
            self._publishing.stop()
        self._publishing = self.set_timer(0.3, self.game.publish)

    async def start(self, kind: type[Action], *, by_key: bool = False) -> None:
        """An action by its letter, the list or the palette: its form, or at once where nothing has to be asked."""
        if why := kind.when(self.game.world):
            self.tell(f"{kind.title or tag_of(kind)}: {why}.", "warning")
            return
        form = Form(kind, self.game.world, hints=self.page.hints())
        action = form.action()
        if action is not None and ((by_key and kind.swift) or not form.fields):
            await self.attempt(action)
        else:
            self.asking.form(form)

    async def press(self, option: Option) -> None:
        """An option of a view: at once, or its form where it leaves something open that must be said."""
        if option.closed:
            self.tell(option.closed, "warning")
            return
        kind = type(option.action)
        said = values(option.action)
        needs = {f.name for f in fields(kind) if f.required}
        preset = {name: value for name, value in said.items() if name not in needs or value not in ("", ())}
        if needs <= set(preset):
            await self.attempt(option.action)
        else:
            self.asking.form(Form(kind, self.game.world, preset))

    def type_dice(self, *actions: Action) -> None:
        """Real dice, for the first of these actions that asks for any."""
        self.asking.dice(*actions)

    def ask(self, overlay: Question | Lister, then: Then) -> None:
        """Ask something; `then` gets the answer."""
        self.asking.ask(overlay, then)

    async def what_if(self, at: int) -> None:
        """Play on from an entry at a table of its own."""
        await whatif.begin(self, at)

    def action_compare(self) -> None:
        """What is different from the real table."""
        whatif.compare(self)

    async def action_undo(self) -> None:
        """Take back the last thing."""
        await self._travel(self.game.undo, "↶")

    async def action_redo(self) -> None:
        """Do it again."""
        await self._travel(self.game.redo, "✓")

    async def _travel(self, move: Move, sign: str, to: int | None = None) -> None:
        """Back or forward; a file that says otherwise afterwards is told of."""
        before = self.game.table.timeline.head
        if entry := await move(to):
            self.message = f"{sign} {(*entry.said, *entry.whispered)[0]}"
            self.saved()
            await self.files.moved(before)

    def action_put_back(self) -> None:
        """Put a file back that still says what was undone."""
        self.files.ask_put_back()

    async def step_to(self, seq: int, *, forward: bool) -> None:
        """Undo or redo to an entry, after showing what goes."""
        line = self.game.table.timeline
        if forward:
            await self._travel(self.game.redo, "✓", seq)
            return
        path = line.past()
        going = path[path.index(seq) + 1 :]
        titles = [s.said[0] if s.said else s.action for s in self.game.table.history() if s.seq in going][:6]
        items = [
            (f"undo {len(going)} step{'s' if len(going) > 1 else ''}", "; ".join(titles), ""),
            ("no, stay", "", ""),
        ]

        async def go(answer: Any) -> None:
            if answer:
                await self._travel(self.game.undo, "↶", seq)

        self.ask(Lister(f"back to entry {seq}?", items, [True, False]), go)

    def ask_name(self, at: int) -> None:
        """Name the moment of an entry."""

        async def name(text: Any) -> None:
            if await self.game.name(text, at):
                self.saved()

        title = f"name the moment of entry {at}"
        self.ask(Question(title, hint="to find it again in the history: before the bridge"), name)

    async def action_page(self, name: str) -> None:
        """Another page."""
        if name not in self.pages:
            self.tell(f"{self.game.table.engine.title} has no {name} page.", "warning")
            return
        self.page.display = False
        self.front = name
        if not self.page.is_mounted:
            await self.query_one("#pages").mount(self.page)
            self.call_after_refresh(self.page.update_view)  # by then it knows how much room it has
        self.page.display = True
        self.set_class(name == "history", "-alone")  # the history is the log, at length
        self.page.show_entry(self.game.table.head)
        self.changed()

    def action_actions(self) -> None:
        """Everything that can be done, and why the rest cannot."""
        offers = sorted(self.game.table.offers(), key=lambda o: bool(o.closed))
        keys = {kind: f" ({key})" for key, kind in self._letters().items()}
        items = [(o.title + keys.get(o.kind, ""), o.help.splitlines()[0] if o.help else "", o.closed) for o in offers]

        async def begin(kind: Any) -> None:
            await self.start(kind)

        self.ask(Lister("all actions", items, [o.kind for o in offers]), begin)

    def action_help(self) -> None:
        """Help for where we are."""
        from .help import HelpScreen

        rows = [(k, label) for k, label, *_ in self._keys()]
        title, about = self.page.title or self.front, ""
        if self.overlay is not None:
            title, about = self.asking.about
        rows += [
            ("ctrl+r", "redo"),
            ("%", "the dice workbench: any expression, its chances, a throw that counts for nothing"),
            ("ctrl+t", "next theme"),
            ("ctrl+p", "every action and character by name"),
            ("q", "home"),
        ]
        self.app.push_screen(HelpScreen(title, rows, self.game.table.engine.reference, about))

    async def action_dice(self) -> None:
        """The dice workbench; what is thrown there counts for nothing here."""
        from .. import plugins
        from .workbench import Workbench

        engines = tuple((await asyncio.to_thread(plugins.load_all)).engines.values())
        table = self.game.table
        self.app.push_screen(Workbench(table.engine, self.game.world, engines, seat=table.seat))

    def action_next_theme(self) -> None:
        """The next theme."""
        self.tabletop.action_next_theme()

    def action_leave(self) -> None:
        """Back to Home; everything is saved. The app does it: a screen cannot wait for its own end."""
        if self.game.scratch:
            whatif.leave(self)
            return
        self.app.call_later(self.tabletop.action_home)

    # ---- others

    async def _look(self) -> None:
        """Other terminals and hand edits, once a second."""
        edits = await self.game.look()
        if edits is not None:
            self.files.noticed(edits)

    async def look_now(self) -> None:
        """The same, at once."""
        edits = await self.game.look(force=True)
        if edits is not None:
            self.files.noticed(edits)
