"""How the tests sit down to play: campaigns, tables and random play."""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, chdir, contextmanager, nullcontext, redirect_stderr, redirect_stdout
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import level
import pytest
from msgspec.structs import replace

from tabletop_tui import plugins
from tabletop_tui.cli import main
from tabletop_tui.conformance import random_action
from tabletop_tui.rules import Refused, World, parse, tag_of
from tabletop_tui.session import AnyEntry, Players, Table, begin
from tabletop_tui.storage import campaign as folder
from tabletop_tui.storage.disk import Disk
from tabletop_tui.storage.log import open_log, sessions
from tabletop_tui.storage.user.paths import write_starter

T = TypeVar("T")
EVENING = datetime(2026, 1, 15, 19, 0, tzinfo=UTC)
PROJECT = Path(__file__).resolve().parent.parent


def sure(value: T | None) -> T:
    """What must be there."""
    assert value is not None
    return value


class NoSync(Disk):
    """A disk that does not wait: for tests that open thousands of files."""

    def sync(self, fd: int) -> None:
        pass


def evening() -> Callable[[], datetime]:
    """A clock that goes on by a second each time it is looked at."""
    seconds = iter(range(10**9))
    return lambda: EVENING + timedelta(seconds=next(seconds))


def starter(target: Path, engine: str = "tiers", title: str = "The Gate") -> Path:
    """A new campaign from an engine's starter files."""
    write_starter(plugins.load(engine).starter, title, target)
    return target


def world(root: Path) -> World[Any, Any, Any, Any]:
    """The world of a campaign as its first session finds it."""
    found = folder.load(root)
    assert not found.errors, found.errors
    assert found.engine is not None
    fresh = found.world()
    return replace(fresh, now=found.engine.start(fresh))


def table(root: Path, seed: str = "0123456789abcdef", seat: str = "") -> Table:
    """A table in memory over a campaign's files."""
    found = folder.load(root)
    assert found.engine is not None
    header = begin(found.engine, found.world(), campaign=root.name, session="2026-01-15-1", at=EVENING, seed=seed)
    return Table(found.engine, header, clock=evening(), seat=seat)


class Shared:
    """A log in memory that several tables read and write."""

    header = None

    def __init__(self, lines: list[AnyEntry]) -> None:
        self.lines, self.read, self.closed = lines, 0, ""

    def lock(self) -> AbstractContextManager[None]:
        return nullcontext()

    def news(self) -> list[AnyEntry]:
        fresh = self.lines[self.read :]
        self.read = len(self.lines)
        return fresh

    def append(self, entry: AnyEntry) -> None:
        self.lines.append(entry)
        self.read = len(self.lines)


def seats(root: Path, *names: str, players: Players = "act") -> list[Table]:
    """The GM's table and some players', over one log in memory."""
    lines: list[AnyEntry] = []
    first, clock = table(root), evening()
    return [
        Table(first.engine, first.header, journal=Shared(lines), clock=clock, seat=name, players=players)
        for name in ("", *names)
    ]


@contextmanager
def as_gm(table: Table) -> Iterator[None]:
    """What the GM does at a table that is looked at from a player's seat."""
    seat, table.seat = table.seat, ""
    try:
        yield
    finally:
        table.seat = seat


def read(root: Path) -> Table:
    """The last session of a campaign, from its log."""
    log = open_log(sessions(root)[-1])
    return Table(log.codec.engine, log.header, log.entries)


def actions(table: Table) -> list[str]:
    """What was done, by the tags of the actions."""
    return [tag_of(type(entry.action)) for entry in table.timeline.entries]


def act(table: Table, words: str, dice: tuple[int, ...] = (), **fields: str) -> AnyEntry:
    """Perform an action as on the command line: `lead who=mira skill=Warding`."""
    tag, *pairs = words.split()
    kind = next(k for k in table.engine.actions if tag_of(k) == tag)
    given = dict(pair.split("=", 1) for pair in pairs) | fields
    with as_gm(table):
        return table.do(parse(kind, given), dice, roll=not dice)


def wander(table: Table, seed: int, steps: int) -> int:
    """Random play at a table; how many entries it made."""
    chance = random.Random(seed)
    before = table.timeline.last
    for _ in range(steps):
        action = random_action(table.engine, table.world, chance)
        if action is None:
            break
        try:
            with as_gm(table):
                table.do(action)
        except Refused:
            continue
    return table.timeline.last - before


@cache
def samples(engine: str = "") -> tuple[Path, ...]:
    """The sample campaigns, or those of one engine."""
    if engine:
        texts = {root: (root / "campaign.toml").read_text() for root in samples()}
        return tuple(root for root, text in texts.items() if tomllib.loads(text)["engine"] == engine)
    found = sorted((PROJECT / "campaigns").glob("*/campaign.toml"))
    return tuple(path.parent for path in found)


def _in_this_process(words: list[str], cwd: Path | None) -> subprocess.CompletedProcess[str]:
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with chdir(cwd or Path.cwd()), redirect_stdout(out), redirect_stderr(err), pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.StringIO())
        try:
            code = main(words)
        except SystemExit as end:  # words that are none of the command's
            code = end.code if isinstance(end.code, int) else 1
    for stream in (out, err):
        stream.seek(0)
    return subprocess.CompletedProcess(words, code, out.read(), err.read())


def command(
    *words: str | Path, path: str = "", cwd: Path | None = None, **env: str
) -> subprocess.CompletedProcess[str]:
    """Run the `tabletop` command; `path` goes in front of where Python looks for packages.

    In a process of its own, as people do; quick tests start none where nothing around it is asked for.
    """
    if level.LEVEL == "quick" and not path and not env and "play" not in words:
        return _in_this_process([str(word) for word in words], cwd)
    places = [p for p in (path, os.environ.get("PYTHONPATH", "")) if p]
    return subprocess.run(
        [sys.executable, "-m", "tabletop_tui", *map(str, words)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(places), **env},
        timeout=60,
    )
