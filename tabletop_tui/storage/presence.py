"""Who is at the table: each seat holds a lock on a file of its own, and the kernel lets go of it however it ends."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from ..rules import clean
from ..session import SPECTATOR
from .disk import private_folder
from .log import SESSIONS

HERE = ".here"
GM = "the GM"
"""How the GM's own seat is called."""
MOST = 200
"""Characters of a name, and files that are looked at."""


class Presence:
    """A seat that somebody has taken; it is free again when this is closed or the process ends."""

    here: tuple[str, ...] = ()
    """Everybody who sat at the table when somebody last looked from here."""

    def __init__(self, root: Path, name: str) -> None:
        self.root, self.folder, self.name = root, root / SESSIONS / HERE, name
        self._file = -1
        try:
            private_folder(self.folder)
            self.path = self.folder / f"{os.getpid()}-{os.urandom(4).hex()}"
            fresh = self.path.with_name(f".{self.path.name}")  # nobody looks at it until it is held
            self._file = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.write(self._file, name.encode()[:MOST])
            fresh.rename(self.path)
            self.here = present(root)
        except OSError:  # nobody hears of it, and play goes on
            if self._file >= 0:
                with suppress(OSError):
                    fresh.unlink()
            self.close()

    def comings(self) -> tuple[str, ...]:
        """Who sat down and who got up since this was last asked."""
        before, self.here = self.here, present(self.root)
        came = [f"{_called(name)} sat down" for name in self.here if name not in before]
        gone = [name for name in sorted(before) if name not in (*self.here, self.name)]
        return (*came, *(f"{_called(name)} got up" for name in gone))

    def close(self) -> None:
        """Get up."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
            with suppress(OSError):  # on a disk that is gone, or read-only, it is of somebody who was cut off
                self.path.unlink()


def present(root: Path) -> tuple[str, ...]:
    """Everybody who sits at the table now, by name. A file that nobody holds is of somebody who was cut off."""
    folder, found = root / SESSIONS / HERE, set()
    try:
        names = [name for name in sorted(os.listdir(folder)) if not name.startswith(".")][:MOST]
    except OSError:
        return ()
    for name in names:
        if (who := _holder(folder / name)) is not None:
            found.add(who)
    return tuple(sorted(found))


def _called(name: str) -> str:
    return "Somebody who looks on" if name == SPECTATOR else name[:1].upper() + name[1:]


def _holder(path: Path) -> str | None:
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return clean(os.read(file, MOST).decode("utf-8", "replace"))
    else:
        with suppress(OSError):
            path.unlink()
        return None
    finally:
        os.close(file)
