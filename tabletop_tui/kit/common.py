"""Actions and events that any game can use as they are: scenes, notes, tables, clocks, tracks, conditions, people."""

from ..rules import Action, Event
from . import cast, clocks, conditions, scenes, tables
from .cast import AddCopies, BringBack, CopiesAdded, Retire, Retired, anybody, originals, the_retired
from .clocks import (
    AddClock,
    AddTrack,
    ClockMoved,
    ClockSet,
    MoveTrack,
    PutClockAway,
    PutTrackAway,
    TickClock,
    TrackMoved,
    TrackSet,
    clock_choices,
    counters,
    track_choices,
)
from .conditions import (
    BeginCondition,
    BeginConditionOrSave,
    ConditionBegan,
    ConditionTicked,
    EndCondition,
    Ends,
    Save,
    SaveRolled,
    condition_choices,
    endings,
    lasting,
    moment,
    statuses,
    until,
)
from .scenes import EnterScene, Note, Noted, SceneEntered, scene_choices
from .seen import is_secret, unseen
from .tables import RollTable, TableRolled, table_choices

ROOMS = (scenes, tables, clocks, conditions, cast)
ACTIONS: tuple[type[Action], ...] = tuple(action for room in ROOMS for action in room.ACTIONS)
EVENTS: tuple[type[Event], ...] = tuple(event for room in ROOMS for event in room.EVENTS)

__all__ = [
    "ACTIONS", "EVENTS", "AddClock", "AddCopies", "AddTrack", "BeginCondition", "BeginConditionOrSave", "BringBack",
    "ClockMoved", "ClockSet", "ConditionBegan", "ConditionTicked", "CopiesAdded", "EndCondition", "Ends",
    "EnterScene", "MoveTrack", "Note", "Noted", "PutClockAway", "PutTrackAway", "Retire", "Retired",
    "RollTable", "Save",
    "SaveRolled", "SceneEntered", "TableRolled", "TickClock", "TrackMoved", "TrackSet", "anybody", "clock_choices",
    "condition_choices", "counters", "endings", "is_secret", "lasting", "moment", "originals", "scene_choices",
    "statuses", "table_choices", "the_retired", "track_choices", "unseen", "until",
]  # fmt: skip


def plural(number: int, word: str) -> str:
    """A number and its word: 1 hit, 2 hits."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
