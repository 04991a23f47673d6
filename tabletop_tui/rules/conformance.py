"""The conformance kit: what the author of an engine runs to know that it keeps the contract.

    from tabletop_tui.rules.conformance import play, check_engine, check_odds, check_secrets

`check_engine` looks at the engine itself, `play` at random play from a world, `check_odds` at its chances and
`check_secrets` at what players would see. Each raises AssertionError with a sentence.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from .ask import choices, fields, offers
from .dice import Dice, roller
from .engine import API, Engine
from .errors import Refused
from .model import Action, Event, Now, Rules, Scene, Sheet, World, tag_of
from .text import HOSTILE
from .views import KINDS, strip
from .walk import differences

WORDS = ("a word", "two words", "[b]bold[/b]", "ünïcode ☂", "x")


def check_engine(engine: Engine) -> None:
    """Its parts are there, of the right kind, and their tags are their own."""
    assert engine.api == API, f"made for contract {engine.api}, this is {API}"
    for part, base in (("rules", Rules), ("sheet", Sheet), ("scene", Scene), ("now", Now)):
        kind = getattr(engine, part)
        assert issubclass(kind, base), f"{part} must extend {base.__name__}"
        assert kind.__struct_config__.frozen, f"{part} must be frozen"
    engine.rules(), engine.now()  # every field has a default
    tagged: tuple[tuple[Sequence[type[Any]], type[Any]], ...] = ((engine.actions, Action), (engine.events, Event))
    for kinds, root in tagged:
        tags = [tag_of(k) for k in kinds]
        twice = {t for t in tags if tags.count(t) > 1}
        assert not twice, f"tags used twice: {sorted(twice)}"
        for kind in kinds:
            assert issubclass(kind, root), f"{kind.__name__} must extend {root.__name__}"
            assert kind.__doc__, f"{kind.__name__} needs a docstring: it is its help"
    for action in engine.actions:
        fields(action)
    assert engine.reference.strip(), "the reference is empty"


def random_action(engine: Engine, world: Any, chance: random.Random) -> Action | None:
    """Something that can be done now, with its fields answered at random from their open choices."""
    ready = [o.kind for o in offers(engine.actions, world) if not o.closed]
    chance.shuffle(ready)
    for kind in ready:
        answers = _answers(kind, world, chance)
        if answers is not None:
            made: Action = msgspec.convert(answers, kind, str_keys=True)
            return made
    return None


def _answers(kind: type[Action], world: Any, chance: random.Random) -> dict[str, Any] | None:
    so_far: dict[str, Any] = {}
    for field in fields(kind):
        if field.kind in ("choice", "choices", "yes"):
            free = [c.value for c in choices(field, world, so_far) if not c.closed]
            if field.kind == "choices":
                so_far[field.name] = tuple(chance.sample(free, chance.randint(0, min(len(free), 3))))
            elif free:
                so_far[field.name] = chance.choice(free)
            elif field.required:
                return None
            else:
                so_far[field.name] = field.default
        elif field.kind == "number":
            low, high = max(field.low, -20), min(field.high, 20)
            so_far[field.name] = chance.randint(min(low, high), max(low, high))
        else:
            so_far[field.name] = chance.choice(WORDS)
    return so_far


def play(
    engine: Engine, world: Any, seed: int, steps: int = 60, look: Callable[[Any], None] | None = None
) -> Iterator[tuple[Any, Action, tuple[Event, ...], Any]]:
    """Random play. Every event applies, comes back the same from its JSON, says harmless words, and fits."""
    chance = random.Random(seed)
    unions = msgspec.json.Decoder(tuple[_union(engine.events), ...])  # type: ignore[misc]  # made at run time
    for step in range(1, steps + 1):
        action = random_action(engine, world, chance)
        if action is None:
            return
        dice = Dice((), roller(f"conformance {seed}", step))
        try:
            events = action.resolve(world, dice)
        except Refused:
            continue
        before = world
        again = action.resolve(world, Dice([f for h in dice.rolled for f in h.faces]))
        assert again == events, f"{action!r} is not pure: the same dice gave other events"
        assert unions.decode(msgspec.json.encode(events)) == events, f"events of {action!r} do not survive the log"
        for event in events:
            assert not HOSTILE.search(event.says(world) + event.whispers(world)), f"{event!r} says control characters"
            world = event.apply(world)
        serious = [p for p in engine.problems(world) if not p.warning]
        assert not serious, f"after {action!r} the engine finds: {serious[0]}"
        written = msgspec.toml.encode(world.now)
        assert msgspec.toml.decode(written, type=engine.now) == world.now, (
            f"after {action!r} now.toml reads otherwise"
        )
        for kind in KINDS:
            engine.view(kind, world, next(iter(world.sheets), ""))
        if look:
            look(world)
        yield before, action, events, world


def _union(kinds: Sequence[type[Event]]) -> Any:
    out: Any = kinds[0]
    for kind in kinds[1:]:
        out = out | kind
    return out


def check_odds(engine: Engine, world: Any, action: Action, most: int = 200_000) -> None:
    """Its odds are those of walking `resolve` down every face, within 1e-9."""
    wrong = differences(engine, world, action, most)
    assert not wrong, f"odds of {action!r}: {'; '.join(wrong[:3])}"


def check_secrets(engine: Engine, world: World[Any, Any, Any, Any], twin: World[Any, Any, Any, Any]) -> None:
    """Two worlds that differ only in secrets look the same from a player's seat."""
    for kind in KINDS:
        for about in ("", *world.sheets):
            mine, theirs = (strip(engine.view(kind, w, about)) for w in (world, twin))
            assert mine == theirs, f"the {kind} view {about!r} gives a secret away"
            action = getattr(mine, "roll", None)
            if action is not None:
                odds = [o and strip(o) for o in (engine.odds(w, action) for w in (world, twin))]
                assert odds[0] == odds[1], f"the odds on the {kind} view give a secret away"
