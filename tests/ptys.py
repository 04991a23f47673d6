"""A program on a pseudo-terminal, as a user has it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Callable

import pyte


class Terminal:
    """A program on a pseudo-terminal; everything that it draws is kept, byte by byte."""

    def __init__(self, argv: list[str], env: dict[str, str], size: tuple[int, int]) -> None:
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self._drawn = 0
        self.raw = b""
        self.status: int | None = None
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            # the terminal's own size counts, not that of the one where the tests were started
            mine = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
            os.execvpe(argv[0], argv, {**mine, "TERM": "xterm-256color", "COLORTERM": "truecolor", **env})
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def pump(self, seconds: float = 0.05) -> None:
        watch = select.poll()  # not select: it fails where a long run has many files open
        watch.register(self.fd, select.POLLIN | select.POLLHUP)
        if not watch.poll(seconds * 1000):
            return
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        if not data:
            if self.status is None:
                self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            return
        self.raw += data

    @property
    def screen(self) -> pyte.Screen:
        """What stands there by now; drawn when somebody looks, as it takes longer than all the rest."""
        if fresh := self.raw[self._drawn :]:
            self._stream.feed(fresh)
            self._drawn = len(self.raw)
        return self._screen

    def text(self) -> str:
        return "\n".join(self.screen.display)

    def until(self, done: Callable[[], bool], what: str, seconds: float = 30) -> None:
        end = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < end, f"not within {seconds} s: {what}\n{self.text()}"
            assert self.status is None or done(), f"it ended with {self.status}\n{self.text()}"
            self.pump()

    def sees(self, words: str) -> None:
        self.until(lambda: words in self.text(), words)

    def ends(self) -> None:
        self.until(lambda: self.status is not None, "the end of the line")

    def send(self, keys: str) -> None:
        os.write(self.fd, keys.encode())

    def signal(self, number: signal.Signals) -> int:
        os.kill(self.pid, number)
        end = time.monotonic() + 15
        while self.status is None and time.monotonic() < end:
            self.pump()
        assert self.status is not None, f"{number.name} did not end it"
        return self.status

    def close(self) -> None:
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)
