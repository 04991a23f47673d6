"""Verify: every action resolved again with the logged faces, every rolled face derived again from the seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..rules import Dice, Engine, Model, TableError, check, roller
from ..rules.dice import DiceNeeded
from .entries import CORE, AnyEntry, Header
from .timeline import Timeline


class Verdict(Model):
    """What was checked, and the first entry that differs."""

    entries: int
    actions: int
    dice: int
    typed: int
    wrong: str = ""
    at: int = 0
    otherwise: int = 0
    """Actions of a log played by another version of the rules that would come out otherwise today: no fault of it."""


def verify(engine: Engine, header: Header, entries: Sequence[AnyEntry]) -> Verdict:
    """Play a log again; stops at the first entry that differs and says how.

    Rules are mended and what was played stays played: of a log of another version of its engine the dice and every
    state are checked, and it is counted what would come out otherwise today.
    """
    line = Timeline(engine, header)
    actions = dice = typed = otherwise = 0
    for entry in entries:
        acted = type(entry.action) not in CORE
        wrong = _faces(header.seed, entry) if acted else ""
        if acted and not wrong and (changed := _again(line.world, entry)):
            otherwise += 1
            wrong = changed if header.version == engine.version else ""
        if wrong := wrong or _folded(line, entry):
            return Verdict(line.last, actions, dice, typed, wrong, entry.seq, otherwise)
        actions += acted
        dice += sum(len(h.faces) for h in entry.dice)
        typed += sum(h.typed for h in entry.dice)
    return Verdict(line.last, actions, dice, typed, otherwise=otherwise)


def _folded(line: Timeline, entry: AnyEntry) -> str:
    try:
        line.add(entry)
    except TableError as error:
        return str(error)
    except Exception as error:
        return f"its events do not fit the state: {error!r}"
    return ""


def _faces(seed: str, entry: AnyEntry) -> str:
    """Rolled faces depend on seed, entry and place alone."""
    face = roller(seed, entry.seq)
    place = 0
    for hand in entry.dice:
        for index, (sides, found) in enumerate(zip(hand.sides, hand.faces, strict=True)):
            if index >= hand.typed and (want := face(place, sides)) != found:
                return f"die {place + 1} ({hand.why}, d{sides}) shows {found}; the seed gives {want}"
            place += 1
    return ""


def _again(world: Any, entry: AnyEntry) -> str:
    tray = Dice([face for hand in entry.dice for face in hand.faces])
    try:
        check(entry.action, world)
        events = entry.action.resolve(world, tray)
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
