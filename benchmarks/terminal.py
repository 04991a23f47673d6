"""Programs on a pseudo-terminal, as a user runs them: time to a frame, bytes drawn, memory, CPU."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyte

COLUMNS, ROWS = 100, 30
BARE = [sys.executable, "-m", "benchmarks.bare"]
KEYS = {"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F"}
KEYS |= {"pgup": "\x1b[5~", "pgdn": "\x1b[6~", "redo": "\x12", "enter": "\r", "esc": "\x1b"}


def tabletop(*words: str) -> list[str]:
    """The program as a command line."""
    return [sys.executable, "-m", "tabletop_tui", *words]


class Screen:
    """A program that runs, and what it has drawn."""

    def __init__(self, argv: Sequence[str]) -> None:
        self.begun = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            env = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
            # under nohup the bare app would outlive its terminal, and use a core for nothing
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
            os.execvpe(argv[0], list(argv), env)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.raw = b""

    def until(self, words: bytes, limit: float = 60.0) -> float:
        """Milliseconds from the start until some words are drawn."""
        end = time.perf_counter() + limit
        while words not in self.raw:
            if time.perf_counter() > end:
                raise TimeoutError(f"{words!r} was not drawn within {limit:g} seconds")
            self._read(0.05)
        return (time.perf_counter() - self.begun) * 1000

    def _read(self, seconds: float) -> bool:
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            self.raw += os.read(self.fd, 65_536)
        except OSError:
            return False
        return True

    def rest(self, quiet: float = 0.15) -> bytes:
        """Everything drawn until nothing comes for a while."""
        before = len(self.raw)
        while self._read(quiet):
            pass
        return self.raw[before:]

    def press(self, key: str, quiet: float = 0.15) -> tuple[float, bytes]:
        """Milliseconds from a key to the first bytes that it draws, and all of them."""
        while self._read(0):  # what came late belongs to the key before
            pass
        before, begun = len(self.raw), time.perf_counter()
        os.write(self.fd, KEYS.get(key, key).encode())
        select.select([self.fd], [], [], 5)
        took = (time.perf_counter() - begun) * 1000
        self.rest(quiet)
        return took, self.raw[before:]

    def memory(self) -> float:
        """Megabytes that it holds now."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024

    def cpu(self) -> float:
        """Seconds of CPU that it has used."""
        tasks = Path(f"/proc/{self.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9

    def close(self) -> None:
        """Away with it."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


@contextmanager
def running(argv: Sequence[str], words: bytes) -> Iterator[Screen]:
    """A program whose first useful frame is drawn."""
    screen = Screen(argv)
    try:
        screen.until(words)
        yield screen
    finally:
        screen.close()


def first_frame(argv: Sequence[str], words: bytes) -> float:
    """Milliseconds to it."""
    screen = Screen(argv)
    try:
        return screen.until(words)
    finally:
        screen.close()


class Picture:
    """What a terminal shows, and what it would have cost to draw it."""

    def __init__(self) -> None:
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)

    def least(self, drawn: bytes) -> int:
        """The bytes of a perfect program for the same: each cell that changed, once, with its colours."""
        now = self._screen.buffer
        old = [[now[y][x] for x in range(COLUMNS)] for y in range(ROWS)]
        self._stream.feed(drawn)
        total = 0
        for y in range(ROWS):
            style: object = None
            last = -2
            for x in range(COLUMNS):
                cell = now[y][x]
                if cell == old[y][x]:
                    continue
                if x != last + 1:
                    total += len(f"\x1b[{y + 1};{x + 1}H")
                look = (cell.fg, cell.bg, cell.bold, cell.italics, cell.underscore, cell.reverse)
                if look != style:
                    total += len(_colours(cell))
                    style = look
                total += len(cell.data.encode())
                last = x
        return total


def _colours(cell: pyte.screens.Char) -> str:
    """The escape sequence that a cell's look takes."""
    parts = ["0"] + ["1"] * bool(cell.bold) + ["4"] * bool(cell.underscore) + ["7"] * bool(cell.reverse)
    for lead, colour in (("38", cell.fg), ("48", cell.bg)):
        if len(colour) == 6:
            try:
                parts.append(f"{lead};2;{';'.join(str(int(colour[i : i + 2], 16)) for i in (0, 2, 4))}")
                continue
            except ValueError:
                pass
        if colour != "default":
            parts.append(f"{lead[0]}7")
    return f"\x1b[{';'.join(parts)}m"
