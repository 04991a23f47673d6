"""`tabletop log --follow`: entries as they are written, for people and for programs."""

from __future__ import annotations

import select
import sys
from argparse import Namespace
from pathlib import Path

from ..session import Known, PlainEntry, Reader
from ..storage.log import sessions
from ..storage.log.tail import PlainTail
from .words import complain

LOOK = 100
"""Milliseconds between two looks at the file: its size is all that is asked."""


def follow(args: Namespace, path: Path, *, players: bool) -> int:
    """Print what is done from now on, into newer sessions too, until whoever reads it has gone."""
    from .logs import print_entry

    tail, reader = PlainTail(path), Reader(players=players)
    before = _known(reader, tail.news())
    for entry, known in before[len(before) - min(args.last, len(before)) :]:
        print_entry(entry, known, args.json, players=players)
    sys.stdout.flush()
    gone = select.poll()
    gone.register(sys.stdout, 0)  # errors alone: that nobody reads any more
    root = path.parent.parent
    while not gone.poll(LOOK):
        if newer := _newer(root, tail.path):
            tail, reader = PlainTail(newer), Reader(players=players)
        for entry, known in _known(reader, tail.news()):
            print_entry(entry, known, args.json, players=players)
        sys.stdout.flush()
        if tail.damage:
            complain("The log is damaged. Tell the GM." if players else f"{tail.damage}. Run tabletop doctor.")
            return 1
    return 0


def _known(reader: Reader, entries: list[PlainEntry]) -> list[tuple[PlainEntry, Known]]:
    """Of some entries, those that the reader may know: the one door."""
    reader.take(entries)
    return [(entry, reader.told(entry)) for entry in entries if reader.knows(entry.seq)]


def _newer(root: Path, path: Path) -> Path | None:
    """The session that was begun after the one that is followed."""
    found = sessions(root)
    return found[-1] if path in found and found[-1] != path else None
