"""Verify: every action resolved again with the logged faces, every rolled face derived again from the seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..plugins import Guarded, guarded
from ..rules import Dice, Engine, Model, TableError, roller
from ..rules.dice import DiceNeeded
from .entries import CORE, AnyEntry, Header
from .timeline import Progress, Timeline

EVERY = 500
"""Entries between two words of progress."""


class Verdict(Model):
    """What was checked, and the first entry that differs."""

    entries: int
    actions: int
    dice: int
    typed: int
    wrong: str = ""
    at: int = 0
    otherwise: int = 0
    """Actions of a log played by other rules that would come out differently today: no fault of it."""


def verify(engine: Engine, header: Header, entries: Sequence[AnyEntry], progress: Progress | None = None) -> Verdict:
    """Play a log again; stops at the first entry that differs and says how.

    Rules are mended and what was played stays played: of a log of another version of its engine the dice and every
    state are checked, and it is counted what would come out differently today.
    """
    engine = guarded(engine)
    line = Timeline(engine, header)
    actions = dice = typed = otherwise = 0
    for entry in entries:
        acted = type(entry.action) not in CORE
        wrong = _faces(header.seed, entry) if acted else ""
        if acted and not wrong and (changed := _again(engine, line.world, entry)):
            otherwise += 1
            wrong = changed if header.version == engine.version else ""
        if wrong := wrong or _folded(line, entry):
            return Verdict(line.last, actions, dice, typed, wrong, entry.seq, otherwise)
        actions += acted
        dice += sum(len(h.faces) for h in entry.dice)
        typed += sum(h.typed for h in entry.dice)
        if progress and not entry.seq % EVERY:
            progress(entry.seq, len(entries))
    return Verdict(line.last, actions, dice, typed, otherwise=otherwise)


def _folded(line: Timeline, entry: AnyEntry) -> str:
    try:
        line.add(entry)
    except TableError as error:
        return str(error)
    fault = line.broken.get(entry.seq)
    return f"its events do not fit the state: {fault.what}" if fault else ""


def _faces(seed: str, entry: AnyEntry) -> str:
    """Rolled faces depend on seed, entry and place alone."""
    face = roller(seed, entry.seq)
    place = 0
    for hand in entry.dice:
        if len(hand.sides) != len(hand.faces) or min(hand.sides, default=1) < 1:
            return f"its dice do not fit: {len(hand.faces)} faces of {len(hand.sides)} dice ({hand.why})"
        for index, (sides, found) in enumerate(zip(hand.sides, hand.faces, strict=True)):
            if index >= hand.typed and (want := face(place, sides)) != found:
                return f"die {place + 1} ({hand.why}, d{sides}) shows {found}; the seed gives {want}"
            place += 1
    return ""


def _again(engine: Guarded, world: Any, entry: AnyEntry) -> str:
    tray = Dice([face for hand in entry.dice for face in hand.faces])
    try:
        engine.check(entry.action, world)
        events = engine.resolve(entry.action, world, tray)
    except TableError as error:
        return f"its action would be refused: {error}"
    except DiceNeeded as need:
        return f"its action asks for more dice than were logged: {need.why}"
    if tray.unused:
        return f"{len(tray.unused)} of its dice are not asked for"
    if events != entry.events:
        index = next(
            (i for i, pair in enumerate(zip(events, entry.events, strict=False)) if pair[0] != pair[1]),
            min(len(events), len(entry.events)),
        )
        return f"its event {index + 1} differs from what its action and dice give"
    return ""
