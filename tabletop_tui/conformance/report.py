"""The whole kit in one run, told as a page that an author can act on."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from ..plugins import EngineFault, Guarded, guarded
from ..rules import Action, Dice, Engine, Model, Refused, fields, roller, tag_of
from ..rules.walk import TooMany
from ..storage.campaign import Campaign, load
from ..storage.user.paths import write_starter
from .checks import Finding, check_secrets, differences, findings
from .edits import try_edits
from .playing import answers_to, play, random_action, worlds

TRIES = 5
"""Other words, in each world in which an action is open, before it counts as one that is always refused."""


class Section(Model):
    """One thing that was looked at."""

    title: str
    looked: str
    """What was tried, with figures."""
    found: tuple[Finding, ...] = ()


class Report(Model):
    """Everything that was looked at."""

    engine: str
    sections: tuple[Section, ...]

    @property
    def sound(self) -> bool:
        """Is there nothing to change?"""
        return not any(section.found for section in self.sections)


def world_of(engine: Engine, folder: Path | None = None) -> Any:
    """A world to play: of a campaign's folder, or of the engine's own starter files."""
    if folder is not None:
        return _begun(guarded(engine), load(folder))
    with tempfile.TemporaryDirectory() as place:
        return _begun(guarded(engine), _starter(engine, Path(place) / "starter"))


def _starter(engine: Engine, target: Path) -> Campaign:
    write_starter(dict(engine.starter), "A new campaign", target)
    return load(target)


def _begun(engine: Guarded, campaign: Campaign) -> Any:
    if campaign.errors:
        raise Refused(f"the campaign does not check: {campaign.errors[0]}")
    if campaign.engine is not engine:
        raise Refused(f"the campaign is played with {campaign.engine_name!r}, not with {engine.name!r} as installed")
    world = campaign.world()
    return replace(world, now=engine.start(world))


def conform(
    engine: Engine,
    folder: Path | None = None,
    *,
    games: int = 20,
    edits: int = 2_000,
    progress: Callable[[str], None] = lambda _words: None,
) -> Report:
    """Look at all of it; nothing that the engine does ends this."""
    safe = guarded(engine)
    sections = [Section("the engine itself", _counted(engine), tuple(findings(engine)))]
    progress("starter")
    sections.append(_starter_section(engine, folder))
    try:
        world = world_of(engine, folder)
    except Refused as no:
        sections.append(Section("a world to play", "none", (Finding(no.what, "Mend the starter files first."),)))
        return Report(engine.name, tuple(sections))
    progress("random play")
    sections.append(play_section(safe, world, games))
    progress("odds")
    sections.append(_odds_section(safe, world))
    progress("secrets")
    sections.append(_secrets_section(safe, world))
    progress("hand edits")
    sections.append(_edits_section(safe, world, edits))
    return Report(engine.name, tuple(sections))


def _counted(engine: Engine) -> str:
    return f"{len(engine.actions)} actions, {len(engine.events)} events"


def _starter_section(engine: Engine, folder: Path | None) -> Section:
    title = "starter files" if folder is None else f"the campaign {folder.name}"
    if folder is None and not engine.starter:
        advice = "Fill in `starter`: without it `tabletop new` cannot make a campaign."
        return Section(title, "none", (Finding("there are no starter files", advice),))
    with tempfile.TemporaryDirectory() as place:
        try:
            campaign = load(folder) if folder else _starter(engine, Path(place) / "starter")
        except Refused as no:
            return Section(title, "could not be read", (Finding(no.what, no.remedy),))
        found = tuple(Finding(str(problem).rstrip(".")) for problem in campaign.problems)
        return Section(title, f"{len(campaign.documents)} files", found)


def _sentence(error: BaseException) -> Finding:
    if isinstance(error, EngineFault | Refused):
        return Finding(error.what)
    if isinstance(error, AssertionError):
        return Finding(str(error).rstrip("."))
    return Finding(f"{type(error).__name__}: {error}")


class _Games:
    """What random games came to."""

    def __init__(self, engine: Guarded, world: Any) -> None:
        self.engine, self.world = engine, world
        self.actions: Counter[str] = Counter()
        self.events: Counter[str] = Counter()
        self.found: dict[str, Finding] = {}

    def play(self, seed: int) -> None:
        """One game, as far as it comes."""
        try:
            self.engine.call("play", lambda: self._steps(seed), seconds=60, passes=(AssertionError,))
        except (EngineFault, AssertionError) as error:
            told = _sentence(error)
            self.found.setdefault(told.what, told)

    def _steps(self, seed: int) -> None:
        for _, action, came, _ in play(self.engine.inner, self.world, seed):
            self.actions[tag_of(type(action))] += 1
            self.events.update(tag_of(type(event)) for event in came)


def play_section(engine: Guarded, world: Any, games: int) -> Section:
    """Random games: what breaks, and what was never reached."""
    tried = _Games(engine, world)
    for seed in range(games):
        tried.play(seed)
    actions, events, found = tried.actions, tried.events, tried.found
    never = [tag_of(kind) for kind in engine.actions if not actions[tag_of(kind)]]
    for kind in engine.actions:
        texts = [field.name for field in fields(kind) if field.kind == "text" and field.required]
        if tag_of(kind) in never and texts and _always_refused(engine, kind, world):
            advice = "Random play answers with words of its own: offer the choices with Ask."
            found[tag_of(kind)] = Finding(f"{tag_of(kind)} was refused whatever stood in {', '.join(texts)}", advice)
    unseen = [tag_of(kind) for kind in engine.events if not events[tag_of(kind)]]
    looked = (
        f"{games} games, {actions.total()} steps: {len(engine.actions) - len(never)} of {len(engine.actions)} actions"
        f" and {len(engine.events) - len(unseen)} of {len(engine.events)} events"
    )
    if never:
        looked += f"; never reached: {', '.join(never)}"
    if unseen:
        looked += f"; events never seen: {', '.join(unseen)}"
    return Section("random play", looked, tuple(found.values()))


def _always_refused(engine: Guarded, kind: type[Action], world: Any) -> bool:
    """Was it open, and was each of a few tries refused?"""
    chance, tries = random.Random(0), 0
    open_in = [here for here in (world, *worlds_of(engine, world, 30)) if not engine.when(kind, here)]
    for here in [here for here in open_in for _ in range(TRIES)]:
        answers = engine.call("choices", partial(answers_to, kind, here, chance))
        if answers is None:
            continue
        tries += 1
        try:
            engine.resolve(msgspec.convert(answers, kind, str_keys=True), here, Dice((), roller("tries", tries)))
            return False
        except Refused:
            continue
    return bool(tries)


def worlds_of(engine: Guarded, world: Any, count: int) -> list[Any]:
    """Worlds from random play, as far as it comes."""
    out: list[Any] = []
    try:
        for one in worlds(engine.inner, world, count):
            out.append(one)
    except Exception:  # told by random play already
        pass
    return out


def _odds_section(engine: Guarded, world: Any) -> Section:
    """Odds of whatever rolls, against the walk where that ends in time."""
    compared = large = none = 0
    found: dict[str, Finding] = {}
    for here, action in _rolls(engine, world):
        try:
            if engine.odds(here, action) is None:
                none += 1
                continue
            wrong = differences(engine.inner, here, action, 20_000, 1.0)
            compared += 1
            if wrong:
                tag = tag_of(type(action))
                what = f"the odds of {tag} are not those of its dice: {wrong[0]}"
                found.setdefault(tag, Finding(what, f"It was {action!r}."))
        except TooMany:
            large += 1
        except EngineFault as fault:
            found.setdefault(fault.what, Finding(fault.what))
    looked = f"{compared} compared with every face, {large} too large for that, {none} without odds"
    return Section("odds", looked, tuple(found.values()))


def _rolls(engine: Guarded, world: Any) -> Iterator[tuple[Any, Action]]:
    """Actions that roll dice, in worlds from random play."""
    chance = random.Random(0)
    for here in [world, *worlds_of(engine, world, 60)]:
        for _ in range(8):
            action = _random(engine, here, chance)
            dice = Dice((), roller("odds", 0))
            try:
                if action is not None:
                    engine.resolve(action, here, dice)
            except Refused:
                continue
            if action is not None and dice.rolled:
                yield here, action
                break


def _random(engine: Guarded, world: Any, chance: random.Random) -> Action | None:
    return engine.call("offers", lambda: random_action(engine.inner, world, chance))


def twin_of(world: Any) -> Any:
    """The same world with other secrets, as far as every game has them."""
    scenes = {i: replace(s, secret=f"{s.secret} and more") for i, s in world.scenes.items()}
    clocks = {
        i: replace(c, name=f"{c.name} too", filled=(c.filled + 1) % (c.size + 1)) if c.secret else c
        for i, c in world.now.clocks.items()
    }
    tracks = {i: replace(t, name=f"{t.name} too") if t.secret else t for i, t in world.now.tracks.items()}
    return replace(world, scenes=scenes, now=replace(world.now, clocks=clocks, tracks=tracks))


def _secrets_section(engine: Guarded, world: Any) -> Section:
    found: dict[str, Finding] = {}
    tried = 0
    for here in [world, *worlds_of(engine, world, 40)]:
        tried += 1
        try:
            check_secrets(engine, here, twin_of(here), steps=5)
        except (AssertionError, EngineFault) as error:
            told = _sentence(error)
            found.setdefault(told.what, told)
    return Section("secrets", f"{tried} worlds beside a twin with other secrets", tuple(found.values()))


def _edits_section(engine: Guarded, world: Any, most: int) -> Section:
    tried = try_edits(engine, [world, *worlds_of(engine, world, max(most // 20, 1))], most=most)
    kinds = {fault.wrong: fault for fault in tried.faults}
    advice = "Have `problems` refuse what cannot be played."
    found = tuple(Finding(str(fault), advice) for fault in list(kinds.values())[:10])
    if not tried.accepted:
        found += (Finding("no edited state could be played on", "Mend what random play found first."),)
    return Section("hand edits", f"{tried.states} edited states, {tried.accepted} of them accepted", found)
