"""A game without any rules of its own, in a module of its own: what is tried with it is none of its parts."""

from __future__ import annotations

from typing import ClassVar

from tabletop_tui.kit import common
from tabletop_tui.rules import Action, Engine, Event


class Sound(Engine):
    """A game without any rules of its own."""

    name, title, reference = "sound", "Sound", "# Sound"
    actions: ClassVar[tuple[type[Action], ...]] = common.ACTIONS
    events: ClassVar[tuple[type[Event], ...]] = common.EVENTS
