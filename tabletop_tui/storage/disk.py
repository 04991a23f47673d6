"""The few things that are done to the disk, in one place: checked, synced, replaced atomically."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from weakref import WeakValueDictionary
from zlib import crc32

from ..rules import TableError

PRIVATE = 0o600
"""The mode of new files: a campaign holds the GM's secrets, so only its owner reads it."""
PRIVATE_FOLDER = 0o700
_EXCHANGE = 2  # RENAME_EXCHANGE of renameat2(2)
_HERE = -100  # AT_FDCWD
_JUST_NOW = 2.0
"""Seconds. Somebody who has a file open for longer without writing to it is not saving it."""


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

    def exchange(self, one: Path, other: Path) -> None:
        """Two files change places, at once."""
        import ctypes  # late: a start does without it, and so does a seat

        call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
        if call is None:
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
        if call(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(other))

    def lock(self, fd: int) -> None:
        """`flock`, as POSIX locks vanish when any descriptor of the file is closed."""
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)


def refused(where: str, error: OSError) -> TableError:
    """What a disk refused, in words."""
    first = error.args[0] if error.args else ""  # of a folder that is copied: a reason for each of its files
    why = first[0][-1] if isinstance(first, list) and first else error.strerror or error
    remedy = "Make room or mend the disk, then try again."
    return TableError(f"it cannot be written: {why}", where=where, remedy=remedy)


def private_folder(path: Path) -> None:
    """Make a folder, and those above it, that only its owner can look into; one that is there stays as it is."""
    for above in (*reversed(path.parents), path):
        if not above.is_dir():
            above.mkdir(PRIVATE_FOLDER, exist_ok=True)


def usual_mode() -> int:
    """The mode that this user gives to new files that are not the GM's alone."""
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask


def write_file(path: Path, data: bytes, disk: Disk, *, sync: bool = True, mode: int = PRIVATE) -> None:
    """Write a whole file so that at any moment either the old or the new one is there."""
    fresh = _beside(path, "new")
    try:
        _write(fresh, data, disk, sync=sync, mode=mode)
        disk.replace(fresh, path)
        if sync:
            sync_folder(path.parent, disk)
    except BaseException:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise


def _beside(path: Path, what: str) -> Path:
    """A name that is hidden and short, whatever the length of the file's own."""
    return path.with_name(f".{crc32(os.fsencode(path.name)):08x}.{os.getpid()}.{what}")


def _write(path: Path, data: bytes, disk: Disk, *, sync: bool, mode: int) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, PRIVATE)
    try:
        os.fchmod(fd, mode)
        done = 0
        while done < len(data):
            wrote = disk.write(fd, data[done:])
            if not wrote:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            done += wrote
        if sync:
            disk.sync(fd)
    finally:
        os.close(fd)


def sync_folder(folder: Path, disk: Disk) -> None:
    """A new name is safe when its folder is."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        disk.sync(fd)
    finally:
        os.close(fd)


# ---- files that people save at the same moment


def put_in_place(path: Path, data: bytes, disk: Disk, *, sync: bool = True) -> Path | None:
    """Put new content in the place of a file, and what was there aside, at once; returns where that is.

    So whatever somebody saved a moment ago can still be looked at: it is not lost, whoever is killed in between.
    None where no file was there.
    """
    mode = path.stat().st_mode & 0o777 if path.exists() else PRIVATE
    part, aside = _beside(path, "part"), _beside(path, f"{len(set_aside(path)):03d}.aside")
    try:
        _write(part, data, disk, sync=sync, mode=mode)
        disk.replace(part, aside)  # from here on a file of this name is whole: ours, or what somebody saved
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
    old = None
    try:
        if os.path.lexists(path):
            disk.exchange(aside, path)
            return aside
    except FileNotFoundError:
        pass  # taken away at this moment
    except OSError as error:
        if error.errno not in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP):
            aside.unlink()
            raise
        # a file system that cannot exchange two files: for a moment there is none
        old = _beside(path, f"{len(set_aside(path)):03d}.aside")
        disk.replace(path, old)
    _link(aside, path)
    aside.unlink()
    return old


def _link(source: Path, target: Path) -> None:
    """Give a file a second name, unless somebody has just saved one there: then that is the one."""
    with contextlib.suppress(FileExistsError):
        os.link(source, target)


def set_aside(path: Path) -> list[Path]:
    """What was put aside in the place of a file and not yet looked at, the oldest first."""
    mine, names = f".{crc32(os.fsencode(path.name)):08x}.", []
    with contextlib.suppress(OSError):
        names = [name for name in os.listdir(path.parent) if name.startswith(mine) and name.endswith(".aside")]
    return [path.with_name(name) for name in sorted(names, key=lambda name: name[-9:])]


def write_over(path: Path, data: bytes, expected: bytes, disk: Disk) -> bool:
    """Write a file that must hold `expected`. Where it does not, it is put back, and False says so."""
    aside = put_in_place(path, data, disk)
    if aside is None:
        return False
    done = not is_being_written(aside, path) and aside.read_bytes() == expected
    if not done:
        disk.replace(aside, path)
    else:
        aside.unlink()
        sync_folder(path.parent, disk)
    return done


def is_being_written(aside: Path, path: Path) -> bool:
    """Has somebody the file that was put aside open for writing? Linux tells, by refusing a lease.

    Some file systems refuse every lease, that of the file in its place too: then nobody knows.
    """
    return not _can_lease(aside) and _can_lease(path)


def _can_lease(path: Path) -> bool:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return True
    try:
        return _lease(fd)
    finally:
        os.close(fd)


def read_whole(path: Path) -> bytes | None:
    """The content of a file that nobody is writing now; None where somebody is, as only a part of it may be there.

    Who has a file open for long without writing to it is not saving it.
    """
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(fd, "rb") as file:
        if not _lease(fd) and abs(time.time() - os.fstat(fd).st_mtime) < _JUST_NOW:
            return None
        return file.read()  # while the lease is held, whoever wants to write waits


def _lease(fd: int) -> bool:
    """Keep writers waiting until the descriptor is closed; False where one has the file open already."""
    if not hasattr(fcntl, "F_SETLEASE"):
        return True
    try:
        fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGURG)  # that somebody waits is told by a signal: one nobody minds
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        return error.errno != errno.EAGAIN
    return True


# ---- locks


class Unlocked(TableError):
    """The lock could not be taken."""


class Lock:
    """A lock file. One process holds it, and in it one thread, which may take it again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._threads = threading.RLock()
        self._depth, self._fd = 0, -1

    def take(self, disk: Disk, patience: float) -> None:
        """Wait for it, for so many seconds."""
        until = time.monotonic() + patience
        if not self._threads.acquire(timeout=patience):
            raise self._held()
        try:
            if not self._depth:
                self._fd = self._wait(disk, until)
            self._depth += 1
        except BaseException:
            self._threads.release()
            raise

    def give_back(self) -> None:
        """As often as it was taken."""
        self._depth -= 1
        if not self._depth:
            os.close(self._fd)
        self._threads.release()

    def _wait(self, disk: Disk, until: float) -> int:
        while True:
            try:
                fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
            except OSError as error:
                raise Unlocked(
                    f"the lock cannot be opened: {error.strerror}",
                    where=str(self.path),
                    remedy="Check that the folder is there and yours.",
                ) from None
            try:
                disk.lock(fd)
                if _is_at(fd, self.path):
                    return fd
            except BlockingIOError:
                if time.monotonic() > until:
                    os.close(fd)
                    raise self._held() from None
                time.sleep(0.002)  # flock cannot wait with a limit, so it is asked again
            except OSError as error:
                os.close(fd)
                raise Unlocked(
                    f"files cannot be locked on this file system ({error.strerror}), "
                    "and without locks two programs could write at once",
                    where=str(self.path),
                    remedy="Move the campaign to a local disk.",
                ) from None
            except BaseException:
                os.close(fd)
                raise
            os.close(fd)

    def _held(self) -> TableError:
        return Unlocked(
            "another program has held this table for too long",
            where=str(self.path),
            remedy="Close the other tabletop, then try again.",
        )


def _is_at(fd: int, path: Path) -> bool:
    """Is the open file the one that has this name? Somebody may have replaced or deleted it."""
    try:
        return os.path.samestat(os.fstat(fd), os.stat(path))
    except FileNotFoundError:
        return False


_locks: WeakValueDictionary[str, Lock] = WeakValueDictionary()
"""One for each file, so that whoever holds one may call what takes it too."""
os.register_at_fork(after_in_child=_locks.clear)


@contextlib.contextmanager
def locked(path: Path, patience: float = 10.0, disk: Disk | None = None) -> Iterator[None]:
    """Hold a lock file."""
    lock = _locks.setdefault(os.path.abspath(path), Lock(path))
    lock.take(disk or Disk(), patience)
    try:
        yield
    finally:
        lock.give_back()
