"""The few things that are done to the disk, in one place: checked, synced, replaced atomically."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from ..rules import TableError


class Disk:
    """The system calls. Tests put one that fails at the Nth call in its place."""

    def write(self, fd: int, data: bytes) -> int:
        """How many bytes were written: on a full disk fewer than asked for, without an error."""
        return os.write(fd, data)

    def sync(self, fd: int) -> None:
        """Returns when the data is on the disk."""
        os.fdatasync(fd)

    def cut(self, fd: int, length: int) -> None:
        """Cut a file back."""
        os.ftruncate(fd, length)

    def replace(self, source: Path, target: Path) -> None:
        """Put one file in the place of another, at once."""
        os.replace(source, target)


def write_file(path: Path, data: bytes, disk: Disk, *, sync: bool = True, mode: int = 0o644) -> None:
    """Write a whole file so that at any moment either the old or the new one is there."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        try:
            if mode != 0o644:
                os.fchmod(fd, mode)  # what a person allowed is theirs, whatever new files are allowed
            done = 0
            while done < len(data):
                wrote = disk.write(fd, data[done:])
                if not wrote:
                    raise OSError(28, os.strerror(28))
                done += wrote
            if sync:
                disk.sync(fd)
        finally:
            os.close(fd)
        disk.replace(fresh, path)
        if sync:
            sync_folder(path.parent, disk)
    except BaseException:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise


def sync_folder(folder: Path, disk: Disk) -> None:
    """A new name is safe when its folder is."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        disk.sync(fd)
    finally:
        os.close(fd)


@contextlib.contextmanager
def locked(path: Path, patience: float = 10.0) -> Iterator[None]:
    """Hold a lock file. `flock`, as POSIX locks vanish when any descriptor of the file is closed."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        until = time.monotonic() + patience
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    raise TableError(
                        "another program has held this table for too long",
                        where=str(path),
                        remedy="Close the other tabletop, then try again.",
                    ) from None
                time.sleep(0.002)  # flock cannot wait with a limit, so it is asked again
        yield
    finally:
        os.close(fd)
