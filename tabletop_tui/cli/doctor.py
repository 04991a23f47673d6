"""The doctor: files, logs, now.toml and plug-ins of a campaign, what is wrong with each, and the remedy."""

from __future__ import annotations

from pathlib import Path

from .. import plugins
from ..rules import TableError
from ..session import Codec, verify
from ..storage import campaign as folder
from ..storage.campaign.beginning import missing
from ..storage.campaign.now import NowFile, moment_in_log, read_now
from ..storage.log import LogFile, read_plain, scan, sessions, unix_lines
from ..storage.log.scratch import left_behind
from ..storage.safety.mend import apart, begin_again, bring_back, longer_copy, mend_log, settle_now
from .words import complain, say


def examine(root: Path, *, mend: bool) -> int:
    """Say what is wrong; with `mend`, set aside what is damaged and go on from all that there is."""
    wrong = 0
    campaign = folder.load(root)
    for problem in campaign.problems:
        say(str(problem), "warn" if problem.warning else "bad")
        wrong += not problem.warning
    for failure in plugins.load_all().failed:
        complain(f"plug-in {failure.name}: {failure.why}. {failure.remedy}")
    if mend:
        wrong += _bring_back(root)
    logs = sessions(root)
    for path in logs:
        wrong += _log(root, path, mend)
    wrong += _live(root, campaign, mend)
    for path in sorted(root.glob("*/.*.aside")):
        where = path.relative_to(root)
        say(f"{where}: left by a program that was killed while it wrote a file; look at it, then delete it", "warn")
    for path in left_behind(root):
        say(f"a what-if was left open: tabletop replay {path} shows it; delete the file to throw it away", "warn")
    if not wrong:
        files, played = _count(len(campaign.documents), "file", "files"), _count(len(logs), "session", "sessions")
        say(f"{campaign.title}: {files} and {played} are sound", "good")
    return 1 if wrong else 0


def _log(root: Path, path: Path, mend: bool) -> int:
    """One log: its bytes, then its story."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        complain(f"{path.name}: it cannot be read: {error.strerror}. Check that it is yours to read.")
        return 1
    found = scan(unix_lines(raw))
    if found.damage or not found.header:
        if mend:
            return _mend(root, path)
        what = found.damage or ("its first line is damaged" if found.torn else "it is empty")
        before = found.lines - 1
        are = f"{_count(before, 'entry', 'entries')} before it {'is' if before == 1 else 'are'}"
        sound = f"The {are} sound. " if before > 0 else ""
        complain(
            f"{path.name}: {what}. {sound}"
            f"tabletop doctor {root.name} --mend keeps a copy and goes on from all that there is."
        )
        return 1
    if found.torn:
        say(f"{path.name}: an unfinished last line; it is set aside when the table is opened", "warn")
    if b"\r\n" in raw:
        say(f"{path.name}: its line ends were changed to CRLF; they are put right when the table is opened", "warn")
    try:
        codec = Codec(plugins.load(read_plain(path).header.engine))
        file = LogFile(path, codec, write=False)
        verdict = verify(codec.engine, file.header, file.entries)
    except TableError as error:
        complain(f"{path.name}: {error}")
        return 1
    if verdict.wrong:
        complain(f"{path.name}: entry {verdict.at}: {verdict.wrong}.")
        return 1
    if len(file.entries) < found.lines - 1:
        complain(
            f"{file.wrong}. Update tabletop-tui and the game. "
            f"To go on without it from the state in now.toml: tabletop session {root.name} --from-now."
        )
        return 1
    if copy := longer_copy(root, path):
        if mend:
            return _mend(root, path)
        complain(
            f"{path.name}: its end is gone: {copy} holds all of it and more. "
            f"tabletop doctor {root.name} --mend takes that in."
        )
        return 1
    say(f"{path.name}: {_count(verdict.entries, 'entry', 'entries')}, verified")
    for name in apart(root, path):
        say(
            f"{name}: holds what was saved and is not in {path.name}: its end was cut off, or it was replaced. "
            f"tabletop replay shows a file, tabletop backups {root.name} --restore brings a backup back",
            "warn",
        )
    return 0


def _count(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"


def _bring_back(root: Path) -> int:
    """The log of now.toml, where it is gone."""
    try:
        if done := bring_back(root):
            say(done, "warn")
    except OSError as error:
        complain(f"the log cannot be brought back: {error.strerror}.")
        return 1
    return 0


def _mend(root: Path, path: Path) -> int:
    try:
        done = mend_log(root, path)
        say(done.words, "warn")
        if done.begin_again:
            say(begin_again(root), "warn")
    except TableError as error:
        complain(f"{path.name}: it cannot be mended: {error}")
        return 1
    except OSError as error:
        complain(f"{path.name}: it cannot be mended: {error.strerror}.")
        return 1
    return 0


def _live(root: Path, campaign: folder.Campaign, mend: bool) -> int:
    """now.toml: readable, and of a moment that a log has."""
    document = read_now(root)
    if document is None or campaign.engine is None:
        return 0
    try:
        missing(root, logs := sessions(root))
    except TableError as error:
        complain(str(error))
        return 1
    if document.raw is None:
        complain(str(document.problems[0]))
        return 1
    file = NowFile(document.raw, campaign.engine)
    for problem in file.document.problems:
        complain(str(problem))
    if file.document.broken or not logs or file.picture is None:
        return 1 if file.document.broken else 0
    try:
        cut = moment_in_log(root, Codec(campaign.engine), file.picture) is None
        if cut and mend and (done := settle_now(root)):
            say(done, "warn")
            return 0
    except TableError as error:
        complain(str(error))
        return 1
    if cut:
        complain(
            f"now.toml shows entry {file.picture.entry} of session {file.picture.session}, and the log does not: "
            "its end is gone, or was cut off and others were written since. "
            f"Look for a copy of it; tabletop doctor {root.name} --mend goes on from what there is."
        )
    return 1 if cut else 0
