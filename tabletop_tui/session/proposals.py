"""What players asked the GM for, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ..rules import Model
from .entries import UNDO, Declined, Proposed
from .timeline import Timeline

__all__ = ["UNDO", "Proposal", "open_proposals", "proposal"]


class Proposal(Model):
    """Something that a player asked for."""

    seq: int
    at: str
    by: str
    action: str
    """The action's word, or "undo"."""
    fields: Mapping[str, Any]
    words: str
    state: Literal["open", "accepted", "declined", "taken back", "replaced"] = "open"
    why: str = ""
    """What the GM said, where it was declined."""


def proposal(line: Timeline, seq: int) -> Proposal | None:
    """The proposal of an entry, as it stands now; None where it is none."""
    entry = line.entries[seq - 1] if 0 < seq <= line.last else None
    if entry is None or not isinstance(entry.action, Proposed):
        return None
    asked = entry.action
    state, why = _state(line, seq)
    return Proposal(seq, entry.at, entry.by, asked.action, asked.fields, asked.words, state, why)


def _state(line: Timeline, seq: int) -> tuple[Literal["open", "accepted", "declined", "taken back", "replaced"], str]:
    by = line.entries[seq - 1].by
    if seq in line.closed:
        end = line.entries[line.closed[seq] - 1]
        if not isinstance(end.action, Declined):
            return "accepted", ""
        return ("taken back", "") if end.by == by else ("declined", end.action.why)
    if line.asked.get(by) != seq:
        return "replaced", ""
    return ("open", "") if line.is_open(seq) else ("accepted", "")


def open_proposals(line: Timeline) -> list[Proposal]:
    """All that waits for the GM's answer, the oldest first."""
    found = [proposal(line, seq) for seq in sorted(line.asked.values()) if line.is_open(seq)]
    return [one for one in found if one is not None]
