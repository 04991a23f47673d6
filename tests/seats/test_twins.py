"""Two oracles over random play of every game: twins that a seat cannot tell apart, and views of what a seat knows."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import level
import playing
import pytest
from msgspec.structs import replace
from twists import SAMPLES, twist

from tabletop_tui import plugins
from tabletop_tui.conformance.seats import check_said, check_twins, misses, walk_worlds
from tabletop_tui.plugins import guarded
from tabletop_tui.rules import Engine

GAMES, STEPS, TWINS = level.many(2, 6, 20), 40, level.many(160, 2_000, 20_000)


def begun(name: str) -> tuple[Engine, Any, str]:
    """The engine itself, a sample's world and one of its players."""
    table = playing.table(playing.PROJECT / "campaigns" / SAMPLES[name])
    player = next(sheet.player for sheet in table.world.sheets.values() if sheet.player)
    return guarded(plugins.load(name)).inner, table.world, player


def wandered(engine: Engine, world: Any, games: int = GAMES) -> list[Any]:
    return [here for seed in range(games) for here in walk_worlds(engine, world, seed, STEPS)]


def twins(name: str, worlds: list[Any], count: int) -> Iterator[tuple[int, Any, Any]]:
    chance = random.Random(name)
    for index in range(count):
        world = worlds[index % len(worlds)]
        yield index, world, twist(name, world, chance)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_seat_cannot_tell_twins_apart(name: str) -> None:
    engine, world, seat = begun(name)
    worlds, chance, compared = wandered(engine, world), random.Random(1), Counter[str]()
    for index, here, twin in twins(name, worlds, TWINS):
        check_twins(engine, here, twin, seat, whole=index % 10 == 0)
        if index % 10 == 5:
            compared[check_said(engine, here, twin, seat, chance)] += 1
    assert set(compared) - {"", "note"}, "nothing was said but what a player wrote"


@pytest.mark.parametrize("name", SAMPLES)
def test_the_gm_tells_every_twin_apart(name: str) -> None:
    engine, world, _ = begun(name)
    for _, here, twin in twins(name, wandered(engine, world)[:40], 40):
        assert engine.view("table", here) != engine.view("table", twin)


# ---- the oracle sees leaks


def _sheets(real: Any, seen: Any) -> Any:
    return replace(seen, sheets={who: real.sheets.get(who, one) for who, one in seen.sheets.items()})


def _unseen(real: Any, seen: Any) -> Any:
    return replace(seen, sheets=real.sheets)


def _scenes(real: Any, seen: Any) -> Any:
    return replace(seen, scenes=real.scenes)


def _clocks(real: Any, seen: Any) -> Any:
    return replace(seen, now=replace(seen.now, clocks=real.now.clocks))


def _tracks(real: Any, seen: Any) -> Any:
    return replace(seen, now=replace(seen.now, tracks=real.now.tracks))


def _people(real: Any, seen: Any) -> Any:
    return replace(seen, now=replace(seen.now, people=real.now.people))


def _challenge(real: Any, seen: Any) -> Any:
    return replace(seen, now=replace(seen.now, challenge=real.now.challenge))


LEAKS: list[tuple[str, Callable[[Any, Any], Any]]] = [
    *((name, leak) for name in SAMPLES for leak in (_unseen, _scenes, _clocks, _tracks)),
    *((name, _sheets) for name in ("tiers", "drama", "fen")),
    *((name, _people) for name in ("tiers", "drama", "fen")),
    ("tiers", _challenge),
]


@pytest.mark.parametrize(("name", "leak"), LEAKS, ids=lambda one: getattr(one, "__name__", str(one)).strip("_"))
def test_a_leak_planted_in_what_a_seat_knows_is_found(name: str, leak: Callable[[Any, Any], Any]) -> None:
    engine, world, seat = begun(name)

    class Leaky(type(engine)):  # type: ignore[misc]  # its class is known at run time only
        def seen_by(self, world: Any, seat: str) -> Any:
            return leak(world, engine.seen_by(world, seat))

    def look() -> None:
        worlds = wandered(engine, world, 6)  # so many that everything comes up that could leak
        for _, here, twin in twins(name, worlds, 1_000):
            check_twins(Leaky(), here, twin, seat, whole=False)

    with pytest.raises(AssertionError, match="seen_by gives a secret away"):
        look()


# ---- views of what a seat knows

EXPLAINED = {
    "tiers": {
        "table people.section": "where somebody belongs who is named by scenes that players do not know",
        "table prompt.text": "the damage of one of the GM's own follows from their tier, and is told when it is due",
    },
    "no1": {
        "table people.id": "the order in which a prepared scene names the party",
        "table people.group": "several foes of one sheet have one each in what players know",
        "contest extras.action.using": "the skill that the GM's own would use is the GM's to choose",
    },
    "drama": {
        "table people.section": "as in Tiers of Power",
        "table facts.text": "the momentum of an earlier round is told by name, also of somebody who has left",
        "challenge leads": "who can lead is told by what their sheets say",
        "challenge lead": "as above",
        "challenge roll_closed": "as above, of those who work together",
        "contest parties": "pools of the GM's own, which are told once the dice have fallen",
        "contest facts.text": "as above",
    },
    "fen": {
        "contest parties": "sides and risks that a plan names, and dice of the GM's own",
        "table people": "who is down of wounds, who hides in a contest of the GM's own, copies of the scene's cast",
        "table hands": "dice of somebody who has hidden since",
        "table outcome": "damage to the GM's own",
    },
}
"""Why a view of the real world may say more than one of the world as players know it: nothing of it is a secret."""


@pytest.mark.parametrize("name", SAMPLES)
def test_a_view_is_that_of_what_a_seat_knows_or_the_difference_is_explained(name: str) -> None:
    engine, world, seat = begun(name)
    looked, found = 0, Counter[str]()
    for here in wandered(engine, world):
        count, wrong = misses(guarded(engine), here, seat)
        looked += count
        found.update(f"{miss.kind} {miss.where}" for miss in wrong)
    strange = [where for where in found if not any(where.startswith(known) for known in EXPLAINED[name])]
    assert not strange, f"a secret that is not marked, or something open that seen_by takes away: {strange}"
    assert found.total() < looked * 0.25


@pytest.mark.parametrize("name", SAMPLES)
def test_what_a_seat_knows_of_what_it_knows_is_the_same(name: str) -> None:
    engine, world, seat = begun(name)
    worlds = wandered(engine, world)
    again = [engine.seen_by(seen, seat) == seen for seen in (engine.seen_by(here, seat) for here in worlds)]
    assert sum(again) > len(again) * 0.9
