"""The versions of a campaign's files, and what brings an older one up to date.

`format` in campaign.toml is the version of all files of the campaign; left out, it is 1.
A step is one pure function of a file's name and bytes. It is used on the disk when people ask for it, and in memory
whenever an older campaign is read, if it changes what the file means.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...rules import Model
from ..toml.reading import parse
from ..toml.splice import MARK, change

MAIN = "campaign.toml"
SCHEMAS = {
    "": "./.schema/campaign.json",
    "characters": "../.schema/sheet.json",
    "scenes": "../.schema/scene.json",
    "tables": "../.schema/table.json",
}
"""By folder: where its files find their schema."""


class Step(Model):
    """What makes a campaign one version newer."""

    to: int
    words: str
    """What is better then."""
    change: Callable[[str, bytes], bytes]
    """A file of the version before, by name, in this one."""
    meaning: bool = True
    """False where only comments and layout change, so that in memory there is nothing to do."""


def with_schema(name: str, raw: bytes) -> bytes:
    """A file that names its schema in the first line, where editors look for it."""
    mark, text = (MARK, raw[len(MARK) :]) if raw.startswith(MARK) else (b"", raw)
    where = SCHEMAS.get(name.rpartition("/")[0])
    if text.startswith(b"#:schema") or where is None:
        return raw
    return mark + f"#:schema {where}".encode() + (b"\r\n" if b"\r\n" in text else b"\n") + text


def _to_2(name: str, raw: bytes) -> bytes:
    if parse(name, raw).data is None:
        return raw  # whatever it is, it is not ours to put a line into
    return with_schema(name, change(raw, name, ("format",), "2") if name == MAIN else raw)


STEPS = (Step(2, "every file names its schema, so that editors check it while you type", _to_2, meaning=False),)
FORMAT = STEPS[-1].to
"""The newest version, which this program writes."""


def format_of(data: Any) -> int:
    """The version that a campaign.toml states."""
    stated = data.get("format", 1) if isinstance(data, dict) else 1
    return stated if type(stated) is int else 1


def brought_up(name: str, raw: bytes, steps: Sequence[Step]) -> bytes:
    """A file after some steps."""
    for step in steps:
        raw = step.change(name, raw)
    return raw
