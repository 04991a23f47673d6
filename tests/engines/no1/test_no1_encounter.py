"""Encounters: opening, popcorn order, seizing, rounds, the Timer, the end, and who takes part."""

from __future__ import annotations

from typing import Any

import pytest
from no1_table import do, fight, gone, table, told

from tabletop_tui.engines.no1 import ENGINE
from tabletop_tui.engines.no1.cast import Afflict, Down, DropIn, Hide, Reveal, can_hide
from tabletop_tui.engines.no1.challenge import SetChallenge
from tabletop_tui.engines.no1.encounter import Begin, End, EndRound, EnterScene
from tabletop_tui.engines.no1.hazards import AddZone, Place, SetHazard, hazards_in
from tabletop_tui.engines.no1.initiative import Delay, Next, Skip, may_go
from tabletop_tui.engines.no1.roll import Act, Shift
from tabletop_tui.engines.no1.spending import Adjust
from tabletop_tui.kit.order import hidden_ones
from tabletop_tui.kit.seen import unseen
from tabletop_tui.rules import Dice, Refused, TableView, fields
from tabletop_tui.rules.ask import choices


def test_begin_sets_challenge_timer_zones_and_everybodys_place() -> None:
    world = fight()
    now = world.now
    assert (now.scene, now.challenge, now.turns.timer, now.turns.round) == ("bridge", 2, 3, 1)
    assert now.turns.mode == "popcorn"
    assert now.turns.order == ("mira", "rook", "ogre", "Warden 1", "Warden 2", "Warden 3", "spy")
    assert now.positions["rook"] == "span"
    assert now.positions["mira"] == "bank"  # the first zone
    assert now.copies == {"Warden 1": "warden", "Warden 2": "warden", "Warden 3": "warden"}
    assert world.name("Warden 2") == "Warden 2"
    assert now.turns.fighters["spy"].hidden


@pytest.mark.parametrize(
    ("heroes", "foes", "tie", "first"),
    [
        ((4, 4), (4, 3), "heroes", "heroes"),
        ((4, 1), (4, 5), "heroes", "foes"),
        ((4, 1), (1, 6), "heroes", "heroes"),
        ((4, 1), (1, 6), "foes", "foes"),
    ],
)
def test_more_hits_in_the_opening_test_acts_first(heroes: Any, foes: Any, tie: str, first: str) -> None:
    world = do(table({"opening_tie": tie}), Begin("bridge"), *heroes, *foes)
    assert world.now.turns.holder == first
    assert (world.now.momentum, world.now.entropy) == (0, 0)  # an opening 1 costs nothing


def test_the_gm_can_say_who_acts_first_and_how_hard_it_is() -> None:
    world = do(table(), Begin("bridge", "foes", 5, 2))
    assert (world.now.turns.holder, world.now.challenge, world.now.turns.timer) == ("foes", 5, 2)


def test_the_form_proposes_the_scene_that_is_on() -> None:
    scene, *_ = fields(Begin)
    assert scene.ask.first
    assert [c.value for c in choices(scene, table(scene="bridge"), {})] == ["bridge", ""]


def test_an_encounter_without_a_scene_has_one_zone_and_no_foes() -> None:
    world = do(table(challenge=4), Begin())
    assert world.now.turns.order == ("mira", "rook")
    assert (list(world.now.zones), world.now.challenge, world.now.turns.timer) == (["here"], 4, None)
    assert world.now.turns.holder == "heroes"


def test_a_new_encounter_keeps_the_counters_unless_the_house_says_otherwise() -> None:
    world = do(table(momentum=3, entropy=2), Begin("bridge", "heroes"))
    assert (world.now.momentum, world.now.entropy) == (3, 2)
    world = do(table({"keep_counters": False}, momentum=3, entropy=2), Begin("bridge", "heroes"))
    assert (world.now.momentum, world.now.entropy) == (0, 0)


def test_popcorn_picks_of_the_holding_side_and_nobody_twice() -> None:
    world = fight()
    assert may_go(world)[:2] == ["mira", "rook"]
    world = do(world, Next("rook"))
    with pytest.raises(Refused, match="the heroes hold the Initiative"):
        do(world, Next("ogre"))
    world = gone(world, "mira")
    with pytest.raises(Refused, match="has acted this round"):
        do(world, Next("mira"))
    world = gone(world, "rook")
    assert set(may_go(world)) == {"ogre", "Warden 1", "Warden 2", "Warden 3", "spy"}  # all heroes have gone


def test_whoever_is_up_and_has_not_rolled_steps_back_when_another_is_picked() -> None:
    world = do(do(fight(), Afflict("rook", "dazed", "start", 2)), Afflict("rook", "shaken", "end"))
    world, _, said = told(do(world, Next("rook")), Next("mira"))
    assert said == ["Rook delays", "Mira is up"]
    assert not world.now.turns.fighters["rook"].acted
    world = do(do(world, Act("mira", "Lore"), 5, 5), Next("rook"))
    assert world.now.turns.fighters["mira"].acted
    # a turn starts once in a round, and one that was not taken has not ended
    assert {c.what: c.left for c in world.now.conditions.values()} == {"dazed": 1, "shaken": 1}


def test_a_hidden_foe_goes_only_when_its_side_may() -> None:
    world = do(fight(), Next("rook"))
    assert "spy" not in may_go(world)
    with pytest.raises(Refused, match="the heroes hold the Initiative"):
        do(world, Next("spy"))
    assert "spy" in may_go(fight(first="foes"))
    assert "spy" in may_go(gone(fight(), "rook", "mira"))


def test_a_seized_initiative_lets_the_other_side_pick_from_those_who_have_not_acted() -> None:
    world = do(do(fight(), Next("mira")).live(spent={"mira": {"Curious": 1}}), Act("mira", "Lore"), 1, 5)
    assert "rook" not in may_go(world)
    world = do(world, Next("ogre"))
    world = do(world.live(spent={"ogre": {"Rage": 1}}), Act("ogre", "Smash"), 1, 5, 2)
    assert world.now.turns.holder == "heroes"
    assert may_go(world) == ["rook"]  # mira has gone


def test_the_round_ends_when_all_have_acted_and_the_timer_drops() -> None:
    world = gone(fight(), "rook", "mira", "ogre", "Warden 1", "Warden 2", "Warden 3", "spy")
    assert Next.when(world) == "everybody has acted: end the round"
    world, _, said = told(world, EndRound())
    assert (world.now.turns.round, world.now.turns.timer, world.now.turns.current) == (2, 2, "")
    assert not any(f.acted for f in world.now.turns.fighters.values())
    assert said == ["Round 2, timer 2"]


def test_a_round_that_is_ended_early_says_who_did_not_act() -> None:
    world, _, said = told(do(gone(fight(), "rook"), Next("mira")), EndRound())
    assert said[0] == "The round ends early, without Mira, Ogre, Warden 1, Warden 2, Warden 3"  # nobody sees the spy
    assert "mira" in may_go(world)
    crowd = do(fight(), DropIn("warden", 4))
    assert told(crowd, EndRound())[2][0].endswith("Warden 2 and 5 more")


def test_the_gm_is_told_of_as_many_as_were_asked_about_when_a_round_ends_early() -> None:
    world = gone(fight(), "rook")
    assert EndRound.warns(world) == "Mira and 5 others have not acted. End the round?"
    cut, *_ = EndRound().resolve(world, Dice(()))
    words = "The round ends early, without Mira, Ogre, Warden 1, Warden 2, Warden 3"
    assert (cut.says(world), cut.whispers(world)) == (words, "and without Spy, unseen")
    seen = do(world, Reveal("spy"))
    assert (cut.says(seen), cut.whispers(seen)) == (f"{words}, Spy", "")


def test_the_last_round_ends_without_another_and_a_round_more_begins_one() -> None:
    world, _, said = told(do(gone(fight(), "rook"), SetChallenge(2, 1)), EndRound())
    assert said[1:] == [
        "Round 1 is over, and the Timer has run out",
        "Momentum 0, Entropy 0: the scene hangs in the balance",
    ]
    assert (world.now.turns.round, world.now.turns.timer) == (1, 0)
    assert told(world, End())[2][0] == "The encounter ends in round 1"
    world = do(world, SetChallenge(2, 1))
    assert (world.now.turns.round, world.now.turns.timer, world.now.verdict) == (2, 1, "")
    assert "rook" in may_go(world)


def test_nobody_goes_on_when_the_timer_has_run_out() -> None:
    world = do(do(fight(), Next("rook")), SetChallenge(2, 0))
    assert world.now.verdict == "level"
    for action in (Act("rook"), Shift("rook", "defy")):
        with pytest.raises(Refused, match="the Timer has run out"):
            do(world, action)
    assert world.now.turns.current == "", "the round is over with its time"
    world = do(world, SetChallenge(2, 2))
    assert (world.now.turns.round, world.now.turns.timer) == (2, 2), "more time after it ran out begins a round"
    assert "rook" in may_go(world)


def test_a_comparison_is_of_the_numbers_beside_it() -> None:
    world = do(fight(momentum=3, entropy=2), SetChallenge(2, 0))
    world = do(world, Adjust("momentum", -3))
    shown = ENGINE.view("table", world)
    assert isinstance(shown, TableView)
    assert shown.outcome is not None
    assert (shown.outcome.title, shown.outcome.detail) == ("the scene turns the foes' way", "Momentum 0, Entropy 2")
    ended = do(world, End())
    assert ended.now.verdict == "foes"
    assert do(ended, Adjust("momentum", 9)).now.verdict == ""


def test_the_timer_can_be_taken_off() -> None:
    world, _, said = told(fight(), SetChallenge(2, no_timer=True))
    assert (world.now.turns.timer, said) == (None, ["no Timer"])
    assert do(world, EndRound()).now.turns.round == 2


@pytest.mark.parametrize(
    ("momentum", "entropy", "verdict"), [(3, 2, "heroes"), (2, 3, "foes"), (2, 2, "level"), (0, 0, "level")]
)
def test_at_timer_0_momentum_and_entropy_are_compared(momentum: int, entropy: int, verdict: str) -> None:
    world = do(fight(momentum=momentum, entropy=entropy), SetChallenge(2, 1))
    assert world.now.verdict == ""
    world = do(world, EndRound())
    assert (world.now.turns.timer, world.now.verdict) == (0, verdict)
    assert EndRound.when(world) == Next.when(world)
    assert Next.when(world) == "the Timer has run out: end the encounter, or give it a round more"
    world = do(world, End())
    assert (world.now.verdict, world.now.turns.running, world.now.momentum) == (verdict, False, momentum)


def test_ending_early_compares_too_and_clears_the_board_but_not_the_ranks() -> None:
    world = fight(momentum=1, spent={"rook": {"Stubborn": 1}, "Warden 1": {"x": 1}}, defied={"rook": 2})
    world, _, said = told(world, End())
    assert said == ["The encounter ends in round 1", "Momentum 1, Entropy 0: the scene turns the heroes' way"]
    now = world.now
    assert (now.copies, now.defied, now.challenge) == ({}, {}, 2)
    assert now.spent == {"rook": {"Stubborn": 1}}


def test_only_whoever_is_up_can_act() -> None:
    with pytest.raises(Refused, match="nobody has been picked to go"):
        do(fight(), Act("rook"))
    with pytest.raises(Refused, match="it is Mira's turn"):
        do(do(fight(), Next("mira")), Act("rook"))


# ---- who takes part


def test_delaying_steps_back_without_having_acted() -> None:
    world = do(do(fight(), Next("rook")), Delay())
    assert world.now.turns.current == ""
    assert "rook" in may_go(world)
    world = do(do(world, Next("mira")), Act("mira", "Lore"), 5, 5)
    with pytest.raises(Refused, match="their turn has begun"):
        do(world, Delay())
    with pytest.raises(Refused, match="nobody else of the heroes is left to go first"):
        do(do(world, Next("rook")), Delay())


def test_skipping_ends_a_turn_or_does_without_one() -> None:
    world = do(do(fight(), Next("rook")), Skip("rook"))
    assert (world.now.turns.current, world.now.turns.fighters["rook"].acted) == ("", True)
    world = do(world, Skip("mira"))
    assert "mira" not in may_go(world)


def test_somebody_out_of_the_fight_is_not_picked_and_is_no_hazard() -> None:
    world = do(fight(), Down("ogre"))
    assert hazards_in(world, "gate") == {}
    assert "ogre" not in may_go(do(do(world, Skip("rook")), Skip("mira")))
    assert hazards_in(do(world, Down("ogre")), "gate") == {"Ogre": 1}


def test_nobody_has_a_second_turn_by_going_down_and_getting_up() -> None:
    world = do(do(fight(), Next("mira")), Act("mira", "Lore"), 5, 5)
    world = do(do(world, Down("mira")), Down("mira"))
    assert "mira" not in may_go(world)


def test_a_side_of_which_nobody_is_left_holds_nothing() -> None:
    world = fight(first="foes")
    for who in ("Warden 1", "Warden 2", "Warden 3"):
        world = do(world, Down(who))
    assert world.now.turns.holder == "foes"
    world, _, said = told(world, Down("ogre"))  # the spy is no help: players would see that somebody holds it
    assert said == ["Ogre is out of the fight", "Nobody of the foes is left: the heroes hold the Initiative"]
    assert world.now.turns.holder == "heroes"


def test_an_ally_can_arrive_late() -> None:
    world = do(fight(), DropIn("warden", 2, "bank", side="heroes"))
    assert world.now.turns.fighters["Warden 4"].side == "heroes"
    assert {"Warden 4", "Warden 5"} < set(may_go(world))
    with pytest.raises(Refused, match="the players see their own side"):
        do(fight(), DropIn("warden", hidden=True, side="heroes"))
    late = do(table(retired=("rook",)), Begin("bridge", "heroes")).live(retired=())
    with pytest.raises(Refused, match="is a player's character"):
        do(late, DropIn("rook", side="foes"))


def test_dropping_in_more_of_a_kind_numbers_them_on() -> None:
    world, _, said = told(fight(), DropIn("warden", 2, "bank"))
    assert {"Warden 4", "Warden 5"} <= set(world.now.turns.fighters)
    assert world.now.positions["Warden 5"] == "bank"
    assert said == ["2 × Warden join (bank)"]
    world = do(world, DropIn("ogre"))  # a second ogre, where the scene has the first
    assert world.now.positions["Ogre 1"] == "gate"
    assert world.now.copies["Ogre 1"] == "ogre"


def test_dropping_in_hidden_foes_is_told_to_the_gm_alone() -> None:
    _, events, said = told(fight(), DropIn("warden", 2, "bank", True))
    assert said == []
    assert events[0].whispers(fight()) == "2 × Warden join (bank), unseen"


def test_a_hero_joins_once() -> None:
    with pytest.raises(Refused, match="is here already"):
        do(fight(), DropIn("rook"))
    with pytest.raises(Refused, match="one of a kind"):
        do(do(table(retired=("rook",)), Begin("bridge", "heroes")).live(retired=()), DropIn("rook", 2))


def test_revealing_a_hidden_foe_is_told_and_its_hazard_counts() -> None:
    world, _, said = told(fight(), Reveal("spy"))
    assert said == ["Spy appears"]
    assert hazards_in(world, "span") == {"falling span": 2, "Spy": 2}
    with pytest.raises(Refused, match="the players see their own side"):
        do(world, Hide("rook"))


def test_only_the_hidden_are_revealed_and_only_the_seen_can_hide() -> None:
    assert [c.value for c in hidden_ones(fight(), {})] == ["spy"]
    assert "spy" not in [c.value for c in can_hide(fight(), {})]
    assert Reveal.when(do(fight(), Reveal("spy"))) == "nobody is hidden"


def test_whoever_was_seen_in_an_encounter_stays_known_after_it() -> None:
    known = do(fight(), End()).now.met
    assert "ogre" in known
    assert "warden" in known, "identical foes by their one sheet"
    assert "spy" not in known
    after = do(do(fight(), Reveal("spy")), End())
    assert not unseen(after, "spy")


def test_moving_a_hidden_foe_is_whispered() -> None:
    world = fight()
    (moved,) = Place("spy", "bank").resolve(world, None)  # type: ignore[arg-type]  # no dice fall
    assert (moved.says(world), moved.whispers(world)) == ("", "Spy moves to bank, unseen")


def test_hazards_and_zones_change_during_play() -> None:
    world = do(fight(), SetHazard("bank", "fire", 3))
    assert hazards_in(world, "bank") == {"fire": 3}
    assert hazards_in(do(world, SetHazard("bank", "fire", 0)), "bank") == {}
    assert "far-bank" in do(world, AddZone("Far bank")).now.zones
    with pytest.raises(Refused, match="already"):
        do(world, AddZone("Bank"))


def test_conditions_end_at_the_start_or_end_of_a_turn_and_fall_on_single_foes() -> None:
    world = do(fight(), Afflict("rook", "dazed", "end"))
    world = do(world, Afflict("Warden 2", "prone", "start"))
    world = gone(world, "rook", "mira")
    assert [c.who for c in world.now.conditions.values()] == ["Warden 2"]
    world, _, said = told(world, Next("Warden 2"))
    assert "Warden 2 is no longer prone" in said
    with pytest.raises(Refused, match="is hidden"):
        do(world, Afflict("spy", "burning"))


def test_setting_a_scene_leaves_the_challenge_until_its_encounter_begins() -> None:
    world = do(table(challenge=1), EnterScene("bridge"))
    assert world.now.challenge == 1
    assert do(world, Begin("bridge", "heroes")).now.challenge == world.scenes["bridge"].challenge
