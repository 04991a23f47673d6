"""What the game looks at: house rules, sheets, and the state of play."""

from typing import Annotated, Any

from msgspec import Meta

from tabletop_tui.rules import Model, Now, Rules, Scene, Sheet, World

Number = Annotated[int, Meta(ge=2, le=20)]


class LanternRules(Rules):
    """House rules: the [rules] of campaign.toml. Every key has a default."""

    nerve: Annotated[int, Meta(ge=0, le=20)] = 3
    """How much nerve everybody has."""


class LanternSheet(Sheet):
    """A character: characters/ID.toml."""

    skills: dict[str, Annotated[int, Meta(ge=0, le=6)]] = {}


class Roll(Model):
    """The dice on the table."""

    who: str
    skill: str
    number: Number
    faces: tuple[Annotated[int, Meta(ge=1, le=6)], Annotated[int, Meta(ge=1, le=6)]]
    bonus: Annotated[int, Meta(ge=0, le=20)] = 0
    pending: bool = True
    """May somebody still press on?"""

    @property
    def total(self) -> int:
        """Both dice and what is added."""
        return sum(self.faces) + self.bonus

    @property
    def succeeds(self) -> bool:
        """Is the number reached?"""
        return self.total >= self.number


class Task(Model):
    """Something that several take on together."""

    name: str
    number: Number
    lead: str = ""
    skill: str = ""
    helpers: tuple[str, ...] = ()
    done: bool = False


class LanternNow(Now):
    """The state of play: now.toml."""

    spent: dict[str, Annotated[int, Meta(ge=0, le=20)]] = {}
    """Nerve that somebody has spent."""
    roll: Roll | None = None
    task: Task | None = None

    def under_way(self) -> tuple[str, ...]:
        """A task that is not done keeps another scene from being set without a question."""
        return (*super().under_way(), *((self.task.name,) if self.task and not self.task.done else ()))


LanternWorld = World[LanternRules, LanternSheet, Scene, LanternNow]


def nerve(world: LanternWorld, who: str) -> int:
    """What somebody has left."""
    return max(world.rules.nerve - world.now.spent.get(who, 0), 0)


def waits(world: LanternWorld) -> str:
    """Why nothing else can be done now; empty where it can."""
    return "the dice on the table come first" if world.now.roll and world.now.roll.pending else ""


def kept(world: Any, who: str) -> bool:
    """Does somebody belong to the GM, so that players do not see their numbers?"""
    return not world.sheets[who].player and not world.rules.open_npcs
