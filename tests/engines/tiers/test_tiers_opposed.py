"""Opposed rolls: who wins, and what breaks a tie."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tiers_worlds import challenged, do, events_of, hero, npc, world

from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.engines.tiers.challenge_roll import RollChallenge
from tabletop_tui.engines.tiers.opposed import Oppose
from tabletop_tui.engines.tiers.settle import Buy, Settle
from tabletop_tui.engines.tiers.world import (
    TiersRules,
    put,
)
from tabletop_tui.rules import TableView


@pytest.mark.parametrize(
    ("mine", "theirs", "faces", "winner", "margin"),
    [
        (("alpha", 1), ("alpha", 1), (3, 2), "first", 1),
        (("alpha", 1), ("alpha", 1), (1, 3), "second", 2),
        (("alpha", 2), ("beta", 1), (3, 1, 3), "second", 0),  # higher tier
        (("beta", 1), ("alpha", 2), (3, 3, 1), "first", 0),
        (("alpha", 1), ("alpha", 2), (3, 3, 1), "second", 0),  # then higher rank
        (("alpha", 2), ("alpha", 1), (3, 1, 3), "first", 0),
        (("alpha", 2), ("alpha", 2), (3, 1, 1, 3), "first", 0),  # then the initiator
    ],
)
def test_the_higher_result_wins_and_ties_break_by_tier_rank_and_initiator(
    mine: tuple[str, int], theirs: tuple[str, int], faces: tuple[int, ...], winner: str, margin: int
) -> None:
    here = world(mira=hero("Mira", A=dict([mine])), guard=npc("Guard", B=dict([theirs])))
    here = do(here, Oppose("mira", "A", "guard", "B"), *faces)
    assert here.now.roll is not None
    assert (here.now.roll.winner, here.now.roll.margin) == (winner, margin)


def test_a_tie_counts_rank_with_legacy() -> None:
    here = world(mira=hero("Mira", A={"alpha": 5, "beta": 1}), guard=npc("Guard", B={"beta": 2}))
    here = do(here, Oppose("guard", "B", "mira", "A"), 3, 1, 3, 1)
    assert here.now.roll is not None
    assert here.now.roll.winner == "first"  # 2 against 1 + 1: the initiator


def test_a_tie_counts_rank_as_written_and_not_the_pool() -> None:
    here = world(mira=hero("Mira", bonus=1, A={"alpha": 2}), guard=npc("Guard", B={"alpha": 3}))
    pooled = replace(here, rules=TiersRules(tie_rank="pool"))
    action = Oppose("mira", "A", "guard", "B", bonus=True)
    for these, winner in ((here, "second"), (pooled, "first")):
        after = do(these, action, 1, 1, 3, 3, 1, 1)
        assert after.now.roll is not None
        assert after.now.roll.winner == winner


@pytest.mark.parametrize(
    ("mine", "theirs", "rule", "faces", "words"),
    [
        ({"beta": 1}, {"alpha": 2}, "written", (3, 3, 1), "Mira wins, 3 to 3: beta beats alpha"),
        ({"alpha": 1}, {"alpha": 2}, "written", (3, 3, 1), "Guard wins, 3 to 3: rank 2 beats rank 1"),
        ({"alpha": 2}, {"alpha": 2}, "written", (3, 1, 3, 1), "Mira wins, 3 to 3: Mira began it"),
        ({"alpha": 1}, {"alpha": 2}, "pool", (3, 3, 1), "Guard wins, 3 to 3: 2 dice beat 1 die"),
        ({"alpha": 1}, {"alpha": 2}, "written", (3, 2, 1), "Mira wins by 1"),
    ],
)
def test_a_tie_says_which_rule_broke_it(
    mine: Any, theirs: Any, rule: Any, faces: tuple[int, ...], words: str
) -> None:
    here = world(rules=TiersRules(tie_rank=rule), mira=hero("Mira", A=mine), guard=npc("Guard", B=theirs))
    here = do(here, Oppose("mira", "A", "guard", "B"), *faces)
    (settled,), after = events_of(here, Settle())
    assert settled.says(here) == words
    for now, shown in ((here, "prompt"), (after, "outcome")):
        view = ENGINE.view("table", now)
        assert isinstance(view, TableView)
        told = view.prompt.text if shown == "prompt" and view.prompt else view.outcome.detail if view.outcome else ""
        assert words.partition(", ")[2] in told


def test_a_tie_in_a_challenge_says_which_rule_broke_it() -> None:
    here = do(challenged("beta", 5, "beta", 3, reduce=4), RollChallenge(), 6, 1, 1, 6, 1, 1)
    events, _ = events_of(here, Settle())
    assert events[1].says(here) == "Hold the gate: SUCCESS WITH COMPLICATIONS (7 to 7: 5 dice beat rank 3)"
    hidden = do(challenged("beta", 5, "beta", 3, reduce=4, hidden=True), RollChallenge(), 6, 1, 1, 6, 1, 1)
    events, _ = events_of(hidden, Settle())
    assert events[1].says(hidden) == "Hold the gate: SUCCESS WITH COMPLICATIONS"
    assert "7 to 7" in events[1].whispers(hidden)


def test_a_success_that_was_bought_after_a_tie_does_not_speak_of_it() -> None:
    here = world(mira=hero("Mira", A={"alpha": 1}), guard=npc("Guard", B={"alpha": 2}))
    here = do(do(here, Oppose("mira", "A", "guard", "B"), 3, 3, 1), Buy())
    (settled,), _ = events_of(here, Settle())
    assert settled.says(here) == "Mira wins by 1"


def test_a_boost_adds_a_die_and_breaks_no_tie() -> None:
    here = world(mira=hero("Mira", A={"alpha": 2}), guard=npc("Guard", B={"alpha": 2}))
    boosted = put(here, "guard", boosts={"B": 1})
    after = do(boosted, Oppose("mira", "A", "guard", "B"), 3, 1, 3, 1, 2)
    assert after.now.roll is not None
    assert (after.now.roll.winner, after.now.roll.tie) == ("first", "first"), "rank 2 and rank 2: who began it"
