"""What once started an argument: who may take part, which side they are on, what counts twice."""

import pytest
from msgspec.structs import replace

from tabletop_tui.engines.fen.bench import FenBench
from tabletop_tui.engines.fen.contest import NewContest, Open, RollContest, is_social
from tabletop_tui.engines.fen.contest_adds import go_on
from tabletop_tui.engines.fen.effects import Apply, NextRound, losers
from tabletop_tui.engines.fen.harm import Hurt
from tabletop_tui.engines.fen.modifiers import Help, Modify
from tabletop_tui.engines.fen.rounds import BeginFight, EndFight, Join, RollInitiative, Stand, rolling_sides
from tabletop_tui.engines.fen.world import FenScene, Plan
from tabletop_tui.rules import Dice, Refused
from tabletop_tui.rules.common import EnterScene, Retire
from tabletop_tui.rules.order import Reveal


def on(world, do, scene: FenScene):
    """The world with one more scene, which is on."""
    return do(replace(world, scenes={**world.scenes, "here": scene}), EnterScene("here"))


def test_one_who_lies_in_wait_can_hide_from_a_seeker_and_be_questioned_after_a_fight(world, do):
    ambush = FenScene("Ambush", sides={"heroes": ("wren", "teal"), "foes": ("wight", "thief")}, hidden=("thief",))
    world = on(world, do, ambush)
    assert do(world, NewContest("thief", "dodge/notice", ("wren",))).now.contest.who == "thief"
    fight = do(world, BeginFight())
    with pytest.raises(Refused, match="reveal them first"):
        do(fight, NewContest("thief", "dodge/notice", ("wren",)))
    over = do(do(fight, Reveal("thief")), EndFight())
    assert "thief" in do(over, NewContest("teal", "articulate/will", ("thief",), "the truth")).now.contest.defenders


def test_whoever_joins_stands_with_the_side_that_is_theirs(world, do):
    keepers = FenScene("Keepers", sides={"keepers": ("wren",), "thieves": ("thief",)})
    fight = do(on(world, do, keepers), BeginFight(surprised=("keepers",)))
    fight = do(do(fight, Join("teal")), Join("second"))
    assert {w: f.side for w, f in fight.now.turns.fighters.items()} == {
        "wren": "keepers",
        "thief": "thieves",
        "teal": "keepers",
        "second": "thieves",
    }
    assert rolling_sides(fight) == ["thieves"]  # no late arrival undoes the surprise


def test_a_side_that_has_the_round_to_itself_names_nobody(world, do):
    fight = do(do(world, EnterScene("ford")), BeginFight())  # the heroes are surprised
    with pytest.raises(Refused, match="nobody has to roll"):
        do(fight, Stand("wight", "notice"))
    assert do(fight, RollInitiative()).now.rounds.sequence == ("foes",)


def test_the_workbench_doubles_once_and_keeps_the_tables_order(world, do):
    helped = do(world, Help("teal", "wren"))
    assert "4d8" in FenBench(helped).read("wren fight doubled").words
    assert "8d8" not in FenBench(helped).read("wren fight doubled").words
    fewer = do(world, Modify("wren", fewer=2))
    assert "1d8" in FenBench(fewer).read("wren fight additional 1").words
    assert "twice" not in FenBench(fewer).read("wren fight additional 1").words


def test_the_down_and_the_departed_contest_nothing(world, do):
    world = do(do(world, EnterScene("ford")), Open("ford/scare"))
    down = do(world, Hurt("wight", 50))
    with pytest.raises(Refused, match="Wight, down: drop that defender"):
        do(down, RollContest(), 4, 4, 1, 1)
    with pytest.raises(Refused, match="Wren, down: put it away"):
        do(do(world, Hurt("wren", 50)), RollContest(), 4, 4, 1, 1)
    rolled = do(world, RollContest(), 4, 4, 1, 1)
    again = do(do(rolled, Retire("thief")), NextRound("fight/will"))
    assert list(again.now.contest.defenders) == ["wight"]
    with pytest.raises(Refused, match="nobody is left who could defend"):
        do(do(do(rolled, Retire("thief")), Hurt("wight", 50)), NextRound("fight/will"))


def test_an_aggressor_who_lost_to_somebody_is_struck_once(world, do):
    world = do(do(world, EnterScene("ford")), Open("ford/scare"))
    partly = do(world, RollContest(), 2, 2, 7, 1)  # the wight holds, the thief does not
    assert [(c.value, c.closed) for c in losers(partly, {})] == [("all", ""), ("thief", ""), ("wren", "")]
    struck = do(partly, Apply("wren"))
    with pytest.raises(Refused, match="struck them already"):
        do(struck, Apply("wren"))


def test_a_contest_is_the_same_however_its_skills_are_spelled(world, do):
    scene = FenScene("Spelled", contests={"x": Plan("Fight / VIGOR", "", "wren", ("wight",))})
    rolled = do(do(on(world, do, scene), Open("here/x")), RollContest(), 1, 1, 2)
    assert rolled.now.contest.pair == "fight/vigor"
    (again,) = go_on(rolled, rolled.now.contest)
    assert do(rolled, again.action).now.contest.round == 2


def test_a_table_with_social_skills_of_its_own_has_social_contests(table):
    assert is_social(table(social_skills=("charm", "wit")), "charm/wit")
    assert not is_social(table(), "cognition/notice")


def test_players_are_not_told_of_a_surprise_or_a_blow_they_cannot_see(world, do):
    ambush = FenScene("Ambush", sides={"heroes": ("wren",), "foes": ("thief",)}, hidden=("thief",))
    world = on(world, do, ambush)
    began, readied = BeginFight(surprised=("foes",)).resolve(world, Dice())
    assert readied.says(began.apply(world)) == ""
    fight = do(do(world, BeginFight(nobody_surprised=True)), Reveal("thief"))
    rolled = do(do(fight, NewContest("wren", "fight/will", ("thief",), "he runs")), RollContest(), 7, 7, 1)
    struck, *_ = Apply("thief", hurt=2).resolve(do(rolled, Reveal("thief")), Dice())  # out of sight again
    unseen = do(rolled, Reveal("thief"))
    assert (struck.says(unseen), struck.whispers(unseen)) == ("", "Thief suffers 2 damage")
    assert struck.says(rolled) == "Thief suffers 2 damage"
