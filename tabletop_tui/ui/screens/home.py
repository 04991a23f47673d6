"""Home: go on where you left off, play a sample, or begin a campaign of your own."""

from __future__ import annotations

import asyncio
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.events import Key

from ... import plugins
from ...rules import Engine, TableError
from ...storage.log import WHAT_IF
from ...storage.log.scratch import left_behind
from ...storage.user.paths import bring_in, copy_demo, data_home, known_places, slug, typed_path, write_starter
from ...storage.user.survey import Found, last_log, played_last, survey
from ..asking.host import AskPanel, Choose, Confirm, Question
from ..asking.listing import Listing, Pick
from ..commands import Layer
from ..commands.catalogue import HOME, command, letters, problems
from ..panels.bars import Said, Tabs
from ..panels.campaigns import CampaignPanel, Campaigns, Own
from ..panels.ground import Rows
from ..panels.log import message_lines
from ..thinking import think
from .base import FROM_KEY, CommandScreen

if TYPE_CHECKING:
    from ...records.recap import Recap


class HomeScreen(CommandScreen):
    """The first thing a person sees."""

    DEFAULT_CSS = """
    HomeScreen { background: $background; }
    HomeScreen #home { height: 1fr; }
    HomeScreen.-asking CampaignPanel { display: none; }
    HomeScreen.-asking AskPanel { display: block; }
    """

    def __init__(self, places: list[Path] | None = None) -> None:
        super().__init__()
        self.places = places
        self.panel, self.ask_panel = CampaignPanel(), AskPanel()
        self.list: Listing[Found] = Listing("campaigns", [], name="home")
        self.recaps: dict[tuple[Path, float], Recap | None] = {}
        """By log and when it was last written."""
        self.failed: tuple[str, ...] = ()
        self.waiting = True
        self.early: list[Key] = []
        """Keys that wait for what is being looked for."""

    def compose(self) -> ComposeResult:
        """Bars around the list, or what is being asked."""
        yield self.top
        with Rows(id="home"):
            yield self.panel
            yield self.ask_panel
        yield self.band
        yield self.footer

    def on_mount(self) -> None:
        """Look for campaigns off the UI thread."""
        self.ready = True
        self._survey_soon()

    def on_screen_resume(self) -> None:
        """Coming back from a campaign: look again."""
        self._survey_soon()

    def _survey_soon(self) -> None:
        self._draw()
        think(self, "survey", self.survey)

    async def survey(self) -> None:
        """Find everything: at first sight, so that it can be played at once, then whether it is in order."""
        places = self.places or known_places()
        if self.waiting:
            self._list(await asyncio.to_thread(survey, places, briefly=True))
            self._draw()
        found = await asyncio.to_thread(survey, places)
        loaded = await asyncio.to_thread(plugins.load_all)
        engines = list(loaded.engines.values())
        keys = problems(self.tabletop.config_keys, engines)
        keys += [f"{e.title}: {words}" for e in engines for words in letters(e)]
        self.failed = (*(f"engine {f.name}: {f.why}" for f in loaded.failed), *self.tabletop.complaints, *keys)
        self._list(found)
        self._moved()

    def _list(self, found: list[Found]) -> None:
        """The cursor is on the campaign that one comes from, stays with its own, or begins with the last played."""
        here = self.list.here.value if self.list.here else None
        back, self.tabletop.opened = self.tabletop.opened, None
        same = [n for n, f in enumerate(found) if back and f.path.resolve() == back.resolve()]
        # the first look does not know yet what is wrong with a campaign
        same += [n for n, f in enumerate(found) if here and f.path == here.path and (here.problems or not f.problems)]
        # a sample that was begun is a campaign now, of the same name
        same += [n for n, f in enumerate(found) if here and here.sample and f.path.name == here.path.name]
        left = played_last(found)
        same += [n for n, f in enumerate(found) if f is left]
        same += [n for n, f in enumerate(found) if not f.problems]
        self.list = Listing("campaigns", [Pick(f, f.title) for f in found], (*same, 0)[0], "home")
        self.waiting = False
        early, self.early = self.early, []
        for key in early:
            self.post_message(Key(key.key, key.character))

    async def on_key(self, event: Key) -> None:
        """While campaigns are looked for, what the list will take waits for it."""
        found = self.deck.takes(event.key, event.character)
        if self.waiting and (self.early or found is None or found.closed):
            event.stop()
            event.prevent_default()
            self.early.append(event)
            return
        await super().on_key(event)

    # ---- looks

    def _moved(self) -> None:
        self._draw()
        think(self, "recap", self._remember)

    async def _remember(self) -> None:
        """Read the last session of the one under the cursor, and of the one that was played last."""
        from ...records.logs import in_short

        found = [pick.value for pick in self.list.picks]
        here = self.list.here.value if self.list.here else None
        for one in (played_last(found), here):
            key = last_log(one)
            if key is not None and key not in self.recaps:
                self.recaps[key] = await asyncio.to_thread(in_short, key[0])
                self._draw()

    def _recap(self, found: Found | None) -> Recap | None:
        key = last_log(found)
        return self.recaps.get(key) if key else None

    def _draw(self) -> None:
        said = tuple(one for m in self.messages.values() for one in message_lines(m, max(self.size.width, 40)))
        here = self.list.here.value if self.list.here else None
        left = played_last([pick.value for pick in self.list.picks])
        left_at = self._recap(left)
        shown = Campaigns(
            self.list,
            (tuple(self.list.picks), self.list.cursor),
            OWN,
            self._recap(here),
            left,
            f"{left_at.now}." if left_at and left_at.now else "",
            self.failed,
            self.waiting,
            said,
            datetime.now().date(),
        )
        self.panel.show(shown)
        self.panel.redraw()
        self.draw_bars()

    def draw_messages(self) -> None:
        """Below the list."""
        self._draw()

    def draw_asked(self) -> None:
        """In place of the list."""
        asked = self.host.asked
        self.set_class(asked is not None and asked.inline, "-asking")
        if asked is not None:
            self.ask_panel.show(asked)
            self.ask_panel.redraw()
        self.draw_bars()

    def tabs(self) -> Tabs:
        """What this is."""
        mine = sum(not pick.value.sample for pick in self.list.picks)
        count = "nothing here yet" if not mine else f"{mine} campaign{'s' if mine > 1 else ''}"
        return Tabs("tabletop", facts=() if self.waiting else (count,))

    def said(self) -> Said:
        """What Enter does."""
        here = self.list.here
        if here is None:
            return Said("Begin a campaign, or play a sample" if not self.waiting else "Looking for campaigns")
        if here.value.problems:
            return Said(f"The files of {here.value.title} must be mended first")
        return Said(f"{'Go on with' if here.value.count else 'Play'} {here.value.title}")

    # ---- commands

    def stack(self) -> tuple[Layer, ...]:
        """The list, and Home's own."""
        here = self.list.here.value if self.list.here else None
        take = "try to open it" if here and here.problems else "go on" if here and here.count else "play"
        rows = self.list.commands(self._take, self._moved, verb="play", enter=take)
        runs = {
            "home.new": self.new,
            "home.bring": self.bring,
            "home.sample": self.sample,
            "home.replay": self.replay,
            "home.session": self.next_session,
            "home.dice": self.dice,
            "home.theme": self.next_theme,
            "home.redraw": self.redraw,
            "home.help": self.help,
            "home.quit": self.app.exit,
        }
        closed = {
            "home.replay": "" if here and here.logs else "it has not been played yet",
            "home.sample": "" if any(p.value.sample for p in self.list.picks) else "no sample is left to begin",
            "home.session": "" if here and here.count else "it has not been played yet",
        }
        labels = {
            "home.replay": "watch its recorded evening" if here and not here.count else "watch it again",
            "home.session": f"begin session {here.count + 1}" if here else "",
        }
        own = [
            command(e.id, runs[e.id], closed.get(e.id, ""), label=labels.get(e.id, ""), section="home") for e in HOME
        ]
        find = command("actions", self.find, where="list", section="")
        return (Layer("home", (*rows, *own, find)),)

    async def _take(self, pick: Pick[Found]) -> None:
        await self.open(pick.value)

    async def open(self, found: Found, *, new_session: bool = False) -> bool:
        """Play it; a sample is copied first."""
        self.tell(f"Opening {found.title} …", "")
        try:
            path = found.path
            if found.sample:
                path = await asyncio.to_thread(copy_demo, found.path, data_home() / "campaigns")
            await self.tabletop.open_campaign(path, new_session=new_session)
            self.untell(FROM_KEY)
        except (TableError, OSError) as error:
            self.tell(str(error), "bad", FROM_KEY)
            return False
        return True

    async def next_session(self) -> None:
        """Begin a new session where the last one ended, after a question."""
        if (here := self.list.here) is not None:
            number = here.value.count + 1
            title = f"Begin session {number} of {here.value.title}? Undo does not reach behind its beginning."

            async def begin() -> None:
                await self.open(here.value, new_session=True)

            self.host.ask(Confirm(title, f"yes: session {number} begins", "no", begin))

    def bring(self) -> None:
        """A campaign that somebody gave you."""

        async def named(word: str) -> bool:
            try:
                target = await asyncio.to_thread(lambda: bring_in(typed_path(word), data_home() / "campaigns"))
            except (TableError, OSError) as error:
                self.tell(str(error))
                return False
            await self.survey()
            self.list.cursor = next(
                (n for n, pick in enumerate(self.list.picks) if pick.value.path.resolve() == target.resolve()), 0
            )
            self._moved()
            self.tell(f"It is in {target}. Enter plays it.", "good")
            return True

        self.host.ask(Question("Which folder or .zip?", named, hint="its path; ~ is your home"))

    async def sample(self) -> None:
        """The first sample."""
        samples = [p.value for p in self.list.picks if p.value.sample]
        if samples:
            await self.open(samples[0])

    async def replay(self) -> None:
        """Watch a session of the campaign under the cursor again; where there are several, ask which."""

        async def watch(path: Path) -> None:
            try:
                await self.tabletop.open_log(path)
            except TableError as error:
                self.tell(str(error))

        here = self.list.here
        logs = (*here.value.logs, *left_behind(here.value.path)) if here else ()
        if len(logs) == 1:
            await watch(logs[0])
            return
        from ...records.words import title_of

        own = [p for p in logs if p.parent.name == "sessions"]
        picks = [Pick(p, f"session {len(own) - n}", p.stem) for n, p in enumerate(own)]  # the last one first
        kept = [p for p in logs if p not in own and p.name.startswith(WHAT_IF)]
        left = [p for p in logs if here and p not in here.value.logs]
        picks += [Pick(p, title_of(p.stem), "a recorded evening") for p in logs if p not in (*own, *kept, *left)]
        picks += [Pick(p, p.stem.removeprefix(WHAT_IF), "a what-if that was kept") for p in kept]
        picks += [Pick(p, "what if", "left when the line dropped; f plays on from its end") for p in left]
        self.host.ask(Choose(f"{here.label if here else ''}: which session?", picks, watch))

    def new(self) -> None:
        """A short wizard: name, game, with example people or without."""

        async def named(title: str) -> bool:
            if (data_home() / "campaigns" / slug(title)).exists():
                self.tell(f"You have a campaign in the folder {slug(title)} already: choose another name.")
                return False
            loaded = await asyncio.to_thread(plugins.load_all)
            games = [e for e in loaded.engines.values() if e.starter]
            picks: list[Pick[Engine]] = [Pick(e, e.title, e.name) for e in games]
            self.host.ask(Choose(f"{title}: which game?", picks, partial(chosen, title)))
            return True

        async def chosen(title: str, engine: Engine) -> None:
            picks = [
                Pick(True, "example people and a scene", "to try the game at once, or to write over"),
                Pick(False, "empty", "campaign.toml with comments; + adds the rest"),
            ]
            self.host.ask(Choose(f"{title}: with whom?", picks, partial(self._make, title, engine)))

        self.host.ask(Question("What is the new campaign called?", named))

    async def _make(self, title: str, engine: Engine, people: bool) -> None:
        target = data_home() / "campaigns" / slug(title)
        try:
            await asyncio.to_thread(partial(write_starter, engine.starter, title, target, people=people))
        except (TableError, OSError) as error:
            self.tell(str(error))
            return
        await self.survey()
        if await self.open(Found(path=target, title=title, engine=engine.title)):
            self.tabletop.welcome(title, target, people=people)

    def help(self) -> None:
        """What this is, or what is asked."""
        self.show_help(self.host.asked.title if self.host.asked else "home", HOME_HELP)

    async def dice(self) -> None:
        """The dice workbench, without a campaign."""
        from ..bench.screen import Workbench

        engines = tuple((await asyncio.to_thread(plugins.load_all)).engines.values())
        self.app.push_screen(Workbench(engines=engines))


OWN = (
    Own("n", "home.new", "New campaign", "choose a game; commented files to start from"),
    Own("i", "home.bring", "Bring one in", "a folder or .zip somebody gave you"),
    Own("%", "home.dice", "Only dice", "roll anything, see the whole distribution"),
)
HOME_HELP = """\
A **campaign** is a folder of text files that you may edit by hand at any time, also while you play: `campaign.toml`,
`characters/`, `scenes/`, and `now.toml` with the live state. Every action is saved the moment it is done, and undo
takes anything back.

Campaigns are looked for in the working directory, its `campaigns` folder, your data folder, and wherever you have
played one before.
"""
