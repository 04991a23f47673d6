"""Is a value what a type says it is, and can it be drawn? A stranger's records may hold anything."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from functools import cache
from typing import Any, Literal

import msgspec

from ..rules import Action, Chance, Group, Matrix

Check = Callable[[Any], str]
"""Empty where a value fits, else where and how it does not."""


def _chance(found: Chance) -> str:
    return "" if -SLACK <= found.chance <= 1 + SLACK else f".chance is {found.chance!r}, not from 0 to 1"


def _group(found: Group) -> str:
    # of "at least"s there may be none that is worth telling
    return "" if found.chances or found.at_least else ".chances is empty"


def _matrix(found: Matrix) -> str:
    odd = next((i for i, row in enumerate(found.rows) if len(row.cells) != len(found.columns)), None)
    return "" if odd is None else f".rows[{odd}] has another number of cells than there are columns"


SLACK = 1e-6
"""Sums of chances are a little off."""
SENSE: dict[type[msgspec.Struct], Check] = {Chance: _chance, Group: _group, Matrix: _matrix}
"""What no type says, and no screen could draw."""


def misfit(value: Any, kind: Any) -> str:
    """What is wrong with a value, with its path; empty where nothing is."""
    return _check(kind)(value)


@cache
def _check(kind: Any) -> Check:
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return lambda _value: ""
    if origin is typing.Annotated:
        return _check(args[0])
    if origin in (typing.Union, types.UnionType):
        return _any_of(args)
    if origin is Literal:
        return lambda value: "" if value in args else f" is {value!r}"
    if origin is tuple:
        return _each(args[0])
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and not issubclass(kind, Action):
        return _record(kind)
    if origin is not None:
        return _check(origin)  # what a mapping holds is not drawn
    if kind is float:
        return lambda value: "" if type(value) in (float, int) else f" is a {type(value).__name__}, not a number"
    return lambda value: "" if isinstance(value, kind) else f" is a {type(value).__name__}, not {kind.__name__}"


def _any_of(kinds: tuple[Any, ...]) -> Check:
    checks = tuple(_check(kind) for kind in kinds)

    def check(value: Any) -> str:
        wrong = ""
        for one in checks:
            found = one(value)
            if not found:
                return ""
            wrong = wrong or found
        return wrong

    return check


def _each(kind: Any) -> Check:
    inner = _check(kind)

    def check(value: Any) -> str:
        if type(value) is not tuple:
            return f" is a {type(value).__name__}, not a tuple"
        for index, one in enumerate(value):
            if wrong := inner(one):
                return f"[{index}]{wrong}"
        return ""

    return check


def _record(kind: type[msgspec.Struct]) -> Check:
    hints = typing.get_type_hints(kind)
    # looked up once more when it is first used: a record may hold others of its own kind
    fields: list[tuple[str, Check]] = []
    sense = SENSE.get(kind, lambda _value: "")

    def check(value: Any) -> str:
        if not isinstance(value, kind):
            return f" is a {type(value).__name__}, not {kind.__name__}"
        if not fields:
            fields.extend((name, _check(hints[name])) for name in kind.__struct_fields__)
        for name, one in fields:
            if wrong := one(getattr(value, name)):
                return f".{name}{wrong}"
        return sense(value)

    return check
