"""Looking ahead: the world after events, what would be refused, the next free number."""

from __future__ import annotations

from tabletop_tui.kit.ahead import after, next_id, refusal
from tabletop_tui.kit.common import AddClock, ClockMoved, ClockSet
from tabletop_tui.rules import Clock, Dice, Now, Rules, Scene, Sheet, World


def test_events_follow_each_other() -> None:
    before: World[Rules, Sheet, Scene, Now] = World(Rules(), Now())
    then = after(before, [ClockSet("dusk", Clock("Dusk", 6)), ClockMoved("dusk", 2)])
    assert (then.now.clocks, before.now.clocks) == ({"dusk": Clock("Dusk", 6, 2)}, {})
    assert after(before, []) is before


def test_a_refusal_is_told_before_anything_is_tried() -> None:
    world: World[Rules, Sheet, Scene, Now] = World(Rules(), Now())
    assert refusal(AddClock(" ").resolve, world, Dice()) == "it needs a name"
    assert refusal(AddClock("Dusk").resolve, world, Dice()) == ""


def test_the_first_number_that_is_free_is_taken() -> None:
    assert next_id("line", {}) == "line-1"
    assert next_id("line", {"line-1": 0, "line-3": 0}) == "line-2"
