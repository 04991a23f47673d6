"""Turns by an opposed roll of a named skill."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tiers_worlds import do, events_of, hero, npc, world

from tabletop_tui.conformance import check_odds
from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.engines.tiers.health import Hurt
from tabletop_tui.engines.tiers.initiative import RollOrder
from tabletop_tui.engines.tiers.points import Boost
from tabletop_tui.engines.tiers.world import TiersRules, TiersWorld
from tabletop_tui.rules import Refused, fields
from tabletop_tui.rules.ask import choices


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
    # the dice fall in the order of ties: the Ogre's d6, Rook's two d4, Mira's d4
    after = do(people(), RollOrder("Dodge"), 3, 4, 1, 2, 2)
    turns = after.now.turns
    assert turns.order == ("rook", "ogre", "mira", "wisp")  # Rook's 4 explodes into 6
    assert turns.current == "rook"
    assert {w: f.side for w, f in turns.fighters.items()} == {
        "rook": "heroes", "ogre": "foes", "mira": "heroes", "wisp": "foes"
    }  # fmt: skip


def test_ties_go_to_the_tier_then_the_rank_then_the_players() -> None:
    after = do(people(), RollOrder("Dodge"), 2, 2, 1, 2)
    assert after.now.turns.order == ("ogre", "rook", "mira", "wisp")


def test_the_houses_skill_is_proposed_first() -> None:
    here = people(TiersRules(order_skill="Reflexes"))
    assert [c.value for c in choices(fields(RollOrder)[0], here, {})] == ["Reflexes", "Dodge"]


def test_only_those_named_roll_and_a_running_order_refuses() -> None:
    after = do(people(), RollOrder("Dodge", ("rook", "wisp")), 3, 2)
    assert after.now.turns.order == ("rook", "wisp")
    with pytest.raises(Refused, match="running"):
        do(after, RollOrder("Dodge"))


def test_where_only_the_out_are_named_nobody_else_rolls_in_their_place() -> None:
    here = do(people(), Hurt("rook", 999))
    with pytest.raises(Refused, match="nobody who takes part has Dodge"):
        do(here, RollOrder("Dodge", ("rook",)))
    assert do(here, RollOrder("Dodge"), 1, 1).now.turns.order == ("ogre", "mira", "wisp")


def test_a_skill_for_turns_that_nobody_has_is_a_warning() -> None:
    (problem,) = ENGINE.problems(people(TiersRules(order_skill="Doge")))
    assert (problem.path, problem.warning, problem.known) == (("rules", "order_skill"), True, ("Dodge",))


def test_whoever_lacks_the_skill_goes_last_without_a_roll() -> None:
    here = people()
    here = replace(here, sheets={**here.sheets, "anna": hero("Anna")})
    events, after = events_of(here, RollOrder("Dodge"), 1, 1, 1, 1)
    assert after.now.turns.order[-2:] == ("anna", "wisp")  # players before the GM's own
    assert events[0].says(here).endswith("; without it, last: Anna, Wisp")


def test_an_item_is_not_a_skill_for_turns() -> None:
    here = world(rook=hero("Rook", Dodge={"alpha": 1}), ogre=npc("Ogre", items={"Dodge": {"beta": 3}}))
    assert do(here, RollOrder("Dodge"), 1).now.turns.order == ("rook", "ogre")


def test_where_unlisted_skills_count_everybody_rolls() -> None:
    after = do(people(TiersRules(unlisted_skills=True)), RollOrder("Dodge"), 2, 2, 1, 2, 3)
    assert after.now.turns.order == ("wisp", "ogre", "rook", "mira")


def test_a_skill_that_nobody_has_is_refused() -> None:
    with pytest.raises(Refused, match="nobody here has it"):
        do(people(TiersRules(order_skill="Reflexes")), RollOrder("Reflexes"))


def test_a_skill_that_nobody_of_those_named_has_is_refused() -> None:
    with pytest.raises(Refused, match="nobody who takes part has Dodge"):
        do(people(), RollOrder("Dodge", ("wisp",)))


def test_a_boost_of_the_skill_counts_in_a_roll_for_turns_and_is_used_up() -> None:
    here = do(people().live(complications=2), Boost("ogre", "Dodge"))
    after = do(here, RollOrder("Dodge", ("rook", "ogre")), 1, 5, 2, 3)
    assert after.now.turns.order == ("ogre", "rook")
    assert not after.now.people["ogre"].boosts


def test_the_odds_of_turns_count_a_boost() -> None:
    here = do(people().live(complications=2), Boost("ogre", "Dodge"))
    check_odds(ENGINE, here, RollOrder("Dodge", ("mira", "ogre")), most=600_000)


@pytest.mark.parametrize("who", [("rook", "mira"), ("mira", "ogre"), ("rook", "wisp"), ("mira", "wisp")])
def test_the_chance_to_go_first_is_that_of_walking_down_every_face(who: tuple[str, ...]) -> None:
    check_odds(ENGINE, people(), RollOrder("Dodge", who), most=600_000)


def test_the_gms_own_keep_their_chances_secret() -> None:
    odds = ENGINE.odds(people(), RollOrder("Dodge"))
    assert odds is not None
    assert odds.secret
    assert sum(c.chance for c in odds.groups[0].chances) == pytest.approx(1, abs=1e-12)
