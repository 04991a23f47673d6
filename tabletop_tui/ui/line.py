"""The line to the terminal: when it is dropped, the program ends."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Thread

PATIENCE = 10.0
"""Seconds in which a program whose terminal is gone may end by itself."""


def watch(end: Callable[[], object], patience: float = PATIENCE) -> None:
    """Call `end` from a thread when the terminal goes away, and end the process where that does not help.

    The signal alone is not enough: it may come before anybody listens, and Textual's threads can wait for each other
    without end where nothing takes what they write. Everything is saved already.
    """
    Thread(target=_wait, args=(end, patience), daemon=True, name="line").start()


def _wait(end: Callable[[], object], patience: float) -> None:
    poll = select.poll()
    poll.register(0, 0)  # that a line is dropped is told unasked
    if any(event & select.POLLHUP for _, event in poll.poll()):
        with suppress(RuntimeError):  # it is at its end already
            end()
        time.sleep(patience)
        os._exit(1)
