"""A campaign is a folder: read all of it, and report every problem of every file at once."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ... import plugins
from ...rules import FIRST_MEETING, Clock, Engine, Model, Problem, RandomTable, Refused, TableError, Track, World
from ...session import PLAYERS, Players
from ..toml.reading import Document, FileProblem, parse, read
from ..toml.shape import Misfit, found, misfits, near
from .versions import MAIN as MAIN
from .versions import STEPS, Step, brought_up, format_of

NOW = "now.toml"
FOLDERS = {"sheets": "characters", "scenes": "scenes", "tables": "tables"}
_ID = re.compile(r"[\w][\w .'-]{0,79}")


class Seats(Model):
    """The `[table]` of campaign.toml: how this group sits together."""

    players: Players = "act"
    """What players do from their seats: act for their own characters, propose everything to the GM, or look on."""


class CampaignFile(Model):
    """campaign.toml, but for its `[rules]`, which are the engine's."""

    title: str
    engine: str
    """The game; see tabletop engines."""
    theme: str = ""
    format: int = 1
    """The version of the campaign's files; see tabletop migrate."""
    about: str = ""
    """A line for the list of campaigns."""
    shows: str = ""
    """Of a sample: what it shows of its game, in a sentence."""
    hours: int = 0
    """Of a sample: how long it takes to play, about."""
    rules: dict[str, Any] = {}
    clocks: dict[str, Clock] = {}
    tracks: dict[str, Track] = {}
    table: Seats = Seats()


class Campaign:
    """What was read from a campaign's folder."""

    def __init__(self, root: Path, instead: Mapping[str, bytes | None] = {}, steps: Sequence[Step] = STEPS) -> None:
        self.root, self.instead, self.steps = root, instead, steps
        self.older: Sequence[Step] = ()
        """What an older campaign's files still have before them."""
        self.title = root.name
        self.theme = ""
        self.engine_name = ""
        self.engine: plugins.Guarded | None = None
        self.engine_missing = ""
        """Why there is no engine."""
        self.newer = ""
        """Why this program must not write into it: it is of a format that came later."""
        self.documents: dict[tuple[str, ...], Document] = {}
        """By unit: ("rules",), ("sheets", "rook"), ("scenes", "the-bridge"), ("tables", "weather"), ("now",)."""
        self.parts: dict[tuple[str, ...], Any] = {}
        """The records of the files that are sound, by unit."""
        self.players: Players = "act"
        """What players do from their seats. They act unless the campaign says otherwise: the rules refuse what is not
        theirs, the log says who did it, and undo takes it back."""
        self.start: dict[str, Any] = {"clocks": {}, "tracks": {}}
        self.problems: list[FileProblem] = []
        self.missing: set[str] = set()
        """The parts whose folder is not there."""
        self.unread: set[str] = set()
        """The parts whose folder is there and cannot be read: what is in it, nobody knows."""

    @property
    def errors(self) -> list[FileProblem]:
        """The problems that keep a file from being used."""
        return [p for p in self.problems if not p.warning]

    def read(self, name: str) -> Document:
        """A file of the folder, or what is to be looked at in its place.

        One of an older format is brought up to date. Its text stays the one in the file, as problems are named at
        their lines there.
        """
        raw = self.instead.get(name)
        document = parse(name, raw) if raw is not None else read(self.root, name)
        if name == MAIN:
            self.older = [step for step in self.steps if step.to > format_of(document.data)]
        todo = [step for step in self.older if step.meaning]
        if todo and document.raw is not None and document.data is not None:
            newer = parse(name, brought_up(name, document.raw, todo))
            document.data = newer.data
            document.problems += newer.problems if newer.data is None else []
        return document

    def kind(self, unit: tuple[str, ...]) -> Any:
        """The record that a unit is read as."""
        assert self.engine is not None
        kinds = {"rules": self.engine.rules, "sheets": self.engine.sheet, "scenes": self.engine.scene}
        return kinds.get(unit[0], RandomTable)

    def world(self, now: Any = None) -> Any:
        """A world of the sound files."""
        assert self.engine is not None
        live = now or self.engine.now(**self.start)
        rules = self.parts.get(("rules",)) or self.engine.rules()
        groups: dict[str, dict[str, Any]] = {part: {} for part in FOLDERS}
        for unit, record in self.parts.items():
            if len(unit) == 2:
                groups[unit[0]][unit[1]] = record
        world: Any = World(rules, live, **groups)
        return world.copied() if live.more else world

    def place(self, problem: Problem) -> FileProblem:
        """An engine's problem with file, line and column."""
        path = problem.path
        unit: tuple[str, ...] = tuple(str(p) for p in path[:2]) if path[0] in FOLDERS else (str(path[0]),)
        inner = path[len(unit) :]
        if unit == ("rules",):
            inner = ("rules", *inner)
        document = self.documents.get(unit)
        if document is None:
            return FileProblem(file_of(unit), 0, 0, problem.what, _meant(problem), problem.warning)
        return document.problem(Misfit(inner, problem.what, _meant(problem), warning=problem.warning))


def _meant(problem: Problem) -> str:
    """An engine's remedy, after the word that was probably meant where somebody mistyped one."""
    return f"{near(problem.found, problem.known)} {problem.remedy}".strip() if problem.known else problem.remedy


def file_of(unit: tuple[str, ...]) -> str:
    """The file, inside the campaign, that holds a unit."""
    if unit[0] in FOLDERS:
        return f"{FOLDERS[unit[0]]}/{unit[1]}.toml"
    return NOW if unit[0] == "now" else MAIN


def load(root: Path, instead: Mapping[str, bytes | None] = {}, steps: Sequence[Step] = STEPS) -> Campaign:
    """Read a campaign's hand-written files. Never raises for what is in them.

    `instead` gives bytes to be read in the place of files, by name, and None for those to be taken as gone: how would
    it be?
    """
    campaign = Campaign(root, instead, steps)
    if not root.is_dir():
        raise TableError("there is no such campaign", where=str(root), remedy="tabletop new makes one.")
    if not (root / MAIN).exists():
        raise TableError(
            "this folder is not a campaign: it has no campaign.toml",
            where=str(root),
            remedy="tabletop new makes one.",
        )
    with FIRST_MEETING:
        _main(campaign)
        for part, folder in FOLDERS.items():
            _folder(campaign, part, folder)
        if campaign.engine:
            _rules_of_the_game(campaign)
    campaign.problems.sort(key=lambda p: (p.file, p.line, p.column))
    return campaign


def _main(campaign: Campaign) -> None:
    document = campaign.read(MAIN)
    campaign.documents[("rules",)] = document
    document.fit(CampaignFile)
    data = document.data or {}
    campaign.title = data["title"] if isinstance(data.get("title"), str) else campaign.title
    campaign.theme = data["theme"] if isinstance(data.get("theme"), str) else ""
    campaign.players = players_in(data)
    name = data.get("engine")
    if format_of(data) > (known := campaign.steps[-1].to):
        campaign.newer = f"the campaign is of format {found(data['format'])} and this program knows up to {known}"
        document.problems.append(document.problem(Misfit(("format",), campaign.newer, "Update tabletop-tui.")))
    if isinstance(name, str):
        campaign.engine_name = name
        try:
            campaign.engine = plugins.load(name)
        except TableError as error:
            campaign.engine_missing = error.what
            hint = near(name, plugins.names()) if name not in plugins.names() else ""
            document.problems.append(document.problem(Misfit(("engine",), error.what, hint or error.remedy)))
    if campaign.engine and document.data is not None:
        _rules(campaign, document, campaign.engine)
    campaign.problems += document.problems


def players_in(data: Mapping[str, Any]) -> Players:
    """What players do from their seats; where it cannot be read they look on, until somebody has mended it."""
    table = data.get("table", {})
    wanted = table.get("players", "act") if isinstance(table, Mapping) else ""
    return next((one for one in PLAYERS if one == wanted), "look")


def _rules(campaign: Campaign, document: Document, engine: Engine) -> None:
    data = document.data or {}
    rules = data.get("rules", {})
    document.problems += [
        document.problem(Misfit(("rules", *m.path), m.what, m.remedy, m.at_key, m.warning))
        for m in misfits(rules, engine.rules)
    ]
    for unit in data.get("clocks", {}) if isinstance(data.get("clocks"), dict) else ():
        clock = data["clocks"][unit]
        if isinstance(clock, dict) and isinstance(clock.get("size"), int) and not 1 <= clock["size"] <= 100:
            what = f"a clock cannot have {clock['size']} segments"
            document.problems.append(document.problem(Misfit(("clocks", unit, "size"), what, "From 1 to 100.")))
    if not document.broken:
        main = msgspec.convert(data, CampaignFile)
        campaign.parts[("rules",)] = msgspec.convert(rules, engine.rules, str_keys=True)
        campaign.start = {"clocks": main.clocks, "tracks": main.tracks}


def _folder(campaign: Campaign, part: str, folder: str) -> None:
    place = campaign.root / folder
    instead = {
        name.rpartition("/")[2]: raw for name, raw in campaign.instead.items() if name.startswith(f"{folder}/")
    }
    fresh = {name for name, raw in instead.items() if raw is not None}
    try:
        names = sorted({*os.listdir(place), *fresh} - (instead.keys() - fresh))
    except FileNotFoundError:
        names = sorted(fresh)
        if not names:
            campaign.missing.add(part)
            return
    except OSError as error:
        campaign.unread.add(part)
        what = f"the folder cannot be read: {error.strerror}"
        campaign.problems.append(FileProblem(folder, 0, 0, what, "Check that it is a folder, and yours to read."))
        return
    kind = campaign.kind((part,)) if campaign.engine else None
    for path in [place / name for name in names if name.endswith(".toml") and not name.startswith(".")]:
        name = f"{folder}/{path.name}"
        document = campaign.read(name)
        if not _ID.fullmatch(path.stem):
            what = "the file's name is used as an id: letters, digits, space, . ' _ and - only"
            document.problems.append(FileProblem(name, 0, 0, what, "Rename the file."))
        if kind is not None:
            document.fit(kind)
        campaign.documents[(part, path.stem)] = document
        campaign.problems += document.problems
        if kind is not None and not document.broken:
            campaign.parts[(part, path.stem)] = msgspec.convert(document.data, kind, str_keys=True)


def _rules_of_the_game(campaign: Campaign) -> None:
    engine = campaign.engine
    assert engine is not None
    try:
        some = engine.problems(campaign.world())
    except Refused as fault:  # a stranger's engine: its fault must not hide what else is wrong
        campaign.problems.append(FileProblem(MAIN, 0, 0, fault.what, fault.remedy))
        return
    campaign.problems += [campaign.place(problem) for problem in some if not is_unread(campaign, problem)]


def is_unread(campaign: Campaign, problem: Problem) -> bool:
    """Is somebody meant whose file is there and cannot be read? Then that file's own problem is told."""
    for part in FOLDERS:
        document = campaign.documents.get((part, problem.found))
        readable = {unit[1] for unit in campaign.parts if unit[0] == part}
        if document and document.broken and set(problem.known) == readable:
            return True
    return False
