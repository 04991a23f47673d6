"""A whole table added to a TOML text, as a person would write it: under a heading of its own, after its like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .layout import Path as Keys
from .layout import Places, Span
from .splice import by_hand, change, checked, dotted, put, toml

WIDE = 100
"""Characters of a line, from which on a table inside a table has its own heading."""


def add_table(raw: bytes, name: str, path: Keys, values: Mapping[str, Any]) -> bytes:
    """A file's bytes with a table more: `[challenges.hold]`, or one more of a list, `[[complex.night.dimensions]]`.

    `path` ends with the name of the table, or with its place in the list.
    """
    places = Places(raw.decode("utf-8-sig"))
    listed = isinstance(path[-1], int)
    group: Keys = path[:-1]
    if group in places.spans or inline(places, group):  # its like are written on one line: so is this one
        return change(raw, name, path, toml(values))
    newline = "\r\n" if "\r\n" in places.text else "\n"
    block = newline.join(_block(group if listed else path, values, listed=listed)) + newline

    def edit(text: str) -> list[tuple[Span, str]]:
        like = [p for p in places.headings if p[: len(group)] == group and len(p) > len(group)]
        like = like or [p for p in places.headings if p == group]
        if not like:
            begin = "" if not text or text.endswith("\n") else newline
            return [(Span(len(text), len(text)), begin + (newline if text.strip() else "") + block)]
        end = max(_end(places, p) for p in like)
        after = text.find("\n", end)
        if after < 0:
            return [(Span(len(text), len(text)), newline * 2 + block)]
        return [(Span(after + 1, after + 1), newline + block)]

    return checked(raw, name, path, lambda data: put(data, path, dict(values)), edit)


def inline(places: Places, group: Keys) -> bool:
    """Are the tables in a table written on a line each?"""
    pairs = [span for path, span in places.spans.items() if path[:-1] == group and path in places.pairs]
    return any(places.text[span.start] == "{" for span in pairs)


def has_headings(raw: bytes, group: Keys) -> bool:
    """Has a table in a table a heading of its own?"""
    places = Places(raw.decode("utf-8-sig"))
    return any(p[: len(group)] == group and len(p) > len(group) for p in places.headings)


def _end(places: Places, section: Keys) -> int:
    """Where the last line of a section ends."""
    last = places.last.get(section)
    return places.pairs[last].end if last in places.pairs else places.headings[section].end


def _block(path: Keys, values: Mapping[str, Any], *, listed: bool = False) -> Iterator[str]:
    """Its heading, its values, then the tables in it."""
    yield f"[[{dotted(path)}]]" if listed else f"[{dotted(path)}]"
    below: list[tuple[str, Any]] = []
    for key, value in values.items():
        one = f"{dotted((key,))} = {by_hand(value)}"
        tables = isinstance(value, list | tuple) and value and all(isinstance(v, Mapping) for v in value)
        if tables or (isinstance(value, Mapping) and len(one) > WIDE):
            below.append((key, value))
        else:
            yield one
    for key, value in below:
        for part in value if isinstance(value, list | tuple) else (value,):
            yield ""
            yield from _block((*path, key), part, listed=isinstance(value, list | tuple))
