"""A list that a page has to choose from."""

from __future__ import annotations

from typing import NamedTuple

from textual.content import Content

from ...rules import Option
from ..asking.listing import Listing
from ..drawing.text import DIM, heading, line
from .panel import Panel


class Picks(NamedTuple):
    """A list, what can be compared of it, and what to say where it is empty."""

    list: Listing[Option]
    stands: object
    hint: str = ""


class PickPanel(Panel[Picks]):
    """The list under its title."""

    DEFAULT_CSS = "PickPanel { height: 1fr; min-height: 6; }"

    def lines(self, width: int) -> list[Content]:
        """The part around its cursor."""
        if self.part is None:
            return []
        listing = self.part.list
        body = listing.lines(width, self.size.height - 2, self.spot, 1)
        out = [heading(listing.title, width, active=True)]
        return out + (body or [line((f" {self.part.hint or 'nothing to choose from'}", DIM))])
