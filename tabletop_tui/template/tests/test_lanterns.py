"""What this game promises, and the whole kit."""

from lanterns import ENGINE
from lanterns.acting import Act, PressOn

from tabletop_tui.conformance import check_odds, conform, world_of
from tabletop_tui.rules import Dice


def test_it_keeps_the_contract() -> None:
    report = conform(ENGINE, games=5, edits=300)
    assert report.sound, report


def test_chances_are_those_of_the_dice() -> None:
    check_odds(ENGINE, world_of(ENGINE), Act("ada", "climb", 8))


def test_pressing_on_rolls_the_lower_die_again() -> None:
    world = world_of(ENGINE)
    for action, faces in ((Act("ada", "climb", 8), (1, 2)), (PressOn(), (6,))):
        for event in action.resolve(world, Dice(faces)):
            world = event.apply(world)
    assert world.now.roll is not None
    assert world.now.roll.faces == (2, 6)
    assert world.now.roll.succeeds
    assert world.now.spent == {"ada": 1}
