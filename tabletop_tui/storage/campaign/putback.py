"""What undo took back at the table and a hand-written file still says: how the file would be put back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import tomli_w

from ...rules import COPY, Refused
from ...session import differences, picture
from ..toml.reading import FileProblem, parse
from ..toml.splice import change, toml, without
from .folder import FOLDERS, Campaign, file_of
from .writeback import Patch

Unit = tuple[str, ...]
Earlier = Mapping[Unit, tuple[Any, bytes | None]]
"""For each unit the record and the bytes of its file before it was last saved."""


def patches(campaign: Campaign, seen: Any, world: Any, earlier: Earlier) -> list[Patch]:
    """For each file that the table has read and no longer agrees with: what would make them agree."""
    units: dict[Unit, None] = {("rules",): None}
    for part in FOLDERS:
        units |= {(part, name): None for name in (*getattr(seen, part), *getattr(world, part)) if COPY not in name}
    out = []
    for unit in units:
        document, here = campaign.documents.get(unit), _held(world, unit)
        if (
            (document and document.broken)
            or campaign.parts.get(unit) != _held(seen, unit)
            or here == _held(seen, unit)
        ):
            continue
        old = document.raw if document else None
        try:
            out.append(Patch(file_of(unit), old, _back(campaign, unit, here, earlier)))
        except Refused as no:
            told = FileProblem(
                file_of(unit), 0, 0, f"it cannot be put back by itself: {no.what}", "Change it by hand."
            )
            out.append(Patch(file_of(unit), old, old, (told,)))
    return out


def _held(world: Any, unit: Unit) -> Any:
    return world.rules if unit == ("rules",) else getattr(world, unit[0]).get(unit[1])


def _back(campaign: Campaign, unit: Unit, here: Any, earlier: Earlier) -> bytes | None:
    was = earlier.get(unit)
    if was and was[0] == here:  # the last save is what was undone: the file as it was before, comments and all
        return was[1]
    if here is None:
        return None
    document = campaign.documents.get(unit)
    if document is None or document.raw is None:
        return tomli_w.dumps(picture(here)).encode()
    raw, above = document.raw, ("rules",) if unit == ("rules",) else ()
    for one in differences(picture(campaign.parts[unit]), picture(here)):
        path = (*above, *one.path)
        if one.after is None:
            raw = without(raw, document.name, path)
        else:
            raw = change(raw, document.name, path, toml(one.after))
    data = parse(document.name, raw).data or {}
    if msgspec.convert(data.get("rules", {}) if above else data, campaign.kind(unit), str_keys=True) != here:
        raise Refused("it would not say what the table has")
    return raw
