"""What pages, modes and files may ask of the screen that they are on: this and nothing else of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol

from textual.timer import Timer

from ..rules import Action, Odds, Option
from ..session import Preview
from ..session.follow import Place
from .asking.host import Host
from .asking.tray import Throw
from .commands import Effect
from .game import Game
from .panels.log import Tone


class Playing(Protocol):
    """A table on a screen."""

    game: Game
    host: Host
    front: str
    """The name of the page in front."""

    @property
    def names(self) -> Sequence[str]:
        """The pages that there are."""

    @property
    def here(self) -> Sequence[str]:
        """Who sits at the table."""

    @property
    def place(self) -> Place:
        """Where play is."""

    @property
    def entry_under(self) -> int:
        """The entry under the cursor of the log page."""

    @property
    def keyless(self) -> bool:
        """Does nobody type here? A large screen shows neither keys nor a cursor."""

    @property
    def plays(self) -> bool:
        """Does somebody play here? A replay, whoever looks on and a large screen have no keys for what is played."""

    def allows(self, effect: Effect) -> bool:
        """May something be done here that changes this?"""

    def tell(self, words: str, tone: Tone = "bad", *, logged: str = "") -> None:
        """A sentence that stands below the log until the next key, and what the log says of it already."""

    def tell_files(self, words: Sequence[str]) -> None:
        """What is wrong with the campaign's files; nothing where they were mended."""

    def draw_bars(self) -> None:
        """Commands or the cursor have changed: make the list of commands again and draw it."""

    def changed(self) -> None:
        """The table has changed: draw what differs."""

    def saved(self) -> None:
        """Something was done and is safe: draw it."""

    async def show_page(self, name: str) -> None:
        """Another page."""

    async def show_sheet(self, who: str) -> None:
        """Somebody's sheet."""

    async def attempt(self, action: Action) -> None:
        """Do an action; first ask, where it would drop what is prepared."""

    async def press(self, option: Option, *, title: str = "") -> None:
        """An option of a view: at once, or its form where it leaves something open."""

    async def start(self, kind: type[Action], preset: Mapping[str, object] | None = None, *, title: str = "") -> None:
        """An action's form, or at once where nothing has to be asked."""

    async def begin(self, action: Action) -> None:
        """What somebody could do: its form, with what the action says already."""

    def weigh_each(self, actions: Mapping[object, Action], then: Callable[[Mapping[object, Odds]], None]) -> None:
        """The chances of each of several actions, off the UI thread."""

    async def type_dice(self, *actions: Action, throw: Throw | None = None) -> None:
        """Real dice, for the first of these actions that asks for any; `throw` does it, where that is not all."""

    def weigh(self, action: Action, then: Callable[[Preview], None]) -> None:
        """What an action would do, off the UI thread."""

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

    async def decline(self, seq: int, why: str = "") -> bool:
        """Say no to it; False where that could not be done."""

    async def take_back(self) -> None:
        """A player asks no longer."""

    async def go_to(self, seq: int) -> None:
        """Undo or redo to an entry, after showing what goes."""

    def ask_name(self, at: int) -> None:
        """Name the moment of an entry."""

    async def what_if(self, at: int) -> None:
        """Play on from an entry at a table of its own."""

    async def look_now(self) -> None:
        """Look at the campaign's files at once."""

    @property
    def scene_under(self) -> str:
        """The scene that is looked at, or the one that is on."""

    async def undo(self) -> None:
        """Take back the last thing."""

    async def open_editor(self, file: str) -> None:
        """The user's own editor on a file of the campaign."""

    def key_of(self, id: str) -> str:
        """The key that reaches a command now; empty where none does."""

    def add(self, who: str = "") -> None:
        """Ask what is to be added; somebody may stand under the cursor already."""

    def edit(self, unit: tuple[str, ...]) -> None:
        """The form of a file."""

    async def retire(self, who: str) -> None:
        """Take somebody out of the cast, or bring them back."""

    def parting(self, words: str) -> None:
        """A sentence for the screen that comes next."""

    def end(self) -> None:
        """Leave the table, without a question."""

    def set_timer(self, delay: float, callback: Callable[[], Awaitable[None] | None]) -> Timer:
        """Run something a moment later."""
