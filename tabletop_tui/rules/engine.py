"""The engine contract: all that a game has to be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from .model import Action, Event, Now, Problem, Rules, Scene, Sheet, World
from .odds import Odds
from .views import Kind, Prepared, View
from .walk import walked

API = 2
"""The version of this contract. An engine made for another one is not loaded, and the user is told."""

RESERVED = ("undo", "redo", "edited", "named", "proposed", "declined", "word")
"""Tags of the log's own actions, which no engine may use."""

LETTERS = frozenset("abcdefghijklmnoprsvwxz")
"""What an action's key can be: capitals lead to pages, q, t and u leave, type dice and undo everywhere. y says yes to
what a player asks for: that comes unasked, and must not catch a key that was meant for something else."""


class Engine:
    """Subclass it, fill it in, and name an instance of it in the entry-point group `tabletop_tui.engines`."""

    api: ClassVar[int] = API
    name: ClassVar[str]
    """Equals the name of its entry point."""
    title: ClassVar[str]
    version: ClassVar[str] = "0"
    """Of its rules; stands in every log. Raise it when an action comes out differently than before."""
    rules: ClassVar[type[Rules]] = Rules
    sheet: ClassVar[type[Sheet]] = Sheet
    scene: ClassVar[type[Scene]] = Scene
    now: ClassVar[type[Now]] = Now
    actions: ClassVar[tuple[type[Action], ...]]
    events: ClassVar[tuple[type[Event], ...]]
    reference: ClassVar[str] = ""
    """Its rules at a glance: Markdown, in its author's own words."""
    starter: ClassVar[dict[str, str]] = {}
    """Files of a new campaign, by path: commented TOML that passes `tabletop check`. `{title}` is replaced, and
    nothing else in braces."""
    hopes: ClassVar[tuple[str, ...]] = ()
    """How an `Event.outcome` settles that the acting side hopes for: lists show the chance of these."""

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
        """What an action would roll and the exact chances of what can come of it; None where no dice fall.

        Walks `resolve` down every face, and gives none where that does not end in time: override it where a closed
        form is wanted, or to show the pools.
        """
        return walked(self, world, action, self.hopes)

    def view(self, kind: Kind, world: Any, about: str = "") -> View | None:
        """What a screen draws; None where the game has no such screen. `about` names the sheet."""
        return None

    def prepared(self, world: Any, scene: str) -> Sequence[Prepared]:
        """What a scene has ready to be played, in the order in which the GM wrote it."""
        return ()

    def seen_by(self, world: Any, seat: str) -> Any:
        """The world as a player knows it: what they are offered, may choose and are refused follows from it alone.

        All that is secret is taken out of it or replaced, so that two worlds which differ in nothing else give the
        same one. Nothing is left but the rules and the players' own sheets, unless an engine says more.
        """
        return World(world.rules, self.now(), {who: world.sheets[who] for who in world.players()}, {})

    def schemas(self, schemas: dict[str, dict[str, Any]], rules: Any) -> dict[str, dict[str, Any]]:
        """The JSON Schemas of a campaign's files, by their parts: campaign, sheet, scene, table.

        They are the engine's to change where the campaign's rules say more than its records: which names there are.
        """
        return schemas

    def bench(self, world: Any = None) -> object | None:
        """A `tabletop_tui.workbench.Bench`: how the game reads dice expressions, with the names and house rules of a
        world where there is one."""
        return None
