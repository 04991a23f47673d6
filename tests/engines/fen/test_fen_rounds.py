from __future__ import annotations

from typing import Any

import pytest
from fen_table import Do, Make, view_of
from msgspec.structs import replace

from tabletop_tui.conformance import check_odds
from tabletop_tui.engines.fen import ENGINE
from tabletop_tui.engines.fen.changes import Modify
from tabletop_tui.engines.fen.harm import Hurt
from tabletop_tui.engines.fen.hiding import EnterScene
from tabletop_tui.engines.fen.initiative import RollInitiative, Stand, may_stand, rolling_sides
from tabletop_tui.engines.fen.rounds import BeginFight, EndFight, Join
from tabletop_tui.engines.fen.turns import Act, NextTurn
from tabletop_tui.engines.fen.world import FenScene, FenWorld, person
from tabletop_tui.kit.common import BeginCondition
from tabletop_tui.rules import Dice, Refused
from tabletop_tui.session.awaited import awaited


@pytest.fixture
def fight(world: FenWorld, do: Do) -> FenWorld:
    """Round one without surprise, nobody was named to roll."""
    return do(do(world, EnterScene("bank")), BeginFight())


def through_the_round(world: FenWorld, do: Do) -> FenWorld:
    """Everybody has their turn."""
    at = world.now.turns.round
    for _ in range(20):
        if world.now.turns.round != at:
            return world
        world = do(world, NextTurn())
    raise AssertionError("the round never ends")


def test_the_highest_side_acts_first_and_whole(fight: FenWorld, do: Do) -> None:
    world = do(fight, RollInitiative(), 1, 2, 3, 5)  # teal 3d6 = 6, the thief's dodge d6 = 5
    assert world.now.rounds.sequence == ("heroes", "foes")
    acted = []
    for _ in range(5):
        world = do(world, NextTurn())
        acted.append(world.now.turns.current)
    assert {*acted[:2]} == {"wren", "teal"}
    assert {*acted[2:]} == {"wight", "thief", "second"}
    assert do(world, NextTurn()).now.turns.round == 2


def test_a_tie_goes_to_the_players_side(fight: FenWorld, do: Do) -> None:
    world = do(do(fight, Stand("wren", "notice")), Stand("wight", "notice"))
    assert do(world, RollInitiative(), 2, 3, 5).now.rounds.sequence == ("heroes", "foes")
    assert do(world, RollInitiative(), 2, 2, 5).now.rounds.sequence == ("foes", "heroes")


def test_a_table_may_give_the_tie_to_the_others(table: Make, do: Do) -> None:
    world = do(table(tie_to_players=False), BeginFight(surprised=()))
    world = do(do(world, Stand("wren", "notice")), Stand("wight", "notice"))
    assert do(world, RollInitiative(), 2, 3, 5).now.rounds.sequence == ("foes", "heroes")


def test_each_of_a_side_stands_up_before_anyone_repeats(fight: FenWorld, do: Do) -> None:
    world = do(do(fight, Stand("wren", "dodge")), Stand("thief", "dodge"))
    world = through_the_round(do(world, RollInitiative(), 2, 3, 4), do)
    assert may_stand(world, "heroes") == ["teal"]
    assert set(may_stand(world, "foes")) == {"wight", "second"}
    with pytest.raises(Refused, match="others of the side come first"):
        do(world, Stand("wren", "notice"))
    world = do(do(world, Stand("teal", "dodge")), Stand("wight", "notice"))
    world = through_the_round(do(world, RollInitiative(), 2, 3, 4), do)
    assert set(may_stand(world, "heroes")) == {"wren", "teal"}  # all have; it begins anew
    assert may_stand(world, "foes") == ["second"]
    world = through_the_round(do(do(world, Stand("teal", "dodge")), RollInitiative(), 2, 3, 4), do)
    assert may_stand(world, "heroes") == ["wren"]


def test_without_rotation_anyone_may_stand_up_again(table: Make, do: Do) -> None:
    world = do(table(rotation=False), BeginFight())
    world = through_the_round(do(do(world, Stand("wren", "dodge")), RollInitiative(), 2, 3, 4), do)
    assert set(may_stand(world, "heroes")) == {"wren", "teal"}


def test_who_is_down_does_not_stand_up(fight: FenWorld, do: Do) -> None:
    world = do(do(fight, Stand("thief", "dodge")), Hurt("thief", 50))
    assert "thief" not in may_stand(world, "foes")
    world = do(do(world, Stand("wren", "notice")), Stand("wight", "notice"))
    assert do(world, RollInitiative(), 2, 2, 3).now.rounds.standing["foes"].who == "wight"


def test_a_surprised_side_has_no_turn_in_round_one_and_does_not_roll(world: FenWorld, do: Do) -> None:
    world = do(do(world, EnterScene("ford")), BeginFight())
    assert world.now.rounds.surprised == ("heroes",)
    with pytest.raises(Refused):
        do(world, Stand("wren", "notice"))
    world = do(world, RollInitiative())  # nobody contends, so no dice
    assert world.now.rounds.sequence == ("foes",)
    for _ in range(3):
        world = do(world, NextTurn())
        assert world.now.turns.fighters[world.now.turns.current].side == "foes"
    world = do(world, NextTurn())
    assert (world.now.turns.round, world.now.rounds.surprised) == (2, ())
    world = do(do(world, Stand("wren", "notice")), Stand("wight", "notice"))
    assert set(do(world, RollInitiative(), 2, 2, 3).now.rounds.sequence) == {"heroes", "foes"}


def test_nobody_of_a_surprised_side_is_told_that_they_are_next(world: FenWorld, do: Do) -> None:
    world = do(do(do(do(world, EnterScene("ford")), BeginFight()), RollInitiative()), NextTurn())
    view = view_of("table", world)
    parts = {p.id: p.section for p in view.people}
    assert parts["wren"] == parts["teal"] == "no turn in this round"
    assert parts[world.now.turns.current] == "turn order"
    told = awaited(view, lambda who: who == "wren")
    assert told is not None
    assert not told.when


@pytest.mark.parametrize(("ruling", "sequence"), [("last", ("foes", "heroes")), ("nothing", ("heroes", "foes"))])
def test_a_table_may_rule_otherwise_on_surprise(table: Make, do: Do, ruling: str, sequence: Any) -> None:
    world = do(do(table(surprised=ruling), EnterScene("ford")), BeginFight())
    faces: tuple[int, ...] = ()  # "last" leaves only the foes, so nobody rolls
    if ruling == "nothing":
        world = do(do(world, Stand("wren", "notice")), Stand("wight", "notice"))
        faces = (3, 3, 1)
    assert do(world, RollInitiative(), *faces).now.rounds.sequence == sequence


def test_not_everybody_can_be_surprised(world: FenWorld, do: Do) -> None:
    with pytest.raises(Refused, match="seen it coming"):
        do(world, BeginFight(surprised=("heroes", "foes")))


def test_a_turn_is_one_minor_and_one_major_action(fight: FenWorld, do: Do) -> None:
    world = do(do(fight, RollInitiative(), 6, 6, 6, 1, 1, 1, 1), NextTurn("wren"))
    world = do(do(world, Act("wren", "minor", "draws")), Act("wren", "major"))
    for cost in ("minor", "major"):
        with pytest.raises(Refused, match=f"no {cost} action left"):
            do(world, Act("wren", cost))
    with pytest.raises(Refused, match="not their turn"):
        do(world, Act("teal", "major"))


def test_one_reaction_a_round_and_a_new_one_in_the_next(fight: FenWorld, do: Do) -> None:
    world = do(do(fight, RollInitiative(), 6, 6, 6, 1, 1, 1, 1), NextTurn("wren"))
    world = do(world, Act("wight", "reaction", "snaps"))
    with pytest.raises(Refused, match="no reaction left"):
        do(world, Act("wight", "reaction"))
    world = through_the_round(world, do)
    assert person(world, "wight").reactions == 0
    assert person(do(world, Act("wight", "reaction")), "wight").reactions == 1


def test_who_joins_late_fights_on_the_named_side(world: FenWorld, do: Do) -> None:
    world = do(do(world, EnterScene("bank")), BeginFight(("wren", "wight")))
    world = do(world, Join("thief", "heroes"))
    assert world.now.turns.fighters["thief"].side == "heroes"


def test_conditions_that_count_turns_end_with_them(fight: FenWorld, do: Do) -> None:
    world = do(fight, BeginCondition("wren", "off balance", "end"))
    world = do(do(world, RollInitiative(), 6, 6, 6, 1, 1, 1, 1), NextTurn("wren"))
    assert world.now.conditions
    assert not do(world, NextTurn()).now.conditions


def test_the_end_of_a_fight_leaves_nothing_of_its_rounds(fight: FenWorld, do: Do) -> None:
    world = do(do(fight, RollInitiative(), 6, 6, 6, 1, 1, 1, 1), EndFight())
    assert not world.now.turns.running
    assert world.now.rounds.sequence == ()


def test_initiative_odds_are_those_of_the_walk(fight: FenWorld, do: Do) -> None:
    world = do(do(fight, Stand("wren", "notice")), Stand("wight", "notice"))
    world = do(do(world, Modify("wren", non_explosive=2)), Modify("wight", non_explosive=1))
    check_odds(ENGINE, world, RollInitiative())


def test_whoever_joins_stands_with_the_side_that_is_theirs(world: FenWorld, do: Do) -> None:
    keepers = FenScene("Keepers", sides={"keepers": ("wren",), "thieves": ("thief",)})
    fight = do(do(replace(world, scenes={"here": keepers}), EnterScene("here")), BeginFight(surprised=("keepers",)))
    fight = do(do(fight, Join("teal")), Join("second"))
    assert {w: f.side for w, f in fight.now.turns.fighters.items()} == {
        "wren": "keepers",
        "thief": "thieves",
        "teal": "keepers",
        "second": "thieves",
    }
    assert rolling_sides(fight) == ["thieves"]  # no late arrival undoes the surprise


def test_a_side_that_has_the_round_to_itself_names_nobody(world: FenWorld, do: Do) -> None:
    fight = do(do(world, EnterScene("ford")), BeginFight())  # the heroes are surprised
    with pytest.raises(Refused, match="nobody has to roll"):
        do(fight, Stand("wight", "notice"))
    assert do(fight, RollInitiative()).now.rounds.sequence == ("foes",)


def test_a_scene_without_sides_has_the_heroes_fight_its_cast_and_nobody_else(world: FenWorld, do: Do) -> None:
    reeds = FenScene("The reeds", cast=("thief",))
    world = do(replace(world, scenes={**world.scenes, "reeds": reeds}), EnterScene("reeds"))
    assert do(world, BeginFight()).now.turns.order == ("teal", "wren", "thief")


def test_a_scene_that_names_no_foe_asks_who_fights(world: FenWorld, do: Do) -> None:
    world = do(replace(world, scenes={"moor": FenScene("The moor")}), EnterScene("moor"))
    with pytest.raises(Refused, match="nobody here stands against them"):
        do(world, BeginFight())
    view = view_of("table", world)
    assert view.prompt is None, "there is nothing that Enter could mean"
    assert [o.action for o in view.acts if isinstance(o.action, BeginFight)] == [BeginFight()]
    assert do(world, BeginFight(("wren", "wight"))).now.turns.order == ("wren", "wight")


def test_who_fights_is_told_before_anybody_has_rolled_for_an_order(world: FenWorld, do: Do) -> None:
    here = do(world, EnterScene("weir"))
    began, *_ = BeginFight().resolve(here, Dice())
    assert began.says(here) == "In the fight: Wren, Teal, Wight", "the thief lies in wait"
