"""The app: themes, the last gate for text, signals, and what happens when something goes wrong."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from rich.segment import Segment
from textual.app import App
from textual.binding import Binding
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import Theme
from textual.worker import WorkerFailed

from ..rules import HOSTILE, TableError
from ..session import Replay
from ..storage.config import load_config
from ..storage.crash import report
from ..storage.desk import Desk
from ..storage.log import open_log
from ..storage.paths import demos, find_campaigns, is_campaign, locate
from ..storage.themes import ThemeFile, load_themes
from .game import Game
from .play import PlayScreen
from .text import Glyphs

DEFAULT_THEME = "ember"


def _palette() -> Any:
    from .palette import GameCommands

    return GameCommands


class Harmless(LineFilter):
    """The last gate: characters that could control a terminal are dropped from whatever is drawn.

    Dropped, not replaced: a replacement would shift columns.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same segments without them."""
        del background
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
    }


class TabletopApp(App[None]):
    """tabletop."""

    TITLE = "tabletop"
    ENABLE_COMMAND_PALETTE = True
    COMMANDS: ClassVar[set[Any]] = {lambda: _palette()}
    CSS_PATH = "play.tcss"  # here and not with its screen, for which Textual would read every stylesheet again
    CSS = "* { scrollbar-size-vertical: 1; scrollbar-color: $rule-line; scrollbar-background: $surface; }"

    def __init__(self, campaign: str = "", seat: str = "") -> None:
        settings = load_config()
        self.settings = settings.config
        self.user_keys = dict(settings.config.keys)
        self.complaints: list[str] = list(settings.problems)
        self.known = load_themes()
        self.complaints += self.known.failed
        super().__init__()
        Glyphs.plain = self.settings.ascii
        self.campaign, self.seat = campaign, seat
        self.parting = ""
        """A last sentence, printed when the screen is the shell's again."""
        self.games: list[Game] = []
        """Every table that is open, the one in front last."""
        self.log_path = ""
        """A log to watch, in place of a campaign."""
        self._begin_themes()

    def _begin_themes(self) -> None:
        """Before the first frame, so that no stylesheet is read twice."""
        for theme in self.known.themes.values():
            self.register_theme(textual_theme(theme))
        wanted = self.settings.theme
        if wanted and wanted not in self.known.themes:
            self.complaints.append(f"config.toml: there is no theme {wanted!r}")
        if self.known.themes:
            self.theme = (
                wanted
                if wanted in self.known.themes
                else DEFAULT_THEME
                if DEFAULT_THEME in self.known.themes
                else next(iter(self.known.themes))
            )

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The program's own names, so that no theme can leave one out."""
        theme = self.known.themes.get(DEFAULT_THEME) or next(iter(self.known.themes.values()), None)
        return variables(theme) if theme else dict.fromkeys(variables_names(), "#ffffff")

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's own, then the last gate: always the same one, as lines remember by it what came out."""
        return [*super().get_line_filters(), HARMLESS]

    def on_mount(self) -> None:
        """Keys, signals, and the first screen."""
        self._keymap_from_config()
        loop = asyncio.get_running_loop()
        for name in (signal.SIGHUP, signal.SIGTERM):
            try:
                loop.add_signal_handler(name, self.end)
            except (RuntimeError, ValueError):
                break  # not the main thread, as in some tests
        self.run_worker(self._first(), exit_on_error=True)
        self.set_timer(1.0, gc.enable)

    def _keymap_from_config(self) -> None:
        if not self.user_keys:
            return
        from .home import HomeScreen

        ours = {b.id for kind in (PlayScreen, HomeScreen) for b in kind.BINDINGS if isinstance(b, Binding)}
        mine = {i: k for i, k in self.user_keys.items() if i in ours}
        self.complaints += [
            f"config.toml: there is no binding {i!r}" for i in self.user_keys if i not in ours and "." not in i
        ]
        self.set_keymap(mine)

    async def _first(self) -> None:
        places = None
        if self.log_path:
            try:
                await self.open_log(Path(self.log_path))
            except TableError as error:
                self.parting = str(error)
                self.exit(return_code=1)
            return
        if self.campaign:
            try:
                path = locate(self.campaign)
                if not (path / "campaign.toml").exists() and find_campaigns(path):
                    places = [path]  # a folder of campaigns: Home lists them
                else:
                    await self.open_campaign(path)
                    return
            except TableError as error:
                self.parting = str(error)
                self.exit(return_code=1)
                return
        from .home import HomeScreen

        await self.push_screen(HomeScreen(places))

    async def open_campaign(self, path: Path) -> None:
        """Open a campaign and show it where it was left."""
        desk = await asyncio.to_thread(Desk, path, seat=self.seat)
        theme = desk.campaign.theme
        if not self.settings.theme and theme in self.known.themes:
            self.theme = theme
        elif theme and theme not in self.known.themes:
            self.notify(f"There is no theme {theme!r}.", markup=False)
        screen = await self.open_game(Game(desk.table, desk.campaign.title, desk=desk))
        players = sorted({s.player for s in desk.table.world.sheets.values() if s.player})
        if self.seat and self.seat.casefold() not in (p.casefold() for p in players):
            self.notify(
                f"Nobody here is played by {self.seat}. There is: {', '.join(players)}.", markup=False, timeout=10
            )
        for note in desk.log.notes:
            self.notify(note, severity="warning", markup=False, timeout=10)
        if desk.log.closed:
            self.notify(f"Read-only: {desk.log.closed}", severity="warning", markup=False, timeout=15)
        screen.run_worker(screen.look_now())  # edits made between sessions: after the first frame, not before it

    async def open_game(self, game: Game) -> PlayScreen:
        """Show a table: a campaign's, a replay, or a what-if over either."""
        self.games.append(game)
        screen = PlayScreen(game)
        await self.push_screen(screen)
        return screen

    async def open_log(self, path: Path, *, keep: bool = True) -> None:
        """Watch a log: the real screens, driven by what was played."""
        file = await asyncio.to_thread(open_log, path)
        table = await asyncio.to_thread(Replay, file.codec.engine, file.header, file.entries, seat=self.seat)
        game = Game(table, file.header.campaign or path.stem)
        home = path.resolve().parent.parent
        game.home = home if keep and is_campaign(home) and home not in demos() else None
        await self.open_game(game)
        for note in file.notes:
            self.notify(note, severity="warning", markup=False, timeout=10)
        if "look at only" not in file.closed:
            self.notify(file.closed, severity="warning", markup=False, timeout=15)

    async def action_home(self) -> None:
        """Back to what lies below: Home, or the table that a what-if was taken from."""
        self._close_game()
        if len(self.screen_stack) > 2:
            await self.pop_screen()
        else:
            from .home import HomeScreen

            await self.switch_screen(HomeScreen())

    @property
    def game(self) -> Game | None:
        """The table in front."""
        return self.games[-1] if self.games else None

    def _close_game(self) -> None:
        if self.games:
            self.games.pop().close()

    def action_next_theme(self) -> None:
        """The next of our themes, and say which."""
        names = sorted(self.known.themes)
        if names:
            at = names.index(self.theme) if self.theme in names else -1
            self.theme = names[(at + 1) % len(names)]
            self.notify(f"theme: {self.theme}", markup=False, timeout=2)

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


def variables_names() -> list[str]:
    """The names that styles use."""
    return ["ink", "dim", "faint", "tone-accent", "on-accent", "good", "warn", "bad", "rule-line", "bar"]
