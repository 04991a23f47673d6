"""The guard around every call into an engine, in one place.

An engine is a stranger's code. Whatever it does when it is asked something (raise, recurse without end, leave, take
forever, answer with something else), the program goes on: the caller gets an `EngineFault`, which is a refusal with
the engine, the call, the exception and its line in it.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from ..rules import (
    Action,
    Choice,
    Dice,
    DiceNeeded,
    Engine,
    Event,
    Field,
    Kind,
    Now,
    Odds,
    Offer,
    Prepared,
    Problem,
    Refused,
    Scene,
    View,
    World,
    ask,
    clean,
    tag_of,
)
from ..rules.views import VIEWS
from .limit import TooSlow, pressed, within
from .shapes import misfit

T = TypeVar("T")
SECONDS = 5.0
IMPATIENT = 5
"""What took too long once has this part of the time from then on, until it answers: each action would wait for it."""

_REPORT: list[Callable[[EngineFault], None]] = []


class EngineFault(Refused):
    """An engine failed. Nothing was changed."""

    def __init__(self, engine: str, call: str, why: str, *, place: str = "", about: str = "") -> None:
        where = f" ({place})" if place else ""
        how = f" in {call}: {clean(why)}{where}" if call else ""
        whom = "and undo works. Tell the engine's author." if call else "tell the GM."
        super().__init__(f"the engine {engine!r} failed{how}", remedy=f"What was saved is safe, {whom}")
        self.engine, self.call, self.why, self.place, self.about = engine, call, clean(why), place, about


def on_fault(report: Callable[[EngineFault], None]) -> None:
    """Have faults written down; each place in an engine is reported once."""
    seen: set[tuple[str, str, str]] = set()

    def once(fault: EngineFault) -> None:
        key = (fault.engine, fault.call, fault.place)
        if key not in seen:
            seen.add(key)
            report(fault)

    _REPORT[:] = [once]


def _place(error: BaseException) -> str:
    """File and line of where an exception was raised; the file's own name, as folders are nobody's business."""
    frames = traceback.extract_tb(error.__traceback__)
    here = str(Path(__file__).parent)
    theirs = [f for f in frames if not f.filename.startswith(here)]
    return f"{Path(theirs[-1].filename).name}:{theirs[-1].lineno}" if theirs else ""


class Guarded(Engine):
    """An engine as everybody but the engine itself sees it: the same facts, and calls that cannot do harm."""

    api: ClassVar[int]
    seconds: float = SECONDS
    """How long it may take to answer; chances have ten times as long, as nobody waits for them."""

    def __init__(self, engine: Engine, *, quiet: bool = False) -> None:
        self.inner = engine
        self.quiet = quiet
        """Are its faults told by its name alone? Whatever else stands in an exception may be a secret."""
        # facts, which are not asked for but looked up
        for fact in (
            "api", "name", "title", "version", "rules", "sheet", "scene", "now", "actions", "events", "reference",
            "starter",
        ):  # fmt: skip
            setattr(self, fact, getattr(engine, fact))
        self._actions, self._events = frozenset(engine.actions), frozenset(engine.events)
        self._slow: set[str] = set()
        """What took too long when it was last asked: it is not waited for as long again."""

    # ---- the guard

    def fault(self, call: str, why: str | BaseException, about: object = "") -> EngineFault:
        """What to raise when the engine failed: reported, and with the place where it did."""
        error = why if isinstance(why, BaseException) else None
        words = f"{type(error).__name__}: {error}"[:300] if error else str(why)
        fault = EngineFault(self.name, call, words, place=_place(error) if error else "", about=repr(about)[:2_000])
        fault.__cause__ = error
        for report in _REPORT:
            report(fault)
        return EngineFault(self.name, "", "") if self.quiet else fault

    def call(
        self,
        name: str,
        work: Callable[[], T],
        about: object = "",
        *,
        passes: tuple[type[BaseException], ...] = (),
        seconds: float = 0.0,
        wrong: Callable[[T], str] | None = None,
    ) -> T:
        """Ask the engine something. `passes` are the exceptions that belong to an answer; `wrong` looks at it."""
        seconds = (seconds or self.seconds) / (IMPATIENT if name in self._slow else 1)
        try:
            found = within(seconds, work)
            self._slow.discard(name)
            words = wrong(found) if wrong else ""
        except passes:
            raise
        except TooSlow as slow:
            self._slow.add(name)
            took = next(iter(slow.args), seconds)
            raise self.fault(name, f"it took longer than {took:.3g} seconds", about) from None
        except BaseException as error:
            if pressed(error):
                raise
            raise self.fault(name, error, about) from error
        if words:
            raise self.fault(name, f"its answer{words}", about)
        return found

    # ---- what an engine is asked

    def start(self, world: Any) -> Now:
        """As `Engine.start`."""
        return self.call("start", lambda: self.inner.start(world), wrong=self._its_state)

    def problems(self, world: Any) -> Sequence[Problem]:
        """As `Engine.problems`."""
        found = self.call("problems", lambda: tuple(self.inner.problems(world)), wrong=_problems)
        return list(found)

    def policy(self, world: Any) -> Action | None:
        """As `Engine.policy`."""
        return self.call("policy", lambda: self.inner.policy(world), wrong=self._its_action)

    def odds(self, world: Any, action: Action) -> Odds | None:
        """As `Engine.odds`."""
        return self.call(
            "odds",
            lambda: self.inner.odds(world, action),
            action,
            passes=(Refused,),
            seconds=self.seconds * 10,
            wrong=lambda odds: misfit(odds, Odds | None),
        )

    def view(self, kind: Kind, world: Any, about: str = "") -> View | None:
        """As `Engine.view`."""
        return self.call(
            "view",
            lambda: self.inner.view(kind, world, about),
            kind,
            wrong=lambda view: "" if view is None else misfit(view, VIEWS[kind]),
        )

    def prepared(self, world: Any, scene: str) -> Sequence[Prepared]:
        """As `Engine.prepared`."""
        return self.call(
            "prepared",
            lambda: tuple(self.inner.prepared(world, scene)),
            scene,
            wrong=lambda found: misfit(found, tuple[Prepared, ...]),
        )

    def seen_by(self, world: Any, seat: str) -> Any:
        """As `Engine.seen_by`."""
        return self.call("seen_by", lambda: self.inner.seen_by(world, seat), seat, wrong=_a_world)

    def schemas(self, schemas: dict[str, dict[str, Any]], rules: Any) -> dict[str, dict[str, Any]]:
        """As `Engine.schemas`."""
        return self.call(
            "schemas",
            lambda: self.inner.schemas(schemas, rules),
            wrong=lambda found: "" if isinstance(found, dict) else f" is a {type(found).__name__}",
        )

    def bench(self, world: Any = None) -> object | None:
        """As `Engine.bench`."""
        return self.call("bench", lambda: self.inner.bench(world))

    # ---- what its actions and events are asked

    def when(self, kind: type[Action], world: Any) -> str:
        """Why an action cannot be done now; empty where it can."""
        return self.call(f"{tag_of(kind)}.when", lambda: kind.when(world), wrong=lambda words: misfit(words, str))

    def actor(self, kind: type[Action], world: Any, fields: Mapping[str, Any]) -> str:
        """Whose it is to do an action; empty for the GM's."""
        return self.call(
            f"{tag_of(kind)}.actor", lambda: kind.actor(world, fields), wrong=lambda words: misfit(words, str)
        )

    def warns(self, kind: type[Action], world: Any) -> str:
        """What a stray key would cost."""
        return self.call(f"{tag_of(kind)}.warns", lambda: kind.warns(world), wrong=lambda words: misfit(words, str))

    def choices(self, kind: type[Action], field: Field, world: Any, so_far: Mapping[str, Any]) -> Sequence[Choice]:
        """The answers to one field of an action."""
        return self.call(
            f"{tag_of(kind)}.{field.name}",
            lambda: tuple(ask.choices(field, world, so_far)),
            wrong=lambda found: misfit(found, tuple[Choice, ...]),
        )

    def shaped(self, kind: type[Action], field: Field, world: Any, so_far: Mapping[str, Any]) -> Field | None:
        """A field of an action as it is asked after the answers before it."""
        return self.call(
            f"{tag_of(kind)}.{field.name}",
            lambda: ask.shaped(field, world, so_far),
            wrong=lambda found: misfit(found, Field | None),
        )

    def check(self, action: Action, world: Any) -> None:
        """Refuse an action that cannot be done now."""
        if type(action) not in self._actions:
            raise Refused(f"{type(action).__name__} is not an action of {self.title}")
        tag = tag_of(type(action))
        if why := self.when(type(action), world):
            raise Refused(f"{tag} cannot be done now: {why}")
        self.call(
            f"{tag}'s choices", lambda: ask.check_fields(action, world, names=self.quiet), action, passes=(Refused,)
        )

    def offers(self, world: Any) -> list[Offer]:
        """Every action with whether it can be done now; one that cannot even be asked is closed with that reason."""
        found = []
        asked: ask.Asked = {}
        for kind in self.actions:
            try:
                found.append(self.offer(kind, world, asked))
            except EngineFault as fault:
                words = kind.title or tag_of(kind), (kind.__doc__ or "").strip()
                found.append(Offer(tag_of(kind), *words, kind, fault.what))
        return found

    def offer(self, kind: type[Action], world: Any, asked: ask.Asked | None = None) -> Offer:
        """An action with whether it can be done now."""
        return self.call(
            f"{tag_of(kind)}.when", lambda: ask.offer(kind, world, asked), wrong=lambda o: misfit(o, Offer)
        )

    def resolve(self, action: Action, world: Any, dice: Dice) -> tuple[Event, ...]:
        """What an action does."""
        return self.call(
            f"{tag_of(type(action))}.resolve",
            lambda: action.resolve(world, dice),
            action,
            passes=(Refused, DiceNeeded),
            wrong=self._its_events,
        )

    def apply(self, world: Any, events: Sequence[Event]) -> Any:
        """The world after some events."""

        def fold() -> Any:
            here = world
            for event in events:
                here = event.apply(here)
            return here

        return self.call("apply", fold, events, wrong=_a_world)

    def tell(self, world: Any, events: Sequence[Event]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What everybody is told of some events, and what only the GM is."""

        def words() -> tuple[tuple[str, ...], tuple[str, ...]]:
            said, whispered, here = [], [], world
            for event in events:
                if public := event.says(here):
                    said.append(clean(public))
                if private := event.whispers(here):
                    whispered.append(clean(private))
                here = event.apply(here)
            return tuple(said), tuple(whispered)

        return self.call("says", words, events)

    def waits(self, world: Any) -> bool:
        """Does the game wait for an answer? Not where the engine fails to say."""
        try:
            return self.policy(world) is not None
        except EngineFault:
            return False

    def outcome(self, events: Iterable[Event]) -> dict[str, str | int]:
        """How some events settled what they settle; nothing where the engine fails to say."""

        def settled() -> dict[str, str | int]:
            found: dict[str, str | int] = {}
            for event in events:
                found.update(event.outcome())
            return found

        try:
            return self.call("outcome", settled, events)
        except EngineFault:
            return {}

    def aside(self, event: Event) -> bool:
        """Is an event said beside what was done? No where the engine fails to say."""
        try:
            return self.call("aside", event.aside, event) is True
        except EngineFault:
            return False

    def here(self, world: Any, scene: str = "") -> list[str]:
        """Who is about in a scene, or in the one that is on; nobody where the engine fails to say."""
        try:
            return self.call("people", lambda: list(world.here(scene)))
        except EngineFault:
            return []

    def bringing(self, scene: Scene, who: str, count: int) -> Scene:
        """A scene with more of somebody in it."""
        return self.call(
            "bringing",
            lambda: scene.bringing(who, count),
            who,
            wrong=lambda found: "" if isinstance(found, self.scene) else " is not a scene of it",
        )

    # ---- is the answer what was asked for?

    def _its_state(self, now: object) -> str:
        return "" if isinstance(now, self.now) else f" is a {type(now).__name__}, not {self.now.__name__}"

    def _its_action(self, action: object) -> str:
        return "" if action is None or type(action) in self._actions else f" is {action!r}, which is not its action"

    def _its_events(self, events: object) -> str:
        if type(events) is not tuple:
            return f" is a {type(events).__name__}, not a tuple of events"
        strange = next((e for e in events if type(e) not in self._events), None)
        return "" if strange is None else f" has {type(strange).__name__} in it, which is not in `events`"


def _a_world(found: object) -> str:
    return "" if isinstance(found, World) else " is not a world"


def _problems(found: object) -> str:
    return misfit(found, tuple[Problem, ...])


@cache
def guarded(engine: Engine) -> Guarded:
    """An engine with the guard around it, always the same one."""
    return engine if isinstance(engine, Guarded) else Guarded(engine)


@cache
def for_players(engine: Guarded) -> Guarded:
    """The same for a player's seat, which is told that the engine failed, and nothing of how."""
    return engine if engine.quiet else Guarded(engine.inner, quiet=True)
