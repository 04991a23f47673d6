"""Campaigns and logs to measure with, made from fixed seeds through the program's own code."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

from tabletop_tui import plugins
from tabletop_tui.rules import parse, tag_of
from tabletop_tui.session import Codec
from tabletop_tui.storage.disk import Disk
from tabletop_tui.storage.log import sessions, with_crc
from tabletop_tui.storage.open_campaign import OpenCampaign
from tabletop_tui.storage.user.paths import copy_demo, demos, write_starter

SEED = "5eed5eed5eed5eed"
SHEET = 'name = "Soldier {n}"\n\n[levels]\nalpha = 3\nbeta = 1\n\n[skills]\nSpear = {{ beta = 2 }}\n'
TURNS = (
    "hurt who=mira points=1", "heal who=mira points=1", "tick clock=storm by=1", "tick clock=storm by=-1",
    "oppose who=mira skill=Warding against=rook using=Dodge", "settle", "hurt who=rook points=2",
    "heal who=rook points=2", "note text=on", "award who=rook",
)  # fmt: skip


class Quick(Disk):
    """These logs are only made to be read: their thousands of syncs are left out."""

    def sync(self, fd: int) -> None:
        """Nothing."""
        del fd


@cache
def kinds(engine: str) -> dict[str, Any]:
    """A game's actions by their words."""
    return {tag_of(k): k for k in plugins.load(engine).actions}


def action(words: str, engine: str = "tiers") -> Any:
    """An action as on the command line."""
    tag, *pairs = words.split()
    return parse(kinds(engine)[tag], dict(pair.split("=", 1) for pair in pairs))


def sample(name: str, root: Path) -> Path:
    """A copy of a sample."""
    return copy_demo(next(p for p in demos() if p.name == name), root)


def starter(place: Path, people: int = 0) -> Path:
    """A starter campaign of Tiers of Power, with so many more characters."""
    write_starter(plugins.load("tiers").starter, "Many", place)
    for n in range(people):
        (place / f"characters/soldier-{n}.toml").write_text(SHEET.format(n=n))
    return place


KEPT = "BENCHMARKS_KEPT"
"""The variable that names a folder for what several parts need."""


def played(desk: OpenCampaign, actions: int) -> list[bytes]:
    """The lines of one long session: they go with every starter campaign, and are played once for all parts."""
    kept = Path(os.environ[KEPT]) / f"played-{actions}" if KEPT in os.environ else None
    if kept and kept.exists():
        return kept.read_bytes().split(b"\n")
    table, codec = desk.table.fork(seed=SEED), Codec(plugins.load("tiers"))
    ready = [action(words) for words in TURNS]
    lines = [codec.line(table.do(ready[n % len(ready)])) for n in range(actions)]
    if kept:
        kept.write_bytes(b"\n".join(lines))
    return lines


def lengthened(root: Path, actions: int) -> Path:
    """A starter campaign with a session of so many actions: people are hurt and healed, skills are opposed."""
    desk = OpenCampaign(root, disk=Quick())
    path = sessions(root)[-1]
    crc, lines = int(path.read_bytes()[-11:-3], 16), []
    for one in played(desk, actions):
        line, crc = with_crc(one, crc)
        lines.append(line)
    with path.open("ab") as file:
        file.writelines(lines)
    desk.close()
    OpenCampaign(root, disk=Quick()).close()  # and now.toml as it is then
    return root


def crowd(root: Path) -> Path:
    """A turn order of 200 in the No1 system."""
    target = sample("cinder-pass", root)
    desk = OpenCampaign(target, disk=Quick())
    do = kinds("no1")
    desk.do(do["begin"]("1-the-ash-bridge"))
    for who, count in (("ash-runner", 100), ("duke-pike", 89)):
        desk.do(do["join"](who, count, "far"))
    desk.do(do["next"](next(iter(desk.table.world.now.turns.may_go()))))
    desk.close()
    return target
