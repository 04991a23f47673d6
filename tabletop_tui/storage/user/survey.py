"""Every campaign and sample as a list of them needs it: read once, without a session of any being opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from ...rules import Model, TableError
from .. import campaign as folder
from ..log import played, sessions
from ..toml.reading import read
from .paths import data_home, demos, find_campaigns

SHEETS, SCENES = (folder.FOLDERS[part] for part in ("sheets", "scenes"))


class Found(Model, kw_only=True):
    """A campaign, or a sample that came with the program."""

    path: Path
    title: str
    engine: str = ""
    """What its game is called."""
    sample: bool = False
    about: str = ""
    shows: str = ""
    """What a sample shows of its game."""
    hours: int = 0
    logs: tuple[Path, ...] = ()
    """Of its sessions, the newest first; then what is there to look at."""
    count: int = 0
    """Sessions that were played."""
    played: datetime | None = None
    """When something was last done."""
    party: tuple[tuple[str, str], ...] = ()
    """Players' characters, and who plays them."""
    others: int = 0
    """Sheets of the GM's own."""
    scenes: int = 0
    problems: tuple[str, ...] = ()


def survey(places: list[Path], *, briefly: bool = False) -> list[Found]:
    """The campaigns in these places, then the samples; one that was copied to be played is listed once.

    Briefly: what their files say of themselves, without loading a game.
    """
    own = find_campaigns(*places)
    there = {p.resolve() for p in own}
    fresh = [p for p in demos() if (data_home() / "campaigns" / p.name).resolve() not in there]
    how = glance if briefly else look
    return [*(how(p) for p in own), *(how(p, sample=True) for p in fresh)]


def played_last(found: Sequence[Found]) -> Found | None:
    """The campaign that was played last."""
    mine = [f for f in found if f.played and not f.sample]
    return max(mine, key=lambda f: f.played or datetime.min) if mine else None


def last_log(found: Found | None) -> tuple[Path, float] | None:
    """The log of its last session, and when something was last done."""
    if found is None or not found.count or not found.logs:
        return None
    return found.logs[0], found.played.timestamp() if found.played else 0.0


def glance(path: Path, *, sample: bool = False) -> Found:
    """One of them at first sight: whether its files fit its game is not asked."""
    main = read(path, folder.MAIN).data or {}
    sheets = [read(path, f"{SHEETS}/{p.name}").data or {} for p in sorted((path / SHEETS).glob("*.toml"))]
    people = [(_text(sheet.get("name")), _text(sheet.get("player"))) for sheet in sheets]
    title, scenes = _text(main.get("title")) or path.name, len([*(path / SCENES).glob("*.toml")])
    return _found(path, main, people, sample=sample, title=title, scenes=scenes)


def look(path: Path, *, sample: bool = False) -> Found:
    """One of them; what is wrong with it stands in it, and is not raised."""
    try:
        found = folder.load(path)
    except TableError as error:
        return Found(path=path, title=path.name, problems=(str(error),), sample=sample)
    return _found(
        path,
        found.documents[("rules",)].data or {},
        [(record.name, record.player) for unit, record in found.parts.items() if unit[0] == "sheets"],
        sample=sample,
        title=found.title,
        scenes=sum(unit[0] == "scenes" for unit in found.parts),
        engine=found.engine.title if found.engine else found.engine_name,
        problems=tuple(str(p) for p in found.problems if not p.warning),
    )


def _found(path: Path, main: Mapping[str, Any], people: Sequence[tuple[str, str]], **known: Any) -> Found:
    """What its main file and its logs say of it, its people with their players, and what else is known."""
    logs = [*reversed(sessions(path))]
    logs = logs if any(map(_begun, logs)) else []  # a campaign that was only opened was not played
    party = tuple(one for one in people if one[1])
    return Found(
        path=path,
        about=_text(main.get("about")),
        shows=_text(main.get("shows")),
        hours=main["hours"] if isinstance(main.get("hours"), int) else 0,
        logs=(*logs, *played(path)),
        count=len(logs),
        played=_time(logs[0]) if logs else None,
        party=party,
        others=len(people) - len(party),
        **known,
    )


def _text(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _begun(log: Path) -> bool:
    """Does a log tell of anything behind its header?"""
    try:
        with log.open("rb") as file:
            return bool(file.readline()) and bool(file.readline())
    except OSError:
        return True  # it is there, and says what is wrong when it is opened


def _time(path: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime)
    except OSError:
        return None
