"""The engine contract: all that a game has to be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from .bench import Bench
from .model import Action, Event, Now, Problem, Rules, Scene, Sheet
from .odds import Odds
from .views import Kind, View

API = 1
"""The version of this contract. An engine made for another one is not loaded, and the user is told."""

RESERVED = ("undo", "redo", "edited", "named")
"""Tags of the log's own actions, which no engine may use."""


class Engine:
    """Subclass it, fill it in, and name an instance of it in the entry-point group `tabletop_tui.engines`."""

    api: ClassVar[int] = API
    name: ClassVar[str]
    """Equals the name of its entry point."""
    title: ClassVar[str]
    version: ClassVar[str] = "0"
    """Of its rules; stands in every log. Raise it when an action would come out otherwise than before."""
    rules: ClassVar[type[Rules]] = Rules
    sheet: ClassVar[type[Sheet]] = Sheet
    scene: ClassVar[type[Scene]] = Scene
    now: ClassVar[type[Now]] = Now
    actions: ClassVar[tuple[type[Action], ...]]
    events: ClassVar[tuple[type[Event], ...]]
    reference: ClassVar[str] = ""
    """Its rules at a glance: Markdown, in its author's own words."""
    starter: ClassVar[dict[str, str]] = {}
    """Files of a new campaign, by path: commented TOML that passes `tabletop check`."""

    def start(self, world: Any) -> Now:
        """The live state with which a session begins; `world.now` is what the last one left."""
        now: Now = world.now
        return now

    def problems(self, world: Any) -> Sequence[Problem]:
        """What in this world does not fit, after any hand edit. `apply` must not fail where this is empty."""
        return ()

    def policy(self, world: Any) -> Action | None:
        """The default answer to a choice that the game waits for; None where it waits for none."""
        return None

    def odds(self, world: Any, action: Action) -> Odds | None:
        """What an action would roll and the exact chances of what can come of it; None where no dice fall."""
        return None

    def view(self, kind: Kind, world: Any, about: str = "") -> View | None:
        """What a screen draws; None where the game has no such screen. `about` names the sheet."""
        return None

    def bench(self, world: Any = None) -> Bench | None:
        """How the game reads dice expressions, with the names and house rules of a world where there is one."""
        return None
