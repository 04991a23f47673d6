"""Home: your campaigns, new ones, and samples one key away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Key, Paste
from textual.screen import Screen
from textual.worker import WorkType

from .. import plugins
from ..rules import Model, TableError
from ..storage import campaign as folder
from ..storage.desk import sessions
from ..storage.log import played
from ..storage.paths import copy_demo, data_home, demos, find_campaigns, slug, usual_places, write_starter
from .bars import KeyBar, TopLine
from .overlays import CANCEL, DONE, Lister, Question
from .panel import Panel
from .text import ACCENT, DIM, FAINT, INK, heading, line

if TYPE_CHECKING:
    from .app import TabletopApp


class Found(Model):
    """A campaign as Home lists it."""

    path: Path
    title: str
    engine: str
    last: str
    problems: tuple[str, ...] = ()
    demo: bool = False


def survey(places: list[Path]) -> list[Found]:
    """Every campaign and sample, read as far as Home shows them."""
    out = []
    for path, demo in [*((p, False) for p in find_campaigns(*places)), *((p, True) for p in demos())]:
        try:
            found = folder.load(path)
        except TableError as error:
            out.append(Found(path, path.name, "", "", (str(error),), demo))
            continue
        played = sessions(path)
        out.append(
            Found(
                path,
                found.title,
                found.engine.title if found.engine else found.engine_name,
                played[-1].stem if played else "",
                tuple(str(p) for p in found.problems if not p.warning),
                demo,
            )
        )
    return out


class HomePanel(Panel):
    """The list, or what is being asked. Shown: a tick."""

    DEFAULT_CSS = "HomePanel { height: 1fr; }"
    choices: Lister | None = None
    overlay: Question | Lister | None = None
    found: tuple[Found, ...] = ()
    failed: tuple[str, ...] = ()
    waiting = True

    def lines(self, width: int) -> list[Content]:
        """Campaigns, then the problems of the one under the cursor."""
        if isinstance(self.overlay, Question):
            return self.overlay.lines(width, self.size.height, self.rows)
        if isinstance(self.overlay, Lister):
            body = self.overlay.lines(width, self.size.height - 1, self.rows, 1)
            return [heading(self.overlay.title, width, active=True), *body]
        out = [heading("campaigns", width, active=True)]
        if self.waiting:
            return [*out, line((" looking …", DIM))]
        if self.choices is None or not self.choices.items:
            return [
                *out,
                line((" No campaign yet.", INK)),
                line(
                    (" Press ", DIM),
                    ("n", f"bold {ACCENT}"),
                    (" for a new one, or ", DIM),
                    ("d", f"bold {ACCENT}"),
                    (" for a sample.", DIM),
                ),
            ]
        out += self.choices.lines(width, max(self.size.height - 8, 4), self.rows, 1)
        here = self.found[self.choices.cursor]
        out.append(line(("", "")))
        if here.problems:
            out.append(heading(f"{len(here.problems)} problem{'s' if len(here.problems) > 1 else ''}", width))
            out += [line((f" ✗ {p}", "$bad")) for p in here.problems[:5]]
        else:
            where = "a sample: a copy of it is played, always the same one" if here.demo else str(here.path)
            out += [heading("about", width), line((f" {where}", FAINT))]
        out += [line((f" ▲ {words}", "$warn")) for words in self.failed[:3]]
        return out


class HomeScreen(Screen[None]):
    """The first thing a person sees."""

    DEFAULT_CSS = "HomeScreen { background: $background; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new", "new", id="home.new"),
        Binding("d", "demo", "sample", id="home.demo"),
        Binding("r", "replay", "replay", id="home.replay"),
        Binding("question_mark", "help", "help", id="home.help"),
        Binding("ctrl+t", "theme", "theme", id="home.theme"),
        Binding("percent_sign", "dice", "dice workbench", id="home.dice"),
        Binding("q", "quit", "quit", id="home.quit"),
    ]

    def __init__(self, places: list[Path] | None = None) -> None:
        super().__init__()
        self.places = places
        self.then: Callable[[Any], Awaitable[None]] = self._nothing

    async def _nothing(self, answer: Any) -> None:
        del answer

    @property
    def tabletop(self) -> TabletopApp:
        """The app, by its own name."""
        return cast("TabletopApp", self.app)

    def compose(self) -> ComposeResult:
        """Top line, list, keys."""
        self.top, self.panel, self.bar = TopLine(), HomePanel(), KeyBar()
        yield self.top
        yield self.panel
        yield self.bar

    def on_mount(self) -> None:
        """Draw at once, then look for campaigns off the UI thread."""
        self.top.show("tabletop", "home", "sessions for tabletop role-playing games", "")
        self._bars()
        work: WorkType[None] = self.survey  # uncalled: one that is overtaken would never be awaited
        self.run_worker(work, group="survey", exclusive=True)

    def on_screen_resume(self) -> None:
        """Coming back from a campaign: look again."""
        work: WorkType[None] = self.survey  # uncalled: one that is overtaken would never be awaited
        self.run_worker(work, group="survey", exclusive=True)

    async def survey(self) -> None:
        """Find everything."""
        found = await asyncio.to_thread(survey, self.places or usual_places())
        failed = await asyncio.to_thread(plugins.load_all)
        self.panel.found = tuple(found)
        problems = tuple(f"engine {f.name}: {f.why}" for f in failed.failed)
        self.panel.failed = (*problems, *self.tabletop.complaints)
        items = []
        for f in found:
            state = "sample" if f.demo else f"last played {f.last[:10]}" if f.last else "not played yet"
            bad = f"  ✗ {len(f.problems)} problem{'s' if len(f.problems) > 1 else ''}" if f.problems else ""
            items.append((f.title, f"{f.engine} · {state}{bad}", ""))
        cursor = self.panel.choices.cursor if self.panel.choices else 0
        self.panel.choices = Lister("campaigns", items, found, cursor)
        self.panel.waiting = False
        self.panel.redraw()

    def _bars(self) -> None:
        if self.panel.overlay is not None:
            items = [("enter", "go on", False, False), ("esc", "leave", False, False)]
        else:
            items = [("↑↓ enter", "open", False, False), ("n", "new", False, False), ("d", "sample", False, False)]
            items.append(("r", "replay", not self._logs(), False))
            items += [("%", "dice", False, False), ("ctrl+t", "theme", False, False)]
            items += [("q", "quit", False, True), ("?", "help", False, True)]
        self.bar.show(tuple(items), "")

    async def on_key(self, event: Key) -> None:
        """The overlay, else the list, else the bindings."""
        event.stop()
        event.prevent_default()
        if self.app.screen is not self:  # typed ahead of the screen that the key before it opened
            self.app.screen.post_message(Key(event.key, event.character))
            return
        over = self.panel.overlay
        if over is not None:
            result = over.key(event.key, event.character)
            if result == CANCEL:
                self.panel.overlay = None
            elif result == DONE:
                self.panel.overlay = None
                await self.then(over.picked if isinstance(over, Lister) else over.text.strip())
        elif active := self.active_bindings.get(event.key):
            await self.app.run_action(active.binding.action, active.node)
        elif self.panel.choices is not None and self.panel.choices.key(event.key, event.character) == DONE:
            await self.open(self.panel.choices.picked)
        self._bars()
        self.panel.redraw()

    def on_paste(self, event: Paste) -> None:
        """Into what is being typed."""
        if isinstance(self.panel.overlay, Question):
            self.panel.overlay.paste(event.text)
            self.panel.redraw()

    async def pressed(self, meaning: Any) -> None:
        """A click on a row."""
        over = self.panel.overlay
        if isinstance(over, Lister):
            if over.pick(meaning) == DONE:
                self.panel.overlay = None
                await self.then(over.picked)
        elif over is None and self.panel.choices is not None and isinstance(meaning, int):
            if self.panel.choices.cursor == meaning:
                await self.open(self.panel.found[meaning])
            self.panel.choices.cursor = meaning
        self.panel.redraw()

    async def open(self, found: Found) -> None:
        """Play it; a sample is copied first."""
        try:
            path = found.path
            if found.demo:
                path = await asyncio.to_thread(copy_demo, found.path, data_home() / "campaigns")
            await self.tabletop.open_campaign(path)
        except (TableError, OSError) as error:
            self.notify(str(error), severity="error", markup=False, timeout=10)

    async def action_demo(self) -> None:
        """The first sample."""
        sample = next((f for f in self.panel.found if f.demo and "ember" in f.path.name), None)
        sample = sample or next((f for f in self.panel.found if f.demo), None)
        if sample is not None:
            await self.open(sample)

    def _logs(self) -> list[Path]:
        """The logs of the campaign under the cursor, the newest first."""
        if self.panel.choices is None or not self.panel.found:
            return []
        path = self.panel.found[self.panel.choices.cursor].path
        return [*reversed(sessions(path)), *played(path)]

    def action_replay(self) -> None:
        """Watch a session of the campaign under the cursor again."""
        logs = self._logs()
        if not logs:
            self.notify("It has not been played yet.", markup=False)
            return
        items = [(p.stem, "" if p.parent.name == "sessions" else "to look at", "") for p in logs]

        async def watch(path: Any) -> None:
            try:
                await self.tabletop.open_log(path)
            except TableError as error:
                self.notify(str(error), severity="error", markup=False, timeout=10)

        self.panel.overlay, self.then = Lister("which session?", items, logs), watch

    def action_new(self) -> None:
        """A short wizard: name, then game."""
        self.panel.overlay = Question("a new campaign", hint="what is it called?")

        async def named(title: Any) -> None:
            loaded = await asyncio.to_thread(plugins.load_all)
            games = [e for e in loaded.engines.values() if e.starter]
            items = [(e.title, e.name, "") for e in games]
            self.panel.overlay = Lister(f"{title}: which game?", items, games)

            async def chosen(engine: Any) -> None:
                await self._make(str(title), engine)

            self.then = chosen

        self.then = named

    async def _make(self, title: str, engine: Any) -> None:
        target = data_home() / "campaigns" / slug(title)
        try:
            await asyncio.to_thread(write_starter, engine.starter, title, target)
        except (TableError, OSError) as error:
            self.notify(str(error), severity="error", markup=False)
            return
        await self.survey()
        await self.open(Found(target, title, engine.title, ""))

    def action_help(self) -> None:
        """What this is."""
        from .help import HelpScreen

        keys = [
            ("↑↓ enter", "open a campaign"),
            ("1-9", "open one of the first nine"),
            ("n", "new campaign"),
            ("d", "play a sample"),
            ("%", "the dice workbench"),
            ("r", "watch a session again"),
        ]
        self.app.push_screen(HelpScreen("home", [*keys, ("ctrl+t", "next theme"), ("q", "quit")], HOME_HELP))

    async def action_dice(self) -> None:
        """The dice workbench, without a campaign."""
        from .workbench import Workbench

        engines = tuple((await asyncio.to_thread(plugins.load_all)).engines.values())
        self.app.push_screen(Workbench(engines=engines))

    def action_theme(self) -> None:
        """The next theme."""
        self.tabletop.action_next_theme()

    def action_quit(self) -> None:
        """Leave the program."""
        self.app.exit()


HOME_HELP = """\
A **campaign** is a folder of text files that you may edit by hand at any time, also while you play: `campaign.toml`,
`characters/`, `scenes/`, and `now.toml` with the live state. Every action is saved the moment it is done; `u` takes
anything back.

Campaigns are looked for in the working directory, its `campaigns` folder, and your data folder.
"""
