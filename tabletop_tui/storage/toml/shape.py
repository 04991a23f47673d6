"""Does plain data fit a record? Every misfit at once, each with its path, in words for people."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal

import msgspec

from ...rules import HOSTILE, Model, name_of, nearest

Path = tuple[str | int, ...]


class Misfit(Model):
    """Something in the data that does not fit."""

    path: Path
    what: str
    remedy: str = ""
    at_key: bool = False
    warning: bool = False


_WORDS = {
    "int": "a whole number",
    "str": "text",
    "bool": "true or false",
    "object": "a table",
    "array": "a list",
    "float": "a number",
    "null": "nothing",
    "datetime": "a date",
}
_EXPECTED = re.compile(r"Expected `(?P<want>[^`]*)`(?P<limit>[^,]*?)(?:, got `(?P<got>[^`]*)`)?(?: - at .*)?$")


def misfits(data: Any, kind: Any, path: Path = ()) -> Iterator[Misfit]:
    """Everything in `data` that does not fit the type `kind`."""
    plain = bare(kind)
    if isinstance(plain, type) and issubclass(plain, msgspec.Struct):
        yield from _struct(data, plain, path)
    elif typing.get_origin(plain) is dict:
        key, value = typing.get_args(plain)
        yield from _table(data, key, value, path)
    elif typing.get_origin(plain) in (tuple, list):
        yield from _list(data, typing.get_args(plain)[0], path)
    elif typing.get_origin(plain) is Literal:
        yield from _literal(data, typing.get_args(plain), path)
    else:
        yield from _scalar(data, kind, path)


def bare(kind: Any) -> Any:
    """A type without what is annotated to it, and without None."""
    if typing.get_origin(kind) is typing.Annotated:
        kind = typing.get_args(kind)[0]
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        some = [a for a in typing.get_args(kind) if a is not type(None)]
        if len(some) == 1:
            return bare(some[0])
    return kind


def _struct(data: Any, kind: type[msgspec.Struct], path: Path) -> Iterator[Misfit]:
    if not isinstance(data, Mapping):
        yield Misfit(path, f"expected a table, found {found(data)}")
        return
    known = _keys(kind)
    for name, (hint, required) in known.items():
        if name in data:
            yield from misfits(data[name], hint, (*path, name))
        elif required:
            yield Misfit(path, f"{name!r} is missing", f"Add {name} = {_example(hint)}", True)
    for name in data:
        if name not in known:
            yield Misfit((*path, name), f"the key {name!r} is not known", near(name, known), True, True)


@lru_cache(256)  # sheets by the hundred are of one kind; a home-brew game makes kinds of its own
def _keys(kind: type[msgspec.Struct]) -> dict[str, tuple[Any, bool]]:
    """The keys of a record, each with its type and whether it must be there."""
    hints = typing.get_type_hints(kind, include_extras=True)
    return {f.encode_name: (hints[f.name], f.required) for f in msgspec.structs.fields(kind)}


def _table(data: Any, key: Any, value: Any, path: Path) -> Iterator[Misfit]:
    if not isinstance(data, Mapping):
        yield Misfit(path, f"expected a table, found {found(data)}")
        return
    for name, item in data.items():
        plain = bare(key)
        if typing.get_origin(plain) is Literal and name not in typing.get_args(plain):
            some = typing.get_args(plain)
            yield Misfit((*path, name), f"{name!r} is none of {', '.join(map(str, some))}", near(name, some), True)
        yield from misfits(item, value, (*path, name))


def _list(data: Any, item: Any, path: Path) -> Iterator[Misfit]:
    if not isinstance(data, list | tuple):
        yield Misfit(path, f"expected a list, found {found(data)}", "Put it in square brackets: [ … ].")
        return
    for index, one in enumerate(data):
        yield from misfits(one, item, (*path, index))


def _literal(data: Any, values: tuple[Any, ...], path: Path) -> Iterator[Misfit]:
    if data not in values or (isinstance(data, bool) and not any(v is data for v in values)):
        known = [v for v in values if v != ""]
        words = ", ".join(f'"{v}"' if isinstance(v, str) else str(v) for v in known)
        hint = near(data, known)
        what = f"expected one of {words}, found {found(data)}"
        yield Misfit(path, what, hint if hint.startswith("Did") else "")  # they are all named already


def _scalar(data: Any, kind: Any, path: Path) -> Iterator[Misfit]:
    try:
        msgspec.convert(data, kind, str_keys=True)
    except msgspec.ValidationError as error:
        yield Misfit(path, _words(str(error), data))


def _words(message: str, data: Any) -> str:
    match = _EXPECTED.match(message)
    if not match:
        return message
    want = " or ".join(_WORDS.get(w.strip(), w.strip()) for w in match["want"].split("|"))
    limit = match["limit"].strip()
    limit = limit.replace(">=", "of at least").replace("<=", "of at most").replace("of length", "of length")
    return f"expected {want}{' ' + limit if limit else ''}, found {found(data)}"


def found(data: Any) -> str:
    """What stands there, shortly and harmlessly."""
    if isinstance(data, bool):
        return "true" if data else "false"
    if isinstance(data, str):
        text = HOSTILE.sub("�", data)
        return f'"{text[:40]}{"…" if len(text) > 40 else ""}"'
    if isinstance(data, Mapping):
        return "a table"
    if isinstance(data, list | tuple):
        return "a list"
    if isinstance(data, int) and abs(data) > 10**30:  # beyond some thousand digits Python refuses to write it
        return "a very large number"
    return str(data)[:40]


def near(name: object, known: Iterable[object]) -> str:
    """The word that was probably meant."""
    words = [str(k) for k in known]
    if meant := nearest(name, words):
        return f"Did you mean {meant!r}?"
    return f"Known: {', '.join(words[:12])}{', …' if len(words) > 12 else ''}." if words else ""


def _example(kind: Any) -> str:
    plain = bare(kind)
    if typing.get_origin(plain) is Literal:
        return f'"{typing.get_args(plain)[0]}"'
    return {int: "1", bool: "false", str: '"…"'}.get(plain, "…")


def hostile(data: Any, path: Path = ()) -> Iterator[Misfit]:
    """Every text, keys included, that holds characters which could control a terminal."""
    if isinstance(data, str):
        if bad := HOSTILE.search(data):
            what = f"the text holds {name_of(bad.group())}, a character that could control a terminal"
            yield Misfit(path, what, "Take it out.")
    elif isinstance(data, Mapping):
        for key, value in data.items():
            if bad := HOSTILE.search(str(key)):
                yield Misfit((*path, key), f"the key holds {name_of(bad.group())}", "Take it out.", True)
            yield from hostile(value, (*path, key))
    elif isinstance(data, list | tuple):
        for index, value in enumerate(data):
            yield from hostile(value, (*path, index))
