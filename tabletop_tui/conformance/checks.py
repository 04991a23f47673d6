"""What can be told of an engine by looking at it, at its odds and at what players would see.

Each `check_…` raises AssertionError with a sentence; `findings` lists everything at once, as advice.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, get_type_hints

import msgspec

from ..plugins import Guarded
from ..rules import (
    API,
    KINDS,
    LETTERS,
    RESERVED,
    Action,
    Dice,
    Engine,
    Event,
    Model,
    Now,
    Refused,
    Rules,
    Scene,
    Sheet,
    choices,
    fields,
    offers,
    roller,
    shaped,
    strip,
    tag_of,
)
from ..rules.walk import walk
from ..session import Table, begin
from .playing import random_action

PARTS: tuple[tuple[str, type[Model]], ...] = (("rules", Rules), ("sheet", Sheet), ("scene", Scene), ("now", Now))


class Finding(Model):
    """Something that an author should change, and how."""

    what: str
    advice: str = ""

    def __str__(self) -> str:
        return f"{self.what}. {self.advice}" if self.advice else f"{self.what}."


def check_engine(engine: Engine) -> None:
    """Its parts are there, of the right kind, and their tags, letters and names are their own."""
    found = list(findings(engine))
    assert not found, str(found[0])


def findings(engine: Engine) -> Iterator[Finding]:
    """Everything that can be told without playing."""
    if engine.api != API:
        yield Finding(f"it is made for contract {engine.api} and this is {API}", "Leave `api` out: it is inherited.")
    for part, base in PARTS:
        yield from _part(part, getattr(engine, part), base)
    yield from _tagged("action", engine.actions, Action)
    yield from _tagged("event", engine.events, Event)
    yield from _unlisted(engine)
    yield from _letters(engine)
    if not engine.events:
        yield Finding("it has no events", "List every event that its actions can make.")
    if not engine.reference.strip():
        yield Finding("its reference is empty", "Tell its rules at a glance, in Markdown: help shows it.")


def _part(part: str, kind: Any, base: type[Model]) -> Iterator[Finding]:
    if not (isinstance(kind, type) and issubclass(kind, base)):
        yield Finding(
            f"its {part} does not extend {base.__name__}", f"Write class My{base.__name__}({base.__name__})."
        )
        return
    if part in ("rules", "now"):
        for info in msgspec.structs.fields(kind):
            if info.required:
                yield Finding(
                    f"{kind.__name__}.{info.name} has no default", "Give it one: a new campaign has no value."
                )
    if not kind.__struct_config__.frozen:
        yield Finding(f"{kind.__name__} can be changed in place", "Leave `frozen` as it is inherited.")
    theirs, ours = get_type_hints(kind, include_extras=True), get_type_hints(base, include_extras=True)
    for name in base.__struct_fields__:
        if theirs.get(name) != ours[name]:
            yield Finding(
                f"{kind.__name__}.{name} is not of the type that {base.__name__}.{name} has", "Use another name."
            )


def _tagged(what: str, kinds: Sequence[type[Any]], root: type[Any]) -> Iterator[Finding]:
    taken = set(RESERVED) if what == "action" else set()
    base = {name for name in dir(root) if not name.startswith("_")}
    for kind in kinds:
        if not (isinstance(kind, type) and issubclass(kind, root)):
            yield Finding(f"{kind!r} is not an {what}", f"Extend {root.__name__}.")
            continue
        tag = tag_of(kind)
        if tag in taken:
            yield Finding(f"the tag {tag!r} of {kind.__name__} is used twice, or is the log's own", "Choose another.")
        taken.add(tag)
        if not kind.__doc__:
            yield Finding(f"{kind.__name__} has no docstring", "Say what it is in a line: an action's is its help.")
        for name in kind.__struct_fields__:
            if name in base:
                yield Finding(
                    f"the field {name!r} of {kind.__name__} hides {root.__name__}.{name}", "Use another name."
                )


def _unlisted(engine: Engine) -> Iterator[Finding]:
    """Actions and events of the engine's own package that it does not list, nor anything that extends them."""
    module = type(engine.inner if isinstance(engine, Guarded) else engine).__module__
    package = module.rpartition(".")[0] or module
    parts: tuple[tuple[str, type[Model], Sequence[type[Model]]], ...] = (
        ("actions", Action, engine.actions),
        ("events", Event, engine.events),
    )
    for part, root, listed in parts:
        for kind in _below(root):
            mine = f"{kind.__module__}.".startswith(f"{package}.")
            if mine and not kind.__name__.startswith("_") and not any(_extends(one, kind) for one in listed):
                yield Finding(f"{kind.__name__} is not in `{part}`", "List it, or take it out.")


def _below(kind: type[Model]) -> Iterator[type[Model]]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)


def _extends(one: object, kind: type[Model]) -> bool:
    return isinstance(one, type) and issubclass(one, kind)


def _letters(engine: Engine) -> Iterator[Finding]:
    owners: dict[tuple[str, str], str] = {}
    for action in engine.actions:
        key = action.key
        if not isinstance(key, str) or not key:
            continue
        if key not in LETTERS:
            yield Finding(
                f"the letter {key!r} of {tag_of(action)} is the screens' own",
                f"Use one of {' '.join(sorted(LETTERS))}.",
            )
        for screen in action.screens:
            if screen not in KINDS:
                yield Finding(f"{tag_of(action)} names a screen {screen!r}", f"There are {', '.join(KINDS)}.")
            other = owners.setdefault((screen, key), tag_of(action))
            if other != tag_of(action):
                yield Finding(
                    f"{other} and {tag_of(action)} both have the letter {key!r} on the {screen} page",
                    "Give one of them another.",
                )


# ---- odds


def check_odds(engine: Engine, world: Any, action: Action, most: int = 200_000) -> None:
    """Its odds are those of walking `resolve` down every face, within 1e-9."""
    wrong = differences(engine, world, action, most)
    assert not wrong, f"odds of {action!r}: {'; '.join(wrong[:3])}"


def differences(engine: Engine, world: Any, action: Action, most: int = 200_000, seconds: float = 0.0) -> list[str]:
    """Where an engine's odds and the walk disagree by more than 1e-9; empty where they agree."""
    odds = engine.odds(world, action)
    if odds is None:
        return ["the engine gives no odds for this action"]
    truth = walk(engine, world, action, most, seconds)
    wrong = []
    for group in odds.groups:
        if group.overall:
            continue  # one roll does not settle it
        exact = truth.get(group.name, {})
        for c in group.chances:
            if group.at_least:
                want = sum(p for v, p in exact.items() if v >= (c.value or 0))
            else:
                want = exact.get(c.label, 0.0)
            if abs(want - c.chance) > 1e-9:
                wrong.append(f"{group.name} {c.label}: {c.chance!r} instead of {want!r}")
        total = sum(c.chance for c in group.chances)
        if not group.at_least and abs(total - 1) > 1e-9:
            wrong.append(f"{group.name} sums to {total!r}")
    return wrong


# ---- secrets


def check_secrets(engine: Engine, world: Any, twin: Any, *, steps: int = 0, acting: bool = False) -> None:
    """Two worlds that differ only in secrets are the same from a player's seat.

    Views and the odds on them always; with `steps`, also what is said of the same actions with the same dice in both,
    and the players' record of them.
    With `acting`, also offers, choices, closed reasons and refusals: for games whose players act for themselves.
    """
    for kind in KINDS:
        for about in ("", *world.sheets):
            mine, theirs = (strip(engine.view(kind, w, about)) for w in (world, twin))
            assert mine == theirs, f"the {kind} view {about!r} gives a secret away"
            action = getattr(mine, "roll", None)
            if action is not None:
                odds = [o and strip(o) for o in (engine.odds(w, action) for w in (world, twin))]
                assert odds[0] == odds[1], f"the odds on the {kind} view give a secret away"
    if acting:
        assert offered(engine, world) == offered(engine, twin), "what is offered gives a secret away"
    chance, first, acted = random.Random(steps), (world, twin), list[Action]()
    for step in range(steps):
        done = random_action(engine, world, chance)
        if done is None:
            break
        acted.append(done)
        told = [_told(done, w, step) for w in (world, twin)]
        if acting or "" not in [words for words, _, _ in told]:
            assert told[0][0] == told[1][0], f"the refusal of {done!r} gives a secret away"
        assert told[0][1] == told[1][1], f"what is said of {done!r} gives a secret away"
        world, twin = told[0][2], told[1][2]
    mine, theirs = (_recorded(engine, here, acted) for here in first) if acted else ("", "")
    assert mine == theirs, "the players' record gives a secret away"


def _recorded(engine: Engine, world: Any, actions: Sequence[Action]) -> str:
    """The players' record of a session in which the GM does these, as far as they are not refused."""
    from ..records.data import as_json  # late: few look at secrets
    from ..records.record import record

    at = datetime(2000, 1, 1, tzinfo=UTC)
    header = begin(engine, world, campaign="", session="", at=at, seed="secrets")
    table = Table(engine, msgspec.structs.replace(header, world=world), clock=lambda: at)
    for action in actions:
        with suppress(Refused):
            table.do(action)
    return as_json(record(table.timeline, "players"))


def offered(engine: Engine, world: Any) -> list[Any]:
    """Every offer and choice, open or closed, with all of its words."""
    found: list[Any] = []
    for offer in offers(engine.actions, world):
        found.append((offer.tag, offer.closed))
        so_far: dict[str, Any] = {}
        for static in fields(offer.kind):
            field = shaped(static, world, so_far)
            answers = tuple(choices(field, world, so_far)) if field is not None else ()
            found.append((offer.tag, static.name, field and field.label, answers))
            so_far[static.name] = next((c.value for c in answers if not c.closed), static.default)
    return found


def _told(action: Action, world: Any, step: int) -> tuple[str, tuple[str, ...], Any]:
    """The refusal, the public words and the world after an action."""
    try:
        events = action.resolve(world, Dice((), roller("secrets", step)))
    except Refused as no:
        return str(no), (), world
    said = []
    for event in events:
        said.append(event.says(world))
        world = event.apply(world)
    return "", tuple(words for words in said if words), world
