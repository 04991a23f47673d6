"""Evenings with the sample campaigns: who plays them, and the log that comes of it."""

from __future__ import annotations

import tempfile
from pathlib import Path

from .abbey_of_lynn import AbbeyOfLynn
from .cinder_pass import CinderPass
from .ember_road import EmberRoad
from .fen_lanterns import FenLanterns
from .homebrew import BrokenCauseway, Lamplighters, SaltRoad
from .table import CAMPAIGNS, Evening

ALL = (EmberRoad, CinderPass, AbbeyOfLynn, FenLanterns, SaltRoad, Lamplighters, BrokenCauseway)
EVENINGS: dict[str, type[Evening]] = {e.campaign: e for e in ALL}
"""By campaign."""


def played(name: str) -> bytes:
    """The log of one evening, played anew."""
    with tempfile.TemporaryDirectory() as place:
        evening = EVENINGS[name](Path(place))
        evening.play()
        evening.log.close()
        return evening.path.read_bytes()


def kept(name: str) -> Path:
    """Where an evening's log is kept."""
    return CAMPAIGNS / name / "played" / f"{EVENINGS[name].slug}.jsonl"
