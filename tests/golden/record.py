"""Record a golden log: `python tests/golden/record.py tiers 1` plays the starter campaign and keeps its log.

A golden log is made once and never again: it must verify with every later version of its engine.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import playing  # noqa: E402  # the tests' own module stands beside this folder

from tabletop_tui.rules import Refused  # noqa: E402
from tabletop_tui.storage.log import sessions  # noqa: E402
from tabletop_tui.storage.open_campaign import OpenCampaign  # noqa: E402


def record(engine: str, number: int, steps: int = 300) -> Path:
    """Random play with some undo and redo, as one log."""
    target = HERE / f"{engine}-{number}.jsonl"
    if target.exists():
        sys.exit(f"{target} is there already: a golden log is not made twice")
    with tempfile.TemporaryDirectory() as place:
        root = playing.starter(Path(place) / "golden", engine)
        desk = OpenCampaign(root, clock=playing.evening(), disk=playing.NoSync())
        for step in range(steps):
            playing.wander(desk.table, number * 10_000 + step, 1)
            for every, way in ((17, desk.table.undo), (34, desk.table.redo)):
                if step % every == every - 1:
                    try:
                        way()
                    except Refused:
                        continue
        target.write_bytes(sessions(root)[-1].read_bytes())
    return target


if __name__ == "__main__":
    print(record(sys.argv[1], int(sys.argv[2])))
