"""What the screens draw of a home-brew game."""

from .challenge import challenge_view
from .contest import contest_view
from .sheet import sheet_view
from .table import table_view

__all__ = ["challenge_view", "contest_view", "sheet_view", "table_view"]
