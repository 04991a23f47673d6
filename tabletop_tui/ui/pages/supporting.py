"""Helping with a skill of one's own choice: each way to help with each skill that it can be done with."""

from __future__ import annotations

from msgspec import structs

from ...rules import Action, Matrix, Option, Row, fields, values
from ...session import Table
from ..asking.listing import Pick


def skilled(row: Row) -> list[tuple[int, Option]]:
    """The cells of a supporter that can be done with one skill or another."""
    return [(c, o) for c, o in enumerate(row.cells) if not o.closed and type(o.action).done_with]


def skill_picks(table: Table, matrix: Matrix, row: Row) -> list[Pick[Action]]:
    """A row for each way and skill, closed where the game says why."""
    out: list[Pick[Action]] = []
    for c, option in skilled(row):
        kind, said = type(option.action), values(option.action)
        field = next(f for f in fields(kind) if f.name == kind.done_with)
        for choice in table.engine.choices(kind, field, table.seen(), said):
            action = structs.replace(option.action, **{field.name: choice.value})
            out.append(Pick(action, f"{matrix.columns[c]}: {choice.words}", choice.note, choice.closed))
    return out
