"""Eight processes and a screen at one table, with everything that they can do to its files at once.

Some seconds here; TABLETOP_TESTS=all makes it a minute.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import level
import pytest
from msgspec.structs import replace
from ptys import Terminal

from tabletop_tui import plugins
from tabletop_tui.kit.common import Note
from tabletop_tui.session import Codec, Edited, Table, begin, utc_now, verify
from tabletop_tui.storage.log import LogFile, sessions
from tabletop_tui.storage.open_campaign import OpenCampaign

SECONDS = level.many(2, 4, 60)

WORKER = """
import contextlib, io, os, random, re, sys, time
from pathlib import Path
from tabletop_tui.cli import main
work, me, root, end = sys.argv[1], sys.argv[2], Path(sys.argv[3]), time.monotonic() + float(sys.argv[4])
chance, number, now = random.Random(me), 0, root / "now.toml"
HP = re.compile(rb"(\\[people\\.mira\\]\\nhp = )(\\d+)")

def run(*words):
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = main([str(word) for word in words])
    if code == 70:
        print("CRASH", said.getvalue(), flush=True)
    return code == 0

def edit(number):
    while not (found := HP.search(raw := now.read_bytes())):
        os.sched_yield()
    saved = HP.sub(rb"\\g<1>%d" % number, raw)
    if number % 2:
        (root / "now.toml~").write_bytes(saved)
        os.replace(root / "now.toml~", now)
    else:
        now.write_bytes(saved)
    while now.read_bytes() == saved and time.monotonic() < end + 30:
        run("edits", root, "--take", "file")  # an undo may have changed the same value: then it is asked
    return True

while time.monotonic() < end:
    number += 1
    done = {
        "act": lambda: run("act", root, "note", f"text={me} {number}"),
        "undo": lambda: run(chance.choice(["undo", "redo"]), root),
        "edit": lambda: edit(1000 + number),
        "set": lambda: run("set", root, "characters/rook.toml", "skills.Dodge.alpha", 1 + number % 5, "--yes"),
        "session": lambda: run("session", root),
        "keep": lambda: run("backups", root) and run("pack", root, "--to", root.parent / f"{me}-{number}.zip"),
    }[work]()
    if done:
        print(f"{me} {number}", flush=True)
"""
WORK = ["act", "act", "act", "undo", "edit", "set", "session", "keep"]


@pytest.mark.long
def test_eight_processes_and_a_screen_share_one_line_of_sessions(root: Path) -> None:
    desk = OpenCampaign(root)
    desk.publish()
    desk.close()
    screen = Terminal([sys.executable, "-m", "tabletop_tui", "play", str(root)], {}, (100, 30))
    try:
        screen.sees("Mira")
        running = [
            subprocess.Popen(
                [sys.executable, "-c", WORKER, work, f"{work}{n}", str(root), str(SECONDS)],
                stdout=subprocess.PIPE,
                text=True,
            )
            for n, work in enumerate(WORK)
        ]
        screen.until(lambda: all(one.poll() is not None for one in running), "the end of all eight", SECONDS + 120)
        told = {f"{WORK[n]}{n}": process.communicate()[0].splitlines() for n, process in enumerate(running)}
        assert [process.returncode for process in running] == [0] * len(WORK)
        assert not [line for lines in told.values() for line in lines if line.startswith("CRASH")]
        last = OpenCampaign(root)
        last.look()
        last.table.do(Note("the soak is over"))
        last.publish()
        screen.sees("the soak is over")
        screen.sees(last.campaign.title)
    finally:
        screen.close()
    engine = plugins.load("tiers")
    notes, edits, before = [], Counter[object](), None
    for path in sessions(root):
        log = LogFile(path, Codec(engine), write=False)
        found = verify(engine, log.header, log.entries)
        assert not found.wrong, f"{path.name}, entry {found.at}: {found.wrong}"
        if before is not None:  # it goes on where the one before ended: nobody wrote into that one afterwards
            world = replace(log.header.world, now=before.now)
            again = begin(engine, world, campaign="", session="", at=utc_now(), seed="x")
            assert again.world.now == log.header.world.now, path.name
        before = Table(engine, log.header, log.entries).world
        notes += [entry.action.text for entry in log.entries if isinstance(entry.action, Note)]
        changes = [c for e in log.entries if isinstance(e.action, Edited) for c in e.action.changes]
        edits.update(c.after for c in changes if c.path == ("now", "people", "mira", "hp"))
    assert len(notes) == len(set(notes))
    for name, lines in told.items():
        if name.startswith("act"):
            assert lines, name
            assert [line for line in lines if line not in notes] == []
        if name.startswith("edit"):
            values = [1000 + int(line.split()[1]) for line in lines]
            assert [value for value in values if edits[value] != 1] == []
    assert len(sessions(root)) > len(told["session6"])
    assert list(root.parent.glob("keep7-*.zip"))
    print({name: len(lines) for name, lines in told.items()}, len(sessions(root)), "sessions")
