"""The table screen: meters and conditions of each, reminders, momentum."""

from __future__ import annotations

from drama_abbey import abbey, do

from tabletop_tui.engines.drama import ENGINE
from tabletop_tui.engines.drama.momentum import EnterScene, NameAdvantage
from tabletop_tui.engines.drama.penalties import GainPenalty
from tabletop_tui.engines.drama.points import MovePool
from tabletop_tui.engines.drama.world import DramaWorld
from tabletop_tui.kit.common import BeginCondition
from tabletop_tui.kit.order import BeginEncounter
from tabletop_tui.rules import Person, TableView, strip


def view_of(world: DramaWorld) -> TableView:
    view = ENGINE.view("table", world)
    assert isinstance(view, TableView)
    return view


def row(view: TableView, who: str) -> Person:
    return next(person for person in view.people if person.id == who)


def test_everybody_has_penalty_dice_and_currency_pools_as_meters() -> None:
    world = do(do(abbey(), GainPenalty("william", "cold", 2)), MovePool("william", "grit", -1))
    meters = {m.name: (m.value, m.most, m.tone) for m in row(view_of(world), "william").meters}
    assert meters == {"penalty dice": (2, 10, "warn"), "flesh": (4, 4, ""), "grit": (3, 4, "")}


def test_the_pools_of_the_gms_own_are_not_for_players() -> None:
    world = do(abbey(), BeginEncounter(("joan", "hugh")))
    assert [m.name for m in row(view_of(world), "hugh").meters] == ["penalty dice", "composure"]
    assert [m.name for m in row(strip(view_of(world)), "hugh").meters] == ["penalty dice"]


def test_conditions_stand_in_the_row_as_data() -> None:
    world = do(abbey(), BeginCondition("joan", "shivering"))
    assert [status.what for status in row(view_of(world), "joan").conditions] == ["shivering"]


def test_the_stressed_are_a_constant_reminder() -> None:
    assert view_of(do(abbey(), GainPenalty("joan", "cold", 6))).reminders == ()
    world = do(abbey(), GainPenalty("joan", "cold", 7))
    assert view_of(world).reminders == ("Joan is stressed: 7 penalty dice in every test",)


def test_a_named_advantage_stands_among_the_facts_until_the_scene_changes() -> None:
    world = do(abbey(), NameAdvantage("hugh", "his own parlour"))
    assert "advantage: Prior Hugh" in [fact.text for fact in view_of(world).facts]
    assert not view_of(do(world, EnterScene("the-parlour"))).facts


def test_another_scene_asks_while_an_encounter_runs_or_a_contest_is_open() -> None:
    assert EnterScene.warns(abbey()) == ""
    running = do(abbey(), BeginEncounter(("joan", "hugh")))
    assert EnterScene.warns(running) == "Round 1 of the encounter is not over. Set the scene? Then it goes on there."


def test_players_see_the_penalty_dice_of_the_gms_own_and_not_their_composure() -> None:
    world = do(do(abbey(), BeginEncounter(("joan", "hugh"))), GainPenalty("hugh", "cold", 2))
    mine, seen = row(view_of(world), "hugh"), row(strip(view_of(world)), "hugh")
    assert (mine.note, mine.secret_note) == ("distracted 2", "distracted 2, Composure 6")
    assert [(m.name, m.secret) for m in mine.meters] == [("penalty dice", False), ("composure", True)]
    assert (seen.note, seen.secret_note) == ("distracted 2", "")
    assert [(m.name, m.value) for m in seen.meters] == [("penalty dice", 2)]
    assert row(view_of(do(abbey(), BeginEncounter(("joan", "hugh")))), "hugh").secret_note == "Composure 6"
    unmet = row(view_of(do(abbey(), GainPenalty("hugh", "cold", 2))), "hugh")
    assert (unmet.secret, unmet.secret_note) == (True, "distracted 2, Composure 6"), "all of the row is the GM's"
