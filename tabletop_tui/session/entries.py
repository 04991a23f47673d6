"""The lines of a log: the header, the entries, and the actions that belong to the log itself."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Generic, TypeVar, Union

import msgspec

from ..plugins import Guarded, guarded
from ..rules import FIRST_MEETING, Action, Engine, Event, Handful, Model, TableError, World, tag_of

FORMAT = 1
"""The version of the log's format that this program writes."""


class Header(Model):
    """The first line: what was played, from which seed, and the world as it stood."""

    log: str
    """Always "tabletop"."""
    format: int
    engine: str
    version: str
    campaign: str
    session: str
    began: str
    seed: str
    world: Any


class Change(Model):
    """One value that a person changed by hand."""

    path: tuple[str | int, ...]
    before: Any = None
    after: Any = None
    """None where the value was taken out: TOML has no null, so nothing else can mean it."""

    def words(self) -> str:
        """The file, the place in it, before and after on one line."""
        part, *rest = map(str, self.path)
        file = "now" if part == "now" else "campaign" if part == "rules" or not rest else rest.pop(0)
        where = f"{file}.toml: {'.'.join(['rules', *rest] if part == 'rules' else rest)}".rstrip(": ")
        if self.before is None:
            return _named(self.after, "added") or f"{where} added, {_short(self.after)}"
        if self.after is None:
            return _named(self.before, "removed") or f"{where} removed, {_short(self.before)}"
        return f"{where} {_short(self.before)} → {_short(self.after)}"

    def sides(self) -> str:
        """Before and after, without the path."""
        return " → ".join("–" if one is None else _short(one) for one in (self.before, self.after))


def _named(value: Any, what: str) -> str:
    """Somebody or something whole, as a person or a scene, by its name; empty where it has none."""
    name = (value.get("name") or value.get("title")) if isinstance(value, dict) else None
    return f"{name} {what}" if isinstance(name, str) else ""


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else text[:59] + "…"


class Undo(Action, tag="undo"):
    """Go back to the state after an earlier entry."""

    to: int


class Redo(Action, tag="redo"):
    """Go forward again to the state after an entry that was undone."""

    to: int


class Written(Model):
    """A hand-written file that the program changed: as it was and as it is, to the letter."""

    file: str
    """Inside the campaign."""
    before: str | None = None
    """None where there was none."""
    after: str | None = None
    """None where it was taken away."""


class Edited(Action, tag="edited"):
    """Files of the campaign were changed, by hand or by the program."""

    changes: tuple[Change, ...]
    wrote: tuple[Written, ...] = ()
    """What the program wrote: undo and redo write it back. Empty where people changed the files themselves."""


class Named(Action, tag="named"):
    """Give a moment a name, to find it again in the history."""

    name: str
    at: int = 0
    """The entry; 0 for the present one."""


UNDO = "undo"
"""The action of a proposal to take something back."""


class Proposed(Action, tag="proposed"):
    """A player asks the GM for an action, as far as it is theirs to say."""

    action: str
    """The action's word; "undo" to have something taken back."""
    fields: dict[str, Any] = {}
    """Those that the player has answered."""
    words: str = ""
    """The same in a sentence."""


class Declined(Action, tag="declined"):
    """The GM says no to what a player asked for, or the player takes it back."""

    proposal: int
    why: str = ""


class Word(Action, tag="word"):
    """The GM turns to one player: "Ana, how does Mira help?"; or tells them something in secret."""

    to: str
    text: str
    secret: bool = False


CORE: tuple[type[Action], ...] = (Undo, Redo, Edited, Named, Proposed, Declined, Word)
BESIDE: tuple[type[Action], ...] = (Proposed, Declined, Word)
"""What is said about play rather than done: it lies beside the chain that undo and redo go along."""

A = TypeVar("A")
E = TypeVar("E")


class Entry(Model, Generic[A, E]):
    """One line: what was done, the dice that fell, what came of it, and the same in words."""

    seq: int
    at: str
    action: A
    by: str = ""
    dice: tuple[Handful, ...] = ()
    events: tuple[E, ...] = ()
    said: tuple[str, ...] = ()
    whispered: tuple[str, ...] = ()
    """What only the GM is told."""
    answers: int = 0
    """The proposal that this accepts."""


AnyEntry = Entry[Any, Any]


class PlainEntry(Model):
    """An entry as far as it can be read without its engine."""

    seq: int
    at: str
    action: msgspec.Raw
    by: str = ""
    dice: tuple[Handful, ...] = ()
    said: tuple[str, ...] = ()
    whispered: tuple[str, ...] = ()


@cache
def codec_of(engine: Engine) -> "Codec":
    """The one reader and writer of an engine's lines."""
    return Codec(engine)


class Codec:
    """Reads and writes the lines of one engine's logs."""

    def __init__(self, engine: Engine) -> None:
        self.engine: Guarded = guarded(engine)
        actions, events = (*CORE, *engine.actions), engine.events
        clashes = duplicates(actions) | duplicates(events)
        if clashes:
            raise TableError(
                f"the engine {engine.name!r} uses the tag {sorted(clashes)[0]!r} twice",
                remedy="Its author has to rename one of them.",
            )
        entry: Any = Entry
        # unions are made of tuples here, which `|` cannot do; an engine without events: Event itself is never written
        event_union = Union[tuple(events)] if events else Event  # noqa: UP007  # see above
        with FIRST_MEETING:
            self._decoder = msgspec.json.Decoder(entry[Union[tuple(actions)], event_union])  # noqa: UP007  # see above
            self._now = msgspec.json.Decoder(engine.now)
        self._encoder = msgspec.json.Encoder()

    @property
    def world_type(self) -> Any:
        """The world with this engine's own records in it."""
        world: Any = World
        e = self.engine
        return world[e.rules, e.sheet, e.scene, e.now]

    def entry(self, line: bytes) -> AnyEntry:
        """An entry from its line."""
        found: AnyEntry = self._decoder.decode(line)
        return found

    def entries(self, lines: bytes) -> Sequence[AnyEntry]:
        """Many entries at once, which is several times faster."""
        found: list[AnyEntry] = self._decoder.decode_lines(lines)
        return found

    def line(self, entry: AnyEntry) -> bytes:
        """An entry as a line, without newline and checksum."""
        return self._encoder.encode(entry)

    def again(self, entry: AnyEntry) -> AnyEntry:
        """An entry as whoever opens the log will read it; raises where nobody could."""
        try:
            return self.entry(self.line(entry))
        except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError) as error:
            raise self.engine.fault("writing", f"what it made cannot be read back: {error}", entry.action) from error

    def keeps(self, now: Any) -> None:
        """Raises where a live state could not be written down, as now.toml or at the head of the next session."""
        try:
            line = self._encoder.encode(now)
            self._now.decode(line)
        except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError) as error:
            raise self.engine.fault("apply", f"the state it leaves cannot be kept: {error}") from error
        if b"null" in line and (path := _nothing(msgspec.to_builtins(now, str_keys=True))):
            why = f"the state it leaves has nothing at {path}, and TOML has no word for nothing"
            raise self.engine.fault("apply", why)

    def header(self, line: bytes) -> Header:
        """The header with its world read as this engine's."""
        with FIRST_MEETING:
            plain = msgspec.json.decode(line, type=Header)
            world = msgspec.convert(plain.world, self.world_type)
        return msgspec.structs.replace(plain, world=world)


def _nothing(data: Any) -> str:
    """Where a None stands in plain data; empty where none does."""
    held = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list | tuple) else ()
    for key, value in held:
        if value is None:
            return str(key)
        if inner := _nothing(value):
            return f"{key}.{inner}"
    return ""


def duplicates(kinds: Sequence[type[msgspec.Struct]]) -> set[str]:
    """Tags that two kinds share."""
    tags = [tag_of(k) for k in kinds]
    return {t for t in tags if tags.count(t) > 1}
