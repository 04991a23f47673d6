"""A server that players may sit down at, and real clients for it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import openssh
import playing
from ptys import Terminal


def until(done: Callable[[], object], what: str, seconds: float = 30) -> None:
    """Wait for something that another process does."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.02)


class Door:
    """A server that Ana may sit down at."""

    def __init__(self, campaign: Path, place: Path) -> None:
        self.campaign, self.place = campaign, place
        self.port = 0
        self.ana = openssh.new_key(place / "ana")
        self.stranger = openssh.new_key(place / "stranger")
        self.opened: list[Terminal] = []
        self.known: tuple[str | Path, ...] = ("--into", place / "authorized_keys")
        """Where `tabletop seats add` puts a key for this server."""

    def lets_in(self, player: str, key: Path) -> None:
        """Give a player's key its seat, as a GM does it."""
        words = ("--campaign", self.campaign, "--key", key.with_suffix(".pub"), "--yes", *self.known)
        done = playing.command("seats", "add", player, *words)
        assert done.returncode == 0, done.stderr

    def line(self, *words: str, key: Path | None = None, program: str = "ssh") -> list[str]:
        """A client's command line with Ana's key."""
        return openssh.client(self.port, key or self.ana, *words, program=program)

    def sit(self, *words: str, key: Path | None = None, size: tuple[int, int] = (80, 24), term: str = "") -> Terminal:
        """A real client in a terminal of its own."""
        env = {"TERM": term} if term else {}
        one = Terminal(self.line(*words, openssh.me(), key=key), env, size)
        self.opened.append(one)
        return one

    def run(self, *words: str, program: str = "ssh", key: Path | None = None) -> subprocess.CompletedProcess[bytes]:
        """A real client without a terminal."""
        return subprocess.run(
            self.line(*words, program=program, key=key), stdin=subprocess.DEVNULL, capture_output=True, timeout=60
        )

    def processes(self) -> list[int]:
        """Every process of a seat at this campaign."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                try:
                    words = (entry / "cmdline").read_bytes().split(b"\0")
                except OSError:
                    continue
                if os.fsencode(self.campaign) in words and any(w.startswith(b"--seat=") for w in words):
                    found.append(int(entry.name))
        return found

    def environment(self) -> dict[str, str]:
        """Of the one process that there is."""
        (pid,) = self.processes()
        words = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        return dict(w.decode(errors="replace").partition("=")[::2] for w in words if w)

    def close(self) -> None:
        for one in self.opened:
            one.close()


class Served(Door):
    """`tabletop serve` as a process."""

    def __init__(self, campaign: Path, place: Path) -> None:
        super().__init__(campaign, place)
        self.known = ("--serve",)

    def start(self, *words: str) -> None:
        argv = [sys.executable, "-m", "tabletop_tui", "serve", str(self.campaign), "--no-screen"]
        self.process = subprocess.Popen(
            [*argv, "--listen", "127.0.0.1", "--port", "0", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        self.said: list[str] = []
        while "Ctrl+C" not in (line := self.process.stdout.readline()):
            assert line, f"it ended: {self.said}"
            self.said.append(line)
        self.port = int(self._found(r"on port (\d+)"))

    def _found(self, pattern: str) -> str:
        found = re.search(pattern, "".join(self.said))
        assert found, self.said
        return found[1]

    def code(self, player: str) -> str:
        """The code of a player's invitation, as it was printed."""
        return self._found(rf"For {player}, once:\n.*\n +code (\S+)")

    def next_line(self) -> str:
        """What it says next."""
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status
