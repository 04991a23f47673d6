"""Pure: entries, fold, undo, fork, verify; and `Table`, the one object that every front end drives."""

from .edits import apply_changes, differences, picture, value_at
from .entries import (
    BESIDE,
    CORE,
    FORMAT,
    AnyEntry,
    Change,
    Codec,
    Declined,
    Edited,
    Entry,
    Header,
    Named,
    PlainEntry,
    Proposed,
    Redo,
    Undo,
    Word,
    Written,
    duplicates,
)
from .journal import Journal, Memory
from .looking import local, local_day, local_time
from .outlook import Outlook, outlook
from .proposals import Proposal
from .reader import ABOUT, NOBODY_YET, Known, Reader, check_seat, do_of, players_of, read
from .replay import MARKS, Mark, Replay
from .seats import PLAYERS, SPECTATOR, Players, Rights, Standing
from .table import (
    EditRefused,
    Preview,
    Step,
    Table,
    begin,
    stamp,
    utc_now,
)
from .timeline import Progress, Timeline
from .verify import Verdict, verify

__all__ = [
    "ABOUT", "BESIDE", "CORE", "FORMAT", "MARKS", "NOBODY_YET", "PLAYERS", "SPECTATOR", "AnyEntry", "Change", "Codec",
    "Declined", "EditRefused", "Edited", "Entry", "Header", "Journal", "Known", "Mark", "Memory", "Named", "Outlook",
    "PlainEntry", "Players", "Preview", "Progress", "Proposal", "Proposed", "Reader", "Redo", "Replay", "Rights",
    "Standing", "Step", "Table", "Timeline", "Undo", "Verdict", "Word", "Written", "apply_changes", "begin",
    "check_seat", "differences", "do_of", "duplicates", "local", "local_day", "local_time", "outlook", "picture",
    "players_of", "read", "stamp", "utc_now", "value_at", "verify",
]  # fmt: skip
