"""What lies on the stage, and for how long: dice, how they came out, how the counters moved."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from no1_table import LEAP, SHEETS, do, fight, sheets, table

from tabletop_tui.engines.no1 import ENGINE
from tabletop_tui.engines.no1.challenge import SetChallenge
from tabletop_tui.engines.no1.contest import CallContest
from tabletop_tui.engines.no1.encounter import Begin, EndRound
from tabletop_tui.engines.no1.initiative import Next
from tabletop_tui.engines.no1.manoeuvres import UseManoeuvre, known
from tabletop_tui.engines.no1.roll import Act, Shift, traits_of
from tabletop_tui.engines.no1.spending import Adjust
from tabletop_tui.engines.no1.world import Effects, Manoeuvre, No1Scene, No1World
from tabletop_tui.rules import TableView, fields, strip


def view(world: No1World) -> TableView:
    found = ENGINE.view("table", world)
    assert isinstance(found, TableView)
    return found


def with_one(world: No1World, plan: Manoeuvre) -> No1World:
    """The same table with one manoeuvre."""
    return replace(world, rules=replace(world.rules, manoeuvres={"one": plan}))


def acted() -> No1World:
    """Rook has acted cleanly."""
    return do(do(fight(), Next("rook")), Act("rook", "Strike"), 5, 5, 2, 2)


# ---- dice


def test_the_opening_dice_lie_until_somebody_is_up() -> None:
    opened = do(table(), Begin("bridge"), 4, 5, 1, 2)
    assert len(view(opened).hands) == 2
    assert not view(do(opened, Next("rook"))).hands
    assert not view(do(opened, EndRound())).hands


def test_a_manoeuvres_die_lies_until_the_next_turn_or_until_time_is_up() -> None:
    world = do(do(do(fight(momentum=3), SetChallenge(2, 1)), Next("rook")), UseManoeuvre("leap", "rook"), 12)
    shown = view(world)
    assert [(h.who, h.faces[0].text) for h in shown.hands] == [("Leap", "12")]
    assert shown.outcome is not None
    assert shown.outcome.title == "Leap succeeds"
    later = view(do(world, Next("mira")))
    assert (later.hands, later.outcome) == ((), None)
    over = view(do(world, EndRound()))
    assert over.outcome is not None
    assert (over.hands, over.outcome.title) == ((), "the scene turns the heroes' way")


def test_no_dice_lie_above_which_way_the_scene_turned() -> None:
    world = do(acted(), SetChallenge(2, 1))
    assert view(world).hands
    assert not view(do(world, EndRound())).hands


def test_a_manoeuvre_that_is_used_when_time_is_up_is_shown() -> None:
    over = do(do(fight(momentum=3, entropy=1), SetChallenge(2, 1)), EndRound())
    shown = view(do(with_one(over, replace(LEAP, condition="")), UseManoeuvre("one", "rook"), 2))
    assert shown.outcome is not None
    assert (shown.outcome.title, len(shown.hands)) == ("Leap fails", 1)


# ---- counters


def notes(world: No1World) -> tuple[str, str]:
    """What stands beside Momentum and Entropy."""
    momentum, entropy, *_ = view(world).counters
    return momentum.note, entropy.note


def test_a_counters_move_is_news_until_the_next_roll_or_turn() -> None:
    assert notes(acted()) == ("+1", "")
    assert notes(do(acted(), Shift("rook", "defy", "Strike"), 5, 5, 2, 2)) == ("", "")
    assert notes(do(acted(), Next("mira"))) == ("", "")
    assert notes(do(acted(), EndRound())) == ("", "")
    assert notes(do(acted(), CallContest("rook", "ogre", "Proud"))) == ("", "")
    assert notes(do(acted(), Adjust("entropy", 2))) == ("", "+2")


def test_a_manoeuvre_shows_its_own_moves_and_no_older_ones() -> None:
    even = Manoeuvre("Even", 1, check="at least 2", effects=Effects(momentum=1))
    world = with_one(acted(), even)
    assert notes(do(world, UseManoeuvre("one", "rook"), 20)) == ("", "")
    assert notes(do(world, UseManoeuvre("one", "rook"), 1)) == ("−1", "")


# ---- manoeuvres


@pytest.mark.parametrize(
    ("entropy", "did"),
    [(0, "Entropy stays at 0, Momentum +1"), (1, "Entropy −1, Momentum +1"), (5, "Entropy −2, Momentum +1")],
)
def test_a_manoeuvre_tells_what_really_changed(entropy: int, did: str) -> None:
    heart = Manoeuvre("Take heart", 3, effects=Effects(entropy=-2, momentum=1))
    world = do(with_one(fight(momentum=3, entropy=entropy), heart), UseManoeuvre("one", "rook"))
    for later in (world, do(world, Adjust("entropy", 2)), do(world, SetChallenge(4))):
        shown = view(later)
        assert shown.outcome is not None
        assert shown.outcome.detail == did


def test_a_manoeuvre_at_the_end_of_challenge_or_timer_tells_that_they_stay() -> None:
    easy = Manoeuvre("Ease", effects=Effects(challenge=-1, timer=200))
    world = do(fight(), SetChallenge(1, 99))
    shown = view(do(with_one(world, easy), UseManoeuvre("one", "rook")))
    assert shown.outcome is not None
    assert shown.outcome.detail == "Timer +1, Challenge stays at 1"


def test_a_manoeuvre_tells_what_it_did_and_what_it_cost() -> None:
    world = do(do(fight(momentum=3, entropy=2), Next("rook")), UseManoeuvre("push", "rook"))
    shown = view(world)
    assert shown.outcome is not None
    assert (shown.outcome.title, shown.outcome.tone, shown.hands) == ("Push on", "good", ())
    assert (shown.outcome.detail, shown.outcome.next) == ("Entropy −2, Timer +1", "2 Momentum paid")
    last = do(fight(momentum=3), SetChallenge(2, 1))
    shown = view(do(last, UseManoeuvre("leap", "rook"), 2))
    assert shown.outcome is not None
    assert (shown.outcome.title, shown.outcome.detail) == ("Leap fails", "no effect")
    assert shown.outcome.next == "2 on the d20, more than 2 was needed; 1 Momentum paid"


def test_the_list_of_manoeuvres_says_what_matters_first() -> None:
    shown = {c.value: c for c in known(fight(momentum=2), {})}
    assert (shown["push"].label, shown["push"].note) == ("Push on", "costs 2: Entropy −2, Timer +1")
    assert shown["leap"].closed == "needs timer == 1 (timer 3)"
    assert {c.value: c.closed for c in known(fight(momentum=1), {})}["push"] == "1 of 2 Momentum"


def test_a_manoeuvre_with_a_check_has_a_short_note_and_its_chances_tell_the_rest() -> None:
    ember = Manoeuvre("Ember reading", 1, check="at least 8 + entropy", effects=Effects(entropy=-1, momentum=1))
    world = with_one(fight(momentum=2), ember)
    assert [c.note for c in known(world, {})] == ["1 Momentum, d20"]
    odds = ENGINE.odds(world, UseManoeuvre("one", "rook"))
    assert odds is not None
    assert {g.name: [(c.label, round(c.chance, 2)) for c in g.chances] for g in odds.groups} == {
        "outcome": [("succeeds", 0.65), ("fails", 0.35)],
        "d20": [("at least 8", 0.65), ("fails", 0.35)],
        "Momentum": [("+1", 0.65), ("no effect", 0.35)],
        "Entropy": [("stays at 0", 0.65), ("no effect", 0.35)],
    }
    told = with_one(fight(momentum=2), Manoeuvre("Hush", check="at least 8", about="Nobody hears them."))
    odds = ENGINE.odds(told, UseManoeuvre("one", "rook"))
    assert odds is not None
    assert [(g.name, g.chances[0].label) for g in odds.groups[2:]] == [("effect", "Nobody hears them.")]
    assert [c.note for c in known(told, {})] == ["0 Momentum, d20"]


def test_the_focused_trait_is_the_first_to_choose() -> None:
    proud = sheets(fight(), rook=replace(SHEETS["rook"], focus="Proud"))
    assert [c.words for c in traits_of(proud, "rook")] == ["Proud 1/1", "Stubborn 2/2"]
    trait = next(f for f in fields(Act) if f.name == "trait")
    assert trait.ask.first, "a form proposes it"


# ---- what is offered


def test_while_nothing_runs_the_opening_test_of_the_prepared_encounter_can_be_rolled() -> None:
    shown = view(table())
    assert (shown.prompt, shown.roll) == (None, Begin("bridge"))
    assert [(o.label, o.action, o.note) for o in shown.acts[:1]] == [
        ("begin The bridge", Begin("bridge"), "Challenge 2 · 3 rounds")
    ]
    assert [(part.dice, part.note) for pool in shown.pools for part in pool.parts] == [("2d6", "each side")]
    told = strip(shown)
    assert (told.roll, told.pools, told.acts) == (None, (), ()), "what is prepared is the GM's"


def test_no_opening_is_rolled_where_nobody_stands_against_the_heroes() -> None:
    shown = view(replace(table(), scenes={"camp": No1Scene("The camp")}))
    assert (shown.roll, shown.pools, shown.acts[0].action) == (None, (), Begin("camp"))


def test_a_shift_that_is_left_is_among_the_answers() -> None:
    def answers(world: No1World) -> list[tuple[str, str]]:
        prompt = view(world).prompt
        assert prompt is not None
        return [(o.label, o.key) for o in prompt.options if not o.secret]

    assert answers(acted()) == [("Mira", ""), ("shift", "s"), ("end the round", "d")]
    assert answers(do(acted(), Shift("rook", "defy", "Strike"), 5, 5, 2, 2)) == [("Mira", ""), ("end the round", "d")]


def test_advantages_where_somebody_stands_are_offered_in_their_turn() -> None:
    def keys(world: No1World) -> list[tuple[str, str]]:
        return [(o.key, o.note) for o in view(do(world, Next("rook"))).acts]

    assert keys(fight()) == [("a", ""), ("s", "defy, an advantage, a move")]
    assert keys(fight(advantages={"heroes": {"span": 3}}))[2:] == [("v", "3 here")]
    assert keys(fight(advantages={"heroes": {"bank": 3}}))[2:] == []
