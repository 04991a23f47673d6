"""The evening of `tabletop serve`: invitations, the server, and the GM's own screen in the same terminal."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
from datetime import datetime
from pathlib import Path

from ..rules import TableError, clean
from ..session import players_of
from ..storage.disk import PRIVATE
from ..storage.open_campaign import OpenCampaign
from ..storage.user.invitations import Invitations, shown
from ..storage.user.seat_keys import serve_home
from . import Options
from .limits import Limits
from .server import Reception, host_key, listen

EVERYWHERE = ("", "0.0.0.0", "::")
"""Addresses to listen at that stand for all of this machine's."""


def own_address() -> str:
    """How others on the network reach this machine, as far as it can tell; nothing is sent for that."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: only the way to it is looked up
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def reached_at(listen: str) -> str:
    """Where players find the server: the one address that it listens at, or this machine's."""
    return own_address() if listen in EVERYWHERE else listen


class Host:
    """Serves one campaign until the GM's screen is left, or until it is interrupted."""

    def __init__(self, campaign: Path, options: Options) -> None:
        self.root, self.options = campaign.resolve(), options
        opened = OpenCampaign(self.root)  # also begins the first session: a seat begins none
        self.title = opened.title
        self.players = players_of(opened.table.world.sheets.values())
        opened.close()
        self.invitations = Invitations(self.root)
        self._stop = asyncio.Event()
        self._screen: asyncio.subprocess.Process | None = None
        self._log = serve_home() / "serve.log"
        self._log.unlink(missing_ok=True)

    async def run(self) -> int:
        """From the first invitation to the last farewell."""
        logging.getLogger("asyncssh").setLevel(logging.CRITICAL)  # nothing may be written over the GM's screen
        key = host_key(serve_home() / "host_key")
        reception = Reception(self.root, self.invitations, Limits(), self._note)
        try:
            server = await listen(reception, key, self.options.listen, self.options.port)
        except OSError as error:
            raise TableError(
                f"port {self.options.port} cannot be used: {error.strerror or error}",
                remedy="Choose another: tabletop serve CAMPAIGN --port 8023.",
            ) from None
        self._invite(server.get_port(), key.get_fingerprint())
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._signalled, number)
        try:
            return await (self._with_screen() if self.options.screen else self._alone())
        finally:
            server.close()
            await reception.close()
            await server.wait_closed()

    # ---- telling

    def _say(self, words: str = "") -> None:
        print(clean(words), flush=True)

    def _invite(self, port: int, fingerprint: str) -> None:
        name = self.options.name or reached_at(self.options.listen)
        known = self.invitations.seats()
        self._say(f"{self.title}: serving seats on port {port}.")
        self._say(f"The key of this machine: {fingerprint}")
        if here := [player for player in self.players if player in known]:
            self._say(f"Known already: {', '.join(here)}.")
        for player in self.players:
            if player not in known:
                self._say(f"\n  For {player}, once:\n    ssh -p {port} {name}")
                self._say(f"    code {shown(self.invitations.invite(player).code)}")
        self._say()

    def _note(self, words: str) -> None:
        """What happened, in a file of its own; on the terminal, too, where no screen is drawn over it."""
        line = f"{datetime.now():%H:%M:%S} {clean(words)}"
        fd = os.open(self._log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
        with os.fdopen(fd, "a", encoding="utf-8", errors="replace") as file:
            file.write(line + "\n")
        if not self.options.screen:
            self._say(line)

    # ---- until when

    def _signalled(self, number: signal.Signals) -> None:
        if number == signal.SIGINT and self._screen is not None:
            return  # it was meant for what runs in the GM's screen: an editor, say
        self._stop.set()

    async def _alone(self) -> int:
        self._say("Ctrl+C ends it.")
        await self._stop.wait()
        return 0

    async def _with_screen(self) -> int:
        if self.invitations.open():
            self._say("Send these on, then press Enter for your screen.")
            if not await self._entered():
                return 0
        play = [sys.executable, "-P", "-m", "tabletop_tui", "play", str(self.root)]
        self._screen = await asyncio.create_subprocess_exec(*play)
        stopped = asyncio.create_task(self._stop.wait())
        ended = asyncio.create_task(self._screen.wait())
        await asyncio.wait({stopped, ended}, return_when=asyncio.FIRST_COMPLETED)
        if not ended.done():
            self._screen.terminate()
        stopped.cancel()
        return await ended

    async def _entered(self) -> bool:
        """Wait for Enter; False where it was interrupted, or nobody is there to press it."""
        loop, done = asyncio.get_running_loop(), asyncio.Event()
        came = ""

        def read() -> None:
            nonlocal came
            came = sys.stdin.readline()
            loop.remove_reader(sys.stdin)
            done.set()

        loop.add_reader(sys.stdin, read)
        waits = {asyncio.create_task(done.wait()), asyncio.create_task(self._stop.wait())}
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for one in waits:
            one.cancel()
        return bool(came)
