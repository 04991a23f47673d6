"""JSON Schemas of a game's files: editors that know them complete keys and underline what does not fit.

They say what `shape` checks, from the same records; what every field is for comes from its docstring.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
import typing
from copy import deepcopy
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import msgspec

from ...rules import FIRST_MEETING, Engine, RandomTable
from ..disk import Disk, private_folder, write_file
from ..toml.shape import bare
from .folder import CampaignFile, load

DRAFT = "https://json-schema.org/draft/2020-12/schema"
PLACE = ".schema"


def schemas(engine: Engine, rules: Any = None) -> dict[str, dict[str, Any]]:
    """The schema of campaign.toml, of a sheet, of a scene and of a rollable table; of a campaign with these rules."""
    return _plain(engine) if rules is None else engine.schemas(deepcopy(_plain(engine)), rules)


@cache
def _plain(engine: Engine) -> dict[str, dict[str, Any]]:
    kinds: dict[str, type[msgspec.Struct]] = {
        "campaign": CampaignFile,
        "sheet": engine.sheet,
        "scene": engine.scene,
        "table": RandomTable,
    }
    with FIRST_MEETING:
        return {part: _Writer(engine).whole(kind, f"{engine.title}: {part}") for part, kind in kinds.items()}


def rendered(engine: Engine, rules: Any = None) -> dict[str, bytes]:
    """The schemas as files, by name; of a campaign with these rules."""
    import json  # late: they are written when a campaign is made, and checked at times

    return {
        f"{part}.json": (json.dumps(schema, indent=1, ensure_ascii=False) + "\n").encode()
        for part, schema in schemas(engine, rules).items()
    }


def write_schemas(root: Path, engine: Engine) -> list[str]:
    """Write them into a campaign; those that are there and right are left alone."""
    private_folder(root / PLACE)
    written = []
    for name, data in rendered(engine, load(root).parts.get(("rules",))).items():
        path = root / PLACE / name
        if not path.is_file() or path.read_bytes() != data:
            write_file(path, data, Disk(), sync=False)  # they can be written again at any time
            written.append(f"{PLACE}/{name}")
    return written


class _Writer:
    """One schema and the records that it speaks of."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.defs: dict[str, Any] = {}
        self.names: dict[type, str] = {}

    def whole(self, kind: type[msgspec.Struct], title: str) -> dict[str, Any]:
        top = self._struct(kind)
        return {
            "$schema": DRAFT,
            "title": title,
            **top,
            **({"$defs": dict(sorted(self.defs.items()))} if self.defs else {}),
        }

    def of(self, kind: Any) -> dict[str, Any]:
        plain = bare(kind)
        if isinstance(plain, type) and issubclass(plain, msgspec.Struct):
            return {"$ref": f"#/$defs/{self._name(plain)}"}
        origin, args = typing.get_origin(plain), typing.get_args(plain)
        if origin is dict:
            keys = bare(args[0])
            names = {"propertyNames": self.of(keys)} if typing.get_origin(keys) is Literal else {}
            return {"type": "object", **names, "additionalProperties": self.of(args[1])}
        if origin in (tuple, list):
            return {"type": "array", "items": self.of(args[0])}
        if origin is Literal:
            return {"enum": list(args)}
        (found,), more = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
        self.defs.update(more)
        return found

    def _name(self, kind: type[msgspec.Struct]) -> str:
        if kind not in self.names:
            name = kind.__name__ if kind.__name__ not in self.names.values() else f"{kind.__name__}{len(self.names)}"
            self.names[kind] = name
            self.defs[name] = self._struct(kind)
        return self.names[kind]

    def _struct(self, kind: type[msgspec.Struct]) -> dict[str, Any]:
        hints, told = typing.get_type_hints(kind, include_extras=True), notes(kind)
        properties: dict[str, Any] = {}
        required = []
        for field in msgspec.structs.fields(kind):
            rules = kind is CampaignFile and field.name == "rules"
            one = self.of(self.engine.rules if rules else hints[field.name])
            about = {"description": told[field.name]} if field.name in told else {}
            value = {"default": field.default} if isinstance(field.default, str | int) and field.default != "" else {}
            properties[field.encode_name] = {**about, **one, **value}
            if field.required:
                required.append(field.encode_name)
        words = " ".join((inspect.getdoc(kind) or "").split())
        about = {"description": words} if words else {}
        must = {"required": required} if required else {}
        # play tolerates keys that it does not know, and `check` warns of them: an editor is to underline them
        return {"type": "object", **about, "properties": properties, **must, "additionalProperties": False}


@cache
def notes(kind: type) -> dict[str, str]:
    """What stands under each field in the source of a record; nothing where there is no source."""
    notes: dict[str, str] = {}
    for one in reversed(kind.__mro__):
        if not issubclass(one, msgspec.Struct) or one is msgspec.Struct:
            continue
        try:
            (body,) = ast.parse(textwrap.dedent(inspect.getsource(one))).body
        except (OSError, TypeError, SyntaxError, ValueError):
            continue
        lines = body.body if isinstance(body, ast.ClassDef) else []
        for field, note in pairwise(lines):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(note, ast.Expr):
                text = note.value.value if isinstance(note.value, ast.Constant) else None
                if isinstance(text, str):
                    notes[field.target.id] = " ".join(text.split())
    return notes
