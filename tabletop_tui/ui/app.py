"""The app: themes, the last gate for text, signals, and what happens when something goes wrong."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec
from rich.color import ColorSystem
from rich.console import RenderableType
from rich.segment import Segment
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.app import App
from textual.color import Color
from textual.events import Event, Key, Resize
from textual.filter import LineFilter
from textual.screen import Screen
from textual.theme import Theme
from textual.worker import WorkerFailed

from ..plugins import Guarded, hurry
from ..rules import HOSTILE, TableError
from ..session import SPECTATOR, Progress, Replay, Table, check_seat
from ..storage.disk import Disk
from ..storage.log import LogFile, open_log
from ..storage.open_campaign import OpenCampaign
from ..storage.safety.crash import report
from ..storage.user.config import load_config
from ..storage.user.paths import demos, find_campaigns, is_campaign, locate, remember
from ..storage.user.themes import COLOURS, ThemeFile, load_themes
from . import line
from .asking.host import Reading
from .commands import UserKeys, key_for
from .commands.catalogue import own_keys
from .drawing.frame import Frame, Ready
from .drawing.text import CUT, Glyphs
from .game import PATIENCE, Game
from .opening import HowFar, Left, opened
from .screens.base import FROM_KEY
from .screens.play import PlayScreen

DEFAULT_THEME = "ember"
WHITE = msgspec.convert({"name": "white", **dict.fromkeys(COLOURS, "#ffffff")}, ThemeFile)
"""Where no theme could be read, styles have colours all the same."""
RAISED = 0.07
"""How much of the ink stands behind the band and the row under the cursor."""
TINT = 0.2
"""How much of a tone stands behind an outcome or a chosen cell."""
LEAVING = frozenset({"q", "escape", "ctrl+c"})


class Harmless(LineFilter):
    """The last gate: characters that could control a terminal are dropped from whatever is drawn.

    Dropped, not replaced: a replacement would shift columns.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same segments without them."""
        del background
        if Glyphs.plain:
            segments = [Segment(s.text.translate(CUT), s.style, s.control) for s in segments]
        # nothing hostile is printable, and asking that is far faster than searching: this runs for every line drawn
        if all(s.text.isprintable() for s in segments):
            return segments
        return [Segment(HOSTILE.sub("", s.text), s.style, s.control) for s in segments]


HARMLESS = Harmless()


def textual_theme(theme: ThemeFile) -> Theme:
    """A theme for Textual; every text colour is given as it is, as derived ones draw plain white inside Content."""
    return Theme(
        name=theme.name,
        primary=theme.accent,
        secondary=theme.accent,
        accent=theme.accent,
        foreground=theme.ink,
        background=theme.background,
        surface=theme.surface,
        panel=theme.bar,
        success=theme.good,
        warning=theme.warn,
        error=theme.bad,
        dark=theme.dark,
        variables=variables(theme),
    )


def variables(theme: ThemeFile) -> dict[str, str]:
    """The names that styles use."""
    return {
        "ink": theme.ink,
        "dim": theme.dim,
        "faint": theme.faint,
        "tone-accent": theme.accent,
        "on-accent": theme.on_accent,
        "good": theme.good,
        "warn": theme.warn,
        "bad": theme.bad,
        "rule-line": theme.rule,
        "bar": theme.bar,
        "raised": _blend(theme.bar, theme.ink, RAISED),
        "tint": _blend(theme.background, theme.ink, 0.15),
        "good-tint": _blend(theme.background, theme.good, TINT),
        "warn-tint": _blend(theme.background, theme.warn, TINT),
        "bad-tint": _blend(theme.background, theme.bad, TINT),
    }


def _blend(ground: str, tone: str, share: float) -> str:
    return Color.parse(ground).blend(Color.parse(tone), share).hex


class TabletopApp(App[None]):
    """tabletop."""

    TITLE = "tabletop"
    ENABLE_COMMAND_PALETTE = False  # ours is a list on the screen: Textual's loses keys that are typed ahead of it
    CSS_PATH = "play.tcss"  # here and not with its screen, for which Textual would read every stylesheet again
    CSS = "* { scrollbar-size-vertical: 1; scrollbar-color: $rule-line; scrollbar-background: $surface; }"

    def __init__(self, campaign: str = "", seat: str = "") -> None:
        settings = load_config()
        self.settings = settings.config
        self.config_keys = dict(settings.config.keys)
        UserKeys.by_id = own_keys(self.config_keys)
        self.complaints: list[str] = list(settings.problems)
        self.known = load_themes()
        self.complaints += self.known.failed
        super().__init__()
        # nothing ever covers anything: no screen has the widgets for them
        self._disable_notifications = self._disable_tooltips = True
        Glyphs.plain = self.settings.ascii
        self.campaign, self.seat = campaign, seat
        self.parting = ""
        """A last sentence, printed when the screen is the shell's again."""
        self._parted = ""
        self.games: list[Game] = []
        """Every table that is open, the one in front last."""
        self.opened: Path | None = None
        """The campaign that was opened last, for Home's cursor."""
        self.reading: HowFar | None = None
        """What is being opened."""
        self.log_path = ""
        """A log to watch, in place of a campaign."""
        self.frame = Frame(self.console._color_system or ColorSystem.TRUECOLOR)
        self._begin_themes()

    def _begin_themes(self) -> None:
        """Before the first frame, so that no stylesheet is read twice."""
        for theme in self.known.themes.values():
            self.register_theme(textual_theme(theme))
        wanted = self.settings.theme
        if wanted and wanted not in self.known.themes:
            self.complaints.append(f"config.toml: there is no theme {wanted!r}")
        if not self.known.themes:
            return
        names = [name for name in (wanted, DEFAULT_THEME, *self.known.themes) if name in self.known.themes]
        # what watches the theme would have every stylesheet read again
        self.set_reactive(TabletopApp.theme, names[0])
        self.stylesheet.set_variables(self.get_css_variables())
        dark = self.current_theme.dark
        self.update_classes({f"-theme-{names[0]}": True, "-dark-mode": dark, "-light-mode": not dark}, update=False)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The program's own names, so that no theme can leave one out."""
        themes = self.known.themes
        return variables(themes.get(DEFAULT_THEME) or next(iter(themes.values()), WHITE))

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's own, then the last gate: always the same one, as lines remember by it what came out."""
        return [*super().get_line_filters(), HARMLESS]

    # ---- what is sent to the terminal

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        """Send the cells that differ from what the terminal shows, and nothing where none does."""
        driver, update = self._driver, renderable
        drawn = self._running and not (self._closed or self.is_headless or self._batch_count)
        if drawn and driver and not driver.is_inline and isinstance(update, ChopsUpdate | LayoutUpdate):
            text = self.frame.changes(update, self.size)
            if text:
                super()._display(screen, Ready(text))
            return
        super()._display(screen, renderable)

    def redraw(self) -> None:
        """Send everything again: something else has written on the terminal."""
        self.frame.forget()
        self.refresh()

    async def on_event(self, event: Event) -> None:
        """Whoever leaves waits neither for an engine that thinks nor for a long log; chances hold nobody up."""
        if isinstance(event, Key) and event.key in LEAVING:
            if self.reading:
                self.reading.left = True
            elif getattr(self.screen, "busy", False):
                hurry(PATIENCE, most=Guarded.seconds)
        await super().on_event(event)

    def on_resize(self, _event: Resize) -> None:
        """What terminals do with their lines then is up to them."""
        self.frame.forget()

    def on_mount(self) -> None:
        """Keys, signals, and the first screen."""
        self.app_resume_signal.subscribe(self, lambda _app: self.redraw())  # an editor was there, or a shell
        loop = asyncio.get_running_loop()
        for name in (signal.SIGHUP, signal.SIGTERM):
            try:
                loop.add_signal_handler(name, self.end)
            except (RuntimeError, ValueError):
                break  # not the main thread, as in some tests
        self.run_worker(self._first(), exit_on_error=True)
        self.set_timer(1.0, gc.enable)
        if not self.is_headless:
            line.watch(partial(loop.call_soon_threadsafe, self.end))

    async def _first(self) -> None:
        try:
            await self._begin()
        except Left:
            self.exit()
        except TableError as error:
            self.parting = str(error)
            self.exit(return_code=1)

    async def _begin(self) -> None:
        places = None
        if self.log_path:
            await self.open_log(Path(self.log_path))
            return
        if self.campaign:
            path = locate(self.campaign)
            if is_campaign(path) or not find_campaigns(path):
                await self.open_campaign(path)
                return
            places = [path]  # a folder of campaigns: Home lists them
        if self.seat:
            raise TableError(
                "a player's seat is at one campaign's table", remedy="Name it: tabletop play CAMPAIGN --seat NAME."
            )
        from .screens.home import HomeScreen

        await self.push_screen(HomeScreen(places))

    def welcome(self, title: str, folder: Path, *, people: bool) -> None:
        """Say where a new campaign's files are, and what to do next."""
        if isinstance(self.screen, PlayScreen):
            self.screen.host.ask(Reading(f"{title} is ready", _next_steps(folder, people)))

    async def open_campaign(self, path: Path, *, new_session: bool = False) -> None:
        """Open a campaign and show it where it was left. A seat begins no session and makes no backup."""
        opens = partial(OpenCampaign, path, write=self.seat != SPECTATOR, seat=self.seat, new_session=new_session)
        campaign = await opened(self, path.resolve().name, lambda progress: opens(progress=progress))
        try:
            self._sit_down(campaign.table)
        except TableError:
            campaign.close()
            raise
        theme = campaign.campaign.theme
        self.wear(theme)
        self.opened = path
        screen = await self.open_game(Game(campaign.table, campaign.title, campaign=campaign))
        if self.seat:
            return
        notes = list(campaign.news())
        if theme and theme not in self.known.themes:
            notes.append(f"there is no theme {theme!r}")
        if notes:
            screen.tell(" · ".join(notes), "bad", FROM_KEY)
        screen.run_worker(screen.look_now())  # edits made between sessions: after the first frame, not before it
        self.run_worker(partial(remember, path, Disk()), thread=True)

    def wear(self, theme: str) -> None:
        """A campaign's theme, unless the user has one of their own."""
        if not self.settings.theme and theme in self.known.themes and theme != self.theme:
            self.theme = theme

    def _sit_down(self, table: Table) -> None:
        """A seat has the name of somebody who plays here, as their sheet spells it."""
        if self.seat in ("", SPECTATOR):
            return
        self.seat = table.seat = check_seat(self.seat, (sheet.player for sheet in table.world.sheets.values()))

    async def open_game(self, game: Game) -> PlayScreen:
        """Show a table: a campaign's, a replay, or a what-if over either."""
        self.games.append(game)
        screen = PlayScreen(game)
        await self.push_screen(screen)
        return screen

    async def open_log(self, path: Path) -> None:
        """Watch a log: the real screens, driven by what was played."""
        from ..records.words import title_of

        def read(progress: Progress) -> tuple[LogFile, Replay]:
            file = open_log(path)
            return file, Replay(file.codec.engine, file.header, file.entries, seat=self.seat, progress=progress)

        file, table = await opened(self, path.stem, read)
        self._sit_down(table)
        game = Game(table, title_of(file.header.campaign) if file.header.campaign else path.stem)
        game.log_path = path
        home = path.resolve().parent.parent
        game.home = home if is_campaign(home) and home not in demos() else None
        screen = await self.open_game(game)
        if self.seat:
            return
        notes = [*file.notes, *([file.wrong] if file.wrong else [])]
        if notes:
            screen.tell(" · ".join(notes), "bad", FROM_KEY)

    async def leave_table(self) -> None:
        """Back to what lies below: Home, or the table that a what-if was taken from. A seat has nothing below it."""
        if self.seat:
            self.exit()
            return
        self._close_game()
        if len(self.screen_stack) > 2:
            await self.pop_screen()
        else:
            from .screens.home import HomeScreen

            await self.switch_screen(HomeScreen())

    @property
    def game(self) -> Game | None:
        """The table in front."""
        return self.games[-1] if self.games else None

    def _close_game(self) -> None:
        if self.games:
            self.games.pop().close()

    def part(self, words: str) -> None:
        """A sentence for the screen that comes next."""
        self._parted = words

    def parted(self) -> str:
        """What the screen before had to say, once."""
        words, self._parted = self._parted, ""
        return words

    def next_theme(self) -> str:
        """The next of our themes; its name."""
        names = sorted(self.known.themes)
        if names:
            at = names.index(self.theme) if self.theme in names else -1
            self.theme = names[(at + 1) % len(names)]
        return self.theme

    def end(self) -> None:
        """A dropped line or a request to end: at once and cleanly; everything is saved already."""
        self.exit(return_code=0)

    async def on_unmount(self) -> None:
        """Give the files back."""
        while self.games:
            self._close_game()

    def _handle_exception(self, error: Exception) -> None:
        """Write the details to a file and say a sentence: the usual traceback shows local variables, secrets too."""
        self._return_code = 1
        if isinstance(error, WorkerFailed):
            error = error.error if isinstance(error.error, Exception) else error
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        self.parting = report(error)
        self._close_messages_no_wait()


def _next_steps(folder: Path, people: bool) -> list[tuple[str, str]]:
    """What somebody who has just made a campaign wants to know."""
    add, scene = key_for("add", "+"), key_for("scene", "S")
    told = [
        "Its files are in",
        f"  {folder}",
        "plain text with comments, yours to edit at any time.",
        "",
        f"{scene}  shows the scene that is ready; Enter sets it"
        if people
        else f"{add}  adds a hero, then a scene and a challenge",
        f"{add}  adds people, scenes, challenges, clocks" if people else f"{scene}  shows the scene; Enter sets it",
        f"{key_for('edit', 'E')}  changes any value of any file",
        f"{key_for('help', '?')}  has the keys of where you are, and the rules",
    ]
    return [(words, "") for words in told]
