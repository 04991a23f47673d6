"""What once started an argument: fights beside challenges, who still counts, what points buy."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tiers_worlds import do, hero, npc, world

from tabletop_tui.engines.tiers import ENGINE
from tabletop_tui.engines.tiers.attack import Attack
from tabletop_tui.engines.tiers.challenge import Close, DeclareBonus, Improvise, Lead
from tabletop_tui.engines.tiers.challenge_roll import Reroll, RollChallenge
from tabletop_tui.engines.tiers.health import Hurt
from tabletop_tui.engines.tiers.initiative import BeginTurns, JoinTurns, RollOrder
from tabletop_tui.engines.tiers.opposed import Oppose
from tabletop_tui.engines.tiers.points import ForcedSpend, Spend
from tabletop_tui.engines.tiers.settle import Buy, Claim, ForceReroll, Settle, Strike
from tabletop_tui.engines.tiers.support import GiveSupport, closed
from tabletop_tui.engines.tiers.world import Plan, TiersScene, TiersWorld
from tabletop_tui.rules import ChallengeView, Refused, TableView


def gate() -> TiersWorld:
    """Mira leads with Warding, Rook assists her, Sil has prepared with Lore; a guard stands by."""
    here = world(
        mira=hero("Mira", bonus=1, Warding={"alpha": 2}, Lore={"alpha": 1}),
        rook=hero("Rook", "Ben", Warding={"alpha": 1}, Strike={"alpha": 2}),
        sil=hero("Sil", "Cho", Lore={"alpha": 2}),
        guard=npc("Guard", Strike={"alpha": 1}),
    )
    here = do(here, Improvise("Hold the gate", "alpha", 2))
    here = do(here, Lead("mira", "Warding"))
    here = do(here, GiveSupport("rook", "direct", "Warding"))
    return do(here, GiveSupport("sil", "prepare", "Lore"))


def blow(here: TiersWorld, *faces: int) -> TiersWorld:
    """Rook strikes the guard."""
    return do(here, Attack("rook", "Strike", "guard", "Strike"), *faces)


def test_a_fight_in_between_does_not_freeze_a_challenge() -> None:
    hit = blow(gate(), 3, 2, 1)
    with pytest.raises(Refused, match="does not count yet"):
        do(hit, Lead("rook", "Warding"))
    over = do(hit, Settle())
    rolled = do(over, RollChallenge(), 2, 3, 1, 1, 2)
    assert rolled.now.roll is not None
    assert rolled.now.roll.kind == "challenge"


def test_a_challenge_that_is_over_stays_over_on_its_page_after_a_fight() -> None:
    over = do(do(do(gate(), RollChallenge(), 3, 3, 1, 1, 1), Reroll()), Settle())
    for later in (do(blow(over, 3, 2, 1), Settle()), do(over, RollOrder("Strike"), 3, 2, 1)):
        view = ENGINE.view("challenge", later)
        assert isinstance(view, ChallengeView)
        assert view.outcome is not None
        assert (view.outcome.title, view.prompt, view.roll) == ("success", None, None)


def test_no_challenge_is_offered_while_a_blow_waits() -> None:
    hall = TiersScene("Hall", challenges={"door": Plan("Open the door", "alpha", 2)})
    here = replace(do(gate(), Close()), scenes={"hall": hall})
    for now, why in ((here, ""), (blow(here, 3, 2, 1), "a roll on the table does not count yet")):
        view = ENGINE.view("challenge", now)
        assert isinstance(view, ChallengeView)
        assert [o.closed for o in view.open] == [why]


def test_no_unsettled_roll_is_wiped_off_the_table() -> None:
    hit = blow(gate(), 3, 2, 1)
    with pytest.raises(Refused, match="does not count yet"):
        do(hit, RollOrder("Strike"))
    assert do(hit, Close()).now.roll == hit.now.roll
    rolled = do(gate(), RollChallenge(), 2, 3, 1, 1, 2)
    with pytest.raises(Refused, match="its roll waits"):
        do(rolled, Close())


def test_a_bonus_die_is_spent_once() -> None:
    declared = do(gate(), DeclareBonus(True))
    hit = do(declared, Attack("mira", "Warding", "guard", "Strike", True), 2, 3, 4, 1)
    with pytest.raises(Refused, match="no Bonus Die left"):
        do(do(hit, Settle()), RollChallenge())


def test_whoever_is_out_neither_leads_nor_supports() -> None:
    with pytest.raises(Refused, match="Mira is out: choose another Lead"):
        do(do(gate(), Hurt("mira", 999)), RollChallenge())
    with pytest.raises(Refused, match="Rook is out: withdraw their support"):
        do(do(gate(), Hurt("rook", 999)), RollChallenge())
    view = ENGINE.view("challenge", do(gate(), Hurt("mira", 999)))
    assert isinstance(view, ChallengeView)
    assert view.roll_closed == "Mira is out: choose another Lead"
    prepared = do(do(gate(), Hurt("sil", 999)), RollChallenge(), 2, 3, 1, 1, 2)  # what is prepared is prepared
    assert prepared.now.roll is not None


def test_whoever_is_out_has_no_turn() -> None:
    down = do(gate(), Hurt("mira", 999))
    begun = do(down, BeginTurns(("mira", "rook")))
    assert (begun.now.turns.current, begun.now.turns.fighters["mira"].out) == ("rook", True)
    joined = do(do(down, BeginTurns(("rook", "guard"))), JoinTurns("mira"))
    assert joined.now.turns.fighters["mira"].out
    rolled = do(down, RollOrder("Strike", ("mira", "rook", "guard")), 2, 3, 1)
    assert "mira" not in rolled.now.turns.order
    with pytest.raises(Refused, match="nobody of those can act"):
        do(down, BeginTurns(("mira",)))


def test_a_dramatic_failure_saves_nobody_from_a_worse_one() -> None:
    here = gate().live(complications=10)
    hurt = do(here, Attack("guard", "Strike", "rook", "Strike"), 4, 1, 1, 4)  # 8 against 1
    assert hurt.now.roll is not None
    struck = do(hurt, Strike("rook", "his guard drops"))
    assert struck.now.roll is not None
    assert (struck.now.roll.margin, struck.now.roll.fixed) == (hurt.now.roll.margin, "struck")
    waits = do(here, RollChallenge(), 2, 3, 1, 1, 2)
    assert waits.now.roll is not None
    assert waits.now.roll.stage == "reroll"
    with pytest.raises(Refused, match="can still be rerolled"):
        do(waits, Strike("mira", "the hinge gives"))


def test_success_is_bought_once_and_an_upset_that_was_claimed_stays() -> None:
    here = world(ana=hero("Ana", Strike={"alpha": 1}), ben=hero("Ben", "Ben", Strike={"alpha": 1}))
    lost = do(here, Oppose("ana", "Strike", "ben", "Strike"), 1, 3)
    with pytest.raises(Refused, match="bought already"):
        do(do(lost, Buy()), Buy())
    tiers = world(
        ana=hero("Ana", Strike={"alpha": 1}, levels={"alpha": 1}),
        ogre=npc("Ogre", Strike={"beta": 1}, levels={"beta": 1}),
    ).live(complications=3)
    upset = do(tiers, Attack("ana", "Strike", "ogre", "Strike"), 4, 3, 2)
    claimed = do(upset, Claim())
    with pytest.raises(Refused, match="has been claimed"):
        do(claimed, ForceReroll("first/0"))
    with pytest.raises(Refused, match="has been claimed"):
        do(claimed.live(complications=5), Strike("ana", "the blade breaks"))
    view = ENGINE.view("table", claimed.live(complications=5, due=5))
    assert isinstance(view, TableView)
    assert view.prompt is not None
    assert [o.action for o in view.prompt.options] == [Settle(), Spend(5)]


def test_a_forced_spend_can_always_be_met() -> None:
    here = world(ana=hero("Ana", Strike={"alpha": 1})).live(complications=10, due=5, owed=True)
    with pytest.raises(Refused, match="not spent yet"):
        do(here, ForcedSpend())
    for due in (3, 1, 0):
        here = do(here, Spend(2, "bit by bit"))
        assert here.now.due == due
    assert here.now.complications == 4


def test_preparing_takes_another_skill_than_the_leads_and_the_log_tells_who_stops_supporting() -> None:
    with pytest.raises(Refused, match="Sil has prepared with it"):
        do(gate(), Lead("mira", "Lore"))
    here = gate()
    assert here.now.challenge is not None
    only_rook = replace(here.now.challenge, supports={"rook": here.now.challenge.supports["rook"]})
    here = here.live(challenge=only_rook)
    (changed,) = Lead("mira", "Lore").resolve(here, None)  # type: ignore[arg-type]  # no dice fall
    assert changed.says(here) == "Mira leads with Lore alpha 1, without the support of Rook"


def test_an_item_is_no_skill() -> None:
    here = gate()
    shield = replace(here.sheets["sil"], items={"Warding": {"alpha": 3}})
    assert closed(replace(here, sheets={**here.sheets, "sil": shield}), "sil", "direct") != ""
    assert closed(here, "rook", "direct") == ""
