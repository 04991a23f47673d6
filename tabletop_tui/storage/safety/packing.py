"""A whole campaign as one file, to move or to keep, and out of it again."""

import io
import os
import re
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path, PurePosixPath

from ...rules import HOSTILE, Model, Refused, TableError
from ..campaign import MAIN, NOW
from ..campaign.schema import PLACE
from ..disk import PRIVATE, Disk, locked, private_folder, sync_folder, write_file
from ..log import LOCK
from .backups import BACKUPS

MOST_FILES = 5_000
MOST_EACH = 16 << 20
"""Bytes of a file that is no log; what is larger is left out, and that is told."""
MOST_ALL = 1 << 30
MOST_TIMES = 100
"""How many times as large as the packed file its content may be, where that is more than `ANYHOW`. Each line of a log
has a checksum of its own, so even the dullest log cannot be packed as tightly."""
ANYHOW = 64 << 20
_LEVEL = 3  # a log of 28 MB: 0.17 s, and hardly larger than with twice the time
_NAME = re.compile(r"[\w][\w .'-]{0,99}")
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""Always the same time: the same campaign gives the same bytes."""


class Packed(Model):
    """A packed campaign."""

    data: bytes
    files: int
    left_out: tuple[str, ...] = ()


def pack(root: Path) -> Packed:
    """Everything in a campaign's folder but backups, locks, links and zips; a log in play is not torn."""
    if not (root / MAIN).is_file():
        raise TableError("this folder is not a campaign: it has no campaign.toml", where=str(root))
    name = folder_name(root)
    left_out: list[str] = []
    held = io.BytesIO()
    files, now = _sizes(root, left_out)
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as out:
        for inside, size in files.items():
            info = zipfile.ZipInfo(f"{name}/{inside}", _EPOCH)
            info.compress_type, info.create_system, info.external_attr = zipfile.ZIP_DEFLATED, 3, PRIVATE << 16
            out.writestr(info, now if inside == NOW else _bytes(root / inside, size), compresslevel=_LEVEL)
        out.comment = seal(out)
    return Packed(held.getvalue(), len(files), tuple(left_out))


def folder_name(root: Path) -> str:
    """What a campaign's folder is called where it is unpacked: as it is, but for what cannot be in such a name."""
    return re.sub(r"^\W+|[^\w .'-]", "-", root.resolve().name).lstrip("-")[:100] or "campaign"


def seal(packed: zipfile.ZipFile) -> bytes:
    """What the file's comment must say: else a damaged list of files would be taken for a shorter one."""
    listed = "".join(f"{info.filename}\0{info.CRC:08x}\n" for info in packed.infolist())
    return b"tabletop %08x" % zlib.crc32(listed.encode())


def _sizes(root: Path, left_out: list[str]) -> tuple[dict[str, int], bytes]:
    """The files and how much of each is taken: of a log what it held at one moment, as nothing in it ever changes.

    now.toml is read at that moment, as it is a picture of the log.
    """
    lock = root / "sessions" / LOCK
    with locked(lock) if os.access(lock, os.R_OK | os.W_OK) else nullcontext():
        found = dict(sorted(_walk(root, left_out)))
        now = _bytes(root / NOW, MOST_EACH) if NOW in found else b""
    if len(found) > MOST_FILES:
        raise Refused(
            f"{len(found)} files are too many for a campaign", where=str(root), remedy=f"At most {MOST_FILES}."
        )
    return found, now


def _walk(root: Path, left_out: list[str]) -> Iterator[tuple[str, int]]:
    for place, folders, names in os.walk(root):
        here = Path(place).relative_to(root)
        hidden = [f for f in folders if f.startswith(".") and f != PLACE]
        folders[:] = [f for f in folders if f not in hidden and (f != BACKUPS or here.parts)]
        for name in names:
            if name.startswith(".") or name.endswith(".bak"):
                continue
            inside = (here / name).as_posix()
            state = (root / inside).lstat()
            log = inside.startswith("sessions/") and name.endswith(".jsonl")
            # a packed campaign in its own folder would be packed again and again
            fits = (log or state.st_size <= MOST_EACH) and not name.endswith(".zip") and _is_plain(inside)
            if stat.S_ISREG(state.st_mode) and fits:
                yield inside, state.st_size
            else:
                left_out.append(inside)


def _bytes(path: Path, size: int) -> bytes:
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(fd, "rb") as file:
        # a file that was saved meanwhile is taken as it is by now; only a log grows while it is read
        return file.read(size if path.suffix == ".jsonl" else MOST_EACH)


def unpack(file: Path, into: Path, name: str = "", disk: Disk | None = None) -> Path:
    """Take a campaign out of a packed file. It appears whole or not at all, and never over what is there."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            raise Refused("this is not a file", where=str(file))
        with zipfile.ZipFile(file) as packed:
            return _unpack(packed, into, name, disk or Disk())
    except OSError as error:
        raise TableError(f"it cannot be unpacked: {error.strerror or error}", where=str(file)) from None
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, RuntimeError) as error:
        raise TableError(
            f"this is not a packed campaign, or it is damaged: {error}",
            where=str(file),
            remedy="tabletop pack writes one. Nothing was unpacked.",
        ) from None


def _unpack(packed: zipfile.ZipFile, into: Path, name: str, disk: Disk) -> Path:
    if packed.comment != seal(packed):
        raise zipfile.BadZipFile("its list of files is not the one that was packed")
    members = packed.infolist()
    tops = {PurePosixPath(info.filename).parts[:1] for info in members}
    if len(members) > MOST_FILES or len(tops) != 1:
        raise Refused("a packed campaign is one folder with at most 5000 files", remedy="Nothing was unpacked.")
    (top,) = tops.pop() or ("",)
    inside = {_safe(info, top): info for info in members}
    if len(inside) != len(members) or PurePosixPath(MAIN) not in inside:
        raise Refused("it has no campaign.toml, or files twice", remedy="Nothing was unpacked.")
    if not _NAME.fullmatch(name or top):
        raise Refused(
            f"{name or top!r} cannot be a campaign's name", remedy="Letters, digits, space, . ' _ and - only."
        )
    target = into / (name or top)
    if target.exists() or target.is_symlink():
        raise Refused(
            "there is something already", where=str(target), remedy="Rename that, or choose another folder."
        )
    private_folder(into)
    part = into / f".{target.name}.{os.getpid()}.part"
    try:
        _write(packed, inside, part, disk)
        part.rename(target)
        sync_folder(into, disk)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    return target


def _safe(info: zipfile.ZipInfo, top: str) -> PurePosixPath:
    """The path inside the campaign; refused where it could lead anywhere else, or is no plain file."""
    path = PurePosixPath(info.filename)
    mode = info.external_attr >> 16
    kinds = stat.S_IFMT(mode) in (0, stat.S_IFREG)
    parts = path.parts[1:]
    odd = HOSTILE.search(top) or path.is_absolute() or path.as_posix() != info.filename
    if not kinds or odd or not _is_plain("/".join(parts)) or ".." in path.parts or top in (".", "..", ""):
        raise Refused(f"{info.filename!r} in it is not a plain file of a campaign", remedy="Nothing was unpacked.")
    return PurePosixPath(*parts)


def _is_plain(inside: str) -> bool:
    """Can a file of this name be packed, so that it can be unpacked on any system?"""
    parts = PurePosixPath(inside).parts
    if not 0 < len(parts) <= 8 or HOSTILE.search(inside) or "\\" in inside:
        return False
    return all(len(p.encode()) <= 250 and (p == PLACE or not p.startswith(".")) for p in parts)


def _write(packed: zipfile.ZipFile, inside: dict[PurePosixPath, zipfile.ZipInfo], part: Path, disk: Disk) -> None:
    size = sum(info.compress_size for info in inside.values())
    all_of_it = left = min(MOST_ALL, max(ANYHOW, MOST_TIMES * size))
    for path, info in inside.items():
        most = left if path.suffix == ".jsonl" else min(left, MOST_EACH)
        with packed.open(info) as file:
            data = file.read(most + 1)  # what it says of its size is not believed
        if len(data) > most and most < left:
            raise Refused(f"{path} is larger than {MOST_EACH >> 20} MB", remedy="Nothing was unpacked.")
        left -= len(data)
        if left < 0:
            raise Refused(
                f"{size >> 10} KB would become more than {all_of_it >> 20} MB, and no campaign does that",
                remedy="Nothing was unpacked.",
            )
        private_folder((part / path).parent)
        write_file(part / path, data, disk)
