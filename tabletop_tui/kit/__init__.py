"""What engines share: actions, events and views that any game can use as they are. Knows the contract alone."""

from . import common, order, problems
from .told import Told

__all__ = ["Told", "common", "order", "problems"]
