"""What an engine is made of: the world it looks at, the actions it offers, the events it emits."""

import re
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

    conditions: ClassVar[tuple[str, ...]] = ()
    """The game's own conditions, offered by name; any other word will do as well."""
    open_npcs: bool = False
    """The numbers of the GM's characters, and the chances that follow from them, are for everybody."""


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
    cast: tuple[str, ...] = ()
    """Who is here besides the players' characters, by the ids of their sheets."""
    next: tuple[str, ...] = ()
    """Scenes that could come next, by their ids."""
    notes: tuple[str, ...] = ()
    """What the GM wants to keep in mind here."""

    def people(self) -> tuple[str, ...]:
        """Everybody whom the scene names. A game whose scenes name people elsewhere too adds them."""
        return self.cast

    def bringing(self, who: str, count: int) -> Self:
        """This scene with so many more of somebody in it; those who share a sheet are in it with the sheet."""
        return self if who in self.people() else msgspec.structs.replace(self, cast=(*self.cast, who))


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


ANYBODY = "*"
"""What `Action.actor` says of what everybody may do: write a note, say."""


class RandomRow(Model):
    """A row of a rollable table."""

    text: str
    """What happens; {names} rolls on another table, {2d6} throws dice."""
    weight: int = 1
    """How likely it is beside the others, where the table has no dice."""
    on: int | str = ""
    """What the table's dice show for it: 7, "2-4", or "12+" for that and more."""


class RandomTable(Model):
    """A rollable table, `tables/<id>.toml`: weather, names, complications. The same for every game."""

    title: str
    about: str = ""
    """When to roll on it."""
    dice: str = ""
    """2d6, say; without dice the rows' weights decide."""
    secret: bool = False
    """What falls on it is for the GM's eyes."""
    rows: tuple[RandomRow, ...] = ()


_NUMBER = re.compile(r"(\d{1,9})", re.ASCII)

COPY = "#"
"""Stands between a sheet's id and the number of a copy."""


class Condition(Model):
    """Something that lasts on somebody and ends by itself, or is taken away."""

    who: str
    what: str
    ends: str = ""
    """"" (until removed), "start" or "end" of a turn, "round", or "save": by a roll that the game asks for."""
    left: int = 1
    """How many such moments are left."""
    whose: str = ""
    """Whose turns count; empty for those of whoever has the condition."""


class Now(Model):
    """Live state, the only part that now.toml holds. Engines extend it; every field has a default."""

    scene: str = ""
    turns: Turns = Turns()
    clocks: dict[str, Clock] = {}
    tracks: dict[str, Track] = {}
    conditions: dict[str, Condition] = {}
    retired: tuple[str, ...] = ()
    more: dict[str, str] = {}
    """Several of one sheet: warden#2 → warden. Each has live state of its own."""
    met: tuple[str, ...] = ()
    """Of the GM's own, who has stood before everybody's eyes: players go on knowing them."""

    def under_way(self) -> tuple[str, ...]:
        """What is being played and not over, by name: another scene is set only after a question."""
        return (f"round {self.turns.round} of the encounter",) if self.turns.running else ()

    def moved_on(self) -> Self:
        """The same as play goes on elsewhere: a throw that lies on the table and is settled is no news there."""
        return self

    def in_sight(self) -> tuple[str, ...]:
        """Who stands before everybody's eyes outside the turn order: the parties of an open contest, say."""
        return ()


R = TypeVar("R", bound=Rules)
S = TypeVar("S", bound=Sheet)
C = TypeVar("C", bound=Scene)
N = TypeVar("N", bound=Now)


def by_name(name: str) -> list[tuple[int, str]]:
    """How a name is sorted: without regard to capitals, and 2 before 10."""
    return [(int(part) if part.isdecimal() else 0, part) for part in _NUMBER.split(name.lower())]


def numbered(sheet: S, who: str) -> S:
    """The sheet of a copy: the same under a name with its number."""
    return msgspec.structs.replace(sheet, name=f"{sheet.name} {who.rpartition(COPY)[2]}")


class World(Model, Generic[R, S, C, N]):
    """All that an engine looks at. Never changed, only replaced."""

    rules: R
    now: N
    sheets: dict[str, S] = {}
    scenes: dict[str, C] = {}
    tables: dict[str, RandomTable] = {}

    def live(self, **changes: Any) -> Self:
        """This world with some of its live state replaced."""
        # by hand rather than by replace: this is most of what folding a log costs
        now = msgspec.structs.replace(self.now, **changes)
        return type(self)(self.rules, now, self.sheets, self.scenes, self.tables)

    def name(self, who: str) -> str:
        """What the table calls somebody: the name on the sheet, else the id itself."""
        sheet = self.sheets.get(who)
        return sheet.name if sheet else who

    def is_here(self, who: str) -> bool:
        """Is somebody about: with a sheet, and not retired?"""
        return who in self.sheets and who not in self.now.retired

    def is_hidden(self, who: str) -> bool:
        """Does somebody stand in the turn order whom only the GM knows of?"""
        fighter = self.now.turns.fighters.get(who)
        return bool(fighter and fighter.hidden)

    def original(self, who: str) -> str:
        """Whose sheet somebody is played from: their own, unless they are a copy."""
        return self.now.more.get(who, who)

    def copied(self) -> Self:
        """This world with a sheet for each copy: its original's under a name with a number.

        To be called where sheets or copies have changed; files cannot have a `#` in their names.
        """
        files = {who: sheet for who, sheet in self.sheets.items() if COPY not in who}
        files |= {who: numbered(files[of], who) for who, of in self.now.more.items() if of in files}
        return type(self)(self.rules, self.now, files, self.scenes, self.tables)

    def present(self) -> list[str]:
        """Everybody who has not been retired: players' characters first, then by name."""
        return list(_present(self.sheets, self.now.retired))

    def here(self, scene: str = "") -> list[str]:
        """Who is about in a scene, or in the one that is on: players' characters, then those whom it names.

        Those who share a sheet are where it is.
        """
        found = self.scenes.get(scene or self.now.scene)
        more = self.now.more
        named = dict.fromkeys(
            w for n in (found.people() if found else ()) for w in (n, *(c for c in more if more[c] == n))
        )
        return [*self.players(), *(w for w in named if self.is_here(w) and not self.sheets[w].player)]

    def players(self) -> list[str]:
        """The players' characters who have not been retired."""
        return [who for who in self.present() if self.sheets[who].player]


_ORDER: list[tuple[object, object, tuple[str, ...]]] = []
"""The sheets and the retired that were sorted last, with the answer: play asks often, and seldom changes either."""


def _present(sheets: Mapping[str, Any], retired: Any) -> tuple[str, ...]:
    for of_sheets, of_retired, names in _ORDER[:1]:
        if of_sheets is sheets and of_retired == retired:
            return names
    here = [who for who in sheets if who not in retired]
    names = tuple(sorted(here, key=lambda who: (not sheets[who].player, by_name(sheets[who].name))))
    _ORDER[:] = [(sheets, retired, names)]
    return names


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

    def aside(self) -> bool:
        """Is it said beside what was done? That is called by another sentence then, where it is taken back."""
        return False

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
    done_by: ClassVar[str] = ""
    """The field that names who does it, where it is for that character's player to do; empty for the GM's own."""
    asks: ClassVar[bool] = False
    """A player asks the GM for it, whatever they fill in."""
    done_to: ClassVar[str] = ""
    """The field that names whom it is done to: a screen fills it in with whoever is under the cursor, or is meant."""
    toward: ClassVar[str] = ""
    """What stands between its title and the name of whom it is done to: "against", in "act against Rook"."""
    done_with: ClassVar[str] = ""
    """The field whose answers a screen lists beforehand, each with its chance: a skill, a weapon."""

    @classmethod
    def when(cls, world: Any) -> str:
        """Empty when it can be done now, else why not."""
        return ""

    @classmethod
    def warns(cls, world: Any) -> str:
        """What a stray key would cost now, in a sentence: screens ask before doing it. Empty where they need not."""
        return ""

    @classmethod
    def actor(cls, world: Any, fields: Mapping[str, Any]) -> str:
        """Who does it, given the fields answered so far: somebody's id, ANYBODY, or empty where it is the GM's.

        A player does at once what their own characters do. Override it where no field names them: whoever leads.
        """
        return str(fields.get(cls.done_by, "")) if cls.done_by else ""

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
    found: str = ""
    """The word that is not known, where somebody may have mistyped one."""
    known: tuple[str, ...] = ()
    """The words that are known in its place: what was probably meant is told, or all of them."""


def tag_of(kind: type[msgspec.Struct]) -> str:
    """The word by which a tagged struct goes in the log."""
    return str(kind.__struct_config__.tag)
