"""A time limit for code that is not ours, in whichever thread it runs."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, TypeVar, cast

T = TypeVar("T")
_AGAIN = 1.0
"""Seconds after which code that went on all the same is stopped again, and that it has to clean up."""


class TooSlow(BaseException):
    """The time is up. Not an Exception: the code that is stopped must not catch it as one of its own."""


_INSIDE = threading.local()


def within(seconds: float, work: Callable[[], T]) -> T:
    """Do some work; raises TooSlow when it takes longer. A limit inside another one is the outer one's."""
    if getattr(_INSIDE, "limited", False):
        return work()
    if not _is_free():
        return _by_helper(seconds, work)
    _INSIDE.limited = True
    try:
        return _by_signal(seconds, work)
    finally:
        _INSIDE.limited = False


def pressed(error: BaseException) -> bool:
    """Is it somebody's ctrl+c, which reaches the main thread alone? Whatever else is raised is the engine's own."""
    return isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread()


def _is_free() -> bool:
    """Is this the main thread, and the alarm nobody else's?"""
    return threading.current_thread() is threading.main_thread() and (
        signal.getsignal(signal.SIGALRM) in (signal.SIG_DFL, _alarm)
    )


def _alarm(_number: int, _frame: object) -> None:
    raise TooSlow


def _by_signal(seconds: float, work: Callable[[], T]) -> T:
    """A signal also ends a wait in the system, and the main thread must not wait."""
    if signal.getsignal(signal.SIGALRM) is not _alarm:
        signal.signal(signal.SIGALRM, _alarm)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
        return work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


class _Wait:
    """Somebody who waits for a helper, and until when."""

    def __init__(self, seconds: float) -> None:
        self.began, self.seconds = monotonic(), seconds
        self.done: SimpleQueue[tuple[Any, BaseException | None] | None] = SimpleQueue()
        """What came of it; None to look at the time again."""

    @property
    def left(self) -> float:
        """How much longer."""
        return max(self.began + self.seconds - monotonic(), 0.0)

    def ended(self) -> tuple[Any, BaseException | None] | None:
        """What came of it, or nothing in time."""
        with suppress(Empty):
            while self.left:
                if (found := self.done.get(timeout=self.left)) is not None:
                    return found
        return None


_WAITS: set[_Wait] = set()


def hurry(seconds: float, *, most: float = float("inf")) -> None:
    """Whatever other threads are asked may take only so much longer: somebody leaves.

    What may take more than `most` seconds is left alone.
    """
    for wait in tuple(_WAITS):
        if wait.seconds <= most and wait.left > seconds:
            wait.seconds = monotonic() + seconds - wait.began
            wait.done.put(None)


class _Helper:
    """A thread that works for another one, which can leave it behind: nothing ends another thread's wait."""

    def __init__(self) -> None:
        self.asked: SimpleQueue[tuple[Callable[[], Any], _Wait] | None] = SimpleQueue()
        self.thread = threading.Thread(target=_help, args=(self.asked,), name="engine", daemon=True)
        self.thread.start()

    def __del__(self) -> None:
        self.asked.put(None)


def _help(asked: SimpleQueue[tuple[Callable[[], Any], _Wait] | None]) -> None:
    _INSIDE.limited = True
    try:
        while asking := asked.get():
            work, wait = asking
            try:
                wait.done.put((work(), None))
            except BaseException as error:  # whatever it is, it is raised where the work was asked for
                wait.done.put((None, error))
            del asking, work, wait
    except TooSlow:
        pass  # it came late: nobody waits for this any more


def _by_helper(seconds: float, work: Callable[[], T]) -> T:
    helper = getattr(_INSIDE, "helper", None) or _Helper()
    _INSIDE.helper = helper
    wait = _Wait(seconds)
    _WAITS.add(wait)
    helper.asked.put((work, wait))
    try:
        done = wait.ended()
    finally:
        _WAITS.discard(wait)
    if done is None:
        _INSIDE.helper = None
        import ctypes  # late: most engines are never too slow

        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(helper.thread.ident or 0), ctypes.py_object(TooSlow)
        )
        helper.asked.put(None)
        if wait.seconds == seconds:  # nobody is in a hurry
            helper.thread.join(_AGAIN)  # it has gone, unless it waits in the system: then it ends when that does
        raise TooSlow(wait.seconds)
    found, error = done
    if error is not None:
        raise error
    return cast(T, found)
