"""What the screens draw of the No1 system; it has no co-operative challenge."""

from __future__ import annotations

from ....rules import Kind, View
from ..world import No1World
from .contest import contest_view
from .sheet import sheet_view
from .table import table_view


def view(kind: Kind, world: No1World, about: str = "") -> View | None:
    """The view of a kind; `about` names the sheet."""
    if kind == "table":
        return table_view(world)
    if kind == "contest":
        return contest_view(world)
    return sheet_view(world, about) if kind == "sheet" else None
