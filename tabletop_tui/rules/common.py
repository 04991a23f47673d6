"""Actions and events that any game can use as they are: scenes, notes, clocks, tracks, conditions, people."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from .ask import Ask, Choice
from .dice import Dice
from .errors import Refused
from .model import Action, Clock, Condition, Event, Track
from .views import Line


def scene_choices(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every prepared scene but the one that is on."""
    return [
        Choice(i, s.title, "it is the scene that is on" if i == world.now.scene else "")
        for i, s in world.scenes.items()
    ]


def clock_choices(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every clock, with how far it is."""
    return [Choice(i, f"{c.name} {c.filled}/{c.size}") for i, c in world.now.clocks.items()]


def track_choices(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every track, with where it stands."""
    return [Choice(i, f"{t.name} {t.value}") for i, t in world.now.tracks.items()]


def condition_choices(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every condition on anybody."""
    return [Choice(i, f"{world.name(c.who)}: {c.what}") for i, c in world.now.conditions.items()]


def anybody(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who is about."""
    return [Choice(who, world.name(who)) for who in world.present()]


def the_retired(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Everybody who has been retired."""
    return [Choice(who, world.name(who)) for who in world.now.retired]


class SceneEntered(Event, tag="scene_entered"):
    """The table moved to a prepared scene."""

    scene: str

    def apply(self, world: Any) -> Any:
        """The scene is on."""
        return world.live(scene=self.scene)

    def says(self, world: Any) -> str:
        """The scene's title."""
        scene = world.scenes.get(self.scene)
        return f"Scene: {scene.title if scene else self.scene}"


class Noted(Event, tag="noted"):
    """Somebody wrote something down."""

    text: str
    secret: bool = False

    def apply(self, world: Any) -> Any:
        """A note changes nothing."""
        return world

    def says(self, world: Any) -> str:
        """The note."""
        return "" if self.secret else self.text

    def whispers(self, world: Any) -> str:
        """The note, where it is the GM's."""
        return self.text if self.secret else ""


class ClockMoved(Event, tag="clock_moved"):
    """A clock's segments were filled or emptied."""

    clock: str
    filled: int

    def apply(self, world: Any) -> Any:
        """The clock shows the new number."""
        clocks: dict[str, Clock] = world.now.clocks
        if self.clock not in clocks:
            return world
        return world.live(clocks={**clocks, self.clock: replace(clocks[self.clock], filled=self.filled)})

    def _words(self, world: Any) -> str:
        clock = world.now.clocks[self.clock]
        full = ": full" if self.filled >= clock.size else ""
        return f"{clock.name} {self.filled}/{clock.size}{full}"

    def says(self, world: Any) -> str:
        """The clock, unless it is the GM's."""
        return "" if world.now.clocks[self.clock].secret else self._words(world)

    def whispers(self, world: Any) -> str:
        """The clock, where it is the GM's."""
        return self._words(world) if world.now.clocks[self.clock].secret else ""


class TrackMoved(Event, tag="track_moved"):
    """A track went up or down."""

    track: str
    value: int

    def apply(self, world: Any) -> Any:
        """The track shows the new number."""
        tracks: dict[str, Track] = world.now.tracks
        if self.track not in tracks:
            return world
        return world.live(tracks={**tracks, self.track: replace(tracks[self.track], value=self.value)})

    def says(self, world: Any) -> str:
        """The track, unless it is the GM's."""
        track = world.now.tracks[self.track]
        return "" if track.secret else f"{track.name} {track.value} → {self.value}"

    def whispers(self, world: Any) -> str:
        """The track, where it is the GM's."""
        track = world.now.tracks[self.track]
        return f"{track.name} {track.value} → {self.value}" if track.secret else ""


class ConditionBegan(Event, tag="condition_began"):
    """Somebody is under a condition."""

    id: str
    condition: Condition

    def apply(self, world: Any) -> Any:
        """It is on them."""
        return world.live(conditions={**world.now.conditions, self.id: self.condition})

    def _words(self, world: Any) -> str:
        return f"{world.name(self.condition.who)}: {self.condition.what}"

    def says(self, world: Any) -> str:
        """Who, and what; the GM alone is told of hidden ones."""
        return "" if _hidden(world, self.condition.who) else self._words(world)

    def whispers(self, world: Any) -> str:
        """The same, of somebody hidden."""
        return self._words(world) if _hidden(world, self.condition.who) else ""


class ConditionTicked(Event, tag="condition_ticked"):
    """A condition has less time left, or none."""

    id: str
    left: int

    def apply(self, world: Any) -> Any:
        """It counts down, or ends."""
        conditions: dict[str, Condition] = dict(world.now.conditions)
        if self.id in conditions:
            if self.left > 0:
                conditions[self.id] = replace(conditions[self.id], left=self.left)
            else:
                del conditions[self.id]
        return world.live(conditions=conditions)

    def _words(self, world: Any) -> str:
        c = world.now.conditions[self.id]
        return "" if self.left > 0 else f"{world.name(c.who)} is no longer {c.what}"

    def says(self, world: Any) -> str:
        """Only its end is worth a line."""
        return "" if _hidden(world, world.now.conditions[self.id].who) else self._words(world)

    def whispers(self, world: Any) -> str:
        """The same, of somebody hidden."""
        return self._words(world) if _hidden(world, world.now.conditions[self.id].who) else ""


class Retired(Event, tag="retired"):
    """Somebody left the cast, or came back."""

    who: str
    away: bool = True

    def apply(self, world: Any) -> Any:
        """They are away, or back."""
        rest = tuple(w for w in world.now.retired if w != self.who)
        return world.live(retired=(*rest, self.who) if self.away else rest)

    def says(self, world: Any) -> str:
        """Who, and which way."""
        return f"{world.name(self.who)} {'leaves the cast' if self.away else 'is back'}"


class EnterScene(Action, tag="scene"):
    """Move to a prepared scene."""

    title = "scene"
    scene: Annotated[str, Ask(scene_choices)]

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """The scene is on."""
        return (SceneEntered(self.scene),)


class Note(Action, tag="note"):
    """Write something into the log, for everybody or for the GM alone."""

    title = "note"
    text: Annotated[str, Meta(max_length=2_000)]
    secret: bool = False

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """The note stands in the log."""
        if not self.text.strip():
            raise Refused("an empty note says nothing", remedy="Write a word or two.")
        return (Noted(self.text.strip(), self.secret),)


class TickClock(Action, tag="tick"):
    """Fill segments of a clock, or empty some with a negative number."""

    title = "tick a clock"
    clock: Annotated[str, Ask(clock_choices)]
    by: Annotated[int, Meta(ge=-100, le=100)] = 1

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """The clock moves, never below nothing and never beyond full."""
        clock = world.now.clocks[self.clock]
        return (ClockMoved(self.clock, min(max(clock.filled + self.by, 0), clock.size)),)


class MoveTrack(Action, tag="track"):
    """Move a track of the campaign up or down."""

    title = "move a track"
    track: Annotated[str, Ask(track_choices)]
    by: Annotated[int, Meta(ge=-10_000, le=10_000)] = 1

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """The track moves, never below 0 and never beyond its most."""
        track = world.now.tracks[self.track]
        value = max(track.value + self.by, 0)
        return (TrackMoved(self.track, value if track.most is None else min(value, track.most)),)


def lasting(world: Any) -> tuple[Line, ...]:
    """Conditions with what is left of them, for a table view; those of hidden ones stand in the GM's roster alone."""
    until = {"start": "start of turn", "end": "end of turn", "round": "end of round"}
    seen = [c for c in world.now.conditions.values() if not _hidden(world, c.who)]
    return tuple(
        Line(
            world.name(c.who), c.what, f"until {_nth(c.left)}{until[c.ends]}" if c.ends in until else "until removed"
        )
        for c in seen
    )


def _nth(left: int) -> str:
    return "the " if left == 1 else f"{left} times the "


def _hidden(world: Any, who: str) -> bool:
    fighter = world.now.turns.fighters.get(who)
    return bool(fighter and fighter.hidden)


Ends = Literal["", "start", "end", "round"]


def endings(_world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """When a condition ends by itself."""
    return [
        Choice("", "when somebody takes it away"),
        Choice("start", "at the start of their turn"),
        Choice("end", "at the end of their turn"),
        Choice("round", "at the end of the round"),
    ]


class BeginCondition(Action, tag="condition"):
    """Put a condition on somebody; it ends by itself at a turn's start or end, or stays until removed."""

    title = "condition"
    who: Annotated[str, Ask(anybody)]
    what: Annotated[str, Meta(max_length=120)]
    ends: Annotated[Ends, Ask(endings)] = ""
    left: Annotated[int, Meta(ge=1, le=100, title="how often", description="the next one ends it")] = 1

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """The condition is on them."""
        if not self.what.strip():
            raise Refused("a condition needs a name", remedy="Say what it is: prone, burning, afraid.")
        number = 1
        while f"{self.who}-{number}" in world.now.conditions:
            number += 1
        condition = Condition(self.who, self.what.strip(), self.ends, self.left)
        return (ConditionBegan(f"{self.who}-{number}", condition),)


class EndCondition(Action, tag="recover"):
    """Take a condition away."""

    title = "end a condition"
    condition: Annotated[str, Ask(condition_choices)]

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """It ends."""
        return (ConditionTicked(self.condition, 0),)


class Retire(Action, tag="retire"):
    """Take somebody out of the cast; the sheet stays."""

    title = "retire"
    who: Annotated[str, Ask(anybody)]

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """They are away."""
        if self.who in world.now.turns.fighters:
            raise Refused(f"{world.name(self.who)} is in the turn order", remedy="Take them out of it first.")
        return (Retired(self.who),)


class BringBack(Action, tag="bring_back"):
    """Bring somebody who was retired back into the cast."""

    title = "bring back"
    who: Annotated[str, Ask(the_retired)]

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """They are back."""
        return (Retired(self.who, away=False),)


def moment(world: Any, ends: str, who: str = "") -> tuple[Event, ...]:
    """What the start or end of somebody's turn, or of a round, does to conditions. A turn starts once in a round."""
    if ends == "start" and who in world.now.turns.begun:
        return ()
    return tuple(
        ConditionTicked(i, c.left - 1)
        for i, c in world.now.conditions.items()
        if c.ends == ends and who in ("", c.who)
    )


ACTIONS: tuple[type[Action], ...] = (
    EnterScene,
    Note,
    TickClock,
    MoveTrack,
    BeginCondition,
    EndCondition,
    Retire,
    BringBack,
)
EVENTS: tuple[type[Event], ...] = (
    SceneEntered,
    Noted,
    ClockMoved,
    TrackMoved,
    ConditionBegan,
    ConditionTicked,
    Retired,
)
