"""A time limit for code that is not ours, in whichever thread it runs."""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
_STEP = 0.2
"""How often, in seconds, threads with a limit are looked at; nobody looks while none has one."""


class TooSlow(BaseException):
    """The time is up. Not an Exception: the code that is stopped must not catch it as one of its own."""


class _Watch:
    """Stops other threads than the main one, which no signal reaches."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._due: dict[int, float] = {}
        self._any = threading.Event()
        self._thread: threading.Thread | None = None

    def arm(self, ident: int, seconds: float) -> None:
        with self._lock:
            self._due[ident] = time.monotonic() + seconds
            if self._thread is None:
                self._thread = threading.Thread(target=self._look, name="limits", daemon=True)
                self._thread.start()
        self._any.set()

    def disarm(self, ident: int) -> bool:
        """True where it was in time; False where TooSlow is on its way."""
        with self._lock:
            return self._due.pop(ident, None) is not None

    def _look(self) -> None:
        while True:
            self._any.wait()
            time.sleep(_STEP)  # nothing tells when a limit has passed
            with self._lock:
                now = time.monotonic()
                for ident in [i for i, due in self._due.items() if due <= now]:
                    del self._due[ident]
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(TooSlow))
                if not self._due:
                    self._any.clear()


_WATCH = _Watch()
_INSIDE = threading.local()


def _alarm(_number: int, _frame: object) -> None:
    raise TooSlow


def within(seconds: float, work: Callable[[], T]) -> T:
    """Do some work; raises TooSlow when it takes longer. A limit inside another one is the outer one's."""
    if getattr(_INSIDE, "limited", False):
        return work()
    _INSIDE.limited = True
    try:
        return _by_signal(seconds, work) if _is_free() else _by_watch(seconds, work)
    finally:
        _INSIDE.limited = False


def _is_free() -> bool:
    """Is this the main thread, and the alarm nobody else's?"""
    return threading.current_thread() is threading.main_thread() and (
        signal.getsignal(signal.SIGALRM) in (signal.SIG_DFL, _alarm)
    )


def _by_signal(seconds: float, work: Callable[[], T]) -> T:
    """A signal also ends a wait in the system, and the main thread must not wait."""
    if signal.getsignal(signal.SIGALRM) is not _alarm:
        signal.signal(signal.SIGALRM, _alarm)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        return work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _by_watch(seconds: float, work: Callable[[], T]) -> T:
    ident = threading.get_ident()
    arrived = False
    _WATCH.arm(ident, seconds)
    try:
        return work()
    except TooSlow:
        arrived = True
        raise
    finally:
        if not _WATCH.disarm(ident) and not arrived:
            while True:  # it is on its way and must arrive here, not somewhere else later
                time.sleep(0.001)  # an exception sent to a thread arrives between two of its steps
