"""The pages of a table, each made, and its module read, when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from ...rules import KINDS
from ..playing import Playing

if TYPE_CHECKING:
    from .page import Page

LABELS = {
    "scene": "Scene",
    "table": "Table",
    "challenge": "Challenge",
    "contest": "Contest",
    "people": "People",
    "log": "Log",
}


class Pages(Mapping[str, "Page"]):
    """By name, in the order of their tabs. A page that a game does not have is not there, and has no tab."""

    MADE_OF = {
        "scene": ("scene", "ScenePage"),
        "table": ("table", "TablePage"),
        "challenge": ("challenge", "ChallengePage"),
        "contest": ("contest", "ContestPage"),
        "people": ("people", "PeoplePage"),
        "log": ("log", "LogPage"),
    }

    def __init__(self, play: Playing) -> None:
        self.play = play
        self.names = [
            n for n in self.MADE_OF if n not in KINDS or play.game.view(n) is not None or n in play.game.failed
        ]
        if play.game.table.seat:
            self.names.remove("scene")  # what is prepared is the GM's
        self.made: dict[str, Page] = {}

    def __getitem__(self, name: str) -> Page:
        if name not in self.names:
            raise KeyError(name)
        if name not in self.made:
            module, kind = self.MADE_OF[name]
            self.made[name] = getattr(import_module(f".{module}", __package__), kind)(self.play, id=name)
        return self.made[name]

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)
