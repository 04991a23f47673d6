from __future__ import annotations

from typing import Any

import msgspec
import pytest
from fen_table import Do, contest_in, odds_of, view_of

from tabletop_tui.conformance import check_odds
from tabletop_tui.engines.fen import ENGINE
from tabletop_tui.engines.fen.changes import Modify
from tabletop_tui.engines.fen.contest import Choose, Close, Defend, NewContest, RollContest, StandAside
from tabletop_tui.engines.fen.effects import Apply, NextRound
from tabletop_tui.engines.fen.harm import Heal, Hurt
from tabletop_tui.engines.fen.hiding import EnterScene
from tabletop_tui.engines.fen.prepared import Open, OpenBy
from tabletop_tui.engines.fen.views.contest import go_on
from tabletop_tui.engines.fen.world import FenScene, FenWorld, Plan
from tabletop_tui.kit.common import Retire
from tabletop_tui.rules import Dice, Refused, fields, parse


def beaten(world: FenWorld) -> list[str]:
    return list(contest_in(world).beaten)


# ---- the worked example


def test_in_dodge_against_notice_the_seeker_wins_by_meeting_the_hiders_dodge(world: FenWorld, do: Do) -> None:
    world = do(world, NewContest("wren", "dodge/notice", ("wight",)))
    assert beaten(do(world, RollContest(), 3, 2, 5)) == []  # 5 against 5: the seeker, who defends, has won
    assert beaten(do(world, RollContest(), 3, 3, 5)) == ["wight"]


# ---- the rules around it


def test_fight_vigor_as_typed_means_just_that(world: FenWorld, do: Do) -> None:
    action = parse(NewContest, {"who": "wren", "contest": "fight/vigor", "against": "wight,thief"})
    world = do(world, action)
    contest = contest_in(world)
    assert (contest.who, contest.skill, contest.using) == ("wren", "fight", "vigor")
    assert list(contest.defenders) == ["wight", "thief"]


def test_any_skill_can_be_named_and_one_that_nobody_has_rolls_1d4(world: FenWorld, do: Do) -> None:
    world = do(world, NewContest("wren", "Boat lore / FIGHT", ("wight",)))
    assert (contest_in(world).skill, contest_in(world).using) == ("Boat lore", "fight")
    assert [b.note for b in view_of("contest", world).parties[0].bids] == ["not on the sheet"]
    assert contest_in(do(world, RollContest(), 3, 1, 1)).beaten == ["wight"]
    assert contest_in(do(world, Choose("reeds/vigor"))).pair == "reeds/vigor"
    again = do(do(world, RollContest(), 3, 1, 1), NextRound("boat lore/will"))
    assert contest_in(again).pair == "boat lore/will"


@pytest.mark.parametrize("pair", ["fight", "fight/", "a/b/c", "/vigor"])
def test_what_is_no_contest_is_pointed_at(world: FenWorld, do: Do, pair: str) -> None:
    with pytest.raises(Refused):
        do(world, NewContest("wren", pair, ("wight",)))


def test_a_contest_whose_effect_is_not_applied_yet_is_not_thrown_away_without_a_question(
    world: FenWorld, do: Do
) -> None:
    for kind in (Open, NewContest, Close, NextRound):
        assert kind.warns(world) == ""
    world = do(world, Open("ford/scare"))
    assert "has not been rolled yet" in Open.warns(world)
    assert "has not been rolled yet" in NewContest.warns(world)
    assert Close.warns(world) == ""
    world = do(world, RollContest(), 7, 6, 3, 2)
    for kind in (Open, NewContest, Close, NextRound):
        assert kind.warns(world) == "Leave out 'shaken, 2 damage, 1 wound'? It has not been applied to Wight, Thief."
    world = do(world, Apply("wight"))
    assert "applied to Thief." in Close.warns(world)
    world = do(world, Apply("thief"))
    for kind in (Open, NewContest, Close, NextRound):
        assert kind.warns(world) == ""


def test_a_contest_that_another_one_replaces_is_closed_in_the_log(world: FenWorld, do: Do) -> None:
    world = do(world, Open("ford/scare"))
    _, closed, opened = NewContest("wren", "fight/vigor", ("wight",)).resolve(world, Dice(()))
    assert closed.says(world) == "A roar is closed"
    assert "fight/vigor" in opened.says(world)


def test_a_prepared_contest_whose_aggressor_is_down_is_closed_with_the_reason(world: FenWorld, do: Do) -> None:
    world = do(world, Hurt("wren", 50))
    view = view_of("contest", world)
    assert {o.label: o.closed for o in view.open} == {
        "Past them": "Wren is down",
        "A roar": "Wren is down",
        "A plea": "",
    }
    with pytest.raises(Refused, match="Wren is down"):
        do(world, Open("ford/scare"))
    with pytest.raises(Refused, match="Wren is not here"):
        do(do(do(world, Heal("wren", 5)), Retire("wren")), Open("ford/scare"))


def test_the_next_round_is_offered_only_where_somebody_is_left(world: FenWorld, do: Do) -> None:
    world = do(do(world, NewContest("wren", "fight/vigor", ("wight",))), RollContest(), 7, 6, 3)
    again = next(o for o in view_of("contest", world).prompt.options if isinstance(o.action, NextRound))
    assert again.closed == ""
    down = do(world, Hurt("wight", 50))
    again = next(o for o in view_of("contest", down).prompt.options if isinstance(o.action, NextRound))
    assert again.closed == "nobody is left who could defend"


def test_dice_beyond_all_measure_close_the_roll_instead_of_failing_it(world: FenWorld, do: Do) -> None:
    sheets = {**world.sheets, "wren": msgspec.structs.replace(world.sheets["wren"], skills={"fight": "600d4"})}
    world = msgspec.structs.replace(world, sheets=sheets)
    world = do(do(world, NewContest("wren", "fight/vigor", ("wight",))), Modify("wren", doubled=True))
    assert "1,200 dice are too many" in RollContest.when(world)
    assert view_of("contest", world).roll_closed == RollContest.when(world)


def test_a_skill_that_is_missing_rolls_a_d4(world: FenWorld, do: Do) -> None:
    world = do(world, NewContest("teal", "fight/vigor", ("thief",)))
    rolled = contest_in(do(world, RollContest(), 3, 2))
    assert [d.sides for d in rolled.fallen.dice] == [4]
    assert [d.sides for d in rolled.defenders["thief"].fallen.dice] == [4]


def test_against_many_the_aggressor_rolls_once_and_each_defender_alone(world: FenWorld, do: Do) -> None:
    world = do(world, Open("ford/sneak"))
    # 2 + 3 against 5 (holds), 4→1 = 5 (holds), 2 (beaten)
    world = do(world, RollContest(), 2, 3, 5, 4, 1, 2)
    contest = contest_in(world)
    assert contest.fallen.total == 5
    assert {w: d.fallen.total for w, d in contest.defenders.items()} == {"wight": 5, "thief": 5, "second": 2}
    assert beaten(world) == ["second"]


def test_defenders_come_and_go_until_the_dice_fall(world: FenWorld, do: Do) -> None:
    world = do(world, NewContest("wren", "fight/vigor", ("wight",)))
    world = do(do(world, Defend("thief")), StandAside("wight"))
    assert list(contest_in(world).defenders) == ["thief"]
    world = do(world, RollContest(), 1, 1, 3)
    with pytest.raises(Refused, match="already rolled"):
        do(world, Defend("wight"))
    assert do(world, Close()).now.contest is None


def test_a_contest_without_defenders_is_not_rolled(world: FenWorld, do: Do) -> None:
    world = do(world, NewContest("wren", "fight/vigor", ()))
    with pytest.raises(Refused, match="nobody defends"):
        do(world, RollContest())


def test_the_down_and_the_departed_contest_nothing(world: FenWorld, do: Do) -> None:
    world = do(do(world, EnterScene("ford")), Open("ford/scare"))
    down = do(world, Hurt("wight", 50))
    with pytest.raises(Refused, match="Wight, down: drop that defender"):
        do(down, RollContest(), 4, 4, 1, 1)
    with pytest.raises(Refused, match="Wren, down: close it"):
        do(do(world, Hurt("wren", 50)), RollContest(), 4, 4, 1, 1)
    rolled = do(world, RollContest(), 4, 4, 1, 1)
    again = do(do(rolled, Retire("thief")), NextRound("fight/will"))
    assert list(contest_in(again).defenders) == ["wight"]
    with pytest.raises(Refused, match="nobody is left who could defend"):
        do(do(do(rolled, Retire("thief")), Hurt("wight", 50)), NextRound("fight/will"))


def test_a_contest_is_the_same_however_its_skills_are_spelled(world: FenWorld, do: Do) -> None:
    scene = FenScene("Spelled", contests={"x": Plan("Fight / VIGOR", "", "wren", ("wight",))})
    rolled = do(
        do(do(msgspec.structs.replace(world, scenes={"here": scene}), EnterScene("here")), Open("here/x")),
        RollContest(),
        1,
        1,
        2,
    )
    assert contest_in(rolled).pair == "fight/vigor"
    (again,) = go_on(rolled, contest_in(rolled))
    assert contest_in(do(rolled, again.action)).round == 2


# ---- chances


def still(world: FenWorld, do: Do, *who: Any) -> Any:
    """So that a walk ends: nobody's next throw explodes."""
    for one in who:
        world = do(world, Modify(one, non_explosive=1))
    return world


def test_odds_against_one_are_those_of_the_walk(world: FenWorld, do: Do) -> None:
    world = still(world, do, "wren", "wight")
    check_odds(ENGINE, do(world, NewContest("wren", "fight/vigor", ("wight",))), RollContest())


def test_odds_against_many_are_those_of_the_walk(world: FenWorld, do: Do) -> None:
    world = still(world, do, "wren", "wight", "thief", "second")
    check_odds(ENGINE, do(world, Open("ford/sneak")), RollContest())


@pytest.mark.parametrize("mods", [{"fewer": 3}, {"increments": -1}, {"doubled": True}, {"additional": 1}])
def test_odds_with_changes_are_those_of_the_walk(world: FenWorld, do: Do, mods: Any) -> None:
    order = ["increments", "non-explosive", "doubled", "additional", "fewer"]
    rules = msgspec.structs.replace(world.rules, order=tuple(order))
    world = msgspec.structs.replace(world, rules=rules)
    world = do(still(world, do, "thief"), Modify("teal", non_explosive=1, **mods))
    check_odds(ENGINE, do(world, NewContest("teal", "notice/will", ("thief",), "time")), RollContest())


def test_the_groups_of_chances_name_each_defender(world: FenWorld, do: Do) -> None:
    world = do(world, Open("ford/sneak"))
    odds = odds_of(world, RollContest())
    names = [g.name for g in odds.groups]
    assert names == ["outcome", "beaten", "against wight", "against thief", "against second"]
    assert [c.value for c in odds.groups[1].chances] == [1, 2, 3]
    assert odds.groups[1].chances[2].chance == pytest.approx(odds.hope)
    expected = sum(g.chances[0].chance for g in odds.groups[2:])
    assert sum(c.chance for c in odds.groups[1].chances) == pytest.approx(expected, abs=1e-9)


def test_a_prepared_contest_without_an_aggressor_asks_for_one(world: FenWorld, do: Do) -> None:
    bank = msgspec.structs.replace(world.scenes["bank"], contests={"any": Plan("dodge/notice", against=("wight",))})
    world = msgspec.structs.replace(world, scenes={"bank": bank})
    (option,) = view_of("contest", world).open
    (ready,) = [p for p in ENGINE.prepared(world, "bank") if p.what == "contest"]
    for one in (option, ready):
        assert (one.action, one.closed) == (OpenBy("bank/any", ""), "")
        assert [f.name for f in fields(OpenBy) if f.required] == ["contest", "who"]
    assert contest_in(do(world, OpenBy("bank/any", "teal"))).parties == ("teal", "wight")
    with pytest.raises(Refused, match="nobody was prepared as the aggressor"):
        do(world, Open("bank/any"))
