"""A TOML text with one value changed, added or taken out: everything else stays as it is, to the byte.

The text is never written anew from what was read. The value's own characters are replaced, the result is read again,
and it must differ in that one path.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tomli_w

from ...rules import Refused
from .layout import Path as Keys
from .layout import Places, Span
from .reading import Document, parse

MARK = b"\xef\xbb\xbf"
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_WHAT = "the value"


def change(raw: bytes, name: str, path: Keys, value: str) -> bytes:
    """A file's bytes with one value, given as TOML, put in the place of another or added. Refuses what is no TOML."""
    held = _value(value)
    return checked(raw, name, path, lambda data: put(data, path, held), lambda text: _spliced(text, path, value))


def without(raw: bytes, name: str, path: Keys) -> bytes:
    """A file's bytes with one key and its value taken out."""
    return checked(raw, name, path, lambda data: _taken(data, path), lambda text: _cut(text, path))


def checked(
    raw: bytes, name: str, path: Keys, want: Callable[[Any], Any], edit: Callable[[str], list[tuple[Span, str]]]
) -> bytes:
    """A file's bytes after an edit of its text, which must do what is wanted to its data, and nothing else."""
    document = readable(parse(name, raw))
    text = raw.decode("utf-8-sig")
    wanted = want(document.data)
    for span, piece in sorted(edit(text), reverse=True):
        text = text[: span.start] + piece + text[span.end :]
    new = (MARK if raw.startswith(MARK) else b"") + text.encode()
    found = parse(name, new)
    if found.data is None or not same(_full(found.data), _full(wanted)):
        raise Refused(
            f"{dotted(path)} cannot be changed without touching something else",
            where=name,
            remedy="Change it in your editor: it takes effect when you save.",
        )
    return new


def readable(document: Document) -> Document:
    """The document; refused where there is no sense in it."""
    if document.data is None:
        problem = document.problems[0]
        raise Refused(f"the file is not changed while it cannot be read: {problem.what}", where=problem.place)
    return document


def _value(value: str) -> Any:
    """What a text means as TOML; it must be one value and nothing more."""
    document = parse(_WHAT, f"x = {value}\n".encode(errors="replace"))
    fault = document.problems[0].what if document.problems else ""
    text = f"x = {value}"
    if not fault and (set(document.data or {}) != {"x"} or Places(text).spans[("x",)] != Span(4, len(text))):
        fault = "there is more than one value in it"
    if fault:
        raise Refused(f"{value!r} is not a value: {fault}", remedy='A number, true, or a text in quotes: 3, "Rook".')
    return (document.data or {})["x"]


def same(one: Any, other: Any) -> bool:
    """Equal, and of the same types: 1 is not true, and not 1.0."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and (one == other or repr(one) == repr(other))  # nan is not equal to itself


def _full(data: Any) -> Any:
    """Without tables that have nothing in them: where they come from nobody can see in the text."""
    if not isinstance(data, dict):
        return data
    held = {key: _full(value) for key, value in data.items()}
    return {key: value for key, value in held.items() if value != {}}


def put(data: Any, path: Keys, value: Any) -> Any:
    """Plain data with a value at a path."""
    if not path:
        return value
    key, rest = path[0], path[1:]
    if data is None and isinstance(key, int):
        data = []
    if isinstance(data, list):
        return [put(x, rest, value) if i == key else x for i, x in enumerate([*data, *([None] * (key == len(data)))])]
    held = data if isinstance(data, dict) else {}
    return {**held, key: put(held.get(key), rest, value)}


def _taken(data: Any, path: Keys) -> Any:
    key, rest = path[0], path[1:]
    if isinstance(data, list):
        return [_taken(x, rest) if i == key else x for i, x in enumerate(data)]
    return {k: _taken(v, rest) if rest and k == key else v for k, v in data.items() if rest or k != key}


def _spliced(text: str, path: Keys, value: str) -> list[tuple[Span, str]]:
    places = Places(text)
    if span := places.spans.get(path):
        return [(span, value)]
    if path in places.headings or path in places.last:
        raise Refused(f"{dotted(path)} is a whole table", remedy="Name one value in it.")
    return [_added(places, path, value)]


def _added(places: Places, path: Keys, value: str) -> tuple[Span, str]:
    """Where a key that is not there goes, and how it is written."""
    held = max((len(p) for p in _tables(places) if path[: len(p)] == p), default=0)
    table, rest = path[:held], path[held:]
    if table in places.spans:
        return _into_inline(places, table, rest, value)
    if any(isinstance(key, int) for key in rest):
        raise Refused(f"there is no list to which {dotted(path)} could be added", remedy="Write the list first.")
    if not table and len(rest) > 1:  # a table of its own, at the end
        return _at_end(places, [f"[{_key(rest[0])}]", _line(rest[1:], value)])
    if table in places.headings or not table:
        return _uncommented(places, table, rest, value) or _into_section(places, table, _line(rest, value))
    if last := places.last.get(table):  # written with dotted keys: one more of them
        if inline := next((n for n in range(len(table), 0, -1) if table[:n] in places.spans), 0):
            end = places.spans[last].end
            return Span(end, end), f", {_line((*table[inline:], *rest), value, dotted=True)}"
        section = max((p for p in ((), *places.headings) if last[: len(p)] == p), key=len)
        return _into_section(places, section, _line((*table[len(section) :], *rest), value, dotted=True), last)
    return _at_end(places, [f"[{'.'.join(map(_key, table))}]", _line(rest, value)])


def _tables(places: Places) -> set[Keys]:
    """Every table and list there is, however it was written."""
    found = {path[:end] for path in (*places.headings, *places.pairs) for end in range(len(path))}
    return found | set(places.headings) | {p for p, s in places.spans.items() if places.text[s.start] in "[{"}


def _into_inline(places: Places, table: Keys, rest: Keys, value: str) -> tuple[Span, str]:
    span = places.spans[table]
    if places.text[span.start] == "[":
        if len(rest) > 1:
            value = _nested(rest[1:], value)
    else:
        value = _line(rest, value)
    if last := places.last.get(table):
        end = places.spans[last].end
        return Span(end, end), f", {value}"
    inner = places.text[span.start + 1 : span.end - 1]
    if places.text[span.start] == "[":
        return Span(span.start + 1, span.start + 1), value
    return Span(span.start + 1, span.start + 1 + len(inner)), f" {value} "


def _uncommented(places: Places, section: Keys, rest: Keys, value: str) -> tuple[Span, str] | None:
    """In the place of a line that has the key ready as a comment, as people do it; None where there is none."""
    text = places.text
    begin = places.headings[section].end if section in places.headings else 0
    end = min((h.start for h in places.headings.values() if h.start >= begin), default=len(text))
    for found in re.finditer(
        r"^#[ \t]*(?P<line>" + re.escape(_key(rest[0])) + r"[ \t]*=[^\n]*)", text[begin:end], re.M
    ):
        line = found["line"].rstrip()
        if len(rest) == 1 and parse(_WHAT, line.encode()).data:
            span = Places(line).spans[rest]
            there = Span(begin + found.start(), begin + found.start() + len(found[0].rstrip()))
            return there, line[: span.start] + value + line[span.end :]
    return None


def _into_section(places: Places, section: Keys, line: str, last: Keys | None = None) -> tuple[Span, str]:
    """On a line of its own, after the last that stands there."""
    text = places.text
    last = last or places.last.get(section)
    newline = _newline(text)
    if last:
        start, end = places.pairs[last]
        indent = text[text.rfind("\n", 0, start) + 1 : start]
        line = (indent if not indent.strip() else "") + line
    elif section in places.headings:
        end = places.headings[section].end
    else:  # nothing stands there: at the top, under the line by which editors know the schema
        end = text.find("\n") if text.startswith("#:") else -1
        if end < 0:
            return Span(0, 0), line + newline
    after = text.find("\n", end)
    if after < 0:
        return Span(len(text), len(text)), newline + line
    return Span(after + 1, after + 1), line + newline


def _at_end(places: Places, lines: Sequence[str]) -> tuple[Span, str]:
    text, newline = places.text, _newline(places.text)
    begin = "" if not text or text.endswith("\n") else newline
    end = Span(len(text), len(text))
    return end, begin + (newline if text.strip() else "") + "".join(line + newline for line in lines)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _line(rest: Keys, value: str, *, dotted: bool = False) -> str:
    if dotted:
        return f"{'.'.join(map(_key, rest))} = {value}"
    return f"{_key(rest[0])} = {_nested(rest[1:], value)}"


def _nested(rest: Keys, value: str) -> str:
    for key in reversed(rest):
        value = f"{{ {_key(key)} = {value} }}"
    return value


def _key(key: str | int) -> str:
    word = str(key)
    return word if _BARE.fullmatch(word) else tomli_w.dumps({word: 0})[: -len(" = 0\n")]


def _cut(text: str, path: Keys) -> list[tuple[Span, str]]:
    places = Places(text)
    out: list[tuple[Span, str]] = []
    for section, heading in places.headings.items():
        if section[: len(path)] == path:
            last = places.last.get(section)
            out.append((_whole_lines(text, Span(heading.start, places.pairs[last].end if last else heading.end)), ""))
    for pair, span in sorted(places.pairs.items(), key=lambda held: held[1].start):  # the outer ones first
        if pair[: len(path)] != path or any(s.start <= span.start < s.end for s, _ in out):
            continue
        inline = next((p for n in range(len(pair) - 1, 0, -1) if (p := pair[:n]) in places.spans), None)
        out.append(
            (_whole_lines(text, span) if inline is None else _with_comma(text, span, places.spans[inline]), "")
        )
    return out


def _whole_lines(text: str, span: Span) -> Span:
    end = text.find("\n", span.end)
    return Span(text.rfind("\n", 0, span.start) + 1, len(text) if end < 0 else end + 1)


def _with_comma(text: str, span: Span, table: Span) -> Span:
    """A pair of an inline table, with the comma after it or, where it is the last, the one before it."""
    if found := re.compile(r"[ \t]*,[ \t]*").match(text, span.end):
        return Span(span.start, found.end())
    before = text[table.start + 1 : span.start].rstrip(" \t")
    return Span(table.start + 1 + len(before) - 1, span.end) if before.endswith(",") else span


def dotted(path: Keys) -> str:
    """A path as it is typed."""
    return ".".join(map(_key, path))


def toml(value: Any) -> str:
    """A value as TOML on one line."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {toml(v)}" for k, v in value.items()) + " }" if value else "{}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return tomli_w.dumps({"x": value})[len("x = ") : -1]


def by_hand(value: Any) -> str:
    """A value as people write it: a text of several lines on as many."""
    if isinstance(value, str) and "\n" in value:
        return tomli_w.dumps({"x": value}, multiline_strings=True)[len("x = ") : -1]
    return toml(value)
