"""Rollable tables that would not end, or not be read: `roll` cannot leave the bounds that they are held to here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..rules import Problem, RandomTable, Refused
from .tables import MOST_DEEP, MOST_ROLLS, MOST_ROWS, MOST_TEXT, MOST_WEIGHT, Call, Tables, dice_of, parts, span_of


def problems(tables: Tables) -> Iterator[Problem]:
    """Everything that would keep a table from being rolled on, or make a roll endless."""
    for name, table in tables.items():
        yield from _table(name, table)
    calls = {name: _calls(table) for name, table in tables.items()}
    for name, rows in calls.items():
        for place, called in enumerate(rows):
            at = ("tables", name, "rows", place, "text")
            for call in called:
                if call not in tables:
                    what = f"there is no table {call!r}" if call else "the braces are empty"
                    yield Problem(at, what, "Write its file, or take it out.", found=call, known=tuple(tables))
    yield from _reach(tables, calls)


def _table(name: str, table: RandomTable) -> Iterator[Problem]:
    at = ("tables", name)
    if not table.rows:
        yield Problem(at, "a table needs rows", 'Add [[rows]] with text = "…" below it.')
    if len(table.rows) > MOST_ROWS:
        yield Problem((*at, "rows"), f"{len(table.rows)} rows are too many", f"At most {MOST_ROWS}.")
        return
    for place, row in enumerate(table.rows):
        here = (*at, "rows", place)
        try:
            parts(row.text)
        except Refused as no:
            yield Problem((*here, "text"), no.what, no.remedy)
        if not row.text.strip():
            yield Problem((*here, "text"), "a row needs a text", "Say what happens.")
        if not 1 <= row.weight <= MOST_WEIGHT:
            yield Problem((*here, "weight"), f"a weight cannot be {row.weight}", f"From 1 to {MOST_WEIGHT}.")
        if row.on != "" and not table.dice:
            remedy = 'Say dice = "2d6" above, or take it out and use weight.'
            yield Problem((*here, "on"), "the table says no dice that this could be on", remedy)
        if table.dice and row.weight != 1:
            yield Problem((*here, "weight"), "dice decide here, so a weight counts for nothing", warning=True)
    if table.dice:
        yield from _ranges(at, table)


def _ranges(at: tuple[str, str], table: RandomTable) -> Iterator[Problem]:
    from ..workbench.plain import sums

    try:
        totals = set(sums(dice_of(table.dice)))
    except Refused as no:
        yield Problem((*at, "dice"), no.what, no.remedy)
        return
    free = set(totals)
    for place, row in enumerate(table.rows):
        here = (*at, "rows", place, "on")
        if row.on == "":
            yield Problem(here[:-1], f"what of {table.dice} is this for?", 'Add on = 7, on = "2-4" or on = "12+".')
            continue
        try:
            low, high = span_of(row.on)
        except Refused as no:
            yield Problem(here, no.what, no.remedy)
            continue
        mine = {value for value in totals if low <= value <= high}
        if not mine:
            yield Problem(
                here, f"{table.dice} cannot show {row.on}", "Take it out, or change the dice.", warning=True
            )
        if taken := sorted(mine - free):
            yield Problem(here, f"another row has {_numbers(taken)} already", "Give each total to one row.")
        free -= mine
    if free and table.rows:
        yield Problem((*at, "dice"), f"no row has {_numbers(sorted(free))}", "Give each total to one row.")


def _numbers(values: Sequence[int]) -> str:
    shown = ", ".join(map(str, values[:6]))
    return f"{shown} and {len(values) - 6} more" if len(values) > 6 else shown


def _reach(tables: Tables, calls: Mapping[str, Sequence[Sequence[str]]]) -> Iterator[Problem]:
    """Loops, and rolls that lead too far: from the tables that call nobody upwards."""
    known = {name: [[c for c in row if c in tables] for row in rows] for name, rows in calls.items()}
    callers: dict[str, set[str]] = {name: set() for name in known}
    waits = {name: {c for row in rows for c in row} for name, rows in known.items()}
    for name, called in waits.items():
        for one in called:
            callers[one].add(name)
    size: dict[str, tuple[int, int, int]] = {}
    ready = [name for name, called in waits.items() if not called]
    while ready:
        name = ready.pop()
        size[name] = _size(tables[name], known[name], size)
        for caller in callers[name]:
            waits[caller].discard(name)
            if not waits[caller]:
                ready.append(caller)
        if too := _too_far(size[name]):
            yield Problem(("tables", name), *too)
            size[name] = (1, 1, 1)  # told once: those that call it are not blamed for it
    yield from _loops({name: called for name, called in waits.items() if name not in size}, known)


def _size(
    table: RandomTable, rows: Sequence[Sequence[str]], size: Mapping[str, tuple[int, int, int]]
) -> tuple[int, int, int]:
    """The most throws, tables in a row and characters that a roll on a table can lead to."""
    throws = deep = long = 0
    for row, called in zip(table.rows, rows, strict=True):
        below = [size[one] for one in called]
        throws = max(throws, sum(one[0] for one in below))
        deep = max(deep, max((one[1] for one in below), default=0))
        long = max(long, len(row.text) + sum(one[2] for one in below))
    return throws + 1, deep + 1, long


def _too_far(size: tuple[int, int, int]) -> tuple[str, str] | None:
    throws, deep, long = size
    if throws > MOST_ROLLS:
        return f"one roll on it can lead to {throws} rolls", f"At most {MOST_ROLLS}: call fewer tables."
    if deep > MOST_DEEP:
        return f"{deep} tables call each other in a row", f"At most {MOST_DEEP}."
    if long > MOST_TEXT:
        return f"one roll on it can give {long} characters", f"At most {MOST_TEXT}: write less."
    return None


def _loops(left: Mapping[str, set[str]], known: Mapping[str, Sequence[Sequence[str]]]) -> Iterator[Problem]:
    told: set[str] = set()
    for begin in left:
        path: list[str] = []
        here = begin
        while here not in path and here not in told:
            path.append(here)
            here = min(left[here])
        told |= set(path)
        if here in path:
            circle = path[path.index(here) :]
            place = next(i for i, row in enumerate(known[here]) if min(left[here]) in row)
            words = " → ".join([*circle[:6], *(["…"] if len(circle) > 6 else []), here])
            at = ("tables", here, "rows", place, "text")
            yield Problem(at, f"the tables call each other without end: {words}", "Take one of the calls out.")


# ---- at the table


def _calls(table: RandomTable) -> list[list[str]]:
    """For each row the tables that it calls; none where its text does not read."""
    found = []
    for row in table.rows:
        try:
            found.append([part.table for part in parts(row.text) if isinstance(part, Call) and not part.dice])
        except Refused:
            found.append([])
    return found
