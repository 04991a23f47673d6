"""A program on a pseudo-terminal of its own, whose bytes go to and fro between it and a connection."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import termios
from collections.abc import Callable, Sequence

PASSED_ON = ("HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "PYTHONPATH", "TZ", "USER", "VIRTUAL_ENV")
"""What a seat's program gets of the environment, besides XDG folders: nothing comes from the player."""
LARGEST = (400, 200)
SMALLEST = (20, 5)
"""Columns and rows: what a screen has to draw is limited, whatever a client says."""
CHUNK = 32 * 1024
WAITING = 64 * 1024
"""Bytes that a program has not read yet, before the connection is asked to wait."""
PATIENCE = 5.0
"""Seconds that a program has to end after its line was dropped."""
KNOWN_TERMINAL = re.compile(r"[A-Za-z0-9][A-Za-z0-9+._-]{0,39}")


def environment(terminal: str) -> dict[str, str]:
    """For a program at a terminal of this kind."""
    kept = {name: value for name, value in os.environ.items() if name in PASSED_ON or name.startswith("XDG_")}
    return {**kept, "TERM": terminal if KNOWN_TERMINAL.fullmatch(terminal) else "xterm-256color"}


class Terminal:
    """A pseudo-terminal and the program on it."""

    def __init__(self, output: Callable[[bytes], None], throttle: Callable[[bool], None]) -> None:
        """`output` takes what the program draws; `throttle` is told when keys have to wait, and when not any more."""
        self._output, self._throttle = output, throttle
        self._fd = -1
        self._waiting = bytearray()
        self._process: asyncio.subprocess.Process | None = None

    async def run(self, argv: Sequence[str], terminal: str, columns: int, rows: int) -> int:
        """Run a program to its end; its exit status."""
        self._fd, theirs = pty.openpty()
        try:
            self.resize(columns, rows)
            os.set_blocking(self._fd, False)
            self._process = await asyncio.create_subprocess_exec(
                *argv,
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                env=environment(terminal),
                start_new_session=True,
                preexec_fn=_take_terminal,  # a dropped line and a changed size are told through it
            )
        finally:
            os.close(theirs)
        self._loop.add_reader(self._fd, self._read)
        try:
            return await self._process.wait()
        finally:
            self._drain()
            self.hang_up()

    @property
    def _loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    def resize(self, columns: int, rows: int) -> None:
        """The window has another size."""
        if self._fd >= 0:
            wide, high = (
                min(max(n, low), top) for n, low, top in zip((columns, rows), SMALLEST, LARGEST, strict=True)
            )
            fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", high, wide, 0, 0))

    # ---- bytes

    def _read(self) -> bool:
        try:
            data = os.read(self._fd, CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            data = b""  # Linux: nobody has the other end open any more
        if data:
            self._output(data)
        else:
            self._loop.remove_reader(self._fd)
        return bool(data)

    def _drain(self) -> None:
        """The last words of a program that has ended."""
        while self._fd >= 0 and self._read():
            pass

    def write(self, data: bytes) -> None:
        """Keys for the program."""
        if self._fd < 0:
            return
        if not self._waiting:
            self._loop.add_writer(self._fd, self._write)
        self._waiting += data
        if len(self._waiting) > WAITING:
            self._throttle(True)

    def _write(self) -> None:
        try:
            del self._waiting[: os.write(self._fd, self._waiting[:CHUNK])]
        except BlockingIOError:
            return
        except OSError:
            self._waiting.clear()
        if not self._waiting:
            self._loop.remove_writer(self._fd)
        if len(self._waiting) <= WAITING // 2:
            self._throttle(False)

    def pause(self) -> None:
        """The connection is slow: what the program draws waits."""
        if self._fd >= 0:
            self._loop.remove_reader(self._fd)

    def go_on(self) -> None:
        """The connection takes more."""
        if self._fd >= 0:
            self._loop.add_reader(self._fd, self._read)

    # ---- ending

    def hang_up(self) -> None:
        """The line is dropped: the program is told by SIGHUP, as by any terminal."""
        if self._fd >= 0:
            self._loop.remove_reader(self._fd)
            self._loop.remove_writer(self._fd)
            os.close(self._fd)
            self._fd = -1

    async def end(self, *, politely: bool = False) -> None:
        """Hang up, and make sure that nothing is left running; politely, so that it can put the terminal right."""
        if (process := self._process) is None:
            self.hang_up()
            return
        if politely:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
        else:
            self.hang_up()
        try:
            await asyncio.wait_for(asyncio.shield(process.wait()), PATIENCE)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
