"""The doctor: files, logs, now.toml and plug-ins of a campaign, what is wrong with each, and the remedy."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from .. import plugins
from ..rules import TableError
from ..session import Codec, verify
from ..storage import campaign as folder
from ..storage.desk import sessions
from ..storage.disk import Disk, locked, write_file
from ..storage.log import LOCK, LogFile, read_plain, scan
from ..storage.now import NowFile
from ..storage.reading import read
from ..storage.scratch import left_behind
from .words import complain, paint, say


def examine(root: Path, *, mend: bool) -> int:
    """Say what is wrong; with `mend`, set damaged tails of logs aside after copying the log."""
    wrong = 0
    campaign = folder.load(root)
    for problem in campaign.problems:
        print(paint(str(problem), "warn" if problem.warning else "bad"))
        wrong += not problem.warning
    for failure in plugins.load_all().failed:
        complain(f"plug-in {failure.name}: {failure.why}. {failure.remedy}")
    logs = sessions(root)
    for path in logs:
        wrong += _log(path, mend)
    if campaign.engine and logs:
        wrong += _now(campaign, logs[-1])
    for path in left_behind(root.name):
        say(f"a what-if was left open: tabletop replay {path} shows it; delete the file to throw it away", "warn")
    if not wrong:
        say(f"{campaign.title}: {len(campaign.documents)} files and {len(logs)} sessions are sound", "good")
    return 1 if wrong else 0


def _log(path: Path, mend: bool) -> int:
    """One log: its bytes, then its story."""
    try:
        found = scan(path.read_bytes())
        plain = read_plain(path)
    except (TableError, OSError) as error:
        complain(f"{path.name}: {getattr(error, 'what', error)}.")
        return 1
    if found.damage:
        if mend:
            return _mend(path)
        complain(
            f"{path.name}: {found.damage}. The {found.lines - 1} entries before it are sound. "
            "tabletop doctor --mend keeps a copy and goes on from there."
        )
        return 1
    if found.torn:
        say(f"{path.name}: an unfinished last line; it is set aside when the table is opened", "warn")
    try:
        codec = Codec(plugins.load(plain.header.engine))
        file = LogFile(path, codec, write=False)
        verdict = verify(codec.engine, file.header, file.entries)
    except TableError as error:
        complain(f"{path.name}: {error}")
        return 1
    if verdict.wrong:
        complain(f"{path.name}: entry {verdict.at}: {verdict.wrong}.")
        return 1
    say(f"{path.name}: {verdict.entries} entries, verified")
    return 0


def _mend(path: Path) -> int:
    with locked(path.parent / LOCK):
        data = path.read_bytes()
        found = scan(data)
        copy = path.with_suffix(".damaged")
        number = 1
        while copy.exists():
            number += 1
            copy = path.with_suffix(f".damaged-{number}")
        shutil.copy2(path, copy)
        write_file(path, data[: found.good], Disk())
    say(f"{path.name}: goes on after entry {found.lines - 1}; the damaged log is kept as {copy.name}", "warn")
    return 0


def _now(campaign: folder.Campaign, log: Path) -> int:
    """now.toml: readable, and of a moment that the log has."""
    if not os.path.lexists(campaign.root / folder.NOW) or campaign.engine is None:
        return 0
    document = read(campaign.root, folder.NOW)
    if document.raw is None:
        complain(str(document.problems[0]))
        return 1
    file = NowFile(document.raw, campaign.engine)
    for problem in file.document.problems:
        complain(str(problem))
    if file.picture and file.picture.session == log.stem:
        last = scan(log.read_bytes()).lines - 1
        if file.picture.entry > last:
            complain(
                f"now.toml shows entry {file.picture.entry} and {log.name} ends at {last}: its end is gone. "
                "Look for a backup of it."
            )
            return 1
    return 1 if file.document.broken else 0
