"""Engines are plug-ins: names without importing, one by name (strict), or all (lenient)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from ..rules import (
    API,
    FIRST_MEETING,
    RESERVED,
    Action,
    Engine,
    Event,
    Model,
    Now,
    Rules,
    Scene,
    Sheet,
    TableError,
    tag_of,
)
from .guard import EngineFault, Guarded, for_players, guarded, on_fault
from .limit import TooSlow, hurry, pressed, within
from .points import GROUP, Point, installed
from .shapes import misfit

SECONDS = 20.0
"""How long an engine may take to be imported; a cold disk is slow."""
FACTS: tuple[tuple[str, Any], ...] = (("title", str), ("version", str), ("reference", str), ("starter", dict))
ACTION_FACTS: tuple[tuple[str, Any], ...] = (
    *((name, str) for name in ("title", "key", "leads_to", "done_by", "done_to", "done_with")),
    ("screens", tuple[str, ...]), ("swift", bool), ("asks", bool),
)  # fmt: skip
"""What is looked up and not asked for, so that no guard stands around it."""

__all__ = [
    "GROUP", "EngineFault", "Failed", "Guarded", "Loaded", "fault", "for_players", "guarded", "hurry", "load",
    "load_all", "names", "on_fault",
]  # fmt: skip


class Failed(Model):
    """An engine that could not be loaded, and why."""

    name: str
    package: str
    why: str
    remedy: str


class Loaded(Model):
    """Every engine that there is."""

    engines: dict[str, Guarded]
    failed: tuple[Failed, ...]


def names() -> list[str]:
    """The engines that are installed; nothing is imported."""
    return sorted(installed())


_LOADED: dict[str, Guarded] = {}
"""Engines that this process has loaded; packages do not change under it."""


def load(name: str) -> Guarded:
    """One engine, guarded; raises TableError with reason and remedy."""
    if name in _LOADED:
        return _LOADED[name]
    points = installed().get(name)
    if not points:
        raise TableError(
            f"the engine {name!r} is not installed",
            remedy=f"Install the package that brings it, or use one of: {', '.join(names()) or 'none'}.",
        )
    if len(points) > 1:
        packages = " and ".join(sorted(p.package for p in points))
        raise TableError(f"{packages} both bring an engine {name!r}", remedy="Uninstall one of them.")
    _LOADED[name] = _load(points[0])
    return _LOADED[name]


def load_all() -> Loaded:
    """Every engine; a broken one is listed with its reason and the rest work."""
    engines: dict[str, Guarded] = {}
    failed = []
    for name, points in sorted(installed().items()):
        try:
            engines[name] = load(name)
        except TableError as error:
            failed.append(Failed(name, points[0].package, error.what, error.remedy))
    return Loaded(engines, tuple(failed))


def _load(point: Point) -> Guarded:
    try:
        engine = within(SECONDS, point.load)
    except BaseException as error:  # a stranger's module may do anything while it is imported
        if pressed(error):
            raise
        took = f"it took longer than {SECONDS:g} seconds"
        why = took if isinstance(error, TooSlow) else f"{type(error).__name__}: {error}"
        raise TableError(
            f"the engine {point.name!r} of {point.package} fails to load: {why}",
            remedy=f"Update or uninstall {point.package}.",
        ) from error
    try:
        wrong = fault(engine, point.name)
    except Exception as error:
        wrong = f"looking at it raises {type(error).__name__}: {error}"
    if wrong:
        raise TableError(
            f"the engine {point.name!r} of {point.package} does not keep the contract: {wrong}",
            remedy=f"Tell its author, or uninstall {point.package}.",
        )
    return guarded(engine)


def fault(engine: object, name: str) -> str:
    """Why something is not an engine of that name; empty where it is one."""
    if not isinstance(engine, Engine):
        return f"{type(engine).__name__} is not a tabletop_tui.rules.Engine"
    if engine.api != API:
        return f"it was made for contract {engine.api} and this program has {API}"
    if engine.name != name:
        return f"it calls itself {engine.name!r}"
    for part, base in (("rules", Rules), ("sheet", Sheet), ("scene", Scene), ("now", Now)):
        kind = getattr(engine, part, None)
        if not (isinstance(kind, type) and issubclass(kind, base)):
            return f"its {part} does not extend {base.__name__}"
    parts: tuple[tuple[str, type[Model]], ...] = (("actions", Action), ("events", Event))
    for part, root in parts:
        kinds = getattr(engine, part, ())
        if not all(isinstance(kind, type) and issubclass(kind, root) for kind in kinds):
            return f"one of its {part} does not extend {root.__name__}"
        tags = [tag_of(kind) for kind in kinds] + list(RESERVED if part == "actions" else ())
        if twice := {tag for tag in tags if tags.count(tag) > 1}:
            return f"its {part} use the tag {sorted(twice)[0]!r} twice, or it is the log's own"
    wrong = _facts(engine, FACTS, "its")
    for action in engine.actions:
        wrong = wrong or _facts(action, ACTION_FACTS, f"the {tag_of(action)} action's")
    return wrong or _records(engine)


def _records(engine: Engine) -> str:
    """Types that cannot be read stop a log at its first line; what is worked out here is kept for reading that."""
    with FIRST_MEETING:
        for kind in (engine.rules, engine.sheet, engine.scene, engine.now, *engine.actions, *engine.events):
            try:
                msgspec.json.Decoder(kind)
            except Exception as error:
                return f"the types of {kind.__name__} cannot be read: {type(error).__name__}: {error}"
    return ""


def _facts(of: object, facts: Iterable[tuple[str, Any]], whose: str) -> str:
    wrong = ((name, misfit(getattr(of, name, None), kind)) for name, kind in facts)
    return next((f"{whose} {name}{how}" for name, how in wrong if how), "")
