"""A game's records as forms and lists: what can be asked of one, and what stands in a file beside what could."""

from __future__ import annotations

import types
import typing
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal

import msgspec

from ...rules import Action, Ask, Choice, Engine, Model, Odds, values
from ...session import Preview, Table
from ...storage.campaign.folder import CampaignFile
from ...storage.campaign.schema import notes
from ...storage.toml.layout import Path as Keys
from ...storage.toml.shape import bare
from ..asking.form import Form
from ..asking.host import Host

INNER = "__"
"""Between the name of a field and those of the record in it. Each begins with one: an action has names of its own."""


class Part(Model):
    """Something that a scene can have more of: a table of records."""

    path: Keys
    label: str
    about: str
    kind: type[msgspec.Struct]


def parts(kind: type[msgspec.Struct]) -> list[Part]:
    """The tables of a record whose values are records with names: challenges, contests, zones."""
    out = []
    for name, hint in typing.get_type_hints(kind, include_extras=True).items():
        plain = bare(hint)
        if typing.get_origin(plain) is dict and is_record(item := bare(typing.get_args(plain)[1])):
            if not {"name", "title"} & set(item.__struct_fields__):
                continue  # it has no name that an id could be made of: its key means something
            about = (item.__doc__ or "").strip().splitlines()[0] if item.__doc__ else ""
            out.append(Part((name,), singular(name), about, item))
    return out


def singular(name: str) -> str:
    """One of many: challenges, challenge."""
    word = name.replace("_", " ")
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def is_record(kind: Any) -> bool:
    """Is it a record, with fields of its own?"""
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def whole(engine: Engine, unit: tuple[str, ...], tables: type[msgspec.Struct]) -> Any:
    """The record that a file is read as."""
    return {"rules": CampaignFile, "sheets": engine.sheet, "scenes": engine.scene, "tables": tables}[unit[0]]


def at(engine: Engine, kind: Any, path: Keys) -> Any:
    """The type of what stands at a path of a record; None where nothing can."""
    for key in path:
        plain = table_of(kind)
        origin = typing.get_origin(plain)
        if is_record(plain):
            hints = typing.get_type_hints(plain, include_extras=True)
            kind = engine.rules if plain is CampaignFile and key == "rules" else hints.get(str(key))
        elif origin is dict:
            kind = typing.get_args(plain)[1]
        elif origin in (tuple, list):
            kind = typing.get_args(plain)[0]
        else:
            return None
        if kind is None:
            return None
    return kind


def table_of(kind: Any) -> Any:
    """A type without what is annotated to it; of several, the one that has something in it."""
    plain = bare(kind)
    if typing.get_origin(plain) in (typing.Union, types.UnionType):
        some = [bare(one) for one in typing.get_args(plain)]
        return next((one for one in some if typing.get_origin(one) or is_record(one)), some[0])
    return plain


def value_of(kind: Any) -> Any:
    """The same; of several, the one that is a single value."""
    plain = bare(kind)
    if typing.get_origin(plain) in (typing.Union, types.UnionType):
        some = [one for one in typing.get_args(plain) if one is not type(None)]
        return next((one for one in some if not typing.get_origin(bare(one)) and not is_record(bare(one))), some[0])
    return kind


def is_open(kind: Any, held: Any) -> bool:
    """Does a row lead further down, rather than being one value?"""
    if isinstance(held, Mapping):
        return True
    if isinstance(held, list | tuple):
        inner = typing.get_args(bare(kind))[:1]  # nothing, where one value belongs there
        return any(isinstance(one, Mapping) for one in held) or any(is_record(bare(one)) for one in inner)
    plain = bare(value_of(kind))
    if typing.get_origin(plain) in (tuple, list):
        return is_record(bare(typing.get_args(plain)[0]))
    return is_record(plain) or typing.get_origin(plain) is dict


@cache
def described(kind: Any) -> Mapping[str, str]:
    """What stands under each field in a record's source."""
    return notes(kind) if is_record(kind) else {}


# ---- forms


@cache
def form_of(kind: type[msgspec.Struct], title: str) -> type[Action]:
    """A form that asks for a record: an action that nobody performs. Tables in it are filled in afterwards."""
    fields: list[Any] = []
    optional: list[Any] = []
    for name, hint, default in _asked(kind, f"of{INNER}", ""):
        if default is msgspec.NODEFAULT:
            fields.append((name, hint))
        else:
            optional.append((name, hint, default))
    space = {"title": title, "__doc__": kind.__doc__ or "", "__module__": __name__}
    made = msgspec.defstruct(
        "Asked", [*fields, *optional], bases=(Action,), namespace=space, tag="record", frozen=True
    )
    return typing.cast("type[Action]", made)


Made = Callable[[Action], Awaitable[str]]
"""Does something with the form of a record that was filled in; why not, where it was refused."""


class _Records:
    """Who stands behind the form of a record: nothing is rolled for."""

    def __init__(self, made: Made) -> None:
        self.made = made

    async def do_form(self, action: Action) -> str:
        return await self.made(action)

    def weigh(self, action: Action, then: Callable[[Preview], None]) -> None:
        then(Preview())

    def weigh_each(self, actions: Mapping[object, Action], then: Callable[[Mapping[object, Odds]], None]) -> None:
        pass

    async def type_dice(self, *actions: Action) -> None:
        pass


def ask_record(host: Host, table: Table, kind: type[msgspec.Struct], title: str, made: Made) -> None:
    """Ask for a record by its form."""
    form = Form(form_of(kind, title), table, _Records(made))
    host.ask(form)
    form.changed()


def _asked(kind: type[msgspec.Struct], before: str, words: str) -> list[tuple[str, Any, Any]]:
    hints, out = typing.get_type_hints(kind, include_extras=True), list[tuple[str, Any, Any]]()
    for field in msgspec.structs.fields(kind):
        hint, name = hints[field.name], f"{before}{field.encode_name}"
        label = f"{words}{field.encode_name.replace('_', ' ')}"
        plain = bare(hint)
        if is_record(plain) and field.required:
            out += _asked(plain, f"{name}{INNER}", f"{label}: ")
        elif typing.get_origin(plain) in (tuple, list) and field.required and is_record(typing.get_args(plain)[0]):
            out += _asked(typing.get_args(plain)[0], f"{name}{INNER}0{INNER}", f"first {singular(label)}: ")
        elif (asked := _field(hint, label)) is not None:
            default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
            out.append((name, asked, default))
    return out


def _field(hint: Any, label: str) -> Any:
    """A field as a form asks it; None where it is a table, or a list that only a person can fill."""
    plain = bare(hint)
    origin = typing.get_origin(plain)
    extras = typing.get_args(hint)[1:] if typing.get_origin(hint) is Annotated else ()
    ask = next((one for one in extras if isinstance(one, Ask)), None)
    meta = next((one for one in extras if isinstance(one, msgspec.Meta)), None)
    label = (meta and meta.title) or label
    titled = msgspec.Meta(
        title=label, ge=meta.ge if meta else None, le=meta.le if meta else None, description=meta and meta.description
    )
    if origin in (tuple, list):
        item = bare(typing.get_args(plain)[0])
        if ask is None and typing.get_origin(item) is Literal:
            ask = Ask(_literal(typing.get_args(item)), label)
        return None if ask is None else Annotated[plain, Ask(ask.choices, label, other=ask.other)]
    if origin is dict or is_record(plain):
        return None
    if origin in (typing.Union, types.UnionType):
        return Annotated[str, titled]
    if ask is not None:
        return Annotated[plain, Ask(ask.choices, label, first=ask.first, other=ask.other)]
    if origin is Literal:
        return Annotated[plain, Ask(_literal(typing.get_args(plain)), label)]
    if plain is bool:
        return Annotated[bool, msgspec.Meta(title=label)]
    return Annotated[plain, titled] if plain in (int, str) else None


@cache
def _literal(some: tuple[Any, ...]) -> Any:
    choices: Sequence[Choice] = tuple(Choice(one) for one in some)

    def found(_world: Any, _fields: Mapping[str, Any]) -> Sequence[Choice]:
        return choices

    return found


def answers(form: Action) -> dict[str, Any]:
    """What a form holds, as a table of a file: without what is left as it is."""
    defaults = {f.name: f.default for f in msgspec.structs.fields(type(form)) if not f.required}
    out: dict[str, Any] = {}
    for name, value in values(form).items():
        if name in defaults and value == defaults[name]:
            continue
        where: Any = out
        _of, *above, last = name.split(INNER)
        for n, key in enumerate(above):
            below: Any = [] if (above[n + 1] if n + 1 < len(above) else last).isdecimal() else {}
            if isinstance(where, list):
                if not where:
                    where.append(below)
                where = where[0]
            else:
                where = where.setdefault(key, below)
        plain = list(value) if isinstance(value, tuple) else value
        if isinstance(where, dict):
            where[last] = plain
    return out
