"""Being told at once that a log has grown: by the kernel where it can, else by looking at its size."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from pathlib import Path

MODIFY, MOVED_TO, CREATE = 0x2, 0x80, 0x100
"""What of a folder is of interest: see inotify(7)."""
EVENT = struct.calcsize("iIII")


class Watch:
    """A file descriptor that can be read when something in a folder has changed; none where there is no inotify."""

    def __init__(self, folder: Path) -> None:
        self.fd = -1
        if not sys.platform.startswith("linux"):
            return
        try:
            libc = ctypes.CDLL(None, use_errno=True)
            fd = int(libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
            added = (
                int(libc.inotify_add_watch(fd, os.fsencode(folder), MODIFY | MOVED_TO | CREATE)) if fd >= 0 else -1
            )
        except (OSError, AttributeError):
            return
        if added >= 0:
            self.fd = fd
        elif fd >= 0:
            os.close(fd)

    def drain(self, ending: str) -> bool:
        """Take what has come; was a file with that ending among it?"""
        found = False
        while True:
            try:
                data = os.read(self.fd, 65_536)
            except (BlockingIOError, OSError):
                return found
            while len(data) >= EVENT:
                size = struct.unpack_from("iIII", data)[3]
                name = data[EVENT : EVENT + size].rstrip(b"\0")
                found = found or name.endswith(ending.encode())
                data = data[EVENT + size :]

    def close(self) -> None:
        """Give it back."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def size_of(path: Path) -> int:
    """How long a file is; -1 where it is gone."""
    try:
        return path.stat().st_size
    except OSError:
        return -1
