"""Values of hand-written files as they stand on a line, and back."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Any

import msgspec

from ...storage.campaign.preparing import value_at
from ...storage.toml.layout import Path as Keys
from ...storage.toml.reading import Document
from ...storage.toml.shape import bare

LINE = "¶"
"""In a text field: a new line."""
BETWEEN = ";"
"""Between the texts of a list: sentences have commas of their own."""


def named(key: str | int, value: Any) -> str:
    """What a row of a table is called; in a list, by what it is named."""
    if isinstance(key, str):
        return key
    own = value.get("name") or value.get("title") or value.get("text") if isinstance(value, Mapping) else value
    return str(own or key + 1)


def shown(value: Any) -> str:
    """A value on a line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{k} {shown(v)}" if not isinstance(v, Mapping | list) else str(k) for k, v in value.items())
    if isinstance(value, list | tuple):
        return f"{BETWEEN} ".join(named(n, v) if isinstance(v, Mapping) else str(v) for n, v in enumerate(value))
    if value is None or value is msgspec.NODEFAULT or isinstance(value, msgspec.Struct):
        return ""
    return str(value).replace("\n", f" {LINE} ")


def read(text: str, plain: Any, kind: Any) -> Any:
    """What was typed, as the value it is meant as; what does not fit is refused when it is written."""
    if typing.get_origin(plain) in (tuple, list):
        item = bare(typing.get_args(plain)[0])
        mark = LINE if LINE in text else BETWEEN
        return [read(part.strip(), item, item) for part in text.split(mark) if part.strip()]
    if plain is int or int in typing.get_args(bare(kind)):
        stripped = text.strip()
        return int(stripped) if stripped.lstrip("-").isdecimal() and len(stripped) < 12 else text
    return text.replace(f" {LINE} ", "\n").replace(LINE, "\n") if plain is str else text


def names_elsewhere(documents: Mapping[tuple[str, ...], Document], unit: tuple[str, ...], path: Keys) -> list[str]:
    """The names that other files of the kind have in the same place, and this one has not."""
    held = {u: value_at(d.data, path) for u, d in documents.items() if u[0] == unit[0] and d.data}
    names = {u: set(map(str, one)) for u, one in held.items() if isinstance(one, Mapping)}
    return sorted(set().union(*names.values()) - names.get(unit, set()))
