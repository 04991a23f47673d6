"""The conformance kit: what the author of an engine runs to know that it keeps the contract."""

from ..rules.walk import walk
from .checks import check_engine, check_odds, check_secrets, findings
from .edits import check_edits, try_edits
from .playing import play, random_action, worlds
from .report import conform, twin_of, world_of
from .seats import check_said, check_twins, misses, walk_worlds

__all__ = [
    "check_edits", "check_engine", "check_odds", "check_said", "check_secrets", "check_twins", "conform", "findings",
    "misses", "play", "random_action", "try_edits", "twin_of", "walk", "walk_worlds", "world_of", "worlds",
]  # fmt: skip
