"""A player's seat in a home-brew game: what is asked of them, what is the GM's, and what waits for their turn."""

from __future__ import annotations

from typing import Any

import playing
import pytest
from brews import rules_of, world_of

from tabletop_tui.engines.homebrew.asking import turn_owner
from tabletop_tui.engines.homebrew.options import Use
from tabletop_tui.engines.homebrew.rolls import Roll
from tabletop_tui.rules import Action, Fighter, Refused, TableView, Turns, fields
from tabletop_tui.session import Table


def seats(name: str, *players: str) -> list[Table]:
    """The GM's table and some players', at the beginning of a sample's first evening."""
    (root,) = [path for path in playing.samples("homebrew") if path.name == name]
    return playing.seats(root, *players)


def must_say(table: Table, kind: type[Action], **said: Any) -> list[str]:
    """What has to be said after some answers."""
    shaped = [table.shaped(kind, field, said) for field in fields(kind)]
    return [field.name for field in shaped if field is not None and field.required and field.name not in said]


def acts(table: Table) -> dict[str, Any]:
    view = table.view("table")
    assert isinstance(view, TableView)
    return {option.label: option for option in view.acts}


def test_what_a_roll_mentions_has_to_be_said() -> None:
    _, anna = seats("lamplighters", "Anna")
    assert must_say(anna, Roll, roll="action", who="marchetta") == ["stat", "say", "say2"]
    _, sam = seats("broken-causeway", "Sam")
    assert must_say(sam, Roll, roll="attack", who="hale") == ["whom", "stat"]
    assert must_say(sam, Use, option="prayer", who="hale") == ["whom"]


def test_a_roll_of_the_gms_is_not_offered_to_a_player() -> None:
    gm, anna = seats("lamplighters", "Anna")
    assert "Fortune" in acts(gm)
    assert "Fortune" not in acts(anna)
    answers = {"roll": "fortune", "who": "marchetta", "say": 2}
    assert (anna.standing(Roll, answers).how, anna.standing(Roll, answers).why) == ("no", "the GM's")
    with pytest.raises(Refused):
        anna.do(Roll("fortune", "marchetta", say=2))


def test_what_only_the_gm_knows_is_not_asked_of_a_player_who_asks_for_the_roll() -> None:
    gm, sam = seats("broken-causeway", "Sam")
    answers = {"roll": "check", "who": "hale", "stat": "might", "stat2": "climbing"}
    assert sam.standing(Roll, answers).how == "ask"
    says = next(field for field in fields(Roll) if field.name == "say")
    assert not sam.rights().answers(says, answers)
    sam.propose(Roll, answers)
    gm.catch_up()
    (asked,) = gm.proposals()
    assert asked.fields == answers
    assert gm.completion(asked) == Roll("check", "hale", stat="might", stat2="climbing", say="5")
    with pytest.raises(Refused, match="not for you to say"):
        sam.propose(Roll, {**answers, "say": 10})


def test_a_roll_that_asks_nothing_of_the_gm_is_a_players_own() -> None:
    _, anna = seats("lamplighters", "Anna")
    said = {"roll": "action", "who": "marchetta", "stat": "sway", "say": "risky", "say2": "standard"}
    assert anna.standing(Roll, said).how == "do"


def test_out_of_turn_a_player_asks_for_a_roll_and_in_their_turn_makes_it() -> None:
    gm, sam, lou = seats("broken-causeway", "Sam", "Lou")
    strike = {"roll": "attack", "whom": "eel", "stat": "axe"}
    hale, wick = {**strike, "who": "hale"}, {**strike, "who": "wick", "stat": "knife"}
    assert sam.standing(Roll, hale).how == "do", "no turn order is kept"
    playing.act(gm, "begin who=wick,hale,eel", (18, 10, 2))
    for table in (sam, lou):
        table.catch_up()
    assert gm.world.now.turns.current == "wick"
    assert (sam.standing(Roll, hale).how, lou.standing(Roll, wick).how) == ("ask", "do")
    assert acts(sam)["Attack"].asks
    playing.act(gm, "next")
    for table in (sam, lou):
        table.catch_up()
    assert (sam.standing(Roll, hale).how, lou.standing(Roll, wick).how) == ("do", "ask")


def test_where_a_side_acts_whole_everybody_on_it_is_in_turn() -> None:
    turns = Turns(
        mode="sides",
        round=1,
        holder="heroes",
        order=("ana", "bo", "ogre"),
        current="ana",
        fighters={"ana": Fighter("heroes"), "bo": Fighter("heroes"), "ogre": Fighter("foes")},
    )
    world = world_of(rules_of('[rolls.strike]\ndice = "1d20"')).live(turns=turns)
    assert [turn_owner(world, {"who": who}) for who in ("ana", "bo", "ogre", "cy")] == ["ana", "bo", "", "cy"]


def test_what_a_player_asked_for_is_done_as_it_was_asked_when_the_gm_accepts() -> None:
    gm, sam = seats("broken-causeway", "Sam")
    sam.propose(Roll, {"roll": "check", "who": "hale", "stat": "might", "stat2": "climbing"})
    gm.catch_up()
    (asked,) = gm.proposals()
    gm.accept(asked.seq, None, (12,), roll=False)
    assert (gm.world.now.roll.who, gm.world.now.roll.whom, gm.world.now.roll.result) == ("hale", "", 20)
