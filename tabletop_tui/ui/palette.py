"""The command palette reaches every action, every character and every page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from .play import PlayScreen
from .sheets import SheetsPage
from .text import safe


class GameCommands(Provider):
    """What can be done at this table."""

    def _commands(self) -> list[tuple[str, Callable[[], Awaitable[Any] | Any]]]:
        screen = self.screen
        if not isinstance(screen, PlayScreen):
            return []
        out: list[tuple[str, Callable[[], Awaitable[Any] | Any]]] = []
        looks_on = bool(screen.game.table.seat or screen.playback)
        for offer in () if looks_on else screen.game.table.offers():
            words = f"{offer.title} – {offer.closed}" if offer.closed else offer.title
            out.append((words, partial(screen.start, offer.kind)))
        world = screen.game.world
        out += [(f"sheet: {world.name(who)}", partial(self._sheet, screen, who)) for who in world.players()]
        if not screen.game.table.seat:
            others = [who for who in world.present() if who not in world.players()]
            out += [(f"sheet: {world.name(who)}", partial(self._sheet, screen, who)) for who in others]
        out += [(f"go to {name}", partial(screen.action_page, name)) for name in screen.pages]
        return out

    @staticmethod
    async def _sheet(screen: PlayScreen, who: str) -> None:
        await screen.action_page("sheets")
        page = screen.pages["sheets"]
        assert isinstance(page, SheetsPage)
        page.go_to(who)

    async def discover(self) -> Hits:
        """Everything, before a letter is typed. Names are wrapped: the palette would read a string as markup."""
        for words, run in self._commands():
            yield DiscoveryHit(Content(safe(words)), run, text=safe(words))

    async def search(self, query: str) -> Hits:
        """What fits."""
        matcher = self.matcher(query)
        for words, run in self._commands():
            score = matcher.match(safe(words))
            if score > 0:
                yield Hit(score, Content(safe(words)), run, text=safe(words))
