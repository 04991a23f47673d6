"""Conditions: what is on somebody for a time, and how it ends."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from ..rules import Action, Ask, Choice, Condition, Dice, Event, Line, Status
from .ahead import next_id
from .asking import said
from .cast import anybody
from .seen import unseen
from .told import Told

Ends = Literal["", "start", "end", "round", "save"]
TIMED = ("start", "end", "round")


def condition_choices(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Every condition on anybody."""
    return [Choice(i, f"{world.name(c.who)}: {c.what}") for i, c in world.now.conditions.items()]


def known_conditions(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The game's own conditions."""
    return [Choice(name) for name in type(world.rules).conditions]


def endings(_world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """When a condition ends by itself."""
    return [
        Choice("", "when somebody takes it away"),
        Choice("start", "at the start of a turn"),
        Choice("end", "at the end of a turn"),
        Choice("round", "at the end of the round"),
    ]


def endings_with_saves(world: Any, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """The same, in a game in which a roll can end one."""
    return [*endings(world, fields), Choice("save", "when they roll a save")]


def whose_turns(world: Any, fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Whose turns count: their own, or somebody else's."""
    why = "" if fields.get("ends") in ("start", "end") else "it does not end by a turn"
    return [Choice(who, world.name(who), why) for who in world.present()]


def due_saves(world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
    """Conditions that a save can end."""
    return [Choice(i, f"{world.name(c.who)}: {c.what}") for i, c in world.now.conditions.items() if c.ends == "save"]


def until(condition: Condition, world: Any) -> str:
    """When a condition ends, in words."""
    if condition.ends == "save":
        return "until a save"
    if condition.ends not in TIMED:
        return "until removed"
    if condition.whose and unseen(world, condition.whose):
        return "for a time"  # whose turn it ends with is the GM's
    left, whose = condition.left, f"{world.name(condition.whose)}'s" if condition.whose else "their"
    if condition.ends == "round":
        return "until the end of the round" if left == 1 else f"for {left} rounds"
    if left == 1:
        return f"until the {condition.ends} of {whose} turn"
    return f"for {left} of {whose} turns" if condition.ends == "end" else f"until {left} of {whose} turns have begun"


def statuses(world: Any, who: str) -> tuple[Status, ...]:
    """Somebody's conditions for their row; those of a hidden one go with the row."""
    return tuple(Status(what=c.what, until=until(c, world)) for c in world.now.conditions.values() if c.who == who)


def lasting(world: Any) -> tuple[Line, ...]:
    """Conditions with what is left of them, for a table view; those of the unseen stand in the GM's roster alone."""
    seen = [c for c in world.now.conditions.values() if not unseen(world, c.who)]
    return tuple(Line(label=world.name(c.who), value=c.what, because=until(c, world)) for c in seen)


def moment(world: Any, ends: str, who: str = "") -> tuple[Event, ...]:
    """What the start or end of somebody's turn, or of a round, does to conditions. A turn starts once in a round."""
    if ends == "start" and who in world.now.turns.begun:
        return ()
    return tuple(
        ConditionTicked(i, c.left - 1)
        for i, c in world.now.conditions.items()
        if c.ends == ends and who in ("", c.whose or c.who)
    )


class ConditionBegan(Told, tag="condition_began"):
    """Somebody is under a condition."""

    id: str
    condition: Condition

    def apply(self, world: Any) -> Any:
        """It is on them."""
        return world.live(conditions={**world.now.conditions, self.id: self.condition})

    def words(self, world: Any) -> str:
        """Who, and what."""
        return f"{world.name(self.condition.who)}: {self.condition.what}"

    def is_secret(self, world: Any) -> bool:
        """The GM alone is told of those whom players do not see."""
        return unseen(world, self.condition.who)


class ConditionTicked(Told, tag="condition_ticked"):
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

    def words(self, world: Any) -> str:
        """Only its end is worth a line."""
        condition = world.now.conditions[self.id]
        return "" if self.left > 0 else f"{world.name(condition.who)} is no longer {condition.what}"

    def is_secret(self, world: Any) -> bool:
        """The GM alone is told of those whom players do not see."""
        return unseen(world, world.now.conditions[self.id].who)


class BeginCondition(Action, tag="condition"):
    """Put a condition on somebody; it ends by itself at a turn's start or end, or stays until removed."""

    title = "condition"
    done_to = "who"
    who: Annotated[str, Ask(anybody)]
    what: Annotated[str, Ask(known_conditions, other=True), Meta(max_length=120)]
    ends: Annotated[Ends, Ask(endings)] = ""
    left: Annotated[int, Meta(ge=1, le=100, title="after how many", description="turns or rounds")] = 1
    whose: Annotated[str, Ask(whose_turns), Meta(title="whose turn", description="their own")] = ""

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """The condition is on them."""
        what = said(self.what, "a condition needs a name", "Say what it is: prone, burning, afraid.")
        whose = "" if self.whose == self.who else self.whose
        condition = Condition(self.who, what, self.ends, self.left, whose)
        return (ConditionBegan(next_id(self.who, world.now.conditions), condition),)


class BeginConditionOrSave(BeginCondition, tag="condition"):
    """Put a condition on somebody; it ends by itself, by a save, or stays until removed."""

    ends: Annotated[Ends, Ask(endings_with_saves)] = ""


class EndCondition(Action, tag="recover"):
    """Take a condition away."""

    title = "end a condition"
    condition: Annotated[str, Ask(condition_choices)]

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """It ends."""
        return (ConditionTicked(self.condition, 0),)


class Save(Action, tag="save"):
    """Roll to end a condition. Extend it and say in `passes` what the dice must show."""

    title = "save"
    condition: Annotated[str, Ask(due_saves)]

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        """It ends, or stays as it is."""
        return (SaveRolled(self.condition, self.passes(world, world.now.conditions[self.condition].who, dice)),)

    def passes(self, world: Any, who: str, dice: Dice) -> bool:
        """The roll of the game."""
        raise NotImplementedError(type(self).__name__)  # msgspec's records cannot have abstract methods


class SaveRolled(Told, tag="save_rolled"):
    """Somebody rolled to end a condition."""

    id: str
    passed: bool

    def apply(self, world: Any) -> Any:
        """It ends where the save was made."""
        return ConditionTicked(self.id, 0).apply(world) if self.passed else world

    def words(self, world: Any) -> str:
        """Who, and how it went."""
        condition = world.now.conditions[self.id]
        how = "is no longer" if self.passed else "is still"
        return f"{world.name(condition.who)} {how} {condition.what}"

    def is_secret(self, world: Any) -> bool:
        """The GM alone is told of those whom players do not see."""
        return unseen(world, world.now.conditions[self.id].who)

    def outcome(self) -> Mapping[str, str | int]:
        """Saved or not."""
        return {"outcome": "saved" if self.passed else "not saved"}


ACTIONS: tuple[type[Action], ...] = (BeginCondition, EndCondition)
EVENTS: tuple[type[Event], ...] = (ConditionBegan, ConditionTicked)
