"""A time limit for code that is not ours, in whichever thread it runs."""

from __future__ import annotations

import ctypes
import signal
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
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


class _Helper:
    """A thread that works for another one, which can leave it behind: nothing ends another thread's wait."""

    def __init__(self) -> None:
        self.asked: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()
        self.done: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        self.thread = threading.Thread(target=_help, args=(self.asked, self.done), name="engine", daemon=True)
        self.thread.start()

    def __del__(self) -> None:
        self.asked.put(None)


def _help(asked: SimpleQueue[Callable[[], Any] | None], done: SimpleQueue[tuple[Any, BaseException | None]]) -> None:
    _INSIDE.limited = True
    try:
        while work := asked.get():
            try:
                done.put((work(), None))
            except BaseException as error:  # whatever it is, it is raised where the work was asked for
                done.put((None, error))
            del work
    except TooSlow:
        pass  # it came late: nobody waits for this any more


def _by_helper(seconds: float, work: Callable[[], T]) -> T:
    helper = getattr(_INSIDE, "helper", None) or _Helper()
    _INSIDE.helper = helper
    helper.asked.put(work)
    try:
        found, error = helper.done.get(timeout=seconds)
    except Empty:
        _INSIDE.helper = None
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(helper.thread.ident or 0), ctypes.py_object(TooSlow)
        )
        helper.asked.put(None)
        helper.thread.join(_AGAIN)  # it has gone, unless it waits in the system: then it ends when that does
        raise TooSlow from None
    if error is not None:
        raise error
    return cast(T, found)
