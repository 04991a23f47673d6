"""Hand edits of the live state: whatever `problems` accepts must be viewed, offered, have odds and be played on."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from heapq import heapify, heappop, heapreplace
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from ..plugins import EngineFault, Guarded, guarded
from ..rules import KINDS, Action, Dice, DiceNeeded, Engine, Event, Model, Refused, roller
from .playing import random_action, toml_of

HUGE = (400, 2**31, -50)
STEPS = 4
"""Random steps that are played on from each edited state."""
ANSWERS = 30
"""Default answers in a row after which a prompt counts as one that never ends."""

Path = tuple[str | int, ...]


class Broken(Model):
    """An edit that was accepted, and what went wrong then."""

    edit: str
    wrong: str

    def __str__(self) -> str:
        return f"with {self.edit}: {self.wrong}"


class Edited(Model):
    """What was tried."""

    states: int
    """Edited states that fit the records."""
    accepted: int
    """Those in which the engine found no problem, and which were played on."""
    faults: tuple[Broken, ...] = ()


def plain(value: Any) -> Any:
    """A record as plain data with its defaults in it: what a file leaves out, a hand can put in."""
    if isinstance(value, msgspec.Struct):
        names, tag = (
            zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True),
            value.__struct_config__,
        )
        held = {key: plain(one) for name, key in names if (one := getattr(value, name)) is not None}
        return {tag.tag_field: tag.tag, **held} if tag.tag_field else held
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(one) for one in value]
    return msgspec.to_builtins(value)


def leaves(data: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value of plain data, with its path; lists are values and so are their elements."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from leaves(value, (*path, key))
        if path:
            yield path, data
    elif isinstance(data, list | tuple):
        yield path, data
        for index, value in enumerate(data):
            yield from leaves(value, (*path, index))
    else:
        yield path, data


def put(data: Any, path: Path, value: Any) -> Any:
    """The data with another value at a path; None takes it out."""
    if not path:
        return value
    if isinstance(data, Mapping):
        out = dict(data)
        inner = put(out.get(path[0]), path[1:], value)
        if inner is None:
            out.pop(path[0], None)
        else:
            out[path[0]] = inner
        return out
    held = list(data)
    inner = put(held[int(path[0])], path[1:], value)
    held[int(path[0]) : int(path[0]) + 1] = [] if inner is None else [inner]
    return held


def words_of(kind: Any, found: set[str] | None = None, seen: set[Any] | None = None) -> set[str]:
    """Every word that a `Literal` anywhere in a record allows: an edit may put any in the place of another."""
    found, seen = set() if found is None else found, set() if seen is None else seen
    if kind in seen:
        return found
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        seen.add(kind)
        for hint in get_type_hints(kind).values():
            words_of(hint, found, seen)
    if get_origin(kind) is Literal:
        found.update(w for w in get_args(kind) if isinstance(w, str))
    else:
        for inner in get_args(kind):
            if not isinstance(inner, str | int):
                words_of(inner, found, seen)
    return found


def edits(value: Any, words: list[str], chance: random.Random) -> list[Any]:
    """What somebody may write in the place of a value."""
    if isinstance(value, bool):
        return [None, not value]
    if isinstance(value, int):
        return [None, 0, -3, value + 1, *HUGE]
    if isinstance(value, str):
        return [None, "", chance.choice(words), chance.choice(words), "nobody at all"]
    if isinstance(value, Mapping):
        return [None, {}]
    held = list(value)
    return [None, [], [*held, *held[:1]], held[1:], held[::-1]]


class Edits:
    """Edits of one world after another; the kinds of places that were tried least come first."""

    def __init__(self, engine: Guarded, seed: int) -> None:
        self.engine, self.chance = engine, random.Random(seed)
        self.tried: Counter[tuple[str, ...]] = Counter()
        self.words = sorted(words_of(engine.now))

    def of(self, world: Any, most: int) -> Iterator[tuple[str, Any]]:
        """The world with one value of its live state changed by hand, as often as it fits the records."""
        data = plain(world.now)
        words = [*world.sheets, *world.scenes, *self.words] or [""]
        tries = [(path, other) for path, value in leaves(data) for other in edits(value, words, self.chance)]
        self.chance.shuffle(tries)
        shapes = [_shape(path, other, world) for path, other in tries]
        # how often its shape was tried when it was put here: more often since, and it goes back
        least = [(self.tried[shape], at) for at, shape in enumerate(shapes)]
        heapify(least)
        made = 0
        while least and made < most:
            count, at = least[0]
            if count < self.tried[shapes[at]]:
                heapreplace(least, (self.tried[shapes[at]], at))
                continue
            heappop(least)
            self.tried[shapes[at]] += 1
            path, other = tries[at]
            found = self._with(world, put(data, path, other))
            if found is not None:
                made += 1
                yield f"{'.'.join(map(str, path))} = {other!r}", found

    def _with(self, world: Any, data: Any) -> Any:
        try:
            now = msgspec.convert(data, self.engine.now, str_keys=True)
        except msgspec.ValidationError:
            return None
        if now == world.now:
            return None
        changed: Any = msgspec.structs.replace(world, now=now)
        return changed.copied() if now.more or world.now.more else changed


def _shape(path: Path, other: Any, world: Any) -> tuple[str, ...]:
    """What kind of place it is, and what kind of edit: whose it is does not matter."""
    whose = [
        "*" if isinstance(key, int) or key in world.sheets or key in world.scenes else str(key).rstrip("0123456789")
        for key in path
    ]
    return (*whose, repr(other) if not isinstance(other, str) or not other else "a word")


def try_edits(engine: Engine, worlds: Iterable[Any], *, most: int = 2_000, each: int = 40, seed: int = 0) -> Edited:
    """Change the leaves of the live state of some worlds in turn, and play on from whatever the engine accepts."""
    safe = guarded(engine)
    hand = Edits(safe, seed)
    states = accepted = 0
    faults: list[Broken] = []
    for world in worlds:
        for words, changed in hand.of(world, min(each, most - states)):
            states += 1
            wrong = ""
            try:
                if not any(not problem.warning for problem in safe.problems(changed)):
                    accepted += 1
                    wrong = played_on(safe, changed, random.Random(states))
            except EngineFault as fault:
                wrong = fault.what
            if wrong:
                faults.append(Broken(words, wrong))
        if states == most:
            break
    return Edited(states, accepted, tuple(faults))


def played_on(engine: Guarded, world: Any, chance: random.Random) -> str:
    """Look at a world in every way and play on from it; what went wrong, or nothing."""
    ready = looked(engine, world, world.sheets)
    for step in range(STEPS + 1):
        wrong, after = answered(engine, world, step)
        if wrong:
            return wrong
        if after is not world:
            world, ready = after, looked(engine, after, ())
        action = engine.call("offers", partial(random_action, engine, world, chance, ready))
        if action is None or step == STEPS:
            return ""
        try:
            events = engine.resolve(action, world, Dice((), roller("edits", step)))
        except Refused as no:
            if isinstance(no, EngineFault):
                raise
            continue
        engine.tell(world, events)
        world = engine.apply(world, events)
        engine.call("apply", partial(read_back, engine, world.now))
        ready = looked(engine, world, whom(events) & world.sheets.keys())
    return ""


def whom(events: tuple[Event, ...]) -> set[str]:
    """Every word in some events: whom they concern is among them."""
    return {value for _, value in leaves(msgspec.to_builtins(events, str_keys=True)) if isinstance(value, str)}


def looked(engine: Guarded, world: Any, about: Iterable[str]) -> list[type[Action]]:
    """Everything that a screen asks of a world, with some of its sheets; what can be done in it.

    One limit of time is around all of it, as setting one costs more than most answers do.
    """

    def look() -> list[type[Action]]:
        for kind in KINDS:
            for who in ("", *about) if kind == "sheet" else ("",):
                view = engine.view(kind, world, who)
                roll, prompt = getattr(view, "roll", None), getattr(view, "prompt", None)
                asked = [roll] if roll is not None else []
                asked += [option.action for option in prompt.options if not option.closed] if prompt else []
                for action in asked:
                    try:
                        engine.odds(world, action)
                    except Refused as no:
                        if isinstance(no, EngineFault):
                            raise
        return [kind for kind in engine.actions if not engine.offer(kind, world).closed]

    return engine.call("view", look, passes=(EngineFault,))


def read_back(engine: Guarded, now: Any) -> Any:
    """A live state as it is read again: through TOML where it holds what JSON has and TOML has not."""
    text = msgspec.json.encode(now)
    return toml_of(engine, now) if b"null" in text else msgspec.json.decode(text, type=engine.now)


def answered(engine: Guarded, world: Any, seed: int) -> tuple[str, Any]:
    """The world after the default answers to whatever it waits for; a sentence where that never ends."""
    for answer in range(ANSWERS):
        action = engine.policy(world)
        if action is None:
            return "", world
        try:
            engine.check(action, world)
            events = engine.resolve(action, world, Dice((), roller("answers", seed * ANSWERS + answer)))
        except (Refused, DiceNeeded) as no:
            if isinstance(no, EngineFault):
                raise
            return f"the prompt is stuck: its default answer {action!r} is refused: {no}", world
        world = engine.apply(world, events)
    return f"the prompt is stuck: {ANSWERS} default answers did not end it", world


def check_edits(engine: Engine, worlds: Iterable[Any], *, most: int = 2_000, each: int = 40, seed: int = 0) -> Edited:
    """No hand edit that `problems` accepts can break a table."""
    found = try_edits(engine, worlds, most=most, each=each, seed=seed)
    assert not found.faults, f"{len(found.faults)} edits break the table; {found.faults[0]}"
    return found
