"""Clocks and tracks: moved, made and put away during play; and as counters for a view."""

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ..rules import Action, Ask, Choice, Clock, Counter, Dice, Event, Refused, Track
from .asking import said
from .told import Told


def clock_choices(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every clock, with how far it is."""
    return [Choice(i, f"{c.name} {c.filled}/{c.size}") for i, c in world.now.clocks.items()]


def track_choices(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every track, with where it stands."""
    return [Choice(i, f"{t.name} {t.value}") for i, t in world.now.tracks.items()]


def counters(world: Any) -> tuple[Counter, ...]:
    """The campaign's clocks and tracks for a view, those of the GM marked as secret."""
    clocks = [
        Counter(
            name=clock.name,
            value=clock.filled,
            most=clock.size,
            tone="warn" if clock.filled >= clock.size else "",
            secret=clock.secret,
            more=TickClock(id) if clock.filled < clock.size else None,
            less=TickClock(id, -1) if clock.filled > 0 else None,
        )
        for id, clock in world.now.clocks.items()
    ]
    tracks = [
        Counter(
            name=track.name,
            value=track.value,
            most=track.most,
            secret=track.secret,
            more=MoveTrack(id) if track.most is None or track.value < track.most else None,
            less=MoveTrack(id, -1) if track.value > 0 else None,
        )
        for id, track in world.now.tracks.items()
    ]
    return (*clocks, *tracks)


class ClockMoved(Told, tag="clock_moved"):
    """A clock's segments were filled or emptied."""

    clock: str
    filled: int

    def apply(self, world: Any) -> Any:
        """The clock shows the new number."""
        clocks: dict[str, Clock] = world.now.clocks
        if self.clock not in clocks:
            return world
        return world.live(clocks={**clocks, self.clock: replace(clocks[self.clock], filled=self.filled)})

    def words(self, world: Any) -> str:
        """The clock, and whether it is full."""
        clock = world.now.clocks[self.clock]
        full = ": full" if self.filled >= clock.size else ""
        return f"{clock.name} {self.filled}/{clock.size}{full}"

    def is_secret(self, world: Any) -> bool:
        """Where the clock is."""
        return bool(world.now.clocks[self.clock].secret)


class TrackMoved(Told, tag="track_moved"):
    """A track went up or down."""

    track: str
    value: int

    def apply(self, world: Any) -> Any:
        """The track shows the new number."""
        tracks: dict[str, Track] = world.now.tracks
        if self.track not in tracks:
            return world
        return world.live(tracks={**tracks, self.track: replace(tracks[self.track], value=self.value)})

    def words(self, world: Any) -> str:
        """From where to where."""
        track = world.now.tracks[self.track]
        return f"{track.name} {track.value} → {self.value}"

    def is_secret(self, world: Any) -> bool:
        """Where the track is."""
        return bool(world.now.tracks[self.track].secret)


class ClockSet(Told, tag="clock_set"):
    """A clock was put on the table, or put away."""

    id: str
    clock: Clock | None

    def apply(self, world: Any) -> Any:
        """It is there, or gone."""
        rest = {i: c for i, c in world.now.clocks.items() if i != self.id}
        return world.live(clocks=rest if self.clock is None else {**rest, self.id: self.clock})

    def words(self, world: Any) -> str:
        """Which clock."""
        if self.clock is None:
            return f"{world.now.clocks[self.id].name} is put away"
        return f"A new clock: {self.clock.name} {self.clock.filled}/{self.clock.size}"

    def is_secret(self, world: Any) -> bool:
        """Where the clock is."""
        return bool((self.clock or world.now.clocks[self.id]).secret)


class TrackSet(Told, tag="track_set"):
    """A track was put on the table, or put away."""

    id: str
    track: Track | None

    def apply(self, world: Any) -> Any:
        """It is there, or gone."""
        rest = {i: t for i, t in world.now.tracks.items() if i != self.id}
        return world.live(tracks=rest if self.track is None else {**rest, self.id: self.track})

    def words(self, world: Any) -> str:
        """Which track."""
        if self.track is None:
            return f"{world.now.tracks[self.id].name} is put away"
        return f"A new track: {self.track.name} {self.track.value}"

    def is_secret(self, world: Any) -> bool:
        """Where the track is."""
        return bool((self.track or world.now.tracks[self.id]).secret)


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


def _free_id(name: str, taken: Mapping[str, Any]) -> str:
    """An id from a name: its letters and digits, with a number where it is taken."""
    stem = "-".join("".join(c if c.isalnum() else " " for c in name.lower()).split()) or "new"
    names = (stem if number == 1 else f"{stem}-{number}" for number in count(1))
    return next(name for name in names if name not in taken)


def _named(name: str) -> str:
    return said(name, "it needs a name", "Say what it counts: The pass closes.")


class AddClock(Action, tag="add_clock"):
    """Put a new clock on the table."""

    title = "new clock"
    name: Annotated[str, Meta(max_length=60)]
    size: Annotated[int, Meta(ge=1, le=100, title="segments")] = 4
    secret: bool = False

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """It is empty."""
        clock = Clock(_named(self.name), self.size, 0, self.secret)
        return (ClockSet(_free_id(clock.name, world.now.clocks), clock),)


class PutClockAway(Action, tag="drop_clock"):
    """Put a clock away."""

    title = "put a clock away"
    clock: Annotated[str, Ask(clock_choices)]

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """It is gone."""
        return (ClockSet(self.clock, None),)


class AddTrack(Action, tag="add_track"):
    """Put a new track on the table: supplies, days, renown."""

    title = "new track"
    name: Annotated[str, Meta(max_length=60)]
    value: Annotated[int, Meta(ge=0, le=10_000)] = 0
    most: Annotated[int, Meta(ge=0, le=10_000, description="no limit")] = 0
    secret: bool = False

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """It begins where it was said."""
        if self.most and self.value > self.most:
            raise Refused(f"{self.value} is more than {self.most}", remedy="Begin lower, or allow more.")
        track = Track(_named(self.name), self.value, self.most or None, self.secret)
        return (TrackSet(_free_id(track.name, world.now.tracks), track),)


class PutTrackAway(Action, tag="drop_track"):
    """Put a track away."""

    title = "put a track away"
    track: Annotated[str, Ask(track_choices)]

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """It is gone."""
        return (TrackSet(self.track, None),)


ACTIONS: tuple[type[Action], ...] = (TickClock, MoveTrack, AddClock, PutClockAway, AddTrack, PutTrackAway)
EVENTS: tuple[type[Event], ...] = (ClockMoved, TrackMoved, ClockSet, TrackSet)
