"""A page: a view plus a list of commands. It draws the one and offers the other; it holds no rule."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.events import Resize
from textual.geometry import Size

from ...rules import Action, Counter, Kind, Model
from ...session import Outlook
from ...session.meant import Meant
from ..asking.form import Form
from ..asking.host import Asked, AskPanel
from ..asking.tray import Tray
from ..commands import Command, Layer
from ..drawing.text import begun
from ..panels.bars import Said
from ..panels.ground import Rows
from ..panels.log import LogPanel
from ..panels.stage import Stage
from ..playing import Playing

LEAST_WORK = 9
"""Rows that a page's work keeps beside messages."""


class Chances(Model):
    """Chances with the state that they belong to: beside another one they are never drawn."""

    world: object
    outlook: Outlook


class Page(Rows):
    """What all pages share."""

    DEFAULT_CSS = """
    Page { height: 1fr; background: $background; }
    Page.-asking .work { display: none; }
    Page.-asking AskPanel { display: block; }
    Page.-tall-asking LogPanel { display: none; }
    """
    kind: ClassVar[Kind | None] = None

    def __init__(self, play: Playing, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.play, self.game = play, play.game
        self.ask_panel, self.log_panel = AskPanel(), LogPanel()
        self.chances: Chances | None = None
        self.stage: Stage | None = None
        self._room = Size(0, 0)
        self._given = (0, Size(0, 0))
        """The rows that messages were given, and the size of which."""

    @property
    def title(self) -> str:
        """Its name, as it begins a sentence."""
        return begun(self.id or "")

    @property
    def room(self) -> Size:
        """How much room it has; while another page is in front, how much it had."""
        self._room = self.size
        return self._room

    def on_resize(self, event: Resize) -> None:
        """What fits is found out anew, unless it was reckoned with."""
        if event.size and event.size != self._room:
            self._room = event.size
            self.call_after_refresh(self._measured)

    def _measured(self) -> None:
        self.update_view()
        self.make_room()
        self.play.draw_bars()  # a list that was made anew has its own keys

    @property
    def outlook(self) -> Outlook:
        """The chances of the present state, as far as they are known."""
        known = self.chances
        return known.outlook if known and known.world is self.game.world else Outlook()

    @property
    def thinking(self) -> bool:
        """Are the chances of the present state still being worked out?"""
        return self.chances is None or self.chances.world is not self.game.world

    def update_view(self) -> None:
        """Read the view again and hand each panel its part."""

    def commands(self) -> tuple[Command, ...]:
        """What can be pressed here."""
        return ()

    def asks(self) -> Layer | None:
        """A prompt or a list that has the keys before all else here."""
        return None

    def said(self) -> Said:
        """The band's sentence."""
        return Said(self.title)

    def facts(self) -> tuple[str, ...]:
        """What stands at the right of the tabs, the most important first."""
        return ()

    def counters(self) -> tuple[Counter, ...]:
        """The game's counters."""
        return self.game.at_table().counters

    def meant(self) -> Meant:
        """Whom and what a form means at first."""
        return Meant()

    def waits(self) -> str:
        """The page on which somebody must answer first; empty where that is this one, or nowhere."""
        place = self.play.place
        return place.page if place.page in place.asks and place.page != self.id else ""

    def draws(self, asked: Asked) -> bool:
        """Does the page draw what is asked on its own stage? Then nothing moves and less is sent."""
        return False

    def foremost(self) -> tuple[type[Action], ...]:
        """The game's actions that stand in the band."""
        return ()

    def enters(self) -> type[Action] | None:
        """The game's action that Enter does: the footer need not have its letter, too."""
        return None

    def make_room(self) -> None:
        """A message is told in full: the page's work, or what is asked in its place, gives rows to it."""
        rows = 0 if self.has_class("-tall-asking") else self.log_panel.rows_said()
        if self._given == (rows, self.size):
            return
        self._given = rows, self.size
        self.log_panel.styles.min_height = min(rows, max(self.size.height - LEAST_WORK, 2)) or None
        for one in self.query(".work, AskPanel"):
            one.styles.max_height = max(self.size.height - rows, LEAST_WORK) if rows else None

    def show_form(self, form: Form | None) -> None:
        """A form is open beside the page's own panels, or gone."""

    @property
    def unit(self) -> tuple[str, ...]:
        """The file of what is looked at, by its place in the world; empty where that is the whole table."""
        return ()

    @property
    def scene(self) -> str:
        """The scene that is looked at."""
        return str(self.game.world.now.scene)

    @property
    def entry(self) -> int:
        """The entry that is looked at."""
        return self.game.table.head

    def go_to(self, who: str) -> None:
        """Show somebody, where the page shows one."""

    def show_entry(self, seq: int) -> None:
        """Bring an entry of the log into sight, where the page shows it."""

    def show_tray(self, tray: Tray | None) -> None:
        """Dice are typed on the page's own, where it has any."""
