"""Counters over time: the numbers of the table along the steps that made the present."""

from collections.abc import Sequence
from typing import Any

from ..rules import Engine, Model, TableView, strip
from ..session import Table


class Series(Model):
    """One counter along the steps of a session."""

    name: str
    values: tuple[int | None, ...]
    """None where the counter was not on the table, or the engine could not show the table."""
    entries: tuple[int, ...]
    """The entry after which each value stood; 0 is the beginning."""
    most: int | None = None
    """The largest that it can be, where there is one."""

    @property
    def moved(self) -> bool:
        """Is there anything to see?"""
        return len({v for v in self.values if v is not None}) > 1


def series(table: Table, points: int = 200) -> tuple[Series, ...]:
    """The counters of the table view, as the table's seat may see them, from the beginning to now.

    Undone steps are left out, and those that the seat may not know. Of more than `points` steps as many are taken,
    evenly, with the first and the last.
    """
    line = table.timeline
    steps = [seq for seq in line.past(to=table.head) if not seq or table.reader.knows(seq)]
    return along(table.engine, line.worlds, sample(steps, points), stripped=bool(table.seat))


def sample(steps: Sequence[int], points: int) -> tuple[int, ...]:
    """At most so many of the steps, evenly spread, the first and the last among them."""
    count = max(points, 2)
    if len(steps) <= count:
        return tuple(steps)
    last = len(steps) - 1
    return tuple(steps[round(i * last / (count - 1))] for i in range(count))


def along(engine: Engine, worlds: Sequence[Any], steps: Sequence[int], *, stripped: bool) -> tuple[Series, ...]:
    """The counters in the worlds after some steps."""
    found: dict[tuple[str, int], dict[int, int]] = {}
    most: dict[tuple[str, int], int | None] = {}
    for place, seq in enumerate(steps):
        try:
            view = engine.view("table", worlds[seq])
        except Exception:  # an engine that fails on one state costs its values there, never the rest
            continue
        if stripped:
            view = strip(view)
        seen: dict[str, int] = {}
        for counter in view.counters if isinstance(view, TableView) else ():
            # two clocks may share a name: the first of them stays the first
            key = (counter.name, seen.get(counter.name, 0))
            seen[counter.name] = key[1] + 1
            found.setdefault(key, {})[place] = counter.value
            most[key] = counter.most
    places = range(len(steps))
    return tuple(
        Series(name, tuple(values.get(i) for i in places), tuple(steps), most[name, nth])
        for (name, nth), values in found.items()
    )
