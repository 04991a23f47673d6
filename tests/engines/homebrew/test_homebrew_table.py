"""The table of a home-brew game: what whoever is up can do, and what one letter rolls."""

from __future__ import annotations

from typing import Any

from brews import ENGINE, rules_of, world_of

from tabletop_tui.engines.homebrew.by_hand import PutCondition, Save
from tabletop_tui.engines.homebrew.rolls import Roll
from tabletop_tui.engines.homebrew.turns import Begin, Next
from tabletop_tui.rules import Action, Dice, TableView, roller

GAME = """
[stats.trait]
names = ["hard", "quick"]
[rolls.strike]
dice = "1d20 + hard"
against = "10 + their quick"
[rolls.dodge]
dice = "1d20 + quick"
[turns]
order = "listed"
"""


def run(world: Any, *actions: Action) -> Any:
    for action in actions:
        for event in action.resolve(world, Dice((), roller("table", 1))):
            world = event.apply(world)
    return world


def fight(text: str = GAME) -> Any:
    return run(world_of(rules_of(text)), Begin(("ana", "ogre", "bo")))


def table(world: Any) -> TableView:
    view = ENGINE.view("table", world)
    assert isinstance(view, TableView)
    return view


def test_whom_a_roll_is_against_and_with_what_is_chosen_on_the_screen_and_not_by_the_game() -> None:
    view = table(fight())
    assert view.roll is None
    assert view.acts[0].action == Roll("strike", "")
    assert table(fight(GAME.replace('"10 + their quick"', '"10"').replace("+ hard", "+ trait"))).roll is None


def test_a_first_roll_that_asks_nothing_is_made_by_one_letter() -> None:
    world = fight(GAME.replace('"10 + their quick"', '"10"'))
    assert table(world).roll == Roll("strike", "ana")
    after = run(world, Roll("dodge", "ana"))
    assert table(after).roll == Roll("strike", "ana")  # what is first on the screen, not what was rolled last


def test_the_next_turn_is_among_what_can_be_done_and_comes_first_after_a_roll() -> None:
    world = fight()
    last = table(world).acts[-1]
    assert (last.action, last.key, last.note) == (Next(), "n", "Ogre")
    rolled = run(world, Roll("dodge", "ana"))
    assert table(rolled).acts[0].action == Next()
    onward = run(rolled, Next())
    assert table(onward).acts[0].action == Roll("strike", "")
    assert table(run(onward, Roll("dodge", "bo"))).acts[0].action == Roll("strike", "")  # it is not Bo who is up
    assert table(run(onward, Next())).acts[-1].note == "a new round"


def test_without_turns_there_is_no_next_one() -> None:
    assert all(option.action != Next() for option in table(world_of(rules_of(GAME))).acts)


def test_a_save_that_whoever_is_up_could_make_stands_beside_the_next_turn() -> None:
    text = GAME + '[conditions.poisoned]\nends = "save"\nroll = "dodge"\n'
    world = run(fight(text), PutCondition("ana", "poisoned"))
    save, last = table(world).acts[-2:]
    assert (save.label, save.key, save.note, last.action) == ("save", "s", "to end poisoned", Next())
    assert [type(option.action) for option in table(run(world, Roll("dodge", "ana"))).acts[:2]] == [Next, Save]
    onward = table(run(world, Next()))
    assert all(not isinstance(option.action, Save) for option in onward.acts), "it is not Ana's turn"


SIDES = GAME.replace('order = "listed"', 'order = "sides"\ntie = ["foes"]')


def turns_of(world: Any, count: int) -> list[str]:
    """Who is up, in this turn and the following ones."""
    found = [world.now.turns.current]
    while len(found) < count:
        world = run(world, Next())
        found.append(world.now.turns.current)
    return found


def test_the_side_that_begins_begins_every_round_and_nobody_acts_twice_running() -> None:
    assert turns_of(fight(SIDES), 7) == ["ogre", "ana", "bo", "ogre", "ana", "bo", "ogre"]
    heroes = fight(SIDES.replace("foes", "heroes"))
    assert turns_of(heroes, 7) == ["ana", "bo", "ogre", "ana", "bo", "ogre", "ana"]


def test_where_sides_roll_for_it_the_winners_begin_every_round() -> None:
    rolled = SIDES + 'roll = "dodge"\n'
    world = world_of(rules_of(rolled))
    for event in Begin(("ana", "ogre", "bo")).resolve(world, Dice((2, 19))):
        world = event.apply(world)
    assert turns_of(world, 6) == ["ogre", "ana", "bo", "ogre", "ana", "bo"]


def test_where_all_of_the_side_that_begins_are_out_the_other_one_goes_on() -> None:
    text = SIDES + "[conditions.down]\nout = true\n"
    world = run(fight(text), Next(), PutCondition("ogre", "down"))
    assert turns_of(world, 4) == ["ana", "bo", "ana", "bo"]
