"""Is a value what a type says it is, and can it be drawn? A stranger's records may hold anything."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, Literal

import msgspec
from msgspec.structs import astuple

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
    names, sense = kind.__struct_fields__, SENSE.get(kind)

    @lru_cache(256)
    def left(held: tuple[type, ...]) -> tuple[tuple[int, Check], ...]:
        # of the many records of a view, few differ in the types of their values: what those decide is decided once.
        # Not before there is one: a record may hold others of its own kind
        hints = typing.get_type_hints(kind)
        return tuple((i, _check(hints[n])) for i, n in enumerate(names) if not _decides(held[i], hints[n]))

    def check(value: Any) -> str:
        if not isinstance(value, kind):
            return f" is a {type(value).__name__}, not {kind.__name__}"
        held = astuple(value) if type(value) is kind else tuple(getattr(value, name) for name in names)
        for index, one in left(tuple(map(type, held))):
            if wrong := one(held[index]):
                return f".{names[index]}{wrong}"
        return sense(value) if sense else ""

    return check


def _decides(held: type, kind: Any) -> bool:
    """Does every value of a type fit, whatever it is?"""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return any(_decides(held, arg) for arg in args)
    if kind is Any or origin is typing.Annotated:
        return kind is Any or _decides(held, args[0])
    if kind is float:
        return held in (float, int)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return issubclass(kind, Action) and issubclass(held, kind)
    return isinstance(kind, type) and origin is None and issubclass(held, kind)
