"""Bonus Dice: of which tier, for whom, how many."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

import playing
import pytest
from tiers_worlds import do, hero, npc, world

from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.engines.tiers.bonus import AwardBonus
from tabletop_tui.engines.tiers.opposed import Oppose
from tabletop_tui.engines.tiers.world import (
    TiersRules,
    next_tier,
)
from tabletop_tui.kit.common import Note
from tabletop_tui.rules import Refused, TableView
from tabletop_tui.session import Table, begin

TIERS: Any = ("alpha", "beta", "charlie", "delta", "gamma", "omega")


@pytest.mark.parametrize(("tier", "up"), zip(TIERS, (*TIERS[1:], "omega"), strict=True))
def test_a_bonus_die_is_of_the_next_tier_up_and_omega_adds_omega(tier: Any, up: str) -> None:
    assert next_tier(tier) == up


def test_bonus_dice_are_awarded_to_all_players_or_to_those_named() -> None:
    here = world(mira=hero("Mira"), rook=hero("Rook"), guard=npc("Guard"))
    here = do(do(here, AwardBonus()), AwardBonus(("rook",), 2))
    assert {w: p.bonus_dice for w, p in here.now.people.items()} == {"mira": 1, "rook": 3, "guard": 0}


def test_a_bonus_die_that_nobody_has_is_refused() -> None:
    here = world(mira=hero("Mira", A={"alpha": 1}), guard=npc("Guard", B={"alpha": 1}))
    with pytest.raises(Refused, match="no Bonus Dice left"):
        do(here, Oppose("mira", "A", "guard", "B", bonus=True))
    with pytest.raises(Refused, match="are the players'"):
        do(here, Oppose("mira", "A", "guard", "B", their_bonus=True))


# ---- by the hour


def at_table(every: int = 60) -> tuple[Table, list[datetime]]:
    """A table, and the clock that it looks at."""
    here = world(rules=TiersRules(bonus_every=every), mira=hero("Mira"))
    now = [playing.EVENING]
    header = begin(ENGINE, here, campaign="x", session="1", at=playing.EVENING)
    return Table(ENGINE, header, clock=lambda: now[0]), now


def reminded(table: Table) -> list[str]:
    view = table.view("table")
    assert isinstance(view, TableView)
    return [*view.reminders]


def play_for(table: Table, now: list[datetime], minutes: int) -> None:
    """Somebody says something every ten minutes."""
    for _ in range(minutes // 10):
        now[0] += timedelta(minutes=10)
        table.do(Note("x"))


def test_after_an_hour_without_an_award_the_gm_is_reminded_until_one_is_given() -> None:
    table, now = at_table()
    play_for(table, now, 50)
    assert reminded(table) == []
    play_for(table, now, 10)
    assert reminded(table) == ["60 minutes without an award: a Bonus Die for everybody?"]
    table.do(AwardBonus())
    assert reminded(table) == []
    table.undo()
    assert len(reminded(table)) == 1
    table.redo()
    play_for(table, now, 60)
    assert len(reminded(table)) == 1


def test_a_night_in_between_is_not_played() -> None:
    table, now = at_table()
    play_for(table, now, 30)
    now[0] += timedelta(hours=20)
    assert reminded(table) == []
    play_for(table, now, 30)
    assert len(reminded(table)) == 1


def test_the_time_is_told_alike_by_whoever_followed_the_evening_and_whoever_comes_late() -> None:
    table, now = at_table()
    source = random.Random(3)
    for n in range(200):
        now[0] += timedelta(minutes=source.randrange(-2, 20))
        did = source.choice(("note", "undo", "award"))
        if did == "undo" and table.head:
            table.undo()
        else:
            table.do(AwardBonus() if did == "award" else Note("x"))
        fresh = Table(ENGINE, table.header, table.timeline.entries, clock=lambda: now[0])
        assert reminded(fresh) == reminded(table), n


def test_a_view_whose_reminders_are_the_same_is_the_same_one() -> None:
    table, now = at_table()
    play_for(table, now, 60)
    assert table.view("table") is table.view("table")
    before = table.view("table")
    now[0] += timedelta(minutes=10)
    assert table.view("table") is before


def test_how_often_is_a_ruling_and_0_is_never() -> None:
    table, now = at_table(20)
    play_for(table, now, 20)
    assert len(reminded(table)) == 1
    table, now = at_table(0)
    play_for(table, now, 200)
    assert reminded(table) == []


def test_a_players_seat_is_not_reminded() -> None:
    table, now = at_table(20)
    play_for(table, now, 20)
    assert reminded(Table(ENGINE, table.header, table.timeline.entries, clock=lambda: now[0], seat="Ana")) == []
