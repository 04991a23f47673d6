"""Mending a damaged campaign: what is damaged is kept beside, and play goes on from all that there is."""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from zlib import crc32

from ...rules import Model, Refused, TableError
from ...session import Change, differences, picture
from .. import campaign as folder
from ..campaign.beginning import shown_session
from ..campaign.now import NowFile, read_now
from ..disk import Disk, locked, private_folder, write_file
from ..log import LOCK, SESSIONS, Scan, log_bytes, scan, sessions, unix_lines
from ..log.chain import SUFFIX
from ..log.file import GONE, REPLACED
from ..log.sessions import order
from ..open_campaign import OpenCampaign
from .backups import backups


class Mended(Model):
    """What was done about a log."""

    words: str
    begin_again: bool = False
    """Was the whole log set aside, so that the campaign has no last session any more?"""


def mend_log(root: Path, path: Path) -> Mended:
    """Keep a log that is damaged or cut beside, and put in its place what is sound of it and of its copies."""
    with locked(path.parent / LOCK):
        raw = path.read_bytes()
        data, source = unix_lines(raw), ""
        found = scan(data)
        whole = bool(found.header) and not found.damage
        for name, older in _copies(root, path):
            joined, to_its_end = _joined(older, data)
            if (again := scan(joined)).lines > found.lines:
                found, source, data = again, name, joined
                whole = whole or to_its_end
        last = path == sessions(root)[-1]
        copy = _free(path, ".damaged")
        write_file(copy, raw, Disk())
        if not found.header:
            path.unlink()
            return Mended(f"{path.name}: nothing in it can be read; it is kept as {copy.name}", last)
        write_file(path, data[: found.good], Disk())
    lost = "nothing is lost" if whole and not found.damage else "whatever was played after that is lost"
    help_ = f", with lines out of {source}" if source else ""
    return Mended(
        f"{path.name}: goes on after entry {found.lines - 1}{help_}; {lost}; the log as it was is kept as {copy.name}"
    )


def bring_back(root: Path) -> str:
    """The log that now.toml belongs to, where it is gone and there is a copy of it; nothing where there is none."""
    shown = shown_session(root)
    path = root / SESSIONS / f"{shown}.jsonl"
    if order(shown) is None or path.name != f"{shown}.jsonl" or path.is_file():
        return ""
    sound = [(scan(data), name, data) for name, data in _copies(root, path)]
    best = max(sound, key=lambda one: one[0].lines, default=None)
    if best is None or not best[0].header:
        return ""
    private_folder(path.parent)
    with locked(path.parent / LOCK):
        if os.path.lexists(path):  # a folder, or a link to nowhere
            path.rename(_free(path, ".damaged"))
        write_file(path, best[2][: best[0].good], Disk())
    return f"{path.name}: brought back from {best[1]}, with {best[0].lines - 1} entries"


def longer_copy(root: Path, path: Path) -> str:
    """The name of a copy that holds all of a sound log and more; empty where there is none."""
    chain = scan(log_bytes(path)).chain
    return next((name for name, data in _copies(root, path) if _begins(scan(data).chain, chain)), "")


def _begins(longer: Sequence[int], chain: Sequence[int]) -> bool:
    return len(longer) > len(chain) and longer[: len(chain)] == chain


def apart(root: Path, path: Path) -> list[str]:
    """Copies of a log that hold entries that it has not, kept beside it or in a backup: by their names."""
    chain = scan(log_bytes(path)).chain
    kept = [(name, scan(data).chain) for name, data in _copies(root, path)]
    return [name for name, theirs in kept if theirs != chain[: len(theirs)]]


def _free(path: Path, suffix: str) -> Path:
    copy, number = path.with_suffix(suffix), 1
    while os.path.lexists(copy):
        number += 1
        copy = path.with_suffix(f"{suffix}-{number}")
    return copy


def _beside(path: Path) -> list[Path]:
    """What a table that was open kept of a log when somebody replaced or deleted it."""
    return sorted(p for why in (REPLACED, GONE) for p in path.parent.glob(f"{path.stem}.{why}-*") if p.is_file())


def _copies(root: Path, path: Path) -> Iterator[tuple[str, bytes]]:
    """The copies of a log: what was kept beside it, then those in the backups, the latest first."""
    for one in _beside(path):
        yield one.name, log_bytes(one)
    inside = f"/{path.relative_to(root).as_posix()}"
    for backup in reversed(backups(root)):
        try:
            with zipfile.ZipFile(backup) as packed:
                for name in packed.namelist():
                    if name.endswith(inside) and name.count("/") == inside.count("/"):
                        yield f"the backup {backup.stem}", unix_lines(packed.read(name))
        except (OSError, zipfile.BadZipFile, zlib.error, ValueError, EOFError, RuntimeError):
            continue


def _joined(older: bytes, data: bytes) -> tuple[bytes, bool]:
    """An older copy as far as it is sound, and what follows it in the damaged log, wherever that stands there.

    Does it go on to the end of the damaged log, or is it not known what followed?
    """
    sound: Scan = scan(older)
    if not sound.lines:
        return data, False
    lines = data.split(b"\n")
    for index, line in enumerate(lines):
        if line[-SUFFIX:] == b',"crc":"%08x"}' % crc32(line[:-SUFFIX], sound.chain[-1]):
            return older[: sound.good] + b"\n".join(lines[index:]), True
    return older[: sound.good], False


def begin_again(root: Path) -> str:
    """A new session where the last log had to be set aside: from now.toml, or from what the session before left."""
    try:
        campaign = OpenCampaign(root, from_now=True)
        words = "from the state in now.toml: what led to it is lost, the state is not"
    except TableError as error:
        if now := _aside(root):
            now = f" ({error.what.rstrip('.')}; it is kept as {now})"
        campaign = OpenCampaign(root, new_session=True)
        words = f"from where the session before it ended: what was played since then is lost{now}"
        if len(sessions(root)) == 1:
            words = f"from the campaign's files: what was played is lost{now}"
    campaign.close()
    return f"session {campaign.table.header.session} is begun, {words}"


def settle_now(root: Path) -> str:
    """now.toml where it shows an entry that the log has no longer: its state counts, or the file is kept beside."""
    campaign = OpenCampaign(root)
    try:
        document = read_now(root)
        file = NowFile(document.raw, campaign.engine) if document and document.raw is not None else None
        shown = file.picture if file else None
        if (
            campaign.log.closed
            or file is None
            or shown is None
            or file.data is None
            or campaign.now.moment(shown) is not None
        ):
            return ""
        last = campaign.table.timeline.last
        if shown.entry > last:  # nothing was played since: the file has the later state
            changes = differences(picture(campaign.table.world.now), file.data, ("now",))
            try:
                if changes:
                    campaign.table.edited([Change(c.path, c.before, c.after) for c in changes])
                words = f"the state in now.toml, of entry {shown.entry}, is taken over after entry {last}"
            except Refused as no:
                words = f"the state in now.toml cannot count ({no.what}); the table is as it was after entry {last}"
        else:
            words = f"now.toml showed entry {shown.entry} of a log that was cut since; the table is as it is now"
        return f"{words}; the file is kept as {_aside(root)}"
    finally:
        campaign.publish()
        campaign.close()


def _aside(root: Path) -> str:
    """Put now.toml beside itself; its new name, or nothing where there is none."""
    now = root / folder.NOW
    if not os.path.lexists(now):
        return ""
    kept, number = root / "now.toml.kept", 1
    while os.path.lexists(kept):
        number += 1
        kept = root / f"now.toml.kept-{number}"
    os.replace(now, kept)
    return kept.name
