"""What others do is on the screen at once: the log is watched, and looked at every second all the same."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from textual.screen import Screen

from ..storage.log import SESSIONS
from ..storage.open_campaign import OpenCampaign
from ..storage.watch import Watch, size_of

OFTEN, ALWAYS = 0.1, 1.0
"""Seconds between two looks at the log's size where nothing tells of it, and at everything."""

Look = Callable[[], Awaitable[None]]


class Live:
    """Looks as soon as the log has grown, and not twice at once."""

    def __init__(self, screen: Screen[None], campaign: OpenCampaign, look: Look) -> None:
        self.campaign, self._look = campaign, look
        self._looking = self._again = False
        self._size = -1
        self.watch = Watch(campaign.root / SESSIONS)
        self._loop = asyncio.get_running_loop()
        if self.watch.fd >= 0:
            self._loop.add_reader(self.watch.fd, self._told)
        else:
            screen.set_interval(OFTEN, self._grown)
        screen.set_interval(ALWAYS, self.look)
        self._screen = screen
        campaign.sit_down()

    @property
    def log(self) -> Path:
        """The log of the session that is played now."""
        return self.campaign.log.path

    def _told(self) -> None:
        if self.watch.drain(".jsonl"):
            self._screen.call_next(self.look)

    async def _grown(self) -> None:
        if (size := size_of(self.log)) != self._size:
            self._size = size
            await self.look()

    async def look(self) -> None:
        """Look now; where somebody is looking, once more when they have."""
        if self._looking:
            self._again = True
            return
        self._looking = True
        try:
            while True:
                self._again = False
                await self._look()
                if not self._again:
                    return
        finally:
            self._looking = False

    def close(self) -> None:
        """Nobody looks any more."""
        if self.watch.fd >= 0:
            self._loop.remove_reader(self.watch.fd)
        self.watch.close()
