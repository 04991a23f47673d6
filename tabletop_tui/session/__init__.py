"""Pure: entries, fold, undo, fork, verify; and `Table`, the one object that every front end drives."""

from .edits import apply_changes, differences, picture, value_at
from .entries import (
    CORE,
    FORMAT,
    AnyEntry,
    Change,
    Codec,
    Edited,
    Entry,
    Header,
    Named,
    PlainEntry,
    Redo,
    Undo,
    duplicates,
)
from .outlook import Outlook, outlook
from .replay import MARKS, Mark, Replay
from .table import Journal, Memory, Preview, Step, Table, begin, stamp, tell, utc_now
from .timeline import Timeline
from .verify import Verdict, verify

__all__ = [
    "CORE", "FORMAT", "MARKS", "AnyEntry", "Change", "Codec", "Edited", "Entry", "Header", "Journal", "Mark",
    "Memory", "Named", "Outlook", "PlainEntry", "Preview", "Redo", "Replay", "Step", "Table", "Timeline", "Undo",
    "Verdict", "apply_changes", "begin", "differences", "duplicates", "outlook", "picture", "stamp", "tell",
    "utc_now", "value_at", "verify",
]  # fmt: skip
