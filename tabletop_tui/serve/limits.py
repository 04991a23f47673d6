"""How much strangers may ask of the server: connections, codes and terminals, by address and in all."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import monotonic

KEPT = 4096
"""Addresses that are remembered at the same time."""


class Rate:
    """So many in so many seconds, for each address."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self.most, self.seconds, self.clock = most, seconds, clock
        self._times: dict[str, deque[float]] = {}

    def full(self, address: str) -> bool:
        """Has an address had all that it may have for now?"""
        times = self._times.get(address)
        if not times:
            return False
        while times and times[0] <= self.clock() - self.seconds:
            times.popleft()
        if not times:
            del self._times[address]
        return len(times) >= self.most

    def count(self, address: str) -> bool:
        """One more; False where it is one too many, which is not counted."""
        if self.full(address):
            return False
        if address not in self._times and len(self._times) >= KEPT:
            self._times = {a: t for a, t in self._times.items() if t[-1] > self.clock() - self.seconds}
            if len(self._times) >= KEPT:
                return False  # that many addresses at once is nobody's group of players
        self._times.setdefault(address, deque()).append(self.clock())
        return True


class Limits:
    """What the server counts. The figures are generous for a table of players behind one address."""

    connections = 40
    """Open at the same time."""
    strangers = 24
    """Of those, not seated yet."""
    neighbours = 8
    """Of those, from one address: nobody keeps all others out by themselves."""
    terminals = 3
    """Of one seat: a laptop, a tablet, and one that hangs."""
    codes = 3
    """Wrong ones in one connection."""
    patience = 60.0
    """Seconds in which a connection has to become a seat."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.arrivals = Rate(30, 60.0, clock)
        """Connections from one address."""
        self.guesses = Rate(10, 600.0, clock)
        """Wrong codes from one address."""
