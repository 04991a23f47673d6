"""New character files: an NPC from the game's starter, or copies of one that is there."""

from __future__ import annotations

from pathlib import Path

from ..rules import Engine, TableError, clean
from .campaign import FOLDERS
from .disk import Disk, write_file
from .paths import slug
from .reading import parse, read
from .splice import change, readable, toml, without
from .versions import with_schema


def add_npc(root: Path, engine: Engine, name: str) -> str:
    """A new NPC with the numbers of the starter's; returns the id."""
    texts = [t.format(title="") for f, t in engine.starter.items() if f.startswith(f"{FOLDERS['sheets']}/")]
    plain = next((t for t in texts if "player" not in (parse("", t.encode()).data or {})), texts[0] if texts else "")
    return _write(root, plain.encode(), name)


def copy_sheet(root: Path, who: str, count: int) -> list[str]:
    """Copies under numbered names, Guard 1 … Guard 6, comments and all."""
    if not 1 <= count <= 100:
        raise TableError(f"{count} copies cannot be made", remedy="From 1 to 100.")
    source = readable(read(root, f"{FOLDERS['sheets']}/{who}.toml"))
    name = str((source.data or {}).get("name", who))
    made: list[str] = []
    number = 1
    while len(made) < count:
        if not (root / FOLDERS["sheets"] / f"{slug(f'{name} {number}')}.toml").exists():
            made.append(_write(root, source.raw or b"", f"{name} {number}"))
        number += 1
    return made


def _write(root: Path, raw: bytes, name: str) -> str:
    who = base = slug(name)
    number = 1
    while (path := root / FOLDERS["sheets"] / f"{who}.toml").exists():
        number += 1
        who = f"{base}-{number}"
    inside = f"{FOLDERS['sheets']}/{path.name}"
    raw = change(raw, inside, ("name",), toml(clean(name)))
    if "player" in (parse(inside, raw).data or {}):
        raw = without(raw, inside, ("player",))
    path.parent.mkdir(exist_ok=True)
    write_file(path, with_schema(inside, raw), Disk())
    return who
