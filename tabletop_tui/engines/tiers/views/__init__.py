"""What the screens draw of Tiers of Power."""

from .challenge import challenge_view
from .sheet import sheet_view
from .table import table_view

__all__ = ["challenge_view", "sheet_view", "table_view"]
