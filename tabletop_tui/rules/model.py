"""What an engine is made of: the world it looks at, the actions it offers, the events it emits."""

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, dataclass_transform

import msgspec

from .turns import Turns

if TYPE_CHECKING:
    from .dice import Dice


FIRST_MEETING = threading.RLock()
"""Held where records are read that this process may not have read before.

msgspec works out what it knows of a type when it first meets it; two threads that meet one at once crash the
interpreter (seen with 0.22).
"""


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Model(msgspec.Struct, frozen=True, omit_defaults=True):
    """The strict base of everything that crosses a layer.

    Frozen, because state is shared between every entry of a session and every thread that draws it.
    Defaults are left out of what is written, because TOML has no null and logs should be short.
    Unknown keys are tolerated when read: storage finds and reports them with their line.
    """


class Rules(Model):
    """House rules, the `[rules]` table of campaign.toml. Engines extend it; every key has a default."""


class Sheet(Model):
    """A character as written by hand, `characters/<id>.toml`. Engines extend it."""

    name: str
    player: str = ""
    """Who plays it; empty for the GM's own."""
    about: str = ""
    """A line for the table: looks, voice, wants."""


class Scene(Model):
    """A prepared scene, `scenes/<id>.toml`. Engines extend it."""

    title: str
    about: str = ""
    """What everybody may read."""
    secret: str = ""
    """What only the GM reads."""


class Clock(Model):
    """Segments that fill up until something happens."""

    name: str
    size: int = 4
    filled: int = 0
    secret: bool = False


class Track(Model):
    """A counter of the campaign's own that no rule touches: supplies, days, renown."""

    name: str
    value: int = 0
    most: int | None = None
    secret: bool = False


class Condition(Model):
    """Something that lasts on somebody and ends by itself, or is taken away."""

    who: str
    what: str
    ends: str = ""
    """"" (until removed), "start" or "end" of a turn, or "round"."""
    left: int = 1
    """How many such moments are left."""


class Now(Model):
    """Live state, the only part that now.toml holds. Engines extend it; every field has a default."""

    scene: str = ""
    turns: Turns = Turns()
    clocks: dict[str, Clock] = {}
    tracks: dict[str, Track] = {}
    conditions: dict[str, Condition] = {}
    retired: tuple[str, ...] = ()


R = TypeVar("R", bound=Rules)
S = TypeVar("S", bound=Sheet)
C = TypeVar("C", bound=Scene)
N = TypeVar("N", bound=Now)


class World(Model, Generic[R, S, C, N]):
    """All that an engine looks at. Never changed, only replaced."""

    rules: R
    now: N
    sheets: dict[str, S] = {}
    scenes: dict[str, C] = {}

    def live(self, **changes: Any) -> Self:
        """This world with some of its live state replaced."""
        # by hand rather than by replace: this is most of what folding a log costs
        return type(self)(self.rules, msgspec.structs.replace(self.now, **changes), self.sheets, self.scenes)

    def name(self, who: str) -> str:
        """What the table calls somebody: the name on the sheet, else the id itself."""
        sheet = self.sheets.get(who)
        return sheet.name if sheet else who

    def is_here(self, who: str) -> bool:
        """Is somebody about: with a sheet, and not retired?"""
        return who in self.sheets and who not in self.now.retired

    def present(self) -> list[str]:
        """Everybody who has not been retired: players' characters first, then by name."""
        away = self.now.retired
        here = [who for who in self.sheets if who not in away]
        return sorted(here, key=lambda who: (not self.sheets[who].player, self.sheets[who].name.lower()))

    def players(self) -> list[str]:
        """The players' characters who have not been retired."""
        return [who for who in self.present() if self.sheets[who].player]


class Event(Model, tag_field="is"):
    """Something that happened: past tense, with its results and faces in it.

    `apply` only assigns; it never rolls, refuses or recomputes, so that a later change of the rules
    cannot rewrite what happened.
    """

    rule: ClassVar[str] = ""
    """Which rule made this, in a short phrase."""

    def apply(self, world: Any) -> Any:
        """The world after this event."""
        raise NotImplementedError(type(self).__name__)  # msgspec's records cannot have abstract methods

    def says(self, world: Any) -> str:
        """This event in words that everybody may read, told of the world before it; may be empty."""
        return ""

    def whispers(self, world: Any) -> str:
        """What only the GM is told of it, in place of `says`; empty where there is no secret in it."""
        return ""

    def outcome(self) -> Mapping[str, str | int]:
        """For odds: the name of each group of chances that this event settles, and how it settled."""
        return {}


class Action(Model, tag_field="do"):
    """Something that somebody at the table does. Its fields are the form, the CLI and the log.

    The class's docstring is its help; its first line stands in lists.
    """

    title: ClassVar[str] = ""
    """What it is called in lists and on the footer; the tag where empty."""
    key: ClassVar[str] = ""
    """The single letter that a screen gives it, unless the user has another."""
    screens: ClassVar[tuple[str, ...]] = ()
    """The kinds of view whose footer offers it; it can be reached from everywhere by the palette."""

    swift: ClassVar[bool] = False
    """Its letter does it at once, with what may be left out left out; otherwise its form is shown first."""
    leads_to: ClassVar[str] = ""
    """The kind of view on which play goes on after it; empty to stay."""

    @classmethod
    def when(cls, world: Any) -> str:
        """Empty when it can be done now, else why not."""
        return ""

    @classmethod
    def warns(cls, world: Any) -> str:
        """What a stray key would cost now, in a sentence: screens ask before doing it. Empty where they need not."""
        return ""

    def resolve(self, world: Any, dice: "Dice") -> tuple[Event, ...]:
        """What happens. Pure: the same world and dice give the same events. May raise Refused."""
        raise NotImplementedError(type(self).__name__)  # as above


class Problem(Model):
    """Something that does not fit, found in a world; storage turns its path into file and line."""

    path: tuple[str | int, ...]
    """Where: ("sheets", "rook", "skills", "Warding"), say."""
    what: str
    remedy: str = ""
    warning: bool = False
    """True where play can go on as it is."""


def tag_of(kind: type[msgspec.Struct]) -> str:
    """The word by which a tagged struct goes in the log."""
    return str(kind.__struct_config__.tag)
