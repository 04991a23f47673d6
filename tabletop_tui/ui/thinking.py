"""Work that takes a while, of which only the last counts."""

from __future__ import annotations

from textual.dom import DOMNode
from textual.worker import WorkType


def think(on: DOMNode, group: str, work: WorkType[None]) -> None:
    """Do it in place of whatever is under way in its group.

    It is handed over uncalled: a coroutine whose worker is overtaken before it begins would never be awaited.
    """
    on.run_worker(work, group=group, exclusive=True)
