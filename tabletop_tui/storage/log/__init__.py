"""The log: a header line, then a line an action, each with a chained checksum as its last key."""

from .chain import Scan, scan, unix_lines, with_crc
from .file import LOCK, LogFile, Unsaved, create, open_log
from .plain import (
    PLAYED,
    WHAT_IF,
    PlainHeader,
    PlainLog,
    log_bytes,
    plain_header,
    played,
    read_header,
    read_plain,
    torn_words,
    unreadable,
)
from .sessions import SESSIONS, SessionLog, next_session, sessions

__all__ = [
    "LOCK", "PLAYED", "SESSIONS", "WHAT_IF", "LogFile", "PlainHeader", "PlainLog", "Scan", "SessionLog", "Unsaved",
    "create", "log_bytes", "next_session", "open_log", "plain_header", "played", "read_header", "read_plain", "scan",
    "sessions", "torn_words", "unix_lines", "unreadable", "with_crc",
]  # fmt: skip
