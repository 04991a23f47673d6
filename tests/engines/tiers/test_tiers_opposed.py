"""Opposed rolls: who wins, and what breaks a tie."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tiers_worlds import challenged, do, events_of, hero, npc, world

from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.engines.tiers.attack import Attack
from tabletop_tui.engines.tiers.challenge_roll import RollChallenge
from tabletop_tui.engines.tiers.chances import strength
from tabletop_tui.engines.tiers.opposed import Oppose
from tabletop_tui.engines.tiers.pools import pool
from tabletop_tui.engines.tiers.settle import Buy, Settle
from tabletop_tui.engines.tiers.world import (
    TiersRules,
    put,
)
from tabletop_tui.rules import TableView, choices, fields


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


# ---- what the other side answers with


def forge() -> Any:
    """A reaver, and Sefa whose highest tier is not her best answer."""
    hammer = {"charlie": 1, "beta": 4}
    sefa = hero(
        "Sefa", items={"Scale mail": {"beta": 3}}, Hammer=hammer, Climbing={"beta": 3}, Crafting={"charlie": 2}
    )
    return world(sefa=sefa, reaver=npc("Ash reaver", Spear={"alpha": 3}, Claws={"charlie": 2}))


def answers(kind: type[Oppose], here: Any, **said: str) -> list[str]:
    """What the form offers the other side, in its order."""
    using = next(f for f in fields(kind) if f.name == "using")
    return [str(c.value) for c in choices(using, here, said)]


def test_the_target_of_an_attack_defends_with_its_best_answer_unless_told_otherwise() -> None:
    assert answers(Attack, forge(), who="reaver", skill="Spear", against="sefa")[0] == "Hammer:beta"


@pytest.mark.parametrize("kind", [Attack, Oppose])
@pytest.mark.parametrize("skill", ["Spear", "Claws"])
def test_answers_stand_in_the_order_of_the_chances_that_they_leave(kind: type[Oppose], skill: str) -> None:
    here = forge()
    found = answers(kind, here, who="reaver", skill=skill, against="sefa")
    odds = [ENGINE.odds(here, kind("reaver", skill, "sefa", using)) for using in found]
    chances = [one.groups[0].chances[0].chance for one in odds if one]
    assert len(chances) == 5
    assert chances == pytest.approx(sorted(chances))
    assert set(found) == {"Hammer", "Hammer:beta", "Climbing", "Crafting", "Scale mail"}


def test_a_boost_makes_an_answer_better() -> None:
    here = world(mira=hero("Mira", A={"beta": 2}), guard=npc("Guard", B={"alpha": 3}, C={"alpha": 2}))
    asked = {"who": "mira", "skill": "A", "against": "guard"}
    assert answers(Attack, here, **asked) == ["B", "C"]
    assert answers(Attack, put(here, "guard", boosts={"C": 2}), **asked) == ["C", "B"]


def test_without_a_skill_to_answer_the_strongest_pool_comes_first() -> None:
    here = forge()
    pools = [
        strength(here.rules, tuple(pool(here, "sefa", skill, False)))
        for skill in answers(Attack, here, against="sefa")
    ]
    assert pools == sorted(pools, reverse=True)
    assert len(pools) == 5
    assert answers(Attack, here) == []
