"""Where each value stands: the scanner agrees with tomllib on every text that tomllib accepts."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
import tomli_w
from hypothesis import assume, given
from hypothesis import strategies as st

from tabletop_tui.storage.toml.layout import Place, Places

CHARACTERS = st.characters(codec="utf-8")
KEYS = st.text(CHARACTERS, max_size=6) | st.sampled_from(["a", "b", "a.b", 'q"q', "'", "#", "=", "[x]", "1", " ", ""])
SCALARS = (
    st.integers(-(2**63), 2**63 - 1)
    | st.booleans()
    | st.floats(allow_nan=False)
    | st.text(CHARACTERS, max_size=12)
    | st.sampled_from(["'''", '"""', "#", "a\nb", '"', "\\", "x = 1\n[t]\n", "]}", "a\n\n"])
    | st.datetimes()
    | st.dates()
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)


def leaves(data: Any, path: tuple[str | int, ...] = ()) -> dict[tuple[str | int, ...], Any]:
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    found: dict[tuple[str | int, ...], Any] = {}
    for key, value in pairs:
        found |= leaves(value, (*path, key))
    return found if isinstance(data, dict | list) else {path: data}


def stands_at(text: str, place: Place, value: Any) -> bool:
    """Does a value of the text begin at this place?"""
    lines = text.split("\n")
    index = sum(len(line) + 1 for line in lines[: place.line - 1]) + place.column - 1
    for end in range(index + 1, len(text) + 1):
        try:
            if tomllib.loads(f"x = {text[index:end]}")["x"] == value:
                return True
        except (tomllib.TOMLDecodeError, ValueError):
            continue
    return False


def agrees(text: str) -> None:
    data = tomllib.loads(text)
    places = Places(text)
    for path, value in leaves(data).items():
        assert path in places.values, f"{path} of {text!r}"
        assert stands_at(text, places.values[path], value), f"{path} at {places.values[path]} of {text!r}"


@given(st.dictionaries(KEYS, VALUES, max_size=5), st.booleans())
def test_the_scanner_finds_every_value_of_what_a_writer_wrote(data: dict[str, Any], multiline: bool) -> None:
    text = tomli_w.dumps(data, multiline_strings=multiline)
    assume("\r" not in text)  # reading makes line ends plain before
    agrees(text)


ODD = {
    "multi-line text": 'a = """\nx = 1\n[t]\n"""\nb = 2\n',
    "quotes at the end of multi-line text": 'a = """say "hi""""\nb = 2\n',
    "five quotes": 'a = """two """""\nb = 2\n',
    "doubled quotes inside multi-line text": 'a = """say ""hi"" now"""\nb = 2\n',
    "an escaped quote in multi-line text": 'a = """x\\""""\nb = 2\n',
    "a backslash at a line's end": 'a = """x \\\n   y"""\nb = 2\n',
    "multi-line literal": "a = '''\n'x'\n''''\nb = 2\n",
    "literal with a hash": "a = 'x # y' # z\nb = 2\n",
    "inline tables": 'a = { x = 1, "y z" = [1, { q = 2 }], w.v = 3 }\nb = 2\n',
    "dotted keys": 'a.b."c.d" . e = 1\na.b.f = 2\n',
    "quoted keys": '"a b" = 1\n\'c"d\' = 2\n"\\u0041" = 3\n"" = 4\n',
    "arrays of tables": "[[a]]\nx = 1\n[[a]]\nx = 2\n[a.b]\ny = 3\n[[a.c]]\nz = 4\n[[a.c]]\nz = 5\n",
    "arrays over lines": "a = [ # one\n  1, # two ]\n  2,\n\n  # three\n  [3,\n 4],\n]\nb = 5\n",
    "dates and numbers": "a = 1979-05-27 07:32:00Z # x\nb = 07:32:00\nc = 1_000\nd = 0xdead\ne = +inf\nf = -1.5e3\n",
    "headings with blanks": "[ a . 'b.c' ] # x\ny = 1\n[a]\nz = 2\n",
    "no newline at the end": "a = 1\nb = 2",
    "empty things": 'a = []\nb = {}\nc = \'\'\nd = """"""\n',
    "tables out of order": "[a.b]\nx = 1\n[c]\ny = 2\n[a]\nz = 3\n[a.d]\nw = 4\n",
    "a comment that looks like a key": "# a = 1\na = 2 # a = 3\n",
    "array elements that are text": "a = ['],', \"#\", '''x\n]''', 1]\nb = 2\n",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_the_scanner_follows_odd_forms(text: str) -> None:
    agrees(text)


@pytest.mark.parametrize(
    ("text", "path", "place"),
    [
        ("a = 1\nb = 2\n", ("b",), (2, 5)),
        ('a = """\n\n"""\nb = 2\n', ("b",), (4, 5)),
        ("a = [\n 1,\n  2,\n]\n", ("a", 1), (3, 3)),
        ("[[a]]\nx = 1\n[[a]]\nx = 2\n", ("a", 1, "x"), (4, 5)),
        ("a.b.c = 1\n", ("a", "b", "c"), (1, 9)),
        ("t = { x = 1, y = { z = 2 } }\n", ("t", "y", "z"), (1, 24)),
        ("[x]\n[x.y]\nq = 1\n", ("x", "y", "nowhere"), (2, 1)),
        ("a = 1\n", ("nowhere",), (1, 1)),
        ("a = 1\n\n[b.c.d]\nx = 1\n", ("b", "c"), (3, 1)),
    ],
)
def test_the_place_of_a_path(text: str, path: tuple[str | int, ...], place: tuple[int, int]) -> None:
    assert Places(text).of(path) == place
