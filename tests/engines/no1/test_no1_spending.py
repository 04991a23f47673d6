"""Entropy, Momentum, manoeuvres, and the little language of their conditions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from no1_table import PUSH, SHEETS, do, fight, table, told

from tabletop_tui.engines.no1 import ENGINE
from tabletop_tui.engines.no1.cast import Afflict, Down
from tabletop_tui.engines.no1.challenge import SetChallenge
from tabletop_tui.engines.no1.encounter import EndRound
from tabletop_tui.engines.no1.expressions import NAMES, TermError, check, condition, passes
from tabletop_tui.engines.no1.initiative import Next, may_go
from tabletop_tui.engines.no1.manoeuvres import UseManoeuvre, closed, numbers
from tabletop_tui.engines.no1.roll import Act
from tabletop_tui.engines.no1.spending import Adjust, SpendEntropy
from tabletop_tui.engines.no1.world import Manoeuvre, No1World
from tabletop_tui.rules import Clock, Refused, SheetView, TableView, choices, fields

VALUES = {"momentum": 4, "entropy": 2, "challenge": 3, "timer": 1, "round": 5}


# ---- Entropy


def test_three_entropy_raise_challenge_by_one() -> None:
    world, _, said = told(table(entropy=4, challenge=2), SpendEntropy("challenge", "the roof comes down"))
    assert (world.now.entropy, world.now.challenge) == (1, 3)
    assert said == ["the roof comes down: Entropy 4 → 1", "Challenge 2 → 3"]


def test_entropy_ticks_a_clock_or_turns_the_story() -> None:
    world = do(table(entropy=4), SpendEntropy("clock", "hours pass", "dawn"))
    assert (world.now.entropy, world.now.clocks["dawn"].filled) == (3, 1)
    assert do(world, SpendEntropy("story", "a horn", points=2)).now.entropy == 1


def test_a_full_clock_takes_no_entropy() -> None:
    world = table(entropy=4, clocks={"dawn": Clock("Dawn", 4, 4), "dusk": Clock("Dusk", 4)})
    with pytest.raises(Refused, match="it is full"):
        do(world, SpendEntropy("clock", "hours pass", "dawn"))
    assert do(world, SpendEntropy("clock", "hours pass", "dusk")).now.entropy == 3
    with pytest.raises(Refused, match="every clock is full"):
        do(world.live(clocks={"dawn": Clock("Dawn", 4, 4)}), SpendEntropy("clock", "hours pass", "dawn"))


def test_more_can_be_paid_than_the_usual_cost_and_not_less() -> None:
    assert do(table(entropy=9), SpendEntropy("challenge", "it shakes", points=5)).now.entropy == 4
    with pytest.raises(Refused, match="it costs 3 Entropy"):
        do(table(entropy=9), SpendEntropy("challenge", "it shakes", points=1))


@pytest.mark.parametrize(
    ("action", "entropy", "words"),
    [
        (SpendEntropy("challenge", "x"), 2, "2 of 3 Entropy"),
        (SpendEntropy("story", "x", points=5), 2, "it costs 5 Entropy, and there is 2"),
        (SpendEntropy("story", " "), 2, "with a reason"),
        (SpendEntropy("clock", "x"), 2, "no clock was named"),
        (SpendEntropy("story", "x"), 0, "there is no Entropy to spend"),
        (SetChallenge(0), 0, "challenge 0 is out of range"),
        (SetChallenge(-2), 0, "challenge -2 is out of range"),
        (SetChallenge(2, 3), 0, "no encounter is running"),
    ],
)
def test_what_cannot_be_paid_or_set_is_refused_in_a_sentence(action: Any, entropy: int, words: str) -> None:
    with pytest.raises(Refused, match=words):
        do(table(entropy=entropy), action)


def test_nothing_goes_below_0() -> None:
    world = do(table(momentum=1), Adjust("momentum", -5, "a slip"))
    assert (world.now.momentum, world.now.momentum_moved) == (0, -1)


# ---- manoeuvres


def test_a_manoeuvre_costs_momentum_and_moves_counters_and_timer() -> None:
    world = do(fight(momentum=4, entropy=3), UseManoeuvre("push"))
    assert (world.now.momentum, world.now.entropy, world.now.turns.timer) == (2, 1, 4)


@pytest.mark.parametrize(
    ("momentum", "entropy", "why"),
    [
        (1, 0, "1 of 2 Momentum"),
        (2, 2, "needs momentum > entropy (momentum 2, entropy 2)"),
        (3, 2, ""),
    ],
)
def test_the_table_says_why_a_manoeuvre_is_closed(momentum: int, entropy: int, why: str) -> None:
    world = fight(momentum=momentum, entropy=entropy)
    assert closed(world, "push") == why
    if why:
        with pytest.raises(Refused, match="cannot be Push on"):
            do(world, UseManoeuvre("push"))


def test_no_momentum_is_spent_on_a_timer_that_is_not_there() -> None:
    world = table(momentum=9)
    assert closed(world, "push") == "there is no Timer"


def test_momentum_is_the_players_and_only_of_those_in_the_fight() -> None:
    talent = Manoeuvre("Roar", 1, of=("ogre",))
    world = fight({"manoeuvres": {"roar": talent, "dash": replace(talent, of=("rook",))}}, momentum=3)
    assert closed(world, "roar") == "nobody here has it"
    assert do(world, UseManoeuvre("dash")).now.momentum == 2
    with pytest.raises(Refused, match="nobody here has it"):
        do(do(world, Down("rook")), UseManoeuvre("dash"))


def last_round(**now: Any) -> No1World:
    return do(fight(**now), SetChallenge(2, 1))


@pytest.mark.parametrize(("face", "works"), [(3, False), (4, True), (20, True)])
def test_a_check_must_beat_challenge_and_entropy_and_the_cost_is_paid_either_way(face: int, works: bool) -> None:
    world = do(last_round(momentum=2, entropy=1), UseManoeuvre("leap"), face)
    assert (world.now.momentum, world.now.challenge) == (1, 1 if works else 2)


def test_an_encounter_without_a_limit_has_no_last_round() -> None:
    world = table(momentum=5)
    assert closed(world, "leap") == "needs timer == 1 (timer has no limit)"


def test_a_talent_is_its_owners() -> None:
    talent = Manoeuvre("Hush", of=("mira",))
    world = table({"manoeuvres": {"hush": talent}})
    with pytest.raises(Refused, match="who cannot be 'rook'"):
        do(world, UseManoeuvre("hush", "rook"))
    assert told(world, UseManoeuvre("hush"))[2] == ["Mira: Hush"]
    world = world.live(retired=("mira",))
    assert closed(world, "hush") == "nobody here has it"


def test_running_the_timer_out_by_a_manoeuvre_turns_the_scene() -> None:
    rush = Manoeuvre("Rush", effects=replace(Manoeuvre("").effects, timer=-5))
    world = do(fight({"manoeuvres": {"rush": rush}}, momentum=1), UseManoeuvre("rush"))
    assert (world.now.turns.timer, world.now.verdict) == (0, "heroes")


def test_a_timer_that_a_manoeuvre_runs_out_ends_the_round_with_all_that_ends_with_it() -> None:
    rush = Manoeuvre("Rush", effects=replace(Manoeuvre("").effects, timer=-5))
    more = Manoeuvre("More", effects=replace(Manoeuvre("").effects, timer=1))
    world = do(fight({"manoeuvres": {"rush": rush, "more": more}}, momentum=1), Next("rook"))
    world = do(world, Afflict("rook", "dazed", ends="round"))
    world, _, said = told(world, UseManoeuvre("rush"))
    assert said[-2:] == [
        "Round 1 is over, and the Timer has run out",
        "Momentum 1, Entropy 0: the scene turns the heroes' way",
    ]
    assert not world.now.conditions
    world = do(world, UseManoeuvre("more"))
    assert (world.now.turns.round, world.now.turns.timer, world.now.verdict) == (2, 1, "")


def test_the_d20_of_a_check_lies_on_the_table_with_what_it_needed() -> None:
    world = do(last_round(momentum=4, entropy=2), UseManoeuvre("leap"), 15)
    shown = ENGINE.view("table", world)
    assert isinstance(shown, TableView)
    assert [(hand.who, [(face.text, face.sides) for face in hand.faces]) for hand in shown.hands] == [
        ("Leap", [("15", 20)])
    ]
    assert shown.outcome is not None
    assert (shown.outcome.title, shown.outcome.tone) == ("Leap succeeds", "good")
    assert shown.outcome.next.startswith("15 on the d20, more than 4 was needed")
    world = do(do(world, Next("mira")), Act("mira", "Lore"), 5)
    assert world.now.checked is None


def out_of_time(world: No1World) -> No1World:
    return do(do(world, SetChallenge(2, 1)), EndRound())


def test_a_manoeuvre_that_gives_a_run_out_timer_a_round_begins_it() -> None:
    world = out_of_time(fight(momentum=4, entropy=1))
    assert (world.now.turns.timer, world.now.turns.round, world.now.verdict) == (0, 1, "heroes")
    world, _, said = told(world, UseManoeuvre("push"))
    now = world.now
    assert (now.momentum, now.turns.timer, now.turns.round, now.verdict) == (2, 1, 2, "")
    assert said[-1] == "Round 2, timer 1"
    assert "rook" in may_go(world)


def test_a_new_round_after_time_was_up_passes_the_initiative_from_a_side_that_is_gone() -> None:
    world = do(fight(first="foes"), SetChallenge(2, 1))
    for foe in ("ogre", "Warden 1", "Warden 2", "Warden 3"):
        world = do(world, Down(foe))
    world = do(world, EndRound()).live(turns=replace(do(world, EndRound()).now.turns, holder="foes"))
    assert do(world, SetChallenge(2, 1)).now.turns.holder == "heroes"


def test_a_talent_is_named_on_the_sheets_of_those_who_have_it() -> None:
    world = table({"manoeuvres": {"hush": Manoeuvre("Hush"), "push": PUSH}}, momentum=9)
    theirs = replace(world, sheets={**SHEETS, "mira": replace(SHEETS["mira"], talents=("hush",))})
    whose = next(f for f in fields(UseManoeuvre) if f.name == "who")
    assert [c.value for c in choices(whose, world, {"manoeuvre": "hush"})] == ["mira", "rook"]  # everybody's
    assert [c.value for c in choices(whose, theirs, {"manoeuvre": "hush"})] == ["mira"]
    with pytest.raises(Refused, match="who cannot be 'rook'"):
        do(theirs, UseManoeuvre("hush", "rook"))
    assert told(theirs, UseManoeuvre("hush"))[2] == ["Mira: Hush"]

    def talents(who: str) -> list[str]:
        shown = ENGINE.view("sheet", theirs, who)
        assert isinstance(shown, SheetView)
        return [line.label for section in shown.sections if section.title == "talents" for line in section.lines]

    assert (talents("mira"), talents("rook")) == (["Hush", "Push on"], ["Push on"])


def test_a_talent_that_nobody_described_is_a_problem_with_what_there_is() -> None:
    world = replace(table(), sheets={**SHEETS, "mira": replace(SHEETS["mira"], talents=("pushh",))})
    (found,) = ENGINE.problems(world)
    assert (found.path, found.found, found.known) == (("sheets", "mira", "talents", 0), "pushh", ("push", "leap"))


# ---- conditions


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("momentum > entropy", True),
        ("momentum>entropy and timer==1", True),
        ("timer == 1 or entropy > 10", True),
        ("timer == 1 and entropy > 10", False),
        ("not timer == 1", False),
        ("not (momentum < entropy) and not round < 2", True),
        ("momentum == entropy * 2", True),
        ("momentum - entropy - 1 == 1", True),
        ("2 + 3 * 2 == 8", True),
        ("(2 + 3) * 2 == 10", True),
        ("-momentum < 0", True),
        ("MOMENTUM >= 4", True),
        ("momentum greater than entropy + 2", False),
        ("round at least 5 and entropy at most 2", True),
        ("challenge equal to 3 and challenge != 4", True),
        ("entropy less than momentum or 1 == 2 and 1 == 2", True),
    ],
)
def test_conditions_mean_what_they_say(text: str, holds: bool) -> None:
    assert condition(text).holds(VALUES) is holds


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "a number or a name is missing at the end"),
        ("momentum >", "a number or a name is missing at the end"),
        ("momentum", "a number is not a comparison"),
        ("momentun > 1", "'momentun' is not a number of the table"),
        ("momentum = 1", "'=' at character 10 means nothing here"),
        ("1 < momentum < 3", "the end instead of '<' at character 14"),
        ("(momentum > 1", "a closing bracket is missing at the end"),
        ("(momentum > 1) + 2 > 3", "a comparison stands where a number belongs"),
        ("momentum and entropy", "a number is not a comparison"),
        ("__import__ (1)", "'__import__' is not a number"),
        ("momentum.real > 1", "'.' at character 9 means nothing here"),
        ("9999999 > 1", "the number 9999999 is too large"),
        ("(" * 60 + "1", "nested more than 20 deep"),
        ("-" * 60 + "1 > 0", "nested more than 20 deep"),
        ("not " * 40 + "1 > 0", "nested more than 20 deep"),
        ("1 + " * 80 + "1 > 0", "longer than 200"),
        ("and > 1", "a number or a name instead of 'and'"),
    ],
)
def test_a_condition_that_does_not_parse_says_why(text: str, what: str) -> None:
    with pytest.raises(TermError) as wrong:
        condition(text)
    assert what in wrong.value.what
    assert wrong.value.remedy


def test_a_check_leaves_the_die_out_or_names_it() -> None:
    assert passes("greater than challenge + entropy", 6, VALUES)
    assert not passes("greater than challenge + entropy", 5, VALUES)
    assert passes("d20 >= 12", 12, VALUES)
    with pytest.raises(TermError, match="begins with a comparison"):
        check("challenge + entropy")
    with pytest.raises(TermError, match="the end instead of"):
        check("> 3 and 4 > 2")


WORDS = st.sampled_from(
    [*NAMES, "and", "or", "not", "(", ")", "+", "-", "*", ">", ">=", "==", "at", "least", "7", "x"]
)


@given(st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=25).map(" ".join)))
def test_any_text_is_a_condition_or_a_sentence_about_it(text: str) -> None:
    wrong, held = None, None
    try:
        held = condition(text).holds(VALUES)
    except TermError as found:
        wrong = found
    assert held in (True, False) if wrong is None else wrong.what and wrong.remedy


def sums(depth: int = 3) -> st.SearchStrategy[str]:
    leaf = st.one_of(st.sampled_from(NAMES), st.integers(0, 99).map(str))
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.builds("({} {} {})".format, inner, st.sampled_from("+-*"), inner), st.builds("-{}".format, inner)
        ),
        max_leaves=depth,
    )


def truths() -> st.SearchStrategy[str]:
    leaf = st.builds("{} {} {}".format, sums(), st.sampled_from((">", ">=", "<", "<=", "==", "!=")), sums())
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.builds("({}) {} ({})".format, inner, st.sampled_from(("and", "or")), inner),
            st.builds("not ({})".format, inner),
        ),
        max_leaves=3,
    )


@given(truths())
def test_conditions_agree_with_python(text: str) -> None:
    if len(text) <= 200:
        # what Python makes of the same text is the oracle here; the engine itself never evaluates any
        assert condition(text).holds(VALUES) is eval(text, {"__builtins__": {}}, dict(VALUES))


def test_a_condition_that_does_not_parse_is_a_problem_at_its_own_path() -> None:
    bad = {"a": Manoeuvre("A", condition="momentum >> 2"), "b": Manoeuvre("B", check="twelve", cost=-1)}
    found = ENGINE.problems(table({"manoeuvres": bad}))
    assert [p.path for p in found] == [
        ("rules", "manoeuvres", "a", "condition"),
        ("rules", "manoeuvres", "b", "cost"),
        ("rules", "manoeuvres", "b", "check"),
    ]
    assert found[0].what == "the condition of A does not read: a number or a name instead of '>' at character 11"
    assert all(p.remedy for p in found)


def test_a_broken_condition_closes_the_manoeuvre_and_breaks_nothing() -> None:
    world = table({"manoeuvres": {"a": Manoeuvre("A", condition="momentum >> 2"), "b": Manoeuvre("B", check="x")}})
    assert "cannot be read" in closed(world, "a")
    with pytest.raises(Refused, match="its check cannot be read"):
        do(world, UseManoeuvre("b"))
    assert ENGINE.odds(world, UseManoeuvre("b")) is None


def test_the_numbers_of_the_table_are_those_of_the_language() -> None:
    assert tuple(numbers(fight())) == NAMES
