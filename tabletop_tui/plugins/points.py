"""Which engines are installed: the entry points of packages, read where pip leaves them.

`importlib.metadata` reads the same files, and takes longer to be imported than the rest of a command does.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from ..rules import Model

GROUP = "tabletop_tui.engines"


class Point(Model):
    """An engine that a package names, not imported yet."""

    name: str
    value: str
    """Where it is: `module:ENGINE`."""
    info: str
    """The folder in which the package tells of itself."""

    @property
    def package(self) -> str:
        """What the package is called."""
        for file in ("METADATA", "PKG-INFO"):
            try:
                text = Path(self.info, file).read_text("utf-8", "replace")
            except OSError:
                continue
            if found := re.search(r"^Name: *(\S+)", text, re.MULTILINE):
                return found[1]
        return Path(self.info).name.partition("-")[0]

    def load(self) -> object:
        """Import it."""
        module, _, path = self.value.partition(":")
        found: object = import_module(module.strip())
        for name in filter(None, path.strip().split(".")):
            found = getattr(found, name)
        return found


def installed() -> dict[str, list[Point]]:
    """Every engine by its name; several where packages disagree about who brings it."""
    out: dict[str, list[Point]] = {}
    seen = set()
    for place in sys.path:
        for info in _infos(place):
            package = re.sub(r"[-_.]+", "_", info.partition("-")[0].removesuffix(".egg")).lower()
            if package in seen:  # the first on the path counts, as where it is imported
                continue
            seen.add(package)
            for point in _points(os.path.join(place, info)):
                out.setdefault(point.name, []).append(point)
    return out


def _infos(place: str) -> list[str]:
    try:
        return [name for name in os.listdir(place or ".") if name.endswith((".dist-info", ".egg-info"))]
    except OSError:
        return []


def _points(info: str) -> Iterator[Point]:
    try:
        with open(os.path.join(info, "entry_points.txt"), encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return
    group = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            group = line[1:].rstrip("]").strip()
        elif group == GROUP and line and not line.startswith("#"):
            name, _, value = line.partition("=")
            yield Point(name.strip(), value.partition("[")[0].strip(), info)
