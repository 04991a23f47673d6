"""Challenges that several take on: help for one roll, options before it, keywords, and whose dice are whose."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from brews import ENGINE, rules_of, world_of

from tabletop_tui import plugins
from tabletop_tui.engines.homebrew.challenge import Close, Improvise, Open
from tabletop_tui.engines.homebrew.contest import CloseContest, NewContest, OpenContest
from tabletop_tui.engines.homebrew.leading import Lead, Support
from tabletop_tui.engines.homebrew.rolls import Roll
from tabletop_tui.engines.homebrew.rounds import NextRound, RollContest
from tabletop_tui.engines.homebrew.together import RollChallenge, UseBefore
from tabletop_tui.engines.homebrew.whole import NAME
from tabletop_tui.engines.homebrew.world import Bout, HomebrewScene, Plan
from tabletop_tui.rules import Action, ChallengeView, Clock, ContestView, Dice, Kind, Refused, strip, values
from tabletop_tui.storage.campaign import load

GAME = """
[meters.breath]
title = "Breath"
most = 3
usual = 3
[rolls.dive]
dice = "2d6"
bands = [{ at = 7, title = "up", tone = "good" }, { title = "down", tone = "bad" }]
[rolls.haggle]
offered = "asked"
dice = "2d6"
[options.sing]
title = "Sing"
offered = "support"
costs = { breath = -1 }
gives = { bonus = "2 if loud else 1" }
[options.rope]
title = "Rope"
offered = "support"
limit = "1 a scene"
gives = { dice = 1 }
[options.gasp]
title = "Gasp"
offered = "before"
costs = { breath = -1 }
gives = { bonus = 3 }
[options.hush]
title = "Hush"
offered = "before"
when = "not gasp"
gives = { bonus = 1 }
[challenges.bell]
roll = "dive"
keywords = ["loud"]
wins = 3
losses = 3
[contests.price]
roll = "haggle"
"""


def run(world: Any, *actions: Action, faces: tuple[int, ...] = ()) -> Any:
    """The world after some actions; the dice are those of the last one."""
    for action in actions:
        dice = Dice(faces if action is actions[-1] else ())
        for event in action.resolve(world, dice):
            world = event.apply(world)
    return world


@pytest.fixture
def world() -> Any:
    return run(world_of(rules_of(GAME)), Improvise("bell", keywords=("loud",)), Lead("ana"))


def page(world: Any) -> ChallengeView:
    view = ENGINE.view("challenge", world)
    assert isinstance(view, ChallengeView)
    return view


def test_a_keyword_changes_what_support_gives_and_the_grid_says_so(world: Any) -> None:
    support = page(world).support
    assert support is not None
    sing, rope = support.rows[0].cells
    assert (sing.label, sing.note) == ("+2", "Breath −1")
    assert rope.label == "+1 die"
    quiet = run(world_of(rules_of(GAME)), Improvise("bell"), Lead("ana"))
    support = page(quiet).support
    assert support is not None
    assert support.rows[0].cells[0].label == "+1"


def test_what_is_rolled_stands_there_with_its_sources(world: Any) -> None:
    (pool,) = page(run(world, Support("bo", "sing"))).pools
    assert [(part.source, part.dice, part.note) for part in pool.parts] == [
        ("dice", "2d6", ""),
        ("Bo, Sing", "", "+2"),
    ]


def lines(world: Any) -> list[tuple[str, str, str]]:
    """What the page tells of the pools."""
    return [(part.source, part.dice, part.note) for pool in page(world).pools for part in pool.parts]


def test_what_is_given_to_either_side_is_told_beside_what_it_is_given_to() -> None:
    text = GAME.replace('dice = "2d6"\nbands', 'dice = "2d6"\nagainst = "9"\nbands', 1)
    more = """
[options.dark]
title = "In the dark"
offered = "always"
gives = { bonus = -2, against = 1 }
[options.rested]
title = "Rested"
offered = "always"
gives = { advantage = 1 }
"""
    world = run(world_of(rules_of(text + more)), Improvise("bell"), Lead("ana"))
    assert lines(world) == [
        ("dice", "2d6", ""),
        ("In the dark", "", "−2"),
        ("Rested", "", "+1 die, drop lowest"),
        ("against", "9", ""),
        ("In the dark", "", "+1 against"),
    ]


def test_dice_that_are_given_where_there_are_none_take_the_place_of_those_for_want_of_any() -> None:
    text = GAME.replace('dice = "2d6"\nbands', 'dice = "0d6, or if none 2d6 keep lowest 1"\nbands', 1)
    world = run(world_of(rules_of(text)), Improvise("bell"), Lead("ana"))
    assert lines(world) == [("dice", "2d6 keep lowest 1", "")]
    assert lines(run(world, Support("bo", "rope"))) == [("dice", "0d6", ""), ("Bo, Rope", "", "+1 die")]


AGAIN = """
[options.again]
title = "Once more"
offered = "after"
limit = "1 a roll"
when = "result < 7"
gives = { reroll = "all" }
"""


def test_while_a_roll_waits_its_pool_stays_and_every_answer_has_its_chance() -> None:
    world = run(world_of(rules_of(GAME + AGAIN)), Improvise("bell"), Lead("ana"), Support("bo", "sing"))
    fallen = run(world, RollChallenge(), faces=(1, 2))
    assert lines(fallen) == lines(world) == [("dice", "2d6", ""), ("Bo, Sing", "", "+1")]
    prompt = page(fallen).prompt
    assert prompt is not None
    found = {option.label: ENGINE.odds(fallen, option.action) for option in prompt.options}
    hopes = {label: round(odds.hope, 3) for label, odds in found.items() if odds}
    assert hopes == {"let it count: down": 0.0, "Once more": 0.722}  # 26 of 36 ways reach 6 and more


def test_in_a_challenge_only_a_named_clock_moves_and_guide_and_reference_say_so() -> None:
    text = GAME.replace('"up", tone = "good"', '"up", tone = "good", does = { clock = 1, "clock storm" = 2 }')
    clocks = {"storm": Clock("Storm", 6), "guard": Clock("Guard", 6)}
    world = world_of(rules_of(text)).live(clocks=clocks)

    def filled(world: Any) -> dict[str, int]:
        return {name: clock.filled for name, clock in world.now.clocks.items()}

    assert filled(run(world, Roll("dive", "ana", clock="guard"), faces=(6, 6))) == {"storm": 2, "guard": 1}
    tried = run(world, Improvise("bell"), Lead("ana"), RollChallenge(), faces=(6, 6))
    assert (tried.now.challenge.wins, filled(tried)) == (1, {"storm": 2, "guard": 0})
    for words in (ENGINE.reference, (Path(__file__).parents[3] / "docs" / "homebrew.md").read_text(encoding="utf-8")):
        assert "itself counts: no clock is asked" in " ".join(words.split())


def test_help_is_for_one_roll_and_is_paid_for_again(world: Any) -> None:
    after = run(world, Support("bo", "sing"), RollChallenge(), faces=(3, 2))
    assert after.now.roll.result == 7
    assert after.now.challenge.supports == {}
    again = run(after, Lead("ana"), Support("bo", "sing"))
    assert again.now.meters["bo"]["breath"] == 1


def test_a_limit_of_support_counts_over_the_span_that_it_names(world: Any) -> None:
    after = run(world, Support("bo", "rope"), RollChallenge(), faces=(1, 1, 1))
    support = page(run(after, Lead("ana"))).support
    assert support is not None
    assert support.rows[0].cells[1].closed == "the limit is reached"


def test_an_option_that_does_not_go_with_a_chosen_one_is_closed_and_says_with_which() -> None:
    more = """
    [options.cry]
    title = "Cry"
    offered = "before"
    when = "gasp"
    [options.hope]
    title = "Hope"
    offered = "before"
    when = "loud"
    """
    world = run(world_of(rules_of(GAME + more)), Improvise("bell"), Lead("ana"))

    def closed(world: Any) -> dict[str, str]:
        return {one.label: one.closed for one in page(world).extras if one.closed}

    assert closed(world) == {"Cry": "only together with Gasp"}
    assert closed(run(world, UseBefore("gasp"))) == {"Hush": "not together with Gasp"}
    hushed = run(world, UseBefore("hush"))
    assert closed(hushed) == {"Gasp": "not together with Hush", "Cry": "only together with Gasp"}
    with pytest.raises(Refused, match="Gasp: not together with Hush"):
        plugins.load("homebrew").check(UseBefore("gasp"), hushed)
    with pytest.raises(Refused, match=r"^Hope cannot be chosen: only when loud"):
        run(world, UseBefore("hope"))
    with pytest.raises(Refused, match=r"^Hush cannot be chosen: not together with Gasp"):
        run(world_of(rules_of(GAME)), Roll("dive", "ana", using=("gasp", "hush")))


def test_options_before_the_roll_are_switched_on_the_page_and_paid_for_with_it(world: Any) -> None:
    assert [(one.key, one.label, one.chosen) for one in page(world).extras] == [
        ("b", "Gasp", False),
        ("d", "Hush", False),
    ]
    chosen = run(world, UseBefore("gasp"))
    assert [one.chosen for one in page(chosen).extras] == [True, False]
    assert "ana" not in chosen.now.meters
    with pytest.raises(Refused):
        run(chosen, UseBefore("hush"))
    assert run(chosen, UseBefore("gasp")).now.challenge.using == ()
    rolled = run(chosen, RollChallenge(), faces=(2, 2))
    assert (rolled.now.roll.result, rolled.now.meters["ana"]["breath"]) == (7, 2)
    assert rolled.now.challenge.using == ()


def test_support_is_told_once(world: Any) -> None:
    told = [event.says(world) for event in Support("bo", "rope").resolve(world, Dice())]
    assert [words for words in told if words] == ["Bo: Rope"]


def test_dice_say_whose_they_are(world: Any) -> None:
    dice = Dice((1, 2))
    RollChallenge().resolve(world, dice)
    assert [handful.of for handful in dice.rolled] == ["ana"]


KEYS: dict[Kind, str] = {"challenge": "dive", "contest": "sale"}


def test_what_other_scenes_have_ready_is_not_offered_while_one_is_on() -> None:
    scenes = {
        name: HomebrewScene(name, challenges={"dive": Plan("bell")}, contests={"sale": Bout("price", "ana", ("bo",))})
        for name in ("quay", "reef")
    }
    world = world_of(rules_of(GAME), scenes=scenes)
    for place, names in (("", ["quay", "reef"]), ("reef", ["reef"])):
        for kind, key in KEYS.items():
            view = ENGINE.view(kind, world.live(scene=place))
            assert isinstance(view, ChallengeView | ContestView)
            found = [next(iter(values(option.action).values())) for option in view.open]
            assert found == [f"{name}/{key}" for name in names]


def test_dice_of_another_challenge_or_of_another_try_lie_there_no_more(world: Any) -> None:
    tried = run(world, RollChallenge(), faces=(1, 2))
    assert [hand.total for hand in page(tried).hands] == ["3"]
    assert page(run(tried, Lead("bo"))).hands == ()
    assert page(run(tried, Improvise("bell"))).hands == ()


def test_what_is_told_of_a_challenge_is_told_once() -> None:
    text = GAME.replace("[rolls.dive]", '[rolls.dive]\nasks = { depth = "5 to 30" }\nsecret = ["depth"]')
    for rules in (text, text.replace('secret = ["depth"]', "")):
        view = page(run(world_of(rules_of(rules)), Improvise("bell", say=9, keywords=("loud",))))
        facts = [*(fact.text for fact in view.facts), view.secret_facts]
        assert sorted(filter(None, facts)) == ["0 of 3 done", "0 of 3 failed", "depth 9", "loud"]
        assert bool(view.secret_facts) == ("secret" in rules)


def test_a_contest_with_one_of_the_gms_own_is_rolled_by_the_gm_and_no_player_sees_its_chances() -> None:
    world = run(world_of(rules_of(GAME)), NewContest("price", "ana", ("ogre",)))
    view = ENGINE.view("contest", world)
    assert isinstance(view, ContestView)
    assert view.roll == RollContest()
    assert strip(view).roll is None


def test_the_whole_is_marked_as_settled_by_more_than_one_roll(world: Any) -> None:
    odds = ENGINE.odds(world, RollChallenge())
    assert odds is not None
    assert [(group.name, group.overall) for group in odds.groups] == [("outcome", False), (NAME, True)]


def test_rules_that_cannot_be_read_bring_no_complaints_about_other_files(tmp_path: Path) -> None:
    (tmp_path / "characters").mkdir()
    (tmp_path / "characters" / "ana.toml").write_text('name = "Ana"\n[stats.trait]\nhard = 1\n')
    text = 'title = "x"\nengine = "homebrew"\nformat = 2\n[rules.stats.trait]\nnames = "hard"\n'
    (tmp_path / "campaign.toml").write_text(text)
    (problem,) = load(tmp_path).errors
    assert (problem.file, problem.line) == ("campaign.toml", 5)


# ---- what would be lost


def quay() -> Any:
    """A scene with two challenges and a contest, of two rounds, ready."""
    challenges = {"dive": Plan("bell", "The bell"), "haul": Plan("bell", "The haul")}
    scene = HomebrewScene("Quay", challenges=challenges, contests={"sale": Bout("price", "ana", ("bo",))})
    return world_of(rules_of(GAME + "wins = 2\n"), scenes={"quay": scene})


def test_a_challenge_that_has_come_some_way_is_not_dropped_unasked() -> None:
    opened = run(quay(), Open("quay/dive"))
    kinds = (Open, Improvise, Close)
    assert [kind.warns(opened) for kind in kinds] == ["", "", ""]
    leads = run(opened, Lead("ana"))
    assert Close.warns(leads) == "The bell is open: Ana leads. Drop it?"
    tried = run(leads, RollChallenge(), faces=(4, 4))
    words = "The bell is open: 1 of 3 done, 0 of 3 failed. Drop it?"
    assert [kind.warns(tried) for kind in kinds] == [words] * 3
    assert [event.says(tried) for event in Close().resolve(tried, Dice())] == ["The bell is dropped"]


def test_a_challenge_that_is_over_is_put_away_unasked() -> None:
    lost = quay()
    for action in (Open("quay/dive"), *(Lead("ana"), RollChallenge()) * 3):
        lost = run(lost, action, faces=(1, 1) if isinstance(action, RollChallenge) else ())
    assert lost.now.challenge.outcome == "lost"
    assert Close.warns(lost) == ""
    assert [event.says(lost) for event in Close().resolve(lost, Dice())] == ["The bell is over"]
    assert not page(lost).open[0].closed


def test_what_is_open_is_not_offered_once_more() -> None:
    opened = run(quay(), Open("quay/dive"), OpenContest("quay/sale"))
    assert [option.closed for option in page(opened).open] == ["open already", ""]
    assert {one.name: one.closed for one in ENGINE.prepared(opened, "quay")} == {
        "The bell": "open already",
        "The haul": "",
        "price": "open already",
    }
    for action in (Open("quay/dive"), OpenContest("quay/sale")):
        with pytest.raises(Refused, match="open already"):
            plugins.load("homebrew").check(action, opened)


def test_a_contest_that_has_come_some_way_is_not_dropped_unasked() -> None:
    opened = run(quay(), OpenContest("quay/sale"))
    assert CloseContest.warns(opened) == ""
    fought = run(opened, RollContest(), faces=(6, 6, 1, 1))
    words = "price is open: 1 round fought, Ana has 1. Drop it?"
    assert [kind.warns(fought) for kind in (CloseContest, OpenContest)] == [words, words]
    onward = run(fought, NextRound())
    assert CloseContest.warns(onward) == words
    won = run(onward, RollContest(), faces=(6, 6, 1, 1))
    assert CloseContest.warns(won) == "", "Ana has won as many as it takes"


def test_a_contest_that_the_round_decides_says_who_wins_and_keeps_it_when_put_away() -> None:
    opened = run(quay(), OpenContest("quay/sale"), RollContest(), faces=(6, 6, 1, 1))
    view = ENGINE.view("contest", opened)
    assert isinstance(view, ContestView)
    assert view.outcome is not None
    assert (view.outcome.title, view.extras[0].label) == ("Ana has the round", "next round")
    won = run(opened, NextRound(), RollContest(), faces=(6, 6, 1, 1))
    view = ENGINE.view("contest", won)
    assert isinstance(view, ContestView)
    assert view.outcome is not None
    assert (view.outcome.title, view.outcome.detail) == ("Ana wins", "round 2, by 10")
    assert view.extras[0].label == "end the contest"
    told = ["Ana wins price", "price is over"]
    assert [event.says(won) for event in CloseContest().resolve(won, Dice())] == told
    anew = [event.says(won) for event in OpenContest("quay/sale").resolve(won, Dice())]
    assert anew[:2] == told, "also where the next one puts it away"
    ended = run(won, NextRound())
    assert [event.says(ended) for event in CloseContest().resolve(ended, Dice())] == told[1:], "told once"
