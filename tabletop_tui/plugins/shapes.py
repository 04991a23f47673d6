"""Is a value what a type says it is? Records are not checked when they are made; a stranger's may hold anything."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from functools import cache
from typing import Any, Literal

import msgspec

from ..rules import Action

Check = Callable[[Any], str]
"""Empty where a value fits, else where and how it does not."""


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

    def check(value: Any) -> str:
        if not isinstance(value, kind):
            return f" is a {type(value).__name__}, not {kind.__name__}"
        if not fields:
            fields.extend((name, _check(hints[name])) for name in kind.__struct_fields__)
        for name, one in fields:
            if wrong := one(getattr(value, name)):
                return f".{name}{wrong}"
        return ""

    return check
