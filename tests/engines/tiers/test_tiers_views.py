"""What the screens are given: the Leads of a challenge, what whoever is up can do, and what people carry."""

from __future__ import annotations

from typing import Any

from playing import sure
from tiers_worlds import challenged, do, hero, lost, npc, world

from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.engines.tiers.attack import Attack
from tabletop_tui.engines.tiers.challenge import Improvise, Lead
from tabletop_tui.engines.tiers.challenge_roll import RollChallenge
from tabletop_tui.engines.tiers.consequences import RecordConsequence
from tabletop_tui.engines.tiers.health import Hurt
from tabletop_tui.engines.tiers.initiative import BeginTurns, PassTurn
from tabletop_tui.engines.tiers.points import Boost
from tabletop_tui.engines.tiers.settle import Buy, Settle
from tabletop_tui.engines.tiers.views import challenge_view, sheet_view, table_view
from tabletop_tui.engines.tiers.world import TiersRules
from tabletop_tui.kit.common import BeginCondition
from tabletop_tui.kit.order import EndEncounter, Hide
from tabletop_tui.rules import Action, fields, strip
from tabletop_tui.rules.ask import choices


def smithy() -> Any:
    """Sefa's hammer is better at its lower tier."""
    return world(sefa=hero("Sefa", bonus=1, Hammer={"charlie": 1, "beta": 4}, Crafting={"charlie": 2}))


# ---- who could lead


def test_a_skill_can_lead_at_every_tier_that_the_sheet_has() -> None:
    here = do(smithy(), Improvise("Climb", "beta", 3))
    leads = challenge_view(here).leads
    assert [o.label[7:] for o in leads] == ["Hammer beta 4", "Crafting charlie 2", "Hammer charlie 1"]
    here = do(here, leads[0].action)
    view = challenge_view(here)
    assert sure(here.now.challenge).skill == "Hammer:beta"
    assert view.lead == "Sefa leads · Hammer beta 4"
    assert [o.action for o in view.leads if o.chosen] == [Lead("sefa", "Hammer:beta")]


# ---- the Lead's Bonus Die


def test_the_only_bonus_die_is_none_left_once_it_is_in_and_its_dice_say_their_tier() -> None:
    here = do(do(smithy(), Improvise("Climb", "beta", 1)), Lead("sefa", "Crafting"))
    (before,) = challenge_view(here).extras
    assert (before.chosen, before.note) == (False, "1 left")
    here = do(here, before.action)
    view = challenge_view(here)
    assert (view.extras[0].chosen, view.extras[0].note) == (True, "0 left")
    die = view.pools[0].parts[-1]
    assert (die.source, die.dice, die.note) == ("Bonus Die", "1d6", "beta")
    after = do(here, RollChallenge(), 1, 2, 3, 4)
    assert challenge_view(after).pools[0].parts[-1] == die, "it is the same after it has fallen"


# ---- a boost


def boosted(rules: TiersRules | None = None) -> Any:
    """The ogre's Club has a rank more for its next roll; a reaver is out."""
    here = world(
        rules=rules,
        mira=hero("Mira", Warding={"beta": 3}),
        ogre=npc("Ogre", {"Hide": {"beta": 1}}, Club={"beta": 3, "alpha": 1}),
        reaver=npc("Ash reaver", Spear={"alpha": 3}),
    )
    return do(do(here.live(complications=2), Boost("ogre", "Club")), Hurt("reaver", 999))


def test_a_boost_stands_beside_what_it_is_for() -> None:
    words = ["Club beta 3 +1", "Hide beta 1", "Club alpha 1 +1"]
    assert [c.words for c in asked(Attack, boosted(), who="ogre")["skill"]] == words
    answers = ["Club beta 3 +1", "Club alpha 1 +1", "Hide beta 1"]  # the best for the ogre first
    assert [c.words for c in asked(Attack, boosted(), who="mira", against="ogre")["using"]] == answers


def test_a_boost_is_offered_to_those_who_stand_before_those_who_are_out() -> None:
    assert [(c.words, c.note) for c in asked(Boost, boosted())["who"]] == [("Ogre", ""), ("Ash reaver", "out")]


def test_players_are_not_told_of_a_boost_even_where_npcs_are_open() -> None:
    seen = ENGINE.seen_by(boosted(TiersRules(open_npcs=True)), "mira")
    assert asked(Attack, seen, who="mira", against="ogre")["using"][0].words == "Club beta 3"


def asked(kind: type[Action], here: Any, **answers: str) -> dict[str, Any]:
    """The choices of every field, after some answers."""
    return {f.name: choices(f, here, answers) for f in fields(kind)}


# ---- the sheet


def test_a_sheet_begins_with_what_somebody_carries_and_is_under() -> None:
    here = do(smithy(), RecordConsequence("sefa", "an arm in a sling", sessions=2))
    here = do(
        do(here, RecordConsequence("sefa", "hunted by the Ash King", lasting=True)),
        BeginCondition("sefa", "poisoned"),
    )
    carried, under, *rest = sure(sheet_view(here, "sefa")).sections
    assert [s.title for s in rest] == ["levels", "skills"]
    assert (carried.title, [(x.value, x.because) for x in carried.lines]) == (
        "Consequences",
        [("an arm in a sling", "2 sessions"), ("hunted by the Ash King", "lasting")],
    )
    assert (under.title, [(x.value, x.because) for x in under.lines]) == (
        "conditions",
        [("poisoned", "until removed")],
    )


# ---- what whoever is up can do


def fight() -> Any:
    """Mira is up, then Rook, then two reavers."""
    here = world(
        mira=hero("Mira", Warding={"beta": 3}),
        rook=hero("Rook", Dodge={"alpha": 1}),
        reaver=npc("Ash reaver", Spear={"alpha": 1}),
        ogre=npc("Ogre", Club={"beta": 1}),
    )
    return do(here, BeginTurns(("mira", "rook", "reaver", "ogre")))


def likeliest(here: Any) -> list[tuple[str, str]]:
    return [(o.label, o.note) for o in table_view(here).acts]


def test_the_next_turn_comes_first_once_whoever_is_up_has_rolled() -> None:
    here = fight()
    fresh = [("attack", ""), ("opposed roll", "two skills, no harm"), ("next", "Rook")]
    assert likeliest(here) == fresh
    here = do(do(here, Attack("rook", "Dodge", "reaver", "Spear"), 1, 2), Settle())
    assert likeliest(here) == fresh, "Rook's roll is not Mira's"
    here = do(do(here, Attack("mira", "Warding", "reaver", "Spear"), 3, 2, 1, 2), Settle())
    assert likeliest(here) == [("next", "Rook"), ("attack", "again"), ("opposed roll", "two skills, no harm")]
    here = do(here, PassTurn())
    assert likeliest(here)[0] == ("attack", "")
    for _ in range(4):
        here = do(here, PassTurn())
    assert (here.now.turns.current, here.now.turns.round) == ("rook", 2)
    assert likeliest(here)[0] == ("attack", "")


def test_turns_end_where_nobody_is_left_to_fight() -> None:
    here = do(fight(), Hurt("reaver", 999))
    assert likeliest(here)[0] == ("attack", "")
    here = do(here, Hurt("ogre", 999))
    assert likeliest(here) == [("end turns", "nobody is left to fight"), ("next", "Rook")]


def test_turns_of_the_party_alone_are_not_a_fight_that_is_over() -> None:
    here = do(do(fight(), EndEncounter()), BeginTurns(("mira", "rook")))
    assert likeliest(here)[0] == ("attack", "")


def test_players_do_not_learn_of_a_hidden_foe_by_what_they_can_do() -> None:
    here = do(do(fight(), Hide("ogre")), Hurt("reaver", 999))
    view = table_view(here)
    assert view.acts[0].label == "attack"
    assert sure(view.seen).acts[0].label == "end turns"


# ---- before it counts


def test_before_an_attack_counts_the_gm_reads_what_it_will_do() -> None:
    here = do(fight(), Attack("mira", "Warding", "reaver", "Spear"), 3, 2, 1, 2)
    so_far = sure(sure(table_view(here).prompt).so_far)
    before = here.now.people["reaver"].hp
    here = do(here, Settle())
    after = here.now.people["reaver"].hp
    assert after < before
    assert so_far.secret_detail == f"{before - after} damage: HP {before} → {after}"
    assert so_far.title == "Mira wins by 1"


def test_players_are_told_the_damage_and_not_what_a_foe_has_left() -> None:
    here = do(fight(), Attack("mira", "Warding", "reaver", "Spear"), 3, 2, 1, 2)
    told = sure(sure(strip(table_view(here)).prompt).so_far)
    assert told.secret_detail == ""
    assert "damage" in told.detail
    assert "HP" not in told.detail


def test_the_margin_of_a_hidden_challenge_is_for_the_gm_before_and_after_it_counts() -> None:
    here = do(challenged("beta", 2, "beta", 2, hidden=True), RollChallenge(), 5, 2, 3, 1)
    before = sure(sure(challenge_view(here).prompt).so_far)
    assert (before.detail, before.secret_detail) == ("", "margin 2")
    after = challenge_view(do(here, Settle()))
    assert sure(after.outcome).secret_detail == "margin 2"
    assert "margin" not in repr(strip(after).outcome)
    tied = do(challenged("beta", 2, "beta", 2, hidden=True), RollChallenge(), 5, 2, 5, 1)
    assert sure(sure(challenge_view(tied).prompt).so_far).secret_detail == "5 to 5: Mira began it"


def test_what_broke_a_tie_stands_beside_a_short_headline() -> None:
    here = do(fight(), Attack("mira", "Warding", "reaver", "Spear"), 3, 2, 1, 3)
    so_far = sure(sure(table_view(here).prompt).so_far)
    assert so_far.title == "Mira wins"
    assert so_far.detail.startswith("3 to 3: ")


def test_whoever_could_buy_success_is_named() -> None:
    (buy,) = [o for o in sure(table_view(lost()).prompt).options if o.action == Buy()]
    assert buy.label == "Mira buys success: the GM gains 2"


def test_what_a_challenge_will_mean_is_for_the_gm_and_follows_what_was_prepared() -> None:
    here = do(smithy(), Improvise("Forge it", "beta", 3, "the blade holds"))
    here = do(here, Lead("sefa", "Hammer"))
    means = {one.label: one.value for one in challenge_view(here).secret_means}
    assert means == {"success": "the blade holds", "failure": "the Lead: shaken by Forge it"}
    assert strip(challenge_view(here)).secret_means == ()
