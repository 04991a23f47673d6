"""Edits saved at the very moment of an action: none is overwritten unseen, and none is logged twice."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import level
import pytest

from tabletop_tui.session import Edited
from tabletop_tui.storage.open_campaign import OpenCampaign

EDITS = level.many(30, 60, 600)

PLAYER = """
import sys
from pathlib import Path
from tabletop_tui.kit.common import Note
from tabletop_tui.storage.open_campaign import OpenCampaign
root, number = Path(sys.argv[1]), 0
desk = OpenCampaign(root)
print("ready", flush=True)
while not (root / "stop").exists():
    number += 1
    desk.look()
    desk.table.do(Note(f"note {number}"))
    desk.publish()
"""

HP = re.compile(rb"(\[people\.mira\]\nhp = )(\d+)")


def save(path: Path, raw: bytes, how: str) -> None:
    """As editors do: into a new file that takes the old one's place, or into the file itself."""
    if how == "rename":
        beside = path.with_name("now.toml~")
        beside.write_bytes(raw)
        os.replace(beside, path)
    else:
        path.write_bytes(raw)


@pytest.mark.parametrize("how", ["rename", "in place"])
def test_edits_saved_while_two_processes_act_and_look_are_each_logged_once(root: Path, how: str) -> None:
    desk = OpenCampaign(root)
    desk.publish()
    desk.close()
    now = root / "now.toml"
    players = [
        subprocess.Popen([sys.executable, "-c", PLAYER, str(root)], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for player in players:
        assert player.stdout is not None
        assert player.stdout.readline() == "ready\n"
    wanted = range(1000, 1000 + EDITS)
    try:
        for value in wanted:
            while not HP.search(raw := now.read_bytes()):  # an edit is taken in while this one reads
                assert all(player.poll() is None for player in players)
            saved = HP.sub(rb"\g<1>%d" % value, raw)
            save(now, saved, how)
            while now.read_bytes() == saved:
                assert all(player.poll() is None for player in players)
                os.sched_yield()
    finally:
        (root / "stop").touch()
        for player in players:
            player.communicate(timeout=60)
    assert [player.returncode for player in players] == [0, 0]
    again = OpenCampaign(root)
    again.look()
    edits = [e.action for e in again.table.timeline.entries if isinstance(e.action, Edited)]
    logged = Counter(change.after for edit in edits for change in edit.changes)
    assert {v: n for v, n in logged.items() if n > 1} == {}
    assert [v for v in wanted if v not in logged] == []
