"""Secrets planted in a campaign: a marker word in every place where a GM can keep something from the players.

    planted = plant("cinder-pass", tmp_path)      # a sample campaign, marked, with its sample evening played in it
    planted.root                                  # the folder; its log is the last session
    planted.table("Ana")                          # the same evening at a player's seat
    planted.found(text, *worlds)                  # secrets in a text that players may not know after these worlds

A marker stands at the beginning of a text, so that it survives being cut, and is the same in any case, as banners are
in capitals. Names, titles and texts keep what they said after it; files and ids carry it too.
"""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import playing
import tomli_w

from tabletop_tui import plugins
from tabletop_tui.kit.seen import unseen
from tabletop_tui.rules import Action, Party, Person, tag_of
from tabletop_tui.session import Change, Codec, Edited, Named, Redo, Table, Undo
from tabletop_tui.storage.log import LogFile, sessions
from tabletop_tui.storage.open_campaign import OpenCampaign

MARKER = re.compile(r"qz[0-9]{3}x", re.IGNORECASE)
FREE = {"kind", "engine", "theme", "format", "tier", "dice", "contest", "skill", "keywords", "attribute", "player"}
FREE |= {"challenge", "says"}
"""Keys of hand-written files whose text is a word of the rules, and no secret."""
OPEN_PLACES = ("contest", "roll", "task", "complex", "duel", "blow", "challenge", "favour", "momentum", "positions")
"""Parts of the live state whose people are before everybody's eyes."""


class Secret(msgspec.Struct, frozen=True):
    """A planted marker: where it stands, and what brings it into the open."""

    marker: str
    where: str
    kind: str
    """never, or what brings it into the open: scene, person, plan."""
    id: str = ""


class Planted:
    """A campaign with markers in it, and its evening."""

    def __init__(self, root: Path, secrets: Iterable[Secret], ids: Mapping[str, str]) -> None:
        self.root = root
        self.secrets = {one.marker: one for one in secrets}
        self.ids = dict(ids)
        """New names of files, and of those who are copied, by their old ones."""
        self._open: dict[str, set[str]] = {}

    @property
    def log(self) -> Path:
        """The log of the evening."""
        return sessions(self.root)[-1]

    @property
    def players(self) -> list[str]:
        """Everybody who has a seat."""
        held = [tomllib.loads(p.read_text()).get("player", "") for p in sorted(self.root.glob("characters/*.toml"))]
        return sorted({name for name in held if name})

    def table(self, seat: str = "") -> Table:
        """The evening at a seat; nothing can be written."""
        codec = Codec(plugins.load(tomllib.loads((self.root / "campaign.toml").read_text())["engine"]))
        file = LogFile(self.log, codec, write=False)
        return Table(codec.engine, file.header, file.entries, journal=file, seat=seat)

    def opened(self, world: Any) -> set[str]:
        """The markers that everybody may know in a world by itself."""
        now = world.now
        known = {m for m, s in self.secrets.items() if s.kind == "scene" and s.id == now.scene}
        people = {w for w, f in now.turns.fighters.items() if not f.hidden}
        unseen = set(now.turns.fighters) - people
        copies = {**now.more, **getattr(now, "copies", {})}
        places = {name: getattr(now, name, None) for name in OPEN_PLACES}
        words = set(_strings(msgspec.to_builtins({k: v for k, v in places.items() if v is not None})))
        people |= {w for w in words if w in world.sheets and w not in unseen}
        for _ in range(2):  # one of several may be copied again
            people |= {copies[w] for w in people if w in copies}
        known |= {m for m, s in self.secrets.items() if s.kind == "person" and s.id in people}
        theirs = [msgspec.to_builtins(sheet) for sheet in world.sheets.values() if sheet.player]
        told = " ".join((*_told(places.values()), *_strings(theirs)))  # what a player's character learns is known
        return known | {m for m, s in self.secrets.items() if s.kind in ("plan", "person") and m in told}

    def secret(self, *worlds: Any) -> set[str]:
        """The markers that players may not know after these worlds: what was open once is known from then on."""
        return set(self.secrets) - {m for world in worlds for m in self.opened(world)}

    def found(self, text: str | bytes, *worlds: Any) -> list[Secret]:
        """The secrets in a text that players may not know after these worlds."""
        words = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
        hits = {m.lower() for m in MARKER.findall(words)}
        if not hits:
            return []  # without asking what is open by now
        return [self.secrets[m] for m in sorted(hits & self.secret(*worlds))]


def drawn(view: Any) -> Iterator[str]:
    """Every text of a view that a screen can draw: ids and actions are its own affair."""
    if isinstance(view, str):
        yield view
    elif isinstance(view, Action):
        return
    elif isinstance(view, msgspec.Struct):
        keys = {"id", "group"} if isinstance(view, Person | Party) else {"id", "led_by"}
        for name in view.__struct_fields__:
            if name not in keys:
                yield from drawn(getattr(view, name))
    elif isinstance(view, Mapping):
        yield from drawn(list(view.values()))
    elif isinstance(view, list | tuple):
        for part in view:
            yield from drawn(part)


def _strings(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for key, value in data.items():
            yield str(key)
            yield from _strings(value)
    elif isinstance(data, list | tuple):
        for part in data:
            yield from _strings(part)


def _told(data: Any) -> Iterator[str]:
    """Every text of live state, but for what is marked hidden there or is told to nobody yet."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, msgspec.Struct):
        if getattr(data, "hidden", False) and hasattr(data, "text"):
            return  # a line of a contest that somebody holds back
        for name in data.__struct_fields__:
            yield from _told(getattr(data, name))
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from _told(value)
    elif isinstance(data, Iterable):
        for part in data:
            yield from _told(part)


class _Planter:
    """Goes through the files and marks them."""

    def __init__(self) -> None:
        self.secrets: list[Secret] = []

    def mark(self, where: str, kind: str, id: str = "") -> str:
        """A new marker."""
        marker = f"qz{len(self.secrets):03d}x"
        self.secrets.append(Secret(marker, where, kind, id))
        return marker

    def text(self, text: str, where: str, kind: str, id: str = "") -> str:
        """A text with a marker in front."""
        return f"{self.mark(where, kind, id)} {text}"

    def plans(self, data: Any, where: str, ids: Mapping[str, str], kind: str = "plan") -> Any:
        """Every text below a prepared scene; people by their new ids."""
        if isinstance(data, str):
            return ids.get(data) or self.text(data, where, kind)
        if isinstance(data, list):
            return [self.plans(one, where, ids, kind) for one in data]
        if isinstance(data, dict):
            return {
                ids.get(k, k): v if k in FREE else self.plans(v, f"{where}.{k}", ids, kind) for k, v in data.items()
            }
        return data


def plant(sample: str, into: Path, *, play: bool = True) -> Planted:
    """A sample campaign with markers in every place for a secret, played as its sample evening was."""
    source = playing.PROJECT / "campaigns" / sample
    root = into / f"planted-{sample}"
    shutil.copytree(source, root, ignore=shutil.ignore_patterns("played", "sessions"))
    planter = _Planter()
    sheets = {p.stem: tomllib.loads(p.read_text()) for p in sorted((root / "characters").glob("*.toml"))}
    mine = sorted((s for s, d in sheets.items() if not d.get("player")), key=lambda s: str(sheets[s]["name"]).lower())
    ids = {s: f"{s}-{planter.mark(f'the file characters/{s}.toml', 'never')}" for s in mine}
    for path in sorted((root / "scenes").glob("*.toml")):
        ids[path.stem] = f"{path.stem}-{planter.mark(f'the file {path.name}', 'never')}"
    _sheets(root, sheets, ids, planter)
    _scenes(root, {who: who for who in sheets} | ids, planter)
    _main(root, ids, planter)
    planted = Planted(root, planter.secrets, ids)
    if play:
        _play(planted, next((source / "played").glob("*.jsonl")), planter)
        planted = Planted(root, planter.secrets, ids)
    return planted


def _write(path: Path, data: dict[str, Any]) -> None:
    path.write_text(tomli_w.dumps(data))


def _sheets(root: Path, sheets: dict[str, dict[str, Any]], ids: dict[str, str], planter: _Planter) -> None:
    for old in [s for s in ids if s in sheets]:
        data, new = sheets[old], ids[old]
        name = planter.text(str(data["name"]), f"the name of {old}", "person", new)
        ids[str(data["name"])], data["name"] = name, name  # copies are known by it
        data["about"] = planter.text(str(data.get("about", "")), f"about {old}", "never")
        for key in ("skills", "items", "traits", "weapons", "backgrounds", "passions"):
            if isinstance(data.get(key), dict) and data[key]:  # one more, of the kind of those that are there
                data[key] |= {planter.mark(f"one of the {key} of {old}", "plan"): next(iter(data[key].values()))}
        for key in ("advantages", "talents"):
            if isinstance(data.get(key), list):
                data[key] = [*data[key], planter.mark(f"one of the {key} of {old}", "plan")]
        (root / "characters" / f"{old}.toml").unlink()
        _write(root / "characters" / f"{new}.toml", data)


def _scenes(root: Path, ids: Mapping[str, str], planter: _Planter) -> None:
    for path in sorted((root / "scenes").glob("*.toml")):
        data, new = tomllib.loads(path.read_text()), ids[path.stem]
        for key in ("title", "about"):
            data[key] = planter.text(data.get(key, ""), f"the {key} of {path.stem}", "scene", new)
        data["secret"] = planter.text(data.get("secret", ""), f"the secret of {path.stem}", "never")
        for key in ("challenges", "contests", "complex"):
            if key in data:
                data[key] = planter.plans(data[key], f"{path.stem}.{key}", ids)
        for key in ("cast", "hidden"):
            if isinstance(data.get(key), list):
                data[key] = [ids.get(who, who) for who in data[key]]
        if "sides" in data:
            data["sides"] = {side: [ids.get(w, w) for w in some] for side, some in data["sides"].items()}
        for zone in data.get("zones", {}).values():
            zone["name"] = planter.text(zone["name"], f"a zone of {path.stem}", "scene", new)
            held = zone.get("hazards", {})
            zone["hazards"] = {planter.text(h, f"a hazard of {path.stem}", "scene", new): n for h, n in held.items()}
        if "foes" in data:
            data["foes"] = {ids.get(w, w): one for w, one in data["foes"].items()}
        path.unlink()
        _write(root / "scenes" / f"{new}.toml", data)


def _main(root: Path, ids: Mapping[str, str], planter: _Planter) -> None:
    data = tomllib.loads((root / "campaign.toml").read_text())
    for part in ("clocks", "tracks"):
        held = data.setdefault(part, {})
        for one in held.values():
            if one.get("secret"):
                one["name"] = planter.text(one["name"], f"a secret one of {part}", "never")
        name = planter.mark(f"one more of {part}", "never")
        held[name] = {"name": planter.mark(f"one more of {part}, its name", "never"), "secret": True}
    _write(root / "campaign.toml", data)


def _play(planted: Planted, sample: Path, planter: _Planter) -> None:
    """The sample evening once more: the same actions and faces, with something secret after every fifth."""
    desk = OpenCampaign(planted.root, disk=playing.NoSync(), clock=playing.evening())
    table = desk.table
    old = LogFile(sample, Codec(desk.engine), write=False)
    kinds = {tag_of(kind): kind for kind in desk.engine.actions}
    places = {0: 0}
    for entry in old.entries:
        action = entry.action
        if isinstance(action, Undo | Redo):
            way = table.undo if isinstance(action, Undo) else table.redo
            way(places[action.to])
        elif isinstance(action, Named):
            table.name(planter.text(action.name, "the name of a moment", "never"))
        elif isinstance(action, Edited):
            table.edited([Change(_ids(c.path, planted.ids), *_values(table, c, planted.ids)) for c in action.changes])
        else:
            faces = [face for hand in entry.dice for face in hand.faces]
            table.do(_renamed(kinds[tag_of(type(action))], action, planted.ids), faces, by=entry.by)
        places[entry.seq] = table.timeline.head
        if entry.seq % 5 == 0 and not table.timeline.ahead:
            _keep_secret(table, kinds, planter, entry.seq // 5)
    old.close()
    desk.publish()
    desk.close()


def _keep_secret(table: Table, kinds: Mapping[str, Any], planter: _Planter, turn: int) -> None:
    """What a GM can keep to themselves in play: a note, a clock, a track, a condition of somebody unseen."""
    way = ("note", "add_clock", "add_track", "condition")[turn % 4]
    if way != "condition":
        table.do(kinds[way](planter.mark(f"a secret {way}", "never"), secret=True))
        return
    marker = planter.mark("a condition of somebody unseen", "never")
    for who in [who for who in table.world.sheets if unseen(table.world, who)]:
        if not table.preview(kinds[way](who, marker)).refused:
            planter.secrets[-1] = Secret(marker, f"a condition of {who}", "person", who)
            table.do(kinds[way](who, marker))
            return


def _ids(data: Any, ids: Mapping[str, str]) -> Any:
    """The same data with new names of files."""
    if isinstance(data, str):
        name, space, number = data.rpartition(" ")
        if name in ids and number.isdecimal():  # one of several
            return f"{ids[name]}{space}{number}"
        name, dash, number = data.rpartition("-")
        if name in ids and data not in ids and number.isdecimal():  # a condition of theirs
            return f"{ids[name]}{dash}{number}"
        name, hash_, number = data.partition("#")
        if name in ids and hash_:  # one of several, or a condition of theirs
            return f"{ids[name]}#{number}"
        return "/".join(ids.get(part, part) for part in data.split("/"))
    if isinstance(data, dict):
        return {_ids(k, ids): _ids(v, ids) for k, v in data.items()}
    return type(data)(_ids(one, ids) for one in data) if isinstance(data, list | tuple) else data


def _values(table: Table, change: Change, ids: Mapping[str, str]) -> tuple[Any, Any]:
    from tabletop_tui.session import picture, value_at

    path = _ids(change.path, ids)
    world = {part: getattr(table.world, part) for part in ("rules", "sheets", "scenes", "now")}
    return value_at(picture(world), path), _ids(change.after, ids)


def _renamed(kind: Any, action: Any, ids: Mapping[str, str]) -> Any:
    return msgspec.convert(_ids(msgspec.to_builtins(action), ids), kind, str_keys=True)
