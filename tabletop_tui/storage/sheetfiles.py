"""New character files: an NPC from the game's starter, or copies of one that is there."""

from __future__ import annotations

from pathlib import Path

import tomlkit

from ..rules import Engine, TableError
from .campaign import FOLDERS
from .disk import Disk, write_file
from .paths import slug


def add_npc(root: Path, engine: Engine, name: str) -> str:
    """A new NPC with the numbers of the starter's; returns the id."""
    texts = [t.format(title="") for f, t in engine.starter.items() if f.startswith(f"{FOLDERS['sheets']}/")]
    plain = next((t for t in texts if "player" not in tomlkit.parse(t)), texts[0] if texts else 'name = ""\n')
    return _write(root, plain, name)


def copy_sheet(root: Path, who: str, count: int) -> list[str]:
    """Copies under numbered names, Guard 1 … Guard 6, comments and all."""
    if not 1 <= count <= 100:
        raise TableError(f"{count} copies cannot be made", remedy="From 1 to 100.")
    source = root / FOLDERS["sheets"] / f"{who}.toml"
    try:
        text = source.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise TableError(f"it cannot be read: {error.strerror}", where=str(source)) from None
    name = str(tomlkit.parse(text).get("name", who))
    made: list[str] = []
    number = 1
    while len(made) < count:
        if not (root / FOLDERS["sheets"] / f"{slug(f'{name} {number}')}.toml").exists():
            made.append(_write(root, text, f"{name} {number}"))
        number += 1
    return made


def _write(root: Path, text: str, name: str) -> str:
    document = tomlkit.parse(text)
    document["name"] = name
    document.pop("player", None)
    who = base = slug(name)
    number = 1
    while (path := root / FOLDERS["sheets"] / f"{who}.toml").exists():
        number += 1
        who = f"{base}-{number}"
    path.parent.mkdir(exist_ok=True)
    write_file(path, tomlkit.dumps(document).encode(), Disk())
    return who
