"""Disks that fail, and processes that are killed: the only seam is the system calls."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

from tabletop_tui.storage.disk import Disk


class CountingDisk(Disk):
    """Calls `fail` at the Nth system call, with its name; counts on."""

    def __init__(self, at: int) -> None:
        self.at, self.count = at, 0

    def due(self) -> bool:
        self.count += 1
        return self.count == self.at


class KillingDisk(CountingDisk):
    """SIGKILL before the Nth call, after it, or, for a write, when half of it is done."""

    def __init__(self, at: int, moment: str) -> None:
        super().__init__(at)
        self.moment = moment

    def _run(self, call: Callable[[], object], half: Callable[[], object] | None = None) -> None:
        if not self.due():
            call()
            return
        if self.moment == "half" and half:
            half()
        if self.moment == "after":
            call()
        os.kill(os.getpid(), signal.SIGKILL)

    def write(self, fd: int, data: bytes) -> int:
        self._run(lambda: os.write(fd, data), lambda: os.write(fd, data[: len(data) // 2]))
        return len(data)

    def sync(self, fd: int) -> None:
        self._run(lambda: os.fdatasync(fd))

    def cut(self, fd: int, length: int) -> None:
        self._run(lambda: os.ftruncate(fd, length))

    def replace(self, source: Path, target: Path) -> None:
        self._run(lambda: os.replace(source, target))

    def exchange(self, one: Path, other: Path) -> None:
        self._run(lambda: super(KillingDisk, self).exchange(one, other))


class SickDisk(CountingDisk):
    """The Nth call fails: a short write without an error, or an error, for once or from then on."""

    def __init__(self, at: int, error: int, *, short: bool = False, lasting: bool = False) -> None:
        super().__init__(at)
        self.error, self.short, self.lasting, self.failed = error, short, lasting, ""

    def _fails(self, what: str) -> bool:
        if self.due() or (self.lasting and self.count > self.at):
            self.failed = self.failed or what
            return True
        return False

    def write(self, fd: int, data: bytes) -> int:
        if self._fails("write"):
            if self.short:
                return os.write(fd, data[: len(data) * 2 // 3])
            raise OSError(self.error, os.strerror(self.error))
        return super().write(fd, data)

    def sync(self, fd: int) -> None:
        if self._fails("sync") and not self.short:
            raise OSError(self.error, os.strerror(self.error))
        super().sync(fd)

    def cut(self, fd: int, length: int) -> None:
        if self._fails("cut") and not self.short:
            raise OSError(self.error, os.strerror(self.error))
        super().cut(fd, length)

    def replace(self, source: Path, target: Path) -> None:
        if self._fails("replace") and not self.short:
            raise OSError(self.error, os.strerror(self.error))
        super().replace(source, target)

    def exchange(self, one: Path, other: Path) -> None:
        if self._fails("exchange") and not self.short:
            raise OSError(self.error, os.strerror(self.error))
        super().exchange(one, other)


def in_child(work: Callable[[Callable[[str], None]], object]) -> tuple[list[str], int]:
    """Run `work` in a process of its own; what it acknowledged, one line each, and how it ended."""
    reading, writing = os.pipe()

    def acknowledge(line: str) -> None:
        os.write(writing, line.encode() + b"\n")

    child = os.fork()
    if not child:
        status = 70
        try:
            os.close(reading)
            work(acknowledge)
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading) as lines:
        told = lines.read().splitlines()
    _, status = os.waitpid(child, 0)
    return told, os.waitstatus_to_exitcode(status)
