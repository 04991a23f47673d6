"""The contract: parts, random play from several beginnings, keys, records that survive the log."""

from __future__ import annotations

import level
import msgspec
import pytest
from drama_abbey import BEGINNINGS, arguing, fresh

from tabletop_tui.conformance import check_engine, play, random_action
from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.complex import OpensTest
from tabletop_tui.engines.drama.contest import OpensContest
from tabletop_tui.engines.drama.contest_pools import WithPools
from tabletop_tui.engines.drama.settle import WithRoll
from tabletop_tui.engines.drama.task import WithLead, WithTask
from tabletop_tui.engines.drama.world import DramaWorld
from tabletop_tui.rules import KINDS, Action, Event, Option, check, fields
from tabletop_tui.rules.odds import Odds

HERE = "tabletop_tui.engines.drama."


def test_the_engine_keeps_the_contract() -> None:
    check_engine(ENGINE)


@pytest.mark.parametrize("beginning", BEGINNINGS)
@pytest.mark.parametrize("tens", range(level.many(1, 4, 100)))
def test_random_play_never_breaks(beginning: str, tens: int) -> None:
    played, games = 0, level.many(3, 10, 10)
    for seed in range(tens * 10, tens * 10 + games):
        played += sum(1 for _ in play(ENGINE, BEGINNINGS[beginning](), seed, 25))
    assert played > 10 * games


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_what_the_screens_offer_can_be_performed(beginning: str) -> None:
    """An open option is ready, or asks for words that only people have."""
    for seed in range(level.many(2, 8, 80)):
        for *_, world in play(ENGINE, BEGINNINGS[beginning](), seed, 15):
            for option in options(world):
                check(option.action, world)


def options(world: DramaWorld) -> list[Option]:
    found: list[Option] = []
    for kind in KINDS:
        view = ENGINE.view(kind, world, "joan")
        for name in ("extras", "leads"):
            found += [o for o in getattr(view, name, ()) if not o.closed and not asked(o)]
        for one in getattr(view, "parties", ()):
            found += [o for o in one.adds if not o.closed and not asked(o)]
            found += [Option(label=b.source, action=b.remove) for b in one.bids if b.remove]
        if prompt := getattr(view, "prompt", None):
            found += prompt.options
        if matrix := getattr(view, "support", None):
            found += [cell for row in matrix.rows for cell in row.cells if not cell.closed and not asked(cell)]
    return found


def asked(option: Option) -> bool:
    """Does its form ask for a choice first?"""
    return any(f.required and f.ask and getattr(option.action, f.name) == "" for f in fields(type(option.action)))


def test_odds_of_random_rolls_sum_to_one() -> None:
    seen = 0
    for seed in range(12):
        for before, action, *_ in play(ENGINE, arguing(), seed, 15):
            odds = ENGINE.odds(before, action)
            if isinstance(odds, Odds):
                seen += 1
                for group in odds.groups:
                    if not group.at_least:
                        assert sum(c.chance for c in group.chances) == pytest.approx(1, abs=1e-9)
    assert seen > 5


def test_keys_are_single_letters_and_one_of_a_kind_on_each_screen() -> None:
    for screen in ("table", "challenge", "contest"):
        keys = [a.key for a in ENGINE.actions if screen in a.screens and a.key]
        assert len(keys) == len(set(keys)), f"{screen}: {sorted(keys)}"
        assert not set(keys) & set("rtuq0123456789")
        assert all(len(key) == 1 and key.isalpha() for key in keys)
    contest = {a.key: a.title for a in ENGINE.actions if "contest" in a.screens}
    assert [contest[k] for k in "adhg"] == ["add a line", "drama die", "show hidden", "go on"]


def test_live_state_survives_now_toml() -> None:
    for beginning in BEGINNINGS.values():
        now = beginning().now
        assert msgspec.toml.decode(msgspec.toml.encode(now), type=ENGINE.now) == now


def test_somebody_new_is_fresh_at_the_next_session() -> None:
    world = fresh()
    rest = {w: p for w, p in world.now.people.items() if w != "porter"}
    assert ENGINE.start(world.live(people=rest)).people["porter"].composure == 3


def test_there_is_always_something_to_do() -> None:
    import random

    assert random_action(ENGINE, fresh(), random.Random(1)) is not None


def test_every_action_and_event_of_the_package_is_the_engines() -> None:
    def tagged(kind: type[Action] | type[Event]) -> set[type]:
        return {
            one for sub in kind.__subclasses__() for one in {sub, *tagged(sub)} if one.__module__.startswith(HERE)
        }

    bases = {OpensContest, OpensTest, WithLead, WithPools, WithRoll, WithTask}
    assert tagged(Action) - bases == {kind for kind in ENGINE.actions if kind.__module__.startswith(HERE)}
    assert tagged(Event) == {kind for kind in ENGINE.events if kind.__module__.startswith(HERE)}
