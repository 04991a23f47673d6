"""What a stranger's views hold is drawn at 80 by 24: nothing that a game tells falls off the page in silence."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any, ClassVar

from textual.pilot import Pilot
from waiting import drawn, opened

from tabletop_tui.kit import common
from tabletop_tui.rules import (
    Action,
    ChallengeView,
    Counter,
    Dice,
    Engine,
    Event,
    Fact,
    Now,
    Option,
    Part,
    Pool,
    Prompt,
    Sheet,
    TableView,
    Words,
    World,
)
from tabletop_tui.session import Table, begin
from tabletop_tui.ui.app import TabletopApp
from tabletop_tui.ui.game import Game


class Push(Action, tag="push"):
    """Push on."""

    title = "push"
    how: int = 0

    def resolve(self, world: Any, dice: Dice) -> tuple[Event, ...]:
        dice.roll("a die", 6)
        return ()


class Strange(Engine):
    """It tells more than most games do."""

    name, title, reference = "strange", "Strange", "# Strange"
    actions: ClassVar[tuple[type[Action], ...]] = (Push, *common.ACTIONS)
    events: ClassVar[tuple[type[Event], ...]] = common.EVENTS
    asks: bool = False

    def view(self, kind: Any, world: Any, about: str = "") -> Any:
        if kind == "table":
            counters = tuple(Counter(name=f"Counter {n}", value=n) for n in range(12))
            return TableView(title="Strange", counters=counters)
        if kind != "challenge":
            return None
        options = tuple(Option(label=f"answer {n}", action=Push(n), note=f"costs {n}") for n in range(1, 4))
        return ChallengeView(
            title="The gate",
            facts=(Fact(text="steep", tone="bad"),),
            lead="Ann leads",
            pools=(
                Pool(who="Ann the tall", parts=(Part(source="Climbing", dice="3d6"),)),
                Pool(who="Ben the small", parts=(Part(source="Crawling", dice="2d6"),)),
            ),
            extras=tuple(Option(label=f"extra {n}", action=Push(n), key=key) for n, key in enumerate("abcefghijk")),
            words=Words(lead="captain", support="help", stakes="price", again="next gate"),
            roll=None if self.asks else Push(),
            prompt=Prompt(text="Which?", options=options) if self.asks else None,
        )


def game(*, asks: bool) -> Game:
    engine = Strange()
    engine.asks = asks
    world: Any = World(engine.rules(), Now(), {"ann": Sheet("Ann", "Ana")}, {})
    header = begin(engine, world, campaign="x", session="x", at=datetime(2026, 1, 1, tzinfo=UTC), seed="x")
    return Game(Table(engine, header), "Strange")


async def challenge(pilot: Pilot[None], shown: Game) -> str:
    app = pilot.app
    assert isinstance(app, TabletopApp)
    await app.open_game(shown)
    await opened(pilot)
    await pilot.press("C")
    await app.workers.wait_for_complete()
    await pilot.pause()
    return drawn(app)


async def test_the_owners_of_pools_their_facts_and_every_extra_are_in_sight() -> None:
    app = TabletopApp("")
    async with app.run_test(size=(80, 24)) as pilot:
        shown = await challenge(pilot, game(asks=False))
        for words in ("The gate", "steep", "Ann leads", "Ann the tall", "Climbing", "3d6", "Ben the small", "2d6"):
            assert words in shown, words
        assert "extra 3" in shown
        assert re.search(r"space \d more: extra", shown)
        await pilot.press("space", *"extra", "space", "9")
        await pilot.pause()
        assert "extra 9" in drawn(app)


async def test_the_notes_of_a_prompts_options_are_in_sight() -> None:
    app = TabletopApp("")
    async with app.run_test(size=(80, 24)) as pilot:
        shown = await challenge(pilot, game(asks=True))
        for n in range(1, 4):
            assert f"answer {n}" in shown
            assert f"costs {n}" in shown


async def test_counters_that_do_not_fit_are_counted() -> None:
    app = TabletopApp("")
    async with app.run_test(size=(80, 24)) as pilot:
        await challenge(pilot, game(asks=False))
        await pilot.press("T")
        await pilot.pause()
        shown = drawn(app)
        seen = [n for n in range(12) if f"Counter {n} " in shown]
        assert len(seen) == 12 or f"+{12 - len(seen)}" in shown, seen
