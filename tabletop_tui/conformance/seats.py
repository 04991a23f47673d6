"""What players know: two oracles for an engine's `seen_by`, and for what its views leave unmarked.

Twins are two worlds that differ only in secrets: a seat must not be able to tell them apart. And without any twin: a
view of the world, stripped, is the view of the world as a player knows it; each difference is a secret that is not
marked, or something that `seen_by` takes away although it lies open.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from ..plugins import EngineFault, Guarded, guarded
from ..rules import KINDS, Action, Dice, Engine, Model, Refused, fields, roller, strip, tag_of
from ..session import Rights, Table, begin
from ..session.seats import NEEDS_GM
from .playing import answers_to, random_action

Twist = Callable[[Any, random.Random], Any]
"""A world with other secrets in it; the same world where it has none."""


def walk_worlds(engine: Engine, world: Any, seed: int, steps: int) -> Iterator[Any]:
    """The worlds of one random game, with nothing checked on the way: for oracles that look at thousands."""
    chance = random.Random(seed)
    for step in range(steps):
        action = random_action(engine, world, chance)
        if action is None:
            return
        try:
            events = action.resolve(world, Dice((), roller(f"seats {seed}", step)))
        except Refused:
            continue
        for event in events:
            world = event.apply(world)
        yield world


def told(engine: Engine, world: Any, seat: str) -> dict[str, Any]:
    """All that a seat is told of a world: views, offers, and every choice with its words."""
    safe = guarded(engine)
    rights = Rights(safe, seat, "act", engine.seen_by(world, seat))
    out: dict[str, Any] = {}
    for kind in KINDS:
        for about in rights.seen.sheets if kind == "sheet" else ("",):
            out[f"the {kind} view {about}".strip()] = rights.close_options(strip(engine.view(kind, world, about)))
            # chances at a seat are worked out in the world as it is known there: that can be looked at, too
            out[f"what is known on the {kind} {about}".strip()] = engine.view(kind, rights.seen, about)
    for offer in rights.offers():
        out[f"the offer of {offer.tag}"] = (offer.closed, offer.how)
        if offer.closed or offer.how == "no":
            continue
        so_far: dict[str, Any] = {}
        for field in fields(offer.kind):
            answers = tuple(rights.choices(offer.kind, field, so_far))
            out[f"the choices of {offer.tag}.{field.name}"] = answers
            chosen = [c.value for c in answers if not c.closed]
            if chosen or not field.required:  # what nobody could answer stays open, as in a form
                so_far[field.name] = chosen[0] if chosen else field.default
    return out


def check_twins(engine: Engine, world: Any, twin: Any, seat: str, *, whole: bool = True) -> None:
    """A seat cannot tell twins apart: what it knows is the same, and so is all that it is told.

    Offers, choices and refusals follow from what a seat knows, so that is compared first; with `whole` they and the
    views are compared too, and what is said of an action without dice.
    """
    known = [engine.seen_by(here, seat) for here in (world, twin)]
    if known[0] != known[1]:
        raise AssertionError(f"seen_by gives a secret away at {place(*known)}")
    if not whole:
        return
    mine, theirs = told(engine, world, seat), told(engine, twin, seat)
    name = next((name for name in {**mine, **theirs} if mine.get(name) != theirs.get(name)), "")
    assert not name, f"{name} gives a secret away at {place(mine[name], theirs[name])}"


def check_said(engine: Engine, world: Any, twin: Any, seat: str, chance: random.Random) -> str:
    """Something that the seat itself does in both: what is said of it, or the words in which it is refused.

    The real world's refusal has no words and may differ; so may what follows from dice. The word of the action that
    was compared is given back, or nothing.
    """
    action = own_action(engine, world, seat, chance)
    if action is None:
        return ""
    found = [_said(engine, action, here, seat) for here in (world, twin)]
    if None in found:
        return ""
    assert found[0] == found[1], f"what is said of {tag_of(type(action))} gives a secret away"
    return tag_of(type(action))


def own_action(engine: Engine, world: Any, seat: str, chance: random.Random) -> Action | None:
    """Something that a seat may do now, with random answers from what it is offered."""
    rights = Rights(guarded(engine), seat, "act", engine.seen_by(world, seat))
    ready = [offer.kind for offer in rights.offers() if offer.how == "do" and not offer.closed]
    while ready:
        kind = ready.pop(chance.randrange(len(ready)))
        answers = answers_to(kind, rights.seen, chance)
        mine = rights.characters()
        if answers is not None and kind.done_by and mine:
            answers[kind.done_by] = chance.choice(mine)
        if answers is not None and rights.standing(kind, answers).how == "do":
            action: Action = msgspec.convert(answers, kind, str_keys=True)
            return action
    return None


def _said(engine: Engine, action: Action, world: Any, seat: str) -> tuple[str, ...] | None:
    """What everybody reads, or the refusal; None where dice fell or the real world had its vote."""
    header = msgspec.structs.replace(
        begin(engine, world, campaign="", session="", at=datetime(2026, 1, 1, tzinfo=UTC), seed="twins"), world=world
    )
    try:
        entry = Table(engine, header, seat=seat).do(action)
    except Refused as no:
        return None if no.what == NEEDS_GM else (str(no),)
    return None if entry.dice else entry.said


def place(mine: Any, theirs: Any, path: str = "") -> str:
    """Where two records differ first."""
    if type(mine) is not type(theirs):
        return path or "the top"
    if isinstance(mine, msgspec.Struct):
        parts = [(name, getattr(mine, name), getattr(theirs, name)) for name in mine.__struct_fields__]
    elif isinstance(mine, dict):
        parts = [(str(key), mine.get(key), theirs.get(key)) for key in {**mine, **theirs}]
    elif isinstance(mine, tuple | list) and len(mine) == len(theirs):
        parts = [(str(i), a, b) for i, (a, b) in enumerate(zip(mine, theirs, strict=True))]
    else:
        return path or "the top"
    inner = next(((name, a, b) for name, a, b in parts if a != b), None)
    return place(inner[1], inner[2], f"{path}.{inner[0]}".lstrip(".")) if inner else path


class Miss(Model):
    """A view that is another one in the world as players know it."""

    kind: str
    where: str
    """The field that differs, without the places of lists and the names of people."""


def misses(engine: Guarded, world: Any, seat: str) -> tuple[int, list[Miss]]:
    """How many views were compared with those of the world as a seat knows it, and each that differs."""
    seen = engine.seen_by(world, seat)
    looked, found = 0, []
    for kind in KINDS:
        for about in seen.sheets if kind == "sheet" else ("",):
            mine = strip(engine.view(kind, world, about))
            if mine is None:
                continue
            looked += 1
            try:
                theirs = strip(engine.view(kind, seen, about))
            except (EngineFault, Refused):
                found.append(Miss(kind, "cannot be viewed"))
                continue
            if mine != theirs:
                path = place(mine, theirs).split(".")
                found.append(Miss(kind, ".".join(part for part in path if not part.isdecimal())))
    return looked, found
