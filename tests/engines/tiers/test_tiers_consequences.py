"""Consequences: recorded, reworded and lifted freely, and in sight on the table."""

from __future__ import annotations

import pytest
from tiers_worlds import do, events_of, hero, npc, world

from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.engines.tiers.consequences import EndConsequence, RecordConsequence, RewordConsequence
from tabletop_tui.engines.tiers.world import Consequence, TiersWorld
from tabletop_tui.rules import Refused, TableView


def limping() -> TiersWorld:
    here = world(mira=hero("Mira"), guard=npc("Guard"))
    return do(here, RecordConsequence("mira", " a limp ", sessions=2))


def test_the_gm_records_one_without_paying() -> None:
    here = limping()
    assert here.now.people["mira"].consequences == {"1": Consequence("a limp", False, 2)}
    assert here.now.complications == 0
    lasting = do(here, RecordConsequence("mira", "a debt", lasting=True))
    assert lasting.now.people["mira"].consequences["2"] == Consequence("a debt", True, 1)


def test_one_is_reworded_and_keeps_its_time() -> None:
    here = do(limping(), RewordConsequence("mira", "1", "a bad limp"))
    assert here.now.people["mira"].consequences == {"1": Consequence("a bad limp", False, 2)}


def test_one_is_lifted() -> None:
    assert not do(limping(), EndConsequence("mira", "1")).now.people["mira"].consequences


def test_one_without_words_is_refused() -> None:
    for action in (RecordConsequence("mira", " "), RewordConsequence("mira", "1", " ")):
        with pytest.raises(Refused, match="needs words"):
            do(limping(), action)


def test_they_stay_in_sight_on_the_table_beside_whoever_carries_them() -> None:
    view = ENGINE.view("table", do(limping(), RecordConsequence("mira", "a debt", lasting=True)))
    assert isinstance(view, TableView)
    assert [(x.label, x.value, x.because) for x in view.conditions] == [
        ("Mira", "a limp", "2 sessions"),
        ("Mira", "a debt", "lasting"),
    ]
    (mira,) = [p for p in view.people if p.id == "mira"]
    assert [c.what for c in mira.conditions] == ["a limp", "a debt"]


def test_that_of_somebody_unseen_is_whispered() -> None:
    here = limping()
    (event,), after = events_of(here, RecordConsequence("guard", "a grudge"))
    assert event.says(here) == ""
    assert event.whispers(here) == "Guard: Consequence (1 session): a grudge"
    view = ENGINE.view("table", after)
    assert isinstance(view, TableView)
    assert [x.label for x in view.conditions] == ["Mira"]
