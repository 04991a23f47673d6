import msgspec
import pytest

from tabletop_tui.engines.fen import ENGINE
from tabletop_tui.engines.fen.contest import (
    Choose,
    Close,
    Defend,
    NameStakes,
    NewContest,
    Open,
    RollContest,
    StandAside,
    is_social,
    used_up,
)
from tabletop_tui.engines.fen.effects import ALL, Apply, NextRound
from tabletop_tui.engines.fen.modifiers import Help, Modify
from tabletop_tui.engines.fen.world import person
from tabletop_tui.rules import Refused, check, parse
from tabletop_tui.rules.conformance import check_odds


def beaten(world) -> list[str]:
    return world.now.contest.beaten


# ---- the worked example


def test_in_dodge_against_notice_the_seeker_wins_by_meeting_the_hiders_dodge(world, do):
    world = do(world, NewContest("wren", "dodge/notice", ("wight",)))
    assert beaten(do(world, RollContest(), 3, 2, 5)) == []  # 5 against 5: the seeker, who defends, has won
    assert beaten(do(world, RollContest(), 3, 3, 5)) == ["wight"]


# ---- the rules around it


def test_fight_vigor_as_typed_means_just_that(world, do):
    action = parse(NewContest, {"who": "wren", "contest": "fight/vigor", "against": "wight,thief"})
    world = do(world, action)
    contest = world.now.contest
    assert (contest.who, contest.skill, contest.using) == ("wren", "fight", "vigor")
    assert list(contest.defenders) == ["wight", "thief"]


def test_a_mistyped_contest_says_what_was_meant(world):
    with pytest.raises(Refused, match="Did you mean 'fight/vigor'"):
        check(NewContest("wren", "figth/vigor", ("wight",)), world)


def test_a_skill_that_is_missing_rolls_a_d4(world, do):
    world = do(world, NewContest("teal", "fight/vigor", ("thief",)))
    rolled = do(world, RollContest(), 3, 2).now.contest
    assert [d.sides for d in rolled.fallen.dice] == [4]
    assert [d.sides for d in rolled.defenders["thief"].fallen.dice] == [4]


def test_against_many_the_aggressor_rolls_once_and_each_defender_alone(world, do):
    world = do(world, Open("ford/sneak"))
    # 2 + 3 against 5 (holds), 4→1 = 5 (holds), 2 (beaten)
    world = do(world, RollContest(), 2, 3, 5, 4, 1, 2)
    contest = world.now.contest
    assert contest.fallen.total == 5
    assert {w: d.fallen.total for w, d in contest.defenders.items()} == {"wight": 5, "thief": 5, "second": 2}
    assert beaten(world) == ["second"]


def test_the_effect_strikes_all_losers_at_once(world, do):
    world = do(world, Open("ford/scare"))
    world = do(world, RollContest(), 7, 6, 3, 2)
    world = do(world, Apply(ALL))
    assert {c.who for c in world.now.conditions.values()} == {"wight", "thief"}
    assert (person(world, "wight").hp, person(world, "wight").wounds) == (7, 1)
    assert (person(world, "thief").hp, person(world, "thief").wounds) == (4, 1)


def test_the_effect_strikes_one_loser_alone_and_only_once(world, do):
    world = do(world, Open("ford/scare"))
    world = do(world, RollContest(), 7, 6, 3, 2)
    world = do(world, Apply("thief", "afraid of the dark"))
    assert [c.what for c in world.now.conditions.values()] == ["afraid of the dark"]
    with pytest.raises(Refused, match="struck them already"):
        do(world, Apply("thief"))
    world = do(world, Apply(ALL))
    assert person(world, "thief").hp == 6
    assert person(world, "wight").hp == 7


def test_an_effect_that_nobody_named_is_refused(world, do):
    world = do(world, NewContest("wren", "fight/vigor", ("wight",)))
    world = do(world, RollContest(), 7, 6, 3)
    with pytest.raises(Refused, match="no effect was prepared"):
        do(world, Apply("wight"))


def test_an_aggressor_who_beat_nobody_is_the_loser(world, do):
    world = do(world, NewContest("wren", "fight/vigor", ("wight",)))
    world = do(world, RollContest(), 1, 1, 3)
    assert person(do(world, Apply("wren", "", 3)), "wren").hp == 11


def test_defenders_come_and_go_until_the_dice_fall(world, do):
    world = do(world, NewContest("wren", "fight/vigor", ("wight",)))
    world = do(do(world, Defend("thief")), StandAside("wight"))
    assert list(world.now.contest.defenders) == ["thief"]
    world = do(world, RollContest(), 1, 1, 3)
    with pytest.raises(Refused, match="the dice have fallen"):
        do(world, Defend("wight"))
    assert do(world, Close()).now.contest is None


def test_a_contest_without_defenders_is_not_rolled(world, do):
    world = do(world, NewContest("wren", "fight/vigor", ()))
    with pytest.raises(Refused, match="nobody defends"):
        do(world, RollContest())


# ---- what is done to dice


def test_changes_hold_for_the_next_throw_only(world, do):
    world = do(world, Modify("wren", additional=1))
    world = do(world, NewContest("wren", "fight/vigor", ("wight",)))
    world = do(world, RollContest(), 1, 1, 1, 3)
    assert len(world.now.contest.fallen.dice) == 3
    world = do(world, NextRound("fight/vigor"))
    assert len(do(world, RollContest(), 1, 1, 3).now.contest.fallen.dice) == 2


def test_help_doubles_the_dice_and_never_twice(world, do):
    world = do(world, Help("teal", "wren"))
    with pytest.raises(Refused, match="doubled already"):
        do(world, Help("thief", "wren"))
    world = do(world, NewContest("wren", "fight/vigor", ("wight",)))
    assert len(do(world, RollContest(), 1, 1, 1, 1, 3).now.contest.fallen.dice) == 4


def test_the_house_order_of_changes_is_used(table, do):
    world = table(order=["additional", "doubled", "increments", "fewer", "non-explosive"])
    world = do(world, Modify("wren", additional=1, doubled=True))
    world = do(world, NewContest("wren", "fight/vigor", ("wight",)))
    assert len(do(world, RollContest(), *[1] * 6, 3).now.contest.fallen.dice) == 6


# ---- social contests


def test_articulate_against_will_is_social_and_hiding_is_not(world):
    assert is_social(world, "articulate/will")
    assert is_social(world, "will/cognition")
    assert not is_social(world, "dodge/notice")
    assert not is_social(world, "cognition/notice")


def test_a_social_contest_needs_its_stakes_first(world, do):
    world = do(world, NewContest("teal", "articulate/will", ("thief",)))
    with pytest.raises(Refused, match="name the stakes first"):
        do(world, RollContest())
    world = do(world, NameStakes("he lets go", "the boat"))
    assert do(world, RollContest(), 3, 4, 2).now.contest.beaten == ["thief"]


def test_a_next_round_needs_a_different_pair_and_the_refusal_names_the_round(world, do):
    world = do(world, Open("ford/plea"))
    world = do(world, RollContest(), 3, 4, 2)
    with pytest.raises(Refused, match="articulate/will was used in round 1"):
        do(world, NextRound("articulate/will"))
    world = do(world, NextRound("articulate/cognition"))
    world = do(world, RollContest(), 3, 4, 2)
    assert world.now.contest.round == 2
    with pytest.raises(Refused, match="articulate/will was used in round 1"):
        do(world, NextRound("articulate/will"))
    with pytest.raises(Refused, match="articulate/cognition was used in round 2"):
        do(world, NextRound("articulate/cognition"))


def test_choosing_a_used_pair_by_another_door_is_refused_too(world, do):
    world = do(world, Open("ford/plea"))
    world = do(do(world, RollContest(), 3, 4, 2), NextRound("will/will"))
    with pytest.raises(Refused, match="used in round 1"):
        do(world, Choose("articulate/will"))


def test_a_table_may_forbid_only_the_round_before(table, do):
    world = do(table(pairs_once=False), Open("ford/plea"))
    world = do(do(world, RollContest(), 3, 4, 2), NextRound("articulate/notice"))
    assert "round 1" in used_up(world, "articulate/will")
    world = do(world, RollContest(), 3, 4, 2)
    assert do(world, NextRound("articulate/will")).now.contest.round == 3


def test_a_fight_may_use_the_same_pair_again(world, do):
    world = do(world, NewContest("wren", "fight/vigor", ("wight",)))
    world = do(world, RollContest(), 1, 1, 3)
    assert do(world, NextRound("fight/vigor")).now.contest.round == 2


# ---- chances


def still(world, do, *who):
    """So that a walk ends: nobody's next throw explodes."""
    for one in who:
        world = do(world, Modify(one, non_explosive=1))
    return world


def test_odds_against_one_are_those_of_the_walk(world, do):
    world = still(world, do, "wren", "wight")
    check_odds(ENGINE, do(world, NewContest("wren", "fight/vigor", ("wight",))), RollContest())


def test_odds_against_many_are_those_of_the_walk(world, do):
    world = still(world, do, "wren", "wight", "thief", "second")
    check_odds(ENGINE, do(world, Open("ford/sneak")), RollContest())


@pytest.mark.parametrize("mods", [{"fewer": 3}, {"increments": -1}, {"doubled": True}, {"additional": 1}])
def test_odds_with_changes_are_those_of_the_walk(world, do, mods):
    order = ["increments", "non-explosive", "doubled", "additional", "fewer"]
    rules = msgspec.structs.replace(world.rules, order=tuple(order))
    world = msgspec.structs.replace(world, rules=rules)
    world = do(still(world, do, "thief"), Modify("teal", non_explosive=1, **mods))
    check_odds(ENGINE, do(world, NewContest("teal", "notice/will", ("thief",), "time")), RollContest())


def test_the_groups_of_chances_name_each_defender(world, do):
    world = do(world, Open("ford/sneak"))
    odds = ENGINE.odds(world, RollContest())
    names = [g.name for g in odds.groups]
    assert names == ["outcome", "beaten", "against wight", "against thief", "against second"]
    assert [c.value for c in odds.groups[1].chances] == [1, 2, 3]
    assert odds.groups[1].chances[2].chance == pytest.approx(odds.hope)
    expected = sum(g.chances[0].chance for g in odds.groups[2:])
    assert sum(c.chance for c in odds.groups[1].chances) == pytest.approx(expected, abs=1e-9)
