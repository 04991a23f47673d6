"""What the screens are given, and what players are not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import level
import pytest
from msgspec.structs import replace
from no1_table import BRIDGE, do, fight, gone, sheets, table

from tabletop_tui.conformance import check_secrets, play
from tabletop_tui.engines.no1 import ENGINE
from tabletop_tui.engines.no1.cast import Afflict, Down, Hide
from tabletop_tui.engines.no1.challenge import SetChallenge
from tabletop_tui.engines.no1.contest import CallContest
from tabletop_tui.engines.no1.encounter import Begin, End, EndRound, EnterScene
from tabletop_tui.engines.no1.initiative import Next
from tabletop_tui.engines.no1.roll import Act, LetGo, Reroll, Shift
from tabletop_tui.engines.no1.world import No1Scene, No1Sheet, No1World
from tabletop_tui.rules import Action, Clock, Dice, TableView, check, roller, strip


def view(world: No1World, *, gm: bool = True) -> TableView:
    found = ENGINE.view("table", world)
    found = found if gm else strip(found)
    assert isinstance(found, TableView)
    return found


def test_the_table_says_who_holds_the_initiative_round_timer_and_challenge() -> None:
    shown = view(fight())
    assert shown.title == "The bridge"
    assert shown.banner == "The heroes hold the Initiative"
    assert tuple(fact.text for fact in shown.facts) == ("round 1", "timer 3", "Challenge 2")


def test_counters_carry_their_last_move() -> None:
    world = do(do(fight(), Next("rook")), Act("rook", "Strike"), 5, 5, 2, 2)
    momentum, entropy, *clocks = view(world).counters
    assert (momentum.name, momentum.value, momentum.note) == ("Momentum", 1, "+1")
    assert (entropy.name, entropy.value, entropy.note) == ("Entropy", 0, "")
    assert [(c.name, c.secret) for c in clocks] == [("Dawn", False), ("Plot", True)]


def test_people_stand_by_side_with_zone_marks_and_turn() -> None:
    world = do(do(do(gone(fight(), "rook"), Next("mira")), Act("mira", "Lore"), 5, 5), Afflict("ogre", "prone"))
    shown = {p.id: p for p in view(world).people}
    assert [p.side for p in shown.values()] == ["heroes"] * 2 + ["foes"] * 5
    assert (shown["rook"].note, shown["rook"].acted, shown["rook"].may_go) == ("span", True, False)
    assert (shown["mira"].current, shown["mira"].marks) == (True, ("Curious 1/1",))
    assert (shown["ogre"].marks, shown["ogre"].may_go) == (("H1",), True)
    assert [condition.what for condition in shown["ogre"].conditions] == ["prone"]
    assert (shown["spy"].secret, shown["spy"].marks) == (True, ("H2",))
    assert {p.id: p.out for p in view(do(world, Down("ogre"))).people}["ogre"]


def test_zones_show_the_sum_of_their_hazards_and_what_they_are() -> None:
    world = fight(advantages={"heroes": {"span": 2}})
    shown = {p.name: (p.value, p.note) for p in view(world).places}
    assert shown["span"] == (2, "falling span 2 · 2 advantages of the heroes")
    assert shown["gate"] == (1, "Ogre 1")


def test_the_pool_of_whoever_is_up_is_shown() -> None:
    (pool,) = view(do(fight(), Next("rook"))).pools
    assert [(p.source, p.dice) for p in pool.parts] == [("Strike 2", "2d8"), ("Hazard", "2d4"), ("Stubborn", "2")]


def test_a_pending_1_prompts_with_the_default_first_and_the_die_chosen() -> None:
    world = do(do(fight(), Next("rook")), Act("rook", "Strike"), 1, 5, 2, 3)
    shown = view(world)
    assert shown.prompt is not None
    assert shown.prompt.text == "A die shows 1: reroll? 2 ranks of Stubborn left"
    assert [(o.label, o.key, o.action) for o in shown.prompt.options] == [
        ("reroll it", "g", Reroll((0,))),
        ("let it count", "n", LetGo()),
    ]
    assert (shown.prompt.pick, shown.prompt.most) == ("dice", 2)
    (hand,) = shown.hands
    assert [(f.text, f.sides, f.choosable, f.chosen, f.group) for f in hand.faces] == [
        ("1", 8, True, True, ""),
        ("5", 8, False, False, ""),
        ("2", 4, False, False, "hazard"),
        ("3", 4, False, False, "hazard"),
    ]
    assert shown.outcome is None


def test_more_1s_than_ranks_prompt_to_let_go_but_dice_can_be_picked() -> None:
    world = do(do(fight(), Next("rook")), Act("rook", "Strike"), 1, 1, 1, 3)
    prompt = view(world).prompt
    assert prompt is not None
    assert [(o.label, o.action) for o in prompt.options] == [
        ("let it count", Reroll()),
        ("reroll a d8", Reroll((0,))),
    ]
    assert prompt.pick == "dice"
    assert do(world, Reroll()).now.entropy == 1


def test_between_turns_the_table_asks_who_goes_next() -> None:
    prompt = view(fight()).prompt
    assert prompt is not None
    assert prompt.text == "Which of the heroes goes next?"
    assert [o.label for o in prompt.options if not o.secret] == ["Mira", "Rook", "end the round"]
    assert view(do(fight(), Next("rook"))).prompt is None


@pytest.mark.parametrize(
    ("faces", "title", "tone"),
    [((5, 5, 2, 2), "Rook keeps the Initiative", "good"), ((1, 5, 2, 2), "the foes seize the Initiative", "bad")],
)
def test_the_outcome_stands_in_large(faces: tuple[int, ...], title: str, tone: str) -> None:
    world = do(do(fight(), Next("rook")).live(spent={"rook": {"Stubborn": 2}}), Act("rook", "Strike"), *faces)
    shown = view(world).outcome
    assert shown is not None
    assert (shown.title, shown.tone) == (title, tone)
    assert shown.because


@pytest.mark.parametrize(
    ("faces", "then"),
    [
        ((5, 5, 2, 2), "Say what the hits do; pick who goes next."),
        ((2, 2, 2, 2), "Pick who goes next."),
        ((1, 5, 2, 2), "The hits count all the same; the foes pick who goes."),
        ((1, 2, 2, 2), "The foes pick who goes."),
    ],
)
def test_hits_are_spoken_of_where_there_are_any(faces: tuple[int, ...], then: str) -> None:
    world = do(do(fight(), Next("rook")).live(spent={"rook": {"Stubborn": 2}}), Act("rook", "Strike"), *faces)
    shown = view(world).outcome
    assert shown is not None
    assert shown.next == then


def test_a_shift_and_an_opening_have_their_own_words() -> None:
    world = do(do(fight(), Next("rook")), Shift("rook", "defy", "Strike"), 5, 5, 2, 2)
    shown = view(world).outcome
    assert shown is not None
    assert (shown.title, shown.detail) == ("Rook defies danger", "2 hits")
    opened = view(do(table(), Begin("bridge"), 4, 5, 1, 2))
    assert [(h.who, h.total) for h in opened.hands] == [("heroes", "2 hits"), ("foes", "0 hits")]


def test_when_time_is_up_the_table_says_which_way_the_scene_turns() -> None:
    world = do(do(fight(entropy=2), SetChallenge(2, 1)), EndRound())
    shown = view(world)
    assert shown.outcome is not None
    assert shown.outcome.title == "the scene turns the foes' way"
    assert shown.prompt is not None
    assert [o.label for o in shown.prompt.options] == ["end the encounter", "a round more"]


def test_conditions_say_what_is_left_of_them() -> None:
    world = do(fight(), Afflict("rook", "dazed", "end", 2))
    (line,) = view(world).conditions
    assert (line.label, line.value, line.because) == ("Rook", "dazed", "for 2 of their turns")


# ---- secrets


def without_hidden(world: No1World) -> No1World:
    """The same table without those whom nobody sees, and with another secret clock.

    While a hidden one is up, the table stands as before its turn: whoever acted last is still up.
    """
    gone = {w for w, f in world.now.turns.fighters.items() if f.hidden}
    turns = world.now.turns
    fighters = {w: f for w, f in turns.fighters.items() if w not in gone}
    current = turns.current
    if current in gone:
        last = [w for w in turns.begun if w not in gone][-1:]
        current = next((w for w in last if w in fighters and fighters[w].acted and not fighters[w].out), "")
        fighters |= {current: replace(fighters[current], acted=False)} if current else {}
    order = tuple(w for w in turns.order if w not in gone)
    begun = tuple(w for w in turns.begun if w not in gone)
    changed = replace(turns, order=order, fighters=fighters, current=current, begun=begun)
    clocks = {i: c for i, c in world.now.clocks.items() if not c.secret}
    return world.live(
        turns=changed,
        positions={w: z for w, z in world.now.positions.items() if w not in gone},
        conditions={i: c for i, c in world.now.conditions.items() if c.who not in gone},
        clocks={**clocks, "other": Clock("Something else", 8, 3, secret=True)},
    )


@pytest.mark.parametrize("seed", range(level.many(6, 40, 400)))
def test_players_cannot_tell_in_random_play_either(seed: int) -> None:
    def look(world: No1World) -> None:
        roll, fighters = world.now.roll, world.now.turns.fighters
        theirs = roll is not None and roll.who in fighters and fighters[roll.who].hidden
        if all(not f.hidden for f in fighters.values()):
            return
        twin = without_hidden(world)
        check_secrets(ENGINE, world, twin.live(roll=None) if theirs else twin)

    for _ in play(ENGINE, fight(first="foes"), seed, 30, look):
        pass


def moments() -> list[No1World]:
    begun = fight()
    foes = ("ogre", "Warden 1", "Warden 2", "Warden 3")
    alone = gone(begun, "rook", "mira", *foes)
    only_spy = gone(fight(first="foes"), *foes)
    pending = do(do(begun, Next("rook")), Act("rook", "Strike"), 1, 5, 2, 3)
    return [
        begun,
        do(begun, Next("rook")),
        alone,
        do(alone, Next("spy")),
        do(do(alone, Next("spy")), EndRound()),
        only_spy,
        pending,
        do(pending, LetGo()),
        do(table(), Begin("bridge"), 4, 5, 1, 2),
    ]


@pytest.mark.parametrize("moment", range(9))
def test_players_cannot_tell_that_a_hidden_foe_is_there(moment: int) -> None:
    world = moments()[moment]
    twin = without_hidden(world)
    check_secrets(ENGINE, world, twin)
    for who in ("rook", "mira"):
        for action in (Act(who), Shift(who, "defy")):
            assert ENGINE.odds(world, action) == ENGINE.odds(twin, action)


def test_a_hidden_foes_odds_and_pool_are_the_gms() -> None:
    world = do(fight(first="foes"), Next("spy"))
    odds = ENGINE.odds(world, Act("spy", "Knife"))
    assert odds is not None
    assert odds.secret
    assert view(world).pools[0].secret
    assert view(world, gm=False).pools == ()


def test_the_gm_is_told_that_a_hidden_foe_is_up_and_that_acting_shows_it() -> None:
    world = do(fight(first="foes"), Next("spy"))
    mine, theirs = view(world).prompt, view(world, gm=False).prompt
    assert mine is not None
    assert theirs is not None
    assert mine.text == "Spy is up, unseen."
    assert (mine.options[0].label, mine.options[0].action) == ("act with Knife: is seen", Act("spy", "Knife"))
    assert theirs.text == "Which of the foes goes next?"


def test_a_roll_of_somebody_who_hides_again_is_not_shown() -> None:
    world = do(do(fight(first="foes"), Next("ogre")), Act("ogre", "Smash"), 5, 5, 2)
    shown = view(do(world, Hide("ogre")), gm=False)
    assert (shown.hands, shown.outcome) == ((), None)


def test_events_about_hidden_foes_are_whispered() -> None:
    world = gone(fight(), "rook", "mira")
    (began,) = Next("spy").resolve(world, None)  # type: ignore[arg-type]  # no dice fall
    assert (began.says(world), began.whispers(world)) == ("", "Spy is up, unseen")


def test_the_outcome_says_who_picks_when_the_side_that_seized_has_nobody_left() -> None:
    foes = ("ogre", "Warden 1", "Warden 2", "Warden 3", "spy")
    world = gone(fight(first="foes"), *foes)
    world = world.live(turns=replace(world.now.turns, holder="heroes"), spent={"mira": {"Curious": 1}})
    shown = view(do(do(world, Next("mira")), Act("mira", "Lore"), 1, 5))
    assert shown.outcome is not None
    assert shown.prompt is not None
    assert shown.outcome.title == "the foes seize the Initiative"
    assert shown.outcome.next.endswith("the heroes pick who goes.")
    assert "The foes have all acted. Which of the heroes goes next?" in shown.prompt.text


def test_names_are_shown_as_they_are_written() -> None:
    world = sheets(fight(), rook=No1Sheet("[b]Rook[/b]", "Ana"))
    assert {p.name for p in view(world).people} >= {"[b]Rook[/b]"}


# ---- nothing is offered that is then refused


def offered(world: No1World) -> Iterator[Action]:
    """Everything that a screen would let somebody press."""
    for kind in ("table", "contest"):
        found: Any = ENGINE.view(kind, world)
        options = (*(found.prompt.options if found.prompt else ()), *getattr(found, "extras", ()))
        # what leaves open how opens a form
        yield from (o.action for o in options if not o.closed and getattr(o.action, "how", None) != "")
        if found.roll is not None and not getattr(found, "roll_closed", ""):
            yield found.roll


@pytest.mark.parametrize("seed", range(level.many(6, 40, 400)))
def test_no_prompt_offers_what_is_then_refused(seed: int) -> None:
    def look(world: No1World) -> None:
        for action in offered(world):
            check(action, world)
            action.resolve(world, Dice((), roller("offered", seed)))

    for _ in play(ENGINE, fight(momentum=3, entropy=3), seed, 40, look):
        pass


def test_a_contest_that_is_on_closes_the_end_of_an_encounter_whose_time_is_up() -> None:
    world = do(do(do(fight(), SetChallenge(2, 1)), CallContest("rook", "ogre", "Proud")), EndRound())
    prompt = view(world).prompt
    assert prompt is not None
    assert [(o.label, bool(o.closed)) for o in prompt.options] == [
        ("end the encounter", True),
        ("a round more", False),
    ]


def test_a_roster_row_has_ranks_as_a_meter_and_conditions_as_data() -> None:
    world = do(fight(spent={"rook": {"Stubborn": 1}}), Afflict("rook", "dazed", "end", 2))
    rook = next(p for p in view(world).people if p.id == "rook")
    assert [(m.name, m.value, m.most) for m in rook.meters] == [("Stubborn", 1, 2)]
    assert [(c.what, c.until) for c in rook.conditions] == [("dazed", "for 2 of their turns")]


def test_the_scene_that_is_on_is_offered_first_until_it_has_turned() -> None:
    world = replace(table(), scenes={"a": No1Scene("A"), "bridge": BRIDGE, "c": No1Scene("C")})

    def first(here: No1World) -> str:
        shown = view(here)
        assert shown.prompt is None, "nobody has to answer"
        name = shown.acts[0].label.removeprefix("begin ")
        unasked = not here.now.scene or name == here.scenes[here.now.scene].title
        assert shown.acts[0].key == ("enter" if unasked else Begin.key), "Enter sets no other scene"
        return name

    assert first(world) == "A"
    world = do(world, EnterScene("bridge"))
    assert first(world) == "The bridge"
    world = do(do(world, Begin("bridge", "heroes")), End())
    assert first(world) == "A"
    assert do(world, EnterScene("c")).now.verdict == ""


def test_people_stand_in_zones_outside_encounters_too() -> None:
    shown = view(do(table(), EnterScene("bridge")))
    assert {p.id: p.note for p in shown.people if p.note} == {"rook": "span", "mira": "bank"}
    assert {p.name: (p.value, p.note) for p in shown.places}["span"] == (2, "falling span 2")
    assert "ogre" not in {p.id for p in strip(shown).people}


def test_a_shift_that_is_still_to_be_chosen_has_no_chance_beside_it() -> None:
    world = do(do(fight(), Next("rook")), Act("rook", "Strike"), 5, 5, 2, 2)
    asked = view(world).prompt
    assert asked is not None
    shift = next(o.action for o in asked.options if o.label == "shift")
    assert ENGINE.odds(world, shift) is None, "the form proposes the best skill, and has its chances"
    assert ENGINE.odds(world, Shift("rook", "defy", "Strike")) is not None


def test_the_chance_beside_a_reroll_is_that_of_no_1_where_the_initiative_is_not_at_stake() -> None:
    world = do(do(fight(), Next("rook")), Shift("rook", "defy", "Strike"), 1, 5, 2, 2)
    asked = view(world).prompt
    assert asked is not None
    found = [odds for o in asked.options if (odds := ENGINE.odds(world, o.action))]
    assert [odds.hoped_words for odds in found] == ["no 1", "no 1"]
    assert found[1].hope == 0.0


def test_the_chance_beside_a_reroll_of_an_action_is_that_of_keeping_the_initiative() -> None:
    world = do(do(fight(), Next("rook")), Act("rook", "Strike"), 1, 5, 2, 2)
    asked = view(world).prompt
    assert asked is not None
    found = [odds for o in asked.options if (odds := ENGINE.odds(world, o.action))]
    assert [odds.hoped_words for odds in found] == ["Initiative kept", "Initiative kept"]
