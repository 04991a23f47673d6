"""What the screens are given: the Leads of a challenge, what whoever is up can do, and what people carry."""

from __future__ import annotations

from typing import Any

from playing import sure
from tiers_worlds import do, hero, world

from tabletop_tui.engines.tiers.challenge import Improvise, Lead
from tabletop_tui.engines.tiers.challenge_roll import RollChallenge
from tabletop_tui.engines.tiers.views import challenge_view


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
