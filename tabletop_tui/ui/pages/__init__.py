"""The pages of a table, each made, and its module read, when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from ...rules import KINDS
from ..playing import Playing

if TYPE_CHECKING:
    from .page import Page

NAMES = ("scene", "table", "challenge", "contest", "people", "log")
"""In the order of their tabs. Each has a module of its name, and with a capital it names the class and the tab."""


class Pages(Mapping[str, "Page"]):
    """By name. A page that a game does not have is not there, and has no tab."""

    def __init__(self, play: Playing) -> None:
        self.play = play
        self.names = [n for n in NAMES if n not in KINDS or play.game.view(n) is not None or n in play.game.failed]
        if play.game.table.seat:
            self.names.remove("scene")  # what is prepared is the GM's
        self.made: dict[str, Page] = {}

    def __getitem__(self, name: str) -> Page:
        if name not in self.names:
            raise KeyError(name)
        if name not in self.made:
            kind = getattr(import_module(f".{name}", __package__), f"{name.capitalize()}Page")
            self.made[name] = kind(self.play, id=name)
        return self.made[name]

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)
