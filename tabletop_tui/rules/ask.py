"""Choices, declared once: they drive forms, the CLI, the palette, the check and random play."""

import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal

import msgspec

from .errors import Refused
from .model import Action, Model, tag_of
from .text import clean, nearest

MOST_NUMBER = 1_000_000
"""No number on a table is larger; it also keeps typed integers from growing without bound."""


class Choice(Model):
    """One answer to a question."""

    value: Any
    label: str = ""
    closed: str = ""
    """Why it cannot be taken now; empty where it can."""
    note: str = ""
    """What it would bring, beside it."""

    @property
    def words(self) -> str:
        """What to show."""
        return self.label or str(self.value)


Chooser = Callable[[Any, Mapping[str, Any]], Sequence[Choice]]
"""From the world and the fields answered so far to the choices. Always a module-level function."""


Shaper = Callable[["Field", Any, Mapping[str, Any]], "Field | None"]
"""From a field, the world and the fields answered so far to the field as it is asked now; None where it is not."""


class Ask:
    """Names the function that knows a field's choices: `who: Annotated[str, Ask(supporters)]`."""

    def __init__(
        self,
        choices: Chooser,
        label: str = "",
        *,
        first: bool = False,
        other: bool = False,
        shape: Shaper | None = None,
    ) -> None:
        self.choices, self.label = choices, label
        self.first = first
        """A form proposes the first open choice of a field that may be left out, rather than its default. Of those to
        whom it could be done, somebody of the actor's own side who stands first comes before any foe: it helps."""
        self.other = other
        """Any other text will do as well."""
        self.shape = shape
        """For a field that is asked in another way, or not at all, after other answers."""


class Of:
    """Says who answers a field that is not the actor's own: `using: Annotated[str, Ask(defences), Of("against")]`.

    It is for whoever the named field names to fill in, or whoever a function finds, or for the GM where neither is
    given. A player whose action has such a field asks the GM for it, and leaves the field open.
    """

    def __init__(
        self, field: str = "", *, owner: Callable[[Any, Mapping[str, Any]], str] | None = None, free: bool = False
    ) -> None:
        self.owner = owner or (lambda _world, answers: str(answers.get(field, "")) if field else "")
        """From the world and the fields answered so far to the id of whoever answers it; empty for the GM."""
        self.free = free
        """The actor need not ask while the field is left at its default."""


class Required:
    """Marks a field that has to be answered although it has a default: `on: Annotated[str, Required()] = ""`.

    For a field that came later, or was not asked for before: logs of older versions are read without it.
    """


class Field(Model):
    """A field of an action, as a form sees it."""

    name: str
    label: str
    kind: Literal["choice", "choices", "number", "yes", "text"]
    required: bool
    default: Any = None
    ask: Any = None
    low: int = -MOST_NUMBER
    high: int = MOST_NUMBER
    bare: Any = str
    """Its type without what is annotated."""
    hint: str = ""
    """What its default means: the `description` of its `Meta`."""
    of: Any = None
    """An `Of`, where somebody else than the actor answers it."""


@cache
def fields(kind: type[Action]) -> tuple[Field, ...]:
    """The fields of an action in the order in which they are asked."""
    hints = typing.get_type_hints(kind, include_extras=True)
    return tuple(_field(info, hints[info.name]) for info in msgspec.structs.fields(kind))


def _field(info: msgspec.structs.FieldInfo, hint: Any) -> Field:
    bare: Any = hint
    extras: tuple[Any, ...] = ()
    if typing.get_origin(hint) is typing.Annotated:
        bare, *extras_ = typing.get_args(hint)
        extras = tuple(extras_)
    ask = next((e for e in extras if isinstance(e, Ask)), None)
    meta = next((e for e in extras if isinstance(e, msgspec.Meta)), msgspec.Meta())
    default = info.default
    if default is msgspec.NODEFAULT:
        default = None if info.default_factory is msgspec.NODEFAULT else info.default_factory()
    literal = typing.get_args(bare) if typing.get_origin(bare) is Literal else ()
    if literal and ask is None:
        ask = Ask(_literal(literal))
    several = typing.get_origin(bare) in (tuple, list)
    is_number = bare is int or (
        typing.get_origin(bare) in (typing.Union, types.UnionType) and int in typing.get_args(bare)
    )
    shape: Literal["choice", "choices", "number", "yes", "text"] = (
        "choices" if several else "choice" if ask else "yes" if bare is bool else "number" if is_number else "text"
    )
    return Field(
        info.name,
        (ask.label if ask else "") or meta.title or info.name.replace("_", " "),
        shape,
        info.required or any(isinstance(e, Required) for e in extras),
        default,
        ask,
        MOST_NUMBER * -1 if meta.ge is None else int(meta.ge),
        MOST_NUMBER if meta.le is None else int(meta.le),
        bare,
        meta.description or "",
        next((e for e in extras if isinstance(e, Of)), None),
    )


def _literal(values: tuple[Any, ...]) -> Chooser:
    choices = tuple(Choice(value) for value in values)
    return lambda _world, _fields: choices


def choices(field: Field, world: Any, so_far: Mapping[str, Any]) -> Sequence[Choice]:
    """The answers to one field, open and closed, given the ones before it."""
    if field.ask is not None:
        return typing.cast(Sequence[Choice], field.ask.choices(world, so_far))
    if field.kind == "yes":
        return (Choice(False, "no"), Choice(True, "yes"))
    return ()


def shaped(field: Field, world: Any, so_far: Mapping[str, Any]) -> Field | None:
    """A field as it is asked after the answers before it; None where it is left out."""
    return field if field.ask is None or field.ask.shape is None else field.ask.shape(field, world, so_far)


def values(action: Action) -> dict[str, Any]:
    """An action's fields and their values."""
    return {name: getattr(action, name) for name in action.__struct_fields__}


def check(action: Action, world: Any) -> None:
    """Refuse an action that cannot be done now, or a field whose answer is not among the open choices."""
    kind = type(action)
    if why := kind.when(world):
        raise Refused(f"{tag_of(kind)} cannot be done now: {why}")
    check_fields(action, world)


def check_fields(action: Action, world: Any, *, names: bool = False) -> None:
    """Refuse a field whose answer is not among the open choices; with `names` these are told by their words alone.

    Ids are the names of the GM's files, and players are not told of those.
    """
    kind = type(action)
    so_far: dict[str, Any] = {}
    for field in fields(kind):
        value = getattr(action, field.name)
        now = shaped(field, world, so_far)
        if now is None and value != field.default:
            raise Refused(f"{field.label} is not asked here", remedy="Leave it out.")
        if now is not None:
            check_field(now, value, world, so_far, names=names)
        so_far[field.name] = value


def check_field(field: Field, value: Any, world: Any, so_far: Mapping[str, Any], *, names: bool = False) -> None:
    """Refuse an answer to one field, given the ones before it."""
    if field.kind == "number" and value not in (None, ""):
        number = int(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value
        if isinstance(number, str) or not field.low <= number <= field.high:
            raise Refused(f"{field.label} {value} is out of range", remedy=f"From {field.low} to {field.high}.")
        return
    if field.kind == "text" and value != clean(value):
        raise Refused(f"{field.label} has characters in it that control a terminal", remedy="Leave them out.")
    if field.ask is None or (not field.required and value == field.default):
        return
    answers = choices(field, world, so_far)
    for one in value if field.kind == "choices" else (value,):
        match = next((c for c in answers if c.value == one), None)
        if match is None and field.ask.other:
            if one != clean(one):
                raise Refused(f"{field.label} has characters in it that control a terminal", remedy="Leave them out.")
            continue
        if match is None:
            raise Refused(f"{field.label} cannot be {one!r}", remedy=suggest(one, answers, names=names))
        if match.closed:
            raise Refused(f"{field.label} cannot be {match.words}: {match.closed}")
    if field.kind == "choices" and len(set(value)) != len(value):
        raise Refused(f"{field.label} names the same one twice", remedy="Name each once.")


def suggest(found: object, answers: Sequence[Choice], *, names: bool = False) -> str:
    """What was probably meant, or what there is: as it is typed, or with `names` as it is shown."""
    open_values = [text for c in answers if not c.closed and (text := c.words if names else str(c.value))]
    if meant := nearest(found, open_values):
        return f"Did you mean {meant!r}?"
    shown = ", ".join(open_values[:12]) + (", …" if len(open_values) > 12 else "")
    return f"Choose from: {shown}." if shown else "There is nothing to choose from now."


class Offer(Model):
    """An action as it stands now: open, or closed with the reason."""

    tag: str
    title: str
    help: str
    kind: Any
    closed: str = ""
    how: Literal["do", "ask", "no"] = "do"
    """Whether whoever was asked does it, asks the GM for it, or has no business with it."""


Asked = dict[Chooser, Sequence[Choice]]
"""What functions answered about one world before anything else was answered: several actions ask the same one."""


def offers(actions: Sequence[type[Action]], world: Any) -> list[Offer]:
    """Every action with whether it can be done now."""
    asked: Asked = {}
    return [offer(kind, world, asked) for kind in actions]


def offer(kind: type[Action], world: Any, asked: Asked | None = None) -> Offer:
    """An action with whether it can be done now, derived from `when`, the first field's choices and the targets'."""
    closed = _closed(kind, world, {} if asked is None else asked)
    return Offer(tag_of(kind), kind.title or tag_of(kind), (kind.__doc__ or "").strip(), kind, closed)


def _closed(kind: type[Action], world: Any, asked: Asked) -> str:
    if why := kind.when(world):
        return why
    first = next(iter(fields(kind)), None)
    if first is None or not first.required or first.ask is None:
        return ""
    if (answers := asked.get(first.ask.choices)) is None:
        answers = asked[first.ask.choices] = choices(first, world, {})
    open_ = [c for c in answers if not c.closed]
    if not open_:
        people = ("who", kind.done_by, kind.done_to)
        none = "there is nobody to choose" if first.name in people else f"there is no {first.label} to choose"
        return next((c.closed for c in answers), none)
    aim = next((f for f in fields(kind) if f.name == kind.done_to and f.required and f.ask and not f.ask.other), None)
    if aim is None or aim is first or any(_reaches(aim, world, {first.name: c.value}) for c in open_):
        return ""
    return "there is nobody to do it to"


def _reaches(aim: Field, world: Any, so_far: Mapping[str, Any]) -> bool:
    """Is there somebody to choose as a target, as far as that is known before the other answers?"""
    try:
        return any(not c.closed for c in choices(aim, world, so_far))
    except KeyError:  # it depends on one of them
        return True


def parse(kind: type[Action], words: Mapping[str, str]) -> Action:
    """An action from `key=value` words, as typed on a command line."""
    data = parse_some(kind, words)
    if missing := [f.name for f in fields(kind) if f.required and f.name not in data]:
        raise Refused(f"{tag_of(kind)} needs {', '.join(missing)}", remedy=f"Add {missing[0]}=…")
    try:
        return msgspec.convert(data, kind, str_keys=True)
    except msgspec.ValidationError as error:
        raise Refused(f"{tag_of(kind)} does not fit: {error}") from None


def parse_some(kind: type[Action], words: Mapping[str, str]) -> dict[str, Any]:
    """Those fields of an action that were typed."""
    known = {f.name: f for f in fields(kind)}
    data: dict[str, Any] = {}
    for name, word in words.items():
        if name not in known:
            raise Refused(
                f"{tag_of(kind)} has no field {name!r}",
                remedy=suggest(name, [Choice(n) for n in known]) if known else "It takes none.",
            )
        data[name] = _parse_word(known[name], clean(word))
    return data


_NUMBER = re.compile("-?[0-9]{1,7}")
YES = {"yes": True, "y": True, "true": True, "1": True, "on": True}
NO = {"no": False, "n": False, "false": False, "0": False, "off": False}


def _yes_or_no(field: Field, word: str) -> bool:
    answer = (YES | NO).get(word.strip().lower())
    if answer is None:
        raise Refused(f"{field.label} is yes or no, not {word!r}")
    return answer


def _parse_word(field: Field, word: str) -> Any:
    if field.kind == "choice" and field.bare is bool:
        return _yes_or_no(field, word)
    if field.kind == "choice" and field.bare is int and word.lstrip("-").isdecimal() and len(word) < 9:
        return int(word)
    if field.kind == "choices":
        parts = [p.strip() for p in word.split(",") if p.strip()]
        return [int(p) if p.isdecimal() and len(p) < 7 else p for p in parts]
    if field.kind == "yes":
        return _yes_or_no(field, word)
    if field.kind == "number":
        try:
            number = int(word) if len(word) < 12 else MOST_NUMBER + 1
        except ValueError:
            raise Refused(f"{field.label} must be a whole number, not {word!r}") from None
        if not field.low <= number <= field.high:
            raise Refused(f"{field.label} {word} is out of range", remedy=f"From {field.low} to {field.high}.")
        return number
    return word
