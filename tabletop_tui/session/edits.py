"""Hand edits: the difference between two pictures of a world, and how it is applied to a third."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ..rules import COPY, Engine, RandomTable, Refused, World
from .entries import Change

PARTS = ("rules", "sheets", "scenes", "tables", "now")


def picture(part: Any) -> Any:
    """A part of a world as plain data, as a file holds it."""
    return msgspec.to_builtins(part, str_keys=True)


def differences(before: Any, after: Any, path: tuple[str | int, ...] = ()) -> list[Change]:
    """What was changed, value by value; lists are one value, because their places have no identity."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        found: list[Change] = []
        for key in [*before, *(k for k in after if k not in before)]:
            found += differences(before.get(key), after.get(key), (*path, key))
        return found
    return [] if before == after else [Change(path, before, after)]


def value_at(data: Any, path: Sequence[str | int]) -> Any:
    """The value at a path; None where there is none."""
    for key in path:
        if not isinstance(data, Mapping) or key not in data:
            return None
        data = data[key]
    return data


def apply_changes(engine: Engine, world: World[Any, Any, Any, Any], changes: Sequence[Change]) -> Any:
    """The world with these values in it. Refuses what does not fit the engine's records."""
    touched: dict[tuple[str, ...], list[Change]] = {}
    for change in changes:
        part = str(change.path[0])
        unit: tuple[str, ...] = (part, str(change.path[1])) if part in ("sheets", "scenes", "tables") else (part,)
        touched.setdefault(unit, []).append(change)
    for unit, some in touched.items():
        world = _apply_unit(engine, world, unit, some)
    # copies follow their sheet, and come and go with what now.toml says of them
    changed = any(unit[0] in ("sheets", "now") for unit in touched)
    return world.copied() if changed and (world.now.more or any(COPY in who for who in world.sheets)) else world


def _apply_unit(engine: Engine, world: Any, unit: tuple[str, ...], changes: Sequence[Change]) -> Any:
    kinds: dict[str, Any] = {
        "rules": engine.rules,
        "sheets": engine.sheet,
        "scenes": engine.scene,
        "tables": RandomTable,
        "now": engine.now,
    }
    part = unit[0]
    if part not in kinds:
        raise Refused(f"an edit of {part!r} is not known")
    held = getattr(world, part)
    old = held.get(unit[1]) if len(unit) == 2 else held
    data = None if old is None else picture(old)
    for change in changes:
        data = _put(data, change.path[len(unit) :], change.after)
    try:
        new = None if data is None else msgspec.convert(data, kinds[part], str_keys=True)
    except msgspec.ValidationError as error:
        raise Refused(f"the edit does not fit: {error}", where=".".join(unit)) from None
    if len(unit) == 1:
        return msgspec.structs.replace(world, **{part: new})
    rest = {k: v for k, v in held.items() if k != unit[1]}
    # a unit that was there keeps its place: dictionaries are shown in their order
    merged = rest if new is None else ({**held, unit[1]: new})
    return msgspec.structs.replace(world, **{part: merged})


def _put(data: Any, path: Sequence[str | int], value: Any) -> Any:
    if not path:
        return value
    out = dict(data) if isinstance(data, Mapping) else {}
    inner = _put(out.get(path[0]), path[1:], value)
    if inner is None:
        out.pop(path[0], None)
    else:
        out[path[0]] = inner
    return out
