"""Random play: what can be done now, with its fields answered from their open choices."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import msgspec

from ..rules import HOSTILE, KINDS, Action, Dice, Engine, Event, Refused, choices, fields, offers, roller, shaped

WORDS = ("a word", "two words", "[b]bold[/b]", "ünïcode ☂", "x")


def random_action(
    engine: Engine, world: Any, chance: random.Random, ready: Iterable[type[Action]] | None = None
) -> Action | None:
    """Something that can be done now, with its fields answered at random from their open choices.

    `ready` are the kinds that can be done, where they are known.
    """
    ready = [o.kind for o in offers(engine.actions, world) if not o.closed] if ready is None else list(ready)
    chance.shuffle(ready)
    for kind in ready:
        answers = answers_to(kind, world, chance)
        if answers is not None:
            made: Action = msgspec.convert(answers, kind, str_keys=True)
            return made
    return None


def answers_to(kind: type[Action], world: Any, chance: random.Random) -> dict[str, Any] | None:
    """Random answers to an action's fields; None where one has no open choice."""
    so_far: dict[str, Any] = {}
    for static in fields(kind):
        field = shaped(static, world, so_far)
        if field is None:
            so_far[static.name] = static.default
        elif field.kind in ("choice", "choices", "yes"):
            free = [c.value for c in choices(field, world, so_far) if not c.closed]
            if field.ask is not None and field.ask.other:
                free += WORDS
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
    unions = _decoder(engine)
    for step in range(1, steps + 1):
        action = random_action(engine, world, chance)
        if action is None:
            return
        dice = Dice((), roller(f"conformance {seed}", step))
        try:
            events = action.resolve(world, dice)
        except Refused:
            continue
        strange = next((type(e).__name__ for e in events if type(e) not in engine.events), "")
        assert not strange, f"{action!r} makes {strange}, which is not in `events`"
        before = world
        again = action.resolve(world, Dice([f for h in dice.rolled for f in h.faces]))
        assert again == events, f"{action!r} is not pure: the same dice gave other events"
        assert unions.decode(msgspec.json.encode(events)) == events, f"events of {action!r} do not survive the log"
        for event in events:
            assert not HOSTILE.search(event.says(world) + event.whispers(world)), f"{event!r} says control characters"
            world = event.apply(world)
        serious = [p for p in engine.problems(world) if not p.warning]
        assert not serious, f"after {action!r} the engine finds: {serious[0]}"
        assert toml_of(engine, world.now) == world.now, f"after {action!r} now.toml reads differently"
        for kind in KINDS:
            engine.view(kind, world, next(iter(world.sheets), ""))
        if look:
            look(world)
        yield before, action, events, world


def toml_of(engine: Engine, now: Any) -> Any:
    """A live state written as TOML and read again."""
    return msgspec.toml.decode(msgspec.toml.encode(now), type=engine.now)


@cache
def _decoder(engine: Engine) -> Any:
    return msgspec.json.Decoder(tuple[_union(engine.events), ...])  # type: ignore[misc]  # made at run time


def _union(kinds: Sequence[type[Event]]) -> Any:
    out: Any = kinds[0]
    for kind in kinds[1:]:
        out = out | kind
    return out


def worlds(engine: Engine, world: Any, count: int, seed: int = 0, steps: int = 60) -> Iterator[Any]:
    """Worlds from random play that starts here, spread over many games."""
    game = 0
    made = 0
    while made < count:
        chance = random.Random(seed * 1_000 + game)
        for _, _, _, after in play(engine, world, seed * 1_000 + game, steps):
            if chance.random() < 0.3:
                yield after
                made += 1
                if made == count:
                    return
        game += 1
        if game > count * 10:  # nothing can be done: there is only the one world
            yield world
            return
