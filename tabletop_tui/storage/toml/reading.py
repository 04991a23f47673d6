"""Reading one TOML file: everything that can be wrong with it is a problem with its line, never an exception."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from pathlib import Path
from typing import Any

from ...rules import Model
from ..disk import read_whole
from .layout import Places
from .shape import Misfit, hostile, misfits

MOST_BYTES = 1 << 20
"""A megabyte of TOML takes tomllib 0.4 s; nobody writes that much by hand."""
MOST_DEPTH = 64
# possessive, and begun at a word's beginning only: a long word must not be tried again from each of its letters
_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_DEEP_KEY = re.compile(r"(?<![\w-])(?:" + _PART + r"[ \t]*+\.[ \t]*+){" + str(MOST_DEPTH) + "}")
_DEEP_VALUE = re.compile(r"(?:[\[{]\s*){" + str(MOST_DEPTH) + "}")


class FileProblem(Model):
    """Something wrong in a file, with its place."""

    file: str
    line: int
    column: int
    what: str
    remedy: str = ""
    warning: bool = False

    @property
    def place(self) -> str:
        """File, line and column, as editors and compilers write it."""
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file

    def __str__(self) -> str:
        remedy = f" {self.remedy}" if self.remedy else ""
        stop = "" if self.what.endswith((".", "?", "!")) else "."
        return f"{self.place}: {self.what}{stop}{remedy}"


class Document:
    """A TOML file as it was read: its data, the places in it, and what is wrong with it."""

    def __init__(self, name: str, data: dict[str, Any] | None, text: str, problems: list[FileProblem]) -> None:
        self.name, self.data, self.text, self.problems = name, data, text, problems
        self.raw: bytes | None = None
        """The bytes that were read; None where nothing could be."""
        self.being_saved = False
        """Was somebody writing it, so that it was not read?"""
        self._places: Places | None = None

    @property
    def broken(self) -> bool:
        """Is there anything that keeps it from being used?"""
        return self.data is None or any(not p.warning for p in self.problems)

    def problem(self, misfit: Misfit) -> FileProblem:
        """A misfit with the line and column of its path."""
        if self._places is None:
            self._places = Places(self.text)
        line, column = self._places.of(misfit.path, key=misfit.at_key)
        return FileProblem(self.name, line, column, misfit.what, misfit.remedy, misfit.warning)

    def fit(self, kind: Any) -> None:
        """Add everything that does not fit a record."""
        if self.data is not None:
            self.problems += [self.problem(m) for m in misfits(self.data, kind)]


def read(root: Path, name: str) -> Document:
    """Read a file of a campaign. It must lie inside the campaign's folder, links resolved."""
    found = held(root, name)
    return found if found.raw is None else parse(name, found.raw)


def held(root: Path, name: str) -> Document:
    """What a file of a campaign holds, byte by byte and not yet read as TOML."""
    path = root / name
    try:
        real = path.resolve(strict=True) if _is_linked(root, name) else path
        if real is not path and not real.is_relative_to(root.resolve()):
            return _bad(name, "it is a link that leads out of the campaign", "Put the file itself there.")
        mode = real.stat()
        if stat.S_ISDIR(mode.st_mode):
            return _bad(name, "this is a folder, not a file", "Rename it.")
        if not stat.S_ISREG(mode.st_mode):
            return _bad(name, "this is not a regular file", "Put a text file there.")
        if mode.st_size > MOST_BYTES:
            return _bad(name, f"{mode.st_size} bytes are too many", f"At most {MOST_BYTES}: split it up.")
        raw = read_whole(real)
    except RuntimeError:  # what pathlib makes of a link that leads to itself
        return _bad(name, "it cannot be read: it is a link that leads to itself", "Put the file itself there.")
    except OSError as error:
        return _bad(
            name, f"it cannot be read: {os.strerror(error.errno or 0)}", "Check that it is there and yours to read."
        )
    if raw is None:
        document = _bad(name, "it is being saved at this moment", "Look again.", warning=True)
        document.being_saved = True
        return document
    document = Document(name, None, "", [])
    document.raw = raw
    return document


def _is_linked(root: Path, name: str) -> bool:
    """May the way to a file lead out of the folder? Only then it has to be followed to its end."""
    way = Path(name).parts
    return (
        Path(name).is_absolute()
        or ".." in way
        or any(root.joinpath(*way[: n + 1]).is_symlink() for n in range(len(way)))
    )


def parse(name: str, raw: bytes) -> Document:
    """Read a file's bytes."""
    document = _parse(name, raw)
    document.raw = raw
    return document


def _parse(name: str, raw: bytes) -> Document:
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return _bad(name, "it is written in UTF-16", "Save it as UTF-8.")
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - (raw.rfind(b"\n", 0, error.start) + 1) + 1
        return _bad(name, "it is not text in UTF-8", "Save it as UTF-8.", line, column)
    text = text.replace("\r\n", "\n")
    for deep in (_DEEP_KEY, _DEEP_VALUE):
        if found := deep.search(text):
            line = text.count("\n", 0, found.start()) + 1
            return _bad(name, f"it is nested deeper than {MOST_DEPTH} levels", "Make it flatter.", line, 1)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return _syntax(name, text, str(error))
    except (RecursionError, ValueError) as error:
        return _bad(name, f"it cannot be read as TOML: {str(error)[:80] or 'nested too deeply'}", "Make it simpler.")
    if _too_deep(data):
        return _bad(name, f"it is nested deeper than {MOST_DEPTH} levels", "Make it flatter.")
    document = Document(name, data, text, [])
    document.problems += [document.problem(m) for m in hostile(data)]
    return document


def _too_deep(data: Any) -> bool:
    level = [data]
    for _ in range(MOST_DEPTH + 1):
        held = [x.values() if isinstance(x, dict) else x for x in level if isinstance(x, dict | list)]
        level = [item for some in held for item in some]
    return bool(level)


def _bad(name: str, what: str, remedy: str, line: int = 0, column: int = 0, *, warning: bool = False) -> Document:
    return Document(name, None, "", [FileProblem(name, line, column, what, remedy, warning)])


def _syntax(name: str, text: str, message: str) -> Document:
    match = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)", message)
    words = message[: match.start()] if match else message
    line, column = (int(match[1]), int(match[2])) if match and match[1] else (text.count("\n") + 1, 1)
    what = f"this is not TOML: {words[:1].lower()}{words[1:]}"
    return Document(
        name, None, text, [FileProblem(name, line, column, what, "Text needs quotes; lists need commas.")]
    )
