"""What a test of the screens waits for after each key: that the app has nothing left to do.

Textual's own pilot guesses this from how much CPU time goes by in 20 ms: slow where nothing happens, and wrong where
the machine is busy with something else. The event loop knows it: no callback is ready, no thread is at work for it,
and no timer is about to go off.
"""

from __future__ import annotations

import asyncio
from asyncio import AbstractEventLoop
from typing import Any

import textual.app
import textual.pilot

SOON = 0.03
"""Timers that go off within so many seconds are waited for: Textual draws by them."""
STEP = 0.001
THREADS, FAR = 5.0, 10.0
"""So many seconds at most threads are waited for, some of which take long on purpose, and a busy machine."""
_working: set[asyncio.Future[Any]] = set()


def install() -> None:
    """Let every pilot wait like this."""
    plain = asyncio.base_events.BaseEventLoop.run_in_executor

    def counted(loop: Any, executor: Any, work: Any, *args: Any) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = plain(loop, executor, work, *args)
        _working.add(future)
        future.add_done_callback(_working.discard)
        return future

    asyncio.base_events.BaseEventLoop.run_in_executor = counted  # type: ignore[assignment, method-assign]  # it keeps its types
    for module in (textual.app, textual.pilot):
        module.wait_for_idle = settled  # type: ignore[attr-defined]  # each has a name of its own for it


async def settled(min_sleep: float = 0, max_sleep: float = 1) -> None:
    """Until nothing is left to do."""
    loop = asyncio.get_running_loop()
    begun = loop.time()
    end, far, soon = begun + max(max_sleep, THREADS), begun + FAR, begun + SOON
    await asyncio.sleep(min_sleep)
    while loop.time() < far:
        await asyncio.sleep(0)
        if _ready(loop):
            continue
        if any(future.get_loop() is loop for future in _working):
            if loop.time() >= end:
                return
            await asyncio.sleep(STEP)
        elif (wait := _timer(loop)) < soon:
            await asyncio.sleep(max(wait - loop.time(), 0))
        else:
            return


def _ready(loop: AbstractEventLoop) -> bool:
    return bool(loop._ready)  # type: ignore[attr-defined]  # asyncio keeps it to itself


def _timer(loop: AbstractEventLoop) -> float:
    """When the next timer goes off."""
    timers = loop._scheduled  # type: ignore[attr-defined]  # asyncio keeps it to itself
    return min((timer.when() for timer in timers if not timer.cancelled()), default=float("inf"))
