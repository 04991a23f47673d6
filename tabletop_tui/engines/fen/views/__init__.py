"""What the screens of Fen show: the table, the contest and the sheets. This game has no co-operative challenge."""

from ....rules import Kind, View
from ..world import FenWorld
from .contest import contest_view
from .sheet import sheet_view
from .table import table_view


def view(kind: Kind, world: FenWorld, about: str = "") -> View | None:
    """The view of one kind; None where the game has none."""
    if kind == "contest":
        return contest_view(world)
    if kind == "table":
        return table_view(world)
    return sheet_view(world, about) if kind == "sheet" else None
