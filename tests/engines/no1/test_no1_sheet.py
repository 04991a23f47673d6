"""What sheets show, and where those stand who are played from them."""

from __future__ import annotations

from msgspec.structs import replace
from no1_table import do, fight, table

from tabletop_tui.engines.no1 import ENGINE
from tabletop_tui.engines.no1.cast import Down, Hide
from tabletop_tui.engines.no1.hazards import Place
from tabletop_tui.engines.no1.world import No1World
from tabletop_tui.rules import SheetView


def test_a_sheet_shows_dice_ranks_left_and_what_can_be_bought() -> None:
    shown = ENGINE.view("sheet", fight(spent={"rook": {"Stubborn": 1}}, momentum=3), "rook")
    assert isinstance(shown, SheetView)
    lines = {s.title: [(line.label, line.value) for line in s.lines] for s in shown.sections}
    assert lines["skills"] == [("Strike", "2  d8"), ("Sneak", "1  d6")]
    assert lines["traits"] == [("Stubborn", "1/2"), ("Proud", "1/1")]
    assert lines["talents"] == [("Push on", "2 Momentum"), ("Leap", "1 Momentum")]
    foe = ENGINE.view("sheet", fight(), "Warden 2")
    assert isinstance(foe, SheetView)
    assert (foe.title, foe.secret) == ("Warden 2", True)


def test_the_sheet_of_identical_foes_says_how_many_stand_where() -> None:
    def facts(world: No1World) -> list[str]:
        shown = ENGINE.view("sheet", world, "warden")
        assert isinstance(shown, SheetView)
        return [fact.text for fact in shown.facts]

    world = do(do(fight(), Place("Warden 2", "span")), Hide("Warden 2"))
    assert facts(table()) == []
    assert facts(world) == ["1 in span, 2 in gate"]
    assert facts(do(world, Down("Warden 1"))) == ["1 in span, 1 in gate"]
    everybodys = replace(world, rules=replace(world.rules, open_npcs=True))
    assert facts(everybodys) == ["2 in gate"], "players read this one, and do not know of the hidden one"
