"""Preparing: people, scenes and what is in them, as changes of the hand-written files that are made in one step."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from ...rules import COPY, Model, Refused, World, clean
from ...session import Change, differences, picture
from ..toml.layout import Path as Keys
from ..toml.reading import Document, parse
from ..toml.splice import by_hand, change, readable, toml, without
from ..toml.tables import add_table, has_headings
from ..user.paths import slug
from .folder import FOLDERS, Campaign, file_of, load
from .versions import with_schema
from .writeback import Patch, warnings

MOST = 100
"""People that are added at once."""
Unit = tuple[str, ...]


class Preparation(Model):
    """What would be prepared: in words for the log, as files, and as live state that goes with them."""

    words: str
    patches: tuple[Patch, ...] = ()
    live: tuple[Change, ...] = ()


def _free(name: str, taken: Collection[str]) -> str:
    """An id from a name, with a number where it is taken."""
    found = base = slug(name)
    number = 1
    while found in taken:
        number += 1
        found = f"{base}-{number}"
    return found


def _ids(campaign: Campaign, part: str) -> set[str]:
    return {unit[1] for unit in campaign.documents if unit[0] == part and len(unit) == 2}


def _document(campaign: Campaign, unit: Unit) -> Document:
    found = campaign.documents.get(unit)
    if found is None or found.raw is None:
        raise Refused(f"there is no file {file_of(unit)}")
    return readable(found)


def _raw(document: Document) -> bytes:
    assert document.raw is not None
    return document.raw


# ---- people


def examples(campaign: Campaign, *, player: bool) -> list[bytes]:
    """Sheets to begin with, comments and all: of the game's starter, then of who is there; players' characters or the
    GM's own before the others."""
    assert campaign.engine is not None
    starter, folder = campaign.engine.starter.items(), f"{FOLDERS['sheets']}/"
    found = [text.replace("{title}", "").encode() for file, text in starter if file.startswith(folder)]
    found += [d.raw for unit, d in campaign.documents.items() if unit[0] == "sheets" and d.raw and not d.broken]
    return sorted(found, key=lambda raw: ("player" in (parse("", raw).data or {})) != player)


def new_sheet(campaign: Campaign, name: str, player: str = "", like: str = "", scene: str = "") -> Preparation:
    """Somebody new, with the numbers of somebody who is there, or of an example; in a scene, if one is named."""
    assert campaign.engine is not None
    raws = [_raw(_document(campaign, ("sheets", like)))] if like else examples(campaign, player=bool(player))
    who = _free(name, _ids(campaign, "sheets"))
    sheets = [_sheet(who, raw, name, player) for raw in (*raws, b'name = ""\n')]
    # the starter's do not fit a campaign whose own rules are others
    sheet = sheets[0] if like else next((one for one in sheets if _fits(campaign, one)), sheets[0])
    place = ("scenes", scene)
    here = (_rewritten(campaign, place, campaign.engine.bringing(campaign.parts[place], who, 1)),) if scene else ()
    return Preparation(f"{clean(name)} added", (sheet, *here))


def _fits(campaign: Campaign, patch: Patch) -> bool:
    """Can the game read the campaign with this file in it?"""
    try:
        warnings(campaign, load(campaign.root, {patch.file: patch.new}))
    except Refused:
        return False
    return True


def _sheet(who: str, raw: bytes, name: str, player: str = "") -> Patch:
    file = file_of(("sheets", who))
    raw = change(raw, file, ("name",), toml(clean(name)))
    if player:
        raw = change(raw, file, ("player",), toml(clean(player)))
    elif "player" in (parse(file, raw).data or {}):
        raw = without(raw, file, ("player",))
    return Patch(file, None, with_schema(file, raw))


def copies(campaign: Campaign, who: str, count: int) -> Preparation:
    """Several more of one sheet, each with a file of its own under the next free number: Bully 8, Bully 9."""
    if not 1 <= count <= MOST:
        raise Refused(f"{count} copies cannot be made", remedy=f"From 1 to {MOST}.")
    document = _document(campaign, ("sheets", who))
    name = str((document.data or {}).get("name", who))
    kind = re.sub(r"\s+\d+$", "", name)
    taken = {str((d.data or {}).get("name", "")) for u, d in campaign.documents.items() if u[0] == "sheets"}
    ids, patches, number = _ids(campaign, "sheets"), list[Patch](), 1
    while len(patches) < count:
        number += 1
        if f"{kind} {number}" not in taken:
            fresh = _free(f"{kind} {number}", ids)
            ids.add(fresh)
            patches.append(_sheet(fresh, _raw(document), f"{kind} {number}"))
    return Preparation(f"{count} × {kind} added", tuple(patches))


def bring(
    campaign: Campaign, world: World[Any, Any, Any, Any], who: str, count: int, *, numbered: bool, scene: str = ""
) -> Preparation:
    """So many more of somebody: in the file of a scene, or of the one that is on, and where the game numbers its
    people also as copies that share the sheet. Whoever was not in the scene yet is the first of them."""
    if not 1 <= count <= MOST:
        raise Refused(f"{count} cannot be added", remedy=f"From 1 to {MOST}.")
    id_ = scene or world.now.scene
    place = world.scenes.get(id_)
    more = campaign.engine.bringing(place, who, count) if place and campaign.engine else None
    patches = () if place is None or more == place else (_rewritten(campaign, ("scenes", id_), more),)
    live: list[Change] = []
    if numbered:
        first = max((int(w.rpartition(COPY)[2]) for w, of in world.now.more.items() if of == who), default=1) + 1
        fresh = count - (1 if patches else 0)
        live = [Change(("now", "more", f"{who}{COPY}{first + n}"), None, who) for n in range(fresh)]
    elif not patches:
        raise Refused("there is no scene to put them into", remedy="Set a scene first.")
    return Preparation(
        f"{count} × {world.name(who)} added" if count > 1 else f"{world.name(who)} added", patches, (*live,)
    )


def _rewritten(campaign: Campaign, unit: Unit, record: Any) -> Patch:
    """A file whose record is to be another, value by value."""
    document = _document(campaign, unit)
    raw = _raw(document)
    for one in differences(picture(campaign.parts[unit]), picture(record)):
        if one.after is None:
            raw = without(raw, document.name, one.path)
        else:
            raw = _with(raw, document.name, one.path, one.after)
    return Patch(document.name, document.raw, raw)


# ---- scenes and what is in them


def new_file(campaign: Campaign, part: str, values: Mapping[str, Any]) -> Preparation:
    """A scene or a rollable table with nothing in it yet but what its form asks for."""
    title = str(values["title"])
    file = file_of((part, _free(title, _ids(campaign, part))))
    raw = b""
    for key, value in values.items():
        if isinstance(value, list) and value and isinstance(value[0], Mapping):
            for place, one in enumerate(value):
                raw = add_table(raw, file, (key, place), one)
        else:
            alone = "     # for you alone" if key == "secret" and isinstance(value, str) else ""
            raw += f"{key} = {by_hand(value)}{alone}\n".encode()
    label = {"scenes": "Scene", "tables": "Table"}[part]
    return Preparation(f"{label} added: {clean(title)}", (Patch(file, None, with_schema(file, raw)),))


def add_part(campaign: Campaign, unit: Unit, path: Keys, label: str, values: Mapping[str, Any]) -> Preparation:
    """A challenge, a contest, a zone: one more of a table of a scene, under an id made of its name.

    `path` leads to the table that it goes into; a list gets it at its end.
    """
    document = _document(campaign, unit)
    there = value_at(document.data, path)
    called = str(values.get("name") or values.get("title") or label)
    place = len(there) if isinstance(there, list) else _free(called, there or ())
    raw = add_table(_raw(document), document.name, (*path, place), values)
    title = getattr(campaign.parts.get(unit), "title", "") or document.name
    return Preparation(f"{title}: {label} added: {called}", (Patch(document.name, document.raw, raw),))


def value_at(data: Any, path: Keys) -> Any:
    """What stands at a path of plain data; None where nothing does."""
    for key in path:
        try:
            data = data[key]
        except (KeyError, IndexError, TypeError):
            return None
    return data


# ---- any value


def put(campaign: Campaign, unit: Unit, path: Keys, value: Any, label: str = "") -> Preparation:
    """One value of a file, set or added."""
    document = _document(campaign, unit)
    raw = _with(_raw(document), document.name, path, value)
    words = _words(document, path, value, label)
    return Preparation(words, (Patch(document.name, document.raw, raw),) if raw != document.raw else ())


def take_out(campaign: Campaign, unit: Unit, path: Keys, label: str = "") -> Preparation:
    """One key of a file and what stands under it; an empty path takes the whole file away."""
    document = _document(campaign, unit)
    if not path:
        return Preparation(f"{document.name} taken away", (Patch(document.name, document.raw, None),))
    if isinstance(path[-1], int):  # places of a list have no keys: the list is written without it
        rest = [one for n, one in enumerate(value_at(document.data, path[:-1])) if n != path[-1]]
        return put(campaign, unit, path[:-1], rest, label)
    raw = without(_raw(document), document.name, path)
    words = _words(document, path, None, label)
    return Preparation(words, (Patch(document.name, document.raw, raw),))


def _with(raw: bytes, name: str, path: Keys, value: Any) -> bytes:
    if isinstance(value, Mapping) and len(path) > 1 and (len(value) > 2 or has_headings(raw, path[:-1])):
        return add_table(raw, name, path, value)
    return change(raw, name, path, by_hand(value))


def _words(document: Document, path: Keys, value: Any, label: str) -> str:
    """The file, the value, before and after; nothing that is not one value is spelled out."""
    where = label or " ".join(str(p) for p in path)
    sides = [_short(value_at(document.data, path)), _short(value)]
    return f"{document.name.rpartition('/')[2]}: {where} {' → '.join(sides)}"


def _short(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple) and all(not isinstance(v, Mapping | list | tuple) for v in value):
        return ", ".join(map(str, value)) or "nobody"
    if isinstance(value, Mapping | list | tuple):
        return "…"
    text = " ".join(str(value).split())
    return text if len(text) <= 40 else f"{text[:39]}…"
