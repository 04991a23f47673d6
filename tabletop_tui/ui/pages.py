"""Which pages a game has, and the keys that lead to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from ..rules import KINDS
from .game import Game
from .page import Page

PAGE_KEYS = {"table": "T", "challenge": "C", "contest": "D", "sheets": "S", "history": "H"}


class Pages(Mapping[str, Page]):
    """The pages of a game by name; each is made, and its module read, when it is first asked for."""

    KINDS = {
        "table": ("table", "TablePage"),
        "challenge": ("challenge", "ChallengePage"),
        "contest": ("contest", "ContestPage"),
        "sheets": ("sheets", "SheetsPage"),
        "history": ("history", "HistoryPage"),
    }

    def __init__(self, game: Game) -> None:
        self.game = game
        self.names = [n for n in self.KINDS if n not in KINDS or game.table.view(n) is not None]
        self.made: dict[str, Page] = {}

    def __getitem__(self, name: str) -> Page:
        if name not in self.names:
            raise KeyError(name)
        if name not in self.made:
            module, kind = self.KINDS[name]
            self.made[name] = getattr(import_module(f".{module}", __package__), kind)(self.game, id=name)
        return self.made[name]

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)
