"""Turns by an opposed roll of a named skill."""

from __future__ import annotations

import pytest
from tiers_worlds import do, hero, npc, world

from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.engines.tiers.initiative import RollOrder
from tabletop_tui.engines.tiers.world import TiersRules, TiersWorld
from tabletop_tui.rules import Refused, fields
from tabletop_tui.rules.ask import choices
from tabletop_tui.rules.conformance import check_odds


def people(rules: TiersRules | None = None) -> TiersWorld:
    return world(
        None,
        rules,
        rook=hero("Rook", Dodge={"alpha": 2}),
        mira=hero("Mira", "Bo", Dodge={"alpha": 1}),
        ogre=npc("Ogre", Dodge={"beta": 1}),
        wisp=npc("Wisp"),
    )


def test_the_highest_die_goes_first_and_explodes_once() -> None:
    # the dice fall in the order of ties: the Ogre's d6, Rook's two d4, Mira's d4, the Wisp's d4 (it has no Dodge)
    after = do(people(), RollOrder("Dodge"), 3, 4, 1, 2, 1, 2)
    turns = after.now.turns
    assert turns.order == ("rook", "ogre", "mira", "wisp")  # Rook's 4 explodes into 6
    assert turns.current == "rook"
    assert {w: f.side for w, f in turns.fighters.items()} == {
        "rook": "heroes", "ogre": "foes", "mira": "heroes", "wisp": "foes"
    }  # fmt: skip


def test_ties_go_to_the_tier_then_the_rank_then_the_players() -> None:
    after = do(people(), RollOrder("Dodge"), 2, 2, 1, 2, 2)
    assert after.now.turns.order == ("ogre", "rook", "mira", "wisp")


def test_the_houses_skill_is_proposed_first() -> None:
    here = people(TiersRules(order_skill="Reflexes"))
    assert [c.value for c in choices(fields(RollOrder)[0], here, {})] == ["Reflexes", "Dodge"]


def test_only_those_named_roll_and_a_running_order_refuses() -> None:
    after = do(people(), RollOrder("Dodge", ("rook", "wisp")), 3, 2, 1)
    assert after.now.turns.order == ("rook", "wisp")
    with pytest.raises(Refused, match="running"):
        do(after, RollOrder("Dodge"))


@pytest.mark.parametrize("who", [("rook", "mira"), ("mira", "ogre"), ("rook", "wisp"), ("mira", "wisp")])
def test_the_chance_to_go_first_is_that_of_walking_down_every_face(who: tuple[str, ...]) -> None:
    check_odds(ENGINE, people(), RollOrder("Dodge", who), most=600_000)


def test_the_gms_own_keep_their_chances_secret() -> None:
    odds = ENGINE.odds(people(), RollOrder("Dodge"))
    assert odds is not None
    assert odds.secret
    assert sum(c.chance for c in odds.groups[0].chances) == pytest.approx(1, abs=1e-12)
